"""A JupyterLab server, and a notebook in its page, for tests/jupyter."""

from __future__ import annotations

import dataclasses
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import event_files
import pytest
from browser import patience
from playwright import sync_api

PATIENCE_SECS = 60.0
TOKEN = "sesame"


@dataclasses.dataclass(frozen=True)
class Lab:
    """A running server. Notebooks lie in `folder`, logs in `folder/logs`."""

    folder: Path
    url: str  # as people see it, with a slash at the end
    user: tuple[str, str] = ("", "")  # of a JupyterHub: name and password


class Server:
    """`jupyter lab`, as root too, and without looking for anything on the network."""

    def __init__(self, folder: Path, base_url: str, variables: dict[str, str]) -> None:
        self.folder = folder
        write_logs(folder / "logs")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        words = ["--allow-root", "--no-browser", "--ip=127.0.0.1", f"--port={self.port}", "--ServerApp.port_retries=0"]
        words += [
            f"--IdentityProvider.token={TOKEN}",
            f"--ServerApp.root_dir={folder}",
            f"--ServerApp.base_url={base_url}",
        ]
        words += ["--ServerApp.allow_remote_access=True", "--LabApp.extension_manager=readonly"]
        words += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate", "--LabApp.news_url=None"]
        self._log = folder / "jupyter.log"
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab", *words], stdout=log, stderr=log, env={**os.environ, **variables}
            )
        self._status = f"http://127.0.0.1:{self.port}{base_url}api/status?token={TOKEN}"

    def __enter__(self) -> Server:
        end = time.monotonic() + PATIENCE_SECS
        while True:
            try:
                urllib.request.urlopen(self._status, timeout=5).close()
                return self
            except OSError:
                if self._process.poll() is not None or time.monotonic() > end:
                    pytest.fail(self._log.read_text(errors="replace")[-4000:])
                time.sleep(0.2)

    def __exit__(self, *exc: object) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE_SECS)


def write_logs(folder: Path) -> None:
    for run, factor in (("train", 1.0), ("validation", 1.5)):
        (folder / run).mkdir(parents=True)
        events = [event_files.version_event()]
        events += [event_files.scalar_event("loss", factor / step, step=step) for step in range(1, 40)]
        events += [event_files.scalar_event("accuracy", 1 - factor / (step + 1), step=step) for step in range(1, 40)]
        event_files.write(folder / run / "events.out.tfevents.1", events)


class Notebook:
    """A notebook in the page, driven as a person would."""

    def __init__(self, chromium: sync_api.Browser, lab: Lab, name: str, cells: list[str]) -> None:
        self.lab = lab
        self.path = lab.folder / name
        self.path.write_text(json.dumps(_document(cells)), encoding="utf-8")
        self.page = patience.new_page(chromium, viewport={"width": 1400, "height": 1000}, ignore_https_errors=True)
        self.context = self.page.context

    def open(self) -> None:
        """Until the kernel is idle: before that, running a cell does nothing."""
        open_page(self.page, self.lab, f"lab/tree/{self.path.name}?reset")
        accept = self.page.locator(".jp-Dialog .jp-mod-accept")
        idle = self.page.locator("#jp-main-statusbar").get_by_text("| Idle")
        sync_api.expect(accept.or_(idle).first).to_be_visible()
        if accept.is_visible():
            accept.click()
        sync_api.expect(idle.first).to_be_visible()

    def run(self, number: int) -> sync_api.Locator:
        """Run a cell (counted from 0) and give its output."""
        cell = self.page.locator(".jp-Notebook .jp-CodeCell").nth(number)
        before = cell.locator(".jp-InputPrompt").inner_text()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        prompt = cell.locator(".jp-InputPrompt")
        sync_api.expect(prompt).not_to_have_text(before)
        sync_api.expect(prompt).not_to_contain_text("*")
        return cell.locator(".jp-OutputArea")

    def save(self) -> dict[str, Any]:
        """What lies on the disk after saving, which is not done at one stroke."""
        before = self.path.stat().st_mtime_ns
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Control+s")
        end = time.monotonic() + PATIENCE_SECS
        while time.monotonic() < end:
            self.page.wait_for_timeout(50)
            if self.path.stat().st_mtime_ns != before:
                try:
                    found: dict[str, Any] = json.loads(self.path.read_text(encoding="utf-8"))
                    return found
                except ValueError:
                    pass
        pytest.fail("not saved")

    def reload(self) -> None:
        self.page.goto("about:blank")
        self.open()

    def close(self) -> None:
        self.context.close()


def open_page(page: sync_api.Page, lab: Lab, address: str) -> None:
    """`address` is one below that of the lab, with a query."""
    name, password = lab.user
    page.goto(f"{lab.url}{address}" + ("" if name else f"&token={TOKEN}"))
    if name and "/hub/login" in page.url:
        page.locator("#username_input").fill(name)
        page.locator("#password_input").fill(password)
        page.locator("#login_submit").click()
        page.wait_for_url(f"{lab.url}**")


def _document(cells: list[str]) -> dict[str, object]:
    made: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "id": f"cell{n}",
            "metadata": {},
            "outputs": [],
            "execution_count": None,
            "source": source,
        }
        for n, source in enumerate(cells)
    ]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def board_in(output: sync_api.Locator) -> sync_api.Frame:
    """The board's own page in a cell's output, once it shows something."""
    shown = output.locator(".lightboard-live iframe")
    shown.locator("visible=true").wait_for()  # those that are tried are not
    handle = shown.element_handle()
    frame = handle.content_frame()
    assert frame is not None
    frame.locator("#app > *").first.wait_for()
    patience.until(frame.page, lambda: frame.title() != "", "a title")
    return frame
