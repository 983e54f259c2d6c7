"""Logs as no one would write them on purpose: empty, broken, hostile, enormous. The page shows them all.

One board has the odd runs and tags together, as a real directory does. On every page: nothing a name contains is
executed, nothing is asked of another origin, no error is on the console (both watched for every page, see conftest),
and the page is never wider than its window.
"""

from __future__ import annotations

import math
import os
import pathlib
import struct
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import conftest, patience
from playwright import sync_api

pytestmark = [pytest.mark.browser, pytest.mark.sweep]

expect = sync_api.expect
HOSTILE = "<img src=x onerror=window.hacked=1>"
SCRIPT = "\"><script>window.hacked=1</script>'${window.hacked=1}"
LONG = "long/" + "very_long_name_" * 333
RTL = "مرحبا/ערב\u202etxt"
EMOJI = "🚀👩‍👩‍👧/损失 ロス"
COMBINING = "z\u0351\u036b\u0343\u036a\u0302\u036b\u033d\u034f\u0334\u0319/a"
RUN_NAMES = [".", "Case", "case", "two  spaces", "comma,tilde~%25&=?#", RTL.replace("/", "-"), EMOJI.replace("/", "-")]


def tensor_scalar(tag: str, number: float, step: int) -> bytes:
    return event_files.scalar_event(tag, number, step, form="tensor", dtype="float64")


def write_odd(folder: pathlib.Path) -> None:
    events = [event_files.version_event()]
    events += event_files.scalars("odd/nan only", [math.nan] * 5)
    events += event_files.scalars("odd/infinite", [1.0, math.inf, -math.inf, math.nan, 2.0, 3.0])
    events += event_files.scalars("odd/only infinite", [math.inf, -math.inf])
    events += event_files.scalars("odd/one point", [3.0])
    events += event_files.scalars("odd/constant", [7.0] * 10)
    events += [tensor_scalar("odd/huge", (-1) ** step * 1e300, step) for step in range(6)]
    events += [tensor_scalar("odd/tiny", 5e-324 * step, step) for step in range(6)]
    events += [tensor_scalar("odd/wide", 10.0 ** (100 * step), step) for step in range(-3, 4)]
    events += [event_files.scalar_event("odd/negative steps", float(step), step) for step in range(-5, 5)]
    events += [event_files.scalar_event("odd/steps past 2^53", 1.0 / n, 2**53 + n) for n in range(1, 9)]
    events += [event_files.scalar_event("odd/steps to the end", float(n % 3), 2**63 - 1 - n) for n in range(9)]
    events += [event_files.scalar_event("odd/steps apart", float(n), 10 ** (2 * n)) for n in range(9)]
    events += [event_files.scalar_event("odd/times", float(n), n, wall_time=1e12 * (n - 2)) for n in range(5)]
    for tag in (
        HOSTILE,
        SCRIPT,
        LONG,
        RTL,
        EMOJI,
        COMBINING,
        "",
        "/",
        "//",
        "a//b",
        " ",
        "trailing/",
        "\n",
        "\x00\x01",
    ):
        events += event_files.scalars(tag, [1.0, 2.0, 1.5])
    event_files.write(folder / "odd" / "events.out.tfevents.1", events)
    for number, name in enumerate([*RUN_NAMES, HOSTILE.replace("/", "")]):
        curve = [math.sin(step / 5 + number) for step in range(20)]
        event_files.write(folder / name / "events.out.tfevents.1", event_files.scalars("shared", curve))
    (folder / "empty file").mkdir()
    (folder / "empty file" / "events.out.tfevents.1").touch()
    (folder / "garbage").mkdir()
    (folder / "garbage" / "events.out.tfevents.1").write_bytes(os.urandom(500))
    (folder / "cut").mkdir()
    whole = b"".join(event_files.record(each) for each in event_files.scalars("shared", [1.0, 2.0, 3.0]))
    (folder / "cut" / "events.out.tfevents.1").write_bytes(whole[:-7])
    (folder / "lying length").mkdir()
    lying = struct.pack("<Q", 2**62)
    lying += struct.pack("<I", event_files.masked_crc(lying))
    (folder / "lying length" / "events.out.tfevents.1").write_bytes(whole + lying)
    # a directory that looks like a log
    (folder / "folder" / "events.out.tfevents.1").mkdir(parents=True)
    latin = folder / os.fsdecode(b"not utf-8 \xff\xfe")
    latin.mkdir()
    (latin / "events.out.tfevents.1").write_bytes(whole)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("odd")
    write_odd(folder)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("odd", "case", "Case", ".")
        yield process


def open_at(page: sync_api.Page, url: str) -> None:
    page.goto(url)
    expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")


