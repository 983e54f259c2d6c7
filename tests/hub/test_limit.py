"""50 creates at the same moment with a limit of 5: exactly 5 boards, through one hub or several.

`LIGHTBOARD_LIMIT_ROUNDS` asks for more rounds than the usual two.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import os
import pathlib

import event_files
import httpx
import pytest
from hub import hubs

pytestmark = pytest.mark.whole_hub

ROUNDS = int(os.environ.get("LIGHTBOARD_LIMIT_ROUNDS", "2"))
AT_ONCE, LIMIT = 50, 5


@pytest.mark.parametrize(("database", "count"), [("sqlite", 1), ("postgresql", 1), ("postgresql", 3)])
def test_the_limit_holds(request: pytest.FixtureRequest, tmp_path: pathlib.Path, database: str, count: int) -> None:
    logs = tmp_path / "logs"
    event_files.write(logs / "run" / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    words = ["--allow_root", str(logs)]
    if database == "postgresql":
        words += ["--database", request.getfixturevalue("postgres_server").new_database()]
    with contextlib.ExitStack() as stack:
        running = [stack.enter_context(hubs.running(tmp_path / "hub", *words)) for _ in range(count)]
        for _ in range(ROUNDS):
            codes = asyncio.run(create_at_once([hub.url for hub in running], str(logs)))
            assert codes == {"created": LIMIT, "TensorboardLimitExceeded": AT_ONCE - LIMIT}
            boards = running[-1].ok("GET", "/api/v1/boards")["items"]
            assert len(boards) == LIMIT
            for each in boards:
                running[0].ok("DELETE", f"/api/v1/boards/{each['id']}")
            hubs.until(lambda: running[-1].ok("GET", "/api/v1/boards")["total"] == 0)


async def create_at_once(urls: list[str], uri: str) -> dict[str, int]:
    headers = {"Authorization": f"Bearer {hubs.ADMIN_TOKEN}"}
    async with httpx.AsyncClient(headers=headers, timeout=hubs.PATIENCE_SECS, trust_env=False) as client:
        sent = [
            client.post(f"{urls[number % len(urls)]}/api/v1/boards", json={"name": f"board {number}", "uri": uri})
            for number in range(AT_ONCE)
        ]
        answers = await asyncio.gather(*sent)
    return dict(collections.Counter("created" if each.is_success else each.json()["code"] for each in answers))
