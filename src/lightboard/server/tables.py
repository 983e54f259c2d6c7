"""`/api/tables`: logged tables, one page of rows at a time, sorted and filtered here; and complete as files."""

from __future__ import annotations

import dataclasses
import functools
from typing import Literal

from lightboard import errors
from lightboard.query import tables
from lightboard.server import context, endpoints, exports, responses
from lightboard.server.parameters import param

CSV = "text/csv; charset=utf-8"
_FILTER = "by column: `> 3`, `1..5`, `= x`, `!= x`, `/pattern/`, `!word` or a word that cells have in them"


class NoTable(errors.BadInput):
    """The bytes exist, but are no table: the message says why."""

    status = 422


@dataclasses.dataclass(frozen=True)
class TablePageQuestion:
    key: str = param("key of the table's blob: see /api/steps and /api/blobs")
    sort: str = param("column to sort by; a `-` before it: the largest first", "")
    filter: dict[str, str] | None = param(_FILTER, None)  # noqa: RUF009
    first: int = param("the first row wanted, of those that pass", 0, lo=0)
    count: int = param("at most so many rows", 200, lo=1, hi=5000)


@dataclasses.dataclass(frozen=True)
class TableFileQuestion:
    key: str = param("key of the table's blob: see /api/steps and /api/blobs")
    sort: str = param("column to sort by; a `-` before it: the largest first", "")
    filter: dict[str, str] | None = param(_FILTER, None)  # noqa: RUF009
    format: Literal["csv", "json"] = param("what to write", "csv")


def page(context: context.Context, question: TablePageQuestion) -> responses.Heavy:
    return responses.Heavy(_cost(context, question.key), functools.partial(_page, context, question))


def file(context: context.Context, question: TableFileQuestion) -> responses.Heavy:
    return responses.Heavy(_cost(context, question.key), functools.partial(_file, context, question))


def _cost(context: context.Context, key: str) -> int:
    """Memory for reading the table, and for sorting, filtering or writing it."""
    return tables.cost_bytes(context.store, key) + endpoints.HEAVY_BYTES


def _page(context: context.Context, question: TablePageQuestion) -> tables.TablePage:
    table = _read(context, question.key)
    rows = tables.chosen(table, _filters(question.filter), question.sort)
    return tables.page(table, rows, question.first, question.count)


def _file(context: context.Context, question: TableFileQuestion) -> responses.Reply:
    table = _read(context, question.key)
    rows = tables.chosen(table, _filters(question.filter), question.sort)
    headers = (
        ("Content-Disposition", exports.disposition(f"table.{question.format}")),
        ("Cache-Control", "no-store"),
    )
    media_type = CSV if question.format == "csv" else responses.JSON
    return responses.Reply(tables.write(table, rows, question.format), media_type, headers=headers)


def _read(context: context.Context, key: str) -> tables.Table:
    try:
        return tables.read(context.store, key)
    except errors.Unreadable as error:
        hint = error.hint or "what was logged can be downloaded as it is"
        raise NoTable(error.message, hint=hint, code=error.code, **error.parameters) from error


def _filters(filters: dict[str, str] | None) -> dict[str, str]:
    return {name: str(text) for name, text in (filters or {}).items()}


API = (
    endpoints.Api(
        "/api/tables",
        page,
        question=TablePageQuestion,
        answer=tables.TablePage,
        methods=("GET", "POST"),
        about="Rows of a logged table, sorted and filtered, column by column.",
    ),
    endpoints.Api(
        "/api/tables/file",
        file,
        question=TableFileQuestion,
        methods=("GET", "POST"),
        about="The rows that pass, as CSV or JSON.",
        media_types=(CSV, responses.JSON),
    ),
)
