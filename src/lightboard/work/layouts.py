"""Laying out an embedding in two or three dimensions: background jobs that run while a page polls them.

    waiting ─▶ running ⇄ paused
                  └────▶ done · stopped · failed         stopped and done t-SNE jobs may be resumed

A job's work is a generator (`projector_methods`) that yields after every short piece of work; the job's own thread
runs it and checks in between whether to pause, shake or end. The coordinates computed so far can be read at any
time. A job that no page has polled for a while ends: the page was closed. Closing the board ends all jobs.
"""

from __future__ import annotations

import collections
import dataclasses
import logging
import os
import threading
import time
from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store
from lightboard.query.projector import metadata as projector_metadata
from lightboard.query.projector import methods as projector_methods
from lightboard.query.projector import sources as projector_sources

log = logging.getLogger("lightboard")

State = Literal["waiting", "running", "paused", "done", "stopped", "failed"]
Action = Literal["pause", "resume", "perturb", "stop"]

# A page polls about every second; a background tab at least every minute.
IDLE_SECS = 75.0
# How long a closing board waits for jobs, out of its 0.8 s. Most jobs end in time; the others are daemon threads.
CLOSE_SECS = 0.2
MOST_RUNNING = 2
MOST_KEPT = 12
# The limit for the coordinates of jobs that have ended.
KEPT_BYTES = 256 << 20


@dataclasses.dataclass(frozen=True, kw_only=True)
class Status:
    """How a layout is doing. Rows that are not finite have NaN for coordinates."""

    id: str
    run: str
    name: str
    method: str
    dims: int
    state: State
    phase: str  # reading, components, neighbors, layout
    progress: float  # of the phase, 0 to 1; of a layout without an end, of the iterations asked for
    iteration: int
    iterations: int  # how many were asked for; 0: the method has none
    version: int  # grows with every new set of coordinates
    rows: int
    left_out: int  # rows that are not finite
    components: int  # columns that `axes` may choose from
    shares: list[float]  # of the variance, for each component (PCA)
    seconds: float
    problem: errors.Explanation | None


_NO_MEMORY = errors.Explanation("there is not enough memory for this many points", code="layout.no_memory")
_DEFECT = errors.Explanation("an internal error, see the server's log", code="server.defect")


class _Ended(Exception):
    """The job was stopped, or no client polls it any more."""


