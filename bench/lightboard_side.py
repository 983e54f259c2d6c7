"""Lightboard: how to start it, send requests, detect that it has read everything, and prove that no point is missing.

Uses only its command line and HTTP API, and `server.frames` to decode binary responses.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import numpy.typing as npt

from bench import client, corpora, curves, live, processes, tensorboard_side, truth
from lightboard.server import frames

NAME = "lightboard"
CHART_WIDTH_PX = 800
PROOF_POINTS = 2_000_000  # per request


class Side:
    """One installed Lightboard with its own index directory."""

    name = NAME
    answer_counts = True
    poll_secs = 0.01

    def __init__(
        self,
        command: Path,
        *,
        index_dir: Path,
        log: Path,
        flags: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._command, self._index_dir, self._log = command, index_dir, log
        self._flags, self._environment = flags, environment

    def elsewhere(self, environment: Mapping[str, str], *flags: str) -> Side:
        """Return the same program with other variables and flags."""
        return Side(self._command, index_dir=self._index_dir, log=self._log, flags=flags, environment=environment)

    def start(self, logdir: Path | str, *, fresh: bool = True) -> tuple[processes.Running, str]:
        """Start a board and return it with its address; `fresh` deletes the index of earlier starts."""
        if fresh:
            shutil.rmtree(self._index_dir, ignore_errors=True)
        command = [str(self._command), "--logdir", str(logdir), "--port", "0", "--index_dir", str(self._index_dir)]
        running = processes.Running([*command, *self._flags], log=self._log, environment=self._environment)
        return running, _address(running, self._log)

    def check(self, running: processes.Running) -> None:
        """Raise if the process has ended."""
        if running.process.poll() is not None:
            raise RuntimeError(f"Lightboard ended; see {self._log}")

    def probe(self, http: client.Client, corpus: corpora.Corpus) -> Callable[[], bool]:
        """Return a check that compares the board's own counts with the corpus."""

        def seems_complete() -> bool:
            board = http.get_json("/api/board")
            counts = board["counts"]
            series = corpus.runs * corpus.tags
            return bool(board["progress"]["done"]) and counts["series"] == series and counts["points"] == corpus.points

        return seems_complete

    def empty_probe(self, http: client.Client) -> Callable[[], bool]:
        """The same check on an empty log directory."""
        return lambda: bool(http.get_json("/api/board")["progress"]["done"])

    def unfinished(self, http: client.Client, corpus: corpora.Corpus) -> list[tuple[str, str]]:
        """Return series whose last step or number of points differs from the corpus; empty if all have been read."""
        if tensorboard_side.kind_of(corpus) != "scalars":
            return tensorboard_side.unfinished(http, corpus)
        missing = []
        for tag in corpus.tag_names():
            table = http.get_json("/api/table?" + urlencode({"tag": tag}))
            cells = table["tags"].get(tag, {"last_step": [], "points": []})
            found = dict(zip(table["run"], zip(cells["last_step"], cells["points"], strict=True), strict=True))
            right = (corpus.steps - 1, corpus.steps)
            missing += [(run, tag) for run in corpus.run_names() if found.get(run) != right]
        return missing

    def chart_request(self, corpus: corpora.Corpus, tag: str, *, smoothing: str = "") -> client.Request:
        """Return the request that the page sends to draw one chart of all runs."""
        del corpus
        asked = {"tag": tag, "width": CHART_WIDTH_PX, "encoding": "pixels"}
        if smoothing:
            asked["smoothing"] = smoothing
        return client.Request("/api/scalars?" + urlencode(asked))

    def spikes_found(self, http: client.Client, corpus: corpora.Corpus, known: truth.Truth) -> int:
        """Return how many planted spikes are among the points of charts of 800 pixels."""
        found = 0
        tags, runs = corpus.tag_names(), corpus.run_names()
        for tag_index in sorted(set(known.spikes[:, 1].tolist())):
            asked = {"tag": tags[tag_index], "width": CHART_WIDTH_PX}
            series = {run: (steps, values) for run, steps, _, values in _series(http, asked)}
            for run_index, _, step in known.spikes[known.spikes[:, 1] == tag_index]:
                steps, values = series[runs[run_index]]
                found += bool((values[steps == step] == curves.SPIKE_VALUE).any())
        return found

    def prove(self, http: client.Client, corpus: corpora.Corpus, known: truth.Truth) -> int:
        """Read every point and compare it with the corpus; return their number. Raises on any difference."""
        count = 0
        names, expected_steps = corpus.run_names(), np.arange(corpus.steps)
        batch = max(1, PROOF_POINTS // corpus.steps)
        for tag_index, tag in enumerate(corpus.tag_names()):
            for first in range(0, corpus.runs, batch):
                wanted = names[first : first + batch]
                asked: dict[str, object] = {"tag": tag, "width": 0}
                if len(wanted) < len(names):
                    asked["run"] = wanted
                found = {run: columns for run, *columns in _series(http, asked)}
                for run_index, run in enumerate(wanted, first):
                    steps, wall_times, values = found[run]
                    right = (
                        np.array_equal(steps, expected_steps)
                        and truth.value_sum(values) == known.value_sums[run_index, tag_index]
                        and truth.wall_time_sum(wall_times) == known.wall_time_sums[run_index, tag_index]
                    )
                    if not right:
                        raise RuntimeError(f"points differ from what was written: {run} {tag}")
                    count += len(steps)
        return count

    def watch(self, url: str, run: str, tag: str, *, seen: live.Seen, ended: threading.Event) -> None:
        """Listen to server-sent events; points that a message announces must be readable when it arrives."""
        http_client = client.Client(url)
        for message, arrived in _messages(url):
            if ended.is_set():
                break
            changed = message["tags"].get("scalars", [])
            if changed == "all" or tag in changed:
                table = http_client.get_json("/api/table?" + urlencode({"tag": tag, "run": run}))
                if table["run"]:
                    seen(table["tags"][tag]["last_step"][0], arrived)
        http_client.close()


def _address(running: processes.Running, log: Path) -> str:
    """Return the URL in the line that a starting board prints."""
    assert running.process.stdout is not None
    line = running.process.stdout.readline().decode()
    words = [word for word in line.split() if word.startswith("http://")]
    if not words:
        running.stop()
        raise RuntimeError(f"Lightboard printed no address: {line!r}; see {log}")
    return words[0].rstrip("/")


def _series(
    http: client.Client, asked: dict[str, Any]
) -> Iterator[tuple[str, npt.NDArray[Any], npt.NDArray[Any], Any]]:
    """Yield (run, steps, wall times, values) of a response with exact points."""
    body = json.dumps(asked).encode()
    answer = http.send(client.Request("/api/scalars", "POST", body, {"Content-Type": "application/json"}))
    if answer.status != 200:
        raise RuntimeError(f"status {answer.status}: {answer.body[:300]!r}")
    header, arrays = frames.decode(answer.body)
    ends = np.cumsum(header["kept"])
    for position, kept, end in zip(header["exact"], header["kept"], ends.tolist(), strict=True):
        part = slice(end - kept, end)
        run = header["runs"][header["run"][position]]
        yield run, arrays["step"][part], arrays["wall_time"][part], arrays["value"][part]


def _messages(url: str) -> Iterator[tuple[dict[str, Any], float]]:
    """Yield server-sent events as (decoded data, time of arrival) until the board closes the stream."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=client.TIMEOUT_SECS)
    connection.request("GET", "/api/events")
    response = connection.getresponse()
    data = b""
    with contextlib.suppress(OSError, http.client.HTTPException):
        while line := response.readline():
            if line.startswith(b"data:"):
                data += line[5:].strip()
            elif not line.strip() and data:
                yield json.loads(data), time.perf_counter()
                data = b""
    connection.close()
