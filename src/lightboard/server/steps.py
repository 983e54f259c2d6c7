"""`/api/steps`: the points of images, texts, histograms and every other heavy kind, without their values."""

from __future__ import annotations

import dataclasses
from typing import Literal

from lightboard.query import kinds, steps
from lightboard.query.runs import runs
from lightboard.server import context, endpoints, frames, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class StepsQuestion:
    kind: kinds.StepsWord = param("which kind the tags are of")  # noqa: RUF009
    tag: tuple[str, ...] = param("tag; may be repeated")
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only runs that match this filter", "")
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)
    since: int = param("only series that changed after this version of the store", -1, lo=-1)


def listing(context: context.Context, question: StepsQuestion) -> responses.Reply:
    rows = runs.chosen(context.store, question.run, question.filter)
    found = steps.listing(
        context.store,
        question.kind,
        question.tag,
        rows,
        rewinds=context.rewinds(question.rewinds),
        since=question.since,
    )
    return frames.reply(found.header, found.arrays)


API = (
    endpoints.Api(
        "/api/steps",
        listing,
        question=StepsQuestion,
        answer=steps.StepsHeader,
        methods=("GET", "POST"),
        about="Steps, times, element counts, sizes and places of heavy values, several series as one binary frame.",
        media_types=(frames.MEDIA_TYPE,),
    ),
)
