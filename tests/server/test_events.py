"""`/api/events`: what changed, at once, in one message after a pause, and nothing piling up for who does not read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asking
import pytest
from listening import Listener

from lightboard import query
from lightboard.server import app, events


@pytest.fixture
async def served() -> AsyncIterator[tuple[query.Builder, app.App]]:
    builder = asking.small()
    made = app.create(builder.build())
    yield builder, made
    made.feed.close()


@pytest.mark.anyio
async def test_the_first_message_says_all_and_the_next_what_changed(served: tuple[query.Builder, app.App]) -> None:
    builder, made = served
    listener = Listener(made)
    first_id, first = await listener.message()
    assert (first["runs"], first["tags"]) == ("all", {"scalars": "all", "images": "all"})
    await asyncio.to_thread(builder.scalars, "run2", "acc", [1.0])
    seen: dict[str, Any] = {}
    while seen.get("tags") != {"scalars": ["acc"]}:
        changed_id, seen = await listener.message()
    assert seen["runs"] == ["run2"]
    assert seen["version"] > first["version"]
    assert changed_id != first_id
    assert seen["session"] == first["session"]
    await listener.leave()


@pytest.mark.anyio
@pytest.mark.parametrize("way", ["header", "parameter"])
async def test_who_comes_back_gets_what_was_missed_in_one_message(
    served: tuple[query.Builder, app.App], way: str
) -> None:
    builder, made = served
    listener = Listener(made)
    seen, _ = await listener.message()
    await listener.leave()
    builder.scalars("new1", "loss", [1.0]).scalars("new2", "acc", [1.0])
    again = (
        Listener(made, headers={"last-event-id": seen}) if way == "header" else Listener(made, query=f"since={seen}")
    )
    _, missed = await again.message()
    assert missed["runs"] == ["new1", "new2"]
    assert missed["tags"] == {"scalars": ["loss", "acc"]}
    await again.leave()


@pytest.mark.anyio
@pytest.mark.parametrize("seen", ["other-3", "nonsense", "-", f"{10**30}"])
async def test_an_id_of_another_board_means_everything(served: tuple[query.Builder, app.App], seen: str) -> None:
    listener = Listener(served[1], headers={"last-event-id": seen})
    assert (await listener.message())[1]["runs"] == "all"
    await listener.leave()


@pytest.mark.anyio
async def test_many_changes_become_few_messages(served: tuple[query.Builder, app.App]) -> None:
    builder, made = served
    listener = Listener(made)
    await listener.message()
    for number in range(200):
        builder.scalars(f"many{number}", "loss", [1.0])
    runs: set[str] = set()
    messages = 0
    while len(runs) < 200:
        _, seen = await listener.message()
        runs |= set(seen["runs"])
        messages += 1
    assert messages <= 3
    await listener.leave()


@pytest.mark.anyio
async def test_beyond_a_cap_names_become_all(served: tuple[query.Builder, app.App]) -> None:
    builder, made = served
    listener = Listener(made)
    await listener.message()
    for number in range(600):
        builder.scalars(f"many{number}", f"tag{number}", [1.0])
    _, seen = await listener.message()
    assert seen["runs"] == "all"
    assert seen["tags"] == {"scalars": "all"}
    await listener.leave()


@pytest.mark.anyio
async def test_silence_is_broken_by_a_comment(
    served: tuple[query.Builder, app.App], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "HEARTBEAT_SECS", 0.01)
    listener = Listener(served[1])
    await listener.message()
    assert (await listener.raw()).startswith(":")
    await listener.leave()


@pytest.mark.anyio
async def test_a_client_that_does_not_read_is_dropped(
    served: tuple[query.Builder, app.App], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "INTERVAL_SECS", 0.0)
    builder, made = served
    deaf, well = Listener(made, read=False), Listener(made)
    await well.message()
    while not deaf.ended.is_set():
        builder.scalars("run1", "loss", [1.0], wall_times=[1.9e9])
        await well.message()
    assert deaf.status == 200
    assert not well.ended.is_set()
    await well.leave()


@pytest.mark.anyio
async def test_when_nobody_listens_nothing_is_left_behind(served: tuple[query.Builder, app.App]) -> None:
    builder, made = served
    first, second = Listener(made), Listener(made)
    await first.message()
    await second.message()
    store = made.context.store
    assert len(store._listeners) == 1
    await first.leave()
    await second.leave()
    assert store._listeners == []
    builder.scalars("run1", "loss", [1.0])
    third = Listener(made)
    assert (await third.message())[1]["runs"] == "all"
    await third.leave()


@pytest.mark.anyio
async def test_closing_ends_every_stream(served: tuple[query.Builder, app.App]) -> None:
    listener = Listener(served[1])
    await listener.message()
    served[1].feed.close()
    await asyncio.wait_for(listener.ended.wait(), 10)
