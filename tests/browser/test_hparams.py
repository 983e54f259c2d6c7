"""The page of hyperparameters as a person uses it: the tutorial's grid as TensorFlow wrote it, and odd logs of ours."""

from __future__ import annotations

import csv
import math
import pathlib
import re
from collections.abc import Iterator
from typing import Any

import board_process
import pytest
from browser import conftest, patience, test_accessibility
from browser.kind_cards import in_address, option
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect

DATA = pathlib.Path(__file__).parent.parent / "data" / "hparams_tuning"
ACCURACY = "metric:accuracy"
MANY = 1000
WIDE = {"width": 1400, "height": 900}


@pytest.fixture(scope="module")
def grid() -> Iterator[board_process.Process]:
    """Units × dropout × optimizer: 18 experiments."""
    with board_process.Process("--logdir", DATA / "logs", "--port", "0") as process:
        process.wait_for_runs("hparam_tuning/Experiment 17")
        yield process


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    """Unicode, NaN, a setting that is missing, a metric that is missing, texts only, a run without any hparams."""
    folder = tmp_path_factory.mktemp("odd")
    write_trial(folder / "试验 1 🚀", {"学习率": 0.1, "opt": "адам"}, {"точность": 0.5})
    write_trial(folder / "b", {"学习率": 0.01, "opt": "<b>sgd</b>"}, {"точность": math.nan})
    write_trial(folder / "c", {"opt": "مرحبا"}, {"loss": 1.5})
    with lightboard.SummaryWriter(folder / "plain") as writer:
        writer.add_scalar("loss", 1.0, 1)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("试验 1 🚀", "b", "c", "plain")
        yield process


def write_trial(folder: pathlib.Path, hparams: dict[str, Any], metrics: dict[str, float]) -> None:
    with lightboard.SummaryWriter(folder) as writer:
        for step in range(5):
            for tag, value in metrics.items():
                writer.add_scalar(tag, value * (step + 1) / 5, step)
        writer.add_hparams(hparams, metrics, run_name=".", global_step=5)


def open_trials(page: sync_api.Page, board: board_process.Process, members: str = "") -> None:
    page.set_viewport_size({"width": WIDE["width"], "height": WIDE["height"]})
    page.goto(f"{board.url}#hparams?{members}")
    expect(page.locator('[data-testid="hparams-page"][data-trials]')).to_be_visible()


def names(page: sync_api.Page) -> list[str]:
    """Of the rows, from top to bottom."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("[data-trial]")]
            .map((row) => [new DOMMatrix(getComputedStyle(row).transform).f, row.querySelector("[role=rowheader]")])
            .sort((a, b) => a[0] - b[0]).map(([, cell]) => cell.innerText.trim())"""
    )
    return found


def cells(page: sync_api.Page, trial: str) -> list[str]:
    row = page.locator("[data-trial]").filter(has=page.get_by_role("rowheader", name=re.compile(f"{trial}$")))
    return row.first.get_by_role("gridcell").all_inner_texts()


def heads(page: sync_api.Page) -> list[str]:
    return page.locator(".virtual-table__heading").all_inner_texts()


