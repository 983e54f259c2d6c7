"""Embeddings: their list, and requests about single rows. `work.layouts` computes layouts."""

from __future__ import annotations

import dataclasses
import time
import urllib.parse
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store
from lightboard.formats import media, picture_headers
from lightboard.query import order, thumbnails
from lightboard.query.projector import config as projector_config
from lightboard.query.projector import metadata as projector_metadata
from lightboard.query.projector import sources as projector_sources

Distance = Literal["cosine", "euclidean"]

# Limits on counting rows for the listing; other files have no number of rows until they are requested.
COUNT_BYTES = 256 << 20
COUNT_SECS = 2.0
MAX_SPRITE_PX = 8192
MAX_SPRITE_BYTES = 128 << 20
MAX_BOOKMARKS_BYTES = 64 << 20
_PIECE_ROWS = 65_536


@dataclasses.dataclass(frozen=True)
class Metadata:
    columns: list[str]
    rows: int | None  # None: not counted yet


@dataclasses.dataclass(frozen=True)
class Sprite:
    width: int  # of one picture, px
    height: int
    sheet_width: int  # of the sheet that holds them row by row; 0: unknown
    sheet_height: int
    address: str  # relative to the board's own


@dataclasses.dataclass(frozen=True)
class Note:
    """What is odd about a file that belongs to an embedding. Codes: `other_rows` (so many rows for another number of
    points), `odd_lines` (so many have another number of columns), `many_columns` (so many, the first 1,000 are used),
    `no_header`, `header_of_one`, `empty`, `few_pictures` (room for so many) and `unreadable`, with `why`."""

    about: Literal["metadata", "sprite", "bookmarks"]
    code: str
    number: int = 0
    why: errors.Explanation | None = None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Embedding:
    run: str
    name: str  # unique within the run; may be empty
    rows: int | None  # None: not counted yet, ask for this one alone
    dims: int | None
    source: str  # tsv, bytes, checkpoint, keras; "" where it cannot be read
    path: str  # of the tensor, relative to the config
    metadata: Metadata | None
    sprite: Sprite | None
    bookmarks: bool
    problem: errors.Explanation | None  # why its numbers cannot be shown
    notes: list[Note]


@dataclasses.dataclass(frozen=True)
class Listing:
    version: int
    embeddings: list[Embedding]
    problems: list[errors.Explanation]  # configs that could not be read to their end


def listing(source: store.Store) -> Listing:
    version = source.version
    budget, deadline = COUNT_BYTES, time.monotonic() + COUNT_SECS
    found: list[Embedding] = []
    for entry in ordered(source):
        allowed = budget if time.monotonic() < deadline else 0
        one, spent = _described(source, entry, allowed)
        budget -= spent
        found.append(one)
    return Listing(version, found, problems(source))


def ordered(source: store.Store) -> list[projector_sources.Entry]:
    """Runs in natural order, entries in the order of their config."""
    return sorted(projector_sources.entries(source), key=lambda entry: order.natural_key(entry.run))


def problems(source: store.Store) -> list[errors.Explanation]:
    said = []
    for companion in projector_config.companions(source):
        problem = companion.problem or projector_config.parse(companion.content).problem
        if problem:
            message = f"{companion.run}: projector_config.pbtxt, {problem}"
            said.append(errors.Explanation(message, code="projector.config", parameters={"run": companion.run}))
    return said


def describe(source: store.Store, entry: projector_sources.Entry) -> Embedding:
    """One embedding; its rows are always counted."""
    return _described(source, entry, 1 << 62)[0]


def _described(source: store.Store, entry: projector_sources.Entry, budget: int) -> tuple[Embedding, int]:
    config, notes = entry.config, list[Note]()
    kind, spent = "", 0
    problem: errors.Explanation | None = None
    rows: int | None = None
    dims: int | None = None
    path = config.tensor_path or entry.checkpoint
    try:
        where = projector_sources.locate(entry)
        kind, cost = where.kind, projector_sources.cost(source, where)
        if cost <= budget:
            spent += cost
            rows, dims = projector_sources.shape(source, entry, where)
    except errors.LightboardError as error:
        problem = error.explanation()
    metadata = _metadata(source, entry, budget - spent, rows, notes)
    sprite = _sprite(entry, rows, notes)
    bookmarks = _has_bookmarks(entry, notes)
    return (
        Embedding(
            run=entry.run,
            name=entry.name,
            rows=rows,
            dims=dims,
            source=kind,
            path=path,
            metadata=metadata,
            sprite=sprite,
            bookmarks=bookmarks,
            problem=problem,
            notes=notes,
        ),
        spent,
    )


def _metadata(
    source: store.Store, entry: projector_sources.Entry, budget: int, rows: int | None, notes: list[Note]
) -> Metadata | None:
    if not entry.config.metadata_path:
        return None
    try:
        state = entry.files.state(entry.companion, entry.config.metadata_path)
        if state.size > budget:
            return Metadata([projector_metadata.LABEL], None)
        if rows is not None:
            table = projector_metadata.table(source, entry, rows)
            notes.extend(Note("metadata", code, number) for code, number in table.notes)
            return Metadata(table.columns, len(table))
        return Metadata(*projector_metadata.quick_columns(entry))
    except errors.LightboardError as error:
        notes.append(Note("metadata", "unreadable", why=error.explanation()))
        return None


# ---- sprites and bookmarks


