"""What a snapshot contains: the points, answers and images of the chosen runs and tags, and nothing else.

The page inside is tested in tests/browser/test_snapshot.py, the command in tests/cli/test_snapshot.py.
"""

from __future__ import annotations

import json
import pathlib
import re
import urllib.parse
from typing import Any

import numpy as np
import pytest
from snapshot import reading_back

from lightboard import board, errors, logdir, store, types, work
from lightboard import snapshot as snapshot_
from lightboard.query.scalars import smoothing
from lightboard.sdk import writer as writer_
from lightboard.server import context, settings

EXPRESSION = "= loss * 2"
HOSTILE = "</script><script>alert(1)</script>\u2028<!--"


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> board.Board:
    folder = tmp_path_factory.mktemp("runs")
    rng = np.random.default_rng(7)
    for run in ("a", "b", "c"):
        with writer_.SummaryWriter(str(folder / run)) as writer:
            values = rng.normal(0, 1, 3000)
            values[1234] = 1e6  # a spike between two columns
            for step, value in enumerate(values):
                writer.add_scalar("loss", value, step, walltime=1.7e9 + 0.25 * step)
            writer.add_scalar("only" if run == "a" else HOSTILE, 1.0, 0)
            writer.add_text("notes", f"{HOSTILE} **{run}**", 3)
            for step in range(3):
                writer.add_image("picture", np.full((3, 4, 4), 80 * step, np.uint8), step)
                writer.add_histogram("weights", rng.normal(0, 1, 100), step)
    made = board.Board(logdir.parse_spec(str(folder)), board.Options(index=False))
    made.load()
    return made


def html_of(one: board.Board, **choice: Any) -> bytes:
    return b"".join(one.snapshot(snapshot_.Choice(**choice)).pieces)


def points(one: board.Board, run: str, tag: str) -> store.Points:
    series = one.store.series(run, tag)
    assert series is not None
    return series.points(types.Rewinds.LATEST)


def test_all_points_are_those_of_the_logs(one: board.Board) -> None:
    lines = reading_back.lines(html_of(one, points=0), "loss")
    assert list(lines) == ["a", "b", "c"]
    for run, columns in lines.items():
        logged = points(one, run, "loss")
        assert columns["step"].tolist() == logged.steps.tolist()
        assert columns["value"].tolist() == logged.values.tolist()
        assert np.abs(columns["wall"] - logged.wall_times).max() <= 0.0005


def test_thinned_points_are_logged_ones_and_keep_every_spike(one: board.Board) -> None:
    for run, columns in reading_back.lines(html_of(one, points=100), "loss").items():
        logged = points(one, run, "loss")
        assert 50 <= len(columns["step"]) <= 102
        assert columns["value"].tolist() == logged.values[columns["step"]].tolist()
        assert {0, 1234, 2999} <= set(columns["step"].tolist())


def test_smoothed_values_are_computed_from_all_points(one: board.Board) -> None:
    html = html_of(one, points=100, view="timeseries?smoothing=0.9")
    assert reading_back.info(html)["smoothing"] == "ema:0.9"
    for run, columns in reading_back.lines(html, "loss").items():
        logged = points(one, run, "loss")
        whole = smoothing.parse("ema:0.9").apply(logged.steps, logged.wall_times, logged.values)
        assert columns["smoothed"].tolist() == whole[columns["step"]].astype(np.float32).tolist()


def test_without_smoothing_there_are_no_smoothed_values(one: board.Board) -> None:
    html = html_of(one, view="timeseries?smoothing=0")
    assert "smoothed" not in reading_back.lines(html, "loss")["a"]


