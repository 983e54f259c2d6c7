"""Distributions as TensorBoard serves them: histograms, compressed."""

from __future__ import annotations

from starlette.routing import BaseRoute

from lightboard.query import distributions, histograms
from lightboard.server import context, data, responses
from lightboard.server import histograms as histogram_routes

PATH = "/data/plugin/distributions"


def routes(context: context.Context) -> list[BaseRoute]:
    table = (data.Data(f"{PATH}/tags", histogram_routes.tags), data.Data(f"{PATH}/distributions", listed))
    return data.routes(context, table)


def listed(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    steps = histogram_routes.read(context, *arguments.run_and_tag(), plugin="distributions")
    return data.as_json([_row(each) for each in steps])


def _row(each: histograms.Histogram) -> tuple[float, int, list[tuple[int, float]]]:
    values = distributions.compress(each.buckets).tolist()
    return each.wall_time, each.step, list(zip(distributions.BASIS_POINTS, values, strict=True))
