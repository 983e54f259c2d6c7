"""Training jobs get boards: a real batch/v1 Job, and the kinds of Kubeflow and TensorStack as resources without a
controller."""

from __future__ import annotations

from typing import Any

import pytest
from kubernetes import kube

NOTE = "lightboard.dev"


@pytest.fixture(scope="module")
def kinds(admin: kube.Kube) -> None:
    made = [kube.crd("kubeflow.org", "v1", "PyTorchJob"), kube.crd("kubeflow.org", "v1", "TFJob")]
    made += [kube.crd("batch.tensorstack.dev", "v1beta1", f"{each}TrainingJob") for each in ("PyTorch", "TensorFlow")]
    admin.apply(*made)
    for each in made:
        admin.run("wait", "--for=condition=Established", f"crd/{each['metadata']['name']}", "--timeout=30s")


def _linked(admin: kube.Kube, kind: str, name: str, namespace: str) -> dict[str, Any]:
    def notes() -> dict[str, str]:
        job = admin.get(kind, name, namespace) or {"metadata": {}}
        found: dict[str, str] = job["metadata"].get("annotations") or {}
        return found if f"{NOTE}/board-url" in found else {}

    return dict(kube.wait(notes, f"{kind} {name} has no link", limit_secs=100))


def test_a_job_gets_a_board_that_goes_with_it(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    container = {"name": "train", "image": kube.IMAGE, "command": ["python3", "-c", "print('trained')"]}
    admin.apply(
        {
            "apiVersion": "batch/v1", "kind": "Job",
            "metadata": {
                "name": "train", "namespace": namespace, "annotations": {f"{NOTE}/logs": "pvc://logs/log"},
            },
            "spec": {"template": {"spec": {"restartPolicy": "Never", "containers": [container]}}},
        }
    )  # fmt: skip
    notes = _linked(admin, "job", "train", namespace)
    assert notes[f"{NOTE}/board"] == "train"
    admin.wait_phase("train", namespace, "Running")
    board = admin.get(kube.BOARD, "train", namespace)
    assert board is not None
    assert board["spec"]["jobRef"]["kind"] == "Job"
    admin.run("delete", "job", "train", "-n", namespace, "--wait=false")
    kube.wait(lambda: admin.get(kube.BOARD, "train", namespace) is None, "the board is left")


@pytest.mark.usefixtures("kinds")
def test_jobs_of_kubeflow_and_tensorstack_get_boards(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    operator.kill()  # kinds that are new in a cluster are found after a minute, or by the next operator
    operator.start()
    tensorboard = {"image": "tensorboard:2", "trainingLogFilesets": ["t9k://pvc/logs/log"]}
    admin.apply(
        {
            "apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
            "metadata": {
                "name": "torch", "namespace": namespace,
                "annotations": {f"{NOTE}/logs": "pvc://logs/log", f"{NOTE}/cleanup": "keep"},
            },
            "spec": {},
        },
        {
            "apiVersion": "kubeflow.org/v1", "kind": "TFJob",
            "metadata": {"name": "tf", "namespace": namespace, "annotations": {f"{NOTE}/logs": "pvc://logs/log"}},
            "spec": {},
        },
        *(
            {
                "apiVersion": "batch.tensorstack.dev/v1beta1", "kind": f"{kind}TrainingJob",
                "metadata": {"name": name, "namespace": namespace}, "spec": {"tensorboardSpec": tensorboard},
            }
            for kind, name in (("PyTorch", "t9k"), ("TensorFlow", "t9ktf"))
        ),
    )  # fmt: skip
    _linked(admin, "pytorchjobs.kubeflow.org", "torch", namespace)
    _linked(admin, "pytorchtrainingjobs.batch.tensorstack.dev", "t9k", namespace)
    _linked(admin, "tfjobs.kubeflow.org", "tf", namespace)
    for name in ("torch", "tf", "t9k", "t9ktf"):
        admin.wait_phase(name, namespace, "Running")

    def dependent(kind: str, name: str) -> Any:
        """The status of the job follows that of its board."""
        job = admin.get(f"{kind}trainingjobs.batch.tensorstack.dev", name, namespace) or {}
        shown = (job.get("status") or {}).get("tensorboard") or {}
        return shown if shown.get("status") == "Running" else None

    for kind, name in (("pytorch", "t9k"), ("tensorflow", "t9ktf")):
        shown = kube.wait(lambda kind=kind, name=name: dependent(kind, name), "no dependent status")  # type: ignore[misc]
        assert shown["dependent"] == {"apiVersion": "boards.lightboard.dev/v1", "kind": "Board", "name": name}
    admin.run("delete", "tensorflowtrainingjobs.batch.tensorstack.dev", "t9ktf", "-n", namespace, "--wait=false")
    admin.run("delete", "tfjobs.kubeflow.org", "tf", "-n", namespace, "--wait=false")
    admin.run("delete", "pytorchjobs.kubeflow.org", "torch", "-n", namespace)
    admin.run("delete", "pytorchtrainingjobs.batch.tensorstack.dev", "t9k", "-n", namespace)
    for name in ("t9k", "t9ktf", "tf"):
        kube.wait(lambda name=name: admin.get(kube.BOARD, name, namespace) is None, "the board is left")  # type: ignore[misc]
    assert admin.get(kube.BOARD, "torch", namespace) is not None
