"""Every kind of address with the credentials of the environment or of a named secret, on real servers."""

from __future__ import annotations

import contextlib
import pathlib

import pytest
from stores import azure, juice, logs_of, places, processes, seaweed

import lightboard
from lightboard import errors
from lightboard.reading import Logs

pytestmark = pytest.mark.object_store

STEPS = range(5)
POINTS = logs_of.expected(STEPS)


@pytest.fixture(scope="module", autouse=True)
def objects(seaweed_server: seaweed.Seaweed, juice_server: juice.Juice, azurite_server: azure.Azurite) -> None:
    """`team/<name>/tb` on each server, with the server's name as run."""
    content = logs_of.scalars(STEPS)
    for server, name in ((seaweed_server, "seaweed"), (juice_server, "juice"), (azurite_server, "azurite")):
        with contextlib.closing(server.client()) as client:
            for bucket in (places.BUCKET, places.PUBLIC):
                client.make_bucket(bucket)
                client.put(bucket, f"team/{name}/tb/{logs_of.NAME}", content)
                client.put(bucket, f"team/{name}/other/notes.txt", b"no logs")
                client.put(bucket, f"teamwork/{name}/{logs_of.NAME}", content)


def named(logs: Logs) -> list[str]:
    return [each.detail for each in (*logs._store.notices, *logs.faults)]


def test_s3_by_the_environment(seaweed_server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", seaweed.KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", seaweed.SECRET)
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3"):
        with monkeypatch.context() as patch:
            patch.setenv(name, seaweed_server.endpoint)
            with lightboard.open("s3://logs/team", index=False) as logs:
                assert logs_of.points(logs) == {"seaweed/tb": POINTS}


