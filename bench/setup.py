"""The setup of measurements: sides alternate on the same files, and the best of several tries is used."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bench import client, corpora, generator, lightboard_side, loads, quiet, report, tensorboard_side, truth

Side = tensorboard_side.Side | lightboard_side.Side
After = Callable[[Side, client.Client, corpora.Corpus], None]


@dataclass(frozen=True)
class Setup:
    """`tensorboard` is optional; all other measurements run without it."""

    root: Path
    lightboard: lightboard_side.Side
    tensorboard: tensorboard_side.Side | None
    tries: int = 3
    scale: float = 1.0
    flushes: int = 60
    quiet_secs: float = 0.0  # wait at most this long for a quiet machine before each start

    @property
    def sides(self) -> list[Side]:
        return [self.lightboard] if self.tensorboard is None else [self.tensorboard, self.lightboard]

    def scaled(self, *chosen: corpora.Corpus) -> list[corpora.Corpus]:
        """Return the corpora at this setup's scale."""
        return [corpora.scaled(corpus, self.scale) if self.scale != 1 else corpus for corpus in chosen]

    def logdir(self, corpus: corpora.Corpus) -> Path:
        """Return the corpus' log directory, written and read into the page cache."""
        logdir = generator.make(corpus, self.root)
        loads.warm(logdir)
        return logdir


@dataclass(frozen=True)
class Best:
    """The best of the tries on each side: least wall time, least CPU time, but the highest peak memory."""

    tensorboard: loads.Load | None
    lightboard: loads.Load | None
    failed: tuple[str, ...] = ()  # sides that did not finish in time in any try

    def rows(self, work: str, *, bar: str = "", cpu_bar: str = "", memory_bar: str = "") -> Iterator[report.Row]:
        """Yield rows for wall time, CPU time and memory."""
        yield self._row(work, "wall s", lambda load: load.wall_secs, bar)
        yield self._row(work, "CPU s", lambda load: load.cpu_secs, cpu_bar)
        yield self._row(work, "peak RssAnon MB", lambda load: load.peak_anon_bytes / 1e6, memory_bar)

    def _row(self, work: str, unit: str, of: Callable[[loads.Load], float], bar: str) -> report.Row:
        theirs, ours = (None if load is None else of(load) for load in (self.tensorboard, self.lightboard))
        return report.Row(work, unit, theirs, ours, bar, failed=self.failed)


def load(
    setup: Setup,
    corpus: corpora.Corpus,
    *,
    sides: list[Side] | None = None,
    tries: int | None = None,
    fresh: bool = True,
    after: After | None = None,
    address: str = "",
) -> Best:
    """Load a corpus on the sides in turn; `after` is called once per side, on its last loaded board. `address` is where
    the corpus lies if not in its directory.
    """
    logdir = address or setup.logdir(corpus)
    best: dict[str, loads.Load | None] = {}
    attempts = tries or setup.tries
    for attempt in range(attempts):
        for side in sides or setup.sides:
            quiet.wait(setup.quiet_secs)
            running, url = side.start(logdir, fresh=fresh)
            with running, contextlib.closing(client.Client(url)) as http:
                found = loads.wait_for_all(side, running, http, corpus)
                best[side.name] = found if attempt == 0 else better(best[side.name], found)
                say(f"{corpus.directory_name} {side.name}: {found}")
                if after is not None and attempt == attempts - 1 and found is not None:
                    after(side, http, corpus)
    failed = tuple(name for name, found in best.items() if found is None)
    return Best(best.get("tensorboard"), best.get("lightboard"), failed)


@contextlib.contextmanager
def loaded(side: Side, logdir: Path, corpus: corpora.Corpus) -> Iterator[client.Client]:
    """Yield a client of a board that has read everything."""
    running, url = side.start(logdir)
    with running, contextlib.closing(client.Client(url)) as http:
        if loads.wait_for_all(side, running, http, corpus) is None:
            raise TimeoutError(f"{side.name} did not load {corpus.name}")
        yield http


def in_turn(setup: Setup, tries: int, measure: Callable[[Side], float]) -> tuple[float | None, float]:
    """Return the lowest of several tries on each side: TensorBoard's, ours."""
    found: dict[str, list[float]] = {side.name: [] for side in setup.sides}
    for _ in range(tries):
        for side in setup.sides:
            quiet.wait(setup.quiet_secs)
            found[side.name].append(measure(side))
    say(str(found))
    return min(found["tensorboard"]) if "tensorboard" in found else None, min(found["lightboard"])


def prove(setup: Setup) -> After:
    """Check that Lightboard returns every point as it was written; TensorBoard keeps a sample and is not checked."""

    def check(side: Side, http: client.Client, corpus: corpora.Corpus) -> None:
        if isinstance(side, lightboard_side.Side):
            count = side.prove(http, corpus, truth.load(corpus.truth_file(setup.root)))
            if count != corpus.points:
                raise RuntimeError(f"{count} of {corpus.points} points of {corpus.name} came back")
            say(f"{corpus.directory_name} lightboard: all {count:,} points came back as they were written")

    return check


def say(text: str) -> None:
    """Print progress."""
    print(text, file=sys.stderr, flush=True)


def better(one: loads.Load | None, other: loads.Load | None) -> loads.Load | None:
    if one is None or other is None:
        return one or other
    return loads.Load(
        min(one.wall_secs, other.wall_secs),
        min(one.cpu_secs, other.cpu_secs),
        max(one.peak_anon_bytes, other.peak_anon_bytes),
    )
