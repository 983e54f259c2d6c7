"""Scalars as TensorBoard serves them. Ours, with thinning and smoothing, are in `scalars`."""

from __future__ import annotations

from lightboard import errors, query, types
from lightboard.query import rows, series
from lightboard.server import context, data, responses

PATH = "/data/plugin/scalars"


def routes(context: context.Context) -> data.Routes:
    table = (
        data.Data(f"{PATH}/tags", tags),
        data.Data(f"{PATH}/scalars", scalars),
        data.Data(f"{PATH}/scalars_multirun", scalars_multirun, ("POST",)),
    )
    return data.routes(context, table)


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply | responses.Heavy:
    return data.tags(context, types.Kind.SCALARS)


def scalars(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    points = shown(context, series.find(context.store, types.Kind.SCALARS, *arguments.run_and_tag()))
    if arguments.get("format") == "csv":
        return data.as_bytes(rows.csv(points), "text/csv; charset=utf-8")
    return data.as_bytes(rows.json_rows(points), responses.JSON)


def scalars_multirun(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    if len(arguments.all("tag")) != 1:
        raise errors.BadInput("tag must be specified exactly once")
    tag = arguments.need("tag")
    found = {run: series.maybe_find(context.store, types.Kind.SCALARS, run, tag) for run in arguments.all("runs")}
    return data.as_object(
        {run: rows.json_rows(shown(context, each)) for run, each in found.items() if each is not None}
    )


def shown(context: context.Context, found: query.Series) -> query.Points:
    return series.shown(found, limit=data.limit(context, "scalars"), rewinds=context.settings.rewinds)
