"""Measures the hub's door: against the board without it, and against nginx in front of the same board.

`wrk` and `nginx` are those of the system (Debian has both); what needs a missing one is not measured. All fronts are
measured in turn, several times, and the best of each counts.
"""

from __future__ import annotations

import contextlib
import functools
import http.client
import os
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import charts, client, corpora, live, processes, quiet, records, setup
from bench.report import Row

BODY_BYTES = 200_000
WRK_SECS = 3
MANY = 16
CHARTS = 300
PREFIX = "/boards/b"
NGINX = """
{user} worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log crit;
events {{ worker_connections 1024; }}
http {{
  access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  upstream board {{ server unix:{socket}; keepalive 32; }}
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://board; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header Host $http_host; proxy_buffering off; }}
  }}
}}
"""


@dataclass(frozen=True)
class Front:
    """Something that answers at a port; `process` is what its CPU time is counted of."""

    name: str
    port: int
    process: processes.Running

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{PREFIX}"


@dataclass(frozen=True)
class Load:
    p50_ms: float
    requests_per_sec: float
    cpu_micros: float  # of the front, per request


def fronts(conditions: setup.Setup) -> Iterator[Row]:
    """Measure answers of 200 kB, charts of 100 runs, and events."""
    log = conditions.root / "boards.log"
    with tempfile.TemporaryDirectory(prefix="door") as name:
        yield from _bodies(conditions, Path(name), log)
    with tempfile.TemporaryDirectory(prefix="door") as name:
        yield from _charts(conditions, Path(name), log)
    with tempfile.TemporaryDirectory(prefix="door") as name:
        yield from _events(conditions, Path(name), log)


# ---- 200 kB


def _bodies(conditions: setup.Setup, folder: Path, log: Path) -> Iterator[Row]:
    if _program("wrk") is None:
        setup.say("no wrk: bodies of 200 kB are not measured")
        return
    port = _free_port()
    board = _python(log, "bench.door_servers", "fixed", str(folder / "socket"), str(port), str(BODY_BYTES))
    with board, _in_front(folder, log, Front("direct", port, board)) as found:
        alone = _best(conditions, found, lambda front: _wrk(front, connections=1))
        many = _best(conditions, found, lambda front: _wrk(front, connections=MANY))
    for name in alone:
        yield Row(f"200 kB through {name}, 1 connection", "p50 ms", None, alone[name].p50_ms)
        yield Row(f"200 kB through {name}, {MANY} connections", "requests/s", None, many[name].requests_per_sec)
        yield Row(f"200 kB through {name}, {MANY} connections", "CPU µs/request", None, many[name].cpu_micros)
    if "nginx" in alone:
        ratio = alone["door"].p50_ms / alone["nginx"].p50_ms
        yield Row("200 kB, 1 connection: door against nginx", "× p50", None, ratio, "≤ 1.5 ×")
        ratio = many["nginx"].requests_per_sec / many["door"].requests_per_sec
        yield Row(f"200 kB, {MANY} connections: door against nginx", "× time", None, ratio)


def _wrk(front: Front, *, connections: int) -> Load:
    program = _program("wrk")
    assert program is not None
    before = front.process.cpu_secs()
    command = [program, "-t1", f"-c{connections}", f"-d{WRK_SECS}s", "--latency", f"{front.url}/blob"]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    cpu_secs = front.process.cpu_secs() - before
    median = re.search(r"50%\s+([\d.]+)(us|ms|s)", output)
    requests = re.search(r"(\d+) requests in", output)
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    if median is None or requests is None or rate is None or "Non-2xx" in output:
        raise RuntimeError(f"wrk: {output}")
    scale = {"us": 1e-3, "ms": 1.0, "s": 1e3}[median[2]]
    return Load(float(median[1]) * scale, float(rate[1]), cpu_secs / int(requests[1]) * 1e6)


# ---- charts


def _charts(conditions: setup.Setup, folder: Path, log: Path) -> Iterator[Row]:
    (corpus,) = conditions.scaled(corpora.WIDE_SIMPLE)
    logdir = conditions.logdir(corpus)
    request = conditions.lightboard.chart_request(corpus, corpus.tag_names()[0])
    with _board(folder, log, logdir, "--unix_socket", str(folder / "socket")):
        _wait_for_answer(lambda: _unix_get(folder / "socket", f"{PREFIX}/api/board"))
        port = _free_port()
        with _board(folder, log, logdir, "--port", str(port), index="second") as alone:
            direct = Front("direct", port, alone)
            with _in_front(folder, log, direct) as found:
                for front in found:
                    _wait_for_points(front, corpus)
                best = _best(conditions, found, lambda front: _chart(front, request))
    for name, load in best.items():
        yield Row(f"chart of {corpus.runs} runs through {name}", "p50 ms", None, load.p50_ms)
    ratio = best["door"].p50_ms / best["direct"].p50_ms
    yield Row(f"chart of {corpus.runs} runs: door against direct", "× p50", None, ratio, "≤ 1.25 ×")


def _chart(front: Front, request: client.Request) -> Load:
    asked = client.Request(PREFIX + request.path, request.method, request.body, request.headers)
    with contextlib.closing(client.Client(front.url)) as connection:
        chart = charts.measure(connection, asked, encodings=client.BROWSER_ENCODINGS, repeats=CHARTS)
    return Load(chart.p50_ms, 0.0, 0.0)


