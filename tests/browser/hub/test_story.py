"""The life of a board, told in Chromium: a real hub, real board processes, a clock that the test moves.

The first admin creates a board over a volume and opens it. After an hour without use it is idle, after another day it
is stopped; it is resumed by a button and by its link; the sixth active board is refused until another one is stopped.

The page's `Date` has the hub's clock. Waits of the page and of the hub (timers, limits of requests) are real. With
LIGHTBOARD_STORY_PICTURES in the environment (`make gallery`) the steps are pictures in that directory.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import pathlib
import re
from collections.abc import Iterator

import event_files
import gallery
import gallery_story
import pytest
from browser import cards, conftest, patience
from browser.hub import clock_hub
from playwright import sync_api

pytestmark = [pytest.mark.browser, pytest.mark.whole_hub]

expect = sync_api.expect
WIDTH, HEIGHT = 1440, 600
HOUR = 3600.0
VOLUME = "training-pvc"
RUNS = ("lr=0.1", "lr=0.03", "lr=0.01")
# what the hub does after a use: it asks the board again within this time (`life.steps.POLL_SECS`)
LOOK_SECS = 31.0
# what it waits for after a long time without a look (`life.steps.WINDOW_SECS`)
WINDOW_SECS = 61.0
SHIFTED_DATE = """
    const Real = Date;
    const key = "story.shift";
    const ahead = () => {
        try {
            return Number(localStorage.getItem(key) ?? FIRST);
        } catch {
            return FIRST;
        }
    };
    globalThis.Date = class Date extends Real {
        constructor(...given) {
            super(...(given.length === 0 ? [Real.now() + ahead()] : given));
        }
        static now() {
            return Real.now() + ahead();
        }
    };
