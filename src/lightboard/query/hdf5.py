"""The datasets of an HDF5 file as Keras writes its weights: values in one piece, unpacked, in groups of either form.

https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html, the parts that h5py uses. The form of old, which
HDF5 writes up to version 1.14 unless told otherwise:

    superblock 0   byte 13, 14 sizes of addresses and lengths (8), byte 56 the root's symbol table entry
    entry          name in the heap u64, address of the object u64, kind u32, 4 bytes, B-tree u64, heap u64
    object         version u8, u8, messages u16, links u32, size u32, 4 bytes
    message        type u16, size u16, 4 bytes, data
    messages       1 shape · 3 type · 8 where the values are · 16 more messages elsewhere · 17 a group: B-tree, heap

The newer one, which HDF5 2 writes:

    superblock 2   byte 9, 10 the sizes, byte 36 the address of the root
    object         OHDR, version u8, flags u8, times, limits, size of the messages (1, 2, 4 or 8 bytes)
    message        type u8, size u16, flags u8, order u16 if the object's flags have 4, data
    messages       2 a group: where its links lie if they are many · 6 a link: version u8, flags u8, …, name, address
    fractal heap   FRHP: where blocks of links are, which follow each other without gaps in a file that is written once

What is packed is refused by name. Every address is checked against the file's end.
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

Read = Callable[[int, int], bytes]
"""(offset, length) → that many bytes, fewer at the file's end."""

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_NOWHERE = 0xFFFFFFFFFFFFFFFF
_SHAPE, _LINKS, _TYPE, _LINK, _LAYOUT, _MORE, _GROUP = 1, 2, 3, 6, 8, 16, 17
_MAX_DEPTH = 32
_MAX_OBJECTS = 100_000
_MAX_PIECE = 64 << 20
_MAX_ROWS = 64
MAX_VALUES = 1 << 30
_NEWER = "this HDF5 file is of a newer form than is read here"
_INSTEAD = "write the vectors to a TSV file, and name it as tensor_path in projector_config.pbtxt"


@dataclasses.dataclass(frozen=True)
class Dataset:
    path: str
    shape: tuple[int, ...]
    dtype: str
    address: int | None  # None: not in one piece


def datasets(read: Read) -> list[Dataset]:
    """Those of plain numbers, by path."""
    head = read(0, 96)
    if not head.startswith(_SIGNATURE):
        raise errors.Unreadable("this is no HDF5 file")
    newer = head[8] in (2, 3)
    sizes = head[9:11] if newer else head[13:15]
    if len(head) < 48 or head[8] > 3 or sizes != b"\x08\x08":
        raise errors.Unreadable(_NEWER, hint=_INSTEAD)
    root = 36 if newer else 64 + (4 if head[8] == 1 else 0)
    try:
        (address,) = struct.unpack_from("<Q", head, root)
        found = list(_below(_File(read), "", address, 0))
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise errors.Unreadable("the HDF5 file makes no sense; is it still being written?") from error
    return sorted(found, key=lambda each: each.path)


def load(read: Read, dataset: Dataset) -> NDArray[np.float32]:
    count = math.prod(dataset.shape)
    size = count * np.dtype(dataset.dtype).itemsize
    if count > MAX_VALUES:
        raise errors.Unreadable(f"`{dataset.path}` is too large for a projector: {list(dataset.shape)}")
    if dataset.address is None:
        raise errors.Unreadable(
            f"the values of `{dataset.path}` are stored in chunks or packed, which is not read here", hint=_INSTEAD
        )
    data = read(dataset.address, size) if dataset.address != _NOWHERE else b"\0" * size
    if len(data) != size:
        raise errors.Unreadable(f"the file ends inside `{dataset.path}`; is it still being written?")
    return np.frombuffer(data, dataset.dtype).reshape(dataset.shape).astype(np.float32, copy=False)


