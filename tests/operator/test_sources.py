"""Claims and secrets that sources name, without a cluster."""

from __future__ import annotations

from typing import Any

import pytest
from operator_documents import CLAIM, definition, secret

from lightboard.operator import kinds, objects, sources
from lightboard.operator.options import Options
from lightboard.storage import settings

S3 = {"s3": {"uri": "s3://bucket/logs", "secretRef": {"name": "team"}}}


def _resolved(*wanted: dict[str, Any], **secrets: Any) -> sources.Resolved:
    made = definition(sources=list(wanted))
    return sources.resolve(made, {"logs": CLAIM}, secrets)


@pytest.mark.parametrize(
    "members",
    [
        {"accessKey": "a", "secretKey": "b", "endpoint": "http://minio:9000"},
        {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_ENDPOINT_URL": "http://minio:9000"},
        {"username": "a", "password": "b", "address": "minio:9000"},
        {"MINIO_ROOT_USER": "a", "MINIO_ROOT_PASSWORD": "b", "MINIO_ENDPOINT": "minio:9000"},
    ],
)
def test_members_of_a_secret_are_known_by_the_names_that_people_use(members: dict[str, str]) -> None:
    made = _resolved(S3, team=secret(**members))
    assert made.complete
    assert sorted(made.secrets["team"].members.values()) == ["endpoint", "key", "secret"]
    assert made.addresses == ("s3://team@bucket/logs",)


def test_an_exact_name_wins_over_another() -> None:
    made = _resolved(S3, team=secret(username="web", accessKey="a", password="web", secretKey="b"))
    assert made.secrets["team"].members == {"accessKey": "key", "secretKey": "secret"}


@pytest.mark.parametrize(
    ("wanted", "secrets", "reason"),
    [
        (S3, {}, "SecretNotFound"),
        (S3, {"team": secret(accessKey="a")}, "SecretKeyMissing"),
        (S3, {"team": secret(accessKey="a", secretKey=" ")}, "SecretKeyMissing"),
        (S3, {"team": secret(accessKey="a", secretKey="b\nc")}, "SecretUnfit"),
        ({"pvc": {"claimName": "other"}}, {}, "PvcNotFound"),
        ({"uri": "hdfs://name/x"}, {}, "UnsupportedScheme"),
        ({"uri": "s3://bucket/a,b"}, {}, "InvalidUri"),
    ],
)
def test_what_is_missing_has_a_reason(wanted: dict[str, Any], secrets: dict[str, Any], reason: str) -> None:
    made = _resolved(wanted, **secrets)
    assert not made.complete
    assert made.findings[0].reason == reason


def test_a_path_without_a_claim_is_refused_with_what_to_write() -> None:
    document = {
        "metadata": {"name": "one", "namespace": "team", "uid": "u"},
        "apiVersion": kinds.KUBEFLOW.api_version, "kind": "Tensorboard", "spec": {"logspath": "/logs"},
    }  # fmt: skip
    made = sources.resolve(kinds.read(kinds.KUBEFLOW, document), {}, {})
    assert made.findings[0].reason == "InvalidUri"
    assert "pvc://CLAIM/path" in made.findings[0].message


def test_two_endpoints_with_one_secret_are_two_entries() -> None:
    first = {"s3": {**S3["s3"], "endpoint": "http://one:9000"}}
    second = {"s3": {**S3["s3"], "endpoint": "http://two:9000"}}
    made = _resolved(first, second, team=secret(accessKey="a", secretKey="b"))
    assert made.addresses == ("s3://team@bucket/logs", "s3://team-2@bucket/logs")


def test_the_storage_file_is_what_boards_read(tmp_path: Any) -> None:
    made = _resolved(
        {"pvc": {"claimName": "logs"}}, S3, team=secret(accessKey="a", secretKey="b", address="minio:9000")
    )
    text = objects.storage_text(made, Options(allow_networks=("10.0.0.0/8",)))
    assert "a" not in {line.strip() for line in text.splitlines()}
    file = tmp_path / "storage.toml"
    file.write_text(text)
    folder = tmp_path / "secrets" / "team"
    folder.mkdir(parents=True)
    for member, value in (("key", "a\n"), ("secret", "b"), ("endpoint", "minio:9000")):
        (folder / member).write_text(value)
    read = settings.load(str(file))
    assert read.claims == {"logs": "/mnt/claims/logs"}
    assert read.secrets["team"] == settings.Secret(name="team", key="a", secret="b", endpoint="http://minio:9000")
    assert read.networks is not None


def test_a_rotated_secret_is_another_template_and_a_node_preference_is_not() -> None:
    made = definition(sources=[S3])
    before, after = secret(accessKey="a", secretKey="b"), secret(accessKey="a", secretKey="c")
    after["metadata"]["resourceVersion"] = "8"
    templates = [
        objects.template(made, sources.resolve(made, {}, {"team": each}), Options()) for each in (before, before, after)
    ]
    digests = [each["metadata"]["labels"]["lightboard.dev/template"] for each in templates]
    assert digests[0] == digests[1] != digests[2]
    wanted = objects.deployment(made, templates[0], replicas=1, alone=False)
    near = objects.near(wanted, ["node-1"])
    assert near["metadata"]["annotations"] == wanted["metadata"]["annotations"]
    assert "affinity" in near["spec"]["template"]["spec"]
    assert "affinity" not in wanted["spec"]["template"]["spec"]


def test_long_names_and_names_with_dots_make_names_of_services() -> None:
    names = [kinds.object_name(kinds.BOARD, each) for each in ("a.b", "a-b", "x" * 250, f"{'x' * 249}y")]
    assert len(set(names)) == 4
    assert all(len(each) <= 63 and "." not in each for each in names)
