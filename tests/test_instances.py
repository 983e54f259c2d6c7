"""Which boards run: files that count only while the very process lives and the very session answers."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from http import server
from pathlib import Path

import board_process
import event_files
import pytest

from lightboard import instances


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    event_files.write(tmp_path / "logs" / "events.out.tfevents.1", [event_files.scalar_event("loss", 1.0, step=1)])
    return tmp_path / "logs"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()


def made(**changes: object) -> instances.Instance:
    whole = instances.Instance(
        pid=os.getpid(),
        process_start=instances.process_start(os.getpid()) or "",
        machine=instances.machine(),
        session="abcd",
        started=1.0,
        version="0",
        words=("--logdir", "logs"),
        directory="/somewhere",
        logdir="logs",
        scheme="http",
        host="127.0.0.1",
        port=9,
        path_prefix="",
        loopback=True,
        token="",
        any_host=False,
        frame_ancestors=(),
        notebook=False,
    )
    return whole._replace(**changes)  # type: ignore[arg-type]


def test_a_board_is_known_while_it_runs(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0") as board:
        board.wait_for_runs(".")
        (one,) = instances.known()
        assert one.url.split(":")[2] == board.url.split(":")[2]
        assert one.words == ("--logdir", str(logdir), "--port", "0")
        assert instances.answers(one)
        board.stop()
    assert instances.known() == []
    assert list(instances.directory().glob("*.json")) == []
    assert not instances.answers(one)


def test_a_killed_board_is_not_known_and_its_file_swept_away(logdir: Path) -> None:
    with board_process.Process("--logdir", logdir, "--port", "0") as board:
        board.wait_for_runs(".")
        (one,) = instances.known()
        board.stop(signal.SIGKILL)
    assert len(list(instances.directory().glob("*.json"))) == 1
    assert not instances.answers(one)
    assert instances.known() == []
    assert list(instances.directory().glob("*.json")) == []


def test_a_board_with_a_token_a_prefix_and_all_addresses_answers(logdir: Path) -> None:
    words = (
        "--logdir",
        logdir,
        "--port",
        "0",
        "--bind_all",
        "--path_prefix",
        "/a b",
        "--frame_ancestors",
        "https://x.y",
    )
    with board_process.Process(*words) as board:
        board_process.wait_until(instances.known, "the file")
        (one,) = instances.known()
        assert one.token and one.token in board.line
        assert not one.loopback and one.frame_ancestors == ("https://x.y",)
        assert instances.answers(one._replace(path_prefix="/a%20b"))


def test_files_are_for_the_user_alone() -> None:
    path = instances.register(made(token="secret"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_file_that_is_being_written_is_not_swept_away() -> None:
    """A notebook looks for its board again and again while the board registers itself."""
    *_, temporary = map(Path, instances.files_of(os.getpid()))
    temporary.write_text("{")
    assert instances.known() == []
    assert temporary.exists()


def test_another_process_with_the_same_number_is_not_the_board() -> None:
    path = instances.register(made(process_start="12345"))
    assert instances.known() == []
    assert not path.exists()


def test_a_zombie_is_gone() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert instances.process_start(child.pid) is None
    child.wait()


def test_files_of_other_machines_are_left_alone() -> None:
    path = instances.register(made(pid=1, machine="another", process_start="1"))
    assert instances.known() == []
    assert path.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"pid": 1}', "\0", '{"pid": "x", "words": 3}'])
def test_a_damaged_file_is_passed_over(text: str) -> None:
    living = instances.directory() / f"{os.getpid()}.json"
    dead = instances.directory() / "99999999.json"
    for path in (living, dead):
        path.write_text(text)
    assert instances.known() == []
    assert living.exists() and not dead.exists()  # a newer version of us may have written the first


class Stranger(server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = json.dumps({"session": "another"}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def stranger() -> Iterator[int]:
    with server.HTTPServer(("127.0.0.1", 0), Stranger) as made_server:
        thread = threading.Thread(target=made_server.serve_forever)
        thread.start()
        yield made_server.server_port
        made_server.shutdown()
        thread.join()


def test_another_program_on_the_port_is_not_the_board(stranger: int) -> None:
    assert not instances.answers(made(port=stranger))
    assert instances.answers(made(port=stranger, session="another"))


def test_a_directory_that_others_may_write_to_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "open" / "lightboard").mkdir(parents=True)
    (tmp_path / "open" / "lightboard").chmod(0o777)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "open"))
    with pytest.raises(PermissionError):
        instances.directory()
    assert instances.known() == []
    with instances.registered(made()):  # a board runs on
        pass


@pytest.mark.parametrize(
    "words",
    [
        ["logs"],
        ["--logdir", "logs"],
        ["--logdir=logs"],
        ["serve", "--logdir", "./logs/"],
        ["--logdir", "/home/me/logs", "--port", "7000"],
        ["--port=0", "--logdir", "../me/logs", "--frame-ancestors", "https://a.b"],
    ],
)
def test_the_same_board_in_other_words(words: list[str]) -> None:
    assert instances.identity(words, "/home/me") == instances.identity(["--logdir", "logs"], "/home/me")


@pytest.mark.parametrize(
    ("words", "directory"),
    [
        (["--logdir", "logs"], "/home/you"),
        (["--logdir", "logs", "--rewinds", "all"], "/home/me"),
        (["--logdir", "logs2"], "/home/me"),
        (["--logdir", "s3://logs"], "/home/me"),
        (["inspect", "logs"], "/home/me"),
        ([], "/home/me"),
    ],
)
def test_another_board(words: list[str], directory: str) -> None:
    assert instances.identity(words, directory) != instances.identity(["--logdir", "logs"], "/home/me")


def test_several_paths_in_one_flag_depend_on_the_directory() -> None:
    words = ["--logdir_spec", "a:x,b:y"]
    assert instances.identity(words, "/p") != instances.identity(words, "/q")
    assert instances.identity(words, "/p") == instances.identity(["--logdir-spec=a:x,b:y"], "/p")
