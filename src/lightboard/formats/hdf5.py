"""The datasets of an HDF5 file as Keras writes its weights: contiguous, uncompressed values in groups of either format.

https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html, the parts that h5py uses. The old format, the
default of HDF5 up to version 1.14:

    superblock 0   byte 13, 14 sizes of addresses and lengths (8), byte 56 the root's symbol table entry
    entry          name in the heap u64, address of the object u64, kind u32, 4 bytes, B-tree u64, heap u64
    object         version u8, u8, messages u16, links u32, size u32, 4 bytes
    message        type u16, size u16, 4 bytes, data
    messages       1 shape · 3 type · 8 where the values are · 16 more messages elsewhere · 17 a group: B-tree, heap

The new format, of HDF5 2:

    superblock 2   byte 9, 10 the sizes, byte 36 the address of the root
    object         OHDR, version u8, flags u8, times, limits, size of the messages (1, 2, 4 or 8 bytes)
    message        type u8, size u16, flags u8, order u16 if the object's flags have 4, data
    messages       2 a group: where its links are if they are many · 6 a link: version u8, flags u8, …, name, address
    fractal heap   FRHP: where blocks of links are, which follow each other without gaps in a file that is written once

Values that are compressed or were never written raise an error. Every address is checked against the file's end, and
limits apply to objects, bytes read and characters of names.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard.formats import byte_reader, vectors

Read = Callable[[int, int], bytes]
"""(offset, length) → that many bytes, fewer at the file's end."""

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_NOWHERE = 0xFFFFFFFFFFFFFFFF
_SHAPE, _LINKS, _TYPE, _LINK, _LAYOUT, _MORE, _GROUP = 1, 2, 3, 6, 8, 16, 17
_MAX_DEPTH = 32
_MAX_OBJECTS = 100_000
# Limit on metadata, not on values: a file of 10,000 layers has about 20 MB of it.
_MAX_BYTES = 64 << 20
# A read counts as at least so many bytes, because short reads take time too.
_READ_BYTES = 256
_MAX_NAME = 4096
_MAX_ROWS = 64
_PAGE_BYTES = 64 << 10
_MOST_PAGES = 64
_NEWER = "this HDF5 file is of a newer form than is read here"
_INSTEAD = "write the vectors to a TSV file, and name it as tensor_path in projector_config.pbtxt"


@dataclasses.dataclass(frozen=True)
class Dataset:
    path: str
    shape: tuple[int, ...]
    dtype: str
    address: int | None  # None: not contiguous


def datasets(read: Read) -> list[Dataset]:
    """Numeric datasets, sorted by path."""
    found = read(0, 96)
    if not found.startswith(_SIGNATURE):
        raise errors.Unreadable("this is not an HDF5 file", code="hdf5.not_hdf5")
    head = byte_reader.ByteReader(found, "the HDF5 file")
    version = head.number(8, 1)
    newer = version in (2, 3)
    if version > 3 or head.take(9 if newer else 13, 2) != b"\x08\x08":
        raise errors.Unreadable(_NEWER, hint=_INSTEAD, code="hdf5.unsupported")
    root = head.number(36 if newer else 64 + (4 if version == 1 else 0), 8)
    return sorted(_below(_File(read), "", root, 0), key=lambda each: each.path)


def check(read: Read, dataset: Dataset) -> int:
    """The offset of the values, which are not read; raises Unreadable if they cannot be."""
    if dataset.address is None:
        raise errors.Unreadable(
            f"the values of `{dataset.path}` are stored in chunks or packed, which is not read here",
            hint=_INSTEAD,
            code="hdf5.packed",
            path=dataset.path,
        )
    vectors.check(dataset.shape, dataset.path)
    if dataset.address == _NOWHERE:
        raise errors.Unreadable(
            f"the values of `{dataset.path}` were never written", code="hdf5.empty", path=dataset.path
        )
    vectors.check_there(read, dataset.address, dataset.shape, dataset.dtype, dataset.path)
    return dataset.address


def load(read: Read, dataset: Dataset) -> NDArray[np.float32]:
    return vectors.read(read, check(read, dataset), dataset.shape, dataset.dtype, dataset.path)


