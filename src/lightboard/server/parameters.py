"""Parses query string, path and JSON body into a frozen dataclass. Code inside trusts the result.

A route names its dataclass (its *question*). Fields are the parameters, their types say how to parse them, and
`param()` adds a description. The OpenAPI document and the page's TypeScript types are generated from the same fields.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import math
import types
import typing
import urllib.parse
from collections.abc import Mapping
from typing import Any, TypeVar

from lightboard import errors

Question = TypeVar("Question")

MAX_FIELDS = 20_000  # repeated `run=` in one query string; longer lists need a POST body
INT64 = range(-(2**63), 2**63)


class Real(float):
    """Means `int | float`: an integer stays an integer, so that steps beyond 2^53 are exact."""


@dataclasses.dataclass(frozen=True)
class Hint:
    """What `param()` hangs on a field."""

    about: str
    lo: float = -math.inf
    hi: float = math.inf
    in_path: bool = False


def param(
    about: str,
    default: Any = dataclasses.MISSING,
    *,
    lo: float = -math.inf,
    hi: float = math.inf,
    in_path: bool = False,
) -> Any:
    """A field of a question. Without a default the parameter is required."""
    metadata = {"hint": Hint(about, lo, hi, in_path)}
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


@dataclasses.dataclass(frozen=True)
class Nothing:
    """The question of a route without parameters."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shape:
    """How one parameter is parsed."""

    name: str
    kind: type  # str, int, float, bool, Real, dict
    many: bool
    choices: tuple[str, ...]
    required: bool
    default: Any
    hint: Hint
    annotation: Any = str  # the type as it is written, for what is made from it


@functools.cache
def shapes(question: Any) -> tuple[Shape, ...]:
    hints = typing.get_type_hints(question)
    return tuple(_shape(field, hints[field.name]) for field in dataclasses.fields(question))


def _shape(field: dataclasses.Field[Any], annotation: Any) -> Shape:
    annotation = _without_none(annotation)
    many = typing.get_origin(annotation) is tuple
    if many:
        annotation = _without_none(typing.get_args(annotation)[0])
    choices: tuple[str, ...] = ()
    written = annotation
    if typing.get_origin(annotation) is dict:
        annotation = dict
    if typing.get_origin(annotation) is typing.Literal:
        choices, annotation = typing.get_args(annotation), str
    required = field.default is dataclasses.MISSING
    hint = field.metadata.get("hint", Hint(""))
    return Shape(
        name=field.name,
        kind=annotation,
        many=many,
        choices=choices,
        required=required,
        default=None if required else field.default,
        hint=hint,
        annotation=written,
    )


def _without_none(annotation: Any) -> Any:
    if typing.get_origin(annotation) not in (types.UnionType, typing.Union):
        return annotation
    arms = [arm for arm in typing.get_args(annotation) if arm is not type(None)]
    return Real if arms == [int, float] else arms[0]


def parse(question: type[Question], raw: Mapping[str, list[Any]]) -> Question:
    """Raises errors.BadInput with the name of the wrong parameter."""
    values: dict[str, Any] = {}
    for shape in shapes(typing.cast(Any, question)):
        texts = raw.get(shape.name)
        if texts is None or (shape.required and not texts):
            if shape.required:
                raise errors.BadQuestion(f"parameter `{shape.name}` is missing", hint=shape.hint.about)
            continue
        if shape.many:
            values[shape.name] = tuple(_one(shape, text) for text in texts)
        elif len(texts) != 1:
            raise errors.BadQuestion(f"parameter `{shape.name}` is given {len(texts)} times", hint="give it once")
        else:
            values[shape.name] = _one(shape, texts[0])
    return question(**values)


def _one(shape: Shape, raw: Any) -> Any:
    value = _PARSERS[shape.kind](raw)
    if value is None:
        raise errors.BadQuestion(f"parameter `{shape.name}` must be {_WANTED[shape.kind]}, not {_shown(raw)}")
    if shape.choices and value not in shape.choices:
        allowed = ", ".join(shape.choices)
        raise errors.BadQuestion(f"parameter `{shape.name}` must be one of {allowed}, not {_shown(raw)}")
    if shape.kind in (int, float) and not shape.hint.lo <= value <= shape.hint.hi:
        raise errors.BadQuestion(
            f"parameter `{shape.name}` must lie in {shape.hint.lo:g} … {shape.hint.hi:g}, not {_shown(raw)}"
        )
    return value


def _shown(raw: Any) -> str:
    text = raw if isinstance(raw, str) else repr(raw)
    return f"`{text if len(text) <= 60 else text[:60] + '…'}`"


def _text(raw: Any) -> str | None:
    return raw if isinstance(raw, str) else None


def _integer(raw: Any) -> int | None:
    if isinstance(raw, str) and raw.isascii() and raw.removeprefix("-").isdigit() and len(raw) <= 20:
        raw = int(raw)
    if isinstance(raw, int) and not isinstance(raw, bool) and raw in INT64:
        return raw
    return None


def _number(raw: Any) -> float | None:
    try:
        value = float(raw) if isinstance(raw, (str, int, float)) and not isinstance(raw, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _truth(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    return {"1": True, "true": True, "0": False, "false": False}.get(str(value).lower())


def _real(value: Any) -> int | float | None:
    whole = _integer(value)
    return _number(value) if whole is None else whole


def _members(value: Any) -> dict[str, Any] | None:
    """A JSON object; only a body can have one. The handler checks its members."""
    return value if isinstance(value, dict) else None


_PARSERS: dict[type, Any] = {str: _text, int: _integer, float: _number, bool: _truth, Real: _real, dict: _members}
_WANTED = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    float: "a finite number",
    Real: "a finite number",
    dict: "an object in the body of a POST",
}


def from_query(query: bytes) -> dict[str, list[Any]]:
    raw: dict[str, list[Any]] = {}
    try:
        # names of runs and tags need not be UTF-8; bytes of file names survive the round trip
        pairs = urllib.parse.parse_qsl(
            query.decode("latin-1"), keep_blank_values=True, errors="surrogateescape", max_num_fields=MAX_FIELDS
        )
    except ValueError as failure:
        raise errors.BadQuestion(
            f"more than {MAX_FIELDS} parameters", hint="send long lists as JSON in the body of a POST"
        ) from failure
    for name, value in pairs:
        raw.setdefault(name, []).append(value)
    return raw


def from_json(body: bytes) -> dict[str, list[Any]]:
    """Parses a JSON object, each member a value or a list of values; null means absent."""
    try:
        # a deeply nested body raises RecursionError; that is bad input, not a server error
        members = json.loads(body)
    except (ValueError, RecursionError) as failure:
        raise errors.BadQuestion("the body is not valid JSON", hint=str(failure)[:200]) from failure
    if not isinstance(members, dict):
        raise errors.BadQuestion("the body must be a JSON object")
    return from_members(members)


def from_members(members: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: value if isinstance(value, list) else [value] for name, value in members.items() if value is not None}
