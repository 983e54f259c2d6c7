"""Signs requests as Alibaba's two clients do, written apart from the code that checks them.

    client = signing.Client(hub, key, secret)
    answer = await client.send("GET", "/api/v1/tensorboards", query={"PageNumber": "1"})

`change` is called with the request after it was signed, and changes it on its way.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import email.utils
import hashlib
import hmac
import json
import secrets
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from lightboard.hub.api import app, routes
from lightboard.hub.api.pai import door

HOST = "hub.test"


@dataclasses.dataclass
class Sent:
    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes


class Client:
    """State: the client of the door. `private` False: as over http from elsewhere."""

    def __init__(self, services: routes.Services, api: app.App, key: str, secret: str, *, private: bool = True) -> None:
        self.key, self.secret, self.services = key, secret, services
        made = door.Door(services, api)

        async def marked(scope: Any, receive: Any, send: Any) -> None:
            await made({**scope, door.PRIVATE: private}, receive, send)

        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(marked), base_url=f"http://{HOST}", timeout=30)

    async def send(
        self,
        method: str,
        path: str,
        *,
        style: str = "acs",
        query: Mapping[str, str] | None = None,
        body: Any = None,
        at: float | None = None,
        nonce: str = "",
        change: Callable[[Sent], None] | None = None,
    ) -> httpx.Response:
        content = b"" if body is None else json.dumps(body, ensure_ascii=False).encode()
        headers = {"accept": "application/json", "host": HOST, "x-acs-action": "Any", "x-acs-version": "2020-12-03"}
        if body is not None:
            headers["content-type"] = "application/json; charset=utf-8"
        sent = Sent(method, path, dict(query or {}), headers, content)
        sign = {"acs": sign_acs, "acs3": sign_acs3, "rpc": sign_rpc}[style]
        at = self.services.clock() if at is None else at
        sign(sent, self.key, self.secret, at, nonce or secrets.token_hex(16))
        if change is not None:
            change(sent)
        written = urllib.parse.urlencode(sent.query)
        address = sent.path + (f"?{written}" if written else "")
        return await self.http.request(sent.method, address, headers=sent.headers, content=sent.body)


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="-_.~")


def sign_acs(sent: Sent, key: str, secret: str, at: float, nonce: str) -> None:
    sent.headers |= {"date": email.utils.formatdate(at, usegmt=True), "x-acs-signature-nonce": nonce}
    resource = sent.path
    if sent.query:
        resource += "?" + "&".join(f"{name}={value}" for name, value in sorted(sent.query.items()))
    lines = [sent.method] + [sent.headers.get(name, "") for name in ("accept", "content-md5", "content-type", "date")]
    lines += [f"{name}:{value}" for name, value in sorted(sent.headers.items()) if name.startswith("x-acs-")]
    text = "\n".join([*lines, resource])
    made = hmac.new(secret.encode(), text.encode(), hashlib.sha1).digest()
    sent.headers["authorization"] = f"acs {key}:{base64.b64encode(made).decode()}"


def sign_acs3(sent: Sent, key: str, secret: str, at: float, nonce: str) -> None:
    digest = hashlib.sha256(sent.body).hexdigest()
    date = dt.datetime.fromtimestamp(at, dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    sent.headers |= {"x-acs-date": date, "x-acs-content-sha256": digest, "x-acs-signature-nonce": nonce}
    names = sorted(name for name in sent.headers if name in ("host", "accept") or name.startswith("x-acs-"))
    query = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in sorted(sent.query.items()))
    lines = "".join(f"{name}:{sent.headers[name]}\n" for name in names)
    canonical = "\n".join([sent.method, sent.path, query, lines, ";".join(names), digest])
    text = "ACS3-HMAC-SHA256\n" + hashlib.sha256(canonical.encode()).hexdigest()
    made = hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()
    listed = ";".join(names)
    sent.headers["authorization"] = f"ACS3-HMAC-SHA256 Credential={key},SignedHeaders={listed},Signature={made}"


def sign_rpc(sent: Sent, key: str, secret: str, at: float, nonce: str) -> None:
    date = dt.datetime.fromtimestamp(at, dt.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    sent.query |= {"AccessKeyId": key, "Timestamp": date, "SignatureNonce": nonce}
    joined = "&".join(f"{quoted(name)}={quoted(value)}" for name, value in sorted(sent.query.items()))
    text = f"{sent.method}&%2F&{quoted(joined)}"
    made = hmac.new(f"{secret}&".encode(), text.encode(), hashlib.sha1).digest()
    sent.query["Signature"] = base64.b64encode(made).decode()
