"""Resources of people who want more than a board: names of other namespaces, injected words, strange documents."""

from __future__ import annotations

from typing import Any

import pytest
from operator_documents import CLAIM, PVC, definition, resource, secret

from lightboard.operator import Label, Note, jobs, kinds, objects, sources
from lightboard.operator.cluster import SECRETS, Fault
from lightboard.operator.options import Options

ELSEWHERE = "../../kube-system/secrets/admin"


def _foreign(kind: kinds.Kind, annotations: dict[str, str] | None = None, **spec: Any) -> kinds.Definition:
    document = resource(kind, **spec)
    document["metadata"]["annotations"] = annotations or {}
    return kinds.read(kind, document)


@pytest.mark.parametrize(
    "made",
    [
        _foreign(kinds.TENSORSTACK, logDir={"s3": {"uri": ["s3://bucket/x"], "secretRef": {"name": ELSEWHERE}}}),
        _foreign(kinds.TENSORSTACK, {Note.SECRET: ELSEWHERE}, trainingLogFilesets=["s3://bucket/x"]),
        _foreign(kinds.KUBEFLOW, {Note.SECRET: f"{ELSEWHERE}?watch=1"}, logspath="s3://bucket/x"),
        _foreign(kinds.TENSORSTACK, trainingLogFilesets=["t9k://minio/../bucket/x"]),
        _foreign(kinds.TENSORSTACK, trainingLogFilesets=["t9k://minio/..%2f..%2fadmin/bucket/x"]),
        _foreign(kinds.TENSORSTACK, logDir={"pvc": [{"name": "../other/logs"}]}),
        _foreign(kinds.KUBEFLOW, logspath="pvc://../x"),
    ],
)
def test_a_name_that_leads_elsewhere_is_neither_looked_up_nor_mounted(made: kinds.Definition) -> None:
    assert sources.names(made) == ([], [])
    resolved = sources.resolve(made, {}, {ELSEWHERE: secret(accessKey="a", secretKey="b")})
    assert [each.reason for each in resolved.findings] == ["InvalidUri"]
    assert not resolved.secrets


@pytest.mark.parametrize("name", ["../../kube-system/secrets/admin", "x?watch=1", "x#y", "x/y", "%2e%2e"])
def test_a_name_is_one_part_of_a_path(name: str) -> None:
    path = SECRETS.path("team", name)
    assert path.startswith("/api/v1/namespaces/team/secrets/")
    assert not set(path.removeprefix("/api/v1/namespaces/team/secrets/")) & set("/?#")
    with pytest.raises(Fault):
        SECRETS.path("team", "..")


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        ({"uri": "file:///etc/lightboard"}, "UnsupportedScheme"),
        ({"uri": "FILE:///etc"}, "UnsupportedScheme"),
        ({"uri": "pvc://logs/a,/etc/lightboard/secrets"}, "InvalidUri"),
        ({"uri": "pvc://logs/../../etc"}, "InvalidUri"),
        ({"uri": "https://host/a,file:///etc"}, "InvalidUri"),
        ({"uri": "pvc://logs/a\nb"}, "InvalidUri"),
        ({**PVC, "prefix": "a,/etc"}, "InvalidPrefix"),
        ({**PVC, "prefix": "a:/etc"}, "InvalidPrefix"),
    ],
)
def test_no_source_brings_another_or_leaves_its_claim(wanted: dict[str, Any], reason: str) -> None:
    made = definition(sources=[wanted, PVC])
    resolved = sources.resolve(made, {"logs": CLAIM}, {})
    assert resolved.findings[0].reason == reason
    assert not resolved.complete


def _pod(made: kinds.Definition, **secrets: Any) -> dict[str, Any]:
    resolved = sources.resolve(made, {"logs": CLAIM, "state": CLAIM}, secrets)
    assert resolved.complete, resolved.findings
    return objects.template(made, resolved, Options())


def test_a_title_is_a_title_and_not_a_flag_or_a_variable() -> None:
    words = _pod(definition(displayName="--logdir=/etc $(HOME) $$"))["spec"]["containers"][0]["args"]
    assert "--window_title=--logdir=/etc $$(HOME) $$$$" in words
    assert [each for each in words if each.startswith("--logdir")] == ["--logdir=pvc://logs/log"]


def test_an_endpoint_cannot_add_to_the_storage_file() -> None:
    endpoint = 'http://one"\n[networks]\nallow=["0.0.0.0/0"]\nx="'
    made = definition(sources=[{"s3": {"uri": "s3://b/x", "endpoint": endpoint, "secretRef": {"name": "team"}}}])
    text = _pod(made, team=secret(accessKey="a", secretKey="b"))["metadata"]["annotations"][Note.STORAGE]
    assert "[networks]" not in text.splitlines()


def test_labels_of_a_resource_do_not_replace_ours() -> None:
    document = resource(kinds.KUBEFLOW, logspath="pvc://logs/log")
    hostile = {Label.DRAINED: "true", Label.BOARD: "other", Label.MANAGED: "me", Label.TEMPLATE: "0"}
    document["metadata"]["labels"] = {**hostile, "team": "vision"}
    made = kinds.read(kinds.KUBEFLOW, document)
    labels = _pod(made)["metadata"]["labels"]
    assert labels["team"] == "vision"
    assert Label.DRAINED not in labels
    assert labels[Label.BOARD] == "one"
    assert {name: labels[name] for name in objects.labels(made)} == objects.labels(made)


def test_logs_are_read_only_as_a_volume_and_only_state_is_not() -> None:
    made = definition(state={"claimName": "state"})
    pod = _pod(made)["spec"]
    claims = {
        each["persistentVolumeClaim"]["claimName"]: each["persistentVolumeClaim"].get("readOnly", False)
        for each in pod["volumes"] if "persistentVolumeClaim" in each
    }  # fmt: skip
    assert claims == {"logs": True, "state": False}
    assert not any("hostPath" in each for each in pod["volumes"])


def test_priorities_of_the_cluster_and_other_resources_are_refused() -> None:
    assert "system-" in definition(scheduling={"priorityClassName": "system-node-critical"}).fault
    made = definition(resources={"limits": {"memory": "1Gi"}, "claims": [{"name": "gpu"}]})
    assert made.resources == {"limits": {"memory": "1Gi"}}


@pytest.mark.parametrize("spec", [[], "text", {"logDir": []}, {"scheduler": "x", "trainingLogFilesets": ["s3://b/x"]}])
def test_a_spec_of_another_form_is_a_fault_of_that_board_only(spec: Any) -> None:
    document = {**resource(kinds.TENSORSTACK), "spec": spec}
    document["status"] = {"activity": {"lastActivity": "yesterday"}}
    assert kinds.read(kinds.TENSORSTACK, document).fault
    assert kinds.seconds("yesterday") is None


def test_two_jobs_of_one_name_do_not_share_a_board() -> None:
    job = {"metadata": {"name": "train", "namespace": "team", "uid": "u", "annotations": {Note.LOGS: "pvc://logs"}}}
    made = jobs.board(jobs.BY_WORD["job"], job)
    assert jobs.belongs(jobs.BY_WORD["job"], made, job)
    assert not jobs.belongs(jobs.BY_WORD["tfjob"], made, job)
