"""The audio page as a person uses it: real Chromium, a real board, clips in every form people log.

What is heard cannot be heard here: positions, which side plays, and what is drawn stand for it.
"""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import board_process
import event_files
import made_media
import pytest
from browser import conftest, patience, test_accessibility
from browser.kind_cards import expect_step, in_address, kind_card, open_kind, option, slide
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect

RUNS = ("alpha", "beta")
STEPS = range(0, 50, 10)
AUDIO = event_files.summary_metadata("audio", content=b"\x10\x0b")
DATA = pathlib.Path(__file__).parent.parent / "data"
WAVE = made_media.wave(2)
FORMS = {
    "wav8": made_media.wav(WAVE, bits=8),
    "wav16_stereo": made_media.wav(WAVE, channels=2),
    "wav24": made_media.wav(WAVE, bits=24),
    "wav32": made_media.wav(WAVE, bits=32),
    "wav_float": made_media.wav(WAVE, bits=32, real=True),
    "flac": made_media.flac(WAVE),
    "mp3": made_media.mp3(),
    "ogg": made_media.ogg(),
}


def audio_event(tag: str, clips: list[tuple[bytes, str]], step: int) -> bytes:
    strings = [part for clip, label in clips for part in (clip, label.encode())]
    what = event_files.field_bytes(8, event_files.string_tensor(strings, shape=[len(clips), 2]))
    return event_files.summary_event(event_files.value(tag, what, AUDIO), step=step, wall_time=event_files.WALL + step)


def clip(run: int, step: int) -> bytes:
    """Five seconds: long enough to be in the middle of."""
    return made_media.wav(made_media.wave(5, 300 + 100 * run + 10 * step))


def write_run(folder: pathlib.Path, name: str, number: int) -> pathlib.Path:
    events = [event_files.version_event(), *event_files.scalars("loss", [1.0] * 50)]
    events += [audio_event("speech/out", [(clip(number, step), "")], step) for step in STEPS]
    if name == "beta":
        events += [audio_event(f"form/{form}", [(data, "")], 0) for form, data in FORMS.items()]
        labelled = [(made_media.wav(WAVE), f"**clip {n}** <script>window.ran = 1</script>") for n in (1, 2)]
        events.append(audio_event("labels", labelled, 0))
        events.append(audio_event("odd/empty", [(b"", "")], 0))
        events.append(audio_event("odd/none", [], 0))
        events.append(audio_event("odd/garbage", [(b"no sound " * 99, "")], 0))
        events.append(audio_event("odd/cut", [(made_media.wav(WAVE)[:20_000], "")], 0))
    return event_files.write(folder / name / "events.out.tfevents.1", events)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for number, name in enumerate(RUNS):
        write_run(folder, name, number)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


def open_audio(page: sync_api.Page, board: board_process.Process, members: str = "tagFilter=speech") -> None:
    open_kind(page, board, "audio", members, 1500)


def speech(page: sync_api.Page, run: str = "alpha") -> sync_api.Locator:
    return kind_card(page, "audio", "speech/out", run)


def waves(card: sync_api.Locator) -> sync_api.Locator:
    return card.get_by_test_id("wave")


def position(card: sync_api.Locator) -> float:
    return float(waves(card).first.get_attribute("aria-valuenow") or 0)


def seek(card: sync_api.Locator, share: float) -> None:
    wave = waves(card).first
    box = patience.box_of(wave)
    wave.click(position={"x": share * box["width"], "y": box["height"] / 2})


def plays(card: sync_api.Locator) -> bool:
    return "Pause" in (card.get_by_test_id("audio-play").get_attribute("title") or "")


