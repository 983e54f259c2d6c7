"""A hub for tests: the real program in a process of its own.

    with hubs.running(tmp_path, "--allow_root", str(logs)) as hub:
        hub.request("POST", "/api/v1/boards", json={"name": "mine", "uri": str(logs)})     as the admin
        hub.request("GET", "/api/v1/me", token=other)                                       as somebody else
        hub.request("GET", "/healthz", token="")                                            as nobody

At its end the hub and the processes of its boards are ended. Share one hub between the tests of a module.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import httpx

ADMIN_TOKEN = "admin-token-of-the-tests-0123456789abcdef"
PATIENCE_SECS = 60.0
_T = TypeVar("_T")


class Hub:
    """A running hub. `client` sends no identity of its own and follows no redirects."""

    def __init__(self, process: subprocess.Popen[bytes], url: str, folder: pathlib.Path, token: str) -> None:
        self.process = process
        self.url = url  # without a slash at its end
        self.dir = folder
        self.admin_token = token
        self.client = httpx.Client(base_url=url, timeout=PATIENCE_SECS, trust_env=False)

    def request(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> httpx.Response:
        """`token` None: the admin's, "": none. No cookies are kept."""
        self.client.cookies.clear()
        sent = {**(headers or {})}
        token = self.admin_token if token is None else token
        if token:
            sent["Authorization"] = f"Bearer {token}"
        return self.client.request(method, path, headers=sent, **more)

    def ok(self, method: str, path: str, **more: Any) -> Any:
        """The JSON of an answer that is no refusal."""
        answer = self.request(method, path, **more)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer.json() if answer.content else None

    def new_user(self, name: str, password: str = "a long password", **members: Any) -> str:
        """Returns a token of the new user."""
        self.ok("POST", "/api/v1/users", json={"name": name, "password": password, **members})
        made = self.ok("POST", "/api/v1/tokens", json={"name": "tests", "user": name})
        return str(made["token"])

    def new_board(self, uri: str | os.PathLike[str], *, token: str | None = None, **members: Any) -> Any:
        """Creates a board and waits until it runs."""
        board = self.ok("POST", "/api/v1/boards", token=token, json={"uri": str(uri), **members})
        return self.settled(board, token=token)

    def settled(self, board: Any, *, token: str | None = None) -> Any:
        """Waits until the board is what its generation asks for."""
        query = f"wait=60&generation={board['generation']}"
        return self.ok("GET", f"/api/v1/boards/{board['id']}?{query}", token=token)

    def log(self) -> str:
        return (self.dir / "stderr").read_text(encoding="utf-8")

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ends the hub; its boards run on."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(timeout=PATIENCE_SECS)


@contextlib.contextmanager
def running(
    folder: str | os.PathLike[str],
    *words: str,
    admin_token: str = ADMIN_TOKEN,
    environment: Mapping[str, str] | None = None,
    keep_boards: bool = False,
    python: str = sys.executable,
) -> Iterator[Hub]:
    """`folder` becomes `--dir`; `words` are more flags. Without `admin_token` the log has the one-time link."""
    where = pathlib.Path(folder)
    hub = start(where, *words, admin_token=admin_token, environment=environment, python=python)
    try:
        yield hub
    finally:
        hub.client.close()
        with contextlib.suppress(ProcessLookupError):
            hub.process.send_signal(signal.SIGTERM)
        try:
            hub.process.wait(timeout=PATIENCE_SECS)
        finally:
            if hub.process.stdout is not None:
                hub.process.stdout.close()
            if not keep_boards:
                end_boards(where)


def start(
    folder: pathlib.Path,
    *words: str,
    admin_token: str = ADMIN_TOKEN,
    environment: Mapping[str, str] | None = None,
    python: str = sys.executable,
) -> Hub:
    folder.mkdir(parents=True, exist_ok=True)
    port = [] if any(each.startswith("--port") for each in words) else ["--port", "0"]
    command = [python, "-m", "lightboard", "hub", "--dir", str(folder), *port, *words]
    own = {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}
    given = {"LIGHTBOARD_HUB_ADMIN_TOKEN": admin_token} if admin_token else {}
    with (folder / "stderr").open("ab") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, env={**own, **given, **(environment or {})}
        )
    line = _first_line(process)
    match = re.search(r" at (https?://\S+)/ ", line)
    if match is None:
        process.kill()
        process.communicate()
        raise AssertionError(f"the hub did not start: {line!r}\n{(folder / 'stderr').read_text()}")
    return Hub(process, match[1], folder, admin_token)


def end_boards(folder: pathlib.Path) -> None:
    """Ends the processes of boards, which a hub leaves running."""
    for record in folder.glob("boards/*/process.json"):
        with contextlib.suppress(OSError, ValueError, KeyError):
            identity = json.loads(record.read_text())["identity"]
            command = pathlib.Path(f"/proc/{identity['pid']}/cmdline").read_bytes()
            if str(record.parent).encode() in command:
                os.kill(identity["pid"], signal.SIGKILL)


def until(ask: Callable[[], _T | None], *, what: str = "") -> _T:
    """Asks again and again until the answer is true."""
    ends = time.monotonic() + PATIENCE_SECS
    while True:
        answer = ask()
        if answer:
            return answer
        assert time.monotonic() < ends, f"it did not happen: {what or ask}"
        time.sleep(0.02)


def _first_line(process: subprocess.Popen[bytes]) -> str:
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        if not selector.select(PATIENCE_SECS):
            return ""
    return process.stdout.readline().decode()
