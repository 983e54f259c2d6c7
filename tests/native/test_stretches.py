"""A file shared out among threads brings what one thread brings: any events, damage and stretch length.

Cuts at every place of small files, and hand-made traps, are in native/tests/test_stretches.cpp.
"""

from __future__ import annotations

import pathlib
import tempfile
from typing import Any

import event_files
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as some

from lightboard import _native, types
from lightboard.store import row_types

WHOLE = 1 << 62
VALUES = ("f4", "f8", row_types.REF, row_types.REF)

TAGS = some.sampled_from(["a", "b", "a/long/name/of/a/tag"])
EVENTS = some.one_of(
    some.builds(event_files.scalar_event, TAGS, some.floats(width=32), some.integers(0, 99)),
    some.builds(
        event_files.scalar_event,
        TAGS,
        some.floats(width=32),
        some.integers(0, 99),
        form=some.just("tensor"),
        dtype=some.sampled_from(["float32", "float64"]),
        metadata=some.sampled_from([None, b""]),
    ),
    some.builds(event_files.text_event, TAGS, some.lists(some.binary(max_size=40), max_size=3), some.integers(0, 99)),
    some.builds(event_files.session_start, some.integers(0, 99)),
    some.just(event_files.version_event()),
)


def contents(batch: _native.Batch) -> dict[str, Any]:
    """All that a batch of one file says, however its points are chunked."""
    points: dict[tuple[Any, ...], list[bytes]] = {}
    for chunk in np.frombuffer(batch.chunks, row_types.CHUNK):
        metadata = batch.metadata[chunk["metadata"]] if chunk["metadata"] >= 0 else None
        key = batch.tags[chunk["series"]], int(chunk["part"]), int(chunk["kind"]), metadata
        values = np.frombuffer(batch.memory, VALUES[chunk["column"]], chunk["n"], chunk["values"])
        numbers = values.astype("f8") if chunk["column"] <= types.Column.F64 else values
        columns = [np.frombuffer(batch.memory, "u8", chunk["n"], chunk[name]) for name in ("steps", "walls")]
        rows = zip(*(column.tolist() for column in columns), numbers, strict=True)
        points.setdefault(key, []).extend(repr(row).encode() for row in rows)
    return {
        "tags": batch.tags, "points": points, "files": batch.files, "starts": batch.starts, "faults": batch.faults,
    }  # fmt: skip


@settings(deadline=None)
@given(some.lists(EVENTS, max_size=30), some.data())
def test_any_stretches_of_any_damaged_file_bring_the_same(events: list[bytes], data: some.DataObject) -> None:
    content = bytearray(b"".join(map(event_files.record, events)))
    for _ in range(data.draw(some.integers(0, 3)) if content else 0):
        content[data.draw(some.integers(0, len(content) - 1))] ^= data.draw(some.integers(1, 255))
    length = data.draw(some.integers(0, len(content)))
    stretch = data.draw(some.integers(1, 400))
    with tempfile.NamedTemporaryFile(suffix=".tfevents") as file:
        path = pathlib.Path(file.name)
        path.write_bytes(content[:length])
        tasks: list[_native.Task] = [(file.name, 0, WHOLE, 0, {})]
        assert contents(_native.scan(tasks, threads=2, stretch_bytes=stretch)) == contents(
            _native.scan(tasks, threads=1)
        )
        # It grows, and is read on from where it was left.
        first = _native.scan(tasks, threads=2, stretch_bytes=stretch)
        path.write_bytes(content)
        row = np.frombuffer(first.files, row_types.FILE)[0]
        kinds = {
            first.tags[chunk["series"]]: int(chunk["kind"]) for chunk in np.frombuffer(first.chunks, row_types.CHUNK)
        }
        rest: list[_native.Task] = [(file.name, int(row["offset"]), WHOLE, int(row["part"]), kinds)]
        assert contents(_native.scan(rest, threads=3, stretch_bytes=stretch)) == contents(_native.scan(rest, threads=1))


def test_an_event_file_inside_a_tensor_is_not_taken_for_records(tmp_path: pathlib.Path) -> None:
    inner = event_files.write(tmp_path / "inner", event_files.scalars("inside", range(200))).read_bytes()
    events = [*event_files.scalars("a", range(50)), event_files.text_event("file", [inner, inner])]
    path = event_files.write(tmp_path / "x.tfevents", [*events, *event_files.scalars("a", range(50, 99))])
    batch = _native.scan([(str(path), 0, WHOLE, 0, {})], threads=2, stretch_bytes=500)
    assert batch.tags == ["a", "file"] and batch.faults == []
    assert np.frombuffer(batch.chunks, row_types.CHUNK)["n"].sum() == 100
