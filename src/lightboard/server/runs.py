"""`/api/runs`: the list of runs as columns, and one run in full."""

from __future__ import annotations

import dataclasses

from lightboard.query import health
from lightboard.query.runs import console, runs
from lightboard.server import context, endpoints
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class RunsQuestion:
    filter: str = param("a run filter; see the filter language", "")
    sort: str = param("one of " + ", ".join(runs.SORTS) + "; a leading `-` reverses it", "name")
    offset: int = param("skip so many at the start", 0, lo=0)
    limit: int | None = param("return at most so many", None, lo=0)
    since: int = param("only runs that changed after this version of the store", -1, lo=-1)


@dataclasses.dataclass(frozen=True)
class RunQuestion:
    run: str = param("name of the run", in_path=True)


@dataclasses.dataclass(frozen=True)
class ConsoleQuestion:
    run: str = param("name of the run")
    lines: int = param("return the last so many lines", 500, lo=1, hi=20_000)


def listing(context: context.Context, question: RunsQuestion) -> runs.Runs:
    return runs.listing(
        context.store,
        filter_=question.filter,
        sort=question.sort,
        offset=question.offset,
        limit=question.limit,
        since=question.since,
    )


def detail(context: context.Context, question: RunQuestion) -> runs.Run:
    # browsers remove a single dot, the name of the root's own run, from an address
    found = runs.detail(context.store, question.run or ".")
    roots = context.settings.roots
    files = [dataclasses.replace(file, path=health.relative(file.path, roots)) for file in found.files]
    directory = health.relative(f"{found.directory}/", roots).rstrip("/") if found.directory else ""
    return dataclasses.replace(found, files=files, directory=directory)


def printed(context: context.Context, question: ConsoleQuestion) -> console.ConsoleText:
    return console.tail(context.store, question.run, lines=question.lines)


API = (
    endpoints.Api(
        "/api/runs",
        listing,
        question=RunsQuestion,
        answer=runs.Runs,
        methods=("GET", "POST"),
        about="All runs as parallel columns: times, state, files, faults.",
    ),
    endpoints.Api(
        "/api/runs/{run:path}", detail, question=RunQuestion, answer=runs.Run, about="One run with its files."
    ),
    endpoints.Api(
        "/api/console",
        printed,
        question=ConsoleQuestion,
        answer=console.ConsoleText,
        methods=("GET", "POST"),
        about="The last lines that a run printed, as `lightboard.init` recorded them.",
    ),
)
