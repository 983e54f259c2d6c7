"""Sources of a hub on real stores: what is found there, whether secrets work, and a board process that reads them."""

from __future__ import annotations

import asyncio
import contextlib
import pathlib
import uuid
from collections.abc import Iterator

import pytest
from hub.life import makers
from hub.runtimes import boards
from hub.sources import hubs
from stores import logs_of, places, seaweed

from lightboard import errors
from lightboard.hub import life, runtimes, sources

pytestmark = pytest.mark.object_store

RUNS = ("a", "b/train", "b/eval")


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hubs.Hub]:
    with hubs.opened(tmp_path_factory.mktemp("hub")) as made:
        yield made


@pytest.fixture(scope="module")
def prefix(hub: hubs.Hub, seaweed_server: seaweed.Seaweed) -> str:
    """Three runs in a bucket; secrets of an admin (`own`), of a user through a name (`named`), and wrong ones."""
    found = uuid.uuid4().hex
    with contextlib.closing(seaweed_server.client()) as client:
        for bucket in (places.BUCKET, places.PUBLIC):
            client.make_bucket(bucket)
            for run in RUNS:
                client.put(bucket, f"{found}/{run}/{logs_of.NAME}", logs_of.scalars(range(3)))
    keys = {"access_key": seaweed.KEY, "secret_key": seaweed.SECRET}
    endpoint = seaweed_server.endpoint
    hub.save("own", "s3", {**keys, "endpoint": endpoint}, by="ada")
    hub.save("named", "s3", {**keys, "endpoint": endpoint.replace("127.0.0.1", "localhost")}, by="ben")
    hub.save("wrong", "s3", {**keys, "secret_key": "other", "endpoint": endpoint}, by="ada")
    hub.save("nobody", "s3", {"anonymous": "true", "endpoint": endpoint}, by="ada")
    return found


def look(made: sources.Sources, uri: str) -> sources.Found:
    return asyncio.run(made.look("team", life.Source(uri), admin=False))


def test_runs_in_a_bucket_are_counted(hub: hubs.Hub, prefix: str) -> None:
    found = look(hub.sources(), f"s3://own@{places.BUCKET}/{prefix}")
    assert (found.ok, found.code, found.type, found.runs, found.files) == (True, "", "s3", 3, 3)
    assert found.bytes == 3 * len(logs_of.scalars(range(3)))
    assert found.names == ("a", "b/eval", "b/train")
    assert found.newest is not None and not found.more
    pattern = look(hub.sources(), f"t9k://minio/own/{places.BUCKET}/{prefix}/b/*")
    assert (pattern.runs, pattern.ok) == (2, True)


@pytest.mark.parametrize(
    ("uri", "ok", "code"),
    [
        ("s3://wrong@logs/x", False, "AccessDenied"),
        ("s3://nobody@logs/x", False, "AccessDenied"),
        ("s3://own@no-such-bucket/x", False, "PathNotFound"),
        ("s3://own@logs/nothing-here", True, "PathNotFound"),
        ("s3://named@logs/x", False, "NetworkRefused"),
    ],
)
def test_why_nothing_is_found_in_a_bucket(hub: hubs.Hub, prefix: str, uri: str, ok: bool, code: str) -> None:
    found = look(hub.sources(), uri)
    assert (found.ok, found.code) == (ok, code), found.message
    assert found.message and found.hint
    assert seaweed.SECRET not in found.message + found.hint


def test_a_public_bucket_needs_no_keys(hub: hubs.Hub, prefix: str) -> None:
    assert look(hub.sources(), f"s3://nobody@{places.PUBLIC}/{prefix}").runs == 3


def tried(made: sources.Sources, endpoint: str, place: str, *, admin: bool = True, **changes: str) -> str:
    members = {"access_key": seaweed.KEY, "secret_key": seaweed.SECRET, "endpoint": endpoint, **changes}
    try:
        return asyncio.run(made.try_secret("s3", members, place, admin=admin))
    except errors.LightboardError as error:
        return error.code


def test_secrets_are_tried(hub: hubs.Hub, prefix: str, seaweed_server: seaweed.Seaweed) -> None:
    made, endpoint = hub.sources(), seaweed_server.endpoint
    assert tried(made, endpoint, f"s3://{places.BUCKET}/{prefix}") == "lists 3 objects"
    assert tried(made, endpoint, f"s3://{places.BUCKET}/{prefix}/a") == "lists 1 object"
    assert tried(made, endpoint, f"s3://{places.BUCKET}/nothing") == "lists 0 objects"
    assert tried(made, endpoint, f"s3://{places.BUCKET}/{prefix}", secret_key="other") == "AccessDenied"
    assert tried(made, endpoint, "s3://no-such-bucket") == "PathNotFound"
    assert tried(made, endpoint, f"s3://{places.BUCKET}", admin=False) == "NetworkRefused"
    assert tried(made, "http://127.0.0.1:1", f"s3://{places.BUCKET}") == "Unreachable"


@pytest.mark.parametrize("secret", ["own", "named"])
def test_a_board_process_reads_with_its_secret(hub: hubs.Hub, prefix: str, tmp_path: pathlib.Path, secret: str) -> None:
    """`named` goes through the guard: the server is allowed by its address, and not by its name."""
    made = hub.sources(allow_networks=["127.0.0.1", "::1"])
    source = life.Source(f"s3://{places.BUCKET}/{prefix}", secret=secret)
    progress = asyncio.run(read(made, makers.defined(sources=(source,)), tmp_path))
    assert (progress.phase, progress.files_read) == ("ready", 3)
    assert [each.problem for each in progress.places] == [""]


async def read(made: sources.Sources, board: life.Board, folder: pathlib.Path) -> runtimes.Progress:
    hub = boards.Hub(folder, folder)
    try:
        await hub.runtime.start(await made.launch(board))
        await hub.seen(board.id, lambda seen: seen.phase is life.Phase.ANSWERING and not seen.message)
        return await hub.runtime.progress(board.id)
    finally:
        await hub.runtime.forget(board.id)
        hub.runtime.close()
