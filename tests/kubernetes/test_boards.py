"""Boards on a real cluster: apiserver, scheduler, controller manager, kubelet, containers.

Covered: start, page, security of the pod, missing and wrong sources, edits of every field, suspend and resume, crashes,
missing images, full nodes, quota, deletion. Times are printed, not checked.
"""

from __future__ import annotations

import json
import time
from typing import Any

from kubernetes import kube
from kubernetes.kube import condition, tell


def _running(admin: kube.Kube, name: str, namespace: str, **more: Any) -> dict[str, Any]:
    return admin.wait_phase(name, namespace, "Running", **more)


def _replaced(admin: kube.Kube, namespace: str, before: str) -> dict[str, Any]:
    """Waits for a pod other than that of `before`."""

    def holds(status: dict[str, Any]) -> bool:
        return status.get("phase") == "Running" and status.get("podRef", {}).get("uid") not in ("", before)

    return admin.wait_status("one", namespace, holds)


def _url(admin: kube.Kube, name: str, namespace: str) -> str:
    return kube.base_url(admin, admin.status(name, namespace), namespace, f"board-{name}")


def _runs(url: str) -> list[str]:
    """Nothing while the Service does not lead anywhere yet."""
    try:
        return sorted(json.loads(kube.get(f"{url}data/runs")))
    except OSError:
        return []


def test_a_board_answers_with_the_runs_of_its_claim(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    began = time.monotonic()
    admin.apply(kube.board("one", namespace, pvc, displayName="Losses"))
    status = _running(admin, "one", namespace)
    url = _url(admin, "one", namespace)
    kube.wait(lambda: _runs(url) == ["first", "second"], "runs")
    tell("apply to answer", time.monotonic() - began)
    assert {each["type"]: each["status"] for each in status["conditions"]} == {
        "Ready": "True", "Idle": "False", "SourcesResolved": "True", "QuotaAdmitted": "True", "Suspended": "False",
    }  # fmt: skip
    assert b"Losses" in kube.get(f"{url}api/board?activity=0")
    assert status["observedGeneration"] == 1
    assert status["sources"][0]["status"] == "True"
    row = admin.run("get", "lbd", "one", "-n", namespace)
    assert "Running" in row
    assert "1/1" in row


def test_the_pod_is_restricted_and_sees_its_logs_read_only(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc))
    name = _running(admin, "one", namespace)["podRef"]["name"]
    pod = admin.get("pod", name, namespace)
    assert pod is not None
    container = pod["spec"]["containers"][0]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
    }  # fmt: skip
    assert pod["spec"]["securityContext"]["runAsNonRoot"] is True
    assert not pod["spec"]["automountServiceAccountToken"]
    assert {"startupProbe", "readinessProbe", "livenessProbe"} <= set(container)

    def within(code: str) -> str:
        program = f"import os\ntry: print({code})\nexcept OSError as error: print(error.strerror)"
        return admin.run("exec", name, "-n", namespace, "--", "python3", "-c", program).strip()

    assert within("os.getuid()") == "65532"
    assert within("open('/mnt/claims/logs/log/x', 'w')") == "Read-only file system"
    assert within("open('/etc/x', 'w')") == "Read-only file system"
    assert within("open('/var/run/secrets/kubernetes.io/serviceaccount/token').read()") == "No such file or directory"
    assert within("open('/tmp/x', 'w').write('x')") == "1"


def test_what_is_missing_is_said_and_the_board_starts_when_it_is_there(
    admin: kube.Kube, operator: kube.Operator, namespace: str, logs: Any
) -> None:
    admin.apply(kube.board("one", namespace, {"pvc": {"claimName": "later", "subPath": "log"}}))
    status = admin.wait_status("one", namespace, lambda status: status.get("reason") == "PvcNotFound")
    assert status["phase"] == "Pending"
    assert condition(status, "SourcesResolved")["status"] == "False"
    assert "there is no claim `later`" in condition(status, "SourcesResolved")["message"]
    assert admin.list("deployments", namespace) == []
    admin.apply(*kube.claim("later", namespace, logs))
    _running(admin, "one", namespace)
    admin.run("delete", "pv", f"{namespace}-later", "--wait=false")


