"""The page of tensors as a person uses it: real Chromium, a real board, values of plugins that nobody knows."""

from __future__ import annotations

import io
import pathlib
from collections.abc import Iterator

import board_process
import event_files
import numpy as np
import pytest
from browser import conftest, patience, test_accessibility
from browser.kind_cards import drawn, expect_step, kind_card, open_kind, slide
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect

DATA = pathlib.Path(__file__).parents[1] / "data"
CUBE = np.arange(2 * 3 * 4 * 5, dtype=np.float32).reshape(2, 3, 4, 5)


def strings_event(tag: str, strings: list[bytes], plugin: str, content: bytes = b"") -> bytes:
    what = event_files.field_bytes(8, event_files.string_tensor(strings, shape=[len(strings)]))
    metadata = event_files.summary_metadata(plugin, content=content, data_class=2)
    return event_files.summary_event(event_files.value(tag, what, metadata), step=0, wall_time=event_files.WALL)


def write(folder: pathlib.Path) -> None:
    with lightboard.SummaryWriter(str(folder / "alpha")) as writer:
        for step in range(0, 50, 10):
            writer.add_tensor("n/cube", CUBE + step, step)
        odd = np.array([[1.0, np.nan], [np.inf, 0.0]])
        writer.add_tensor("n/odd", odd, 0)
        writer.add_tensor("n/long", np.arange(1_000_000), 0)
        writer.add_tensor("n/empty", np.zeros((0, 3), np.float32), 0)
        writer.add_tensor("n/one", np.float64(0.1), 0)
    events = [
        event_files.version_event(),
        strings_event("s/words", ["héllo <b>中文</b><script>window.harm = 1</script>".encode()], "notes", b"\x08\x01"),
        strings_event("s/bytes", [b"\x00\x01\xff" * 20], "blobs"),
        strings_event("s/many", [f"entry {number}".encode() for number in range(50)], "notes"),
        strings_event("s/huge", [b"x" * 3_000_000], "notes"),
    ]
    event_files.write(folder / "beta" / "events.out.tfevents.1", events)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    write(folder)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("alpha", "beta")
        yield process


def open_tensors(page: sync_api.Page, board: board_process.Process, members: str) -> None:
    open_kind(page, board, "tensors", members, 1200)


def tensor(page: sync_api.Page, tag: str) -> sync_api.Locator:
    return kind_card(page, "tensors", tag)


def figure(card: sync_api.Locator, name: str) -> sync_api.Locator:
    return card.locator(f"[data-figure={name}] dd")


def test_a_tensor_is_told_by_type_shape_and_figures(page: sync_api.Page, board: board_process.Process) -> None:
    open_tensors(page, board, "tagFilter=cube")
    card = tensor(page, "n/cube")
    expect_step(card, 40)
    expect(card.get_by_test_id("tensor-about")).to_contain_text("float32 [2, 3, 4, 5]")
    expect(card.get_by_test_id("tensor-about")).to_contain_text("plugin tensor")
    expect(figure(card, "min")).to_have_text("40")
    expect(figure(card, "max")).to_have_text("159")
    assert card.locator("rect").count() == 60
    slide(card, "Home")
    expect_step(card, 0)
    expect(figure(card, "max")).to_have_text("119")
    expect(figure(card, "zeros")).to_have_text("1")


def test_what_is_not_finite_is_counted(page: sync_api.Page, board: board_process.Process) -> None:
    open_tensors(page, board, "tagFilter=odd")
    card = tensor(page, "n/odd")
    for name in ("nan", "infinite", "zeros"):
        expect(figure(card, name)).to_have_text("1")
    expect(figure(card, "mean")).to_have_text("0.5")


def test_a_plane_is_a_picture_cut_by_sliders(page: sync_api.Page, board: board_process.Process) -> None:
    open_tensors(page, board, "tagFilter=cube")
    page.get_by_test_id("tensors-map").click()
    card = tensor(page, "n/cube")
    picture = card.get_by_test_id("tensor-map")
    expect(picture).to_have_attribute("data-cells", "20")
    box = patience.box_of(picture)
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.6)
    expect(card.get_by_test_id("tensor-read")).to_have_text("[2, 1] = 51")
    card.get_by_test_id("tensor-axis-1").focus()
    page.keyboard.press("End")
    expect(picture).to_have_attribute("data-plane", "0,2,0,0")
    page.mouse.move(box["x"] + box["width"] * 0.31, box["y"] + box["height"] * 0.6)
    expect(card.get_by_test_id("tensor-read")).to_have_text("[2, 1] = 91")
    card.get_by_test_id("tensor-rows").select_option("0")
    expect(picture).to_have_attribute("data-cells", "10")
    patience.until(page, lambda: "rows%22:0" in page.url and "tensorsView=map" in page.url, "the cut in the address")
    page.reload()
    expect(picture).to_have_attribute("data-cells", "10")