class _File:
    """State: `objects` and `spent` only grow, so that files with cyclic groups or huge sizes reach a limit. `_pages`
    caches recent reads: metadata is many small reads close together."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._pages: dict[int, bytes] = {}
        self.objects = 0
        self.spent = 0

    def spend(self, size: int) -> None:
        self.spent += size
        if self.spent > _MAX_BYTES:
            raise errors.Unreadable(
                "the HDF5 file says more about itself than is read here", hint=_INSTEAD, code="hdf5.unsupported"
            )

    def at(self, address: int, size: int) -> byte_reader.ByteReader:
        if not 0 <= address < 1 << 62 or size < 0:
            raise errors.Unreadable("an address in the HDF5 file makes no sense", code="hdf5.damaged")
        self.spend(max(size, _READ_BYTES))
        first, last = address // _PAGE_BYTES, (address + size - 1) // _PAGE_BYTES
        pages = []
        for number in range(first, last + 1):
            pages.append(self._page(number))
            if len(pages[-1]) < _PAGE_BYTES:
                break  # the end of the file
        found = byte_reader.ByteReader(b"".join(pages), "the HDF5 file")
        return byte_reader.ByteReader(found.take(address - first * _PAGE_BYTES, size), "a part of the HDF5 file")

    def _page(self, number: int) -> bytes:
        if number not in self._pages:
            if len(self._pages) >= _MOST_PAGES:
                self._pages.clear()
            self._pages[number] = self._read(number * _PAGE_BYTES, _PAGE_BYTES)
        return self._pages[number]

    def object(self, address: int) -> dict[int, list[byte_reader.ByteReader]]:
        """Return messages by type."""
        self.objects += 1
        if self.objects > _MAX_OBJECTS:
            raise errors.Unreadable("the HDF5 file has too many objects", code="hdf5.unsupported")
        head = self.at(address, 12)
        found: dict[int, list[byte_reader.ByteReader]] = {}
        for kind, data in self._newer(address) if head.take(0, 4) == b"OHDR" else self._older(address, head):
            found.setdefault(kind, []).append(data)
        return found

    def _older(self, address: int, head: byte_reader.ByteReader) -> Iterator[tuple[int, byte_reader.ByteReader]]:
        count, size = head.number(2, 2), head.number(8, 4)
        if head.number(0, 1) != 1:
            raise errors.Unreadable(_NEWER, hint=_INSTEAD, code="hdf5.unsupported")
        blocks = [(address + 16, size)]
        while blocks and count > 0:
            start, length = blocks.pop(0)
            block, at = self.at(start, length), 0
            while at + 8 <= len(block) and count > 0:
                kind, size = block.numbers(at, 2, 2)
                data = _part(block, at + 8, size)
                at += 8 + size
                count -= 1
                if kind == _MORE:
                    blocks.append((data.number(0, 8), data.number(8, 8)))
                else:
                    yield kind, data

    def _newer(self, address: int) -> Iterator[tuple[int, byte_reader.ByteReader]]:
        version, flags = self.at(address + 4, 2).numbers(0, 1, 2)
        if version != 2:
            raise errors.Unreadable(_NEWER, hint=_INSTEAD, code="hdf5.unsupported")
        at = address + 6 + (16 if flags & 32 else 0) + (4 if flags & 16 else 0)
        width = 1 << (flags & 3)
        size = self.at(at, width).number(0, width)
        head = 6 if flags & 4 else 4
        blocks = [(at + width, size)]
        while blocks:
            start, length = blocks.pop(0)
            block, at = self.at(start, length), 0
            while at + head <= len(block):
                kind, size = block.number(at, 1), block.number(at + 1, 2)
                data = _part(block, at + head, size)
                at += head + size
                if kind == _MORE:
                    blocks.append((data.number(0, 8) + 4, data.number(8, 8) - 8))  # without OCHK and the checksum
                else:
                    yield kind, data


def _part(block: byte_reader.ByteReader, at: int, size: int) -> byte_reader.ByteReader:
    """A message, or the part that exists: unused messages may be truncated."""
    return byte_reader.ByteReader(block.data[at : at + size], "a message of the HDF5 file")


def _below(file: _File, path: str, address: int, depth: int) -> Iterator[Dataset]:
    if depth > _MAX_DEPTH:
        raise errors.Unreadable("the groups of the HDF5 file lie too deep in each other", code="hdf5.unsupported")
    file.spend(len(path))
    messages = file.object(address)
    if _GROUP in messages or _LINKS in messages or _LINK in messages:
        for name, member in _links(file, messages):
            yield from _below(file, f"{path}/{name}" if path else name, member, depth + 1)
    elif _SHAPE in messages and _TYPE in messages and _LAYOUT in messages:
        found = _dataset(path, messages[_SHAPE][0], messages[_TYPE][0], messages[_LAYOUT][0])
        if found is not None:
            yield found


def _links(file: _File, messages: dict[int, list[byte_reader.ByteReader]]) -> Iterator[tuple[str, int]]:
    """Yield names and addresses of a group's members."""
    for each in messages.get(_GROUP, [])[:1]:
        tree, heap = each.numbers(0, 8, 2)
        names = _heap(file, heap)
        for name_at, member in _members(file, tree, 0):
            yield _name(bytes(names.data[name_at : name_at + _MAX_NAME + 1]).partition(b"\0")[0]), member
    for each in messages.get(_LINK, []):
        name, place, _ = _link(each, 0)
        if place is not None:
            yield name, place
    for each in messages.get(_LINKS, [])[:1]:
        heap = each.number(10 if each.number(1, 1) & 1 else 2, 8)
        if heap != _NOWHERE:
            yield from _heap_links(file, heap)


