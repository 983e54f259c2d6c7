"""`/api/tags`: the tags of each kind. `/api/descriptions`: descriptions of a tag by its writers."""

from __future__ import annotations

import dataclasses

from lightboard.query import descriptions, kinds, tags
from lightboard.query.runs import runs
from lightboard.server import context, endpoints, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class TagsQuestion:
    run: tuple[str, ...] | None = param("count only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("count only runs that match this filter", "")
    since: int = param("only tags that changed after this version of the store", -1, lo=-1)


def listing(context: context.Context, question: TagsQuestion) -> tags.Tags | responses.Heavy:
    def found() -> tags.Tags:
        rows = runs.chosen(context.store, question.run, question.filter)
        return tags.listing(context.store, runs=rows, since=question.since)

    return endpoints.by_size(context, found)


@dataclasses.dataclass(frozen=True)
class DescriptionsQuestion:
    kind: kinds.DescribedWord = param("which kind the tag is of")  # noqa: RUF009
    tag: str = param("tag")


def said(context: context.Context, question: DescriptionsQuestion) -> descriptions.Descriptions:
    return descriptions.of_tag(context.store, question.kind, question.tag)


API = (
    endpoints.Api(
        "/api/tags",
        listing,
        question=TagsQuestion,
        answer=tags.Tags,
        methods=("GET", "POST"),
        about="Tags per kind as parallel columns, with the number of runs that have each.",
    ),
    endpoints.Api(
        "/api/descriptions",
        said,
        question=DescriptionsQuestion,
        answer=descriptions.Descriptions,
        about="What writers said about a tag, as safe HTML, and which runs said it.",
    ),
)
