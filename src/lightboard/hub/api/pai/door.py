"""Who signed a request; then the routes of the dialect.

Refused alike, with the same words and after the same work: a key that does not exist, has expired or was deleted; a
user who is disabled; a wrong signature; a changed query, header or body; a time outside the window; a nonce that was
used. Only the way of the request is told apart: alipai signs no bodies, so keys are accepted only over https, or from
this machine.

A signature is checked once, because its nonce counts once. Requests that are held ask again only whether key and user
still exist (`who`).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from lightboard import errors
from lightboard.hub.api import access_keys, app, problems, routes
from lightboard.hub.api.pai import signatures, table
from lightboard.hub.life import accounts
from lightboard.hub.people import may

WINDOW_SECS = 900.0  # as Alibaba's services
PRIVATE = "lightboard.private"  # in a scope: https, or from this machine
_KEY = "lightboard.access_key"
_DECOY = "LBAKdecoy"
_LOG = logging.getLogger("lightboard.hub.pai")

Scope = Any


def is_signed(scope: Scope) -> bool:
    """Whether a request is of this dialect."""
    path = scope["path"]
    named = any(name == signatures.ACTION.encode() for name, _ in scope["headers"])
    return named and (path == "/" or path.startswith(f"{app.PREFIX}/"))


class Door:
    """State: none but a ciphertext, which is decrypted for keys that do not exist."""

    def __init__(self, services: routes.Services, api: app.App) -> None:
        self._services = services
        self._api = api.beside(table.all_routes(), self._who)
        decoy = services.vault.lock({"secret": "x" * 40}, access_keys.purpose(_DECOY))
        self._decoy = accounts.AccessKey(_DECOY, "", "", decoy, 0.0)

    async def __call__(self, scope: Scope, receive: app.Receive, send: app.Send) -> None:
        try:
            if not scope.get(PRIVATE):
                raise _insecure()
            claim = signatures.claim_of(_request(scope))
            if claim is None:
                raise _unsigned()
            body = await app.read_body(receive)
            if not await self._api.run(self._holds, claim, body):
                raise _unsigned()
        except app.Disconnected:
            return
        except errors.LightboardError as error:
            await app.refuse(error, scope, send)
            return
        await self._api({**scope, _KEY: claim.key}, _again(body, receive), send)

    def _holds(self, claim: signatures.Claim, body: bytes) -> bool:
        """Everything is looked up and computed before anything is decided."""
        people, now = self._services.database.people, self._services.clock()
        known = people.find_access_key(claim.key, now)
        key = known or self._decoy
        user = people.user(key.user)
        signed = claim.holds(self._secret(key))
        fits = claim.fits(body) and abs(now - claim.time) <= WINDOW_SECS
        if known is None or user is None or not user.enabled or not signed or not fits:
            return False
        until = claim.time + WINDOW_SECS + 1
        if not self._services.database.signing.use_nonce(key.id, claim.nonce, now, until):
            return False
        return people.access_key(key.id, now) is not None  # notes its use

    def _secret(self, key: accounts.AccessKey) -> str:
        try:
            return self._services.vault.open(key.ciphertext, access_keys.purpose(key.id))["secret"]
        except errors.LightboardError:
            _LOG.warning("the secret of the access key %s was saved with another key of the hub", key.id)
            return ""

    async def _who(self, scope: Scope) -> may.Identity:
        identity: may.Identity = await self._api.run(self._identity, scope[_KEY])
        return identity

    def _identity(self, key: str) -> may.Identity:
        people = self._services.database.people
        known = people.find_access_key(key, self._services.clock())
        user = people.user(known.user) if known is not None else None
        if user is None or not user.enabled:
            return may.Identity()
        return may.Identity(user, via="key", scopes=access_keys.SCOPES)


def _request(scope: Scope) -> signatures.Request:
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    return signatures.Request(
        scope["method"], scope["raw_path"].decode("latin-1"), scope["query_string"].decode("latin-1"), headers
    )


def _again(body: bytes, receive: app.Receive) -> app.Receive:
    """The body that was read, then what comes after it."""
    told = asyncio.Event()

    async def receive_again() -> Any:
        if told.is_set():
            return await receive()
        told.set()
        return {"type": "http.request", "body": body, "more_body": False}

    return receive_again


def _unsigned() -> problems.Problem:
    return problems.Problem(
        403,
        "SignatureDoesNotMatch",
        "the request is not signed as it must be",
        hint="check the id and the secret of the access key, and the clock of this machine",
    )


def _insecure() -> problems.Problem:
    return problems.Problem(
        403,
        "InsecureTransport",
        "access keys are accepted only over https, or on the machine of the hub",
        hint="use https; the admin of the hub names a proxy that ends TLS in `trusted_proxies`",
    )
