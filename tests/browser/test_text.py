"""The page of texts as a person uses it: all steps, Markdown, search, comparison, texts of any size and rank."""

from __future__ import annotations

import json
import pathlib
import urllib.parse
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import conftest, patience, test_accessibility
from browser.kind_cards import kind_card, open_kind, option
from playwright import sync_api

pytestmark = pytest.mark.browser

expect = sync_api.expect

TEXT = event_files.summary_metadata("text")
STEPS = 400
HUGE = "The same line again.\n" * 1_500_000  # 30 MB


def text_event(tag: str, step: int, *strings: str, shape: list[int] | None = None) -> bytes:
    tensor = event_files.string_tensor([each.encode() for each in strings], shape=[] if shape is None else shape)
    value = event_files.value(tag, event_files.field_bytes(8, tensor), TEXT)
    return event_files.summary_event(value, step=step, wall_time=event_files.WALL + step)


def note(step: int) -> str:
    return f"# Note {step}\n\nThe **loss** is `{step}`.\n\nThis line stays.\n" + (
        "A rare *walrus*.\n" if step == 7 else ""
    )


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    events = [event_files.version_event(), *event_files.scalars("loss", [1.0] * STEPS)]
    events += [text_event("notes", step, note(step)) for step in range(STEPS)]
    events += [
        text_event("odd/column", 0, "*a*", "b", shape=[2]),
        text_event("odd/table", 0, "a", "b", "c", "**d**", shape=[2, 2]),
        text_event("odd/cube", 0, *"abcdefgh", shape=[2, 2, 2]),
        text_event("odd/empty", 0, ""),
        text_event("odd/none", 0, shape=[0]),
        text_event("odd/hostile", 0, "<script>x</script>![pic](http://elsewhere.example/a.png)[go](http://b.example)"),
        text_event("huge", 0, HUGE),
    ]
    event_files.write(folder / "train" / "events.out.tfevents.1", events)
    event_files.write(folder / "second" / "events.out.tfevents.1", [text_event("two", 3, "of two")])
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("train", "second")
        yield process


def open_text(page: sync_api.Page, board: board_process.Process, members: str) -> None:
    open_kind(page, board, "text", members, 1000)


def notes(page: sync_api.Page) -> sync_api.Locator:
    return kind_card(page, "text", "notes")


def entry(card: sync_api.Locator, step: int) -> sync_api.Locator:
    return card.locator(f'.text-entry[data-step="{step}"]')


def test_every_step_can_be_read_the_newest_first(page: sync_api.Page, board: board_process.Process) -> None:
    open_text(page, board, "tagFilter=notes")
    card = notes(page)
    expect(card.locator(".text-entry").first).to_have_attribute("data-step", str(STEPS - 1))
    expect(entry(card, STEPS - 1).locator("h1")).to_have_text(f"Note {STEPS - 1}")
    expect(entry(card, STEPS - 1).locator("strong")).to_have_text("loss")
    steps = card.get_by_test_id("text-steps")
    steps.focus()
    page.keyboard.press("End")
    expect(entry(card, 0).locator("h1")).to_have_text("Note 0")
    # far fewer are on the page than there are
    assert card.locator(".text-entry").count() < 60


def test_without_markdown_texts_are_as_they_were_written(page: sync_api.Page, board: board_process.Process) -> None:
    open_text(page, board, "tagFilter=notes")
    expect(entry(notes(page), 399).locator("h1")).to_be_visible()
    option(page, "text-markdown").uncheck()
    expect(entry(notes(page), 399).locator(".markup")).to_contain_text("# Note 399")
    expect(notes(page).locator("h1")).to_have_count(0)
    patience.until(page, lambda: "textMarkdown=0" in page.url, "the address")


def test_a_search_finds_the_one_step_among_all(
    page: sync_api.Page, board: board_process.Process, forgiven: list[str]
) -> None:
    forgiven.append("status of 400")  # the pattern that is none
    open_text(page, board, "tagFilter=notes")
    page.get_by_test_id("text-search").fill("WALRUS")
    card = notes(page)
    expect(card.get_by_role("status")).to_have_text(f"1 of {STEPS} steps")
    expect(card.locator(".text-entry")).to_have_count(1)
    expect(entry(card, 7)).to_contain_text("rare walrus")
    marked = "[...CSS.highlights.get('text-found')].map(String)"
    patience.eventually(page, lambda one: one.evaluate(marked), ["walrus"])
    page.get_by_test_id("text-search").fill("/no such (thing)?/")
    expect(card.get_by_role("status")).to_contain_text("No step contains")
    page.get_by_test_id("text-search").fill("/(/")
    expect(card.get_by_role("status")).to_contain_text("is missing")


def test_two_steps_are_compared(page: sync_api.Page, board: board_process.Process) -> None:
    open_text(page, board, "tagFilter=notes")
    card = notes(page)
    entry(card, 399).hover()
    entry(card, 399).get_by_test_id("text-compare").click()
    expect(card.get_by_test_id("diff-told")).to_have_text("+2 −2 lines")
    expect(card.locator('[data-diff="removed"]').first).to_contain_text("# Note 398")
    expect(card.locator('[data-diff="added"]').first).to_contain_text("# Note 399")
    expect(card.locator(".text-diff__pair").first).to_be_visible()
    card.get_by_test_id("diff-inline").click()
    expect(card.locator(".text-diff__pair")).to_have_count(0)
    before = card.get_by_test_id("diff-before")
    before.focus()
    before.press("Home")
    expect(card.locator('[data-diff="removed"]').first).to_contain_text("# Note 0")
    patience.until(page, lambda: "0..399" in urllib.parse.unquote(page.url), "the address")
    page.reload()
    expect(card.locator('[data-diff="removed"]').first).to_contain_text("# Note 0")
    card.get_by_test_id("diff-close").click()
    expect(entry(card, 399)).to_be_visible()


