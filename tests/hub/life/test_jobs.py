"""States of jobs: reports, requests to stop, silence."""

from __future__ import annotations

import pytest

from lightboard.hub.life import jobs
from lightboard.hub.life.jobs import JobReason, JobState, Report


def running(**members: object) -> jobs.Job:
    values = {"id": "job-1", "name": "a", "workspace": "w", "user": "u", "created": 100.0, "state": JobState.RUNNING}
    values |= {"heartbeat_secs": 10.0, "last_report": 100.0, **members}
    return jobs.Job(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("report", "state", "reason"),
    [
        (Report(ended=150.0, exit_code=0), JobState.SUCCEEDED, JobReason.NONE),
        (Report(ended=150.0, exit_code=3), JobState.FAILED, JobReason.EXIT_CODE),
        (Report(ended=150.0, signal="SIGKILL"), JobState.FAILED, JobReason.SIGNAL),
        (Report(ended=150.0, signal="SIGKILL", out_of_memory=True), JobState.FAILED, JobReason.OUT_OF_MEMORY),
        (Report(ended=150.0, exit_code=127, message="not found"), JobState.FAILED, JobReason.NOT_STARTED),
        (Report(ended=150.0), JobState.FAILED, JobReason.RUNNER_ENDED),
    ],
)
def test_the_end_has_a_reason(report: Report, state: JobState, reason: JobReason) -> None:
    job = jobs.reported(running(), report, 151.0)
    assert (job.state, job.reason, job.ended) == (state, reason, 150.0)
    assert jobs.reported(job, Report(ended=160.0, exit_code=9), 161.0) == job  # a repeated report changes nothing


def test_a_job_that_somebody_stopped_is_stopped_whatever_its_exit_code() -> None:
    asked = jobs.stop_requested(running(), 110.0, "u-ann", 15.0)
    assert (asked.state, asked.stop_by) == (JobState.STOPPING, "u-ann")
    assert jobs.stop_requested(asked, 120.0, "u-bob", 30.0) == asked
    assert jobs.stop_requested(asked, 120.0, "u-bob", 0.0).stop_grace_secs == 0.0
    assert jobs.reported(asked, Report(), 112.0).state is JobState.STOPPING
    for report in (Report(ended=113.0, exit_code=0), Report(ended=113.0, signal="SIGTERM")):
        done = jobs.reported(asked, report, 113.0)
        assert (done.state, done.reason) == (JobState.STOPPED, JobReason.STOP_REQUESTED)


def test_silence_counts_only_while_the_hub_could_hear() -> None:
    job = running()
    assert jobs.lost_at(job, 0.0) == 135.0
    assert jobs.lost_at(job, 1000.0) == 1035.0  # the hub was away until 1000
    assert jobs.lost_at(running(heartbeat_secs=0.0), 0.0) is None
    assert jobs.lost_at(running(state=JobState.SUCCEEDED), 0.0) is None
    assert jobs.lost_at(running(heartbeat_secs=1.0), 0.0) == 100.0 + jobs.LEAST_SILENCE_SECS


def test_a_lost_job_comes_back() -> None:
    lost = jobs.lost(running())
    assert (lost.state, lost.reason) == (JobState.LOST, JobReason.HEARTBEAT_LOST)
    back = jobs.reported(lost, Report(), 500.0)
    assert (back.state, back.reason, back.message) == (JobState.RUNNING, JobReason.NONE, "")
    assert jobs.reported(lost, Report(ended=400.0, exit_code=0), 500.0).state is JobState.SUCCEEDED
    asked = jobs.stop_requested(lost, 450.0, "u-ann", 15.0)
    assert asked.state is JobState.LOST
    assert jobs.reported(asked, Report(), 500.0).state is JobState.STOPPING


def test_the_board_is_due_with_the_first_events_only() -> None:
    waiting = running(board_status=jobs.BoardStatus.WAITING)
    first = jobs.reported(waiting, Report(has_events=True), 120.0)
    assert (first.has_events, first.board_again_at) == (True, 120.0)
    assert jobs.reported(running(), Report(has_events=True), 120.0).board_again_at is None
