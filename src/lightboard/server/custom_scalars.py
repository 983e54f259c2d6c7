"""Custom scalars as TensorBoard serves them: the merged layout, and scalars by regular expression."""

from __future__ import annotations

from lightboard.query import custom_scalars, rows
from lightboard.server import context, data, responses, tensorboard_scalars

PATH = "/data/plugin/custom_scalars"


def routes(context: context.Context) -> data.Routes:
    table = (
        data.Data(f"{PATH}/layout", layout),
        data.Data(f"{PATH}/scalars", scalars),
        data.Data(f"{PATH}/download_data", tensorboard_scalars.scalars),
    )
    return data.routes(context, table)


def layout(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    found = custom_scalars.layout(context.store)
    return data.as_json({} if found is None else _layout(found))


def scalars(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    matching = custom_scalars.matching(context.store, arguments.get("run") or "", arguments.get("tag") or "")
    events = {each.tag: rows.json_rows(tensorboard_scalars.shown(context, each)) for each in matching or ()}
    valid = data.to_json(matching is not None)
    return data.as_object({"regex_valid": valid, "tag_to_events": data.object_of(events)})


def _layout(found: custom_scalars.Layout) -> dict[str, object]:
    return {"version": found.version, "category": [_category(each) for each in found.categories]}


def _category(category: custom_scalars.Category) -> dict[str, object]:
    return {"title": category.title, "chart": [_chart(each) for each in category.charts], "closed": category.closed}


def _chart(chart: custom_scalars.Chart) -> dict[str, object]:
    shape: dict[str, object] = {"title": chart.title}
    if chart.tags is not None:
        shape["multiline"] = {"tag": list(chart.tags)}
    if chart.bands is not None:
        bands = [{"value": band.value, "lower": band.lower, "upper": band.upper} for band in chart.bands]
        shape["margin"] = {"series": bands}
    return shape
