"""Jobs of a hub.

    for job in lightboard.hub.Job.list(state="Running"):
        print(job.name, job.url)

    with lightboard.hub.Job.register("resnet", logdir="s3://logs/resnet") as job:     in a program that trains
        train(job.logdir)

A `Job` is what the hub last said about it. A program that runs in a cluster registers itself: a thread reports while it
runs, and the end of the block reports how it ended. No hub, or one that is away, never ends the program.
"""

from __future__ import annotations

import builtins
import contextlib
import datetime as dt
import os
import socket
import sys
import threading
import time
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lightboard import errors
from lightboard.client import boards, connections, hub_errors, values
from lightboard.client.requests import BASE, Requests, quoted

if TYPE_CHECKING:
    from lightboard.client import hub as hubs

OPEN = frozenset({"Running", "Stopping", "Lost"})
HOLD_SECS = 25.0
HEARTBEAT_SECS = 10.0
LOG_BYTES = 1 << 20
_VARIABLES = ("LIGHTBOARD_LOGDIR", "PAI_OUTPUT_TENSORBOARD", "TENSORBOARD_LOGDIR")


class Job:
    """State: `data`, the hub's last answer; `Job.register` also has a thread that reports."""

    def __init__(self, job_id: str, session: hubs.Hub | None = None) -> None:
        """Attaches to a job by its id. Raises NotFound."""
        found = _session(session).jobs.get(job_id)
        self._requests: Requests = found._requests
        self.data: dict[str, Any] = found.data
        self._reporter: _Reporter | None = None

    @classmethod
    def _of(cls, requests: Requests, data: Mapping[str, Any]) -> Job:
        made = cls.__new__(cls)
        made._requests, made.data, made._reporter = requests, dict(data), None
        return made

    def __repr__(self) -> str:
        return f"<Job {self.name!r} {self.id} {self.state}{f' ({self.reason})' if self.reason else ''}>"

    @classmethod
    def list(cls, session: hubs.Hub | None = None, **filters: Any) -> builtins.list[Job]:
        """Newest first. Filters: `state`, `user`, `workspace`, `label` ("name=value"), `q`, `sort`, `limit`."""
        return _session(session).jobs.list(**filters)

    # -- programs that run already

    @classmethod
    def register(
        cls,
        name: str | None = None,
        *,
        logdir: str | None = None,
        workspace: str | None = None,
        labels: Mapping[str, str] | None = None,
        board: str = "own",
        board_label: str | None = None,
        session: hubs.Hub | None = None,
        heartbeat_secs: float = HEARTBEAT_SECS,
        on_stop: Callable[[], None] | None = None,
        strict: bool = False,
    ) -> Job:
        """Registers this program as a job, and reports until `finish` or the end of the `with` block.

        `logdir` is by default that of LIGHTBOARD_LOGDIR, PAI_OUTPUT_TENSORBOARD or TENSORBOARD_LOGDIR. `on_stop` is
        called in a thread when somebody asks for a stop; by default this process gets SIGTERM. If the hub cannot be
        reached, a warning says so and the job has the state "Unregistered"; `strict` raises instead.
        """
        place = logdir or next((os.environ[each] for each in _VARIABLES if os.environ.get(each)), "")
        place = os.path.abspath(place) if place and "://" not in place else place  # noqa: PTH100 (before pathlib)
        body = values.given(
            name=name or os.path.basename(sys.argv[0]) or "job",  # noqa: PTH119 (before pathlib)
            workspace=workspace,
            logdir=place or None,
            labels=dict(labels or {}),
            command=[sys.executable, *sys.argv][:100],
            directory=os.getcwd(),  # noqa: PTH109 (before pathlib)
            host=socket.gethostname(),
            board=board,
            board_label=board_label,
            heartbeat_secs=heartbeat_secs,
        )
        try:
            made = _session(session).jobs.register_raw(body)
        except errors.LightboardError as error:
            if strict:
                raise
            warnings.warn(f"the job is not registered on a hub: {error.message}", stacklevel=2)
            return cls._of(None, {"name": body["name"], "state": "Unregistered", "logdir": place})  # type: ignore[arg-type]
        made._reporter = _Reporter(made, heartbeat_secs, on_stop)
        return made

    def finish(self, exit_code: int = 0, message: str = "") -> None:
        """Reports the end of a program that `register` registered."""
        if self._reporter is not None:
            self._reporter.end(exit_code, message)
            self._reporter = None

    def __enter__(self) -> Job:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        code = 0
        if isinstance(error, SystemExit):
            code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
        elif isinstance(error, KeyboardInterrupt):
            code = 130
        elif error is not None:
            code = 1
        self.finish(code)

    # -- what the hub said

    @property
    def id(self) -> str:
        return str(self.data.get("id") or "")

    @property
    def name(self) -> str:
        return str(self.data.get("name") or "")

    @property
    def workspace(self) -> str:
        return str(self.data.get("workspace") or "")

    @property
    def user(self) -> str:
        return str(self.data.get("user") or "")

    @property
    def state(self) -> str:
        """Registered, Running, Stopping, Succeeded, Failed, Stopped or Lost; "Unregistered" if no hub knows it."""
        return str(self.data.get("state") or "")

    @property
    def reason(self) -> str:
        return str(self.data.get("reason") or "")

    @property
    def exit_code(self) -> int | None:
        code: int | None = self.data.get("exit_code")
        return code

    @property
    def signal(self) -> str:
        return str(self.data.get("signal") or "")

    @property
    def command(self) -> builtins.list[str]:
        return builtins.list(self.data.get("command") or ())

    @property
    def logdir(self) -> str:
        return str(self.data.get("logdir") or "")

    @property
    def labels(self) -> dict[str, str]:
        return dict(self.data.get("labels") or {})

    @property
    def figures(self) -> dict[str, float]:
        return dict(self.data.get("figures") or {})

    @property
    def created(self) -> dt.datetime | None:
        return values.moment(self.data.get("created"))

    @property
    def started(self) -> dt.datetime | None:
        return values.moment(self.data.get("started"))

    @property
    def ended(self) -> dt.datetime | None:
        return values.moment(self.data.get("ended"))

    @property
    def url(self) -> str:
        """Its page on the hub."""
        return f"{self._requests.url}/#/jobs/{self.id}" if self.id else ""

    # -- commands

    def refresh(self) -> Job:
        self.data = dict(self._requests.get(quoted("jobs", self.id)))
        return self

    def stop(self, grace_secs: float | None = None) -> Job:
        """Asks the runner to stop it: SIGTERM, and SIGKILL after `grace_secs`."""
        body = values.given(grace_secs=grace_secs)
        self.data = dict(self._requests.send("POST", f"{quoted('jobs', self.id)}:stop", body, again=True))
        return self

    def wait(self, timeout: float | None = None) -> Job:
        """Until it has ended. Raises TimedOut. The hub may be away for a while meanwhile."""
        until = None if timeout is None else time.monotonic() + timeout
        away_since: float | None = None
        while self.state in OPEN:
            left = HOLD_SECS if until is None else min(HOLD_SECS, until - time.monotonic())
            if left <= 0:
                raise hub_errors.TimedOut(f"the job {self.name} has not ended after {timeout:g} s")
            try:
                found = self._requests.get(quoted("jobs", self.id), {"wait": f"{left:.1f}"}, hold_secs=left)
            except (hub_errors.Unreachable, hub_errors.TimedOut, hub_errors.HubFailed):
                away_since = away_since or time.monotonic()
                if time.monotonic() - away_since > boards.AWAY_SECS:
                    raise
                time.sleep(0.5)
                continue
            away_since = None
            self.data = dict(found)
        return self

    def log(self, *, follow: bool = False, offset: int = 0) -> Iterator[bytes]:
        """Yields what the job printed, in pieces; a negative offset counts from the end. With `follow` until it has
        ended."""
        while True:
            query = {"offset": offset, "wait": HOLD_SECS if follow else 0}
            address = f"{BASE}{quoted('jobs', self.id)}/log?offset={query['offset']}&wait={query['wait']:g}"
            silent = connections.SILENT_SECS + HOLD_SECS
            answer = self._requests.connections.ask(
                connections.Request("GET", address, headers={"Accept": "*/*"}, silent_secs=silent)
            )
            if answer.status >= 300:
                raise connections.of_answer(answer)
            offset = int(answer.headers["x-log-next"])
            if answer.body:
                yield answer.body
            at_end = offset >= int(answer.headers["x-log-size"])
            if at_end and (not follow or answer.headers["x-log-complete"] == "true"):
                return

    def delete(self, *, board: str = "keep") -> None:
        """`board` "remove" deletes the board that was made for this job alone, too."""
        self._requests.send("DELETE", f"{quoted('jobs', self.id)}?board={board}")

    def tensorboard(self, wait: bool = True, timeout: float | None = boards.WAIT_SECS) -> Any:
        """The board of the job: starts the one it has, or creates it. Returns a `TensorBoard`."""
        from lightboard.client.tensorboard import TensorBoard

        made = boards.Board(self._requests, self._requests.send("POST", f"{quoted('jobs', self.id)}:board", again=True))
        if wait:
            made.wait(timeout=timeout)
        return TensorBoard._of(made)

    # -- of the runner

    def report(self, **members: Any) -> dict[str, Any]:
        """As the runner. `has_events` None: the hub looks itself."""
        sent = {name: value for name, value in members.items() if value is not None}
        return dict(self._requests.send("POST", f"{quoted('jobs', self.id)}:report", sent, again=True))

    def orders(self, wait: float) -> dict[str, Any]:
        return dict(self._requests.get(f"{quoted('jobs', self.id)}/orders", {"wait": wait}, hold_secs=wait))

    def append_log(self, offset: int, data: bytes) -> int:
        """Returns what the hub has then; send from there on."""
        address = f"{BASE}{quoted('jobs', self.id)}/log?offset={offset}"
        headers = {"Content-Type": "application/octet-stream"}
        answer = self._requests.connections.ask(connections.Request("POST", address, data, headers, again=True))
        if answer.status not in (200, 409):
            raise connections.of_answer(answer)
        size: int = answer.json().get("size", -1)
        if size < 0:
            raise connections.of_answer(answer)
        return size


