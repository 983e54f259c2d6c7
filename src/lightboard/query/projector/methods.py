"""The methods of the projector as generators: PCA, UMAP, t-SNE, custom axes.

Each yields an `Update` after every short piece of work, with coordinates if they should be drawn.
"""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, projection, store
from lightboard.query.projector import metadata as projector_metadata
from lightboard.query.projector import pca as projector_pca
from lightboard.query.projector import sources as projector_sources

Method = Literal["pca", "umap", "tsne", "custom"]

TSNE_ITERATIONS = 1000
# How long the native core works between two checks for pause or cancel.
_SLICE_SECS = 0.2
# The interval at which an unfinished layout is shown: drawing many points takes CPU time from it.
_SHOWN_SECS_PER_ROW, _MOST_SHOWN_SECS = 1e-5, 3.0
_FEW_ROWS = 10_000
_COMPONENTS = store.Share("principal components", 128 << 20, keep_newest=True)
_MOST_NEIGHBORS = 300
_MANY_DIMS, _REDUCED_DIMS, _REDUCING_ROUNDS = 256, 128, 3


@dataclasses.dataclass(frozen=True, kw_only=True)
class Question:
    run: str
    name: str
    method: Method
    dims: int = 3
    sphereize: bool = True
    rows: tuple[int, ...] | None = None  # only these; None: all
    components: int = projector_pca.COMPONENTS
    distance: Literal["cosine", "euclidean"] = "cosine"
    neighbors: int = 15
    min_distance: float = 0.1
    perplexity: float = 0.0  # 0: by the number of points
    learning_rate: float = 0.0  # 0: by the number of points
    iterations: int = 0  # 0: the default
    supervise: float = 0.0
    label: str = ""
    ignore: str | None = None
    seed: int = 0
    column: str = ""
    left: str = ""
    right: str = ""
    up: str = ""
    down: str = ""
    key: tuple[Any, ...] = ()  # changes when the numbers do


@dataclasses.dataclass
class Control:
    """Requests of the caller to a running method: the method clears `shake` when it is done; it calls `tick(progress)`
    during long work between two yields, which may raise to cancel."""

    shake: bool = False
    tick: Callable[[float], None] = lambda progress: None


@dataclasses.dataclass(frozen=True, kw_only=True)
class Update:
    """How far a method is; `coordinates` are set when there are new ones worth drawing."""

    phase: str
    progress: float
    rows: int = 0
    left_out: int = 0
    iteration: int = 0
    iterations: int = 0
    coordinates: NDArray[np.float32] | None = None
    shares: list[float] | None = None  # of the variance, for each component
    finished: bool = False


def work(source: store.Store, entry: projector_sources.Entry, question: Question, control: Control) -> Iterator[Update]:
    yield Update(phase="reading", progress=0.0)
    matrix = projector_sources.matrix(source, entry)
    wanted = _wanted(question, len(matrix))
    inputs = _Inputs(source, entry, matrix, wanted, question, control)
    methods = {"pca": _pca, "custom": _custom, "umap": _umap, "tsne": _tsne}
    yield from methods[question.method](inputs)


_Known = tuple[projector_pca.Prepared, NDArray[np.bool_], projector_pca.Components]


@dataclasses.dataclass(frozen=True)
class _Inputs:
    """The inputs of every method."""

    source: store.Store
    entry: projector_sources.Entry
    matrix: NDArray[np.float32]
    wanted: NDArray[np.int64] | None
    question: Question
    control: Control

    @property
    def rows(self) -> int:
        return len(self.matrix) if self.wanted is None else len(self.wanted)

    def table(self) -> projector_metadata.Table:
        return projector_metadata.table(self.source, self.entry, len(self.matrix))

    def prepare(self) -> tuple[projector_pca.Prepared, NDArray[np.bool_]]:
        tick = self.control.tick
        data, mask = projector_pca.prepare(self.matrix, self.wanted, sphereize=self.question.sphereize, tick=tick)
        if not mask.any():
            raise errors.BadInput("no row is finite: there is nothing to lay out", code="layout.no_finite_rows")
        return data, mask

    def components(self, count: int) -> _Known:
        """Return principal components; cached, because the page shows them before it requests a layout of the same
        rows."""
        question = self.question
        if not question.key:  # without a key, a change of the numbers would not be detected
            return self._components(count)
        key = (question.key, question.rows, question.sphereize, count)
        data, mask, found = self.source.cache.get(
            _COMPONENTS,
            key,
            lambda: self._components_alone(count),
            size=lambda known: known[2].coordinates.nbytes,
            while_waiting=lambda: self.control.tick(0.0),
        )
        return dataclasses.replace(data, matrix=self.matrix), mask, found

    def _components_alone(self, count: int) -> _Known:
        """Return the components without the matrix, so that the cache entry does not keep the matrix in memory."""
        data, mask, found = self._components(count)
        return dataclasses.replace(data, matrix=self.matrix[:0]), mask, found

    def _components(self, count: int) -> _Known:
        data, mask = self.prepare()
        return data, mask, projector_pca.components(data, count, self.control.tick)


