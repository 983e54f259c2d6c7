"""`/api/projector`: embeddings, their layouts as jobs, and requests about single rows; and `/data/plugin/projector` as
TensorBoard serves it: the config as JSON, numbers as raw little-endian float32.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import functools
import itertools
from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard.query import blobs
from lightboard.query.projector import config as projector_config
from lightboard.query.projector import metadata as projector_metadata
from lightboard.query.projector import methods as projector_methods
from lightboard.query.projector import projector
from lightboard.query.projector import sources as projector_sources
from lightboard.server import blobs as server_blobs
from lightboard.server import context, data, endpoints, frames, parameters, responses
from lightboard.server.parameters import param
from lightboard.work import layouts, uploads

PATH = "/data/plugin/projector"
MOST_WAIT_SECS = 2.0
MAX_NEIGHBORS = 10_000
# Work with a matrix or a table of metadata takes about this much memory; cached results are in files.
MATRIX_BYTES = 64 << 20


# ---- embeddings


@dataclasses.dataclass(frozen=True)
class EmbeddingQuestion:
    run: str = param("name of the run")
    name: str = param("name of the embedding, as /api/projector gives it")


def listing(context: context.Context, question: parameters.Nothing) -> projector.Listing:
    return projector.listing(context.store)


def embedding(context: context.Context, question: EmbeddingQuestion) -> projector.Embedding:
    return projector.describe(context.store, context.work.embedding(question.run, question.name))


@dataclasses.dataclass(frozen=True)
class UploadQuestion:
    name: str = param("name of the file, for people", "")
    rows: int | None = param("of raw float32: how many rows; as many as there are without", None, lo=1)
    dims: int | None = param("of raw float32: how many dimensions", None, lo=1)
    of: str = param("the file is the metadata of an embedding sent before, by its name", "")


def upload(context: context.Context, question: UploadQuestion, request: endpoints.Request) -> projector.Embedding:
    kept = context.work.embeddings
    if question.of:
        name = kept.add_metadata(question.of, request.body.data)
    else:
        name = kept.keep(*uploads.take(question.name, request.body.data, question.rows, question.dims))
    entry = kept.find(name)
    try:
        projector_sources.matrix(context.store, entry)  # raises now, so that the uploader sees the error
    except errors.Unreadable as error:
        raise errors.BadInput(error.message, hint=error.hint, code="upload.unreadable", because=error) from error
    return projector.describe(context.store, entry)


# ---- layouts


@dataclasses.dataclass(frozen=True, kw_only=True)
class LayoutQuestion:
    run: str = param("name of the run")
    name: str = param("name of the embedding, as /api/projector gives it")
    method: Literal["pca", "umap", "tsne", "custom"] = param("how to lay out")
    dims: int = param("two or three dimensions", 3, lo=2, hi=3)
    sphereize: bool = param("move the data to its centroid and make every row one long, first", True)
    rows: tuple[int, ...] | None = param("only these rows; all of them without", None)
    mask: str = param("very many of them: a bit for each row in base64, the first the lowest of the first byte", "")
    components: int = param("pca: how many components", 10, lo=1, hi=50)
    distance: Literal["cosine", "euclidean"] = param("umap, tsne: what counts as near", "cosine")
    neighbors: int = param("umap: neighbors of each point", 15, lo=2, hi=200)
    min_distance: float = param("umap: how close points may come", 0.1, lo=0, hi=0.99)
    perplexity: float = param("tsne: effective neighbors of each point; 0: by the number of points", 0, lo=0, hi=500)
    learning_rate: float = param("tsne: factor of each movement; 0: by the number of points", 0, lo=0, hi=1e6)
    iterations: int = param("umap, tsne: how many; 0: the usual number", 0, lo=0, hi=100_000)
    supervise: float = param("umap, tsne: how much labels keep points apart, 0 to 1", 0, lo=0, hi=1)
    label: str = param("umap, tsne: column of the labels", "")
    ignore: str | None = param("umap, tsne: label that stands for none", None)
    seed: int = param("the same seed gives the same picture", 0, lo=0, hi=2**31)
    column: str = param("custom: column that is searched; the first one without", "")
    left: str = param("custom: text, or /regex/, whose rows lie to the left", "")
    right: str = param("custom: … to the right", "")
    up: str = param("custom: … above", "")
    down: str = param("custom: … below", "")


@dataclasses.dataclass(frozen=True)
class StatusQuestion:
    id: str = param("id of the layout", in_path=True)
    since: int = param("send coordinates only if they are newer than this version", 0, lo=0)
    wait: float = param("wait so many seconds for newer ones", 0, lo=0, hi=60)
    axes: tuple[int, ...] = param("pca: which components to send, the first ones without; may be repeated", ())


@dataclasses.dataclass(frozen=True)
class ActionQuestion:
    id: str = param("id of the layout", in_path=True)
    action: Literal["pause", "resume", "perturb", "stop"] = param("what to do", in_path=True)


def begin(context: context.Context, question: LayoutQuestion) -> layouts.Status:
    members = {each.name: getattr(question, each.name) for each in dataclasses.fields(question) if each.name != "mask"}
    rows = _masked(question.mask)
    wanted = projector_methods.Question(**(members if rows is None else {**members, "rows": tuple(rows.tolist())}))
    entry = context.work.embedding(wanted.run, wanted.name)
    return context.work.layouts.begin(entry, wanted).status()


def _masked(mask: str) -> NDArray[np.int64] | None:
    """Returns the rows whose bit is set; None if no mask is given."""
    if not mask:
        return None
    try:
        packed = base64.b64decode(mask, validate=True)
    except ValueError:
        raise errors.BadQuestion("`mask` is not base64") from None
    return np.flatnonzero(np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little"))


def layout(
    context: context.Context, question: StatusQuestion, request: endpoints.Request
) -> responses.Reply | layouts.Status:
    jobs = context.work.layouts
    if request.method == "DELETE":
        jobs.drop(question.id)
        return responses.Reply(b"", "", 204)
    job = jobs.get(question.id)
    waiting = context.threads.waiting
    may_wait = question.wait > 0 and waiting.acquire(blocking=False)
    try:
        status, found = job.snapshot(question.since, min(question.wait, MOST_WAIT_SECS) if may_wait else 0.0)
    finally:
        if may_wait:
            waiting.release()
    arrays: dict[str, NDArray[np.float32]] = {}
    if found is not None:
        arrays["coordinates"] = _chosen(found, status.dims, question.axes).reshape(-1)
    # no compression: coordinates hardly shrink, and compressing a million takes longer than sending them
    return dataclasses.replace(frames.reply(status, arrays), may_compress=False)


def _chosen(found: NDArray[np.float32], dims: int, axes: tuple[int, ...]) -> NDArray[np.float32]:
    if axes and not all(0 <= axis < found.shape[1] for axis in axes):
        raise errors.BadQuestion(f"`axes` are numbers from 0 to {found.shape[1] - 1} here")
    return found[:, list(axes)] if axes else found[:, :dims]


def act(context: context.Context, question: ActionQuestion) -> layouts.Status:
    return context.work.layouts.act(question.id, question.action).status()


# ---- single rows


@dataclasses.dataclass(frozen=True)
class NeighborsQuestion:
    run: str = param("name of the run")
    name: str = param("name of the embedding")
    row: int = param("the row whose neighbors are wanted", lo=0)
    count: int = param("how many", 100, lo=1, hi=MAX_NEIGHBORS)
    distance: Literal["cosine", "euclidean"] = param("what counts as near, over all dimensions", "cosine")
    within: tuple[int, ...] | None = param("look only among these rows; all of them without", None)
    mask: str = param("very many of them: a bit for each row in base64, the first the lowest of the first byte", "")


@dataclasses.dataclass(frozen=True)
class NeighborsHeader:
    row: int
    distance: str


def neighbors(context: context.Context, question: NeighborsQuestion) -> responses.Heavy:
    entry = context.work.embedding(question.run, question.name)
    return responses.Heavy(_matrix_cost(context, entry), functools.partial(_neighbors, context, entry, question))


def _matrix_cost(context: context.Context, entry: projector_sources.Entry) -> int:
    return MATRIX_BYTES + projector_sources.cost_bytes(context.store, entry)


def _neighbors(
    context: context.Context, entry: projector_sources.Entry, question: NeighborsQuestion
) -> responses.Reply:
    within = _masked(question.mask)
    if within is None and question.within is not None:
        within = np.unique(np.array(question.within, np.int64))
    found = projector.neighbors(
        context.store,
        entry,
        question.row,
        count=question.count,
        distance=question.distance,
        within=within,
    )
    header = NeighborsHeader(question.row, question.distance)
    return frames.reply(header, {"rows": found.rows.astype(np.int32), "distances": found.distances.astype(np.float32)})


@dataclasses.dataclass(frozen=True)
class SearchQuestion:
    run: str = param("name of the run")
    name: str = param("name of the embedding")
    text: str = param("what to look for")
    column: str = param("column of the metadata; the first one without", "")
    regex: bool = param("`text` is a regular expression", False)


@dataclasses.dataclass(frozen=True)
class SearchHeader:
    column: str
    total: int


def search(context: context.Context, question: SearchQuestion) -> responses.Reply:
    table = projector.table(context.store, context.work.embedding(question.run, question.name))
    column = question.column or table.columns[0]
    rows = projector_metadata.search(table, column, question.text, regex=question.regex)
    return frames.reply(SearchHeader(column, len(rows)), {"rows": rows.astype(np.int32)})


@dataclasses.dataclass(frozen=True)
class ColumnQuestion:
    run: str = param("name of the run")
    name: str = param("name of the embedding")
    column: str = param("column of the metadata; the first one without", "")
    limit: int = param("how many different values to name", 1000, lo=0, hi=1_000_000)


@dataclasses.dataclass(frozen=True)
class ColumnHeader:
    column: str
    kind: Literal["number", "text"]
    distinct: int
    values: list[str]  # the first ones; `codes` count from 0 in this order
    min: float | None  # of a column of numbers
    max: float | None


def column(context: context.Context, question: ColumnQuestion) -> responses.Reply:
    table = projector.table(context.store, context.work.embedding(question.run, question.name))
    found = table.column(question.column or table.columns[0])
    arrays: dict[str, NDArray[np.generic]] = {"codes": found.codes, "counts": found.counts[: question.limit]}
    low = high = None
    if found.numbers is not None:
        arrays["numbers"] = found.numbers[found.codes].astype(np.float32)
        finite = found.numbers[np.isfinite(found.numbers)]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (None, None)
    kind: Literal["number", "text"] = "text" if found.numbers is None else "number"
    header = ColumnHeader(found.name, kind, len(found.values), found.values[: question.limit], low, high)
    return frames.reply(header, arrays)


@dataclasses.dataclass(frozen=True)
class RowsQuestion:
    run: str = param("name of the run")
    name: str = param("name of the embedding")
    rows: tuple[int, ...] = param("numbers of the rows, counted from 0")
    values: bool = param("send the rows' own numbers too", False)


@dataclasses.dataclass(frozen=True)
class Rows:
    columns: list[str]
    rows: list[list[str]]  # cells, for each row asked for
    values: list[list[float]] | None = dataclasses.field(default=None, metadata={"may_be_absent": True})


def rows(context: context.Context, question: RowsQuestion) -> Rows:
    if len(question.rows) > projector_metadata.MAX_ROWS:
        raise errors.BadQuestion(
            f"{len(question.rows)} rows at once", hint=f"ask for {projector_metadata.MAX_ROWS} at most"
        )
    entry = context.work.embedding(question.run, question.name)
    values = None
    if question.values:
        matrix = projector_sources.matrix(context.store, entry)
        _check_rows(question.rows, len(matrix))
        values = matrix[list(question.rows)].astype(np.float64).tolist()
    try:
        table = projector.table(context.store, entry)
    except errors.NotFound:
        return Rows([], [[] for _ in question.rows], values)
    _check_rows(question.rows, len(table))
    return Rows(table.columns, [table.row(row) for row in question.rows], values)


def _check_rows(wanted: tuple[int, ...], count: int) -> None:
    wrong = next((row for row in wanted if not 0 <= row < count), None)
    if wrong is not None:
        raise errors.NotFound(
            f"there is no row {wrong}: there are {count}", code="embedding.no_row", row=wrong, count=count
        )


# ---- pictures and bookmarks


def sprite(context: context.Context, question: EmbeddingQuestion, request: endpoints.Request) -> responses.Reply:
    found = projector.sprite(context.work.embedding(question.run, question.name))
    return server_blobs.reply(blobs.Blob(types.Kind.IMAGES, found), request, "private, no-cache")


def bookmarks(context: context.Context, question: EmbeddingQuestion) -> responses.Reply:
    entry = context.work.embedding(question.run, question.name)
    return responses.Reply(_bookmarks(entry), responses.JSON, headers=(("Cache-Control", "no-cache"),))


def _bookmarks(entry: projector_sources.Entry) -> bytes:
    import json

    path = entry.config.bookmarks_path
    if not path:
        raise errors.NotFound(
            f"the embedding {entry.name!r} has no bookmarks", code="embedding.no_bookmarks", name=entry.name
        )
    found = entry.files.read(entry.companion, path, 0, projector.MAX_BOOKMARKS_BYTES)
    try:
        json.loads(found)
    except (ValueError, RecursionError) as error:
        raise errors.Unreadable(
            f"the bookmarks are not JSON ({str(error)[:100]}): {path}", code="json.invalid"
        ) from error
    return found


_FRAME = (frames.MEDIA_TYPE,)
API = (
    endpoints.Api(
        "/api/projector",
        listing,
        answer=projector.Listing,
        about="Embeddings: their size, metadata, sprites, and what is wrong with those that cannot be shown.",
    ),
    endpoints.Api(
        "/api/projector/embedding",
        embedding,
        question=EmbeddingQuestion,
        answer=projector.Embedding,
        about="One embedding, its rows counted however long that takes.",
        heavy_bytes=MATRIX_BYTES,
    ),
    endpoints.Api(
        "/api/projector/upload",
        upload,
        question=UploadQuestion,
        answer=projector.Embedding,
        methods=("POST",),
        about="An embedding from a file (TSV, .npy, raw float32), kept in memory for a while. Nothing is stored.",
        wants_request=True,
        file_bytes=uploads.MAX_BYTES,
        file_cost=uploads.cost_bytes,
    ),
    endpoints.Api(
        "/api/projector/layouts",
        begin,
        question=LayoutQuestion,
        answer=layouts.Status,
        methods=("POST",),
        about="Begin to lay out an embedding in the background.",
        heavy_bytes=MATRIX_BYTES,
    ),
    endpoints.Api(
        "/api/projector/layouts/{id}",
        layout,
        question=StatusQuestion,
        answer=layouts.Status,
        methods=("GET", "DELETE"),
        about="How a layout is doing, and its coordinates as a binary frame; DELETE ends it.",
        media_types=_FRAME,
        wants_request=True,
    ),
    endpoints.Api(
        "/api/projector/layouts/{id}/{action}",
        act,
        question=ActionQuestion,
        answer=layouts.Status,
        methods=("POST",),
        about="Pause, resume, perturb or stop a layout.",
    ),
    endpoints.Api(
        "/api/projector/neighbors",
        neighbors,
        question=NeighborsQuestion,
        answer=NeighborsHeader,
        methods=("GET", "POST"),
        about="The rows nearest to one, exactly, as a binary frame.",
        media_types=_FRAME,
    ),
    endpoints.Api(
        "/api/projector/search",
        search,
        question=SearchQuestion,
        answer=SearchHeader,
        methods=("GET", "POST"),
        about="Rows whose metadata has a text or matches a pattern, as a binary frame.",
        heavy_bytes=MATRIX_BYTES,
        media_types=_FRAME,
    ),
    endpoints.Api(
        "/api/projector/column",
        column,
        question=ColumnQuestion,
        answer=ColumnHeader,
        about="One column of metadata as codes and numbers, for colors, as a binary frame.",
        heavy_bytes=MATRIX_BYTES,
        media_types=_FRAME,
    ),
    endpoints.Api(
        "/api/projector/rows",
        rows,
        question=RowsQuestion,
        answer=Rows,
        methods=("GET", "POST"),
        about="The metadata of some rows.",
        heavy_bytes=MATRIX_BYTES,
    ),
    endpoints.Api(
        "/api/projector/sprite",
        sprite,
        question=EmbeddingQuestion,
        about="The sheet of an embedding's pictures.",
        heavy_bytes=MATRIX_BYTES,
        media_types=("image/png",),
        wants_request=True,
    ),
    endpoints.Api(
        "/api/projector/bookmarks",
        bookmarks,
        question=EmbeddingQuestion,
        about="Bookmarks that belong to an embedding, as their file has them.",
        media_types=(responses.JSON,),
    ),
)


# ---- as TensorBoard serves it


def routes(context: context.Context) -> data.Routes:
    table = (
        data.Data(f"{PATH}/runs", tensorboard_runs),
        data.Data(f"{PATH}/info", tensorboard_info),
        data.Data(f"{PATH}/tensor", tensorboard_tensor),
        data.Data(f"{PATH}/metadata", tensorboard_metadata, heavy_bytes=MATRIX_BYTES),
        data.Data(f"{PATH}/bookmarks", tensorboard_bookmarks),
        data.Data(f"{PATH}/sprite_image", tensorboard_sprite, heavy_bytes=MATRIX_BYTES),
    )
    return data.routes(context, table)


def tensorboard_runs(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.as_json(list(dict.fromkeys(entry.run for entry in projector.ordered(context.store))))


def tensorboard_info(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    run = _run(context, arguments)
    listed: list[dict[str, object]] = []
    found: dict[str, object] = {}
    for entry in projector_sources.entries(context.store, run):
        if entry.checkpoint:
            found["modelCheckpointPath"] = entry.checkpoint.rpartition("/")[2]
        listed.append(_info(context, entry))
    return data.as_json({**found, "embeddings": listed})


def _info(context: context.Context, entry: projector_sources.Entry) -> dict[str, object]:
    """Returns JSON as protobuf writes it: without empty fields."""
    config = entry.config
    try:
        where = projector_sources.locate(entry)
        shape = list(projector_sources.shape(context.store, entry, where))
    except errors.LightboardError:
        shape = list(entry.shape)
    cells: dict[str, object] = {
        "tensorName": config.name,
        "metadataPath": config.metadata_path,
        "bookmarksPath": config.bookmarks_path,
        "tensorShape": shape,
        "sprite": _sprite_info(config.sprite),
        "tensorPath": config.tensor_path,
    }
    return {name: cell for name, cell in cells.items() if cell}


def _sprite_info(sprite: projector_config.Sprite | None) -> dict[str, object]:
    if sprite is None:
        return {}
    cells = {"imagePath": sprite.image_path, "singleImageDim": list(sprite.single_image_dim)}
    return {name: cell for name, cell in cells.items() if cell}


def tensorboard_tensor(context: context.Context, arguments: data.Arguments) -> responses.Heavy:
    entry, most = _entry(context, arguments), _most(arguments)
    with _as_bad_input():
        return responses.Heavy(_matrix_cost(context, entry), functools.partial(_tensor, context, entry, most))


@contextlib.contextmanager
def _as_bad_input() -> Iterator[None]:
    """Turns errors of missing and of invalid files into BadInput."""
    try:
        yield
    except errors.LightboardError as error:
        raise errors.BadQuestion(error.message) from error


def _tensor(context: context.Context, entry: projector_sources.Entry, most: int | None) -> responses.Reply:
    with _as_bad_input():
        matrix = projector_sources.matrix(context.store, entry)
    return dataclasses.replace(
        data.as_bytes(matrix[:most].astype("<f4").tobytes(), "application/octet-stream"), may_compress=False
    )


def tensorboard_metadata(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    entry, most = _entry(context, arguments), _most(arguments)
    found = _file(entry, entry.config.metadata_path, "metadata")
    if most is not None:
        lines = found.splitlines(keepends=True)
        header = bool(lines) and b"\t" in lines[0]
        found = b"".join(itertools.islice(lines, most + header))
    return data.as_bytes(found, responses.TEXT)


def tensorboard_bookmarks(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    entry = _entry(context, arguments)
    found = _file(entry, entry.config.bookmarks_path, "bookmarks")
    return data.as_bytes(found, responses.JSON)


def tensorboard_sprite(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    entry = _entry(context, arguments)
    found = _file(entry, entry.config.sprite.image_path if entry.config.sprite else "", "sprite image")
    media_type = blobs.Blob(types.Kind.IMAGES, found).content_type
    headers = (*data.UNCACHED, ("Content-Security-Policy", server_blobs.policy(media_type)))
    return responses.Reply(found, media_type, headers=headers, may_compress=False)


def _file(entry: projector_sources.Entry, path: str, what: str) -> bytes:
    if not path:
        raise errors.BadQuestion(f'No {what} file found for tensor "{entry.config.name}" in the config file')
    if entry.files.state(entry.companion, path).size > projector_metadata.MAX_BYTES:
        raise errors.BadQuestion(f"the file is too large to be sent: {path}")
    return entry.files.read(entry.companion, path)


def _run(context: context.Context, arguments: data.Arguments) -> str:
    run = arguments.get("run")
    if run is None:
        raise errors.BadQuestion("query parameter 'run' is required")
    if not projector_config.companions(context.store, run):
        raise errors.BadQuestion(f'Unknown run: "{run}"')
    return run


def _entry(context: context.Context, arguments: data.Arguments) -> projector_sources.Entry:
    run, name = _run(context, arguments), arguments.get("name")
    if name is None:
        raise errors.BadQuestion("query parameter 'name' is required")
    for entry in projector_sources.entries(context.store, run):
        if name in (entry.name, entry.config.name):
            return entry
    raise errors.BadQuestion(f'No tensor "{name}" in the config of run "{run}"')


def _most(arguments: data.Arguments) -> int | None:
    if arguments.get("num_rows") is None:
        return None
    most = arguments.integer("num_rows", -1)
    if most < 1:
        raise errors.BadQuestion("query parameter num_rows must be integer > 0")
    return most
