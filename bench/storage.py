"""Measurements of logs in a bucket: SeaweedFS on this machine, whose work takes cores from both boards.

TensorBoard reads buckets through boto3, without its fast loader.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from bench import bucket, corpora, live, records, setup
from bench.report import Row

INTERVAL_SECS = 1.0  # --reload_interval of the live measurement
LATE_SECS = 0.5  # allowed after the interval
START_SECS = 0.5  # allowed for a second start besides its listing


def buckets(conditions: setup.Setup) -> Iterator[Row]:
    """Load from a bucket and from local files, count requests, start again, replace an object."""
    with bucket.running(conditions.root / "seaweedfs") as store:
        yield from _million(conditions, store)
        for corpus in conditions.scaled(corpora.LONG, corpora.WIDE_SIMPLE):
            yield from _ten_million(conditions, store, corpus)
        yield from _many_objects(conditions, store)
        yield from _replaced(conditions, store)


def _million(conditions: setup.Setup, store: bucket.Bucket) -> Iterator[Row]:
    (corpus,) = conditions.scaled(corpora.MILLION)
    address = store.fill(conditions.logdir(corpus), corpus.directory_name)
    sides: list[setup.Side] = [conditions.lightboard.elsewhere(store.environment)]
    if conditions.tensorboard is not None:
        sides.insert(0, conditions.tensorboard.elsewhere(store.environment))
    best = setup.load(conditions, corpus, sides=sides, address=address, after=setup.prove(conditions))
    yield from best.rows(f"first load from a bucket, {_shape(corpus)}", bar="≥ 20 ×")


def _ten_million(conditions: setup.Setup, store: bucket.Bucket, corpus: corpora.Corpus) -> Iterator[Row]:
    address = store.fill(conditions.logdir(corpus), corpus.directory_name)
    ours = conditions.lightboard.elsewhere(store.environment)
    local = remote = None
    for attempt in range(conditions.tries):  # in turn, as other work on the machine comes and goes
        proof = setup.prove(conditions) if attempt == conditions.tries - 1 else None
        local = setup.better(local, setup.load(conditions, corpus, sides=[conditions.lightboard], tries=1).lightboard)
        found = setup.load(conditions, corpus, sides=[ours], tries=1, address=address, after=proof)
        remote = setup.better(remote, found.lightboard)
    if local is None or remote is None:
        raise TimeoutError(f"{corpus.name} was not loaded in time")
    work = f"first load from a bucket, {_shape(corpus)}"
    yield from setup.Best(None, remote).rows(work)
    times = remote.wall_secs / local.wall_secs
    yield Row(f"{work}: local files take {local.wall_secs:.2f} s", "times as long", None, times, "≤ 2")
    memory = remote.peak_anon_bytes / local.peak_anon_bytes
    local_mb = local.peak_anon_bytes / 1e6
    yield Row(f"{work}: local files {local_mb:.0f} MB", "times the RssAnon", None, memory, "≤ 1.5")


def _many_objects(conditions: setup.Setup, store: bucket.Bucket) -> Iterator[Row]:
    (corpus,) = conditions.scaled(corpora.RUNS_10K)
    address = store.fill(conditions.logdir(corpus), corpus.directory_name)
    ours = conditions.lightboard.elsewhere(store.environment)
    pages = -(-corpus.runs // 1000)
    for name, fresh, gets in (("first load", True, corpus.runs), ("second start", False, 0)):
        before = store.requests()
        best = setup.load(
            conditions, corpus, sides=[ours], tries=1, fresh=fresh, address=address, after=setup.prove(conditions)
        )
        counts = store.requests() - before
        again = setup.load(conditions, corpus, sides=[ours], fresh=fresh, address=address)
        listed_secs = store.list_secs(corpus.directory_name)
        bar = "≤ 10 s" if fresh else f"≤ {START_SECS + listed_secs:.2f} s"
        work = f"{name} from a bucket, {_shape(corpus)}"
        yield from setup.Best(None, setup.better(best.lightboard, again.lightboard)).rows(work, bar=bar)
        yield Row(work, "GET requests", None, counts["GET"], f"{gets:,}")
        yield Row(work, "LIST requests", None, counts["LIST"], f"{pages} while it loads")


def _replaced(conditions: setup.Setup, store: bucket.Bucket) -> Iterator[Row]:
    """An object is replaced by one with a point more, as writers on buckets do."""
    key = f"live/{live.NAME}"
    content = bytearray(records.file_version(time.time()) + live.point(0))
    store.put(key, bytes(content))

    def append(record: bytes) -> None:
        content.extend(record)
        store.put(key, bytes(content))

    ours = conditions.lightboard.elsewhere(store.environment, "--reload_interval", f"{INTERVAL_SECS:g}")
    found = live.measure_appended(
        ours, f"s3://{bucket.BUCKET}/live", append, flushes=conditions.flushes, longest_secs=2 * INTERVAL_SECS
    )
    work = f"object replaced to client, {found.flushes} times, listed every {INTERVAL_SECS:g} s"
    yield Row(work, "p50 s", None, found.p50_secs)
    yield Row(work, "p95 s", None, found.p95_secs, f"≤ {INTERVAL_SECS + LATE_SECS:g} s")
    yield Row(work, "max s", None, found.max_secs)


def _shape(corpus: corpora.Corpus) -> str:
    return f"{corpus.runs:,} × {corpus.tags} × {corpus.steps:,}"