def drag(page: sync_api.Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    page.mouse.move(*end)
    page.mouse.up()


def brush(page: sync_api.Page, column: str, top: float, bottom: float) -> None:
    """Along an axis, in shares of its length from the top."""
    box = patience.box_of(page.locator(f'[data-axis="{column}"] .parallel-axis__grab'))
    x = box["x"] + box["width"] / 2
    drag(page, (x, box["y"] + top * box["height"]), (x, box["y"] + bottom * box["height"]))


# ---- table


def test_the_table_has_every_experiment_with_its_settings(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid)
    expect(page.get_by_test_id("trial-count")).to_have_text("18 trials")
    assert heads(page) == ["Trial", "dropout", "num_units", "optimizer", "Accuracy"]
    patience.eventually(page, lambda page: len(names(page)), 18)
    dropout, units, optimizer, accuracy = cells(page, "Experiment 10")
    assert (dropout, units, optimizer) == ("0.5", "300", "rmsprop")
    assert 0 < float(accuracy) <= 1


def test_a_head_sorts_and_the_address_keeps_it(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid)
    head = page.locator(f'[data-trial-column="{ACCURACY}"] .virtual-table__sort')
    head.click()
    head.click()
    in_address(page, "hparamsSort=-metric:accuracy")

    def values(page: sync_api.Page) -> list[float]:
        return [float(cells(page, name)[-1]) for name in names(page)]

    expect(page.locator(f'[data-trial-column="{ACCURACY}"]')).to_have_attribute("aria-sort", "descending")
    found = values(page)
    assert found == sorted(found, reverse=True)
    page.reload()
    patience.eventually(page, lambda page: len(names(page)), 18)
    assert values(page) == found


def test_names_stay_when_the_table_is_scrolled_sideways(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid)
    page.set_viewport_size({"width": 800, "height": 500})
    table = page.get_by_test_id("trials-table")
    patience.eventually(page, lambda _: bool(table.evaluate("(t) => t.scrollWidth > t.clientWidth + 100")), True)
    name = page.locator("[data-trial] [role=rowheader]").first
    left = patience.box_of(name)["x"]
    # sticky cells cost a layer each: none before one may scroll
    page.locator(".virtual-table__sort").first.hover()
    expect(table).not_to_have_attribute("data-held", "")
    page.locator("[data-trial] [role=gridcell]").first.hover()
    expect(table).to_have_attribute("data-held", "")
    page.mouse.wheel(100, 0)
    patience.eventually(page, lambda _: int(table.evaluate("(t) => t.scrollLeft")) > 50, True)
    assert patience.box_of(name)["x"] == left
    # still scrolled: they stay wherever the pointer goes
    page.mouse.move(1, 1)
    expect(table).to_have_attribute("data-held", "")
    assert patience.box_of(name)["x"] == left
    table.evaluate("(t) => { t.scrollLeft = 0; }")
    expect(table).not_to_have_attribute("data-held", "")


def test_columns_are_hidden_moved_and_widened_by_keys(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid)
    page.locator('[data-pane-column="hparam:dropout"] input').click()
    patience.eventually(page, heads, ["Trial", "num_units", "optimizer", "Accuracy"])
    page.locator('[data-trial-column="hparam:num_units"] .virtual-table__sort').press("Alt+ArrowRight")
    patience.eventually(page, heads, ["Trial", "optimizer", "num_units", "Accuracy"])
    head = page.locator('[data-trial-column="hparam:optimizer"]')
    before = patience.box_of(head)["width"]
    head.get_by_role("separator").press("ArrowRight")
    expect(head).to_have_css("width", f"{before + 16:g}px")
    in_address(page, "hparamsColumns=hparam:optimizer,hparam:num_units,metric:accuracy")


def test_values_intervals_and_expressions_filter(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid)
    count = page.get_by_test_id("trial-count")
    optimizer = page.locator('[data-pane-column="hparam:optimizer"]')
    optimizer.get_by_role("button", name="Filter by optimizer").click()
    optimizer.get_by_label("sgd").click()
    expect(count).to_have_text("12 of 18 trials")
    optimizer.get_by_test_id("filter-pattern").fill("^ad")
    expect(count).to_have_text("6 of 18 trials")
    dropout = page.locator('[data-pane-column="hparam:dropout"]')
    dropout.get_by_role("button", name="Filter by dropout").click()
    dropout.get_by_test_id("filter-lo").fill("0.3")
    expect(count).to_have_text("3 of 18 trials")
    in_address(page, '"hparam:dropout":{"lo":0.3}')
    page.get_by_test_id("brush-bar").get_by_role("button", name="Remove the filter: optimizer").click()
    expect(count).to_have_text("9 of 18 trials")
    dropout.get_by_test_id("filter-lo").fill("7")
    expect(page.get_by_text("No trial matches the filters")).to_be_visible()
    page.get_by_role("button", name="Clear all filters").click()
    expect(count).to_have_text("18 trials")


def test_a_row_opens_to_charts_and_leads_to_them(page: sync_api.Page, odd: board_process.Process) -> None:
    open_trials(page, odd)
    page.get_by_role("button", name="Show charts of 试验 1 🚀").click()
    details = page.get_by_test_id("trial-details")
    expect(details.get_by_test_id("mini-chart").first).to_be_visible()
    expect(details.locator("dl")).to_contain_text("学习率")
    in_address(page, "hparamsOpen=试验 1 🚀")
    details.get_by_test_id("open-charts").click()
    in_address(page, "#timeseries?show=试验 1 🚀&showOnly=1")


def test_keys_move_through_rows_and_open_them(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid)
    patience.eventually(page, lambda page: len(names(page)), 18)
    page.locator('.trials-table__row[tabindex="0"]').focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator('.trials-table__row[aria-rowindex="3"]')).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("trial-details")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("trial-details")).to_have_count(0)
    page.keyboard.press("Space")
    in_address(page, "hide=hparam_tuning/Experiment 1")


