"""Objects that appear, grow, are replaced and vanish, on several stores; the same is done to a directory beside it."""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
import random
import uuid
from collections.abc import Iterator

import pytest
from stores import azure, corpora, injected, juice, logs_of, places, proxy, seaweed, signing, web_server

import lightboard
from lightboard.reading import Logs

pytestmark = pytest.mark.object_store

STORES = ("s3", "minio", "azure", "web")


@dataclasses.dataclass
class Twins:
    """The same logs on a store and in a directory."""

    uri: str
    storage: pathlib.Path
    shelf: places.Shelf
    directory: pathlib.Path
    contents: dict[str, bytes] = dataclasses.field(default_factory=dict)

    def put(self, run: str, content: bytes) -> None:
        name = f"{run}/{logs_of.NAME}"
        self.shelf.put(name, content)
        places.DirectoryShelf(self.directory).put(name, content)
        self.contents[run] = content

    def append(self, run: str, content: bytes) -> None:
        self.put(run, self.contents[run] + content)

    def delete(self, run: str) -> None:
        name = f"{run}/{logs_of.NAME}"
        self.shelf.delete(name)
        places.DirectoryShelf(self.directory).delete(name)
        del self.contents[run]

    def open(self, **options: object) -> Logs:
        return lightboard.open(self.uri, storage=self.storage, **{"index": False, **options})  # type: ignore[arg-type]

    def must_be_equal(self, logs: Logs) -> None:
        with lightboard.open(self.directory, index=False) as local:
            wanted = corpora.everything(local, str(self.directory))
        found = corpora.everything(logs, self.uri)
        for part, value in wanted.items():
            assert found[part] == value, part


