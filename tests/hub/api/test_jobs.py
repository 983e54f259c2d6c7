"""Jobs by REST: registering, lists, consoles, waits, news, boards, lost runners."""

from __future__ import annotations

import asyncio
import pathlib
from typing import Any

import httpx
import pytest
from hub.api import hubs

from lightboard.hub.jobs import console, watch
from lightboard.hub.life import jobs


async def register(client: httpx.AsyncClient, name: str = "resnet", **members: Any) -> Any:
    headers = members.pop("headers", {})
    answer = await client.post("/jobs", json={"name": name, "workspace": "team", **members}, headers=headers)
    assert answer.is_success, answer.text
    return answer.json()


async def test_a_key_makes_one_job(hub: hubs.Hub) -> None:
    async with hub.client("editor") as client:
        first = await register(client, headers={"Idempotency-Key": "k"})
        again = await register(client, headers={"Idempotency-Key": "k"})
        assert first["id"] == again["id"]
        other = await client.post("/jobs", json={"name": "x"}, headers={"Idempotency-Key": "k"})
        assert (other.status_code, other.json()["code"]) == (422, "IdempotencyKeyReused")
    async with hub.client("owner") as client:
        assert (await register(client, headers={"Idempotency-Key": "k"}))["id"] != first["id"]


async def test_lists_are_filtered_searched_and_paged(hub: hubs.Hub) -> None:
    async with hub.client("editor") as client:
        for number in range(7):
            await register(
                client, f"job {number}", labels={"odd": str(number % 2)}, command=["python", f"t{number}.py"]
            )
        await register(client, "own", workspace="editor")
        seen, token = [], ""
        while True:
            page = (await client.get("/jobs", params={"workspace": "team", "limit": 3, "page_token": token})).json()
            assert page["total"] == 7
            seen += [each["name"] for each in page["items"]]
            token = page["next_page_token"]
            if not token:
                break
        assert seen == [f"job {number}" for number in reversed(range(7))]
        odd = (await client.get("/jobs", params={"label": "odd=1", "sort": "name"})).json()["items"]
        assert [each["name"] for each in odd] == ["job 1", "job 3", "job 5"]
        found = (await client.get("/jobs", params={"q": "T4.PY"})).json()["items"]
        assert [each["name"] for each in found] == ["job 4"]
        assert (await client.get("/jobs", params={"state": "Lost"})).json()["total"] == 0
        assert (await client.get("/jobs", params={"label": "odd"})).status_code == 400
        assert (await client.get("/jobs", params={"page_token": "x"})).status_code == 400
    async with hub.client("viewer") as client:
        assert (await client.get("/jobs")).json()["total"] == 7
    async with hub.client("stranger") as client:
        assert (await client.get("/jobs")).json()["total"] == 0


async def test_viewers_see_neither_environment_nor_diff(hub: hubs.Hub) -> None:
    async with hub.client("owner") as client:
        made = await register(client, environment={"A": "secret?"}, git={"commit": "abc", "diff": "+line"})
        assert (made["environment"], made["git"]["diff"]) == ({"A": "secret?"}, "+line")
    async with hub.client("viewer") as client:
        seen = (await client.get(f"/jobs/{made['id']}")).json()
        assert (seen["environment"], seen["git"]["commit"], seen["git"]["diff"]) == (None, "abc", "")
        assert seen["may"] == ["read"]


async def test_a_console_is_appended_by_offset_and_followed(hub: hubs.Hub) -> None:
    async with hub.client("editor") as client:
        made = await register(client)
        log = f"/jobs/{made['id']}/log"
        assert (await client.post(log, params={"offset": 0}, content=b"one\n")).json() == {"size": 4}
        assert (await client.post(log, params={"offset": 0}, content=b"one\ntwo\n")).json() == {"size": 8}
        gap = await client.post(log, params={"offset": 99}, content=b"far")
        assert (gap.status_code, gap.json()) == (409, {"size": 8})
        answer = await client.get(log, params={"offset": -4})
        assert (answer.text, answer.headers["x-log-complete"]) == ("two\n", "false")
        following = asyncio.create_task(client.get(log, params={"offset": 8, "wait": 20}))
        await hub.is_waiting()
        await client.post(log, params={"offset": 8}, content=b"three\n")
        assert (await following).text == "three\n"
        ending = asyncio.create_task(client.get(log, params={"offset": 14, "wait": 20}))
        await hub.is_waiting()
        await client.post(f"/jobs/{made['id']}:report", json={"ended": 1.0, "exit_code": 0, "log_bytes": 14})
        assert (await ending).headers["x-log-complete"] == "true"


