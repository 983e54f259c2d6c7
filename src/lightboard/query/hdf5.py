"""The datasets of an HDF5 file as Keras writes its weights: groups as symbol tables, values in one piece, unpacked.

https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html, the parts that h5py's defaults use:

    superblock 0   byte 13, 14 sizes of addresses and lengths (8), byte 56 the root's symbol table entry
    entry          name in the heap u64, address of the object u64, kind u32, 4 bytes, B-tree u64, heap u64
    object         version u8, u8, messages u16, links u32, size u32, 4 bytes
    message        type u16, size u16, 4 bytes, data
    messages       1 shape · 3 type · 8 where the values are · 16 more messages elsewhere · 17 a group: B-tree, heap

Newer forms and packed values are refused by name. Every address is checked against the file's end.
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
_SHAPE, _TYPE, _LAYOUT, _MORE, _GROUP = 1, 3, 8, 16, 17
_MAX_DEPTH = 32
_MAX_OBJECTS = 100_000
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
    if len(head) < 96 or head[8] > 1 or head[13] != 8 or head[14] != 8:
        raise errors.Unreadable(_NEWER, hint=_INSTEAD)
    root = 56 + (4 if head[8] == 1 else 0)
    try:
        (address,) = struct.unpack_from("<Q", head, root + 8)
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
        if not 0 <= address < 1 << 62 or size > 64 << 20:
            raise errors.Unreadable("an address that makes no sense")
        data = self._read(address, size)
        if len(data) < size:
            raise errors.Unreadable("the HDF5 file ends too early; is it still being written?")
        return data

    def object(self, address: int) -> dict[int, bytes]:
        """Messages by type; of several of one type the first."""
        self.seen += 1
        if self.seen > _MAX_OBJECTS:
            raise errors.Unreadable("the HDF5 file has too many objects")
        version, _, count, _, size = struct.unpack("<BBHII", self.at(address, 12))
        if version != 1:
            raise errors.Unreadable(_NEWER, hint=_INSTEAD)
        found: dict[int, bytes] = {}
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
                elif kind not in found:
                    found[kind] = data
        return found


def _below(file: _File, path: str, address: int, depth: int) -> Iterator[Dataset]:
    if depth > _MAX_DEPTH:
        raise errors.Unreadable("the groups of the HDF5 file lie too deep in each other")
    messages = file.object(address)
    if _GROUP in messages:
        tree, heap = struct.unpack_from("<QQ", messages[_GROUP])
        names = _heap(file, heap)
        for name_at, member in _members(file, tree, 0):
            name = names[name_at : names.index(b"\0", name_at)].decode("utf-8", "replace")
            yield from _below(file, f"{path}/{name}" if path else name, member, depth + 1)
    elif _SHAPE in messages and _TYPE in messages and _LAYOUT in messages:
        found = _dataset(path, messages)
        if found is not None:
            yield found


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


def _dataset(path: str, messages: dict[int, bytes]) -> Dataset | None:
    dtype = _dtype(messages[_TYPE])
    space, layout = messages[_SHAPE], messages[_LAYOUT]
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
