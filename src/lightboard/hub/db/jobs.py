"""Training jobs: every change is one transaction. News of a job is told as `life.jobs` id with its workspace (`news`).

A change reads the row under a lock, calls a pure function of `life.jobs`, and writes the row if it differs.
"""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from lightboard import errors
from lightboard.hub.db import boards, changes, rows, tables, transactions
from lightboard.hub.life import jobs as life
from lightboard.hub.life import refusals

JOBS, LABELS = tables.JOBS, tables.JOB_LABELS
SORTS = {
    "created": JOBS.c.created,
    "name": JOBS.c.name_key,
    "state": JOBS.c.state,
    "user": tables.USERS.c.name,
    "workspace": JOBS.c.workspace,
}
MOST_ROWS = 1000
MOST_REGISTERED = 1000  # jobs of PAI's clients of one user; the oldest are forgotten
MOST_JOBS = 10_000  # of one user; the oldest that ended are forgotten
LONGEST_SEARCH = 4000
NEWS = "job:"
_FOLLOWED = tuple(sorted(each.value for each in (life.JobState.RUNNING, life.JobState.STOPPING)))
_ENUMS: dict[str, Any] = {
    "state": life.JobState,
    "reason": life.JobReason,
    "board_mode": life.BoardMode,
    "board_status": life.BoardStatus,
}
# Texts and tables that lists do not show; they may have hundreds of kilobytes.
_HEAVY = ("environment", "git", "request")


def news(job: life.Job) -> str:
    """What subscribers of `changes` are told. The workspace is in it, so that the end of a job can be told to those
    who could see it."""
    return f"{NEWS}{job.workspace}:{job.id}"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Query:
    """None or empty: any. `text` has words that all occur in name, id, command, host, log directory or labels."""

    states: tuple[life.JobState, ...] = ()
    user: str = ""
    workspace: str = ""
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    text: str = ""
    members_of: frozenset[str] | None = None  # only jobs of these workspaces
    only: frozenset[str] | None = None  # likewise, for a token
    sort: str = "created"
    descending: bool = True


@dataclasses.dataclass(frozen=True)
class Page:
    jobs: tuple[life.Job, ...]
    next_page: str


@dataclasses.dataclass(frozen=True)
class Added:
    """`again`: the key was used before, and this is the job that it made. `forgotten` are ids of old jobs."""

    job: life.Job
    again: bool = False
    forgotten: tuple[str, ...] = ()