def _sprite(entry: projector_sources.Entry, rows: int | None, notes: list[Note]) -> Sprite | None:
    sprite = entry.config.sprite
    if sprite is None or not sprite.image_path:
        return None
    try:
        entry.files.state(entry.companion, sprite.image_path)
        width, height = sprite.single_image_dim[:2] if len(sprite.single_image_dim) > 1 else (0, 0)
        if min(width, height) < 1:
            raise errors.Unreadable(
                "the config does not tell the size of one picture (single_image_dim, twice)", code="sprite.no_size"
            )
        sheet = _sheet_size(entry.files.read(entry.companion, sprite.image_path, 0, 1 << 16))
        if max(sheet) > MAX_SPRITE_PX:
            raise errors.Unreadable(
                f"the sheet is {sheet[0]} × {sheet[1]} px, {MAX_SPRITE_PX} are possible",
                code="sprite.too_large",
                width=sheet[0],
                height=sheet[1],
                limit=MAX_SPRITE_PX,
            )
        if rows is not None and sheet[0] and (sheet[0] // width) * (sheet[1] // height) < rows:
            notes.append(Note("sprite", "few_pictures", (sheet[0] // width) * (sheet[1] // height)))
    except errors.LightboardError as error:
        notes.append(Note("sprite", "unreadable", why=error.explanation()))
        return None
    address = urllib.parse.urlencode({"run": entry.run, "name": entry.name}, errors="surrogateescape")
    return Sprite(width, height, *sheet, f"api/projector/sprite?{address}")


def _sheet_size(head: bytes) -> tuple[int, int]:
    """Size of the image that begins with `head`; zeros if `head` does not contain it."""
    media_type = media.picture(head)
    if media_type not in thumbnails.FORMS:
        raise errors.Unreadable("the format of the sheet is unknown", hint="use PNG", code="sprite.format")
    found = picture_headers.maybe_read(head, media_type)
    return (0, 0) if found is None else (found.width, found.height)


def sprite(entry: projector_sources.Entry) -> bytes:
    if entry.config.sprite is None or not entry.config.sprite.image_path:
        raise errors.NotFound(
            f"the embedding {entry.name!r} has no sprite", code="embedding.no_sprite", name=entry.name
        )
    path = entry.config.sprite.image_path
    if entry.files.state(entry.companion, path).size > MAX_SPRITE_BYTES:
        raise errors.Unreadable(
            f"the sheet has more than {MAX_SPRITE_BYTES} bytes: {path}",
            code="file.too_large",
            path=path,
            limit=MAX_SPRITE_BYTES,
        )
    return entry.files.read(entry.companion, path)


def _has_bookmarks(entry: projector_sources.Entry, notes: list[Note]) -> bool:
    if not entry.config.bookmarks_path:
        return False
    try:
        entry.files.state(entry.companion, entry.config.bookmarks_path)
    except errors.LightboardError as error:
        notes.append(Note("bookmarks", "unreadable", why=error.explanation()))
        return False
    return True


# ---- single rows


@dataclasses.dataclass(frozen=True)
class Neighbors:
    rows: NDArray[np.int64]
    distances: NDArray[np.float64]


def neighbors(
    source: store.Store,
    entry: projector_sources.Entry,
    row: int,
    *,
    count: int,
    distance: Distance,
    within: NDArray[np.int64] | None = None,
) -> Neighbors:
    """The exact nearest rows, without `row`, in all dimensions and all rows (or those of `within`)."""
    matrix = projector_sources.matrix(source, entry)
    if not 0 <= row < len(matrix):
        raise errors.NotFound(
            f"there is no row {row}: the embedding has {len(matrix)}",
            code="embedding.no_row",
            row=row,
            count=len(matrix),
        )
    if within is not None and len(within) and not 0 <= within.min() <= within.max() < len(matrix):
        raise errors.BadQuestion(
            f"neighbours are looked for in rows that are not there: the embedding has {len(matrix)}"
        )
    found = distances(matrix, matrix[row], distance, within)
    numbers = np.arange(len(matrix)) if within is None else within
    found = np.where(np.isnan(found) | (numbers == row), np.inf, found)
    count = min(count, int(np.count_nonzero(found < np.inf)))
    nearest = np.argpartition(found, count - 1)[:count] if count else np.zeros(0, np.int64)
    nearest = nearest[np.lexsort((numbers[nearest], found[nearest]))]
    return Neighbors(numbers[nearest], found[nearest])


def distances(
    matrix: NDArray[np.float32], point: NDArray[np.float32], distance: Distance, within: NDArray[np.int64] | None
) -> NDArray[np.float64]:
    """In chunks, in double precision: rows that differ in the seventh digit are distinguished."""
    total = len(matrix) if within is None else len(within)
    found = np.empty(total)
    wide = point.astype(np.float64)
    with np.errstate(all="ignore"):
        for start in range(0, total, _PIECE_ROWS):
            stop = min(start + _PIECE_ROWS, total)
            rows = matrix[start:stop] if within is None else matrix[within[start:stop]]
            found[start:stop] = _apart(rows.astype(np.float64), wide, distance)
    return found


def _apart(rows: NDArray[np.float64], point: NDArray[np.float64], distance: Distance) -> Any:
    if distance == "euclidean":
        rows -= point
        return np.sqrt(np.einsum("ij,ij->i", rows, rows))
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows)) * np.sqrt(point @ point)
    return np.maximum(1.0 - (rows @ point) / lengths, 0.0)


def table(source: store.Store, entry: projector_sources.Entry) -> projector_metadata.Table:
    rows: int | None = None
    try:
        rows = projector_sources.shape(source, entry, projector_sources.locate(entry))[0]
    except errors.LightboardError:
        pass  # labels can be shown even if the vectors are unreadable
    return projector_metadata.table(source, entry, rows)
