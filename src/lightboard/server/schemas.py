"""JSON Schemas of dataclasses, for the OpenAPI document and for the page's TypeScript types."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from typing import Any


def schema(annotation: Any, found: dict[str, type]) -> dict[str, Any]:
    """Returns the schema of a type; adds dataclasses that it contains to `found` and refers to them by name."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [schema(arm, found) for arm in arguments]}
    if origin is typing.Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (list, tuple):
        return {"type": "array", "items": schema(arguments[0], found)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema(arguments[1], found)}
    if annotation is Any:
        return {}
    if annotation is type(None):
        return {"type": "null"}
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        found[annotation.__name__] = annotation
        return {"$ref": f"#/components/schemas/{annotation.__name__}"}
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return {"type": "string", "enum": [each.value for each in annotation]}
    return {"type": _PLAIN[annotation]}


_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def components(answers: typing.Iterable[type]) -> dict[str, dict[str, Any]]:
    """Returns schemas of the responses and of every dataclass inside them, by name."""
    found: dict[str, type] = {answer.__name__: answer for answer in answers}
    done: dict[str, dict[str, Any]] = {}
    while missing := [name for name in found if name not in done]:
        for name in missing:
            done[name] = _object(found[name], found)
    return dict(sorted(done.items()))


def _object(answer: type, found: dict[str, type]) -> dict[str, Any]:
    hints = typing.get_type_hints(answer)
    names = [field.name for field in dataclasses.fields(answer)]
    required = [field.name for field in dataclasses.fields(answer) if not field.metadata.get("may_be_absent")]
    return {
        "type": "object",
        "description": (answer.__doc__ or "").split("\n")[0] if "(" not in (answer.__doc__ or "")[:40] else "",
        "required": required,
        "properties": {name: schema(hints[name], found) for name in names},
    }
