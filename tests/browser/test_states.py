"""What the page shows where there is nothing to see, and how it lives with logs and a server that come, grow and go."""

from __future__ import annotations

import json
import pathlib
import re
import urllib.parse

import board_process
import event_files
import pytest
from browser import conftest, patience
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect


def write(folder: pathlib.Path, run: str = "train", tag: str = "loss", wall_time: float = event_files.WALL) -> None:
    events = event_files.scalars(tag, [2.0, 1.0], wall_time=wall_time)
    event_files.write(folder / run / "events.out.tfevents.1", events)


def start(*words: str | pathlib.Path, port: str = "0") -> board_process.Process:
    return board_process.Process(*words, "--port", port)


def live(page: sync_api.Page) -> sync_api.Locator:
    return page.get_by_test_id("live")


def leave(page: sync_api.Page) -> None:
    """Before the board stops: answers that are amended on their way would never come."""
    page.unroute_all(behavior="ignoreErrors")
    page.goto("about:blank")


def note_toasts(page: sync_api.Page) -> None:
    """They go by themselves, perhaps before a test has looked: `window.toasts` keeps their words."""
    page.evaluate(
        """() => {
            window.toasts = "";
            const look = () => { for (const one of document.querySelectorAll(".toast")) toasts += one.textContent; };
            new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
        }"""
    )


# ---- nothing to see


def test_an_empty_board_says_where_it_looked_and_fills_by_itself(
    open_page: conftest.OpenPage, tmp_path: pathlib.Path
) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    with start("--logdir", tmp_path) as board:
        page.goto(board.url)
        expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text(f"{tmp_path}no event files")
        page.get_by_role("tab", name="PyTorch").click()
        page.get_by_role("button", name="Copy").click()
        patience.until(
            page, lambda: "torch.utils.tensorboard" in patience.text_of_clipboard(page), "the snippet on the clipboard"
        )
        assert f'"{tmp_path}/first"' in patience.text_of_clipboard(page)
        write(tmp_path)
        expect(page.locator("[data-run=train]")).to_be_visible()
        expect(page.get_by_role("heading", name="No runs yet")).to_be_hidden()


