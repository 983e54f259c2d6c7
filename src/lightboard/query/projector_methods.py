"""The methods of the projector as generators: PCA, UMAP, t-SNE, custom axes.

Each yields a `Told` after every short piece of work, with coordinates whenever there are new ones worth drawing.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store
from lightboard.query import projector_metadata, projector_pca, projector_sources

Method = Literal["pca", "umap", "tsne", "custom"]

TSNE_ITERATIONS = 1000


@dataclasses.dataclass(frozen=True)
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
    iterations: int = 0  # 0: the usual number
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
    """What whoever drives a method wishes; the method clears it when done."""

    shake: bool = False


@dataclasses.dataclass(frozen=True)
class Told:
    phase: str
    progress: float
    control: Control
    rows: int = 0
    left_out: int = 0
    iteration: int = 0
    iterations: int = 0
    coordinates: NDArray[np.float32] | None = None
    shares: list[float] | None = None
    finished: bool = False


def work(source: store.Store, question: Question) -> Iterator[Told]:
    control = Control()
    yield Told("reading", 0.0, control)
    entry = projector_sources.find(source, question.run, question.name)
    matrix = projector_sources.matrix(source, entry)
    wanted = _wanted(question, len(matrix))
    methods: dict[str, Callable[..., Iterator[Told]]] = {"pca": _pca, "custom": _custom}
    yield from methods[question.method](source, entry, matrix, wanted, question, control)


def _wanted(question: Question, rows: int) -> NDArray[np.int64] | None:
    if question.rows is None:
        return None
    wanted = np.array(question.rows, np.int64)
    if not len(wanted):
        raise errors.BadInput("no rows to lay out", hint="leave `rows` out for all of them")
    if wanted.min() < 0 or wanted.max() >= rows:
        raise errors.BadInput(f"`rows` names rows that are not there: the embedding has {rows}")
    return wanted


def _spread(values: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Coordinates for all rows, NaN for those left out."""
    if mask.all():
        return values
    whole = np.full((len(mask), values.shape[1]), np.nan, np.float32)
    whole[mask] = values
    return whole


def _out(mask: NDArray[np.bool_]) -> tuple[int, int]:
    """How many rows there are, and how many of them are left out."""
    return len(mask), int(len(mask) - np.count_nonzero(mask))


def _pca(
    source: store.Store,
    entry: projector_sources.Entry,
    matrix: NDArray[np.float32],
    wanted: NDArray[np.int64] | None,
    question: Question,
    control: Control,
) -> Iterator[Told]:
    yield Told("components", 0.1, control, len(matrix) if wanted is None else len(wanted))
    data, mask = projector_pca.prepare(matrix, wanted, sphereize=question.sphereize)
    yield Told("components", 0.3, control, *_out(mask))
    if not mask.any():
        raise errors.BadInput("no row is finite: there is nothing to lay out")
    found = projector_pca.components(data, question.components)
    coordinates = _spread(found.coordinates, mask)
    shares = found.shares.tolist()
    yield Told("components", 1.0, control, *_out(mask), coordinates=coordinates, shares=shares, finished=True)


def _custom(
    source: store.Store,
    entry: projector_sources.Entry,
    matrix: NDArray[np.float32],
    wanted: NDArray[np.int64] | None,
    question: Question,
    control: Control,
) -> Iterator[Told]:
    """Axes from two searches each: x leads from the centre of what `left` finds to that of what `right` finds."""
    table = projector_metadata.table(source, entry, len(matrix))
    column = table.column(question.column or table.columns[0])
    data, mask = projector_pca.prepare(matrix, wanted, sphereize=question.sphereize)
    whole = projector_pca.Prepared(matrix, None, data.center, data.unit)
    axes = np.stack(
        [
            _axis(whole, column, question.left, question.right, ("left", "right")),
            _axis(whole, column, question.down, question.up, ("down", "up")),
        ],
        axis=1,
    )
    coordinates = np.empty((len(data), 2), np.float32)

    def project(start: int) -> None:
        piece = data.piece(start)
        coordinates[start : start + len(piece)] = piece @ axes

    projector_pca.over(project, data.starts, lambda _: None, 0, 1)
    yield Told("layout", 1.0, control, *_out(mask), coordinates=_spread(coordinates, mask), finished=True)


def _axis(
    data: projector_pca.Prepared, column: projector_metadata.Column, low: str, high: str, names: tuple[str, str]
) -> NDArray[np.float64]:
    ends = [_center(data, column, text, name) for text, name in zip((low, high), names, strict=True)]
    return ends[1] - ends[0]


def _center(
    data: projector_pca.Prepared, column: projector_metadata.Column, text: str, name: str
) -> NDArray[np.float64]:
    """Of the rows that a search finds; of all where nothing is searched for, which is the origin."""
    if not text:
        return np.zeros(data.dims)
    regex = len(text) > 2 and text.startswith("/") and text.endswith("/")
    rows = projector_metadata.matching(column, text[1:-1] if regex else text, regex=regex)
    rows = rows[np.isfinite(data.matrix[rows]).all(axis=1)] if len(rows) else rows
    if not len(rows):
        raise errors.BadInput(f"nothing is found for `{name}`: {text!r} in `{column.name}`")
    found = dataclasses.replace(data, rows=rows)
    total = sum(found.piece(start).sum(axis=0) for start in found.starts)
    center: NDArray[np.float64] = total / len(rows)
    return center