def test_values_are_exact_and_a_million_rows_are_scrolled(page: sync_api.Page, board: board_process.Process) -> None:
    open_tensors(page, board, "tagFilter=/long|one|odd/&tensorsView=values")
    long = tensor(page, "n/long")
    expect(long.locator('[data-cell="3,0"]')).to_have_text("3")
    long.get_by_test_id("tensor-table").evaluate("(table) => table.scrollTo(0, table.scrollHeight)")
    expect(long.locator('[data-cell="999999,0"]')).to_have_text("999999")
    assert long.locator("[data-cell]").count() < 200
    expect(tensor(page, "n/one").locator('[data-cell="0,0"]')).to_have_text("0.1")
    expect(tensor(page, "n/odd").locator('[data-cell="0,1"]')).to_have_text("nan")


def test_strings_are_letters_and_never_a_page(page: sync_api.Page, board: board_process.Process) -> None:
    open_tensors(page, board, "tagFilter=s/")
    words = tensor(page, "s/words")
    expect(words.locator("pre")).to_have_text("héllo <b>中文</b><script>window.harm = 1</script>")
    assert page.evaluate("window.harm") is None
    about = words.get_by_test_id("tensor-about")
    expect(about).to_contain_text("plugin notes")
    assert "08 01" in (about.get_attribute("title") or "")
    expect(tensor(page, "s/bytes").locator("pre")).to_contain_text("000000  00 01 ff")
    many = tensor(page, "s/many")
    expect(many.locator("pre").first).to_have_text("entry 0")
    many.get_by_role("button", name="Next").click()
    expect(many.locator("pre").first).to_have_text("entry 20")
    expect(tensor(page, "s/huge").locator("p")).to_have_text("The rest of the 3.0 MB is in the file")


def test_nothing_in_it_is_said(page: sync_api.Page, board: board_process.Process) -> None:
    open_tensors(page, board, "tagFilter=empty")
    card = tensor(page, "n/empty")
    expect(card).to_contain_text("float32 [0, 3]")
    expect(card).to_contain_text("The tensor has no elements")


def test_tensors_are_saved(page: sync_api.Page, board: board_process.Process) -> None:
    open_tensors(page, board, "tagFilter=cube")
    card = tensor(page, "n/cube")
    expect_step(card, 40)
    card.get_by_role("button", name="More for this card").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="npy").click()
    assert download.value.suggested_filename.endswith(".npy")
    saved = np.load(io.BytesIO(download.value.path().read_bytes()))
    assert np.array_equal(saved, CUBE + 40)


def test_the_page_passes_the_rules_of_accessibility(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    for theme, members in (("light", ""), ("dark", "&tensorsView=map"), ("light", "&tensorsView=values")):
        page = open_page(color_scheme=theme, reduced_motion="reduce")
        page.add_init_script(path=test_accessibility.AXE)
        open_tensors(page, board, f"tagFilter=n/{members}")
        expect(drawn(tensor(page, "n/cube"))).to_be_visible()
        patience.still(page)
        assert test_accessibility.violations(page) == []


def test_chinese_has_words_for_it(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(locale="zh-CN")
    open_tensors(page, board, "tagFilter=cube")
    expect(tensor(page, "n/cube")).to_contain_text("标准差")


def test_tensors_of_other_writers_are_shown(page: sync_api.Page) -> None:
    with board_process.Process("--logdir", DATA / "awkward", "--port", "0") as process:
        page.goto(f"{process.url}#tensors?")
        for tag in ("m", "mine", "tensor"):
            card = page.locator(f'[data-kind-card=tensors][data-card="{tag}"]').first
            expect(drawn(card)).to_be_visible()
            expect(card.get_by_test_id("tensor-about")).to_contain_text("[")
