"""Boards of a hub.

    board = hub.boards.create("s3://logs/resnet", name="resnet", wait=True)
    board.stop(); board.wait(); board.start().wait(timeout=60)

A `Board` is what the hub last said about it; commands and `refresh` renew it. Waits name the generation of the last
command, so the state from before it is never taken for its result.
"""

from __future__ import annotations

import builtins
import datetime as dt
import time
import urllib.parse
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from lightboard import errors
from lightboard.client import hub_errors, values
from lightboard.client.requests import Requests, quoted
from lightboard.client.values import Duration

RUNNING = frozenset({"Running", "Idle"})
SETTLED = RUNNING | {"Stopped", "Failed"}
WAIT_SECS = 300.0
# How long one request of a wait is held: proxies cut longer ones.
HOLD_SECS = 25.0
PAUSE_SECS = 0.2
# How long the hub may not answer during a wait.
AWAY_SECS = 60.0
# How often a board that nothing happens to is looked at.
LOOK_SECS = 1.0
Source = str | Mapping[str, str]
Progress = Callable[["Board"], None]


class Board:
    """State: `data`, the hub's last answer. `Requests` may be used by any thread, a board by one."""

    def __init__(self, requests: Requests, data: Mapping[str, Any]) -> None:
        self._requests = requests
        self.data: dict[str, Any] = dict(data)

    def __repr__(self) -> str:
        return f"<Board {self.name!r} {self.id} {self.state}{f' ({self.reason})' if self.reason else ''}>"

    # -- what the hub said

    @property
    def id(self) -> str:
        return str(self.data["id"])

    @property
    def name(self) -> str:
        return str(self.data.get("name") or "")

    @property
    def workspace(self) -> str:
        return str(self.data.get("workspace") or "")

    @property
    def owner(self) -> str:
        return str(self.data.get("owner") or "")

    @property
    def state(self) -> str:
        """Pending, Starting, Running, Idle, Stopping, Stopped, Failed or Deleting; "Deleted" if it is gone."""
        return str(self.data.get("state") or "")

    @property
    def reason(self) -> str:
        return str(self.data.get("reason") or "")

    @property
    def message(self) -> str:
        return str(self.data.get("message") or "")

    @property
    def url(self) -> str:
        return str(self.data.get("url") or "")

    @property
    def sources(self) -> builtins.list[dict[str, Any]]:
        return list(self.data.get("sources") or ())

    @property
    def type(self) -> str:
        return str(self.data.get("type") or "")

    @property
    def visibility(self) -> str:
        return str(self.data.get("visibility") or "")

    @property
    def labels(self) -> dict[str, str]:
        return dict(self.data.get("labels") or {})

    @property
    def problems(self) -> builtins.list[dict[str, Any]]:
        """Sources that cannot be read: mappings with uri, code, message."""
        return list(self.data.get("problems") or ())

    @property
    def generation(self) -> int:
        return int(self.data.get("generation") or 0)

    @property
    def created(self) -> dt.datetime | None:
        return values.moment(self.data.get("created"))

    @property
    def last_activity(self) -> dt.datetime | None:
        return values.moment(self.data.get("last_activity"))

    @property
    def idle_at(self) -> dt.datetime | None:
        """When the board becomes Idle if nobody uses it; None: never, or it does not run."""
        return values.moment(self.data.get("idle_at"))

    @property
    def reclaim_at(self) -> dt.datetime | None:
        """When the board is stopped if nobody uses it."""
        return values.moment(self.data.get("reclaim_at"))

    @property
    def runtime_ends_at(self) -> dt.datetime | None:
        """When the board is stopped even if it is used; None: never."""
        return values.moment(self.data.get("runtime_ends_at"))

    @property
    def keep_alive_until(self) -> dt.datetime | None:
        return values.moment(self.data.get("keep_alive_until"))

    @property
    def running(self) -> bool:
        return self.state in RUNNING

    # -- commands

    def refresh(self) -> Board:
        return self._renewed(self._requests.get(self._path))

    def start(self) -> Board:
        """Starts the board, if it does not run. Returns at once; `wait` waits."""
        return self._command("start")

    def stop(self) -> Board:
        return self._command("stop")

    def keep_alive(self, how_long: Duration = "8h") -> Board:
        """Keeps the board running for this time, however long nobody uses it."""
        return self._command("keepalive", {"for": values.duration(how_long)})

    def delete(self) -> None:
        """Deletes the board: definition, index, links and notes that were kept for it. Logs are not touched."""
        answer = self._requests.send("DELETE", self._path)
        self.data = {**self.data, **(answer or {"state": "Deleted"}), "desired": "Delete"}

    def change(self, **members: Any) -> Board:
        """Changes name, sources, visibility, idle_after, reclaim_after, max_runtime, labels, wake_on_open or owner.

        Somebody else's change since the last answer is not overwritten: then Conflict is raised. `visibility="public"`
        needs `confirm_public=True`.
        """
        body: dict[str, Any] = {name: values.duration(value) for name, value in members.items()}
        if "sources" in body:
            body["sources"] = [_source(each) for each in members["sources"]]
        headers = {"If-Match": str(self.generation)}
        return self._renewed(self._requests.send("PATCH", self._path, body, headers=headers))

    def wait(self, timeout: float | None = WAIT_SECS, *, progress: Progress | None = None) -> Board:
        """Waits until the last command is done: the board answers, is stopped, or is gone.

        `progress` is called with the board about once a second meanwhile. Raises StartFailed if it should run and does
        not, TimedOut after `timeout` seconds (None: no limit).
        """
        wanted = str(self.data.get("desired") or "Run")
        generation = self.generation
        holding = _Holding(timeout, HOLD_SECS if progress is None else LOOK_SECS)
        while not self._settled(generation):
            self._hold(holding, generation)
            if progress is not None and not self._settled(generation):
                progress(self)
        return self._checked(wanted)

    def wait_until(self, state: str, timeout: float | None = WAIT_SECS) -> Board:
        """Waits until the board is "Running" (Idle counts), "Stopped" or "Deleted", whoever makes it so.

        Raises StartFailed if it should be Running and failed, TimedOut after `timeout` seconds (None: no limit).
        """
        if state not in ("Running", "Stopped", "Deleted"):
            raise errors.BadInput(f"a board cannot be waited for until it is {state!r}")
        holding = _Holding(timeout)
        while self.state != state and not (state == "Running" and self.state == "Idle"):
            if state == "Running" and self.state in ("Failed", "Deleted"):
                return self._checked("Run")
            if self._settled(0):  # the hub would answer at once
                time.sleep(min(LOOK_SECS, holding.left))
            self._hold(holding, 0, gone=True)
        return self

    def _hold(self, holding: _Holding, generation: int, *, gone: bool = False) -> None:
        """One held request. `gone`: that the board is not found is an answer, too."""
        secs = min(holding.left, holding.longest)
        if secs <= 0:
            raise holding.late(self)
        began = time.monotonic()
        try:
            query = {"wait": max(round(secs), 1), "generation": generation}
            self._renewed(self._requests.get(self._path, query, hold_secs=secs))
            holding.answered()
        except hub_errors.NotFound:
            if not gone and self.data.get("desired") != "Delete" and self.state != "Deleting":
                raise
            self.data = {**self.data, "state": "Deleted"}
        except (hub_errors.Unreachable, hub_errors.TimedOut, hub_errors.HubFailed) as error:
            holding.failed(error)
        if not self._settled(generation) and time.monotonic() - began < min(secs, 1.0):
            time.sleep(min(PAUSE_SECS, secs))  # a hub that ends answers before the time is over

    def _settled(self, generation: int) -> bool:
        if self.state == "Deleted":
            return True
        return int(self.data.get("observed_generation") or 0) >= generation and self.state in SETTLED

    def _checked(self, wanted: str) -> Board:
        if wanted != "Run" or self.state in RUNNING:
            return self
        if self.state == "Failed":
            message = f"the board did not start ({self.reason or 'Failed'}): {self.name}"
            last = self.message.strip().splitlines()
            hint = last[-1] if last else f"`lightboard hub logs {self.id}` shows more"
        else:
            message = f"the board is {self.state}{f' ({self.reason})' if self.reason else ''}: {self.name}"
            hint = "somebody stopped or deleted it meanwhile"
        raise hub_errors.StartFailed(message, hint=hint, state=self.state, reason=self.reason)

    # -- what belongs to it

    def share(self, *, expires_in: Duration = "7d", view: str = "") -> values.Share:
        """Creates a link to the board, with which everybody sees it until it expires. `url` is told only here."""
        body = values.given(expires_in=values.duration(expires_in), view=view or None)
        return values.made(values.Share, self._requests.send("POST", f"{self._path}/shares", body))

    def frame(self) -> values.Frame:
        """A link for an `<iframe>` on another site, such as a notebook's. Opened within minutes, it shows the board
        there for half a day, as this token may see it."""
        return values.made(values.Frame, self._requests.send("POST", f"{self._path}:frame", again=True))

    def fetch(self, address: str, body: bytes | None = None) -> bytes:
        """Returns what the board itself answers at an address below its link."""
        return self._requests.fetch(f"/boards/{urllib.parse.quote(self.id, safe='')}/{address}", body)

    def shares(self) -> builtins.list[values.Share]:
        return [values.made(values.Share, each) for each in self._requests.all(f"{self._path}/shares")]

    def revoke(self, share: str) -> None:
        self._requests.send("DELETE", self._path + quoted("shares", share))

    def events(self) -> builtins.list[values.Event]:
        """What happened, oldest first."""
        found = [values.made(values.Event, each) for each in self._requests.all(f"{self._path}/events")]
        return sorted(found, key=lambda each: each.time.timestamp() if each.time else 0.0)

    def logs(self, lines: int = 200) -> builtins.list[str]:
        return [str(each) for each in self._requests.get(f"{self._path}/logs", {"lines": lines}).get("lines") or ()]

    def usage(self) -> dict[str, Any]:
        return dict(self._requests.get(f"{self._path}/usage"))

    def progress(self) -> dict[str, Any]:
        return dict(self._requests.get(f"{self._path}/progress"))

    def manifest(self) -> str:
        """The board as YAML, for `lightboard hub apply`."""
        return self._requests.text(f"{self._path}/manifest")

    # --

    @property
    def _path(self) -> str:
        return quoted("boards", self.id)

    def _command(self, word: str, body: Mapping[str, Any] | None = None) -> Board:
        return self._renewed(self._requests.send("POST", f"{self._path}:{word}", body, again=True))

    def _renewed(self, data: Mapping[str, Any]) -> Board:
        self.data = dict(data)
        return self


