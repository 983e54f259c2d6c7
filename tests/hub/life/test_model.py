"""Random lives of boards: people, a keeper, processes that crash, a hub that restarts, and a clock that is handed in.

`World` has what is real: processes, when boards were truly used, what is kept on disk. The keeper knows of it only what
it polls. After every rule the promises are checked:

- the quota is never exceeded;
- no board is reclaimed before idle_after + reclaim_after of true disuse, or while it is kept alive;
- a board that is left alone is reclaimed in the end;
- every stopped or failed board resumes;
- a deleted board leaves nothing;
- generations and versions only grow; a decision on an old read is not stored;
- nothing changes for a board that cannot be observed.

LIGHTBOARD_MODEL_STEPS=100000 sets how many rules are run. Policies are short, so that a life fits into few steps: the
rules know no number but the policy's.
"""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import hypothesis
from hypothesis import stateful
from hypothesis import strategies as st

from lightboard.hub import life
from lightboard.hub.life import commands, policy, quota, refusals, steps
from lightboard.hub.life.nouns import Desired, Phase, State, StopReason

STEPS = int(os.environ.get("LIGHTBOARD_MODEL_STEPS", "3000"))
PER_LIFE = 100
LIMIT = 3
IDLE, RECLAIM = 200.0, 500.0
TIMING = policy.Timing(IDLE, RECLAIM, max_runtime_secs=4000.0)
OWNERS = ("ada", "bo")
BEHAVIORS = (*["quick"] * 8, "slow", "crashes", "never answers", "permanent")
LONG = IDLE + RECLAIM + steps.GAP_SECS + 3 * steps.POLL_SECS


@dataclasses.dataclass
class Process:
    attempt: int
    revision: int
    answers_at: float
    exits_at: float
    used: float
    used_by: str = "start"
    stops_at: float = float("inf")
    permanent: bool = False


@dataclasses.dataclass
class World:
    """State: `boards` is the database, all else is real."""

    now: float = 1_000_000.0
    boards: dict[str, life.Board] = dataclasses.field(default_factory=dict)
    processes: dict[str, Process] = dataclasses.field(default_factory=dict)
    on_disk: set[str] = dataclasses.field(default_factory=set)
    used: dict[str, float] = dataclasses.field(default_factory=dict)
    behavior: dict[str, str] = dataclasses.field(default_factory=dict)
    unobservable: set[str] = dataclasses.field(default_factory=set)
    # the hub dies after storing the next decision, before its actions
    dies_next: bool = False
    reclaims: int = 0

    # -- what a runtime does

    def poll(self, board: str) -> life.Seen | None:
        if board in self.unobservable:
            return None
        process = self.processes.get(board)
        if process is None or self.now >= process.stops_at:
            self.processes.pop(board, None)
            return life.Seen(at=self.now, phase=Phase.ABSENT)
        told = life.Seen(at=self.now, phase=Phase.STARTING, attempt=process.attempt, revision=process.revision)
        if self.now >= process.exits_at:
            return dataclasses.replace(told, phase=Phase.EXITED, permanent=process.permanent)
        if self.now >= process.answers_at:
            return dataclasses.replace(told, phase=Phase.ANSWERING, used=process.used, used_by=process.used_by)
        return told

    def start(self, board: life.Board) -> None:
        old = self.processes.get(board.id)
        if old is not None and old.attempt == board.attempt and self.now < min(old.exits_at, old.stops_at):
            return
        delays = {"quick": 0.2, "slow": 30.0, "never answers": float("inf")}
        behavior = self.behavior.get(board.id, "quick")
        exits_at = self.now + 0.1 if behavior in ("crashes", "permanent") else float("inf")
        answers_at = self.now + delays.get(behavior, 1.0)
        self.processes[board.id] = Process(
            board.attempt, board.revision, answers_at, exits_at, answers_at, permanent=behavior == "permanent"
        )
        self.on_disk.add(board.id)

    def stop(self, board: life.Board) -> None:
        if board.id in self.processes:
            process = self.processes[board.id]
            process.stops_at = min(process.stops_at, self.now + 0.5)
            if board.state is State.STOPPING and board.stop_reason is StopReason.IDLE_RECLAIMED:
                self.check_reclaim(board)

    def check_reclaim(self, board: life.Board) -> None:
        self.reclaims += 1
        assert board.desired is Desired.STOP or board.stop_sent is not None
        if board.stop_sent == self.now:
            assert self.now - self.used[board.id] >= IDLE + RECLAIM
            assert board.keep_alive_until is None or self.now >= board.keep_alive_until + RECLAIM

    # -- what the keeper does

    def write(self, before: life.Board, after: life.Board) -> bool:
        """The optimistic write of the database."""
        current = self.boards.get(before.id)
        if current is None or current.version != before.version:
            return False
        assert after.generation >= current.generation
        assert after.observed_generation <= after.generation
        assert after.last_activity >= current.last_activity
        self.boards[before.id] = dataclasses.replace(after, version=current.version + 1)
        return True

    def keep(self, name: str) -> None:
        board = self.boards[name]
        seen = self.poll(name)
        decision = life.step(board, seen, self.now, TIMING)
        if seen is None:
            same = dataclasses.replace(decision.board, look_again_at=board.look_again_at)
            assert (same, decision.actions, decision.gone) == (board, (), False)
        assert self.write(board, decision.board)
        if self.dies_next:
            self.dies_next = False
            return
        self.act(decision)

    def act(self, decision: life.Decision) -> None:
        for action in decision.actions:
            if action == life.Act.START:
                self.start(decision.board)
            elif action == life.Act.STOP:
                self.stop(decision.board)
            else:
                assert action == life.Act.REMOVE
                assert decision.board.id not in self.processes or not self.is_alive(decision.board.id)
                self.processes.pop(decision.board.id, None)
                self.on_disk.discard(decision.board.id)
        if decision.gone:
            del self.boards[decision.board.id]

    def is_alive(self, name: str) -> bool:
        process = self.processes.get(name)
        return process is not None and self.now < min(process.exits_at, process.stops_at)

    def is_answering(self, name: str) -> bool:
        return self.is_alive(name) and self.now >= self.processes[name].answers_at

    def run_until(self, end: float, before_stop_of: str = "") -> None:
        """With `before_stop_of`, time stands still between the decision to reclaim that board and its stop."""
        looks = 0
        while True:
            named = self.boards.get(before_stop_of)
            if named is not None and named.state is State.STOPPING and named.stop_sent is None:
                return
            due = [(each.look_again_at, name) for name, each in self.boards.items() if each.look_again_at is not None]
            if not due or min(due)[0] > end:
                break
            looks += 1
            assert looks < 20_000, "the keeper is busy without an end"
            at, name = min(due)
            self.now = max(self.now, at)
            self.keep(name)
        self.now = max(self.now, end)


