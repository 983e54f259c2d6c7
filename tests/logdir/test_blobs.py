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
        logdir.load_value(str(path), types.Column.VALUE_REF, 1 << 40, 10)
    assert "reload" in caught.value.hint


def test_bytes_that_are_no_value_are_unreadable(logs: pathlib.Path) -> None:
    path = event_files.write(logs / "x.tfevents", [event_files.version_event()])
    with pytest.raises(errors.Unreadable):
        logdir.load_value(str(path), types.Column.VALUE_REF, 0, 10)
