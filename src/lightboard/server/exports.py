"""`/api/export`: every point of a selection as a file, streamed."""

from __future__ import annotations

import dataclasses
import unicodedata
import urllib.parse
from typing import Literal

from lightboard import errors
from lightboard.query import derived, exports
from lightboard.query.runs import runs
from lightboard.query.scalars import scalars
from lightboard.server import context, endpoints, responses
from lightboard.server.parameters import param

MAX_NAME = 80  # of a run or a tag in a file name: two fit into the 255 bytes of a file system, but not in Chinese


@dataclasses.dataclass(frozen=True)
class ExportQuestion:
    format: Literal["csv", "json", "jsonl", "arrow", "parquet"] = param("what to write", "csv")
    tag: tuple[str, ...] = param("only these tags or expressions; may be repeated", ())
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only runs that match this filter", "")
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or keep them", None)


def export(context: context.Context, question: ExportQuestion) -> responses.Reply:
    rows = runs.chosen(context.store, question.run, question.filter)
    found: list[exports.Exportable] = []
    found += scalars.find(context.store, question.tag or None, rows, most=None)
    for tag in dict.fromkeys(question.tag):
        found += derived.find(context.store, tag, rows) if derived.is_derived(context.store, tag) else []
    if not found:
        raise errors.NotFound(
            "no scalars match", hint="/api/tags and /api/runs list what there is", code="export.nothing"
        )
    chosen = exports.selection(found, context.rewinds(question.rewinds))
    written = exports.write(chosen, question.format)
    format_ = exports.FORMATS[question.format]
    headers = (
        ("Content-Disposition", disposition(file_name(chosen, format_.suffix))),
        ("Cache-Control", "no-store"),
    )
    # Parquet is compressed inside
    return responses.Reply(written, format_.media_type, headers=headers, may_compress=question.format != "parquet")


def file_name(chosen: exports.Selection, suffix: str) -> str:
    """The name contains the run or the tag if there is only one, so that users can distinguish several downloads."""
    words = [names[0] for names in (chosen.runs, chosen.tags) if len(names) == 1]
    stem = "-".join(filter(None, map(_tame, words)))
    return (stem or "lightboard") + suffix


def _tame(name: str) -> str:
    """Makes the name valid in file names of any system: no separators, no control characters, no leading dot."""
    kept = ["_" if mark in '<>:"/\\|?*%' or mark.isspace() else mark for mark in name]
    shown = "".join(mark for mark in kept if unicodedata.category(mark)[0] != "C")
    return shown.strip("._ ")[:MAX_NAME]


def disposition(name: str) -> str:
    """RFC 6266: an ASCII name for all clients, the real name for those that support UTF-8."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_")
    if plain == name:
        return f'attachment; filename="{name}"'
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{urllib.parse.quote(name, safe='')}"


API = (
    endpoints.Api(
        "/api/export",
        export,
        question=ExportQuestion,
        methods=("GET", "POST"),
        about="Every point of a selection as CSV, JSON, JSON lines, Arrow or Parquet.",
        heavy_bytes=endpoints.HEAVY_BYTES,
        media_types=tuple(format_.media_type for format_ in exports.FORMATS.values()),
    ),
)
