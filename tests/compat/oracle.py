"""What TensorBoard reads in the sample logs, and where Lightboard reads otherwise.

`data/oracle/<corpus>.json.gz` holds the answers of TensorBoard 2.21: `accumulator` those of its Python reader with
nothing sampled away, `http` those of its server with the fast loader. Two questions are asked of each corpus:

    through_python(...)   lightboard.open()  against  accumulator
    through_data(...)     our /data          against  http

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

import data_client
import numpy as np

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
        theirs = {tag: told for tag, told in runs[run].get("tags", {}).items() if _comparable(told)}
        ours = {entry.tag: entry.kind for entry in logs.series(run=run) if entry.kind in (*KINDS, "tensors")}
        for tag in sorted({*theirs, *ours}):
            if tag not in theirs or tag not in ours:
                found.append(Difference("python", run, tag, "tag", ours.get(tag), theirs.get(tag, {}).get("plugin")))
            else:
                found += _python_tag(logs, run, tag, ours[tag], theirs[tag])
    return found


def _comparable(told: Mapping[str, Any]) -> bool:
    return told["plugin"] in KINDS or ("tensors" in told and not told["plugin"].startswith("graph"))


def _python_tag(logs: lightboard.Logs, run: str, tag: str, kind: str, told: Mapping[str, Any]) -> Iterator[Difference]:
    def differ(what: str, ours: Any, theirs: Any) -> Iterator[Difference]:
        if ours != theirs:
            yield Difference("python", run, tag, what, ours, theirs)

    metadata = logs.metadata(run, tag)
    yield from differ("plugin", metadata.plugin, told["plugin"])
    yield from differ("display name", metadata.display_name or tag, told["display_name"] or tag)
    yield from differ("description", metadata.description, told["description"])
    if told["plugin"] == "scalars":
        if kind != "scalars" or "values" not in told:
            yield Difference("python", run, tag, "values", kind, told.get("unreadable"))
            return
        points = logs.scalars(run, tag)
        ours = [
            list(row)
            for row in zip(points.steps.tolist(), points.wall_times.tolist(), points.values.tolist(), strict=True)
        ]
        theirs = [list(row) for row in zip(told["steps"], told["wall_times"], told["values"], strict=True)]
        yield from differ("points", _words(ours), theirs)
        return
    steps = logs.tensors(run, tag)
    ours_at = [list(row) for row in zip(steps.steps.tolist(), steps.wall_times.tolist(), strict=True)]
    yield from differ(
        "steps", _words(ours_at), [list(row) for row in zip(told["steps"], told["wall_times"], strict=True)]
    )
    name, read = _PYTHON_VALUES.get(told["plugin"], ("tensors", _tensors))
    yield from differ(name, read(logs, run, tag), _told_values(name, told))
    if told["plugin"] == "mesh":
        yield from differ("mesh", _mesh_description(metadata), {"components": 0, **told["mesh"]})
    if told["plugin"] == "pr_curves":
        counts = {curve.table.shape[1] for curve in logs.pr_curves(run, tag)}
        yield from differ("num_thresholds", counts, {told["num_thresholds"]})


def _told_values(name: str, told: Mapping[str, Any]) -> Any:
    if name == "tensors":
        return [{key: one[key] for key in ("shape", "dtype", "sha256")} for one in told["tensors"]]
    return told[name]


def _buckets(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [_words(one.buckets.tolist()) for one in logs.histograms(run, tag)]


def _images(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [
        {"width": str(one.width), "height": str(one.height), "blobs": [_hashed(blob) for blob in one.blobs]}
        for one in logs.images(run, tag)
    ]


def _audio(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [[{**_hashed(clip.data), "label": clip.label or None} for clip in one.clips] for one in logs.audio(run, tag)]


def _text(logs: lightboard.Logs, run: str, tag: str) -> Any:
    return [
        {"shape": list(one.shape), "strings": shortened(_nested(one.shape, one.strings))} for one in logs.text(run, tag)
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


async def through_data(oracle: Mapping[str, Any], ask: data_client.Client) -> list[Difference]:
    http = oracle["http"]
    found = [
        *_differ("", "", "runs", await ask.json("/data/runs"), http["runs"]),
        *await _plugins(http, ask),
        *await _timeseries(http, ask),
        *await _layout_route(http, ask),
    ]
    for kind in _ROUTES:
        found += await _kind(kind, oracle, ask)
    return found


async def _kind(kind: str, oracle: Mapping[str, Any], ask: data_client.Client) -> list[Difference]:
    """The listing of one kind and all its values."""
    told = oracle["http"][kind]
    ours, theirs = _cells(await ask.json(f"/data/plugin/{kind}/tags")), _cells(told["tags"])
    values = told.get("series", told.get("items", {}))
    found: list[Difference] = []
    for run, tag in sorted({*ours, *theirs}):
        accumulated = oracle["accumulator"]["runs"].get(run, {}).get("tags", {}).get(tag, {})
        if (run, tag) in ours and (run, tag) in theirs:
            found += _differ(run, tag, f"{kind} listing", ours[run, tag], theirs[run, tag])
            found += await _ROUTES[kind](ask, run, tag, values[run][tag], accumulated)
            continue
        found += _differ(run, tag, f"{kind} tag", (run, tag) in ours, (run, tag) in theirs)
        if accumulated and kind == "scalars" and (run, tag) in ours:
            found += await _scalars(ask, run, tag, "=accumulator", accumulated)
    return found


def _cells(tags: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """What a listing tells of each tag; text only tells the names. A display name may be empty or repeat the tag."""
    cells = {}
    for run, of_run in tags.items():
        for tag in of_run:
            cell = dict(of_run[tag]) if isinstance(of_run, dict) else {}
            cells[run, tag] = {**cell, "displayName": cell.get("displayName") or tag}
    return cells


def _differ(run: str, tag: str, what: str, ours: Any, theirs: Any) -> list[Difference]:
    return [] if ours == theirs else [Difference("data", run, tag, what, ours, theirs)]


async def _plugins(http: Mapping[str, Any], ask: data_client.Client) -> list[Difference]:
    listing = await ask.json("/data/plugins_listing")
    names = ("timeseries", "distributions", *KINDS)
    enabled = {name: listing[name]["enabled"] for name in names}
    return _differ("", "", "plugins", enabled, {name: http["plugins_enabled"][name] for name in names})


async def _timeseries(http: Mapping[str, Any], ask: data_client.Client) -> list[Difference]:
    ours, theirs = await ask.json("/data/plugin/timeseries/tags"), http["timeseries"]["tags"]
    found = []
    for kind in ("scalars", "histograms", "images"):
        for part in theirs[kind]:
            here, there = ours[kind][part], theirs[kind][part]
            for name in sorted({*here, *there}):
                tag, run = (name, "") if part != "runTagInfo" else ("", name)
                found += _differ(run, tag, f"timeseries {kind} {part}", here.get(name), there.get(name))
    return found


async def _layout_route(http: Mapping[str, Any], ask: data_client.Client) -> list[Difference]:
    told = http["custom_scalars"]
    found = _differ("", "", "layout", await ask.json("/data/plugin/custom_scalars/layout"), told["layout"])
    for patterns in told["charts"].values():
        for pattern, runs in patterns.items():
            for run, theirs in runs.items():
                answer = await ask.json("/data/plugin/custom_scalars/scalars", run=run, tag=pattern)
                points = {tag: len(rows) for tag, rows in answer["tag_to_events"].items()}
                ours = {"regex_valid": answer["regex_valid"], "points_by_tag": points}
                found += _differ(run, pattern, "custom scalars", ours, theirs)
    return found


async def _scalars(ask: data_client.Client, run: str, tag: str, told: Any, accumulated: Any) -> list[Difference]:
    rows = await ask.json("/data/plugin/scalars/scalars", run=run, tag=tag)
    if told == "=accumulator":
        columns = (accumulated[name] for name in ("wall_times", "steps", "values"))
        told = [list(row) for row in zip(*columns, strict=True)]
    return _differ(run, tag, "scalars", rows, told)


async def _histograms(ask: data_client.Client, run: str, tag: str, told: Any, accumulated: Any) -> list[Difference]:
    rows = await ask.json("/data/plugin/histograms/histograms", run=run, tag=tag)
    if told == "=accumulator":
        columns = (accumulated[name] for name in ("wall_times", "steps", "buckets"))
        told = [list(row) for row in zip(*columns, strict=True)]
    return _differ(run, tag, "histograms", rows, told)


async def _distributions(ask: data_client.Client, run: str, tag: str, told: Any, accumulated: Any) -> list[Difference]:
    rows = await ask.json("/data/plugin/distributions/distributions", run=run, tag=tag)
    return _differ(run, tag, "distributions", rows, told)


async def _pictures(ask: data_client.Client, run: str, tag: str, told: Any, accumulated: Any) -> list[Difference]:
    return await _blobs(ask, "images/images", "images/individualImage", run, tag, told)


async def _clips(ask: data_client.Client, run: str, tag: str, told: Any, accumulated: Any) -> list[Difference]:
    return await _blobs(ask, "audio/audio", "audio/individualAudio", run, tag, told)


async def _blobs(
    ask: data_client.Client, listing: str, single: str, run: str, tag: str, told: Mapping[str, Any]
) -> list[Difference]:
    found = []
    for sample, theirs in told.items():
        ours = []
        for row in await ask.json(f"/data/plugin/{listing}", run=run, tag=tag, sample=sample):
            response = await ask.get(f"/data/plugin/{single}?{row.pop('query')}")
            ours.append({**row, **_hashed(response.content), "content_type": response.headers["content-type"]})
        found += _differ(run, tag, listing, ours, theirs)
    return found


async def _texts(ask: data_client.Client, run: str, tag: str, told: Any, accumulated: Any) -> list[Difference]:
    rows = await ask.json("/data/plugin/text/text", run=run, tag=tag)
    return _differ(run, tag, "text", [{**row, "text": shortened(row["text"])} for row in rows], told)


async def _curves(ask: data_client.Client, run: str, tag: str, told: Any, accumulated: Any) -> list[Difference]:
    answer = await ask.json("/data/plugin/pr_curves/pr_curves", run=run, tag=tag)
    return _differ(run, tag, "pr_curves", answer, {run: told})


async def _meshes(ask: data_client.Client, run: str, tag: str, told: Any, accumulated: Any) -> list[Difference]:
    found = []
    for sample, theirs in told.items():
        ours = []
        for row in await ask.json("/data/plugin/mesh/meshes", run=run, tag=tag, sample=sample):
            fields = {"run": run, "tag": tag, "sample": sample, "step": row["step"]}
            part = mesh.Part(row["content_type"]).name
            response = await ask.get("/data/plugin/mesh/data", content_type=part, **fields)
            hashed = {f"data_{key}": value for key, value in _hashed(response.content).items()}
            ours.append({**row, **hashed, "data_content_type": response.headers["content-type"]})
        found += _differ(run, tag, "mesh", ours, theirs)
    return found


_ROUTES = {
    "scalars": _scalars,
    "histograms": _histograms,
    "distributions": _distributions,
    "images": _pictures,
    "audio": _clips,
    "text": _texts,
    "pr_curves": _curves,
    "mesh": _meshes,
}


# ---- the oracle's spelling ----


def _hashed(blob: bytes) -> dict[str, Any]:
    return {"size": len(blob), "sha256": hashlib.sha256(blob).hexdigest()}


def shortened(value: Any) -> Any:
    """A string longer than 2,000 characters stands as length, hash and beginning."""
    if isinstance(value, list):
        return [shortened(each) for each in value]
    if len(value) <= 2000:
        return value
    return {"length": len(value), "sha256": hashlib.sha256(value.encode()).hexdigest(), "start": value[:80]}


def _words(value: Any) -> Any:
    """Numbers that JSON cannot hold as the words for them."""
    return json.loads(data.to_json(value))
