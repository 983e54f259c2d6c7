"""Encodings and the format of errors: everything that turns a value into bytes of a response.

JSON has no NaN and browsers have no 64-bit integers, so in `/api` non-finite numbers are the strings "NaN", "Infinity"
and "-Infinity", and integers beyond ±(2^53 - 1) are strings of digits.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard.query import rows
from lightboard.server import json_pieces

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
SAFE_INTEGER = 2**53 - 1
_SHORT = frozenset({str, int, float, bool, type(None)})


@dataclasses.dataclass(frozen=True)
class Reply:
    """An answer ready to be sent. An iterator is sent piece by piece as it yields; what is in a list goes together."""

    body: bytes | Iterator[bytes] | Iterator[list[bytes]]
    media_type: str = JSON
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    may_compress: bool = True


@dataclasses.dataclass(frozen=True)
class Heavy:
    """Work that a handler found to be heavy: it is done in the heavy lane, when there is so much memory for it."""

    memory_bytes: int
    work: Callable[[], Any]  # the answer, as the handler would have returned it


@dataclasses.dataclass(frozen=True)
class Problem:
    """What went wrong, and what to do about it."""

    message: str
    hint: str
    code: str
    parameters: dict[str, Any]
    status: int
    # in a filter, in characters from 0
    position: int | None = dataclasses.field(default=None, metadata={"may_be_absent": True})


@dataclasses.dataclass(frozen=True)
class Failure:
    """The body of every error below /api."""

    error: Problem


class Busy(errors.LightboardError):
    """Heavy work did not get its memory before the timeout: the client may try again."""

    status = 503
    retry_secs = 5


class BadHost(errors.BadInput):
    """A request without a Host header, or with several."""


class TooLarge(errors.BadInput):
    status = 413


class TooLong(errors.BadInput):
    status = 414


class HeadersTooLong(errors.BadInput):
    status = 431


class BadRange(errors.BadInput):
    status = 416

    def __init__(self, size: int) -> None:
        super().__init__(f"there are only {size} bytes")
        self.size = size


class MethodNotAllowed(errors.BadInput):
    status = 405

    def __init__(self, method: str, allowed: tuple[str, ...]) -> None:
        super().__init__(f"{method} is not possible here", hint="use " + " or ".join(allowed))
        self.allowed = allowed


def to_json(value: object) -> bytes:
    return b"".join(_pieces(value))


def json_body(value: object) -> bytes | Iterator[bytes]:
    """Returns the body of a response; a long one is generated in pieces while it is sent."""
    return json_pieces.body(_pieces(value))


def _pieces(value: object) -> Iterator[bytes]:
    if isinstance(value, rows.Column):
        yield value.json()
    elif isinstance(value, rows.JsonCachedList):
        if value.text is None:
            value.text = b"".join(json_pieces.pieces(list(value), _FORM))
        yield value.text
    elif dataclasses.is_dataclass(value):
        yield from _object(_members(value))
    elif type(value) is dict and any(map(dataclasses.is_dataclass, value.values())):
        yield from _object(value.items())
    else:
        yield from json_pieces.pieces(value, _FORM)


def object_json(members: Iterable[tuple[str, object]]) -> bytes:
    return b"".join(_object(members))


def _object(members: Iterable[tuple[str, object]]) -> Iterator[bytes]:
    """Yields short members first, all in one piece."""
    short: dict[str, object] = {}
    others: list[tuple[str, object]] = []
    for name, member in members:
        if type(member) in _SHORT or (type(member) is list and not member):
            short[name] = plain(member)
        else:
            others.append((name, member))
    yield b"{" + _dumps(short)[1:-1].encode()
    between = b"," if short else b""
    for name, member in others:
        yield between + _dumps(name).encode() + b":"
        yield from _pieces(member)
        between = b","
    yield b"}"


def _members(value: Any) -> Iterator[tuple[str, object]]:
    """The members of a dataclass, without optional ones that are absent."""
    for field in dataclasses.fields(value):
        member = getattr(value, field.name)
        if member is not None or not field.metadata.get("may_be_absent"):
            yield field.name, member


# shared: `json.dumps` makes a new encoder in each call with other separators
_dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_FORM = json_pieces.Form(lambda value: _dumps(plain(value)), ",", ":")


def plain(value: Any) -> Any:
    """Converts the value to types that `json` writes as described above."""
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if kind is int:
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)
    if kind is float:
        return value if math.isfinite(value) else _non_finite(value)
    if isinstance(value, np.ndarray):
        return column(value)
    if kind in (list, tuple, rows.JsonCachedList):
        return list(value) if _safe(value) else [plain(each) for each in value]
    if kind is dict:
        return {name: plain(each) for name, each in value.items()}
    if dataclasses.is_dataclass(value):
        return {name: plain(member) for name, member in _members(value)}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, np.generic):
        return plain(value.item())
    raise TypeError(f"no JSON for {kind.__name__}")


def _safe(items: list[Any] | tuple[Any, ...]) -> bool:
    """Returns whether `json` may write the items as they are. No Python loop over items: long columns are common."""
    kinds = set(map(type, items)) - {str, bool, type(None)}
    if kinds == {int}:
        whole = [item for item in items if type(item) is int]
        return min(whole) >= -SAFE_INTEGER and max(whole) <= SAFE_INTEGER
    if kinds == {float}:
        return all(map(math.isfinite, [item for item in items if type(item) is float]))
    return not kinds


def column(array: NDArray[Any]) -> list[Any]:
    """Returns an array as a list, unsafe numbers as strings."""
    items: list[Any] = array.tolist()
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        return items if array.dtype.kind in "bSU" else [plain(each) for each in items]
    if array.dtype.kind == "f":
        for position in np.nonzero(~np.isfinite(array))[0].tolist():
            items[position] = _non_finite(items[position])
    elif array.dtype.itemsize == 8:
        for position in np.nonzero((array > SAFE_INTEGER) | (array < -SAFE_INTEGER))[0].tolist():
            items[position] = str(items[position])
    return items


def _non_finite(value: float) -> str:
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


_DEFECT = "an internal error, see the server's log"


def failure(error: BaseException, *, tensorboard: bool = False) -> Reply:
    """The only function that turns exceptions into HTTP. `tensorboard`: as text, as its clients expect."""
    if isinstance(error, MemoryError):
        error = Busy(
            "there is not enough memory for this answer", hint="ask for less at a time", code="board.no_memory"
        )
    known = isinstance(error, errors.LightboardError)
    status = error.status if isinstance(error, errors.LightboardError) else 500
    message = error.message if isinstance(error, errors.LightboardError) else _DEFECT
    headers: tuple[tuple[str, str], ...] = ()
    if isinstance(error, MethodNotAllowed):
        headers = (("Allow", ", ".join(error.allowed)),)
    elif isinstance(error, BadRange):
        headers = (("Content-Range", f"bytes */{error.size}"),)
    elif isinstance(error, Busy):
        headers = (("Retry-After", str(error.retry_secs)),)
    elif status == 401:
        headers = (("WWW-Authenticate", 'Bearer realm="lightboard"'),)
    if tensorboard:
        prefix = {400: "Invalid argument: ", 403: "Permission denied: ", 404: "Not found: "}.get(status, "")
        text = prefix + message if known else message
        return Reply(text.encode("utf-8", "replace"), "text/plain; charset=utf-8", status, headers)
    return Reply(_error_json(error, message, status), JSON, status, headers)


def error_json(error: errors.LightboardError) -> bytes:
    """Returns an error as JSON for the page, without an HTTP response around it."""
    return to_json(Failure(problem(error)))


def problem(error: errors.LightboardError) -> Problem:
    """Returns an error as a member of an answer, for routes that check what a user types: mistakes are expected."""
    said = error.explanation()
    position = error.position if isinstance(error, errors.BadFilter) else None
    return Problem(said.message, said.hint, said.code, said.parameters, error.status, position)


def _error_json(error: BaseException, message: str, status: int) -> bytes:
    if isinstance(error, errors.LightboardError):
        return error_json(error)
    return to_json(Failure(Problem(message, "", "server.defect", {}, status)))
