"""One real hub for all tests of this folder that do not stop it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from client import real


@pytest.fixture(scope="session")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Team]:
    with real.team(tmp_path_factory.mktemp("team")) as made:
        yield made
