"""Damage on purpose: a real file cut at every byte and corrupted ten thousand times.

Whatever happens to one record, every other one is still read, and the fault names the place. The expected answer
comes from where the records of the undamaged file lie. Not covered here: damage while a file is being followed
(tests/logdir).
"""

from __future__ import annotations

import pathlib
import random
import struct

import numpy as np
from numpy.typing import NDArray

from lightboard import _native
from lightboard.store import row_types

WHOLE = 1 << 62


def record_edges(content: bytes) -> list[int]:
    """Where each record begins, and the end of the last."""
    edges = [0]
    while edges[-1] < len(content):
        edges.append(edges[-1] + 16 + int(struct.unpack_from("<Q", content, edges[-1])[0]))
    return edges


def scan_files(paths: list[pathlib.Path]) -> tuple[_native.Batch, NDArray[np.void], NDArray[np.int64]]:
    """The batch, its file rows, and the number of points read from each file."""
    batch = _native.scan([(str(path), 0, WHOLE, 0, {}) for path in paths])
    chunks = np.frombuffer(batch.chunks, row_types.CHUNK)
    points = np.bincount(chunks["file"], weights=chunks["n"], minlength=len(paths)).astype(np.int64)
    return batch, np.frombuffer(batch.files, row_types.FILE), points


def points_by_record(path: pathlib.Path, edges: list[int]) -> NDArray[np.int64]:
    """How many points have been read at the end of each record."""
    reached = []
    for edge in edges:
        _, _, points = scan_limited(path, edge)
        reached.append(points)
    return np.array(reached)


def scan_limited(path: pathlib.Path, size: int) -> tuple[_native.Batch, int, int]:
    batch = _native.scan([(str(path), 0, size, 0, {})])
    files, chunks = np.frombuffer(batch.files, row_types.FILE), np.frombuffer(batch.chunks, row_types.CHUNK)
    return batch, int(files["offset"][0]), int(chunks["n"].sum())


def real_file(data_dir: pathlib.Path) -> pathlib.Path:
    return next((data_dir / "boosting_tensorboardx/xgboost").glob("*tfevents*"))


def test_a_file_cut_at_any_byte_gives_every_whole_record(data_dir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    content = real_file(data_dir).read_bytes()
    edges = np.array(record_edges(content))
    expected = points_by_record(real_file(data_dir), edges.tolist())
    paths = []
    for cut in range(len(content) + 1):
        path = tmp_path / f"{cut}.tfevents"
        path.write_bytes(content[:cut])
        paths.append(path)
    batch, files, points = scan_files(paths)
    whole_records = np.searchsorted(edges, np.arange(len(content) + 1), side="right") - 1
    assert (points == expected[whole_records]).all()
    assert (files["offset"] == edges[whole_records]).all(), "what is cut off is left for the next scan"
    assert batch.faults == [], "a short tail is no fault: the rest may still come"


def test_ten_thousand_corruptions_cost_only_the_record_they_hit(data_dir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    content = real_file(data_dir).read_bytes()
    edges = record_edges(content)
    cumulative = points_by_record(real_file(data_dir), edges)
    chance = random.Random(20260105)
    paths, expected, damaged_at = [], [], []
    for number in range(10_000):
        at = chance.randrange(len(content))
        hit = int(np.searchsorted(edges, at, side="right")) - 1
        # One to forty bytes within one record: a flipped bit, a wild byte, a burst.
        length = min(chance.choice((1, 1, 1, 4, 40)), edges[hit + 1] - at)
        noise = bytes(byte ^ chance.randrange(1, 256) for byte in content[at : at + length])
        path = tmp_path / f"{number}.tfevents"
        path.write_bytes(content[:at] + noise + content[at + length :])
        paths.append(path)
        expected.append(cumulative[-1] - (cumulative[hit + 1] - cumulative[hit]))
        damaged_at.append(edges[hit])
    batch, _, points = scan_files(paths)
    assert (points == np.array(expected)).all()
    faults = {task: (offset, reason) for task, offset, reason, *_ in batch.faults}
    assert len(batch.faults) == len(paths), "one fault each"
    assert [faults[number][0] for number in range(len(paths))] == damaged_at
    assert {reason for _, reason in faults.values()} == {"data_crc", "length_crc"}


def test_damage_to_many_places_keeps_what_is_intact(data_dir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    content = real_file(data_dir).read_bytes()
    edges = record_edges(content)
    chance = random.Random(7)
    hits = sorted(chance.sample(range(1, len(edges) - 2), 20))
    damaged = bytearray(content)
    for hit in hits:
        damaged[chance.randrange(edges[hit], edges[hit + 1])] ^= 0xFF
    path = tmp_path / "x.tfevents"
    path.write_bytes(bytes(damaged))
    cumulative = points_by_record(real_file(data_dir), edges)
    lost = sum(int(cumulative[hit + 1] - cumulative[hit]) for hit in hits)
    batch, files, points = scan_files([path])
    assert points[0] == cumulative[-1] - lost
    assert 0 < len(batch.faults) <= len(hits), "neighbouring damage may be passed over in one go"
    assert files["offset"][0] == len(content)


def test_a_record_that_is_nothing_but_bytes_costs_itself(data_dir: pathlib.Path) -> None:
    """Every poisoned file: good checksums around bad messages. No crash, and the good points around them are there."""
    paths = sorted((data_dir / "poison").rglob("*tfevents*"))
    assert len(paths) > 8
    batch, _files, points = scan_files(paths)
    reasons = {paths[task].parent.name: reason for task, _, reason, *_ in batch.faults}
    assert reasons["not_a_proto"] == reasons["cut_proto"] == "message"
    assert reasons["huge_length"] == "length"
    whole = {path.parent.name: int(n) for path, n in zip(paths, points, strict=True)}
    assert whole["not_a_proto"] == whole["cut_proto"] == whole["good"] == 20
