"""Time from process start until every series' last step is readable over HTTP.

A side's cheap question is repeated until it says that everything seems to be there, then the last step of every series
is read. The moment that counts is just before the cheap question was asked the last time, provided the reading found
everything: readable, not read. So neither side pays here for the size of its own answers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench import client, corpora, processes

LIMIT_SECS = 600.0


class Side(Protocol):
    """What both boards can be asked."""

    @property
    def name(self) -> str: ...
    @property
    def poll_secs(self) -> float: ...
    def start(self, logdir: Path, *, fresh: bool = True) -> tuple[processes.Running, str]: ...
    def check(self, running: processes.Running) -> None: ...
    def probe(self, http: client.Client, corpus: corpora.Corpus) -> Callable[[], bool]: ...
    def unfinished(self, http: client.Client, corpus: corpora.Corpus) -> list[tuple[str, str]]: ...


@dataclass(frozen=True)
class Load:
    """One load, until everything was readable."""

    wall_secs: float
    cpu_secs: float
    peak_anon_bytes: int


class Moment:
    """The figures of a running board, taken just before each question."""

    def __init__(self, running: processes.Running, question: Callable[[], bool]) -> None:
        self._running, self._question = running, question
        self.load = Load(0.0, 0.0, 0)

    def ask(self) -> bool:
        running = self._running
        self.load = Load(running.elapsed_secs(), running.cpu_secs(), running.peak_anon_bytes)
        return self._question()


def wait_for_all(side: Side, running: processes.Running, http: client.Client, corpus: corpora.Corpus) -> Load | None:
    """Block until everything is readable; None when the limit passes first."""
    moment = Moment(running, side.probe(http, corpus))
    while client.wait_until(moment.ask, every_secs=side.poll_secs, limit_secs=LIMIT_SECS - running.elapsed_secs()):
        side.check(running)
        if not side.unfinished(http, corpus):
            return moment.load
        time.sleep(side.poll_secs)
    return None


def warm(logdir: Path) -> int:
    """Read every file once, so that both sides find them in the page cache; how many bytes there are."""
    total = 0
    for path in sorted(logdir.rglob("*tfevents*")):
        with path.open("rb", buffering=0) as file:
            while chunk := file.read(1 << 20):
                total += len(chunk)
    return total