# ---- parallel coordinates


def test_every_trial_is_a_line_and_a_brush_picks_some(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid, "hparamsView=parallel")
    lines = page.get_by_test_id("parallel-lines")
    expect(lines).to_have_attribute("data-drawn", "18")
    assert page.locator("[data-axis]").count() == 4
    brush(page, "hparam:optimizer", 0.02, 0.3)
    expect(page.get_by_test_id("brushed-count")).to_have_text("6 trials brushed")
    expect(lines).to_have_attribute("data-drawn", "6")
    in_address(page, 'hparamsBrushes={"hparam:optimizer":{"values":["sgd"]}}')
    # a second axis narrows it down, and the table follows
    brush(page, "hparam:dropout", 0.005, 0.4)
    expect(page.get_by_test_id("brushed-count")).to_have_text("3 trials brushed")
    patience.eventually(page, lambda page: len(names(page)), 3)
    in_address(page, '"hparam:dropout":{"ranges":[[')
    page.reload()
    expect(lines).to_have_attribute("data-drawn", "3")
    page.get_by_test_id("clear-brush").click()
    expect(lines).to_have_attribute("data-drawn", "18")


def test_several_stretches_of_one_axis_add_up(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid, "hparamsView=parallel")
    expect(page.get_by_test_id("parallel-lines")).to_have_attribute("data-drawn", "18")
    brush(page, "hparam:num_units", 0.005, 0.1)
    expect(page.get_by_test_id("brushed-count")).to_have_text("6 trials brushed")
    brush(page, "hparam:num_units", 0.9, 0.995)
    expect(page.get_by_test_id("brushed-count")).to_have_text("12 trials brushed")
    # a click beside the stretches takes them away
    box = patience.box_of(page.locator('[data-axis="hparam:num_units"] .parallel-axis__grab'))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_test_id("brushed-count")).to_have_count(0)


def test_brushed_trials_become_the_runs_of_the_board(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid, 'hparamsView=parallel&hparamsBrushes={"hparam:optimizer":{"values":["sgd"]}}')
    page.get_by_test_id("show-only").click()
    in_address(page, "showOnly=1")
    expect(page.get_by_text("6 of 19 shown")).to_be_visible()
    # and the other way round: what is hidden on the board is left out here
    page.get_by_test_id("clear-brush").click()
    page.get_by_test_id("hparams-hidden").select_option("out")
    expect(page.get_by_test_id("trial-count")).to_have_text("6 of 18 trials")


def test_axes_are_turned_scaled_and_moved(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid, "hparamsView=parallel")
    units = page.locator('[data-axis-head="hparam:num_units"]')
    units.get_by_test_id("axis-menu").click()
    page.get_by_role("menuitemcheckbox", name="Logarithmic").click()
    expect(units).to_have_attribute("data-scale", "log")
    units.get_by_test_id("axis-menu").click()
    page.get_by_role("menuitemcheckbox", name="By rank").click()
    expect(units).to_have_attribute("data-scale", "quantile")
    units.get_by_test_id("axis-menu").click()
    page.get_by_role("menuitemcheckbox", name="Invert").click()
    in_address(page, "hparamsInverted=hparam:num_units")
    axes = page.locator("[data-axis-head]")

    def order(page: sync_api.Page) -> list[str]:
        return [str(each) for each in axes.evaluate_all("all => all.map((one) => one.dataset.axisHead)")]

    units.locator(".axis-head__name").drag_to(page.locator('[data-axis-head="hparam:dropout"]'))
    patience.eventually(page, lambda page: order(page)[0], "hparam:num_units")
    units.locator(".axis-head__name").press("Alt+ArrowRight")
    patience.eventually(page, lambda page: order(page)[:2], ["hparam:dropout", "hparam:num_units"])


