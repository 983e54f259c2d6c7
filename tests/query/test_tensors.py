"""Figures, planes and strings of tensors nobody knows more about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lightboard import errors, store, types
from lightboard.query import tensors


def made(*values: Any, metadata: types.Metadata | None = None) -> store.Store:
    given = [
        types.Tensor((len(value),), strings=tuple(value))
        if isinstance(value, list)
        else types.Tensor(np.shape(value), array=np.asarray(value))
        for value in values
    ]
    builder = store.Builder()
    return builder.tensors("r", "t", types.Kind.TENSORS, given, metadata=metadata or types.Metadata("odd")).build()


def look(value: Any, **wanted: Any) -> tensors.Found:
    return tensors.look(made(value), "r", "t", wanted=tensors.Wanted(**wanted))


def test_statistics_are_of_what_is_finite_and_the_rest_is_counted() -> None:
    found = look(np.array([[1, 2, 3, 0], [np.nan, np.inf, -np.inf, -np.inf]], np.float32))
    told = found.header.statistics
    assert told is not None
    assert (told.min, told.max, told.mean, told.count, told.zeros) == (0, 3, 1.5, 8, 1)
    assert told.std == pytest.approx(np.std([0, 1, 2, 3]))
    assert (told.nan, told.positive_infinite, told.negative_infinite) == (1, 1, 2)
    assert found.arrays["bin_counts"].sum() == 4
    assert len(found.arrays["bin_edges"]) == len(found.arrays["bin_counts"]) + 1


@pytest.mark.parametrize(
    ("value", "least", "most"),
    [
        (np.full(70_000, 60_000, np.float16), 59_900, 60_100),
        (np.array([True, False]), 0, 1),
        (np.array([3 + 4j, 0], np.complex64), 0, 5),
        (np.array([2**63], np.uint64), 2.0**63, 2.0**63),
        (np.array([-128, 127], np.int8), -128, 127),
        (np.array([1.0, np.nextafter(1.0, 2)]), 1, 1.1),
        (np.array([-1.7e308, 1.7e308]), -1.7e308, 1.7e308),
    ],
)
def test_every_type_of_number_has_statistics(value: Any, least: float, most: float) -> None:
    told = look(value).header.statistics
    assert told is not None and told.min is not None and told.max is not None and told.mean is not None
    assert least <= told.min <= told.max <= most
    assert told.min <= told.mean <= told.max


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 4)])
def test_nothing_in_it_is_no_failure(shape: tuple[int, ...]) -> None:
    found = look(np.zeros(shape, np.float32), texts=True)
    assert found.header.count == 0
    assert found.header.statistics is not None and found.header.statistics.min is None
    assert len(found.arrays["cells"]) == 0


def test_a_number_and_a_row_of_them_are_planes_of_one_row() -> None:
    assert look(np.float64(2.5), texts=True).header.texts == [["2.5"]]
    plane = look(np.arange(5)).header.plane
    assert plane is not None
    assert (plane.rows, plane.columns, plane.row_axis, plane.column_axis) == (1, 5, -1, 0)
    column = look(np.arange(3), row_axis=0, column_axis=-1, texts=True)
    assert column.header.texts == [["0"], ["1"], ["2"]]


def test_a_plane_is_cut_through_the_other_axes() -> None:
    value = np.arange(2 * 3 * 4 * 5).reshape(2, 3, 4, 5)
    found = look(value, index=(1, 2, 0, 0))
    assert found.arrays["cells"].reshape(4, 5).tolist() == value[1, 2].tolist()
    turned = look(value, index=(0, 1, 3, 2), row_axis=3, column_axis=0)
    assert turned.arrays["cells"].reshape(5, 2).tolist() == value[:, 1, 3, :].T.tolist()
    with pytest.raises(errors.BadInput, match="axis 1 has 3 places"):
        look(value, index=(0, 3))
    with pytest.raises(errors.BadInput, match="the same"):
        look(value, row_axis=1, column_axis=1)
    with pytest.raises(errors.BadInput, match="row_axis"):
        look(value, row_axis=7)


def test_large_planes_come_as_means_of_blocks() -> None:
    value = np.arange(10 * 7, dtype=np.float64).reshape(10, 7)
    found = look(value, cells=4)
    plane = found.header.plane
    assert plane is not None
    assert (plane.row_block, plane.column_block, plane.cell_rows, plane.cell_columns) == (3, 2, 4, 4)
    cells = found.arrays["cells"].reshape(4, 4)
    assert cells[0, 0] == value[:3, :2].mean()
    assert cells[3, 3] == value[9:, 6:].mean()


def test_a_window_is_exact_text() -> None:
    value = np.array([[0.1, 1e-12, 2**53 + 1.0], [np.nan, np.inf, -0.5]])
    found = look(value, texts=True, cells=0, statistics=False, row=0, column=1, rows=2, columns=2)
    assert found.header.texts == [["1e-12", "9007199254740992.0"], ["inf", "-0.5"]]
    assert found.arrays == {}
    assert look(np.array([0.1], np.float32), texts=True).header.texts == [["0.1"]]
    assert look(np.array([2**63 - 1]), texts=True).header.texts == [["9223372036854775807"]]
    with pytest.raises(errors.BadInput, match="40000 elements"):
        look(np.zeros((200, 200)), texts=True)


def test_strings_are_text_or_digits_and_long_ones_are_cut() -> None:
    found = look(["wörter 中文".encode(), b"\x00\xff\x10", b"", "é".encode() * 50_000, b"<script>"])
    pieces = found.header.strings
    assert [piece.text for piece in pieces[:3]] == ["wörter 中文", None, ""]
    assert pieces[1].hex == "00ff10"
    assert (pieces[3].cut, pieces[3].bytes) == (True, 100_000)
    assert pieces[3].text is not None and set(pieces[3].text) == {"é"}
    assert (found.header.dtype, found.header.count, found.header.statistics) == ("string", 5, None)
    assert [piece.number for piece in look([b"a"] * 500, row=495, rows=50).header.strings] == [495, 496, 497, 498, 499]


def test_what_the_plugin_says_is_told() -> None:
    metadata = types.Metadata("odd", content=b"\x01\x02", display_name="Odd", description="*d*", data_class=2)
    header = tensors.look(made(np.zeros(1), metadata=metadata), "r", "t").header
    assert (header.plugin, header.display_name, header.data_class) == ("odd", "Odd", "tensor")
    assert header.content is not None and header.content.hex == "0102"


def test_a_huge_value_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    source = made(np.zeros(1))
    monkeypatch.setattr(tensors, "MAX_BYTES", -1)
    assert "MiB are shown" in str(tensors.look(source, "r", "t").header.problem)
    with pytest.raises(errors.BadInput, match="MiB are shown"):
        tensors.read(source, "r", "t")


def test_too_many_elements_are_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensors, "MAX_COUNTED", 10)
    told = look(np.arange(95)).header.statistics
    assert told is not None
    assert (told.sampled, told.counted, told.count, told.max) == (True, 10, 95, 90)


def test_the_value_of_a_step_and_files_of_it() -> None:
    source = made(np.zeros(2, ">i4"), np.arange(3))
    assert tensors.look(source, "r", "t").header.shape == [3]
    first = tensors.read(source, "r", "t", step=0)
    assert tensors.raw(first, None) == bytes(8)
    strings = tensors.read(made([b"a", b"b"]), "r", "t")
    assert tensors.raw(strings, 1) == b"b"
    with pytest.raises(errors.BadInput, match="2 strings"):
        tensors.raw(strings, None)
    with pytest.raises(errors.BadInput, match="npy"):
        tensors.numbers(strings)
    with pytest.raises(errors.NotFound, match="no tag"):
        tensors.look(source, "r", "absent")
