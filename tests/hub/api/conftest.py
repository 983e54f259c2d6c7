"""Hubs in this process, each a copy of a database that is made once: `inside_hub` has one admin, `hub` has people."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import AsyncIterator

import pytest
from hub.api import hubs, inside


@pytest.fixture(scope="session")
def empty_tables(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A database with tables and without rows."""
    return inside.template(tmp_path_factory.mktemp("tables"))


@pytest.fixture
async def inside_hub(tmp_path: pathlib.Path, empty_tables: pathlib.Path) -> AsyncIterator[inside.Hub]:
    async with inside.running(tmp_path, empty_tables) as hub:
        yield hub


@pytest.fixture(scope="session")
def peopled(tmp_path_factory: pytest.TempPathFactory, empty_tables: pathlib.Path) -> pathlib.Path:
    """A database with people and workspaces."""
    made = pathlib.Path(shutil.copy(empty_tables, tmp_path_factory.mktemp("peopled")))
    hubs.fill(str(made))
    return made


@pytest.fixture
async def hub(peopled: pathlib.Path, tmp_path: pathlib.Path) -> AsyncIterator[hubs.Hub]:
    (tmp_path / "logs").mkdir()
    made = hubs.Hub(shutil.copy(peopled, str(tmp_path / "hub.sqlite3")), tmp_path / "logs")
    yield made
    await made.aclose()
