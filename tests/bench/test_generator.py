"""The benchmark's event files are valid and complete, read back by a second, plain implementation of the format.

Covered: framing, both CRCs, steps, wall times, values, planted spikes, all encodings, making a corpus once.
Left out on purpose: anything timed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from bench import corpora, crc32c, curves, generator, records, truth

SIMPLE = corpora.Corpus("wide_simple", "simple", runs=2, tags=3, steps=300, spikes=10)
TENSOR = corpora.Corpus("wide_tensor", "tensor", runs=2, tags=2, steps=140, spikes=4)
SMALL = corpora.Corpus("runs_10k", "simple", runs=70, tags=2, steps=3)
HISTOGRAM = corpora.Corpus("histograms", "histogram", runs=1, tags=2, steps=4)
IMAGE = corpora.Corpus("images", "image", runs=1, tags=2, steps=3)


def test_crc_of_known_bytes() -> None:
    assert crc32c.of_bytes(b"123456789") == 0xE3069283
    assert crc32c.masked(crc32c.of_bytes((24).to_bytes(8, "little"))) == 0x224B7FA3


def test_crcs_of_rows_equal_plain_ones() -> None:
    rows = np.random.default_rng(0).integers(0, 256, (50, 23), np.uint8)
    varying = [slice(3, 8), slice(10, 22)]
    template = rows[0].copy()
    constant = np.ones(23, np.bool_)
    for columns in varying:
        template[columns], constant[columns] = 0, False
    rows[:, constant] = template[constant]
    found = crc32c.masked_rows(rows, template.tobytes(), varying)
    assert found.tolist() == [crc32c.masked(crc32c.of_bytes(row.tobytes())) for row in rows]


@pytest.mark.parametrize("corpus", [SIMPLE, TENSOR, SMALL], ids=lambda corpus: corpus.name)
def test_scalars_read_back_equal_the_truth(corpus: corpora.Corpus, tmp_path: Path) -> None:
    logdir = generator.make(corpus, tmp_path)
    known = truth.load(corpus.truth_file(tmp_path))
    assert sorted(path.name for path in logdir.iterdir()) == corpus.run_names()
    for run_index, run in enumerate(corpus.run_names()):
        series = _series(logdir / run)
        assert list(series) == corpus.tag_names()
        for tag_index, points in enumerate(series.values()):
            steps, wall_times, payloads = zip(*points, strict=True)
            values = np.frombuffer(b"".join(payloads), "<f4")
            assert list(steps) == list(range(corpus.steps))
            assert truth.value_sum(values) == known.value_sums[run_index, tag_index]
            assert truth.wall_time_sum(np.array(wall_times)) == known.wall_time_sums[run_index, tag_index]
            assert list(wall_times) == sorted(wall_times)
            planted = known.spikes[(known.spikes[:, 0] == run_index) & (known.spikes[:, 1] == tag_index), 2]
            assert np.flatnonzero(values == curves.SPIKE_VALUE).tolist() == sorted(planted.tolist())
    assert len(known.spikes) == corpus.spikes


@pytest.mark.parametrize("corpus", [HISTOGRAM, IMAGE], ids=lambda corpus: corpus.name)
def test_heavy_values_are_complete(corpus: corpora.Corpus, tmp_path: Path) -> None:
    logdir = generator.make(corpus, tmp_path)
    series = _series(logdir / corpus.run_name(0))
    assert list(series) == corpus.tag_names()
    for points in series.values():
        assert [step for step, _, _ in points] == list(range(corpus.steps))
        assert len({payload for _, _, payload in points}) == corpus.steps


def test_pictures_are_png_files(tmp_path: Path) -> None:
    logdir = generator.make(IMAGE, tmp_path)
    _, _, message = _series(logdir / IMAGE.run_name(0))[IMAGE.tag_names()[0]][0]
    assert dict(_fields(message))[4].startswith(b"\x89PNG\r\n\x1a\n")


def test_a_complete_corpus_is_not_written_again(tmp_path: Path) -> None:
    path = next(generator.make(SMALL, tmp_path).rglob("*tfevents*"))
    path.write_bytes(b"mine")
    generator.make(SMALL, tmp_path)
    assert path.read_bytes() == b"mine"


def test_an_interrupted_corpus_is_made_again(tmp_path: Path) -> None:
    path = next(generator.make(SMALL, tmp_path).rglob("*tfevents*"))
    path.write_bytes(b"half")
    (tmp_path / SMALL.directory_name / "complete").unlink()
    generator.make(SMALL, tmp_path)
    assert path.read_bytes() != b"half"


def test_one_changed_value_changes_the_sum() -> None:
    values = np.linspace(0, 1, 100, dtype=np.float32)
    swapped = values.copy()
    swapped[[3, 7]] = swapped[[7, 3]]
    assert truth.value_sum(values) != truth.value_sum(swapped)
    assert truth.value_sum(values) == truth.value_sum(values[:40]) + truth.value_sum(values[40:], 40)


def _series(run_dir: Path) -> dict[str, list[tuple[int, float, bytes]]]:
    """(step, wall time, payload) of every value by tag, in the order of the file."""
    (path,) = run_dir.iterdir()
    events = list(_events(path.read_bytes()))
    assert dict(_fields(events[0]))[3] == b"brain.Event:2"
    found: dict[str, list[tuple[int, float, bytes]]] = {}
    for event in events[1:]:
        fields = dict(_fields(event))
        value = dict(_fields(dict(_fields(fields[5]))[1]))
        (wall_time,) = struct.unpack("<d", fields[1])
        step = int.from_bytes(fields.get(2, b"\0"), "little")
        found.setdefault(value[1].decode(), []).append((step, wall_time, _payload(value)))
    return found


def _payload(value: dict[int, bytes]) -> bytes:
    """The float of a simple value, the content of a tensor, the message of an image."""
    if 8 in value:
        plugin = dict(_fields(dict(_fields(value[9]))[1]))[1]
        assert plugin in (b"scalars", b"histograms")
        return dict(_fields(value[8]))[4]
    return value[2] if 2 in value else value[4]


def _events(data: bytes) -> Iterator[bytes]:
    """The Events of a file, CRCs checked."""
    at = 0
    while at < len(data):
        length, length_crc = struct.unpack_from("<QI", data, at)
        event = data[at + 12 : at + 12 + length]
        (event_crc,) = struct.unpack_from("<I", data, at + 12 + length)
        assert length_crc == crc32c.masked(crc32c.of_bytes(data[at : at + 8]))
        assert event_crc == crc32c.masked(crc32c.of_bytes(event))
        yield event
        at += 16 + length
    assert at == len(data)


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """(field number, bytes); varints as little-endian bytes of their value."""
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        wire = key & 7
        if wire == 0:
            number, at = _varint(message, at)
            yield key >> 3, number.to_bytes(8, "little")
            continue
        if wire == 2:
            size, at = _varint(message, at)
        else:
            size = {1: 8, 5: 4}[wire]
        assert at + size <= len(message)
        yield key >> 3, message[at : at + size]
        at += size


def _varint(message: bytes, at: int) -> tuple[int, int]:
    number, shift = 0, 0
    while True:
        byte = message[at]
        number |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return number, at


def test_varints_are_read_as_written() -> None:
    for number in (0, 1, 127, 128, 16_384, 2**21, 2**35 + 5):
        assert _varint(records.varint(number), 0) == (number, len(records.varint(number)))