def test_there_is_a_card_for_each_tag_and_run_with_the_newest_clip(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_audio(page, board)
    for run in RUNS:
        expect_step(speech(page, run), 40)
        expect(speech(page, run).get_by_test_id("audio-form")).to_have_text("8 kHz · mono · PCM 16 bit · 80 kB")
        expect(speech(page, run).get_by_test_id("audio-time")).to_have_text("0:00.00 / 0:05.00")
    expect(page.locator("[data-kind-card]")).to_have_count(2)


def test_every_step_is_reached_and_is_in_the_address(page: sync_api.Page, board: board_process.Process) -> None:
    open_audio(page, board)
    card = speech(page)
    expect_step(card, 40)
    for step in (30, 20, 10, 0):
        slide(card, "ArrowLeft")
        expect_step(card, step)
    in_address(page, '"audio|speech/out|alpha":"0"')
    expect_step(speech(page, "beta"), 40)


@pytest.mark.parametrize("form", FORMS)
def test_clips_of_every_form_are_drawn_and_played(page: sync_api.Page, board: board_process.Process, form: str) -> None:
    open_audio(page, board, f"tagFilter=form/{form}")
    card = kind_card(page, "audio", f"form/{form}")
    expect_step(card, 0)
    card.get_by_test_id("audio-play").click()
    patience.until(page, lambda: position(card) > 0.05, "a clip that moves on")


def test_a_click_in_the_waveform_goes_there_and_arrows_go_on(page: sync_api.Page, board: board_process.Process) -> None:
    open_audio(page, board)
    card = speech(page)
    expect_step(card, 40)
    seek(card, 0.5)
    patience.until(page, lambda: abs(position(card) - 2.5) < 0.1, "the middle")
    waves(card).press("ArrowRight")
    patience.until(page, lambda: abs(position(card) - 2.75) < 0.1, "a little further")
    waves(card).press("Home")
    patience.until(page, lambda: position(card) == 0, "the beginning")


def test_only_one_clip_plays_and_goes_on_in_full_screen(page: sync_api.Page, board: board_process.Process) -> None:
    open_audio(page, board, "tagFilter=speech&audioLoop=1&audioSpeed=0.5")
    for run in RUNS:
        expect_step(speech(page, run), 40)
    speech(page).get_by_test_id("audio-play").click()
    patience.until(page, lambda: position(speech(page)) > 0.1, "the first one to play")
    speech(page, "beta").hover()
    page.keyboard.press("k")
    patience.until(page, lambda: position(speech(page, "beta")) > 0.1, "the second one to play")
    patience.until(page, lambda: not plays(speech(page)), "the first one to stop")
    before = position(speech(page, "beta"))
    speech(page, "beta").get_by_role("button", name="Expand").click()
    full = page.locator("[data-full]")
    expect_step(full, 40)
    patience.until(page, lambda: position(full) > before, "the clip to go on")
    assert plays(full)


def test_the_step_changes_while_it_plays_and_the_position_stays(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_audio(page, board)
    card = speech(page)
    expect_step(card, 40)
    seek(card, 0.4)
    slide(card, "ArrowLeft")
    expect_step(card, 30)
    assert abs(position(card) - 2) < 0.1
    card.get_by_test_id("audio-play").click()
    patience.until(page, lambda: position(card) > 2.1, "the clip to go on from there")


def test_two_steps_and_two_runs_are_compared_at_the_same_position(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_audio(page, board)
    card = speech(page)
    expect_step(card, 40)
    card.get_by_test_id("audio-compare").click()
    expect(waves(card)).to_have_count(2)
    expect(waves(card).nth(1)).to_have_attribute("data-step", "0")
    seek(card, 0.5)
    card.hover()
    page.keyboard.press("b")
    expect(card.get_by_test_id("audio-side-b")).to_have_attribute("aria-pressed", "true")
    assert abs(position(card) - 2.5) < 0.1
    card.get_by_test_id("audio-play").click()
    patience.until(page, lambda: position(card) > 2.6, "B to play on")
    card.hover()
    page.keyboard.press("b")
    expect(card.get_by_test_id("audio-side-a")).to_have_attribute("aria-pressed", "true")
    now = position(card)
    assert now > 2.6
    patience.until(page, lambda: position(card) > now, "A to play on")
    card.get_by_test_id("audio-other-run").select_option("beta")
    card.get_by_test_id("audio-other-step").press("ArrowRight")
    expect(waves(card).nth(1)).to_have_attribute("data-step", "10")
    in_address(page, 'audioCompare={"audio|speech/out|alpha":{"run":"beta","step":"10"}}')
    page.reload()
    expect(waves(card).nth(1)).to_have_attribute("data-step", "10")
    card.get_by_test_id("audio-stop-compare").click()
    expect(waves(card)).to_have_count(1)


def test_labels_are_rendered_and_harmless(page: sync_api.Page, board: board_process.Process) -> None:
    open_audio(page, board, "tagFilter=labels")
    card = kind_card(page, "audio", "labels")
    label = card.get_by_test_id("audio-label")
    expect(label.locator("strong")).to_have_text("clip 1")
    card.get_by_test_id("next-sample").click()
    expect(label.locator("strong")).to_have_text("clip 2")
    expect(label).to_contain_text("<script>")
    assert page.evaluate("window.ran") is None


def test_clips_that_cannot_be_played_say_so(page: sync_api.Page, board: board_process.Process) -> None:
    open_audio(page, board, "tagFilter=odd")
    expect(kind_card(page, "audio", "odd/empty")).to_contain_text("The clip is empty")
    expect(kind_card(page, "audio", "odd/none")).to_contain_text("No clip was logged")
    garbage = kind_card(page, "audio", "odd/garbage")
    expect(garbage).to_contain_text("cannot play the clip")
    with page.expect_download() as download:
        garbage.get_by_role("link", name="Download the clip").click()
    assert pathlib.Path(download.value.path()).read_bytes().startswith(b"no sound ")
    cut = kind_card(page, "audio", "odd/cut")
    expect_step(cut, 0)
    expect(cut.get_by_test_id("audio-form")).to_contain_text("incomplete")
    for tag in ("odd/empty", "odd/none", "odd/garbage"):
        expect(kind_card(page, "audio", tag).get_by_test_id("audio-play")).to_be_disabled()


def test_what_is_drawn_and_how_it_is_played_is_in_the_address(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_audio(page, board)
    card = speech(page)
    expect_step(card, 40)
    expect(waves(card).locator("canvas")).to_have_count(2)
    page.get_by_test_id("audio-show").select_option("waveform")
    expect(waves(card).locator("canvas")).to_have_count(1)
    page.get_by_test_id("audio-show").select_option("spectrogram")
    option(page, "audio-scale").select_option("linear")
    card.get_by_test_id("audio-speed").select_option("2")
    card.get_by_test_id("audio-loop").click()
    page.get_by_test_id("audio-volume").press("Home")
    in_address(page, "audioShow=spectrogram&audioScale=linear&audioVolume=0&audioSpeed=2&audioLoop=1")
    card.get_by_test_id("audio-mute").click()
    expect(page.get_by_test_id("audio-volume")).not_to_have_value("0")


def test_a_tone_is_seen_at_its_height(page: sync_api.Page, board: board_process.Process) -> None:
    open_audio(page, board, "tagFilter=speech&audioShow=spectrogram&audioScale=linear")
    card = speech(page)
    expect_step(card, 40)
    # 300 + 400 Hz of 4 kHz
    darkest = (
        waves(card)
        .locator("canvas")
        .evaluate(
            """(canvas) => {
            const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            const sums = Array.from({ length: height }, (_, row) => {
                const at = 4 * (row * width + (width >> 1));
                return data[at] + data[at + 1] + data[at + 2];
            });
            return 1 - (sums.indexOf(Math.min(...sums)) + 0.5) / height;
        }"""
        )
    )
    assert darkest == pytest.approx(700 / 4000, abs=0.03)


def test_a_new_step_is_followed_while_the_run_goes_on(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    file = write_run(tmp_path, "alpha", 0)
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--reload_interval", "1") as board:
        board.wait_for_runs("alpha")
        open_audio(page, board)
        expect_step(speech(page), 40)
        event_files.append(file, [audio_event("speech/out", [(clip(0, 50), "")], 50)])
        expect_step(speech(page), 50)


@pytest.mark.parametrize(
    ("corpus", "run", "tag"),
    [
        ("torch_writer", "cnn_digits", "tone"),
        ("gradient_tape", "logs/options", "mono clips"),
        ("boosting_tensorboardx", "tensorboardX_only", "a"),
    ],
)
def test_clips_of_real_writers_are_shown(page: sync_api.Page, corpus: str, run: str, tag: str) -> None:
    with board_process.Process("--logdir", DATA / corpus, "--port", "0", "--sidecar", "none") as board:
        board.wait_for_runs(run)
        page.goto(f"{board.url}#audio?showAll=1")
        card = kind_card(page, "audio", tag)
        expect(waves(card).first).to_have_attribute("data-drawn", "2")
        card.get_by_test_id("audio-play").click()
        patience.until(page, lambda: position(card) > 0, "the clip to play")


@pytest.mark.parametrize("members", ["", 'audioCompare={"audio|speech/out|alpha":{"run":"beta","step":""}}'])
def test_rules_of_accessibility_are_kept(
    open_page: conftest.OpenPage, board: board_process.Process, members: str
) -> None:
    for look in ({"color_scheme": "light"}, {"color_scheme": "dark", "locale": "zh-CN"}):
        page = open_page(reduced_motion="reduce", **look)
        page.add_init_script(path=test_accessibility.AXE)
        page.goto(f"{board.url}#audio?tagFilter=speech&{members}")
        expect(page.locator("[data-drawn]").first).to_be_visible()
        assert test_accessibility.violations(page) == []