def test_a_missing_secret_and_a_missing_key_are_told_by_name(
    admin: kube.Kube, operator: kube.Operator, namespace: str
) -> None:
    source = {"s3": {"uri": "s3://bucket/logs", "secretRef": {"name": "team"}}}
    admin.apply(kube.board("one", namespace, source))
    status = admin.wait_status("one", namespace, lambda status: status.get("reason") == "SecretNotFound")
    assert "`team`" in status["message"]
    admin.apply(kube.secret("team", namespace, accessKey="x"))
    admin.patch(kube.BOARD, "one", namespace, {"spec": {"displayName": "again"}})  # secrets are not watched
    status = admin.wait_status("one", namespace, lambda status: status.get("reason") == "SecretKeyMissing")
    assert "has no `secretKey`; it has `accessKey`" in status["message"]


def test_edits_roll_and_the_old_pod_serves_until_the_new_one_is_ready(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc))
    before = _running(admin, "one", namespace)["podRef"]["uid"]
    url = _url(admin, "one", namespace)
    first = {"pvc": {"claimName": "logs", "subPath": "log/first"}, "prefix": "right"}
    linux = {"kubernetes.io/os": "linux"}
    edits: list[dict[str, Any]] = [
        {"displayName": "Other title"},
        {"sources": [{**pvc, "prefix": "left"}, first]},
        {"resources": {"limits": {"memory": "1Gi"}, "requests": {"cpu": "10m"}}},
        {"scheduling": {"tolerations": [{"operator": "Exists"}], "queue": "q1", "nodeSelector": linux}},
        {"state": {"claimName": "logs"}},
    ]
    for edit in edits:
        admin.patch(kube.BOARD, "one", namespace, {"spec": edit})
        status = _replaced(admin, namespace, before)
        if "state" not in edit:
            # somebody answers; kube-proxy may be a moment behind the end of the old pod
            kube.wait(lambda: _runs(url), "nobody answers", limit_secs=5)
        assert status["observedGeneration"] >= 2
        before = status["podRef"]["uid"]
    kube.wait(lambda: {"left/first", "right"} <= set(_runs(url)) or _runs(url), "runs")
    for name in ("idleAfter", "reclaimAfter", "maxRuntime"):  # no reason to replace a pod
        admin.patch(kube.BOARD, "one", namespace, {"spec": {name: "3h"}})
    status = admin.wait_status("one", namespace, lambda status: "runtimeEndsAt" in status.get("activity", {}))
    assert status["podRef"]["uid"] == before
    assert len(admin.list("deployments", namespace)) == len(admin.list("services", namespace)) == 1


def test_suspend_removes_the_pod_and_resume_brings_it_back(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc))
    _running(admin, "one", namespace)
    admin.patch(kube.BOARD, "one", namespace, {"spec": {"suspend": True}})
    status = admin.wait_phase("one", namespace, "Stopped")
    assert status["reason"] == "User"
    assert condition(status, "Suspended")["status"] == "True"
    assert admin.list("pods", namespace) == []
    began = time.monotonic()
    admin.patch(kube.BOARD, "one", namespace, {"spec": {"suspend": False}})
    _running(admin, "one", namespace)
    tell("resume", time.monotonic() - began)


def test_a_killed_pod_and_a_crash_are_replaced_and_said(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc))
    first = _running(admin, "one", namespace)["podRef"]
    admin.run("delete", "pod", first["name"], "-n", namespace, "--wait=false")
    _replaced(admin, namespace, first["uid"])
    reasons = {each["reason"] for each in admin.list("events", namespace) if each["involvedObject"]["kind"] == "Board"}
    assert {"Starting", "Running", "Restarting"} <= reasons


