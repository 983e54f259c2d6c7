"""Measures a hub: how long people wait for it, and what 100 running and 10,000 defined boards cost.

The hub is the real program, started as people start it, with SQLite. Nobody else's hub is compared with it: the rivals
need a cluster.
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import os
import re
import secrets
import signal
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import charts, client, corpora, live, processes, quiet, records, setup
from bench.report import Row

TOKEN = "a-token-of-the-benchmark-0123456789abcdef"
CREATES, RESUMES, LISTS, CHARTS = 20, 10, 200, 300
RUNNING, DEFINED = 100, 10_000
IDLE_SECS = 20.0
LIMIT_SECS = 60.0


def hubs(conditions: setup.Setup) -> Iterator[Row]:
    log = conditions.root / "hub.log"
    with tempfile.TemporaryDirectory(prefix="hub") as name:
        folder = Path(name)
        logs = _small_logs(folder / "logs")
        with _hub(folder / "first", log, folder) as hub:
            yield Row("hub: from nothing to the admin's page", "s", None, hub.first_page_secs, "≤ 3")
            yield from _creates(conditions, hub, logs)
        yield from _ten_million(conditions, folder, log)
        yield from _charts(conditions, folder, log)
        yield from _many(conditions, folder, log, logs)


# ---- waiting


def _creates(conditions: setup.Setup, hub: Hub, logs: Path) -> Iterator[Row]:
    waited = []
    for number in range(CREATES):
        quiet.wait(conditions.quiet_secs)
        began = time.perf_counter()
        board = hub.ask("POST", "/api/v1/boards", {"name": f"board {number}", "uri": str(logs)})
        hub.wait_for_board(board["id"])
        waited.append(time.perf_counter() - began)
        hub.ask("DELETE", f"/api/v1/boards/{board['id']}")
    yield from _both("hub: create a board until it answers", waited, "≤ 1.5")


def _ten_million(conditions: setup.Setup, folder: Path, log: Path) -> Iterator[Row]:
    (corpus,) = conditions.scaled(corpora.LONG)
    logdir = conditions.logdir(corpus)
    waited = []
    with _hub(folder / "ten", log, logdir) as hub:
        board = hub.ask("POST", "/api/v1/boards", {"name": "ten", "uri": str(logdir)})["id"]
        hub.wait_for_points(board, corpus.points)
        for _ in range(RESUMES):
            hub.settle(hub.ask("POST", f"/api/v1/boards/{board}:stop"))
            quiet.wait(conditions.quiet_secs)
            began = time.perf_counter()
            hub.ask("POST", f"/api/v1/boards/{board}:start")
            hub.wait_for_points(board, corpus.points)
            waited.append(time.perf_counter() - began)
    yield from _both(f"hub: resume a board over {corpus.points:,} points until all are readable", waited, "≤ 1")


def _charts(conditions: setup.Setup, folder: Path, log: Path) -> Iterator[Row]:
    (corpus,) = conditions.scaled(corpora.WIDE_SIMPLE)
    logdir = conditions.logdir(corpus)
    asked = conditions.lightboard.chart_request(corpus, corpus.tag_names()[0])
    times: dict[str, list[float]] = {"direct": [], "hub": []}
    with _hub(folder / "charts", log, logdir) as hub:
        board = hub.ask("POST", "/api/v1/boards", {"name": "charts", "uri": str(logdir)})["id"]
        hub.wait_for_points(board, corpus.points)
        own = [sys.executable, "-m", "lightboard", "--logdir", str(logdir), "--port", "0", "--no_auth", "--no_index"]
        with processes.Running(own, log=log) as alone:
            direct = _address(alone)
            _wait(lambda: _points_at(direct) == corpus.points)
            for _ in range(conditions.tries):
                for name, url, prefix in (("direct", direct, ""), ("hub", hub.url, f"/boards/{board}")):
                    quiet.wait(conditions.quiet_secs)
                    headers = {**asked.headers, **({"Authorization": f"Bearer {TOKEN}"} if prefix else {})}
                    request = dataclasses.replace(asked, path=prefix + asked.path, headers=headers)
                    with contextlib.closing(client.Client(url)) as connection:
                        chart = charts.measure(connection, request, encodings=client.BROWSER_ENCODINGS, repeats=CHARTS)
                    times[name].append(chart.p50_ms)
    for name, found in times.items():
        yield Row(f"chart of {corpus.runs} runs, {name}", "p50 ms", None, min(found))
    ratio = min(times["hub"]) / min(times["direct"])
    yield Row(f"chart of {corpus.runs} runs: through the hub against direct", "× p50", None, ratio, "≤ 1.25 ×")


# ---- many boards


def _many(conditions: setup.Setup, folder: Path, log: Path, logs: Path) -> Iterator[Row]:
    with _hub(folder / "many", log, folder) as hub:
        owner = hub.ask("GET", "/api/v1/me")
    _define(folder / "many", owner, str(logs), DEFINED - RUNNING)
    with _hub(folder / "many", log, folder) as hub:
        made = [
            hub.ask("POST", "/api/v1/boards", {"name": f"running {number}", "uri": str(logs)})["id"]
            for number in range(RUNNING)
        ]
        for board in made:
            hub.wait_for_board(board)
        quiet.wait(conditions.quiet_secs)
        for query in ("", "?sort=name", "?sort=-last_activity&q=board+77", "?state=Running"):
            secs = sorted(hub.timed("GET", f"/api/v1/boards{query}") for _ in range(LISTS))
            yield Row(f"hub: list of {DEFINED:,} boards{query}", "p50 ms", None, statistics.median(secs) * 1e3)
            yield Row(f"hub: list of {DEFINED:,} boards{query}", "p95 ms", None, _p95(secs) * 1e3, "≤ 50")
        time.sleep(5.0)  # what the start of so many boards left to do
        before, began = hub.own_cpu_secs(), time.perf_counter()
        time.sleep(IDLE_SECS)
        percent = 100 * (hub.own_cpu_secs() - before) / (time.perf_counter() - began)
        yield Row(f"hub: {RUNNING} boards run, nobody uses them", "% of a core", None, percent, "< 2")
        yield Row(f"hub with {DEFINED:,} boards", "RssAnon MB", None, hub.own_anon_bytes() / 1e6, "≤ 150")
        each = sorted(processes.anon_bytes(pid) / 1e6 for pid in hub.boards())
        yield Row(f"one of {len(each)} running boards, largest", "RssAnon MB", None, each[-1], "≤ 40")


def _define(folder: Path, owner: Any, uri: str, count: int) -> None:
    """Stopped boards, written as the hub writes them, while it does not run."""
    from lightboard.hub import db, life
    from lightboard.hub.life import commands, names

    database = db.Database(str(folder / "hub.sqlite3"))
    try:
        for number in range(count):
            created = time.time() - number
            board = life.Board(
                id=names.new_id("b", secrets.token_bytes(names.ID_BYTES)),
                name=f"board {number}",
                workspace=owner["workspace"],
                owner=owner["user"]["id"],
                sources=(life.Source(uri),),
                created=created,
            )
            stopped = dataclasses.replace(
                commands.created(board, owner["user"]["id"]).board,
                desired=life.Desired.STOP,
                stop_reason=life.StopReason.USER,
                state=life.State.STOPPED,
                reason="User",
                observed_generation=1,
                look_again_at=None,
            )
            database.boards.create(commands.Change(stopped), life.Limits(None, None, None))
    finally:
        database.close()


# ---- the program


class Hub:
    """A running hub and an admin's connection to it."""

    def __init__(self, running: processes.Running, url: str, folder: Path) -> None:
        self.url = url
        self._running, self.folder = running, folder
        self._connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=LIMIT_SECS)
        self.first_page_secs = self._first_page()

    def _first_page(self) -> float:
        _wait(lambda: self.status("/", signed=False) == 200)
        return self._running.elapsed_secs()

    def request(self, method: str, path: str, body: Any = None, *, signed: bool = True) -> tuple[int, bytes]:
        headers = {"Authorization": f"Bearer {TOKEN}"} if signed else {}
        if body is not None:
            headers["Content-Type"] = "application/json"
        sent = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, sent, headers)
            answer = self._connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):  # nobody used it for seconds
            self._connection.close()
            self._connection.request(method, path, sent, headers)
            answer = self._connection.getresponse()
        return answer.status, answer.read()

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        status, content = self.request(method, path, body)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {content[:300]!r}")
        return json.loads(content) if content else None

    def timed(self, method: str, path: str) -> float:
        began = time.perf_counter()
        self.ask(method, path)
        return time.perf_counter() - began

    def status(self, path: str, *, signed: bool = True) -> int:
        return self.request("GET", path, signed=signed)[0]

    def settle(self, board: Any) -> None:
        self.ask("GET", f"/api/v1/boards/{board['id']}?wait=60&generation={board['generation']}")

    def wait_for_board(self, board: str) -> None:
        _wait(lambda: self.status(f"/boards/{board}/api/board") == 200)

    def wait_for_points(self, board: str, count: int) -> None:
        def complete() -> bool:
            status, content = self.request("GET", f"/boards/{board}/api/board")
            return status == 200 and _points(json.loads(content)) == count

        _wait(complete)

    def boards(self) -> list[int]:
        """The process ids of its boards."""
        found = [json.loads(each.read_text()) for each in self.folder.glob("boards/*/process.json")]
        return [each["identity"]["pid"] for each in found if each.get("identity")]

    def own_cpu_secs(self) -> float:
        return processes.cpu_secs(self._running.process.pid)

    def own_anon_bytes(self) -> int:
        return processes.anon_bytes(self._running.process.pid)


