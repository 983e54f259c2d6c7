"""Logging never stops a training run: each error is a warning, once, at the line of the user's call.

`strict=True` (or `LIGHTBOARD_STRICT=1`) raises instead, for tests and for debugging.
"""

from __future__ import annotations

import functools
import os
import pathlib
import sys
import warnings
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast


class LoggingWarning(UserWarning):
    """Something could not be logged. Training continues."""


class _HasStrict(Protocol):
    strict: bool


Method = TypeVar("Method", bound=Callable[..., Any])

_PACKAGE = str(pathlib.Path(__file__).resolve().parent.parent)


def strict_by_environment() -> bool:
    return os.environ.get("LIGHTBOARD_STRICT", "").lower() in ("1", "true", "yes")


def warn(message: str) -> None:
    """Warns at the first line outside of this package. Never raises: if warnings are errors
    (`python -W error`), it is printed as a normal warning.
    """
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    try:
        warnings.warn(message, LoggingWarning, stacklevel=level)
    except Exception:  # raised by a filter, or by a hook that shows warnings
        _print(warnings.formatwarning(message, LoggingWarning, frame.f_code.co_filename, frame.f_lineno))


def _print(text: str) -> None:
    try:
        sys.stderr.write(text)
    except (AttributeError, OSError, ValueError):  # stderr is missing or closed
        pass


def soft(method: Method) -> Method:
    """For public methods that log: an exception becomes a warning, unless the object is strict."""

    @functools.wraps(method)
    def wrapped(self: _HasStrict, *arguments: Any, **named: Any) -> Any:
        try:
            return method(self, *arguments, **named)
        except Exception as error:
            if self.strict:
                raise
            warn(f"{method.__name__} logged nothing: {type(error).__name__}: {error}")
            return None

    return cast(Method, wrapped)
