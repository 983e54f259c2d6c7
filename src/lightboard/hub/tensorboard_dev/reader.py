"""A process that reads files of uploads and answers questions about them, for exports.

Files of uploads are hostile: they are read here and not in the hub, with a limit of memory. Questions are lines of JSON
on stdin with a directory and one of these; answers are frames on stdout:

    "series": 3, "from": 0, "prefix": "up-…"
                                points of the third series from one point on, as a message that fits into an answer of
                                gRPC; then JSON {"next": n}, null at the end of the series. Ids of blobs get the prefix
    "blob": [KEY, 17, 1]        key of a series, point, element: the bytes of a blob
    "counts": true              JSON: series, runs, tags, scalars, tensor_bytes, blob_bytes; reads what is new first

    frame   kind u8 (0 data, 1 JSON, 2 error) | length u32 | that many bytes

Series are numbered in the order of runs and tags. The last directory stays open. `python -m
lightboard.hub.tensorboard_dev.reader` is the program.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from lightboard import errors, reading, wire
from lightboard.hub.tensorboard_dev import export_messages
from lightboard.reading import logs as logs_

DATA, JSON, ERROR = 0, 1, 2
HEAD = struct.Struct("<BI")
# Clients accept messages of 4 MiB; a point of a scalar takes about 30 bytes.
MOST_MESSAGE_BYTES = 2 << 20
MOST_POINTS = 30_000
SCALAR, TENSOR, BLOBS = 1, 2, 3  # data classes
# Kinds that TensorBoard stores as sequences of blobs.
_BLOB_KINDS = frozenset({"images", "audio", "graphs"})
_DTYPES = {
    "float32": 1, "float64": 2, "int32": 3, "uint8": 4, "int16": 5, "int8": 6, "complex64": 8, "int64": 9, "bool": 10,
    "uint16": 17, "complex128": 18, "float16": 19, "uint32": 22, "uint64": 23,
}  # fmt: skip
_STRING = 7


class Reader:
    """The logs of one directory. State: as they were at the last count."""

    def __init__(self, directory: str) -> None:
        self.directory = directory
        self._logs = reading.open(directory, index=False, rewinds="all", follow_links="never")
        self._list()

    def close(self) -> None:
        self._logs.close()

    def _list(self) -> None:
        self._series = self._logs.series(hidden=True)
        self._by_key = {_key(each): each for each in self._series}

    def answer(self, asked: dict[str, Any]) -> Iterator[tuple[int, bytes]]:
        if "series" in asked:
            yield from self._points(int(asked["series"]), int(asked["from"]), str(asked["prefix"]))
        elif "blob" in asked:
            key, point, element = asked["blob"]
            yield DATA, self._blob(str(key), int(point), int(element))
        else:
            self._logs.refresh()
            self._list()
            yield JSON, json.dumps(self._counts()).encode()

    def _points(self, number: int, start: int, prefix: str) -> Iterator[tuple[int, bytes]]:
        entry = self._entry(number)
        data_class = _data_class(entry)
        metadata = self._metadata(entry, data_class)
        if data_class == SCALAR:
            found = self._logs.scalars(entry.run, entry.tag)
            part = slice(start, start + MOST_POINTS)
            steps, times, values = (column[part].tolist() for column in (found.steps, found.wall_times, found.values))
            yield DATA, export_messages.scalar_series(entry.run, entry.tag, metadata, steps, times, values)
            end, length = start + len(steps), len(found)
        else:
            points = self._logs.tensors(entry.run, entry.tag)
            steps, times, size, end = [], [], 0, start
            contents: list[Any] = []
            while end < len(points) and end - start < MOST_POINTS and size < MOST_MESSAGE_BYTES:
                one = points[end]
                content = _ids(prefix, entry, end, one) if data_class == BLOBS else _tensor(one)
                added = len(content) if isinstance(content, bytes) else 80 * len(content)
                if contents and size + added > MOST_MESSAGE_BYTES:
                    break
                steps.append(one.step)
                times.append(one.wall_time)
                contents.append(content)
                size, end = size + added, end + 1
            write = export_messages.blob_series if data_class == BLOBS else export_messages.tensor_series
            yield DATA, write(entry.run, entry.tag, metadata, steps, times, contents)
            length = len(points)
        yield JSON, json.dumps({"next": end if end < length else None}).encode()

    def _blob(self, key: str, point: int, element: int) -> bytes:
        entry = self._by_key.get(key)
        if entry is None or _data_class(entry) != BLOBS:
            raise errors.NotFound("not found: this blob")
        points = self._logs.tensors(entry.run, entry.tag)
        strings = points[point].strings if 0 <= point < len(points) else None
        if strings is None or not 0 <= element < len(strings):
            raise errors.NotFound("not found: this blob")
        return strings[element]

    def _counts(self) -> dict[str, int]:
        counts = {"series": len(self._series), "scalars": 0, "tensor_bytes": 0, "blob_bytes": 0}
        for entry in self._series:
            data_class = _data_class(entry)
            if data_class == SCALAR:
                counts["scalars"] += entry.points
                continue
            sizes = sum(_size(one) for one in self._logs.tensors(entry.run, entry.tag))
            counts["blob_bytes" if data_class == BLOBS else "tensor_bytes"] += sizes
        runs, tags = {each.run for each in self._series}, {each.tag for each in self._series}
        return {**counts, "runs": len(runs), "tags": len(tags)}

    def _entry(self, number: int) -> logs_.Entry:
        if not 0 <= number < len(self._series):
            raise errors.NotFound("not found: this series")
        return self._series[number]

    def _metadata(self, entry: logs_.Entry, data_class: int) -> bytes:
        """SummaryMetadata. A scalar of old times has none in its file; TensorBoard gives it that of its kind."""
        found = self._logs.metadata(entry.run, entry.tag)
        plugin = wire.message(1, wire.text(1, found.plugin or entry.kind), wire.text(2, found.content))
        return b"".join(
            (plugin, wire.text(2, found.display_name), wire.text(3, found.description), wire.integer(4, data_class))
        )


def _data_class(entry: logs_.Entry) -> int:
    if entry.kind == "scalars":
        return SCALAR
    return BLOBS if entry.kind in _BLOB_KINDS else TENSOR


def _key(entry: logs_.Entry) -> str:
    """The same when other series come in between."""
    return hashlib.blake2b(f"{entry.run}\0{entry.tag}".encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _ids(prefix: str, entry: logs_.Entry, point: int, one: logs_.Tensor) -> list[str]:
    """Ids of blobs. They become names of files."""
    return [f"{prefix}-{_key(entry)}-{point}-{element}" for element in range(len(one.strings or ()))]


def _tensor(one: logs_.Tensor) -> bytes:
    """TensorProto."""
    shape = wire.message(2, *(wire.message(2, wire.present_integer(1, size)) for size in one.shape))
    if one.strings is not None:
        return wire.integer(1, _STRING) + shape + b"".join(wire.message(8, each) for each in one.strings)
    array = np.ascontiguousarray(one.array)
    dtype = _DTYPES.get(array.dtype.name)
    if dtype is None:  # a form of float that NumPy lacks
        array, dtype = array.astype(np.float32), 1
    return wire.integer(1, dtype) + shape + wire.text(4, array.astype(array.dtype.newbyteorder("<")).tobytes())


def _size(one: logs_.Tensor) -> int:
    return sum(map(len, one.strings)) if one.strings is not None else getattr(one.array, "nbytes", 0)


class Answers:
    """State: the reader of the last directory."""

    def __init__(self) -> None:
        self._reader: Reader | None = None

    def to(self, line: bytes) -> Iterator[tuple[int, bytes]]:
        try:
            asked = json.loads(line)
            if self._reader is None or self._reader.directory != asked["directory"]:
                if self._reader is not None:
                    self._reader.close()
                    self._reader = None
                self._reader = Reader(asked["directory"])
            yield from self._reader.answer(asked)
        except errors.LightboardError as error:
            yield ERROR, json.dumps({"status": error.status, "message": error.message}).encode()
        except MemoryError:
            yield ERROR, json.dumps({"status": 413, "message": "this is too large to be exported"}).encode()


def main(questions: BinaryIO, answers: BinaryIO) -> None:
    reader = Answers()
    for line in questions:
        for kind, data in reader.to(line):
            answers.write(HEAD.pack(kind, len(data)) + data)
        answers.flush()


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
