"""Every number, string and blob of the sample logs as TensorBoard reads them, but for the differences listed here.

TensorBoard's two readers disagree with each other; where they do, and where both lose data, `EXPECTED` says what we
answer instead. Each entry proves our answer right (`right`), names the heading in docs/explanation/differences.md that
gives the reason, and must be met by at least one difference: an entry nobody needs fails the test.

Not compared here: graphs and hyperparameters, which have their own routes and tests.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import pathlib
from collections.abc import Callable
from typing import Any

import data_client
import numpy as np
import pytest
from compat import answers, oracle

import lightboard
from lightboard import types

Recording = dict[str, Any]
DOCUMENT = pathlib.Path(__file__).parents[2] / "docs/explanation/differences.md"


@dataclasses.dataclass(frozen=True)
class Expected:
    """`where` is "via corpus run tag what", each part a pattern in which * stands for anything."""

    where: tuple[str, str, str, str, str]
    heading: str
    right: Callable[[Recording, oracle.Difference], bool]

    def explains(self, corpus: str, recording: Recording, found: oracle.Difference) -> bool:
        parts = (found.via, corpus, found.run, found.tag, found.what)
        meant = all(fnmatch.fnmatchcase(part, pattern) for part, pattern in zip(parts, self.where, strict=True))
        return meant and self.right(recording, found)


# ---- what makes our answer right ----


def accumulated(recording: Recording, run: str, tag: str) -> list[list[Any]]:
    """[step, wall time, value] of a scalar as the Python reader has them."""
    found = recording["accumulator"]["runs"][run]["tags"][tag]
    return [list(row) for row in zip(found["steps"], found["wall_times"], found["values"], strict=True)]


def points(found: oracle.Difference) -> list[list[Any]]:
    """Ours as [step, wall time, value], whichever way we were asked."""
    if found.via == "python":
        return list(found.ours)
    return [[step, wall, value] for wall, step, value in found.ours]


def as_python_reader(recording: Recording, found: oracle.Difference) -> bool:
    """Exactly what TensorBoard's Python reader has, which is everything that was written."""
    return points(found) == accumulated(recording, found.run, found.tag)


def as_fast_loader(recording: Recording, found: oracle.Difference) -> bool:
    """Exactly what TensorBoard's server answers."""
    served = recording["http"]["scalars"]["series"][found.run][found.tag]
    return bool([[wall, step, value] for step, wall, value in points(found)] == served)


def sorted_by_step(recording: Recording, found: oracle.Difference) -> bool:
    """What the Python reader has, file after file, put in order."""
    return points(found) == sorted(accumulated(recording, found.run, found.tag))


def up_to_the_restart(recording: Recording, found: oracle.Difference) -> bool:
    return points(found) == [row for row in accumulated(recording, found.run, found.tag) if row[0] < 20]


def all_but_the_damaged(recording: Recording, found: oracle.Difference) -> bool:
    """All that the undamaged copies of the file have, without the record that was damaged."""
    whole = accumulated(recording, "corrupt/zeros_at_end", "loss")
    if found.run == "corrupt/then_next_file":
        whole = whole + [row for row in accumulated(recording, found.run, found.tag) if row[0] >= 30]
    return points(found) == [row for row in whole if row[0] != 11]


def like_the_good_run(recording: Recording, found: oracle.Difference) -> bool:
    return points(found) == accumulated(recording, "good", "loss")


def without_the_odd_ones(recording: Recording, found: oracle.Difference) -> bool:
    return points(found) == [
        row for row in accumulated(recording, found.run, found.tag) if not isinstance(row[2], dict)
    ]


def only_odd_values(recording: Recording, found: oracle.Difference) -> bool:
    """The tag holds nothing a scalar could be; TensorBoard's server does not list it either."""
    values = recording["accumulator"]["runs"][found.run]["tags"][found.tag]["values"]
    served = recording["http"]["scalars"]["tags"].get(found.run, {})
    return found.ours is None and all(isinstance(value, dict) for value in values) and found.tag not in served


def is_exactly(answer: Any) -> Callable[[Recording, oracle.Difference], bool]:
    return lambda recording, found: bool(found.ours == answer)


