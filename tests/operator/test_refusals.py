"""Objects that the API server refuses or that belong to others; a claim that is deleted while its board runs."""

from __future__ import annotations

from typing import Any

import pytest
from operator_documents import CLAIM, NOW, answer, definition, deployed, observed, pod, resource

from lightboard.operator import kinds, objects, plan, status, watches
from lightboard.operator.options import Options

OPTIONS = Options()


def _plan(
    made: kinds.Definition, seen: plan.Observed, memory: plan.Memory | None = None, now: float = NOW
) -> plan.Plan:
    return plan.plan(made, seen, memory, lambda: None, OPTIONS, now)


def _condition(shown: Any, kind: str) -> Any:
    return next(each for each in shown["conditions"] if each["type"] == kind)


@pytest.mark.parametrize("kind", [kinds.BOARD, kinds.TENSORSTACK])
def test_an_object_that_the_cluster_refused_is_said_and_is_no_board_that_runs(kind: kinds.Kind) -> None:
    spec: dict[str, Any] = {} if kind is kinds.BOARD else {"trainingLogFilesets": ["t9k://pvc/logs/log"]}
    made = kinds.read(kind, resource(kind, **spec))
    deployment = deployed(made)
    seen = observed(deployment=deployment, pods=(pod(deployment),), answer=answer(NOW, NOW))
    before = _plan(made, seen).status
    assert _condition(before, "Ready")["status"] == "True"
    shown = status.refused(made, before, "exceeded quota: pods", NOW + 7)
    assert shown["phase"] == "Pending"
    ready = _condition(shown, "Ready")
    assert (ready["status"], ready["reason"]) == ("False", "ObjectRefused")
    assert "exceeded quota: pods" in ready["message"]
    assert ready["lastTransitionTime"] == kinds.timestamp(NOW + 7)
    assert _condition(before, "Ready")["status"] == "True"  # the plan is not changed
    assert len(status.refused(made, before, "x" * 9000, NOW)["conditions"][0]["message"]) <= status.LONGEST_MESSAGE
    if kind is kinds.BOARD:
        assert shown["reason"] == "ObjectRefused"


def test_a_refused_object_of_kubeflow_changes_no_status_that_it_does_not_have() -> None:
    made = kinds.read(kinds.KUBEFLOW, resource(kinds.KUBEFLOW, logspath="pvc://logs/log"))
    shown = _plan(made, observed()).status
    assert status.refused(made, shown, "no", NOW) == shown


def test_only_objects_of_this_resource_or_an_earlier_one_of_its_name_may_be_replaced() -> None:
    made = definition()
    own = objects.service(made, drained=False)
    assert not watches.is_foreign(own, made)
    assert watches.owned(own, made) is own
    own["metadata"]["ownerReferences"][0]["uid"] = "earlier"
    assert not watches.is_foreign(own, made)
    assert watches.owned(own, made) is None
    for owners in ([], [{"kind": "Board", "name": "two", "uid": "x"}], [{"kind": "ReplicaSet", "name": "one"}]):
        assert watches.is_foreign({"metadata": {"ownerReferences": owners}}, made)
    assert watches.is_foreign({"metadata": {}}, made)


@pytest.mark.parametrize("claim", [None, {**CLAIM, "metadata": {"name": "logs", "deletionTimestamp": "x"}}])
def test_a_claim_that_is_deleted_while_the_board_runs_is_said_and_stops_nothing(claim: Any) -> None:
    made = definition()
    deployment = deployed(made)
    seen = {"deployment": deployment, "pods": (pod(deployment),), "service": objects.service(made, drained=False)}
    memory = _plan(made, observed(**seen, answer=answer(NOW, NOW))).memory
    later = _plan(made, observed(**seen, claims={"logs": claim}, answer=answer(NOW + 9, NOW)), memory, NOW + 9)
    assert later.status["phase"] == "Running"
    assert later.status["sourcesReady"] == "0/1"
    assert _condition(later.status, "SourcesResolved")["reason"] == "PvcNotFound"
    assert later.apply == ()
    assert later.scale is None
    # its pod is lost: it waits for the claim instead of a pod that cannot start
    gone = _plan(made, observed(deployment=deployment, service=seen["service"], claims={"logs": claim}), later.memory)
    assert gone.apply == ()
