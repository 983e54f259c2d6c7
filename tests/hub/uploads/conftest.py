"""Real hubs, on SQLite and on PostgreSQL where there is one; and logs to send."""

from __future__ import annotations

import dataclasses
import itertools
import pathlib
import random
from collections.abc import Iterator

import pytest
from hub import hubs

from lightboard import client

SAMPLES = pathlib.Path(__file__).parent.parent.parent / "data"


@dataclasses.dataclass(frozen=True)
class Place:
    """A hub, and a new user for each test."""

    hub: hubs.Hub
    numbers: Iterator[int]

    def person(self) -> tuple[str, str]:
        """Name and token."""
        with client.Hub(self.hub.url, self.hub.admin_token) as admin:
            name = f"user{next(self.numbers)}"
            admin.users.create(name)
            return name, admin.tokens.create("tests", user=name).token

    def connected(self, url: str = "") -> client.Hub:
        return client.Hub(url or self.hub.url, self.person()[1])

    def stored(self, upload: client.Upload) -> pathlib.Path:
        return self.hub.dir / "uploads" / upload.id / "files"


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    words: list[str] = []
    if request.param == "postgresql":
        words = ["--database", request.getfixturevalue("postgres_server").new_database()]
    with hubs.running(tmp_path_factory.mktemp("uploads") / "hub", *words) as hub:
        yield Place(hub, itertools.count(1))


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Files of all sizes, in directories with names of many languages."""
    top = tmp_path / "logs"
    chance = random.Random(7)
    sizes = [0, 1, 23, 4096, 70_000, 300_000, (1 << 18) + 1, 3 << 20]
    for number, size in enumerate(sizes):
        for run in ("a", "深度学习/运行 1", "naïve, β=0.5%#?&", "x" * 100):
            file = top / run / f"events.out.tfevents.{number}.host"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(chance.randbytes(size))
    (top / "a" / "hparams.yaml").write_text("lr: 0.1\n" * 1000)
    (top / "a" / "notes.txt").write_text("not sent")
    (top / "events.out.tfevents.0.top").write_bytes(b"1" * 100_000)
    return top


def contents(top: pathlib.Path) -> dict[str, bytes]:
    return {str(each.relative_to(top)): each.read_bytes() for each in sorted(top.rglob("*")) if each.is_file()}
