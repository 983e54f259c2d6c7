"""Damaging valid files in the ways that break decoders, and running a decoder over what comes out.

Nothing here knows a format. Seeds are mutated by flipped bits, cuts, numbers set to extremes in every width and order,
pieces of one seed in another, blocks that are repeated or left out. The same seed number gives the same inputs.
"""

from __future__ import annotations

import dataclasses
import pathlib
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from lightboard import errors

# What a decoder may raise: the user's file cannot be read, is no such file, is not there, has changed.
FAMILY = (errors.Unreadable, errors.BadInput, errors.NotFound, errors.Gone)
MAX_GROWTH = 64 << 10
_WIDTHS = (1, 2, 3, 4, 8)
_WORDS = (b"-1", b"1e999", b"NaN", b"null", b"{}", b"[", b'"', b"9" * 400, b"\t", b"\n", b"\\u0000", b"\xff\xfe")


@dataclasses.dataclass(frozen=True)
class Decoder:
    """`seeds` are valid files; `decode` answers with what was made of one, whose size is bounded by `most_bytes`."""

    name: str
    seeds: Sequence[bytes]
    decode: Callable[[bytes], Any]
    most_bytes: int = 16 << 20


@dataclasses.dataclass
class Report:
    """State while `run` goes on. `outside`: exceptions of other kinds, each with the input that raised it."""

    decoder: str
    inputs: int = 0
    refused: int = 0
    outside: list[tuple[str, bytes]] = dataclasses.field(default_factory=list)
    slowest_secs: float = 0.0
    slowest: bytes = b""
    largest_bytes: int = 0
    growth_bytes: int = 0

    def __str__(self) -> str:
        return (
            f"{self.decoder}: {self.inputs:,} inputs, {self.refused:,} refused, {len(self.outside)} other errors, "
            f"slowest {self.slowest_secs * 1000:,.0f} ms, largest result {self.largest_bytes / 2**20:.1f} MiB, "
            f"memory +{self.growth_bytes / 2**20:,.0f} MiB"
        )


def run(decoder: Decoder, count: int, seed: int = 0) -> Report:
    report = Report(decoder.name)
    for each in decoder.seeds:
        decoder.decode(each)  # an honest file is no error; and what is imported late is imported now
    before = _begin_measuring()
    for data in inputs(decoder.seeds, count, seed):
        report.inputs += 1
        begin = time.thread_time()
        try:
            found = decoder.decode(data)
            report.largest_bytes = max(report.largest_bytes, size(found))
        except FAMILY:
            report.refused += 1
        except Exception as error:
            report.outside.append((f"{type(error).__name__}: {error}"[:300], data))
        taken = time.thread_time() - begin
        if taken > report.slowest_secs:
            report.slowest_secs, report.slowest = taken, data
    report.growth_bytes = max(0, _status_bytes("VmHWM") - before)
    return report


def inputs(seeds: Sequence[bytes], count: int, seed: int = 0) -> Iterator[bytes]:
    chance = random.Random(seed)
    for _ in range(count):
        data = chance.choice(seeds)
        for _ in range(chance.choice((1, 1, 1, 2, 3, 6))):
            data = chance.choice(_MUTATIONS)(chance, data, seeds)
        yield data


# ---- mutations: (chance, data, all seeds) → other data


def _flip(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    if not data:
        return data
    changed = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8))):
        changed[_near_start(chance, len(data))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _set_number(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    """A length, count or address set to an extreme: zeros, ones, the file's own size, powers of two."""
    width = chance.choice(_WIDTHS)
    at = _near_start(chance, max(1, len(data) - width))
    most = (1 << 8 * width) - 1
    extremes = (0, 1, most, most >> 1, (most >> 1) + 1, most - 1, len(data), len(data) - at, 1 << chance.randrange(64))
    value = chance.choice(extremes) & most
    return data[:at] + value.to_bytes(width, chance.choice(("little", "big"))) + data[at + width :]


def _set_varint(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = _near_start(chance, max(1, len(data)))
    made = chance.choice((b"\xff" * 9 + b"\x01", b"\xff\xff\xff\xff\x0f", b"\x80" * 20, b"\x00", b"\xff\x7f"))
    return data[:at] + made + data[at + chance.choice((0, 1, len(made))) :]


def _cut(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    return data[: _near_start(chance, len(data) + 1)]


def _splice(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    other = chance.choice(seeds)
    return data[: chance.randrange(len(data) + 1)] + other[chance.randrange(len(other) + 1) :]


def _repeat(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    begin = chance.randrange(len(data) + 1)
    end = min(len(data), begin + chance.choice((1, 4, 8, 64, 1000)))
    times = chance.choice((1, 2, 10, 1000))
    block = data[begin:end] * min(times, MAX_GROWTH // max(1, end - begin))
    return (data[:end] + block + data[end:])[: len(data) + MAX_GROWTH]


def _leave_out(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    begin = chance.randrange(len(data) + 1)
    return data[:begin] + data[begin + chance.choice((1, 2, 4, 8, 64, 1000)) :]


def _insert(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(data) + 1)
    return data[:at] + chance.choice((chance.randbytes(chance.randrange(1, 40)), chance.choice(_WORDS))) + data[at:]


def _write_over(chance: random.Random, data: bytes, seeds: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(data) + 1)
    made = chance.choice((bytes(16), b"\xff" * 16, chance.randbytes(16), chance.choice(_WORDS)))
    return data[:at] + made + data[at + len(made) :]


_MUTATIONS = (
    _flip,
    _flip,
    _set_number,
    _set_number,
    _set_varint,
    _cut,
    _splice,
    _repeat,
    _leave_out,
    _insert,
    _write_over,
)


def _near_start(chance: random.Random, length: int) -> int:
    """Heads come first: half of all damage is within the first 200 bytes."""
    return chance.randrange(max(1, min(length, 200) if chance.random() < 0.5 else length))


# ---- measuring


def size(found: Any, depth: int = 0) -> int:
    """About how many bytes a result holds."""
    if isinstance(found, (bytes, str)):
        return len(found)
    if isinstance(found, np.ndarray):
        return int(found.nbytes)
    if depth > 6:
        return 8
    if isinstance(found, dict):
        return sum(size(key, depth + 1) + size(value, depth + 1) for key, value in found.items())
    if isinstance(found, (list, tuple, set)):
        return 8 * len(found) + sum(size(each, depth + 1) for each in found)
    if dataclasses.is_dataclass(found):
        return sum(size(getattr(found, each.name), depth + 1) for each in dataclasses.fields(found))
    return 8


def _begin_measuring() -> int:
    """Forgets the most memory there was; 0 where the system does not tell."""
    peak = pathlib.Path("/proc/self/clear_refs")
    if peak.exists():
        peak.write_text("5", encoding="ascii")
    return _status_bytes("VmRSS")


def _status_bytes(name: str) -> int:
    status = pathlib.Path("/proc/self/status")
    if not status.exists():
        return 0
    lines = status.read_text(encoding="ascii").splitlines()
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith(name)), 0)
