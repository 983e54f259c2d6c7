"""`lightboard snapshot` in Chromium: the file is opened from the disk, offline, and shows what the board shows.

The size of files is tested in tests/snapshot/, what the page computes from recorded points in web/src/api/snapshot/.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import board_process
import numpy as np
import pytest
from browser import cards, kind_cards, patience
from browser.conftest import OpenPage
from playwright import sync_api

from lightboard import cli
from lightboard.sdk import writer as writer_

pytestmark = pytest.mark.browser

HOSTILE = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("snapshot") / "runs"
    rng = np.random.default_rng(3)
    for number, run in enumerate(("alpha", "beta", HOSTILE.replace("/", "_"))):
        with writer_.SummaryWriter(str(folder / run)) as writer:
            writer.add_hparams({"lr": 0.1 * (number + 1)}, {"loss": 1.0 - number / 10}, run_name=".")
            for step in range(60):
                writer.add_scalar("train/loss", 1 / (step + 1) + rng.normal(0, 0.01), step, walltime=1.7e9 + step)
            writer.add_text("notes", f"a **note** of {HOSTILE}", 3)
            for step in (1, 2):
                writer.add_image("picture", np.full((3, 8, 8), 100 * step, np.uint8), step)
                writer.add_histogram("weights", rng.normal(0, 1, 100), step)
    return folder


@pytest.fixture(scope="module")
def file(logs: Path) -> str:
    path = logs.parent / "board.html"
    assert cli.main(["snapshot", str(logs), "-o", str(path), "--no_index", "--title", HOSTILE]) == cli.OK
    return path.as_uri()


@pytest.fixture(scope="module")
def board(logs: Path) -> Iterator[board_process.Process]:
    with board_process.Process("--logdir", logs, "--port", "0") as process:
        process.wait_for_runs("alpha", "beta")
        yield process


def opened(page: sync_api.Page, address: str) -> sync_api.Page:
    page.goto(address)
    sync_api.expect(page.get_by_test_id("snapshot")).to_be_visible()
    return page


def test_it_opens_from_a_disk_without_a_request(open_page: OpenPage, file: str) -> None:
    page = open_page(offline=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    opened(page, file)
    cards.wait_drawn(page, "train/loss")
    sync_api.expect(page.locator("h1")).to_have_text(HOSTILE)
    sync_api.expect(page.get_by_test_id("snapshot")).to_contain_text("Snapshot of")
    assert [each for each in asked if not each.startswith("blob:")] == [file]


def point_at_the_chart(page: sync_api.Page) -> sync_api.Locator:
    """Returns the rows of the tooltip."""
    cards.wait_drawn(page, "train/loss")
    cards.hover(page, "train/loss")
    rows = page.get_by_test_id("tooltip").locator("tbody tr")
    sync_api.expect(rows).to_have_count(3)
    return rows


def test_the_values_are_those_of_the_board(open_page: OpenPage, file: str, board: board_process.Process) -> None:
    view = "#timeseries?tooltipOrder=alphabetical&tagFilter=train/loss"
    here = open_page()
    here.goto(f"{board.url}{view}")
    live = point_at_the_chart(here)
    still = point_at_the_chart(opened(open_page(), f"{file}{view}"))
    patience.until(here, lambda: "–" not in "".join(live.all_inner_texts()), "exact values")
    patience.eventually(here, lambda _: still.all_inner_texts(), live.all_inner_texts())


def test_only_kinds_in_the_file_have_tabs(page: sync_api.Page, file: str) -> None:
    page.set_viewport_size({"width": 1920, "height": 900})
    opened(page, f"{file}#graphs?")
    sync_api.expect(page.get_by_text("Graphs: not in this snapshot.")).to_be_visible()
    labels = page.locator("nav").first.inner_text()
    assert "Histograms" in labels
    assert "Graphs" not in labels
    assert "Projector" not in labels


def test_other_kinds_are_shown(page: sync_api.Page, file: str) -> None:
    opened(page, f"{file}#images?")
    kind_cards.expect_step(kind_cards.kind_card(page, "images", "picture", "alpha"), 2)
    opened(page, f"{file}#histograms?")
    histogram = kind_cards.drawn(kind_cards.kind_card(page, "histograms", "weights", "alpha"))
    sync_api.expect(histogram).to_have_attribute("data-steps", "2")
    opened(page, f"{file}#distributions?")
    sync_api.expect(kind_cards.drawn(kind_cards.kind_card(page, "distributions", "weights", "alpha"))).to_be_visible()
    opened(page, f"{file}#text?")
    sync_api.expect(page.locator("strong", has_text="note").first).to_be_visible()
    opened(page, f"{file}#hparams?")
    sync_api.expect(page.get_by_text("3 trials")).to_be_visible()


def test_a_run_cannot_be_changed(page: sync_api.Page, file: str) -> None:
    opened(page, f"{file}#run?of=alpha")
    rename = page.get_by_title("This board cannot save changes: its log directory is read-only, or it is a snapshot")
    sync_api.expect(rename.first).to_be_disabled()


def test_what_a_snapshot_lacks_is_said(page: sync_api.Page, file: str) -> None:
    opened(page, f"{file}#timeseries?tagFilter=train/loss")
    cards.wait_drawn(page, "train/loss")
    page.evaluate("location.hash = '#timeseries?tagFilter=train/loss&smoother=median&smoothing=0.5'")
    sync_api.expect(page.get_by_text("The smoothing `median:32` is not in this snapshot.").first).to_be_visible()


def test_it_opens_with_the_view_it_was_taken_with(page: sync_api.Page, logs: Path) -> None:
    path = logs.parent / "view.html"
    view = "http://localhost:6006/#runs?theme=dark"
    assert cli.main(["snapshot", str(logs), "-o", str(path), "--no_index", "--force", "--view", view]) == cli.OK
    opened(page, path.as_uri())
    sync_api.expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("location.hash") == "#runs?theme=dark"
    sync_api.expect(page.locator(".runs-page")).to_be_visible()


def test_groups_of_the_view_are_drawn_as_bands(page: sync_api.Page, logs: Path) -> None:
    path = logs.parent / "bands.html"
    view = "#timeseries?tagFilter=train/loss&group=regex:^(.)"
    assert cli.main(["snapshot", str(logs), "-o", str(path), "--no_index", "--force", "--view", view]) == cli.OK
    opened(page, path.as_uri())
    cards.wait_drawn(page, "train/loss")
    sync_api.expect(page.get_by_text("not in the snapshot")).to_have_count(0)
    cards.hover(page, "train/loss")
    sync_api.expect(page.get_by_test_id("tooltip").locator("tbody tr").first).to_be_visible()
    # hidden runs would change the bands, which need points that the file does not have
    page.get_by_role("checkbox", name="alpha").click()
    sync_api.expect(page.get_by_text("These bands are not in the snapshot.").first).to_be_visible()


def test_it_speaks_chinese(open_page: OpenPage, file: str) -> None:
    page = opened(open_page(locale="zh-CN"), file)
    sync_api.expect(page.get_by_test_id("snapshot")).to_contain_text("的快照，生成于")


def test_the_share_menu_downloads_the_view_as_one_file(
    open_page: OpenPage, board: board_process.Process, tmp_path: Path
) -> None:
    page = open_page()
    page.goto(f"{board.url}#timeseries?tagFilter=train/loss&hide=beta&theme=dark")
    cards.wait_drawn(page, "train/loss")
    page.get_by_test_id("share").click()
    page.get_by_role("menuitem", name="Download as one HTML file…").click()
    dialog = page.get_by_test_id("html-file")
    sync_api.expect(dialog).to_contain_text("The 2 runs shown in charts")
    # the size is said before the file is saved
    button = dialog.get_by_role("button", name="Download (")
    sync_api.expect(button).to_be_enabled()
    assert "kB)" in button.inner_text()
    with page.expect_download() as download:
        button.click()
    path = tmp_path / download.value.suggested_filename
    assert path.suffix == ".html"
    download.value.save_as(path)
    theirs = opened(open_page(offline=True), path.as_uri())
    cards.wait_drawn(theirs, "train/loss")
    sync_api.expect(theirs.locator("html")).to_have_attribute("data-theme", "dark")
    sync_api.expect(theirs.locator(".run-list [data-run]")).to_have_count(2)
    sync_api.expect(theirs.locator('[data-run="beta"]')).to_have_count(0)
    theirs.get_by_test_id("share").click()
    sync_api.expect(theirs.get_by_role("menuitem", name="Download as one HTML file…")).to_have_count(0)


def test_a_file_can_have_all_runs_and_tags(open_page: OpenPage, board: board_process.Process) -> None:
    page = open_page()
    page.goto(f"{board.url}#timeseries?tagFilter=train/loss&hide=beta")
    cards.wait_drawn(page, "train/loss")
    asked: list[str] = []
    page.on("request", lambda one: asked.append(str(one.post_data)) if one.url.endswith("/api/snapshot") else None)
    page.get_by_test_id("share").click()
    page.get_by_role("menuitem", name="Download as one HTML file…").click()
    dialog = page.get_by_test_id("html-file")
    dialog.get_by_label("All 3 runs").check()
    dialog.get_by_label("Only the tag that matches the tag filter").uncheck()
    patience.until(
        page, lambda: any('"run"' not in each and '"tag"' not in each for each in asked), "a request for all"
    )
    sync_api.expect(dialog.get_by_role("button", name="Download (")).to_be_enabled()
