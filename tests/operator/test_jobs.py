"""Training jobs of each kind, the Board that they get and the links, without a cluster."""

from __future__ import annotations

from typing import Any

import pytest

from lightboard import errors
from lightboard.operator import Note, jobs

FILESETS = {"tensorboardSpec": {"trainingLogFilesets": ["t9k://pvc/logs/log"], "image": "tensorboard:2"}}


def _job(spec: Any = None, **annotations: str) -> dict[str, Any]:
    notes = {f"lightboard.dev/{name}": value for name, value in annotations.items()}
    return {"metadata": {"name": "train", "namespace": "team", "uid": "u1", "annotations": notes}, "spec": spec or {}}


@pytest.mark.parametrize("kind", jobs.ALL, ids=lambda each: each.word)
def test_every_kind_gets_a_board_by_its_annotation(kind: jobs.JobKind) -> None:
    job = _job(logs="pvc://logs/log, s3://bucket/x", secret="team")
    assert jobs.wants_board(kind, job)
    made = jobs.board(kind, job)
    assert made["spec"]["sources"] == [{"uri": "pvc://logs/log"}, {"uri": "s3://bucket/x", "secret": "team"}]
    assert made["spec"]["jobRef"] == {
        "apiVersion": kind.resource.api_version, "kind": kind.kind, "name": "train", "uid": "u1",
    }  # fmt: skip
    assert made["metadata"]["ownerReferences"][0]["uid"] == "u1"
    assert jobs.kind_of(made["spec"]["jobRef"]) is kind
    assert jobs.belongs(kind, made, job)
    assert "ownerReferences" not in jobs.board(kind, _job(logs="pvc://logs", cleanup="keep"))["metadata"]


@pytest.mark.parametrize("kind", jobs.ALL, ids=lambda each: each.word)
def test_the_spec_of_a_tensorboard_is_read_of_tensorstacks_kinds_only(kind: jobs.JobKind) -> None:
    job = _job(FILESETS)
    assert jobs.wants_board(kind, job) is kind.tensorstack
    if kind.tensorstack:
        made = jobs.board(kind, job)
        assert made["spec"]["sources"] == [{"uri": "t9k://pvc/logs/log"}]
        assert "image" not in made["spec"]  # it is TensorBoard's


def test_the_status_of_a_tensorstack_job_follows_its_board_and_is_written_on_change_only() -> None:
    board = {"metadata": {"name": "train"}, "status": {"phase": "Running", "url": "http://x/"}}
    job = _job(FILESETS)
    patch = jobs.dependent_status(job, board)
    assert patch["status"]["tensorboard"]["status"] == "Running"
    assert jobs.dependent_status({**job, **patch}, board) == {}
    board["status"]["phase"] = "Idle"
    assert jobs.dependent_status({**job, **patch}, board)["status"]["tensorboard"]["status"] == "Idle"


def test_links_are_written_once() -> None:
    job = _job(logs="pvc://logs")
    patch = jobs.links(job, "train", "http://x/")
    job["metadata"]["annotations"].update(patch["metadata"]["annotations"])
    assert jobs.links(job, "train", "http://x/") == {}
    assert job["metadata"]["annotations"][Note.BOARD] == "train"


@pytest.mark.parametrize("annotations", [{"logs": " , "}, {"logs": "pvc://logs", "cleanup": "never"}])
def test_what_cannot_be_understood_is_refused(annotations: dict[str, str]) -> None:
    with pytest.raises(errors.LightboardError):
        jobs.board(jobs.ALL[0], _job(**annotations))
