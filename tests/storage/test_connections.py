"""Requests as a store gets them: who signs, where they go; and what becomes of its refusals.

obstore sends real requests to a server of this machine that answers as told.
"""

from __future__ import annotations

import base64
import dataclasses
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lightboard import error_codes, errors, storage
from lightboard.storage import connections, faults, settings

pytest.importorskip("obstore")

QUIET = {"AWS_EC2_METADATA_DISABLED": "true", "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true"}
ENVIRONMENT_KEY = base64.b64encode(b"of the environment").decode()


@dataclasses.dataclass
class Told:
    """A server, what it answers next, and what it was asked."""

    url: str = ""
    status: int = 403
    body: str = ""
    asked: list[tuple[str, dict[str, str]]] = dataclasses.field(default_factory=list)


@pytest.fixture
def store() -> Iterator[Told]:
    told = Told()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            body = told.body.encode()
            self.send_response(told.status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        do_HEAD = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        told.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield told
        server.shutdown()
        thread.join()


def connected(address: str, *secrets: settings.Secret, **environment: str) -> connections.Connection:
    found = settings.Settings(
        secrets={each.name: each for each in secrets}, limits=settings.Limits(retries=0, timeout_secs=5)
    )
    return storage.Connections(found, {**QUIET, **environment}).of(storage.parse(address))


def refusal(connection: connections.Connection) -> faults.StorageError:
    with pytest.raises(faults.StorageError) as raised:
        list(connection.list("runs"))
    return raised.value


def team(store: Told, **fields: str | bool) -> settings.Secret:
    return settings.Secret(name="team", endpoint=store.url, **fields)  # type: ignore[arg-type]


def test_s3_signs_with_the_keys_of_the_secret_alone(store: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"AWS_ACCESS_KEY_ID": "ENVKEY", "AWS_SECRET_ACCESS_KEY": "x", "AWS_SESSION_TOKEN": "ENVTOKEN",
                        "AWS_REGION": "env-region-1", "AWS_ENDPOINT_URL": "http://127.0.0.1:1"}.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    error = refusal(connected("s3://team@b", team(store, key="TEAMKEY", secret="s"), AWS_ACCESS_KEY_ID="ENVKEY"))
    ((path, headers),) = store.asked
    assert path.startswith("/b?")
    assert "TEAMKEY" in headers["authorization"]
    assert "env-region-1" not in headers["authorization"]
    assert "ENVTOKEN" not in str(headers)
    assert error.explanation.code == "storage.denied"


def test_an_anonymous_secret_signs_nothing(store: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "ENVKEY")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", ENVIRONMENT_KEY)
    for address in ("s3://team@b", "gs://team@b", "az://team@b"):
        error = refusal(connected(address, team(store, anonymous=True, account="acc")))
        assert error.explanation.code == "storage.no_credentials"
    assert len(store.asked) == 3
    assert all("authorization" not in headers for _, headers in store.asked)


def test_azure_and_google_use_the_secret_and_not_the_environment(store: Told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_STORAGE_ACCOUNT_KEY", ENVIRONMENT_KEY)
    monkeypatch.setenv("AZURE_STORAGE_TOKEN", "environment-token")
    monkeypatch.setenv("GOOGLE_SKIP_SIGNATURE", "true")
    refusal(connected("az://team@c", team(store, account="acc", token="?sv=1&sig=of-the-secret")))
    refusal(connected("gs://team@b", team(store, token="of-the-secret")))
    (azure, azure_headers), (_, google) = store.asked
    assert "sig=of-the-secret" in azure and "authorization" not in azure_headers
    assert google["authorization"] == "Bearer of-the-secret"


@pytest.mark.parametrize("variable", ["", "GOOGLE_SERVICE_ACCOUNT", "GOOGLE_SERVICE_ACCOUNT_KEY"])
@pytest.mark.parametrize("inline", [False, True])
def test_a_service_account_of_the_secret_wins_over_that_of_the_environment(
    store: Told, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, inline: bool
) -> None:
    own, other = service_account(tmp_path, "secret@x"), service_account(tmp_path, "environment@x")
    if variable:
        monkeypatch.setenv(variable, other.read_text() if variable.endswith("KEY") else str(other))
    fields = {"credentials": own.read_text()} if inline else {"credentials_file": str(own)}
    found = team(store, **fields)
    if inline and variable == "GOOGLE_SERVICE_ACCOUNT":
        with pytest.raises(errors.BadInput, match="GOOGLE_SERVICE_ACCOUNT is set"):
            connected("gs://team@b", found, **{variable: str(other)})
        return
    refusal(connected("gs://team@b", found, **({variable: "x"} if variable else {})))
    payload = store.asked[-1][1]["authorization"].split(".")[1]
    assert json.loads(base64.urlsafe_b64decode(payload + "=="))["iss"] == "secret@x"


def service_account(folder: Path, name: str) -> Path:
    serialization = pytest.importorskip("cryptography.hazmat.primitives.serialization")
    rsa = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.rsa")
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()
    file = folder / f"{name}.json"
    file.write_text(
        json.dumps({"type": "service_account", "private_key": pem, "client_email": name, "private_key_id": "1"})
    )
    return file


# ---- what stores answer

XML = '<?xml version="1.0"?><Error><Code>{code}</Code><Message>no</Message><RequestId>REQ-17</RequestId></Error>'


@pytest.mark.parametrize(
    ("status", "answer", "code"),
    [
        (404, "NoSuchBucket", "no_bucket"), (403, "AccessDenied", "denied"), (403, "InvalidAccessKeyId", "wrong_key"),
        (403, "SignatureDoesNotMatch", "wrong_secret"), (400, "ExpiredToken", "expired"),
        (403, "RequestTimeTooSkewed", "clock"), (400, "AuthorizationHeaderMalformed", "region"),
        (503, "SlowDown", "slow_down"), (500, "InternalError", "server"), (403, "SecondLevelDomainForbidden", "style"),
        (403, "", "denied"), (404, "", "no_bucket"), (429, "", "slow_down"), (500, "", "server"), (502, "", "server"),
        (418, "Teapot", "other"), (400, "The plain HTTP request was sent to an HTTPS port", "needs_tls"),
    ],
)  # fmt: skip
def test_an_answer_becomes_a_code_with_the_request_id(store: Told, status: int, answer: str, code: str) -> None:
    store.status = status
    store.body = answer if " " in answer else XML.format(code=answer) if answer else ""
    explained = refusal(connected("s3://team@b", team(store, key="k", secret="s"))).explanation
    assert explained.code == f"storage.{code}"
    assert explained.hint
    named = answer and " " not in answer
    assert explained.parameters["answer"] == (f"{answer}, request REQ-17" if named else "")
    assert ("REQ-17" in explained.message) == bool(named)
    assert set(error_codes.CODES[explained.code]) | set(error_codes.REQUEST) <= set(explained.parameters)
    assert explained.parameters["who"].message == "secret `team`"


@pytest.mark.parametrize("body", ["<ListBucketResult><Name>b</Name><Conten", "{}"])
def test_a_listing_that_is_cut_off_is_called_so(store: Told, body: str) -> None:
    store.status, store.body = 200, body
    error = refusal(connected("s3://team@b", team(store, key="k", secret="s")))
    assert (error.explanation.code, error.passing) == ("storage.bad_listing", True)
    assert "unknown" not in error.explanation.message


def test_the_region_is_named_if_the_store_does(store: Told) -> None:
    store.status = 400
    store.body = XML.format(code="AuthorizationHeaderMalformed").replace(
        "<RequestId", "<Region>eu-west-1</Region><RequestId"
    )
    explained = refusal(connected("s3://team@b", team(store, key="k", secret="s"))).explanation
    assert (explained.code, explained.parameters["region"]) == ("storage.named_region", "eu-west-1")
    assert "AWS_REGION=eu-west-1" in explained.hint


def test_an_absent_object_is_a_file_that_is_not_found(store: Told) -> None:
    store.status, store.body = 404, XML.format(code="NoSuchKey")
    with pytest.raises(FileNotFoundError) as raised:
        connected("s3://team@b", team(store, key="k", secret="s")).get("runs/x")
    assert isinstance(raised.value, faults.Absent)


def test_no_refusal_shows_a_key_or_a_signed_address(store: Told) -> None:
    store.body = XML.format(code="AccessDenied")
    for address, fields in (
        ("s3://team@b", {"key": "TEAMKEY", "secret": "hunter2", "token": "hunter2-token"}),
        ("az://team@c", {"account": "acc", "token": "sv=1&sig=hunter2"}),
        ("gs://team@b", {"token": "hunter2"}),
    ):
        error = refusal(connected(address, team(store, **fields)))
        assert "hunter2" not in str(error) + repr(error.explanation)
        assert "TEAMKEY" not in str(error) + repr(error.explanation)


def test_settings_that_make_no_connection_are_named(store: Told) -> None:
    with pytest.raises(errors.BadInput) as raised:
        connected("az://c")
    assert raised.value.code == "storage.no_account"


def test_a_key_of_azure_that_is_no_key(store: Told) -> None:
    error = refusal(connected("az://team@c", team(store, account="acc", key="hunter2 is not base64!")))
    assert error.explanation.code == "storage.role"
    assert "hunter2" not in str(error)


def test_a_forked_process_is_refused_and_does_not_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "IMPORTED_IN", 1)
    with pytest.raises(errors.BadInput, match="forked"):
        storage.Connections(environment={}).of(storage.parse("s3://bucket/runs"))