def test_metric_expressions_of_the_view_are_recorded(one: board.Board) -> None:
    made = json.dumps([{"id": "x", "title": "", "tags": [EXPRESSION, "= nonsense ("], "pattern": ""}])
    html = html_of(one, points=0, view=f"timeseries?cards={urllib.parse.quote(made)}")
    lines = reading_back.lines(html, EXPRESSION)
    assert lines["b"]["value"].tolist() == (2 * points(one, "b", "loss").values.astype(np.float64)).tolist()
    told, _ = reading_back.answers(html)
    assert EXPRESSION not in told["tags"]["kinds"]["scalars"]["tag"]


def test_only_the_chosen_runs_and_tags_are_in_the_file(one: board.Board) -> None:
    html = html_of(one, runs='name != "b"', tags="^loss$")
    told, arrays = reading_back.answers(html)
    assert told["runs"]["name"] == ["a", "c"]
    assert list(told["tags"]["kinds"]) == ["scalars"]
    assert told["tags"]["kinds"]["scalars"]["tag"] == ["loss"]
    assert set(told["run"]) == {"a", "c"}
    assert list(reading_back.lines(html, "loss")) == ["a", "c"]
    assert told["table"]["run"] == ["a", "c"]
    assert reading_back.info(html)["kinds"] == ["scalars"]
    assert arrays == {}


def test_counts_of_tags_by_run_are_told(one: board.Board) -> None:
    told, _ = reading_back.answers(html_of(one))
    assert told["runs_of_tags"]["scalars"]["loss"] is None
    assert told["runs_of_tags"]["scalars"]["only"] == [0]


def test_images_are_those_of_the_newest_step(one: board.Board) -> None:
    html = html_of(one, kinds=("images",))
    assert len(re.findall(rb"data-blob=", html)) == 3
    taken = one.snapshot(snapshot_.Choice(kinds=("images",), image_steps=0))
    assert [(part.kind, part.values, part.of) for part in taken.parts] == [("images", 9, 9)]


def test_images_beyond_their_budget_are_left_out_and_counted(one: board.Board) -> None:
    taken = one.snapshot(snapshot_.Choice(kinds=("images",), image_bytes=1))
    assert [(part.values, part.of) for part in taken.parts] == [(0, 9)]


def test_nothing_tells_where_the_logs_were(one: board.Board) -> None:
    html = html_of(one)
    told, arrays = reading_back.answers(html)
    [root] = one.roots
    assert root not in json.dumps(told)
    assert all(root.encode() not in bytes(array) for array in arrays.values())
    assert pathlib.PurePath(root).name == told["board"]["name"]


def test_hostile_names_and_texts_cannot_end_an_element(one: board.Board) -> None:
    html = html_of(one, title=HOSTILE)
    text = html.decode()
    assert "alert(1)</script>" not in text
    assert "\u2028" not in text.partition("<title>")[2].partition("</title>")[2]
    assert reading_back.info(html)["name"] == HOSTILE
    assert text.count("<script") == text.count("</script>")


def test_a_choice_without_runs_or_tags_says_so(one: board.Board) -> None:
    with pytest.raises(errors.NotFound, match="no run matches"):
        html_of(one, runs="nothing")
    with pytest.raises(errors.NotFound, match="no tag matches"):
        html_of(one, tags="nothing")


def test_a_hundred_runs_of_twenty_tags_are_below_ten_megabytes() -> None:
    """Noise, which no compression makes smaller; wall times with random gaps."""
    builder = store.Builder()
    rng = np.random.default_rng(0)
    for run in range(100):
        for tag in range(20):
            values = np.exp(-np.arange(2000) / 500) + rng.normal(0, 0.1, 2000)
            walls = (1.7e9 + np.cumsum(rng.exponential(0.5, 2000))).tolist()
            builder.scalars(f"run{run}", f"tag{tag}", values=values.astype(np.float32), wall_times=walls)
    filled = builder.build()
    made = settings.Settings(static_dir=board.static_dir(), window_title="runs")
    taken = snapshot_.take(context.Context(store=filled, work=work.Work(filled), settings=made), snapshot_.Choice())
    assert taken.size_bytes < 10_000_000
