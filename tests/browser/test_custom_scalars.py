"""The custom scalars page as a person uses it: layouts of runs, changes to them, what is wrong with them."""

from __future__ import annotations

import csv
import io
import json
import pathlib
from collections.abc import Iterator
from typing import Any
from urllib import parse

import board_process
import pytest
from browser import cards, conftest, patience, test_accessibility
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect

DATA = pathlib.Path(__file__).parent.parent / "data"

LAYOUT = {
    "losses": {
        "all losses": ["Multiline", ["loss/.*"]],
        "margin": ["Margin", ["m/mean", "m/lower", "m/upper"]],
        "broken": ["Margin", ["n/mean", "n/lower", "n/upper"]],
        "wrong": ["Multiline", ["[", "nothing"]],
    },
    "others": {"accuracy": ["Multiline", ["acc"]]},
}


def write(folder: pathlib.Path) -> None:
    for number, name in enumerate(("alpha", "beta")):
        with lightboard.SummaryWriter(folder / name) as writer:
            for step in range(60):
                value = 2 / (1 + step * (1 + number) / 10)
                for tag in ("loss/train", "loss/val", "my/loss", "Loss/big", "m/mean", "n/mean"):
                    writer.add_scalar(tag, value, step)
                writer.add_scalar("m/lower", value - 0.25, step)
                writer.add_scalar("m/upper", value + 0.5, step)
                writer.add_scalar("acc", 1 - value / 2, step)
                # alpha has no lower edge at all, beta has its edges at other steps
                if name == "beta" and step % 2 == 0:
                    writer.add_scalar("n/lower", value - 1, step)
                if name == "alpha" or step % 3 == 0:
                    writer.add_scalar("n/upper", value + 1, step)
            if name == "alpha":
                writer.add_custom_scalars(LAYOUT)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    write(folder)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("alpha", "beta")
        yield process


def open_page_of(page: sync_api.Page, board: board_process.Process, members: str = "") -> None:
    page.set_viewport_size({"width": 1400, "height": 1100})
    page.goto(f"{board.url}#custom_scalars?{members}")
    cards.wait_drawn(page, "all losses")


def members_of(page: sync_api.Page) -> dict[str, str]:
    return dict(parse.parse_qsl(parse.urlsplit(page.url).fragment.partition("?")[2]))


def layout_of(page: sync_api.Page) -> Any:
    return json.loads(members_of(page).get("customLayout", "null"))


def matches(page: sync_api.Page, title: str) -> list[str]:
    """The list below a chart, opened if need be."""
    toggle = cards.card(page, title).get_by_test_id("custom-matches")
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.click()
    expect(toggle).to_have_attribute("aria-expanded", "true")
    return cards.card(page, title).locator(".custom-foot__list li").all_inner_texts()


def choose(page: sync_api.Page, title: str, item: str) -> None:
    cards.card(page, title).hover()
    cards.card(page, title).get_by_test_id("custom-chart-menu").click()
    page.get_by_role("menuitem", name=item).click()


