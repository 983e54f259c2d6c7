"""Embeddings and graphs that people uploaded from their own disks, kept for a limited time.

Embeddings belong to the run "", which no log has; a name ends with a hash of the content. Large ones are in temporary
files that have no name. Graphs are known by their keys. They cannot be read again from the logs, so they are kept in
their own caches, where only newer uploads evict them.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from typing import NamedTuple

import numpy as np

from lightboard import errors, store, types
from lightboard.formats import bounded_json, npy, vectors
from lightboard.query import spooled
from lightboard.query.graphs import graphs
from lightboard.query.projector import config as projector_config
from lightboard.query.projector import sources as projector_sources

KIND = "upload"
RUN = ""
MAX_BYTES = 512 << 20
MAX_JSON_BYTES = 32 << 20
_EMBEDDINGS = store.Share("uploaded embeddings", MAX_BYTES, keep_newest=True)
_GRAPHS = store.Share("uploaded graphs", 256 << 20)
_TENSOR, _METADATA = "tensors", "metadata"
_MOST_VALUES = 100  # the limit of values in the JSON that contains the files
_HOW_NPY = "numpy.save(path, vectors.astype('float32')) writes one"


@dataclasses.dataclass(frozen=True)
class _Upload:
    config: projector_config.Embedding
    files: dict[str, spooled.Bytes]

    @property
    def size(self) -> int:
        return sum(map(len, self.files.values()))


class Embeddings:
    """Uploaded embeddings by name; implements `store.FilesBeside` for their files."""

    def __init__(self) -> None:
        self._cache = store.Cache(MAX_BYTES)

    def keep(
        self, title: str, tensors: spooled.Bytes, metadata: spooled.Bytes | None, shape: tuple[int, ...] = ()
    ) -> str:
        """Keep an embedding and return its name for later requests."""
        if not tensors:
            raise errors.BadInput(
                "the file is empty", hint="one point a line, its numbers separated by tabs", code="upload.empty"
            )
        digest = hashlib.blake2b(tensors, digest_size=6)
        digest.update(repr(shape).encode())
        digest.update(metadata or b"")
        name = f"{title or 'upload'}:{digest.hexdigest()}"

        def upload() -> _Upload:
            files = {_TENSOR: spooled.data(tensors)}
            if metadata is not None:
                files[_METADATA] = spooled.data(metadata)
            metadata_path = _METADATA if metadata is not None else ""
            config = projector_config.Embedding(name, metadata_path=metadata_path, shape=shape, tensor_path=_TENSOR)
            return _Upload(config, files)

        self._cache.get(_EMBEDDINGS, name, upload, size=lambda kept: kept.size)
        return name

    def add_metadata(self, name: str, metadata: spooled.Bytes) -> str:
        upload = self._get(name)
        return self.keep(name.rpartition(":")[0], upload.files[_TENSOR], metadata, upload.config.shape)

    def find(self, name: str) -> projector_sources.Entry:
        config = self._get(name).config
        return projector_sources.Entry(types.Companion(KIND, RUN, name, b""), self, config, name, shape=config.shape)

    def _get(self, name: str) -> _Upload:
        upload: _Upload | None = self._cache.peek(_EMBEDDINGS, name)
        if upload is None:
            raise errors.Gone(
                "this file is not kept any longer", hint="load it from your disk again", code="upload.gone"
            )
        return upload

    # ---- implementation of `store.FilesBeside`

    def state(self, companion: types.Companion, name: str, *, in_run: bool = False) -> types.FileState:
        return types.FileState(len(self._file(companion, name)), 0, 0)

    def read(
        self, companion: types.Companion, name: str, offset: int = 0, length: int = -1, *, in_run: bool = False
    ) -> bytes:
        file = self._file(companion, name)
        return file[offset:] if length < 0 else file[offset : offset + length]

    def names(self, companion: types.Companion, directory: str, *, in_run: bool = False) -> list[str]:
        return []

    def _file(self, companion: types.Companion, name: str) -> spooled.Bytes:
        files = self._get(companion.path).files
        if name not in files:
            raise errors.NotFound(f"the file was not sent: {name}", code="upload.not_sent", name=name)
        return files[name]


def cost_bytes(size: int) -> int:
    """Return the peak memory of parsing an upload of this size, including its bytes and the resulting matrix."""
    return 4 * size + vectors.cost_bytes(size // 2 + 1)


class Taken(NamedTuple):
    """An uploaded embedding, ready to be kept."""

    title: str
    tensors: spooled.Bytes
    metadata: bytes | None
    shape: tuple[int, ...]


def take(title: str, sent: spooled.Bytes, rows: int | None, dims: int | None) -> Taken:
    """Parse an upload. Text tables and raw numbers are used unchanged; only JSON and small arrays are read into
    memory."""
    if sent[:1] == b"{" and len(sent) > MAX_JSON_BYTES:
        raise errors.BadInput(
            f"both files as JSON may have up to {MAX_JSON_BYTES} bytes",
            hint="send the table itself, then its metadata",
            code="upload.json_too_large",
            limit=MAX_JSON_BYTES,
        )
    if npy.is_one(sent) and len(sent) >= spooled.LARGE_BYTES:
        return Taken(title, *_large_npy(sent))
    if sent[:1] == b"{" or npy.is_one(sent):
        title, tensors, metadata = unpacked(title, bytes(sent))
        values, shape = numbers(tensors, rows, dims)
        return Taken(title, values, metadata, shape)
    return Taken(title, sent, None, _raw_shape(len(sent), rows, dims))


def _large_npy(sent: spooled.Bytes) -> tuple[spooled.Bytes, None, tuple[int, ...]]:
    """Return numbers, no metadata, and the shape. Converts in pieces, from one file into another."""
    head = _npy_head(sent)
    if head.columns_first:
        return npy.values(bytes(sent), head), None, head.shape
    found = np.frombuffer(sent, np.dtype(head.dtype), math.prod(head.shape), head.offset).reshape(head.shape)
    rows = max(1, (4 << 20) // (4 * head.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):  # values beyond the range of float32 become infinite
        pieces = (found[at : at + rows].astype("<f4").tobytes() for at in range(0, head.shape[0], rows))
        return spooled.joined(pieces), None, head.shape


def _npy_head(sent: spooled.Bytes) -> npy.Head:
    try:
        head = npy.head(sent)
        if len(head.shape) != 2 or not all(head.shape):
            raise errors.Unreadable(
                f"it must hold rows × dimensions, not {list(head.shape)}", code="npy.shape", shape=str(list(head.shape))
            )
        return head
    except errors.Unreadable as error:
        raise errors.BadInput(
            f"this .npy file cannot be read: {error.message}",
            hint=error.hint or _HOW_NPY,
            code="npy.unreadable",
            because=error,
        ) from error


def _raw_shape(size: int, rows: int | None, dims: int | None) -> tuple[int, ...]:
    if dims is None:
        return ()
    return (rows if rows is not None else size // (4 * dims), dims)


def numbers(tensors: bytes, rows: int | None, dims: int | None) -> tuple[bytes, tuple[int, ...]]:
    """Return the text or raw float32 values that were sent, and the shape of the latter. A NumPy array states its own
    shape."""
    if npy.is_one(tensors):
        head = _npy_head(tensors)
        return npy.values(tensors, head), head.shape
    return tensors, _raw_shape(len(tensors), rows, dims)


def unpacked(title: str, body: bytes) -> tuple[str, bytes, bytes | None]:
    """Return title, tensors and metadata of an upload: the file itself, or both files as JSON `{name, tensors,
    metadata}`. No table begins like that JSON."""
    if not body.startswith(b"{"):
        return title, body, None
    parsed = bounded_json.maybe_load(body, most_values=_MOST_VALUES)
    tensors, metadata = (parsed.get("tensors"), parsed.get("metadata")) if isinstance(parsed, dict) else (None, None)
    if not isinstance(parsed, dict) or not isinstance(tensors, str) or not isinstance(metadata, str | None):
        raise errors.BadInput("the body is neither a table nor `{name, tensors, metadata}`", code="upload.not_table")
    sent = metadata.encode("utf-8", "replace") if metadata is not None else None
    return str(parsed.get("name") or title), tensors.encode("utf-8", "replace"), sent


class Graphs:
    """Uploaded graphs by key."""

    def __init__(self) -> None:
        self._cache = store.Cache()

    def keep(self, graph: graphs.Graph) -> None:
        self._cache.get(_GRAPHS, graph.header.key, lambda: graph, size=lambda kept: kept.weight)

    def maybe_find(self, key: str) -> graphs.Graph | None:
        graph: graphs.Graph | None = self._cache.peek(_GRAPHS, key)
        return graph