def _wait_for_points(front: Front, corpus: corpora.Corpus) -> None:
    def complete() -> bool:
        with contextlib.closing(client.Client(front.url)) as connection:
            found = connection.get_json(f"{PREFIX}/api/board")
        return bool(found["progress"]["done"]) and found["counts"]["points"] == corpus.points

    if not client.wait_until(complete, every_secs=0.05, limit_secs=120):
        raise RuntimeError(f"{front.name} does not have all points")


# ---- events


def _events(conditions: setup.Setup, folder: Path, log: Path) -> Iterator[Row]:
    """The same events of one board, by its socket and through the door: the difference for each of them."""
    logdir = folder / "logs"
    (logdir / live.RUN).mkdir(parents=True)
    path = logdir / live.RUN / "events.out.tfevents.1750000000.bench.1.0"
    path.write_bytes(records.file_version(time.time()) + live.point(0))
    with _board(folder, log, logdir, "--unix_socket", str(folder / "socket")):
        _wait_for_answer(lambda: _unix_get(folder / "socket", f"{PREFIX}/api/board"))
        port = _free_port()
        with _python(log, "bench.door_servers", "door", str(folder / "socket"), str(port)):
            _wait_for_answer(lambda: _get(port, f"{PREFIX}/api/board"))
            direct: dict[int, float] = {}
            through: dict[int, float] = {}
            _start_watch(_UnixConnection(folder / "socket"), direct)
            _start_watch(http.client.HTTPConnection("127.0.0.1", port), through)
            _grow(path, conditions.flushes, direct, through)
    more = [through[event] - direct[event] for event in through.keys() & direct.keys()]
    setup.say(f"{len(more)} events")
    yield Row("an event through the door, later than at the socket", "p50 ms", None, statistics.median(more) * 1e3)
    yield Row("an event through the door, later than at the socket", "max ms", None, max(more) * 1e3, "≤ 20 ms")


def _start_watch(connection: http.client.HTTPConnection, arrived: dict[int, float]) -> None:
    connection.request("GET", f"{PREFIX}/api/events")
    stream = connection.getresponse()
    threading.Thread(target=_watch, args=(stream, arrived), daemon=True).start()


def _watch(stream: http.client.HTTPResponse, arrived: dict[int, float]) -> None:
    """Note when each event came, by the version in its id."""
    with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
        while line := stream.readline():
            if line.startswith(b"id:"):
                arrived[int(line.rpartition(b"-")[2])] = time.perf_counter()


def _grow(path: Path, flushes: int, *arrived: dict[int, float]) -> None:
    """Add points one by one; each waits until both clients know of it."""
    with path.open("ab") as file:
        for step in range(1, flushes + 1):
            known = [len(each) for each in arrived]
            file.write(live.point(step))
            file.flush()
            client.wait_until(functools.partial(_have_grown, arrived, known), every_secs=0.005, limit_secs=10)


def _have_grown(arrived: tuple[dict[int, float], ...], known: list[int]) -> bool:
    return all(len(each) > count for each, count in zip(arrived, known, strict=True))


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("board")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self._path))


# ---- processes


@contextlib.contextmanager
def _in_front(folder: Path, log: Path, direct: Front) -> Iterator[list[Front]]:
    """The door, and nginx if there is one, in front of the socket in this folder."""
    with contextlib.ExitStack() as stack:
        port = _free_port()
        command = ("bench.door_servers", "door", str(folder / "socket"), str(port))
        found = [direct, Front("door", port, stack.enter_context(_python(log, *command)))]
        program = _program("nginx")
        if program is None:
            setup.say("no nginx: the door is not compared with it")
        else:
            port = _free_port()
            file = folder / "nginx.conf"
            file.write_text(NGINX.format(user=_nginx_user(), folder=folder, socket=folder / "socket", port=port))
            running = processes.Running([program, "-c", str(file), "-e", str(folder / "nginx.log")], log=log)
            found.append(Front("nginx", port, stack.enter_context(running)))
        for front in found:
            _wait_for_answer(functools.partial(_get, front.port, f"{PREFIX}/"))
        yield found


def _best(conditions: setup.Setup, found: list[Front], measure: Callable[[Front], Load]) -> dict[str, Load]:
    best: dict[str, Load] = {}
    for _ in range(conditions.tries):
        for front in found:
            quiet.wait(conditions.quiet_secs)
            load = measure(front)
            setup.say(f"{front.name}: {load}")
            if front.name not in best or load.p50_ms < best[front.name].p50_ms:
                best[front.name] = load
    return best


def _board(folder: Path, log: Path, logdir: Path, *words: str, index: str = "first") -> processes.Running:
    given = ["--logdir", str(logdir), "--path_prefix", PREFIX, "--index_dir", str(folder / index), "--no_auth"]
    return _python(log, "lightboard", *given, "--sidecar", "none", *words)


def _python(log: Path, module: str, *words: str) -> processes.Running:
    return processes.Running([sys.executable, "-m", module, *words], log=log)


def _nginx_user() -> str:
    """As root nginx would change to a user who may not open the socket."""
    return "user root;" if os.getuid() == 0 else ""


def _program(name: str) -> str | None:
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def _wait_for_answer(ask: Callable[[], int]) -> None:
    if not client.wait_until(lambda: ask() == 200, every_secs=0.02, limit_secs=60):
        raise RuntimeError("a server does not answer")


def _get(port: int, path: str) -> int:
    return _status(http.client.HTTPConnection("127.0.0.1", port, timeout=10), path)


def _unix_get(path: Path, address: str) -> int:
    return _status(_UnixConnection(path), address)


def _status(connection: http.client.HTTPConnection, path: str) -> int:
    with contextlib.closing(connection):
        connection.request("GET", path)
        return connection.getresponse().status
