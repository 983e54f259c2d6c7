"""Write web/src/api/types.ts from the server's dataclasses, so that page and server always agree.

python tools/generate_api_types.py           write the file
python tools/generate_api_types.py --check   exit 1 if it is out of date (a test does the same)
"""

from __future__ import annotations

import dataclasses
import enum
import inspect
import pathlib
import re
import sys
import types
import typing
from typing import Any

from lightboard import error_codes
from lightboard.server import app, parameters, responses

TARGET = pathlib.Path(__file__).resolve().parent.parent / "web" / "src" / "api" / "types.ts"
HEAD = """// Made by tools/generate_api_types.py from the server's dataclasses. Do not edit; run it again.
// Numbers that JSON or a browser cannot carry are strings: "NaN", "Infinity", "-Infinity", integers beyond 2^53 - 1.
"""
LINE_LENGTH = 120
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "unknown"}


def typescript(annotation: Any, found: dict[str, type]) -> str:
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (types.UnionType, typing.Union):
        return " | ".join(dict.fromkeys(typescript(arm, found) for arm in arguments))
    if origin is typing.Literal:
        return " | ".join(f'"{choice}"' for choice in arguments)
    if origin in (list, tuple):
        item = typescript(arguments[0], found)
        return f"readonly ({item})[]" if "|" in item or item.startswith("readonly ") else f"readonly {item}[]"
    if origin is dict:
        return f"Readonly<Record<string, {typescript(arguments[1], found)}>>"
    if dataclasses.is_dataclass(annotation) and isinstance(annotation, type):
        known = found.setdefault(annotation.__name__, annotation)
        if known is not annotation:
            raise ValueError(f"two answers are called {annotation.__name__}")
        return annotation.__name__
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return " | ".join(f'"{each.value}"' for each in annotation)
    return PLAIN[annotation]


def comments(answer: type) -> dict[str, str]:
    """Return the comment after `#` on the line of each field."""
    lines = inspect.getsource(answer).splitlines()
    matches = (re.match(r"    (\w+):.*?  # (.*)$", line) for line in lines)
    return {match[1]: match[2] for match in matches if match}


def declared(answer: type, found: dict[str, type]) -> str:
    hints = typing.get_type_hints(answer)
    remarks = comments(answer)
    lines = []
    summary = (answer.__doc__ or "").split("\n")[0].strip()
    if summary and not summary.startswith(answer.__name__ + "("):
        lines.append(f"/** {summary} */")
    lines.append(f"export type {answer.__name__} = {{")
    for field in dataclasses.fields(answer):
        if field.name in remarks:
            lines.append(f"  /** {remarks[field.name]} */")
        kind, absent = typescript(hints[field.name], found), field.metadata.get("may_be_absent")
        lines.append(
            f"  readonly {field.name}?: {kind.removesuffix(' | null')};"
            if absent
            else f"  readonly {field.name}: {kind};"
        )
    return "\n".join([*lines, "};"])


def question(asked: type) -> str:
    lines = [f"export type {asked.__name__} = {{"]
    for shape in parameters.shapes(asked):
        kind = " | ".join(f'"{choice}"' for choice in shape.choices) or _kind(shape)
        if shape.many:
            kind = f"readonly ({kind})[]" if "|" in kind else f"readonly {kind}[]"
        lines.append(f"  /** {shape.hint.about} */")
        lines.append(_broken(f"  readonly {shape.name}{'' if shape.required else '?'}: {kind};"))
    return "\n".join([*lines, "};"])


def _broken(line: str) -> str:
    """Break a line as the page's formatter does: a long union has one member per line."""
    name, _, kind = line.partition(": ")
    return (
        line if len(line) <= LINE_LENGTH or " | " not in kind else f"{name}:\n    | " + kind.replace(" | ", "\n    | ")
    )


def _kind(shape: parameters.Shape) -> str:
    if shape.kind is dict:
        return typescript(shape.annotation, {})
    # a step beyond 2^53 is sent as a string
    return "number | string" if shape.kind is parameters.Real else PLAIN[shape.kind]


def generate() -> str:
    apis = app.apis()
    found: dict[str, type] = {}
    for api in apis:
        if api.answer is not None:
            typescript(api.answer, found)
    typescript(responses.Failure, found)
    done: dict[str, str] = {}
    while missing := [name for name in found if name not in done]:
        for name in missing:
            done[name] = declared(found[name], found)
    asked = {api.question.__name__: api.question for api in apis if dataclasses.fields(api.question)}
    parts = [done[name] for name in sorted(done)] + [question(asked[name]) for name in sorted(asked)]
    return HEAD + "\n" + "\n\n".join([*parts, codes()]) + "\n"


def codes() -> str:
    names = "".join(f'\n  | "{code}"' for code in sorted(error_codes.CODES))
    return f"/** Codes of sentences about errors: see `Explanation`. */\nexport type ErrorCode ={names};"


def main() -> int:
    text = generate()
    if "--check" in sys.argv[1:]:
        if TARGET.is_file() and TARGET.read_text() == text:
            return 0
        print(f"stale: {TARGET}", file=sys.stderr)
        return 1
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
