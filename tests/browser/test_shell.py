"""The frame of the page, driven as a person would: tabs, search, sharing, keys, themes, languages, the run list.

What the page shows where there is nothing to see, and how it lives with a server that comes and goes, is in
test_states.py.
"""

from __future__ import annotations

import pathlib
import re
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import conftest, patience
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect


LAYER = b'{"class_name": "Dense", "config": {"name": "d"}}'
LAYERS = b'{"class_name": "Sequential", "config": {"name": "m", "layers": [%s]}}' % LAYER
GRAPH = event_files.value(
    "model/图",
    event_files.field_bytes(8, event_files.string_tensor([LAYERS], shape=[1])),
    event_files.summary_metadata("graph_keras_model"),
)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    logs = tmp_path_factory.mktemp("logs")
    for run in ("alpha", "beta/train", "beta/eval"):
        events = [
            *event_files.scalars("loss", [2.0, 1.0, 0.5]),
            *event_files.scalars("metrics/accuracy", [0.1, 0.5, 0.9]),
            event_files.text_event("notes/说明", ["hello"]),
            event_files.summary_event(GRAPH),
        ]
        event_files.write(logs / run / "events.out.tfevents.1", events)
    with board_process.Process("--logdir", logs, "--port", "0", "--window_title", "My board") as process:
        process.wait_for_runs("alpha", "beta/train", "beta/eval")
        yield process


@pytest.fixture
def shown(page: sync_api.Page, board: board_process.Process) -> sync_api.Page:
    page.goto(board.url)
    expect(page.locator("[data-run]").first).to_be_visible()
    expect(page.get_by_test_id("live")).to_have_attribute("data-state", "live")
    return page


def press_search(page: sync_api.Page, text: str) -> sync_api.Locator:
    page.keyboard.press("Control+k")
    palette = page.get_by_test_id("palette")
    expect(palette).to_be_visible()
    page.keyboard.type(text)
    expect(palette.get_by_role("combobox")).to_have_value(text)
    # what was found is drawn a moment after the last letter
    words = [re.compile(re.escape(word), re.IGNORECASE) for word in text.split()]
    found = palette.get_by_role("option").first
    for word in words:
        found = found.filter(has_text=word)
    expect(found.or_(palette.get_by_text("Nothing matches")).first).to_be_visible()
    return palette


# ---- top bar


def tab_names(page: sync_api.Page) -> list[str]:
    return page.locator("nav a[data-kind]").all_inner_texts()


def test_tabs_are_ordered_by_use_and_have_no_counts(shown: sync_api.Page) -> None:
    expect(shown).to_have_title("My board")
    expect(shown.locator("[data-kind=text]")).to_have_text("Text")
    assert tab_names(shown) == ["Time series", "Runs", "Graphs", "Text"]
    expect(shown.locator("[data-kind=scalars]")).to_have_attribute("title", "2 tags")
    expect(shown.locator("[data-kind=runs]")).to_have_attribute("title", "3 runs")


def test_a_tab_is_a_link_that_opens_elsewhere(shown: sync_api.Page) -> None:
    shown.get_by_test_id("run-filter").fill("beta")
    expect(shown).to_have_url(re.compile("runFilter=beta"))
    with shown.context.expect_page() as opened:
        shown.locator("[data-kind=text]").click(modifiers=["Control"])
    expect(opened.value).to_have_url(re.compile("#text.*runFilter=beta"))
    expect(shown.locator("[data-kind=scalars]")).to_have_attribute("aria-current", "page")
    shown.get_by_test_id("more-kinds").click()
    with shown.context.expect_page() as opened:
        shown.get_by_role("menuitemcheckbox", name="Images").click(button="middle")
    expect(opened.value).to_have_url(re.compile("#images"))


def test_a_page_of_the_menu_is_shown_after_the_row_which_stays(shown: sync_api.Page) -> None:
    expect(shown.locator("[data-kind=text]")).to_be_visible()
    before = tab_names(shown)
    shown.get_by_test_id("more-kinds").click()
    shown.get_by_role("menuitemcheckbox", name="Custom scalars").click()
    expect(shown.locator("[data-kind=custom_scalars]")).to_have_attribute("aria-current", "page")
    assert tab_names(shown) == [*before, "Custom scalars"]


