"""Faults between us and a web server, at random: in the end every point is there, and nothing hangs."""

from __future__ import annotations

import pathlib
import random

import board_process
import pytest
from storage import site as sites
from stores import injected, logs_of, places, processes, proxy, web_server

import lightboard
from lightboard.reading import Logs

ROUNDS = 25


def run_of(number: int) -> str:
    return f"group {number % 3}/run#{number}"


def far(logs: Logs) -> dict[str, int]:
    return {run: len(points) for run, points in logs_of.points(logs).items()}


@pytest.mark.slow
@pytest.mark.parametrize("style", ["python", "nginx", "nginx_json", "apache"])
def test_every_point_is_there_in_the_end(tmp_path: pathlib.Path, style: str) -> None:
    chance = random.Random(style)
    served, steps = tmp_path / "served", {}
    shelf = places.DirectoryShelf(served)
    for number in range(3):
        steps[run_of(number)] = 5
        shelf.put(f"{run_of(number)}/{logs_of.NAME}", logs_of.scalars(range(5)))
    storage = places.settings(tmp_path, retries=1, timeout_secs=0.5)
    met: set[str] = set()
    with (
        web_server.running(served, style) as url,
        proxy.Proxy(url) as between,
        lightboard.open(between.endpoint, storage=storage, index=False) as logs,
    ):
        for number in range(ROUNDS):
            run = chance.choice([*steps, run_of(number)])
            steps[run] = steps.get(run, 0) + chance.randrange(1, 20)
            shelf.put(f"{run}/{logs_of.NAME}", logs_of.scalars(range(steps[run])))
            between.plan = injected.Chance(0.4, number, [chance.choice(injected.ALL)])
            logs.refresh()
            met |= set(between.faults())
            between.plan = injected.Pass()
            processes.until(lambda: far(logs.refresh()) == steps, 30, f"the good end of round {number}")
            assert logs._store.notices == ()
    assert len(met) > 5


def test_a_served_board_follows_a_web_server(tmp_path: pathlib.Path) -> None:
    with sites.running() as site:
        site.put(f"/runs/lr#1/{logs_of.NAME}", logs_of.scalars(range(10)))
        words = ("--logdir", f"{site.url}/runs/", "--port", "0", "--reload_interval", "0.1", "--no_index")
        with board_process.Process(*words, env={"LIGHTBOARD_DATA_DIR": str(tmp_path)}) as board:
            board.wait_for_points("lr#1", "loss", 10)
            site.put(f"/runs/lr#1/{logs_of.NAME}", logs_of.scalars(range(25)))
            site.put(f"/runs/other/{logs_of.NAME}", logs_of.scalars(range(3)))
            board.wait_for_points("lr#1", "loss", 25)
            board.wait_for_runs("lr#1", "other")
            del site.files[f"/runs/other/{logs_of.NAME}"]
            board.wait_for_runs("lr#1")
            assert board.stop()[0] == 0
