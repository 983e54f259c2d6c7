"""Distributions as TensorBoard serves them: histograms, compressed."""

from __future__ import annotations

from lightboard import types
from lightboard.query import distributions, histograms
from lightboard.server import context, data, responses

PATH = "/data/plugin/distributions"


def routes(context: context.Context) -> data.Routes:
    return data.routes(context, (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/distributions", listed)))


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.tags(context, types.Kind.HISTOGRAMS)


def listed(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    run, tag = arguments.run_and_tag()
    limit = data.limit(context, "distributions")
    steps = histograms.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)
    return data.as_json([_row(each) for each in steps])


def _row(each: histograms.Histogram) -> tuple[float, int, list[tuple[int, float]]]:
    values = distributions.compress(each.buckets).tolist()
    return each.wall_time, each.step, list(zip(distributions.BASIS_POINTS, values, strict=True))
