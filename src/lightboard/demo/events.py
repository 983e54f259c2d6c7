"""A small encoder of event files: TFRecord framing around protobuf messages.

    record = length u64 · masked CRC32C of it u32 · message · masked CRC32C of it u32       (all little-endian)

The message numbers are those of TensorFlow's `event.proto`, `summary.proto` and `tensor.proto`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

from lightboard import _native

FLOAT, DOUBLE, INT32, UINT8, STRING = 1, 2, 3, 4, 7
_FORMATS = {FLOAT: "f", DOUBLE: "d", INT32: "i", UINT8: "B"}


class EventFile:
    """One event file being written; each `add` is on disk when it returns."""

    def __init__(self, directory: Path, wall_time: float, suffix: str = "") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / f"events.out.tfevents.{int(wall_time):010d}.demo.1.0{suffix}"
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 (closed by `close`)
        self._file.write(record(_event(wall_time, 0, text(3, "brain.Event:2"))))

    def add(self, step: int, wall_time: float, *values: bytes) -> None:
        """Values of one step, each made by `scalar` or `tensor`."""
        self._file.write(record(_event(wall_time, step, _bytes(5, b"".join(_bytes(1, value) for value in values)))))

    def add_run_metadata(self, wall_time: float, tag: str, metadata: bytes) -> None:
        self._file.write(record(_event(wall_time, 0, message(8, text(1, tag), _bytes(2, metadata)))))

    def add_graph(self, wall_time: float, graph: bytes) -> None:
        self._file.write(record(_event(wall_time, 0, _bytes(4, graph))))

    def add_damage(self, data: bytes) -> None:
        """Bytes that are no record."""
        self._file.write(data)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> EventFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def record(message: bytes) -> bytes:
    length = struct.pack("<Q", len(message))
    return b"".join((length, _masked_crc(length), message, _masked_crc(message)))


def scalar(tag: str, value: float) -> bytes:
    """A plain number, as PyTorch writes it."""
    return text(1, tag) + b"\x15" + struct.pack("<f", value)


def tensor(tag: str, proto: bytes, plugin: str, content: bytes = b"", description: str = "") -> bytes:
    """A tensor with the metadata that says which kind it is, as TensorFlow 2 writes it."""
    metadata = _bytes(1, text(1, plugin) + (_bytes(2, content) if content else b""))
    if description:
        metadata += text(3, description)
    return text(1, tag) + _bytes(8, proto) + _bytes(9, metadata)


def bare(tag: str, plugin: str, content: bytes) -> bytes:
    """Metadata without a value: how hyperparameters are written."""
    return text(1, tag) + _bytes(9, _bytes(1, text(1, plugin) + _bytes(2, content)))


def numbers(kind: int, shape: Sequence[int], values: Iterable[float]) -> bytes:
    """A TensorProto of numbers, row-major."""
    flat = list(values)
    return number(1, kind) + _shape(shape) + _bytes(4, struct.pack(f"<{len(flat)}{_FORMATS[kind]}", *flat))


def strings(shape: Sequence[int], values: Iterable[bytes]) -> bytes:
    """A TensorProto of strings."""
    return number(1, STRING) + _shape(shape) + b"".join(_bytes(8, value) for value in values)


# ---- protobuf fields ----


def number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def double(field: int, value: float) -> bytes:
    return _varint(field << 3 | 1) + struct.pack("<d", value)


def text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def message(field: int, *parts: bytes) -> bytes:
    return _bytes(field, b"".join(parts))


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _shape(shape: Sequence[int]) -> bytes:
    return message(2, *(message(2, number(1, size)) for size in shape))


def _event(wall_time: float, step: int, what: bytes) -> bytes:
    return double(1, wall_time) + (number(2, step) if step else b"") + what


def _masked_crc(data: bytes) -> bytes:
    crc = _native.crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
