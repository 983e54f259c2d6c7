"""Measurements of loading: first loads, second starts, many runs, other kinds."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench import client, corpora, loads, quiet, setup, truth
from bench.report import Row


def first_loads(conditions: setup.Setup) -> Iterator[Row]:
    """Load ten million points in three shapes; check that we keep them all, and find the planted spikes."""
    for corpus in conditions.scaled(corpora.WIDE_SIMPLE, corpora.WIDE_TENSOR, corpora.LONG):
        shape, spikes = _shape(corpus), dict[str, float]()

        def after(
            side: setup.Side, http: client.Client, made: corpora.Corpus, spikes: dict[str, float] = spikes
        ) -> None:
            known = truth.load(made.truth_file(conditions.root))
            spikes["planted"], spikes[side.name] = len(known.spikes), side.spikes_found(http, made, known)
            setup.prove(conditions)(side, http, made)

        best = setup.load(conditions, corpus, after=after)
        bar = "≥ 9 ×" if corpus.name == corpora.LONG.name else "≥ 6 ×"
        yield from best.rows(f"first load, {shape}", bar=bar, cpu_bar="≥ 6 ×", memory_bar="≥ 1 ×")
        found = spikes.get("tensorboard"), spikes.get("lightboard")
        yield Row(f"spikes returned of {spikes.get('planted')}, {shape}", "spikes", *found, "all", "higher")


def huge_load(conditions: setup.Setup) -> Iterator[Row]:
    """Load a hundred million points, Lightboard only: memory must not grow with them."""
    corpus, smaller = conditions.scaled(corpora.HUGE, corpora.WIDE_SIMPLE)
    best = setup.load(conditions, corpus, sides=[conditions.lightboard], tries=1, after=setup.prove(conditions))
    yield from best.rows(f"first load, {_shape(corpus)}", memory_bar=f"as {_shape(smaller)}")


def reopenings(conditions: setup.Setup) -> Iterator[Row]:
    """Compare a second start, with the index of the first, to a start on an empty log directory."""
    empty = min(_empty_start_secs(conditions) for _ in range(conditions.tries))
    yield Row("start on an empty logdir until loaded", "wall s", None, empty)
    for corpus in conditions.scaled(corpora.WIDE_SIMPLE, corpora.WIDE_TENSOR, corpora.LONG, corpora.RUNS_10K):
        work = f"second start, {_shape(corpus)}"
        setup.load(conditions, corpus, sides=[conditions.lightboard], tries=1)
        best = setup.load(conditions, corpus, sides=[conditions.lightboard], fresh=False, after=setup.prove(conditions))
        if best.lightboard is None:
            raise TimeoutError(f"the second start on {corpus.name} did not end")
        yield from best.rows(work)
        yield Row(f"{work}: more than empty", "wall s", None, best.lightboard.wall_secs - empty, "≤ 0.2")


def many_runs(conditions: setup.Setup) -> Iterator[Row]:
    """Load ten thousand small runs."""
    (corpus,) = conditions.scaled(corpora.RUNS_10K)
    best = setup.load(conditions, corpus, after=setup.prove(conditions))
    yield from best.rows(f"first load, {_shape(corpus)}", bar="≥ 3 ×")


def very_many_runs(conditions: setup.Setup) -> Iterator[Row]:
    """Load, list and filter a hundred thousand small runs."""
    (corpus,) = conditions.scaled(corpora.RUNS_100K)
    answers: list[Row] = []

    def after(side: setup.Side, http: client.Client, corpus: corpora.Corpus) -> None:
        if side is conditions.lightboard:
            answers.extend(_run_lists(http, corpus))
            setup.prove(conditions)(side, http, corpus)

    best = setup.load(conditions, corpus, tries=1, after=after)
    yield from best.rows(f"first load, {_shape(corpus)}", bar="loads")
    yield from answers


def other_kinds(conditions: setup.Setup) -> Iterator[Row]:
    """Load histograms and images; TensorBoard keeps a sample, Lightboard references to all."""
    for corpus in conditions.scaled(corpora.HISTOGRAMS, corpora.IMAGES):
        yield from setup.load(conditions, corpus).rows(f"first load, {corpus.name}, {_shape(corpus)}")


def _empty_start_secs(conditions: setup.Setup) -> float:
    with tempfile.TemporaryDirectory() as empty:
        quiet.wait(conditions.quiet_secs)
        running, url = conditions.lightboard.start(Path(empty))
        with running, contextlib.closing(client.Client(url)) as http:
            moment = loads.Moment(running, conditions.lightboard.empty_probe(http), answer_counts=True)
            client.wait_until(moment.ask, every_secs=conditions.lightboard.poll_secs, limit_secs=loads.LIMIT_SECS)
            return moment.load.wall_secs


def _run_lists(http: client.Client, corpus: corpora.Corpus) -> Iterator[Row]:
    """List and filter all runs, with the number of runs found."""
    first_ten = corpus.run_name(0)[:-1] + r"\d$"
    questions: dict[str, dict[str, Any]] = {
        "the first 100 by name": {"limit": 100},
        "filter by a regex on the name": {"filter": first_ten, "limit": 100},
        "filter by the last value of a tag": {"filter": f'last("{corpus.tag_names()[0]}") < 0.1', "limit": 100},
    }
    for name, asked in questions.items():
        before = time.perf_counter()
        found = http.get_json("/api/runs?" + urlencode(asked))
        secs = time.perf_counter() - before
        yield Row(f"{corpus.runs:,} runs: {name} ({found['total']:,} found)", "wall s", None, secs)


def _shape(corpus: corpora.Corpus) -> str:
    return f"{corpus.runs:,} × {corpus.tags} × {corpus.steps:,}{' tensors' if corpus.encoding == 'tensor' else ''}"
