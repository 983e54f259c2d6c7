"""Histograms as TensorBoard serves them."""

from __future__ import annotations

from lightboard import types
from lightboard.query import histograms, series
from lightboard.server import context, data, responses

PATH = "/data/plugin/histograms"


def routes(context: context.Context) -> data.Routes:
    return data.routes(context, (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/histograms", listed)))


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    return data.tags(context, types.Kind.HISTOGRAMS)


def listed(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    steps = read(context, *arguments.run_and_tag())
    return data.as_json([(each.wall_time, each.step, each.buckets.tolist()) for each in steps])


def read(context: context.Context, run: str, tag: str) -> series.Steps[histograms.Histogram]:
    limit = data.limit(context, "histograms")
    return histograms.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)
