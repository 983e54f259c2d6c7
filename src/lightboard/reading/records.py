"""Heavy values as records for JSON, one per point: the output of `lightboard export --kind text`.

Images, audio clips, videos and HTML pages are bytes: `files` returns them with a suffix for their name, and records
name their file. Everything else is inside its record.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lightboard.formats import media
from lightboard.query import kinds, pr_curves
from lightboard.query.runs import hparams as hparams_metadata

if TYPE_CHECKING:
    from lightboard.reading import logs as logs_

Record = dict[str, Any]


@dataclasses.dataclass(frozen=True)
class File:
    """One blob of a point."""

    record: Record  # run, tag, step, wall_time and what else is known
    data: bytes
    ending: str


def records(logs: logs_.Logs, entry: logs_.Entry) -> Iterator[Record]:
    """Yields every point of a tag that has neither scalars nor blobs."""
    make = _VALUES.get(entry.kind, _tensors)
    for step, wall_time, value in make(logs, entry):
        yield {"run": entry.run, "tag": entry.tag, "step": step, "wall_time": wall_time, **value}


def hparams(logs: logs_.Logs, entries: list[logs_.Entry]) -> Iterator[Record]:
    """Yields one record per run that logged hparams."""
    for entry in entries:
        if entry.tag == hparams_metadata.START_TAG:
            yield {"run": entry.run, "hparams": logs.hparams(entry.run)}


def files(logs: logs_.Logs, entry: logs_.Entry) -> Iterator[File]:
    """Yields every blob of a tag."""
    named: Record = {"run": entry.run, "tag": entry.tag}
    if entry.kind == "images":
        for shown in logs.images(entry.run, entry.tag):
            about: Record = {
                "step": shown.step,
                "wall_time": shown.wall_time,
                "width": shown.width,
                "height": shown.height,
            }
            for sample, blob in enumerate(shown.blobs):
                kind = media.picture(blob)
                yield File({**named, **about, "sample": sample, "content_type": kind}, blob, _ending(kind))
        return
    if entry.kind != "audio":
        for one in logs.tensors(entry.run, entry.tag):
            for sample, blob in enumerate(one.strings or ()):
                kind = kinds.BY_WORD[entry.kind].content_type(blob).partition(";")[0]
                about = {"step": one.step, "wall_time": one.wall_time, "sample": sample, "content_type": kind}
                yield File({**named, **about}, blob, _ending(kind))
        return
    for heard in logs.audio(entry.run, entry.tag):
        about = {"step": heard.step, "wall_time": heard.wall_time, "content_type": heard.content_type}
        for sample, clip in enumerate(heard.clips):
            yield File(
                {**named, **about, "sample": sample, "label": clip.label}, clip.data, _ending(heard.content_type)
            )


Values = Iterator[tuple[int, float, Record]]


def _text(logs: logs_.Logs, entry: logs_.Entry) -> Values:
    for one in logs.text(entry.run, entry.tag):
        yield one.step, one.wall_time, {"shape": list(one.shape), "strings": list(one.strings)}


def _histograms(logs: logs_.Logs, entry: logs_.Entry) -> Values:
    for one in logs.histograms(entry.run, entry.tag):
        yield one.step, one.wall_time, {"buckets": one.buckets.tolist()}


def _pr_curves(logs: logs_.Logs, entry: logs_.Entry) -> Values:
    for one in logs.pr_curves(entry.run, entry.tag):
        rows = dict(zip(pr_curves.ROWS, one.table.tolist(), strict=True))
        yield one.step, one.wall_time, {"thresholds": one.thresholds.tolist(), **rows}


def _json(logs: logs_.Logs, entry: logs_.Entry) -> Values:
    """Tables and figures as parsed JSON; a value that is not JSON as a tensor."""
    for one in logs.tensors(entry.run, entry.tag):
        try:
            yield one.step, one.wall_time, {"values": [json.loads(string) for string in one.strings or ()]}
        except (ValueError, RecursionError):
            yield one.step, one.wall_time, _tensor(one)


def _tensors(logs: logs_.Logs, entry: logs_.Entry) -> Values:
    for one in logs.tensors(entry.run, entry.tag):
        yield one.step, one.wall_time, _tensor(one)


def _tensor(one: logs_.Tensor) -> Record:
    if one.array is not None:
        return {"shape": list(one.shape), "dtype": one.array.dtype.name, "values": one.array.ravel().tolist()}
    return {"shape": list(one.shape), "base64": [base64.b64encode(string).decode() for string in one.strings or ()]}


_VALUES: dict[str, Callable[[logs_.Logs, logs_.Entry], Values]] = {
    "text": _text,
    "histograms": _histograms,
    "pr_curves": _pr_curves,
    **{row.word: _json for row in kinds.TABLE if row.blob_type == kinds.JSON},
}


def _ending(content_type: str) -> str:
    if content_type in (media.UNKNOWN, ""):
        return ".bin"
    return {"image/jpeg": ".jpg", "audio/mpeg": ".mp3"}.get(content_type, "." + content_type.partition("/")[2])
