"""The two boards as a browser meets them: started and loaded, and what to look at and to touch in their pages."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench import client, corpora, generator, lightboard_side, loads, processes, tensorboard_side
from bench.web import browser, pictures

LOAD_LIMIT_SECS = 300.0


class Page(Protocol):
    """One board's page. Every method does what a person would do with mouse or keyboard, or asks where things are."""

    name: str
    following: str  # script that runs before the page's own and lets it follow growing runs by itself

    drawn_script: str  # script that notes in window.__drawn when the page says that it has drawn, if it does
    links_zoom: bool  # whether cards can be told to zoom together

    def address(self, url: str, *, tags: str = "", every_run: bool = False, linked: bool = False) -> str:
        """Of the page with the charts; `tags` is a regular expression for those to be shown."""
        ...

    async def plots(self, tab: browser.Tab) -> list[pictures.Area]:
        """Where curves are drawn, card by card."""
        ...

    async def all_runs(self, tab: browser.Tab) -> None:
        """Show every run, if the address did not."""
        ...

    async def smoothing(self, tab: browser.Tab) -> pictures.Area:
        """The slider."""
        ...

    async def run_list(self, tab: browser.Tab) -> list[pictures.Area]:
        """The part of the page that lists runs, without the box to filter them."""
        ...

    async def focus_run_filter(self, tab: browser.Tab) -> None: ...
    async def run_switch(self, tab: browser.Tab, index: int) -> tuple[float, float]:
        """Where to click to show or hide one of the runs that the list shows."""
        ...

    def kind_address(self, url: str, kind: str) -> str:
        """Of the page of a kind: "images", "histograms"."""
        ...

    async def kind_areas(self, tab: browser.Tab, kind: str) -> list[pictures.Area]:
        """Where its pictures or histograms are shown, card by card."""
        ...

    async def tag_list(self, tab: browser.Tab) -> pictures.Area:
        """The part of the page that scrolls through all tags."""
        ...


@dataclass(frozen=True)
class Conditions:
    """What every measurement gets: browser, boards, pages and how often to measure."""

    chromium: browser.Chromium
    root: Path
    sides: dict[str, tensorboard_side.Side | lightboard_side.Side]
    pages: dict[str, Page]
    tries: int = 3
    flushes: int = 30
    quiet_secs: float = 0.0
    scale: float = 1.0

    def corpus(self, whole: corpora.Corpus) -> tuple[corpora.Corpus, Path]:
        """A corpus at this scale and its log directory, made and read into the page cache before any board starts."""
        chosen = corpora.scaled(whole, self.scale) if self.scale != 1 else whole
        logdir = generator.make(chosen, self.root)
        loads.warm(logdir)
        return chosen, logdir

    @contextlib.contextmanager
    def board(self, name: str, logdir: Path, corpus: corpora.Corpus | None = None) -> Iterator[str]:
        """The address of a started board that has read everything."""
        with self.measured_board(name, logdir, corpus) as (url, _):
            yield url

    @contextlib.contextmanager
    def measured_board(
        self, name: str, logdir: Path, corpus: corpora.Corpus | None = None
    ) -> Iterator[tuple[str, processes.Running]]:
        """The same, with its processes."""
        side = self.sides[name]
        running, url = side.start(logdir, fresh=False)
        with running, contextlib.closing(client.Client(url)) as http:
            if corpus is None:
                ready = client.wait_until(lambda: _answers(http), every_secs=0.05, limit_secs=LOAD_LIMIT_SECS)
            else:
                probe = side.probe(http, corpus)
                ready = client.wait_until(probe, every_secs=0.2, limit_secs=LOAD_LIMIT_SECS)
            if not ready:
                raise RuntimeError(f"{name} did not load {logdir.parent.name} within {LOAD_LIMIT_SECS:g} s")
            side.check(running)
            http.close()
            yield url, running


def _answers(http: client.Client) -> bool:
    return http.send(client.Request("/")).status == 200
