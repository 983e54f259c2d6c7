"""Writes a corpus to disk, once; later calls reuse it. Ten million points take a few seconds."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench import corpora, curves, pictures, records, truth

VERSION = 2  # increase it if the bytes change, so that old caches are made again
CHUNK_RECORDS = 400_000  # records held in memory at a time
HISTOGRAM_BUCKETS = 30  # TensorFlow's default

Steps = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]


def make(corpus: corpora.Corpus, root: Path) -> Path:
    """Return the corpus' log directory; write it unless it exists."""
    home = root / corpus.directory_name
    mark = home / "complete"
    spec = json.dumps({"version": VERSION, **asdict(corpus)})
    if mark.exists() and mark.read_text() == spec:
        return corpus.logdir(root)
    shutil.rmtree(home, ignore_errors=True)
    corpus.logdir(root).mkdir(parents=True)
    if corpus.encoding == "simple" and not corpus.spikes and corpus.runs > 10 * corpus.steps:
        found = _write_many_small_runs(corpus, corpus.logdir(root))
    else:
        found = _write_run_by_run(corpus, corpus.logdir(root))
    truth.save(corpus.truth_file(root), found)
    mark.write_text(spec)
    return corpus.logdir(root)


def _write_run_by_run(corpus: corpora.Corpus, logdir: Path) -> truth.Truth:
    """For many points per run: the rows of a batch are the steps of one run, its columns the records of the tags."""
    shape = (corpus.runs, corpus.tags)
    found = truth.Truth(np.zeros(shape, np.uint64), np.zeros(shape, np.uint64), _planted(corpus))
    layout = _layout(corpus)
    for run in range(corpus.runs):
        rng = np.random.default_rng([VERSION, run])
        start = _start(run)
        with open(_event_file(logdir / corpus.run_name(run), start), "wb") as file:
            file.write(records.file_version(start))
            for steps in _step_chunks(corpus):
                wall_times = curves.wall_times(rng, steps, corpus.tags, start=start)
                payloads, values = _payloads(corpus, rng, steps, found.spikes[found.spikes[:, 0] == run])
                first = int(steps[0])
                found.value_sums[run] += truth.value_sum(values, first)
                found.wall_time_sums[run] += truth.wall_time_sum(wall_times, first)
                file.write(_rows(layout, steps, wall_times, payloads).data)
    return found


