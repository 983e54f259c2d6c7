"""The page of precision-recall curves as a person uses it: real Chromium, real boards, logs of ours and of others."""

from __future__ import annotations

import csv
import io
import json
import pathlib
from collections.abc import Iterator
from typing import Any
from urllib import request

import board_process
import numpy as np
import pytest
from browser import cards, conftest, patience, test_accessibility
from browser.kind_cards import drawn, expect_step, kind_card, option
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect

DATA = pathlib.Path(__file__).parent.parent / "data"
STEPS = range(0, 50, 10)
TAG = "eval/cats"


def predictions(run: int, step: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The second run separates better than the first, and both learn."""
    noise = np.random.default_rng(100 * run + step)
    labels = noise.integers(0, 2, 400)
    signal = (labels - 0.5) * (0.5 + 1.5 * run + step / 30)
    return labels, 1 / (1 + np.exp(-(signal + noise.normal(size=400))))


def write(folder: pathlib.Path) -> None:
    for number, name in enumerate(("plain", "better")):
        with lightboard.SummaryWriter(folder / name) as writer:
            for step in STEPS:
                writer.add_pr_curve(TAG, *predictions(number, step), step)
                writer.add_scalar("loss", 1 / (step + 1), step)
    with lightboard.SummaryWriter(folder / "odd") as writer:
        writer.add_pr_curve("odd/negative", np.zeros(20), np.linspace(0, 1, 20), 0)
        nothing = np.full(4, np.nan)
        writer.add_pr_curve_raw("odd/nan", nothing, nothing, nothing, nothing, nothing, nothing, 0, num_thresholds=4)
        writer.add_tensor("unrelated", np.zeros(3), 0)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    write(folder)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("plain", "better", "odd")
        yield process


def open_curves(page: sync_api.Page, board: board_process.Process, members: str = "tagFilter=cats") -> sync_api.Locator:
    page.set_viewport_size({"width": 1200, "height": 900})
    page.goto(f"{board.url}#pr_curves?{members}")
    card = kind_card(page, "pr_curves", TAG)
    expect(drawn(card)).to_have_attribute("data-drawn", "2")
    cards.wait_drawn(page, TAG)
    return card


def row(card: sync_api.Locator, run: str) -> sync_api.Locator:
    return card.locator(f'[data-testid="curve-table"] tr[data-run="{run}"]')


def area(card: sync_api.Locator, run: str) -> float:
    return float(row(card, run).locator("[data-area]").get_attribute("data-area") or "nan")


def test_all_runs_are_drawn_at_their_newest_step(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_curves(page, board)
    expect_step(card, 40)
    expect(row(card, "better")).to_contain_text("40")
    assert 0.5 < area(card, "plain") < area(card, "better") <= 1


def test_one_slider_for_all_runs_and_one_for_each(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_curves(page, board)
    slider = page.get_by_test_id("page-step")
    slider.focus()
    slider.press("Home")
    expect_step(card, 0)
    before = area(card, "plain")
    option(page, "pr-runs").click()
    own = page.locator('[data-testid="run-steps"] [data-run="plain"]').get_by_test_id("run-step")
    own.focus()
    own.press("End")
    expect(drawn(card)).to_have_attribute("data-step", "0 40")
    expect(row(card, "plain")).to_contain_text("40")
    assert area(card, "plain") > before, "it has learnt"
    patience.eventually(page, lambda shown: "stepOf" in shown.url and "stepAll=0" in shown.url, True)
    page.reload()
    expect(drawn(kind_card(page, "pr_curves", TAG))).to_have_attribute("data-step", "0 40")
    page.get_by_test_id("drop-own-steps").click()
    expect_step(kind_card(page, "pr_curves", TAG), 0)


def test_steps_are_told_as_the_reader_likes(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_curves(page, board, "tagFilter=cats&prCurvesRuns=1")
    step = row(card, "plain").locator("td").nth(1)
    expect(step).to_have_text("40")
    for time in ("relative", "wall"):
        option(page, "pr-time").select_option(time)
        expect(step).not_to_have_text("40")
    expect(page.locator('[data-testid="run-steps"] [data-run="plain"] output')).to_contain_text(":")


def test_the_step_marked_on_the_time_series_page_counts_here(page: sync_api.Page, board: board_process.Process) -> None:
    steps = json.dumps({"lo": 25, "hi": None})
    card = open_curves(page, board, f"tagFilter=cats&stepTable=1&steps={steps}")
    expect_step(card, 20)
    page.get_by_test_id("let-go").click()
    expect_step(card, 40)


def test_roc_and_f1_come_from_the_same_counts(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_curves(page, board)
    precision = area(card, "better")
    for mode, title in (("roc", "AUC"), ("f1", "Best F1")):
        count = cards.drawings(page, TAG)
        page.get_by_test_id(f"pr-mode-{mode}").click()
        expect(drawn(card)).to_have_attribute("data-mode", mode)
        expect(card.locator("thead")).to_contain_text(title)
        cards.wait_drawn(page, TAG, count)
        assert 0.5 < area(card, "better") < 1
        assert area(card, "better") != precision


def test_a_threshold_is_marked_on_every_curve(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_curves(page, board)
    expect(card.locator("thead")).not_to_contain_text("Precision")
    page.get_by_test_id("pr-threshold-on").click()
    expect(card.locator("thead")).to_contain_text("Precision")
    at_half = row(card, "plain").locator("td").nth(3).inner_text()
    labels, scores = predictions(0, 40)
    # a score counts from its cell on, as the writer has it
    called = np.floor(scores * 126) >= 63
    assert float(at_half) == pytest.approx((called & (labels == 1)).sum() / called.sum(), abs=1e-4)
    slider = page.get_by_test_id("pr-threshold")
    slider.focus()
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    slider.press("ArrowRight")
    expect(row(card, "plain").locator("td").nth(3)).not_to_have_text(at_half)
    patience.eventually(page, lambda shown: "prCurvesThreshold=0.515" in shown.url, True)


def test_the_pointer_tells_all_numbers_and_a_click_marks_them(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_curves(page, board)
    cards.hover(page, TAG, 0.5, 0.2)
    tip = page.get_by_test_id("hover-tip")
    expect(tip.locator("tbody tr")).to_have_count(2)
    heads = tip.locator("th").all_inner_texts()
    assert heads[1:] == ["Run", "Threshold", "Precision", "Recall", "F1", "FPR", "TP", "FP", "TN", "FN"]
    cells = tip.locator("tbody tr").first.locator("td").all_inner_texts()
    hits, alarms, silent, missed = (float(text) for text in cells[7:11])
    assert hits + alarms + silent + missed == 400
    assert float(cells[3]) == pytest.approx(hits / (hits + alarms), abs=1e-4)
    assert float(cells[4]) == pytest.approx(hits / (hits + missed), abs=1e-4)
    page.mouse.down()
    page.mouse.up()
    patience.eventually(page, lambda shown: "prCurvesThreshold=" in shown.url, True)


def test_zoom_reset_and_full_screen(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_curves(page, board)
    cards.drag(page, TAG, (0.6, 0.1), (0.9, 0.6))
    expect(card.get_by_test_id("pr-fit")).to_be_visible()
    patience.eventually(page, lambda shown: "prCurvesZoom" in shown.url, True)
    card.get_by_test_id("pr-fit").click()
    expect(card.get_by_test_id("pr-fit")).to_have_count(0)
    patience.eventually(page, lambda shown: "prCurvesZoom" in shown.url, False)
    card.hover()
    card.get_by_role("button", name="Expand").click()
    expect(page.locator('[data-full][data-kind-card="pr_curves"]')).to_be_visible()
    expect(page.locator("[data-full] [data-drawn]").first).to_have_attribute("data-drawn", "2")
    page.keyboard.press("Escape")
    expect(page.locator("[data-full]")).to_have_count(0)


def test_files(page: sync_api.Page, board: board_process.Process) -> None:
    card = open_curves(page, board)
    for name, ending in (
        ("Points (CSV)", ".csv"),
        ("Points (JSON)", ".json"),
        ("Picture (SVG)", ".svg"),
        ("PNG", ".png"),
    ):
        card.hover()
        card.get_by_role("button", name="More for this card").click()
        with page.expect_download() as saved:
            page.get_by_role("menuitem", name=name).click()
        assert saved.value.suggested_filename.endswith(ending)
        content = pathlib.Path(saved.value.path()).read_bytes()
        if ending == ".csv":
            rows = list(csv.DictReader(io.StringIO(content.decode())))
            assert {each["run"] for each in rows} == {"plain", "better"}
            assert len(rows) == 2 * 127
        if ending == ".json":
            assert [len(each["precision"]) for each in json.loads(content)] == [127, 127]
        if ending == ".svg":
            assert "better · Step 40 · AP 0." in content.decode()
        if ending == ".png":
            assert content.startswith(b"\x89PNG")


def test_what_cannot_be_drawn_says_so(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#pr_curves?tagFilter=odd")
    expect(kind_card(page, "pr_curves", "odd/nan").get_by_role("status")).to_contain_text("Nothing to draw")
    negative = kind_card(page, "pr_curves", "odd/negative")
    expect(row(negative, "odd").locator("[data-area]")).to_have_text("–")


def test_curves_follow_a_run_that_goes_on(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path / "live") as writer:
        writer.add_pr_curve(TAG, *predictions(0, 0), 0)
        writer.flush()
        with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
            process.wait_for_runs("live")
            page.goto(f"{process.url}#pr_curves?")
            card = kind_card(page, "pr_curves", TAG)
            expect_step(card, 0)
            writer.add_pr_curve(TAG, *predictions(0, 40), 40)
            writer.flush()
            expect_step(card, 40)


@pytest.mark.parametrize(
    ("corpus", "run", "tags"),
    [
        ("torch_writer", "cnn_digits", ["pr/class_0", "pr/class_3", "pr/coarse", "pr/raw"]),
        ("boosting_tensorboardx", "tensorboardX_only", ["pr"]),
    ],
)
def test_curves_of_others_are_seen_as_tensorboard_tells_them(
    page: sync_api.Page, corpus: str, run: str, tags: list[str]
) -> None:
    page.set_viewport_size({"width": 1200, "height": 1800})
    with board_process.Process("--logdir", DATA / corpus, "--port", "0") as process:
        process.wait_for_runs(run)
        page.goto(f"{process.url}#pr_curves?prCurvesThreshold=0.25&show={run}&showOnly=1")
        for tag in tags:
            address = f"{process.url}data/plugin/pr_curves/pr_curves?tag={tag}&run={run}"
            last = json.load(request.urlopen(address))[run][-1]
            card = kind_card(page, "pr_curves", tag)
            expect_step(card, last["step"])
            cards.wait_drawn(page, tag)
            thresholds = np.array(last["thresholds"])
            at = int(np.argmin(np.abs(thresholds - 0.25)))
            shown = row(card, run).locator("td").all_inner_texts()[3:]
            assert [float(text) for text in shown] == pytest.approx(
                [last["precision"][at], last["recall"][at]], abs=1e-3
            ), tag


def test_curves_pass_the_rules_of_accessibility(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme, reduced_motion="reduce")
        page.add_init_script(path=test_accessibility.AXE)
        open_curves(page, board, "tagFilter=cats&prCurvesThreshold=0.5&prCurvesRuns=1")
        assert test_accessibility.violations(page) == []


def test_the_page_speaks_chinese(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(locale="zh-CN")
    card = open_curves(page, board)
    expect(card.locator("thead")).to_contain_text("运行")
    expect(page.get_by_test_id("pr-threshold-on")).to_have_text("阈值")
