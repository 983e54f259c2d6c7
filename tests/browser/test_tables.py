"""The page of logged tables: rows as they are scrolled to, order, filters, files, steps, and what is no table."""

from __future__ import annotations

import json
import pathlib
import urllib.parse
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import patience, test_accessibility
from browser.kind_cards import expect_step, kind_card, open_kind, slide
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect

TABLE = event_files.summary_metadata("lightboard_table")
ROWS = 100_000


def table_event(tag: str, content: str, step: int = 0) -> bytes:
    tensor = event_files.string_tensor([content.encode()], shape=[1])
    value = event_files.value(tag, event_files.field_bytes(8, tensor), TABLE)
    return event_files.summary_event(value, step=step, wall_time=event_files.WALL + step)


def table(rows: int, step: int) -> str:
    cells = [[i, f"image {i}", "odd" if i % 2 else "even", None if i % 10 == 0 else i / 8 - step] for i in range(rows)]
    return json.dumps({"columns": ["id", "file", "parity", "score"], "rows": cells})


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    events = [
        event_files.version_event(),
        *(table_event("few", table(50, step), step) for step in (0, 5)),
        table_event("many", table(ROWS, 0)),
        table_event("odd/broken", '{"columns": ["a"], "rows": [[1'),
        table_event("odd/nothing", ""),
        table_event("odd/no rows", '{"columns": ["a", "b"], "rows": []}'),
        table_event("odd/markup", json.dumps({"<b>bold</b>": ["<img src=x onerror=alert(1)>", "=1+1"]})),
    ]
    event_files.write(folder / "run" / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("run")
        yield process


def open_tables(page: sync_api.Page, board: board_process.Process, members: str = "tagFilter=few") -> None:
    open_kind(page, board, "tables", members, 900)


def column(card: sync_api.Locator, number: int) -> list[str]:
    rows = card.locator(".data-table__row--data")
    found: list[str] = rows.evaluate_all(f"(rows) => rows.map((row) => row.children[{number}].textContent)")
    return found


def expect_first(page: sync_api.Page, card: sync_api.Locator, number: int, wanted: list[str]) -> None:
    patience.eventually(page, lambda _: column(card, number)[: len(wanted)], wanted)


def test_a_click_on_a_head_sorts_up_and_down_and_not_at_all(page: sync_api.Page, board: board_process.Process) -> None:
    open_tables(page, board)
    card = kind_card(page, "tables", "few")
    expect_first(page, card, 0, ["0", "1", "2"])
    score = card.get_by_role("columnheader", name="score")
    score.get_by_role("button").click()
    expect_first(page, card, 3, ["−4.875", "−4.75"])
    expect(score).to_have_attribute("aria-sort", "ascending")
    score.get_by_role("button").click()
    expect_first(page, card, 0, ["49", "48", "47"])
    patience.until(page, lambda: '"-score"' in urllib.parse.unquote(page.url), "the address")
    page.reload()
    expect_first(page, card, 0, ["49", "48", "47"])
    score.get_by_role("button").click()
    expect_first(page, card, 0, ["0", "1", "2"])


def test_filters_by_text_and_by_number(page: sync_api.Page, board: board_process.Process, forgiven: list[str]) -> None:
    forgiven.append("status of 400")  # the filter that makes no sense
    open_tables(page, board)
    card = kind_card(page, "tables", "few")
    card.get_by_test_id("table-filters").click()
    card.get_by_label("Filter parity").fill("odd")
    expect(card.get_by_test_id("table-rows")).to_have_text("25 of 50 rows")
    card.get_by_label("Filter id").fill("40..45")
    expect(card.get_by_test_id("table-rows")).to_have_text("3 of 50 rows")
    expect_first(page, card, 0, ["41", "43", "45"])
    card.get_by_label("Filter id").fill("> many")
    expect(card.get_by_role("alert")).to_contain_text("“many” is not a number")
    card.get_by_label("Filter id").fill("> 1000")
    expect(card).to_contain_text("No row matches the filters")
    card.get_by_test_id("table-clear").click()
    expect(card.get_by_test_id("table-rows")).to_have_text("50 rows")


def test_a_hundred_thousand_rows_are_scrolled(page: sync_api.Page, board: board_process.Process) -> None:
    open_tables(page, board, "tagFilter=many")
    card = kind_card(page, "tables", "many")
    expect(card.get_by_test_id("table-rows")).to_have_text("100,000 rows")
    card.get_by_test_id("data-table").evaluate("(one) => { one.scrollTop = one.scrollHeight }")
    expect(card.get_by_text(f"image {ROWS - 1}", exact=True)).to_be_visible()
    assert card.locator(".data-table__row--data").count() < 80
    # heads and cells stand below each other
    head = patience.box_of(card.get_by_role("columnheader", name="score"))
    cell = patience.box_of(card.locator(".data-table__row--data").last.locator("> :nth-child(4)"))
    assert head["x"] == pytest.approx(cell["x"], abs=1)
    assert head["width"] == pytest.approx(cell["width"], abs=1)


def test_steps_are_chosen_by_the_slider(page: sync_api.Page, board: board_process.Process) -> None:
    open_tables(page, board)
    card = kind_card(page, "tables", "few")
    expect_step(card, 5)
    expect_first(page, card, 3, ["–", "−4.875"])
    slide(card, "Home")
    expect_step(card, 0)
    expect_first(page, card, 3, ["–", "0.125"])


def test_what_passes_is_downloaded(page: sync_api.Page, board: board_process.Process) -> None:
    chosen = json.dumps({"tables|few|run": {"parity": "odd"}})
    open_tables(page, board, f"tagFilter=few&tablesFilter={urllib.parse.quote(chosen)}")
    card = kind_card(page, "tables", "few")
    expect(card.get_by_test_id("table-rows")).to_have_text("25 of 50 rows")
    card.hover()
    card.get_by_role("button", name="More for this card").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Download as CSV").click()
    lines = pathlib.Path(download.value.path()).read_text().splitlines()
    assert lines[:2] == ["id,file,parity,score", "1,image 1,odd,-4.875"]
    assert len(lines) == 26
    assert download.value.suggested_filename == "few_run_5.csv"


def test_what_is_no_table_says_why(page: sync_api.Page, board: board_process.Process, forgiven: list[str]) -> None:
    forgiven.append("status of 422")
    open_tables(page, board, "tagFilter=odd")
    expect(kind_card(page, "tables", "odd/broken").get_by_role("alert")).to_contain_text("This is not valid JSON")
    expect(kind_card(page, "tables", "odd/nothing").get_by_role("alert")).to_contain_text("The table is empty")
    expect(kind_card(page, "tables", "odd/no rows")).to_contain_text("The table has no rows")


def test_cells_are_text_and_never_markup(page: sync_api.Page, board: board_process.Process) -> None:
    open_tables(page, board, "tagFilter=markup")
    card = kind_card(page, "tables", "odd/markup")
    expect(card.get_by_text("<img src=x onerror=alert(1)>", exact=True)).to_be_visible()
    expect(card.get_by_role("columnheader")).to_have_text("<b>bold</b>")
    assert card.locator("img, b").count() == 0


def test_rules_of_accessibility_are_kept(page: sync_api.Page, board: board_process.Process) -> None:
    page.add_init_script(path=test_accessibility.AXE)
    open_tables(page, board)
    card = kind_card(page, "tables", "few")
    card.get_by_test_id("table-filters").click()
    expect_first(page, card, 0, ["0", "1", "2"])
    assert test_accessibility.violations(page) == []
