"""Find and read the numbers of an embedding: text, raw float32, checkpoints of TensorFlow and Keras.

tensor_path           TSV, one row per line; or float32 without a header, with `tensor_shape` in the config
no tensor_path        the tensor of that name in `model_checkpoint_path`, else in the newest checkpoint beside the
                      config, in its run or in `train/`, where Keras' `embeddings_freq` saves it
"""

from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, projection, store, types
from lightboard.formats import checkpoints, hdf5, vectors
from lightboard.query import order, spooled
from lightboard.query.projector import config as projector_config

# By key of their source. The share has space for a million rows of a hundred dimensions and others; large matrices are
# in temporary files.
_MATRICES = store.Share("matrices", 768 << 20, keep_newest=True)
_SHAPES = store.Share("shapes of matrices", 4 << 20)  # by key of the source
_CHECKPOINTS = store.Share("checkpoints", 16 << 20, keep_newest=True)  # by path and prefix
PIECE_BYTES = vectors.PIECE_BYTES
# The limit for a text table: sixteen bytes for each value that the projector accepts.
MAX_TEXT_BYTES = 16 * vectors.MAX_VALUES
_CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\r\f")
_KERAS = re.compile(r"keras_embedding\.ckpt-(\d+)\.weights\.h5")
_KERAS_NAME = "layer_with_weights-0/embeddings/.ATTRIBUTES/VARIABLE_VALUE"
_LATEST = re.compile(rb'^[ \t]*model_checkpoint_path:\s*"((?:[^"\\]|\\.)*)"', re.MULTILINE)
_NO_CHECKPOINT = "the config names no tensor_path, and there is no checkpoint beside it"


@dataclasses.dataclass(frozen=True)
class Entry:
    """One embedding as its config describes it. `name` is unique within the run."""

    companion: types.Companion
    files: store.FilesBeside = dataclasses.field(compare=False, repr=False)  # reads the files that the config names
    config: projector_config.Embedding
    name: str
    twin: int = 0  # number of earlier embeddings with the same name
    checkpoint: str = ""  # prefix of the checkpoint that contains it, if any
    shape: tuple[int, ...] = ()  # from the config or the checkpoint

    @property
    def run(self) -> str:
        return self.companion.run


@dataclasses.dataclass(frozen=True)
class Source:
    """Where the values are stored: `kind` is tsv, bytes, checkpoint or keras; `key` changes when the values change."""

    kind: str
    path: str
    key: tuple[Any, ...]


# ---- the list of embeddings


def entries(source: store.Store, run: str | None = None) -> list[Entry]:
    found: list[Entry] = []
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    for companion in projector_config.companions(source, run):
        for entry in _of_config(source, companion):
            key = (entry.run, entry.config.name)
            twin = counts[key]
            counts[key] += 1
            name = entry.config.name if not twin else f"{entry.config.name} ({twin + 1})"
            found.append(dataclasses.replace(entry, name=name, twin=twin))
    return found


def find(source: store.Store, run: str, name: str) -> Entry:
    """Return an embedding that was logged."""
    known = entries(source, run)
    for entry in known:
        if entry.name == name:
            return entry
    if not known:
        raise errors.NotFound(
            f"the run {run!r} has no embeddings",
            hint="what there is: /api/projector",
            code="embedding.unknown",
            run=run,
            name=name,
        )
    raise errors.NotFound(
        f"no embedding {name!r} in the run {run!r}",
        hint="what there is: /api/projector",
        code="embedding.unknown",
        run=run,
        name=name,
    )


def _of_config(source: store.Store, companion: types.Companion) -> Iterator[Entry]:
    config = projector_config.parse(companion.content)
    wants = not config.embeddings or any(not each.tensor_path for each in config.embeddings)
    prefix = checkpoint_of(source, companion) if wants and companion.content.strip() else ""
    configured: set[str] = set()
    inside: dict[str, tuple[int, ...]] = {}
    if prefix and not prefix.endswith(".h5"):
        inside = {name: each.shape for name, each in _opened(source, companion, prefix).items()}
    for each in config.embeddings:
        shape = each.shape or inside.get(each.name, ())
        yield Entry(companion, source.beside, each, each.name, 0, "" if each.tensor_path else prefix, shape)
        configured.add(each.name)
    for name, shape in inside.items():
        # Tensors that the config does not name are shown too, like in TensorBoard, except slots of optimizers.
        if len(shape) == 2 and name not in configured and ".OPTIMIZER_SLOT" not in name:
            yield Entry(companion, source.beside, projector_config.Embedding(name), name, 0, prefix, shape)