def test_a_brush_is_made_by_keys_too(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid, "hparamsView=parallel")
    page.locator(f'[data-axis-head="{ACCURACY}"]').get_by_test_id("axis-menu").press("Enter")
    page.get_by_role("menuitem", name="Brush…").press("Enter")
    page.get_by_test_id("filter-lo").fill("0.8")
    expect(page.get_by_test_id("brushed-count")).to_have_text("12 trials brushed")


def test_a_click_keeps_a_line_and_shows_its_trial(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid, "hparamsView=parallel&hparamsSort=-metric:accuracy")
    expect(page.get_by_test_id("parallel-lines")).to_have_attribute("data-drawn", "18")
    axis = patience.box_of(page.locator(f'[data-axis="{ACCURACY}"] .parallel-axis__grab'))
    # near the upper end of the last axis run the best ones
    page.mouse.click(axis["x"] - 2, axis["y"] + 26)
    kept = page.get_by_test_id("kept-trial")
    expect(kept).to_be_visible()
    expect(kept.locator("dl")).to_contain_text("num_units")
    expect(kept.get_by_test_id("mini-chart")).to_be_visible()
    in_address(page, "hparamsTrial=")
    kept.get_by_role("button", name="Close").click()
    expect(kept).to_have_count(0)


# ---- scatter plots, importance


def test_a_box_in_one_plot_brushes_all(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid, "hparamsView=scatter")
    dots = page.get_by_test_id("scatter-dots")
    expect(dots).to_have_attribute("data-drawn", "18")
    expect(page.locator(".scatter-cell")).to_have_count(4)
    box = patience.box_of(page.locator(".scatter-cell__frame").nth(2))  # accuracy over optimizer
    right = box["x"] + box["width"]
    drag(page, (right - 4, box["y"] + 2), (right - box["width"] / 4, box["y"] + box["height"] - 2))
    expect(page.get_by_test_id("brushed-count")).to_have_text("6 trials brushed")
    expect(dots).to_have_attribute("data-drawn", "6")
    patience.eventually(page, lambda page: len(names(page)), 6)


def test_the_setting_that_matters_is_told(page: sync_api.Page, grid: board_process.Process) -> None:
    open_trials(page, grid, "hparamsView=importance")
    rows = page.locator("[data-importance]")
    expect(rows).to_have_count(3)
    expect(rows.first).to_have_attribute("data-importance", "optimizer")
    expect(page.get_by_test_id("importance")).to_contain_text("From 18 trials")


# ---- values, repeats, files


def test_another_value_of_the_series_can_count(page: sync_api.Page, odd: board_process.Process) -> None:
    open_trials(page, odd, "hparamsMetrics=metric:loss")

    def loss(page: sync_api.Page) -> list[str]:
        return cells(page, "c")[-1:]

    patience.eventually(page, loss, ["1.5"])
    page.get_by_test_id("hparams-value").select_option("min")
    patience.eventually(page, loss, ["0.3"])
    page.get_by_test_id("hparams-value").select_option("at")
    page.get_by_test_id("hparams-step").fill("1")
    patience.eventually(page, loss, ["0.6"])
    in_address(page, "hparamsValue=at&hparamsStep=1")


