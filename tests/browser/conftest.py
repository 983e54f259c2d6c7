"""A Chromium for tests marked `browser`: one process for all, a fresh context for each."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright import sync_api

# Without --disable-gpu a software renderer draws everything, canvas included, many times slower.
FLAGS = [
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]


@pytest.fixture(scope="session")
def chromium() -> Iterator[sync_api.Browser]:
    program = os.environ.get("LIGHTBOARD_CHROMIUM") or shutil.which("chromium")
    if program is None:
        pytest.fail("no Chromium; `make browser` installs it, or set LIGHTBOARD_CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, chromium_sandbox=False, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: sync_api.Browser) -> Iterator[sync_api.Page]:
    """An English page in light colours. A script error or a refusal by the content policy fails the test."""
    context = chromium.new_context(locale="en-US", viewport={"width": 1200, "height": 700})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if "Content Security" in message.text else None)
    yield page
    context.close()
    assert complaints == []
