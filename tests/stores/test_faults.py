"""What a store or a network does wrong between us and SeaweedFS: it is named, others go on, and nothing is lost."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import pathlib
import random
import subprocess
import sys
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import board_process
import pytest
from stores import azure, injected, logs_of, places, processes, proxy, seaweed, web_server

import lightboard
from lightboard import errors
from lightboard.reading import Logs

pytestmark = pytest.mark.object_store

BUCKET = "faulty"
ROUNDS = 200
# what is refused or lost for good; bytes that trickle arrive
LOSING = tuple(fault for fault in injected.ALL if fault is not injected.TRICKLE)


@dataclasses.dataclass
class Logged:
    """Runs on a store behind the proxy. State, by run: how many points it has, and what is added to its values."""

    between: proxy.Proxy
    uri: str
    shelf: places.Shelf
    secret: dict[str, str]
    directory: pathlib.Path
    steps: dict[str, int] = dataclasses.field(default_factory=dict)
    added: dict[str, float] = dataclasses.field(default_factory=dict)

    def settings(self, **limits: float) -> pathlib.Path:
        return places.settings(self.directory, **self.secret, **limits)

    def log(self, run: str, count: int) -> None:
        """The object of the run becomes longer by `count` points."""
        self.steps[run] = self.steps.get(run, 0) + count
        content = logs_of.scalars(range(self.steps[run]), add=self.added.setdefault(run, 0.0))
        self.shelf.put(f"{run}/{logs_of.NAME}", content)

    def replace(self, run: str, count: int, add: float) -> None:
        """The run has other points, more of them or fewer."""
        self.steps[run], self.added[run] = 0, add
        self.log(run, count)

    def remove(self, run: str) -> None:
        del self.steps[run], self.added[run]
        self.shelf.delete(f"{run}/{logs_of.NAME}")

    def open(self, storage: pathlib.Path, **options: Any) -> Logs:
        """With a second source that works: otherwise opening a source that fails is an error."""
        near = self.directory / "near" / "run"
        near.mkdir(parents=True, exist_ok=True)
        (near / logs_of.NAME).write_bytes(logs_of.scalars(range(5)))
        return lightboard.open({"far": self.uri, "near": near.parent}, storage=storage, **options)

    def expected(self) -> dict[str, list[tuple[int, float]]]:
        return {run: logs_of.expected(range(count), self.added[run]) for run, count in self.steps.items()}


@pytest.fixture
def logged(seaweed_server: seaweed.Seaweed, between: proxy.Proxy, tmp_path: pathlib.Path) -> Iterator[Logged]:
    prefix = uuid.uuid4().hex
    secret = {"endpoint": between.endpoint, "key": seaweed.KEY, "secret": seaweed.SECRET}
    with contextlib.closing(seaweed_server.client()) as client:
        shelf = places.BucketShelf(client, BUCKET, prefix)
        yield _filled(Logged(between, f"s3://store@{BUCKET}/{prefix}", shelf, secret, tmp_path))


@pytest.fixture
def on_azure(azurite_server: azure.Azurite, tmp_path: pathlib.Path) -> Iterator[Logged]:
    with contextlib.closing(azurite_server.client()) as client, proxy.Proxy(azurite_server.endpoint) as between:
        client.make_bucket(BUCKET)
        secret = {"endpoint": between.endpoint, "account": azure.ACCOUNT, "key": azure.KEY}
        shelf = places.BucketShelf(client, BUCKET, "runs")
        yield _filled(Logged(between, f"az://store@{BUCKET}/runs", shelf, secret, tmp_path))


@pytest.fixture
def on_web(tmp_path: pathlib.Path) -> Iterator[Logged]:
    served = tmp_path / "served"
    with web_server.running(served, "nginx_json") as url, proxy.Proxy(url) as between:
        shelf = places.DirectoryShelf(served / "runs")
        yield _filled(Logged(between, f"{between.url}/runs", shelf, {}, tmp_path))


def _filled(logged: Logged) -> Logged:
    for run in ("a", "b", "c/d"):
        logged.log(run, 20)
    return logged


def far(logs: Logs) -> dict[str, list[tuple[int, float]]]:
    """Points that the store gave. Those of the other source are always there."""
    found = logs_of.points(logs)
    assert found.pop("near/run") == logs_of.expected(range(5))
    return {run.removeprefix("far/"): points for run, points in found.items()}


def named(logs: Logs) -> list[tuple[str, str]]:
    """Address and sentence of everything that the board says is wrong."""
    return [(each.path, each.detail) for each in (*logs._store.notices, *logs.faults)]


def settled(logs: Logs, logged: Logged) -> bool:
    """Whether every point is there after one more look, and nothing is wrong any more."""
    return far(logs.refresh()) == logged.expected() and named(logs) == []


# ---- one fault at a time


@pytest.mark.parametrize("kind", ["LIST", "GET"])
@pytest.mark.parametrize("fault", LOSING, ids=lambda fault: fault.name)
def test_a_fault_is_named_once_and_forgotten_when_it_ends(
    logged: Logged, fault: injected.Fault, kind: str, tmp_path: pathlib.Path
) -> None:
    logged.between.plan = injected.Always(fault, kinds=(kind,))
    storage = logged.settings(retries=0, timeout_secs=1)
    with logged.open(storage, index_dir=tmp_path / "index") as logs:
        said = named(logs)
        assert said and len(said) == len(set(said))
        assert far(logs) == {}
        for _, sentence in said:
            assert fault.code in sentence
            assert ("injected-request-id" in sentence) == bool(fault.code)
            assert seaweed.KEY not in sentence and seaweed.SECRET not in sentence
        logged.between.plan = injected.Pass()
        processes.until(lambda: settled(logs, logged), what="every point, and no fault")


@pytest.mark.parametrize("fault", LOSING, ids=lambda fault: fault.name)
def test_opening_only_what_fails_is_an_error(logged: Logged, fault: injected.Fault) -> None:
    """With the store's own code, and a remedy."""
    logged.between.plan = injected.Always(fault)
    with pytest.raises(errors.LightboardError) as caught:
        lightboard.open(logged.uri, storage=logged.settings(retries=0, timeout_secs=1), index=False)
    assert fault.code in caught.value.message
    assert caught.value.hint
    assert "\n" not in caught.value.message + caught.value.hint


