"""The ASGI application of the hub: the first part of an address decides who answers.

    /api/v1/…            the REST API
    /boards/<id>/…       the door
    /boards/<id>/.hub/…  progress of a board that starts, for whoever may open it; the way into a notebook's frame
    /s/<value>           a shared link: a cookie for its board, then the board
    /api/uploader, /experiment/<id>/    what TensorBoard's uploader asks and prints, if its port is open
    /healthz, /readyz    whether the process lives; whether it can work
    /metrics             for Prometheus
    /, /assets/…         the page of the hub
    /hub/…               pages that stand for a board, and their files

Answers of boards have the headers of the door, everything else gets those of `answers`. An address that two programs
could understand differently is refused before anybody looks at it.
"""

from __future__ import annotations

import asyncio
import logging
import pathlib
import re
import time
import urllib.parse
from collections.abc import Awaitable, Callable
from typing import Any

from lightboard.hub import db, door
from lightboard.hub.api import app as api_
from lightboard.hub.api.pai import door as pai_
from lightboard.hub.door import door as door_
from lightboard.hub.door import headers, paths
from lightboard.hub.people import frames, identity, tokens
from lightboard.hub.server import answers, clients, files, metrics, pages, visits
from lightboard.hub.tensorboard_dev import door as tensorboard_dev
from lightboard.hub.tensorboard_dev import handshake

ASSETS = pathlib.Path(__file__).parent / "assets"
READY_SECS = 3.0
SHARE_SECS = 30 * 86400.0
_LOG = logging.getLogger("lightboard.hub.requests")
# Letters that a fragment may have; others are encoded.
_FRAGMENT = "!$&'()*+,-./:;=?@_~"
_EXPERIMENT = re.compile(rf"{handshake.EXPERIMENTS}[A-Za-z0-9_-]{{1,100}}/?")