def test_kinds_without_data_are_in_the_menu_and_say_how_to_log_them(shown: sync_api.Page) -> None:
    shown.get_by_test_id("more-kinds").click()
    for name in ("HParams", "Custom scalars", "Images"):
        item = shown.get_by_role("menuitemcheckbox", name=name)
        expect(item).to_have_class(re.compile("menu__item--quiet"))
        expect(item).to_have_attribute("title", re.compile("not logged by any run"))
    shown.get_by_role("menuitemcheckbox", name="Video").click()
    notice = shown.locator("[data-notice=no-kind]")
    expect(notice.get_by_role("heading")).to_have_text("No videos here yet")
    expect(notice.locator("pre")).to_contain_text("writer.add_video(")


def test_files_that_no_page_shows_are_named(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    for run in ("a", "b"):
        event_files.write(tmp_path / run / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
        capture = tmp_path / run / "plugins" / "profile" / "1" / "host.xplane.pb"
        capture.parent.mkdir(parents=True)
        capture.write_bytes(b"")
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        process.wait_for_runs("a", "b")
        page.goto(process.url)
        page.get_by_test_id("more-kinds").click()
        expect(page.get_by_role("menuitem", name="2 runs have profiles")).to_have_attribute("aria-disabled", "true")
        page.keyboard.press("Escape")
        press_search(page, "health")
        page.keyboard.press("Enter")
        expect(page.get_by_test_id("unshown")).to_contain_text("2 runs have profiles")


def test_a_page_of_a_kind_is_left_by_going_back(shown: sync_api.Page) -> None:
    shown.locator("[data-kind=graphs]").click()
    expect(shown).to_have_url(re.compile("#graphs"))
    expect(shown.get_by_test_id("graphs-page")).to_be_visible()
    shown.go_back()
    expect(shown.locator("[data-kind=scalars]")).to_have_attribute("aria-current", "page")


def test_pages_that_do_not_fit_are_in_a_menu(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(viewport={"width": 390, "height": 800})
    page.goto(board.url)
    page.get_by_test_id("more-kinds").click()
    page.get_by_role("menuitemcheckbox", name="Text").click()
    expect(page).to_have_url(re.compile("#text"))
    patience.eventually(page, lambda page: page.evaluate("document.documentElement.scrollWidth <= 390"), True)


def test_the_menu_has_the_name_of_the_page_where_no_tab_fits(shown: sync_api.Page) -> None:
    shown.locator("[data-kind=text]").click()
    more = shown.get_by_test_id("more-kinds")
    expect(more).to_have_text("More")
    shown.set_viewport_size({"width": 480, "height": 700})
    expect(more).to_have_text("Text")


def test_tabs_settle_at_every_width(shown: sync_api.Page) -> None:
    for width in range(320, 1400, 40):
        shown.set_viewport_size({"width": width, "height": 700})
        settled = shown.evaluate(
            """async (width) => {
              const frame = () => new Promise(requestAnimationFrame);
              const look = () => `${innerWidth} ${document.querySelectorAll(".kind-tabs a").length}`;
              let [seen, frames] = ["", 0];
              for (let tries = 0; frames < 10 && tries < 600; tries++) {
                await frame();
                frames = look() === seen && innerWidth === width ? frames + 1 : 0;
                seen = look();
              }
              return frames === 10;
            }""",
            width,
        )
        assert settled, f"at {width} px"


def test_an_address_of_no_page_leads_back(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#nonsense?")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.get_by_role("button", name="Go to time series").click()
    expect(page.locator("[data-kind=scalars]")).to_have_attribute("aria-current", "page")


# ---- theme and language


def expect_theme(page: sync_api.Page, theme: str) -> None:
    expect(page.locator("html")).to_have_attribute("data-theme", theme)


def test_a_theme_is_chosen_and_remembered(shown: sync_api.Page, board: board_process.Process) -> None:
    expect_theme(shown, "light")
    shown.get_by_test_id("bar-menu").click()
    shown.get_by_role("menuitemcheckbox", name="Dark").click()
    expect_theme(shown, "dark")
    expect(shown).to_have_url(re.compile("theme=dark"))
    # the next board, without an address that says anything
    shown.goto("about:blank")
    shown.goto(board.url)
    expect_theme(shown, "dark")


def test_the_theme_is_there_before_the_script(
    open_page: conftest.OpenPage, board: board_process.Process, forgiven: list[str]
) -> None:
    forgiven.append("ERR_FAILED")
    page = open_page(color_scheme="dark")
    page.route("**/assets/*.js", lambda route: route.abort())
    page.goto(board.url)
    expect_theme(page, "dark")
    page.goto(f"{board.url}#timeseries?theme=light")
    page.reload()
    expect_theme(page, "light")


def test_the_theme_follows_the_system(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(color_scheme="dark")
    page.goto(board.url)
    expect_theme(page, "dark")
    page.emulate_media(color_scheme="light")
    expect_theme(page, "light")


def test_the_language_follows_the_browser_and_can_be_changed(
    open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    page = open_page(locale="zh-CN")
    page.goto(board.url)
    expect(page.locator("[data-kind=scalars]")).to_contain_text("时间序列")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    page.get_by_test_id("bar-menu").click()
    page.get_by_role("menuitemcheckbox", name="English").click()
    expect(page.locator("[data-kind=scalars]")).to_contain_text("Time series")
    page.reload()
    expect(page.locator("[data-kind=scalars]")).to_contain_text("Time series")
    expect(page.locator("html")).to_have_attribute("lang", "en")


# ---- search


def test_the_search_finds_a_chart_with_the_keyboard_alone(shown: sync_api.Page) -> None:
    palette = press_search(shown, "metr acc")
    expect(palette.get_by_role("option").first).to_contain_text("metrics/accuracy")
    shown.keyboard.press("Control+Enter")
    expect(palette).to_be_hidden()
    expect(shown).to_have_url(re.compile("full=tag:metrics/accuracy"))


def test_the_search_goes_to_a_chart_that_is_folded_away(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    tags = [f"section_{section}/deep/tag_{tag}" for section in range(8) for tag in range(6)]
    events = [event for tag in tags for event in event_files.scalars(tag, [1.0, 2.0])]
    event_files.write(tmp_path / "run/events.out.tfevents.1", events)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
        board.wait_for_runs("run")
        page.goto(board.url)
        expect(page.locator('[data-card="section_0/deep/tag_0"]')).to_be_visible()
        expect(page.locator('[data-card="section_7/deep/tag_5"]')).to_have_count(0)
        press_search(page, "section_7 tag_5")
        page.keyboard.press("Enter")
        expect(page.locator('[data-card="section_7/deep/tag_5"]')).to_be_in_viewport()
        # also from another page, with a filter that hides it
        page.goto(f"{board.url}#runs?tagFilter=section_0")
        expect(page.locator("[data-kind=runs]")).to_have_attribute("aria-current", "page")
        press_search(page, "section_6 tag_3")
        page.keyboard.press("Enter")
        expect(page.locator('[data-card="section_6/deep/tag_3"]')).to_be_in_viewport()


def test_the_search_opens_a_run_or_shows_only_it(shown: sync_api.Page) -> None:
    palette = press_search(shown, "beta/tr")
    expect(palette.get_by_role("option", selected=True)).to_contain_text("beta/train")
    shown.keyboard.press("Control+Enter")
    expect(shown.locator('[data-run="alpha"] input[type=checkbox]')).not_to_be_checked()
    expect(shown.locator('[data-run="beta/train"] input[type=checkbox]')).to_be_checked()
    press_search(shown, "beta/tr")
    shown.keyboard.press("Enter")
    expect(shown).to_have_url(re.compile("#run\\?.*of=beta/train"))


def test_the_search_does_things(shown: sync_api.Page) -> None:
    press_search(shown, "theme dark")
    shown.keyboard.press("Enter")
    expect_theme(shown, "dark")
    press_search(shown, "smoothing off")
    shown.keyboard.press("Enter")
    expect(shown).to_have_url(re.compile("smoothing=0(&|$)"))


def test_the_arrows_walk_through_what_was_found(shown: sync_api.Page) -> None:
    palette = press_search(shown, "axis")
    chosen = palette.get_by_role("option", selected=True)
    first = chosen.inner_text()
    shown.keyboard.press("ArrowDown")
    expect(chosen).not_to_have_text(first, use_inner_text=True)
    shown.keyboard.press("ArrowUp")
    expect(chosen).to_have_text(first, use_inner_text=True)
    shown.keyboard.press("ArrowUp")
    expect(palette.get_by_role("option").last).to_have_attribute("aria-selected", "true")


def test_a_search_for_nothing_says_so_and_esc_leaves(shown: sync_api.Page) -> None:
    palette = press_search(shown, "qqqqq")
    expect(palette).to_contain_text("Nothing matches")
    shown.keyboard.press("Escape")
    expect(palette).to_be_hidden()


# ---- sharing


def test_a_copied_link_shows_the_same(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(board.url)
    page.locator('[data-run="alpha"] input[type=checkbox]').uncheck()
    page.get_by_test_id("run-filter").fill("a")
    page.keyboard.press("Escape")
    page.get_by_test_id("share").click()
    page.get_by_role("menuitem", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    other = open_page()
    other.goto(link)
    expect(other.get_by_test_id("run-filter")).to_have_value(page.get_by_test_id("run-filter").input_value())
    expect(other.locator('[data-run="alpha"] input[type=checkbox]')).not_to_be_checked()
    expect(other.locator('[data-run="beta/train"] input[type=checkbox]')).to_be_checked()


def test_a_view_is_saved_opened_deleted_and_brought_back(shown: sync_api.Page) -> None:
    shown.get_by_test_id("bar-menu").click()
    shown.get_by_role("menuitemcheckbox", name="Dark").click()
    shown.keyboard.press("Control+s")
    shown.get_by_role("button", name="Save", exact=True).click()
    expect(shown.get_by_text("Enter a name for the view.")).to_be_visible()
    shown.get_by_test_id("save-view").get_by_label("Name").fill("夜 / night")
    shown.keyboard.press("Enter")
    expect(shown.get_by_text("View “夜 / night” saved")).to_be_visible()

    shown.get_by_test_id("bar-menu").click()
    shown.get_by_role("menuitemcheckbox", name="Light").click()
    press_search(shown, "saved views")
    shown.keyboard.press("Enter")
    views = shown.get_by_test_id("saved-views")
    views.get_by_text("夜 / night").click()
    expect_theme(shown, "dark")

    shown.get_by_test_id("share").click()
    shown.get_by_role("menuitem", name="Saved views…").click()
    views.get_by_role("button", name="Delete: 夜 / night").click()
    expect(views).to_contain_text("No saved views yet")
    shown.keyboard.press("Escape")
    shown.get_by_role("button", name="Undo", exact=True).last.click()
    shown.get_by_test_id("share").click()
    shown.get_by_role("menuitem", name="Saved views…").click()
    expect(views.get_by_text("夜 / night")).to_be_visible()


def test_a_view_goes_through_a_file(shown: sync_api.Page, tmp_path: pathlib.Path) -> None:
    shown.get_by_test_id("run-filter").fill("beta")
    shown.keyboard.press("Escape")
    wanted = shown.get_by_test_id("run-filter").input_value()
    shown.get_by_test_id("share").click()
    with shown.expect_download() as download:
        shown.get_by_role("menuitem", name="Save view to a file").click()
    kept = tmp_path / "kept.json"
    download.value.save_as(kept)
    assert download.value.suggested_filename == "My-board.view.json"
    shown.get_by_test_id("run-filter").fill("")
    open_view_file(shown, kept)
    expect(shown.get_by_test_id("run-filter")).to_have_value(wanted)

    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    open_view_file(shown, wrong)
    expect(shown.get_by_role("alert")).to_contain_text("not a Lightboard view")


def open_view_file(page: sync_api.Page, file: pathlib.Path) -> None:
    page.get_by_test_id("share").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("menuitem", name="Open view from a file…").click()
    chooser.value.set_files(file)


# ---- keys


def test_keys_do_what_the_sheet_says(shown: sync_api.Page) -> None:
    shown.keyboard.press("?")
    sheet = shown.get_by_test_id("help")
    expect(sheet).to_contain_text("Show or hide the run list")
    expect(sheet).to_contain_text("Pin the chart under the cursor")
    shown.keyboard.press("Escape")
    expect(sheet).to_be_hidden()

    shown.keyboard.press("Alt+m")
    expect_theme(shown, "dark")
    shown.keyboard.press("Control+z")
    expect_theme(shown, "light")
    shown.keyboard.press("Control+Shift+Z")
    expect_theme(shown, "dark")

    shown.keyboard.press("l")
    expect(shown).to_have_url(re.compile("yScale=log"))
    shown.keyboard.press("f")
    expect(shown.get_by_test_id("run-filter")).to_be_focused()
    shown.keyboard.press("Escape")
    shown.get_by_role("button", name="Undo", exact=False).first.focus()
    shown.keyboard.press("/")
    expect(shown.get_by_test_id("tag-filter")).to_be_focused()


def test_keys_rest_while_somebody_types(shown: sync_api.Page) -> None:
    field = shown.get_by_test_id("run-filter")
    field.click()
    shown.keyboard.type("frl?/[]s")
    expect(field).to_have_value("frl?/[]s")
    expect(shown.get_by_test_id("help")).to_be_hidden()
    assert "yScale" not in shown.url


def test_undo_and_redo_are_buttons_too(shown: sync_api.Page) -> None:
    undo = shown.get_by_role("button", name="Undo (Ctrl+Z)")
    expect(shown.get_by_test_id("bar-menu")).to_be_visible()
    expect(undo).to_have_count(0)
    shown.locator('[data-run="alpha"] input[type=checkbox]').uncheck()
    undo.click()
    expect(shown.locator('[data-run="alpha"] input[type=checkbox]')).to_be_checked()
    shown.get_by_role("button", name="Redo (Ctrl+Shift+Z)").click()
    expect(shown.locator('[data-run="alpha"] input[type=checkbox]')).not_to_be_checked()


def test_the_first_tab_stop_skips_to_the_content(shown: sync_api.Page) -> None:
    shown.keyboard.press("Tab")
    skip = shown.get_by_role("button", name="Skip to content")
    expect(skip).to_be_focused()
    shown.keyboard.press("Enter")
    expect(shown.locator("#content:focus, #content :focus")).to_have_count(1)


# ---- run list and settings


def width_of(page: sync_api.Page) -> float:
    return patience.box_of(page.locator(".side"))["width"]


def test_the_run_list_is_dragged_stepped_and_remembered(shown: sync_api.Page) -> None:
    handle = shown.get_by_test_id("resize-runs")
    before = width_of(shown)
    box = patience.box_of(handle)
    shown.mouse.move(box["x"] + 4, 400)
    shown.mouse.down()
    shown.mouse.move(box["x"] + 84, 400, steps=4)
    shown.mouse.up()
    patience.eventually(shown, width_of, before + 80)
    handle.focus()
    shown.keyboard.press("ArrowLeft")
    patience.eventually(shown, width_of, before + 64)
    shown.reload()
    expect(shown.locator("[data-run]").first).to_be_visible()
    patience.eventually(shown, width_of, before + 64)


def test_the_run_list_is_put_away_and_brought_back(shown: sync_api.Page) -> None:
    shown.keyboard.press("Control+j")
    expect(shown.locator("[data-run]")).to_have_count(0)
    shown.reload()
    expect(shown.locator("[data-kind=runs]")).to_have_attribute("title", "3 runs")
    expect(shown.locator("[data-run]")).to_have_count(0)
    shown.get_by_test_id("toggle-runs").click()
    expect(shown.locator("[data-run]").first).to_be_visible()


def test_on_a_telephone_the_run_list_lies_above_the_page(
    open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    page = open_page(viewport={"width": 390, "height": 800})
    page.goto(board.url)
    expect(page.get_by_test_id("more-kinds")).to_have_text("Time series")
    expect(page.locator("[data-run]")).to_have_count(0)
    page.get_by_test_id("toggle-runs").click()
    expect(page.locator("[data-run]").first).to_be_visible()
    page.mouse.click(380, 500)
    expect(page.locator("[data-run]")).to_have_count(0)


def test_settings_open_and_stay_open(shown: sync_api.Page) -> None:
    shown.get_by_test_id("toggle-settings").click()
    expect(shown.get_by_test_id("timeseries-settings")).to_be_visible()
    shown.reload()
    expect(shown.get_by_test_id("timeseries-settings")).to_be_visible()
    shown.get_by_test_id("settings").get_by_role("button", name="Close").click()
    expect(shown.get_by_test_id("settings")).to_be_hidden()


def test_menus_are_walked_with_the_arrows(shown: sync_api.Page) -> None:
    share = shown.get_by_test_id("share")
    share.focus()
    shown.keyboard.press("ArrowDown")
    expect(shown.get_by_role("menuitem", name="Copy link")).to_be_focused()
    shown.keyboard.press("ArrowUp")
    expect(shown.get_by_role("menuitem", name="Open view from a file…")).to_be_focused()
    shown.keyboard.press("Escape")
    expect(share).to_be_focused()


# ---- a part that fails


def test_a_part_that_fails_leaves_the_rest_alone(
    page: sync_api.Page, board: board_process.Process, forgiven: list[str]
) -> None:
    forgiven.append("ERR_FAILED")
    page.route(re.compile(r"runs_page.*\.js"), lambda route: route.abort())
    page.goto(board.url)
    page.locator("[data-kind=runs]").click()
    expect(page.get_by_role("heading", name="This part of the page failed")).to_be_visible()
    page.locator("[data-kind=text]").click()
    expect(page.locator("[data-card='notes/说明']").first).to_contain_text("hello")