def _name(written: bytes) -> str:
    if len(written) > _MAX_NAME:
        raise errors.Unreadable(f"a name in the HDF5 file is longer than {_MAX_NAME} bytes", code="hdf5.unsupported")
    return written.decode("utf-8", "replace")


def _link(data: byte_reader.ByteReader, at: int) -> tuple[str, int | None, int]:
    """Name, address (None: a link to another path or file) and end offset."""
    flags = data.number(at + 1, 1)
    at += 2
    kind = data.number(at, 1) if flags & 8 else 0
    at += (1 if flags & 8 else 0) + (8 if flags & 4 else 0) + (1 if flags & 16 else 0)
    width = 1 << (flags & 3)
    length = data.number(at, width)
    at += width
    name = _name(data.take(at, length))
    at += length
    if kind == 0:
        return name, data.number(at, 8), at + 8
    return name, None, at + 2 + data.number(at, 2)


# signature 4, version 1, length of ids 2, size of filters 2, flags 1, largest object 4, twelve numbers of 8 (the ninth:
# how many objects), width 2, first block 8, largest block 8, bits of offsets 2, rows at first 2, root 8, rows 2
_FRACTAL_BYTES = 142


def _heap_links(file: _File, address: int) -> Iterator[tuple[str, int]]:
    head = file.at(address, _FRACTAL_BYTES)
    filters, flags, expected = head.number(7, 2), head.number(9, 1), head.number(14 + 7 * 8, 8)
    width, first, most = head.number(110, 2), head.number(112, 8), head.number(120, 8)
    bits, root, rows = head.number(128, 2), head.number(132, 8), head.number(140, 2)
    if head.take(0, 4) != b"FRHP" or filters or not first or not width or rows > _MAX_ROWS:
        raise errors.Unreadable("a group of the HDF5 file makes no sense", code="hdf5.damaged")
    before = 13 + (bits + 7) // 8
    # blocks of the first two rows have the same size; from there on it doubles with every row
    sizes = [first << max(0, row - 1) for row in range(rows)]
    if sizes[-1:] > [most]:
        raise errors.Unreadable(_NEWER, hint=_INSTEAD, code="hdf5.unsupported")
    blocks = [(root, first)]
    if rows:
        table = file.at(root + before, 8 * rows * width).numbers(0, 8, rows * width)
        blocks = [(each, sizes[at // width]) for at, each in enumerate(table) if each != _NOWHERE]
    found = 0
    for start, size in blocks:
        block = file.at(start, size)
        if bytes(block.data[:4]) != b"FHDB":
            raise errors.Unreadable("a group of the HDF5 file makes no sense", code="hdf5.damaged")
        at = before + (4 if flags & 2 else 0)
        while found < expected and at < size and block.number(at, 1) == 1:
            name, place, at = _link(block, at)
            found += 1
            if place is not None:
                yield name, place
    if found != expected:
        raise errors.Unreadable(_NEWER, hint=_INSTEAD, code="hdf5.unsupported")


def _heap(file: _File, address: int) -> byte_reader.ByteReader:
    head = file.at(address, 32)
    if head.take(0, 4) != b"HEAP":
        raise errors.Unreadable("a group of the HDF5 file has no names", code="hdf5.damaged")
    size, _, data = head.numbers(8, 8, 3)
    return file.at(data, size)


def _members(file: _File, address: int, depth: int) -> Iterator[tuple[int, int]]:
    """(offset of the name in the heap, address of the object) per member."""
    head = file.at(address, 24)
    kind, count = head.take(0, 4), head.number(6, 2)
    if kind == b"SNOD":
        entries = file.at(address + 8, 40 * count)
        for row in range(count):
            name, member = entries.numbers(40 * row, 8, 2)
            yield name, member
        return
    if kind != b"TREE" or depth > _MAX_DEPTH:
        raise errors.Unreadable("a group of the HDF5 file makes no sense", code="hdf5.damaged")
    body = file.at(address + 24, 8 + 16 * count)
    for row in range(count):
        yield from _members(file, body.number(8 + 16 * row, 8), depth + 1)


def _dataset(
    path: str, space: byte_reader.ByteReader, kind: byte_reader.ByteReader, layout: byte_reader.ByteReader
) -> Dataset | None:
    dtype, version = _dtype(kind), space.number(0, 1)
    if dtype is None or version not in (1, 2) or layout.number(0, 1) not in (3, 4):
        return None  # text cannot be an embedding
    shape = space.numbers(8 if version == 1 else 4, 8, space.number(1, 1))
    return Dataset(path, shape, dtype, layout.number(2, 8) if layout.number(1, 1) == 1 else None)


def _dtype(message: byte_reader.ByteReader) -> str | None:
    kind, flags, size = message.number(0, 1) & 15, message.number(1, 1), message.number(4, 4)
    sign = ">" if flags & 1 else "<"
    if kind == 1 and size in (2, 4, 8):
        return f"{sign}f{size}"
    if kind == 0 and size in (1, 2, 4, 8):
        return f"{sign}{'i' if flags & 8 else 'u'}{size}"
    return None