def test_a_missing_image_is_said_in_words_and_an_edit_mends_it(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc, image="localhost/no-such-image:1"))
    status = admin.wait_status("one", namespace, lambda status: status.get("reason") == "ImagePullFailed")
    assert "`localhost/no-such-image:1` cannot be had" in status["message"]
    admin.patch(kube.BOARD, "one", namespace, {"spec": {"image": kube.IMAGE}})
    _running(admin, "one", namespace)


def test_a_full_node_keeps_the_board_pending_and_is_no_failure(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc, resources={"requests": {"memory": "900Gi"}}))
    status = admin.wait_status("one", namespace, lambda status: status.get("reason") == "Unschedulable")
    assert status["phase"] == "Pending"
    assert "no node has room" in status["message"]
    admin.patch(kube.BOARD, "one", namespace, {"spec": {"resources": {"requests": {"memory": "64Mi"}}}})
    _running(admin, "one", namespace)


def test_a_board_without_memory_says_so(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc, resources={"limits": {"memory": "16Mi"}}))
    status = admin.wait_status("one", namespace, lambda status: status.get("reason") == "OutOfMemory")
    assert "raise `resources.limits.memory`" in status["message"]


def test_the_quota_of_a_namespace_holds_and_a_free_slot_is_given(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(*(kube.board(f"b{number}", namespace, pvc) for number in range(10)))

    def phases() -> list[str]:
        return [(each.get("status") or {}).get("phase", "") for each in admin.list(kube.BOARD, namespace)]

    kube.wait(lambda: phases().count("Running") == 8, lambda: str(phases()))
    waiting = [
        each["metadata"]["name"] for each in admin.list(kube.BOARD, namespace) if each["status"]["phase"] == "Pending"
    ]
    assert len(waiting) == 2
    status = admin.status(waiting[0], namespace)
    assert condition(status, "QuotaAdmitted")["status"] == "False"
    assert condition(status, "QuotaAdmitted")["reason"] == "TensorboardLimitExceeded"
    assert "8 of 8 boards" in status["message"]
    running = next(each["metadata"]["name"] for each in admin.list(kube.BOARD, namespace)
                   if each["status"]["phase"] == "Running")  # fmt: skip
    admin.run("delete", kube.BOARD, running, "-n", namespace, "--wait=false")
    kube.wait(lambda: phases().count("Running") == 8 and len(phases()) == 9, lambda: str(phases()))


def test_nothing_is_left_of_a_deleted_resource_of_each_kind(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(
        kube.board("one", namespace, pvc),
        {
            "apiVersion": "tensorstack.dev/v1beta1", "kind": "TensorBoard",
            "metadata": {"name": "one", "namespace": namespace}, "spec": {"trainingLogFilesets": ["t9k://pvc/logs/log"]},
        },
        {
            "apiVersion": "tensorboard.kubeflow.org/v1alpha1", "kind": "Tensorboard",
            "metadata": {"name": "one", "namespace": namespace}, "spec": {"logspath": "pvc://logs/log"},
        },
    )  # fmt: skip
    _running(admin, "one", namespace)
    admin.wait_phase("one", namespace, "Running", kind=kube.T9K)
    admin.wait_status("one", namespace, lambda status: status.get("readyReplicas") == 1, kind=kube.KUBEFLOW)
    assert len(admin.list("deployments", namespace)) == 3
    for kind in (kube.BOARD, kube.T9K, kube.KUBEFLOW):
        admin.run("delete", kind, "one", "-n", namespace, "--wait=false")

    def left() -> list[str]:
        kinds = (kube.BOARD, kube.T9K, kube.KUBEFLOW, "pods", "replicasets", "deployments", "services", "ingresses")
        return [f"{kind}/{each['metadata']['name']}" for kind in kinds for each in admin.list(kind, namespace)]

    kube.wait(lambda: not left(), lambda: str(left()))
