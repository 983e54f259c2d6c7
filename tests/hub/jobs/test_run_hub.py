"""`lightboard run` with a real hub: boards, stops, kills, limits, a hub that is away."""

from __future__ import annotations

import os
import pathlib
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hub import hubs
from hub.jobs import runs

WRITE = (
    "import time, lightboard\nwriter = lightboard.SummaryWriter()\nwriter.add_scalar('loss', 1.0, 0)\nwriter.flush()\n"
    "print('flushed', time.time(), flush=True)\n"
)
COUNT = "import time\nfor n in range(300):\n print('line', n, flush=True); time.sleep(0.01)\n"
LINES = "".join(f"line {n}\n" for n in range(300))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return tmp_path_factory.mktemp("jobs")


@pytest.fixture(scope="module")
def hub(folder: pathlib.Path) -> Iterator[hubs.Hub]:
    with hubs.running(folder / "hub", "--allow_root", str(folder)) as running:
        yield running


@pytest.fixture
def place(folder: pathlib.Path, request: pytest.FixtureRequest) -> pathlib.Path:
    made: pathlib.Path = folder / request.node.name[:60]
    made.mkdir()
    return made


def job(hub: hubs.Hub, name: str) -> Any:
    found = hub.ok("GET", f"/api/v1/jobs?q={name}")["items"]
    return found[0] if found else None


def ended(hub: hubs.Hub, name: str) -> Any:
    found = runs.until(lambda: job(hub, name), f"{name} is registered")
    return hub.ok("GET", f"/api/v1/jobs/{found['id']}?wait=60")


def log(hub: hubs.Hub, found: Any) -> str:
    return hub.request("GET", f"/api/v1/jobs/{found['id']}/log").text


def test_the_board_appears_with_the_first_event_file_and_has_the_name_of_the_job(
    hub: hubs.Hub, place: pathlib.Path
) -> None:
    with runs.started(place, "--name", "with board", program=WRITE + "time.sleep(60)", url=hub.url) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = runs.until(lambda: (each := job(hub, "with board")) and each["board"] and each, "a board")
        assert (found["state"], found["board_status"], found["board"]["name"]) == ("Running", "Made", "with board")
        board = hub.ok("GET", f"/api/v1/boards/{found['board']['id']}")
        assert (board["source_type"], board["source_id"]) == ("Job", found["id"])
        hub.ok("POST", f"/api/v1/jobs/{found['id']}:stop", json={"grace_secs": 5})
        assert process.wait(runs.PATIENCE_SECS) == 128 + signal.SIGTERM
    done = ended(hub, "with board")
    assert (done["state"], done["reason"], done["signal"]) == ("Stopped", "StopRequested", "SIGTERM")
    assert done["stop_by"] == "admin"
    again = hub.ok("POST", f"/api/v1/jobs/{found['id']}:board")
    assert again["id"] == found["board"]["id"]
    hub.ok("DELETE", f"/api/v1/jobs/{found['id']}?board=remove")
    assert hub.request("GET", f"/api/v1/jobs/{found['id']}").status_code == 404
    runs.until(lambda: hub.request("GET", f"/api/v1/boards/{board['id']}").status_code == 404, "the board is deleted")


def test_no_event_file_no_board(hub: hubs.Hub, place: pathlib.Path) -> None:
    assert runs.run(place, "--name", "plain", program="print('x')", url=hub.url).returncode == 0
    done = ended(hub, "plain")
    assert (done["state"], done["exit_code"], done["board_status"], done["board"]) == ("Succeeded", 0, "Waiting", None)
    assert log(hub, done) == "x\n"


def test_kill_9_of_the_job(hub: hubs.Hub, place: pathlib.Path) -> None:
    with runs.started(place, "--name", "killed", program="print('here', flush=True)\n" + COUNT, url=hub.url) as process:
        assert process.stdout is not None
        process.stdout.readline()
        os.kill(runs.states(place)[0]["pid"], 9)
        assert process.wait(runs.PATIENCE_SECS) == 137
    done = ended(hub, "killed")
    assert (done["state"], done["reason"], done["signal"]) == ("Failed", "Signal", "SIGKILL")
    assert log(hub, done).startswith("here\n")
    assert log(hub, done) == (runs.spools(place)[0] / "console").read_text()


def test_kill_9_of_the_command(hub: hubs.Hub, place: pathlib.Path) -> None:
    with runs.started(place, "--name", "orphan", program=COUNT + "raise SystemExit(3)", url=hub.url) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        done = ended(hub, "orphan")
        assert (done["state"], done["reason"], done["exit_code"]) == ("Failed", "ExitCode", 3)
        assert log(hub, done) == LINES


