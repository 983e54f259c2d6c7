"""Time from process start until every series' last step is readable over HTTP.

A cheap request is repeated until its response says that everything seems to be read. Then the last step of every series
is read, which must find everything; this time is not counted, because it depends on the size of each side's responses.
The time of the cheap request itself is counted for Lightboard but not for TensorBoard, in its favor.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench import client, corpora, processes

LIMIT_SECS = 300.0


class Side(Protocol):
    """The interface that both boards implement."""

    @property
    def name(self) -> str: ...
    @property
    def poll_secs(self) -> float: ...
    @property
    def answer_counts(self) -> bool: ...
    def start(self, logdir: Path | str, *, fresh: bool = True) -> tuple[processes.Running, str]: ...
    def check(self, running: processes.Running) -> None: ...
    def probe(self, http: client.Client, corpus: corpora.Corpus) -> Callable[[], bool]: ...
    def unfinished(self, http: client.Client, corpus: corpora.Corpus) -> list[tuple[str, str]]: ...


@dataclass(frozen=True)
class Load:
    """The cost of one load, until everything was readable."""

    wall_secs: float
    cpu_secs: float
    peak_anon_bytes: int


class Moment:
    """The figures of a running board, taken just after each response, or just before the request."""

    def __init__(self, running: processes.Running, question: Callable[[], bool], *, answer_counts: bool) -> None:
        self._running, self._question, self._answer_counts = running, question, answer_counts
        self.load = Load(0.0, 0.0, 0)

    def ask(self) -> bool:
        before = self._now()
        answer = self._question()
        self.load = self._now() if self._answer_counts else before
        return answer

    def _now(self) -> Load:
        return Load(self._running.elapsed_secs(), self._running.cpu_secs(), self._running.peak_anon_bytes)


def wait_for_all(side: Side, running: processes.Running, http: client.Client, corpus: corpora.Corpus) -> Load | None:
    """Block until everything is readable; None at the time limit."""
    moment = Moment(running, side.probe(http, corpus), answer_counts=side.answer_counts)
    while client.wait_until(moment.ask, every_secs=side.poll_secs, limit_secs=LIMIT_SECS - running.elapsed_secs()):
        side.check(running)
        if not side.unfinished(http, corpus):
            return moment.load
        time.sleep(side.poll_secs)
    return None


def warm(logdir: Path) -> int:
    """Read every file once, so that it is in the page cache for both sides; return the number of bytes."""
    total = 0
    for path in sorted(logdir.rglob("*tfevents*")):
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(1 << 20):
                total += len(chunk)
    return total
