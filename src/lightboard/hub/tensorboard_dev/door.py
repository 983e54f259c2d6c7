"""What tensorboard.dev answered over HTTP: the handshake of its uploader, and addresses of experiments.

POST /api/uploader        where the gRPC port is (`handshake`); the body and the answer are protobuf
GET  /experiment/<id>/    leads to the board of the upload
"""

from __future__ import annotations

import asyncio
import ipaddress
import urllib.parse
from typing import Any

from lightboard import errors
from lightboard.hub.api import app, problems, routes
from lightboard.hub.people import may
from lightboard.hub.tensorboard_dev import experiments, handshake

Scope = Any


class Door:
    """`endpoint` is HOST:PORT of the gRPC port if a proxy is in front of it, otherwise "". A port without TLS
    (`secure`) is open on this machine only."""

    def __init__(self, services: routes.Services, *, port: int, secure: bool, endpoint: str = "") -> None:
        self._services = services
        self._port, self._secure, self._endpoint = port, secure, endpoint

    async def __call__(self, scope: Scope, receive: app.Receive, send: app.Send) -> None:
        try:
            if scope["method"] != "POST":
                raise problems.Problem(405, "MethodNotAllowed", "the uploader of TensorBoard asks with POST")
            body = await app.read_body(receive)
            if len(body) > handshake.MOST_REQUEST_BYTES:
                raise problems.Problem(413, "BodyTooLarge", "the request is too large")
            endpoint = self._endpoint_for(scope)
            trouble = "" if endpoint else _TROUBLE
            notice = "" if self._secure or self._endpoint else _PLAIN
            url = self._services.url(scope)
            answer = handshake.answer(body, url=url, endpoint=endpoint, trouble=trouble, notice=notice)
        except app.Disconnected:
            return
        except errors.LightboardError as error:
            await app.refuse(error, scope, send)
            return
        headers = [
            (b"content-type", handshake.MEDIA_TYPE.encode()),
            (b"content-length", b"%d" % len(answer)),
            (b"cache-control", b"no-store"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": answer})

    def _endpoint_for(self, scope: Scope) -> str:
        """Where this client finds the port; "" if it cannot reach it."""
        if self._endpoint:
            return self._endpoint
        asked = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
        host = urllib.parse.urlsplit(self._services.url(scope) if self._secure else f"//{asked}").hostname or ""
        if not self._secure and not is_loopback(host):
            return ""
        return f"[{host}]:{self._port}" if ":" in host else f"{host}:{self._port}"

    async def visitor_and_board(self, scope: Scope, experiment: str) -> tuple[may.Identity, str]:
        """Who asks, and the id of the board that the address of an experiment leads to, "" if they may not open it."""
        visitor = await self._services.who(scope)
        return visitor, await asyncio.to_thread(self._board_of, visitor, experiment)

    def _board_of(self, identity: may.Identity, experiment: str) -> str:
        found = self._services.uploads.find(experiment)
        if found is None:
            return ""
        board = self._services.uploads.board(found)
        role = None
        if identity.user is not None:
            role = self._services.database.workspaces.role(board.workspace, identity.user.id)
        allowed = may.may(identity, experiments.Action.BOARD_OPEN, may.OneBoard(board, role))
        return board.id if allowed and self._services.uploads.has_board(found) else ""


_TROUBLE = (
    "The gRPC port of this hub is open on the hub's own machine only. Its admin sets `tls_cert` and `tls_key`, or "
    "`tensorboard_dev_endpoint` if a proxy is in front of it."
)
# A client that expects TLS would wait for minutes and say nothing of use.
_PLAIN = "This hub's port has no TLS, on this machine: use `--grpc_creds_type local`."


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