def rounded_edges(recording: Recording, found: oracle.Difference) -> bool:
    """The Python reader's buckets, before it rounded them to 32 bits."""
    theirs = recording["accumulator"]["runs"][found.run]["tags"][found.tag]["buckets"]
    ours = found.ours if found.via == "python" else [row[2] for row in found.ours]
    return len(ours) == len(theirs) and all(
        np.array_equal(np.array(here, np.float32), np.array(there, np.float32))
        for here, there in zip(ours, theirs, strict=True)
    )


def typed_as_written(recording: Recording, found: oracle.Difference) -> bool:
    def untyped(samples: dict[str, list[dict[str, Any]]]) -> dict[str, list[dict[str, Any]]]:
        return {name: [{**row, "contentType": "", "content_type": ""} for row in of] for name, of in samples.items()}

    kinds = {(row["contentType"], row["content_type"]) for of in found.ours.values() for row in of}
    return untyped(found.ours) == untyped(found.theirs) and kinds == {("audio/wav", "audio/wav")}


def python_reader_has_it(recording: Recording, found: oracle.Difference) -> bool:
    return bool(found.ours) and found.tag in recording["accumulator"]["runs"][found.run]["tags"]


def named_as_written(recording: Recording, found: oracle.Difference) -> bool:
    written = recording["accumulator"]["runs"]["tensorboardX_only"]["tags"]["named"]
    named = {"displayName": written["display_name"], "description": "<p>A <em>description</em></p>"}
    return bool(found.ours == named and written["description"] == "A *description*")


def theirs_and(*more: str) -> Callable[[Recording, oracle.Difference], bool]:
    return lambda recording, found: bool(found.ours == sorted([*(found.theirs or ()), *more]))


def runs_and(*more: str) -> Callable[[Recording, oracle.Difference], bool]:
    """Theirs in their order, and these."""
    return lambda recording, found: (
        [run for run in found.ours if run not in more] == found.theirs and set(more) <= set(found.ours)
    )


def with_the_lost_chart(recording: Recording, found: oracle.Difference) -> bool:
    lost = {"title": "two lines", "multiline": {"tag": ["dow/a", "dow/b"]}}
    categories = [
        {**each, "chart": [*each["chart"], lost]} if each["title"] == "default" else each
        for each in found.theirs["category"]
    ]
    return bool(found.ours == {**found.theirs, "category": categories})


def with_the_doubles(recording: Recording, found: oracle.Difference) -> bool:
    """The chart's pattern also finds the tag of doubles in the run that has it."""
    theirs = dict((found.theirs or {}).get("cnn_digits", {}).get("points_by_tag", {}))
    return bool(found.ours == {"cnn_digits": {"regex_valid": True, "points_by_tag": {**theirs, "loss/double": 60}}})


def same_but_for_blanks(recording: Recording, found: oracle.Difference) -> bool:
    """The same HTML, with other blanks between words and tags, and quotes as they are. Of long texts the beginning."""

    def beginning(text: Any) -> str:
        return answers.tight(text) if isinstance(text, str) else answers.tight(text["start"])[:60]

    def rows(answer: Any) -> list[dict[str, Any]]:
        return [{**row, "text": beginning(row["text"])} for row in answer]

    return rows(found.ours) == rows(found.theirs)


def only_ours(recording: Recording, found: oracle.Difference) -> bool:
    return bool(found.ours) and found.theirs is None


# ---- the table ----

NUMBERS, DAMAGE, RESTARTS = "Numbers of every type", "Damaged records", "Restarts"
EQUAL_STEPS, PARALLEL = "Steps that repeat or go back", "Several writers at once"
OLD_HISTOGRAMS, OLD_NAMES = "Edges of old histograms", "Names and descriptions beside old scalars"
ODD, MARGIN, SOUND = "Values that do not fit their tag", "Custom scalar layouts of several runs", "Types of old sounds"
TEXT, MARKDOWN, EMPTY = "Text that is not UTF-8", "Markdown", "Runs without events"