@pytest.fixture(params=STORES)
def twins(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[Twins]:
    prefix = uuid.uuid4().hex
    directory = tmp_path / "local"
    directory.mkdir()
    with contextlib.ExitStack() as stack:
        place, shelf = _place(request, stack, prefix, tmp_path)
        yield Twins(place.uri, place.storage, shelf, directory)


def _place(
    request: pytest.FixtureRequest, stack: contextlib.ExitStack, prefix: str, directory: pathlib.Path
) -> tuple[places.Place, places.Shelf]:
    if request.param == "web":
        served = directory / "served" / prefix
        served.mkdir(parents=True)
        url = stack.enter_context(web_server.running(directory / "served", "nginx"))
        return places.Place(f"{url}/{prefix}", places.settings(directory)), places.DirectoryShelf(served)
    name = {"s3": "seaweed_server", "minio": "juice_server", "azure": "azurite_server"}[request.param]
    server: seaweed.Seaweed | juice.Juice | azure.Azurite = request.getfixturevalue(name)
    client = stack.enter_context(contextlib.closing(server.client()))
    client.make_bucket("growing")
    secret = {
        "s3": {"key": seaweed.KEY, "secret": seaweed.SECRET},
        "minio": {"key": juice.KEY, "secret": juice.SECRET},
        "azure": {"account": azure.ACCOUNT, "key": azure.KEY},
    }[request.param]
    scheme = {"s3": "s3", "minio": "minio", "azure": "az"}[request.param]
    found = places.settings(directory, endpoint=server.endpoint, **secret)
    place = places.Place(f"{scheme}://store@growing/{prefix}", found)
    return place, places.BucketShelf(client, "growing", prefix)


def test_every_change_is_read(twins: Twins) -> None:
    twins.put("a", logs_of.scalars(range(10)))
    twins.put("b/c", logs_of.scalars(range(10), add=0.5))
    with twins.open() as logs:
        twins.must_be_equal(logs)
        twins.append("a", logs_of.scalars(range(10, 20)))
        twins.must_be_equal(logs.refresh())
        assert logs_of.points(logs)["a"] == logs_of.expected(range(20))
        twins.put("new", logs_of.scalars(range(5)))
        twins.must_be_equal(logs.refresh())
        twins.put("a", logs_of.scalars(range(12), add=7.0))
        twins.must_be_equal(logs.refresh())
        assert logs_of.points(logs)["a"] == logs_of.expected(range(12), 7.0)
        twins.delete("b/c")
        twins.must_be_equal(logs.refresh())
        assert sorted(logs_of.points(logs)) == ["a", "new"]


def test_a_record_that_is_not_whole_yet_is_read_when_it_is(twins: Twins) -> None:
    whole = logs_of.scalars(range(10))
    for cut in (len(whole) - 1, len(whole) - 20):
        twins.put("run", whole[:cut])
        with twins.open() as logs:
            assert logs_of.points(logs)["run"] == logs_of.expected(range(9))
            twins.put("run", whole + logs_of.scalars(range(10, 12)))
            assert logs_of.points(logs.refresh())["run"] == logs_of.expected(range(12))


def test_growth_between_two_starts_is_read(twins: Twins, tmp_path: pathlib.Path) -> None:
    twins.put("a", logs_of.scalars(range(10)))
    twins.put("b", logs_of.scalars(range(10)))
    index = tmp_path / "index"
    with twins.open(index=True, index_dir=index) as logs:
        twins.must_be_equal(logs)
    twins.append("a", logs_of.scalars(range(10, 30)))
    twins.put("b", logs_of.scalars(range(15), add=3.0))
    with twins.open(index=True, index_dir=index) as logs:
        twins.must_be_equal(logs)


def test_any_order_of_changes(twins: Twins) -> None:
    chance = random.Random(5)
    steps = {"first": 3}
    twins.put("first", logs_of.scalars(range(3)))
    with twins.open() as logs:
        for number in range(40):
            for _ in range(chance.randrange(3)):
                _change(twins, chance, steps, number)
            twins.must_be_equal(logs.refresh())


def _change(twins: Twins, chance: random.Random, steps: dict[str, int], number: int) -> None:
    run = chance.choice([*steps, f"run{number}"])
    action = chance.choice(["append", "append", "replace", "delete"])
    if run not in steps or action == "replace":
        steps[run] = chance.randrange(1, 20)
        twins.put(run, logs_of.scalars(range(steps[run]), add=float(number)))
    elif action == "append":
        more = chance.randrange(1, 20)
        twins.append(run, logs_of.scalars(range(steps[run], steps[run] + more), add=float(number)))
        steps[run] += more
    else:
        twins.delete(run)
        del steps[run]


# ---- what it costs


@pytest.fixture
def grown(between: proxy.Proxy, tmp_path: pathlib.Path) -> tuple[str, pathlib.Path]:
    return f"s3://store@growing/{uuid.uuid4().hex}", places.s3_settings(tmp_path, between.endpoint)


def test_an_object_that_grew_is_read_from_its_old_end(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, grown: tuple[str, pathlib.Path]
) -> None:
    uri, storage = grown
    key = f"{uri.rpartition('/')[2]}/run/{logs_of.NAME}"
    old, more = logs_of.scalars(range(20_000)), logs_of.scalars(range(20_000, 20_100))
    with contextlib.closing(seaweed_server.client()) as client:
        client.put("growing", key, old)
        with lightboard.open(uri, storage=storage, index=False) as logs:
            between.forget()
            client.put("growing", key, old + more)
            assert logs_of.points(logs.refresh())["run"] == logs_of.expected(range(20_100))
    gets = between.requests("GET")
    assert sum(each.body_bytes for each in gets) < len(old) / 2
    assert between.count() == {"LIST": 1, "GET": len(gets)} and len(gets) <= 2


def test_an_object_that_was_replaced_by_another_is_read_anew(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, grown: tuple[str, pathlib.Path]
) -> None:
    uri, storage = grown
    key = f"{uri.rpartition('/')[2]}/run/{logs_of.NAME}"
    with contextlib.closing(seaweed_server.client()) as client:
        client.put("growing", key, logs_of.scalars(range(2_000)))
        with lightboard.open(uri, storage=storage, index=False) as logs:
            client.put("growing", key, logs_of.scalars(range(3_000), add=0.5))
            assert logs_of.points(logs.refresh())["run"] == logs_of.expected(range(3_000), 0.5)


@dataclasses.dataclass
class Replacing:
    """Uploads the object anew, a little longer, just before each of the first reads."""

    client: signing.S3Client
    key: str
    times: int

    def choose(self, request: injected.Request) -> None:
        if request.kind == "GET" and self.times:
            self.times -= 1
            self.client.put("growing", self.key, logs_of.scalars(range(20 - self.times)))


@pytest.mark.parametrize("times", [1, 2, 3])
def test_an_object_that_is_replaced_after_it_was_listed_is_read(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, grown: tuple[str, pathlib.Path], times: int
) -> None:
    """As objects of running jobs are, while a large bucket is loaded."""
    uri, storage = grown
    key = f"{uri.rpartition('/')[2]}/run/{logs_of.NAME}"
    with contextlib.closing(seaweed_server.client()) as client:
        client.put("growing", key, logs_of.scalars(range(10)))
        between.plan = Replacing(client, key, times)
        with lightboard.open(uri, storage=storage, index=False) as logs:
            assert logs_of.points(logs) == {"run": logs_of.expected(range(20))}
            assert (logs.faults, logs.problems) == ([], [])


def test_an_object_that_is_always_replaced_is_named(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, grown: tuple[str, pathlib.Path]
) -> None:
    uri, storage = grown
    key = f"{uri.rpartition('/')[2]}/run/{logs_of.NAME}"
    with contextlib.closing(seaweed_server.client()) as client:
        client.put("growing", key, logs_of.scalars(range(10)))
        between.plan = Replacing(client, key, 20)
        with lightboard.open(uri, storage=storage, index=False) as logs:
            assert [fault.reason for fault in logs.faults] == ["open"]
            between.plan = injected.Pass()
            logs.refresh()
            assert list(logs_of.points(logs)) == ["run"]
            assert logs.faults == []
