"""Runs the probe: one short-lived process per look, with the environment and the limits of a board.

A few at once, and fewer for one user: each costs a quarter of a second of a core to start. Who waits too long for a
turn is refused.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import json
import os
import pathlib
import sys
import tempfile
from collections.abc import AsyncIterator, Mapping
from typing import Any

from lightboard.hub import runtimes
from lightboard.hub.runtimes import command, processes
from lightboard.hub.sources import refusals

LOOK_SECS = 5.0
GRACE_SECS = 1.5  # for its start and its answer
ANSWER_BYTES = 1 << 20
AT_ONCE = 4
PER_USER = 2
WAIT_SECS = 10.0
LIMITS = runtimes.Limits(memory_bytes=512 << 20, open_files=256, nice=5)
# A look does not try again for long.
STORE_LIMITS = {"retries": 1, "timeout_secs": 4.0}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Found:
    """What is found at a source. `code` without `ok` is a problem, with it a warning; `more`: there was no time to
    count everything."""

    uri: str
    ok: bool = True
    code: str = ""
    message: str = ""
    hint: str = ""
    type: str = ""
    runs: int = 0
    files: int = 0
    objects: int = 0  # everything that was listed, on stores
    bytes: int = 0
    newest: float | None = None
    more: bool = False
    names: tuple[str, ...] = ()


class Prober:
    """State, used only in the event loop: `_users` counts the looks of each user, `_free` tells that one ended."""

    def __init__(self, *, secs: float = LOOK_SECS, at_once: int = AT_ONCE, per_user: int = PER_USER) -> None:
        self._secs = secs
        self._at_once = at_once
        self._per_user = per_user
        self._users: collections.Counter[str] = collections.Counter()
        self._free = asyncio.Condition()

    async def look(self, launch: runtimes.Launch, *, user: str, type: str, uri: str) -> Found:
        """`launch` has one source."""
        async with self._turn(user):
            asked = {
                "uri": command.address(launch.sources[0]),
                "storage": {**launch.storage, "limits": STORE_LIMITS},
                "secs": self._secs - GRACE_SECS / 2,
            }
            answer = await self._answer(launch, json.dumps(asked).encode())
        if answer is None:
            return Found(uri=uri, type=type, more=True, **_UNANSWERED)
        return Found(uri=uri, type=type, **{**answer, "names": tuple(answer["names"])})

    @contextlib.asynccontextmanager
    async def _turn(self, user: str) -> AsyncIterator[None]:
        async with self._free:
            try:
                await asyncio.wait_for(self._free.wait_for(lambda: self._has_room(user)), WAIT_SECS)
            except asyncio.TimeoutError as error:
                raise refusals.Busy("too many sources are looked at at once", hint="try again in a moment") from error
            self._users[user] += 1
        try:
            yield
        finally:
            self._users -= collections.Counter({user: 1})  # drops users without looks
            async with self._free:
                self._free.notify_all()

    def _has_room(self, user: str) -> bool:
        return self._users[user] < self._per_user and self._users.total() < self._at_once

    async def _answer(self, launch: runtimes.Launch, asked: bytes) -> dict[str, Any] | None:
        with tempfile.TemporaryDirectory(prefix="lightboard-look-") as home:
            child = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "lightboard.hub.sources.probe",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=home,
                env=command.environment(launch, os.environ, home=pathlib.Path(home)),
                start_new_session=True,
                limit=ANSWER_BYTES,
            )
            processes.limit(child.pid, launch.limits)
            try:
                return _parsed(await asyncio.wait_for(_exchanged(child, asked), self._secs + GRACE_SECS))
            except asyncio.TimeoutError:
                return None
            finally:
                if child.returncode is None:
                    with contextlib.suppress(ProcessLookupError):
                        child.kill()
                    await child.wait()


_UNANSWERED: Mapping[str, Any] = {
    "ok": False, "code": "TimedOut", "message": "the source does not answer in time",
    "hint": "a board can be created; it shows why its source cannot be read",
}  # fmt: skip


async def _exchanged(child: asyncio.subprocess.Process, asked: bytes) -> bytes:
    assert child.stdin is not None and child.stdout is not None
    with contextlib.suppress(ConnectionError):  # it ended before it read
        child.stdin.write(asked)
        await child.stdin.drain()
    child.stdin.close()
    answer = await child.stdout.read(ANSWER_BYTES)
    await child.wait()
    return answer


def _parsed(answer: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(answer)
    except ValueError:  # it ran out of memory, or was ended
        return None
    return told if isinstance(told, dict) else None
