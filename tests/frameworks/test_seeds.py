"""The programs of well-known introductions, run with real frameworks: what they log is shown by TensorBoard and by us.

programs/ holds one small program per example. Each is run with the framework's own writer, and where we have a drop-in
also with ours. Three questions:

- does Lightboard show what TensorBoard shows, run by run, tag by tag, value by value;
- does TensorBoard see the same in the files our writer wrote as in those of the framework's writer;
- are the things beside the event stream there: graphs, hyperparameters, embeddings, profiles, debugger dumps.

Where TensorBoard's two readers disagree, `test_lightboard_shows_what_tensorboard_shows` says which one we follow;
docs/explanation/differences.md says why. Left out: what the pages look like.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from compat import answers
from frameworks import conftest

from lightboard.reading import logs as reading

BOTH = (
    "boosted_trees",
    "cloud_torch",
    "hparams_tuning",
    "hugging_face",
    "keras_fit",
    "keras_options",
    "keras_profile",
    "keras_timestamped",
    "own_loop",
    "plots",
    "summary_kinds",
    "torch_loop",
    "training_images",
)
THEIRS_ONLY = ("summary_trace", "debugger")
OURS_ONLY = ("boosted_trees_ready_made",)

THEIRS, OURS = "theirs", "lightboard"
# the first test waits for all programs and both servers; each of those has limits of its own
pytestmark = pytest.mark.timeout(2400)
WRITTEN = [
    *((program, writer) for program in BOTH for writer in (THEIRS, OURS)),
    *((program, THEIRS) for program in THEIRS_ONLY),
    *((program, OURS) for program in OURS_ONLY),
]

Cell = tuple[str, str, str]
"""(kind, run, tag)."""


def marked(*runs: tuple[str, str]) -> Any:
    """A test parameter that needs these (program, writer)."""
    name = runs[0][0] if len(runs) > 1 else "-".join(runs[0])
    return pytest.param(*(runs[0] if len(runs) == 1 else (runs[0][0],)), marks=pytest.mark.programs(*runs), id=name)


each_written = pytest.mark.parametrize(("program", "writer"), [marked(each) for each in WRITTEN])
each_pair = pytest.mark.parametrize("program", [marked((each, THEIRS), (each, OURS)) for each in BOTH])


def cells(shown: conftest.Shown, prefix: str) -> dict[Cell, Any]:
    """Values of every tag of the runs below `prefix`, under run names without it."""
    found = {}
    for kind in answers.READERS:
        values = shown[kind]["items" if kind in answers.ITEMS else "series"]
        for run, tags in values.items():
            if run == prefix or run.startswith(prefix + "/"):
                found.update({(kind, run[len(prefix) + 1 :], tag): value for tag, value in tags.items()})
    return found


def tight(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "text": answers.tight(row["text"])} for row in rows]


def without_walls(value: Any) -> Any:
    """The answer without wall times; addresses and times of single pictures go as well."""
    if isinstance(value, dict):
        return {key: without_walls(each) for key, each in value.items() if key not in ("wall_time", "size")}
    if isinstance(value, list):
        if len(value) == 3 and isinstance(value[0], float) and value[0] > 1e9 and isinstance(value[1], int):
            return without_walls(value[1:])  # [wall time, step, value]
        return [without_walls(each) for each in value]
    return value


def as_float32(value: Any) -> Any:
    """Numbers as TensorBoard's loaders round the edges of old histograms."""
    if isinstance(value, float):
        return float(np.float32(value)) if abs(value) < 1e9 else value
    if isinstance(value, list):
        return [as_float32(each) for each in value]
    return value


# ---- the same logs, two boards ----


@each_written
def test_lightboard_shows_what_tensorboard_shows(
    program: str,
    writer: str,
    written: conftest.Written,
    fast_tensorboard: conftest.TensorBoard,
    slow_tensorboard: conftest.TensorBoard,
    our_answers: conftest.Shown,
) -> None:
    written(program, writer)
    prefix = f"{program}/{writer}"
    ours, fast, slow = (cells(shown, prefix) for shown in (our_answers, fast_tensorboard.shown, slow_tensorboard.shown))
    visible = {cell for cell in ours if not _only_ours(cell)}
    assert visible or program in THEIRS_ONLY  # a graph and dumps, looked at below
    assert visible == set(slow) >= set(fast)
    for cell in sorted(visible):
        kind = cell[0]
        if kind == "scalars":  # the fast loader drops points whose step does not grow
            assert ours[cell] == slow[cell], cell
        elif kind in ("histograms", "distributions"):  # the Python reader rounds edges to 32 bits
            assert as_float32(ours[cell]) == as_float32(fast[cell]), cell
        elif kind == "text":  # CommonMark and Python-Markdown leave other blanks between words and tags
            assert tight(ours[cell]) == tight(fast[cell]), cell
        else:
            assert ours[cell] == fast[cell], cell


