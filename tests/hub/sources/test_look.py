"""What is found at a source: counted by a real process, in limited time, for a limited number of users at once.

Stores are looked at in tests/stores/test_hub_sources.py.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest
from hub.sources import hubs

from lightboard import errors
from lightboard.hub import life, runtimes, sources
from lightboard.hub.sources import probing


def look(made: sources.Sources, uri: str, **members: Any) -> sources.Found:
    return asyncio.run(made.look("team", life.Source(uri, **members), admin=False))


def test_runs_files_and_bytes_are_counted(hub: hubs.Hub) -> None:
    for number in (1, 2, 10):
        (hub.root / f"many/run{number}").mkdir(parents=True)
        (hub.root / f"many/run{number}/events.out.tfevents.1.h").write_bytes(b"x" * number)
        os.utime(hub.root / f"many/run{number}/events.out.tfevents.1.h", (number, number))
    (hub.root / "many/notes.txt").write_text("none")
    found = look(hub.sources(), f"{hub.root}/many", prefix="m")
    assert (found.ok, found.code, found.type, found.more) == (True, "", "local", False)
    assert (found.runs, found.files, found.bytes, found.newest) == (3, 3, 13, 10.0)
    assert found.names == ("run1", "run2", "run10")


def test_a_link_out_of_the_source_is_not_followed(hub: hubs.Hub) -> None:
    (hub.folder / "private/events.out.tfevents.1.h").write_bytes(b"x")
    (hub.root / "linked").mkdir()
    (hub.root / "linked/out").symlink_to(hub.folder / "private")
    assert look(hub.sources(), f"{hub.root}/linked").files == 0


@pytest.mark.parametrize(
    ("uri", "ok", "code"),
    [
        ("{root}/later", True, "PathNotFound"),
        ("pvc://models/later", True, "PathNotFound"),
        ("pvc://models/runs", True, "NoEventFiles"),
        ("{root}/*/train", True, ""),
        ("/etc", False, "InvalidUri"),
        ("pvc://other", False, "PvcNotFound"),
        ("http://127.0.0.1:1/", False, "NetworkRefused"),
        ("s3://gone@bucket", False, "SecretNotFound"),
    ],
)
def test_why_nothing_is_found(hub: hubs.Hub, checked: sources.Sources, uri: str, ok: bool, code: str) -> None:
    found = look(checked, uri.format(root=hub.root))
    assert (found.ok, found.code) == (ok, code)
    assert bool(found.message) == bool(code)


def test_a_directory_without_permission_is_denied(hub: hubs.Hub, checked: sources.Sources) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    (hub.root / "closed").mkdir(mode=0)
    assert look(checked, f"{hub.root}/closed").code == "AccessDenied"


def test_a_server_that_does_not_answer_takes_limited_time(hub: hubs.Hub) -> None:
    """A socket that accepts and says nothing."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        made = hub.sources(allow_networks=["127.0.0.1"], look_secs=2.0)
        found = look(made, f"http://127.0.0.1:{silent.getsockname()[1]}/runs/")
    assert (found.ok, found.code) in ((False, "Unreachable"), (True, "TimedOut"))


def test_looks_wait_for_their_turn(hub: hubs.Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of one user and three in total at once; the others wait, and are refused when it takes too long."""
    monkeypatch.setattr(probing, "WAIT_SECS", 0.01)
    at_once: list[int] = []

    async def tried() -> list[Any]:
        prober = probing.Prober(at_once=3, per_user=2)
        running, release = 0, asyncio.Event()

        async def answer(launch: runtimes.Launch, asked: bytes) -> None:
            nonlocal running
            running += 1
            at_once.append(running)
            await release.wait()
            running -= 1

        monkeypatch.setattr(prober, "_answer", answer)
        launch = runtimes.Launch(id="look", name="look", sources=(life.Source("/a"),))
        looks = [
            asyncio.create_task(prober.look(launch, user=user, type="local", uri="/a"))
            for user in ("ben", "ben", "ben", "cyd", "cyd")
        ]
        waiting = set(looks)
        while len(waiting) > 3:
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        release.set()
        return await asyncio.gather(*looks, return_exceptions=True)

    ends = asyncio.run(tried())
    assert max(at_once) == 3
    refused = [each for each in ends if isinstance(each, errors.LightboardError)]
    assert [each.code for each in refused] == ["RateLimited"] * 2


def test_a_secret_needs_a_place_of_its_kind(checked: sources.Sources) -> None:
    members = {"access_key": "a", "secret_key": "b"}

    def tried(kind: str, place: str, **more: str) -> str:
        with pytest.raises(errors.LightboardError) as refused:
            asyncio.run(checked.try_secret(kind, {**members, **more}, place))
        return refused.value.code

    assert tried("s3", "") == "InvalidUri"
    assert tried("s3", "gs://bucket") == "SecretUnfit"
    assert tried("s3", "s3://other@bucket") == "InvalidUri"
    assert tried("s3", "s3://bucket", endpoint="http://169.254.169.254") == "NetworkRefused"
    assert tried("s3", "s3://bucket", profile="default") == "SecretUnfit"
    assert tried("s3", "s3://bucket", trusted="true") == "SecretUnfit"
    assert tried("s3", "s3://bucket", region="x.evil.org/#") == "SecretUnfit"
    assert tried("s3", "s3://bucket", endpoint="http://user:pw@h") == "SecretUnfit"
    assert tried("oss", "oss://bucket", secret_key="") == "SecretKeyMissing"
