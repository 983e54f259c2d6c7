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

(`u` is a varint.) tensorflow/core/util/tensor_bundle/tensor_bundle.h has the rest. A variable that was saved in parts
has no values itself: each part has an entry, whose key begins with a zero byte and names variable and part.
Every length is checked against the bytes that exist, and the cost of an index is limited: its bytes unpacked, its
entries, the characters of their names.
"""

from __future__ import annotations

import dataclasses
import math
import struct
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, wire
from lightboard.formats import byte_reader, vectors

Read = Callable[[str, int, int], bytes]
"""(name of a file, offset, length or -1) → its bytes; raises errors.NotFound if there is no such file."""

# About 100 bytes per variable: enough for any model.
MAX_INDEX_BYTES = 16 << 20
MAX_ENTRIES = 100_000
# Names of entries share their prefixes in the file, so a few bytes may represent long names.
MAX_NAME_BYTES = 64 << 10
MAX_NAMES_BYTES = 64 << 20
_MAGIC = struct.pack("<Q", 0xDB4775248B80FB57)
_FOOTER = 48
_DTYPES = {1: "<f4", 2: "<f8", 3: "<i4", 4: "|u1", 5: "<i2", 6: "|i1", 9: "<i8", 14: vectors.BFLOAT16, 19: "<f2"}


Slice = tuple[tuple[int, int], ...]
"""(start, length) along each dimension; a length of -1 means all of it."""


@dataclasses.dataclass(frozen=True, slots=True)
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
    parts: dict[bytes, Entry]  # slices of variables, by key

    def find(self, name: str) -> str:
        """Return the key of a tensor: its name, or its name with the suffix that Keras adds."""
        for each in (name, f"{name}/.ATTRIBUTES/VARIABLE_VALUE"):
            if each in self.entries:
                return each
        known = ", ".join(f"`{each}`" for each in list(self.entries)[:5]) or "nothing"
        raise errors.NotFound(
            f"the checkpoint has no tensor `{name}`: {self.prefix}",
            hint=f"it has {known}{'' if len(self.entries) < 6 else ' …'}",
            code="checkpoint.no_tensor",
            name=name,
            known=list(self.entries)[:5],
        )


def open_checkpoint(read: Read, prefix: str) -> Checkpoint:
    content = read(f"{prefix}.index", 0, MAX_INDEX_BYTES + 1)
    if len(content) > MAX_INDEX_BYTES:
        raise errors.Unreadable(
            f"the index of the checkpoint has more than {MAX_INDEX_BYTES:,} bytes: {prefix}.index",
            code="checkpoint.too_large",
            limit=MAX_INDEX_BYTES,
        )
    shards, big = 1, 0
    found: dict[str, Entry] = {}
    parts: dict[bytes, Entry] = {}
    try:
        for key, value in _table(content):
            fields = wire.parse(value)
            if key[:1] == b"\0":
                parts[key] = _entry(fields)
            elif key:
                found[key.decode("utf-8", "replace")] = _entry(fields)
            else:
                shards, big = fields.integer(1), fields.integer(2)
    except errors.Unreadable as error:
        raise errors.Unreadable(
            f"this is no index of a checkpoint ({error.message}): {prefix}.index",
            code="checkpoint.not_index",
            path=f"{prefix}.index",
        ) from error
    if big:
        raise errors.Unreadable(
            f"a checkpoint of a machine with another order of bytes: {prefix}",
            code="checkpoint.byte_order",
            path=prefix,
        )
    return Checkpoint(prefix, shards, found, parts)


def load(read: Read, checkpoint: Checkpoint, name: str) -> NDArray[np.float32]:
    key = checkpoint.find(name)
    entry = checkpoint.entries[key]
    vectors.check(entry.shape, name)
    if not entry.slices:
        return _values(read, checkpoint, entry, name)
    placed = [_placed(checkpoint, key, entry, each, name) for each in entry.slices]
    if sum(math.prod(part.shape) for _, part in placed) != math.prod(entry.shape):
        raise errors.Unreadable(
            f"the slices of the tensor `{name}` do not make {list(entry.shape)}", code="checkpoint.shape", name=name
        )
    # Slices in a damaged file may overlap: elements without a slice are NaN.
    whole: NDArray[np.float32] | None = None
    for place, part in placed:
        values = _values(read, checkpoint, part, name)  # read the first slice before memory is allocated for all
        whole = np.full(entry.shape, np.nan, np.float32) if whole is None else whole
        whole[place] = values
    return np.zeros(entry.shape, np.float32) if whole is None else whole


def _placed(checkpoint: Checkpoint, key: str, entry: Entry, each: Slice, name: str) -> tuple[tuple[slice, ...], Entry]:
    """Return the position of a slice in its tensor, and its entry."""
    place = _place(each, entry.shape)
    part = None if place is None else checkpoint.parts.get(_part_key(key, each))
    if part is None or place is None or tuple(range_.stop - range_.start for range_ in place) != part.shape:
        raise errors.Unreadable(
            f"a slice of the tensor `{name}` is missing; is the checkpoint still being written?",
            hint="write the tensor to a TSV file and name that as tensor_path",
            code="checkpoint.slice_missing",
            name=name,
        )
    return place, part


def _values(read: Read, checkpoint: Checkpoint, entry: Entry, name: str) -> NDArray[np.float32]:
    dtype = _DTYPES.get(entry.dtype)
    if dtype is None:
        raise errors.Unreadable(
            f"the tensor `{name}` holds no plain numbers (type {entry.dtype})", code="checkpoint.not_numbers", name=name
        )
    if entry.size != math.prod(entry.shape) * (2 if dtype == vectors.BFLOAT16 else np.dtype(dtype).itemsize):
        raise errors.Unreadable(
            f"the tensor `{name}` has {entry.size} bytes, which do not make {list(entry.shape)}",
            code="checkpoint.shape",
            name=name,
        )
    file = f"{checkpoint.prefix}.data-{entry.shard:05d}-of-{checkpoint.shards:05d}"
    return vectors.read(lambda at, size: read(file, at, size), entry.offset, entry.shape, dtype, name)


# ---- slices


def _slices(fields: wire.Fields) -> Iterator[Slice]:
    for message in fields.messages(7):
        extents = message.messages(1)
        yield tuple((each.integer(1), each.integer(2) if each.get(2) else -1) for each in extents)


def _place(part: Slice, shape: tuple[int, ...]) -> tuple[slice, ...] | None:
    """Return the position of a slice in its tensor; None if it does not fit."""
    if len(part) != len(shape):
        return None
    ends = [start + length if length >= 0 else size for (start, length), size in zip(part, shape, strict=True)]
    starts = [start for start, _ in part]
    if any(not 0 <= start <= end <= size for start, end, size in zip(starts, ends, shape, strict=True)):
        return None
    return tuple(slice(start, end) for start, end in zip(starts, ends, strict=True))


def _part_key(name: str, part: Slice) -> bytes:
    """Name a slice as tensorflow/core/util/saved_tensor_slice_util.cc does: numbers and text in an order-preserving
    code."""
    text = name.encode().replace(b"\0", b"\0\xff")
    dims = bytes([1, len(part)]) if part else b"\0"
    numbers = b"".join(_ordered(start) + _ordered(length) for start, length in part)
    return b"\0" + text + b"\0\x01" + dims + numbers


def _ordered(value: int) -> bytes:
    """Encode a signed number like tensorflow/core/lib/strings/ordered_code.cc: as many one bits as it has bytes, then
    its bits; a negative number is inverted."""
    length = max(1, ((value if value >= 0 else ~value).bit_length() + 7) // 7)
    if length > 8:
        raise errors.Unreadable("a slice begins too far away", code="file.damaged")
    code = (1 << 8 * length) - (1 << 7 * length)  # `length` ones, then zeros
    return ((value & (1 << 8 * length) - 1) ^ code).to_bytes(length, "big")


def _entry(fields: wire.Fields) -> Entry:
    shapes = fields.messages(2)
    sizes = tuple(dim.integer(1) for dim in shapes[-1].messages(2)) if shapes else ()
    if any(size < 0 for size in sizes):
        raise errors.Unreadable(f"a shape of {list(sizes)}", code="file.damaged")
    numbers = [fields.integer(number) for number in (1, 3, 4, 5)]
    dtype, shard, offset, size = numbers
    if min(shard, offset, size) < 0:
        raise errors.Unreadable("a place before the beginning", code="file.damaged")
    return Entry(dtype, sizes, shard, offset, size, tuple(_slices(fields)))


# ---- the table


def _table(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    if len(content) < _FOOTER or content[-8:] != _MAGIC:
        raise errors.Unreadable("it does not end as one; is it still being written?", code="file.ends_early")
    table = _Table(content)
    footer = byte_reader.ByteReader(content[-_FOOTER:], "the footer")
    _, _, at = _handle(footer, 0)
    offset, size, _ = _handle(footer, at)
    for _, handle in table.entries(offset, size):
        at, length, _ = _handle(byte_reader.ByteReader(handle, "a handle"), 0)
        yield from table.entries(at, length)


def _handle(data: byte_reader.ByteReader, at: int) -> tuple[int, int, int]:
    offset, at = data.varint(at)
    size, at = data.varint(at)
    return offset, size, at


class _Table:
    """State: the remaining limits. They are needed because an index may refer to one block many times."""

    def __init__(self, content: bytes) -> None:
        self.content = byte_reader.ByteReader(content, "the index")
        self.bytes_left = 2 * MAX_INDEX_BYTES
        self.entries_left = MAX_ENTRIES
        self.names_left = MAX_NAMES_BYTES

    def entries(self, offset: int, size: int) -> Iterator[tuple[bytes, bytes]]:
        block = byte_reader.ByteReader(self._block(offset, size), "a block of the index")
        end = len(block) - 4 * (block.number(len(block) - 4, 4) + 1)
        if end < 0:
            raise errors.Unreadable("a block is shorter than it says", code="file.damaged")
        at, key = 0, b""
        while at < end:
            shared, at = block.varint(at)
            fresh, at = block.varint(at)
            length, at = block.varint(at)
            if shared > len(key) or at + fresh + length > end:
                raise errors.Unreadable("an entry is longer than its block", code="file.damaged")
            self._spend(shared + fresh)
            key = key[:shared] + block.take(at, fresh)
            yield key, block.take(at + fresh, length)
            at += fresh + length

    def _spend(self, name_bytes: int) -> None:
        self.entries_left -= 1
        self.names_left -= name_bytes
        if self.entries_left < 0 or self.names_left < 0 or name_bytes > MAX_NAME_BYTES:
            raise errors.Unreadable(
                f"it has more than {MAX_ENTRIES:,} entries, or their names are too long", code="file.damaged"
            )

    def _block(self, offset: int, size: int) -> bytes:
        block, coding = self.content.take(offset, size), self.content.number(offset + size, 1)
        if coding not in (0, 1):
            raise errors.Unreadable(f"a block in an unknown coding ({coding})", code="file.damaged")
        unpacked = _snappy(block, self.bytes_left) if coding else block
        self.bytes_left -= max(len(unpacked), 1)
        if self.bytes_left < 0:
            raise errors.Unreadable("its blocks are too large", code="file.damaged")
        return unpacked


def _snappy(packed: bytes, most: int = MAX_INDEX_BYTES) -> bytes:
    """https://github.com/google/snappy/blob/main/format_description.txt"""
    data = byte_reader.ByteReader(packed, "a packed block")
    length, at = data.varint(0)
    if length > 64 * len(data) + 64 or length > most:
        raise errors.Unreadable("a packed block claims to be huge", code="file.damaged")
    out = bytearray()
    while at < len(data):
        tag = data.number(at, 1)
        at += 1
        if tag & 3 == 0:
            size = tag >> 2
            if size >= 60:
                width = size - 59
                size = data.number(at, width)
                at += width
            out += data.take(at, size + 1)
            at += size + 1
            continue
        if tag & 3 == 1:
            size, back = 4 + (tag >> 2 & 7), (tag >> 5) << 8 | data.number(at, 1)
            at += 1
        else:
            width = 2 if tag & 3 == 2 else 4
            size, back = 1 + (tag >> 2), data.number(at, width)
            at += width
        if not 0 < back <= len(out) or len(out) + size > length:
            raise errors.Unreadable("a packed block makes no sense", code="file.damaged")
        repeated = out[-back : len(out) - back + min(size, back)]  # up to 64 bytes, repeated where they overlap
        out += (repeated * (size // back + 1))[:size]
    if len(out) != length:
        raise errors.Unreadable("a packed block makes no sense", code="file.damaged")
    return bytes(out)