def test_the_step_marked_on_the_time_series_page_is_shown(page: sync_api.Page, board: board_process.Process) -> None:
    steps = urllib.parse.quote(json.dumps({"lo": 123, "hi": None}))
    open_text(page, board, f"tagFilter=notes&stepTable=1&steps={steps}")
    expect(entry(notes(page), 123)).to_have_class("text-entry text-entry--chosen")
    expect(entry(notes(page), 123)).to_be_in_viewport()


def test_a_click_on_a_step_puts_it_into_the_address(page: sync_api.Page, board: board_process.Process) -> None:
    open_text(page, board, "tagFilter=notes")
    entry(notes(page), 397).get_by_role("button", name="step 397").click()
    patience.until(page, lambda: '"397"' in urllib.parse.unquote(page.url), "the address")


def test_a_text_of_30_mb_shows_its_first_part_and_says_so(page: sync_api.Page, board: board_process.Process) -> None:
    open_text(page, board, "tagFilter=huge")
    card = kind_card(page, "text", "huge")
    expect(card.get_by_role("note")).to_contain_text(f"The first 50,000 of {len(HUGE):,} characters.")
    expect(card.locator(".markup")).to_contain_text("The same line again.")
    card.get_by_test_id("text-more").click()
    expect(card.get_by_role("note")).to_contain_text("The first 500,000 of")
    with page.expect_download() as download:
        card.get_by_role("note").get_by_role("button", name="Download").click()
    assert pathlib.Path(download.value.path()).stat().st_size == len(HUGE)
    assert download.value.suggested_filename.endswith(".md")


def test_shapes_are_blocks_columns_and_tables(page: sync_api.Page, board: board_process.Process) -> None:
    open_text(page, board, "tagFilter=odd")
    cells = (
        "(one) => [...one.querySelectorAll('tr')].map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
    )

    def table(tag: str) -> list[list[str]]:
        markup = kind_card(page, "text", tag).locator(".markup")
        expect(markup.locator("table")).to_be_attached()
        found: list[list[str]] = markup.evaluate(cells)
        return found

    assert table("odd/column") == [["a"], ["b"]]
    assert table("odd/table") == [["a", "b"], ["c", "d"]]
    assert table("odd/cube") == [["a", "b"], ["c", "d"]]
    expect(kind_card(page, "text", "odd/cube")).to_contain_text("only 2d tables are supported")
    expect(kind_card(page, "text", "odd/empty")).to_contain_text("Empty text")


def test_nothing_of_a_text_runs_or_leaves(page: sync_api.Page, board: board_process.Process) -> None:
    """Requests to other origins fail every test (conftest); pictures and links say where they would lead."""
    open_text(page, board, "tagFilter=hostile")
    markup = kind_card(page, "text", "odd/hostile").locator(".markup")
    expect(markup).to_contain_text("<script>x</script>")
    assert markup.locator("script, img").count() == 0
    expect(markup.get_by_role("link", name="pic")).to_have_attribute("href", "http://elsewhere.example/a.png")
    expect(markup.get_by_role("link", name="go")).to_have_attribute("rel", "noopener noreferrer")


def test_a_text_is_copied_as_it_was_written(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    open_text(page, board, "tagFilter=notes")
    entry(notes(page), 398).hover()
    entry(notes(page), 398).get_by_role("button", name="Copy the text").click()
    expect(page.get_by_text("Copied", exact=True)).to_be_visible()
    assert patience.text_of_clipboard(page) == note(398)


def test_new_steps_come_by_themselves(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    path = event_files.write(tmp_path / "r" / "events.out.tfevents.1", [text_event("live", 1, "first")])
    with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
        board.wait_for_runs("r")
        open_text(page, board, "")
        card = kind_card(page, "text", "live")
        expect(entry(card, 1)).to_contain_text("first")
        with path.open("ab") as file:
            file.write(event_files.record(text_event("live", 2, "second")))
        expect(card.locator(".text-entry").first).to_contain_text("second")


@pytest.mark.parametrize("corpus", ["torch_writer", "hf_trainer", "gradient_tape", "boosting_tensorboardx", "awkward"])
def test_texts_of_real_writers_are_visible(page: sync_api.Page, data_dir: pathlib.Path, corpus: str) -> None:
    with board_process.Process("--logdir", data_dir / corpus, "--port", "0") as board:
        patience.until(page, lambda: json.loads(board.get("api/board")[1])["progress"]["done"], "all files")
        wanted = json.loads(board.get("data/plugin/text/tags")[1])
        assert any(wanted.values())
        run, tag = next((run, tags[0]) for run, tags in wanted.items() if tags)
        query = urllib.parse.urlencode({"run": run, "tag": tag})
        texts = json.loads(board.get(f"data/plugin/text/text?{query}")[1])
        open_text(page, board, "")
        card = kind_card(page, "text", tag, run)
        shown = entry(card, texts[-1]["step"]).locator(".markup")
        expect(shown).to_be_visible()
        as_text = "(html) => new DOMParser().parseFromString(html, 'text/html').body.textContent"
        wanted_text = page.evaluate(as_text, texts[-1]["text"])
        # the board's cells stand apart, the parser's do not
        assert "".join(shown.inner_text().split())[:200] == "".join(wanted_text.split())[:200]


def test_the_page_follows_rules_of_accessibility(page: sync_api.Page, board: board_process.Process) -> None:
    page.add_init_script(path=test_accessibility.AXE)
    open_text(page, board, "tagFilter=notes")
    expect(entry(notes(page), 399)).to_be_visible()
    assert test_accessibility.violations(page) == []