NOT_WIDER = "0 px wider than its window"


def check(page: sync_api.Page) -> None:
    """True of every page."""
    assert page.evaluate("window.hacked") is None
    assert page.evaluate("document.querySelectorAll('img[src=x], script:not([src])').length") == 0
    beyond = "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)"
    patience.eventually(page, lambda page: f"{page.evaluate(beyond)} px wider than its window", NOT_WIDER)
    expect(page.get_by_text("This part of the page failed")).to_have_count(0)
    expect(page.get_by_text("This chart failed")).to_have_count(0)


def walk(page: sync_api.Page) -> set[str]:
    """Scroll through all cards; each has to be drawn without a complaint."""
    seen: set[str] = set()
    grid = page.get_by_test_id("card-grid")
    while True:
        page.wait_for_function(
            """() => [...document.querySelectorAll("[data-card]")].every((card) =>
                Number(card.querySelector("canvas")?.dataset.drawn ?? 0) > 0)""",
        )
        assert page.locator("[data-card] [role=alert]").count() == 0
        seen |= set(page.locator("[data-card]").evaluate_all("cards => cards.map(card => card.dataset.card)"))
        if grid.evaluate("(grid) => grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 2"):
            return seen
        grid.evaluate("(grid) => { grid.scrollTop += 0.8 * grid.clientHeight; }")
        # cards come and go as they are scrolled to
        patience.still(page, 100)


@pytest.mark.parametrize("width", [1280, 390, 1920])
def test_odd_tags_and_values_are_all_drawn(
    open_page: conftest.OpenPage, board: board_process.Process, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 900})
    open_at(page, board.url + "#timeseries?theme=dark" if width == 1920 else board.url)
    expect(page.locator("[data-card]").first).to_be_visible()
    page.get_by_test_id("timeseries-menu").click()
    page.get_by_role("menuitem", name="Open all sections").click()
    seen = walk(page)
    tags = {
        HOSTILE,
        SCRIPT,
        LONG,
        RTL,
        EMOJI,
        COMBINING,
        "shared",
        "odd/nan only",
        "odd/steps past 2^53",
        "",
        "/",
        "//",
    }
    assert tags <= seen, tags - seen
    assert len([tag for tag in seen if tag.startswith("odd/")]) == 13
    check(page)


def test_values_beyond_all_measure_are_told_exactly(page: sync_api.Page, board: board_process.Process) -> None:
    for tag, words in {
        "odd/huge": ["1e300", "5"],
        "odd/negative steps": ["4"],
        "odd/infinite": ["3", "5"],
        "odd/nan only": ["NaN"],
        "odd/one point": ["3", "0"],
    }.items():
        page.goto("about:blank")
        open_at(page, f"{board.url}#timeseries?smoothing=0&full=tag:{tag}")
        card = page.locator("[data-full]")
        card.get_by_role("button", name="More for this chart").click()
        page.get_by_role("menuitem", name="View as table…").click()
        row = page.get_by_role("dialog").locator("[data-row=odd]")
        for word in words:
            expect(row, tag).to_contain_text(word, ignore_case=True)
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_have_count(0)
        box = patience.box_of(card.locator("canvas").first)
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
        page.mouse.move(box["x"] + box["width"] / 2 + 4, box["y"] + 100)
        if tag != "odd/nan only":
            expect(page.get_by_test_id("tooltip").locator("tbody tr"), tag).to_have_count(1)
        # every kind of axis, and a zoom
        for key in ("l", "l"):
            page.keyboard.press(key)
        card.locator("[aria-label*='Arrow keys']").focus()
        for key in ("+", "+", "ArrowRight", "-", "0"):
            page.keyboard.press(key)
        check(page)


def test_odd_runs_are_listed_filtered_and_opened(page: sync_api.Page, board: board_process.Process) -> None:
    open_at(page, board.url)
    expect(page.locator("[data-run]").first).to_be_visible()
    wanted = {*RUN_NAMES, HOSTILE, "odd", "cut", "lying length"}
    patience.until(page, lambda: wanted <= names(page), f"the runs {wanted}")
    assert any("not utf-8" in name for name in names(page))
    check(page)
    # two that differ in case alone are two
    patience.until(page, lambda: color(page, "Case") != color(page, "case"), "two colours")
    page.locator('.run-list [data-run="Case"] input').uncheck()
    expect(page.locator('.run-list [data-run="case"] input')).to_be_checked()
    expect(page.locator('.run-list [data-run="Case"] input')).not_to_be_checked()


def names(page: sync_api.Page) -> set[str]:
    return set(page.locator(".run-list [data-run]").evaluate_all("rows => rows.map(row => row.dataset.run)"))


