"""Metrics and health over HTTP, and events of Kubernetes.

/metrics    boards by state, seconds from start to answer, reclaims by reason, requests to the API server
/healthz    the process lives and its loop turns
/readyz     the caches are filled
"""

from __future__ import annotations

import http.server
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any

import prometheus_client

from lightboard.hub.life import nouns
from lightboard.operator import MANAGER
from lightboard.operator.kinds import Definition, timestamp

# A loop that has not turned for this long is stuck.
STUCK_SECS = 120.0
_WARNINGS = frozenset({"Crashed", "Failed", "Restarting", "Blocked"})
_TEXTS = {
    "Created": "the board was created", "Starting": "the board starts", "Running": "the board answers",
    "Idle": "nobody uses the board", "Used": "the board is used again", "Stopping": "the board stops",
    "Stopped": "the board has stopped", "StartRequested": "the board is started",
    "StopRequested": "the board is stopped",
}  # fmt: skip


class Metrics:
    def __init__(self) -> None:
        self.registry = prometheus_client.CollectorRegistry()
        of: dict[str, Any] = {"registry": self.registry}
        self.boards = prometheus_client.Gauge("lightboard_boards", "Boards by state", ["state", "kind"], **of)
        self.start_secs = prometheus_client.Histogram(
            "lightboard_board_start_seconds", "From start to the first answer", **of,
            buckets=(1, 2, 3, 4, 6, 8, 12, 20, 40, 80, 120),
        )  # fmt: skip
        self.reclaims = prometheus_client.Counter(
            "lightboard_board_reclaims", "Boards that were suspended by a deadline", ["reason"], **of
        )  # fmt: skip
        self.looks = prometheus_client.Counter("lightboard_operator_looks", "Boards looked at", **of)
        self.faults = prometheus_client.Counter("lightboard_operator_faults", "Looks that failed", **of)
        self.writes = prometheus_client.Counter("lightboard_operator_writes", "Writes to the API", ["what"], **of)
        self.leads = prometheus_client.Gauge("lightboard_operator_leads", "1 if this operator leads", **of)
        self.memory = prometheus_client.Gauge("lightboard_operator_resident_bytes", "Memory of the process", **of)
        self.memory.set_function(resident_bytes)

    def count(self, states: Mapping[tuple[str, str], int]) -> None:
        self.boards.clear()
        for (state, kind), number in states.items():
            self.boards.labels(state, kind).set(number)


def resident_bytes() -> float:
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * 4096.0
    except OSError:
        return 0.0


class Health:
    """State: when the loop last turned, whether caches are filled. Written by the loop, read by the server's thread."""

    def __init__(self) -> None:
        self.turned = time.monotonic()
        self.ready = False

    def is_alive(self) -> bool:
        return time.monotonic() - self.turned < STUCK_SECS


class Server:
    """Answers in a thread of its own, so that it answers when the loop is busy."""

    def __init__(self, host: str, port: int, metrics: Metrics, health: Health) -> None:
        answers: dict[str, Callable[[], tuple[int, bytes, str]]] = {
            "/metrics": lambda: (200, prometheus_client.generate_latest(metrics.registry), "text/plain; version=0.0.4"),
            "/healthz": lambda: _said(health.is_alive()),
            "/readyz": lambda: _said(health.ready),
        }

        class Handler(http.server.BaseHTTPRequestHandler):
            timeout = 10

            def do_GET(self) -> None:
                found = answers.get(self.path.partition("?")[0])
                status, body, kind = found() if found is not None else (404, b"not found\n", "text/plain")
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer((host, port), Handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _said(good: bool) -> tuple[int, bytes, str]:
    return (200, b"ok\n", "text/plain") if good else (503, b"not ready\n", "text/plain")


def event(definition: Definition, what: nouns.Event, version: str) -> dict[str, Any]:
    """An event of a board as `kubectl describe` shows it."""
    at = timestamp(what.time)
    text = what.message or _TEXTS.get(what.kind, what.kind)
    if what.reason and what.reason not in text:
        text = f"{text} ({what.reason})"
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": f"{definition.name[:200]}.{uuid.uuid4().hex[:16]}", "namespace": definition.namespace},
        "involvedObject": {
            "apiVersion": definition.kind.api_version,
            "kind": definition.kind.kind,
            "namespace": definition.namespace,
            "name": definition.name,
            "uid": definition.uid,
            "resourceVersion": version,
        },
        "type": "Warning" if what.kind in _WARNINGS else "Normal",
        "reason": what.kind,
        "message": text[:1000],
        "source": {"component": MANAGER},
        "reportingComponent": MANAGER,
        "firstTimestamp": at,
        "lastTimestamp": at,
        "count": 1,
    }
