"""Signing in with user name and password, to get a token; for `lightboard login`."""

from __future__ import annotations

import http.cookies
import json
import socket
from typing import Any

from lightboard.client import addresses, connections, credentials, hub_errors, requests


def with_token(url: str, token: str, *, insecure: bool = False) -> credentials.Entry:
    """Returns what to store, after the hub accepted the token."""
    url = addresses.normalized(url)
    connected = connections.Connections(url, token, insecure=insecure)
    try:
        me = requests.Requests(connected).get("/me")
    finally:
        connected.close()
    return credentials.Entry(url, token, _name(me))


def with_password(
    url: str, name: str, password: str, *, token_name: str = "", expires_in: str = "", insecure: bool = False
) -> credentials.Entry:
    """Signs in, creates a token that is named after this machine, and signs out. The password is not stored."""
    url = addresses.normalized(url)
    addresses.check_secure(url, insecure=insecure)
    connected = connections.Connections(url)
    try:
        answer = _ask(connected, "POST", "/session", {"name": name, "password": password}, {})
        me = answer.json()
        session = {
            "Cookie": _cookies(answer),
            "X-Lightboard-CSRF": str(me.get("csrf") or ""),
            "Origin": addresses.origin(url),
        }
        wanted = {"name": token_name or _machine(), **({"expires_in": expires_in} if expires_in else {})}
        try:
            made = _ask(connected, "POST", "/tokens", wanted, session).json()
        finally:
            _ask(connected, "DELETE", "/session", None, session)
    finally:
        connected.close()
    return credentials.Entry(url, str(made["token"]), _name(me), str(made.get("id") or ""))


def sign_out(entry: credentials.Entry, *, insecure: bool = False) -> None:
    """Revokes a token that `with_password` created; one that was pasted belongs to the user. Raises HubError."""
    if not entry.token_id:
        return
    connected = connections.Connections(entry.url, entry.token, insecure=insecure)
    try:
        requests.Requests(connected).send("DELETE", requests.quoted("tokens", entry.token_id))
    except (hub_errors.NotFound, hub_errors.Unauthenticated):
        pass  # it is gone already
    finally:
        connected.close()


def _ask(
    connected: connections.Connections, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]
) -> connections.Answer:
    raw = None if body is None else json.dumps(body).encode()
    answer = connected.ask(connections.Request(method, f"{requests.BASE}{path}", raw, headers))
    if answer.status >= 300:
        raise _explained(connections.of_answer(answer), path)
    return answer


def _explained(error: hub_errors.HubError, path: str) -> hub_errors.HubError:
    if isinstance(error, hub_errors.Unauthenticated) and path == "/session":
        return hub_errors.Unauthenticated(
            "user name or password is wrong", code=error.code, status=error.status, hint="an admin can reset it"
        )
    return error


def _cookies(answer: connections.Answer) -> str:
    """The cookies that a browser would send to the API."""
    pairs = []
    for line in answer.cookies:
        for name, morsel in http.cookies.SimpleCookie(line).items():
            if f"{requests.BASE}/".startswith(morsel["path"] or "/"):
                pairs.append(f"{name}={morsel.coded_value}")
    return "; ".join(pairs)


def _name(me: Any) -> str:
    user = me.get("user") if isinstance(me, dict) else None
    return str(user.get("name") or "") if isinstance(user, dict) else ""


def _machine() -> str:
    return (socket.gethostname().partition(".")[0] or "lightboard")[:60]
