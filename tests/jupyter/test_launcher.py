"""The entry "Lightboard" of JupyterLab's launcher: on one's own machine, and behind a JupyterHub."""

from __future__ import annotations

from pathlib import Path

import event_files
import jupyter_lab
import pytest
from browser import patience
from playwright import sync_api

from lightboard.notebook import launcher


@pytest.mark.parametrize("where", ["local_lab", "hub_lab"])
def test_a_card_of_the_launcher_opens_a_live_board_of_the_log_directory(
    chromium: sync_api.Browser, where: str, request: pytest.FixtureRequest
) -> None:
    lab: jupyter_lab.Lab = request.getfixturevalue(where)
    page = patience.new_page(chromium, viewport={"width": 1400, "height": 1000})
    jupyter_lab.open_page(page, lab, "lab?reset")
    card = page.locator(".jp-LauncherCard[title='Lightboard']")
    # what browsers call the width of an SVG that has none; of a broken image it is 0
    sync_api.expect(card.locator("img")).to_have_js_property("naturalWidth", 150)
    card.click()
    shown = page.locator(".jp-ServerProxy iframe")
    frame = shown.element_handle().content_frame()
    assert frame is not None
    inside = shown.content_frame
    sync_api.expect(inside.get_by_text("validation").first).to_be_visible()
    assert frame.url.startswith(f"{lab.url}lightboard/")
    board = frame.evaluate("fetch('api/board').then((answer) => answer.json())")
    assert (board["logdir"], board["counts"]["runs"]) == (str(lab.folder / "logs"), 2)
    write_run(lab.folder / "logs" / f"later-{where}")
    sync_api.expect(inside.get_by_text(f"later-{where}").first).to_be_visible()
    page.context.close()


def write_run(folder: Path) -> None:
    folder.mkdir()
    events = [event_files.version_event(), event_files.scalar_event("loss", 0.5, step=1)]
    event_files.write(folder / "events.out.tfevents.1", events)


def test_nobody_reaches_the_board_without_signing_in(chromium: sync_api.Browser, hub_lab: jupyter_lab.Lab) -> None:
    page = patience.new_page(chromium)
    page.goto(f"{hub_lab.url}lightboard/")
    assert "/hub/login" in page.url
    page.context.close()


def test_the_command_has_the_directory_of_a_variable_and_braces_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PAI_OUTPUT_TENSORBOARD", str(tmp_path / "a {b}"))
    command = [word.format(unix_socket="/run/s") for word in launcher.server()["command"]()]
    assert command[2:] == ["lightboard", "--logdir", str(tmp_path / "a {b}"), "--unix_socket", "/run/s", "--no_auth"]


def test_folders_of_notebooks_are_tried_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    found = [launcher.server()["command"]()[4]]
    for name in ("logs", "runs"):
        (tmp_path / name).mkdir()
        found.append(launcher.server()["command"]()[4])
    assert found == [str(tmp_path / name) for name in ("runs", "logs", "runs")]
