"""What is done for a board, without a cluster: states, deadlines, the last question, restarts of the operator.

tests/kubernetes has the same on a real one; here time is handed in.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from operator_documents import NOW, PVC, answer, definition, deployed, observed, pod

from lightboard.hub.life import nouns
from lightboard.operator import Note, kinds, plan
from lightboard.operator.options import Options

SHORT = Options(policy=nouns.Policy(60.0, 120.0, 0.0))


def _none() -> None:
    return None


def _plan(
    made: kinds.Definition, seen: plan.Observed, memory: plan.Memory | None, now: float, **more: Any
) -> plan.Plan:
    return plan.plan(made, seen, memory, more.get("full", _none), more.get("options", SHORT), now)


def _running(made: kinds.Definition) -> tuple[plan.Memory, dict[str, Any]]:
    """A board that answers since NOW."""
    deployment = deployed(made, options=SHORT)
    seen = observed(deployment=deployment, pods=(pod(deployment),), answer=answer(NOW, NOW, "start"))
    return _plan(made, seen, None, NOW).memory, deployment


def test_a_new_board_is_deployed_and_says_that_it_starts() -> None:
    made = _plan(definition(), observed(), None, NOW)
    assert [each["kind"] for each in made.apply] == ["Deployment", "Service"]
    assert made.status["phase"] == "Starting"
    assert made.apply[0]["spec"]["replicas"] == 1


def test_without_its_claim_nothing_is_made() -> None:
    made = _plan(definition(), observed(claims={"logs": None}), None, NOW)
    assert made.apply == ()
    assert made.status["phase"] == "Pending"
    assert made.status["reason"] == "PvcNotFound"
    assert made.look_again_at == NOW + plan.BLOCKED_SECS


def test_nothing_is_applied_twice() -> None:
    first = _plan(definition(), observed(), None, NOW)
    seen = observed(deployment=first.apply[0], service=first.apply[1])
    second = _plan(definition(), seen, first.memory, NOW + 1)
    assert second.apply == ()
    assert second.scale is None


def test_a_full_quota_keeps_it_pending_with_the_boards_that_could_be_stopped() -> None:
    made = _plan(definition(), observed(), None, NOW, full=lambda: ("the namespace team", 2, 2, ("a", "b")))
    assert made.apply == ()
    assert made.status["reason"] == "TensorboardLimitExceeded"
    assert made.status["message"] == "2 of 2 boards of the namespace team are active; stop or delete one: a, b"


def test_an_unused_board_is_idle_exactly_when_due_and_looked_at_then() -> None:
    board = definition()
    memory, deployment = _running(board)
    seen = observed(deployment=deployment, pods=(pod(deployment),), answer=answer(NOW + 59, NOW, "start"))
    early = _plan(board, seen, memory, NOW + 59)
    assert early.status["phase"] == "Running"
    assert early.look_again_at == NOW + 60
    seen = dataclasses.replace(seen, answer=answer(NOW + 60, NOW, "start"))
    assert _plan(board, seen, early.memory, NOW + 60).status["phase"] == "Idle"


def _stopping(board: kinds.Definition) -> tuple[plan.Plan, dict[str, Any], float]:
    """A board that is drained before its last question."""
    memory, deployment = _running(board)
    now = NOW
    made = None
    while now < NOW + 300:
        now += 20
        seen = observed(deployment=deployment, pods=(pod(deployment),), answer=answer(now, NOW, "start"))
        made = _plan(board, seen, memory, now)
        memory = made.memory
        if memory.board.state is nouns.State.STOPPING:
            return made, deployment, now
    raise AssertionError(made)


def test_before_a_reclaim_the_service_leads_nowhere_and_nothing_is_stopped_yet() -> None:
    made, _, now = _stopping(definition())
    service = next(each for each in made.apply if each["kind"] == "Service")
    assert "lightboard.dev/drained" in service["spec"]["selector"]
    assert made.suspend is None
    assert made.scale is None
    assert made.look_again_at is not None
    assert made.look_again_at <= now + plan.DRAIN_SECS
    assert now >= NOW + 180


def test_the_click_before_the_last_question_wins() -> None:
    board = definition()
    made, deployment, now = _stopping(board)
    later = now + plan.DRAIN_SECS
    seen = observed(deployment=deployment, pods=(pod(deployment),), answer=answer(later, now + 0.5))
    back = _plan(board, seen, made.memory, later)
    assert back.status["phase"] == "Running"
    assert back.suspend is None
    service = next(each for each in back.apply if each["kind"] == "Service")
    assert "lightboard.dev/drained" not in service["spec"]["selector"]


def test_without_a_click_it_is_suspended_after_the_last_question() -> None:
    board = definition()
    made, deployment, now = _stopping(board)
    later = now + plan.DRAIN_SECS
    seen = observed(deployment=deployment, pods=(pod(deployment),), answer=answer(later, NOW, "start"))
    done = _plan(board, seen, made.memory, later)
    assert done.suspend is nouns.StopReason.IDLE_RECLAIMED
    assert done.scale == 0


def test_a_board_that_does_not_answer_is_neither_idle_nor_stopped() -> None:
    board = definition()
    memory, deployment = _running(board)
    seen = observed(deployment=deployment, pods=(pod(deployment),), unanswered=True)
    for later in (61, 500, 5000):
        made = _plan(board, seen, memory, NOW + later)
        assert made.status["phase"] == "Running"
        assert made.suspend is None
        memory = made.memory
    made, deployment, now = _stopping(board)
    silent = _plan(board, seen, made.memory, now + plan.LAST_QUESTION_SECS)
    assert silent.suspend is None
    assert silent.memory.board.state is not nouns.State.STOPPED


def test_an_operator_that_starts_anew_waits_for_a_window_before_it_reclaims() -> None:
    board = dataclasses.replace(definition(), created=NOW - 10_000)
    deployment = deployed(board, options=SHORT)
    old = pod(deployment, ready_since=NOW - 10_000, created=NOW - 10_000)
    seen = observed(deployment=deployment, pods=(old,), answer=answer(NOW, NOW - 9_000, "start"))
    made = _plan(board, seen, None, NOW)
    assert made.memory.board.state is nouns.State.IDLE
    seen = dataclasses.replace(seen, answer=answer(NOW + 30, NOW - 9_000, "start"))
    made = _plan(board, seen, made.memory, NOW + 30)
    assert made.memory.board.state is nouns.State.IDLE
    seen = dataclasses.replace(seen, answer=answer(NOW + 60, NOW - 9_000, "start"))
    assert _plan(board, seen, made.memory, NOW + 60).memory.board.state is nouns.State.STOPPING


def test_a_killed_operator_finds_why_a_board_was_suspended() -> None:
    document = {**_document(suspend=True)}
    document["metadata"]["annotations"] = {Note.SUSPENDED_BY: "IdleReclaimed"}
    board = kinds.read(kinds.BOARD, document)
    made = _plan(board, observed(deployment=deployed(board, replicas=0, options=SHORT)), None, NOW)
    assert made.status["phase"] == "Stopped"
    assert made.status["reason"] == "IdleReclaimed"


def _document(**spec: Any) -> dict[str, Any]:
    from operator_documents import resource

    return resource(**spec)


def test_suspend_scales_down_and_resume_deploys_again() -> None:
    board = definition()
    memory, deployment = _running(board)
    suspended = definition(suspend=True)
    seen = observed(deployment=deployment, pods=(pod(deployment),), answer=answer(NOW + 1, NOW))
    made = _plan(suspended, seen, memory, NOW + 1)
    assert made.scale == 0
    gone = observed(deployment={**deployment, "spec": {**deployment["spec"], "replicas": 0}})
    made = _plan(suspended, gone, made.memory, NOW + 5)
    assert made.status["phase"] == "Stopped"
    again = _plan(board, gone, made.memory, NOW + 9)
    assert [each["kind"] for each in again.apply][:1] == ["Deployment"]
    assert again.status["phase"] == "Starting"


def test_an_edit_rolls_and_a_policy_does_not() -> None:
    board = definition()
    memory, deployment = _running(board)
    seen = observed(deployment=deployment, pods=(pod(deployment),), answer=answer(NOW + 1, NOW))
    edited = _plan(definition(displayName="other"), seen, memory, NOW + 1)
    assert edited.status["phase"] == "Starting"
    assert edited.apply[0]["kind"] == "Deployment"
    policy = _plan(definition(idleAfter="3h"), seen, memory, NOW + 1)
    assert policy.status["phase"] == "Running"
    assert [each["kind"] for each in policy.apply] == ["Service"]  # which was not there yet


def test_crashes_in_a_row_fail_the_board_with_the_last_lines_and_it_is_tried_again() -> None:
    board = definition()
    deployment = deployed(board, options=SHORT)
    crashed = pod(deployment, ready=False, restarts=5, reason="Crashed", message="the board ended with exit code 1")
    made = _plan(board, observed(deployment=deployment, pods=(crashed,)), None, NOW)
    assert made.status["phase"] == "Failed"
    assert made.status["message"] == "the board ended with exit code 1"
    assert made.scale == 0 or made.apply == ()
    gone = observed(deployment={**deployment, "spec": {**deployment["spec"], "replicas": 0}})
    made = _plan(board, gone, made.memory, NOW + 5)
    assert made.look_again_at == NOW + plan.RETRY_SECS
    assert _plan(board, gone, made.memory, NOW + plan.RETRY_SECS).status["phase"] == "Starting"


def test_waiting_for_a_node_is_no_failure() -> None:
    board = definition()
    deployment = deployed(board, options=SHORT)
    waits = pod(
        deployment, ready=False, scheduled=False, reason="Unschedulable", message="no node has room", phase="Pending"
    )
    memory = None
    for later in (0, 200, 2000):
        made = _plan(board, observed(deployment=deployment, pods=(waits,)), memory, NOW + later)
        memory = made.memory
        assert made.status["phase"] == "Pending"
        assert made.status["reason"] == "Unschedulable"


def test_a_manifest_that_cannot_be_understood_is_said() -> None:
    made = _plan(definition(sources=[{**PVC, "uri": "s3://b/x"}]), observed(), None, NOW)
    assert made.status["reason"] == "InvalidManifest"
    assert made.apply == ()
