"""Many at once: fifty creates with a limit of five make exactly five boards, from threads and from processes.

Each is done twenty times in a row. `python test_parallel.py DSN NUMBER` is one of the processes: it
reads names of owners and answers with how many boards it made for each.
"""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import threading

import pytest
from hub.db.samples import T0, add, add_people, new, stopped

from lightboard.hub import db, life
from lightboard.hub.db import boards
from lightboard.hub.life import commands, quota

pytestmark = pytest.mark.whole_hub

ROUNDS = 20
AT_ONCE = 50
LIMITS = life.Limits(5)


def made(results: list[object]) -> int:
    refused = [each for each in results if isinstance(each, life.LimitExceeded)]
    assert all(each.used >= each.limit for each in refused)
    created = [each for each in results if isinstance(each, boards.Created)]
    assert len(created) + len(refused) == len(results)
    return len(created)


def create_together(database: db.Database, owner: str, prefix: str, count: int) -> list[object]:
    gate = threading.Barrier(count)

    def create(number: int) -> object:
        gate.wait()
        return database.boards.create(new(f"{prefix}-{number}", owner=owner), LIMITS)

    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        return list(pool.map(create, range(count)))


def active(database: db.Database, owner: str) -> int:
    return sum(quota.is_active(each) for each in database.boards.active() if each.owner == owner)


@pytest.mark.slow
def test_fifty_creates_in_threads_make_five_boards(database: db.Database) -> None:
    owners = [f"user-{number}" for number in range(ROUNDS)]
    add_people(database, *owners)
    for owner in owners:
        assert made(create_together(database, owner, owner, AT_ONCE)) == 5
        assert active(database, owner) == 5


@pytest.mark.slow
def test_fifty_creates_in_processes_make_five_boards(dsn: str, database: db.Database) -> None:
    """Five processes, ten threads each; in each round they create for another user, at the same line of input."""
    owners = [f"user-{number}" for number in range(ROUNDS)]
    add_people(database, *owners)
    words = [sys.executable, __file__, dsn]
    variables = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).parents[2])}
    processes = [
        subprocess.Popen([*words, str(number)], env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(5)
    ]
    try:
        for owner in owners:
            for each in processes:
                assert each.stdin is not None
                each.stdin.write(f"{owner}\n")
                each.stdin.flush()
            counts = [int(each.stdout.readline()) for each in processes if each.stdout is not None]
            assert (len(counts), sum(counts), active(database, owner)) == (5, 5, 5)
    finally:
        for each in processes:
            each.communicate(timeout=60)


def test_starts_and_creates_together_stay_within_the_limit(database: db.Database) -> None:
    add_people(database, "ada")
    for number in range(10):
        add(database, f"old-{number}")
        stopped(database, f"old-{number}")
    gate = threading.Barrier(20)

    def ask(number: int) -> object:
        gate.wait()
        if number % 2:
            return database.boards.create(new(f"new-{number}"), LIMITS)
        return database.boards.change(
            f"old-{number // 2}", lambda each: commands.start(each, T0 + 9, "ada"), limits=LIMITS
        )

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        results = list(pool.map(ask, range(20)))
    assert sum(not isinstance(each, life.LimitExceeded) for each in results) == active(database, "ada") == 5


def test_limits_of_workspace_and_hub_hold_for_several_people(database: db.Database) -> None:
    owners = [f"user-{number}" for number in range(8)]
    add_people(database, *owners)
    for limits in (life.Limits(None, workspace=4), life.Limits(None, None, hub=6)):
        gate = threading.Barrier(16)

        def create(number: int, limits: life.Limits = limits, gate: threading.Barrier = gate) -> object:
            gate.wait()
            name = f"{limits.hub}-{number}"
            return database.boards.create(new(name, owner=owners[number % 8]), limits)

        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            list(pool.map(create, range(16)))
        assert len(database.boards.active()) == (limits.hub or limits.workspace)


def test_one_key_at_once_makes_one_board(database: db.Database) -> None:
    add_people(database, "ada")
    gate = threading.Barrier(20)

    def create(number: int) -> object:
        gate.wait()
        return database.boards.create(new(f"b-{number}"), life.Limits(1), boards.Key("ada", "key", b"same"))

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        results = list(pool.map(create, range(20)))
    assert made(results) == 20
    assert len({each.board.id for each in results if isinstance(each, boards.Created)}) == 1
    assert sum(not each.again for each in results if isinstance(each, boards.Created)) == 1


def test_one_source_at_once_makes_one_board(database: db.Database) -> None:
    add_people(database, "ada")
    gate = threading.Barrier(20)

    def ensure(number: int) -> object:
        gate.wait()
        change = new(f"b-{number}", source_type="Job", source_id="1")
        return database.boards.ensure(change, LIMITS, lambda each: commands.start(each, T0 + 9, "ada"))

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        results = list(pool.map(ensure, range(20)))
    assert (made(results), active(database, "ada")) == (20, 1)


def test_one_of_many_gets_the_lease(database: db.Database) -> None:
    gate = threading.Barrier(20)

    def take(number: int) -> bool:
        gate.wait()
        return database.leases.take("keeper", f"hub-{number}", T0, 15.0)

    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        results = list(pool.map(take, range(20)))
    assert sum(results) == 1
    assert database.leases.holder("keeper", T0) == f"hub-{results.index(True)}"


def test_readers_go_on_while_somebody_writes(database: db.Database) -> None:
    add_people(database, "ada")
    add(database, "b-1")
    with database._transactions.write():
        assert database.boards.get("b-1").id == "b-1"


@pytest.mark.parametrize("count", [1, 3])
def test_several_hubs_make_the_tables_together(empty_dsn: str, count: int) -> None:
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        for each in pool.map(lambda _: db.Database(empty_dsn), range(count)):
            assert each.people.user_count() == 0
            each.close()


def main(dsn: str, number: str) -> None:
    database = db.Database(dsn)
    for line in sys.stdin:
        owner = line.strip()
        sys.stdout.write(f"{made(create_together(database, owner, f'{owner}-{number}', AT_ONCE // 5))}\n")
        sys.stdout.flush()
    database.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
