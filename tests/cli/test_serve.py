"""The real process: one line, answers, signals. What the answers say is the server's tests' business."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from pathlib import Path

import board_process
import event_files
import pytest

from lightboard import cli


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    path = tmp_path / "runs"
    events = [event_files.version_event(), *(event_files.scalar_event("loss", 1 / n, step=n) for n in range(1, 4))]
    (path / "train").mkdir(parents=True)
    event_files.write(path / "train" / "events.out.tfevents.1", events)
    return path


def test_a_board_starts_answers_and_stops(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0") as board:
        assert board.line == f"Lightboard 0.1.0 at http://localhost:{board.url.split(':')[2]} (Press CTRL+C to quit)"
        status, page = board.get("")
        assert status == 200
        assert b"<html" in page.lower()
        board.wait_for_runs("train")
        status, body = board.get("api/runs")
        assert status == 200
        assert json.loads(body)["name"] == ["train"]
        assert board.stop() == (0, "", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_it_cleanly_even_with_an_open_stream(logdir: Path, number: int) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0") as board:
        port = int(board.url.split(":")[2].strip("/"))
        stream = http.client.HTTPConnection("127.0.0.1", port, timeout=board_process.PATIENCE_SECS)
        stream.request("GET", "/api/events")
        assert stream.getresponse().status == 200
        assert board.stop(number) == (0, "", "")
        stream.close()


def test_a_bare_path_is_the_logdir_and_serve_is_a_verb(logdir: Path) -> None:
    with board_process.Process("serve", logdir, "--port", "0") as board:
        board.wait_for_runs("train")


def test_a_logdir_that_comes_later_is_waited_for(logdir: Path, tmp_path: Path) -> None:
    later = tmp_path / "later"
    with board_process.Process("--logdir", later, "--port=0", "--reload_interval=0.2") as board:
        assert board.runs() == []
        logdir.rename(later)
        board.wait_for_runs("train")
        _, _, err = board.stop()
        assert "waiting for it" in err


def test_a_named_spec(logdir: Path) -> None:
    with board_process.Process("--logdir_spec", f"mine:{logdir}", "--port", "0") as board:
        board.wait_for_runs("mine/train")


def test_a_path_prefix(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0", "--path_prefix", "/x/") as board:
        assert board.url.endswith("/x/")
        board.wait_for_runs("train")


def test_flags_without_effect_are_one_line_each(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0", "--load_fast=false", "--db", "x") as board:
        code, _, err = board.stop()
        assert code == 0
        assert [line.split()[:2] for line in err.splitlines()] == [["notice:", "`--load_fast`"], ["notice:", "`--db`"]]


def test_elsewhere_than_loopback_a_token_is_asked_for(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0", "--bind_all") as board:
        address, _, token = board.url.partition("?token=")
        assert len(token) == 32
        board.url = f"http://127.0.0.1:{address.split(':')[2]}"
        assert board.get("data/runs")[0] == 401
        assert board.get("data/runs", Authorization=f"Bearer {token}")[0] == 200


def test_no_auth_and_a_token_of_ones_own(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0", "--host", "0.0.0.0", "--no_auth") as board:
        assert "token" not in board.url
        board.url = f"http://127.0.0.1:{board.url.split(':')[2]}"
        assert board.get("data/runs")[0] == 200
    with board_process.Process("--logdir", logdir, "--port", "0", env={"LIGHTBOARD_TOKEN": "abc"}) as board:
        assert "abc" not in board.line
        assert board.get("data/runs")[0] == 401
        assert board.get("data/runs", Authorization="Bearer abc")[0] == 200


def test_a_unix_socket(logdir: Path, tmp_path: Path) -> None:
    path = tmp_path / "board.sock"
    with board_process.Process("--logdir", logdir, "--unix_socket", path) as board:
        assert f" at unix:{path} " in board.line
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(board_process.PATIENCE_SECS)
            client.connect(str(path))
            client.sendall(b"GET /data/runs HTTP/1.1\r\nHost: a.proxy.example\r\nConnection: close\r\n\r\n")
            assert client.recv(12) == b"HTTP/1.1 200"
        assert board.stop()[0] == 0
        assert not path.exists()


def test_tls(logdir: Path, tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    words += ["-keyout", str(key), "-out", str(certificate)]
    made = subprocess.run(words, capture_output=True, check=False)
    if made.returncode:
        pytest.skip("openssl is not here")
    with board_process.Process("--logdir", logdir, "--port", "0", "--tls_cert", certificate, "--tls_key", key) as board:
        assert board.url.startswith("https://localhost:")
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with urllib.request.urlopen(board.url + "data/runs", context=context, timeout=30) as answer:
            assert answer.status == 200
    bad = board_process.run("--logdir", logdir, "--port", "0", "--tls_cert", key)
    assert bad.returncode == cli.FAILED
    assert bad.stderr.startswith("error: the TLS certificate or key cannot be used")


def test_a_port_that_is_taken_is_one_line_and_exit_code_3(logdir: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = board_process.run("--logdir", logdir, "--port", str(port))
    assert done.returncode == cli.NO_ADDRESS
    assert done.stdout == ""
    assert done.stderr.splitlines()[0] == f"error: port {port} is taken"
    assert done.stderr.splitlines()[1].startswith("hint: ")
    assert len(done.stderr.splitlines()) == 2


def test_new_points_arrive_while_it_runs(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0", "--reload_interval", "0.2") as board:
        board.wait_for_runs("train")
        (logdir / "eval").mkdir()
        event_files.write(logdir / "eval" / "events.out.tfevents.2", [event_files.scalar_event("loss", 1.0, step=1)])
        board.wait_for_runs("train", "eval")


def test_starting_loads_no_click(logdir: Path) -> None:
    """What a board imports before its first page is most of what one waits for."""
    program = (
        "import sys, lightboard.board; from lightboard import store; from lightboard.server import app, serving; "
        "serving.server(app.create(store.Store())); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "uvicorn.server" in loaded
    assert loaded & {"click", "anyio", "multiprocessing", "pandas", "importlib.resources"} == set()
