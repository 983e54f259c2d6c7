"""What TensorBoard reads in the sample logs, and where Lightboard reads otherwise.

`data/oracle/<corpus>.json.gz` holds the answers of TensorBoard 2.21: `accumulator` those of its Python reader with
nothing sampled away, `http` those of its server with the fast loader. Two questions are asked of each corpus:

    through_python(...)   lightboard.open()  against  accumulator
    through_data(...)     our /data          against  http, both in the words of `answers`

and answered with a list of `Difference`s, which is empty where both say the same.
"""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import json
import pathlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from compat import answers

import lightboard
from lightboard import types
from lightboard.query import custom_scalars, mesh
from lightboard.server import data

DATA = pathlib.Path(__file__).parent.parent / "data"

# The plugins whose tags belong to the kinds that are served; graphs and hyperparameters are compared elsewhere.
KINDS = ("scalars", "histograms", "images", "audio", "text", "pr_curves", "mesh", "custom_scalars")


@dataclasses.dataclass(frozen=True)
class Difference:
    via: str  # "python" or "data"
    run: str
    tag: str
    what: str
    ours: Any
    theirs: Any

    def __str__(self) -> str:
        return (
            f"{self.via} {self.run!r} {self.tag!r} {self.what}: ours {_short(self.ours)}, theirs {_short(self.theirs)}"
        )


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:300]}… ({len(text)} letters)"


