"""What the cluster refuses, what is in the way, what is taken away: said in words, and mended by itself afterwards."""

from __future__ import annotations

import json
from typing import Any

from kubernetes import kube
from kubernetes.kube import condition


def test_an_object_that_the_cluster_refuses_is_said_until_it_takes_it(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(
        {
            "apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "none", "namespace": namespace},
            "spec": {"hard": {"services": "0"}},
        }
    )  # fmt: skip
    quota = kube.wait(lambda: (admin.get("resourcequota", "none", namespace) or {}).get("status"), "no quota")
    assert quota["hard"] == {"services": "0"}
    admin.apply(kube.board("one", namespace, pvc))
    status = admin.wait_status("one", namespace, lambda status: status.get("reason") == "ObjectRefused")
    assert "exceeded quota" in status["message"]
    assert condition(status, "Ready")["reason"] == "ObjectRefused"
    admin.run("delete", "resourcequota", "none", "-n", namespace)
    admin.wait_phase("one", namespace, "Running")


def test_an_object_of_somebody_else_is_neither_replaced_nor_deleted(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    """With our labels and without."""
    for name, labels in (("plain", {}), ("labeled", {"app.kubernetes.io/managed-by": "lightboard-operator"})):
        service = {
            "apiVersion": "v1", "kind": "Service",
            "metadata": {"name": f"board-{name}", "namespace": namespace, "labels": labels},
            "spec": {"selector": {"app": "shop"}, "ports": [{"port": 8080}]},
        }  # fmt: skip
        nowhere = {"nodeSelector": {"none": "such"}}  # a pod that never runs is deleted at once
        admin.apply(service, kube.board(name, namespace, pvc, scheduling=nowhere))
        status = admin.wait_status(name, namespace, lambda status: status.get("reason") == "ObjectRefused")
        assert f"a Service `board-{name}` that belongs to something else is in the way" in status["message"]
        admin.run("delete", kube.BOARD, name, "-n", namespace, "--wait=false")
        kube.wait(lambda name=name: admin.get(kube.BOARD, name, namespace) is None, "the board is left")  # type: ignore[misc]
        found = admin.get("service", f"board-{name}", namespace)
        assert found is not None
        assert found["spec"]["selector"] == {"app": "shop"}


def test_a_claim_that_is_deleted_while_the_board_runs_is_said_and_used_again_when_it_is_back(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any], logs: Any
) -> None:
    admin.apply(kube.board("one", namespace, pvc))
    admin.wait_phase("one", namespace, "Running")
    # Kubernetes keeps it until no pod uses it
    admin.run("delete", "pvc", "logs", "-n", namespace, "--wait=false")

    def told(status: dict[str, Any]) -> bool:
        return condition(status, "SourcesResolved").get("reason") == "PvcNotFound"

    status = admin.wait_status("one", namespace, told)
    assert status["phase"] == "Running"
    assert "is being deleted" in condition(status, "SourcesResolved")["message"]
    admin.patch(kube.BOARD, "one", namespace, {"spec": {"suspend": True}})
    admin.wait_phase("one", namespace, "Stopped")
    kube.wait(lambda: admin.get("pvc", "logs", namespace) is None, "the claim is left")
    admin.patch(kube.BOARD, "one", namespace, {"spec": {"suspend": False}})
    status = admin.wait_status("one", namespace, lambda status: status.get("reason") == "PvcNotFound")
    assert status["phase"] == "Pending"
    admin.run("delete", "pv", f"{namespace}-logs")
    admin.apply(*kube.claim("logs", namespace, logs))
    admin.wait_phase("one", namespace, "Running")


def test_a_secret_of_another_namespace_is_not_looked_at(
    admin: kube.Kube, operator: kube.Operator, namespace: str
) -> None:
    store = {"uri": ["s3://bucket/x"], "secretRef": {"name": "../../kube-system/secrets/admin"}}
    admin.apply(
        kube.secret("admin", "kube-system", hidden="x"),
        {
            "apiVersion": "tensorstack.dev/v1beta1", "kind": "TensorBoard",
            "metadata": {"name": "one", "namespace": namespace}, "spec": {"logDir": {"s3": store}},
        },
    )  # fmt: skip

    def told(status: dict[str, Any]) -> bool:
        return condition(status, "SourcesResolved").get("status") == "False"

    status = admin.wait_status("one", namespace, told, kind=kube.T9K)
    assert "cannot be the name of a secret" in condition(status, "SourcesResolved")["message"]
    assert "hidden" not in json.dumps(status)
    assert admin.list("deployments", namespace) == []
