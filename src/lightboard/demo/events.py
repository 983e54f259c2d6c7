"""A small encoder of event files: TFRecord framing around protobuf messages.

    record = length u64 · masked CRC32C of it u32 · message · masked CRC32C of it u32       (all little-endian)

The message numbers are those of TensorFlow's `event.proto`, `summary.proto` and `tensor.proto`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

from lightboard import _native, wire

FLOAT, DOUBLE, INT32, UINT8, STRING = 1, 2, 3, 4, 7
_FORMATS = {FLOAT: "f", DOUBLE: "d", INT32: "i", UINT8: "B"}


class EventFile:
    """One event file being written; each `add` is on disk when it returns."""

    def __init__(self, directory: Path, wall_time: float, suffix: str = "") -> None:
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / f"events.out.tfevents.{int(wall_time):010d}.demo.1.0{suffix}"
        self._file = open(self.path, "ab", buffering=0)  # noqa: SIM115 (closed by `close`)
        self._file.write(record(_event(wall_time, 0, wire.text(3, "brain.Event:2"))))

    def add(self, step: int, wall_time: float, *values: bytes) -> None:
        """Values of one step, each made by `scalar` or `tensor`."""
        summary = wire.message(5, *(wire.message(1, value) for value in values))
        self._file.write(record(_event(wall_time, step, summary)))

    def add_run_metadata(self, wall_time: float, tag: str, metadata: bytes) -> None:
        self._file.write(record(_event(wall_time, 0, wire.message(8, wire.text(1, tag), wire.message(2, metadata)))))

    def add_graph(self, wall_time: float, graph: bytes) -> None:
        self._file.write(record(_event(wall_time, 0, wire.message(4, graph))))

    def add_damage(self, data: bytes) -> None:
        """Write bytes that are no record."""
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
    """A scalar, as PyTorch writes it."""
    return wire.text(1, tag) + wire.single(2, value)


def tensor(tag: str, proto: bytes, plugin: str, content: bytes = b"", description: str = "") -> bytes:
    """A tensor with the metadata that names its kind, as TensorFlow 2 writes it."""
    metadata = wire.message(1, wire.text(1, plugin), wire.text(2, content)) + wire.text(3, description)
    return wire.text(1, tag) + wire.message(8, proto) + wire.message(9, metadata)


def bare(tag: str, plugin: str, content: bytes) -> bytes:
    """Metadata without a value: how hyperparameters are written."""
    return wire.text(1, tag) + wire.message(9, wire.message(1, wire.text(1, plugin) + wire.message(2, content)))


def numbers(kind: int, shape: Sequence[int], values: Iterable[float]) -> bytes:
    """A TensorProto of numbers, row-major."""
    flat = list(values)
    packed = struct.pack(f"<{len(flat)}{_FORMATS[kind]}", *flat)
    return wire.present_integer(1, kind) + _shape(shape) + wire.message(4, packed)


def strings(shape: Sequence[int], values: Iterable[bytes]) -> bytes:
    """A TensorProto of strings."""
    return wire.present_integer(1, STRING) + _shape(shape) + b"".join(wire.message(8, value) for value in values)


def _shape(shape: Sequence[int]) -> bytes:
    return wire.message(2, *(wire.message(2, wire.present_integer(1, size)) for size in shape))


def _event(wall_time: float, step: int, what: bytes) -> bytes:
    return wire.double(1, wall_time) + wire.integer(2, step) + what


def _masked_crc(data: bytes) -> bytes:
    crc = _native.crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)
