"""Sources that boards cannot read, as lists learn of them. `tests/hub/test_demo.py` has one of a real board."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hub.life import makers

from lightboard.hub import runtimes
from lightboard.hub.api import failing


class Runtime:
    """Lists for two answers, then says that a source cannot be read."""

    def __init__(self) -> None:
        self.answers = 0

    async def progress(self, board: str) -> runtimes.Progress:
        self.answers += 1
        if self.answers < 3:
            return runtimes.Progress(phase="listing", places=(runtimes.Place("s3://a"),))
        return runtimes.Progress(phase="ready", places=(runtimes.Place("s3://a", "unreadable", "no answer"),))


async def test_a_board_that_is_still_listing_is_asked_again_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failing, "AGAIN_SECS", 0.01)
    runtime: Any = Runtime()
    told = asyncio.Event()
    board = makers.running()
    asked = failing.Failing(runtime, lambda _: told.set())
    asked.look([board])
    await asyncio.wait_for(told.wait(), 30)
    assert [each.problem for each in asked.places(board)] == ["unreadable"]
    assert runtime.answers == 3
    asked.look([board])  # now the answer is fresh
    assert not asked._asking
    await asked.close()


async def test_closing_ends_what_would_be_asked_later() -> None:
    runtime: Any = Runtime()
    asked = failing.Failing(runtime, lambda _: None)
    await asked.look_now(makers.running())
    assert asked._again
    await asked.close()
    assert all(each.cancelled() for each in asked._again.values())