"""
# the page's clock ticks when somebody comes back to it
MOVE = """(shift) => {
    localStorage.setItem("story.shift", String(shift));
    document.dispatchEvent(new Event("visibilitychange"));
}"""


@dataclasses.dataclass(frozen=True)
class Words:
    """What is read in a language; everything else is found by names that no language changes."""

    locale: str
    user: str
    boards: tuple[str, ...]
    empty: str
    found: str
    type: str
    states: dict[str, str]
    unused: str
    day: str
    day_and_hour: str
    active: str
    waking: str
    full: str


WORDS = {
    "en": Words(
        locale="en-US",
        user="ann",
        boards=("resnet50", "translation", "speech", "detection", "ranking", "segmentation"),
        empty="No boards yet",
        found="Found 3 runs in 3 files",
        type="Volume",
        states={"Running": "Running", "Idle": "Idle", "Stopped": "Stopped"},
        unused="not used",
        day=r"1 d|23 h 5\d min",
        day_and_hour=r"1 d( 1 h)?",
        active="{} of 5 boards active",
        waking="The board is starting",
        full="5 of 5 boards are active",
    ),
    "zh": Words(
        locale="zh-CN",
        user="chen",
        boards=("图像分类", "机器翻译", "语音识别", "目标检测", "推荐排序", "图像分割"),
        empty="还没有看板",
        found="找到 3 个运行，3 个文件",
        type="存储卷",
        states={"Running": "运行中", "Idle": "空闲", "Stopped": "已停止"},
        unused="长时间未使用",
        day=r"1 天|23 小时 5\d 分钟",
        day_and_hour=r"1 天( 1 小时)?",
        active="活跃看板 {} / 5",
        waking="看板正在启动",
        full="活跃看板已达 5 / 5",
    ),
}


class Camera:
    """Takes pictures for the gallery, if they are wanted."""

    def __init__(self, language: str) -> None:
        self._folder, self._language = os.environ.get(gallery_story.VARIABLE, ""), language

    def take(self, page: sync_api.Page, name: str) -> None:
        picture = next(each for each in gallery_story.PICTURES if each.name == name)
        if not self._folder:
            return
        page.mouse.move(0, 0)
        expect(page.locator(".toast")).to_have_count(0)
        expect(page.locator('[aria-busy="true"]')).to_have_count(0)
        page.set_viewport_size({"width": WIDTH, "height": picture.height})
        taken = gallery.look(page, set())
        gallery.save(taken, pathlib.Path(self._folder) / f"{picture.file(self._language)}.png")
        page.set_viewport_size({"width": WIDTH, "height": HEIGHT})


class Story:
    def __init__(
        self, hub: clock_hub.ClockHub, page: sync_api.Page, words: Words, camera: Camera, logs: pathlib.Path
    ) -> None:
        self.hub, self.page, self.words, self.camera, self.logs = hub, page, words, camera, logs
        self.first = words.boards[0]
        page.context.add_init_script(f"{{{SHIFTED_DATE.replace('FIRST', str(hub.shift * 1000))}}}")

    def part(self, name: str) -> sync_api.Locator:
        return self.page.get_by_test_id(name)

    def row(self, name: str) -> sync_api.Locator:
        return self.page.get_by_role("row", name=name, exact=True)

    def cell(self, name: str, column: str) -> sync_api.Locator:
        return self.row(name).locator(f'[data-cell="{column}"]')

    def id(self, name: str) -> str:
        return self.row(name).get_attribute("data-board") or ""

    def is_now(self, name: str, state: str) -> None:
        """The list shows it by itself."""
        expect(self.row(name)).to_have_attribute("data-state", state)
        expect(self.cell(name, "state")).to_contain_text(self.words.states[state])

    def uses_slots(self, count: int) -> None:
        expect(self.part("quota")).to_have_text(self.words.active.format(count))

    def later(self, secs: float) -> None:
        self.page.evaluate(MOVE, (self.hub.shift + secs) * 1000)
        self.hub.advance(secs)

    def lists(self) -> None:
        self.page.goto(f"{self.hub.url}/#/boards")

    @contextlib.contextmanager
    def opened(self, name: str) -> Iterator[sync_api.Page]:
        """Somebody clicks the link of a board, and closes its tab when the page has told the board that it is used."""
        reports: list[str] = []

        def heard(request: sync_api.Request) -> None:
            if request.method == "POST" and request.url.endswith("/api/activity"):
                reports.append(request.url)

        self.page.context.on("requestfinished", heard)
        with self.page.expect_popup() as opening:
            self.part(f"open-{self.id(name)}").click()
        tab = opening.value
        yield tab
        patience.until(tab, lambda: reports, "a report of the page that it is visible")
        self.page.context.remove_listener("requestfinished", heard)
        tab.close()

    def shows_curves(self, tab: sync_api.Page) -> None:
        for tag in ("accuracy", "loss"):
            cards.wait_drawn(tab, tag)
        expect(tab.locator(".run-sidebar")).to_contain_text(RUNS[0])

    # -- chapters

    def the_first_admin_finds_an_empty_list(self) -> None:
        page = self.page
        page.goto(self.hub.link)
        page.locator("input[name=username]").fill(self.words.user)
        page.locator("input[name=password]").fill("a long password")
        self.part("submit").click()
        expect(page.get_by_role("heading", name=self.words.empty)).to_be_visible()
        self.camera.take(page, "empty")

    def creates_a_board_over_a_volume(self) -> None:
        self.fill_dialog(self.first, "log")
        expect(self.page.locator("[data-tone=good]")).to_contain_text(self.words.found)
        self.camera.take(self.page, "create")
        self.part("create-submit").click()
        expect(self.page.locator("main.board")).to_have_attribute("data-state", "Running")
        self.lists()

    def fill_dialog(self, name: str, directory: str) -> None:
        self.lists()
        self.page.keyboard.press("c")
        self.part("uri-1").fill(f"t9k://pvc/{VOLUME}/{directory}")
        self.part("board-name").fill(name)

    def the_list_says_what_it_is(self) -> None:
        """Columns of a management page: link, status, type, data source with the path of its logs, workspace, time of
        creation."""
        self.is_now(self.first, "Running")
        for column, text in (
            ("name", self.first),
            ("type", self.words.type),
            ("sources", f"t9k://pvc/{VOLUME}/log"),
            ("workspace", self.words.user),
            ("owner", self.words.user),
            ("created", "09:0"),
        ):
            expect(self.cell(self.first, column)).to_contain_text(text)
        expect(self.cell(self.first, "pauses")).to_have_text(re.compile(f"^({self.words.day_and_hour})$"))
        address = f"{self.hub.url}/boards/{self.id(self.first)}/"
        expect(self.part(f"open-{self.id(self.first)}")).to_have_attribute("href", address)
        self.uses_slots(1)
        self.camera.take(self.page, "running")

    def its_link_shows_curves(self) -> None:
        with self.opened(self.first) as tab:
            self.shows_curves(tab)
            self.camera.take(tab, "curves")

    def an_hour_later_it_is_idle(self) -> None:
        self.later(HOUR)
        self.is_now(self.first, "Idle")
        expect(self.cell(self.first, "pauses")).to_have_text(re.compile(f"^({self.words.day})$"))
        self.camera.take(self.page, "idle")

    def a_use_makes_it_run_again(self) -> None:
        with self.opened(self.first) as tab:
            self.shows_curves(tab)
        self.later(LOOK_SECS)
        self.is_now(self.first, "Running")

    def a_day_of_disuse_stops_it(self) -> None:
        """The clock jumps, as after a night in which the machine slept: the hub first sees that it is idle, and waits a
        minute for pages that are open somewhere."""
        self.later(25 * HOUR)
        self.is_now(self.first, "Idle")
        self.later(WINDOW_SECS)
        self.is_now(self.first, "Stopped")
        expect(self.cell(self.first, "state")).to_contain_text(self.words.unused)
        expect(self.cell(self.first, "pauses")).to_have_text("")
        self.uses_slots(0)
        self.camera.take(self.page, "reclaimed")

    def a_button_resumes_it_with_its_index(self) -> None:
        """What was read is not read again: zeros are in the files now, at the same length and time."""
        for path in self.logs.glob("log/*/events*"):
            status = path.stat()
            with path.open("r+b") as file:
                file.write(bytes(status.st_size))
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
        self.part(f"start-{self.id(self.first)}").click()
        self.is_now(self.first, "Running")
        with self.opened(self.first) as tab:
            self.shows_curves(tab)

    def the_link_of_a_stopped_board_wakes_it(self) -> None:
        second = self.words.boards[1]
        for number, name in enumerate(self.words.boards[1:5], 1):
            self.create_by_api(name, f"more/{number}")
            self.is_now(name, "Running")
        self.part(f"stop-{self.id(second)}").click()
        self.is_now(second, "Stopped")
        with contextlib.ExitStack() as held:
            held.enter_context(self.hub.held_boards())
            with self.opened(second) as tab:
                expect(tab.get_by_role("heading", name=self.words.waking)).to_be_visible()
                self.camera.take(tab, "waking")
                held.close()
                cards.wait_drawn(tab, "loss")
        self.is_now(second, "Running")

    def create_by_api(self, name: str, directory: str) -> None:
        """As the page does."""
        request, api = self.page.request, f"{self.hub.url}/api/v1"
        headers = {"Origin": self.hub.url, "X-Lightboard-CSRF": request.get(f"{api}/me").json()["csrf"]}
        data = {"name": name, "uri": f"t9k://pvc/{VOLUME}/{directory}"}
        answer = request.post(f"{api}/boards", data=data, headers=headers)
        assert answer.ok, answer.text()

    def the_sixth_board_takes_the_place_of_another(self) -> None:
        *others, sixth = self.words.boards
        ids = {name: self.id(name) for name in others}
        self.uses_slots(5)
        self.fill_dialog(sixth, "more/5")
        self.part("create-submit").click()
        dialog = self.part("limit")
        expect(dialog).to_contain_text(self.words.full)
        for name in others:
            expect(dialog).to_contain_text(name)
        self.camera.take(self.page, "limit")
        self.part(f"limit-stop-{ids[others[2]]}").click()
        expect(self.page.locator("main.board")).to_have_attribute("data-state", "Running")
        self.lists()
        self.is_now(sixth, "Running")
        self.is_now(others[2], "Stopped")
        self.uses_slots(5)


def write_logs(folder: pathlib.Path) -> None:
    """Three runs, and five directories with one each; ten minutes old."""
    runs = [*(folder / "log" / run for run in RUNS), *(folder / "more" / str(each) / "run" for each in range(1, 6))]
    for number, run in enumerate(runs):
        path = run / "events.out.tfevents.1"
        wall_time = clock_hub.BEGIN - 900
        noise = [0.04 * math.sin(1.7 * step * step) for step in range(200)]
        loss = [2.4 * math.exp(-step / (12 + 9 * number)) + 0.1 * (number + 1) + noise[step] for step in range(200)]
        accuracy = [1 - value / 2.8 for value in loss]
        event_files.write(
            path,
            [
                *event_files.scalars("loss", loss, wall_time=wall_time),
                *event_files.scalars("accuracy", accuracy, wall_time=wall_time),
            ],
        )
        os.utime(path, (clock_hub.BEGIN - 600, clock_hub.BEGIN - 600))


@pytest.fixture
def forgiven(forgiven: list[str]) -> list[str]:
    """Browsers write refusals to the console; pages show them."""
    return [*forgiven, r"status of 4\d\d"]


@pytest.mark.parametrize("language", gallery_story.LANGUAGES)
def test_a_board_lives_sleeps_and_wakes(language: str, tmp_path: pathlib.Path, open_page: conftest.OpenPage) -> None:
    logs, words = tmp_path / "volume", WORDS[language]
    write_logs(logs)
    page = open_page(
        locale=words.locale, timezone_id="UTC", viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce"
    )
    with clock_hub.running(tmp_path, claims={VOLUME: logs}) as hub:
        story = Story(hub, page, words, Camera(language), logs)
        story.the_first_admin_finds_an_empty_list()
        story.creates_a_board_over_a_volume()
        story.the_list_says_what_it_is()
        story.its_link_shows_curves()
        story.an_hour_later_it_is_idle()
        story.a_use_makes_it_run_again()
        story.a_day_of_disuse_stops_it()
        story.a_button_resumes_it_with_its_index()
        story.the_link_of_a_stopped_board_wakes_it()
        story.the_sixth_board_takes_the_place_of_another()
