"""A real PostgreSQL for the tests of the hub, started once; tests that need it are skipped where there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hub import postgres


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    if reason := postgres.why_not():
        pytest.skip(reason)
    with postgres.running() as server:
        yield server
