"""Manifests of TensorStack, Kubeflow and ours. The first is the sample of TensorStack's documentation, unchanged."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
import yaml

from lightboard.hub.life import manifests, nouns, refusals

TENSORSTACK = """
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
LOGDIR = """
apiVersion: tensorstack.dev/v1beta1
kind: TensorBoard
metadata: {name: mixed}
spec:
  suspend: true
  resources: {limits: {cpu: 200m}}
  logDir:
    pvc:
    - {name: data, subPath: [a/log, b]}
    - {name: whole}
    s3: {secretRef: {name: team}, uri: ["s3://bucket/log/"]}
    http: {url: ["https://host/logs/"]}
"""
KUBEFLOW = """
apiVersion: tensorboard.kubeflow.org/v1alpha1
kind: Tensorboard
metadata: {name: tb, namespace: kubeflow-user}
spec: {logspath: "pvc://data/mnist/logs/"}
"""
OURS = """
apiVersion: boards.lightboard.dev/v1
kind: Board
metadata: {name: all, labels: {team: vision}}
spec:
  displayName: All runs
  idleAfter: 30m
  reclaimAfter: never
  access: {visibility: workspace, workspace: vision}
  sources:
  - {fileset: t9k://minio/team/bucket/runs, prefix: minio}
  - {uri: s3://bucket/runs, secret: team}
  - {pvc: {claimName: data, subPath: /runs/}}
  - {s3: {uri: "s3://other/x/", secretRef: {name: two}, region: eu-west-1}}
  - {http: {url: "https://host/logs/"}}
"""


def read(text: str) -> list[manifests.Definition]:
    return manifests.definitions(list(yaml.safe_load_all(text)))


def test_the_sample_of_tensorstack_is_taken_unchanged() -> None:
    (made,) = read(TENSORSTACK)
    assert (made.name, made.namespace) == ("pytorchtrainingjob-tensorboard", "t9k-example")
    assert made.sources == (nouns.Source("t9k://pvc/pytorchtrainingjob-tensorboard-pvc/log"),)
    assert made.ignored == ("document 1.spec.image",)
    assert not made.suspended


def test_log_directories_of_tensorstack() -> None:
    (made,) = read(LOGDIR)
    assert made.sources == (
        nouns.Source("pvc://data/a/log"),
        nouns.Source("pvc://data/b"),
        nouns.Source("pvc://whole"),
        nouns.Source("s3://bucket/log", secret="team"),
        nouns.Source("https://host/logs/"),
    )
    assert made.suspended and made.ignored == ("document 1.spec.resources",)


def test_kubeflow_has_one_path() -> None:
    (made,) = read(KUBEFLOW)
    assert (made.name, made.namespace, made.sources) == (
        "tb",
        "kubeflow-user",
        (nouns.Source("pvc://data/mnist/logs"),),
    )


def test_our_own_kind() -> None:
    (made,) = read(OURS)
    assert made.sources == (
        nouns.Source("t9k://minio/team/bucket/runs", "minio"),
        nouns.Source("s3://bucket/runs", secret="team"),
        nouns.Source("pvc://data/runs"),
        nouns.Source("s3://other/x", secret="two"),
        nouns.Source("https://host/logs/"),
    )
    assert made.policy == nouns.Policy(1800.0, 0.0, None)
    assert (made.visibility, made.namespace) == (nouns.Visibility.WORKSPACE, "vision")
    assert (made.display_name, made.labels) == ("All runs", {"team": "vision"})
    assert made.ignored == ("document 1.spec.sources[3].s3.region",)


def test_several_in_a_file_and_empty_documents() -> None:
    assert [each.name for each in read(f"{TENSORSTACK}\n---\n---\n{KUBEFLOW}")] == [
        "pytorchtrainingjob-tensorboard",
        "tb",
    ]


def changed(text: str, **spec: Any) -> str:
    document = yaml.safe_load(text)
    document["spec"] = {**document["spec"], **spec}
    return yaml.safe_dump(document)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no manifest"),
        ("- 1", "document 1 is not a mapping"),
        ("kind: Board", "document 1.apiVersion is missing"),
        ("{apiVersion: v1, kind: Pod, metadata: {name: x}}", "`Pod` of `v1`, which is not a board"),
        ("{apiVersion: boards.lightboard.dev/v1, kind: Board, spec: {}}", "metadata is missing"),
        ("{apiVersion: boards.lightboard.dev/v1, kind: Board, metadata: {name: x}}", "spec is missing"),
        (changed(OURS, sources=[]), "spec names no logs"),
        (changed(OURS, sources=[{}]), "needs one of fileset"),
        (changed(OURS, sources=[{"uri": "s3://x", "http": {"url": "http://x"}}]), "not 2 of them"),
        (changed(OURS, sources="s3://x"), "spec.sources is not a list"),
        (changed(OURS, idelAfter="1h"), "spec has no `idelAfter`"),
        (changed(OURS, access={"visibility": "everyone"}), "visibility is `everyone`"),
        (changed(OURS, suspend="yes"), "suspend is neither"),
        (changed(TENSORSTACK, trainingLogFilesets="t9k://pvc/x"), "is not a list of texts"),
        (changed(LOGDIR, logDir={"nfs": {}}), "logDir has no `nfs`"),
        (changed(KUBEFLOW, logspath=3), "logspath is not a text"),
    ],
)
def test_what_is_wrong_is_refused_with_its_path(text: str, message: str) -> None:
    with pytest.raises(manifests.BadManifest, match=message.replace("[", r"\[")):
        read(textwrap.dedent(text))


def test_a_wrong_duration_is_refused() -> None:
    with pytest.raises(refusals.BadDuration):
        read(changed(OURS, idleAfter="soon"))
