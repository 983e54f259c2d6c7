"""A runtime that does what a test says, on a clock that the test moves."""

from __future__ import annotations

import dataclasses
from typing import Literal

from lightboard import errors
from lightboard.hub import life, runtimes

Behavior = Literal["quick", "slow_start", "never_start", "crash", "refused", "cannot_fork"]


class Clock:
    """State: the time."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@dataclasses.dataclass
class Process:
    launch: runtimes.Launch
    answers_at: float
    exits_at: float
    used: float | None = None


class Scripted:
    """State: processes by board, what is kept for boards, and everything that was asked for."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.behavior: dict[str, Behavior] = {}
        self.processes: dict[str, Process] = {}
        self.kept: set[str] = set()
        self.asked: list[tuple[str, str]] = []
        self.away = False

    async def start(self, launch: runtimes.Launch) -> None:
        self.asked.append(("start", launch.id))
        behavior = self.behavior.get(launch.id, "quick")
        if behavior == "refused":
            raise errors.BadInput("no secret `keys`", hint="save it in the workspace", code="bad.test")
        if behavior == "cannot_fork":
            raise OSError("too many processes")
        now, never = self.clock(), float("inf")
        answers_at = {"quick": now, "slow_start": now + 30, "crash": now}.get(behavior, never)
        self.processes[launch.id] = Process(launch, answers_at, now if behavior == "crash" else never)
        self.kept.add(launch.id)

    async def stop(self, board: str, *, grace_secs: float = 5.0) -> None:
        self.asked.append(("stop", board))
        self.processes.pop(board, None)

    async def forget(self, board: str) -> None:
        self.asked.append(("forget", board))
        self.processes.pop(board, None)
        self.kept.discard(board)

    async def poll(self, board: str) -> life.Seen:
        if self.away:
            raise OSError("the runtime is away")
        now, process = self.clock(), self.processes.get(board)
        if process is None:
            return life.Seen(at=now, phase=life.Phase.ABSENT)
        seen = life.Seen(
            at=now,
            phase=life.Phase.STARTING,
            attempt=process.launch.attempt,
            revision=process.launch.revision,
            message="listing",
        )
        if now >= process.exits_at:
            return dataclasses.replace(seen, phase=life.Phase.EXITED, message="Traceback", exit_code=1)
        if now >= process.answers_at:
            return dataclasses.replace(seen, phase=life.Phase.ANSWERING, used=process.used, used_by="page")
        return seen

    async def progress(self, board: str) -> runtimes.Progress:
        return runtimes.Progress(phase="ready")

    async def logs(self, board: str, *, lines: int = 200) -> list[str]:
        return []

    async def usage(self, board: str) -> runtimes.Usage:
        return runtimes.Usage()

    async def running(self) -> list[str]:
        return [name for name, each in self.processes.items() if self.clock() < each.exits_at]

    def address(self, board: str) -> str:
        return f"/run/{board}"


async def launch(board: life.Board) -> runtimes.Launch:
    return runtimes.Launch(
        id=board.id, name=board.name, sources=board.sources, attempt=board.attempt, revision=board.revision
    )
