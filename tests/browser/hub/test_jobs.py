"""The hub's pages of jobs in Chromium, with a real hub and real programs under `lightboard run`.

States and reports are decided by the hub and the runner, and tested there; here it is that the page shows them, follows
them, and lets people stop, remove and gather jobs. Ends that a program cannot choose (out of memory, a lost runner) are
reported as a runner would report them.
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import event_files
import pytest
from browser import conftest, patience
from browser.hub import visits
from browser.hub.visits import Person, Site, Visit
from hub import hubs
from playwright import sync_api

pytestmark = [pytest.mark.browser, pytest.mark.whole_hub]

expect = sync_api.expect
TRACE = "\x1b[31mTraceback\x1b[0m (most recent call last):\n<b>not html</b>\nValueError: 坏的输入\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("hub")
    event_files.write(folder / "logs" / "a" / "events.out.tfevents.1", event_files.scalars("loss", [2.0, 1.0]))
    event_files.write(folder / "logs" / "b" / "events.out.tfevents.1", event_files.scalars("loss", [3.0, 1.0]))
    with hubs.running(folder / "kept", "--allow_root", str(folder / "logs")) as hub:
        yield Site(hub, folder / "logs")


@pytest.fixture
def forgiven(forgiven: list[str]) -> list[str]:
    """Browsers write refusals to the console; pages show them."""
    return [*forgiven, r"status of 4\d\d"]


@pytest.fixture
def visit(site: Site, page: sync_api.Page) -> Visit:
    return site.person().signs_in(page)


def register(person: Person, name: str, **members: Any) -> Any:
    body = {"name": name, "command": ["python", "train.py"], "heartbeat_secs": 600, "board": "none", **members}
    return person.ask("POST", "jobs", json=body)


def report(person: Person, job: Any, **members: Any) -> None:
    person.ask("POST", f"jobs/{job['id']}:report", json=members)


def prints(person: Person, job: Any, data: bytes, offset: int = 0) -> None:
    headers = {"Content-Type": "application/octet-stream"}
    answer = person.site.hub.request(
        "POST", f"/api/v1/jobs/{job['id']}/log?offset={offset}", token=person.token, content=data, headers=headers
    )
    assert answer.status_code == 200, answer.text


def run(person: Person, program: str, *flags: str, folder: pathlib.Path) -> subprocess.Popen[bytes]:
    """A real `lightboard run` of a Python program."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}
    variables = {
        "LIGHTBOARD_HUB": person.site.hub.url,
        "LIGHTBOARD_HUB_TOKEN": person.token,
        "HOME": str(folder),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    words = [sys.executable, "-m", "lightboard", "run", *flags, "--", sys.executable, "-u", "-c", program]
    return subprocess.Popen(
        words, cwd=folder, env={**own, **variables}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


# -- programs


def test_a_program_appears_runs_is_followed_and_stopped_on_the_page(visit: Visit, tmp_path: pathlib.Path) -> None:
    page, person = visit.page, visit.person
    visit.open("#/jobs")
    expect(page.get_by_role("heading", name="No jobs yet")).to_be_visible()
    expect(page.locator("code").filter(has_text="lightboard run -- python train.py")).to_be_visible()
    program = "import time\nfor step in range(100000):\n    print('step', step); time.sleep(0.05)\n"
    process = run(person, program, "--name", "long one", "--label", "team=a", "--no_figures", folder=tmp_path)
    try:
        expect(visit.cell("long one", "state")).to_contain_text("Running")
        expect(visit.cell("long one", "labels")).to_contain_text("team=a")
        visit.row("long one").get_by_role("link", name="long one").click()
        expect(page.locator("main.job")).to_have_attribute("data-state", "Running")
        expect(visit.part("rerun")).to_contain_text("lightboard run --name 'long one'")
        page.get_by_role("tab", name="Log").click()
        log = visit.part("log")
        expect(log).to_contain_text("step 0")
        shown = page.locator(".log__count").inner_text()
        expect(page.locator(".log__count")).not_to_have_text(shown)
        visit.part("stop").click()
        visit.part("bulk-confirm").click()
        visit.heard("Stopping long one")
        expect(page.locator("main.job")).to_have_attribute("data-state", "Stopped")
        expect(page.locator(".detail__title")).to_contain_text(f"by {person.name}")
    finally:
        process.terminate()
        process.communicate(timeout=hubs.PATIENCE_SECS)


def test_a_program_that_fails_says_why(visit: Visit, tmp_path: pathlib.Path) -> None:
    page, person = visit.page, visit.person
    process = run(
        person, f"print({TRACE!r}, end='', flush=True); raise SystemExit(3)", "--name", "broken", folder=tmp_path
    )
    process.communicate(timeout=hubs.PATIENCE_SECS)
    visit.open("#/jobs")
    expect(visit.cell("broken", "state")).to_have_text(re.compile("Failed.*exit code 3"))
    visit.row("broken").click()
    expect(visit.part("failed")).to_contain_text("The program ended with exit code 3.")
    expect(visit.part("log-tail")).to_contain_text("ValueError: 坏的输入")
    page.get_by_text("See the end of the log").click()
    expect(visit.part("log")).to_contain_text("<b>not html</b>")
    assert page.locator(".ink-1").first.inner_text() == "Traceback"


# -- ends that a program does not choose


def test_every_end_of_a_job_is_said_in_words(visit: Visit) -> None:
    person = visit.person
    now = time.time()
    ends: dict[str, tuple[dict[str, Any], str]] = {
        "good": ({"exit_code": 0}, "Succeeded"),
        "memory": ({"signal": "SIGKILL", "out_of_memory": True}, "Failed out of memory"),
        "segment": ({"signal": "SIGSEGV"}, "Failed SIGSEGV: invalid memory access"),
        "missing": ({"exit_code": 127, "message": "python3.99: not found"}, "Failed not started"),
        "unknown": ({}, "Failed exit code unknown"),
    }
    for name, (members, _) in ends.items():
        report(
            person,
            register(person, name),
            ended=now,
            **{key: each for key, each in members.items() if each is not None},
        )
    visit.open("#/jobs")
    for name, (_, text) in ends.items():
        words = [re.escape(each) for each in text.split(" ", 1)]
        expect(visit.cell(name, "state")).to_have_text(re.compile("^" + r"\s*".join(words) + "$"))
    visit.part("filter-state").select_option("Failed")
    expect(visit.row("good")).to_have_count(0)
    expect(visit.row("memory")).to_be_visible()


def test_a_lost_job_is_marked_and_found_again(visit: Visit) -> None:
    person = visit.person
    job = register(person, "laptop", heartbeat_secs=1)
    visit.open(f"#/jobs/{job['id']}")
    expect(visit.page.locator("main.job")).to_have_attribute("data-state", "Lost", timeout=60_000)
    expect(visit.page.locator(".job-box")).to_contain_text("Last report")
    report(person, job, figures={"job_cpu_percent": 93.0})
    expect(visit.page.locator("main.job")).to_have_attribute("data-state", "Running")
    expect(visit.page.locator("[data-figure=job_cpu_percent]")).to_contain_text("93 %")


# -- lists


def test_jobs_are_searched_filtered_by_label_and_sorted(visit: Visit) -> None:
    page, person = visit.page, visit.person
    for name, value in (("one", "a"), ("two", "b"), ("three", "a")):
        register(person, name, labels={"team": value}, command=["python", f"{name}.py", "--text", "a b"])
    visit.open("#/jobs")
    patience.eventually(page, lambda _: names(page), ["three", "two", "one"])
    expect(visit.cell("one", "command")).to_have_text("python one.py --text 'a b'")
    visit.cell("one", "labels").get_by_role("link").click()
    patience.eventually(page, lambda _: names(page), ["three", "one"])
    visit.part("label-filter").get_by_role("button").click()
    page.locator("[data-column=name] button").first.click()
    patience.eventually(page, lambda _: names(page), ["one", "three", "two"])
    page.keyboard.press("/")
    page.keyboard.type("two.py")
    patience.eventually(page, lambda _: names(page), ["two"])
    page.keyboard.type("xx")
    expect(page.get_by_text("No job matches")).to_be_visible()
    visit.part("clear-filters").click()
    patience.eventually(page, lambda _: len(names(page)), 3)


def names(page: sync_api.Page) -> list[str]:
    found: list[str] = page.locator("[data-job]").evaluate_all("(rows) => rows.map((row) => row.ariaLabel)")
    return found


def test_a_long_list_is_loaded_as_far_as_one_scrolls(visit: Visit) -> None:
    page, person = visit.page, visit.person
    for number in range(130):
        register(person, f"job {number:03}")
    visit.open("#/jobs?sort=name")
    expect(visit.row("job 000")).to_be_visible()
    assert page.locator("[data-job]").count() < 80
    page.locator("[data-job]").first.focus()
    page.keyboard.press("End")
    expect(visit.row("job 129")).to_be_visible()
    assert page.locator("[data-job]").count() < 80


def test_ended_jobs_are_removed_and_running_ones_are_not(visit: Visit) -> None:
    person = visit.person
    runs, ended = register(person, "runs"), register(person, "ended")
    report(person, ended, ended=time.time(), exit_code=0)
    visit.open("#/jobs")
    expect(visit.row("ended")).to_be_visible()
    visit.part("select-all").check()
    visit.part("bulk-remove").click()
    dialog = visit.part("bulk-dialog")
    expect(dialog).to_contain_text("Remove ended?")
    expect(dialog).to_contain_text("1 selected job is not affected.")
    visit.part("bulk-confirm").click()
    visit.heard("ended was removed")
    expect(visit.row("ended")).to_have_count(0)
    expect(visit.row("runs")).to_be_visible()
    report(person, runs, ended=time.time(), exit_code=0)
    expect(visit.cell("runs", "state")).to_contain_text("Succeeded")


# -- boards


def test_a_job_gets_a_board_which_is_removed_with_it(visit: Visit) -> None:
    page, person = visit.page, visit.person
    job = register(person, "with board", logdir=str(person.site.logs / "a"), board="own")
    visit.open(f"#/jobs/{job['id']}")
    expect(visit.part("job-board")).to_contain_text("when the job writes its first events")
    report(person, job, has_events=True)
    expect(visit.part("open-board")).to_be_visible()
    expect(visit.part("job-board")).to_contain_text("Running")
    report(person, job, ended=time.time(), exit_code=0)
    expect(page.locator("main.job")).to_have_attribute("data-state", "Succeeded")
    visit.part("job-menu").click()
    page.get_by_role("menuitem", name="Remove…").click()
    visit.part("also-board").check()
    visit.part("bulk-confirm").click()
    expect(page.get_by_role("heading", name="No jobs yet")).to_be_visible()
    page.keyboard.press("b")
    expect(page.get_by_role("heading", name="No boards yet")).to_be_visible()


def test_a_board_is_created_for_a_job_that_has_none_and_resumed(visit: Visit) -> None:
    page, person = visit.page, visit.person
    job = register(person, "no board", logdir=str(person.site.logs / "a"))
    visit.open(f"#/jobs/{job['id']}")
    visit.part("make-board").click()
    visit.heard("Starting the board of no board")
    expect(visit.part("job-board")).to_contain_text("Running")
    board = person.ask("GET", f"jobs/{job['id']}")["board"]["id"]
    person.ask("POST", f"boards/{board}:stop", json={})
    expect(visit.part("make-board")).to_have_text("Resume board")
    visit.part("make-board").click()
    expect(visit.part("job-board")).to_contain_text("Running")
    page.get_by_role("link", name="no board").first.click()
    expect(page.locator("main.board")).to_be_visible()


def test_one_board_over_selected_jobs(visit: Visit) -> None:
    page, person = visit.page, visit.person
    for name in ("sweep-1", "sweep-2"):
        logdir = str(person.site.logs / ("a" if name == "sweep-1" else "b"))
        register(person, name, logdir=logdir, labels={"lr": name[-1]})
    visit.open("#/jobs")
    expect(visit.row("sweep-1")).to_be_visible()
    visit.part("select-all").check()
    visit.part("bulk-board").click()
    expect(visit.part("label-board-value")).to_have_value("sweep")
    visit.part("label-board-go").click()
    expect(page.locator("main.board")).to_have_attribute("data-state", re.compile("Running|Idle"))
    expect(page.locator(".source-list__item")).to_have_count(2)
    visit.open("#/jobs?label=group%3Dsweep")
    expect(visit.row("sweep-2")).to_be_visible()


# -- the log


def test_a_log_of_a_hundred_thousand_lines_is_searched(visit: Visit) -> None:
    page, person = visit.page, visit.person
    job = register(person, "talks")
    text = "".join(f"step {step} \x1b[32mloss\x1b[0m {1 / (1 + step):.6f}\n" for step in range(100_000)).encode()
    for offset in range(0, len(text), 1 << 20):
        prints(person, job, text[offset : offset + (1 << 20)], offset)
    visit.open(f"#/jobs/{job['id']}?tab=log")
    expect(page.locator(".log__count")).to_have_text("100,000 lines")
    expect(visit.part("log")).to_contain_text("step 99999")
    assert page.locator(".log-line").count() < 200
    page.keyboard.press("Control+f")
    page.keyboard.type("STEP 5000 LOSS")
    expect(visit.part("log-matches")).to_have_text("1 of 1")
    expect(page.locator(".log-line[data-current]")).to_contain_text("step 5000 loss")
    # colors stand between the two words
    assert page.locator(".log-line[data-current] .log-line__found").all_inner_texts() == ["step 5000 ", "loss"]
    visit.part("log-end").click()
    expect(visit.part("log")).to_contain_text("step 99999")
    prints(person, job, b"one more\n", len(text))
    expect(visit.part("log")).to_contain_text("one more")
    with page.expect_download() as download:
        visit.part("download-log").click()
    assert pathlib.Path(download.value.path()).read_bytes() == text + b"one more\n"
    assert download.value.suggested_filename == "talks.log"


# -- who may do what


def test_a_viewer_sees_jobs_but_neither_log_nor_commands(site: Site, open_page: conftest.OpenPage) -> None:
    page = open_page()
    owner, viewer = site.person(), site.person()
    owner.ask("POST", "workspaces", json={"id": f"of-{owner.name}"})
    owner.ask("PUT", f"workspaces/of-{owner.name}/members/{viewer.name}", json={"role": "viewer"})
    job = register(owner, "theirs", workspace=f"of-{owner.name}", environment={"SECRET_PLAN": "x"})
    visit = viewer.signs_in(page).open(f"#/jobs/{job['id']}")
    expect(page.locator("main.job")).to_be_visible()
    expect(page.get_by_role("tab")).to_have_text(["Overview", "Code"])
    expect(visit.part("stop")).to_have_count(0)
    visit.open(f"#/jobs/{job['id']}?tab=environment")
    expect(page.locator("main.job")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("SECRET_PLAN")
    other = site.person().signs_in(open_page())
    other.open(f"#/jobs/{job['id']}")
    expect(other.page.get_by_role("heading", name="Page not found")).to_be_visible()


# -- telephones, languages, accessibility


def test_jobs_fit_on_a_telephone_in_chinese(site: Site, open_page: conftest.OpenPage) -> None:
    person = site.person()
    job = register(person, "很长的名字 " * 8, command=["python", "x" * 300], labels={"组": "甲" * 40})
    prints(person, job, ("行" * 500 + "\n").encode() * 50)
    page = open_page(viewport={"width": 390, "height": 760}, locale="zh-CN", has_touch=True)
    visit = person.signs_in(page)
    one = f"#/jobs/{job['id']}"
    for address, sign in (("#/jobs", "[data-job]"), (one, "main.job"), (f"{one}?tab=log", ".log-line")):
        visit.open(address)
        expect(page.locator(sign).first).to_be_visible()
        visits.fits(page)
    expect(page.locator(".detail__title")).to_contain_text("运行中")


def pages(visit: Visit, job: str) -> dict[str, Callable[[], sync_api.Locator]]:
    page = visit.page

    def at(address: str, sign: str) -> Callable[[], sync_api.Locator]:
        return lambda: visit.open(address).page.locator(sign).first

    def asked(button: str, dialog: str) -> Callable[[], sync_api.Locator]:
        def open_dialog() -> sync_api.Locator:
            visit.open("#/jobs")
            visit.part("select-all").check()
            visit.part(button).click()
            return page.get_by_test_id(dialog)

        return open_dialog

    return {
        "list": at("#/jobs", "[data-job]"),
        "none": at("#/jobs?q=nothing", ".list-page__no-match"),
        "stop": asked("bulk-stop", "bulk-dialog"),
        "board": asked("bulk-board", "label-board"),
        "overview": at(f"#/jobs/{job}", "[data-testid=figures]"),
        "log": at(f"#/jobs/{job}?tab=log", ".log-line"),
        "code": at(f"#/jobs/{job}?tab=code", ".diff__line"),
        "environment": at(f"#/jobs/{job}?tab=environment", ".environment"),
    }


def test_no_page_of_jobs_breaks_a_rule_of_accessibility(site: Site, open_page: conftest.OpenPage) -> None:
    person = site.person()
    diff = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-old\n+new\n"
    git = {"commit": "ab" * 20, "branch": "main", "dirty": True, "diff": diff}
    job = register(person, "mine", labels={"team": "a"}, git=git, environment={"LANG": "C"})
    colors = "".join(f"\x1b[{code}mcolor {code}\x1b[0m\n" for code in (*range(30, 38), *range(90, 98), *range(41, 48)))
    prints(person, job, colors.encode())
    report(person, job, figures={"job_cpu_percent": 90.0, "job_memory_mb": 900.0, "cpu_percent": 12.0})
    page = open_page(reduced_motion="reduce")
    page.add_init_script(path=visits.AXE)
    broken = {}
    for name, opening in pages(person.signs_in(page), job["id"]).items():
        expect(opening()).to_be_visible()
        for theme in ("light", "dark") if name in ("list", "overview", "log", "code") else ("light",):
            page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
            if found := visits.violations(page):
                broken[f"{name} {theme}"] = found
    assert broken == {}
