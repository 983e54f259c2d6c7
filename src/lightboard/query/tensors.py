"""Any tensor: its type and shape, its statistics, one plane in a size that can be shown, its strings.

Values may be as large as a record: a page gets only statistics and a window of one. The last values are
cached, because the next request is usually for another plane of the same value.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store, types
from lightboard.formats import plain_text
from lightboard.query import single

# A value is read completely to show any part of it.
MAX_BYTES = 512 << 20
# Larger tensors are sampled: statistics use this many evenly spaced elements, half a second of one core.
MAX_COUNTED = 10_000_000
BINS = 60
MAX_CELLS = 1024  # cells on each side of the picture
MAX_TEXTS = 10_000  # table cells in one response
MAX_STRINGS = 200
TEXT_BYTES = 64 << 10  # the limit shown of one string
HEX_BYTES = 4 << 10
_TENSORS = store.Share("tensors", 256 << 20)  # by series, file and offset


@dataclasses.dataclass(frozen=True, kw_only=True)
class Statistics:
    """Of the finite elements, but for the counts. Of complex numbers: of their magnitudes."""

    count: int
    nan: int
    positive_infinite: int
    negative_infinite: int
    zeros: int
    min: float | None
    max: float | None
    mean: float | None
    std: float | None
    sampled: bool  # too many elements: evenly chosen ones were counted, and the counts are of those
    counted: int


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plane:
    """Two axes of the tensor with all others held at `index`. A missing axis (-1) has one place."""

    row_axis: int
    column_axis: int
    index: list[int]  # of every axis; those of the plane count for nothing
    rows: int
    columns: int
    row: int  # where the window begins
    column: int
    window_rows: int
    window_columns: int
    row_block: int  # so many rows of the window are one row of cells: their mean
    column_block: int
    cell_rows: int
    cell_columns: int


@dataclasses.dataclass(frozen=True)
class Piece:
    """One string: as text where it is some, else its first bytes as digits."""

    number: int
    bytes: int
    text: str | None
    hex: str
    cut: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class TensorHeader:
    """Header of a frame about one tensor."""

    run: str
    tag: str
    step: int
    wall_time: float
    plugin: str
    display_name: str
    description: str
    data_class: str
    content: Piece | None  # what the plugin says of the tag, in a form only it knows
    content_type: str
    dtype: str
    shape: list[int]
    count: int
    bytes: int
    statistics: Statistics | None
    plane: Plane | None
    texts: list[list[str]]  # the window's elements, exactly
    strings: list[Piece]
    problem: errors.Explanation | None  # why nothing of the value can be shown


@dataclasses.dataclass(frozen=True, kw_only=True)
class Wanted:
    """The parts of the value to return."""

    index: Sequence[int] = ()
    row_axis: int | None = None
    column_axis: int | None = None
    row: int = 0
    column: int = 0
    rows: int | None = None
    columns: int | None = None
    cells: int = 256
    texts: bool = False
    statistics: bool = True


@dataclasses.dataclass(frozen=True)
class Found:
    """`arrays`: cells f4 (row by row), bin_edges f8, bin_counts f8; arrays that do not apply are left out."""

    header: TensorHeader
    arrays: dict[str, NDArray[Any]]


def cost_bytes(source: store.Store, run: str, tag: str, step: int | None, offset: int | None) -> int:
    """Return the peak memory of reading a value: two copies of it, and the statistics of a sample."""
    _, points, at = _find(source, run, tag, step, offset)
    length = int(points.values["length"][at])
    return 2 * length + 4 * 8 * min(MAX_COUNTED, length) if length <= MAX_BYTES else 0


def _find(
    source: store.Store, run: str, tag: str, step: int | None, offset: int | None
) -> tuple[store.Series, store.Points, int]:
    found = single.find(source, run, tag)
    if found.kind is types.Kind.SCALARS:
        raise errors.BadQuestion(f"`{tag}` holds plain numbers", hint="ask /api/points for them")
    points = found.points(types.Rewinds.ALL)
    return found, points, single.place(points, step, offset)


_DATA_CLASSES = {0: "", 1: "scalar", 2: "tensor", 3: "blob_sequence"}


@dataclasses.dataclass(frozen=True)
class Value:
    """One value with its series, step and wall time."""

    series: store.Series
    step: int
    wall_time: float
    tensor: types.Tensor
    size_bytes: int


def read(source: store.Store, run: str, tag: str, step: int | None = None, offset: int | None = None) -> Value:
    """Raises BadInput for a value that is too large or invalid, NotFound if there is none."""
    value, problem = _maybe_read(source, run, tag, step, offset)
    if problem is not None:
        raise problem
    return value


def _maybe_read(
    source: store.Store, run: str, tag: str, step: int | None, offset: int | None
) -> tuple[Value, errors.LightboardError | None]:
    """Return the value, or an empty value and the reason."""
    found, points, at = _find(source, run, tag, step, offset)
    length = int(points.values["length"][at])
    step, wall_time = int(points.steps[at]), float(points.wall_times[at])
    nothing = Value(found, step, wall_time, types.Tensor((), strings=()), length)
    if length > MAX_BYTES:
        return nothing, errors.BadInput(
            f"the value has {length / 2**20:,.0f} MiB; values of up to {MAX_BYTES >> 20} MiB are shown",
            hint="log a part of it, or its statistics",
            code="value.too_large",
            size=length >> 20,
            limit=MAX_BYTES >> 20,
        )
    files = points.files
    key = (found.row, -1 if files is None else int(files[at]), int(points.values["offset"][at]))
    try:
        tensor = source.cache.get(_TENSORS, key, lambda: found.tensor(at, points), size=_size_bytes)
    except errors.Unreadable as error:
        return nothing, errors.BadInput(error.message, code="point.unreadable", because=error)
    return Value(found, step, wall_time, tensor, length), None


def look(
    source: store.Store,
    run: str,
    tag: str,
    *,
    step: int | None = None,
    offset: int | None = None,
    wanted: Wanted = Wanted(),  # noqa: B008
) -> Found:
    value, problem = _maybe_read(source, run, tag, step, offset)
    array, strings = value.tensor.array, value.tensor.strings
    arrays: dict[str, NDArray[Any]] = {}
    statistics, plane, texts, pieces = None, None, [], []
    if array is not None:
        if wanted.statistics:
            statistics, arrays = _statistics(array)
        plane, window = _plane(array, wanted)
        if wanted.cells:
            arrays["cells"], plane = _cells(window, plane, wanted.cells)
        if wanted.texts:
            texts = _texts(window)
    elif strings is not None:
        pieces = [
            piece(number, strings[number])
            for number in range(wanted.row, min(len(strings), wanted.row + min(wanted.rows or 50, MAX_STRINGS)))
        ]
    metadata = value.series.metadata
    count = len(strings) if strings is not None else 0 if array is None else array.size
    size = sum(map(len, strings)) if strings is not None else 0 if array is None else array.nbytes
    header = TensorHeader(
        run=run,
        tag=tag,
        step=value.step,
        wall_time=value.wall_time,
        plugin=metadata.plugin,
        display_name=metadata.display_name,
        description=metadata.description,
        data_class=_DATA_CLASSES.get(metadata.data_class, str(metadata.data_class)),
        content=piece(0, metadata.content) if metadata.content else None,
        content_type=value.tensor.content_type,
        dtype="string" if array is None else str(array.dtype),
        shape=list(value.tensor.shape),
        count=count,
        bytes=size,
        statistics=statistics,
        plane=plane,
        texts=texts,
        strings=pieces,
        problem=None if problem is None else problem.explanation(),
    )
    return Found(header, arrays)


# ---- numbers


def _real(array: NDArray[Any]) -> NDArray[Any]:
    """Return the values as real numbers, for counting and averaging."""
    if array.dtype.kind == "c":
        magnitudes: NDArray[Any] = np.abs(array)
        return magnitudes
    return array.astype(np.uint8) if array.dtype.kind == "b" else array


def _statistics(array: NDArray[Any]) -> tuple[Statistics, dict[str, NDArray[Any]]]:
    flat = array.reshape(-1)
    sampled = flat.size > MAX_COUNTED
    if sampled:
        flat = flat[:: -(-flat.size // MAX_COUNTED)]
    numbers = _real(flat)
    zeros = int(numbers.size - np.count_nonzero(numbers))
    if numbers.dtype.kind == "f":
        finite = numbers[np.isfinite(numbers)]
        counts = (np.isnan(numbers), np.isposinf(numbers), np.isneginf(numbers))
        nan, above, below = (int(np.count_nonzero(each)) for each in counts)
    else:
        finite, (nan, above, below) = numbers, (0, 0, 0)
    if not finite.size:
        empty = Statistics(
            count=array.size,
            nan=nan,
            positive_infinite=above,
            negative_infinite=below,
            zeros=zeros,
            min=None,
            max=None,
            mean=None,
            std=None,
            sampled=sampled,
            counted=flat.size,
        )
        return empty, {}
    # Use float64: a sum of float16 overflows, and a sum of float32 loses precision.
    lo, hi = float(finite.min()), float(finite.max())
    with np.errstate(over="ignore", invalid="ignore"):
        middle = _maybe(np.mean(finite, dtype=np.float64))
        spread = _maybe(np.std(finite.astype(np.float64, copy=False)))
    statistics = Statistics(
        count=array.size,
        nan=nan,
        positive_infinite=above,
        negative_infinite=below,
        zeros=zeros,
        min=lo,
        max=hi,
        mean=middle,
        std=spread,
        sampled=sampled,
        counted=flat.size,
    )
    if not np.isfinite(hi - lo):
        return statistics, {}
    try:
        counted, edges = np.histogram(finite.astype(np.float64, copy=False), bins=BINS)
    except ValueError:  # adjacent floating-point numbers: no bin edges fit between them
        return statistics, {}
    return statistics, {"bin_edges": edges.astype(np.float64), "bin_counts": counted.astype(np.float64)}


def _maybe(number: np.floating[Any]) -> float | None:
    """Return None if the number overflows float64."""
    return float(number) if np.isfinite(number) else None


def _plane(array: NDArray[Any], wanted: Wanted) -> tuple[Plane, NDArray[Any]]:
    rank = array.ndim
    column_axis = _axis(wanted.column_axis, rank - 1, rank, "column_axis")
    beside = next((axis for axis in reversed(range(rank)) if axis != column_axis), -1)
    row_axis = _axis(wanted.row_axis, beside, rank, "row_axis")
    if row_axis == column_axis and rank:
        raise errors.BadQuestion("`row_axis` and `column_axis` are the same", hint="choose two axes")
    index = [0] * rank
    for axis, place in enumerate(wanted.index[:rank]):
        if axis in (row_axis, column_axis):
            continue
        if not 0 <= place < max(1, array.shape[axis]):
            raise errors.BadQuestion(f"axis {axis} has {array.shape[axis]} places, none at {place}")
        index[axis] = place
    flat = _slice(array, index, row_axis, column_axis)
    rows, columns = flat.shape
    row, column = min(wanted.row, max(0, rows - 1)), min(wanted.column, max(0, columns - 1))
    window = flat[row : rows if wanted.rows is None else row + wanted.rows]
    window = window[:, column : columns if wanted.columns is None else column + wanted.columns]
    plane = Plane(
        row_axis=row_axis,
        column_axis=column_axis,
        index=index,
        rows=rows,
        columns=columns,
        row=row,
        column=column,
        window_rows=window.shape[0],
        window_columns=window.shape[1],
        row_block=1,
        column_block=1,
        cell_rows=0,
        cell_columns=0,
    )
    return plane, window


def _slice(array: NDArray[Any], index: Sequence[int], row_axis: int, column_axis: int) -> NDArray[Any]:
    if 0 in array.shape:
        rows = array.shape[row_axis] if row_axis >= 0 else 1
        columns = array.shape[column_axis] if column_axis >= 0 else 1
        whole = rows and columns
        return np.zeros((0, columns) if whole else (rows, columns), array.dtype)
    keys = tuple(slice(None) if axis in (row_axis, column_axis) else place for axis, place in enumerate(index))
    flat = np.asarray(array[keys])
    if flat.ndim == 2:
        return flat if row_axis < column_axis else flat.T
    return flat.reshape(-1, 1) if column_axis < 0 <= row_axis else flat.reshape(1, -1)


def _axis(axis: int | None, otherwise: int, rank: int, name: str) -> int:
    if axis is None:
        return otherwise
    if not -1 <= axis < rank:
        raise errors.BadQuestion(f"parameter `{name}` must be one of the {rank} axes, not {axis}")
    return axis


def _cells(window: NDArray[Any], plane: Plane, most: int) -> tuple[NDArray[np.float32], Plane]:
    """Downsample the window to at most `most` cells per side; a cell is the mean of its block, or NaN if the block has
    a NaN."""
    rows, columns = window.shape
    across, along = -(-rows // most) or 1, -(-columns // most) or 1
    with np.errstate(over="ignore", invalid="ignore"):  # values beyond the range of float32 become infinite
        if across == along == 1:
            cells = _real(window).astype(np.float32)
        else:
            numbers = _real(window)
            sums = np.add.reduceat(numbers, np.arange(0, rows, across), axis=0, dtype=np.float64)
            sums = np.add.reduceat(sums, np.arange(0, columns, along), axis=1)
            heights = np.diff(np.append(np.arange(0, rows, across), rows))
            widths = np.diff(np.append(np.arange(0, columns, along), columns))
            cells = (sums / np.outer(heights, widths)).astype(np.float32)
    downsampled = dataclasses.replace(
        plane, row_block=across, column_block=along, cell_rows=cells.shape[0], cell_columns=cells.shape[1]
    )
    return cells.reshape(-1), downsampled


def _texts(window: NDArray[Any]) -> list[list[str]]:
    if window.size > MAX_TEXTS:
        raise errors.BadInput(
            f"{window.size} elements as text in one answer",
            hint=f"ask for a window of at most {MAX_TEXTS}",
            code="request.too_large",
        )
    if window.dtype.kind == "f":
        # The shortest digits that parse to the same number in its own precision.
        return [[np.format_float_positional(x, trim="0") if _plain(x) else str(x) for x in row] for row in window]
    if window.dtype.kind == "c":
        return [[str(x).strip("()") for x in row] for row in window]
    return [[str(x) for x in row] for row in window.tolist()]


def _plain(number: Any) -> bool:
    return bool(number == 0 or 1e-4 <= abs(number) < 1e7)


# ---- strings


def piece(number: int, data: bytes) -> Piece:
    cut = data[:TEXT_BYTES]
    text = plain_text.maybe_text(cut, whole=len(cut) == len(data))
    shown = len(cut) if text is not None else HEX_BYTES
    return Piece(number, len(data), text, data[:HEX_BYTES].hex(), len(data) > shown)


# ---- files


def raw(value: Value, element: int | None) -> bytes:
    """Return numbers row by row and little-endian, or one string; `element` None: the only string."""
    tensor = value.tensor
    if tensor.array is not None:
        array = np.ascontiguousarray(tensor.array)
        return array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
    strings = tensor.strings or ()
    number = 0 if element is None and len(strings) == 1 else element
    if number is None:
        raise errors.BadQuestion(f"the value has {len(strings)} strings", hint="choose one with `element`")
    if not 0 <= number < len(strings):
        raise errors.NotFound(f"no string {number}: there are {len(strings)}", code="point.gone")
    return strings[number]


def numbers(value: Value) -> NDArray[Any]:
    if value.tensor.array is None:
        raise errors.BadQuestion("strings have no .npy form", hint="ask for `raw`, one element at a time")
    return value.tensor.array


def _size_bytes(tensor: types.Tensor) -> int:
    if tensor.array is not None:
        return int(tensor.array.nbytes)
    return sum(map(len, tensor.strings or ()))
