"""`/api/scalars`: series for a chart as a binary frame, the most frequent route. `/api/charts`: many charts at once."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator
from typing import Any, Literal

from lightboard import errors
from lightboard.query.runs import runs
from lightboard.query.scalars import scalars
from lightboard.server import context, endpoints, frames, parameters, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True, kw_only=True)
class ScalarsQuestion:
    tag: tuple[str, ...] = param("tag; may be repeated")
    run: tuple[str, ...] | None = param("only these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only runs that match this filter", "")
    x: str = param("the x axis: `step`, `wall`, `relative`, or `metric:TAG`", "step")
    x_scale: Literal["linear", "log", "symlog"] = param("on which scale pixel columns are evenly spaced", "linear")
    lo: int | float | None = param("left end on x; by default where the first series begins", None)
    hi: int | float | None = param("right end on x; by default where the last series ends", None)
    width: int = param("width of the chart in pixels; 0 keeps every point", 0, lo=0, hi=16384)
    smoothing: str = param("such as `ema:0.6`; computed on all points", "")
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)
    encoding: Literal["exact", "pixels"] = param("points, or compact pixel columns made for drawing", "exact")
    raw: bool = param("false leaves the unsmoothed line out", True)
    group: str = param("`regex:PATTERN` or `hparam:NAME,NAME`: runs that belong together become one band", "")
    band: Literal["std", "minmax", "quantiles"] = param("what the band around a group's middle shows", "std")
    quantile: tuple[float, ...] = param("two quantiles for band=quantiles", (0.25, 0.75), lo=0, hi=1)
    draft: bool = param(
        "true for a slider in motion: `low` and `high` of the extents are estimated, in less time", False
    )
    since: int = param("only series that changed after this version of the store", -1, lo=-1)
    lower: tuple[str, ...] = param("for each `tag` the tag of the lower edge of a band around it", ())
    upper: tuple[str, ...] = param("... and the tag of its upper edge", ())


# Limits the time of one request. A screen shows about a dozen charts.
MAX_CHARTS = 64
# Charts are sent in batches of this size, one for each worker of the page that draws them. Sending each alone would
# cause more repaints in the browser than two cores have time for.
CHARTS_AT_ONCE = 2


@dataclasses.dataclass(frozen=True)
class ChartsQuestion:
    charts: tuple[dict[str, Any], ...] = param("what `/api/scalars` takes, once for each chart, up to 64")
    shared: dict[str, Any] | None = param("members that all of them have", None)  # noqa: RUF009


def chart(context: context.Context, question: ScalarsQuestion) -> responses.Reply:
    return _reply(_frame(context, question), frames.MEDIA_TYPE)


def charts(context: context.Context, question: ChartsQuestion) -> responses.Reply:
    if len(question.charts) > MAX_CHARTS:
        raise errors.BadQuestion(f"more than {MAX_CHARTS} charts in one question", hint="ask several times")
    shared = question.shared or {}
    asked = [
        parameters.parse(ScalarsQuestion, parameters.from_members({**shared, **members})) for members in question.charts
    ]
    # native code releases the GIL: all cores compute charts, and the page draws the first ones meanwhile
    made = context.threads.side_by_side(lambda one: _frame_or_error(context, one), asked)
    pieces = frames.join(made, len(asked))
    groups = iter(lambda: list(itertools.chain(*itertools.islice(pieces, CHARTS_AT_ONCE))), [])
    return _reply(groups, frames.SEVERAL_MEDIA_TYPE)


def _frame_or_error(context: context.Context, question: ScalarsQuestion) -> tuple[int, bytes]:
    """Returns 0 and the frame, or status and message of an error: one bad request does not fail the others."""
    try:
        return 0, _frame(context, question)
    except errors.LightboardError as error:
        return error.status, responses.error_json(error)


def _reply(body: bytes | Iterator[list[bytes]], media_type: str) -> responses.Reply:
    return responses.Reply(body, media_type, headers=(("Cache-Control", "no-cache"),))


def _frame(context: context.Context, question: ScalarsQuestion) -> bytes:
    rows = runs.chosen(context.store, question.run, question.filter)
    lower, upper = _edges(question)
    asked = scalars.Asked(
        x=question.x,
        lo=question.lo,
        hi=question.hi,
        width=question.width,
        smoothing=question.smoothing,
        rewinds=context.rewinds(question.rewinds),
        encoding=question.encoding,
        raw=question.raw,
        since=question.since,
        group=question.group,
        band=question.band,
        quantiles=_pair(question.quantile),
        x_scale=question.x_scale,
        draft=question.draft,
        lower=lower,
        upper=upper,
    )
    found = scalars.chart(context.store, question.tag, rows, asked)
    return frames.encode(vars(found.header), found.arrays)


def _edges(question: ScalarsQuestion) -> tuple[tuple[str, ...], tuple[str, ...]]:
    counts = (len(question.lower), len(question.upper))
    if any(counts) and counts != (len(question.tag), len(question.tag)):
        raise errors.BadQuestion(
            f"{len(question.tag)} times `tag`, {counts[0]} times `lower` and {counts[1]} times `upper`",
            hint="lists go together: a lower and an upper edge for each tag",
        )
    return question.lower, question.upper


def _pair(quantiles: tuple[float, ...]) -> tuple[float, float]:
    if len(quantiles) != 2 or quantiles[0] > quantiles[1]:
        raise errors.BadQuestion("parameter `quantile` is given twice: the lower and the upper one")
    return quantiles[0], quantiles[1]


API = (
    endpoints.Api(
        "/api/scalars",
        chart,
        question=ScalarsQuestion,
        answer=scalars.Lines,
        methods=("GET", "POST"),
        about="Series for a chart: smoothed on all points, thinned for a width, as a binary frame.",
        media_types=(frames.MEDIA_TYPE,),
    ),
    endpoints.Api(
        "/api/charts",
        charts,
        question=ChartsQuestion,
        methods=("POST",),
        about="Several charts in one answer: frames as `/api/scalars` sends them, one after another.",
        media_types=(frames.SEVERAL_MEDIA_TYPE,),
    ),
)
