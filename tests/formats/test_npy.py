"""Arrays that were sent: what `numpy.save` writes is read, and a head that lies or makes no sense is a sentence."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from lightboard import errors
from lightboard.formats import npy
from lightboard.work import uploads


def saved(values: NDArray[Any]) -> bytes:
    written = io.BytesIO()
    np.save(written, values)
    return written.getvalue()


def with_head(text: str, values: bytes = bytes(48)) -> bytes:
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + values


@pytest.mark.parametrize("dtype", ["<f4", ">f4", "<f8", "<f2", "|i1", "<i8", ">u2", "|b1"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_what_numpy_saves_is_read(dtype: str, order: Any) -> None:
    values = np.array((np.arange(12).reshape(4, 3) % 2).astype(dtype), order=order)
    data, shape = uploads.numbers(saved(values), None, None)
    assert shape == (4, 3)
    assert np.array_equal(np.frombuffer(data, "<f4").reshape(shape), values)


def test_heads_of_other_writers_are_read() -> None:
    data = with_head('{"shape": (4L, 3L), "fortran_order": False, "descr": "<f4"}')
    assert npy.head(data) == npy.Head("<f4", False, (4, 3), len(data) - 48)


@pytest.mark.parametrize(
    "head",
    [
        "",
        "{" * 1000,
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4, -3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3.0)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 4}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808, 9223372036854775808)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (4, 3)}",
        "{'descr': '<U9', 'fortran_order': False, 'shape': (4, 3)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4, 3)}",
        "{'descr': '<f99999999999', 'fortran_order': False, 'shape': (4, 3)}",
        "{'descr': 7, 'fortran_order': 'no', 'shape': None}",
        "'",
        "\\",
    ],
)
def test_a_head_that_makes_no_sense_is_refused_with_a_sentence(head: str) -> None:
    """TokenError, OverflowError and TypeError came from NumPy here."""
    with pytest.raises(errors.BadInput, match=r"this \.npy file cannot be read: ") as caught:
        uploads.numbers(with_head(head), None, None)
    assert caught.value.hint


def test_an_array_cut_anywhere_is_refused() -> None:
    whole = saved(np.zeros((4, 3), np.float32))
    for end in range(6, len(whole)):
        with pytest.raises(errors.BadInput):
            uploads.numbers(whole[:end], None, None)


@pytest.mark.parametrize("body", [b"{", b'{"tensors": 3}', b'{"tensors": "1", "metadata": []}', b"{" + b"[" * 100_000])
def test_what_is_no_pair_of_files_is_refused(body: bytes) -> None:
    with pytest.raises(errors.BadInput, match="neither a table nor"):
        uploads.unpacked("", body)


def test_commas_and_quotes_in_a_sent_table_are_no_values() -> None:
    body = b'{"tensors": "' + b"1,2,3\\n" * 1000 + b'", "metadata": "' + b'[\\"a\\\\\\n' * 1000 + b'"}'
    _, tensors, metadata = uploads.unpacked("", body)
    assert tensors == b"1,2,3\n" * 1000
    assert metadata == b'["a\\\n' * 1000
