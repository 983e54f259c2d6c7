"""Values whose record is whole and whose content makes no sense: they never hide their neighbours."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence
from typing import Any

import data_client
import event_files
import pytest

import lightboard

GOOD_BUCKETS = event_files.tensor([0, 1, 2, 1, 2, 3], dtype="float64", shape=[2, 3])
SHORT_BUCKETS = event_files.tensor([0, 1, 2, 1, 2], dtype="float64", shape=[2, 3])
HUGE_BUCKETS = event_files.tensor([0, 1, 2], dtype="float64", shape=[1 << 40, 3])
GOOD_IMAGE = event_files.string_tensor([b"1", b"1", b"BMx"], shape=[3])
HUGE_STRINGS = event_files.string_tensor([b"1", b"1", b"BMx"], shape=[1 << 33])
SHAPELESS = event_files.string_tensor([b"1", b"1", b"BMx"])


def logs_with(path: pathlib.Path, kind: str, tag: str, values: Sequence[bytes]) -> lightboard.Logs:
    metadata = event_files.summary_metadata(kind)
    events = [
        event_files.summary_event(event_files.value(tag, event_files.field_bytes(8, value), metadata), step=step)
        for step, value in enumerate(values)
    ]
    (path / "r").mkdir()
    event_files.write(path / "r" / "events.out.tfevents.1.x", [event_files.version_event(), *events])
    return lightboard.open(path, index=False)


@pytest.mark.parametrize(
    ("kind", "route", "values", "steps"),
    [
        ("histograms", "histograms/histograms", [GOOD_BUCKETS, SHORT_BUCKETS, HUGE_BUCKETS, GOOD_BUCKETS], [0, 3]),
        ("histograms", "distributions/distributions", [SHORT_BUCKETS, HUGE_BUCKETS, GOOD_BUCKETS], [2]),
        ("text", "text/text", [SHAPELESS, HUGE_STRINGS, GOOD_IMAGE], [2]),
    ],
)
async def test_the_good_ones_are_answered(
    tmp_path: pathlib.Path, kind: str, route: str, values: list[bytes], steps: list[int]
) -> None:
    with logs_with(tmp_path, kind, "t", values) as logs:
        async with data_client.Client(logs._store) as ask:
            rows: list[Any] = await ask.json(f"/data/plugin/{route}", run="r", tag="t")
    assert [row["step"] if isinstance(row, dict) else row[1] for row in rows] == steps


async def test_a_picture_that_makes_no_sense_is_not_found(tmp_path: pathlib.Path) -> None:
    with logs_with(tmp_path, "images", "i", [GOOD_IMAGE, HUGE_STRINGS, SHAPELESS]) as logs:
        async with data_client.Client(logs._store) as ask:
            assert (await ask.json("/data/plugin/images/tags"))["r"]["i"]["samples"] == 1
            rows = await ask.json("/data/plugin/images/images", run="r", tag="i")
            found = [await ask.get(f"/data/plugin/images/individualImage?{row['query']}") for row in rows]
    assert [each.status_code for each in found] == [200, 404, 404]


async def test_a_promise_of_a_billion_clips_is_not_believed(tmp_path: pathlib.Path) -> None:
    with logs_with(tmp_path, "audio", "a", [HUGE_STRINGS]) as logs:
        async with data_client.Client(logs._store) as ask:
            assert (await ask.json("/data/plugin/audio/tags"))["r"]["a"]["samples"] == 3
            assert len(await ask.json("/data/plugin/audio/audio", run="r", tag="a")) == 1


async def test_a_layout_that_makes_no_sense_is_passed_over(tmp_path: pathlib.Path) -> None:
    with logs_with(tmp_path, "custom_scalars", "custom_scalars__config__", [HUGE_STRINGS]) as logs:
        async with data_client.Client(logs._store) as ask:
            assert await ask.json("/data/plugin/custom_scalars/layout") == {}
