"""One real hub for all tests of this folder that do not stop it, with a person and a directory of logs."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Iterator

import pytest
from hub import hubs

LOGS = pathlib.Path(__file__).parent.parent.parent / "data" / "keras_fit"


@dataclasses.dataclass(frozen=True)
class Team:
    hub: hubs.Hub
    ann: str  # a token
    password: str
    logs: pathlib.Path


@pytest.fixture(scope="session")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Team]:
    folder = tmp_path_factory.mktemp("hub")
    with hubs.running(folder / "hub", "--allow_root", str(LOGS), "--log_format", "json") as hub:
        password = "correct horse battery staple"
        yield Team(hub, hub.new_user("ann", password), password, LOGS)
