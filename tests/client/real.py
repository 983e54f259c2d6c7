"""A real hub for tests of its clients: logs, a claim, and a new user for each test, so that quotas are separate."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import pathlib
from collections.abc import Iterator

from hub import hubs

from lightboard import client

LOGS = pathlib.Path(__file__).parent.parent / "data" / "keras_fit" / "logs"
# of the manifest in TensorStack's documentation
CLAIM = "pytorchtrainingjob-tensorboard-pvc"


@dataclasses.dataclass(frozen=True)
class Team:
    hub: hubs.Hub
    admin: client.Hub
    logs: pathlib.Path
    numbers: Iterator[int]

    def person(self, password: str = "") -> tuple[str, str]:
        """Name and token of a new user. Without a password, which takes a tenth of a second to hash."""
        name = f"user{next(self.numbers)}"
        if password:
            return name, self.hub.new_user(name, password)
        self.admin.users.create(name)
        return name, self.admin.tokens.create("tests", user=name).token

    def connected(self) -> client.Hub:
        return client.Hub(self.hub.url, self.person()[1])


@contextlib.contextmanager
def team(folder: pathlib.Path) -> Iterator[Team]:
    words = ("--allow_root", str(LOGS), "--claim", f"{CLAIM}={LOGS.parent}", "--claim", f"data={LOGS.parent}")
    with hubs.running(folder / "hub", *words) as hub, client.Hub(hub.url, hub.admin_token) as admin:
        yield Team(hub, admin, LOGS, itertools.count(1))
