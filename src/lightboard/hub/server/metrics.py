"""Numbers for Prometheus: `/metrics`.

Each hub process tells its own requests. What the keeper does is counted by the process that leads; boards by state are
those of the database, the same in all processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import prometheus_client
from prometheus_client import registry

import lightboard
from lightboard.hub import life
from lightboard.hub.life import nouns

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
START_SECS = (0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
REQUEST_SECS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
RECLAIMS = (nouns.StopReason.IDLE_RECLAIMED.value, nouns.StopReason.MAX_RUNTIME.value)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Metrics:
    def __init__(self) -> None:
        self._registry = registry.CollectorRegistry()
        taken: Any = {"registry": self._registry, "namespace": "lightboard_hub"}
        self._boards = prometheus_client.Gauge("boards", "Boards by state.", ["state"], **taken)
        self._starts = prometheus_client.Histogram(
            "board_start_seconds", "From the start of a board's process to its first answer.", buckets=START_SECS,
            **taken,
        )  # fmt: skip
        self._reclaims = prometheus_client.Counter(
            "board_reclaims", "Boards that the hub stopped.", ["reason"], **taken
        )
        self._failures = prometheus_client.Counter("board_failures", "Boards that failed.", ["reason"], **taken)
        self._crashes = prometheus_client.Counter("board_crashes", "Board processes that ended unasked.", **taken)
        self._requests = prometheus_client.Counter(
            "requests", "Requests by kind of address, method and status.", ["kind", "method", "status"], **taken
        )
        self._secs = prometheus_client.Histogram(
            "request_seconds", "Time to the first byte of an answer.", ["kind"], buckets=REQUEST_SECS, **taken
        )
        self._leads = prometheus_client.Gauge("keeper_leads", "1 if this process keeps the boards.", **taken)
        prometheus_client.Info("build", "The running program.", **taken).info({"version": lightboard.__version__})
        for reason in RECLAIMS:
            self._reclaims.labels(reason)
        prometheus_client.ProcessCollector(registry=self._registry)

    def answered(self, kind: str, method: str, status: int, secs: float) -> None:
        self._requests.labels(kind, method if method in METHODS else "other", str(status)).inc()
        self._secs.labels(kind).observe(secs)

    def decided(self, before: life.Board, decision: life.Decision) -> None:
        for event in decision.events:
            if event.kind == "Running" and before.state is life.State.STARTING and before.attempted_at is not None:
                self._starts.observe(max(0.0, event.time - before.attempted_at))
            elif event.kind == "Stopped" and event.reason in RECLAIMS:
                self._reclaims.labels(event.reason).inc()
            elif event.kind == "Failed":
                self._failures.labels(event.reason or "unknown").inc()
            elif event.kind == "Crashed":
                self._crashes.inc()

    def text(self, boards: Mapping[str, int], *, leads: bool) -> bytes:
        for state in nouns.State:
            self._boards.labels(state.value).set(boards.get(state.value, 0))
        self._leads.set(int(leads))
        return prometheus_client.generate_latest(self._registry)
