"""TensorBoard's Time Series page: tags of three kinds at once, and series of any of them in one request."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from lightboard import errors, types
from lightboard.formats import markup, media
from lightboard.query import blobs, histograms, kinds, order, rows, series
from lightboard.server import context, data, endpoints, responses, tensorboard_scalars
from lightboard.server import histograms as histogram_routes
from lightboard.server import images as image_routes

PATH = "/data/plugin/timeseries"


def routes(context: context.Context) -> data.Routes:
    table = (
        data.Data(f"{PATH}/tags", tags),
        data.Data(f"{PATH}/timeSeries", time_series, ("GET", "POST")),
        data.Data(f"{PATH}/imageData", image),
    )
    return data.routes(context, table)


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply | responses.Heavy:
    return endpoints.by_size(context, lambda: _tags(context))


def _tags(context: context.Context) -> responses.Reply:
    scalars, buckets, pictures = (
        series.listing(context.store, kind) for kind in (types.Kind.SCALARS, types.Kind.HISTOGRAMS, types.Kind.IMAGES)
    )
    sampled: dict[str, dict[str, dict[str, int]]] = {}
    for entry in pictures:
        sampled.setdefault(entry.tag, {})[entry.run] = {"maxSamplesPerStep": series.samples(context.store, entry.row)}
    return data.as_json(
        {
            "scalars": {"runTagInfo": _tags_of_runs(scalars), "tagDescriptions": _descriptions(scalars)},
            "histograms": {"runTagInfo": _tags_of_runs(buckets), "tagDescriptions": _descriptions(buckets)},
            "images": {"tagDescriptions": _descriptions(pictures), "tagRunSampledInfo": sampled},
        }
    )


def time_series(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    requests = _requests(arguments.get("requests"))
    answers = [data.object_of(_answer(context, request)) for request in requests]
    return data.as_bytes(b"[" + b", ".join(answers) + b"]", responses.JSON)


def image(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    key = arguments.get("imageId")
    if not key:
        raise errors.BadInput("Missing 'imageId' field")
    found = blobs.read(context.store, key, kinds.LISTED_KINDS)
    return data.as_bytes(found.data, media.picture(found.data))


def _tags_of_runs(entries: Iterable[series.Entry]) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for entry in entries:
        table.setdefault(entry.run, []).append(entry.tag)
    return {run: order.sorted_in_pieces(found) for run, found in table.items()}


def _descriptions(entries: Iterable[series.Entry]) -> dict[str, str]:
    """Returns one HTML per tag. If runs describe it differently, each text is listed under the names of its runs."""
    table: dict[str, dict[str, list[str]]] = {}
    for entry in entries:
        if entry.metadata.description:
            table.setdefault(entry.tag, {}).setdefault(entry.metadata.description, []).append(entry.run)
    return {tag: markup.description(_combined(texts)) for tag, texts in table.items()}


def _combined(texts: dict[str, list[str]]) -> str:
    if len(texts) == 1:
        return next(iter(texts))
    pieces = ["# Multiple descriptions"]
    for text, runs in sorted(texts.items()):
        pieces.append(f"## For {'runs' if len(runs) > 1 else 'run'}: {', '.join(sorted(runs))}\n{text}")
    return "\n".join(pieces)


def _requests(text: str | None) -> list[dict[str, Any]]:
    if not text:
        raise errors.BadInput("Missing 'requests' field")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise errors.BadInput("Unable to parse 'requests' as JSON") from None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        raise errors.BadInput("'requests' must be a list of objects")
    return found


def _answer(context: context.Context, request: dict[str, Any]) -> dict[str, bytes]:
    """Returns the members of the response, each as JSON."""
    plugin, tag, run, sample = (request.get(name) for name in ("plugin", "tag", "run", "sample"))
    answer = {"plugin": data.to_json(plugin), "tag": data.to_json(tag)}
    if isinstance(run, str):
        answer["run"] = data.to_json(run)
    if isinstance(sample, int):
        answer["sample"] = data.to_json(sample)
    problem = _problem(request)
    if problem:
        return {**answer, "error": data.to_json(problem)}
    found = _READERS[str(plugin)](context, str(tag), [run] if run else None, sample or 0)
    return {**answer, "runToSeries": data.object_of(found)}


def _problem(request: dict[str, Any]) -> str:
    if not isinstance(request.get("tag"), str):
        return "Missing tag"
    plugin = request.get("plugin")
    if not isinstance(plugin, str) or plugin not in _READERS:
        return "Invalid plugin"
    if plugin != "scalars" and not isinstance(request.get("run"), str):
        return "Missing run"
    if plugin == "images" and not isinstance(request.get("sample"), int):
        return "Missing sample"
    return ""


def _scalars(context: context.Context, tag: str, runs: list[str] | None, sample: int) -> dict[str, bytes]:
    found = _series(context, types.Kind.SCALARS, tag, runs)
    return {each.run: rows.json_points(tensorboard_scalars.shown(context, each)) for each in found}


def _histograms(context: context.Context, tag: str, runs: list[str] | None, sample: int) -> dict[str, bytes]:
    found = _series(context, types.Kind.HISTOGRAMS, tag, runs)
    return {
        each.run: data.to_json([_bins(one) for one in histogram_routes.read(context, each.run, tag)]) for each in found
    }


def _images(context: context.Context, tag: str, runs: list[str] | None, sample: int) -> dict[str, bytes]:
    answer = {}
    for each in _series(context, types.Kind.IMAGES, tag, runs):
        listed = blobs.listed(image_routes.read(context, each.run, tag), sample)
        if listed:
            pictures = [{"step": one.step, "wallTime": one.wall_time, "imageId": one.key} for one in listed]
            answer[each.run] = data.to_json(pictures)
    return answer


def _bins(histogram: histograms.Histogram) -> dict[str, object]:
    bins = [{"min": left, "max": right, "count": count} for left, right, count in histogram.buckets.tolist()]
    return {"wallTime": histogram.wall_time, "step": histogram.step, "bins": bins}


def _series(context: context.Context, kind: types.Kind, tag: str, runs: list[str] | None) -> list[Any]:
    if runs is None:
        return context.store.all_series(kind, tag=tag)
    found = (series.maybe_find(context.store, kind, run, tag) for run in runs)
    return [each for each in found if each is not None]


_READERS = {"scalars": _scalars, "histograms": _histograms, "images": _images}
