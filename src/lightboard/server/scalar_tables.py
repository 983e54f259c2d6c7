"""`/api/table`, `/api/values`, `/api/points`: exact numbers as JSON."""

from __future__ import annotations

import dataclasses
from typing import Literal

from lightboard import errors
from lightboard.query.runs import runs
from lightboard.query.scalars import scalar_tables, scalars
from lightboard.server import context, endpoints
from lightboard.server.parameters import param

MAX_POSITIONS = 100
MAX_TAGS = 200


@dataclasses.dataclass(frozen=True, kw_only=True)
class TableQuestion:
    tag: tuple[str, ...] = param("tag; may be repeated")
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only runs that match this filter", "")
    sort: str = param("such as `-last(loss)`; by default runs by name", "")
    offset: int = param("skip so many rows at the start", 0, lo=0)
    limit: int | None = param("return at most so many rows", None, lo=0)
    lo: int | float | None = param("with `lo` or `hi`: the same over the points from here", None)
    hi: int | float | None = param("... to here", None)
    x: str = param("what the range counts in: `step`, `wall`, `relative`, or `metric:TAG`", "step")
    rewinds: Literal["latest", "all"] | None = param("whether superseded points count in the range", None)


@dataclasses.dataclass(frozen=True)
class ValuesQuestion:
    tag: tuple[str, ...] = param("tag; may be repeated")
    at: tuple[int | float, ...] = param("position on x; may be repeated")
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only runs that match this filter", "")
    x: str = param("the x axis: `step`, `wall`, `relative`, or `metric:TAG`", "step")
    smoothing: str = param("such as `ema:0.6`; computed on all points", "")
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)


@dataclasses.dataclass(frozen=True)
class PointsQuestion:
    run: str = param("name of the run")
    tag: str = param("name of the tag")
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)
    offset: int = param("skip so many points at the start", 0, lo=0)
    limit: int = param("return at most so many points", 1_000_000, lo=0, hi=1_000_000)


def table(context: context.Context, question: TableQuestion) -> scalar_tables.Table:
    if len(question.tag) > MAX_TAGS:
        raise errors.BadInput(f"parameter `tag` is given more than {MAX_TAGS} times", code="request.too_large")
    rows = runs.chosen(context.store, question.run, question.filter)
    return scalar_tables.table(
        context.store,
        question.tag,
        rows,
        sort=question.sort,
        offset=question.offset,
        limit=question.limit,
        within=scalar_tables.Range(question.x, question.lo, question.hi, context.rewinds(question.rewinds)),
    )


def values(context: context.Context, question: ValuesQuestion) -> scalar_tables.Nearest:
    if len(question.at) > MAX_POSITIONS:
        raise errors.BadQuestion(f"parameter `at` is given more than {MAX_POSITIONS} times")
    rows = runs.chosen(context.store, question.run, question.filter)
    asked = scalars.Asked(x=question.x, smoothing=question.smoothing, rewinds=context.rewinds(question.rewinds))
    return scalar_tables.nearest(context.store, question.tag, rows, question.at, asked)


def points(context: context.Context, question: PointsQuestion) -> scalar_tables.SeriesPoints:
    return scalar_tables.points(
        context.store,
        question.run,
        question.tag,
        rewinds=context.rewinds(question.rewinds),
        offset=question.offset,
        limit=question.limit,
    )


API = (
    endpoints.Api(
        "/api/table",
        table,
        question=TableQuestion,
        answer=scalar_tables.Table,
        methods=("GET", "POST"),
        about="First, last, lowest and highest value of tags, one row per run; also over a range.",
    ),
    endpoints.Api(
        "/api/values",
        values,
        question=ValuesQuestion,
        answer=scalar_tables.Nearest,
        methods=("GET", "POST"),
        about="The exact points nearest to positions on x.",
    ),
    endpoints.Api(
        "/api/points",
        points,
        question=PointsQuestion,
        answer=scalar_tables.SeriesPoints,
        methods=("GET", "POST"),
        about="Every point of one series.",
    ),
)
