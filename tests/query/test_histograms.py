"""Buckets, whatever numbers they were written in."""

from __future__ import annotations

import numpy as np
import pytest

from lightboard import errors, store, types
from lightboard.query import histograms


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_buckets_are_doubles(dtype: str) -> None:
    value = types.Tensor((1, 3), array=np.array([[0, 1, 5]], dtype))
    source = store.Builder().tensors("r", "h", types.Kind.HISTOGRAMS, [value]).build()
    (found,) = histograms.read(source, "r", "h")
    assert found.buckets.dtype == np.float64
    assert found.buckets.tolist() == [[0.0, 1.0, 5.0]]


def test_another_tag_is_not_found() -> None:
    with pytest.raises(errors.NotFound, match="histogram"):
        histograms.read(store.Builder().build(), "r", "h")