def _write_many_small_runs(corpus: corpora.Corpus, logdir: Path) -> truth.Truth:
    """For few points per run: the rows of a batch are runs, each row one whole file."""
    layout, steps = _layout(corpus), np.arange(corpus.steps, dtype=np.int64)
    sums: list[tuple[truth.Sums, truth.Sums]] = []
    batch = max(1, CHUNK_RECORDS // (corpus.tags * corpus.steps))
    for first in range(0, corpus.runs, batch):
        runs = range(first, min(first + batch, corpus.runs))
        rng = np.random.default_rng([VERSION, first])
        series = len(runs) * corpus.tags
        values = curves.values(rng, steps, series, corpus.steps).reshape(len(runs), corpus.tags, -1)
        starts = np.array([_start(run) for run in runs])
        wall_times = np.stack([curves.wall_times(rng, steps, corpus.tags, start=start) for start in starts])
        sums.append((truth.value_sum(values), truth.wall_time_sum(wall_times)))
        payload = values.astype("<f4")[..., np.newaxis].view(np.uint8)
        cells = [
            _cells(layout[tag], np.full(len(runs), step), wall_times[:, tag, step], payload[:, tag, step])
            for step, tag in itertools.product(range(corpus.steps), range(corpus.tags))
        ]
        bodies = np.concatenate(cells, axis=1)
        for run, start, body in zip(runs, starts, bodies, strict=True):
            _event_file(logdir / corpus.run_name(run), start).write_bytes(records.file_version(start) + body.tobytes())
    value_sums, wall_time_sums = (np.concatenate(column) for column in zip(*sums, strict=True))
    return truth.Truth(value_sums, wall_time_sums, np.zeros((0, 3), np.int64))


def _payloads(
    corpus: corpora.Corpus, rng: np.random.Generator, steps: Steps, spikes: Steps
) -> tuple[Bytes, npt.NDArray[np.float32]]:
    """Return the varying bytes as [tags, steps, bytes] and their scalars as [tags, steps] (zeros if there are none)."""
    if corpus.encoding == "histogram":
        return _histograms(rng, corpus.tags, len(steps)), np.zeros((corpus.tags, len(steps)), np.float32)
    if corpus.encoding == "image":
        drawn = [np.frombuffer(pictures.png(rng), np.uint8) for _ in range(corpus.tags * len(steps))]
        return np.stack(drawn).reshape(corpus.tags, len(steps), -1), np.zeros((corpus.tags, len(steps)), np.float32)
    values = curves.values(rng, steps, corpus.tags, corpus.steps)
    here = spikes[(spikes[:, 2] >= steps[0]) & (spikes[:, 2] <= steps[-1])]
    values[here[:, 1], here[:, 2] - steps[0]] = curves.SPIKE_VALUE
    return values.astype("<f4")[..., np.newaxis].view(np.uint8), values


def _histograms(rng: np.random.Generator, tags: int, steps: int) -> Bytes:
    """Bell curves that get wider and move."""
    spread = rng.uniform(0.05, 0.5, (tags, 1)) * np.linspace(1, 2, steps)
    centre = rng.uniform(-0.2, 0.2, (tags, 1)) + np.cumsum(rng.normal(0, 0.01, (tags, steps)), axis=1)
    edges = centre[..., None] + spread[..., None] * np.linspace(-4, 4, HISTOGRAM_BUCKETS + 1)
    middle = np.linspace(-4, 4, HISTOGRAM_BUCKETS)
    counts = rng.poisson(2_000 * np.exp(-(middle**2) / 2), (tags, steps, HISTOGRAM_BUCKETS)).astype(np.float64)
    rows = np.stack([edges[..., :-1], edges[..., 1:], counts], axis=-1)
    return np.ascontiguousarray(rows.reshape(tags, steps, -1), "<f8").view(np.uint8)


def _rows(layout: list[records.Value], steps: Steps, wall_times: npt.NDArray[np.float64], payloads: Bytes) -> Bytes:
    """Return one row per step: the records of all tags, one after another."""
    width = records.step_bytes(int(steps[0]))
    sizes = [records.size_bytes(value, width) for value in layout]
    out = np.empty((len(steps), sum(sizes)), np.uint8)
    ends = list(itertools.accumulate(sizes))
    for tag, (value, size, end) in enumerate(zip(layout, sizes, ends, strict=True)):
        part = out[:, end - size : end]
        records.fill(part, value, wall_times=wall_times[tag], steps=steps, payload=payloads[tag])
    return out


def _cells(value: records.Value, steps: Steps, wall_times: npt.NDArray[np.float64], payload: Bytes) -> Bytes:
    """Return the records of one tag at one step, one row per run."""
    out = np.empty((len(steps), records.size_bytes(value, records.step_bytes(int(steps[0])))), np.uint8)
    records.fill(out, value, wall_times=wall_times, steps=steps, payload=payload)
    return out


def _layout(corpus: corpora.Corpus) -> list[records.Value]:
    tags = corpus.tag_names()
    if corpus.encoding == "histogram":
        return [records.histogram_value(tag, HISTOGRAM_BUCKETS) for tag in tags]
    if corpus.encoding == "image":
        size = len(pictures.png(np.random.default_rng(0)))
        return [records.image_value(tag, side_px=pictures.SIDE_PX, png_bytes=size) for tag in tags]
    return [records.tensor_value(tag) if corpus.encoding == "tensor" else records.simple_value(tag) for tag in tags]


def _step_chunks(corpus: corpora.Corpus) -> Iterator[Steps]:
    """Split the steps of a run where their varint gets longer, and to limit memory."""
    limit = max(1, CHUNK_RECORDS // corpus.tags)
    cuts = {0, corpus.steps, *range(0, corpus.steps, limit), 1, 1 << 7, 1 << 14, 1 << 21, 1 << 28}
    for first, last in itertools.pairwise(sorted(cut for cut in cuts if cut <= corpus.steps)):
        yield np.arange(first, last, dtype=np.int64)


def _planted(corpus: corpora.Corpus) -> Steps:
    """Return the positions of the spikes: in as many series as possible, far apart within a series, none at an end."""
    if not corpus.spikes:
        return np.zeros((0, 3), np.int64)
    rng = np.random.default_rng([VERSION, corpus.spikes])
    series = corpus.runs * corpus.tags
    chosen = np.resize(rng.permutation(series), corpus.spikes)
    slots = -(-corpus.spikes // series)  # each spike of a series is in the middle of its own slot
    places = (np.arange(corpus.spikes) // series + rng.uniform(0.25, 0.75, corpus.spikes)) / slots
    steps = np.clip((places * corpus.steps).astype(np.int64), 1, corpus.steps - 2)
    return np.stack([chosen // corpus.tags, chosen % corpus.tags, steps], axis=1)


def _start(run: int) -> float:
    return curves.FIRST_WALL_TIME + run * 37.0


def _event_file(run_dir: Path, start: float) -> Path:
    run_dir.mkdir(parents=True, exist_ok=True)
    return run_dir / f"events.out.tfevents.{int(start)}.bench.1.0"