class Jobs:
    def __init__(self, database: transactions.Transactions, told: changes.Changes) -> None:
        self._database = database
        self._news = told

    # -- reading

    def find(self, job: str) -> life.Job | None:
        with self._database.read() as connection:
            return _find(connection, job)

    def some(self, jobs: Collection[str]) -> dict[str, life.Job]:
        """Those of these jobs that exist, by id, without what lists do not show."""
        with self._database.read() as connection:
            found = connection.execute(_light().where(JOBS.c.id.in_(sorted(jobs)))).mappings()
            return {each["id"]: _light_job(each) for each in found}

    def page(self, query: Query, limit: int = 50, after: str = "") -> Page:
        """Raises errors.BadInput for an unknown sort or a token of another list."""
        if query.sort not in SORTS:
            raise errors.BadInput(f"cannot sort by `{query.sort[:40]}`", hint=f"one of {', '.join(SORTS)}")
        limit = max(1, min(limit, MOST_ROWS))
        column, conditions = SORTS[query.sort], _conditions(query)
        if query.sort == "user":  # people know names, and not ids
            conditions.append(tables.USERS.c.id == JOBS.c.user)
        if after:
            last = sa.tuple_(*map(sa.literal, _parsed(query, after)))
            place = sa.tuple_(column, JOBS.c.id)
            conditions.append(place < last if query.descending else place > last)
        order = (column.desc(), JOBS.c.id.desc()) if query.descending else (column, JOBS.c.id)
        statement = _light(column.label("sorted_by")).where(*conditions).order_by(*order).limit(limit + 1)
        with self._database.read() as connection:
            found = connection.execute(statement).mappings().all()
        token = _token(query, found[limit - 1]) if len(found) > limit else ""
        return Page(tuple(_light_job(each) for each in found[:limit]), token)

    def count(self, query: Query) -> int:
        statement = sa.select(sa.func.count()).select_from(JOBS).where(*_conditions(query))
        with self._database.read() as connection:
            return connection.execute(statement).scalar_one()

    def of_label(self, workspace: str, name: str, value: str, limit: int) -> list[life.Job]:
        """Newest first."""
        query = Query(workspace=workspace, labels={name: value})
        return list(self.page(query, limit).jobs)

    def followed(self) -> list[life.Job]:
        """Jobs that could be lost."""
        statement = _light().where(JOBS.c.state.in_(_FOLLOWED), JOBS.c.heartbeat_secs > 0)
        with self._database.read() as connection:
            return [_light_job(each) for each in connection.execute(statement).mappings()]

    def boards_due(self, now: float, limit: int = 100) -> list[life.Job]:
        """Jobs whose board should be made now."""
        statement = _light().where(JOBS.c.board_again_at <= now).order_by(JOBS.c.board_again_at).limit(limit)
        with self._database.read() as connection:
            return [_light_job(each) for each in connection.execute(statement).mappings()]

    def count_by_state(self) -> dict[life.JobState, int]:
        with self._database.read() as connection:
            found = connection.execute(sa.select(JOBS.c.state, sa.func.count()).group_by(JOBS.c.state)).all()
        return {life.JobState(state): number for state, number in found}

    # -- writing

    def add(self, job: life.Job, key: boards.Key | None = None) -> Added:
        """Raises refusals.KeyReused."""
        row = _row(job) | {"version": 1, "key": None, "request": None}
        if key is not None:
            row |= {"key": key.key, "request": key.request}
        with self._news.write() as (connection, told):
            if key is not None and (known := _of_key(connection, key)) is not None:
                return Added(known, again=True)
            if not transactions.insert_new(connection, JOBS, row):
                assert key is not None  # ids are random
                known = _of_key(connection, key)
                assert known is not None
                return Added(known, again=True)
            _put_labels(connection, job)
            forgotten = _forget(connection, job.user)
            told.append(news(job))
        return Added(dataclasses.replace(job, version=1), forgotten=forgotten)

    def add_registered(self, job: life.Job) -> None:
        """A job that only has a board."""
        with self._news.write() as (connection, told):
            connection.execute(sa.insert(JOBS).values(**_row(job), version=1))
            mine = sa.and_(JOBS.c.user == job.user, JOBS.c.state == life.JobState.REGISTERED.value)
            newest = sa.select(JOBS.c.id).where(mine).order_by(JOBS.c.created.desc(), JOBS.c.id).limit(MOST_REGISTERED)
            connection.execute(sa.delete(JOBS).where(mine, JOBS.c.id.not_in(newest)))
            told.append(news(job))

    def change(self, job: str, command: Callable[[life.Job], life.Job]) -> tuple[life.Job, life.Job]:
        """The job before and after. Raises errors.NotFound, and what the command raises."""
        with self._news.write() as (connection, told):
            before = _find(connection, job, lock=True)
            if before is None:
                raise errors.NotFound(f"no job {job[:100]}")
            after = command(before)
            if after == before:
                return before, before
            row = _row(after)
            changed = {name: value for name, value in row.items() if _row_value(before, name) != value}
            changed |= {"search": row["search"], "name_key": row["name_key"], "version": JOBS.c.version + 1}
            connection.execute(sa.update(JOBS).where(JOBS.c.id == job).values(**changed))
            if dict(after.labels) != dict(before.labels):
                _put_labels(connection, after)
            told.append(news(after))
            return before, dataclasses.replace(after, version=before.version + 1)

    def remove(self, job: str) -> bool:
        with self._news.write() as (connection, told):
            found = _find(connection, job, lock=True)
            if found is None:
                return False
            connection.execute(sa.delete(JOBS).where(JOBS.c.id == job))
            told.append(news(found))
        return True

    def existing(self, jobs: Sequence[str]) -> set[str]:
        """Which of these ids are jobs."""
        found: set[str] = set()
        with self._database.read() as connection:
            for at in range(0, len(jobs), 500):
                query = sa.select(JOBS.c.id).where(JOBS.c.id.in_(jobs[at : at + 500]))
                found.update(connection.execute(query).scalars())
        return found


# -- rows


def _row(job: life.Job) -> dict[str, Any]:
    """Without `version`, which only statements change."""
    row = rows.row_of(job)
    del row["version"]
    row["name_key"] = job.name.casefold()
    row["search"] = _search(job)
    return row


def _row_value(job: life.Job, name: str) -> Any:
    return rows.plain(getattr(job, name)) if name not in ("name_key", "search") else None