@contextlib.contextmanager
def _hub(folder: Path, log: Path, root: Path) -> Iterator[Hub]:
    """Its boards, which outlive a hub, are ended, too."""
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "hub.toml"
    config.write_text("[boards]\nper_account = 0\n", encoding="utf-8")
    words = ["hub", "--dir", str(folder), "--port", "0", "--config", str(config), "--allow_root", str(root)]
    environment = {"LIGHTBOARD_HUB_ADMIN_TOKEN": TOKEN}
    command = [sys.executable, "-m", "lightboard", *words]
    with processes.Running(command, log=log, environment=environment) as running:
        yield from started(running, folder)


def started(running: processes.Running, folder: Path) -> Iterator[Hub]:
    """The hub when its page answers; afterwards its boards are ended."""
    hub = Hub(running, _address(running), folder)
    try:
        yield hub
    finally:
        for pid in hub.boards():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)


def _address(running: processes.Running) -> str:
    assert running.process.stdout is not None
    line = running.process.stdout.readline().decode()
    found = re.search(r" at (http://\S+?)/ ", line)
    if found is None:
        raise RuntimeError(f"it did not start: {line!r}")
    return found[1]


def _points_at(url: str) -> int:
    with contextlib.closing(client.Client(url)) as connection:
        return _points(connection.get_json("/api/board"))


def _points(board: Any) -> int:
    return int(board["counts"]["points"]) if board["progress"]["done"] else -1


def _small_logs(folder: Path) -> Path:
    (folder / live.RUN).mkdir(parents=True)
    points = b"".join(live.point(step) for step in range(100))
    (folder / live.RUN / "events.out.tfevents.1").write_bytes(records.file_version(time.time()) + points)
    return folder


def _wait(condition: Any) -> None:
    if not client.wait_until(condition, every_secs=0.01, limit_secs=LIMIT_SECS):
        raise RuntimeError("waited in vain")


def _both(work: str, waited: list[float], bar: str) -> Iterator[Row]:
    setup.say(f"{work}: {[round(each, 3) for each in waited]}")
    yield Row(work, "p50 s", None, statistics.median(waited))
    yield Row(work, "p95 s", None, _p95(sorted(waited)), bar)


def _p95(waited: list[float]) -> float:
    return waited[min(len(waited) - 1, round(0.95 * (len(waited) - 1)))]
