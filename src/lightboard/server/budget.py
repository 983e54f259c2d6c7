"""A number of bytes that requests share. One that does not fit waits in a queue; after a timeout it is refused."""

from __future__ import annotations

import asyncio
import collections
import contextlib
from collections.abc import AsyncIterator

from lightboard.server import responses


class Budget:
    """State: `held` bytes are in use, `_line` is the queue of waiting requests. Changed on the event loop only."""

    def __init__(self, size: int, wait_secs: float) -> None:
        self.size = size
        self.held = 0
        self._wait_secs = wait_secs
        self._line: collections.deque[tuple[int, asyncio.Future[None]]] = collections.deque()

    @contextlib.asynccontextmanager
    async def hold(self, wanted: int) -> AsyncIterator[None]:
        """A request larger than the budget takes all of it, so it runs alone."""
        wanted = min(wanted, self.size)
        await self._take(wanted)
        try:
            yield
        finally:
            self.held -= wanted
            self._let_in()

    async def _take(self, wanted: int) -> None:
        if not self._line and self.held + wanted <= self.size:
            self.held += wanted
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._line.append((wanted, turn))
        try:
            await asyncio.wait_for(asyncio.shield(turn), self._wait_secs)
        except BaseException as error:
            self._leave(wanted, turn)
            if isinstance(error, asyncio.TimeoutError):
                raise responses.Busy(
                    "the board is busy with other large requests",
                    hint=f"try again in {responses.Busy.retry_secs} seconds",
                    code="board.busy",
                ) from None
            raise

    def _leave(self, wanted: int, turn: asyncio.Future[None]) -> None:
        if turn.done():
            self.held -= wanted
        else:
            self._line.remove((wanted, turn))
        self._let_in()

    def _let_in(self) -> None:
        while self._line and self.held + self._line[0][0] <= self.size:
            wanted, turn = self._line.popleft()
            self.held += wanted
            turn.set_result(None)
