"""Custom scalars: `/api/custom_scalars` for the page; layout and scalars by pattern as TensorBoard serves them."""

from __future__ import annotations

import dataclasses

from lightboard.query import custom_scalars, rows
from lightboard.server import context, data, endpoints, responses, tensorboard_scalars
from lightboard.server.parameters import param

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


# ---- ours


@dataclasses.dataclass(frozen=True)
class CustomScalarsQuestion:
    pattern: tuple[str, ...] = param("also tell which tags begin with these", ())
    layout: bool = param("false leaves the layout of the runs out, for patterns alone", True)


@dataclasses.dataclass(frozen=True)
class CustomBand:
    """Three tags: a line and the edges around it."""

    value: str
    lower: str
    upper: str


@dataclasses.dataclass(frozen=True)
class CustomChart:
    """Lines of tags by regular expression, or bands."""

    title: str
    patterns: list[str]
    bands: list[CustomBand]


@dataclasses.dataclass(frozen=True)
class CustomCategory:
    title: str
    closed: bool
    charts: list[CustomChart]


@dataclasses.dataclass(frozen=True)
class CustomScalars:
    """The layouts of all runs as one, and what patterns match: its own and those asked for."""

    version: int  # of the store
    runs: list[str]  # that have a layout
    categories: list[CustomCategory]
    matches: list[custom_scalars.TagMatch]


def page(context: context.Context, question: CustomScalarsQuestion) -> CustomScalars:
    version = context.store.version
    by_run = custom_scalars.layouts_by_run(context.store) if question.layout else {}
    found = custom_scalars.merge([each for _, each in sorted(by_run.items())]) if by_run else None
    own = [] if found is None else custom_scalars.patterns_of(found)
    categories = [] if found is None else [_answer(each) for each in found.categories]
    matches = custom_scalars.match_all(context.store, [*own, *question.pattern])
    return CustomScalars(version, sorted(by_run), categories, matches)


def _answer(category: custom_scalars.Category) -> CustomCategory:
    charts = [
        CustomChart(
            chart.title,
            list(chart.tags or ()),
            [CustomBand(band.value, band.lower, band.upper) for band in chart.bands or ()],
        )
        for chart in category.charts
    ]
    return CustomCategory(category.title, category.closed, charts)


API = (
    endpoints.Api(
        "/api/custom_scalars",
        page,
        question=CustomScalarsQuestion,
        answer=CustomScalars,
        methods=("GET", "POST"),
        about="Charts that runs have laid out over their scalar tags, and which tags patterns match.",
    ),
)