def test_categories_and_charts_are_those_of_the_run(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    expect(page.locator("[data-section]")).to_have_count(2)
    assert page.locator("[data-section]").evaluate_all("all => all.map((one) => one.dataset.section)") == [
        "losses",
        "others",
    ]
    for title in ("all losses", "margin", "broken", "accuracy"):
        cards.wait_drawn(page, title)
    expect(page.locator('[data-card="wrong"]')).to_contain_text("No tag begins with nothing")


def test_expressions_match_from_the_start_and_by_case(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    assert sorted(matches(page, "all losses")) == [
        "alpha · loss/train",
        "alpha · loss/val",
        "beta · loss/train",
        "beta · loss/val",
    ]
    patience.eventually(page, lambda page: "all losses" in members_of(page).get("customMatches", ""), True)


def test_an_expression_that_is_none_is_named(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    wrong = cards.card(page, "wrong")
    expect(wrong.locator(".card__message")).to_contain_text("is missing")
    expect(wrong.get_by_test_id("custom-warnings")).to_contain_text("2 problems")


def test_bands_tell_what_is_missing_and_what_differs(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    expect(cards.card(page, "broken").get_by_test_id("custom-warnings")).to_contain_text("2 problems")
    told = matches(page, "broken")
    assert told[0] == "alpha has no n/lower"
    assert told[1].startswith("beta: n/mean, n/lower and n/upper have different steps.")
    assert "10 common steps" in told[1]
    expect(cards.card(page, "margin").get_by_test_id("custom-warnings")).to_have_count(0)


def test_the_tooltip_of_a_band_tells_its_edges(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "smoothing=0")
    cards.wait_drawn(page, "margin")
    cards.hover(page, "margin", 0.5, 0.5)
    tip = page.get_by_test_id("tooltip")
    expect(tip.locator("th", has_text="Lower")).to_be_visible()
    patience.eventually(page, lambda page: "–" in tip.locator('tr[data-row="alpha"]').inner_text(), False)
    heads = [text for text in tip.locator("th").all_inner_texts() if text]
    cells = tip.locator('tr[data-row="alpha"] td').all_inner_texts()[1:]
    value, lower, upper = (float(cells[heads.index(name)].replace("−", "-")) for name in ("Value", "Lower", "Upper"))
    assert (value - lower, upper - value) == pytest.approx((0.25, 0.5), abs=1e-2)


def test_charts_have_the_settings_and_gestures_of_time_series(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_page_of(page, board)
    count = cards.drawings(page, "margin")
    page.get_by_test_id("smoothing").fill("0.9")
    cards.wait_drawn(page, "margin", count)
    page.get_by_test_id("x-axis").select_option("relative")
    patience.eventually(page, lambda page: members_of(page).get("x", ""), "relative")
    cards.drag(page, "all losses", (0.4, 0.3), (0.7, 0.6))
    patience.eventually(page, lambda page: "custom:losses|all losses" in members_of(page).get("overrides", ""), True)
    cards.card(page, "all losses").hover()
    page.keyboard.press("l")
    patience.eventually(page, lambda page: '"yScale":"log"' in members_of(page).get("overrides", ""), True)
    page.keyboard.press("0")
    patience.eventually(page, lambda page: "xRange" in members_of(page).get("overrides", ""), False)
    page.keyboard.press("p")
    assert "pins" not in members_of(page), "these charts have no place on the time series page"


def test_hidden_runs_and_closed_categories(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board, "hide=beta")
    assert sorted(matches(page, "all losses")) == ["alpha · loss/train", "alpha · loss/val"]
    page.locator('[data-section="others"] button').first.click()
    expect(page.locator('[data-card="accuracy"]')).to_have_count(0)
    patience.eventually(page, lambda page: members_of(page).get("closed", ""), "custom|others")


def test_the_filter_looks_at_titles_and_tags(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    page.get_by_test_id("tag-filter").fill("loss/")
    expect(page.locator("[data-kind-card]")).to_have_count(1)
    page.get_by_test_id("tag-filter").fill("no such chart")
    expect(page.get_by_role("status").filter(has_text="No chart matches")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect(page.locator("[data-kind-card]")).to_have_count(5)


def test_full_screen_and_its_link(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    cards.card(page, "margin").hover()
    cards.card(page, "margin").get_by_role("button", name="Expand").click()
    expect(page.locator('[data-full][data-card="margin"]')).to_be_visible()
    patience.eventually(page, lambda page: members_of(page).get("full", ""), "custom:losses|margin")
    page.reload()
    expect(page.locator('[data-full][data-card="margin"] canvas')).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator('[data-full][data-card="broken"]')).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-full]")).to_have_count(0)


def test_files_of_a_band_have_its_edges(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    for name, ending in (("CSV", ".csv"), ("JSON", ".json"), ("SVG", ".svg")):
        with page.expect_download() as saved:
            choose(page, "margin", name)
        content = pathlib.Path(saved.value.path()).read_text()
        assert saved.value.suggested_filename.endswith(ending)
        if ending == ".csv":
            assert {row["tag"] for row in csv.DictReader(io.StringIO(content))} == {"m/mean", "m/lower", "m/upper"}
        if ending == ".json":
            assert {each["tag"] for each in json.loads(content)} == {"m/mean", "m/lower", "m/upper"}


# ---- changes


def test_a_chart_is_made_with_counts_of_what_it_will_match(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    page.locator('[data-section="others"]').get_by_test_id("custom-new-chart").click()
    dialog = page.get_by_test_id("custom-chart-dialog")
    dialog.get_by_test_id("custom-chart-title").fill("mine")
    field = dialog.get_by_test_id("custom-pattern")
    field.fill("[Ll]oss/(")
    expect(dialog).to_contain_text("is missing")
    field.fill("[Ll]oss/.*")
    expect(dialog).to_contain_text("Matches 3 tags")
    dialog.get_by_role("option", name="acc").click()
    expect(dialog.get_by_test_id("custom-pattern").nth(1)).to_have_value("acc$")
    dialog.get_by_test_id("custom-chart-save").click()
    cards.wait_drawn(page, "mine")
    patience.eventually(page, lambda page: len(matches(page, "mine")), 8)
    expect(page.get_by_test_id("custom-own")).to_be_visible()
    patience.eventually(
        page, lambda page: [chart["title"] for chart in (layout_of(page) or [{}, {"charts": []}])[1]["charts"]],
        ["accuracy", "mine"],
    )  # fmt: skip
    page.reload()
    cards.wait_drawn(page, "mine")
    page.get_by_test_id("custom-as-logged").click()
    expect(page.locator('[data-card="mine"]')).to_have_count(0)
    patience.eventually(page, layout_of, None)


def test_a_band_is_made_from_three_tags(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    page.locator('[data-section="others"]').get_by_test_id("custom-new-chart").click()
    dialog = page.get_by_test_id("custom-chart-dialog")
    dialog.get_by_test_id("custom-chart-shape").select_option("band")
    expect(dialog.get_by_test_id("custom-chart-save")).to_be_disabled()
    # chosen tags go into the fields one after the other
    for tag in ("m/mean", "m/lower", "m/upper"):
        dialog.get_by_role("option", name=tag).click()
    expect(dialog.get_by_test_id("custom-band-upper")).to_have_value("m/upper")
    dialog.get_by_test_id("custom-band-upper").fill("m/none")
    expect(dialog).to_contain_text("No run has this tag yet")
    dialog.get_by_test_id("custom-band-upper").fill("m/upper")
    dialog.get_by_test_id("custom-chart-save").click()
    cards.wait_drawn(page, "m/mean")
    expect(cards.card(page, "m/mean").get_by_test_id("custom-warnings")).to_have_count(0)


def test_charts_are_edited_moved_copied_and_removed(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    choose(page, "wrong", "Edit this chart")
    dialog = page.get_by_test_id("custom-chart-dialog")
    dialog.get_by_test_id("custom-pattern").first.fill("my/loss")
    dialog.get_by_test_id("custom-chart-title").fill("right")
    dialog.get_by_test_id("custom-chart-save").click()
    cards.wait_drawn(page, "right")
    choose(page, "right", "Move left")
    choose(page, "right", "Duplicate")

    def titles(page: sync_api.Page) -> list[str]:
        return [chart["title"] for chart in (layout_of(page) or [{"charts": []}])[0]["charts"]]

    patience.eventually(page, titles, ["all losses", "margin", "right", "broken", "right"])
    choose(page, "margin", "Remove this chart")
    patience.eventually(page, titles, ["all losses", "right", "broken", "right"])
    page.get_by_role("button", name="Undo").last.click()
    patience.eventually(page, titles, ["all losses", "margin", "right", "broken", "right"])


def test_categories_are_made_renamed_moved_and_removed(page: sync_api.Page, board: board_process.Process) -> None:
    open_page_of(page, board)
    page.get_by_test_id("custom-new-category").click()
    page.get_by_test_id("custom-category-name").fill("新的")
    page.get_by_test_id("custom-category-save").click()

    def menu(title: str, item: str) -> None:
        page.locator(f'[data-section="{title}"]').get_by_test_id("custom-category-menu").click()
        page.get_by_role("menuitem", name=item).click()

    def titles(page: sync_api.Page) -> list[str]:
        return [category["title"] for category in layout_of(page) or []]

    patience.eventually(page, titles, ["losses", "others", "新的"])
    menu("新的", "Move up")
    patience.eventually(page, titles, ["losses", "新的", "others"])
    menu("others", "Rename")
    page.get_by_test_id("custom-category-name").fill("rest | 100%")
    page.get_by_test_id("custom-category-name").press("Enter")
    patience.eventually(page, titles, ["losses", "新的", "rest | 100%"])
    menu("losses", "Remove this category")
    patience.eventually(page, titles, ["新的", "rest | 100%"])
    cards.wait_drawn(page, "accuracy")


def test_a_changed_layout_is_saved_as_a_view(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        process.wait_for_runs("alpha", "beta")
        open_page_of(page, process)
        choose(page, "broken", "Remove this chart")
        page.get_by_test_id("custom-save-view").click()
        field = page.get_by_role("dialog").get_by_role("textbox").first
        field.fill("without the broken one")
        field.press("Enter")

        def saved() -> bool:
            _, body = process.get("api/views")
            return any("customLayout" in view["view"] for view in json.loads(body)["views"])

        patience.until(page, saved, "the view is kept")


def test_a_board_without_a_layout_offers_to_make_one(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path / "run") as writer:
        for step in range(5):
            writer.add_scalar("loss", 1 / (step + 1), step)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        process.wait_for_runs("run")
        page.goto(f"{process.url}#custom_scalars?")
        page.get_by_test_id("custom-start").click()
        page.get_by_test_id("custom-pattern").fill("loss")
        page.get_by_test_id("custom-pattern").press("Enter")
        cards.wait_drawn(page, "loss")
        expect(page.locator("[data-section]")).to_have_count(1)


def test_a_layout_and_tags_that_come_later_are_shown(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path / "run") as writer:
        writer.add_scalar("loss/a", 1, 0)
        writer.flush()
        with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
            process.wait_for_runs("run")
            page.goto(f"{process.url}#custom_scalars?")
            expect(page.get_by_test_id("custom-start")).to_be_visible()
            writer.add_custom_scalars({"c": {"live": ["Multiline", ["loss/"]]}})
            writer.flush()
            cards.wait_drawn(page, "live")
            expect(cards.card(page, "live").get_by_test_id("custom-matches")).to_have_text("Matches 1")
            writer.add_scalar("loss/b", 1, 0)
            writer.flush()
            expect(cards.card(page, "live").get_by_test_id("custom-matches")).to_have_text("Matches 2")


# ---- others


def test_layouts_that_pytorch_wrote(page: sync_api.Page) -> None:
    page.set_viewport_size({"width": 1400, "height": 1600})
    with board_process.Process("--logdir", DATA / "torch_writer", "--port", "0") as process:
        process.wait_for_runs("cnn_digits", "custom_scalars_margin", "custom_scalars_multiline")
        _, body = process.get("data/plugin/custom_scalars/layout")
        page.goto(f"{process.url}#custom_scalars?showAll=1")
        for category in json.loads(body)["category"]:
            section = page.locator(f'[data-section="{category["title"]}"]')
            expect(section).to_be_visible()
            for chart in category["chart"]:
                cards.wait_drawn(page, chart["title"])
                expect(cards.card(page, chart["title"]).get_by_test_id("custom-warnings")).to_have_count(0)


def test_the_search_finds_charts_of_layouts(page: sync_api.Page) -> None:
    with board_process.Process("--logdir", DATA / "torch_writer", "--port", "0") as process:
        process.wait_for_runs("cnn_digits")
        page.goto(process.url)
        expect(page.locator("[data-card]").first).to_be_visible()
        page.keyboard.press("Control+k")
        palette = page.get_by_test_id("palette")
        palette.get_by_role("combobox").fill("all losses")
        palette.get_by_role("option").filter(has_text="Custom scalars · Training").click()
        cards.wait_drawn(page, "all losses")


def test_the_page_passes_the_rules_of_accessibility(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    for scheme in ("light", "dark"):
        page = open_page(color_scheme=scheme, reduced_motion="reduce")
        page.add_init_script(path=test_accessibility.AXE)
        open_page_of(page, board, "customMatches=custom:losses|broken")
        assert test_accessibility.violations(page) == []
        choose(page, "wrong", "Edit this chart")
        expect(page.get_by_test_id("custom-chart-dialog")).to_be_visible()
        assert test_accessibility.violations(page) == []


def test_the_page_speaks_chinese(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(locale="zh-CN")
    open_page_of(page, board)
    expect(page.get_by_test_id("custom-new-category")).to_contain_text("新建分类")
    expect(cards.card(page, "all losses").get_by_test_id("custom-matches")).to_have_text("匹配 4")