def _wanted(question: Question, rows: int) -> NDArray[np.int64] | None:
    if question.rows is None:
        return None
    wanted = np.array(question.rows, np.int64)
    if not len(wanted):
        raise errors.BadQuestion("no rows to lay out", hint="leave `rows` out for all of them")
    if wanted.min() < 0 or wanted.max() >= rows:
        raise errors.BadQuestion(f"`rows` names rows that are not there: the embedding has {rows}")
    return wanted


def _spread(values: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return coordinates for all rows, NaN for those left out."""
    if mask.all():
        return values
    whole = np.full((len(mask), values.shape[1]), np.nan, np.float32)
    whole[mask] = values
    return whole


def _left_out(mask: NDArray[np.bool_]) -> int:
    """Return the number of rows that are left out."""
    return int(len(mask) - np.count_nonzero(mask))


def _pca(inputs: _Inputs) -> Iterator[Update]:
    yield Update(phase="components", progress=0.0, rows=inputs.rows)
    _, mask, found = inputs.components(inputs.question.components)
    coordinates = _spread(found.coordinates, mask)
    shares = found.shares.tolist()
    yield Update(
        phase="components",
        progress=1.0,
        rows=len(mask),
        left_out=_left_out(mask),
        coordinates=coordinates,
        shares=shares,
        finished=True,
    )


# ---- methods that search neighbors first


def _umap(inputs: _Inputs) -> Iterator[Update]:
    question = inputs.question
    start = yield from _started(inputs, question.neighbors)
    a, b = projection.curve(question.min_distance)
    epochs = question.iterations or (500 if len(start.initial) <= _FEW_ROWS else 200)
    method = projection.Umap(
        start.ids,
        start.distances,
        _scaled(start.initial, question.seed),
        a=a,
        b=b,
        epochs=epochs,
        labels=start.labels,
        supervise=question.supervise,
        seed=question.seed,
    )
    more = True
    pace = _Pace(len(start.initial))
    while more:
        if inputs.control.shake:
            inputs.control.shake = False
            method.perturb()
        more = method.advance(_SLICE_SECS)
        done = method.epoch
        coordinates = None
        if not more or pace.is_due(done / epochs):
            coordinates = _spread(method.coordinates(), start.mask)
        yield Update(
            phase="layout",
            progress=done / epochs,
            rows=len(start.mask),
            left_out=_left_out(start.mask),
            iteration=done,
            iterations=epochs,
            coordinates=coordinates,
            finished=not more,
        )


class _Pace:
    """Limits how often intermediate layouts are shown."""

    def __init__(self, rows: int) -> None:
        self._every = min(_SHOWN_SECS_PER_ROW * rows, _MOST_SHOWN_SECS)
        self._began = self._shown = time.monotonic()

    def is_due(self, progress: float) -> bool:
        """Return False if the final layout is nearly ready, because drawing would delay it."""
        now = time.monotonic()
        left = (now - self._began) * (1 - progress) / max(progress, 1e-9)
        if now - self._shown < self._every or left < self._every / 2:
            return False
        self._shown = now
        return True


def _tsne(inputs: _Inputs) -> Iterator[Update]:
    question = inputs.question
    rows = inputs.rows
    perplexity = question.perplexity or min(30.0, max(2.0, (rows - 1) / 3))
    start = yield from _started(inputs, min(math.ceil(3 * perplexity), _MOST_NEIGHBORS))
    method = projection.Tsne(
        start.ids,
        start.distances,
        start.initial,
        perplexity=perplexity,
        learning_rate=question.learning_rate,
        labels=start.labels,
        supervise=question.supervise,
        seed=question.seed,
    )
    asked = question.iterations or TSNE_ITERATIONS
    while True:  # the caller decides when to stop
        if inputs.control.shake:
            inputs.control.shake = False
            method.perturb()
        # stop at multiples of `asked`, so that a resumed layout equals one that ran without a stop
        method.advance(_SLICE_SECS, (method.iteration // asked + 1) * asked)
        coordinates = _spread(method.coordinates(), start.mask)
        yield Update(
            phase="layout",
            progress=0.0,
            rows=len(start.mask),
            left_out=_left_out(start.mask),
            iteration=method.iteration,
            iterations=asked,
            coordinates=coordinates,
        )


@dataclasses.dataclass(frozen=True)
class _Started:
    mask: NDArray[np.bool_]
    initial: NDArray[np.float32]
    ids: NDArray[np.uint32]
    distances: NDArray[np.float32]
    labels: NDArray[np.int32] | None


def _started(inputs: _Inputs, count: int) -> Generator[Update, None, _Started]:
    """The initial layout by principal components, shown immediately, and the neighbors of every row."""
    yield Update(phase="components", progress=0.0, rows=inputs.rows)
    data, mask, found = inputs.components(projector_pca.COMPONENTS)
    labels = _labels(inputs, mask)
    initial = np.zeros((len(data), inputs.question.dims), np.float32)
    width = min(inputs.question.dims, found.coordinates.shape[1])
    initial[:, :width] = found.coordinates[:, :width]
    left_out = _left_out(mask)
    yield Update(
        phase="neighbors",
        progress=0.0,
        rows=len(mask),
        left_out=left_out,
        coordinates=_spread(initial, mask),
        shares=found.shares.tolist(),
    )
    search = projection.Neighbors(_compared(inputs, data), count, seed=inputs.question.seed)
    while search.advance():
        yield Update(phase="neighbors", progress=search.progress, rows=len(mask), left_out=left_out)
    ids, distances = search.result()
    return _Started(mask, initial, ids, distances, labels)


def _compared(inputs: _Inputs, data: projector_pca.Prepared) -> NDArray[np.float32]:
    """Return the vectors to search neighbors in: unit vectors for cosine distance; with very many dimensions the first
    principal components, which have nearly the same neighbors."""
    if inputs.question.distance == "cosine" and not data.unit:
        data = dataclasses.replace(data, center=np.zeros(data.dims), unit=True)
    if data.dims > _MANY_DIMS:
        return projector_pca.components(data, _REDUCED_DIMS, inputs.control.tick, rounds=_REDUCING_ROUNDS).coordinates
    found = np.empty((len(data), data.dims), np.float32)

    def fill(start: int) -> None:
        piece = data.piece(start)
        found[start : start + len(piece)] = piece

    projector_pca.over(fill, data.starts, inputs.control.tick, 0, 0)
    return found


def _labels(inputs: _Inputs, mask: NDArray[np.bool_]) -> NDArray[np.int32] | None:
    question = inputs.question
    if not question.label or question.supervise <= 0:
        return None
    column = inputs.table().column(question.label)
    codes = column.codes.copy()
    for value in ("", question.ignore):
        if value in column.values:
            codes[column.codes == column.values.index(value)] = -1
    found: NDArray[np.int32] = (codes if inputs.wanted is None else codes[inputs.wanted])[mask]
    return found


def _scaled(initial: NDArray[np.float32], seed: int) -> NDArray[np.float32]:
    """Scale to ±10 and add a little noise, so that no two rows have the same position."""
    extent = float(np.abs(initial).max(initial=0.0))
    noise = np.random.default_rng(seed).normal(scale=1e-4, size=initial.shape)
    return (initial * (10 / extent if extent > 0 else 1) + noise).astype(np.float32)


# ---- custom axes


def _custom(inputs: _Inputs) -> Iterator[Update]:
    """Axes from two searches each: x points from the center of the matches of `left` to that of `right`."""
    question = inputs.question
    table = inputs.table()
    column = table.column(question.column or table.columns[0])
    data, mask = inputs.prepare()
    whole = dataclasses.replace(data, rows=None)
    axes = np.stack(
        [
            _axis(whole, column, question.left, question.right, ("left", "right")),
            _axis(whole, column, question.down, question.up, ("down", "up")),
        ],
        axis=1,
    )
    coordinates = np.zeros((len(data), question.dims), np.float32)

    def project(start: int) -> None:
        piece = data.piece(start)
        coordinates[start : start + len(piece), :2] = piece @ axes

    projector_pca.over(project, data.starts, inputs.control.tick, 0, 1)
    yield Update(
        phase="layout",
        progress=1.0,
        rows=len(mask),
        left_out=_left_out(mask),
        coordinates=_spread(coordinates, mask),
        finished=True,
    )


def _axis(
    data: projector_pca.Prepared, column: projector_metadata.Column, low: str, high: str, names: tuple[str, str]
) -> NDArray[np.float64]:
    ends = [_center(data, column, text, name) for text, name in zip((low, high), names, strict=True)]
    return ends[1] - ends[0]


def _center(
    data: projector_pca.Prepared, column: projector_metadata.Column, text: str, name: str
) -> NDArray[np.float64]:
    """Center of the rows that match a search; without a search, of all rows, which is the origin."""
    if not text:
        return np.zeros(data.dims)
    regex = len(text) > 2 and text.startswith("/") and text.endswith("/")
    rows = projector_metadata.matching(column, text[1:-1] if regex else text, regex=regex)
    rows = rows[np.isfinite(data.matrix[rows]).all(axis=1)] if len(rows) else rows
    if not len(rows):
        raise errors.BadInput(
            f"nothing is found for `{name}`: {text!r} in `{column.name}`",
            code="layout.nothing_found",
            text=text,
            column=column.name,
        )
    found = dataclasses.replace(data, rows=rows)
    total = sum(found.piece(start).sum(axis=0) for start in found.starts)
    center: NDArray[np.float64] = total / len(rows)
    return center