class Job:
    """State: everything is changed under `_changed`; `coordinates` is replaced as a whole, never modified."""

    def __init__(
        self, source: store.Store, entry: projector_sources.Entry, question: projector_methods.Question
    ) -> None:
        self.id = os.urandom(8).hex()
        self.question = question
        self.state: State = "waiting"
        self.phase, self.progress, self.iteration = "reading", 0.0, 0
        self.iterations = 0
        self.version = 0
        self.coordinates: NDArray[np.float32] | None = None
        self.shares: list[float] = []
        self.rows = self.left_out = 0
        self.problem: errors.Explanation | None = None
        self.asked = time.monotonic()
        self._source, self._entry = source, entry
        self._thread: threading.Thread | None = None  # the thread that was started last
        self._changed = threading.Condition()
        self._seconds = 0.0
        self._began: float | None = None
        self._wish: Literal["", "pause", "stop"] = ""
        self._control = projector_methods.Control(tick=self._tick)
        self._work: Iterator[projector_methods.Update] | None = None
        self._driven = False  # a thread is running

    # ---- requests

    def status(self) -> Status:
        with self._changed:
            shown = self.coordinates
            running = time.monotonic() - self._began if self._began is not None else 0.0
            return Status(
                id=self.id,
                run=self.question.run,
                name=self.question.name,
                method=self.question.method,
                dims=self.question.dims,
                state=self.state,
                phase=self.phase,
                progress=self.progress,
                iteration=self.iteration,
                iterations=self.iterations,
                version=self.version,
                rows=self.rows,
                left_out=self.left_out,
                components=0 if shown is None else shown.shape[1],
                shares=self.shares,
                seconds=self._seconds + running,
                problem=self.problem,
            )

    def snapshot(self, since: int, wait_secs: float) -> tuple[Status, NDArray[np.float32] | None]:
        """Return the status and, if they are newer than `since`, the coordinates; waits up to `wait_secs` for a
        change."""
        with self._changed:
            self.asked = time.monotonic()
            if wait_secs > 0:
                self._changed.wait_for(
                    lambda: self.version > since or self.state not in ("waiting", "running"), wait_secs
                )
            self.asked = time.monotonic()
            return self.status(), self.coordinates if self.version > since else None

    def act(self, action: Action) -> None:
        with self._changed:
            self.asked = time.monotonic()
            if action == "pause" and self.state in ("waiting", "running"):
                self._wish = "pause"
            elif action == "stop" and self.state in ("waiting", "running", "paused"):
                self._wish = "stop"
            elif action == "perturb":
                self._control.shake = True
                self._go_on()
            elif action == "resume":
                self._go_on()
            self._changed.notify_all()

    def _go_on(self) -> None:
        """Resume after a pause, or, for a method without an end, after the requested iterations."""
        self._wish = ""
        if self.state in ("done", "stopped") and self._work is not None and self.question.method == "tsne":
            if self.state == "done":
                self.iterations += self.question.iterations or projector_methods.TSNE_ITERATIONS
            self.state = "waiting"

    def wait(self, timeout_secs: float | None = None) -> Status:
        """Wait until the job has ended; for scripts and tests."""
        with self._changed:
            self._changed.wait_for(lambda: self.state in ("done", "stopped", "failed"), timeout_secs)
        return self.status()

    @property
    def kept_bytes(self) -> int:
        return 0 if self.coordinates is None else int(self.coordinates.nbytes)

    # ---- the thread

    def start(self, places: threading.Semaphore) -> None:
        """Start a thread, unless one is running or there is nothing to do."""
        with self._changed:
            if self._driven or self.state != "waiting":
                return
            self._driven = True
            self._thread = threading.Thread(target=self._drive, args=(places,), name="lightboard-layout", daemon=True)
        self._thread.start()

    def join(self, timeout_secs: float) -> None:
        with self._changed:
            thread = self._thread
        if thread is not None and thread.ident is not None:
            thread.join(timeout_secs)

    def _drive(self, places: threading.Semaphore) -> None:
        try:
            while not places.acquire(timeout=0.2):
                self._look()
            try:
                self._run()
            finally:
                places.release()
        except _Ended:
            self._end("stopped")
        except errors.LightboardError as error:
            self._end("failed", error.explanation())
        except MemoryError:
            self._end("failed", _NO_MEMORY)
        except Exception:
            log.exception("laying out an embedding failed")
            self._end("failed", _DEFECT)

    def _run(self) -> None:
        with self._changed:
            self.state, self._began = "running", time.monotonic()
            self._changed.notify_all()
        if self._work is None:
            self._work = projector_methods.work(self._source, self._entry, self.question, self._control)
        for update in self._work:
            self._take(update)
            if update.finished or (self.iterations and self.iteration >= self.iterations):
                break
            self._look()
        self._end("done")

    def _take(self, update: projector_methods.Update) -> None:
        with self._changed:
            self.phase, self.progress = update.phase, update.progress
            self.iteration = update.iteration
            self.iterations = self.iterations or update.iterations
            self.rows, self.left_out = update.rows, update.left_out
            if self.iterations and update.phase == "layout":
                self.progress = min(1.0, self.iteration / self.iterations)
            if update.shares is not None:
                self.shares = update.shares
            if update.coordinates is not None:
                self.coordinates = update.coordinates
                self.version += 1
            self._changed.notify_all()

    def _tick(self, progress: float) -> None:
        self.progress = progress
        self._look()

    def _look(self) -> None:
        """Between two pieces of work: wait while paused; raise when stopped or no longer polled."""
        with self._changed:
            while True:
                if self._wish == "stop" or time.monotonic() - self.asked > IDLE_SECS:
                    raise _Ended
                if self._wish != "pause":
                    break
                if self.state != "paused":
                    self._rest("paused")
                self._changed.wait(1.0)
            if self.state == "paused":
                self.state, self._began = "running", time.monotonic()

    def _rest(self, state: State) -> None:
        self.state = state
        if self._began is not None:
            self._seconds += time.monotonic() - self._began
            self._began = None
        self._changed.notify_all()

    def _end(self, state: State, problem: errors.Explanation | None = None) -> None:
        with self._changed:
            self.problem = problem
            if state == "done":
                self.progress = 1.0
            if self.question.method != "tsne" or state == "failed" or self.phase != "layout":
                self._work = None  # frees its memory
            self._driven = False
            self._rest(state)


