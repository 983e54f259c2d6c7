"""Converts numbers and steps of any library to plain Python ones.

The input is NumPy, PyTorch, TensorFlow, JAX or plain Python values; no library is imported for it.
"""

from __future__ import annotations

import operator
from typing import Any

_LOWEST_STEP, _HIGHEST_STEP = -(1 << 63), (1 << 63) - 1


def number(value: Any) -> float:
    """Returns one number from any container. Raises TypeError or ValueError if there is not exactly one."""
    if isinstance(value, (float, int)):
        return float(value)
    if isinstance(value, (str, bytes)) or value is None or hasattr(value, "columns"):  # one table cell is no scalar
        raise TypeError(f"a scalar is a number, not {value!r}")
    item = getattr(value, "item", None)
    if item is not None and callable(item):  # NumPy, torch (detached from device and graph), JAX
        size = getattr(value, "size", 1)
        count = value.numel() if hasattr(value, "numel") else size
        if isinstance(count, int) and count != 1:
            raise ValueError(f"a scalar is one number, these are {count}")
        return _real(item())
    if not isinstance(value, (list, tuple)) and not hasattr(value, "numpy") and hasattr(value, "__float__"):
        return float(value)  # Decimal, Fraction and the like
    if not isinstance(value, (list, tuple)) and not hasattr(value, "numpy"):
        raise TypeError(f"a scalar is a number, not {type(value).__name__}")  # an image of one pixel is no scalar
    from lightboard.sdk import tensors

    found = tensors.array(value)
    if found.size != 1:
        raise ValueError(f"a scalar is one number, these are {found.size}")
    return _real(found.item())


def maybe_number(value: Any) -> float | None:
    """Returns the number, or None if this is something else (an image, a text, many numbers)."""
    try:
        return number(value)
    except (TypeError, ValueError, RuntimeError):
        return None


def _real(found: Any) -> float:
    if isinstance(found, (str, bytes, complex)):
        raise TypeError(f"a scalar is a real number, not {found!r}")
    return float(found)


def step(value: Any) -> int:
    """A step as event files hold it, 64 bits wide."""
    if type(value) is not int:
        try:
            value = operator.index(value)
        except TypeError:
            value = int(number(value))
    if not _LOWEST_STEP <= value <= _HIGHEST_STEP:
        raise OverflowError(f"a step has 64 bits, this one needs more: {value}")
    return int(value)
