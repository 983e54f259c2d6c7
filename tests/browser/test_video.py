"""The video page as a person uses it: real Chromium, a real board, films whose brightness tells the frame."""

from __future__ import annotations

import io
import pathlib
from collections.abc import Iterator

import board_process
import event_files
import made_media
import pytest
from browser import conftest, patience, test_accessibility
from browser.kind_cards import expect_step, in_address, kind_card, open_kind, slide
from PIL import Image
from playwright import sync_api

from lightboard.demo import films

pytestmark = pytest.mark.browser

expect = sync_api.expect

RUNS = ("alpha", "beta")
STEPS = range(0, 30, 10)
FRAMES = 12
VIDEO = event_files.summary_metadata("lightboard_video", content=b"video/mp4")


def brightness(frame: int) -> int:
    return 30 + 15 * frame


def film(step: int, frames: int = FRAMES) -> bytes:
    """Two seconds and a bit; the step is told by how wide it is."""
    width, height = 32 + 16 * (step // 10), 32
    return films.mp4([[brightness(each)] * (width * height) for each in range(frames)], width, height, fps=5)


def gif() -> bytes:
    pictures = [Image.new("L", (32, 32), brightness(each)) for each in range(6)]
    written = io.BytesIO()
    pictures[0].save(written, "GIF", save_all=True, append_images=pictures[1:], duration=200, loop=0)
    return written.getvalue()


def video_event(tag: str, content: list[bytes], step: int) -> bytes:
    what = event_files.field_bytes(8, event_files.string_tensor(content, shape=[len(content)]))
    return event_files.summary_event(event_files.value(tag, what, VIDEO), step=step, wall_time=event_files.WALL + step)


def write_run(folder: pathlib.Path, name: str) -> pathlib.Path:
    events = [event_files.version_event(), *event_files.scalars("loss", [1.0] * 30)]
    # those of beta are longer
    events += [video_event("rollout/out", [film(step, FRAMES + 3 * (name == "beta"))], step) for step in STEPS]
    if name == "beta":
        events += [
            video_event(f"recorded/{kind}", [(made_media.MEDIA / f"counting.{kind}").read_bytes()], 0)
            for kind in ("mp4", "webm")
        ]
        events.append(video_event("two", [film(0), film(20)], 0))
        events.append(video_event("moving", [gif()], 0))
        events.append(video_event("odd/empty", [b""], 0))
        events.append(video_event("odd/none", [], 0))
        events.append(video_event("odd/garbage", [b"\0\0\0\x18ftypisom" + b"no film " * 99], 0))
    return event_files.write(folder / name / "events.out.tfevents.1", events)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for name in RUNS:
        write_run(folder, name)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


def open_video(page: sync_api.Page, board: board_process.Process, members: str = "tagFilter=rollout") -> None:
    open_kind(page, board, "video", members, 1500)


def rollout(page: sync_api.Page, run: str = "alpha") -> sync_api.Locator:
    return kind_card(page, "video", "rollout/out", run)


def displayed_frame(card: sync_api.Locator) -> int:
    return int(card.get_by_test_id("film-time").get_attribute("data-frame") or -1)


def seen_frame(card: sync_api.Locator) -> int:
    """The frame whose brightness is on the screen."""
    grey: int = card.locator("[data-drawn]").first.evaluate(
        """(shown) => {
            const canvas = document.createElement("canvas");
            [canvas.width, canvas.height] = [8, 8];
            const context = canvas.getContext("2d");
            context.drawImage(shown, 0, 0, 8, 8);
            return context.getImageData(4, 4, 1, 1).data[0];
        }"""
    )
    # studio levels: 16 to 235 are black to white; GIFs have them all
    level = grey if card.locator("canvas[data-drawn]").count() else 16 + grey * 219 / 255
    return round((level - 30) / 15)


def expect_frame(page: sync_api.Page, card: sync_api.Locator, frame: int) -> None:
    patience.eventually(page, lambda _: (displayed_frame(card), seen_frame(card)), wanted=(frame, frame))


def plays(card: sync_api.Locator) -> bool:
    return "Pause" in (card.get_by_test_id("film-play").get_attribute("title") or "")


def test_there_is_a_card_for_each_tag_and_run_with_the_newest_film(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_video(page, board)
    for run in RUNS:
        expect_step(rollout(page, run), 20)
        expect(rollout(page, run).get_by_test_id("video-form")).to_contain_text("64 × 32 · 5 fps · MP4 H.264")
        expect_frame(page, rollout(page, run), 0)
    expect(page.locator("[data-kind-card]")).to_have_count(2)


def test_frames_are_gone_through_one_by_one(page: sync_api.Page, board: board_process.Process) -> None:
    open_video(page, board)
    card = rollout(page)
    expect_frame(page, card, 0)
    card.hover()
    for frame in (1, 2, 3, 4):
        page.keyboard.press(".")
        expect_frame(page, card, frame)
    page.keyboard.press(",")
    expect_frame(page, card, 3)
    card.get_by_test_id("film-next").click()
    expect_frame(page, card, 4)
    card.get_by_test_id("film-range").press("ArrowLeft")
    expect_frame(page, card, 3)
    card.hover()
    for _ in range(FRAMES):
        page.keyboard.press(".")
    expect_frame(page, card, FRAMES - 1)
    assert displayed_frame(rollout(page, "beta")) == 0


def test_another_step_keeps_the_position(page: sync_api.Page, board: board_process.Process) -> None:
    open_video(page, board)
    card = rollout(page)
    expect_frame(page, card, 0)
    for _ in range(3):
        card.get_by_test_id("film-next").click()
    expect_frame(page, card, 3)
    slide(card, "Home")
    expect_step(card, 0)
    expect(card.get_by_test_id("video-form")).to_contain_text("32 × 32")
    expect_frame(page, card, 3)
    in_address(page, '"video|rollout/out|alpha":"0"')


def test_a_film_plays_and_stops(page: sync_api.Page, board: board_process.Process) -> None:
    open_video(page, board, "tagFilter=rollout&videoSpeed=0.5")
    card = rollout(page)
    expect_frame(page, card, 0)
    card.hover()
    page.keyboard.press("k")
    patience.until(page, lambda: displayed_frame(card) >= 2, "the film to play")
    assert not plays(rollout(page, "beta"))
    page.keyboard.press("k")
    patience.until(page, lambda: not plays(card), "the film to stop")


def test_linked_films_seek_and_step_together(page: sync_api.Page, board: board_process.Process) -> None:
    open_video(page, board)
    for run in RUNS:
        expect_frame(page, rollout(page, run), 0)
    page.get_by_test_id("video-link").click()
    in_address(page, "videoLink=1")
    rollout(page).get_by_test_id("film-next").click()
    for run in RUNS:
        expect_frame(page, rollout(page, run), 1)
    rollout(page, "beta").get_by_test_id("film-range").fill("1.1")
    for run in RUNS:
        expect_frame(page, rollout(page, run), 5)


def test_all_play_together_with_one_button(page: sync_api.Page, board: board_process.Process) -> None:
    open_video(page, board, "tagFilter=rollout&videoSpeed=0.5")
    for run in RUNS:
        expect_frame(page, rollout(page, run), 0)
    everything = page.get_by_test_id("video-all")
    everything.click()
    patience.until(page, lambda: all(plays(rollout(page, run)) for run in RUNS), "both to play")
    patience.until(page, lambda: all(displayed_frame(rollout(page, run)) > 1 for run in RUNS), "both to move on")
    expect(everything).to_have_text("Pause all")
    everything.click()
    patience.until(page, lambda: not any(plays(rollout(page, run)) for run in RUNS), "both to stop")


@pytest.mark.parametrize(("kind", "form"), [("mp4", "MP4 H.264"), ("webm", "WebM VP9")])
def test_recordings_are_shown_and_stepped(
    page: sync_api.Page, board: board_process.Process, kind: str, form: str
) -> None:
    open_video(page, board, "tagFilter=recorded")
    card = kind_card(page, "video", f"recorded/{kind}")
    expect_step(card, 0)
    expect(card.get_by_test_id("video-form")).to_contain_text(form)
    for frame in (1, 2, 3):
        card.get_by_test_id("film-next").click()
        patience.eventually(page, lambda _: displayed_frame(card), wanted=frame)


def test_films_of_one_step_are_gone_through(page: sync_api.Page, board: board_process.Process) -> None:
    open_video(page, board, "tagFilter=two")
    card = kind_card(page, "video", "two")
    expect(card.get_by_test_id("video-form")).to_contain_text("32 × 32")
    card.get_by_test_id("next-sample").click()
    expect(card.get_by_test_id("video-form")).to_contain_text("64 × 32")


def test_a_gif_is_stepped_like_a_film(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    # it moves by itself, unless the reader does not want that
    page = open_page(reduced_motion="reduce")
    open_video(page, board, "tagFilter=moving")
    card = kind_card(page, "video", "moving")
    expect_frame(page, card, 0)
    card.hover()
    for frame in (1, 2):
        page.keyboard.press(".")
        expect_frame(page, card, frame)
    page.keyboard.press("k")
    patience.until(page, lambda: displayed_frame(card) not in (0, 1, 2), "the picture to move")


def test_films_that_cannot_be_played_say_so(page: sync_api.Page, board: board_process.Process) -> None:
    open_video(page, board, "tagFilter=odd")
    expect(kind_card(page, "video", "odd/empty")).to_contain_text("The video is empty")
    expect(kind_card(page, "video", "odd/none")).to_contain_text("No video was logged")
    garbage = kind_card(page, "video", "odd/garbage")
    expect(garbage).to_contain_text("cannot play the video")
    with page.expect_download() as download:
        garbage.get_by_role("link", name="Download the video").click()
    assert b"no film" in pathlib.Path(download.value.path()).read_bytes()


def test_a_new_step_is_followed_while_the_run_goes_on(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    file = write_run(tmp_path, "alpha")
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--reload_interval", "1") as board:
        board.wait_for_runs("alpha")
        open_video(page, board)
        expect_step(rollout(page), 20)
        event_files.append(file, [video_event("rollout/out", [film(30)], 30)])
        expect_step(rollout(page), 30)


def test_a_film_in_full_screen(page: sync_api.Page, board: board_process.Process) -> None:
    open_video(page, board)
    expect_step(rollout(page), 20)
    rollout(page).hover()
    rollout(page).get_by_role("button", name="Expand").click()
    full = page.locator("[data-full]")
    expect_step(full, 20)
    expect_frame(page, full, 0)
    page.keyboard.press(".")
    expect_frame(page, full, 1)
    page.keyboard.press("Escape")
    expect(full).to_have_count(0)


@pytest.mark.parametrize("members", ["", "full=video|rollout/out|alpha"])
def test_rules_of_accessibility_are_kept(
    open_page: conftest.OpenPage, board: board_process.Process, members: str
) -> None:
    for look in ({"color_scheme": "light"}, {"color_scheme": "dark", "locale": "zh-CN"}):
        page = open_page(reduced_motion="reduce", **look)
        page.add_init_script(path=test_accessibility.AXE)
        page.goto(f"{board.url}#video?tagFilter=rollout&{members}")
        expect(page.locator("[data-drawn]").first).to_be_visible()
        assert test_accessibility.violations(page) == []
