"""Precision-recall curves as TensorBoard serves them."""

from __future__ import annotations

import numpy as np

from lightboard import errors, types
from lightboard.query import pr_curves, series
from lightboard.server import context, data, responses

PATH = "/data/plugin/pr_curves"


def routes(context: context.Context) -> data.Routes:
    return data.routes(context, (data.Data(f"{PATH}/tags", tags), data.Data(f"{PATH}/pr_curves", curves)))


def tags(context: context.Context, arguments: data.Arguments) -> responses.Reply:
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
