"""`/api/distributions`: percentiles of many histograms as a frame; and distributions as TensorBoard serves them."""

from __future__ import annotations

import dataclasses
from typing import Literal

from lightboard import errors, types
from lightboard.query import buckets, distributions, histograms
from lightboard.query.runs import runs
from lightboard.server import context, data, endpoints, frames, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/distributions"
MAX_PERCENTILES = 100


@dataclasses.dataclass(frozen=True, kw_only=True)
class DistributionsQuestion:
    tag: tuple[str, ...] = param("tag; may be repeated")
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only runs that match this filter", "")
    lo: int | float | None = param("only steps from here", None)
    hi: int | float | None = param("only steps to here", None)
    limit: int = param("at most so many steps of each series, evenly sampled, with first and last; 0: all", 0, lo=0)
    percentile: tuple[float, ...] = param("further percentiles, 0 to 100; may be repeated", (), lo=0, hi=100)
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)
    since: int = param("only series that changed after this version of the store", -1, lo=-1)


def several(context: context.Context, question: DistributionsQuestion) -> responses.Reply:
    if len(question.percentile) > MAX_PERCENTILES:
        raise errors.BadQuestion(f"parameter `percentile` is given more than {MAX_PERCENTILES} times")
    asked = buckets.Asked(question.lo, question.hi, question.limit, context.rewinds(question.rewinds), question.since)
    chosen = runs.chosen(context.store, question.run, question.filter)
    return frames.reply(*distributions.several(context.store, question.tag, chosen, asked, question.percentile))


def routes(context: context.Context) -> data.Routes:
    return data.routes(context, (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/distributions", listed)))


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply | responses.Heavy:
    return data.tags(context, types.Kind.HISTOGRAMS)


def listed(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    run, tag = arguments.run_and_tag()
    limit = data.limit(context, "distributions")
    steps = histograms.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)
    return data.as_json([_row(each) for each in steps])


def _row(each: histograms.Histogram) -> tuple[float, int, list[tuple[int, float]]]:
    values = distributions.compress(each.buckets).tolist()
    return each.wall_time, each.step, list(zip(distributions.BASIS_POINTS, values, strict=True))


API = (
    endpoints.Api(
        "/api/distributions",
        several,
        question=DistributionsQuestion,
        answer=distributions.DistributionsHeader,
        methods=("GET", "POST"),
        about="Percentiles of histograms, of several series at chosen steps, as a binary frame.",
        media_types=(frames.MEDIA_TYPE,),
    ),
)
