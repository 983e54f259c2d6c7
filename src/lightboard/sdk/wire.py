"""Protobuf messages put together by hand: what is not hot enough to be encoded natively.

A message is bytes; fields are joined with `b"".join`. Absent values (`None`, empty strings) are left out, as protobuf
leaves out defaults.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def integer(field: int, number: int | None) -> bytes:
    return varint(field << 3) + varint(number) if number else b""


def double(field: int, number: float | None) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<d", number) if number is not None else b""


def single(field: int, number: float | None) -> bytes:
    return varint(field << 3 | 5) + struct.pack("<f", number) if number is not None else b""


def message(field: int, *parts: bytes) -> bytes:
    """A nested message, there even when it is empty."""
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def text(field: int, content: str | bytes | None) -> bytes:
    if not content:
        return b""
    encoded = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return message(field, encoded)


def packed_doubles(field: int, numbers: Iterable[float]) -> bytes:
    values = list(numbers)
    return message(field, struct.pack(f"<{len(values)}d", *values)) if values else b""


# ---- the messages every kind needs; field numbers as in native/read/event.h and native/read/tensor.h ----


def metadata(
    plugin: str, *, content: bytes = b"", display_name: str = "", description: str = "", data_class: int = 0
) -> bytes:
    """SummaryMetadata. Data classes: 1 scalar, 2 tensor, 3 blob sequence."""
    plugin_data = message(1, text(1, plugin), text(2, content))
    return plugin_data + text(2, display_name) + text(3, description) + integer(4, data_class)


def shape(sizes: Iterable[int]) -> bytes:
    return b"".join(message(2, integer(1, size)) for size in sizes)


def string_tensor(strings: Iterable[bytes], sizes: Iterable[int]) -> bytes:
    """TensorProto of strings (dtype 7)."""
    return integer(1, 7) + message(2, shape(sizes)) + b"".join(message(8, each) for each in strings)


def numeric_tensor(dtype: int, content: bytes, sizes: Iterable[int]) -> bytes:
    """TensorProto of numbers, as their little-endian bytes. dtype: 1 float32, 2 float64, 3 int32, 4 uint8, 9 int64."""
    return integer(1, dtype) + message(2, shape(sizes)) + text(4, content)


def value(tag: str, *parts: bytes, metadata: bytes | None = None) -> bytes:
    """Summary.Value: the tag, one of image (4), histogram (5), audio (6), tensor (8), and metadata."""
    return text(1, tag) + b"".join(parts) + (message(9, metadata) if metadata is not None else b"")


def tensor_value(tag: str, tensor: bytes, metadata: bytes) -> bytes:
    return value(tag, message(8, tensor), metadata=metadata)