class _File:
    """State: `seen` counts objects, so that a file whose groups hold each other comes to an end."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self.seen = 0

    def at(self, address: int, size: int) -> bytes:
        if not 0 <= address < 1 << 62 or not 0 <= size <= _MAX_PIECE:
            raise errors.Unreadable("an address that makes no sense")
        data = self._read(address, size)
        if len(data) < size:
            raise errors.Unreadable("the HDF5 file ends too early; is it still being written?")
        return data

    def object(self, address: int) -> dict[int, list[bytes]]:
        """Messages by type."""
        self.seen += 1
        if self.seen > _MAX_OBJECTS:
            raise errors.Unreadable("the HDF5 file has too many objects")
        head = self.at(address, 12)
        found: dict[int, list[bytes]] = {}
        for kind, data in self._newer(address) if head[:4] == b"OHDR" else self._older(address, head):
            found.setdefault(kind, []).append(data)
        return found

    def _older(self, address: int, head: bytes) -> Iterator[tuple[int, bytes]]:
        version, _, count, _, size = struct.unpack("<BBHII", head)
        if version != 1:
            raise errors.Unreadable(_NEWER, hint=_INSTEAD)
        blocks = [(address + 16, size)]
        while blocks and count > 0:
            start, length = blocks.pop(0)
            block, at = self.at(start, length), 0
            while at + 8 <= len(block) and count > 0:
                kind, size = struct.unpack_from("<HH", block, at)
                data = block[at + 8 : at + 8 + size]
                at += 8 + size
                count -= 1
                if kind == _MORE:
                    blocks.append(struct.unpack_from("<QQ", data))
                else:
                    yield kind, data

    def _newer(self, address: int) -> Iterator[tuple[int, bytes]]:
        version, flags = self.at(address + 4, 2)
        if version != 2:
            raise errors.Unreadable(_NEWER, hint=_INSTEAD)
        at = address + 6 + (16 if flags & 32 else 0) + (4 if flags & 16 else 0)
        width = 1 << (flags & 3)
        size = int.from_bytes(self.at(at, width), "little")
        head = 6 if flags & 4 else 4
        blocks, passed = [(at + width, size)], 0
        while blocks:
            start, length = blocks.pop(0)
            passed += length + 64
            if passed > _MAX_PIECE:
                raise errors.Unreadable("an object of the HDF5 file does not end")
            block, at = self.at(start, length), 0
            while at + head <= len(block):
                kind, size = struct.unpack_from("<BH", block, at)
                data = block[at + head : at + head + size]
                at += head + size
                if kind == _MORE:
                    start, length = struct.unpack_from("<QQ", data)
                    blocks.append((start + 4, length - 8))  # without OCHK and the checksum
                else:
                    yield kind, data


def _below(file: _File, path: str, address: int, depth: int) -> Iterator[Dataset]:
    if depth > _MAX_DEPTH:
        raise errors.Unreadable("the groups of the HDF5 file lie too deep in each other")
    messages = file.object(address)
    if _GROUP in messages or _LINKS in messages or _LINK in messages:
        for name, member in _links(file, messages):
            yield from _below(file, f"{path}/{name}" if path else name, member, depth + 1)
    elif _SHAPE in messages and _TYPE in messages and _LAYOUT in messages:
        found = _dataset(path, messages[_SHAPE][0], messages[_TYPE][0], messages[_LAYOUT][0])
        if found is not None:
            yield found


def _links(file: _File, messages: dict[int, list[bytes]]) -> Iterator[tuple[str, int]]:
    """Names and addresses of a group's members."""
    for each in messages.get(_GROUP, [])[:1]:
        tree, heap = struct.unpack_from("<QQ", each)
        names = _heap(file, heap)
        for name_at, member in _members(file, tree, 0):
            yield names[name_at : names.index(b"\0", name_at)].decode("utf-8", "replace"), member
    for each in messages.get(_LINK, []):
        name, place, _ = _link(each, 0)
        if place is not None:
            yield name, place
    for each in messages.get(_LINKS, [])[:1]:
        (heap,) = struct.unpack_from("<Q", each, 10 if each[1] & 1 else 2)
        if heap != _NOWHERE:
            yield from _heap_links(file, heap)


def _link(data: bytes, at: int) -> tuple[str, int | None, int]:
    """Name, address (None: it leads to another place or file) and where it ends."""
    flags = data[at + 1]
    at += 2
    kind = data[at] if flags & 8 else 0
    at += (1 if flags & 8 else 0) + (8 if flags & 4 else 0) + (1 if flags & 16 else 0)
    width = 1 << (flags & 3)
    length = int.from_bytes(data[at : at + width], "little")
    at += width
    name = data[at : at + length].decode("utf-8", "replace")
    at += length
    if kind == 0:
        return name, int(struct.unpack_from("<Q", data, at)[0]), at + 8
    return name, None, at + 2 + int(struct.unpack_from("<H", data, at)[0])


