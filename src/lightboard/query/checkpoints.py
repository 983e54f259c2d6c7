"""Variables in checkpoints of TensorFlow, read without it.

A checkpoint `model.ckpt-7` is `model.ckpt-7.index` and `model.ckpt-7.data-00000-of-00002` ….

    data     the values one after another
    index    a sorted table as LevelDB writes it, tensorflow/core/lib/io/table.cc:

        block …  entries (shared u, fresh u, length u, key[fresh], value[length]), restarts u32 …, their number u32;
                 then one byte (0 plain, 1 Snappy) and a checksum u32
        footer   the last 48 bytes: handles (offset u, size u) of two blocks, the second being the index of all blocks;
                 zeros; magic 0xdb4775248b80fb57
        key ""   BundleHeaderProto  num_shards 1, endianness 2
        others   BundleEntryProto   dtype 1, shape 2 {dim 2 {size 1}}, shard_id 3, offset 4, size 5,
                                    slices 7 {extent 1 {start 1, length 2}}

(`u` is a varint.) tensorflow/core/util/tensor_bundle/tensor_bundle.h tells the rest. A variable that was saved in parts
has no values of its own: each part has an entry, whose key begins with a zero byte and names variable and part.
Every length is checked against the bytes that exist.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard.query import protobuf

Read = Callable[[str, int, int], bytes]
"""(name of a file, offset, length or -1) → its bytes; errors.NotFound where there is none."""

MAX_INDEX_BYTES = 256 << 20
# Larger tensors are not for a projector: 4 GB of float32.
MAX_VALUES = 1 << 30
_MAGIC = struct.pack("<Q", 0xDB4775248B80FB57)
_FOOTER = 48
_DTYPES = {1: "<f4", 2: "<f8", 3: "<i4", 4: "|u1", 5: "<i2", 6: "|i1", 9: "<i8", 19: "<f2"}
_BFLOAT16 = 14


Slice = tuple[tuple[int, int], ...]
"""(start, length) along each dimension; a length of -1: all of it."""


@dataclasses.dataclass(frozen=True)
class Entry:
    dtype: int
    shape: tuple[int, ...]
    shard: int
    offset: int
    size: int
    slices: tuple[Slice, ...] = ()


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    prefix: str
    shards: int
    entries: dict[str, Entry]
    parts: dict[bytes, Entry]  # of variables saved in slices

    def find(self, name: str) -> str:
        """The key of a tensor: its name, or that with what Keras adds."""
        for each in (name, f"{name}/.ATTRIBUTES/VARIABLE_VALUE"):
            if each in self.entries:
                return each
        known = ", ".join(f"`{each}`" for each in list(self.entries)[:5]) or "nothing"
        raise errors.NotFound(
            f"the checkpoint has no tensor `{name}`: {self.prefix}",
            hint=f"it has {known}{'' if len(self.entries) < 6 else ' …'}",
        )


def open_checkpoint(read: Read, prefix: str) -> Checkpoint:
    content = read(f"{prefix}.index", 0, MAX_INDEX_BYTES)
    header: dict[str, Any] = {}
    found: dict[str, Entry] = {}
    parts: dict[bytes, Entry] = {}
    try:
        for key, value in _table(content):
            fields = protobuf.parse(value)
            if key[:1] == b"\0":
                parts[key] = _entry(fields)
            elif key:
                found[key.decode("utf-8", "replace")] = _entry(fields)
            else:
                header = {"shards": protobuf.integer(fields, 1), "big": protobuf.integer(fields, 2)}
    except (errors.Unreadable, IndexError, ValueError, struct.error) as error:
        raise errors.Unreadable(f"this is no index of a checkpoint ({error}): {prefix}.index") from error
    if header.get("big"):
        raise errors.Unreadable(f"a checkpoint of a machine with another order of bytes: {prefix}")
    return Checkpoint(prefix, int(header.get("shards", 1)), found, parts)


def load(read: Read, checkpoint: Checkpoint, name: str) -> NDArray[np.float32]:
    key = checkpoint.find(name)
    entry = checkpoint.entries[key]
    if math.prod(entry.shape) > MAX_VALUES:
        raise errors.Unreadable(f"the tensor `{name}` is too large for a projector: {list(entry.shape)}")
    if not entry.slices:
        return _values(read, checkpoint, entry, name)
    # slices may overlap in a file that lies: what no slice has is no number
    whole = np.full(entry.shape, np.nan, np.float32)
    filled = 0
    for each in entry.slices:
        place = _place(each, entry.shape)
        part = None if place is None else checkpoint.parts.get(_part_key(key, each))
        if part is None or place is None or whole[place].shape != part.shape:
            raise errors.Unreadable(
                f"a slice of the tensor `{name}` is missing; is the checkpoint still being written?",
                hint="write the tensor to a TSV file and name that as tensor_path",
            )
        whole[place] = _values(read, checkpoint, part, name)
        filled += math.prod(part.shape)
    if filled != whole.size:
        raise errors.Unreadable(f"the slices of the tensor `{name}` do not make {list(entry.shape)}")
    return whole


def _values(read: Read, checkpoint: Checkpoint, entry: Entry, name: str) -> NDArray[np.float32]:
    dtype = "<u2" if entry.dtype == _BFLOAT16 else _DTYPES.get(entry.dtype)
    if dtype is None:
        raise errors.Unreadable(f"the tensor `{name}` holds no plain numbers (type {entry.dtype})")
    if entry.size != math.prod(entry.shape) * np.dtype(dtype).itemsize:
        raise errors.Unreadable(f"the tensor `{name}` has {entry.size} bytes, which do not make {list(entry.shape)}")
    data = read(f"{checkpoint.prefix}.data-{entry.shard:05d}-of-{checkpoint.shards:05d}", entry.offset, entry.size)
    if len(data) != entry.size:
        raise errors.Unreadable(f"the checkpoint's data ends inside `{name}`; is it still being written?")
    array: NDArray[Any] = np.frombuffer(data, dtype).reshape(entry.shape)
    if entry.dtype == _BFLOAT16:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float32, copy=False)


# ---- slices


def _slices(fields: protobuf.Fields) -> Iterator[Slice]:
    for message in protobuf.messages(fields, 7):
        extents = protobuf.messages(message, 1)
        yield tuple((protobuf.integer(each, 1), protobuf.integer(each, 2) if each.get(2) else -1) for each in extents)


def _place(part: Slice, shape: tuple[int, ...]) -> tuple[slice, ...] | None:
    """Where a slice lies in its tensor; None where it does not fit."""
    if len(part) != len(shape):
        return None
    ends = [start + length if length >= 0 else size for (start, length), size in zip(part, shape, strict=True)]
    starts = [start for start, _ in part]
    if any(not 0 <= start <= end <= size for start, end, size in zip(starts, ends, shape, strict=True)):
        return None
    return tuple(slice(start, end) for start, end in zip(starts, ends, strict=True))


def _part_key(name: str, part: Slice) -> bytes:
    """As tensorflow/core/util/saved_tensor_slice_util.cc names a slice: numbers and text in an order-keeping code."""
    text = name.encode().replace(b"\0", b"\0\xff")
    dims = bytes([1, len(part)]) if part else b"\0"
    numbers = b"".join(_ordered(start) + _ordered(length) for start, length in part)
    return b"\0" + text + b"\0\x01" + dims + numbers


def _ordered(value: int) -> bytes:
    """A signed number, tensorflow/core/lib/strings/ordered_code.cc: as many ones as it has bytes, then its bits;
    a negative one is inverted."""
    length = max(1, ((value if value >= 0 else ~value).bit_length() + 7) // 7)
    if length > 8:
        raise errors.Unreadable("a slice begins too far away")
    code = (1 << 8 * length) - (1 << 7 * length)  # `length` ones, then zeros
    return ((value & (1 << 8 * length) - 1) ^ code).to_bytes(length, "big")


def _entry(fields: protobuf.Fields) -> Entry:
    shapes = protobuf.messages(fields, 2)
    sizes = tuple(protobuf.integer(dim, 1) for dim in protobuf.messages(shapes[-1], 2)) if shapes else ()
    if any(size < 0 for size in sizes):
        raise errors.Unreadable(f"a shape of {list(sizes)}")
    numbers = [protobuf.integer(fields, number) for number in (1, 3, 4, 5)]
    dtype, shard, offset, size = numbers
    if min(shard, offset, size) < 0:
        raise errors.Unreadable("a place before the beginning")
    return Entry(dtype, sizes, shard, offset, size, tuple(_slices(fields)))


# ---- the table


def _table(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    if len(content) < _FOOTER or content[-8:] != _MAGIC:
        raise errors.Unreadable("it does not end as one; is it still being written?")
    footer = content[-_FOOTER:]
    _, _, at = _handle(footer, 0)
    offset, size, _ = _handle(footer, at)
    for _, handle in _entries(_block(content, offset, size)):
        at, length, _ = _handle(handle, 0)
        yield from _entries(_block(content, at, length))


def _handle(data: bytes, at: int) -> tuple[int, int, int]:
    offset, at = _varint(data, at)
    size, at = _varint(data, at)
    return offset, size, at


def _block(content: bytes, offset: int, size: int) -> bytes:
    if offset + size + 1 > len(content):
        raise errors.Unreadable("a block lies beyond the end")
    block, coding = content[offset : offset + size], content[offset + size]
    if coding == 0:
        return block
    if coding == 1:
        return _snappy(block)
    raise errors.Unreadable(f"a block in an unknown coding ({coding})")


def _entries(block: bytes) -> Iterator[tuple[bytes, bytes]]:
    (restarts,) = struct.unpack("<I", block[-4:])
    end = len(block) - 4 * (restarts + 1)
    if end < 0:
        raise errors.Unreadable("a block is shorter than it says")
    at, key = 0, b""
    while at < end:
        shared, at = _varint(block, at)
        fresh, at = _varint(block, at)
        length, at = _varint(block, at)
        if shared > len(key) or at + fresh + length > end:
            raise errors.Unreadable("an entry is longer than its block")
        key = key[:shared] + block[at : at + fresh]
        yield key, block[at + fresh : at + fresh + length]
        at += fresh + length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise errors.Unreadable("a number does not end")


def _snappy(data: bytes) -> bytes:
    """https://github.com/google/snappy/blob/main/format_description.txt"""
    length, at = _varint(data, 0)
    if length > 64 * len(data) + 64 or length > MAX_INDEX_BYTES:
        raise errors.Unreadable("a packed block claims to be huge")
    out = bytearray()
    while at < len(data):
        tag = data[at]
        at += 1
        if tag & 3 == 0:
            size = tag >> 2
            if size >= 60:
                width = size - 59
                size = int.from_bytes(data[at : at + width], "little")
                at += width
            out += data[at : at + size + 1]
            at += size + 1
            continue
        if tag & 3 == 1:
            size, back = 4 + (tag >> 2 & 7), (tag >> 5) << 8 | data[at]
            at += 1
        else:
            width = 2 if tag & 3 == 2 else 4
            size, back = 1 + (tag >> 2), int.from_bytes(data[at : at + width], "little")
            at += width
        if not 0 < back <= len(out) or len(out) + size > length:
            raise errors.Unreadable("a packed block makes no sense")
        for _ in range(size):
            out.append(out[-back])
    if len(out) != length:
        raise errors.Unreadable("a packed block makes no sense")
    return bytes(out)
