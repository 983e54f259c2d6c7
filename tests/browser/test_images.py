"""The images page as a person uses it: real Chromium, a real board, pictures whose colour tells run, step and sample.

Red grows with the step, green with the sample, blue with the run; what a test sees is read back from the pixels.
"""

from __future__ import annotations

import io
import json
import pathlib
from collections.abc import Iterator
from typing import Any

import board_process
import event_files
import numpy as np
import pytest
from browser import conftest, patience, test_accessibility
from browser.kind_cards import drawn, expect_step, in_address, kind_card, open_kind, option, slide
from PIL import Image
from playwright import sync_api

from lightboard.sdk import overlays, png

pytestmark = pytest.mark.browser

expect = sync_api.expect

RUNS = ("alpha", "beta")
STEPS = range(0, 100, 10)
SAMPLES = 3
IMAGES = event_files.summary_metadata("images")


def picture(red: int, green: int, blue: int, width: int = 64, height: int = 48) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", (width, height), (red, green, blue)).save(written, "PNG")
    return written.getvalue()


def images_event(tag: str, pictures: list[bytes], step: int) -> bytes:
    strings = [b"64", b"48", *pictures]
    what = event_files.field_bytes(8, event_files.string_tensor(strings, shape=[len(strings)]))
    value = event_files.value(tag, what, IMAGES)
    return event_files.summary_event(value, step=step, wall_time=event_files.WALL + step)


def color(run: int, step: int, sample: int = 0) -> list[int]:
    return [2 * step, 60 * sample, 100 * run]


def batch(run: int, step: int, samples: int) -> list[bytes]:
    return [picture(*color(run, step, sample)) for sample in range(samples)]


def write_run(folder: pathlib.Path, name: str, number: int) -> pathlib.Path:
    events = [event_files.version_event(), *event_files.scalars("loss", [1.0] * 100)]
    for step in STEPS:
        events.append(images_event("val/prediction", batch(number, step, 1), step))
        events.append(images_event("val/batch", batch(number, step, SAMPLES), step))
    if name == "beta":
        events.append(images_event("only", batch(number, 0, 1), 0))
        events.append(images_event("broken/empty", [b""], 0))
        events.append(images_event("broken/cut", [picture(1, 2, 3)[:40]], 0))
        events.append(images_event("broken/none", [], 0))
    return event_files.write(folder / name / "events.out.tfevents.1", events)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for number, name in enumerate(RUNS):
        write_run(folder, name, number)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


def open_images(page: sync_api.Page, board: board_process.Process, members: str = "tagFilter=val") -> None:
    open_kind(page, board, "images", members)


def prediction(page: sync_api.Page, run: str = "alpha") -> sync_api.Locator:
    return kind_card(page, "images", "val/prediction", run)


def pixel(card: sync_api.Locator) -> list[int]:
    """Of no color where another picture takes the image's place meanwhile."""
    found: list[int] = drawn(card).evaluate(
        """async (image) => {
            if (!await image.decode().then(() => true, () => false)) return [-9, -9, -9];
            const canvas = document.createElement("canvas");
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            return [...context.getImageData(5, 5, 1, 1).data].slice(0, 3);
        }"""
    )
    return found


def expect_picture(page: sync_api.Page, card: sync_api.Locator, run: int, step: int, sample: int = 0) -> None:
    expect_step(card, step)
    wanted = color(run, step, sample)
    # a thumbnail may be a hair off
    patience.eventually(
        page, lambda _: all(abs(a - b) <= 4 for a, b in zip(pixel(card), wanted, strict=True)), wanted=True
    )