def _only_ours(cell: Cell) -> bool:
    """What we log beside what was asked for, under names TensorBoard has no page for."""
    return cell[2].startswith("_lightboard_/")


@each_written
def test_runs_are_the_same(
    program: str,
    writer: str,
    written: conftest.Written,
    fast_tensorboard: conftest.TensorBoard,
    logs: reading.Logs,
    our_answers: conftest.Shown,
) -> None:
    directory = written(program, writer)
    prefix = f"{program}/{writer}/"
    on_disk = {str(path.parent.relative_to(directory)) for path in directory.rglob("*tfevents*")}
    for runs in (fast_tensorboard.shown["runs"], our_answers["runs"], logs.runs):
        assert {run.removeprefix(prefix) for run in runs if run.startswith(prefix)} == on_disk


@each_written
def test_the_python_api_has_every_point(
    program: str, writer: str, written: conftest.Written, logs: reading.Logs, slow_tensorboard: conftest.TensorBoard
) -> None:
    written(program, writer)
    for (kind, run, tag), rows in cells(slow_tensorboard.shown, f"{program}/{writer}").items():
        if kind == "scalars":
            found = logs.scalars(f"{program}/{writer}/{run}".rstrip("/"), tag)
            assert [[wall, step, value] for step, wall, value in found] == rows, (run, tag)
    assert logs.faults == []


# ---- the same program, two writers ----


@each_pair
def test_tensorboard_sees_the_same_from_our_writer(
    program: str, written: conftest.Written, with_pixels: conftest.Shown
) -> None:
    for writer in (THEIRS, OURS):
        written(program, writer)
    theirs, ours = (
        {
            (kind, _run_name(program, run), tag): without_walls(value)
            for (kind, run, tag), value in cells(with_pixels, f"{program}/{writer}").items()
            if not _only_ours((kind, run, tag))
        }
        for writer in (THEIRS, OURS)
    )
    assert {cell for cell in ours if not _lost_by_keras(program, cell)} == set(theirs)
    for cell, value in theirs.items():
        if not _depends_on_time(cell) and not _is_told_otherwise(program, cell):
            assert list(_differences(ours[cell], value)) == [], cell


def _run_name(program: str, run: str) -> str:
    """tensorboardX's default directory, and ours, are named for the time."""
    return "runs/<time>" if program == "boosted_trees" else run


def _lost_by_keras(program: str, cell: Cell) -> bool:
    """With `update_freq=5` Keras means batches, but what comes at the end of an epoch falls under it, too: it is
    written only if the number of the last batch is a multiple of 5. We write it."""
    return program == "keras_profile" and cell[2].startswith(("epoch_", "evaluation_"))


def _is_told_otherwise(program: str, cell: Cell) -> bool:
    """transformers logs its arguments, `report_to` among them. We indent that JSON: Markdown then shows it as a block
    of code, where theirs runs together."""
    return program == "hugging_face" and cell[2] in ("args/text_summary", "model_config/text_summary")


def _depends_on_time(cell: Cell) -> bool:
    words = ("runtime", "_per_second", "steps_per_second")
    return any(word in cell[2] for word in words)


def _differences(ours: Any, theirs: Any, at: str = "") -> Iterator[str]:
    """Numbers may differ in the last bit of a float32: one writer sums in another order."""
    if isinstance(theirs, (list, dict)) and isinstance(ours, type(theirs)) and len(ours) == len(theirs):
        for key in theirs if isinstance(theirs, dict) else range(len(theirs)):
            if isinstance(theirs, dict) and key not in ours:
                yield f"{at}.{key} is missing"
            else:
                yield from _differences(ours[key], theirs[key], f"{at}[{key}]")
    elif isinstance(theirs, float) and isinstance(ours, (int, float)):
        if ours != pytest.approx(theirs, rel=1e-6, abs=1e-9):
            yield f"{at}: {ours!r} instead of {theirs!r}"
    elif ours != theirs:
        yield f"{at}: {str(ours)[:200]!r} instead of {str(theirs)[:200]!r}"


# ---- graphs, hyperparameters and what lies beside the event files ----


async def _graphs(ask: conftest.Remote, prefix: str) -> Mapping[str, Any]:
    """{run: what TensorBoard says about its graphs}."""
    found = await ask.json("/data/plugin/graphs/info")
    return {run[len(prefix) + 1 :]: told for run, told in found.items() if run.startswith(prefix + "/")}


# the model of `keras_fit` is subclassed: Keras cannot draw it
GRAPHS = {
    "keras_options": ("logs/train",),
    "keras_profile": ("logs/train",),
    "keras_timestamped": ("logs/fit/20260102-030405/train",),
}


