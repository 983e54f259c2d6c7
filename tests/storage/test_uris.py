"""The grammar of addresses. What a user sees of a wrong one is in `tests/cli/test_wrong_addresses.py`."""

from __future__ import annotations

import pytest

from lightboard import errors, storage
from lightboard.storage import uris

S = storage.Service


@pytest.mark.parametrize(
    ("text", "service", "place", "bucket", "key"),
    [
        ("runs", S.FILE, "", "", "runs"),
        ("/data/runs", S.FILE, "", "", "/data/runs"),
        ("file:///data/my%20runs", S.FILE, "", "", "/data/my runs"),
        ("file://localhost/data", S.FILE, "", "", "/data"),
        ("s3://b", S.S3, "s3://b", "b", ""),
        ("s3://b/", S.S3, "s3://b", "b", ""),
        ("  s3://b/a/b/ ", S.S3, "s3://b", "b", "a/b"),
        ("S3://B/A", S.S3, "S3://B", "B", "A"),
        ("s3a://b/x", S.S3, "s3a://b", "b", "x"),
        ("s3n://b/x", S.S3, "s3n://b", "b", "x"),
        ("s3://b/a b/100%/ü#?", S.S3, "s3://b", "b", "a b/100%/ü#?"),
        ("gs://b/x", S.GCS, "gs://b", "b", "x"),
        ("gcs://b/x", S.GCS, "gcs://b", "b", "x"),
        ("oss://b/x", S.OSS, "oss://b", "b", "x"),
        ("minio://b/x", S.MINIO, "minio://b", "b", "x"),
        ("az://c/x", S.AZURE, "az://c", "c", "x"),
        ("pvc://models/runs", S.CLAIM, "pvc://models", "models", "runs"),
        ("t9k://pvc/models/runs/a", S.CLAIM, "t9k://pvc/models", "models", "runs/a"),
        ("t9k://minio/team/b/runs", S.MINIO, "t9k://minio/team/b", "b", "runs"),
    ],
)
def test_addresses_are_understood(text: str, service: storage.Service, place: str, bucket: str, key: str) -> None:
    found = storage.parse(text)
    assert (found.service, found.place, found.bucket, found.key) == (service, place, bucket, key)


def test_the_address_of_a_location_is_parsed_to_the_same_location() -> None:
    for text in (
        "s3://team@b/x/y",
        "oss://b.oss-cn-hangzhou.aliyuncs.com/x",
        "minio://host:9000/b/x",
        "t9k://minio/s/b",
    ):
        found = storage.parse(text)
        assert storage.parse(found.address) == found


def test_a_secret_stands_before_the_bucket() -> None:
    assert storage.parse("s3://team@b/x").secret == "team"
    assert storage.parse("t9k://minio/team/b").secret == "team"
    assert storage.parse("s3://b/x@y").secret == ""


def test_endpoints_in_addresses() -> None:
    oss = storage.parse("oss://b.oss-cn-hangzhou.aliyuncs.com/x")
    assert (oss.bucket, oss.endpoint) == ("b", "https://oss-cn-hangzhou.aliyuncs.com")
    minio = storage.parse("minio://team@host:9000/b/x")
    assert (minio.bucket, minio.key, minio.secret, minio.endpoint) == ("b", "x", "team", "http://host:9000")
    azure = storage.parse("abfss://c@account.dfs.core.windows.net/x")
    assert (azure.bucket, azure.account, azure.key) == ("c", "account", "x")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("s3:b", "uri.slashes"), ("s3:/b", "uri.slashes"), ("ftp://x", "uri.scheme"), ("s3://", "uri.no_bucket"),
        ("s3://@b", "uri.name"), ("s3://a b", "uri.bucket"), ("s3://b/x//y", "uri.empty_part"),
        ("s3://b/x/../y", "uri.dots"), ("s3://k:s@b", "uri.credentials"), ("s3://k:s/l@sh@b", "uri.credentials"),
        ("file://host/x", "uri.file_host"), ("pvc://", "uri.no_claim"), ("t9k://minio/s", "uri.t9k"),
        ("abfss://c/x", "uri.azure_host"), ("http://", "uri.no_host"), ("http://h:x/", "uri.web"),
        ("http://h/?a", "uri.query"), ("https://b.s3.amazonaws.com/x", "uri.bucket_web"),
        ("s3://b/\x01", "uri.control"), ("http://u:p@h/x", "uri.web_credentials"),
        ("http://u@h/x", "uri.web_credentials"),
        ("az://c/x?sv=2022&sig=abc", "uri.signed"), ("s3://b/x?X-Amz-Signature=a", "uri.signed"),
        ("gs://b/x?alt=media&X-Goog-Signature=a", "uri.signed"), ("http://h/x?token=a", "uri.signed"),
    ],
)  # fmt: skip
def test_wrong_addresses_have_a_code_and_a_hint(text: str, code: str) -> None:
    with pytest.raises(errors.BadInput) as raised:
        storage.parse(text)
    assert raised.value.code == code
    assert raised.value.hint


def test_no_message_shows_a_password() -> None:
    for text in ("s3://key:hunter2@b/x", "s3://key:hun/ter2@b", "https://me:hunter2@h/x", "minio://k:hunter2@h:9000/b"):
        with pytest.raises(errors.BadInput) as raised:
            storage.parse(text)
        assert "ter2" not in raised.value.message + raised.value.hint


def test_no_message_shows_a_signature() -> None:
    for text in (
        "az://c/x?sv=2022&sig=hunter2",
        "azz://c/x?sig=hunter2",
        "s3:/b/x?X-Amz-Signature=hunter2",
        "az://c/a//b?sig=hunter2",
    ):
        with pytest.raises(errors.BadInput) as raised:
            storage.parse(text)
        assert "hunter2" not in raised.value.message + raised.value.hint


def test_a_question_mark_is_a_sign_of_patterns_and_keys() -> None:
    assert storage.parse("s3://b/run?/lr=0.1").key == "run?/lr=0.1"


def test_the_hint_for_a_web_server_names_no_bucket() -> None:
    with pytest.raises(errors.BadInput) as raised:
        storage.parse("http://user:hunter2@h/x")
    assert "bucket" not in raised.value.hint and "endpoint" in raised.value.hint


def test_a_path_is_no_address_of_elsewhere() -> None:
    for text in ("runs", "/s3/x", "./s3:x", "name:runs", "file:///x", "C:\\runs"):
        assert not uris.is_elsewhere(text)
    for text in ("s3://b", " s3:b", "S3:/b", "hdfs://x", "https://h/x"):
        assert uris.is_elsewhere(text)
