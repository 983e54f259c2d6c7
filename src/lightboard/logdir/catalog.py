"""The catalog file of an index: every table of a store, and the names of the segments that hold the columns.

    header    magic, format, length of the contents, size of the file, checksums of body and header
    contents  JSON: the offset of each array, the segments, the faults, when and by which build it was written
    arrays    the tables and packed names as they are in memory, each at a multiple of 64

Reading maps the file and makes views; nothing is done per row. If a file differs from what was written (checksum,
size, build, row layouts), it is refused with ValueError, and the caller reads the logs again.
"""

from __future__ import annotations

import dataclasses
import json
import mmap
import os
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import _native, sources, types
from lightboard.store import row_types, snapshot

MAGIC = b"LBINDEX\0"
FORMAT = 3
_HEADER = struct.Struct("<8sIIQII")
_TABLES = {
    "runs": row_types.RUN,
    "files": row_types.FILE,
    "series": row_types.SERIES,
    "chunks": row_types.CHUNK,
    "starts": row_types.START,
    "sources": row_types.SOURCE,
}
_NAMES = ("run_names", "tag_names", "paths", "source_kinds", "source_runs", "source_keys", "source_addresses")
_METADATA = ("plugin", "content", "display_name", "description")


@dataclasses.dataclass(frozen=True)
class SegmentName:
    """A segment file, as the catalog refers to it."""

    name: str
    identity: str  # hexadecimal
    end: int
    sums: bytes = b""  # checksums of its blocks, 4 bytes each


@dataclasses.dataclass(frozen=True)
class Catalog:
    """The content of a catalog. `saved` has no segments yet: the index maps them."""

    saved: snapshot.Snapshot
    segments: list[SegmentName]
    identity: str  # a random id of this catalog
    boot: str  # boot id of the machine when it was written
    complete: bool  # every file was read to its end


def stamp() -> str:
    """Returns a text that changes when another build might use a different layout."""
    import lightboard

    built = os.stat(_native.__file__)
    layouts = zlib.crc32(repr([dtype.descr for dtype in (*_TABLES.values(), row_types.REF)] + [sources.RULES]).encode())
    return f"{FORMAT}-{lightboard.__version__}-{built.st_size}-{built.st_mtime_ns}-{layouts}"


def pack(catalog: Catalog) -> list[bytes | memoryview]:
    """Returns the file's bytes, in pieces."""
    saved = catalog.saved
    arrays: dict[str, bytes | memoryview] = {name: memoryview(getattr(saved, name)).cast("B") for name in _TABLES}
    for name in _NAMES:
        arrays[name], arrays[name + ".ends"] = _bytes_of(getattr(saved, name))
    for name in _METADATA:
        values = [getattr(each, name) for each in saved.metadata]
        encoded = [each if isinstance(each, bytes) else each.encode("utf-8", "surrogateescape") for each in values]
        lengths = np.fromiter(map(len, encoded), np.uint64, len(encoded))
        arrays["metadata." + name] = b"".join(encoded)
        arrays["metadata." + name + ".ends"] = np.cumsum(lengths, dtype=np.uint64).tobytes()
    classes = [each.data_class for each in saved.metadata]
    arrays["metadata.data_class"] = np.array(classes, np.int64).tobytes()
    arrays["segments.sums"] = b"".join(segment.sums for segment in catalog.segments)
    return _lay_out(catalog, arrays)


def read(path: str) -> Catalog:
    """Map a catalog. Raises ValueError if it is invalid, OSError if there is none."""
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        size = os.fstat(fd).st_size
        if size < _HEADER.size:
            raise ValueError("too short for a catalog")
        whole = memoryview(mmap.mmap(fd, size, prot=mmap.PROT_READ))
    finally:
        os.close(fd)
    contents, arrays = _open(whole)
    try:
        return _unpack(contents, arrays)
    except (KeyError, TypeError, IndexError, UnicodeError, RecursionError) as error:
        raise ValueError(f"the catalog does not say what it should: {error!r}") from error


