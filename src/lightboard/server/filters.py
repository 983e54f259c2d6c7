"""`/api/filter` and `/api/complete`: checks and completes a run filter while it is typed."""

from __future__ import annotations

import dataclasses

from lightboard import errors
from lightboard.query.runs import filters, runs
from lightboard.server import context, endpoints, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class FilterQuestion:
    filter: str = param("what has been typed")


@dataclasses.dataclass(frozen=True)
class FilterAnswer:
    """The runs that pass, in natural order, or the mistake in the filter."""

    run: list[str]
    error: responses.Problem | None = None


@dataclasses.dataclass(frozen=True)
class CompleteQuestion:
    filter: str = param("what has been typed")
    cursor: int | None = param("where the cursor is, in characters; by default at the end", None, lo=0)
    limit: int = param("return at most so many", 20, lo=1, hi=200)


@dataclasses.dataclass(frozen=True)
class Completions:
    """Words that may stand in place of the one left of the cursor, best first."""

    words: list[str]


def check(context: context.Context, question: FilterQuestion) -> FilterAnswer:
    try:
        return FilterAnswer(runs.listing(context.store, filter_=question.filter).name)
    except errors.BadFilter as mistake:
        return FilterAnswer([], responses.problem(mistake))


def complete(context: context.Context, question: CompleteQuestion) -> Completions:
    cursor = len(question.filter) if question.cursor is None else question.cursor
    names = runs.filter_names(context.store)
    return Completions(filters.complete(question.filter, cursor, names, limit=question.limit))


API = (
    endpoints.Api(
        "/api/filter",
        check,
        question=FilterQuestion,
        answer=FilterAnswer,
        methods=("GET", "POST"),
        about="Names of the runs that pass a filter, or the mistake in it.",
    ),
    endpoints.Api(
        "/api/complete",
        complete,
        question=CompleteQuestion,
        answer=Completions,
        about="What may come next in a run filter.",
    ),
)