def test_values_at_the_best_step_of_another_metric(
    page: sync_api.Page, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """And what is best the reader may say: the name `gap` tells nothing."""
    folder = tmp_path_factory.mktemp("by")
    for name, gaps in (("a", [3.0, 1.0, 2.0]), ("b", [1.0, 5.0, 9.0])):
        with lightboard.SummaryWriter(folder / name) as writer:
            for step, gap in enumerate(gaps):
                writer.add_scalar("gap", gap, step)
                writer.add_scalar("test", 10.0 * step, step)
            writer.add_hparams({"lr": len(name)}, {}, run_name=".")
    with board_process.Process("--logdir", folder, "--port", "0") as board:
        board.wait_for_runs("a", "b")
        open_trials(page, board, "hparamsMetrics=metric:gap,metric:test&hparamsColumns=metric:gap,metric:test")

        def shown(page: sync_api.Page) -> list[list[str]]:
            return [cells(page, "a"), cells(page, "b")]

        patience.eventually(page, shown, [["2", "20"], ["9", "20"]])
        page.get_by_test_id("hparams-value").select_option("by")
        expect(page.get_by_test_id("hparams-by")).to_have_value("metric:gap")
        patience.eventually(page, shown, [["3", "0"], ["9", "20"]])
        page.locator('[data-trial-column="metric:gap"]').get_by_role("button", name="Column menu: gap").click()
        page.get_by_role("menuitemcheckbox", name="Lowest").click()
        patience.eventually(page, shown, [["1", "10"], ["1", "0"]])
        in_address(page, "hparamsBy=metric:gap")
        in_address(page, 'hparamsGoals={"metric:gap":')
        page.reload()
        patience.eventually(page, shown, [["1", "10"], ["1", "0"]])
        page.get_by_test_id("hparams-value").select_option("best")
        patience.eventually(page, shown, [["1", "20"], ["1", "20"]])
        with page.expect_download() as got:
            page.get_by_test_id("hparams-download").click()
            page.get_by_role("menuitem", name="CSV").click()
        assert pathlib.Path(got.value.path()).read_text().split() == ["trial,gap,test", "a,1,20", "b,1,20"]


def test_the_page_says_that_it_computes_other_values(page: sync_api.Page, odd: board_process.Process) -> None:
    open_trials(page, odd, "hparamsMetrics=metric:loss")
    patience.eventually(page, lambda page: cells(page, "c")[-1:], ["1.5"])
    busy = page.get_by_test_id("hparams-busy")
    expect(busy).to_have_text("")
    held: list[sync_api.Route] = []
    page.route("**/api/trials", lambda route: held.append(route))
    page.get_by_test_id("hparams-value").select_option("min")
    expect(busy).to_have_text("Computing…")
    expect(busy.locator("i")).to_be_visible()
    expect(page.locator(".hparams__body")).to_have_attribute("aria-busy", "true")
    held[0].continue_()
    expect(busy).to_have_text("")
    patience.eventually(page, lambda page: cells(page, "c")[-1:], ["0.3"])


def test_colours_that_would_tell_nothing_are_marked(
    page: sync_api.Page, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """And a metric of a subdirectory whose name has a colon is one like others."""
    folder = tmp_path_factory.mktemp("dull")
    for place in range(3):
        write_trial(folder / f"t{place}", {"lr": 0.1, "place": place}, {"same": 1.0, "score": 0.5 + place})
        with lightboard.SummaryWriter(folder / f"t{place}" / "val:a") as writer:
            writer.add_scalar("x:y", place, 1)
    with board_process.Process("--logdir", folder, "--port", "0") as board:
        board.wait_for_runs("t0", "t1", "t2", "t2/val:a")
        open_trials(page, board, "hparamsView=parallel")
        colors = page.get_by_test_id("hparams-color")
        # the first metric is the same in all: colours begin with one that differs
        expect(colors).to_have_value("metric:score")
        expect(colors.locator("option[value='hparam:lr']")).to_have_text("lr (same in all trials)")
        expect(colors.locator("option[value='hparam:place']")).to_have_text("place")
        colors.select_option("metric:same")
        expect(page.get_by_test_id("color-legend")).to_contain_text("same in all trials")
        page.get_by_test_id("add-metric").select_option(label="val:a/x:y")
        expect(page.locator("[data-axis]").last).to_have_attribute("data-axis", "metric@val%3Aa:x:y")
        patience.eventually(page, lambda page: cells(page, "t2")[-1:], ["2"])
        expect(page).to_have_url(re.compile("val"))  # written a moment after it is seen
        page.reload()
        patience.eventually(page, lambda page: cells(page, "t1")[-1:], ["1"])


def test_repeats_become_one_trial_with_their_median(
    page: sync_api.Page, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("repeats")
    for seed, value in enumerate((0.5, 0.6, 1.0)):
        write_trial(folder / f"seed{seed}", {"lr": 0.1, "seed": seed}, {"score": value})
    write_trial(folder / "other", {"lr": 0.2, "seed": 9}, {"score": 0.2})
    with board_process.Process("--logdir", folder, "--port", "0") as board:
        board.wait_for_runs("seed0", "seed1", "seed2", "other")
        open_trials(page, board)
        expect(page.get_by_test_id("trial-count")).to_have_text("4 trials")
        option(page, "hparams-repeats").select_option("same")
        expect(page.get_by_test_id("trial-count")).to_have_text("2 trials")
        option(page, "hparams-spread").select_option("median")
        table = page.get_by_test_id("trials-table")
        expect(table.get_by_role("gridcell", name="0.6", exact=False).first).to_be_visible()
        expect(table.get_by_text("×3")).to_be_visible()


def test_the_shown_rows_and_columns_are_a_file(page: sync_api.Page, grid: board_process.Process) -> None:
    members = 'hparamsFilters={"hparam:optimizer":{"values":["sgd"]}}&hparamsSort=-metric:accuracy'
    open_trials(page, grid, f"{members}&hparamsColumns=hparam:optimizer,metric:accuracy")
    expect(page.get_by_test_id("trial-count")).to_have_text("6 of 18 trials")
    for format_, ending in (("CSV", "csv"), ("JSON", "json"), ("LaTeX", "tex"), ("Parquet", "parquet")):
        page.get_by_test_id("hparams-download").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=f"Table ({format_})").click()
        assert download.value.suggested_filename == f"trials.{ending}"
        if ending == "csv":
            with open(download.value.path(), newline="", encoding="utf-8-sig") as file:
                rows = list(csv.reader(file))
            assert rows[0][1:] == ["optimizer", "Accuracy"]
            values = [float(row[2]) for row in rows[1:]]
            assert len(values) == 6
            assert values == sorted(values, reverse=True)


# ---- what is not there


def test_absent_runs_and_values_say_why(page: sync_api.Page, odd: board_process.Process) -> None:
    open_trials(page, odd)
    expect(page.get_by_test_id("trial-count")).to_have_text("3 trials")
    page.get_by_test_id("hparams-absent").click()
    expect(page.locator('[data-absent-run="plain"]')).to_contain_text("logged no hyperparameters")
    page.keyboard.press("Escape")
    row = page.locator('[data-trial="c"]')
    expect(row.locator('[title="This trial has no value"]').first).to_have_text("–")
    nan = page.locator('[data-trial="b"]').get_by_role("gridcell").filter(has_text="NaN")
    expect(nan.first).to_be_visible()
    # what people wrote is text, whatever it looks like
    expect(page.get_by_role("gridcell", name="<b>sgd</b>")).to_be_visible()


def test_odd_values_have_a_place_in_every_view(page: sync_api.Page, odd: board_process.Process) -> None:
    for view, canvas in (("parallel", "parallel-lines"), ("scatter", "scatter-dots")):
        open_trials(page, odd, f"hparamsView={view}")
        expect(page.get_by_test_id(canvas)).to_have_attribute("data-drawn", "3")
    open_trials(page, odd, "hparamsView=importance")
    expect(page.get_by_test_id("importance")).to_be_visible()


def test_a_board_without_trials_says_how_to_log_them_and_shows_the_first(
    page: sync_api.Page, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("none")
    with lightboard.SummaryWriter(folder / "plain") as writer:
        writer.add_scalar("loss", 1.0, 1)
    with board_process.Process("--logdir", folder, "--port", "0") as board:
        board.wait_for_runs("plain")
        page.goto(f"{board.url}#hparams?")
        empty = page.get_by_test_id("no-trials")
        expect(empty).to_contain_text("add_hparams")
        expect(empty.locator('[data-absent-run="plain"]')).to_be_visible()
        write_trial(folder / "late", {"lr": 0.1}, {"loss": 0.5})
        expect(page.get_by_test_id("trial-count")).to_have_text("1 trial")
        for view in ("parallel", "scatter", "importance"):
            page.get_by_test_id(f"hparams-view-{view}").click()
            in_address(page, f"hparamsView={view}")
        expect(page.get_by_test_id("importance")).to_be_visible()


def test_statuses_are_shown_and_filtered(page: sync_api.Page) -> None:
    with board_process.Process("--logdir", DATA / "states", "--port", "0") as board:
        board.wait_for_runs("done", "broken", "running")
        open_trials(page, board, "hparamsColumns=status")
        table = page.get_by_test_id("trials-table")
        expect(table.get_by_text("Success")).to_be_visible()
        expect(table.get_by_text("Failed")).to_be_visible()
        page.get_by_test_id("status-success").click()
        expect(page.get_by_test_id("trial-count")).to_have_text("2 of 3 trials")
        expect(table.get_by_text("Success")).to_have_count(0)


# ---- many


def test_a_thousand_trials_cost_a_screenful(page: sync_api.Page, tmp_path_factory: pytest.TempPathFactory) -> None:
    """More lines than a canvas strokes: they are painted."""
    folder = tmp_path_factory.mktemp("many")
    for trial in range(MANY):
        with lightboard.SummaryWriter(folder / f"t{trial}") as writer:
            writer.add_hparams({"lr": 10 ** -(1 + trial % 50 / 10), "depth": trial % 7}, {"score": trial}, run_name=".")
    with board_process.Process("--logdir", folder, "--port", "0") as board:
        board.wait_for_runs(*(f"t{trial}" for trial in range(MANY)))
        open_trials(page, board, "hparamsSort=-metric:score")
        expect(page.get_by_test_id("trial-count")).to_have_text("1,000 trials")
        patience.eventually(page, lambda page: names(page)[:2], ["t999", "t998"])
        assert len(names(page)) < 60
        page.locator('.trials-table__row[tabindex="0"]').focus()
        page.keyboard.press("End")
        patience.eventually(page, lambda page: names(page)[-1], "t0")
        page.get_by_test_id("hparams-view-parallel").click()
        lines = page.get_by_test_id("parallel-lines")
        expect(lines).to_have_attribute("data-drawn", str(MANY))
        brush(page, "metric:score", 0.005, 0.25)
        patience.eventually(page, lambda page: 200 < int(lines.get_attribute("data-drawn") or 0) < 300, wanted=True)
        patience.eventually(page, lambda page: names(page)[0], "t999")
        page.get_by_test_id("hparams-view-scatter").click()
        dots = page.get_by_test_id("scatter-dots")
        patience.eventually(page, lambda page: 200 < int(dots.get_attribute("data-drawn") or 0) < 300, wanted=True)


# ---- looks


@pytest.mark.parametrize("view", ["table", "parallel", "scatter", "importance"])
@pytest.mark.parametrize(("locale", "scheme"), [("en-US", "light"), ("zh-CN", "dark")])
def test_views_break_no_rule_of_accessibility(
    open_page: conftest.OpenPage, grid: board_process.Process, view: str, locale: str, scheme: str
) -> None:
    page = open_page(locale=locale, color_scheme=scheme, bypass_csp=True)
    page.add_init_script(path=test_accessibility.AXE)
    trial = "&hparamsTrial=hparam_tuning/Experiment 3" if view in ("parallel", "scatter") else ""
    opened = "&hparamsOpen=hparam_tuning/Experiment 0" if view == "table" else ""
    open_trials(page, grid, f"hparamsView={view}{trial}{opened}")
    if view == "importance":
        expect(page.get_by_test_id("importance")).to_be_visible()
    assert test_accessibility.violations(page) == []


def test_what_averaged_repeats_differ_in_is_no_column_at_first(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    for rate in (0.1, 0.2):
        for seed in (1, 2):
            write_trial(
                tmp_path / f"lr{rate}" / f"seed{seed}", {"lr": rate, "seed": seed}, {"score": rate + seed / 100}
            )
    with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
        board.wait_for_runs("lr0.1/seed1", "lr0.2/seed2")
        page.goto(f"{board.url}#hparams?hparamsRepeats=same")
        expect(page.get_by_test_id("trial-count")).to_have_text("2 trials")
        pane = page.get_by_test_id("hparams-pane")
        expect(pane.get_by_role("checkbox", name="lr")).to_be_checked()
        expect(pane.get_by_role("checkbox", name="seed")).not_to_be_checked()
        # filters of states are not below a box with another meaning
        expect(pane.get_by_role("checkbox", name="Status", exact=True)).to_have_count(0)
        expect(page.get_by_test_id("status-column")).not_to_be_checked()
