"""`annotations.json`: what people say about runs.

    {"lightboard": "annotations", "version": 1,
     "runs": {"train/1": {"name": "baseline", "note": "**good**", "tags": ["paper"], "archived": true,
                          "color": "#aabbcc"}}}

Unknown members and fields, as a later version may write, are kept. A field that is null hides the value of that field
in the file below this one (see `location`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from lightboard import errors, types

FILE = "annotations.json"
FIELDS = ("name", "note", "tags", "archived", "color")
DERIVED = ("note_html",)  # sent to pages; ignored if an imported document contains it

MAX_NAME = 500
MAX_NOTE_BYTES = 64 << 10
MAX_TAGS = 50
MAX_TAG = 100
MAX_RUN_NAME = 4096
MAX_FILE_BYTES = 64 << 20

Document = dict[str, Any]
Runs = dict[str, dict[str, Any]]
_COLOR = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")


def empty() -> Document:
    return {"lightboard": "annotations", "version": 1, "runs": {}}


def decode(body: bytes) -> Document:
    """Raises errors.Unreadable if it is no such document."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as problem:
        raise errors.Unreadable(f"no valid JSON ({str(problem)[:100]})", code="json.invalid") from problem
    if not isinstance(document, dict) or not isinstance(document.get("runs"), dict):
        raise errors.Unreadable("JSON, but not remarks about runs", code="notes.not_notes")
    return document


def encode(document: Document) -> bytes:
    # one run per line: people keep such files in version control
    head = {name: member for name, member in document.items() if name != "runs"}
    lines = [f"{json.dumps(run)}: {json.dumps(fields)}" for run, fields in document["runs"].items()]
    opening = json.dumps(head)[:-1] + (", " if head else "")
    body = opening + '"runs": {' + (("\n" + ",\n".join(lines) + "\n") if lines else "") + "}}\n"
    return body.encode("ascii")


def checked(change: Mapping[str, Any]) -> Runs:
    """A change as somebody asks for it, in order. Raises errors.BadInput that says what is wrong with which run."""
    return {run: _checked_run(run, fields) for run, fields in change.items()}


def _checked_run(run: str, fields: Any) -> dict[str, Any]:
    if len(run) > MAX_RUN_NAME:
        raise errors.BadInput(
            f"the name of a run has at most {MAX_RUN_NAME} characters",
            code="notes.run_name_too_long",
            limit=MAX_RUN_NAME,
        )
    if fields is None:
        return dict.fromkeys(FIELDS)
    if not isinstance(fields, dict):
        raise errors.BadInput(
            f"run `{run[:60]}`: expected an object",
            hint='such as {"name": "baseline"}',
            code="notes.not_object",
            run=run[:60],
        )
    return {name: _checked(run, name, value) for name, value in fields.items() if name not in DERIVED}


def _checked(run: str, name: str, value: Any) -> Any:
    if name not in FIELDS:
        raise _wrong(run, name, "there is no such field", "fields are " + ", ".join(FIELDS), code="notes.unknown_field")
    if value is None:
        return None
    if name == "name":
        return _text(run, name, value, MAX_NAME).strip() or None
    if name == "note":
        if not isinstance(value, str):
            raise _wrong(run, name, "it must be text", code="notes.wrong_type")
        if len(value.encode("utf-8", "surrogatepass")) > MAX_NOTE_BYTES:
            raise _wrong(
                run,
                name,
                f"it has more than {MAX_NOTE_BYTES >> 10} KiB",
                code="notes.note_too_large",
                limit=MAX_NOTE_BYTES >> 10,
            )
        return value or None
    if name == "tags":
        return _tags(run, value)
    if name == "archived":
        if not isinstance(value, bool):
            raise _wrong(run, name, "it must be true or false", code="notes.wrong_type")
        return value or None
    if not isinstance(value, str) or not _COLOR.match(value):
        raise _wrong(run, name, "it must be a color", "write it as #1f77b4", code="notes.color")
    return value.lower() if len(value) == 7 else "#" + "".join(2 * digit for digit in value[1:].lower())


def _tags(run: str, value: Any) -> list[str] | None:
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise _wrong(run, "tags", "it must be a list of texts", code="notes.wrong_type")
    found = list(dict.fromkeys(tag.strip() for tag in value if tag.strip()))
    if len(found) > MAX_TAGS:
        raise _wrong(run, "tags", f"there are more than {MAX_TAGS}", code="notes.too_many_labels", limit=MAX_TAGS)
    for tag in found:
        _text(run, "tags", tag, MAX_TAG)
    return found or None


def _text(run: str, name: str, value: Any, limit: int) -> str:
    if not isinstance(value, str):
        raise _wrong(run, name, "it must be text", code="notes.wrong_type")
    if len(value) > limit:
        raise _wrong(run, name, f"a text here has at most {limit} characters", code="notes.too_long", limit=limit)
    return value


def _wrong(run: str, name: str, why: str, hint: str = "", *, code: str, **parameters: int) -> errors.BadInput:
    run, field = run[:60], name[:60]
    return errors.BadInput(f"`{field}` of run `{run}`: {why}", hint=hint, code=code, run=run, field=field, **parameters)


def merged(document: Document, change: Mapping[str, Mapping[str, Any]], *, keep_nulls: bool) -> Document:
    """Returns a new document with the change, field by field; null removes. `keep_nulls`: there is a file below."""
    runs: Runs = dict(document["runs"])
    for run, fields in change.items():
        before = runs.get(run)
        after = {**(before if isinstance(before, dict) else {}), **fields}
        if not keep_nulls:
            after = {name: value for name, value in after.items() if value is not None}
        if after:
            runs[run] = after
        else:
            runs.pop(run, None)
    return {**document, "runs": runs}


def parsed(document: Document) -> dict[str, types.Annotation]:
    """Returns the valid part of the document: people edit such files."""
    found = {}
    for run, fields in document["runs"].items():
        if isinstance(fields, dict):
            one = _parsed_run(run, fields)
            if one != NOTHING:
                found[run] = one
    return found


def _parsed_run(run: str, fields: dict[str, Any]) -> types.Annotation:
    sound: dict[str, Any] = {}
    for name in FIELDS:
        if fields.get(name) is not None:
            try:
                value = _checked(run, name, fields[name])
            except errors.BadInput:
                continue
            if value is not None:
                sound[name] = tuple(value) if name == "tags" else value
    return types.Annotation(**sound)


NOTHING = types.Annotation()