def test_s3_by_a_profile(
    seaweed_server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    (tmp_path / ".aws").mkdir()
    (tmp_path / ".aws/credentials").write_text(
        f"[work]\naws_access_key_id = {seaweed.KEY}\naws_secret_access_key = {seaweed.SECRET}\n"
    )
    (tmp_path / ".aws/config").write_text(f"[profile work]\nendpoint_url = {seaweed_server.endpoint}\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AWS_PROFILE", "work")
    with lightboard.open("s3://logs/team", index=False) as logs:
        assert logs_of.points(logs) == {"seaweed/tb": POINTS}


def test_oss_by_the_environment(seaweed_server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    """An IP address as endpoint means path style."""
    monkeypatch.setenv("OSS_ACCESS_KEY_ID", seaweed.KEY)
    monkeypatch.setenv("OSS_ACCESS_KEY_SECRET", seaweed.SECRET)
    monkeypatch.setenv("OSS_ENDPOINT", seaweed_server.endpoint)
    monkeypatch.setenv("OSS_REGION", "cn-hangzhou")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of another cloud")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "of another cloud")
    with lightboard.open("oss://logs/team", index=False) as logs:
        assert logs_of.points(logs) == {"seaweed/tb": POINTS}


def test_minio_by_the_environment(juice_server: juice.Juice, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINIO_ENDPOINT", juice_server.endpoint)
    monkeypatch.setenv("MINIO_ACCESS_KEY", juice.KEY)
    monkeypatch.setenv("MINIO_SECRET_KEY", juice.SECRET)
    with lightboard.open("minio://logs/team", index=False) as logs:
        assert logs_of.points(logs) == {"juice/tb": POINTS}


def test_gcs_without_an_account(seaweed_server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", seaweed_server.endpoint)
    with lightboard.open("gs://public/team", index=False) as logs:
        assert logs_of.points(logs) == {"seaweed/tb": POINTS}


@pytest.mark.parametrize("uri", ["az://logs/team", f"abfss://logs@{azure.ACCOUNT}.dfs.core.windows.net/team"])
def test_azure_by_the_environment(azurite_server: azure.Azurite, monkeypatch: pytest.MonkeyPatch, uri: str) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_NAME", azure.ACCOUNT)
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", azure.KEY)
    monkeypatch.setenv("AZURE_STORAGE_ENDPOINT", azurite_server.endpoint)
    with lightboard.open(uri, index=False) as logs:
        assert logs_of.points(logs) == {"azurite/tb": POINTS}


# ---- named secrets and claims


@pytest.fixture
def storage(
    seaweed_server: seaweed.Seaweed, juice_server: juice.Juice, azurite_server: azure.Azurite, tmp_path: pathlib.Path
) -> pathlib.Path:
    claim = tmp_path / "claim" / "sub" / "near"
    claim.mkdir(parents=True)
    (claim / logs_of.NAME).write_bytes(logs_of.scalars(STEPS))
    path = tmp_path / "storage.toml"
    path.write_text(
        f"""
        [claims]
        models = "{tmp_path / "claim"}"

        [secrets.weed]
        endpoint = "{seaweed_server.endpoint}"
        key = "{seaweed.KEY}"
        secret = "{seaweed.SECRET}"

        [secrets.reader]
        endpoint = "{seaweed_server.endpoint}"
        key = "{seaweed.READER_KEY}"
        secret = "{seaweed.READER_SECRET}"

        [secrets.wrong]
        endpoint = "{seaweed_server.endpoint}"
        key = "{seaweed.KEY}"
        secret = "not the secret"

        [secrets.unknown]
        endpoint = "{seaweed_server.endpoint}"
        key = "nobody's key"
        secret = "not the secret"

        [secrets.nobody]
        endpoint = "{seaweed_server.endpoint}"
        anonymous = true

        [secrets.juice]
        endpoint = "{juice_server.endpoint}"
        key = "{juice.KEY}"
        secret = "{juice.SECRET}"

        [secrets.azure]
        endpoint = "{azurite_server.endpoint}"
        account = "{azure.ACCOUNT}"
        key = "{azure.KEY}"

        [secrets.tls]
        endpoint = "{seaweed_server.endpoint.replace("http:", "https:")}"
        key = "{seaweed.KEY}"
        secret = "{seaweed.SECRET}"

        [secrets.closed]
        endpoint = "http://127.0.0.1:{processes.free_port()}"
        key = "{seaweed.KEY}"
        secret = "{seaweed.SECRET}"

        [limits]
        retries = 0
        timeout_secs = 5
        """
    )
    return path


@pytest.mark.parametrize(
    ("uri", "run"),
    [
        ("s3://weed@logs/team", "seaweed/tb"),
        ("s3://weed@logs/team/", "seaweed/tb"),
        ("s3://reader@logs/team", "seaweed/tb"),
        ("s3://nobody@public/team", "seaweed/tb"),
        ("oss://weed@logs/team", "seaweed/tb"),
        ("minio://juice@logs/team", "juice/tb"),
        ("t9k://minio/juice/logs/team", "juice/tb"),
        ("az://azure@logs/team", "azurite/tb"),
        ("pvc://models/sub", "near"),
        ("t9k://pvc/models/sub", "near"),
    ],
)
def test_a_named_secret_or_claim(storage: pathlib.Path, uri: str, run: str) -> None:
    with lightboard.open(uri, storage=storage, index=False) as logs:
        assert logs_of.points(logs) == {run: POINTS}
        assert named(logs) == []


def test_sources_with_different_keys_at_once(storage: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the environment are not mixed with those of secrets."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AZURE_STORAGE_ACCOUNT_KEY", "MINIO_ACCESS_KEY"):
        monkeypatch.setenv(name, "ZW5lbXk=")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "token of the environment")
    roots = {
        "one": "s3://weed@logs/team",
        "two": "s3://reader@logs/team",
        "three": "minio://juice@logs/team",
        "four": "az://azure@logs/team",
        "five": "pvc://models/sub",
    }
    with lightboard.open(roots, storage=storage, index=False) as logs:
        runs = {"one/seaweed/tb", "two/seaweed/tb", "three/juice/tb", "four/azurite/tb", "five/near"}
        assert logs_of.points(logs) == dict.fromkeys(runs, POINTS)
        assert named(logs) == []


def test_a_pattern_in_a_bucket(storage: pathlib.Path) -> None:
    with lightboard.open("s3://weed@logs/team/*/tb", storage=storage, index=False) as logs:
        assert list(logs_of.points(logs).values()) == [POINTS]


def test_a_prefix_ends_at_a_slash(storage: pathlib.Path) -> None:
    """`team` is not the beginning of `teamwork`."""
    with lightboard.open("s3://weed@logs/team", storage=storage, index=False) as logs:
        assert logs.runs == ["seaweed/tb"]


def test_one_event_file(storage: pathlib.Path) -> None:
    uri = f"s3://weed@logs/team/seaweed/tb/{logs_of.NAME}"
    with lightboard.open(uri, storage=storage, index=False) as logs:
        assert list(logs_of.points(logs).values()) == [POINTS]


# ---- what is wrong is said


@pytest.mark.parametrize(
    ("uri", "words"),
    [
        ("s3://wrong@logs/team", ("SignatureDoesNotMatch", "secret `wrong`")),
        ("s3://unknown@logs/team", ("InvalidAccessKeyId", "`unknown`")),
        ("s3://nobody@logs/team", ("AccessDenied",)),
        ("s3://reader@public/team", ("AccessDenied", "`reader`")),
        ("s3://weed@no-such-bucket/team", ("NoSuchBucket", "no-such-bucket")),
        ("az://azure@no-such-container/team", ("ContainerNotFound", "no-such-container")),
        ("s3://closed@logs/team", ("nothing answers", "127.0.0.1")),
        ("s3://tls@logs/team", ("https", "127.0.0.1")),
    ],
)
def test_a_wrong_address_or_key_is_named(storage: pathlib.Path, uri: str, words: tuple[str, ...]) -> None:
    with pytest.raises(errors.LightboardError) as caught:
        lightboard.open(uri, storage=storage, index=False)
    sentence = f"{caught.value.message}; {caught.value.hint}"
    assert [word for word in words if word not in sentence] == []
    for secret in (seaweed.KEY, seaweed.SECRET, azure.KEY, "not the secret"):
        assert secret not in sentence


@pytest.mark.parametrize("uri", ["s3://missing@logs/team", "pvc://missing/sub", "t9k://minio/missing/logs/team"])
def test_a_secret_or_claim_that_is_not_there(storage: pathlib.Path, uri: str) -> None:
    with pytest.raises(errors.LightboardError, match="missing"):
        lightboard.open(uri, storage=storage, index=False)


def test_the_settings_are_not_part_of_the_index(storage: pathlib.Path, tmp_path: pathlib.Path) -> None:
    index = tmp_path / "index"
    with lightboard.open("s3://weed@logs/team", storage=storage, index_dir=index) as logs:
        assert logs.runs == ["seaweed/tb"]
    written = b"".join(path.read_bytes() for path in index.rglob("*") if path.is_file())
    assert written
    assert seaweed.SECRET.encode() not in written and seaweed.KEY.encode() not in written
