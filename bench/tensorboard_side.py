"""TensorBoard: how to start it, send requests and detect that it has read everything.

It uses its fast loader, otherwise its defaults. Its scalar responses are samples of 1,000 points per series that always
include the last one, so only "the last step is present" can be checked.
"""

from __future__ import annotations

import contextlib
import json
import random
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from http.client import HTTPException
from pathlib import Path
from urllib.parse import urlencode

from bench import client, corpora, curves, live, processes, truth

NAME = "tensorboard"
PROBED_RUNS = 30
EXPERIMENT = "/experiment/defaultExperimentId"


class Side:
    """One installed TensorBoard, started from its own environment."""

    name = NAME
    answer_counts = False
    poll_secs = 0.05  # each request takes it about 4 ms

    def __init__(self, command: Path, *, log: Path, environment: Mapping[str, str] | None = None) -> None:
        self._command, self._log, self._environment = command, log, environment

    def elsewhere(self, environment: Mapping[str, str]) -> Side:
        """Return the same program on a bucket: its fast loader reads none, so it uses the other one."""
        return Side(self._command, log=self._log, environment=environment)

    def start(self, logdir: Path | str, *, fresh: bool = True) -> tuple[processes.Running, str]:
        """Start a board; return it and its address. It keeps nothing between starts, so each one is fresh."""
        del fresh
        port = _free_port()
        command = [str(self._command), "--logdir", str(logdir), "--host", "127.0.0.1", "--port", str(port)]
        command += ["--load_fast", "true" if self._environment is None else "false"]
        return processes.Running(command, log=self._log, environment=self._environment), f"http://127.0.0.1:{port}"

    def check(self, running: processes.Running) -> None:
        """Raise unless the fast loader is running, where there is one."""
        if self._environment is None and not any(
            "tensorboard_data_server" in program for program in running.programs()
        ):
            raise RuntimeError(f"TensorBoard runs without its data server; see {self._log}")

    def series_count(self, http: client.Client, kind: str) -> int:
        """Return how many (run, tag) pairs of a kind are listed."""
        listed = http.get_json(f"{EXPERIMENT}/data/plugin/timeseries/tags")[kind]
        if "runTagInfo" in listed:
            return sum(map(len, listed["runTagInfo"].values()))
        return sum(map(len, listed["tagRunSampledInfo"].values()))

    def probe(self, http: client.Client, corpus: corpora.Corpus) -> Callable[[], bool]:
        """Return a cheap check that is repeated until everything seems to be read.

        Some random runs must have their last step, each requested until it has; then every series must be listed. A run
        is listed once it has been read completely (or for 5 s), so this is nearly a proof; `unfinished` proves it.
        """
        runs, tag = corpus.run_names(), corpus.tag_names()[-1]
        waiting = random.Random(0).sample(runs, min(PROBED_RUNS, len(runs)))

        def seems_complete() -> bool:
            while waiting:
                if last_step(http, corpus, waiting[-1], tag) != corpus.steps - 1:
                    return False
                waiting.pop()
            return self.series_count(http, kind_of(corpus)) == corpus.runs * corpus.tags

        return seems_complete

    def unfinished(self, http: client.Client, corpus: corpora.Corpus) -> list[tuple[str, str]]:
        return unfinished(http, corpus)

    def chart_request(self, corpus: corpora.Corpus, tag: str) -> client.Request:
        """Return the request that its page sends to draw one chart of all runs."""
        del corpus
        return chart_request(tag)

    def watch(self, url: str, run: str, tag: str, *, seen: live.Seen, ended: threading.Event) -> None:
        """Poll the last step: TensorBoard pushes nothing."""
        http = client.Client(url)
        path = "/data/plugin/scalars/scalars?" + urlencode({"run": run, "tag": tag})
        while not ended.wait(self.poll_secs):
            with contextlib.suppress(OSError, HTTPException):
                answer = http.send(client.Request(path))
                if answer.status == 200:
                    seen(answer.json()[-1][1], time.perf_counter())
        http.close()

    def spikes_found(self, http: client.Client, corpus: corpora.Corpus, known: truth.Truth) -> int:
        """Return how many planted spikes are among the points it serves."""
        found = 0
        tags, runs = corpus.tag_names(), corpus.run_names()
        for tag_index in sorted(set(known.spikes[:, 1].tolist())):
            series = http.send(chart_request(tags[tag_index])).json()[0]["runToSeries"]
            for run_index, _, step in known.spikes[known.spikes[:, 1] == tag_index]:
                points = series.get(runs[run_index], ())
                found += any(p["step"] == step and p["value"] == curves.SPIKE_VALUE for p in points)
        return found


def unfinished(http: client.Client, corpus: corpora.Corpus) -> list[tuple[str, str]]:
    """Return series of the first tag whose last step cannot be read yet; empty if all have been read."""
    for tag in corpus.tag_names():
        if kind_of(corpus) == "scalars":
            series = http.send(chart_request(tag)).json()[0]["runToSeries"]
            last = {run: _last(series.get(run)) for run in corpus.run_names()}
        else:
            last = {run: last_step(http, corpus, run, tag) for run in corpus.run_names()}
        missing = [(run, tag) for run, step in last.items() if step != corpus.steps - 1]
        if missing:
            return missing
    return []


def last_step(http: client.Client, corpus: corpora.Corpus, run: str, tag: str) -> int | None:
    """Return the last step of one series, None if it is missing."""
    kind = kind_of(corpus)
    if kind == "scalars":
        answer = http.send(client.Request("/data/plugin/scalars/scalars?" + urlencode({"run": run, "tag": tag})))
        return int(answer.json()[-1][1]) if answer.status == 200 else None
    wanted: dict[str, object] = {"plugin": kind, "tag": tag, "run": run}
    if kind == "images":
        wanted["sample"] = 0
    series = http.send(_time_series([wanted])).json()[0].get("runToSeries", {}).get(run)
    return _last(series)


def chart_request(tag: str) -> client.Request:
    """POST timeSeries for one scalar tag over all runs."""
    return _time_series([{"plugin": "scalars", "tag": tag}])


def kind_of(corpus: corpora.Corpus) -> str:
    """Return TensorBoard's name for the kind of a corpus."""
    return {"histogram": "histograms", "image": "images"}.get(corpus.encoding, "scalars")


def _time_series(wanted: Iterable[dict[str, object]]) -> client.Request:
    body = urlencode({"requests": json.dumps(list(wanted))}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded", "X-XSRF-Protected": "1"}
    return client.Request(f"{EXPERIMENT}/data/plugin/timeseries/timeSeries", "POST", body, headers)


def _last(series: list[dict[str, int]] | None) -> int | None:
    return series[-1]["step"] if series else None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
