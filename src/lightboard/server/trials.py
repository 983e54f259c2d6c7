"""`/api/trials`: hparams of trials and their results."""

from __future__ import annotations

import dataclasses
from typing import Literal

from lightboard import errors
from lightboard.query.hparams import trial_files, trial_importance, trial_metrics, trial_tables
from lightboard.query.runs import runs
from lightboard.server import context, endpoints, exports, frames, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True, kw_only=True)
class TrialsQuestion:
    run: tuple[str, ...] | None = param("only trials of these runs; may be repeated; an empty list is no run", None)
    filter: str = param("only trials of runs that pass this filter", "")
    hparam: tuple[str, ...] | None = param("only these hparams; by default those that differ first", None)
    metric: tuple[str, ...] | None = param("tags; by default what the experiment declares, or what is common", None)
    group: tuple[str, ...] | None = param("for each metric where it lies below the session's run", None)
    goal: tuple[Literal["auto", "min", "max"], ...] | None = param("for each metric what is best", None)
    metric_limit: int = param("at most so many metrics when none is named", 10, lo=0, hi=200)
    aggregate: Literal["last", "first", "min", "max", "best", "mean", "at"] = param("which value of a series", "last")
    step: int | None = param("with `at`: the last point up to this step", None)
    lo: int | None = param("only points from this step", None)
    hi: int | None = param("... to this one", None)
    by: str | None = param("all values at the step where this metric is best", None)
    by_group: str = param("where that lies below the session's run", "")
    by_goal: Literal["auto", "min", "max"] = param("what is best of it; auto: after its name", "auto")
    repeats: Literal["group", "same", "none"] = param("which sessions are one trial", "group")
    spread: Literal["mean", "median", "min", "max"] = param("which value of several repeats", "mean")
    rewinds: Literal["latest", "all"] | None = param("points that a restart superseded: hide or count them", None)
    since: int = param("tell nothing if no run has changed after this version", -1, lo=-1)


@dataclasses.dataclass(frozen=True)
class TrialsFileQuestion(TrialsQuestion):
    format: Literal["csv", "json", "latex", "arrow", "parquet"] = param("what to write", "csv")
    sort: tuple[str, ...] = param(
        "such as `-metric:accuracy`, `hparam:lr`, `name`, `start`; the first counts first", ()
    )
    extra: tuple[Literal["status", "start", "end", "runs", "step", "deviation"], ...] = param("more columns", ())


def wanted(context: context.Context, question: TrialsQuestion) -> trial_tables.Wanted:
    metrics = None
    if question.metric is not None:
        count = len(question.metric)
        groups = question.group if question.group is not None else ("",) * count
        goals = question.goal if question.goal is not None else ("auto",) * count
        for name, values in (("group", groups), ("goal", goals)):
            if len(values) != count:
                raise errors.BadQuestion(
                    f"parameter `{name}` is given {len(values)} times, `metric` {count} times",
                    hint="lists go together: one entry for each metric",
                )
        metrics = list(zip(question.metric, groups, goals, strict=True))
    if question.aggregate == "at" and question.step is None:
        raise errors.BadQuestion("parameter `step` is needed with aggregate=at")
    if question.lo is not None and question.hi is not None and question.lo > question.hi:
        raise errors.BadQuestion(f"parameter `lo` ({question.lo}) must not be above `hi` ({question.hi})")
    return trial_tables.Wanted(
        question.hparam,
        metrics,
        question.metric_limit,
        question.repeats,
        question.spread,
        trial_metrics.Asked(
            question.aggregate,
            question.step,
            question.lo,
            question.hi,
            None if question.by is None else (question.by, question.by_group),
            None if question.by_goal == "auto" else question.by_goal,
            context.rewinds(question.rewinds),
        ),
    )


def answer(context: context.Context, question: TrialsQuestion) -> responses.Reply:
    asked = wanted(context, question)
    if trial_tables.is_unchanged(context.store, question.since):
        return frames.reply(trial_tables.unchanged(question.since, asked), {})
    rows = runs.chosen(context.store, question.run, question.filter)
    header, arrays = trial_tables.frame(trial_tables.table(context.store, rows, asked), asked)
    return frames.reply(header, arrays)


def importance(context: context.Context, question: TrialsQuestion) -> trial_importance.Importance:
    rows = runs.chosen(context.store, question.run, question.filter)
    return trial_importance.importance(context.store, rows, wanted(context, question))


def file(context: context.Context, question: TrialsFileQuestion) -> responses.Reply:
    rows = runs.chosen(context.store, question.run, question.filter)
    found = trial_tables.table(context.store, rows, wanted(context, question))
    format_ = trial_files.FORMATS[question.format]
    body = trial_files.write(trial_files.sheet(found, question.sort, question.extra), question.format)
    headers = (("Content-Disposition", exports.disposition("trials" + format_.suffix)), ("Cache-Control", "no-store"))
    # Parquet is compressed inside
    return responses.Reply(body, format_.media_type, headers=headers, may_compress=question.format != "parquet")


API = (
    endpoints.Api(
        "/api/trials",
        answer,
        question=TrialsQuestion,
        answer=trial_tables.TrialsHeader,
        methods=("GET", "POST"),
        about="Trials with their hparams, metrics, times and status, as one frame of columns.",
        media_types=(frames.MEDIA_TYPE,),
    ),
    endpoints.Api(
        "/api/trials/importance",
        importance,
        question=TrialsQuestion,
        answer=trial_importance.Importance,
        methods=("GET", "POST"),
        about="How much each hparam matters for each metric: importance in a forest of random trees, and correlations.",
        heavy_bytes=endpoints.HEAVY_BYTES,
    ),
    endpoints.Api(
        "/api/trials/file",
        file,
        question=TrialsFileQuestion,
        methods=("GET", "POST"),
        about="Trials as CSV, JSON, LaTeX, Arrow or Parquet.",
        heavy_bytes=endpoints.HEAVY_BYTES,
        media_types=tuple(format_.media_type for format_ in trial_files.FORMATS.values()),
    ),
)
