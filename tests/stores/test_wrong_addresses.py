"""What a user can get wrong that only a store knows, and what looks wrong but works.

Each is said in one line by `inspect` (which exits with 1), by the board (once, however often it tries again) and on
the page. Addresses that are refused without a store are in `tests/cli/test_wrong_addresses.py`.
"""

from __future__ import annotations

import contextlib
import json
import pathlib
import ssl
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import board_process
import pytest
from stores import injected, logs_of, places, processes, proxy, seaweed, web_server

import lightboard
from lightboard import cli, errors

pytestmark = pytest.mark.object_store

STEPS = range(5)
RUN = f"wrong/good/{logs_of.NAME}"


@pytest.fixture(scope="module", autouse=True)
def objects(seaweed_server: seaweed.Seaweed) -> None:
    with contextlib.closing(seaweed_server.client()) as client:
        client.make_bucket(places.BUCKET)
        client.make_bucket("hollow")
        client.make_bucket("private")
        client.put(places.BUCKET, RUN, logs_of.scalars(STEPS))
        client.put(places.BUCKET, "wrong/notes/readme.txt", b"no logs")
        client.put(places.BUCKET, "wrong/notes/todo.txt", b"no logs either")


def environment(server: seaweed.Seaweed, **changes: str) -> dict[str, str]:
    mine = {
        "AWS_ACCESS_KEY_ID": seaweed.KEY,
        "AWS_SECRET_ACCESS_KEY": seaweed.SECRET,
        "AWS_ENDPOINT_URL": server.endpoint,
    }
    return {**mine, **changes}


# ---- what works

WORKS = (
    "s3://logs/wrong/good", "s3://logs/wrong/good/", "s3://logs/wrong/good//", "  s3://logs/wrong/good  ",
    "S3://logs/wrong/good", "s3a://logs/wrong/good", "s3n://logs/wrong/good", "s3://logs//wrong/good",
    "s3://logs/wrong/goo*", "s3://logs/wrong/*/", f"s3://logs/{RUN}",
)  # fmt: skip


