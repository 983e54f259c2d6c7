"""`/api/histograms`: the buckets of many series and steps as a frame; and histograms as TensorBoard serves them."""

from __future__ import annotations

import dataclasses
from typing import Literal

from lightboard import types
from lightboard.query import buckets, histograms, series
from lightboard.query.runs import runs
from lightboard.server import context, data, endpoints, frames, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/histograms"


@dataclasses.dataclass(frozen=True, kw_only=True)
class HistogramsQuestion:
    tag: tuple[str, ...] = param("tag; may be repeated")
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only runs that match this filter", "")
    lo: int | float | None = param("only steps from here", None)
    hi: int | float | None = param("only steps to here", None)
    limit: int = param("at most so many steps of each series, evenly sampled, with first and last; 0: all", 0, lo=0)
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)
    since: int = param("only series that changed after this version of the store", -1, lo=-1)


def several(context: context.Context, question: HistogramsQuestion) -> responses.Reply:
    asked = buckets.Asked(question.lo, question.hi, question.limit, context.rewinds(question.rewinds), question.since)
    chosen = runs.chosen(context.store, question.run, question.filter)
    return frames.reply(*histograms.several(context.store, question.tag, chosen, asked))


def routes(context: context.Context) -> data.Routes:
    return data.routes(context, (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/histograms", listed)))


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply | responses.Heavy:
    return data.tags(context, types.Kind.HISTOGRAMS)


def listed(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    steps = read(context, *arguments.run_and_tag())
    return data.as_json([(each.wall_time, each.step, each.buckets.tolist()) for each in steps])


def read(context: context.Context, run: str, tag: str) -> series.Steps[histograms.Histogram]:
    limit = data.limit(context, "histograms")
    return histograms.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)


API = (
    endpoints.Api(
        "/api/histograms",
        several,
        question=HistogramsQuestion,
        answer=histograms.HistogramsHeader,
        methods=("GET", "POST"),
        about="The logged buckets of several series at chosen steps, as a binary frame.",
        media_types=(frames.MEDIA_TYPE,),
    ),
)
