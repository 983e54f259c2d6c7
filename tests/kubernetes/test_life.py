"""Idle, reclaim and resume with short times; the click in the last second; operators that are killed or two at once."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import random
import threading
import time
import urllib.request
from typing import Any

from kubernetes import kube
from kubernetes.kube import condition

# How often the operator is killed; LIGHTBOARD_KILLS=100 for the whole trial.
KILLS = int(os.environ.get("LIGHTBOARD_KILLS", "6"))


def _use(url: str) -> None:
    """A page that is visible and was touched just now."""
    request = urllib.request.Request(f"{url}api/activity?untouched_secs=0", method="POST", headers={"origin": url})
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=5).read()


def test_an_unused_board_is_idle_then_reclaimed_and_comes_back(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc, idleAfter="4s", reclaimAfter="6s"))
    status = admin.wait_phase("one", namespace, "Running")
    assert status["activity"]["idleAt"] < status["activity"]["reclaimAt"]
    status = admin.wait_phase("one", namespace, "Idle")
    assert condition(status, "Idle")["status"] == "True"
    assert condition(status, "Ready")["status"] == "True"
    status = admin.wait_phase("one", namespace, "Stopped")
    assert status["reason"] == "IdleReclaimed"
    found = admin.get(kube.BOARD, "one", namespace)
    assert found is not None
    assert found["spec"]["suspend"] is True
    assert found["metadata"]["annotations"]["lightboard.dev/suspended-by"] == "IdleReclaimed"
    assert "set `suspend` to false" in condition(status, "Suspended")["message"]
    admin.patch(kube.BOARD, "one", namespace, {"spec": {"suspend": False}})
    status = admin.wait_phase("one", namespace, "Running")
    assert condition(status, "Suspended")["status"] == "False"
    found = admin.get(kube.BOARD, "one", namespace)
    assert found is not None
    assert "lightboard.dev/suspended-by" not in (found["metadata"].get("annotations") or {})


def test_a_used_board_is_never_idle_and_use_ends_idleness(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc, idleAfter="6s", reclaimAfter="20s"))
    status = admin.wait_phase("one", namespace, "Running")
    url = kube.base_url(admin, status, namespace, "board-one")
    end = time.monotonic() + 15
    while time.monotonic() < end:
        _use(url)
        assert admin.status("one", namespace)["phase"] == "Running"
        time.sleep(1)
    admin.wait_phase("one", namespace, "Idle")

    def is_running() -> bool:
        _use(url)  # until the operator looks, which it does every 30 s
        return bool(admin.status("one", namespace)["phase"] == "Running")

    kube.wait(is_running, "still idle")


def test_the_click_in_the_last_second_wins(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    """Clicks until the state is Stopping: the board was asked for the last time after each that it answered."""
    admin.apply(kube.board("one", namespace, pvc, idleAfter="2s", reclaimAfter="5s"))
    status = admin.wait_phase("one", namespace, "Running")
    url = kube.base_url(admin, status, namespace, "board-one")
    admin.wait_phase("one", namespace, "Idle")
    reclaim_at = time.time() + 60
    while time.time() < reclaim_at:
        shown = admin.status("one", namespace)
        deadline = shown["activity"].get("reclaimAt")
        if shown["phase"] == "Idle" and deadline is not None:
            at = time.mktime(time.strptime(deadline, "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
            if time.time() >= at - 0.6:
                break
        time.sleep(0.05)
    _use(url)
    clicked = time.time()
    while time.time() < clicked + 4:  # well before the next deadline
        shown = admin.status("one", namespace)
        found = admin.get(kube.BOARD, "one", namespace)
        assert found is not None
        assert shown["phase"] in ("Running", "Idle", "Stopping"), shown
        assert not found["spec"].get("suspend"), shown
        time.sleep(0.2)
    assert json.loads(kube.get(f"{url}data/runs"))


def test_the_longest_runtime_ends_a_used_board(
    admin: kube.Kube, operator: kube.Operator, namespace: str, pvc: dict[str, Any]
) -> None:
    admin.apply(kube.board("one", namespace, pvc, maxRuntime="6s"))
    admin.wait_phase("one", namespace, "Running")
    status = admin.wait_phase("one", namespace, "Stopped")
    assert status["reason"] == "MaxRuntime"


def test_a_second_operator_waits_and_takes_over_when_the_first_is_killed(
    admin: kube.Kube, role: pathlib.Path, tmp_path: pathlib.Path, namespace: str, pvc: dict[str, Any]
) -> None:
    def leads(made: kube.Operator) -> bool:
        return made.metrics()["lightboard_operator_leads"] == 1

    first = kube.Operator(role, tmp_path / "first", f"--namespace={namespace}")
    first.start()
    kube.wait(lambda: leads(first), first.text, limit_secs=40)
    with contextlib.ExitStack() as after:
        second = kube.Operator(role, tmp_path / "second", f"--namespace={namespace}")
        second.start()
        after.callback(second.stop)
        admin.apply(kube.board("one", namespace, pvc))
        admin.wait_phase("one", namespace, "Running")
        assert leads(first)
        assert not leads(second)
        first.kill()
        kube.wait(lambda: leads(second), second.text, limit_secs=40)
        admin.patch(kube.BOARD, "one", namespace, {"spec": {"displayName": "after"}})
        admin.wait_status("one", namespace, lambda status: status.get("observedGeneration") == 2)


def test_operators_that_are_killed_at_any_moment_leave_nothing_twice_and_nothing_undone(
    admin: kube.Kube, role: pathlib.Path, tmp_path: pathlib.Path, namespace: str, pvc: dict[str, Any]
) -> None:
    """Without a lease, so that the next one acts at once. Boards change meanwhile."""
    flags = ("--no_election", f"--namespace={namespace}", "--metrics_host=127.0.0.1")
    made = kube.Operator(role, tmp_path / "log", *flags)
    stop = threading.Event()

    def edit() -> None:
        dice, number = random.Random(5), 0
        while not stop.is_set():
            number += 1
            body = {"spec": {"displayName": f"title {number}", "suspend": dice.random() < 0.3}}
            admin.patch(kube.BOARD, f"b{dice.randrange(3)}", namespace, body)
            time.sleep(0.7)

    admin.apply(*(kube.board(f"b{number}", namespace, pvc) for number in range(3)))
    editor = threading.Thread(target=edit)
    editor.start()
    dice = random.Random(7)
    try:
        for _ in range(KILLS):
            made.start()
            time.sleep(dice.uniform(0.2, 3.0))
            made.kill()
    finally:
        stop.set()
        editor.join()
    made.start()
    try:
        for number in range(3):
            admin.patch(kube.BOARD, f"b{number}", namespace, {"spec": {"suspend": False, "displayName": "last"}})
        for number in range(3):
            admin.wait_phase(f"b{number}", namespace, "Running")
        assert len(admin.list("deployments", namespace)) == 3
        assert len(admin.list("services", namespace)) == 3

        def live() -> list[Any]:
            return [each for each in admin.list("pods", namespace) if "deletionTimestamp" not in each["metadata"]]

        kube.wait(lambda: len(live()) == 3, lambda: f"{len(live())} pods")
        admin.run("delete", kube.BOARD, "--all", "-n", namespace, "--wait=false")
        kube.wait(lambda: not admin.list("deployments", namespace) and not admin.list(kube.BOARD, namespace), "left")
    finally:
        made.stop()