def _opened(source: store.Store, companion: types.Companion, prefix: str) -> dict[str, checkpoints.Entry]:
    try:
        state = source.beside.state(companion, f"{prefix}.index", in_run=True)
        return _checkpoint(source, source.beside, companion, prefix, state).entries
    except errors.LightboardError:
        return {}  # a request for the tensor reports the error


# ---- checkpoints


def checkpoint_of(source: store.Store, companion: types.Companion) -> str:
    """Return the prefix of the checkpoint, or the path of Keras' file, relative to the config; "" if there is none."""
    config = projector_config.parse(companion.content)
    if config.checkpoint_path:
        return config.checkpoint_path
    places = [config.checkpoint_dir] if config.checkpoint_dir else [".", "train", "..", "../.."]
    for place in places:
        try:
            found = _newest(source, companion, place)
        except errors.LightboardError:
            continue  # outside of the run
        if found:
            return found
    return ""


def _newest(source: store.Store, companion: types.Companion, place: str) -> str:
    listed = source.beside.names(companion, place, in_run=True)
    if "checkpoint" in listed:
        match = _LATEST.search(source.beside.read(companion, _joined(place, "checkpoint"), 0, 1 << 16, in_run=True))
        name = match[1].decode("utf-8", "replace") if match else ""
        if name and f"{name.rpartition('/')[2]}.index" in listed:
            return _joined(place, name.rpartition("/")[2])
    indices = [name for name in listed if name.endswith(".index") and ".ckpt" in name]
    if indices:
        return _joined(place, max(indices, key=order.natural_key).removesuffix(".index"))
    saved = [name for name in listed if _KERAS.fullmatch(name)]
    return _joined(place, max(saved, key=order.natural_key)) if saved else ""


def _joined(place: str, name: str) -> str:
    return name if place == "." else f"{place}/{name}"


def _checkpoint(
    source: store.Store, files: store.FilesBeside, companion: types.Companion, prefix: str, state: types.FileState
) -> checkpoints.Checkpoint:
    def read(name: str, offset: int, length: int) -> bytes:
        return files.read(companion, name, offset, length, in_run=True)

    return source.cache.get(
        _CHECKPOINTS,
        (companion.path, prefix),
        lambda: checkpoints.open_checkpoint(read, prefix),
        version=state,
        size=lambda opened: 500 * len(opened.entries),
    )


# ---- location, size and values


def locate(entry: Entry) -> Source:
    """Raises an error for a path that leads outside or a missing file."""
    companion, path = entry.companion, entry.config.tensor_path
    if path:
        state = entry.files.state(companion, path)
        kind = "tsv" if _is_text(entry.files.read(companion, path, 0, 4096)) else "bytes"
        return Source(kind, path, (companion.path, path, state, entry.shape if kind == "bytes" else ()))
    if not entry.checkpoint:
        raise errors.NotFound(
            _NO_CHECKPOINT,
            hint="write the vectors as TSV beside projector_config.pbtxt and name it as tensor_path",
            code="checkpoint.none",
        )
    if entry.checkpoint.endswith(".h5"):
        state = entry.files.state(companion, entry.checkpoint, in_run=True)
        return Source("keras", entry.checkpoint, (companion.path, entry.checkpoint, state, entry.name))
    state = entry.files.state(companion, f"{entry.checkpoint}.index", in_run=True)
    return Source("checkpoint", entry.checkpoint, (companion.path, entry.checkpoint, state, entry.config.name))


def _is_text(head: bytes) -> bool:
    """Return whether the bytes are text: raw numbers have bytes near the beginning that are not valid text."""
    if not _CONTROLS.isdisjoint(head):
        return False
    try:
        head.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start > len(head) - 4 > 0  # a character was cut
    return True


def shape(source: store.Store, entry: Entry, where: Source) -> tuple[int, int]:
    """Return rows and columns without parsing all numbers: lines of a text are counted. Raises Unreadable if there are
    too many."""

    def measured() -> tuple[int, int]:
        counted = _measure(source, entry, where)
        vectors.check(counted, entry.name)
        return counted

    return source.cache.get(_SHAPES, where.key, measured, size=lambda counted: 0)


def cost(source: store.Store, where: Source) -> int:
    """Return how many bytes `shape` would read; 0 if the shape is known or an error is raised immediately."""
    state = where.key[2]
    if where.kind != "tsv" or not isinstance(state, types.FileState) or state.size > MAX_TEXT_BYTES:
        return 0
    return state.size if source.cache.peek(_SHAPES, where.key) is None else 0


