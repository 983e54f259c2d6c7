"""A running TensorBoard and a board are asked the same about hparams: filters, order, repeats, downloads, bad requests.

Slow, and skipped without TensorBoard: see `test_against_tensorboard.py`.
"""

from __future__ import annotations

import asyncio
import json
import pathlib
import time
from typing import Any

import data_client
import event_files
import httpx
import pytest
from compat import test_against_tensorboard as against

import lightboard
from lightboard.sdk import hparams_messages

pytestmark = [*against.pytestmark, pytest.mark.anyio]

PATH = "/data/plugin/hparams"
BASE = {"startIndex": 0, "sliceSize": 100, "allowedStatuses": [0, 1, 2, 3]}
GROUPS = 5


def metric(tag: str, group: str = "") -> dict[str, str]:
    return {"tag": tag, "group": group}


COLUMNS: list[list[dict[str, Any]]] = [
    [{"metric": metric("loss"), "order": "ORDER_ASC"}],
    [{"metric": metric("loss"), "order": "ORDER_DESC", "missingValuesFirst": True}],
    [{"hparam": "opt", "order": "ORDER_DESC"}, {"metric": metric("acc"), "order": "ORDER_ASC"}],
    [{"hparam": "lr", "filterInterval": {"minValue": 0.15, "maxValue": 1}}],
    [{"hparam": "lr", "filterInterval": {"minValue": "-Infinity", "maxValue": 0.2}, "excludeMissingValues": True}],
    [{"hparam": "opt", "filterRegexp": "ad.m"}],
    [{"hparam": "opt", "filterDiscrete": ["lion", "sgd"]}],
    [{"hparam": "flag", "filterDiscrete": [True], "excludeMissingValues": True}],
    [{"metric": metric("loss", "eval"), "excludeMissingValues": True}],
    [{"hparam": "lr", "includeInResult": True}, {"hparam": "opt", "includeInResult": False}],
    [{"hparam": "lr", "filterRegexp": "1"}],
    [{"hparam": "opt", "filterInterval": {"minValue": 0, "maxValue": 1}}],
    [{}],
]
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("experiment", {}),
    ("experiment", {"includeMetrics": False, "hparamsLimit": 2}),
    ("session_groups", BASE),
    ("session_groups", {}),
    ("session_groups", {"unknown": 1}),
    ("session_groups", {**BASE, "includeMetrics": False, "sliceSize": 2, "startIndex": 1}),
    ("session_groups", {**BASE, "allowedStatuses": ["STATUS_SUCCESS"]}),
    ("session_groups", {**BASE, "aggregationType": "BAD"}),
    *(("session_groups", {**BASE, "colParams": columns}) for columns in COLUMNS),
    *(
        (
            "session_groups",
            {**BASE, "allowedStatuses": [3], "aggregationType": how, "aggregationMetric": metric("loss")},
        )
        for how in ("AGGREGATION_AVG", "AGGREGATION_MEDIAN", "AGGREGATION_MIN", "AGGREGATION_MAX")
    ),
    ("metric_evals", {"sessionName": "a/0", "metricName": metric("loss")}),
    ("metric_evals", {"sessionName": "a/0", "metricName": metric("loss", "eval")}),
    ("metric_evals", {"sessionName": "nobody", "metricName": metric("loss")}),
]


def session(
    directory: pathlib.Path, hparams: dict[str, Any], group: str, status: int | None, **tags: list[float]
) -> None:
    start = hparams_messages.session_start(
        hparams, group_name=group or None, start_time_secs=100.5, model_uri="model", monitor_url="monitor"
    )
    events = [event_files.version_event(), event_files.summary_event(event_files.field_bytes(1, start))]
    for tag, values in tags.items():
        events += event_files.scalars(tag, values)
    if status is not None:
        end = hparams_messages.session_end(status, 200.25)
        events.append(event_files.summary_event(event_files.field_bytes(1, end)))
    event_files.write(directory / "events.out.tfevents.1", events)


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    first = {"lr": 0.1, "opt": "adam", "flag": True, "mix": 1, "odd": float("inf")}
    session(tmp_path / "a" / "0", first, "", 1, loss=[3, 2.5], acc=[0.1, 0.9])
    session(tmp_path / "a" / "1", {"lr": 0.2, "opt": "sgd", "flag": False, "mix": "x"}, "", 2, loss=[1.0], acc=[0.5])
    session(tmp_path / "a" / "2", {"lr": 1e-7, "opt": "adamw_50%", "mix": True}, "", None, loss=[2.0])
    for number, (loss, accuracy) in enumerate([(5.0, 0.2), (4.0, 0.3), (6.0, 0.1)]):
        session(tmp_path / "g" / str(number), {"lr": 0.3, "opt": "lion"}, "grp", 3, loss=[loss], acc=[accuracy])
    session(tmp_path / "e", {}, "", 1, acc=[0.7])
    below = [event_files.version_event(), event_files.scalar_event("loss", 9.0, 4)]
    event_files.write(tmp_path / "a" / "0" / "eval" / "events.out.tfevents.1", below)
    return tmp_path


async def answer_of(http: httpx.AsyncClient, route: str, question: dict[str, Any]) -> tuple[int, Any]:
    answer = await http.post(f"{PATH}/{route}", json=question)
    return answer.status_code, settled(answer.json()) if answer.status_code == 200 else None


def settled(value: Any) -> Any:
    """Without the order of a domain's words, which is not fixed."""
    if isinstance(value, dict):
        return {
            name: sorted(each, key=str) if name == "domainDiscrete" else settled(each) for name, each in value.items()
        }
    return [settled(each) for each in value] if isinstance(value, list) else value


async def ready(http: httpx.AsyncClient) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            status, groups = await answer_of(http, "session_groups", BASE)
            listed = (await http.get("/data/plugin/scalars/tags")).json()
            if status == 200 and groups["totalSize"] == GROUPS and "a/0/eval" in listed:
                return
        except (httpx.HTTPError, ValueError):
            pass
        await asyncio.sleep(0.3)
    pytest.fail("TensorBoard has not read everything in time")


async def test_both_say_the_same(logs: pathlib.Path) -> None:
    with against.tensorboard(logs) as port, lightboard.open(logs, index=False) as opened:
        theirs = against.Remote(port).http
        async with theirs, data_client.Client(opened._store) as ours:
            await ready(theirs)
            for route, question in QUESTIONS:
                assert await answer_of(ours.http, route, question) == await answer_of(theirs, route, question), (
                    route,
                    question,
                )
            for format_ in ("csv", "json", "latex"):
                fields = {"format": format_, "columnsVisibility": json.dumps([True] * 8), "request": json.dumps(BASE)}
                mine, other = [await each.get(f"{PATH}/download_data", params=fields) for each in (ours.http, theirs)]
                assert mine.text == other.text
                assert mine.headers["content-type"] == other.headers["content-type"]
