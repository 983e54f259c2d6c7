"""A hub that is killed at random moments while people create, stop, resume, delete and read boards.

Clients repeat what was not answered, as `lightboard.client` does: creates with their Idempotency-Key, other commands as
they are. At the end every board is as it was last asked to be, exists once, has one process or none, and boards that
nobody stopped have the process that they began with.

`LIGHTBOARD_KILLS` asks for more kills than the usual few, `LIGHTBOARD_KILLS_SEED` repeats a failure.
"""

from __future__ import annotations

import json
import os
import pathlib
import random
import socket
import threading
import time
from typing import Any

import event_files
import httpx
import pytest
from hub import hubs

pytestmark = pytest.mark.whole_hub

KILLS = int(os.environ.get("LIGHTBOARD_KILLS", "5"))
STEADY, CHANGING = 2, 4
SETTLE_SECS = 10.0


class Person:
    """Sends commands until they are answered; remembers what was answered last. `wanted`: board → state or None."""

    def __init__(self, url: str, logs: pathlib.Path, seed: int) -> None:
        self._url, self._logs, self._choice = url, logs, random.Random(seed)
        self._headers = {"Authorization": f"Bearer {hubs.ADMIN_TOKEN}"}
        self._client = httpx.Client(base_url=url, timeout=10.0, trust_env=False)
        self.ended = threading.Event()
        self.keys: dict[str, str] = {}  # Idempotency-Key → board
        self.wanted: dict[str, str | None] = {}
        self.problems: list[str] = []
        self.sent: list[str] = []  # for messages

    def run(self) -> None:
        try:
            while not self.ended.is_set():
                self._one()
        except Exception as error:
            self.problems.append(repr(error))
        finally:
            self._client.close()

    def _one(self) -> None:
        alive = [board for board, state in self.wanted.items() if state is not None]
        if len(alive) < CHANGING:
            self._create()
            return
        board = self._choice.choice(alive)
        command = self._choice.choice(("start", "stop", "use", "delete"))
        if command == "use":
            if self.wanted[board] == "Running":  # a stopped one would start, or answer for the last time
                self._send("GET", f"/boards/{board}/api/board")
        elif command == "delete":
            self._expect(self._send("DELETE", f"/api/v1/boards/{board}"), 202, 404)
            self.wanted[board] = None
        else:
            self._expect(self._send("POST", f"/api/v1/boards/{board}:{command}"), 202)
            self.wanted[board] = "Running" if command == "start" else "Stopped"

    def _create(self) -> None:
        key = f"key-{self._choice.getrandbits(64):x}"
        body = {"name": key, "uri": str(self._logs)}
        answer = self._send("POST", "/api/v1/boards", json=body, headers={"Idempotency-Key": key})
        self._expect(answer, 201, 202)
        self.keys[key] = answer.json()["id"]
        self.wanted[answer.json()["id"]] = "Running"

    def _send(self, method: str, path: str, *, headers: dict[str, str] | None = None, **more: Any) -> httpx.Response:
        """Repeats until there is an answer."""
        while True:
            try:
                answer = self._client.request(method, path, headers={**self._headers, **(headers or {})}, **more)
                self.sent.append(f"{time.time():.3f} {method} {path}: {answer.status_code}")
                return answer
            except httpx.TransportError:
                time.sleep(0.02)

    def _expect(self, answer: httpx.Response, *statuses: int) -> None:
        if answer.status_code not in statuses:
            self.problems.append(f"{answer.request.method} {answer.request.url}: {answer.status_code} {answer.text}")


def test_a_hub_that_is_killed_at_any_moment_loses_nothing(tmp_path: pathlib.Path) -> None:
    seed = int(os.environ.get("LIGHTBOARD_KILLS_SEED", random.randrange(1 << 30)))
    choice = random.Random(seed)
    logs = tmp_path / "logs"
    event_files.write(logs / "run" / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    config = tmp_path / "hub.toml"
    config.write_text("[boards]\nper_account = 0\n", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = ("--allow_root", str(logs), "--config", str(config), "--port", str(port))
    hub = hubs.start(tmp_path / "hub", *words)
    try:
        steady = [hub.new_board(logs, name=f"steady {number}")["id"] for number in range(STEADY)]
        processes = {board: process_of(hub.dir, board) for board in steady}
        person = Person(hub.url, logs, seed)
        thread = threading.Thread(target=person.run)
        thread.start()
        for _ in range(KILLS):
            time.sleep(choice.uniform(0.0, 1.0))
            hub.process.kill()
            end(hub)
            hub = hubs.start(tmp_path / "hub", *words)
        person.ended.set()
        thread.join()
        assert person.problems == [], f"LIGHTBOARD_KILLS_SEED={seed}"
        assert {board: process_of(hub.dir, board) for board in steady} == processes, "a board was interrupted"
        check_end(hub, person, set(steady), f"LIGHTBOARD_KILLS_SEED={seed}")
    finally:
        hub.process.terminate()
        end(hub)
        hubs.end_boards(hub.dir)


def end(hub: hubs.Hub) -> None:
    hub.process.communicate()
    hub.client.close()


def check_end(hub: hubs.Hub, person: Person, steady: set[str], seed: str) -> None:
    wanted = {board: state for board, state in person.wanted.items() if state is not None}
    wanted |= dict.fromkeys(steady, "Running")
    deadline = time.monotonic() + SETTLE_SECS
    while True:
        listed = hub.ok("GET", "/api/v1/boards?limit=1000")["items"]
        states = {each["id"]: each["state"] for each in listed}
        alive = {board for board in states if is_alive(hub.dir, board)}
        running = {board for board, state in states.items() if state == "Running"}
        if (states == wanted and alive == running) or time.monotonic() > deadline:
            break
        time.sleep(0.1)
    assert len(states) == len(listed), seed
    wrong = [board for board in states.keys() | wanted.keys() if states.get(board) != wanted.get(board)]
    assert states == wanted, f"{seed}: {[told(hub, person, board) for board in wrong]}"
    assert alive == running, seed
    assert len(set(person.keys.values())) == len(person.keys), f"a key made two boards: {seed}"
    folders = {each.name for each in (hub.dir / "boards").iterdir() if each.is_dir()}
    assert folders <= set(states), f"deleted boards left something behind: {seed}"


def told(hub: hubs.Hub, person: Person, board: str) -> Any:
    """What was sent for a board, and what happened to it."""
    events = hub.request("GET", f"/api/v1/boards/{board}/events").json().get("items", [])
    return [each for each in person.sent if board in each][-6:], events[:12]


def process_of(folder: pathlib.Path, board: str) -> Any:
    return json.loads((folder / "boards" / board / "process.json").read_text())["identity"]


def is_alive(folder: pathlib.Path, board: str) -> bool:
    """Whether exactly one process has the board's directory in its command."""
    mark = f"--index_dir={folder / 'boards' / board / 'index'}".encode()
    found = []
    for each in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [each] if mark in each.read_bytes().split(b"\0") else []
        except OSError:  # it ended meanwhile
            continue
    assert len(found) < 2, f"{board} runs twice"
    return bool(found)