_FRACTAL = struct.Struct("<4sBHHBI12QHQQHHQH")


def _heap_links(file: _File, address: int) -> Iterator[tuple[str, int]]:
    head = _FRACTAL.unpack(file.at(address, _FRACTAL.size))
    filters, flags, expected = head[3], head[4], head[13]
    width, first, most, bits, _, root, rows = head[18:]
    if head[0] != b"FRHP" or filters or not first or not width or rows > _MAX_ROWS:
        raise errors.Unreadable("a group of the HDF5 file makes no sense")
    offset_bytes = (bits + 7) // 8
    before = 13 + offset_bytes
    # the blocks of the first two rows are alike, those of each other row twice as large as those of the one before
    sizes = [first << max(0, row - 1) for row in range(rows)]
    if sizes[-1:] > [most]:
        raise errors.Unreadable(_NEWER, hint=_INSTEAD)
    blocks = [(root, first)]
    if rows:
        table = struct.unpack(f"<{rows * width}Q", file.at(root + before, 8 * rows * width))
        blocks = [(each, sizes[at // width]) for at, each in enumerate(table) if each != _NOWHERE]
    if sum(size for _, size in blocks) > _MAX_PIECE:
        raise errors.Unreadable("a group of the HDF5 file is too large")
    found = 0
    for start, size in blocks:
        block = file.at(start, size)
        if block[:4] != b"FHDB":
            raise errors.Unreadable("a group of the HDF5 file makes no sense")
        at = before + (4 if flags & 2 else 0)
        while found < expected and at < size and block[at] == 1:
            name, place, at = _link(block, at)
            found += 1
            if place is not None:
                yield name, place
    if found != expected:
        raise errors.Unreadable(_NEWER, hint=_INSTEAD)


def _heap(file: _File, address: int) -> bytes:
    head = file.at(address, 32)
    if head[:4] != b"HEAP":
        raise errors.Unreadable("a group of the HDF5 file has no names")
    size, _, data = struct.unpack_from("<QQQ", head, 8)
    return file.at(data, size) + b"\0"


def _members(file: _File, address: int, depth: int) -> Iterator[tuple[int, int]]:
    """(place of the name in the heap, address of the object) of each member."""
    head = file.at(address, 24)
    if head[:4] == b"SNOD":
        (count,) = struct.unpack_from("<H", head, 6)
        entries = file.at(address + 8, 40 * count)
        for row in range(count):
            yield struct.unpack_from("<QQ", entries, 40 * row)
        return
    if head[:4] != b"TREE" or depth > _MAX_DEPTH:
        raise errors.Unreadable("a group of the HDF5 file makes no sense")
    (count,) = struct.unpack_from("<H", head, 6)
    body = file.at(address + 24, 8 + 16 * count)
    for row in range(count):
        (child,) = struct.unpack_from("<Q", body, 8 + 16 * row)
        yield from _members(file, child, depth + 1)


def _dataset(path: str, space: bytes, kind: bytes, layout: bytes) -> Dataset | None:
    dtype = _dtype(kind)
    if dtype is None or space[0] not in (1, 2) or layout[0] not in (3, 4):
        return None  # text: not what an embedding is
    at = 8 if space[0] == 1 else 4
    shape: tuple[Any, ...] = struct.unpack_from(f"<{space[1]}Q", space, at)
    return Dataset(path, shape, dtype, struct.unpack_from("<Q", layout, 2)[0] if layout[1] == 1 else None)


def _dtype(message: bytes) -> str | None:
    kind, order, size = message[0] & 15, message[1] & 1, struct.unpack_from("<I", message, 4)[0]
    sign = ">" if order else "<"
    if kind == 1 and size in (2, 4, 8):
        return f"{sign}f{size}"
    if kind == 0 and size in (1, 2, 4, 8):
        return f"{sign}{'i' if message[1] & 8 else 'u'}{size}"
    return None