class Jobs:
    """`hub.jobs`."""

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def get(self, job: str) -> Job:
        return self.of(self._requests.get(quoted("jobs", job)))

    def of(self, data: Mapping[str, Any]) -> Job:
        return Job._of(self._requests, data)

    def list(self, *, limit: int | None = None, **filters: Any) -> builtins.list[Job]:
        return [self.of(each) for each in self._requests.items("/jobs", filters, limit=limit)]

    def find(self, word: str, *, workspace: str | None = None) -> Job:
        """By id, or the newest with this name. Raises NotFound."""
        if word.startswith(("job-", "train-")):
            return self.get(word)
        for each in self.list(q=word, workspace=workspace):
            if each.name == word:
                return each
        raise hub_errors.NotFound(f"no job is called {word}", hint="`lightboard hub jobs ls` lists them")

    def register_raw(self, body: Mapping[str, Any], *, key: str = "") -> Job:
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return self.of(self._requests.send("POST", "/jobs", body, headers=headers))

    def board_of_label(self, label: str, *, workspace: str | None = None, wait: bool = True) -> boards.Board:
        """One board over all jobs with the label "name=value"; jobs that came since are added."""
        body = values.given(label=label, workspace=workspace)
        made = boards.Board(self._requests, self._requests.send("POST", "/jobs:board", body, again=True))
        return made.wait() if wait else made