@pytest.mark.parametrize("fault", [injected.ACCESS_DENIED, injected.NO_SUCH_BUCKET, injected.RESET_IN_BODY])
def test_what_was_read_stays_while_a_store_fails(logged: Logged, fault: injected.Fault) -> None:
    """A bucket that disappears and returns."""
    with logged.open(logged.settings(retries=0), index=False) as logs:
        before = far(logs)
        logged.log("a", 5)
        logged.between.plan = injected.Always(fault)
        for _ in range(3):
            assert far(logs.refresh()) == before
            assert len(named(logs)) == 1
        logged.between.plan = injected.Pass()
        assert far(logs.refresh()) == logged.expected()
        assert named(logs) == []


@pytest.mark.parametrize("kind", ["LIST", "GET"])
def test_the_next_start_reads_what_could_not_be_read(logged: Logged, kind: str, tmp_path: pathlib.Path) -> None:
    """The index of the first start remembers which objects it has not read."""
    storage = logged.settings(retries=0)
    logged.between.plan = injected.Always(injected.ACCESS_DENIED, kinds=(kind,))
    for _ in range(2):
        with logged.open(storage, index_dir=tmp_path / "index") as logs:
            assert far(logs) == {}
            assert any("AccessDenied" in sentence for _, sentence in named(logs))
            assert [each.source for each in logs.problems] == [logged.uri]
    logged.between.plan = injected.Pass()
    with logged.open(storage, index_dir=tmp_path / "index") as logs:
        assert far(logs) == logged.expected()
        assert named(logs) == []


