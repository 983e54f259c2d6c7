"""`/api/export`: every point of a selection as a file, streamed."""

from __future__ import annotations

import dataclasses
from typing import Literal

from lightboard import errors
from lightboard.query import exports, runs, scalars
from lightboard.server import context, endpoints, responses
from lightboard.server.parameters import param
from lightboard.server.scalars import rewinds


@dataclasses.dataclass(frozen=True)
class ExportQuestion:
    format: Literal["csv", "jsonl", "arrow", "parquet"] = param("what to write", "csv")
    tag: tuple[str, ...] = param("only these tags; may be repeated", ())
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only runs that pass this filter", "")
    rewinds: Literal["latest", "all"] | None = param("points a restart superseded: leave them out or keep them", None)


def export(context: context.Context, question: ExportQuestion) -> responses.Reply:
    rows = runs.chosen(context.store, question.run, question.filter)
    found = scalars.find(context.store, question.tag or None, rows, most=None)
    if not found:
        raise errors.NotFound("no scalars match", hint="/api/tags and /api/runs list what there is")
    chosen = exports.selection(found, rewinds(context, question.rewinds))
    written = exports.write(chosen, question.format)
    format_ = exports.FORMATS[question.format]
    headers = (
        ("Content-Disposition", f'attachment; filename="lightboard{format_.suffix}"'),
        ("Cache-Control", "no-store"),
    )
    # Parquet is compressed inside
    return responses.Reply(written, format_.media_type, headers=headers, may_compress=question.format != "parquet")


API = (
    endpoints.Api(
        "/api/export",
        export,
        question=ExportQuestion,
        methods=("GET", "POST"),
        about="Every point of a selection as CSV, JSON lines, Arrow or Parquet.",
        media_types=tuple(format_.media_type for format_ in exports.FORMATS.values()),
    ),
)
