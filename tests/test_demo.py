"""The demo's logs: the same each time, and with what a newcomer is told to try on them.

That a stop in between is quick is in tests/cli/test_stops.py; what the values look like is in tests/test_reading.py.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest

import lightboard
from lightboard import reading
from lightboard.demo import logs as demo_logs

NOW = 1_700_007_200.0
MEDIA = ("images", "audio", "video", "text", "html", "tables", "plotly", "histograms", "pr_curves", "mesh", "tensors")


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo")
    demo_logs.write(path, now=NOW)
    return path


@pytest.fixture(scope="module")
def logs(directory: Path) -> reading.Logs:
    return lightboard.open(directory, index=False)


def contents(directory: Path) -> dict[str, bytes]:
    files = (path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): path.read_bytes() for path in files}


def test_the_logs_are_the_same_each_time(directory: Path, tmp_path: Path) -> None:
    demo_logs.write(tmp_path, now=NOW)
    assert contents(tmp_path) == contents(directory)


def test_scalars_are_in_sections_and_some_in_nested_ones(logs: reading.Logs) -> None:
    tags = logs.tags("scalars")
    assert {tag.partition("/")[0] for tag in tags} == {"system", "train", "val"}
    assert any(tag.count("/") > 2 for tag in tags)


@pytest.mark.parametrize("kind", MEDIA)
def test_media_can_be_compared_between_three_runs_and_several_steps(kind: str, logs: reading.Logs) -> None:
    entries = logs.series(kind)
    for tag in {entry.tag for entry in entries}:
        assert {entry.run for entry in entries if entry.tag == tag} == {
            "showcase/small",
            "showcase/base",
            "showcase/large",
        }
    assert all(entry.points >= 3 for entry in entries)


def test_pictures_of_one_step_differ_between_runs(logs: reading.Logs) -> None:
    shown = {logs.images(f"showcase/{size}", "samples/rings")[5].blobs[0] for size in ("small", "base", "large")}
    assert len(shown) == 3


def test_every_configuration_of_the_sweep_has_three_seeds(logs: reading.Logs) -> None:
    seeds: dict[str, set[str]] = {}
    for run in logs.filter("^sweep/").runs:
        configuration, _, seed = run.partition(",seed=")
        seeds.setdefault(configuration, set()).add(seed)
    assert len(seeds) == 12
    assert set(map(frozenset, seeds.values())) == {frozenset("123")}


def test_one_run_has_a_spike_and_overfits_and_one_diverges(logs: reading.Logs) -> None:
    loss = logs.scalars("digits/lr=0.1", "train/loss").values
    at = demo_logs.SPIKE_AT
    assert loss[at] > 10 * loss[at - 1] > 0
    assert loss[-1] < loss[at - 1]
    validation = logs.scalars("digits/lr=0.1", "val/loss").values
    assert validation[-1] > 1.5 * validation.min()
    assert math.isnan(logs.scalars("digits/lr=1", "train/loss").values[-1])


def test_the_live_run_starts_with_a_past_and_grows(tmp_path: Path) -> None:
    growing = demo_logs.live(tmp_path)
    counts = []
    for _ in itertools.islice(growing, 3):
        with lightboard.open(tmp_path, index=False) as logs:
            counts.append(len(logs.scalars("live", "train/loss")))
    growing.close()
    assert counts == [demo_logs.LIVE_STEPS + 1, demo_logs.LIVE_STEPS + 2, demo_logs.LIVE_STEPS + 3]