def _lay_out(catalog: Catalog, arrays: dict[str, bytes | memoryview]) -> list[bytes | memoryview]:
    contents: dict[str, Any] = {
        "stamp": stamp(),
        "identity": catalog.identity,
        "boot": catalog.boot,
        "complete": catalog.complete,
        "version": catalog.saved.version,
        "segments": [(segment.name, segment.identity, segment.end) for segment in catalog.segments],
        "faults": [(row, *dataclasses.astuple(fault)) for row, each in catalog.saved.faults.items() for fault in each],
        "sizes": {name: memoryview(array).nbytes for name, array in arrays.items()},
    }
    encoded = json.dumps(contents, separators=(",", ":")).encode()
    pieces: list[bytes | memoryview] = [b"", encoded]
    at = _HEADER.size + len(encoded)
    for array in arrays.values():
        padding = -at % 64
        pieces += [b"\0" * padding, array]
        at += padding + memoryview(array).nbytes
    body = 0
    for piece in pieces[1:]:
        body = zlib.crc32(piece, body)
    head = _HEADER.pack(MAGIC, FORMAT, len(encoded), at, body, 0)
    pieces[0] = _HEADER.pack(MAGIC, FORMAT, len(encoded), at, body, zlib.crc32(head))
    return pieces


def _open(whole: memoryview) -> tuple[dict[str, Any], dict[str, memoryview]]:
    magic, format_, length, size, body, head = _HEADER.unpack(whole[: _HEADER.size])
    if magic != MAGIC or format_ != FORMAT or size != len(whole) or _HEADER.size + length > size:
        raise ValueError("not a catalog of this format")
    if zlib.crc32(_HEADER.pack(magic, format_, length, size, body, 0)) != head:
        raise ValueError("the catalog's header is damaged")
    if zlib.crc32(whole[_HEADER.size :]) != body:
        raise ValueError("the catalog is damaged")
    contents = json.loads(bytes(whole[_HEADER.size : _HEADER.size + length]))
    if contents.get("stamp") != stamp():
        raise ValueError("written by another build")
    arrays, at = {}, _HEADER.size + length
    for name, nbytes in contents["sizes"].items():
        at += -at % 64
        arrays[name] = whole[at : at + nbytes]
        at += nbytes
    return contents, arrays


def _unpack(contents: dict[str, Any], arrays: dict[str, memoryview]) -> Catalog:
    fields: dict[str, Any] = {
        name: np.frombuffer(arrays[name], dtype) if len(arrays[name]) else np.zeros(0, dtype)
        for name, dtype in _TABLES.items()
    }
    fields.update({name: (arrays[name], _ends(arrays, name)) for name in _NAMES})
    faults: dict[int, list[types.Fault]] = {}
    for row, *fields_of_fault in contents["faults"]:
        faults.setdefault(row, []).append(types.Fault(*fields_of_fault))
    saved = snapshot.Snapshot(
        version=contents["version"], **fields, metadata=_metadata(arrays), faults=faults, segments=[]
    )
    segments = _segments(contents["segments"], arrays["segments.sums"])
    return Catalog(saved, segments, contents["identity"], contents["boot"], contents["complete"])


def _segments(rows: list[tuple[str, str, int]], sums: memoryview) -> list[SegmentName]:
    segments, at = [], 0
    for name, identity, end in rows:
        nbytes = -(-end // _native.SUM_BLOCK_BYTES) * 4
        segments.append(SegmentName(name, identity, end, bytes(sums[at : at + nbytes])))
        at += nbytes
    return segments


def _metadata(arrays: dict[str, memoryview]) -> list[types.Metadata]:
    columns: dict[str, list[bytes]] = {}
    for name in _METADATA:
        packed, ends = bytes(arrays["metadata." + name]), _ends(arrays, "metadata." + name).tolist()
        columns[name] = [packed[start:end] for start, end in zip([0, *ends[:-1]], ends, strict=False)]
    classes = np.frombuffer(arrays["metadata.data_class"], np.int64).tolist()
    plugins, names, descriptions = (
        [each.decode("utf-8", "surrogateescape") for each in columns[name]] for name in _METADATA if name != "content"
    )
    return [
        types.Metadata(plugin, content, display_name, description, data_class)
        for plugin, content, display_name, description, data_class in zip(
            plugins, columns["content"], names, descriptions, classes, strict=True
        )
    ]


def _ends(arrays: dict[str, memoryview], name: str) -> NDArray[np.uint64]:
    return np.frombuffer(arrays[name + ".ends"], np.uint64)


def _bytes_of(packed: snapshot.Packed) -> tuple[bytes | memoryview, bytes]:
    return packed[0], packed[1].tobytes()
