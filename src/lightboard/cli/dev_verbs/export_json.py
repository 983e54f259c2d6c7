"""The JSON files of `tensorboard dev export`, made from event files.

    scalars.json          a line per series: run, tag, summary_metadata, points {steps, wall_times, values}
    tensors.json          the same with points {steps, wall_times, tensors_file_path}; values are in tensors/*.npz
    blob_sequences.json   the same with points {steps, wall_times, blob_file_paths}; values are in blobs/blob_*.bin

`summary_metadata` is TensorBoard's protobuf message, in Base64.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lightboard import client, reading, types

SCALARS, TENSORS, BLOBS = "scalars.json", "tensors.json", "blob_sequences.json"
_BLOB_CLASS = 3  # DATA_CLASS_BLOB_SEQUENCE


def write(files: Path, folder: Path, upload: client.Upload) -> None:
    """`files` has the event files; the JSON files are written into `folder`."""
    _write_metadata(folder, upload)
    with contextlib.ExitStack() as stack:
        streams = {
            name: stack.enter_context(open(folder / name, "x", encoding="utf-8")) for name in (SCALARS, TENSORS, BLOBS)
        }
        for each in ("tensors", "blobs"):
            (folder / each).mkdir()
        if any(files.rglob("*tfevents*")):
            _write_series(files, folder, streams)


def _write_metadata(folder: Path, upload: client.Upload) -> None:
    members = {
        "name": upload.name,
        "description": upload.description,
        "create_time": _time(upload.created),
        "update_time": _time(upload.updated),
    }
    (folder / "metadata.json").write_text(json.dumps(members, sort_keys=True) + "\n", encoding="utf-8")


def _write_series(files: Path, folder: Path, streams: Mapping[str, IO[str]]) -> None:
    import lightboard

    numbers = itertools.count()
    with lightboard.open(files, index=False) as logs:
        for entry in logs.select():
            metadata = logs.metadata(entry.run, entry.tag)
            name, points = _points(logs, entry, metadata, folder, numbers)
            line = {
                "run": entry.run,
                "tag": entry.tag,
                "summary_metadata": base64.b64encode(_message(metadata)).decode(),
                "points": points,
            }
            json.dump(line, streams[name], sort_keys=True)
            streams[name].write("\n")


def _points(
    logs: reading.Logs, entry: reading.Entry, metadata: types.Metadata, folder: Path, numbers: Iterator[int]
) -> tuple[str, dict[str, Any]]:
    if entry.kind == "scalars":
        found = logs.scalars(entry.run, entry.tag)
        return SCALARS, {
            "steps": found.steps.tolist(),
            "wall_times": found.wall_times.tolist(),
            "values": found.values.tolist(),
        }
    values = logs.tensors(entry.run, entry.tag)
    points: dict[str, Any] = {"steps": values.steps.tolist(), "wall_times": values.wall_times.tolist()}
    if metadata.data_class == _BLOB_CLASS or entry.kind in ("images", "audio", "graphs"):
        points["blob_file_paths"] = [_blobs(each.strings or (), folder, numbers) for each in values]
        return BLOBS, points
    points["tensors_file_path"] = _tensors(values, folder) if len(values) else None
    return TENSORS, points


def _blobs(strings: tuple[bytes, ...], folder: Path, numbers: Iterator[int]) -> list[str]:
    paths = []
    for content in strings:
        paths.append(f"blobs/blob_{next(numbers)}.bin")
        (folder / paths[-1]).write_bytes(content)
    return paths


def _tensors(values: Any, folder: Path) -> str:
    import numpy as np

    arrays = []
    for number in range(len(values)):
        value = values[number]
        array = value.array if value.array is not None else np.array(value.strings or (b"",), dtype="S")
        arrays.append(array.reshape(value.shape) if array.size == _size(value.shape) else array)
    path = next(each for each in _names(float(values.wall_times[0])) if not (folder / each).exists())
    np.savez(folder / path, *arrays)
    return path


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for each in shape:
        size *= each
    return size


def _names(wall_time: float) -> Iterator[str]:
    """Named after the first point, as TensorBoard does it."""
    number = 0
    while True:
        yield f"tensors/{wall_time:.6f}{f'_{number}' if number else ''}.npz"
        number += 1


def _message(metadata: types.Metadata) -> bytes:
    """SummaryMetadata of TensorBoard's summary.proto."""
    from lightboard import wire

    plugin = wire.text(1, metadata.plugin) + wire.text(2, metadata.content)
    return (
        wire.message(1, plugin)
        + wire.text(2, metadata.display_name)
        + wire.text(3, metadata.description)
        + wire.integer(4, metadata.data_class)
    )


def _time(moment: Any) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment is not None else ""
