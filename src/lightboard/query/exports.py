"""Export all points of selected scalars: CSV, JSON, JSON lines, Arrow, Parquet.

Long format, one row per point: run, tag, step, wall_time, value; JSON has an object per series. Rows are in blocks that
join many short series and split long ones, so that exporting a hundred million points needs a few megabytes of memory.

    exports.write(exports.selection(series), "csv")  →  pieces of bytes
"""

from __future__ import annotations

import dataclasses
import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.formats import csv_text
from lightboard.query import derived
from lightboard.query import rows as rows_

BLOCK_ROWS = 65_536
PIECE_BYTES = 1 << 20
COLUMNS = ("run", "tag", "step", "wall_time", "value")

Exportable = store_.Series | derived.Derived


@dataclasses.dataclass(frozen=True)
class Block:
    """Parallel columns; `run` and `tag` are indices into the selection's names."""

    run: NDArray[np.int32]
    tag: NDArray[np.int32]
    step: NDArray[np.int64]
    wall_time: NDArray[np.float64]
    value: NDArray[np.float64]


@dataclasses.dataclass(frozen=True)
class Selection:
    """Series to export, with each distinct name once."""

    runs: list[str]
    tags: list[str]
    series: Sequence[tuple[int, int, Exportable]]
    rewinds: types.Rewinds

    def blocks(self, rows: int = BLOCK_ROWS) -> Iterator[Block]:
        pending: list[Block] = []
        count = 0
        for run, tag, series in self.series:
            points = series.points(self.rewinds)
            for start in range(0, len(points), rows):
                part = slice(start, min(start + rows, len(points)))
                size = part.stop - part.start
                pending.append(
                    Block(
                        np.full(size, run, np.int32),
                        np.full(size, tag, np.int32),
                        points.steps[part],
                        points.wall_times[part],
                        points.values[part].astype(np.float64),
                    )
                )
                count += size
                if count >= rows:
                    yield _joined(pending)
                    pending, count = [], 0
        if pending:
            yield _joined(pending)


@dataclasses.dataclass(frozen=True)
class Format:
    media_type: str
    suffix: str
    write: Callable[[Selection], Iterator[bytes]]


def selection(found: Iterable[Exportable], rewinds: types.Rewinds = types.Rewinds.LATEST) -> Selection:
    runs: dict[str, int] = {}
    tags: dict[str, int] = {}
    numbered = [
        (runs.setdefault(series.run, len(runs)), tags.setdefault(series.tag, len(tags)), series) for series in found
    ]
    return Selection([encodable(name) for name in runs], [encodable(name) for name in tags], numbered, rewinds)


def write(chosen: Selection, format_: str) -> Iterator[bytes]:
    """Raises errors.Missing if a package is not installed, at the call and not at the first piece."""
    if format_ not in FORMATS:
        raise errors.BadQuestion(f"no format is called `{format_}`", hint="one of " + ", ".join(FORMATS))
    if format_ in ("arrow", "parquet"):
        arrow_package()
    return FORMATS[format_].write(chosen)


def encodable(name: str) -> str:
    """Return the name with bytes that are not UTF-8 (a directory from another system) escaped."""
    return name.encode("utf-8", "backslashreplace").decode()


def _joined(blocks: Sequence[Block]) -> Block:
    if len(blocks) == 1:
        return blocks[0]
    return Block(*(np.concatenate([getattr(block, name) for block in blocks]) for name in COLUMNS))


# ---- text


def _csv(chosen: Selection) -> Iterator[bytes]:
    yield (",".join(COLUMNS) + "\r\n").encode()
    runs, tags = [_quoted(name) for name in chosen.runs], [_quoted(name) for name in chosen.tags]
    for block in chosen.blocks():
        rows = zip(*_lists(block, runs, tags), strict=True)
        yield "".join([f"{run},{tag},{step},{wall},{value}\r\n" for run, tag, step, wall, value in rows]).encode()


def _quoted(name: str) -> str:
    name = csv_text.no_formula(name)
    return '"' + name.replace('"', '""') + '"' if any(mark in name for mark in ',"\r\n') else name


def _jsonl(chosen: Selection) -> Iterator[bytes]:
    """Steps beyond 2^53 and non-finite numbers are strings, as in all JSON of Lightboard."""
    runs, tags = [json.dumps(name) for name in chosen.runs], [json.dumps(name) for name in chosen.tags]
    for block in chosen.blocks():
        run, tag, steps, walls, values = _lists(block, runs, tags)
        _strings(steps, np.abs(block.step.astype(np.float64)) > 2**53 - 1)
        _strings(walls, ~np.isfinite(block.wall_time))
        _strings(values, ~np.isfinite(block.value))
        yield "".join(
            [
                f'{{"run":{a},"tag":{b},"step":{c},"wall_time":{d},"value":{e}}}\n'
                for a, b, c, d, e in zip(run, tag, steps, walls, values, strict=True)
            ]
        ).encode()


