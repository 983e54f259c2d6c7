"""Write web/src/hub/api/generated.ts from the structs of the REST API, so that the hub and its page always agree.

python tools/generate_hub_types.py           write the file
python tools/generate_hub_types.py --check   exit 1 if it is out of date (a test does the same)

Answers are declared whole; members of bodies and queries that have a default may be absent.
"""

from __future__ import annotations

import enum
import inspect
import pathlib
import re
import sys
import types
import typing
from collections.abc import Iterable
from typing import Any

import msgspec

from lightboard.hub.api import openapi, routes, table

TARGET = pathlib.Path(__file__).resolve().parent.parent / "web" / "src" / "hub" / "api" / "generated.ts"
HEAD = "// Made by tools/generate_hub_types.py from the routes of the hub. Do not edit; run it again.\n"
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}
LINE_LENGTH = 120


def typescript(annotation: Any, found: dict[str, type]) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return typescript(arguments[0], found)
    if origin in (types.UnionType, typing.Union):
        arms = [each for each in arguments if each is not msgspec.UnsetType]
        return " | ".join(dict.fromkeys(arm for each in arms for arm in typescript(each, found).split(" | ")))
    if origin is typing.Literal:
        return " | ".join(f'"{choice}"' for choice in arguments)
    if origin in (list, tuple):
        item = typescript(arguments[0], found)
        return f"readonly ({item})[]" if "|" in item or item.startswith("readonly ") else f"readonly {item}[]"
    if origin is dict:
        return f"Readonly<Record<string, {typescript(arguments[1], found)}>>"
    if isinstance(annotation, type) and issubclass(annotation, (msgspec.Struct, enum.Enum)):
        known = found.setdefault(annotation.__name__, annotation)
        if known is not annotation:
            raise ValueError(f"two types are called {annotation.__name__}: {known} and {annotation}")
        return annotation.__name__
    return PLAIN[annotation]


def comments(kind: type) -> dict[str, str]:
    """The comment after `#` on the line of each member, of base classes, too."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if issubclass(each, msgspec.Struct) and each not in (msgspec.Struct, routes.Struct, routes.Answer):
            matches = (re.match(r"    (\w+):.*?  # (.*)$", line) for line in inspect.getsource(each).splitlines())
            found |= {match[1]: match[2] for match in matches if match}
    return found


def declared(kind: Any, found: dict[str, type]) -> str:
    if issubclass(kind, enum.Enum):
        words = " | ".join(f'"{each.value}"' for each in kind)
        return broken(f"export type {kind.__name__} = {words};", " =", "  ")
    remarks = comments(kind)
    summary = (kind.__doc__ or "").split("\n")[0].strip() if "__doc__" in vars(kind) else ""
    lines = [f"/** {summary} */"] if summary else []
    lines.append(f"export type {kind.__name__} = {{")
    asked = issubclass(kind, routes.Struct)
    for field in msgspec.structs.fields(kind):
        if field.name in remarks:
            lines.append(f"  /** {remarks[field.name]} */")
        optional = "?" if (asked and not field.required) or msgspec.UnsetType in typing.get_args(field.type) else ""
        line = f"  readonly {field.encode_name}{optional}: {typescript(field.type, found)};"
        lines.append(broken(line, ":", "    "))
    return "\n".join([*lines, "};"])


def broken(line: str, mark: str, indent: str) -> str:
    """As the page's formatter does: a long union has one member per line."""
    name, _, kind = line.partition(f"{mark} ")
    if len(line) <= LINE_LENGTH or " | " not in kind:
        return line
    return f"{name}{mark}\n{indent}| " + kind.replace(" | ", f"\n{indent}| ")


def kinds(route: routes.Route) -> Iterable[Any]:
    yield from (each for each in (route.answer, route.body) if each not in (None, bytes, msgspec.Raw))
    if route.query is not routes.NoQuery:
        yield route.query


def generate() -> str:
    found: dict[str, type] = {}
    for route in table.all_routes():
        for kind in kinds(route):
            typescript(kind, found)
    typescript(openapi.Problem, found)
    done: dict[str, str] = {}
    while missing := [name for name in found if name not in done]:
        for name in missing:
            done[name] = declared(found[name], found)
    return HEAD + "\n" + "\n\n".join(done[name] for name in sorted(done)) + "\n"


def main() -> int:
    text = generate()
    if "--check" in sys.argv[1:]:
        if TARGET.is_file() and TARGET.read_text() == text:
            return 0
        print(f"stale: {TARGET}", file=sys.stderr)
        return 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