EXPECTED = (
    # values TensorBoard's server does not show
    Expected(("data", "awkward", "values/dtypes", "*", "scalars tag"), NUMBERS, python_reader_has_it),
    Expected(
        ("python", "awkward", "values/dtypes", "form/bfloat16", "points"), NUMBERS, is_exactly([[0, 1.76e9, 1.5]])
    ),
    Expected(("data", "awkward", "values/dtypes", "form/bfloat16", "scalars"), NUMBERS, is_exactly([[1.76e9, 0, 1.5]])),
    Expected(
        ("data", "awkward", "values/dtypes", "", "timeseries scalars runTagInfo"),
        NUMBERS,
        theirs_and(
            *(f"dtype/{name}" for name in ("bool", "float16", "float64", "float64_precise", "int32", "int64", "uint8")),
            "form/bfloat16",
            "form/one_in_vector",
        ),
    ),
    Expected(("data", "torch_writer", "cnn_digits", "loss/double", "scalars tag"), NUMBERS, python_reader_has_it),
    Expected(("data", "torch_writer", "*", "loss/*", "chart"), NUMBERS, with_the_doubles),
    Expected(
        ("data", "torch_writer", "cnn_digits", "", "timeseries scalars runTagInfo"), NUMBERS, theirs_and("loss/double")
    ),
    Expected(("python", "awkward", "tags/plugin_changes", "m", "points"), ODD, without_the_odd_ones),
    Expected(("python", "awkward", "values/dtypes", "form/empty", "tag"), ODD, only_odd_values),
    Expected(("python", "awkward", "values/dtypes", "form/vector", "tag"), ODD, only_odd_values),
    Expected(("python", "poison", "shape_lies", "blob", "tag"), ODD, only_odd_values),
    Expected(("python", "poison", "unknown_dtype", "blob", "tag"), ODD, only_odd_values),
    # points TensorBoard's server throws away
    Expected(("data", "awkward", "steps/*", "loss", "scalars"), EQUAL_STEPS, as_python_reader),
    Expected(("data", "awkward", "tags/twice_in_one_event", "twice", "scalars"), EQUAL_STEPS, as_python_reader),
    Expected(("data", "gradient_tape", "*", "*", "scalars"), EQUAL_STEPS, as_python_reader),
    Expected(("data", "hf_trainer", "*", "train/epoch", "scalars"), EQUAL_STEPS, as_python_reader),
    Expected(("data", "lightning", "*", "epoch", "scalars"), EQUAL_STEPS, as_python_reader),
    Expected(("data", "poison", "unknown_fields", "loss", "scalars"), EQUAL_STEPS, as_python_reader),
    Expected(("data", "poison", "group_field", "loss", "scalars"), EQUAL_STEPS, as_python_reader),
    Expected(("*", "awkward", "parallel/same_tag", "loss", "*"), PARALLEL, sorted_by_step),
    Expected(("*", "awkward", "parallel/later_file_first", "b", "*"), PARALLEL, sorted_by_step),
    # restarts
    Expected(("python", "awkward", "restart/*", "loss", "points"), RESTARTS, as_fast_loader),
    Expected(("*", "awkward", "restart/two_tags", "other", "*"), RESTARTS, up_to_the_restart),
    # damage
    Expected(("*", "awkward", "corrupt/*", "loss", "*"), DAMAGE, all_but_the_damaged),
    Expected(("*", "poison", "cut_proto", "loss", "*"), DAMAGE, like_the_good_run),
    Expected(("*", "poison", "not_a_proto", "loss", "*"), DAMAGE, like_the_good_run),
    Expected(("data", "poison", "wrong_wire_type", "loss", "scalars"), DAMAGE, as_python_reader),
    Expected(("*", "poison", "bad_utf8_tag", "loss", "*"), DAMAGE, like_the_good_run),
    Expected(("python", "poison", "bad_utf8_tag", "l��s", "tag"), DAMAGE, is_exactly("scalars")),
    Expected(("data", "poison", "bad_utf8_tag", "l��s", "scalars tag"), DAMAGE, is_exactly(True)),
    Expected(("data", "poison", "bad_utf8_tag", "", "timeseries scalars runTagInfo"), DAMAGE, theirs_and("l��s")),
    Expected(("python", "poison", "huge_length", "loss", "tag"), DAMAGE, is_exactly("scalars")),
    Expected(("data", "poison", "huge_length", "loss", "scalars tag"), DAMAGE, is_exactly(True)),
    Expected(("data", "poison", "huge_length", "", "timeseries scalars runTagInfo"), DAMAGE, theirs_and("loss")),
    Expected(("data", "poison", "", "", "runs"), DAMAGE, runs_and("huge_length")),
    # old forms
    Expected(("*", "*", "*", "*", "buckets"), OLD_HISTOGRAMS, rounded_edges),
    Expected(("data", "*", "*", "*", "histograms"), OLD_HISTOGRAMS, rounded_edges),
    Expected(("data", "*", "*", "*", "audio"), SOUND, typed_as_written),
    Expected(("data", "boosting_tensorboardx", "*", "named", "scalars listing"), OLD_NAMES, named_as_written),
    Expected(
        ("data", "boosting_tensorboardx", "", "named", "timeseries scalars tagDescriptions"),
        OLD_NAMES,
        is_exactly("<p>A <em>description</em></p>"),
    ),
    # others
    Expected(("data", "torch_writer", "", "", "layout"), MARGIN, with_the_lost_chart),
    Expected(("data", "torch_writer", "two lines", "dow/*", "chart"), MARGIN, only_ours),
    Expected(
        ("data", "awkward", "text/all", "invalid utf-8", "text"),
        TEXT,
        is_exactly([{"wall_time": 1760000007.0, "step": 0, "text": "<p>�� broken</p>"}]),
    ),
    Expected(("data", "awkward", "text/all", "markdown", "text"), MARKDOWN, same_but_for_blanks),
    Expected(("data", "hf_trainer", "*", "*/text_summary", "text"), MARKDOWN, same_but_for_blanks),
    Expected(("data", "torch_writer", "cnn_digits", "config/text_summary", "text"), MARKDOWN, same_but_for_blanks),
    Expected(("data", "awkward", "", "", "runs"), EMPTY, runs_and("empty/profile_only", "empty/zero_bytes", "gzipped")),
    Expected(("python", "awkward", "links/broken", "", "run"), EMPTY, is_exactly(False)),
)


