"""Heavy values come back from their files as tensors, whatever their type."""

from __future__ import annotations

import pathlib
from collections.abc import Callable

import event_files
import numpy as np
import pytest
from logdir_reader import Reader

from lightboard import errors, logdir, types

Read = Callable[..., Reader]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8", "bool", "float16", "uint64"])
def test_numbers_keep_their_type_and_shape(logs: pathlib.Path, read: Read, dtype: str) -> None:
    what = event_files.field_bytes(8, event_files.tensor([1, 0, 1, 1, 0, 1], dtype=dtype, shape=[2, 3]))
    value = event_files.value("t", what, event_files.summary_metadata("my_plugin"))
    event_files.write(logs / "x.tfevents", [event_files.summary_event(value)])
    series = read().load().store.series(".", "t")
    assert series is not None
    assert series.kind is types.Kind.TENSORS
    tensor = series.tensor(0)
    assert tensor.array is not None
    assert tensor.array.dtype == np.dtype(dtype)
    assert tensor.array.tolist() == [[1, 0, 1], [1, 0, 1]]
    assert tensor.shape == (2, 3)


def test_raw_bytes_come_as_they_are(logs: pathlib.Path, read: Read) -> None:
    graph = b"\x0a\x03abc" * 10
    event_files.write(logs / "x.tfevents", [event_files.event(event_files.field_bytes(4, graph))])
    series = read().load().store.series(".", "__run_graph__")
    assert series is not None
    assert series.tensor(0) == types.Tensor((), strings=(graph,))


def test_bytes_beyond_the_end_are_gone(logs: pathlib.Path) -> None:
    path = event_files.write(logs / "x.tfevents", [event_files.version_event()])
    with pytest.raises(errors.Gone) as caught:
        logdir.HeavyValues(logdir.FileSystems()).load(str(path), types.Column.VALUE_REF, 1 << 40, 10)
    assert "reload" in caught.value.hint


def test_bytes_that_are_no_value_are_unreadable(logs: pathlib.Path) -> None:
    path = event_files.write(logs / "x.tfevents", [event_files.version_event()])
    with pytest.raises(errors.Unreadable):
        logdir.HeavyValues(logdir.FileSystems()).load(str(path), types.Column.VALUE_REF, 0, 10)


def test_many_tables_at_once_are_those_read_one_by_one(logs: pathlib.Path, read: Read) -> None:
    """Doubles and floats natively, others one by one, from several files; what is no table is told by -1."""
    shapes = [("float64", [2, 3]), ("float32", [1, 3]), ("int32", [2, 3]), ("float16", [3, 1]), ("float64", [6])]
    for number in range(2):
        events = []
        for step, (dtype, shape) in enumerate(shapes):
            numbers = [number + step + 0.5 * each for each in range(int(np.prod(shape)))]
            numbers = [int(each) for each in numbers] if dtype == "int32" else numbers
            what = event_files.field_bytes(8, event_files.tensor(numbers, dtype=dtype, shape=shape))
            value = event_files.value("h", what, event_files.summary_metadata("histograms"))
            wall = event_files.WALL + 100 * number + step
            events.append(event_files.summary_event(value, step=100 * number + step, wall_time=wall))
        event_files.write(logs / f"{number}.tfevents", events)
    series = read().load().store.series(".", "h")
    assert series is not None
    found = series.tables()
    assert found.shapes.tolist() == [[2, 3], [1, 3], [2, 3], [3, 1], [-1, -1]] * 2
    arrays = [tensor.array for tensor in series.tensors()]
    tables = [array.astype(np.float64).ravel() for array in arrays if array is not None and array.ndim == 2]
    assert np.array_equal(found.cells, np.concatenate(tables))
    points = series.points()
    some = series.tables(points.take(np.array([7, 0])))
    assert (some.shapes.tolist(), some.cells.tolist()) == ([[2, 3]] * 2, [*tables[6].tolist(), *tables[0].tolist()])
    assert series.tables(points.take(slice(0, 0))).shapes.shape == (0, 2)


def test_tables_of_a_file_that_was_cut(logs: pathlib.Path, read: Read) -> None:
    def event(step: int) -> bytes:
        what = event_files.field_bytes(8, event_files.tensor([1.0, 2.0, step], dtype="float64", shape=[1, 3]))
        value = event_files.value("h", what, event_files.summary_metadata("histograms"))
        return event_files.summary_event(value, step=step)

    path = event_files.write(logs / "x.tfevents", [event(0), event(1), event(2)])
    series = read().load().store.series(".", "h")
    assert series is not None
    path.write_bytes(path.read_bytes()[:-40])
    found = series.tables()
    assert found.shapes.tolist() == [[1, 3], [1, 3], [-1, -1]]
    assert found.cells.tolist() == [1, 2, 0, 1, 2, 1]
    path.unlink()
    assert series.tables().shapes.tolist() == [[-1, -1]] * 3
