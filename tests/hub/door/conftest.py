"""A door that listens, for a test."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from hub.door import servers


@pytest.fixture
async def served() -> AsyncIterator[servers.Served]:
    async with servers.serving() as made:
        yield made