# ---- the tests ----


@dataclasses.dataclass
class Seen:
    """What the comparisons met, for the test that looks at the whole table."""

    corpora: set[str] = dataclasses.field(default_factory=set)
    entries: set[Expected] = dataclasses.field(default_factory=set)


@pytest.fixture(scope="module")
def seen() -> Seen:
    return Seen()


async def differences(logs: lightboard.Logs, recording: Recording) -> list[oracle.Difference]:
    async with data_client.Client(logs._store) as ask:
        served = await answers.everything(ask)
    return [*oracle.through_python(recording, logs), *oracle.through_data(recording, served)]


async def unexplained(logs: lightboard.Logs, corpus: str, recording: Recording, seen: Seen | None = None) -> list[str]:
    """Differences that no entry explains; `seen` learns which entries were met."""
    found = []
    for difference in await differences(logs, recording):
        entry = next((each for each in EXPECTED if each.explains(corpus, recording, difference)), None)
        if entry is None:
            found.append(str(difference))
        elif seen is not None:
            seen.entries.add(entry)
    return found


@pytest.mark.parametrize("corpus", oracle.corpora())
async def test_every_answer_is_tensorboards_or_explained(corpus: str, seen: Seen) -> None:
    with lightboard.open(oracle.DATA / corpus, index=False) as logs:
        assert await unexplained(logs, corpus, oracle.load(corpus), seen) == []
    seen.corpora.add(corpus)


def test_every_entry_of_the_table_is_met(seen: Seen) -> None:
    if seen.corpora != set(oracle.corpora()):
        pytest.skip("looks at what all the comparisons met")
    assert [each.where for each in EXPECTED if each not in seen.entries] == []


def test_every_reason_is_written_down() -> None:
    headings = [line.removeprefix("## ") for line in DOCUMENT.read_text("utf-8").splitlines() if line.startswith("## ")]
    reasons = dict.fromkeys(each.heading for each in EXPECTED)
    assert [heading for heading in reasons if heading not in headings] == []


def test_hidden_points_of_restarts_can_be_shown() -> None:
    """Superseded points are kept: with rewinds=all the Python reader's points are all there."""
    recording = oracle.load("awkward")
    with lightboard.open(oracle.DATA / "awkward", index=False, rewinds=types.Rewinds.ALL.value) as logs:
        for run in ("restart/thrice", "restart/two_tags", "restart/start_at_zero", "restart/same_file"):
            for tag in recording["accumulator"]["runs"][run]["tags"]:
                shown = [[step, wall, value] for step, wall, value in logs.scalars(run, tag)]
                assert sorted(shown) == sorted(accumulated(recording, run, tag)), (run, tag)