def _search(job: life.Job) -> str:
    parts = [job.name, job.id, " ".join(job.command), job.host, job.logdir, *job.outputs.values()]
    parts += [f"{name}={value}" for name, value in job.labels.items()]
    return "\n".join(parts).casefold()[:LONGEST_SEARCH]


def _job(row: sa.RowMapping) -> life.Job:
    converted = {name: kind(row[name]) for name, kind in _ENUMS.items()}
    return rows.value_of(life.Job, row, **converted, command=tuple(row["command"]))


def _light_job(row: sa.RowMapping) -> life.Job:
    names = {each.name for each in dataclasses.fields(life.Job)} - set(_HEAVY) - set(_ENUMS) - {"command"}
    values = {name: row[name] for name in names}
    values |= {name: kind(row[name]) for name, kind in _ENUMS.items()}
    return life.Job(**values, command=tuple(row["command"]))


def _light(*more: sa.ColumnElement[Any]) -> sa.Select[Any]:
    return sa.select(*(each for each in JOBS.c if each.name not in _HEAVY), *more)


def _find(connection: sa.Connection, job: str, *, lock: bool = False) -> life.Job | None:
    query = sa.select(JOBS).where(JOBS.c.id == job)
    if lock:
        query = query.with_for_update(key_share=True)
    row = connection.execute(query).mappings().first()
    return None if row is None else _job(row)


def _of_key(connection: sa.Connection, key: boards.Key) -> life.Job | None:
    query = sa.select(JOBS).where(JOBS.c.user == key.user, JOBS.c.key == key.key)
    row = connection.execute(query).mappings().first()
    if row is None:
        return None
    if row["request"] != key.request:
        raise refusals.KeyReused("this Idempotency-Key came with another request", hint="make a new key per request")
    return _job(row)


def _put_labels(connection: sa.Connection, job: life.Job) -> None:
    connection.execute(sa.delete(LABELS).where(LABELS.c.job == job.id))
    values = [{"job": job.id, "name": name, "value": value} for name, value in job.labels.items()]
    if values:
        connection.execute(sa.insert(LABELS), values)


def _forget(connection: sa.Connection, user: str) -> tuple[str, ...]:
    """The oldest jobs of a user that has too many."""
    mine = JOBS.c.user == user
    number = connection.execute(sa.select(sa.func.count()).select_from(JOBS).where(mine)).scalar_one()
    if number <= MOST_JOBS:
        return ()
    ended = JOBS.c.state.not_in(sorted(each.value for each in life.OPEN))
    oldest = sa.select(JOBS.c.id).where(mine, ended).order_by(JOBS.c.created, JOBS.c.id).limit(number - MOST_JOBS)
    found = tuple(connection.execute(oldest).scalars())
    connection.execute(sa.delete(JOBS).where(JOBS.c.id.in_(found)))
    return found


# -- lists


def _conditions(query: Query) -> list[sa.ColumnElement[bool]]:
    conditions: list[sa.ColumnElement[bool]] = []
    if query.states:
        conditions.append(JOBS.c.state.in_(sorted(each.value for each in query.states)))
    if query.user:
        conditions.append(JOBS.c.user == query.user)
    if query.workspace:
        conditions.append(JOBS.c.workspace == query.workspace)
    for name, value in query.labels.items():
        labeled = sa.select(LABELS.c.job).where(LABELS.c.name == name, LABELS.c.value == value)
        conditions.append(JOBS.c.id.in_(labeled))
    conditions += [JOBS.c.search.contains(word, autoescape=True) for word in query.text.casefold().split()[:10]]
    for names in (query.members_of, query.only):
        if names is not None:
            conditions.append(JOBS.c.workspace.in_(sorted(names)))
    return conditions


def _token(query: Query, row: sa.RowMapping) -> str:
    place = [query.sort, query.descending, row["sorted_by"], row["id"]]
    return base64.urlsafe_b64encode(json.dumps(place).encode()).decode()


def _parsed(query: Query, token: str) -> tuple[float | str, str]:
    wrong = errors.BadInput("this page token belongs to another list", hint="start again without a page token")
    try:
        sort, descending, value, job = json.loads(base64.urlsafe_b64decode(token.encode()))
    except (ValueError, TypeError, RecursionError) as error:
        raise wrong from error
    fits = isinstance(value, float if query.sort == "created" else str) and isinstance(job, str)
    if (sort, descending) != (query.sort, query.descending) or not fits or "\0" in f"{value}{job}":
        raise wrong
    return value, job
