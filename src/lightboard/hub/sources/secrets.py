"""Secrets as people save them, turned into secrets of a board's `storage.toml`.

    kind   members
    s3     access_key, secret_key, session_token, endpoint, region, style     also for minio:// and t9k://minio/
    oss    access_key, secret_key, session_token, endpoint, region, style
    gs     credentials (the JSON key of a service account) or token, endpoint
    az     account, account_key or sas_token, endpoint
    web    endpoint, username, password or token

Every kind also takes `anonymous` ("true"). Members that name files, profiles or proxies of the hub's machine do not
exist here. `storage.toml`'s own names (key, secret) are accepted, too.
"""

from __future__ import annotations

import json
import re
import urllib.parse
from collections.abc import Mapping
from typing import Any

from lightboard import errors
from lightboard.hub.sources import refusals
from lightboard.storage import settings

_S3 = {
    "access_key": "key", "secret_key": "secret", "session_token": "token", "endpoint": "endpoint", "region": "region",
    "style": "style", "key": "key", "secret": "secret", "token": "token",
}  # fmt: skip
# members of each kind, and their names in `storage.toml`
KINDS: Mapping[str, Mapping[str, str]] = {
    "s3": _S3,
    "oss": _S3,
    "gs": {"credentials": "credentials", "token": "token", "endpoint": "endpoint"},
    "az": {
        "account": "account", "account_key": "secret", "sas_token": "token", "endpoint": "endpoint", "key": "secret",
        "secret": "secret", "token": "token",
    },
    "web": {
        "endpoint": "endpoint", "username": "key", "password": "secret", "token": "token", "key": "key",
        "secret": "secret",
    },
}  # fmt: skip
SCHEMES = {
    "s3": ("s3", "s3a", "s3n", "minio", "t9k"),
    "oss": ("oss",),
    "gs": ("gs", "gcs"),
    "az": ("az", "azure"),
    "web": ("http", "https"),
}
# What a service account's key is used for; a server's address in it would be followed.
_GOOGLE = ("type", "project_id", "private_key_id", "private_key", "client_email", "client_id")
_WORDS = ("region", "account")
_WORD = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
MEMBER_BYTES = 16_384


def table(name: str, kind: str, members: Mapping[str, str], *, trusted: bool = False) -> dict[str, Any]:
    """The secret as a table of `storage.toml`. Raises a refusal, which never contains a value that may be secret.

    `trusted`: an admin of the hub saved it, so its endpoint may be inside."""
    known = KINDS.get(kind)
    if known is None:
        raise refusals.SecretUnfit(f"`{kind[:50]}` is no kind of secret", hint=f"there are: {', '.join(KINDS)}")
    made: dict[str, Any] = {}
    for member, value in members.items():
        if member == "anonymous":
            made["anonymous"] = value.lower() in ("1", "true", "yes")
        elif member not in known:
            raise refusals.SecretUnfit(
                f"a secret of the kind {kind} has no `{member[:50]}`", hint=f"there are: {', '.join(_shown(known))}"
            )
        elif value:
            made[known[member]] = _checked(name, member, value)
    if kind == "gs" and "credentials" in made:
        made["credentials"] = _google_key(name, made["credentials"])
    _check_complete(name, kind, made)
    return {**made, "trusted": True} if trusted and made.get("endpoint") else made


def _shown(known: Mapping[str, str]) -> list[str]:
    """Without the second names."""
    return [member for member, name in known.items() if member not in ("key", "secret") or member != name]


def _checked(name: str, member: str, value: str) -> str:
    if len(value.encode("utf-8", "replace")) > MEMBER_BYTES:
        raise refusals.SecretUnfit(f"`{member}` of the secret `{name}` is longer than {MEMBER_BYTES:,} bytes")
    if member != "credentials":
        value = value.strip()
        if any(ord(sign) < 32 or ord(sign) == 127 for sign in value):
            raise refusals.SecretUnfit(f"`{member}` of the secret `{name}` contains a control character")
    if member == "endpoint":
        return _endpoint(name, value)
    if member in _WORDS and not _WORD.fullmatch(value):  # it becomes a part of a host name
        raise refusals.SecretUnfit(
            f"`{member}` of the secret `{name}` is not one", hint="it has small letters, digits and `-`"
        )
    return value


def _endpoint(name: str, value: str) -> str:
    try:
        parts = urllib.parse.urlsplit(value)
        port = parts.port
    except ValueError:
        parts, port = urllib.parse.urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or port == 0:
        raise refusals.SecretUnfit(
            f"the endpoint of the secret `{name}` is not the address of a server",
            hint="write http:// or https:// and its name, as https://minio.example.org:9000",
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise refusals.SecretUnfit(
            f"the endpoint of the secret `{name}` contains more than a server and a path",
            hint="keys belong into members of their own",
        )
    return value


def _google_key(name: str, text: str) -> str:
    try:
        key = json.loads(text)
        kept = {member: key[member] for member in _GOOGLE if isinstance(key.get(member), str)}
    except (ValueError, AttributeError):
        kept = {}
    if kept.get("type") != "service_account" or "private_key" not in kept or "client_email" not in kept:
        raise refusals.SecretUnfit(
            f"`credentials` of the secret `{name}` is not the key of a service account",
            hint="paste the whole JSON file that Google Cloud made",
        )
    return json.dumps(kept)


def _check_complete(name: str, kind: str, made: Mapping[str, Any]) -> None:
    missing = _missing(kind, made)
    if missing:
        raise refusals.SecretKeyMissing(f"the secret `{name}` has no {missing}", hint="or set `anonymous`")
    try:
        settings.from_document({"secrets": {name: dict(made)}})
    except errors.LightboardError as error:
        raise refusals.SecretUnfit(error.message, hint=error.hint) from error


def _missing(kind: str, made: Mapping[str, Any]) -> str:
    if kind == "web" and not made.get("endpoint"):
        return "`endpoint`: the address below which it is sent"
    if kind == "az" and not made.get("account"):
        return "`account`"
    if made.get("anonymous"):
        return ""
    if kind in ("s3", "oss"):
        return next((word for member, word in (("key", "`access_key`"), ("secret", "`secret_key`"))
                     if not made.get(member)), "")  # fmt: skip
    if kind == "gs" and not (made.get("credentials") or made.get("token")):
        return "`credentials`"
    if kind == "az" and not (made.get("secret") or made.get("token")):
        return "`account_key`"
    if kind == "web" and not (made.get("token") or made.get("key")):
        return "`username` with `password`, and no `token`"
    return ""