def test_half_a_listing_removes_nothing(logged: Logged, seaweed_server: seaweed.Seaweed) -> None:
    """The second LIST of a large bucket fails: the objects after the first thousand are not gone."""
    content = logs_of.scalars(range(2))
    with contextlib.closing(seaweed_server.client()) as client:
        client.put_all("listed-twice", ((f"{number:04}/{logs_of.NAME}", content) for number in range(1020)))
    storage = logged.settings(retries=0)
    with lightboard.open("s3://store@listed-twice", storage=storage, index=False) as logs:
        assert len(logs.runs) == 1020
        logged.between.plan = injected.Script([None, injected.INTERNAL_ERROR], kinds=("LIST",))
        assert len(logs.refresh().runs) == 1020
        assert len(named(logs)) == 1
        assert len(logs.refresh().runs) == 1020
        assert named(logs) == []


@pytest.mark.parametrize("fault", LOSING, ids=lambda fault: fault.name)
def test_another_object_is_not_taken_for_a_longer_one(logged: Logged, fault: injected.Fault) -> None:
    """Whether an object still begins as before cannot be asked: it is not read on from the old end."""
    with logged.open(logged.settings(retries=0, timeout_secs=1), index=False) as logs:
        before = far(logs)
        logged.replace("a", 50, 0.5)
        logged.between.plan = injected.Script([fault], kinds=("GET",))
        found = far(logs.refresh())["a"]
        assert found == before["a"] or found == logged.expected()["a"]
        assert named(logs) or found != before["a"]
        processes.until(lambda: settled(logs, logged), what="the other object")


RETRIED = (injected.SLOW_DOWN, injected.INTERNAL_ERROR, injected.RESET, injected.CLOSED)


@pytest.mark.parametrize("fault", RETRIED, ids=lambda fault: fault.name)
def test_what_passes_soon_is_retried_without_a_word(logged: Logged, fault: injected.Fault) -> None:
    logged.between.plan = injected.Script([fault, None, fault], kinds=("LIST", "GET"))
    with logged.open(logged.settings(), index=False) as logs:
        assert far(logs) == logged.expected()
        assert named(logs) == []
    assert logged.between.faults() == {fault.name: 2}


def test_a_refused_key_is_not_retried(logged: Logged) -> None:
    logged.between.plan = injected.Always(injected.ACCESS_DENIED)
    with logged.open(logged.settings(retries=4), index=False):
        assert logged.between.count() == {"LIST": 1}


# ---- many, at random


def test_two_hundred_rounds_of_faults_lose_nothing(logged: Logged) -> None:
    met = _survived(logged, ROUNDS, injected.ALL)
    assert set(met) == {fault.name for fault in injected.ALL}


def test_faults_of_azure_lose_nothing(on_azure: Logged) -> None:
    assert len(_survived(on_azure, 60, injected.ALL)) > 10


def test_faults_of_a_web_server_lose_nothing(on_web: Logged) -> None:
    """404 is no fault there: a directory is gone."""
    assert len(_survived(on_web, 60, [fault for fault in injected.ALL if fault.status != 404])) > 10


def _survived(logged: Logged, rounds: int, among: Sequence[injected.Fault]) -> dict[str, int]:
    """Each round logs, fails in one of these ways, for all requests or for some, and ends well. Returns how often each
    fault was met."""
    chance = random.Random(16)
    met: dict[str, int] = {}
    storage = logged.settings(retries=0, timeout_secs=1)
    with logged.open(storage, index=False) as logs:
        for number in range(rounds):
            _log_something(logged, chance, number)
            fault = chance.choice(among)
            kinds = chance.choice([("LIST",), ("GET",), ("LIST", "GET", "HEAD")])
            sometimes = injected.Chance(0.5, number, [fault], kinds)
            plans: list[injected.Plan] = [injected.Always(fault, kinds), sometimes]
            logged.between.plan = chance.choice(plans)
            logged.between.forget()
            logs.refresh()
            said = named(logs)
            assert len(said) == len(set(said)), (number, fault, said)
            faults = logged.between.faults()
            assert said or far(logs) == logged.expected(), (number, fault, logged.between.requests())
            assert faults or not said, (number, said)
            met = {name: met.get(name, 0) + faults.get(name, 0) for name in {*met, *faults}}
            logged.between.plan = injected.Pass()
            processes.until(lambda: settled(logs, logged), 30, f"the good end of round {number}, {fault.name}")
    return met