def color(page: sync_api.Page, run: str) -> str:
    swatch = page.locator(f'.run-list [data-run="{run}"] .run-row__swatch')
    found: str = swatch.evaluate("swatch => getComputedStyle(swatch).color")
    return found


def test_pages_of_odd_runs_open_from_the_list(page: sync_api.Page, board: board_process.Process) -> None:
    open_at(page, board.url)
    rows = page.locator(".run-list [data-run]")
    patience.until(page, lambda: {"odd", "case", "Case", "."} <= names(page), "the runs")
    patience.still(page, 300)
    for number in range(rows.count()):
        rows.nth(number).click(button="right")
        page.get_by_role("menuitem", name="Open run").click()
        expect(page.locator(".run-page dl, .run-page table").first).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
        check(page)
        page.go_back()
        expect(rows.nth(number)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_table_and_a_comparison_of_odd_runs(
    open_page: conftest.OpenPage, board: board_process.Process, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 800})
    open_at(page, board.url + "#runs?")
    expect(page.locator("[data-table-run]").first).to_be_visible()
    check(page)
    names = ".,Case,case,two  spaces,comma~1tilde~2%2525%26%3D%3F%23," + HOSTILE
    page.goto("about:blank")
    open_at(page, board.url + f"#compare?of={names}")
    expect(page.locator("[data-compared]")).to_have_count(6)
    check(page)


def test_the_search_shows_hostile_names_as_text(page: sync_api.Page, board: board_process.Process) -> None:
    open_at(page, board.url)
    page.keyboard.press("Control+k")
    palette = page.get_by_test_id("palette")
    page.keyboard.type("img src")
    expect(palette.get_by_role("option").first).to_contain_text("<img src=x onerror")
    check(page)
    page.keyboard.press("Escape")
    page.get_by_test_id("faults").click()
    expect(page.get_by_test_id("health")).to_contain_text("lying length")
    check(page)


# ---- directories


def test_a_directory_that_is_a_file_and_one_that_may_not_be_read(
    open_page: conftest.OpenPage, tmp_path: pathlib.Path
) -> None:
    page = open_page()
    file = tmp_path / "file.txt"
    file.write_text("no logs")
    with board_process.Process("--logdir", file, "--port", "0") as odd:
        open_at(page, odd.url)
        expect(page.get_by_role("main")).to_contain_text(str(file))
        expect(page.get_by_role("heading").nth(1)).to_be_visible()
        check(page)
        page.goto("about:blank")
    closed = tmp_path / "closed"
    event_files.write(closed / "run" / "events.out.tfevents.1", event_files.scalars("loss", [1.0, 2.0]))
    (closed / "run" / "events.out.tfevents.1").chmod(0)
    try:
        with board_process.Process("--logdir", closed, "--port", "0") as odd:
            open_at(page, odd.url)
            if os.geteuid() == 0:
                # who may read everything sees it
                expect(page.locator("[data-run=run]")).to_be_visible()
            else:
                expect(page.get_by_test_id("faults")).to_be_visible()
            check(page)
            page.goto("about:blank")
    finally:
        (closed / "run" / "events.out.tfevents.1").chmod(0o644)


@pytest.mark.parametrize("width", [1280, 390])
def test_empty_and_missing_directories_fit_every_window(
    open_page: conftest.OpenPage, tmp_path: pathlib.Path, width: int
) -> None:
    page = open_page(viewport={"width": width, "height": 800}, locale="zh-CN")
    for name in ("empty", "missing_" + "x" * 150):
        if name == "empty":
            (tmp_path / name).mkdir()
        with board_process.Process("--logdir", tmp_path / name, "--port", "0") as odd:
            open_at(page, odd.url)
            expect(page.get_by_role("main")).to_contain_text(name[:20])
            check(page)
            page.goto("about:blank")


# ---- very many


def test_three_thousand_tags_are_sections_not_a_flood(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    events = [event_files.version_event()]
    events += [event_files.scalar_event(f"layer{n // 30}/block{n % 3}/w{n}", 1.0, step=1) for n in range(3000)]
    event_files.write(tmp_path / "run" / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as many:
        many.wait_for_runs("run")
        open_at(page, many.url)
        expect(page.locator("[data-kind=scalars]")).to_have_attribute("title", "3,000 tags")
        expect(page.locator("[data-card]").first).to_be_visible()
        patience.still(page, 300)
        assert page.locator("[data-card]").count() < 60
        check(page)
        page.get_by_test_id("tag-filter").fill("w2999")
        expect(page.locator('[data-card="layer99/block2/w2999"]')).to_be_visible()
        page.goto("about:blank")