def test_the_logging_snippet_runs(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with start("--logdir", tmp_path) as board:
        page.goto(board.url)
        code = page.locator(".snippet pre").inner_text()
        exec(code, {})
        expect(page.locator("[data-run=first]")).to_be_visible()


def test_a_wrong_path_is_named_and_watched(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with start("--logdir", tmp_path / "later") as board:
        page.goto(board.url)
        expect(page.get_by_role("heading", name="The log directory does not exist")).to_be_visible()
        expect(page.get_by_role("alert")).to_contain_text(str(tmp_path / "later"))
        write(tmp_path / "later")
        expect(page.locator("[data-run=train]")).to_be_visible()


@pytest.mark.parametrize(
    ("problem", "heading"),
    [("permission", "没有权限读取日志目录"), ("not_directory", "无法读取日志目录")],
)
def test_other_troubles_with_the_path_have_their_own_page(
    open_page: conftest.OpenPage, tmp_path: pathlib.Path, problem: str, heading: str
) -> None:
    """The answer is amended on its way: tests may run as a user who may read everything."""
    page = open_page(locale="zh-CN")

    def amend(route: sync_api.Route) -> None:
        answer = route.fetch()
        told = json.loads(answer.text())
        told["places"][0] |= {"problem": problem, "detail": "said by the system", "code": ""}
        route.fulfill(response=answer, json=told)

    page.route("**/api/board", amend)
    with start("--logdir", tmp_path) as board:
        page.goto(board.url)
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        page.get_by_text("系统返回的信息").click()
        expect(page.get_by_text("said by the system")).to_be_visible()
        leave(page)


def test_a_filter_that_matches_nothing_can_be_cleared(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path)
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("train")
        page.goto(f"{board.url}#timeseries?runFilter=nobody")
        expect(page.get_by_role("heading", name="No run matches the filter")).to_be_visible()
        expect(page.locator("[data-notice=no-match]")).to_contain_text("“nobody” matches none of 1 runs")
        page.get_by_role("button", name="Clear filter", exact=True).click()
        expect(page.locator('[data-card="loss"]')).to_be_visible()


def test_hidden_runs_can_be_shown_again(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path)
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("train")
        page.goto(board.url)
        page.locator("[data-run=train] input[type=checkbox]").uncheck()
        expect(page.get_by_role("heading", name="All runs are hidden")).to_be_visible()
        page.get_by_role("button", name="Show all runs").click()
        expect(page.locator('[data-card="loss"]')).to_be_visible()


def test_logs_without_scalars_lead_to_what_they_have(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    event_files.write(tmp_path / "a/events.out.tfevents.1", [event_files.text_event("note", ["hi"])])
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("a")
        page.goto(board.url)
        expect(page.get_by_role("heading", name="No scalars in these logs")).to_be_visible()
        page.get_by_role("main").get_by_role("button", name="Text").click()
        expect(page).to_have_url(re.compile("#text"))


def write_damaged(folder: pathlib.Path) -> None:
    write(folder)
    file = folder / "train/events.out.tfevents.1"
    good = file.read_bytes()
    file.write_bytes(good[:20] + b"\xff" + good[21:])


def test_damage_is_shown_with_file_place_and_reason(open_page: conftest.OpenPage, tmp_path: pathlib.Path) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    write_damaged(tmp_path)
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("train")
        page.goto(board.url)
        page.get_by_test_id("faults").click()
        health = page.get_by_test_id("health")
        expect(health).to_contain_text("train/events.out.tfevents.1")
        expect(health).to_contain_text("at byte")
        health.get_by_role("button", name="Copy as text").click()
        expect(health.get_by_role("button", name="Copied")).to_be_visible()
        assert "train/events.out.tfevents.1" in patience.text_of_clipboard(page)


def test_a_chinese_page_explains_damage_and_filters_in_chinese(
    open_page: conftest.OpenPage, tmp_path: pathlib.Path, forgiven: list[str]
) -> None:
    forgiven.append("status of 400")
    page = open_page(locale="zh-CN")
    write_damaged(tmp_path)
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("train")
        page.goto(board.url)
        page.get_by_test_id("faults").click()
        health = page.get_by_test_id("health")
        expect(health).to_contain_text("记录的校验和与数据不符，已跳过")
        page.keyboard.press("Escape")
        page.get_by_test_id("run-filter").fill("hparams.lr <")
        expect(page.locator(".filter-box__error").first).to_contain_text("筛选条件尚未输入完整")
        page.get_by_test_id("run-filter").fill("hparams.nothing < 2")
        expect(page.locator(".filter-box__error").first).to_contain_text("没有运行含有名为“nothing”的超参数")


# ---- a server that is slow, strict or gone


def test_progress_is_told_in_bytes_and_runs(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    """Small logs are read before a page opens: the answers are amended to a moment that passes too quickly."""
    reading = {"done": False, "bytes_read": 1.2e9, "bytes_total": 4.8e9, "runs_read": 31, "runs_total": 50}

    def amend(route: sync_api.Route) -> None:
        answer = route.fetch()
        told = json.loads(answer.text())
        told["progress"] |= reading
        route.fulfill(response=answer, json=told)

    page.route("**/api/board", amend)
    page.route("**/api/events*", lambda route: route.abort())
    with start("--logdir", tmp_path) as board:
        page.goto(board.url)
        expect(page.get_by_role("main")).to_contain_text("Reading 1.2 of 4.8 GB, 31 of 50 runs")
        expect(page.get_by_role("progressbar")).to_have_attribute("aria-valuenow", "25")
        leave(page)


@pytest.fixture(autouse=True)
def forgive_network(forgiven: list[str]) -> None:
    """Browsers report every request that fails, also those that are meant to."""
    forgiven.append("Failed to load resource")
    forgiven.append("net::ERR_")


def test_a_server_that_goes_is_told_and_one_that_returns_is_used(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path)
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("train")
        page.goto(board.url)
        expect(live(page)).to_have_attribute("data-state", "live")
        expect(live(page)).to_contain_text("Updated")
        port = str(urllib.parse.urlsplit(board.url).port)
        note_toasts(page)
        board.stop()
        expect(live(page)).to_have_attribute("data-state", "lost")
        expect(page.get_by_text("The data on screen stays.")).to_be_visible()
        # what was seen stays
        expect(page.locator("[data-run=train]")).to_be_visible()
        expect(page.locator('[data-card="loss"]')).to_be_visible()
    write(tmp_path, "second", tag="accuracy")
    with start("--logdir", tmp_path, port=port) as board:
        board.wait_for_runs("second")
        expect(live(page)).to_have_attribute("data-state", "live")
        expect(page.locator("[data-run=second]")).to_be_visible()
        expect(page.locator('[data-card="accuracy"]')).to_be_visible()
        page.wait_for_function("() => toasts.includes('Reconnected')")
        expect(page.get_by_text("The data on screen stays.")).to_be_hidden()


def test_a_server_that_is_not_there_yet_is_waited_for(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path)
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("train")
        page.route("**/api/**", lambda route: route.abort())
        page.goto(board.url)
        expect(page.get_by_role("heading", name="The server is not responding")).to_be_visible()
        page.unroute("**/api/**")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator("[data-run=train]")).to_be_visible()
        expect(live(page)).to_have_attribute("data-state", "live")


def test_a_page_whose_token_no_longer_counts_asks_for_it(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path)
    with start("--logdir", tmp_path, "--token", "sesame") as board:
        page.goto(f"{board.url.partition('?')[0]}?token=sesame")
        expect(page.locator("[data-run=train]")).to_be_visible()
        # the page is there, the cookie is not: as after a restart with another token
        page.context.clear_cookies()
        page.route(re.compile(r"^(?!.*/api/)"), lambda route: route.continue_(headers=with_token(route.request)))
        page.reload()
        expect(page.get_by_role("heading", name="This board requires a token")).to_be_visible()
        page.unroute_all()
        page.get_by_label("Token").fill("sesame")
        page.keyboard.press("Enter")
        expect(page.locator("[data-run=train]")).to_be_visible()
        assert "sesame" not in page.url


def with_token(request: sync_api.Request) -> dict[str, str]:
    return {**request.headers, "authorization": "Bearer sesame"}


# ---- live


def test_only_what_changed_is_asked_for(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path, "run2")
    write(tmp_path, "run10")
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("run2", "run10")
        page.goto(board.url)
        expect(live(page)).to_have_attribute("data-state", "live")
        asked: list[tuple[str, str | None]] = []
        page.on("request", lambda request: asked.append((request.url.rpartition("/")[2], request.post_data)))
        write(tmp_path, "run3", tag="accuracy")
        expect(page.locator("[data-run=run3]")).to_be_visible()
        expect(page.locator('[data-card="accuracy"]')).to_be_visible()
        patience.eventually(page, run_names, ["run2", "run3", "run10"])
        lists = [body for name, body in asked if name in ("runs", "tags")]
        assert lists
        assert all(body is not None and "since" in body for body in lists)


def run_names(page: sync_api.Page) -> list[str]:
    found: list[str] = page.locator("[data-run]").evaluate_all("rows => rows.map(row => row.dataset.run)")
    return found


def test_a_run_that_goes_takes_its_tags_along(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path, "stays")
    write(tmp_path, "goes", tag="accuracy")
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("stays", "goes")
        page.goto(board.url)
        expect(page.locator('[data-card="accuracy"]')).to_be_visible()
        (tmp_path / "goes/events.out.tfevents.1").unlink()
        expect(page.locator("[data-run=goes]")).to_have_count(0)
        expect(page.locator('[data-card="accuracy"]')).to_have_count(0)
        expect(page.locator('[data-card="loss"]')).to_be_visible()


def test_a_hidden_tab_asks_for_nothing_and_catches_up(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    write(tmp_path)
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("train")
        page.goto(board.url)
        expect(live(page)).to_have_attribute("data-state", "live")
        patience.still(page)
        hide(page, True)
        expect(live(page)).to_have_attribute("data-state", "resting")
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        write(tmp_path, "meanwhile")
        board.wait_for_runs("train", "meanwhile")
        board.wait_for_points("meanwhile", "loss", 2)
        # news is pushed within a second
        page.wait_for_timeout(1500)
        assert asked == []
        hide(page, False)
        expect(page.locator("[data-run=meanwhile]")).to_be_visible()
        expect(live(page)).to_have_attribute("data-state", "live")
        assert len([url for url in asked if url.endswith("/api/runs")]) == 1


def hide(page: sync_api.Page, hidden: bool) -> None:
    page.evaluate(
        """hidden => {
          Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        hidden,
    )


def test_of_very_many_runs_the_newest_are_ticked(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    for number in range(520):
        write(tmp_path, f"run{number}", wall_time=event_files.WALL + number)
    with start("--logdir", tmp_path) as board:
        board.wait_for_runs("run519")
        page.goto(board.url)
        expect(page.locator("[data-kind=runs]")).to_have_attribute("title", "520 runs")
        expect(page).to_have_url(re.compile("showOnly=1"))
        page.get_by_test_id("run-filter").fill("run51[0-9]")
        boxes = page.locator("[data-run^=run51] input[type=checkbox]")
        expect(boxes).to_have_count(10)
        expect(page.locator("[data-run^=run51] input[type=checkbox]:checked")).to_have_count(10)
