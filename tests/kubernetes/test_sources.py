"""Seed 000's manifests, unchanged: a claim and a bucket (SeaweedFS in place of MinIO), looked at in Chromium.

Wrong credentials are told by the name of their secret; a rotated secret rolls the board.
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from kubernetes import kube, relays
from stores import seaweed

if TYPE_CHECKING:
    from playwright import sync_api

NAMESPACE = "t9k-example"
# as TensorStack's documentation has it
MANIFEST = """
apiVersion: tensorstack.dev/v1beta1
kind: TensorBoard
metadata:
  name: pytorchtrainingjob-tensorboard
  namespace: t9k-example
spec:
  image: docker.mirrors.ustc.edu.cn/tensorflow/serving:2.6.0-gpu
  trainingLogFilesets:
  - t9k://pvc/pytorchtrainingjob-tensorboard-pvc/log
"""
NAME = "pytorchtrainingjob-tensorboard"


@pytest.fixture(scope="module")
def bucket(admin: kube.Kube, logs: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a store, as pods see it, with the runs in `bucket1/log/model`."""
    with seaweed.running(tmp_path_factory.mktemp("seaweed")) as store:
        if store is None:
            pytest.skip("SeaweedFS is missing: `make test-kubernetes` installs it")
        client = store.client()
        client.make_bucket("bucket1")
        for file in (logs / "log").rglob("*tfevents*"):
            client.put("bucket1", f"log/model/{file.relative_to(logs / 'log')}", file.read_bytes())
        client.close()
        with relays.relay(admin.host, store.port) as port:
            yield f"{admin.host}:{port}"


@pytest.fixture
def example(admin: kube.Kube, role: pathlib.Path, tmp_path: pathlib.Path) -> Iterator[str]:
    """The namespace that the manifests name, with an operator."""
    kube.wait(lambda: admin.get("namespace", NAMESPACE, "default") is None, "the namespace is left")
    admin.run("create", "namespace", NAMESPACE)
    with kube.operating(role, tmp_path / "log", "--no_election", f"--namespace={NAMESPACE}"):
        yield NAMESPACE
    kube.clear(admin, NAMESPACE)
    admin.run("delete", "pv", f"{NAMESPACE}-{NAME}-pvc", "--wait=false", check=False)


def _shows(chromium: sync_api.Browser, url: str, *words: str) -> None:
    """The page has a chart of `loss`, and these runs."""
    page = chromium.new_page()
    try:
        page.goto(url)
        page.get_by_text("loss").first.wait_for(timeout=60_000)
        for word in words:
            page.get_by_text(word).first.wait_for(timeout=30_000)
        page.locator("canvas").first.wait_for(timeout=30_000)
    finally:
        page.close()


def test_the_manifest_of_a_claim_and_that_of_a_bucket_show_their_curves(
    admin: kube.Kube, example: str, logs: pathlib.Path, bucket: str, chromium: sync_api.Browser
) -> None:
    admin.apply(MANIFEST)
    status = admin.wait_phase(NAME, example, "Pending", kind=kube.T9K)
    assert "there is no claim" in kube.condition(status, "Ready")["message"]
    admin.apply(*kube.claim("pytorchtrainingjob-tensorboard-pvc", example, logs))
    status = admin.wait_phase(NAME, example, "Running", kind=kube.T9K)
    assert status["url"] == f"/t9k/tensorboards/projects/{example}/name/{NAME}/"
    assert {"Ready", "Idle"} <= {each["type"] for each in status["conditions"]}
    assert status["pod"]["phase"] == "Running"
    service = f"t9kboard-{NAME}"
    _shows(chromium, kube.base_url(admin, {"path": status["url"]}, example, service), "first", "second")

    fileset = MANIFEST.replace("pvc/pytorchtrainingjob-tensorboard-pvc/log", "minio/secret-name/bucket1/log/model")
    admin.apply(kube.secret("secret-name", example, address=bucket, username=seaweed.KEY, password=seaweed.SECRET))
    admin.apply(fileset.replace(f"name: {NAME}", "name: minio"))
    status = admin.wait_phase("minio", example, "Running", kind=kube.T9K)
    _shows(chromium, kube.base_url(admin, {"path": status["url"]}, example, "t9kboard-minio"), "first", "second")

    # suspended and resumed as TensorStack's console does it
    admin.patch(kube.T9K, "minio", example, {"spec": {"suspend": True}})
    admin.wait_phase("minio", example, "Suspended", kind=kube.T9K)
    admin.patch(kube.T9K, "minio", example, {"spec": {"suspend": False}})
    admin.wait_phase("minio", example, "Running", kind=kube.T9K)


def test_wrong_credentials_are_told_by_name_and_the_rotated_secret_is_used(
    admin: kube.Kube, operator: kube.Operator, namespace: str, bucket: str
) -> None:
    source = {"s3": {"uri": "s3://bucket1/log/model", "secretRef": {"name": "team"}}}
    admin.apply(kube.secret("team", namespace, endpoint=f"http://{bucket}", accessKey=seaweed.KEY, secretKey="wrong"))
    admin.apply(kube.board("one", namespace, source))

    def refused(status: dict[str, Any]) -> bool:
        return kube.condition(status, "SourcesResolved").get("reason") == "AccessDenied"

    status = admin.wait_status("one", namespace, refused)
    assert status["phase"] == "Running"  # the page says it, too
    assert "secret `team`" in status["sources"][0]["message"]
    assert status["sourcesReady"] == "0/1"
    assert "wrong" not in json.dumps(status)
    before = status["podRef"]["uid"]
    admin.apply(
        kube.secret("team", namespace, endpoint=f"http://{bucket}", accessKey=seaweed.KEY, secretKey=seaweed.SECRET)
    )

    def good(status: dict[str, Any]) -> bool:
        return status.get("sourcesReady") == "1/1" and status["phase"] == "Running"

    status = admin.wait_status("one", namespace, good, limit_secs=150)  # a secret is read once a minute
    assert status["podRef"]["uid"] != before
    url = kube.base_url(admin, status, namespace, "board-one")
    kube.wait(lambda: sorted(json.loads(kube.get(f"{url}data/runs"))) == ["first", "second"], "runs")


def test_a_directory_that_does_not_exist_yet_is_no_failure(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, {"pvc": {"claimName": "logs", "subPath": "not/yet"}}))

    def told(status: dict[str, Any]) -> bool:
        return bool(status.get("sources")) and status["sources"][0]["reason"] in ("PathNotFound", "NoEventFiles")

    status = admin.wait_status("one", namespace, told)
    assert status["phase"] == "Running"
    assert kube.condition(status, "SourcesResolved")["status"] == "True"
