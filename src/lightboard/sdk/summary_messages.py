"""The messages that every kind of summary needs, as bytes. Field numbers: native/read/event.h, native/read/tensor.h."""

from __future__ import annotations

from collections.abc import Iterable

from lightboard import wire


def metadata(
    plugin: str, *, content: bytes = b"", display_name: str = "", description: str = "", data_class: int = 0
) -> bytes:
    """SummaryMetadata. Data classes: 1 scalar, 2 tensor, 3 blob sequence."""
    plugin_data = wire.message(1, wire.text(1, plugin), wire.text(2, content))
    return plugin_data + wire.text(2, display_name) + wire.text(3, description) + wire.integer(4, data_class)


def shape(sizes: Iterable[int]) -> bytes:
    """TensorShapeProto."""
    return b"".join(wire.message(2, wire.integer(1, size)) for size in sizes)


def string_tensor(strings: Iterable[bytes], sizes: Iterable[int]) -> bytes:
    """TensorProto of strings (dtype 7)."""
    head = wire.integer(1, 7) + wire.message(2, shape(sizes))
    return head + b"".join(wire.message(8, each) for each in strings)


def numeric_tensor(dtype: int, content: bytes, sizes: Iterable[int]) -> bytes:
    """TensorProto of numbers, as their little-endian bytes. dtype: 1 float32, 2 float64, 3 int32, 4 uint8, 9 int64."""
    return wire.integer(1, dtype) + wire.message(2, shape(sizes)) + wire.text(4, content)


def value(tag: str, *parts: bytes, metadata: bytes | None = None) -> bytes:
    """Summary.Value: the tag, one of image (4), histogram (5), audio (6), tensor (8), and metadata."""
    return wire.text(1, tag) + b"".join(parts) + (wire.message(9, metadata) if metadata is not None else b"")


def tensor_value(tag: str, tensor: bytes, metadata: bytes) -> bytes:
    return value(tag, wire.message(8, tensor), metadata=metadata)
