"""`/api/tags`: which tags there are, per kind."""

from __future__ import annotations

import dataclasses

from lightboard.query import runs, tags
from lightboard.server import context, endpoints
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class TagsQuestion:
    run: tuple[str, ...] | None = param("count only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("count only runs that pass this filter", "")
    since: int = param("only tags that changed after this version of the store", -1, lo=-1)


def listing(context: context.Context, question: TagsQuestion) -> tags.Tags:
    rows = runs.chosen(context.store, question.run, question.filter)
    return tags.listing(context.store, runs=rows, since=question.since)


API = (
    endpoints.Api(
        "/api/tags",
        listing,
        question=TagsQuestion,
        answer=tags.Tags,
        methods=("GET", "POST"),
        about="Tags per kind as parallel columns, with the number of runs that have each.",
    ),
)
