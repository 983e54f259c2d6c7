"""Which credentials are found where, and that they are never mixed.

Environments and files are handed in; roles are asked of a server on this machine. Signed requests with them are
tested in `tests/stores`.
"""

from __future__ import annotations

import contextlib
import http.server
import json
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from lightboard import errors, storage
from lightboard.storage import credentials, settings

S3, OSS, MINIO = (storage.parse(f"{scheme}://b/x") for scheme in ("s3", "oss", "minio"))
QUIET = {"AWS_EC2_METADATA_DISABLED": "true", "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true"}
AWS = {"AWS_ACCESS_KEY_ID": "env-key", "AWS_SECRET_ACCESS_KEY": "env-secret"}
ROLE = {
    "AccessKeyId": "role-key", "SecretAccessKey": "role-secret", "Token": "role-token",
    "Expiration": "2030-01-02T03:04:05Z",
}  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {**QUIET, "HOME": str(tmp_path)}


def write(home: Mapping[str, str], name: str, content: str) -> None:
    path = Path(home["HOME"]) / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(content)


def key_of(found: credentials.Found) -> tuple[str, str]:
    given = found.provider() if found.provider else found.config
    return str(given["access_key_id"]), str(given["secret_access_key"])


# ---- S3


def test_variables_of_aws(home: dict[str, str]) -> None:
    found = credentials.find(S3, None, {**home, **AWS, "AWS_SESSION_TOKEN": "token"})
    assert key_of(found) == ("env-key", "env-secret")
    assert found.config["session_token"] == "token"
    assert (found.who.code, found.who.parameters) == ("storage.who.variable", {"name": "AWS_ACCESS_KEY_ID"})


def test_a_key_without_its_secret_is_not_used(home: dict[str, str]) -> None:
    found = credentials.find(S3, None, {**home, "AWS_ACCESS_KEY_ID": "alone"})
    assert found.anonymous and credentials.is_nobody(found.who)


def test_profiles(home: dict[str, str]) -> None:
    write(home, ".aws/credentials", "[default]\naws_access_key_id=d\naws_secret_access_key=ds\n"
          "[work]\naws_access_key_id=w\naws_secret_access_key=ws\n")  # fmt: skip
    write(home, ".aws/config", "[profile work]\nregion=eu-west-1\nendpoint_url=http://minio:9000\n")
    assert key_of(credentials.find(S3, None, home)) == ("d", "ds")
    work = credentials.find(S3, None, {**home, "AWS_PROFILE": "work"})
    assert (key_of(work), work.region, work.endpoint) == (("w", "ws"), "eu-west-1", "http://minio:9000")
    assert work.who.message == "profile `work` of ~/.aws"
    with pytest.raises(errors.BadInput) as raised:
        credentials.find(S3, None, {**home, "AWS_PROFILE": "play"})
    assert raised.value.code == "storage.no_profile"


def test_variables_win_over_a_profile_and_lend_it_nothing(home: dict[str, str]) -> None:
    write(home, ".aws/credentials", "[default]\naws_access_key_id=d\naws_secret_access_key=ds\naws_session_token=dt\n")
    found = credentials.find(S3, None, {**home, **AWS})
    assert key_of(found) == ("env-key", "env-secret")
    assert "session_token" not in found.config


def test_a_command_gives_credentials_again_and_again(home: dict[str, str], tmp_path: Path) -> None:
    counter = tmp_path / "count"
    program = tmp_path / "give.py"
    program.write_text(
        f"import json, pathlib\nfile = pathlib.Path({str(counter)!r})\nfile.open('a').write('x')\n"
        "n = len(file.read_text())\nprint(json.dumps({'AccessKeyId': f'key{n}', 'SecretAccessKey': 's'}))\n"
    )
    write(home, ".aws/config", f"[default]\ncredential_process = {sys.executable} {program}\n")
    found = credentials.find(S3, None, home)
    assert found.provider is not None
    assert [key_of(found)[0] for _ in range(2)] == ["key1", "key2"]


