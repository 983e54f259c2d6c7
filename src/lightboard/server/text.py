"""Text as TensorBoard serves it: rendered to safe HTML here."""

from __future__ import annotations

from lightboard import errors, types
from lightboard.query import series, text
from lightboard.server import context, data, responses

PATH = "/data/plugin/text"


def routes(context: context.Context) -> data.Routes:
    return data.routes(context, (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/text", texts)))


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    table: dict[str, list[str]] = {}
    for entry in series.listing(context.store, types.Kind.TEXT):
        table.setdefault(entry.run, []).append(entry.tag)
    return data.as_json(table)


def texts(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    run, tag = arguments.run_and_tag()
    markdown = arguments.get("markdown") != "false"
    limit = data.limit(context, "text")
    try:
        steps = text.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)
    except errors.NotFound:  # the one listing that TensorBoard answers with nothing
        return data.as_json([])
    return data.as_json(
        [{"wall_time": each.wall_time, "step": each.step, "text": text.html(each, markdown=markdown)} for each in steps]
    )