def test_a_long_console_keeps_its_beginning_and_its_end(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "PIECE_BYTES", 10)
    consoles = console.Consoles(tmp_path)
    text = b"".join(b"%09d\n" % number for number in range(40))
    for at in range(0, len(text), 7):
        assert consoles.append("job-a", at, text[at : at + 7]) == min(at + 7, len(text))
    read, offset = b"", 0
    while True:
        part = consoles.read("job-a", offset)
        if not part.data:
            break
        read, offset = read + part.data, part.next
    assert read.startswith(text[:80] + b"\n[") and read.endswith(b"]\n" + text[-80:])
    assert b"240 bytes of this console were not kept" in read
    assert (part.size, part.cut_bytes) == (400, 240)


async def test_a_request_to_stop_reaches_a_runner_that_waits(hub: hubs.Hub) -> None:
    async with hub.client("owner") as runner, hub.client("editor") as client:
        made = await register(runner)
        waiting = asyncio.create_task(runner.get(f"/jobs/{made['id']}/orders", params={"wait": 20}))
        await hub.is_waiting()
        stopped = (await client.post(f"/jobs/{made['id']}:stop", json={"grace_secs": 3})).json()
        assert (stopped["state"], stopped["stop_by"]) == ("Stopping", "editor")
        orders = (await waiting).json()
        assert (orders["stop"], orders["grace_secs"]) == (True, 3.0)
        assert (await client.delete(f"/jobs/{made['id']}")).status_code == 403
        assert (await runner.delete(f"/jobs/{made['id']}")).json()["code"] == "JobRuns"
        await runner.post(f"/jobs/{made['id']}:report", json={"ended": 1.0, "signal": "SIGTERM"})
        assert (await client.get(f"/jobs/{made['id']}", params={"wait": 5})).json()["state"] == "Stopped"
        assert (await runner.delete(f"/jobs/{made['id']}")).status_code == 204


async def test_pages_are_told_of_jobs_that_they_may_see(hub: hubs.Hub) -> None:
    reader, other = hubs.Reader(hub, "viewer"), hubs.Reader(hub, "stranger")
    await reader.until("resync")
    await other.until("resync")
    async with hub.client("owner") as client:
        made = await register(client)
        assert (await reader.until("job", id=made["id"]))["state"] == "Running"
        await client.post(f"/jobs/{made['id']}:report", json={"ended": 1.0, "exit_code": 1})
        await reader.until("job", id=made["id"], state="Failed")
        await client.delete(f"/jobs/{made['id']}")
        await reader.until("job_removed", id=made["id"])
    await reader.leave()
    await other.leave()
    assert made["id"] not in other.text


async def test_a_board_outside_the_roots_is_skipped_with_the_reason(hub: hubs.Hub) -> None:
    async with hub.client("owner") as client:
        made = await register(client, logdir="/etc")
        answer = await client.post(f"/jobs/{made['id']}:report", json={"has_events": True})
        assert answer.status_code == 200
        seen = (await client.get(f"/jobs/{made['id']}")).json()
        assert (seen["state"], seen["board_status"], seen["board"]) == ("Running", "BoardSkipped", None)
        assert seen["board_message"]
        refused = await client.post(f"/jobs/{made['id']}:board")
        assert refused.status_code in (400, 422)


async def test_a_silent_runner_is_lost_and_comes_back_but_not_while_the_hub_was_away(hub: hubs.Hub) -> None:
    watching = watch.Watch(hub.database, hub.services.job_boards, hub.services.consoles, clock=hub.clock)
    async with hub.client("owner") as client:
        made = await register(client, heartbeat_secs=1)

        async def state() -> str:
            return str((await client.get(f"/jobs/{made['id']}")).json()["state"])

        async def later(secs: float) -> None:
            hub.clock.now += secs
            await asyncio.to_thread(watching.turn)

        await later(1000.0)  # the hub was away: nothing could be heard
        assert await state() == "Running"
        await later(jobs.LEAST_SILENCE_SECS / 2)
        await later(jobs.LEAST_SILENCE_SECS / 4)
        assert await state() == "Running"
        await later(jobs.LEAST_SILENCE_SECS / 2)
        assert await state() == "Lost"
        await client.post(f"/jobs/{made['id']}:report", json={})
        assert await state() == "Running"
