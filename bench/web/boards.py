"""The two boards for a browser: started and loaded, with the elements of their pages to watch and to click."""

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
    """One board's page. Every method does what a user does with mouse or keyboard, or returns where elements are."""

    name: str
    following: str  # script that runs before the page's own and makes the page follow growing runs

    drawn_script: str  # script that records in window.__drawn when the page reports that it has drawn
    links_zoom: bool  # whether the page can link the zoom of its cards

    def address(self, url: str, *, tags: str = "", every_run: bool = False, linked: bool = False) -> str:
        """Return the address of the page with the charts; `tags` is a regular expression for the tags to show."""
        ...

    async def plots(self, tab: browser.Tab) -> list[pictures.Area]:
        """Return the areas where curves are drawn, card by card."""
        ...

    async def all_runs(self, tab: browser.Tab) -> None:
        """Show every run, if the address does not."""
        ...

    async def smoothing(self, tab: browser.Tab) -> pictures.Area:
        """Return the area of the slider."""
        ...

    async def run_list(self, tab: browser.Tab) -> list[pictures.Area]:
        """Return the areas of the run list, without the filter box."""
        ...

    async def focus_run_filter(self, tab: browser.Tab) -> None: ...
    async def run_switch(self, tab: browser.Tab, index: int) -> tuple[float, float]:
        """Return where to click to show or hide one of the visible runs of the list."""
        ...

    def kind_address(self, url: str, kind: str) -> str:
        """Return the address of the page of a kind: "images", "histograms"."""
        ...

    async def kind_areas(self, tab: browser.Tab, kind: str) -> list[pictures.Area]:
        """Return the areas where its images or histograms are shown, card by card."""
        ...

    async def tag_list(self, tab: browser.Tab) -> pictures.Area:
        """Return the scrollable area with all tags."""
        ...


@dataclass(frozen=True)
class Conditions:
    """The input of every measurement."""

    chromium: browser.Chromium
    root: Path
    sides: dict[str, tensorboard_side.Side | lightboard_side.Side]
    pages: dict[str, Page]
    tries: int = 3
    flushes: int = 30
    quiet_secs: float = 0.0
    scale: float = 1.0

    def corpus(self, whole: corpora.Corpus) -> tuple[corpora.Corpus, Path]:
        """Return a scaled corpus and its log directory, written and read into the page cache before boards start."""
        chosen = corpora.scaled(whole, self.scale) if self.scale != 1 else whole
        logdir = generator.make(chosen, self.root)
        loads.warm(logdir)
        return chosen, logdir

    @contextlib.contextmanager
    def board(self, name: str, logdir: Path, corpus: corpora.Corpus | None = None) -> Iterator[str]:
        """Start a board, wait until it has read everything, and yield its address."""
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
