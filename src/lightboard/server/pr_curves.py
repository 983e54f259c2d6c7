"""Precision-recall curves: `/api/pr_curves` for the page, and as TensorBoard serves them."""

from __future__ import annotations

import dataclasses
from typing import Literal

import numpy as np

from lightboard import errors, types
from lightboard.query import pr_curves, series
from lightboard.server import context, data, endpoints, frames, responses
from lightboard.server.parameters import param

PATH = "/data/plugin/pr_curves"


def routes(context: context.Context) -> data.Routes:
    return data.routes(context, (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/pr_curves", curves)))


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply | responses.Heavy:
    return data.tags(context, types.Kind.PR_CURVES)


def curves(context: context.Context, arguments: data.Arguments) -> responses.Reply:
    runs, tag = arguments.all("run"), arguments.get("tag")
    if not runs or not tag:
        missing = "tag" if runs else "runs"
        return data.as_text(f"No {missing} provided when fetching PR curve data", 400)
    answer = {}
    for run in runs:
        try:
            answer[run] = [_row(each) for each in _read(context, run, tag)]
        except errors.NotFound:
            return data.as_text(f"No PR curves could be found for run {run!r} and tag {tag!r}", 400)
    return data.as_json(answer)


def _read(context: context.Context, run: str, tag: str) -> series.Steps[pr_curves.PrCurve]:
    limit = data.limit(context, "pr_curves")
    return pr_curves.read(context.store, run, tag, limit=limit, rewinds=context.settings.rewinds)


def _row(curve: pr_curves.PrCurve) -> dict[str, object]:
    shown = slice(curve.defined)
    counts = np.nan_to_num(curve.table[:4, shown]).astype(np.int64)
    ratios = curve.table[4:, shown]
    row: dict[str, object] = {"wall_time": curve.wall_time, "step": curve.step}
    row |= dict(zip(pr_curves.ROWS, [*counts.tolist(), *ratios.tolist()], strict=True))
    row["thresholds"] = curve.thresholds[shown].tolist()
    return row


# ---- ours


@dataclasses.dataclass(frozen=True)
class PrCurvesQuestion:
    """Parallel lists: a curve for each entry of `run`."""

    tag: tuple[str, ...] = param("tag of each curve; one alone is that of all")
    run: tuple[str, ...] = param("run of each curve")
    step: tuple[int, ...] | None = param("step of each curve; the newest without it", None)
    wall_time: tuple[float, ...] | None = param("where a run logged a step twice: the one of this time", None)
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or show them", None)


def several(context: context.Context, question: PrCurvesQuestion) -> responses.Reply:
    tags = question.tag * len(question.run) if len(question.tag) == 1 else question.tag
    for name, values in (("tag", tags), ("step", question.step), ("wall_time", question.wall_time)):
        if values is not None and len(values) != len(question.run):
            raise errors.BadQuestion(
                f"parameter `{name}` is given {len(values)} times, `run` {len(question.run)} times",
                hint="lists go together: one entry for each curve",
            )
    asked = [
        pr_curves.PointSelector(
            run,
            tag,
            None if question.step is None else question.step[i],
            None if question.wall_time is None else question.wall_time[i],
        )
        for i, (run, tag) in enumerate(zip(question.run, tags, strict=True))
    ]
    found = pr_curves.curves(context.store, asked, rewinds=context.rewinds(question.rewinds))
    return frames.reply(found.header, found.arrays)


API = (
    endpoints.Api(
        "/api/pr_curves",
        several,
        question=PrCurvesQuestion,
        answer=pr_curves.CurvesHeader,
        methods=("GET", "POST"),
        about="Precision, recall, counts, ROC and F1 over thresholds at chosen steps of several runs, as one frame.",
        media_types=(frames.MEDIA_TYPE,),
    ),
)
