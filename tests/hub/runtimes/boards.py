"""A runtime with real board processes, and what tests ask of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from lightboard.hub import runtimes
from lightboard.hub.life import nouns
from lightboard.hub.runtimes import process

PATIENCE_SECS = 60.0


class Hub:
    """A runtime and what tests ask of it."""

    def __init__(self, folder: Path, logs: Path) -> None:
        self.folder, self.logs = folder, logs
        self.runtime = process.Processes(folder)

    def launch(self, board: str = "b1", **changes: object) -> runtimes.Launch:
        settings = {"id": board, "name": f"Board {board}", "sources": (nouns.Source(str(self.logs)),), **changes}
        return runtimes.Launch(**settings)  # type: ignore[arg-type]

    def restart(self, **settings: float) -> None:
        """The hub ends, and another one starts."""
        self.runtime.close()
        self.runtime = process.Processes(self.folder, **settings)  # type: ignore[arg-type]

    def home(self, board: str = "b1") -> Path:
        return self.folder / "boards" / board

    async def seen(self, board: str, wanted: Callable[[nouns.Seen], bool]) -> nouns.Seen:
        """Polls until it is so."""

        async def poll() -> nouns.Seen:
            while True:
                found = await self.runtime.poll(board)
                if wanted(found):
                    return found
                await asyncio.sleep(0.02)

        return await asyncio.wait_for(poll(), PATIENCE_SECS)

    async def answering(self, board: str = "b1") -> nouns.Seen:
        return await self.seen(board, lambda found: found.phase is nouns.Phase.ANSWERING)

    async def exited(self, board: str = "b1") -> nouns.Seen:
        return await self.seen(board, lambda found: found.phase is nouns.Phase.EXITED)
