"""Jobs in SQLite and PostgreSQL: one per key however many ask at once, changes, labels, pages."""

from __future__ import annotations

import dataclasses
from concurrent import futures
from typing import Any

import pytest
from hub.db.samples import add_people

from lightboard import errors
from lightboard.hub import db
from lightboard.hub.db import boards
from lightboard.hub.db import jobs as stored
from lightboard.hub.life import jobs


def made(number: int = 0, **members: Any) -> jobs.Job:
    values: dict[str, Any] = {
        "id": f"job-{number:04}", "name": f"Job {number}", "workspace": "team", "user": "ada",
        "created": 100.0 + number, "state": jobs.JobState.RUNNING, "heartbeat_secs": 10.0, **members,
    }  # fmt: skip
    return jobs.Job(**values)


def test_a_key_makes_one_job_however_many_ask_at_once(database: db.Database) -> None:
    add_people(database, "ada")
    key = boards.Key("ada", "k", b"hash")
    with futures.ThreadPoolExecutor(8) as threads:
        added = list(threads.map(lambda number: database.jobs.add(made(number), key), range(16)))
    assert len({each.job.id for each in added}) == 1
    assert sum(not each.again for each in added) == 1
    assert database.jobs.count(stored.Query()) == 1


def test_a_job_is_read_as_it_was_written(database: db.Database) -> None:
    add_people(database, "ada")
    job = made(
        command=("python", "träin.py"), labels={"a": "b"}, environment={"X": "1"}, git={"commit": "c", "dirty": True},
        figures={"cpu": 1.5}, exit_code=-3, log_bytes=1 << 40, board_mode=jobs.BoardMode.LABEL, board_label="a",
    )  # fmt: skip
    database.jobs.add(job)
    found = database.jobs.find(job.id)
    assert found == dataclasses.replace(job, version=1)
    light = database.jobs.some([job.id])[job.id]
    assert (light.environment, light.git, light.labels) == ({}, {}, {"a": "b"})


def test_changes_are_told_with_the_workspace_and_labels_follow(database: db.Database) -> None:
    add_people(database, "ada")
    told: list[str] = []
    end = database.changes.subscribe(told.append)
    database.jobs.add(made(labels={"a": "1"}))
    database.jobs.change("job-0000", lambda job: dataclasses.replace(job, labels={"a": "2"}))
    before, after = database.jobs.change("job-0000", lambda job: job)
    assert before == after
    assert database.jobs.of_label("team", "a", "1", 10) == []
    assert [each.id for each in database.jobs.of_label("team", "a", "2", 10)] == ["job-0000"]
    assert database.jobs.remove("job-0000")
    assert not database.jobs.remove("job-0000")
    with pytest.raises(errors.NotFound):
        database.jobs.change("job-0000", lambda job: job)
    end()
    if database.is_sqlite:
        assert told == ["job:team:job-0000"] * 3


def test_old_jobs_that_ended_are_forgotten(database: db.Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "MOST_JOBS", 3)
    add_people(database, "ada")
    for number, state in enumerate((jobs.JobState.RUNNING, jobs.JobState.FAILED, jobs.JobState.LOST)):
        assert database.jobs.add(made(number, state=state)).forgotten == ()
    assert database.jobs.add(made(3)).forgotten == ("job-0001",)
    assert database.jobs.existing(["job-0000", "job-0001", "job-0003"]) == {"job-0000", "job-0003"}