def load(corpus: str) -> dict[str, Any]:
    with gzip.open(DATA / "oracle" / f"{corpus}.json.gz", "rt", encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def corpora() -> list[str]:
    return sorted(path.name.removesuffix(".json.gz") for path in (DATA / "oracle").iterdir())


# ---- the Python API against the accumulator ----


def through_python(oracle: Mapping[str, Any], logs: lightboard.Logs) -> list[Difference]:
    found: list[Difference] = []
    runs = oracle["accumulator"]["runs"]
    for run in sorted({*runs, *logs.runs}):
        if run not in runs or run not in logs.runs:
            found.append(Difference("python", run, "", "run", run in logs.runs, run in runs))
            continue
        theirs = {tag: expected for tag, expected in runs[run].get("tags", {}).items() if _comparable(expected)}
        ours = {entry.tag: entry.kind for entry in logs.series(run=run) if entry.kind in (*KINDS, "tensors")}
        for tag in sorted({*theirs, *ours}):
            if tag not in theirs or tag not in ours:
                found.append(Difference("python", run, tag, "tag", ours.get(tag), theirs.get(tag, {}).get("plugin")))
            else:
                found += _python_tag(logs, run, tag, ours[tag], theirs[tag])
    return found


def _comparable(expected: Mapping[str, Any]) -> bool:
    return expected["plugin"] in KINDS or ("tensors" in expected and not expected["plugin"].startswith("graph"))


def _python_tag(
    logs: lightboard.Logs, run: str, tag: str, kind: str, expected: Mapping[str, Any]
) -> Iterator[Difference]:
    def differ(what: str, ours: Any, theirs: Any) -> Iterator[Difference]:
        if ours != theirs:
            yield Difference("python", run, tag, what, ours, theirs)

    metadata = logs.metadata(run, tag)
    yield from differ("plugin", metadata.plugin, expected["plugin"])
    yield from differ("display name", metadata.display_name or tag, expected["display_name"] or tag)
    yield from differ("description", metadata.description, expected["description"])
    if expected["plugin"] == "scalars":
        if kind != "scalars" or "values" not in expected:
            yield Difference("python", run, tag, "values", kind, expected.get("unreadable"))
            return
        points = logs.scalars(run, tag)
        ours = [
            list(row)
            for row in zip(points.steps.tolist(), points.wall_times.tolist(), points.values.tolist(), strict=True)
        ]
        theirs = [list(row) for row in zip(expected["steps"], expected["wall_times"], expected["values"], strict=True)]
        yield from differ("points", _words(ours), theirs)
        return
    steps = logs.tensors(run, tag)
    ours_at = [list(row) for row in zip(steps.steps.tolist(), steps.wall_times.tolist(), strict=True)]
    yield from differ(
        "steps", _words(ours_at), [list(row) for row in zip(expected["steps"], expected["wall_times"], strict=True)]
    )
    name, read = _PYTHON_VALUES.get(expected["plugin"], ("tensors", _tensors))
    yield from differ(name, read(logs, run, tag), _expected_values(name, expected))
    if expected["plugin"] == "mesh":
        yield from differ("mesh", _mesh_description(metadata), {"components": 0, **expected["mesh"]})
    if expected["plugin"] == "pr_curves":
        counts = {curve.table.shape[1] for curve in logs.pr_curves(run, tag)}
        yield from differ("num_thresholds", counts, {expected["num_thresholds"]})


def _expected_values(name: str, expected: Mapping[str, Any]) -> Any:
    if name == "tensors":
        return [{key: one[key] for key in ("shape", "dtype", "sha256")} for one in expected["tensors"]]
    return expected[name]


def _buckets(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [_words(one.buckets.tolist()) for one in logs.histograms(run, tag)]


def _images(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [
        {"width": str(one.width), "height": str(one.height), "blobs": [answers.hashed(blob) for blob in one.blobs]}
        for one in logs.images(run, tag)
    ]


def _audio(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [
        [{**answers.hashed(clip.data), "label": clip.label or None} for clip in one.clips]
        for one in logs.audio(run, tag)
    ]


def _text(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [
        {"shape": list(one.shape), "strings": answers.shortened(_nested(one.shape, one.strings))}
        for one in logs.text(run, tag)
    ]


def _nested(shape: tuple[int, ...], strings: tuple[str, ...]) -> Any:
    if not shape:
        return strings[0]
    return np.array(strings, object).reshape(shape).tolist()


def _tables(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [_words(one.table.tolist()) for one in logs.pr_curves(run, tag)]


def _layouts(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [_layout(custom_scalars.parse(one.strings[0])) for one in logs.tensors(run, tag) if one.strings]


def _layout(found: custom_scalars.Layout) -> dict[str, Any]:
    """As proto3 JSON without defaults."""
    shape: dict[str, Any] = {"category": [_category(each) for each in found.categories]}
    return {**shape, "version": found.version} if found.version else shape


def _category(category: custom_scalars.Category) -> dict[str, Any]:
    shape: dict[str, Any] = {"title": category.title, "chart": []}
    for chart in category.charts:
        drawn: dict[str, Any] = {"title": chart.title}
        if chart.tags is not None:
            drawn["multiline"] = {"tag": list(chart.tags)}
        if chart.bands is not None:
            drawn["margin"] = {"series": [dataclasses.asdict(band) for band in chart.bands]}
        shape["chart"].append(drawn)
    return {**shape, "closed": True} if category.closed else shape


def _tensors(logs: lightboard.Logs, run: str, tag: str) -> Any:
    found = []
    for one in logs.tensors(run, tag):
        if one.array is not None:
            raw, dtype = one.array.astype(one.array.dtype.newbyteorder("<")).tobytes(), str(one.array.dtype)
            found.append({"shape": list(one.shape), "dtype": dtype, "sha256": hashlib.sha256(raw).hexdigest()})
        else:
            joined = b"".join(one.strings or ())
            found.append({"shape": list(one.shape), "dtype": "object", "sha256": hashlib.sha256(joined).hexdigest()})
    return found


def _mesh_description(metadata: types.Metadata) -> dict[str, Any]:
    described = mesh.describe(metadata)
    return {
        "name": described.name,
        "content_type": described.part.name,
        "json_config": described.config,
        "shape": list(described.shape),
        "components": described.components,
    }


_PYTHON_VALUES: dict[str, tuple[str, Callable[[lightboard.Logs, str, str], Any]]] = {
    "histograms": ("buckets", _buckets),
    "images": ("images", _images),
    "audio": ("audio", _audio),
    "text": ("text", _text),
    "pr_curves": ("tables", _tables),
    "mesh": ("tensors", _tensors),
    "custom_scalars": ("layout", _layouts),
}


# ---- /data against the server ----


def through_data(oracle: Mapping[str, Any], ours: Mapping[str, Any]) -> list[Difference]:
    """`ours` is what `answers.everything` read from a board."""
    theirs = oracle["http"]
    served = ("timeseries", "distributions", "graphs", "hparams", *KINDS)
    enabled = [{name: http["plugins_enabled"][name] for name in served} for http in (ours, theirs)]
    found = [
        *_differ("", "", "runs", ours["runs"], theirs["runs"]),
        *_differ("", "", "plugins", *enabled),
        *_timeseries(ours["timeseries"]["tags"], theirs["timeseries"]["tags"]),
        *_differ("", "", "layout", ours["custom_scalars"]["layout"], theirs["custom_scalars"]["layout"]),
        *_charts(ours["custom_scalars"]["charts"], theirs["custom_scalars"]["charts"]),
    ]
    for kind in answers.READERS:
        found += _kind(kind, ours[kind], theirs[kind], oracle["accumulator"]["runs"])
    return found


def _kind(kind: str, ours: Mapping[str, Any], theirs: Mapping[str, Any], runs: Mapping[str, Any]) -> list[Difference]:
    """The listing of one kind and all its values."""
    found: list[Difference] = []
    name = "items" if kind in answers.ITEMS else "series"
    here, there = _cells(ours["tags"]), _cells(theirs["tags"])
    for run, tag in sorted({*here, *there}):
        accumulated = runs.get(run, {}).get("tags", {}).get(tag, {})
        if (run, tag) in here and (run, tag) in there:
            found += _differ(run, tag, f"{kind} listing", here[run, tag], there[run, tag])
            expected = _expected(kind, theirs[name][run][tag], accumulated)
            found += _differ(run, tag, kind, ours[name][run][tag], expected)
            continue
        found += _differ(run, tag, f"{kind} tag", (run, tag) in here, (run, tag) in there)
        if accumulated and kind == "scalars" and (run, tag) in here:
            found += _differ(run, tag, kind, ours[name][run][tag], _expected(kind, "=accumulator", accumulated))
    return found


def _expected(kind: str, value: Any, accumulated: Mapping[str, Any]) -> Any:
    if value != "=accumulator":
        return value
    columns = ("wall_times", "steps", "values" if kind == "scalars" else "buckets")
    return [list(row) for row in zip(*(accumulated[name] for name in columns), strict=True)]


def _cells(tags: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """What a listing tells of each tag; text only tells the names. A display name may be empty or repeat the tag."""
    cells = {}
    for run, of_run in tags.items():
        for tag in of_run:
            cell = dict(of_run[tag]) if isinstance(of_run, dict) else {}
            cells[run, tag] = {**cell, "displayName": cell.get("displayName") or tag}
    return cells


def _timeseries(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[Difference]:
    found = []
    for kind in ("scalars", "histograms", "images"):
        for part in theirs[kind]:
            here, there = ours[kind][part], theirs[kind][part]
            for name in sorted({*here, *there}):
                tag, run = (name, "") if part != "runTagInfo" else ("", name)
                found += _differ(run, tag, f"timeseries {kind} {part}", here.get(name), there.get(name))
    return found


def _charts(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> list[Difference]:
    found = []
    for title in sorted({*ours, *theirs}):
        here, there = ours.get(title, {}), theirs.get(title, {})
        for pattern in sorted({*here, *there}):
            found += _differ(title, pattern, "chart", here.get(pattern), there.get(pattern))
    return found


def _differ(run: str, tag: str, what: str, ours: Any, theirs: Any) -> list[Difference]:
    return [] if ours == theirs else [Difference("data", run, tag, what, ours, theirs)]


def _words(value: Any) -> Any:
    """Numbers that JSON cannot hold as the words for them."""
    return json.loads(data.to_json(value))
