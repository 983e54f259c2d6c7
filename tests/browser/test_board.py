"""The built page of the real command below a path prefix, with odd names and with a token."""

from __future__ import annotations

import pathlib

import board_process
import event_files
import pytest
from playwright import sync_api

pytestmark = pytest.mark.browser

ODD_NAMES = ["日本語 🚀", "#hash", "100%25", "a&b=c?d", "quote'\"", "<img src=x onerror=alert(1)>"]


def write(folder: pathlib.Path, run: str) -> None:
    event_files.write(folder / run / "events.out.tfevents.1", event_files.scalars("loss", [2.0, 1.0]))


def test_the_page_shows_runs_whatever_their_names_and_new_ones_as_they_come(
    page: sync_api.Page, tmp_path: pathlib.Path
) -> None:
    for name in ODD_NAMES:
        write(tmp_path, name)
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--path_prefix", "/some/prefix") as board:
        board.wait_for_runs(*ODD_NAMES)
        page.goto(board.url)
        for name in ODD_NAMES:
            sync_api.expect(page.locator(".run-list").get_by_text(name, exact=True)).to_be_visible()
        write(tmp_path, "late")
        sync_api.expect(page.locator(".run-list").get_by_text("late", exact=True)).to_be_visible()


def test_the_token_is_asked_for_once(page: sync_api.Page, tmp_path: pathlib.Path, forgiven: list[str]) -> None:
    forgiven.append("status of 401")
    write(tmp_path, "train")
    with board_process.Process("--logdir", tmp_path, "--port", "0", "--token", "sesame") as board:
        page.goto(board.url)
        page.get_by_label("token").fill("sesame")
        page.get_by_role("button").click()
        sync_api.expect(page.locator(".run-list").get_by_text("train", exact=True)).to_be_visible()
        assert "sesame" not in page.url
        page.reload()
        sync_api.expect(page.locator(".run-list").get_by_text("train", exact=True)).to_be_visible()
