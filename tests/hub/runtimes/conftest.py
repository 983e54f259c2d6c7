"""A runtime whose boards end with the test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import event_files
import pytest
from hub.runtimes.boards import Hub


@pytest.fixture
def logdir(tmp_path: Path) -> Path:
    folder = tmp_path / "logs" / "run1"
    folder.mkdir(parents=True)
    events = [event_files.version_event(), *(event_files.scalar_event("loss", 1 / (n + 1), step=n) for n in range(10))]
    event_files.write(folder / "events.out.tfevents.1.host", events)
    return folder.parent


@pytest.fixture
async def hub(tmp_path: Path, logdir: Path) -> AsyncIterator[Hub]:
    made = Hub(tmp_path / "hub", logdir)
    yield made
    made.restart()
    for board in await made.runtime.running():
        await made.runtime.stop(board)
    made.runtime.close()