@pytest.mark.parametrize("address", WORKS)
def test_what_looks_odd_works(
    address: str, seaweed_server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environment(seaweed_server).items():
        monkeypatch.setenv(name, value)
    assert cli.main(["inspect", "--logdir", address, "--no_index", "--json"]) == cli.OK
    found = json.loads(capsys.readouterr().out)
    assert [tag["points"] for run in found["runs"] for tag in run["tags"]] == [len(STEPS)]
    assert found["problems"] == []


def test_a_bucket_without_a_path_is_read_whole(
    seaweed_server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment(seaweed_server).items():
        monkeypatch.setenv(name, value)
    for address in ("s3://logs", "s3://logs/"):
        with lightboard.open(address, index=False) as logs:
            assert "wrong/good" in logs.runs


# ---- what does not

# address, changes of the environment → code, part of the message, part of the hint
WRONG: dict[str, tuple[str, dict[str, str], str, str, str]] = {
    "missing bucket": ("s3://nowhere/runs", {}, "storage.no_bucket", "`nowhere` does not exist", "check its name"),
    "wrong key": (
        "s3://logs/wrong", {"AWS_ACCESS_KEY_ID": "NOBODY"},
        "storage.wrong_key", "does not know this key: AWS_ACCESS_KEY_ID of the environment", "check the key",
    ),
    "wrong secret": (
        "s3://logs/wrong", {"AWS_SECRET_ACCESS_KEY": "hunter2-not-it"},
        "storage.wrong_secret", "the secret does not belong to the key", "cut off",
    ),
    "no credentials": (
        "s3://logs/wrong", {"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": ""},
        "storage.no_credentials", "no credentials were found", "scheme://SECRET@bucket",
    ),
    "another one's bucket": (
        "s3://private/runs", {"AWS_ACCESS_KEY_ID": seaweed.READER_KEY, "AWS_SECRET_ACCESS_KEY": seaweed.READER_SECRET},
        "storage.denied", "permission to list objects is denied", "the permissions to list the bucket",
    ),
    "https for http": (
        "s3://logs/wrong", {"AWS_ENDPOINT_URL": "https"}, "storage.not_tls", "does not speak https", "write http://",
    ),
    "an empty bucket": ("s3://hollow", {}, "root.nothing", "nothing is stored there yet", "check bucket and path"),
    "a path that does not exist": ("s3://logs/Wrong", {}, "root.nothing", "nothing is stored there yet", "case"),
    "a path without event files": (
        "s3://logs/wrong/notes", {}, "root.no_events", "2 objects are stored there, none of them an event file",
        "`tfevents`",
    ),
    "a single object": (
        "s3://logs/wrong/notes/todo.txt", {}, "root.an_object", "a single object and not an event file", "tfevents",
    ),
    "a pattern without a match": (
        "s3://logs/wrong/x*", {}, "root.no_match", "nothing matches this pattern", "before the first `*`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_the_cause_and_the_remedy_are_said_by_the_command_the_board_and_the_page(
    name: str, seaweed_server: seaweed.Seaweed
) -> None:
    address, changes, code, message, hint = WRONG[name]
    env = environment(seaweed_server, **changes)
    if env["AWS_ENDPOINT_URL"] == "https":
        env["AWS_ENDPOINT_URL"] = seaweed_server.endpoint.replace("http://", "https://")
    done = board_process.run("inspect", "--logdir", address, "--no_index", env=env)
    failed = code != "root.no_events"
    assert done.returncode == (cli.FAILED if failed else cli.OK)
    first, second = done.stderr.splitlines()
    assert first.startswith("error: " if failed else "notice: ") and message in first and address in first
    assert second.startswith("hint: ") and hint in second
    with board(address, env) as started:
        place = until_placed(started)
        notices = json.loads(started.get("api/health")[1])["notices"]
        _, _, err = started.stop()
    because = place["parameters"]["because"] if place["problem"] == "unreadable" else place
    assert because["code"] == code
    told = [each for each in notices if each["code"] in ("logdir.storage", "logdir.empty")]
    assert len(told) == 1 and message in told[0]["message"] and told[0]["parameters"]["path"] == address
    assert told[0]["parameters"]["because"]["code"] == code
    lines = [line for line in err.splitlines() if line.startswith("notice: ")]
    assert len(lines) == 1 and message in lines[0] and hint in lines[0] and address in lines[0]
    for secret in (seaweed.SECRET, seaweed.READER_SECRET, changes.get("AWS_SECRET_ACCESS_KEY")):
        assert not secret or secret not in done.stdout + done.stderr + err + json.dumps([place, notices])


@contextlib.contextmanager
def board(address: str, env: dict[str, str], *words: str | pathlib.Path) -> Iterator[board_process.Process]:
    usual = ("--logdir", address, "--port", "0", "--no_index", "--reload_interval", "0.1")
    with board_process.Process(*usual, *words, env=env) as started:
        yield started


def places_of(started: board_process.Process) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(started.get("api/board")[1])["places"]
    return found


def until_placed(started: board_process.Process) -> dict[str, Any]:
    processes.until(lambda: places_of(started)[0]["problem"], what="a problem of the source")
    return places_of(started)[0]


def test_a_store_says_who_asked_and_its_own_code_and_request_id(
    seaweed_server: seaweed.Seaweed, tmp_path: pathlib.Path
) -> None:
    storage = places.settings(
        tmp_path, endpoint=seaweed_server.endpoint, key=seaweed.READER_KEY, secret=seaweed.READER_SECRET
    )
    done = board_process.run("inspect", "s3://store@private", "--storage", storage, "--json", "--no_index")
    (problem,) = json.loads(done.stdout)["problems"]
    assert problem["who"] == "secret `store`"
    assert problem["action"] == "list objects"
    assert problem["where"] == seaweed_server.endpoint
    assert problem["answer"].startswith("AccessDenied, request ")


def test_http_for_https_and_a_certificate_that_nobody_knows(tmp_path: pathlib.Path) -> None:
    with tls_server(tmp_path) as port:
        env = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
        plain = {**env, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}
        done = board_process.run("inspect", "s3://logs", "--no_index", env=plain)
        assert done.returncode == cli.FAILED
        assert len(done.stderr.splitlines()) == 2
        signed = {**env, "AWS_ENDPOINT_URL": f"https://127.0.0.1:{port}"}
        done = board_process.run("inspect", "s3://logs", "--no_index", env=signed)
        assert "is not trusted" in done.stderr
        assert "SSL_CERT_FILE" in done.stderr


@contextlib.contextmanager
def tls_server(directory: pathlib.Path) -> Iterator[int]:
    """Speaks TLS with a certificate of its own, and says nothing."""
    import socket

    key, certificate = directory / "key.pem", directory / "cert.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", str(key), "-out", str(certificate),
         "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
        check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                with contextlib.suppress(OSError):
                    connection, _ = listener.accept()
                    with contextlib.closing(connection), contextlib.suppress(OSError):
                        context.wrap_socket(connection, server_side=True).close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield listener.getsockname()[1]
        finally:
            ended.set()
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()


def test_the_region_that_the_store_names_is_the_remedy(between: proxy.Proxy, tmp_path: pathlib.Path) -> None:
    between.plan = injected.Always(injected.WRONG_REGION)
    storage = places.s3_settings(tmp_path, between.endpoint, retries=0)
    done = board_process.run("inspect", "s3://store@logs/wrong", "--storage", storage, "--no_index")
    error, hint = done.stderr.splitlines()
    assert "the bucket `logs` is in another region" in error
    assert "eu-west-1" in hint


def test_an_answer_that_is_not_http(between: proxy.Proxy, tmp_path: pathlib.Path) -> None:
    between.plan = injected.Always(injected.TLS)
    storage = places.s3_settings(tmp_path, between.endpoint, retries=0)
    done = board_process.run("inspect", "s3://store@logs/wrong", "--storage", storage, "--no_index")
    error, hint = done.stderr.splitlines()
    assert f"the answer of {between.endpoint} is not HTTP" in error
    assert "write https://" in hint


def test_objects_that_may_be_listed_but_not_read(between: proxy.Proxy, tmp_path: pathlib.Path) -> None:
    between.plan = injected.Always(injected.ACCESS_DENIED, kinds=("GET",))
    storage = places.s3_settings(tmp_path, between.endpoint, retries=0)
    address = "s3://store@logs/wrong/good"
    done = board_process.run("inspect", address, "--storage", storage, "--no_index")
    assert done.returncode == cli.FAILED
    assert "1 object cannot be read: permission to read an object is denied to secret `store`" in done.stderr
    with pytest.raises(errors.Unreadable, match="permission to read an object is denied"):
        lightboard.open(address, storage=storage, index=False)
    with board(address, {}, "--storage", storage) as started:
        processes.until(lambda: places_of(started)[0]["code"] == "logdir.objects", what="the refused object")
        between.plan = injected.Pass()
        started.wait_for_points(".", "loss", len(STEPS))
        processes.until(lambda: places_of(started)[0]["problem"] is None, what="the end of the problem")


def test_a_web_server_without_listings(tmp_path: pathlib.Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / logs_of.NAME).write_bytes(logs_of.scalars(STEPS))
    with web_server.running(tmp_path, "none") as url:
        done = board_process.run("inspect", f"{url}/runs", "--no_index")
    assert done.returncode == cli.FAILED
    error, hint = done.stderr.splitlines()
    assert error.startswith("error: ") and f"{url}/runs" in error
    assert hint.startswith("hint: ")


def test_the_other_sources_are_read_and_named(
    seaweed_server: seaweed.Seaweed, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = environment(seaweed_server)
    spec = "a:s3://nowhere/runs,b:s3://logs/wrong/good"
    done = board_process.run("inspect", "--logdir_spec", spec, "--no_index", env=env)
    assert done.returncode == cli.FAILED
    assert "1 run, 1 series" in done.stdout
    assert "does not exist" in done.stderr
    done = board_process.run("export", "--logdir_spec", spec, "--no_index", env=env)
    assert done.returncode == cli.FAILED
    assert len(done.stdout.splitlines()) == 1 + len(STEPS)
    assert "does not exist" in done.stderr
    page = tmp_path / "board.html"
    done = board_process.run("snapshot", "--logdir_spec", spec, "--no_index", "-o", page, env=env)
    assert done.returncode == cli.FAILED
    assert page.stat().st_size > 0
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    with lightboard.open({"a": "s3://nowhere/runs", "b": "s3://logs/wrong/good"}, index=False) as logs:
        assert logs.runs == ["b"]
        (problem,) = logs.problems
        assert (problem.source, problem.code) == ("s3://nowhere/runs", "storage.no_bucket")
    with pytest.raises(errors.NotFound) as raised:
        lightboard.open("s3://nowhere/runs", index=False)
    assert raised.value.code == "storage.no_bucket"


def test_a_board_goes_on_when_the_store_comes_back(tmp_path: pathlib.Path) -> None:
    address = "s3://store@logs/wrong/good"
    with seaweed.running(tmp_path / "server") as server:
        assert server is not None
        with contextlib.closing(server.client()) as client:
            client.make_bucket(places.BUCKET)
            client.put(places.BUCKET, RUN, logs_of.scalars(STEPS))
        storage = places.s3_settings(tmp_path, server.endpoint, retries=0)
        server.stop()
        lines = _notices_over_a_restart(address, storage, server)
    assert len(lines) == 2, lines
    assert "nothing answers" in lines[0]
    assert lines[1] == f"notice: the logs can be read again: {address}"


def _notices_over_a_restart(address: str, storage: pathlib.Path, server: seaweed.Seaweed) -> list[str]:
    with board(address, {}, "--storage", storage) as started:
        processes.until(lambda: places_of(started)[0]["problem"], what="the stopped store")
        assert places_of(started)[0]["parameters"]["because"]["code"] == "storage.refused"
        server.start()
        started.wait_for_points(".", "loss", len(STEPS))
        processes.until(lambda: places_of(started)[0]["problem"] is None, what="the end of the problem")
        _, _, err = started.stop()
    return [line for line in err.splitlines() if line.startswith("notice: ")]


# ---- doctor


def findings(
    *words: str | pathlib.Path, env: dict[str, str] | None = None
) -> tuple[int, dict[str, dict[str, str]], str]:
    done = board_process.run("doctor", "--json", "--no_index", *words, env=env)
    found = {each["check"]: each for each in json.loads(done.stdout) if each["source"]}
    return done.returncode, found, done.stdout + done.stderr


STEPS_OF_DOCTOR = ["address", "credentials", "reach", "sign", "list", "read", "range"]


def test_doctor_tries_every_step(seaweed_server: seaweed.Seaweed) -> None:
    code, found, _ = findings("s3://logs/wrong/good", env=environment(seaweed_server))
    assert code == cli.OK
    assert list(found) == STEPS_OF_DOCTOR
    assert all(each["state"] == "ok" for each in found.values())
    assert "bucket `logs`, path `wrong/good`" in found["address"]["detail"]
    assert found["credentials"]["detail"] == "AWS_ACCESS_KEY_ID of the environment"
    assert "1 objects on the first page, 1 of them event files" in found["list"]["detail"]


@pytest.mark.parametrize(
    ("changes", "step"),
    [
        ({"AWS_ENDPOINT_URL": "http://127.0.0.1:1"}, "reach"),
        ({"AWS_ENDPOINT_URL": "http://nowhere.invalid"}, "reach"),
        ({"AWS_ACCESS_KEY_ID": "NOBODY"}, "sign"),
        ({"AWS_SECRET_ACCESS_KEY": "hunter2-not-it"}, "sign"),
        ({"AWS_PROFILE": "nobody", "AWS_ACCESS_KEY_ID": ""}, "credentials"),
    ],
)
def test_doctor_names_the_step_that_fails(seaweed_server: seaweed.Seaweed, changes: dict[str, str], step: str) -> None:
    code, found, output = findings("s3://logs/wrong/good", env=environment(seaweed_server, **changes))
    assert code == cli.FAILED
    assert list(found)[-1] == step
    assert [name for name, each in found.items() if each["state"] == "problem"] == [step]
    assert found[step]["hint"]
    assert seaweed.SECRET not in output
    assert "hunter2-not-it" not in output


def test_doctor_of_a_missing_bucket_and_of_one_without_event_files(seaweed_server: seaweed.Seaweed) -> None:
    code, found, _ = findings("s3://nowhere", env=environment(seaweed_server))
    assert (code, found["list"]["state"]) == (cli.FAILED, "problem")
    code, found, _ = findings("s3://logs/wrong/notes", env=environment(seaweed_server))
    assert (code, found["read"]["state"]) == (cli.OK, "note")
    code, found, _ = findings("s3:/logs")
    assert (code, found["address"]["state"]) == (cli.FAILED, "problem")


def test_no_output_shows_a_key(seaweed_server: seaweed.Seaweed, tmp_path: pathlib.Path) -> None:
    storage = places.s3_settings(tmp_path, seaweed_server.endpoint)
    env = environment(seaweed_server, AWS_SECRET_ACCESS_KEY="hunter2-of-the-environment")
    for address in (
        "s3://store@logs/wrong",
        "s3://logs/wrong",
        "s3://store@nowhere",
        "s3://key:hunter2-in-the-address@logs",
    ):
        for verb in ("doctor", "inspect", "export"):
            done = board_process.run(verb, address, "--storage", storage, "--no_index", env=env)
            for secret in (seaweed.SECRET, "hunter2"):
                assert secret not in done.stdout + done.stderr
