"""Encodings and the error shape: everything that turns a value into bytes on the wire.

JSON has no NaN and browsers have no 64-bit integers, so in `/api` non-finite numbers are the strings "NaN", "Infinity"
and "-Infinity", and integers beyond ±(2^53 - 1) are strings of digits.
"""

from __future__ import annotations

import dataclasses
import enum
import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard.query import rows

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
    if isinstance(value, rows.Column):
        return value.json()
    if isinstance(value, rows.Lasting):
        if value.text is None:
            value.text = _dumps(plain(list(value))).encode()
        return value.text
    if dataclasses.is_dataclass(value):
        # column by column: the encoder keeps the interpreter to itself, and others want to be answered meanwhile
        return object_json(_members(value))
    if type(value) is dict and any(map(dataclasses.is_dataclass, value.values())):
        return object_json(value.items())
    return _dumps(plain(value)).encode()


def object_json(members: Iterable[tuple[str, object]]) -> bytes:
    """Short members first, all in one go."""
    short: dict[str, object] = {}
    texts: list[bytes] = []
    for name, member in members:
        if type(member) in _SHORT or (type(member) is list and not member):
            short[name] = plain(member)
        else:
            texts.append(_dumps(name).encode() + b":" + to_json(member))
    if short:
        texts.insert(0, _dumps(short)[1:-1].encode())
    return b"{" + b",".join(texts) + b"}"


def _members(value: Any) -> Iterator[tuple[str, object]]:
    """Of a dataclass, without those that may be absent and are."""
    for field in dataclasses.fields(value):
        member = getattr(value, field.name)
        if member is not None or not field.metadata.get("may_be_absent"):
            yield field.name, member


# one for all: `json.dumps` makes an encoder for each call that wants no blanks
_dumps = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def plain(value: Any) -> Any:
    """The value in types that `json` writes as promised above."""
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if kind is int:
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)
    if kind is float:
        return value if math.isfinite(value) else _non_finite(value)
    if isinstance(value, np.ndarray):
        return column(value)
    if kind in (list, tuple, rows.Lasting):
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
    """Whether `json` may write the items as they are. Long columns are common, so no item is looked at in Python."""
    kinds = set(map(type, items)) - {str, bool, type(None)}
    if kinds == {int}:
        whole = [item for item in items if type(item) is int]
        return min(whole) >= -SAFE_INTEGER and max(whole) <= SAFE_INTEGER
    if kinds == {float}:
        return all(map(math.isfinite, [item for item in items if type(item) is float]))
    return not kinds


def column(array: NDArray[Any]) -> list[Any]:
    """One array as a list, unsafe numbers as strings."""
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


def failure(error: BaseException, *, tensorboard: bool = False) -> Reply:
    """The one place where exceptions become HTTP. `tensorboard`: the plain text that TensorBoard's clients know."""
    status = error.status if isinstance(error, errors.LightboardError) else getattr(error, "status_code", 500)
    known = isinstance(error, errors.LightboardError)
    message = error.message if isinstance(error, errors.LightboardError) else _reason(status)
    headers: tuple[tuple[str, str], ...] = ()
    if isinstance(error, MethodNotAllowed):
        headers = (("Allow", ", ".join(error.allowed)),)
    elif isinstance(error, BadRange):
        headers = (("Content-Range", f"bytes */{error.size}"),)
    elif status == 401:
        headers = (("WWW-Authenticate", 'Bearer realm="lightboard"'),)
    if tensorboard:
        prefix = {400: "Invalid argument: ", 403: "Permission denied: ", 404: "Not found: "}.get(status, "")
        text = prefix + message if known else message
        return Reply(text.encode("utf-8", "replace"), "text/plain; charset=utf-8", status, headers)
    return Reply(_error_json(error, message, status), JSON, status, headers)


def error_json(error: errors.LightboardError) -> bytes:
    """An error as the page reads it, without an answer around it."""
    return _error_json(error, error.message, error.status)


def _error_json(error: BaseException, message: str, status: int) -> bytes:
    shape: dict[str, object] = {"message": message, "hint": getattr(error, "hint", ""), "status": status}
    if isinstance(error, errors.BadFilter):
        shape["position"] = error.position
    return to_json({"error": shape})


def _reason(status: int) -> str:
    if status == 404:
        return "there is nothing at this address"
    if status == 405:
        return "this method is not possible here"
    return "something went wrong here; the server's log says what" if status >= 500 else "the request is not understood"