def test_there_is_a_card_for_each_tag_and_run_with_the_newest_picture(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_images(page, board)
    for number, run in enumerate(RUNS):
        expect_picture(page, prediction(page, run), number, 90)
        expect_picture(page, kind_card(page, "images", "val/batch", run), number, 90)
    expect(page.locator("[data-kind-card]")).to_have_count(4)


def test_every_step_is_reached_by_keys_and_is_in_the_address(page: sync_api.Page, board: board_process.Process) -> None:
    open_images(page, board)
    card = prediction(page)
    expect_step(card, 90)
    slide(card, "Home")
    expect_picture(page, card, 0, 0)
    for step in STEPS[1:]:
        slide(card, "ArrowRight")
        expect_picture(page, card, 0, step)
    slide(card, "ArrowLeft", 3)
    expect_picture(page, card, 0, 60)
    expect_step(prediction(page, "beta"), 90)
    in_address(page, '"images|val/prediction|alpha":"60"')
    page.reload()
    expect_picture(page, prediction(page), 0, 60)
    card.get_by_test_id("card-step-follow").click()
    expect_step(card, 90)


def test_one_slider_moves_all_cards_but_those_with_a_step_of_their_own(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_images(page, board)
    slide(prediction(page), "Home")
    expect_step(prediction(page), 0)
    everywhere = page.get_by_test_id("page-step")
    everywhere.focus()
    for _ in range(4):
        everywhere.press("ArrowLeft")
    expect_step(prediction(page, "beta"), 50)
    expect_step(kind_card(page, "images", "val/batch", "alpha"), 50)
    expect_step(prediction(page), 0)
    in_address(page, "stepAll=50")
    page.get_by_test_id("drop-own-steps").click()
    expect_step(prediction(page), 50)
    page.get_by_test_id("page-step-follow").click()
    expect_step(prediction(page), 90)


def test_play_goes_from_the_first_step_to_the_last_and_stops(page: sync_api.Page, board: board_process.Process) -> None:
    open_images(page, board)
    card = prediction(page)
    expect_step(card, 90)
    slide(card, "ArrowLeft", 2)
    expect_step(card, 70)
    card.get_by_role("button", name="Play").click()
    expect(card.get_by_role("button", name="Pause")).to_be_visible()
    expect_step(card, 90)
    expect(card.get_by_role("button", name="Play")).to_be_visible()


def test_samples_of_a_step_are_gone_through(page: sync_api.Page, board: board_process.Process) -> None:
    open_images(page, board)
    card = kind_card(page, "images", "val/batch", "beta")
    expect(card.get_by_test_id("sample")).to_have_text("1 / 3")
    card.get_by_test_id("next-sample").click()
    expect_picture(page, card, 1, 90, 1)
    card.get_by_test_id("previous-sample").click()
    card.get_by_test_id("previous-sample").click()
    expect(card.get_by_test_id("sample")).to_have_text("3 / 3")
    expect_picture(page, card, 1, 90, 2)
    in_address(page, '"images|val/batch|beta":2')
    expect(prediction(page).get_by_test_id("sample")).to_have_count(0)


def test_the_step_marked_on_the_time_series_page_is_shown_until_let_go(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_images(page, board, 'tagFilter=val&stepTable=1&steps={"lo":47,"hi":null}')
    expect_step(prediction(page), 40)
    note = page.get_by_test_id("linked-step")
    expect(note).to_contain_text("step 47")
    slide(prediction(page, "beta"), "End")
    expect_step(prediction(page, "beta"), 90)
    expect_step(prediction(page), 40)
    page.get_by_test_id("let-go").click()
    expect_step(prediction(page), 90)
    page.get_by_test_id("follow-mark").click()
    expect_step(prediction(page), 40)


def test_a_picture_in_full_screen_is_zoomed_and_left(page: sync_api.Page, board: board_process.Process) -> None:
    open_images(page, board)
    expect_step(prediction(page), 90)
    drawn(prediction(page)).click()
    full = page.locator("[data-full]")
    expect(full).to_have_attribute("data-run-of", "alpha")
    expect_picture(page, full, 0, 90)
    before = patience.box_of(drawn(full))
    page.get_by_test_id("zoom-in").click()
    patience.until(page, lambda: patience.box_of(drawn(full))["width"] > 1.4 * before["width"], "a larger picture")
    expect(drawn(full)).to_have_css("image-rendering", "pixelated")
    in_address(page, "imagesZoom=")
    page.mouse.move(before["x"] + 100, before["y"] + 100)
    page.mouse.wheel(0, 4000)
    patience.eventually(page, lambda _: round(patience.box_of(drawn(full))["width"]), round(before["width"]))
    page.keyboard.press("ArrowRight")
    expect(full).to_have_attribute("data-run-of", "beta")
    in_address(page, "full=images|val/prediction|beta")
    page.reload()
    expect(full).to_have_attribute("data-run-of", "beta")
    page.keyboard.press("Escape")
    expect(full).to_have_count(0)
    expect_step(prediction(page), 90)


def test_look_and_size_of_all_pictures_are_in_the_address(page: sync_api.Page, board: board_process.Process) -> None:
    open_images(page, board)
    image = drawn(prediction(page))
    fitted = patience.box_of(image)
    assert fitted["width"] > 200
    option(page, "pane-brightness").press("End")
    expect(image).to_have_css("filter", "brightness(2) contrast(1)")
    option(page, "pane-actual").click()
    patience.eventually(page, lambda _: round(patience.box_of(image)["width"]), 64)
    in_address(page, "imagesActual=1&imagesBrightness=2")
    option(page, "images-reset").click()
    expect(image).to_have_css("filter", "none")


def test_pictures_that_cannot_be_shown_say_so(
    page: sync_api.Page, board: board_process.Process, forgiven: list[str]
) -> None:
    # a browser reports what it could not fetch
    forgiven.append("Failed to load resource")
    open_images(page, board, "tagFilter=broken")
    for tag in ("broken/empty", "broken/cut"):
        expect(kind_card(page, "images", tag)).to_contain_text("cannot be shown")
    expect(kind_card(page, "images", "broken/none")).to_contain_text("No picture was logged")


def test_a_hidden_run_and_a_filter_leave_only_what_is_wanted(page: sync_api.Page, board: board_process.Process) -> None:
    open_images(page, board, "hide=beta")
    expect(prediction(page)).to_be_visible()
    expect(prediction(page, "beta")).to_have_count(0)
    # a single card has no heading of its own: its title is the tag
    expect(prediction(page).get_by_role("heading")).to_have_count(0)
    expect(page.locator('[data-card="only"]')).to_have_count(0)
    page.get_by_test_id("tag-filter").fill("nothing like it")
    expect(page.get_by_role("status").filter(has_text="No tag matches")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect(prediction(page)).to_be_visible()


def test_a_section_is_folded_on_this_page_alone(page: sync_api.Page, board: board_process.Process) -> None:
    open_images(page, board)
    expect_step(prediction(page), 90)
    page.locator('[data-section="val"] button').first.click()
    expect(page.locator("[data-kind-card]")).to_have_count(0)
    in_address(page, "closed=images|val")
    page.locator('[data-section="val"] button').first.click()
    expect(prediction(page)).to_be_visible()


def test_the_newest_step_is_followed_and_a_chosen_one_stays(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    files = [write_run(tmp_path, name, number) for number, name in enumerate(RUNS)]
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--reload_interval", "1") as board:
        board.wait_for_runs(*RUNS)
        open_images(page, board)
        expect_step(prediction(page), 90)
        slide(prediction(page, "beta"), "ArrowLeft")
        expect_step(prediction(page, "beta"), 80)
        for number, file in enumerate(files):
            event_files.append(file, [images_event("val/prediction", batch(number, 100, 1), 100)])
        expect_picture(page, prediction(page), 0, 100)
        expect_step(prediction(page, "beta"), 80)
        slide(prediction(page, "beta"), "End")
        expect_picture(page, prediction(page, "beta"), 1, 100)


def test_only_cards_near_the_screen_ask_for_anything(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    tags = [f"many/{number:03}" for number in range(300)]
    events = [event_files.version_event(), *(images_event(tag, batch(0, 0, 1), 0) for tag in tags)]
    event_files.write(tmp_path / "run" / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
        board.wait_for_runs("run")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        listed: list[str] = []

        def note(request: sync_api.Request) -> None:
            if request.url.endswith("/api/steps"):
                listed.extend(json.loads(request.post_data or "{}")["tag"])

        page.on("request", note)
        page.goto(f"{board.url}#images?")
        expect_picture(page, kind_card(page, "images", "many/000"), 0, 0)
        patience.still(page)
        assert len([url for url in asked if "/api/blobs/" in url]) < 40
        assert 0 < len(listed) < 40
        assert len(listed) == len(set(listed))
        page.get_by_test_id("card-grid").evaluate("(grid) => { grid.scrollTop = grid.scrollHeight }")
        expect_picture(page, kind_card(page, "images", "many/299"), 0, 0)


WITH_ALPHA = 'imagesCompare={"":{"run":"alpha","step":""}}'


def test_all_cards_are_zoomed_together_and_tell_the_pixel_below_the_pointer(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_images(page, board)
    expect_picture(page, prediction(page), 0, 90)
    frame = prediction(page).locator(".picture-frame")
    frame.hover()
    page.keyboard.down("Alt")
    for _ in range(6):
        page.mouse.wheel(0, -300)
    page.keyboard.up("Alt")
    in_address(page, "imagesZoom=")
    for run in RUNS:
        expect(drawn(prediction(page, run))).to_have_css("image-rendering", "pixelated")
    box = patience.box_of(frame)
    page.mouse.move(box["x"] + 40, box["y"] + 60)
    for number, run in enumerate(RUNS):
        expect(prediction(page, run).get_by_test_id("pixel")).to_contain_text(" ".join(map(str, color(number, 90))))
    frame.dblclick()
    expect(page.get_by_test_id("images-fit")).to_have_count(0)
    option(page, "images-link").click()
    frame.press("+")
    in_address(page, "imagesZoomOf=")
    expect(prediction(page, "beta").locator(".picture-frame--zoomed")).to_have_count(0)
    expect(prediction(page).locator(".picture-frame--zoomed")).to_have_count(1)


def test_two_runs_are_compared_side_by_side_and_with_a_divider(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_images(page, board)
    page.get_by_test_id("images-compare").click()
    compared = prediction(page, "beta").locator("[data-compared]")
    expect(compared).to_have_attribute("data-compared", "side")
    expect(compared.locator("img")).to_have_count(2)
    # what is compared with stands alone
    expect(prediction(page).locator("[data-compared]")).to_have_count(0)
    in_address(page, WITH_ALPHA)
    page.get_by_test_id("images-mode-swipe").click()
    divider = compared.get_by_test_id("images-divider")
    divider.press("End")
    expect(divider).to_have_attribute("aria-valuenow", "100")
    in_address(page, "imagesSwipe=1")
    box = patience.box_of(compared)
    at = patience.box_of(divider)
    page.mouse.move(at["x"] + at["width"] / 2 - 2, at["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, at["y"] + 20, steps=4)
    page.mouse.up()
    expect(divider).to_have_attribute("aria-valuenow", "25")


def test_a_difference_is_computed_and_amplified(page: sync_api.Page, board: board_process.Process) -> None:
    open_images(page, board, f"tagFilter=prediction&imagesMode=difference&{WITH_ALPHA}")
    compared = prediction(page, "beta").locator("[data-compared=difference]")
    # blue is the run's: 100 against 0 in one of three channels
    expect(compared.get_by_test_id("images-difference")).to_contain_text("mean 33.3 · max 100 · 100.0 %")
    page.get_by_test_id("images-amplify").press("End")
    expect(compared.locator("canvas")).to_have_css("filter", "brightness(64)")


def test_blinking_is_by_hand_where_less_motion_is_wanted(
    open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    page = open_page(reduced_motion="reduce")
    open_images(page, board, f"tagFilter=prediction&imagesMode=blink&{WITH_ALPHA}")
    compared = prediction(page, "beta").locator("[data-compared=blink]")
    expect(compared).to_have_attribute("data-shows", "A")
    compared.hover()
    page.keyboard.press("b")
    expect(compared).to_have_attribute("data-shows", "B")
    page.get_by_test_id("images-turn").click()
    expect(compared).to_have_attribute("data-shows", "A")


def test_one_card_is_compared_with_another_step(page: sync_api.Page, board: board_process.Process) -> None:
    own = 'imagesCompare={"images|val/prediction|alpha":{"run":null,"step":"20"}}'
    open_images(page, board, f"tagFilter=prediction&imagesMode=difference&{own}")
    card = prediction(page)
    # red is twice the step
    expect(card.get_by_test_id("images-difference")).to_contain_text("max 140")
    card.get_by_test_id("images-other-step").press("ArrowRight")
    expect(card.get_by_test_id("images-difference")).to_contain_text("max 120")
    card.get_by_test_id("images-stop-compare").click()
    expect_picture(page, card, 0, 90)


def test_the_grid_has_a_row_for_each_tag_and_a_column_for_each_run(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_images(page, board)
    page.get_by_test_id("images-grid").click()
    grid = page.get_by_test_id("picture-grid")
    for number, run in enumerate(RUNS):
        expect_picture(page, prediction(page, run), number, 90)
        expect(grid.locator(".picture-grid__run").nth(number)).to_contain_text(run)
    page.get_by_test_id("page-step").press("Home")
    for number, run in enumerate(RUNS):
        expect_picture(page, prediction(page, run), number, 0)
    grid.get_by_test_id("next-sample").click()
    expect_picture(page, kind_card(page, "images", "val/batch", "beta"), 1, 0, 1)
    in_address(page, "imagesLayout=grid")
    page.get_by_test_id("tag-filter").fill("only")
    expect(grid.locator(".picture-grid__run")).to_have_count(1)
    drawn(kind_card(page, "images", "only", "beta")).click()
    expect(page.locator("[data-full]")).to_have_attribute("data-run-of", "beta")


def test_every_format_is_shown_and_boxes_are_drawn(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    def encoded(form: str, mode: str = "RGB", **options: Any) -> bytes:
        written = io.BytesIO()
        Image.new(mode, (40, 30)).save(written, form, **options)
        return written.getvalue()

    files = {form.lower(): encoded(form) for form in ("PNG", "JPEG", "GIF", "BMP", "WEBP", "AVIF")}
    files["deep"] = encoded("PNG", "I;16")
    files["svg"] = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><circle r="9"/></svg>'
    files["moving"] = encoded("GIF", save_all=True, append_images=[Image.new("RGB", (40, 30), "red")], duration=100)
    boxes = [{"box": (4, 4, 20, 20), "label": "cat"}]
    over = overlays.packed(boxes, {"ground": np.ones((30, 40), np.uint8)})
    files["boxes"] = png.encode(np.zeros((30, 40, 3), np.uint8), (overlays.CHUNK, over))
    events = [event_files.version_event(), *(images_event(f"f/{name}", [data], 0) for name, data in files.items())]
    event_files.write(tmp_path / "run" / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
        board.wait_for_runs("run")
        open_images(page, board, "")
        for name in files:
            shown = drawn(kind_card(page, "images", f"f/{name}"))
            expect(shown).to_be_visible()
            if name != "moving":
                assert shown.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 40
        expect(kind_card(page, "images", "f/moving").get_by_test_id("film-play")).to_be_visible()
        over_it = kind_card(page, "images", "f/boxes").get_by_test_id("overlays")
        expect(over_it).to_have_attribute("data-boxes", "1")
        expect(over_it).to_contain_text("cat")
        option(page, "images-overlays").click()
        expect(over_it).to_have_count(0)


def test_boxes_are_drawn_over_both_of_two_that_are_compared(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    for number, run in enumerate(RUNS):
        over = overlays.packed([{"box": (4, 4, 20, 20), "label": run}] * (number + 1), {})
        data = png.encode(np.zeros((30, 40, 3), np.uint8), (overlays.CHUNK, over))
        events = [event_files.version_event(), images_event("boxes", [data], 0)]
        event_files.write(tmp_path / run / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
        board.wait_for_runs(*RUNS)
        open_images(page, board, 'imagesMode=side&imagesCompare={"":{"run":"beta","step":""}}')
        over_both = kind_card(page, "images", "boxes", "alpha").get_by_test_id("overlays")
        expect(over_both).to_have_count(2)
        expect(over_both.nth(0)).to_contain_text("alpha")
        expect(over_both.nth(1)).to_have_attribute("data-boxes", "2")


@pytest.mark.parametrize(
    "members",
    [
        "stepAll=50",
        "full=images|val/batch|alpha",
        "imagesLayout=grid",
        f"imagesMode=swipe&{WITH_ALPHA}",
        f"imagesMode=difference&{WITH_ALPHA}",
    ],
)
def test_rules_of_accessibility_are_kept(
    open_page: conftest.OpenPage, board: board_process.Process, members: str
) -> None:
    for look in ({"color_scheme": "light"}, {"color_scheme": "dark", "locale": "zh-CN"}):
        page = open_page(reduced_motion="reduce", **look)
        page.add_init_script(path=test_accessibility.AXE)
        page.goto(f"{board.url}#images?tagFilter=val&{members}")
        expect(page.locator("[data-drawn]").first).to_be_visible()
        assert test_accessibility.violations(page) == []


def test_a_comparison_starts_with_a_run_that_has_images(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    event_files.write(tmp_path / "a" / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    for number, name in enumerate(("b", "c")):
        write_run(tmp_path, name, number)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        process.wait_for_runs("a", "b", "c")
        open_images(page, process)
        expect(drawn(prediction(page, "c"))).to_be_visible()
        page.get_by_test_id("images-compare").click()
        runs = page.get_by_test_id("images-with-run")
        expect(runs).to_have_value("b")
        assert runs.locator("option").all_inner_texts()[1:] == ["b", "c"]
