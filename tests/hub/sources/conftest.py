"""One hub for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hub.sources import hubs

from lightboard.hub import sources


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hubs.Hub]:
    with hubs.opened(tmp_path_factory.mktemp("sources")) as made:
        yield made


@pytest.fixture(scope="module")
def checked(hub: hubs.Hub) -> sources.Sources:
    return hub.sources()