class Lives(stateful.RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.made = 0
        self.versions: dict[str, tuple[int, int]] = {}
        self.old_read: tuple[life.Board, life.Seen] | None = None

    # -- people

    def active(self, owner: str, without: str = "") -> int:
        return sum(
            quota.is_active(each) for each in self.world.boards.values() if each.owner == owner and each.id != without
        )

    def fits(self, board: life.Board) -> bool:
        scope = f"account:{board.owner}"
        used = {scope: self.active(board.owner, board.id)}
        return quota.full_scope(board.owner, board.workspace, life.Limits(LIMIT), used) is None

    def change(self, board: life.Board, change: commands.Change) -> None:
        if change.events:
            assert change.board.generation > board.generation
            assert self.world.write(board, change.board)
        else:
            assert change.board == board

    def pick(self, number: int, *, answering: bool = False) -> life.Board | None:
        """One of all boards, or of those that answer."""
        world = self.world
        boards = [each for each in world.boards.values() if not answering or world.is_answering(each.id)]
        return boards[number % len(boards)] if boards else None

    @stateful.rule(owner=st.sampled_from(OWNERS), behavior=st.sampled_from(BEHAVIORS))
    def create(self, owner: str, behavior: str) -> None:
        name = f"b-{self.made}"
        board = life.Board(
            id=name, name=name, workspace="team", owner=owner, sources=(life.Source("/logs"),), created=self.world.now
        )
        if not self.fits(board):
            assert self.active(owner) == LIMIT
            return
        self.made += 1
        self.world.behavior[name] = behavior
        self.world.boards[name] = commands.created(board, owner).board
        self.world.used[name] = self.world.now

    @stateful.rule(number=st.integers(0, 20), behavior=st.sampled_from(BEHAVIORS))
    def start(self, number: int, behavior: str) -> None:
        board = self.pick(number)
        if board is not None:
            self.started(board, behavior)

    def started(self, board: life.Board, behavior: str) -> bool:
        if board.state is State.DELETING or not self.fits(board):
            return False
        self.world.behavior[board.id] = behavior
        change = commands.start(board, self.world.now, "ada")
        self.change(board, change)
        if change.events:
            self.world.used[board.id] = self.world.now
        return True

    @stateful.rule(
        number=st.integers(0, 20), reason=st.sampled_from([StopReason.USER, StopReason.ADMIN]), meant=st.booleans()
    )
    def stop(self, number: int, reason: StopReason, meant: bool) -> None:
        board = self.pick(number)
        if board is not None and meant and board.state is not State.DELETING:
            self.change(board, commands.stop(board, self.world.now, "ada", reason))

    @stateful.rule(number=st.integers(0, 20), meant=st.integers(0, 3))
    def delete(self, number: int, meant: int) -> None:
        """Seldom: lives should be long."""
        board = self.pick(number)
        if board is not None and meant == 3:
            self.change(board, commands.delete(board, self.world.now, "ada"))

    @stateful.rule(number=st.integers(0, 20), secs=st.sampled_from([0.0, 50.0, 1000.0]))
    def keep_alive(self, number: int, secs: float) -> None:
        board = self.pick(number)
        if board is None:
            return
        try:
            change = commands.keep_alive(board, self.world.now + secs, self.world.now, "ada")
        except (refusals.NotRunning, refusals.BeingDeleted):
            return
        self.change(board, change)
        self.world.used[board.id] = self.world.now

    @stateful.rule(number=st.integers(0, 20))
    def redefine(self, number: int) -> None:
        board = self.pick(number)
        if board is not None and board.state is not State.DELETING:
            sources = (life.Source(f"/logs/{board.generation}"),)
            self.change(board, commands.redefine(board, self.world.now, "ada", sources=sources))

    @stateful.rule(number=st.integers(0, 20))
    def open(self, number: int) -> None:
        """Through the door: a running board is used, a stopped one wakes."""
        board = self.pick(number)
        if board is None:
            return
        if board.state in (State.RUNNING, State.IDLE):
            self.touch(board.id)
        elif self.fits(board):
            change = commands.opened(board, self.world.now, "bo")
            self.change(board, change)
            if change.events:
                self.world.used[board.id] = self.world.now

    def touch(self, name: str) -> None:
        if self.world.is_answering(name):
            process = self.world.processes[name]
            process.used, process.used_by = self.world.now, "page"
            self.world.used[name] = self.world.now

    @stateful.rule(number=st.integers(0, 20), before=st.sampled_from([1.0, 0.001, 0.0, -100.0]))
    def click_in_the_last_second_before_reclaim(self, number: int, before: float) -> None:
        """A page that is already open reports use around the deadline, also between decision and stop."""
        board = self.pick(number, answering=True)
        if board is None or board.state not in (State.RUNNING, State.IDLE) or board.id in self.world.unobservable:
            return
        self.world.run_until(max(self.world.now, policy.reclaim_at(board, TIMING) - before), board.id)
        if board.id in self.world.boards and self.world.boards[board.id].stop_sent is None:
            self.touch(board.id)

    # -- time and accidents

    @stateful.rule(secs=st.sampled_from([0.01, 0.5, 3.0, 20.0, 100.0, IDLE, RECLAIM, LONG]))
    def tick(self, secs: float) -> None:
        self.world.run_until(self.world.now + secs)

    @stateful.rule(secs=st.floats(0, 300))
    def tick_a_little(self, secs: float) -> None:
        self.world.run_until(self.world.now + secs)

    @stateful.rule()
    def look_once(self) -> None:
        due = [each.look_again_at for each in self.world.boards.values() if each.look_again_at is not None]
        if due:
            self.world.run_until(max(self.world.now, min(due)))

    @stateful.rule(number=st.integers(0, 20))
    def crash(self, number: int) -> None:
        board = self.pick(number, answering=True)
        if board is not None and self.world.is_alive(board.id):
            self.world.processes[board.id].exits_at = self.world.now

    @stateful.rule(number=st.integers(0, 20))
    def machine_forgets_the_process(self, number: int) -> None:
        board = self.pick(number)
        if board is not None:
            self.world.processes.pop(board.id, None)

    @stateful.rule(secs=st.sampled_from([1.0, 60.0, IDLE, 5000.0]), number=st.integers(0, 20), used=st.booleans())
    def hub_is_down(self, secs: float, number: int, used: bool) -> None:
        """Boards go on, and may be used; the hub comes back with what it stored."""
        self.world.now += secs / 2
        board = self.pick(number, answering=True)
        if used and board is not None:
            self.touch(board.id)
        self.world.now += secs / 2

    @stateful.rule()
    def hub_dies_before_the_next_action(self) -> None:
        self.world.dies_next = True

    @stateful.rule(number=st.integers(0, 20))
    def lose_sight(self, number: int) -> None:
        board = self.pick(number)
        if board is not None:
            self.world.unobservable ^= {board.id}

    @stateful.rule(number=st.integers(0, 20))
    def read_early(self, number: int) -> None:
        """Another keeper, which thinks that it leads, reads a board …"""
        board = self.pick(number)
        seen = self.world.poll(board.id) if board is not None else None
        self.old_read = (board, seen) if board is not None and seen is not None else None

    @stateful.rule()
    def write_late(self) -> None:
        """… and decides later: it may do so only if nothing was written meanwhile and what it saw is not old."""
        if self.old_read is None:
            return
        board, seen = self.old_read
        self.old_read = None
        decision = life.step(board, seen, self.world.now, TIMING)
        current = self.world.boards.get(board.id)
        stored = self.world.write(board, decision.board)
        assert stored == (current is not None and current.version == board.version)

    @stateful.rule()
    def decide_late(self) -> None:
        """… or decides about the board as it is now, but with what it saw then."""
        if self.old_read is None or self.old_read[0].id not in self.world.boards:
            return
        board, seen = self.world.boards[self.old_read[0].id], self.old_read[1]
        self.old_read = None
        decision = life.step(board, seen, self.world.now, TIMING)
        if seen.at < board.state_since:
            assert (decision.board.state, decision.actions) == (board.state, ())
        assert self.world.write(board, decision.board)
        self.world.act(decision)

    @stateful.rule()
    def left_alone_boards_are_reclaimed(self) -> None:
        world = self.world
        world.dies_next = False
        watching = [
            each.id
            for each in world.boards.values()
            if each.state in (State.RUNNING, State.IDLE)
            and each.id not in world.unobservable
            and world.is_answering(each.id)
            and world.behavior[each.id] == "quick"
        ]
        longest = max((world.boards[name].keep_alive_until or 0.0 for name in watching), default=0.0)
        world.run_until(max(world.now, longest) + LONG)
        for name in watching:
            assert world.boards[name].state is State.STOPPED, world.boards[name]

    # -- promises

    @stateful.invariant()
    def quota_holds(self) -> None:
        assert all(self.active(owner) <= LIMIT for owner in OWNERS)

    @stateful.invariant()
    def numbers_only_grow(self) -> None:
        for name, board in self.world.boards.items():
            generation, version = self.versions.get(name, (0, -1))
            assert board.generation >= generation and board.version >= version
            self.versions[name] = (board.generation, board.version)

    @stateful.invariant()
    def states_make_sense(self) -> None:
        for board in self.world.boards.values():
            if board.state is State.STOPPED:
                assert board.desired is Desired.STOP and board.reason and not self.world.is_answering(board.id)
            if board.state in (State.RUNNING, State.IDLE):
                assert board.desired is Desired.RUN and board.started is not None
            if commands.is_settled(board, board.generation):
                assert (board.desired is Desired.RUN) == (board.state in (State.RUNNING, State.IDLE)) or (
                    board.state is State.FAILED
                )

    @stateful.invariant()
    def deleted_leaves_nothing(self) -> None:
        assert self.world.processes.keys() <= self.world.boards.keys()
        assert self.world.on_disk <= self.world.boards.keys()

    def teardown(self) -> None:
        """Every board that does not run resumes, one after the other; then all are deleted."""
        world = self.world
        world.unobservable.clear()
        world.dies_next = False
        for name in list(world.boards):
            self.resume(name)
        for board in list(world.boards.values()):
            self.change(board, commands.delete(board, world.now, "ada"))
        world.run_until(world.now + 60)
        assert (world.boards, world.processes, world.on_disk) == ({}, {}, set())

    def resume(self, name: str) -> None:
        world = self.world
        world.behavior[name] = "quick"
        if name not in world.boards or world.boards[name].state is State.DELETING:
            return
        for other in list(world.boards.values()):  # frees the slots
            if other.id != name and other.state is not State.DELETING:
                self.change(other, commands.stop(other, world.now, "ada"))
        world.run_until(world.now + 60)
        for _ in range(2):  # the first may come while it fails, or reaches its longest runtime
            assert self.started(world.boards[name], "quick")
            self.touch(name)
            wanted = world.boards[name].generation
            world.run_until(world.now + steps.START_SECS + 30)
            if world.boards[name].state in (State.RUNNING, State.IDLE):
                break
        board = world.boards[name]
        assert board.state in (State.RUNNING, State.IDLE), board
        assert commands.is_settled(board, wanted)


def settings(**more: Any) -> hypothesis.settings:
    """A long run stops at the first failure: making it shorter takes minutes."""
    phases = set(hypothesis.Phase) - ({hypothesis.Phase.shrink} if STEPS > 10_000 else set())
    return hypothesis.settings(
        phases=phases,
        max_examples=max(1, STEPS * 5 // 4 // PER_LIFE),
        stateful_step_count=PER_LIFE,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        **more,
    )


TestLives = Lives.TestCase
TestLives.settings = settings()
