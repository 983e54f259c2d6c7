"""Screenshots of the hub's page for `docs/`: the hub of `lightboard hub demo`, as its people see it.

`make gallery` takes them with the others (`tools/gallery.py`), which has the scenes' type and how pictures are saved.
"""

from __future__ import annotations

import contextlib
import dataclasses
import pathlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator

import gallery
from playwright import sync_api

PASSWORD = "demo password"
# no row, progress or check that is still loading
STILL = """() => {
    const busy = document.querySelector('[aria-busy="true"], .board-row--skeleton') !== null;
    return document.querySelector("main") !== null && document.fonts.status === "loaded" && !busy;
}"""


@dataclasses.dataclass(frozen=True)
class HubScene(gallery.Scene):
    user: str = "ann"
    # text, and an element, that are shown at last
    awaits: str = ""
    shows: str = ""


def board(name: str) -> Callable[[sync_api.Page], None]:
    """Opens the page of a board."""

    def act(page: sync_api.Page) -> None:
        page.get_by_role("link", name=name).first.click()
        page.get_by_role("heading", name=name).first.wait_for()

    return act


def create(page: sync_api.Page) -> None:
    page.keyboard.press("c")
    page.get_by_test_id("uri-1").fill("pvc://models/digits")
    page.get_by_text(re.compile("Found|找到")).first.wait_for()


SCENES = (
    HubScene(
        "hub-boards",
        "A hub",
        "All boards of a team: what they are doing, when they pause, what they cannot read.",
        "#/boards",
        1440,
        520,
        user="admin",
        awaits="sweep for the paper",
        shows=".board-row__problem",
        more="howto/hub-start.md",
    ),
    HubScene(
        "hub-boards-zh",
        "A hub, dark, in Chinese",
        "As a member of one workspace sees it.",
        "#/boards",
        1440,
        520,
        dark=True,
        chinese=True,
        user="chen",
        awaits="翻译",
        shows=".board-row__problem",
        more="howto/hub-add-people.md",
    ),
    HubScene(
        "hub-create",
        "A new board",
        "The dialog shows what it finds while you type.",
        "#/boards",
        act=create,
        awaits="digits",
        more="howto/hub-start.md",
    ),
    HubScene(
        "hub-board",
        "A board that could not start",
        "Its state, what to do, and what happened to it; dark, in Chinese.",
        "#/boards",
        dark=True,
        chinese=True,
        user="chen",
        act=board("评测"),
        awaits="评测",
        more="explanation/life-of-a-board.md",
    ),
    HubScene(
        "hub-sources",
        "Two sources, one of them down",
        "The reason is shown; the other source works.",
        "#/boards",
        user="chen",
        act=board("翻译"),
        awaits="翻译",
        more="howto/hub-connect-a-bucket.md",
    ),
    HubScene(
        "hub-secrets",
        "Keys of buckets",
        "Saved once, tried, encrypted, and never shown again.",
        "#/workspaces/language?tab=secrets",
        height=560,
        awaits="minio",
        more="howto/hub-connect-a-bucket.md",
    ),
    HubScene(
        "hub-admin",
        "The hub at a glance",
        "For its admins: boards, people, workspaces, settings, the audit log; here in Chinese.",
        "#/admin",
        height=560,
        chinese=True,
        user="admin",
        awaits="调度进程",
        more="howto/hub-add-people.md",
    ),
    HubScene(
        "hub-phone",
        "A hub on a telephone",
        "390 pixels wide, dark.",
        "#/boards",
        390,
        844,
        dark=True,
        user="ben",
        awaits="sweep for the paper",
    ),
)


def take_all(browser: sync_api.Browser, folder: pathlib.Path, wanted: set[str]) -> None:
    chosen = [each for each in SCENES if not wanted or each.name in wanted]
    if not chosen:
        return
    with running_hub(folder) as url:
        for scene in chosen:
            _take(browser, scene, url)
            print(f"docs/images/{scene.name}.png")


@contextlib.contextmanager
def running_hub(folder: pathlib.Path) -> Iterator[str]:
    """The demo's hub; yields its address."""
    command = [sys.executable, "-m", "lightboard", "hub", "demo", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            found = re.search(r" at (http\S+/) ", process.stdout.readline())
            if found is None:
                raise SystemExit("error: the hub did not start")
            yield found[1]
        finally:
            process.terminate()


def _take(browser: sync_api.Browser, scene: HubScene, url: str) -> None:
    context = gallery.new_context(browser, scene)
    sign_in = {"name": scene.user, "password": PASSWORD}
    answer = context.request.post(f"{url}api/v1/session", data=sign_in, headers={"Origin": url.rstrip("/")})
    if not answer.ok:
        raise SystemExit(f"error: {scene.user} cannot sign in: {answer.text()}")
    page = context.new_page()
    complaints = gallery.complaints_of(page)
    flying = gallery.requests_of(page)
    page.goto(url + scene.address)
    page.wait_for_function(STILL)
    scene.act(page)
    if scene.awaits:
        page.get_by_text(scene.awaits).first.wait_for()
    if scene.shows:
        page.locator(scene.shows).first.wait_for()
    page.wait_for_function(STILL)
    gallery.save(gallery.look(page, flying), gallery.IMAGES / f"{scene.name}.png")
    context.close()
    if complaints:
        raise SystemExit(f"error: {scene.name}: the page complained: {complaints}")