class _Holding:
    """How long a wait may take, and how long the hub may be away meanwhile: it may restart.

    State: `_last_answer`, a time; `_error`, what went wrong since then.
    """

    def __init__(self, timeout: float | None, longest: float = HOLD_SECS) -> None:
        self._timeout, self.longest = timeout, longest
        self._until = None if timeout is None else time.monotonic() + timeout
        self._last_answer = time.monotonic()
        self._error: hub_errors.HubError | None = None

    @property
    def left(self) -> float:
        return HOLD_SECS if self._until is None else self._until - time.monotonic()

    def answered(self) -> None:
        self._last_answer, self._error = time.monotonic(), None

    def failed(self, error: hub_errors.HubError) -> None:
        passing = error.status in (0, 502, 503, 504)
        if not passing or time.monotonic() - self._last_answer > AWAY_SECS:
            raise error
        self._error = error

    def late(self, board: Board) -> hub_errors.HubError:
        return self._error or hub_errors.TimedOut(
            f"the board is still {board.state} after {self._timeout or 0:g} s: {board.name}",
            hint="a later wait continues",
            state=board.state,
        )


class Boards:
    def __init__(self, requests: Requests) -> None:
        self._requests = requests

    def create(
        self,
        uri: Source | Iterable[Source],
        *,
        name: str | None = None,
        workspace: str | None = None,
        visibility: str | None = None,
        confirm_public: bool | None = None,
        idle_after: Duration | None = None,
        reclaim_after: Duration | None = None,
        max_runtime: Duration | None = None,
        labels: Mapping[str, str] | None = None,
        source_type: str | None = None,
        source_id: str | None = None,
        wake_on_open: bool | None = None,
        find_secrets: bool | None = None,
        wait: bool = True,
        timeout: float | None = WAIT_SECS,
        idempotency_key: str | None = None,
    ) -> Board:
        """Creates a board over one address of logs or several: texts, or mappings with uri, prefix and secret.

        `visibility` is private (the default), workspace, or public, which needs `confirm_public=True`. `find_secrets`:
        for `oss://` without a secret the hub finds one of the workspace. A repeated `idempotency_key` returns the board
        that the first call created.
        """
        body = _definition(
            uri,
            name=name,
            workspace=workspace,
            visibility=visibility,
            confirm_public=confirm_public,
            idle_after=values.duration(idle_after),
            reclaim_after=values.duration(reclaim_after),
            max_runtime=values.duration(max_runtime),
            labels=dict(labels) if labels is not None else None,
            source_type=source_type,
            source_id=source_id,
            wake_on_open=wake_on_open,
            find_secrets=find_secrets,
        )
        headers = {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        board = Board(self._requests, self._requests.send("POST", "/boards", body, headers=headers))
        return board.wait(timeout) if wait else board

    def ensure(
        self,
        uri: Source | Iterable[Source],
        *,
        source_type: str,
        source_id: str,
        name: str | None = None,
        workspace: str | None = None,
        wait: bool = True,
        timeout: float | None = WAIT_SECS,
    ) -> Board:
        """Returns the board of this job (`source_type`, `source_id`), started; creates it if there is none."""
        body = _definition(uri, name=name, workspace=workspace, source_type=source_type, source_id=source_id)
        board = Board(self._requests, self._requests.send("POST", "/boards:ensure", body, again=True))
        return board.wait(timeout) if wait else board

    def get(self, board: str) -> Board:
        """Returns the board with this id."""
        return Board(self._requests, self._requests.get(quoted("boards", board)))

    def find(self, word: str, *, workspace: str | None = None) -> Board:
        """Returns the board with this id, link or name. Raises NotFound, Ambiguous."""
        word = _id_in(word, self._requests.url)
        if word.startswith("b-") and ":" not in word and "/" not in word:
            try:
                return self.get(word)
            except hub_errors.NotFound:
                pass  # a name may look like an id
        named = [each for each in self.list(q=word, workspace=workspace) if each.name == word]
        if len(named) == 1:
            return named[0]
        if not named:
            raise hub_errors.NotFound(f"no board has this name or id: {word}", hint="`lightboard hub ls` lists them")
        listed = ", ".join(f"{each.id} ({each.state}, {each.workspace})" for each in named[:10])
        raise hub_errors.Ambiguous(f"{len(named)} boards are named {word!r}", hint=f"use an id: {listed}", boards=named)

    def list(
        self,
        *,
        state: str | Sequence[str] | None = None,
        owner: str | None = None,
        workspace: str | None = None,
        source_type: str | None = None,
        source_id: str | None = None,
        q: str | None = None,
        sort: str | None = None,
        limit: int | None = None,
    ) -> builtins.list[Board]:
        """Returns the boards that this user may see, page by page; the newest first unless `sort` says otherwise."""
        query = values.given(
            state=state,
            owner=owner,
            workspace=workspace,
            source_type=source_type,
            source_id=source_id,
            q=q,
            sort=sort,
        )
        return [Board(self._requests, each) for each in self._requests.items("/boards", query, limit=limit)]

    def check(self, uri: Source | Iterable[Source], *, workspace: str | None = None) -> builtins.list[values.Found]:
        """Returns what is found at these addresses, without creating a board."""
        body = values.given(sources=_sources(uri), workspace=workspace)
        answer = self._requests.send("POST", "/boards:check", body, again=True)
        return [values.made(values.Found, each) for each in answer.get("items") or ()]

    def changes(self, *, workspace: str | None = None) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yields ("board", board), ("removed", {"id"}) or ("resync", {}) as they happen, until the hub ends it."""
        import json

        query = f"?workspace={urllib.parse.quote(workspace, safe='')}" if workspace else ""
        kind, data = "", ""
        for line in self._requests.connections.lines(f"/api/v1/changes{query}", silent_secs=60.0):
            name, _, value = line.partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                data += value
            elif not line and kind:
                yield kind, json.loads(data or "{}")
                kind, data = "", ""

    def batch(self, command: str, boards: Iterable[str]) -> builtins.list[dict[str, Any]]:
        """Sends start, stop or delete to many boards at once; returns what became of each."""
        body = {"command": command, "boards": list(boards)}
        return list(self._requests.send("POST", "/boards:batch", body, again=True).get("items") or ())


def _definition(uri: Source | Iterable[Source], **members: Any) -> dict[str, Any]:
    return {"sources": _sources(uri), **values.given(**members)}


def _sources(uri: Source | Iterable[Source]) -> builtins.list[dict[str, str]]:
    found = [uri] if isinstance(uri, str | Mapping) else list(uri)
    if not found:
        raise errors.BadInput("no address of logs is given")
    return [_source(each) for each in found]


def _source(source: Source) -> dict[str, str]:
    return {"uri": source} if isinstance(source, str) else {name: str(value) for name, value in source.items() if value}


def _id_in(word: str, hub_url: str) -> str:
    """`https://hub/boards/b-1/` is "b-1"."""
    if not word.startswith(f"{hub_url}/boards/"):
        return word
    return word.removeprefix(f"{hub_url}/boards/").partition("/")[0].partition("#")[0].partition("?")[0]