class Hub:
    """State: none of its own. `is_kept` says whether the keeper's task still runs."""

    def __init__(
        self,
        *,
        database: db.Database,
        api: api_.App,
        pai: pai_.Door,
        uploader: tensorboard_dev.Door | None,
        visitors: visits.Visits,
        who_asks: clients.Clients,
        numbers: metrics.Metrics,
        leads: Callable[[], bool],
        is_kept: Callable[[], bool],
        clock: Callable[[], float],
        page: files.Files,
        frame_tickets: frames.Frames,
        frame_ancestors: tuple[str, ...] = headers.SELF,
    ) -> None:
        self._frames = frame_tickets
        self._database, self._api, self._visits, self._clients = database, api, visitors, who_asks
        self._pai, self._uploader = pai, uploader
        self._metrics, self._leads, self._is_kept, self._clock = numbers, leads, is_kept, clock
        self._page = page
        self._door = door_.Door(
            visitors.who, visitors.may_open, failure=visitors.failure, frame_ancestors=frame_ancestors
        )
        self._assets = {each.name: each.read_bytes() for each in ASSETS.iterdir() if each.suffix in (".css", ".js")}

    def close(self) -> None:
        """Ends event streams and requests that wait."""
        self._api.end_streams()
        self._door.close()

    async def aclose(self) -> None:
        await self._api.close()

    async def __call__(self, scope: Any, receive: door.Receive, send: door.Send) -> None:
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        begun = time.perf_counter()
        private = self._clients.is_private(scope)
        scope = self._clients.believed(scope)
        kind = _kind(scope["path"])
        if pai_.is_signed(scope):
            kind, scope = "pai", {**scope, pai_.PRIVATE: private}
        status = 0

        async def counted(message: door.Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                self._metrics.answered(kind, scope["method"], status, time.perf_counter() - begun)
            await send(message)

        try:
            await self._answer(kind, scope, receive, counted)
        except door_.Broken:
            raise  # the server closes the connection, so that the client notices
        except Exception:
            _LOG.exception("a request failed: %s %s", scope["method"], _shown(scope["path"]))
            if status:
                raise
            failed = answers.problem(500, "InternalError", "the hub made a mistake", hint="its log says more")
            await _give(failed, scope, counted)
        finally:
            if _LOG.isEnabledFor(logging.DEBUG):
                _log(scope, status, time.perf_counter() - begun)

    async def _answer(self, kind: str, scope: Any, receive: door.Receive, send: door.Send) -> None:
        if not self._clients.knows_host(scope):
            await _give(_wrong_host(scope), scope, send)
        elif kind == "board" and not scope["path"].endswith((visits.PROGRESS, frames.ADDRESS)):
            await self._door(scope, receive, send)
        elif paths.is_ambiguous(scope["raw_path"]):
            await _give(answers.problem(400, "BadRequest", "the address is ambiguous"), scope, send)
        elif kind == "pai":
            await self._pai(scope, receive, answers.protecting(send))
        elif kind == "uploader" and self._uploader is not None:
            await self._uploader(scope, receive, answers.protecting(send))
        elif kind == "api":
            await self._api(scope, receive, answers.protecting(send))
        else:
            await _give(await self._reply(kind, scope), scope, send)

    async def _reply(self, kind: str, scope: Any) -> door.Reply:
        if scope["method"] not in ("GET", "HEAD") and kind != "uploader":
            return answers.problem(
                405, "MethodNotAllowed", f"{scope['method'][:20]} is not possible here", headers=[(b"allow", b"GET")]
            )
        return await self._replies()[kind](scope)

    def _replies(self) -> dict[str, Callable[[Any], Awaitable[door.Reply]]]:
        return {
            "board": self._beside_board,
            "share": self._share,
            "experiment": self._experiment,
            "uploader": self._no_uploader,
            "health": self._health,
            "metrics": self._numbers,
            "asset": self._asset,
            "page": self._hub_page,
        }

    # -- boards

    async def _beside_board(self, scope: Any) -> door.Reply:
        board = identity.board_of(scope["path"])
        if paths.parse(scope["raw_path"]) is not None and scope["path"] == f"{identity.BOARDS}{board}{frames.ADDRESS}":
            return self._frame(scope, board)
        if scope["path"] != f"{identity.BOARDS}{board}{visits.PROGRESS}":
            return _nowhere(scope)
        return await self._visits.progress(scope, board)

    def _frame(self, scope: Any, board: str) -> door.Reply:
        """The ticket becomes a cookie. With an old one the cookie may still be there, so the way is the same."""
        asked = urllib.parse.parse_qs(scope["query_string"].decode("latin-1"))
        now = self._clock()
        token = self._frames.maybe_token(frames.LINK, board, asked.get("ticket", [""])[0], now)
        theme = asked.get("theme", [""])[0]
        query = f"?theme={theme}" if theme in ("light", "dark") else ""
        location = f"{identity.BOARDS}{board}/frame.html{query}"
        if token is None:
            return answers.redirect(location)
        value = self._frames.make(frames.COOKIE, board, token, now)
        secure = scope.get("scheme") == "https"
        cookie = identity.frame_cookie(board, value, secure, frames.LASTS_SECS[frames.COOKIE])
        return answers.redirect(location, cookie)

    async def _share(self, scope: Any) -> door.Reply:
        """The link is not kept in the browser's history of boards: the cookie opens the board from now on."""
        value = scope["path"].removeprefix("/s/")
        now = self._clock()
        share = None
        if value.isascii() and len(value) <= tokens.MOST_LENGTH:
            share = await asyncio.to_thread(self._database.shares.find, tokens.digest(value), now)
        if share is None or await asyncio.to_thread(self._database.boards.find, share.board) is None:
            if clients.is_navigation(scope):
                return pages.ended_link(clients.language(scope))
            return answers.problem(404, "NotFound", "this link has ended", hint="ask for a new one")
        if scope["method"] == "GET" and not clients.is_prefetch(scope):
            await asyncio.to_thread(self._database.shares.note_use, share.id, now)
        lasts = SHARE_SECS if share.expires is None else min(SHARE_SECS, share.expires - now)
        fragment = f"#{urllib.parse.quote(share.view.lstrip('#'), safe=_FRAGMENT + '%')}" if share.view else ""
        cookie = identity.share_cookie(share.board, value, scope.get("scheme") == "https", lasts)
        return answers.redirect(f"{identity.BOARDS}{share.board}/{fragment}", cookie)

    # -- tensorboard.dev

    async def _experiment(self, scope: Any) -> door.Reply:
        """The address that TensorBoard's uploader prints leads to the board."""
        if self._uploader is None:
            return _nowhere(scope)
        experiment = scope["path"].removeprefix(handshake.EXPERIMENTS).strip("/")
        visitor, board = await self._uploader.visitor_and_board(scope, experiment)
        if board:
            return answers.redirect(f"{identity.BOARDS}{board}/")
        if visitor.user is None and clients.is_navigation(scope):
            following = urllib.parse.quote(scope["path"][:300], safe="/")
            return answers.redirect(f"{pages.SIGN_IN}?next={following}")
        return _nowhere(scope)

    async def _no_uploader(self, scope: Any) -> door.Reply:
        hint = "its admin sets `tensorboard_dev_port`; `lightboard dev upload` needs no port"
        return answers.problem(404, "NotFound", "this hub has no port for TensorBoard's uploader", hint=hint)

    # -- health

    async def _health(self, scope: Any) -> door.Reply:
        if scope["path"] == "/healthz":
            return answers.text("ok\n")
        try:
            await asyncio.wait_for(asyncio.to_thread(self._database.check), READY_SECS)
        except Exception as error:
            _LOG.warning("not ready: the database does not answer: %s", type(error).__name__)
            return answers.problem(503, "Unavailable", "the database does not answer", headers=visits.RETRY)
        if not self._is_kept():
            return answers.problem(503, "Unavailable", "the keeper has ended", hint="restart the hub")
        return answers.text("ok\n")

    async def _numbers(self, scope: Any) -> door.Reply:
        counted = await asyncio.to_thread(self._database.lists.count_by_state)
        boards = {state.value: number for state, number in counted.items()}
        text = self._metrics.text(boards, leads=self._leads())
        return door.Reply(200, text, metrics.MEDIA_TYPE, (answers.NO_STORE,))

    # -- files

    async def _asset(self, scope: Any) -> door.Reply:
        if scope["path"] == pages.SIGN_IN:
            return pages.sign_in(clients.language(scope), _following(scope))
        name = scope["path"].removeprefix("/hub/")
        body = self._assets.get(name)
        if body is None:
            return _nowhere(scope)
        return door.Reply(
            200, body, files.MEDIA_TYPES[f".{name.rpartition('.')[2]}"], ((b"cache-control", b"no-cache"),)
        )

    async def _hub_page(self, scope: Any) -> door.Reply:
        if scope["path"] in ("/", "/index.html", "/hub.html"):
            return self._page.page(scope) or pages.unbuilt(clients.language(scope))
        return self._page.file(scope["path"][1:], scope) or _nowhere(scope)


def _kind(path: str) -> str:
    if path.startswith("/boards/"):
        return "board"
    if path.startswith("/api/v1/"):
        return "api"
    if path.startswith("/s/"):
        return "share"
    if path == handshake.ADDRESS:
        return "uploader"
    if path.startswith(handshake.EXPERIMENTS):
        return "experiment"
    if path.startswith("/hub/"):
        return "asset"
    return {"/healthz": "health", "/readyz": "health", "/metrics": "metrics"}.get(path, "page")


def _following(scope: Any) -> str:
    """Where a visitor wanted to go: a board, whatever the address says."""
    asked = urllib.parse.parse_qs(scope["query_string"].decode("latin-1")).get("next", [""])[0]
    path, _, query = asked.partition("?")
    is_board = paths.parse(path.encode("utf-8", "replace")) is not None and query.isascii() and query.isprintable()
    return asked if is_board or _EXPERIMENT.fullmatch(asked) else "/"


async def _give(reply: door.Reply, scope: Any, send: door.Send) -> None:
    await answers.give(reply, scope, answers.protecting(send))


def _nowhere(scope: Any) -> door.Reply:
    if clients.is_navigation(scope):
        return pages.nowhere(clients.language(scope))
    return answers.problem(404, "NotFound", f"not found: {scope['path'][:200]}")


def _wrong_host(scope: Any) -> door.Reply:
    name = clients.header(scope, b"host")[:100]
    message, hint = f"this hub is not named `{name}`", "set `url` in hub.toml to the address that people open"
    if clients.is_navigation(scope):
        return pages.refused(clients.language(scope), message, hint, 421)
    return answers.problem(421, "MisdirectedRequest", message, hint=hint)


def _shown(path: str) -> str:
    """Without the value of a shared link."""
    return "/s/…" if path.startswith("/s/") else path


def _log(scope: Any, status: int, secs: float) -> None:
    client = scope.get("client")
    members = {
        "method": scope["method"], "path": _shown(scope["path"]), "status": status, "ms": round(secs * 1000, 1),
        "client": client[0] if client else "",
    }  # fmt: skip
    _LOG.debug("request", extra={"members": members})
