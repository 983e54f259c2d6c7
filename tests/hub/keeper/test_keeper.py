"""The keeper with a real database, a scripted runtime and a clock that the test moves.

Left out: real processes (tests/hub/runtimes), every transition (tests/hub/life).
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import pathlib
from collections.abc import Iterator

import pytest
from hub.db.samples import add_people
from hub.keeper.scripted import Clock, Scripted, launch

from lightboard.hub import db, life
from lightboard.hub import keeper as keepers
from lightboard.hub.life import commands
from lightboard.hub.life.nouns import State

# A life that fits into a test: the keeper comes every five seconds.
SHORT = life.Policy(idle_after_secs=100.0, reclaim_after_secs=300.0)


@dataclasses.dataclass
class Hub:
    """State: everything of one hub process, and its clock."""

    database: db.Database
    clock: Clock
    runtime: Scripted
    keeper: keepers.Keeper

    def create(self, name: str, **members: object) -> None:
        board = life.Board(
            id=name, name=name, workspace="team", owner="ada", sources=(life.Source("/logs"),), created=self.clock()
        )
        board = dataclasses.replace(board, **members)  # type: ignore[arg-type]
        self.database.boards.create(commands.created(board, "ada"), life.Limits(None))

    def command(self, name: str, word: str) -> None:
        command = {"start": commands.start, "stop": commands.stop, "delete": commands.delete}[word]
        self.database.boards.change(name, lambda each: command(each, self.clock(), "ada"), limits=life.Limits(None))

    def state(self, name: str) -> State:
        return self.database.boards.get(name).state

    async def pass_time(self, secs: float, keeper: keepers.Keeper | None = None) -> None:
        """Runs turns at the times that the keeper asks for."""
        keeper, end = keeper or self.keeper, self.clock.now + secs
        while True:
            keeper.changed.clear()
            wait_secs = await keeper.turn()
            await keeper.finish_actions()
            if keeper.changed.is_set():  # as the loop does
                continue
            if self.clock.now + wait_secs > end:
                break
            self.clock.now += wait_secs
        self.clock.now = end


@pytest.fixture
def hub(tmp_path: pathlib.Path) -> Iterator[Hub]:
    database, clock = db.Database(str(tmp_path / "hub.sqlite3")), Clock()
    add_people(database, "ada")
    runtime = Scripted(clock)
    yield Hub(database, clock, runtime, keepers.Keeper(database, runtime, launch, holder="one", clock=clock))
    database.close()


async def test_a_board_is_started_used_idle_reclaimed_and_resumed(hub: Hub) -> None:
    hub.create("b-1", policy=SHORT)
    await hub.pass_time(80)
    assert hub.state("b-1") is State.RUNNING
    hub.runtime.processes["b-1"].used = used = hub.clock()
    await hub.pass_time(95)
    assert (hub.state("b-1"), hub.database.boards.get("b-1").last_activity) == (State.RUNNING, used)
    await hub.pass_time(10)
    assert hub.state("b-1") is State.IDLE
    await hub.pass_time(290)
    assert hub.state("b-1") is State.IDLE
    await hub.pass_time(10)
    board = hub.database.boards.get("b-1")
    assert (board.state, board.reason, hub.runtime.processes) == (State.STOPPED, "IdleReclaimed", {})
    hub.command("b-1", "start")
    await hub.pass_time(1)
    assert hub.state("b-1") is State.RUNNING
    kinds = [each.kind for each in hub.database.journal.events("b-1")][::-1]
    assert kinds == [
        "Created", "Starting", "Running", "Idle", "Stopping", "Stopped", "StartRequested", "Starting", "Running",
    ]  # fmt: skip


async def test_slow_start_waits_and_never_start_fails(hub: Hub) -> None:
    hub.runtime.behavior |= {"b-1": "slow_start", "b-2": "never_start"}
    hub.create("b-1")
    hub.create("b-2")
    await hub.pass_time(10)
    assert (hub.state("b-1"), hub.state("b-2")) == (State.STARTING, State.STARTING)
    assert hub.database.boards.get("b-1").message == "listing"
    await hub.pass_time(25)
    assert (hub.state("b-1"), hub.state("b-2")) == (State.RUNNING, State.STARTING)
    await hub.pass_time(100)
    board = hub.database.boards.get("b-2")
    assert (board.state, board.reason) == (State.FAILED, "StartTimeout")
    assert list(hub.runtime.processes) == ["b-1"]


async def test_crash_fails_after_five_tries_with_its_log(hub: Hub) -> None:
    hub.runtime.behavior["b-1"] = "crash"
    hub.create("b-1")
    await hub.pass_time(60)
    board = hub.database.boards.get("b-1")
    assert (board.state, board.reason, board.message) == (State.FAILED, "Crashed", "Traceback")
    assert hub.runtime.asked.count(("start", "b-1")) == 5
    hub.runtime.behavior["b-1"] = "quick"
    hub.command("b-1", "start")
    await hub.pass_time(1)
    assert hub.state("b-1") is State.RUNNING


async def test_a_wrong_definition_fails_at_once_and_a_full_machine_is_tried_again(hub: Hub) -> None:
    hub.runtime.behavior |= {"b-1": "refused", "b-2": "cannot_fork"}
    hub.create("b-1")
    hub.create("b-2")
    await hub.pass_time(0.5)
    board = hub.database.boards.get("b-1")
    assert (board.state, board.reason) == (State.FAILED, "bad.test")
    assert board.message == "no secret `keys`\nsave it in the workspace"
    assert hub.state("b-2") is State.PENDING
    hub.runtime.behavior["b-2"] = "quick"
    await hub.pass_time(3)
    assert hub.state("b-2") is State.RUNNING


async def test_a_crash_of_a_running_board_is_noticed_within_seconds(hub: Hub) -> None:
    hub.create("b-1")
    await hub.pass_time(10)
    hub.runtime.processes["b-1"].exits_at = hub.clock()
    await hub.pass_time(keepers.COUNT_SECS + 2)
    board = hub.database.boards.get("b-1")
    assert (board.state, board.attempt) == (State.RUNNING, 2)


async def test_the_door_can_ask_for_a_look(hub: Hub) -> None:
    hub.create("b-1")
    await hub.pass_time(7)
    hub.runtime.processes["b-1"].exits_at = hub.clock()
    await hub.keeper.look_soon("b-1")
    await hub.keeper.turn()
    assert hub.state("b-1") is State.PENDING


async def test_deleted_leaves_nothing(hub: Hub) -> None:
    hub.create("b-1")
    await hub.pass_time(1)
    hub.command("b-1", "delete")
    await hub.pass_time(5)
    assert hub.database.boards.find("b-1") is None
    assert (hub.runtime.processes, hub.runtime.kept) == ({}, set())


async def test_nothing_changes_while_the_runtime_is_away(hub: Hub) -> None:
    hub.create("b-1", policy=SHORT)
    await hub.pass_time(110)
    assert hub.state("b-1") is State.IDLE
    hub.runtime.away = True
    await hub.pass_time(600)
    assert hub.state("b-1") is State.IDLE
    hub.runtime.away = False
    hub.runtime.processes["b-1"].used = hub.clock() - 5
    await hub.pass_time(60)
    assert hub.state("b-1") is State.RUNNING


async def test_a_hub_that_restarts_looks_at_everything_first(hub: Hub) -> None:
    """One board was used while the hub was down, one crashed, one process belongs to no board, one to a stopped one."""
    for name in ("b-used", "b-crashed", "b-stopped"):
        hub.create(name, policy=SHORT)
    await hub.pass_time(110)
    hub.command("b-stopped", "stop")
    left_over = hub.runtime.processes["b-stopped"]
    await hub.pass_time(5)
    hub.clock.now += 2 * 86400
    hub.runtime.processes["b-used"].used = hub.clock() - 10
    hub.runtime.processes["b-crashed"].exits_at = hub.clock() - 10
    hub.runtime.processes["b-stopped"] = left_over
    hub.runtime.processes["b-unknown"] = left_over
    second = keepers.Keeper(hub.database, hub.runtime, launch, holder="two", clock=hub.clock)
    await hub.pass_time(8, second)
    assert sorted(hub.runtime.processes) == ["b-crashed", "b-used"]
    assert [hub.state(name) for name in ("b-used", "b-crashed", "b-stopped")] == [
        State.RUNNING, State.RUNNING, State.STOPPED,
    ]  # fmt: skip
    assert hub.database.boards.get("b-used").attempt == 1, "no board was interrupted"


async def test_one_of_two_hubs_leads(hub: Hub) -> None:
    second = keepers.Keeper(hub.database, hub.runtime, launch, holder="two", clock=hub.clock)
    await hub.pass_time(1)
    hub.create("b-1")
    await hub.pass_time(1, second)
    assert (hub.keeper.leads, second.leads, hub.state("b-1")) == (True, False, State.PENDING)
    await hub.keeper.close()
    hub.clock.now += keepers.RENEW_SECS
    await hub.pass_time(1, second)
    assert (second.leads, hub.state("b-1")) == (True, State.RUNNING)


async def test_a_leader_that_overslept_does_no_harm(hub: Hub) -> None:
    """Both think that they lead, and decide about the same read."""
    hub.create("b-1")
    second = keepers.Keeper(hub.database, hub.runtime, launch, holder="two", clock=hub.clock)
    await hub.keeper._renew(hub.clock())
    hub.clock.now += keepers.LEASE_SECS
    await second._renew(hub.clock())
    assert hub.keeper.leads and second.leads
    due = hub.database.boards.due(hub.clock())
    await hub.keeper._keep(due)
    await second._keep(due)
    await hub.keeper.finish_actions()
    await second.finish_actions()
    assert hub.runtime.asked == [("start", "b-1")]


def is_running(hub: Hub, board: str) -> bool:
    return hub.state(board) is State.RUNNING


async def test_the_loop_wakes_for_a_command_and_survives_a_fault(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """In real time: without the news of the change the board would wait for seconds."""
    import time

    runtime = Scripted(Clock())
    runtime.clock = time.time  # type: ignore[assignment]
    keeper = keepers.Keeper(hub.database, runtime, launch, holder="one")
    faults = iter([RuntimeError("the database is away")])
    real = hub.database.boards.due

    def due(now: float) -> list[life.Board]:
        with contextlib.suppress(StopIteration):
            raise next(faults)
        return real(now)

    monkeypatch.setattr(hub.database.boards, "due", due)
    task = asyncio.create_task(keeper.run())
    hub.clock.now = time.time()
    hub.create("b-1")
    running = asyncio.Event()
    loop = asyncio.get_running_loop()

    def tell(board: str) -> None:
        if is_running(hub, board):
            loop.call_soon_threadsafe(running.set)

    hub.database.changes.subscribe(tell)
    if not is_running(hub, "b-1"):
        await asyncio.wait_for(running.wait(), 60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert hub.database.leases.holder(keepers.LEASE, time.time()) == ""


@pytest.mark.parametrize("turns", range(6))
async def test_a_keeper_that_is_cancelled_while_a_board_changes_ends(hub: Hub, turns: int) -> None:
    """At each of the few turns of the loop that lie between a change and the keeper's reaction."""
    for number in range(10):
        keeper = keepers.Keeper(hub.database, hub.runtime, launch, holder=f"hub {number}", clock=hub.clock)
        task = asyncio.create_task(keeper.run())
        await asyncio.sleep(0.05)  # it has looked at the boards, and sleeps
        keeper.changed.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        done, _ = await asyncio.wait([task], timeout=10.0)
        assert done