@pytest.mark.parametrize(
    ("program", "writer"), [marked((each, writer)) for each in GRAPHS for writer in (THEIRS, OURS)]
)
async def test_graphs_of_models_are_there(
    program: str, writer: str, written: conftest.Written, ask_tensorboard: conftest.Remote, logs: reading.Logs
) -> None:
    written(program, writer)
    prefix = f"{program}/{writer}"
    graphs = await _graphs(ask_tensorboard, prefix)
    for run in GRAPHS[program]:
        assert graphs[run]["run_graph"] or any(tag["conceptual_graph"] for tag in graphs[run]["tags"].values())
        assert logs.series("graphs", f"{prefix}/{run}")


@pytest.mark.parametrize("program", [marked((each, THEIRS), (each, OURS)) for each in GRAPHS])
async def test_our_callback_draws_the_same_model(
    program: str, written: conftest.Written, ask_tensorboard: conftest.Remote
) -> None:
    drawn: dict[tuple[str, str], list[str]] = {}
    for writer in (THEIRS, OURS):
        written(program, writer)
        for run, told in (await _graphs(ask_tensorboard, f"{program}/{writer}")).items():
            for tag, of_tag in told["tags"].items():
                if of_tag["conceptual_graph"]:
                    fields = {"run": f"{program}/{writer}/{run}", "tag": tag, "conceptual": "true"}
                    graph = await ask_tensorboard.get("/data/plugin/graphs/graph", **fields)
                    assert graph.status_code == 200
                    drawn.setdefault((run, tag), []).append(graph.text)
    for where, graphs in drawn.items():
        assert len(graphs) == 2 and graphs[0] == graphs[1], where


@pytest.mark.programs(("summary_trace", THEIRS))
async def test_a_traced_function_is_there(
    written: conftest.Written, ask_tensorboard: conftest.Remote, logs: reading.Logs
) -> None:
    written("summary_trace", THEIRS)
    told = (await _graphs(ask_tensorboard, "summary_trace/theirs"))["logs"]
    assert told["tags"]["score"]["op_graph"]
    assert "score" in logs.tags(run="summary_trace/theirs/logs")


async def _experiment(ask: conftest.Remote, prefix: str) -> list[dict[str, Any]]:
    """Session groups below a run, without names of ours and times."""
    body = {
        "experimentName": "",
        "startIndex": 0,
        "sliceSize": 1000,
        "allowedStatuses": ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"],
        "colParams": [],
    }
    answer = await ask.http.post(
        "/data/plugin/hparams/session_groups", content=json.dumps(body), headers={"content-type": "application/json"}
    )
    assert answer.status_code == 200, answer.text[:300]
    found = []
    for group in answer.json()["sessionGroups"]:
        for session in group["sessions"]:
            if session["name"].startswith(prefix + "/"):
                metrics = {each["name"]["tag"]: each["value"] for each in session.get("metricValues", ())}
                found.append(
                    {"run": session["name"][len(prefix) + 1 :], "hparams": group["hparams"], "metrics": metrics}
                )
    return sorted(found, key=lambda each: str(each["run"]))


@pytest.mark.programs(("hparams_tuning", THEIRS), ("hparams_tuning", OURS))
async def test_hyperparameters_are_the_same_from_both_writers(
    written: conftest.Written, ask_tensorboard: conftest.Remote, logs: reading.Logs
) -> None:
    tables = []
    for writer in (THEIRS, OURS):
        written("hparams_tuning", writer)
        table = await _experiment(ask_tensorboard, f"hparams_tuning/{writer}")
        assert len(table) == 12
        for row in table:
            assert logs.hparams(f"hparams_tuning/{writer}/{row['run']}") == pytest.approx(row["hparams"])
        tables.append(table)
    assert tables[0] == tables[1]


@pytest.mark.parametrize(
    "writer", [pytest.param(w, marks=pytest.mark.programs(("keras_options", w))) for w in (THEIRS, OURS)]
)
def test_embeddings_and_profile_lie_beside_the_events(writer: str, written: conftest.Written) -> None:
    directory = written("keras_options", writer) / "logs"
    assert (directory / "projector_config.pbtxt").read_text("utf-8").count("embeddings {") == 1
    assert _some(directory, "plugins/profile/*/*")


@pytest.mark.parametrize(
    "writer", [pytest.param(w, marks=pytest.mark.programs(("keras_profile", w))) for w in (THEIRS, OURS)]
)
def test_a_stretch_of_batches_is_profiled(writer: str, written: conftest.Written) -> None:
    assert _some(written("keras_profile", writer) / "logs", "plugins/profile/*/*")


@pytest.mark.programs(("debugger", THEIRS))
async def test_debugger_dumps_are_found(written: conftest.Written, ask_tensorboard: conftest.Remote) -> None:
    assert _some(written("debugger", THEIRS) / "logs", "tfdbg_events.*.metadata")


def _some(directory: pathlib.Path, pattern: str) -> list[pathlib.Path]:
    return list(directory.rglob(pattern))