class _Reporter:
    """Reports while a program runs. State: its threads, and whether the program has ended."""

    def __init__(self, job: Job, heartbeat_secs: float, on_stop: Callable[[], None] | None) -> None:
        self._job, self._secs = job, max(0.5, heartbeat_secs or HEARTBEAT_SECS)
        self._on_stop = on_stop or _terminate
        self._ended = threading.Event()
        for run in (self._report, self._wait_for_orders):
            threading.Thread(target=run, name="lightboard job", daemon=True).start()

    def _report(self) -> None:
        had_events = False
        while not self._ended.wait(0.5 if not had_events else self._secs):
            now_events = had_events or _has_events(self._job.logdir)
            if now_events != had_events or self._secs_since() >= self._secs:
                with contextlib.suppress(errors.LightboardError):
                    self._job.report(has_events=now_events or (None if "://" in self._job.logdir else False))
                    had_events = now_events
                    self._last = time.monotonic()

    _last = 0.0

    def _secs_since(self) -> float:
        return time.monotonic() - self._last

    def _wait_for_orders(self) -> None:
        while not self._ended.is_set():
            try:
                stop = self._job.orders(HOLD_SECS).get("stop")
            except (hub_errors.NotFound, hub_errors.Forbidden):
                return
            except errors.LightboardError:
                self._ended.wait(2.0)
                continue
            if stop and not self._ended.is_set():
                self._on_stop()
                return

    def end(self, exit_code: int, message: str) -> None:
        self._ended.set()
        try:
            events = _has_events(self._job.logdir) or (None if "://" in self._job.logdir else False)
            self._job.report(ended=time.time(), exit_code=exit_code, message=message or None, has_events=events)
            self._job.refresh()
        except errors.LightboardError as error:
            warnings.warn(f"the hub was not told how the job ended: {error.message}", stacklevel=3)


def _terminate() -> None:
    import signal

    os.kill(os.getpid(), signal.SIGTERM)


def _has_events(logdir: str) -> bool:
    if not logdir or "://" in logdir:
        return False
    return any("tfevents" in name for _, _, names in os.walk(logdir) for name in names)


def _session(session: hubs.Hub | None) -> hubs.Hub:
    from lightboard.client import hub

    return session or hub.Hub()