def _json(chosen: Selection) -> Iterator[bytes]:
    """[{"run", "tag", "points": [[wall time, step, value], …]}, …]: the points as in TensorBoard's download."""
    runs, tags = [json.dumps(name) for name in chosen.runs], [json.dumps(name) for name in chosen.tags]
    text, between = bytearray(b"["), ",\n"
    for number, (run, tag, series) in enumerate(chosen.series):
        text += f'{between if number else ""}{{"run": {runs[run]}, "tag": {tags[tag]}, "points": ['.encode()
        points = series.points(chosen.rewinds)
        for start in range(0, len(points), BLOCK_ROWS):
            text += b", " if start else b""
            text += rows_.json_rows(points.take(slice(start, start + BLOCK_ROWS)))[1:-1]
            if len(text) > PIECE_BYTES:
                yield bytes(text)
                text.clear()
        text += b"]}"
    yield bytes(text) + b"]\n"


def _strings(items: list[Any], where: NDArray[np.bool_]) -> None:
    for position in np.nonzero(where)[0].tolist():
        items[position] = f'"{items[position]}"'


def _lists(block: Block, runs: Sequence[str], tags: Sequence[str]) -> tuple[list[Any], ...]:
    return (
        [runs[number] for number in block.run.tolist()],
        [tags[number] for number in block.tag.tolist()],
        block.step.tolist(),
        _texts(block.wall_time),
        _texts(block.value),
    )


def _texts(numbers: NDArray[np.float64]) -> list[str]:
    """Return the shortest decimal texts that parse to the same doubles."""
    texts = [repr(number) for number in numbers.tolist()]
    for position in np.nonzero(~np.isfinite(numbers))[0].tolist():
        texts[position] = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[texts[position]]
    return texts


# ---- Arrow and Parquet


def arrow_package() -> Any:
    """Return the package; raises errors.Missing with how to install it."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise errors.Missing(
            "`pyarrow` is not installed: Arrow and Parquet need it",
            hint="pip install 'lightboard[arrow]'",
            code="package.missing",
            package="pyarrow",
            command="pip install 'lightboard[arrow]'",
        ) from error


class _Sink:
    """A file object in memory whose written bytes can be taken out."""

    closed = False

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._position = 0

    def write(self, data: Any) -> int:
        piece = bytes(data)
        self._pieces.append(piece)
        self._position += len(piece)
        return len(piece)

    def tell(self) -> int:
        return self._position

    def flush(self) -> None:
        pass

    def readable(self) -> bool:
        return False

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def close(self) -> None:
        self.closed = True

    def take(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces = []
        return taken


def _arrow_stream(chosen: Selection) -> Iterator[bytes]:
    arrow = arrow_package()
    ipc = importlib.import_module("pyarrow.ipc")
    sink = _Sink()
    batches = _batches(arrow, chosen)
    with ipc.new_stream(arrow.PythonFile(sink, mode="w"), _schema(arrow)) as writer:
        for batch in batches:
            writer.write_batch(batch)
            yield sink.take()
    yield sink.take()


def _parquet(chosen: Selection) -> Iterator[bytes]:
    arrow = arrow_package()
    parquet = importlib.import_module("pyarrow.parquet")
    sink = _Sink()
    with parquet.ParquetWriter(arrow.PythonFile(sink, mode="w"), _schema(arrow), compression="zstd") as writer:
        for batch in _batches(arrow, chosen, rows=16 * BLOCK_ROWS):
            writer.write_batch(batch)
            yield sink.take()
    yield sink.take()


def _schema(arrow: Any) -> Any:
    names = arrow.dictionary(arrow.int32(), arrow.string())
    types_ = (names, names, arrow.int64(), arrow.float64(), arrow.float64())
    return arrow.schema(list(zip(COLUMNS, types_, strict=True)))


def _batches(arrow: Any, chosen: Selection, rows: int = BLOCK_ROWS) -> Iterator[Any]:
    """All batches share the same two lists of names, so a stream writes them only once."""
    runs, tags = arrow.array(chosen.runs, arrow.string()), arrow.array(chosen.tags, arrow.string())
    schema = _schema(arrow)
    for block in chosen.blocks(rows):
        columns = [
            arrow.DictionaryArray.from_arrays(arrow.array(block.run), runs),
            arrow.DictionaryArray.from_arrays(arrow.array(block.tag), tags),
            arrow.array(block.step),
            arrow.array(block.wall_time),
            arrow.array(block.value),
        ]
        yield arrow.RecordBatch.from_arrays(columns, schema=schema)


FORMATS = {
    "csv": Format("text/csv; charset=utf-8", ".csv", _csv),
    "json": Format("application/json", ".json", _json),
    "jsonl": Format("application/x-ndjson", ".jsonl", _jsonl),
    "arrow": Format("application/vnd.apache.arrow.stream", ".arrows", _arrow_stream),
    "parquet": Format("application/vnd.apache.parquet", ".parquet", _parquet),
}