class Layouts:
    """The jobs of one board. State: `_jobs` and `_closed` are changed under `_lock`, which is taken before any job's
    own lock."""

    def __init__(self, source: store.Store) -> None:
        self._source = source
        self._closed = False
        self._lock = threading.Lock()
        self._jobs: collections.OrderedDict[str, Job] = collections.OrderedDict()
        self._places = threading.Semaphore(MOST_RUNNING)

    def begin(self, entry: projector_sources.Entry, question: projector_methods.Question) -> Job:
        """Start a job. `entry` is the embedding that the question names."""
        where = projector_sources.locate(entry)  # report errors immediately
        if question.supervise > 0 and question.method in ("umap", "tsne") and not question.label:
            raise errors.BadQuestion("`supervise` needs the column of labels", hint="name it as `label`")
        if question.label or question.method == "custom":
            projector_metadata.table(self._source, entry)
        question = dataclasses.replace(question, key=where.key)
        with self._lock:
            if self._closed:
                raise errors.Gone("the board is stopping", code="board.stopping")
            if question.method in ("pca", "custom"):  # fast and deterministic: reuse the job
                for job in self._jobs.values():
                    if job.question == question and job.state in ("waiting", "running", "done"):
                        job.asked = time.monotonic()
                        return job
            job = Job(self._source, entry, question)
            self._jobs[job.id] = job
            self._tidy()
        job.start(self._places)
        return job

    def get(self, id: str) -> Job:
        with self._lock:
            job = self._jobs.get(id)
            if job is None:
                raise errors.NotFound("there is no such layout any more", hint="ask for it again", code="layout.gone")
            self._jobs.move_to_end(id)
            return job

    def act(self, id: str, action: Action) -> Job:
        job = self.get(id)
        job.act(action)
        job.start(self._places)
        return job

    def drop(self, id: str) -> None:
        job = self.get(id)
        job.act("stop")
        with self._lock:
            self._jobs.pop(id, None)

    def close(self, timeout_secs: float = CLOSE_SECS) -> None:
        """Stop all jobs and wait for their threads, with a timeout: a job that reads a large file stops later."""
        with self._lock:
            self._closed = True
            jobs = list(self._jobs.values())
            self._jobs.clear()
        for job in jobs:
            job.act("stop")
        deadline = time.monotonic() + timeout_secs
        for job in jobs:
            job.join(max(0.0, deadline - time.monotonic()))

    def _tidy(self) -> None:
        """Remove the least recently polled jobs first; running jobs are stopped only if there are too many."""
        while len(self._jobs) > MOST_KEPT or (self._kept_bytes() > KEPT_BYTES and len(self._jobs) > 1):
            ended = [job for job in self._jobs.values() if job.state in ("done", "stopped", "failed")]
            job = ended[0] if ended else next(iter(self._jobs.values()))
            if job is next(reversed(self._jobs.values())):
                return
            job.act("stop")
            del self._jobs[job.id]

    def _kept_bytes(self) -> int:
        return sum(job.kept_bytes for job in self._jobs.values())