@pytest.mark.slow
def test_kill_9_of_the_hub(folder: pathlib.Path, place: pathlib.Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    flags = ("--allow_root", str(folder), "--port", port)
    first = hubs.start(place / "hub", *flags)
    with runs.started(place, "--name", "steady", program=COUNT + "raise SystemExit(2)", url=first.url) as process:
        found = runs.until(lambda: job(first, "steady"), "registered")
        first.process.kill()
        first.process.communicate()
        assert process.wait(runs.PATIENCE_SECS) == 2  # the hub is away
        assert process.stdout is not None
        assert process.stdout.read().decode() == LINES
    with hubs.running(place / "hub", *flags) as second:
        done = second.ok("GET", f"/api/v1/jobs/{found['id']}?wait=60")
        assert (done["state"], done["reason"], done["exit_code"]) == ("Failed", "ExitCode", 2)
        runs.until(lambda: log(second, done) == LINES, "the whole log")
    first.client.close()


def test_a_hub_that_is_away_is_told_later(hub: hubs.Hub, place: pathlib.Path) -> None:
    """The guard gives up after a while; the next `lightboard run` sends what was left over."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{free.getsockname()[1]}"
    begun = time.monotonic()
    done = runs.run(place, "--name", "offline", program="print('kept')", url=away)
    assert (done.returncode, done.stdout) == (0, b"kept\n")
    assert time.monotonic() - begun < 30
    (spool,) = runs.spools(place)
    state = runs.until(lambda: runs.states(place)[0], "a state")
    assert (state["told"], state["hub_id"]) == (False, "")
    # the same hub, at the address where it is now
    written = (spool / "job.json").read_text().replace(away, hub.url)
    (spool / "job.json").write_text(written)
    runs.end_guards(place)
    assert runs.run(place, "--name", "next", program="print('next')", url=hub.url).returncode == 0
    runs.until(lambda: job(hub, "offline"), "sent")
    found = ended(hub, "offline")
    assert (found["state"], log(hub, found)) == ("Succeeded", "kept\n")


def test_a_wrong_token_is_said_and_does_not_end_the_job(hub: hubs.Hub, place: pathlib.Path) -> None:
    done = runs.run(
        place, "--name", "refused", "--workspace", "nowhere", program="print('x')\nimport time; time.sleep(2)",
        url=hub.url,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"x\n")
    assert b"refused the job" in done.stderr


def test_a_full_limit_skips_the_board_and_tries_again(hub: hubs.Hub, place: pathlib.Path) -> None:
    token = hub.new_user("limited")
    (place / "other").mkdir()
    hub.ok("PATCH", "/api/v1/users/limited", json={"boards_limit": 1})
    blocking = hub.new_board(place / "other", token=token)
    command = runs.words("--name", "crowded", program=WRITE + "time.sleep(60)")
    environment = runs.environment(place, hub.url, token)
    process = subprocess.Popen(command, cwd=place, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        found = runs.until(
            lambda: (each := job(hub, "crowded")) and each["board_status"] == "BoardSkipped" and each, "skipped"
        )
        assert (found["state"], found["board"]) == ("Running", None)
        assert "1 of 1 boards are active" in found["board_message"]
        hub.ok("POST", f"/api/v1/boards/{blocking['id']}:stop", token=token)
        runs.until(lambda: (job(hub, "crowded") or {})["board_status"] == "Made", "made")
    finally:
        process.terminate()
        process.wait(runs.PATIENCE_SECS)
        process.communicate()


def test_jobs_with_a_label_share_a_board(hub: hubs.Hub, place: pathlib.Path) -> None:
    for name in ("depth-18", "depth-50"):
        flags = ("--name", name, "--label", "experiment=depth", "--board", "experiment")
        assert runs.run(place, *flags, program=WRITE + "time.sleep(1)", url=hub.url).returncode == 0
        ended(hub, name)
    both = [hub.ok("GET", f"/api/v1/jobs?q={name}")["items"][0] for name in ("depth-18", "depth-50")]
    boards = {each["board"]["id"] for each in both}
    assert len(boards) == 1
    board = hub.ok("GET", f"/api/v1/boards/{boards.pop()}")
    assert [each["prefix"] for each in board["sources"]] == ["depth-18", "depth-50"]
    assert (board["name"], board["source_id"]) == ("depth", "experiment=depth")
    made = hub.ok("POST", "/api/v1/jobs:board", json={"label": "experiment=depth"})
    assert made["id"] == board["id"]


@pytest.mark.slow
def test_fifty_jobs_at_once(hub: hubs.Hub, place: pathlib.Path) -> None:
    processes = []
    for number in range(50):
        words = runs.words("--quiet", "--name", f"many-{number}", "--board", "none", program=f"print({number})")
        made = subprocess.Popen(words, cwd=place, env=runs.environment(place, hub.url), stdout=subprocess.PIPE)
        processes.append(made)
    for number, each in enumerate(processes):
        out, _ = each.communicate(timeout=120)
        assert (each.returncode, out) == (0, f"{number}\n".encode())
    names = {f"many-{number}" for number in range(50)}

    def states() -> dict[str, str]:
        found = hub.ok("GET", "/api/v1/jobs?q=many&limit=1000")["items"]
        return {each["name"]: each["state"] for each in found}

    runs.until(lambda: states() == dict.fromkeys(names, "Succeeded"), "all are told")
    for each in hub.ok("GET", "/api/v1/jobs?q=many&limit=1000")["items"]:
        assert log(hub, each) == each["name"].removeprefix("many-") + "\n"
