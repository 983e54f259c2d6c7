"""The address of a hub: checked and written in one way, and whether a token may be sent there."""

from __future__ import annotations

import ipaddress
import os
import urllib.parse

from lightboard import errors

_USUAL = {"http": 80, "https": 443}


def normalized(url: str) -> str:
    """Returns `https://host[:port][/path]` without a slash at its end. Raises errors.BadInput."""
    text = url.strip()
    if "://" not in text:
        text = f"{'http' if is_loopback(_host(text)) else 'https'}://{text}"
    try:
        parts = urllib.parse.urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise _bad(url) from error
    if parts.scheme not in _USUAL or not parts.hostname or parts.query or parts.fragment:
        raise _bad(url)
    if parts.username is not None or parts.password is not None:
        raise errors.BadInput("the address of the hub has a user name in it", hint="use `lightboard login`")
    if not all(letter.isprintable() and letter.isascii() and letter != " " for letter in text):
        raise _bad(url)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    shown = "" if port in (None, _USUAL[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown}{parts.path.rstrip('/')}"


def _host(text: str) -> str:
    try:
        return urllib.parse.urlsplit(f"//{text}").hostname or ""
    except ValueError:
        return ""


def _bad(url: str) -> errors.BadInput:
    return errors.BadInput(f"not the address of a hub: {url[:200]!r}", hint="write it like https://boards.example.org")


def origin(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def allows_insecure() -> bool:
    return os.environ.get("LIGHTBOARD_HUB_INSECURE", "").lower() in ("1", "true", "yes")


def check_secure(url: str, *, insecure: bool) -> None:
    """Raises errors.BadInput where a token or password would cross a network that others can read."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme == "https" or is_loopback(parts.hostname or "") or insecure or allows_insecure():
        return
    raise errors.BadInput(
        f"the token would be sent without encryption: {url}",
        hint="use https://; in a network that you trust, `--insecure` or LIGHTBOARD_HUB_INSECURE=1 allows it",
    )
