"""The keeper with real board processes, in real time: start, crash, stop, a restart of the hub, delete."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import signal
import time
from collections.abc import AsyncIterator, Callable

import event_files
import pytest
from hub.db.samples import add_people, new
from hub.keeper.scripted import launch

from lightboard.hub import db, keeper, life
from lightboard.hub.life import commands
from lightboard.hub.life.nouns import State
from lightboard.hub.runtimes import process, processes

PATIENCE_SECS = 60.0


class Hub:
    """State: what a hub process has, and the loop of its keeper."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.database = db.Database(str(folder / "hub.sqlite3"))
        self.runtime = process.Processes(folder)
        self.keeper = keeper.Keeper(self.database, self.runtime, launch, holder=str(id(self)))
        self.task = asyncio.create_task(self.keeper.run())

    async def end(self) -> None:
        self.task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.task
        self.runtime.close()
        self.database.close()

    def command(self, command: Callable[[life.Board, float, str], commands.Change]) -> None:
        limits = life.Limits()
        self.database.boards.change("b-1", lambda each: command(each, time.time(), "ada"), limits=limits)

    async def until(self, wanted: Callable[[life.Board | None], bool]) -> None:
        """Waits for changes that the database tells of."""
        changed, loop = asyncio.Event(), asyncio.get_running_loop()

        def tell(_: str) -> None:
            loop.call_soon_threadsafe(changed.set)

        end = self.database.changes.subscribe(tell)
        try:
            while not wanted(self.database.boards.find("b-1")):
                await asyncio.wait_for(changed.wait(), PATIENCE_SECS)
                changed.clear()
        finally:
            end()


@pytest.fixture
async def hubs(tmp_path: pathlib.Path) -> AsyncIterator[Callable[[], Hub]]:
    made: list[Hub] = []

    def new() -> Hub:
        made.append(Hub(tmp_path))
        return made[-1]

    yield new
    runtime = process.Processes(tmp_path)
    for board in await runtime.running():
        await runtime.stop(board)
    runtime.close()


def pid_of(folder: pathlib.Path) -> int:
    found = processes.find(f"--index_dir={folder / 'boards' / 'b-1' / 'index'}")
    assert found is not None
    return found.pid


async def test_a_real_board_lives_through_crash_restart_stop_and_delete(
    hubs: Callable[[], Hub], tmp_path: pathlib.Path
) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    event_files.write(logs / "events.out.tfevents.1.host", [event_files.scalar_event("loss", 1.0, step=0)])
    hub = hubs()
    add_people(hub.database, "ada")
    hub.database.boards.create(new("b-1", sources=(life.Source(str(logs)),), created=time.time()), life.Limits())
    await hub.until(lambda each: each is not None and each.state is State.RUNNING)
    first = pid_of(tmp_path)

    os.kill(first, signal.SIGKILL)
    await hub.until(lambda each: each is not None and each.state is State.RUNNING and each.attempt == 2)
    second = pid_of(tmp_path)
    assert second != first

    await hub.end()
    hub = hubs()
    await hub.until(lambda each: each is not None and each.last_seen is not None and each.state is State.RUNNING)
    assert pid_of(tmp_path) == second, "a restart of the hub interrupts no board"

    hub.command(commands.stop)
    await hub.until(lambda each: each is not None and each.state is State.STOPPED)
    assert await hub.runtime.running() == []
    hub.command(commands.start)
    await hub.until(lambda each: each is not None and each.state is State.RUNNING)
    hub.command(commands.delete)
    await hub.until(lambda each: each is None)
    assert (await hub.runtime.running(), (tmp_path / "boards" / "b-1").exists()) == ([], False)
    await hub.end()