def cost_bytes(source: store.Store, entry: Entry) -> int:
    """Return the peak memory of `matrix` before it is read; 0 for a cached one. Raises the same errors as `matrix` for
    a size that is too large."""
    where = locate(entry)
    if source.cache.peek(_MATRICES, where.key) is not None:
        return 0
    if where.kind == "tsv":
        _check_text(where)
        return vectors.cost_bytes(_state(where).size // 2 + 1) + 6 * PIECE_BYTES
    rows, columns = shape(source, entry, where)
    return vectors.cost_bytes(rows * columns)


def _measure(source: store.Store, entry: Entry, where: Source) -> tuple[int, int]:
    if where.kind == "tsv":
        return _count_lines(entry, where)
    if where.kind == "bytes":
        return _raw_shape(entry, _state(where).size)
    if where.kind == "checkpoint":
        opened = _checkpoint(source, entry.files, entry.companion, entry.checkpoint, _state(where))
        return _as_rows(opened.entries[opened.find(entry.config.name)].shape, entry.config.name)
    found = _keras_dataset(entry)
    hdf5.check(_h5_reader(entry), found)
    return _as_rows(found.shape, entry.config.name)


def _state(where: Source) -> types.FileState:
    found = where.key[2]
    assert isinstance(found, types.FileState)
    return found


def _check_text(where: Source) -> None:
    size = _state(where).size
    if size > MAX_TEXT_BYTES:
        raise errors.Unreadable(
            f"the table has {size:,} bytes, up to {MAX_TEXT_BYTES:,} are read: {where.path}",
            hint=vectors.advice(size // 16),
            code="file.too_large",
            path=where.path,
            limit=MAX_TEXT_BYTES,
        )


def _count_lines(entry: Entry, where: Source) -> tuple[int, int]:
    _check_text(where)
    rows, at, columns, ended = 0, 0, 0, True
    while piece := entry.files.read(entry.companion, where.path, at, PIECE_BYTES):
        if not columns:
            first = _first_line(piece)
            columns = _width(first)
        blank = len(re.findall(rb"(?:^|\n)[ \t\r]*(?=\n)", (b"" if ended else b".") + piece))
        rows += piece.count(b"\n") - blank
        ended = piece.endswith(b"\n")
        at += len(piece)
        last = piece
    if at and not ended and last.rpartition(b"\n")[2].strip():
        rows += 1
    if not rows:
        raise errors.Unreadable(
            f"the file holds no rows: {where.path}",
            hint="is it still being written?",
            code="embedding.no_rows",
            path=where.path,
        )
    return rows, columns


def _first_line(text: bytes) -> bytes:
    """Return the first line that is not blank, without scanning the others."""
    found = text.removeprefix(b"\xef\xbb\xbf").lstrip()
    return found[: min((at for at in (found.find(b"\n"), found.find(b"\r")) if at >= 0), default=len(found))]


def _separator(line: bytes) -> str:
    return "\t" if b"\t" in line else "," if b"," in line else ";" if b";" in line else " "


def _width(line: bytes) -> int:
    separator = _separator(line)
    return len(line.split()) if separator == " " else line.count(separator.encode()) + 1


def _raw_shape(entry: Entry, size: int) -> tuple[int, int]:
    wanted = entry.config.shape
    path = entry.config.tensor_path
    if len(wanted) != 2:
        raise errors.Unreadable(
            f"the file holds raw numbers, and the config does not tell their shape: {path}",
            hint="add `tensor_shape: ROWS` and `tensor_shape: DIMENSIONS` to its entry in projector_config.pbtxt",
            code="embedding.no_shape",
            path=path,
        )
    if min(wanted) < 1 or 4 * wanted[0] * wanted[1] != size:
        raise errors.Unreadable(
            f"{wanted[0]} × {wanted[1]} float32 are {4 * wanted[0] * wanted[1]} bytes, the file has {size}: {path}",
            hint="is `tensor_shape` right, and are the numbers float32?",
            code="embedding.wrong_size",
            rows=wanted[0],
            columns=wanted[1],
            expected=4 * wanted[0] * wanted[1],
            found=size,
            path=path,
        )
    return wanted[0], wanted[1]


def _as_rows(shape: tuple[int, ...], name: str) -> tuple[int, int]:
    if len(shape) != 2 or min(shape) < 1:
        raise errors.Unreadable(
            f"an embedding is rows × dimensions, `{name}` is {list(shape)}", code="embedding.not_table", name=name
        )
    return shape[0], shape[1]


def _keras_dataset(entry: Entry) -> hdf5.Dataset:
    """Return the dataset of an entry. Keras' config has the same name for every embedding layer: their order
    decides."""
    found = [each for each in hdf5.datasets(_h5_reader(entry)) if each.path.startswith("layers/")]
    tables = [each for each in found if len(each.shape) == 2]
    layers = [each for each in tables if "embedding" in each.path.split("/")[1]]
    layers.sort(key=lambda each: order.natural_key(each.path))
    if entry.config.name.startswith("layer_with_weights-") and entry.twin < len(layers):
        return layers[entry.twin]
    named = [each for each in tables if entry.config.name.split("/")[0] in (each.path, each.path.split("/")[1])]
    if named:
        return named[0]
    raise errors.NotFound(f"no embedding layer in {entry.checkpoint}", code="embedding.no_layer", path=entry.checkpoint)


def _h5_reader(entry: Entry) -> hdf5.Read:
    def read(offset: int, length: int) -> bytes:
        return entry.files.read(entry.companion, entry.checkpoint, offset, length, in_run=True)

    return read


def matrix(source: store.Store, entry: Entry) -> NDArray[np.float32]:
    """Return all rows, read-only."""
    where = locate(entry)
    values = source.cache.get(
        _MATRICES,
        where.key,
        lambda: spooled.array(_read(source, entry, where)),
        size=lambda values: values.nbytes,
    )
    rows, columns = values.shape
    source.cache.get(_SHAPES, where.key, lambda: (rows, columns), size=lambda shape: 0)
    return values


def _read(source: store.Store, entry: Entry, where: Source) -> NDArray[np.float32]:
    if where.kind == "tsv":
        return _read_text(entry, where)
    if where.kind == "bytes":

        def piece(offset: int, length: int) -> bytes:
            return entry.files.read(entry.companion, where.path, offset, length)

        return vectors.read(piece, 0, _raw_shape(entry, _state(where).size), "<f4", where.path)
    if where.kind == "checkpoint":
        opened = _checkpoint(source, entry.files, entry.companion, entry.checkpoint, _state(where))

        def read(name: str, offset: int, length: int) -> bytes:
            return entry.files.read(entry.companion, name, offset, length, in_run=True)

        found = checkpoints.load(read, opened, entry.config.name)
    else:
        found = hdf5.load(_h5_reader(entry), _keras_dataset(entry))
    return np.ascontiguousarray(found.reshape(_as_rows(found.shape, entry.config.name)))


def _read_text(entry: Entry, where: Source) -> NDArray[np.float32]:
    """Read piece by piece: the text of a million rows is several times as large as their numbers."""
    _check_text(where)
    parts: list[NDArray[np.float32]] = []
    at, line, columns, rest, separator, values = 0, 1, 0, b"", "", 0
    while True:
        piece = entry.files.read(entry.companion, where.path, at, PIECE_BYTES)
        at += len(piece)
        text = rest + piece
        if at == len(piece):
            text = text.removeprefix(b"\xef\xbb\xbf")
        if piece:
            end = text.rfind(b"\n") + 1
            text, rest = text[:end], text[end:]
            if len(rest) > PIECE_BYTES:
                raise errors.Unreadable(
                    f"the table has a line of more than {PIECE_BYTES:,} bytes: {where.path}",
                    hint="one point a line",
                    code="embedding.long_line",
                    limit=PIECE_BYTES,
                    path=where.path,
                )
        if not separator:
            first = _first_line(text)
            separator = _separator(first) if first else ""
        try:
            rows, lines = projection.parse_matrix(text, separator or "\t", columns=columns, first_line=line)
        except ValueError as error:
            raise errors.Unreadable(
                f"the table cannot be read, {error}: {where.path}",
                hint="one point a line, its numbers separated by tabs, the same number of them in every line",
                code="embedding.bad_table",
                path=where.path,
                line=errors.line_in(error),
            ) from error
        line += lines
        if rows.size:
            columns = rows.shape[1]
            values += rows.size
            if values > vectors.MAX_VALUES or at > MAX_TEXT_BYTES:
                raise _too_many_rows(values * _state(where).size // at, columns, where)
            parts.append(rows)
        if not piece:
            break
    if not parts:
        raise errors.Unreadable(
            f"the file holds no rows: {where.path}",
            hint="is it still being written?",
            code="embedding.no_rows",
            path=where.path,
        )
    return _stacked(parts)


def _too_many_rows(values: int, columns: int, where: Source) -> errors.Unreadable:
    """`values`: the estimated number of values, from the part that was read."""
    return errors.Unreadable(
        f"the table has about {values // columns:,} × {columns:,} values, the projector takes up to "
        f"{vectors.MAX_VALUES:,}: {where.path}",
        hint=vectors.advice(values),
        code="embedding.too_large",
        name=where.path,
        limit=vectors.MAX_VALUES,
    )


def _stacked(parts: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    if len(parts) == 1:
        return parts[0]
    whole = np.empty((sum(map(len, parts)), parts[0].shape[1]), np.float32)
    row = 0
    parts.reverse()
    while parts:  # free each piece once it is copied
        part = parts.pop()
        whole[row : row + len(part)] = part
        row += len(part)
    return whole
