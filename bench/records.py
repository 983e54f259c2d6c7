"""Event records of a fixed layout, many at a time.

A record is framed as `u64 length, u32 masked crc of the length, Event, u32 masked crc of the Event`. All records of
one tag whose steps take the same number of varint bytes are equally long, so a batch of them is a byte matrix:
a template repeated, with the columns of wall time, step and payload overwritten and the CRC column computed.

    Event: 09 <wall time f64> [10 <step varint>] 2a <len> Summary     (step 0 is absent, as protobuf 3 writes it)
    Summary: 0a <len> Value;  Value: 0a <len> tag, then the payload and the metadata
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bench import crc32c

Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
Steps = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Value:
    """The layout of one tag's values: `before` and `after` are constant, the `payload_bytes` between them vary."""

    tag: str
    before: bytes
    payload_bytes: int
    after: bytes = b""


def simple_value(tag: str) -> Value:
    """A scalar as PyTorch and tensorboardX write it."""
    return Value(tag, b"\x15", 4)


def tensor_value(tag: str) -> Value:
    """A scalar as TensorFlow 2 writes it: a rank-0 float tensor, metadata on every value."""
    return Value(tag, b"\x42\x0a\x08\x01\x12\x00\x22\x04", 4, _metadata("scalars"))


def histogram_value(tag: str, buckets: int) -> Value:
    """A histogram as TensorFlow 2 writes it: a [buckets, 3] double tensor."""
    shape = field(2, field(2, b"\x08" + varint(buckets)) + field(2, b"\x08\x03"))
    content = b"\x22" + varint(buckets * 24)
    head = b"\x08\x02" + shape + content
    return Value(tag, b"\x42" + varint(len(head) + buckets * 24) + head, buckets * 24, _metadata("histograms"))


def image_value(tag: str, *, side_px: int, png_bytes: int) -> Value:
    """An image as PyTorch writes it: an Image message with one PNG."""
    size = varint(side_px)
    head = b"\x08" + size + b"\x10" + size + b"\x18\x03" + b"\x22" + varint(png_bytes)
    return Value(tag, b"\x22" + varint(len(head) + png_bytes) + head, png_bytes)


def varint(number: int) -> bytes:
    """A protobuf varint."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def field(number: int, data: bytes) -> bytes:
    """A length-delimited protobuf field."""
    return varint(number << 3 | 2) + varint(len(data)) + data


def framed(event: bytes) -> bytes:
    """Return one record that contains a serialized Event."""
    return _head(len(event)) + event + struct.pack("<I", crc32c.masked(crc32c.of_bytes(event)))


def file_version(wall_time: float) -> bytes:
    """Return the first record of every event file."""
    return framed(b"\x09" + struct.pack("<d", wall_time) + field(3, b"brain.Event:2"))


def step_bytes(step: int) -> int:
    """Return how many bytes a step takes after its field key; 0 for step 0, which is not written."""
    return 0 if step == 0 else len(varint(step))


def size_bytes(value: Value, step_width: int) -> int:
    """Return the length of one record of this value, including framing."""
    return 16 + len(_event_template(value, step_width)[0])


def fill(out: Bytes, value: Value, *, wall_times: Floats, steps: Steps, payload: Bytes) -> None:
    """Write one record per row of `out`. All steps must have equally long varints."""
    width = step_bytes(int(steps[0]))
    event, step_at, payload_at = _event_template(value, width)
    out[:, :12] = np.frombuffer(_head(len(event)), np.uint8)
    body = out[:, 12:-4]
    body[:] = np.frombuffer(event, np.uint8)
    body[:, 1:9] = np.ascontiguousarray(wall_times, "<f8").view(np.uint8).reshape(-1, 8)
    for index in range(width):
        more = 0x80 if index < width - 1 else 0
        body[:, step_at + index] = (steps >> (7 * index)) & 0x7F | more
    payload_columns = slice(payload_at, payload_at + value.payload_bytes)
    body[:, payload_columns] = payload
    varying = [slice(1, 9), slice(step_at, step_at + width), payload_columns]
    crc = crc32c.masked_rows(body, event, varying)
    out[:, -4:] = crc.astype("<u4").view(np.uint8).reshape(-1, 4)


def _event_template(value: Value, step_width: int) -> tuple[bytes, int, int]:
    """Return the Event with zeros in place of varying bytes, and the offsets of the step and the payload."""
    tag = field(1, value.tag.encode())
    inner = len(tag) + len(value.before) + value.payload_bytes + len(value.after)
    head = b"\x09" + bytes(8)
    step_at = len(head) + 1 if step_width else len(head)
    if step_width:
        head += b"\x10" + bytes(step_width)
    outer = b"\x0a" + varint(inner)
    head += b"\x2a" + varint(len(outer) + inner) + outer + tag + value.before
    return head + bytes(value.payload_bytes) + value.after, step_at, len(head)


def _head(event_bytes: int) -> bytes:
    length = struct.pack("<Q", event_bytes)
    return length + struct.pack("<I", crc32c.masked(crc32c.of_bytes(length)))


def _metadata(plugin: str) -> bytes:
    return field(9, field(1, field(1, plugin.encode())))
