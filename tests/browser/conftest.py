"""Pages for tests marked `browser`: one Chromium for all (tests/conftest.py), a fresh context for each.

A page may not complain: a script error, an error on the console, a refusal by the content policy or a request to
another origin fails the test. What a test provokes on purpose (a server that is stopped) it names in `forgiven`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib import parse

import pytest
from browser import patience
from playwright import sync_api

# a board is often stopped before its page is closed; a test that needs it fails for other reasons
SERVER_GONE = r"net::ERR_(CONNECTION|INCOMPLETE_CHUNKED|CONTENT_LENGTH_MISMATCH|EMPTY_RESPONSE|SOCKET)"

OpenPage = Callable[..., sync_api.Page]


@pytest.fixture
def forgiven() -> list[str]:
    """Patterns of complaints that a test expects."""
    return [SERVER_GONE]


@pytest.fixture
def open_page(chromium: sync_api.Browser, forgiven: list[str]) -> Iterator[OpenPage]:
    """Makes watched pages, each in a context of its own: English, in light colours, unless told otherwise."""
    complaints: list[str] = []
    contexts = []

    def make(**options: Any) -> sync_api.Page:
        given = {"locale": "en-US", "viewport": {"width": 1280, "height": 800}, "color_scheme": "light", **options}
        page = patience.new_page(chromium, **given)
        contexts.append(page.context)
        watch(page, complaints)
        return page

    yield make
    for context in contexts:
        context.close()
    assert [each for each in complaints if not any(re.search(pattern, each) for pattern in forgiven)] == []


@pytest.fixture
def page(open_page: OpenPage) -> sync_api.Page:
    return open_page()


def watch(page: sync_api.Page, complaints: list[str]) -> None:
    origins: set[str] = set()

    def heard(message: sync_api.ConsoleMessage) -> None:
        if message.type == "error" or "Content Security" in message.text:
            complaints.append(f"console: {message.text} ({message.location.get('url', '')})")

    def asked(request: sync_api.Request) -> None:
        address = parse.urlsplit(request.url)
        if address.scheme not in ("http", "https", "ws", "wss"):
            return
        if request.is_navigation_request() and request.frame == page.main_frame:
            origins.add(address.netloc)
        if address.netloc not in origins:
            complaints.append(f"request to another origin: {request.url}")

    page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
    page.on("console", heard)
    page.on("request", asked)
