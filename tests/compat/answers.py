"""Everything a server answers below `/data`, TensorBoard's or ours, in the shape that the oracle files have.

    {runs, plugins_enabled, timeseries: {tags}, custom_scalars: {layout, charts},
     scalars | histograms | distributions | pr_curves: {tags, series: {run: {tag: ...}}},
     images | audio | mesh: {tags, items: {run: {tag: {sample: [...]}}}},  text: {tags, items: {run: {tag: [...]}}}}

A picture, clip or mesh stands as the size and hash of its bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

import data_client

Ask = data_client.Client
Reader = Callable[[Ask, str, str, int], Awaitable[Any]]
MESH_PARTS = {1: "VERTEX", 2: "FACE", 3: "COLOR"}


async def everything(ask: Ask, *, whole_texts: bool = False) -> dict[str, Any]:
    """With `whole_texts` they are not shortened."""
    readers = {**READERS, "text": _whole_texts} if whole_texts else READERS
    runs = await ask.json("/data/runs")
    layout = await ask.json("/data/plugin/custom_scalars/layout")
    listing = await ask.json("/data/plugins_listing")
    return {
        "runs": runs,
        "plugins_enabled": {name: tab["enabled"] for name, tab in listing.items()},
        "timeseries": {"tags": await ask.json("/data/plugin/timeseries/tags")},
        "custom_scalars": {"layout": layout, "charts": await _charts(ask, layout, runs)},
        **{kind: await _kind(ask, kind, reader) for kind, reader in readers.items()},
    }


async def _kind(ask: Ask, kind: str, reader: Reader) -> dict[str, Any]:
    tags = await ask.json(f"/data/plugin/{kind}/tags")
    values: dict[str, dict[str, Any]] = {}
    for run, of_run in tags.items():
        for tag in of_run:
            cell = of_run[tag] if isinstance(of_run, dict) else {}
            values.setdefault(run, {})[tag] = await reader(ask, run, tag, cell.get("samples", 1))
    return {"tags": tags, "items" if kind in ITEMS else "series": values}


async def _charts(ask: Ask, layout: Mapping[str, Any], runs: list[str]) -> dict[str, Any]:
    """{chart: {pattern: {run: what matches}}}, where anything matches."""
    charts: dict[str, Any] = {}
    for title, pattern in _patterns(layout):
        for run in runs:
            answer = await ask.json("/data/plugin/custom_scalars/scalars", run=run, tag=pattern)
            points = {tag: len(rows) for tag, rows in answer["tag_to_events"].items()}
            if points:
                told = {"regex_valid": answer["regex_valid"], "points_by_tag": points}
                charts.setdefault(title, {}).setdefault(pattern, {})[run] = told
    return charts


def _patterns(layout: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for category in layout.get("category", ()):
        for chart in category["chart"]:
            for pattern in chart.get("multiline", {}).get("tag", ()):
                yield chart["title"], pattern
            for band in chart.get("margin", {}).get("series", ()):
                for pattern in band.values():
                    yield chart["title"], pattern


async def _scalars(ask: Ask, run: str, tag: str, samples: int) -> Any:
    return await ask.json("/data/plugin/scalars/scalars", run=run, tag=tag)


async def _histograms(ask: Ask, run: str, tag: str, samples: int) -> Any:
    return await ask.json("/data/plugin/histograms/histograms", run=run, tag=tag)


async def _distributions(ask: Ask, run: str, tag: str, samples: int) -> Any:
    return await ask.json("/data/plugin/distributions/distributions", run=run, tag=tag)


async def _curves(ask: Ask, run: str, tag: str, samples: int) -> Any:
    return (await ask.json("/data/plugin/pr_curves/pr_curves", run=run, tag=tag))[run]


async def _texts(ask: Ask, run: str, tag: str, samples: int) -> Any:
    found = await _whole_texts(ask, run, tag, samples)
    return found if isinstance(found, dict) else [{**row, "text": shortened(row["text"])} for row in found]


async def _whole_texts(ask: Ask, run: str, tag: str, samples: int) -> Any:
    response = await ask.get("/data/plugin/text/text", run=run, tag=tag)
    if response.status_code != 200:
        return {"http_status": response.status_code, "body": response.text}
    return data_client.answered(response)


def tight(html: str) -> str:
    """Without the blanks that no browser shows, and with quotes as they are."""
    single = " ".join(html.replace("&quot;", '"').split())
    return single.replace("> ", ">").replace(" <", "<")


async def _pictures(ask: Ask, run: str, tag: str, samples: int) -> Any:
    return await _blobs(ask, "images/images", "images/individualImage", run, tag, samples)


async def _clips(ask: Ask, run: str, tag: str, samples: int) -> Any:
    return await _blobs(ask, "audio/audio", "audio/individualAudio", run, tag, samples)


async def _blobs(ask: Ask, listing: str, single: str, run: str, tag: str, samples: int) -> Any:
    found: dict[str, list[Any]] = {}
    for sample in range(max(samples, 1)):
        rows = found.setdefault(str(sample), [])
        for row in await ask.json(f"/data/plugin/{listing}", run=run, tag=tag, sample=sample):
            response = await ask.get(f"/data/plugin/{single}?{row.pop('query')}")
            rows.append({**row, **hashed(response.content), "content_type": response.headers["content-type"]})
    return found


async def _meshes(ask: Ask, run: str, tag: str, samples: int) -> Any:
    found: dict[str, list[Any]] = {}
    for sample in range(max(samples, 1)):
        rows = found.setdefault(str(sample), [])
        for row in await ask.json("/data/plugin/mesh/meshes", run=run, tag=tag, sample=sample):
            fields = {"run": run, "tag": tag, "sample": sample, "step": row["step"]}
            part = MESH_PARTS[row["content_type"]]
            response = await ask.get("/data/plugin/mesh/data", content_type=part, **fields)
            told = {f"data_{key}": value for key, value in hashed(response.content).items()}
            rows.append({**row, **told, "data_content_type": response.headers["content-type"]})
        rows.sort(key=lambda row: (row["step"], row["content_type"]))  # their order is not fixed otherwise
    return found


READERS: dict[str, Reader] = {
    "scalars": _scalars,
    "histograms": _histograms,
    "distributions": _distributions,
    "images": _pictures,
    "audio": _clips,
    "text": _texts,
    "pr_curves": _curves,
    "mesh": _meshes,
}
ITEMS = ("images", "audio", "text", "mesh")


def hashed(blob: bytes) -> dict[str, Any]:
    return {"size": len(blob), "sha256": hashlib.sha256(blob).hexdigest()}


def shortened(value: Any) -> Any:
    """A string longer than 2,000 characters stands as length, hash and beginning."""
    if isinstance(value, list):
        return [shortened(each) for each in value]
    if len(value) <= 2000:
        return value
    return {"length": len(value), "sha256": hashlib.sha256(value.encode()).hexdigest(), "start": value[:80]}