def test_roles_of_clusters_and_containers_are_left_to_obstore(home: dict[str, str]) -> None:
    web = {"AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "arn:role"}
    found = credentials.find(S3, None, {**home, **web})
    assert found.config == {"web_identity_token_file": "/token", "role_arn": "arn:role"}
    assert found.who.message == "role arn:role (web identity)"
    found = credentials.find(S3, None, {**home, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2/x"})
    assert found.config == {"container_credentials_relative_uri": "/v2/x"}


def test_the_role_of_a_machine(home: dict[str, str]) -> None:
    with metadata() as (url, asked):
        env = {"HOME": home["HOME"], "AWS_METADATA_ENDPOINT": url}
        found = credentials.find(S3, None, env)
        assert found.who.message == "role trainer of this machine"
        assert found.provider is not None
        given = found.provider()
        assert (given["access_key_id"], given["token"]) == ("role-key", "role-token")
        assert given["expires_at"].isoformat() == "2030-01-02T03:04:05+00:00"
    assert ("PUT", "/latest/api/token", "") in asked
    assert all(token == "metadata-token" for method, _, token in asked if method == "GET")


def test_a_machine_without_a_role_is_nobody(home: dict[str, str]) -> None:
    env = {"HOME": home["HOME"], "AWS_METADATA_ENDPOINT": "http://127.0.0.1:1"}
    assert credentials.find(S3, None, env).anonymous


def test_the_metadata_service_is_not_asked_if_it_is_switched_off(home: dict[str, str]) -> None:
    with metadata() as (url, asked):
        assert credentials.find(S3, None, {**home, "AWS_METADATA_ENDPOINT": url}).anonymous
    assert asked == []


@contextlib.contextmanager
def metadata() -> Iterator[tuple[str, list[tuple[str, str, str]]]]:
    """The metadata service of a machine with the role `trainer`; yields what it was asked: method, path, token."""
    asked: list[tuple[str, str, str]] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def _answer(self) -> None:
            asked.append((self.command, self.path, self.headers.get("X-aws-ec2-metadata-token", "")))
            names = {"/latest/api/token": "metadata-token", "/latest/meta-data/iam/security-credentials/": "trainer\n"}
            body = names.get(self.path, json.dumps(ROLE)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_PUT = _answer

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()


# ---- OSS, MinIO


@pytest.mark.parametrize(
    "names",
    [
        ("OSS_ACCESS_KEY_ID", "OSS_ACCESS_KEY_SECRET"),
        ("ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"),
        ("ALICLOUD_ACCESS_KEY", "ALICLOUD_SECRET_KEY"),
    ],
)
def test_variables_of_oss_are_not_those_of_aws(home: dict[str, str], names: tuple[str, str]) -> None:
    env = {**home, **AWS, names[0]: "oss-key", names[1]: "oss-secret"}
    assert key_of(credentials.find(OSS, None, env)) == ("oss-key", "oss-secret")
    assert key_of(credentials.find(S3, None, env)) == ("env-key", "env-secret")
    assert credentials.find(OSS, None, {**home, **AWS}).anonymous


def test_files_of_oss(home: dict[str, str]) -> None:
    write(home, ".alibabacloud/credentials", "[default]\naccess_key_id=a\naccess_key_secret=as\n")
    assert key_of(credentials.find(OSS, None, home)) == ("a", "as")
    write(
        home,
        ".ossutilconfig",
        "[Credentials]\naccessKeyID=u\naccessKeySecret=us\nendpoint=oss-cn-beijing.aliyuncs.com\n",
    )
    found = credentials.find(OSS, None, home)
    assert (key_of(found), found.endpoint) == (("u", "us"), "oss-cn-beijing.aliyuncs.com")


def test_minio_has_its_own_variables_and_else_those_of_aws(home: dict[str, str]) -> None:
    env = {**home, **AWS}
    assert key_of(credentials.find(MINIO, None, env)) == ("env-key", "env-secret")
    env |= {"MINIO_ROOT_USER": "root", "MINIO_ROOT_PASSWORD": "password"}
    assert key_of(credentials.find(MINIO, None, env)) == ("root", "password")
    env |= {"MINIO_ACCESS_KEY": "m", "MINIO_SECRET_KEY": "ms"}
    assert key_of(credentials.find(MINIO, None, env)) == ("m", "ms")


# ---- named secrets


def secret(**fields: str | bool) -> settings.Secret:
    return settings.Secret(name="team", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("location", [S3, OSS, MINIO])
def test_with_a_secret_nothing_of_the_environment_is_used(location: storage.Location, home: dict[str, str]) -> None:
    env = {**home, **AWS, "AWS_SESSION_TOKEN": "env-token", "AWS_PROFILE": "play", "OSS_ACCESS_KEY_ID": "o",
           "OSS_ACCESS_KEY_SECRET": "os", "MINIO_ACCESS_KEY": "m", "MINIO_SECRET_KEY": "ms"}  # fmt: skip
    found = credentials.find(location, secret(key="k", secret="s"), env)
    assert found.config == {"access_key_id": "k", "secret_access_key": "s"}
    assert found.who.message == "secret `team`"
    assert credentials.find(location, secret(anonymous=True), env).anonymous
    with pytest.raises(errors.BadInput) as raised:
        credentials.find(location, secret(endpoint="http://minio:9000"), env)
    assert raised.value.code == "storage.empty_secret"


def test_a_secret_may_name_a_profile(home: dict[str, str]) -> None:
    write(home, ".aws/credentials", "[work]\naws_access_key_id=w\naws_secret_access_key=ws\n")
    assert key_of(credentials.find(S3, secret(profile="work"), {**home, **AWS})) == ("w", "ws")


def test_nothing_that_is_printed_shows_a_key(home: dict[str, str]) -> None:
    for found in (
        credentials.find(S3, None, {**home, **AWS}),
        credentials.find(S3, secret(key="hunter2-key", secret="hunter2"), home),
    ):
        for word in ("env-secret", "env-key", "hunter2"):
            assert word not in repr(found)