def _log_something(logged: Logged, chance: random.Random, number: int) -> None:
    for _ in range(chance.randrange(1, 4)):
        logged.log(chance.choice([*logged.steps, f"run{number}"]), chance.randrange(1, 30))
    if chance.random() < 0.3:
        run = chance.choice([*logged.steps])
        logged.replace(run, chance.randrange(1, 2 * logged.steps[run] + 2), number + 0.5)
    if chance.random() < 0.2 and len(logged.steps) > 3:
        logged.remove(chance.choice([*logged.steps]))


def test_faults_of_all_kinds_at_once_lose_nothing(logged: Logged) -> None:
    """A third of all requests fails, as a first load of many objects is on its way, and nobody helps."""
    for number in range(60):
        logged.log(f"more/{number}", 3)
    logged.between.plan = injected.Chance(0.3, seed=1)
    storage = logged.settings(retries=1, timeout_secs=1)
    with logged.open(storage, index=False) as logs:
        processes.until(lambda: far(logs.refresh()) == logged.expected(), what="every point")
    assert len(logged.between.faults()) > 5


def test_a_large_object_is_whole_after_faults(logged: Logged) -> None:
    """It is read in many parts; those that break off continue where they ended."""
    logged.shelf.put(f"large/{logs_of.NAME}", logs_of.texts(12, 1_000_000))
    passing = (injected.SLOW_DOWN, injected.INTERNAL_ERROR, *injected.IN_BODY)
    logged.between.plan = injected.Chance(0.3, seed=3, faults=passing, kinds=("GET",))
    with logged.open(logged.settings(retries=8, timeout_secs=1), index=False) as logs:
        assert [each.strings for each in logs.text("far/large", "words")] == [
            (f"{step:08}" * 125_000,) for step in range(12)
        ]
        assert far(logs) == logged.expected()
        assert named(logs) == []
    assert logged.between.faults()


# ---- where people look


def inspected(logged: Logged, *words: str) -> subprocess.CompletedProcess[str]:
    storage = logged.settings(retries=0, timeout_secs=1)
    command = [sys.executable, "-m", "lightboard", "inspect", "--logdir", logged.uri, "--storage", str(storage)]
    return subprocess.run([*command, *words], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("kind", ["LIST", "GET"])
def test_inspect_names_the_fault_and_fails(logged: Logged, kind: str) -> None:
    logged.between.plan = injected.Always(injected.ACCESS_DENIED, kinds=(kind,))
    done = inspected(logged)
    assert done.returncode != 0
    assert "AccessDenied, request injected-request-id" in done.stdout + done.stderr
    assert seaweed.SECRET not in done.stdout + done.stderr
    as_json = inspected(logged, "--json")
    assert as_json.returncode != 0
    assert "AccessDenied, request injected-request-id" in json.dumps(json.loads(as_json.stdout))


def test_inspect_of_a_good_bucket_is_fine(logged: Logged) -> None:
    done = inspected(logged, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert [each["run"] for each in json.loads(done.stdout)["runs"]] == ["a", "b", "c/d"]


def test_a_running_board_names_a_fault_and_recovers(logged: Logged) -> None:
    storage = logged.settings(retries=0, timeout_secs=1)
    words = ("--logdir", logged.uri, "--storage", storage, "--port", "0", "--reload_interval", "1")
    with board_process.Process(*words) as board:
        board.wait_for_runs("a", "b", "c/d")
        logged.between.plan = injected.Always(injected.NO_SUCH_BUCKET)
        processes.until(lambda: _notices(board) == ["NoSuchBucket"], what="the notice")
        logged.between.plan = injected.Pass()
        logged.log("a", 5)
        board.wait_for_points("a", "loss", 25)
        processes.until(lambda: _notices(board) == [], what="the end of the notice")


def _notices(board: board_process.Process) -> list[str]:
    """Codes of the store in the notices of the board."""
    _, body = board.get("api/health")
    notices: list[dict[str, Any]] = json.loads(body)["notices"]
    return [fault.code for each in notices for fault in injected.ANSWERS if fault.code in json.dumps(each)]
