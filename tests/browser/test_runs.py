"""The run list, the table of runs, the page of a run and the comparison: the built page of the real command, driven as
a person would. Eight runs of a small sweep with config, one plain event file that is damaged.

Charts are drawn by others; here `[data-testid=run-count]` tells how many runs would be drawn.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import sys
import urllib.parse
from collections.abc import Callable, Iterator

import board_process
import event_files
import numpy as np
import pytest
from browser.patience import box_of, eventually, until
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect
SWEEP = [f"sweep/{opt}_lr{lr}_seed_{seed}" for opt in ("adam", "sgd") for lr in ("0.1", "0.01") for seed in (1, 2)]
LABEL = "paper ✓"


def write_sweep(folder: pathlib.Path) -> None:
    for name in SWEEP:
        opt, lr, seed = re.findall(r"(\w+)_lr([\d.]+)_seed_(\d)", name)[0]
        config = {"optimizer": opt, "lr": float(lr), "seed": int(seed), "model": {"layers": 2}}
        run = lightboard.init(
            name=name, config=config, dir=folder, system_metrics=False, console=False, metadata=opt == "adam"
        )
        offset = (0.5 if opt == "sgd" else 0.0) + float(lr) + int(seed) / 100
        for step in range(5):
            run.log({"loss": 1 / (step + 1) + offset, "eval/acc": 0.5 + step / 10 - offset / 10}, step=step)
        run.finish()


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("sweep")
    write_sweep(folder)
    path = event_files.write(folder / "damaged" / "events.out.tfevents.1", event_files.scalars("loss", [2.0, 1.0, 0.5]))
    broken = bytearray(path.read_bytes())
    broken[-20] ^= 0xFF
    path.write_bytes(bytes(broken))
    return folder


StartBoard = Callable[..., board_process.Process]


@pytest.fixture
def start_board() -> Iterator[StartBoard]:
    """To be named before `page`: a page that outlives its board complains."""
    with contextlib.ExitStack() as stack:
        yield lambda *words: stack.enter_context(board_process.Process("--port", "0", *words))


@pytest.fixture(scope="module")
def board(logs: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    """For tests that leave nothing behind on it."""
    with board_process.Process("--port", "0", "--logdir", logs, "--sidecar", tmp_path_factory.mktemp("kept")) as shared:
        shared.wait_for_runs("damaged", *SWEEP)
        yield shared


@pytest.fixture
def own_board(start_board: StartBoard, logs: pathlib.Path, tmp_path: pathlib.Path) -> board_process.Process:
    """For tests that say something about runs."""
    process = start_board("--logdir", logs, "--sidecar", tmp_path / "sidecar")
    process.wait_for_runs("damaged", *SWEEP)
    return process


def open_at(page: sync_api.Page, board: board_process.Process, fragment: str = "") -> None:
    page.goto(board.url + fragment)
    expect(page.locator("[data-run], [data-table-run]").first).to_be_visible()


def reload(page: sync_api.Page, kept: str) -> None:
    """As soon as the address has what the reader did last."""
    expect(page).to_have_url(re.compile(kept))
    page.reload()


def row(page: sync_api.Page, run: str) -> sync_api.Locator:
    return page.locator(f".run-list [data-run={json.dumps(run)}]")


def box(page: sync_api.Page, run: str) -> sync_api.Locator:
    return row(page, run).locator("input[type=checkbox]")


def count(page: sync_api.Page) -> sync_api.Locator:
    return page.get_by_test_id("run-count")


def menu(page: sync_api.Page, run: str, item: str) -> None:
    row(page, run).click(button="right")
    page.get_by_role("menuitem", name=item, exact=True).click()


def more(page: sync_api.Page, item: str) -> None:
    page.get_by_test_id("run-more").click()
    page.locator(".menu__item", has_text=item).first.click()


def listed(page: sync_api.Page) -> list[str]:
    found: list[str] = page.locator(".run-list [data-run]").evaluate_all("rows => rows.map(row => row.dataset.run)")
    return found


def table_runs(page: sync_api.Page) -> list[str]:
    found: list[str] = page.locator("[data-table-run]").evaluate_all("rows => rows.map(row => row.dataset.tableRun)")
    return found


def columns(page: sync_api.Page) -> list[str]:
    heads = page.locator(".runs-table__header")
    found: list[str] = heads.evaluate_all("heads => heads.map(head => head.dataset.column)")
    return found


def remarks(board: board_process.Process) -> dict[str, dict[str, object]]:
    status, body = board.get("api/annotations")
    assert status == 200
    found: dict[str, dict[str, object]] = json.loads(body)["runs"]
    return found


# ---- the list


def test_a_regular_expression_filters_and_the_address_keeps_it(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board)
    eventually(page, listed, ["damaged", *sorted(SWEEP)])
    page.get_by_test_id("run-filter").fill("ADAM.*seed_1")
    expect(page.locator(".filter-box__count").first).to_have_text("2 of 9")
    eventually(page, listed, ["sweep/adam_lr0.01_seed_1", "sweep/adam_lr0.1_seed_1"])
    reload(page, "runFilter=ADAM")
    expect(count(page)).to_have_text("2 of 2 shown")


def test_a_half_typed_pattern_says_so_and_breaks_nothing(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    page.get_by_test_id("run-filter").fill("sgd")
    expect(count(page)).to_have_text("4 of 4 shown")
    page.get_by_test_id("run-filter").fill("sgd(")
    expect(page.locator(".filter-box__error").first).to_have_text("This filter is not complete")
    # what matched before stays
    expect(count(page)).to_have_text("4 of 4 shown")
    page.get_by_test_id("run-filter").fill("sgd)")
    expect(page.locator(".filter-box__error").first).to_contain_text("Not a regular expression")
    page.get_by_test_id("run-filter").fill("sgd(_lr)")
    expect(page.locator(".filter-box__error")).to_have_count(0)
    expect(count(page)).to_have_text("4 of 4 shown")


def test_an_expression_is_answered_by_the_server_and_a_mistake_is_pointed_at(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board)
    field = page.get_by_test_id("run-filter")
    field.fill('hparams.optimizer == "adam" and last("loss") < 0.3')
    expect(count(page)).to_have_text("2 of 2 shown")
    field.fill('hparams.optimzer == "adam"')
    expect(page.locator(".filter-box__error").first).to_contain_text("Did you mean optimizer?")
    expect(page.locator(".filter-box__place mark").first).to_have_text("hparams")
    assert "invalid syntax" not in page.content()
    # what the last good filter found stays meanwhile
    expect(count(page)).to_have_text("2 of 2 shown")


def test_a_half_typed_expression_keeps_the_runs_and_esc_keeps_the_text(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board)
    field = page.get_by_test_id("run-filter")
    field.click()
    for typed in ("last", '("loss")', " < 0.3"):
        field.press_sequentially(typed)
        expect(count(page)).not_to_have_text("0 of 0 shown")
    expect(count(page)).to_have_text("2 of 2 shown")
    field.press_sequentially(" and hp")
    expect(page.locator(".filter-box__error").first).to_have_text("This filter is not complete")
    expect(count(page)).to_have_text("2 of 2 shown")
    suggestions = page.get_by_role("listbox", name="Suggestions")
    expect(suggestions).to_be_visible()
    # suggestions are below the message
    assert box_of(suggestions)["y"] >= box_of(page.locator(".filter-box__error").first)["y"]
    for _ in range(3):
        page.keyboard.press("Escape")
    expect(suggestions).to_have_count(0)
    expect(field).to_have_value('last("loss") < 0.3 and hp')


def test_an_expression_typed_letter_by_letter_is_never_refused(
    board: board_process.Process, page: sync_api.Page
) -> None:
    # a refused request would be an error on the console, which fails the test (conftest.py)
    open_at(page, board)
    asked: list[str] = []
    page.on("request", lambda one: asked.append(str(one.post_data)) if one.url.endswith("/api/filter") else None)
    field = page.get_by_test_id("run-filter")
    text = 'last("loss") < 9 and hparams.optimizer == "adam"'
    for end in range(1, len(text) + 1):
        field.fill(text[:end])
        expect(count(page)).not_to_have_text("0 of 0 shown")
        expect(page.locator(".filter-box__error:not(.filter-box__error--note)")).to_have_count(0)
    expect(count(page)).to_have_text("4 of 4 shown")
    # what cannot be complete is not sent
    sent = [json.loads(each)["filter"] for each in asked]
    assert text in sent
    assert not [each for each in sent if each.rstrip().endswith(("==", "and", "(", "<", '"ad'))]


def test_an_empty_filter_offers_examples(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    field = page.get_by_test_id("run-filter")
    field.click()
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options).to_have_count(4)
    expect(page.get_by_role("listbox")).to_contain_text("Examples")
    options.filter(has_text="last(").click()
    expect(field).to_have_value('last("loss") < 0.5')


def test_words_of_an_expression_are_completed(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    field = page.get_by_test_id("run-filter")
    field.click()
    field.press_sequentially('last("eval')
    page.get_by_role("option", name="eval/acc").click()
    expect(field).to_have_value('last("eval/acc')
    field.press_sequentially('") > 0.88')
    expect(count(page)).not_to_have_text("9 of 9 shown")


def test_filters_used_before_are_offered_again(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    field = page.get_by_test_id("run-filter")
    field.fill("seed_2")
    field.press("Enter")
    field.fill("")
    page.get_by_role("option", name="seed_2").click()
    expect(field).to_have_value("seed_2")


def test_nothing_listed_offers_a_way_back(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    page.get_by_test_id("run-filter").fill("no such run")
    empty = page.locator(".run-list__empty")
    expect(empty).to_contain_text("None of 9 runs")
    empty.get_by_role("button").click()
    expect(count(page)).to_have_text("9 of 9 shown")


def test_boxes_tick_one_a_range_all_and_only_this(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    box(page, "damaged").click()
    expect(count(page)).to_have_text("8 of 9 shown")
    page.keyboard.down("Shift")
    box(page, sorted(SWEEP)[2]).click()
    page.keyboard.up("Shift")
    expect(count(page)).to_have_text("5 of 9 shown")
    box(page, "damaged").dblclick()
    expect(count(page)).to_have_text("1 of 9 shown")
    expect(box(page, "damaged")).to_be_checked()
    row(page, SWEEP[0]).locator(".run-row__name").click(modifiers=["Alt"])
    expect(box(page, SWEEP[0])).to_be_checked()
    expect(box(page, "damaged")).not_to_be_checked()
    reload(page, "show=sweep/adam")
    expect(count(page)).to_have_text("1 of 9 shown")
    page.get_by_test_id("all-runs").click()
    expect(count(page)).to_have_text("9 of 9 shown")
    page.get_by_test_id("all-runs").click()
    expect(count(page)).to_have_text("0 of 9 shown")


def test_invert_and_the_header_box_mean_what_is_listed(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#timeseries?hide=damaged")
    more(page, "Invert")
    expect(count(page)).to_have_text("1 of 9 shown")
    page.get_by_test_id("run-filter").fill("sweep")
    page.get_by_test_id("all-runs").click()
    expect(count(page)).to_have_text("8 of 8 shown")
    page.get_by_test_id("run-filter").fill("")
    expect(count(page)).to_have_text("9 of 9 shown")


def test_the_list_is_used_by_keyboard(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    row(page, "damaged").focus()
    page.keyboard.press("ArrowDown")
    expect(row(page, sorted(SWEEP)[0])).to_be_focused()
    page.keyboard.press("Space")
    expect(box(page, sorted(SWEEP)[0])).not_to_be_checked()
    page.keyboard.press("End")
    expect(row(page, sorted(SWEEP)[-1])).to_be_focused()
    page.keyboard.press("Enter")
    expect(row(page, sorted(SWEEP)[-1])).to_have_class(re.compile("emphasised"))
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)


def test_the_best_runs_by_a_metric(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    more(page, "Best by metric")
    dialog = page.get_by_test_id("top-dialog")
    dialog.get_by_test_id("metric-field").fill("loss")
    dialog.get_by_test_id("top-count").fill("2")
    dialog.get_by_role("button", name="Show these").click()
    expect(count(page)).to_have_text("2 of 9 shown")
    for run in ("sweep/adam_lr0.01_seed_1", "sweep/adam_lr0.01_seed_2"):
        expect(box(page, run)).to_be_checked()


def test_a_tree_by_path_folds_and_ticks(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    page.get_by_test_id("run-tree").click()
    folder = page.locator('[data-branch="sweep"]')
    expect(folder).to_contain_text("8")
    box(page, SWEEP[0]).click()
    expect(folder.locator("input:indeterminate")).to_have_count(1)
    folder.locator("input").click()
    expect(count(page)).to_have_text("9 of 9 shown")
    folder.locator(".run-row__name").click()
    eventually(page, listed, ["damaged"])
    reload(page, "folded=sweep")
    expect(page.locator('[data-branch="sweep"]')).to_be_visible()
    eventually(page, listed, ["damaged"])


def test_states_are_told_in_words(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    name = row(page, SWEEP[0]).locator(".run-row__name")
    expect(name).to_have_attribute("title", re.compile(f"^{SWEEP[0]}\nfinished, last data"))
    expect(name.locator("[data-state]")).to_have_count(0)


def test_columns_sort_and_show_differences_from_the_baseline(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    more(page, "Columns")
    page.get_by_test_id("find-column").fill("loss")
    page.get_by_test_id("columns-dialog").get_by_label("last", exact=True).check()
    page.keyboard.press("Escape")
    page.locator(".run-heads").get_by_role("button", name="loss").click()
    expect(page.locator(".run-list [data-run]").nth(1)).to_have_attribute("data-run", "sweep/adam_lr0.01_seed_2")
    menu(page, "sweep/adam_lr0.01_seed_1", "Use as baseline")
    expect(row(page, "sweep/adam_lr0.01_seed_2").locator(".run-row__delta")).to_have_text("+0.01")
    reload(page, "baseline=")
    expect(row(page, "sweep/adam_lr0.01_seed_2").locator(".run-row__delta")).to_have_text("+0.01")


def test_pinned_runs_stand_on_top(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    menu(page, SWEEP[-1], "Pin on top")
    eventually(page, lambda page: listed(page)[:1], [SWEEP[-1]])
    menu(page, SWEEP[-1], "Unpin")
    eventually(page, lambda page: listed(page)[:1], ["damaged"])


# ---- colours and groups


def color_of(page: sync_api.Page, run: str) -> str:
    found: str = row(page, run).locator(".run-row__swatch").evaluate("swatch => getComputedStyle(swatch).color")
    return found


def colors_of(page: sync_api.Page, runs: list[str]) -> dict[str, str]:
    return {run: color_of(page, run) for run in runs}


def test_run_colors_differ_in_both_themes(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    runs = ["damaged", *SWEEP]
    light = colors_of(page, runs)
    assert len(set(light.values())) == len(runs)
    page.emulate_media(color_scheme="dark")
    until(page, lambda: color_of(page, "damaged") != light["damaged"], "the dark colors")
    assert len(set(colors_of(page, runs).values())) == len(runs)


def test_run_colors_stay_when_a_run_is_added_and_after_a_restart(
    start_board: StartBoard, page: sync_api.Page, tmp_path: pathlib.Path
) -> None:
    logs = tmp_path / "logs"

    def write(run: str, created: int) -> None:
        event_files.write(logs / run / f"events.out.tfevents.{created}.host", event_files.scalars("loss", [1.0]))

    runs = ["b", "c", "d"]
    for place, run in enumerate(runs):
        write(run, 1_700_000_000 + place)
    first = start_board("--logdir", logs, "--reload_interval", "0.1")
    first.wait_for_runs(*runs)
    open_at(page, first)
    before = colors_of(page, runs)
    write("a", 1_600_000_000)  # an older run that is copied here later
    expect(row(page, "a")).to_be_visible()
    assert colors_of(page, runs) == before
    after = colors_of(page, ["a", *runs])
    assert len(set(after.values())) == 4
    first.stop()
    assert sorted(os.listdir(logs)) == ["a", *runs]  # looking at logs writes nothing into them
    second = start_board("--logdir", logs)
    second.wait_for_runs("a", *runs)
    open_at(page, second)
    assert colors_of(page, ["a", *runs]) == after


def test_a_colour_is_chosen_for_the_link_or_kept_with_the_logs(
    own_board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, own_board)
    first = color_of(page, "damaged")
    row(page, "damaged").locator(".run-row__swatch").click()
    page.get_by_test_id("color-popover").get_by_label("#rrggbb").fill("#123456")
    eventually(page, lambda page: color_of(page, "damaged"), "rgb(18, 52, 86)")
    expect(page).to_have_url(re.compile("123456"))
    assert remarks(own_board) == {}
    page.get_by_test_id("color-popover").get_by_role("button", name="Reset").click()
    eventually(page, lambda page: color_of(page, "damaged"), first)
    page.get_by_test_id("color-popover").get_by_label("Save with the logs").check()
    page.get_by_test_id("color-popover").get_by_label("#rrggbb").fill("#654321")
    board_process.wait_until(
        lambda: remarks(own_board).get("damaged", {}).get("color") == "#654321", "the colour to be kept"
    )


def test_colours_by_a_pattern_are_previewed(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    page.get_by_test_id("run-colors").click()
    page.get_by_role("menuitemcheckbox", name="Regular expression").click()
    page.get_by_test_id("group-regex").fill("(adam|sgd)")
    preview = page.get_by_test_id("group-preview")
    expect(preview).to_contain_text("2 groups, 1 run without a group")
    expect(preview).to_contain_text("adam")
    page.get_by_role("button", name="Apply").click()
    until(page, lambda: color_of(page, SWEEP[0]) == color_of(page, SWEEP[1]) != color_of(page, SWEEP[-1]), "colours")
    expect(page).to_have_url(re.compile("colorBy=regex"))


def test_a_numeric_hparam_is_a_scale_of_colours(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#timeseries?colorBy=hparam:lr")
    low, high = "sweep/adam_lr0.01_seed_1", "sweep/sgd_lr0.1_seed_2"
    page.wait_for_function(
        """([one, other]) => {
          const color = (run) => getComputedStyle(document.querySelector(`[data-run="${run}"] .run-row__swatch`)).color;
          return color(one) !== color(other);
        }""",
        arg=[low, high],
    )
    until(page, lambda: color_of(page, low) == color_of(page, "sweep/sgd_lr0.01_seed_2"), "equal colours")


def test_the_safe_palette_tells_equal_colours_apart_by_dashes(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board)
    page.get_by_test_id("run-colors").click()
    page.get_by_role("menuitemcheckbox", name="Safe for color blindness").click()
    dashed = page.locator(".run-list [stroke-dasharray]")
    expect(dashed).to_have_count(1)  # nine runs, eight colours
    page.get_by_test_id("run-colors").click()
    page.get_by_role("menuitemcheckbox", name="Dashed lines").click()
    expect(dashed).to_have_count(0)


def test_runs_are_grouped_by_an_hparam(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    more(page, "Group")
    dialog = page.get_by_test_id("group-dialog")
    choices = dialog.locator("select")
    choices.nth(0).select_option("hparam")
    choices.nth(1).select_option("optimizer")
    choices.nth(2).select_option("minmax")
    expect(dialog.get_by_test_id("group-preview")).to_contain_text("2 groups")
    dialog.get_by_role("button", name="Apply").click()
    group = page.locator('[data-branch="group:adam"]')
    group.locator("input").click()
    expect(count(page)).to_have_text("5 of 9 shown")
    expect(page).to_have_url(re.compile("group=hparam:optimizer.*band=minmax"))


# ---- what people say about runs


def test_a_run_is_renamed_labelled_noted_and_archived_beside_the_logs(
    own_board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, own_board)
    menu(page, "damaged", "Rename…")
    page.get_by_test_id("rename-field").fill("old 实验")
    page.keyboard.press("Enter")
    expect(row(page, "damaged")).to_contain_text("old 实验")
    menu(page, "damaged", "Labels…")
    page.get_by_test_id("label-field").fill(LABEL)
    page.get_by_role("button", name="Done").click()
    expect(row(page, "damaged").locator(".label-chip")).to_have_text(LABEL)
    menu(page, "damaged", "Note…")
    page.get_by_test_id("note-field").fill("**leak** in the loader")
    page.get_by_role("button", name="Save").click()
    expect(row(page, "damaged").locator(".run-row__note")).to_be_visible()
    # the new name is found, too
    page.get_by_test_id("run-filter").fill("实验")
    expect(count(page)).to_have_text("1 of 1 shown")
    page.get_by_test_id("run-filter").fill("")
    menu(page, "damaged", "Archive")
    expect(row(page, "damaged")).to_have_count(0)
    board_process.wait_until(lambda: remarks(own_board)["damaged"].get("archived") is True, "the archive")
    said = remarks(own_board)["damaged"]
    assert (said["name"], said["tags"], said["note"]) == ("old 实验", [LABEL], "**leak** in the loader")
    page.locator(".toast", has_text="archived").get_by_role("button", name="Undo").click()
    expect(row(page, "damaged")).to_be_visible()
    # Enter in the dialog was no press on the row below it
    expect(row(page, "damaged")).not_to_have_class(re.compile("emphasised"))


def test_a_label_is_saved_at_once_and_survives_escape(own_board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, own_board)
    menu(page, "damaged", "Labels…")
    page.get_by_test_id("label-field").fill("first")
    page.keyboard.press("Enter")
    expect(row(page, "damaged").locator(".label-chip")).to_have_text(["first"])
    page.get_by_test_id("label-field").fill("typed")
    page.keyboard.press("Escape")
    expect(row(page, "damaged").locator(".label-chip")).to_have_text(["first", "typed"])
    board_process.wait_until(lambda: remarks(own_board)["damaged"].get("tags") == ["first", "typed"], "both labels")
    page.locator(".toast", has_text="Labels of damaged changed").get_by_role("button", name="Undo").click()
    expect(row(page, "damaged").locator(".label-chip")).to_have_count(0)
    # nothing changed, nothing to undo
    menu(page, "damaged", "Labels…")
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("labels-dialog")).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)


def test_archived_runs_are_listed_when_asked_for(own_board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, own_board)
    menu(page, "damaged", "Archive")
    expect(count(page)).to_have_text("8 of 8 shown")
    more(page, "Archived runs")
    expect(row(page, "damaged")).to_have_class(re.compile("archived"))


def test_remarks_are_saved_to_a_file_and_read_back(
    own_board: board_process.Process, page: sync_api.Page, tmp_path: pathlib.Path
) -> None:
    given = tmp_path / "given.json"
    given.write_text(json.dumps({"runs": {"damaged": {"name": "renamed", "tags": ["a"]}}}))
    open_at(page, own_board)
    with page.expect_file_chooser() as chooser:
        more(page, "Import…")
    chooser.value.set_files(given)
    expect(row(page, "damaged")).to_contain_text("renamed")
    with page.expect_download() as download:
        more(page, "Save to a file")
    kept = json.loads(pathlib.Path(download.value.path()).read_text())
    assert kept["runs"] == {"damaged": {"name": "renamed", "tags": ["a"]}}


def test_changes_of_others_arrive(
    own_board: board_process.Process, page: sync_api.Page, tmp_path: pathlib.Path
) -> None:
    open_at(page, own_board)
    place = tmp_path / "sidecar" / "annotations.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(
        json.dumps({"lightboard": "annotations", "version": 1, "runs": {"damaged": {"name": "elsewhere"}}})
    )
    expect(row(page, "damaged")).to_contain_text("elsewhere")


# ---- the table


def test_the_table_has_what_differs_and_sorts_by_several_columns(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board)
    page.get_by_test_id("open-runs-table").click()
    heads = page.locator(".runs-table__header")
    expect(heads.filter(has_text="optimizer")).to_be_visible()
    page.locator('[data-column="hparam:lr"] .virtual-table__sort').click()
    page.locator('[data-column="hparam:seed"] .virtual-table__sort').click(modifiers=["Shift"])
    page.locator('[data-column="hparam:seed"] .virtual-table__sort').click(modifiers=["Shift"])
    expect(page.locator("[data-table-run]").first).to_have_attribute("data-table-run", "sweep/adam_lr0.01_seed_2")
    wanted = [
        "sweep/adam_lr0.01_seed_2",
        "sweep/sgd_lr0.01_seed_2",
        "sweep/adam_lr0.01_seed_1",
        "sweep/sgd_lr0.01_seed_1",
    ]
    # what is missing comes last
    eventually(page, lambda page: (table_runs(page)[:4], table_runs(page)[-1:]), (wanted, ["damaged"]))
    expect(page).to_have_url(re.compile("runSort=hparam:lr,-hparam:seed"))
    page.go_back()
    expect(page.locator(".runs-table")).to_have_count(0)


def test_the_table_replaces_the_list_and_has_its_tools(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    page.get_by_test_id("open-runs-table").click()
    expect(page.locator("[data-table-run]").first).to_be_visible()
    expect(page.locator(".run-sidebar")).to_have_count(0)
    expect(page.get_by_test_id("toggle-runs")).to_be_disabled()
    # F goes to the only filter of the page
    page.keyboard.press("f")
    expect(page.get_by_test_id("table-filter")).to_be_focused()
    page.keyboard.type("sgd")
    expect(count(page)).to_have_text("4 of 4 shown")
    # one sign for "shown in charts": the eye of a run, and of all
    first = page.locator("[data-table-run]").first
    first.locator(".eye-box input").click()
    expect(count(page)).to_have_text("3 of 4 shown")
    page.get_by_test_id("all-runs").click()
    expect(count(page)).to_have_text("4 of 4 shown")
    more(page, "Invert")
    expect(count(page)).to_have_text("0 of 4 shown")
    # a box selects, and shows or hides nothing
    first.locator(".runs-table__select input").click()
    expect(page.get_by_test_id("selected-count")).to_have_text("1 selected")
    expect(count(page)).to_have_text("0 of 4 shown")


def test_results_come_before_hyperparameters_that_differ(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#runs?")
    head = page.locator('[data-column="hparam:optimizer"]')
    expect(head).to_be_visible()
    shown = [
        "name",
        "state",
        "last:eval/acc",
        "last:loss",
        "hparam:lr",
        "hparam:optimizer",
        "hparam:seed",
        "start",
        "duration",
    ]
    eventually(page, columns, shown)
    # among these runs the optimizer is the same
    page.get_by_test_id("table-filter").fill("sgd_")
    expect(head).to_have_count(0)
    eventually(page, columns, [column for column in shown if column != "hparam:optimizer"])
    # still offered
    page.get_by_test_id("table-columns").click()
    expect(page.get_by_test_id("table-columns-dialog").get_by_text("optimizer")).to_be_visible()


def test_a_run_is_opened_from_the_list_with_one_click(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    row(page, SWEEP[0]).hover()
    row(page, SWEEP[0]).get_by_role("button", name=f"Open {SWEEP[0]}").click()
    expect(page.locator(".run-page__name")).to_have_text(SWEEP[0])


def test_pinned_columns_stay_when_the_table_is_scrolled_sideways(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board, "#runs?tableColumns=state,start,duration,last_time,labels,note&columnPins=state")
    page.set_viewport_size({"width": 900, "height": 500})
    table, first = page.locator(".runs-table"), page.locator("[data-table-run]").first
    pinned = [first.locator("[role=rowheader]"), first.locator(".runs-table__cell--pinned").nth(1)]
    left = [box_of(cell)["x"] for cell in pinned]
    # below its own head, held or not
    head = page.locator('[data-column="state"]')
    assert box_of(head)["x"] == left[1]
    pinned[0].hover(position={"x": 8, "y": 8})
    expect(table).to_have_attribute("data-held", "")
    page.mouse.wheel(80, 0)
    eventually(page, lambda _: int(table.evaluate("(t) => t.scrollLeft")) > 40, True)
    assert [box_of(cell)["x"] for cell in pinned] == left


def test_columns_are_moved_pinned_sized_and_removed_by_keyboard(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board, "#runs?tableColumns=state,start,duration")
    page.locator('[data-column="duration"] .virtual-table__sort').focus()
    page.keyboard.press("Alt+ArrowLeft")
    heads = page.locator(".runs-table__header")
    eventually(page, columns, ["name", "state", "duration", "start"])
    edge = page.locator('[data-column="duration"] .column-edge')
    edge.focus()
    page.keyboard.press("ArrowRight")
    expect(edge).to_have_attribute("aria-valuenow", "144")
    head = page.locator('[data-column="start"]')
    head.hover()
    head.get_by_role("button", name="Column menu: Start").click()
    page.get_by_role("menuitem", name="Pin", exact=True).click()
    eventually(page, columns, ["name", "start", "state", "duration"])
    head.hover()
    head.get_by_role("button", name="Column menu: Start").click()
    page.get_by_role("menuitem", name="Remove column").click()
    eventually(page, columns, ["name", "state", "duration"])
    reload(page, "tableColumns=state,duration&")
    expect(heads).to_have_count(3)
    page.locator('[data-column="duration"]').drag_to(page.locator('[data-column="state"]'))
    eventually(page, columns, ["name", "duration", "state"])


def test_columns_are_added(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#runs?tableColumns=state")
    page.get_by_test_id("table-columns").click()
    page.get_by_test_id("find-column").fill("acc")
    page.get_by_test_id("table-columns-dialog").get_by_label("highest").check()
    page.keyboard.press("Escape")
    cell = page.locator('[data-table-run="sweep/adam_lr0.01_seed_1"] [role=gridcell].runs-table__cell').nth(1)
    expect(cell).to_have_text("0.898")


def test_a_column_filter_is_a_chip_and_becomes_an_expression(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#runs?")
    head = page.locator('[data-column="hparam:optimizer"]')
    head.hover()
    head.get_by_role("button", name="Column menu: optimizer").click()
    page.get_by_role("menuitem", name="Filter…").click()
    popover = page.get_by_test_id("column-filter")
    popover.get_by_label("sgd").uncheck()
    expect(page.locator('[data-chip="hparam:optimizer"]')).to_contain_text("optimizer: adam")
    # the run without any optimizer is still there
    expect(page.locator("[data-table-run]")).to_have_count(5)
    popover.get_by_label("Runs without a value").uncheck()
    expect(page.locator("[data-table-run]")).to_have_count(4)
    page.keyboard.press("Escape")
    reload(page, "absent%22:false")
    expect(page.locator("[data-table-run]")).to_have_count(4)
    page.get_by_role("button", name="Convert to a filter expression").click()
    expect(page.get_by_test_id("table-filter")).to_have_value('hparams.optimizer in ["adam"]')
    expect(page.locator(".filter-chip")).to_have_count(0)
    expect(page.locator("[data-table-run]")).to_have_count(4)


def test_an_interval_filters_a_metric(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#runs?tableColumns=last:loss")
    head = page.locator('[data-column="last:loss"]')
    head.hover()
    head.get_by_role("button", name="Column menu: loss").click()
    page.get_by_role("menuitem", name="Filter…").click()
    page.get_by_test_id("filter-to").fill("0.5")
    expect(page.locator('[data-chip="last:loss"]')).to_contain_text("loss ≤ 0.5")
    expect(page.locator("[data-table-run]")).to_have_count(4)


def cut_numbers(page: sync_api.Page) -> list[str]:
    """Texts of number cells that are wider than their cells."""
    found: list[str] = page.locator(".runs-table__row .runs-table__cell--right").evaluate_all(
        """cells => cells.filter(cell => [cell, ...cell.children].some(one => one.scrollWidth > one.clientWidth
            && getComputedStyle(one).display !== 'inline')).map(cell => cell.textContent)"""
    )
    return found


@pytest.fixture(scope="module")
def tiny_numbers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    """Runs with metrics that need an exponent, and names that are longer than their columns."""
    folder = tmp_path_factory.mktemp("tiny")
    for place, scale in enumerate([1e-9, 6.8539e-9, -6.8539e-19, 123456.0]):
        tags = {"learning_rate": scale, "accelerator/throughput_in_tokens_per_second": scale * 3.14159}
        records = [one for tag, value in tags.items() for one in event_files.scalars(tag, [value, value])]
        event_files.write(folder / f"run{place}" / "events.out.tfevents.1", records)
    with board_process.Process("--port", "0", "--logdir", folder) as shared:
        shared.wait_for_runs("run0", "run1", "run2", "run3")
        yield shared


def test_numbers_keep_their_first_digits_beside_a_baseline(
    tiny_numbers: board_process.Process, page: sync_api.Page
) -> None:
    page.goto(tiny_numbers.url + "#runs?baseline=run0")
    cells = page.locator('[data-table-run="run1"] .runs-table__cell--right', has_text="e−9")
    expect(cells.first).to_contain_text("6.8539e−9")
    expect(cells.first.locator(".run-row__delta")).to_have_text("+5.85e−9")
    assert cut_numbers(page) == []
    # a column made narrow drops the difference, then digits, and says more in its title
    page.goto(tiny_numbers.url + '#runs?baseline=run0&columnWidths={"last:learning_rate":92}')
    expect(cells.first).to_have_text("6.854e−9")
    expect(cells.first).to_have_attribute("title", re.compile(r"^6\.8539"))
    assert cut_numbers(page) == []


def test_dates_are_local_short_and_exact_on_hover(
    board: board_process.Process, open_page: Callable[..., sync_api.Page]
) -> None:
    for locale, shape in (
        ("en-US", r"^[A-Z][a-z]{2} \d{1,2}, \d\d:\d\d$"),
        ("zh-CN", r"^\d{1,2}月\d{1,2}日 \d\d:\d\d$"),
    ):
        page = open_page(locale=locale, timezone_id="Asia/Shanghai")
        page.goto(board.url + "#runs?tableColumns=start")
        cell = page.locator(f"[data-table-run={json.dumps(SWEEP[0])}] .runs-table__cell--right").first
        expect(cell).to_have_text(re.compile(shape))
        expect(cell).to_have_attribute("title", re.compile(r"^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?\+08:00$"))


def test_only_columns_that_differ(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#runs?tableColumns=state,hparam:lr,hparam:seed&runFilter=seed_1")
    expect(page.locator("[data-column]")).to_have_count(4)
    expect(page.locator('[data-table-run="sweep/adam_lr0.01_seed_1"]')).to_contain_text("0.01")
    page.get_by_test_id("only-differing").click()
    expect(page.locator("[data-column]")).to_have_count(2)
    expect(page.locator('[data-column="hparam:lr"]')).to_be_visible()


def test_selected_runs_are_compared_and_archived_with_undo(
    own_board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, own_board, "#runs?")
    boxes = page.locator("[data-table-run] .runs-table__select input")
    boxes.nth(1).click()
    boxes.nth(3).click(modifiers=["Shift"])
    expect(page.get_by_test_id("selected-count")).to_have_text("3 selected")
    page.get_by_test_id("archive-selected").click()
    expect(page.locator("[data-table-run]")).to_have_count(6)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.locator("[data-table-run]")).to_have_count(9)
    page.locator("[data-table-run]").first.focus()
    page.keyboard.press("Control+a")
    expect(page.get_by_test_id("selected-count")).to_have_text("9 selected")
    expect(page.get_by_test_id("compare-selected")).to_be_disabled()
    page.keyboard.press("Escape")
    boxes.nth(1).click()
    boxes.nth(2).click()
    page.get_by_test_id("compare-selected").click()
    expect(page.locator("[data-compared]")).to_have_count(2)


def test_the_table_is_exported(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#runs?tableColumns=hparam:lr,last:loss&runFilter=adam_lr0.01_seed_1")
    expect(page.locator("[data-table-run]")).to_contain_text("0.22")
    with page.expect_download() as download:
        page.get_by_test_id("export-runs").click()
        page.get_by_role("menuitem", name="Table as CSV").click()
    lines = pathlib.Path(download.value.path()).read_text().splitlines()
    assert lines[0] == "run,name,hparam:lr,last:loss"
    assert lines[1].startswith("sweep/adam_lr0.01_seed_1,sweep/adam_lr0.01_seed_1,0.01,0.2")
    with page.expect_download() as points:
        page.get_by_test_id("export-runs").click()
        page.get_by_role("menuitem", name="All points as CSV").click()
    assert "eval/acc" in pathlib.Path(points.value.path()).read_text()


def test_groups_in_the_table_have_means(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#runs?tableColumns=hparam:seed&group=hparam:optimizer")
    group = page.locator(".runs-table__row--group").first
    expect(group).to_contain_text("adam")
    expect(group).to_contain_text("mean of 4 runs")
    expect(group.locator("[role=gridcell].runs-table__cell")).to_have_text("1.5")


# ---- one run, and several


def test_the_page_of_a_run_tells_all_about_it(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board)
    menu(page, SWEEP[0], "Open run")
    expect(page.locator(".run-page__name")).to_have_text(SWEEP[0])
    expect(page.locator(".run-page__facts")).to_contain_text("finished normally")
    page.get_by_role("tab", name="Config").click()
    page.get_by_test_id("config-search").fill("layers")
    expect(page.locator(".config-tree__leaf")).to_have_text("model.layers2")
    page.get_by_role("tab", name="Metrics").click()
    page.get_by_test_id("metric-filter").fill("acc$")
    expect(page.get_by_test_id("run-metrics").locator("tbody tr")).to_have_count(1)
    page.get_by_role("tab", name="Environment").click()
    expect(page.locator(".config-tree")).to_contain_text("python")
    page.get_by_role("tab", name="Files").click()
    expect(page.locator(".plain-table tbody tr")).to_have_count(1)
    reload(page, "runTab=files")
    expect(page.get_by_role("tab", name="Files")).to_have_attribute("aria-selected", "true")
    page.get_by_test_id("run-charts").click()
    expect(count(page)).to_have_text("1 of 9 shown")


def test_the_page_of_a_run_opens_on_charts_and_leads_back(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, f"#run?of={SWEEP[0]}")
    charts = page.locator("[data-chart-of]")
    expect(charts).to_have_count(2)
    expect(page.locator('[data-chart-of="loss"] canvas')).to_be_visible()
    expect(page.locator('[data-chart-of="loss"] .mini-chart__value')).to_have_text("0.31")
    expect(page.get_by_test_id("overview-config")).to_contain_text("optimizer")
    # what has no content has no tab; the code is there if this test runs in a repository
    expect(page.get_by_role("tab").filter(has_not_text="Code")).to_have_text(
        [re.compile(name) for name in ("Overview", "Charts", "Metrics", "Config", "Environment", "Files")]
    )
    page.get_by_role("navigation", name="Path").get_by_role("link", name="Runs").click()
    expect(page.locator("[data-table-run]").first).to_be_visible()
    page.go_back()
    expect(page.locator(".run-page__name")).to_have_text(SWEEP[0])


@pytest.fixture(scope="module")
def full_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    """A run with printed output, media and metrics of the machine."""
    folder = tmp_path_factory.mktemp("full")
    run = lightboard.init(name="full", dir=folder, system_metrics=False, console=True)
    sys.stdout.write("epoch one <b>bold</b>\n")
    sys.stderr.write("it failed\n")
    picture = np.zeros((8, 8, 3), np.uint8)
    for step in range(3):
        run.log({"loss": 1.0 / (step + 1), "system/cpu": 10.0 * step, "sample": lightboard.Image(picture)}, step=step)
    run.finish()
    with board_process.Process("--port", "0", "--logdir", folder) as shared:
        shared.wait_for_runs("full")
        yield shared


def test_a_run_shows_its_newest_media_machine_and_printed_output(
    full_run: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, full_run, "#run?of=full")
    newest = page.locator("[data-media=images] figure")
    expect(newest).to_contain_text("sample step 2")
    board_process.wait_until(lambda: newest.locator("img").evaluate("(img) => img.naturalWidth") == 8, "the picture")
    page.get_by_role("tab", name="System").click()
    expect(page.locator("[data-chart-of]")).to_have_count(1)
    expect(page.locator('[data-chart-of="system/cpu"]')).to_be_visible()
    page.get_by_role("tab", name="Console").click()
    console = page.get_by_test_id("console")
    expect(console).to_contain_text("epoch one <b>bold</b>")
    expect(console.locator(".run-console__line--error")).to_have_text("it failed\n")
    page.get_by_role("tab", name="Media").click()
    page.locator("[data-media=images]").get_by_role("button", name="Open").click()
    expect(page.get_by_test_id("images-page")).to_be_visible()


def test_damage_is_told_with_its_place(board: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, board, "#run?of=damaged&runTab=health")
    expect(page.get_by_test_id("faults").locator("tbody tr")).to_have_count(1)
    expect(row(page, "damaged").locator(".run-row__faults")).to_be_visible()


def test_a_note_is_written_on_the_page_of_a_run_and_rendered(
    own_board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, own_board, "#run?of=damaged")
    page.get_by_test_id("edit-note").click()
    page.get_by_test_id("note-field").fill("# Found\n\n- a **leak**\n\n<script>window.bad = 1</script>")
    page.get_by_test_id("save-note").click()
    expect(page.locator(".run-page__markdown strong")).to_have_text("leak")
    assert page.evaluate("window.bad") is None


def test_an_absent_run_is_said_to_be_absent(
    board: board_process.Process, page: sync_api.Page, forgiven: list[str]
) -> None:
    forgiven.append("status of 404")
    open_at(page, board, "#run?of=nobody")
    expect(page.locator(".run-page__missing")).to_contain_text("no run nobody")


def test_runs_are_compared_side_by_side(board: board_process.Process, page: sync_api.Page) -> None:
    first, second, third = SWEEP[0], SWEEP[2], SWEEP[4]
    open_at(page, board, f"#compare?of={first},{second}")
    config = page.get_by_test_id("compare-config")
    expect(config.locator("tbody tr")).to_have_count(1)
    expect(config.locator("tbody tr")).to_contain_text("lr")
    page.get_by_test_id("only-differences").uncheck()
    expect(config.locator("tbody tr")).to_have_count(4)
    page.get_by_test_id("only-differences").check()
    # curves of both runs in one chart, and a verdict in words, not by color alone
    expect(page.locator('[data-chart-of="loss"] canvas')).to_be_visible()
    results = page.get_by_test_id("compare-metrics")
    expect(results.locator("tr", has_text="loss")).to_contain_text("−0.09 (−29 %) ▲ better")
    expect(results.locator("tr", has_text="acc")).to_contain_text("+0.009 (+1.01 %) ▲ better")
    page.get_by_test_id("add-run").fill(third)
    expect(page.locator("[data-compared]")).to_have_count(3)
    expect(config.locator("tbody tr")).to_have_count(2)
    page.locator(f'[data-compared="{third}"]').get_by_role("button", name="Set as reference").click()
    expect(page.locator("[data-compared]").first).to_have_attribute("data-compared", third)
    reload(page, "of=sweep/sgd")
    expect(page.locator("[data-compared]").first).to_have_attribute("data-compared", third)


# ---- odd boards


def test_odd_names_are_listed_ticked_and_kept(
    start_board: StartBoard, page: sync_api.Page, tmp_path: pathlib.Path
) -> None:
    names = ["x" * 200, "日本語 🚀", "שלום", "a,b~c", "#hash", "-minus", "100%"]
    for name in names:
        event_files.write(tmp_path / "logs" / name / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    event_files.write(tmp_path / "logs" / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    undecodable = tmp_path / "logs" / "bad\udcff"
    event_files.write(undecodable / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    board = start_board("--logdir", tmp_path / "logs")
    board.wait_for_runs(*names)
    open_at(page, board)
    expect(count(page)).to_have_text("9 of 9 shown")
    every = page.locator(".run-list [data-run] input[type=checkbox]")
    expect(every).to_have_count(9)
    for place in range(9):
        every.nth(place).click()
    expect(count(page)).to_have_text("0 of 9 shown")
    reload(page, "hide=([^&]*,){8}")
    expect(count(page)).to_have_text("0 of 9 shown")
    page.locator(".run-list [data-run] .run-row__name").first.dblclick()
    expect(page.locator(".run-page__name")).to_be_visible()
    expect(page.locator(".run-page__facts")).to_be_visible()


def test_a_board_that_keeps_nothing_says_so(start_board: StartBoard, page: sync_api.Page, logs: pathlib.Path) -> None:
    board = start_board("--logdir", logs, "--sidecar", "none")
    board.wait_for_runs("damaged")
    open_at(page, board)
    row(page, "damaged").click(button="right")
    expect(page.get_by_role("menuitem", name="Rename…")).to_have_attribute("aria-disabled", "true")


def test_of_many_runs_the_newest_are_shown_first(
    start_board: StartBoard, page: sync_api.Page, tmp_path: pathlib.Path
) -> None:
    for number in range(520):
        events = [event_files.scalar_event("loss", 1.0, step=1, wall_time=event_files.WALL + number)]
        event_files.write(tmp_path / f"run{number}" / "events.out.tfevents.1", events)
    board = start_board("--logdir", tmp_path)
    board.wait_for_runs("run519")
    open_at(page, board)
    expect(count(page)).to_have_text("10 of 520 shown")
    expect(page).to_have_url(re.compile("show=run519,run518"))
    # natural order
    eventually(page, lambda page: listed(page)[:3], ["run0", "run1", "run2"])
    more(page, "All listed")
    expect(count(page)).to_have_text("520 of 520 shown")
    reload(page, "showAll=1")
    expect(count(page)).to_have_text("520 of 520 shown")
    page.get_by_test_id("run-filter").fill("9$")
    expect(count(page)).to_have_text("52 of 52 shown")


def test_the_list_speaks_chinese(board: board_process.Process, open_page: Callable[..., sync_api.Page]) -> None:
    page = open_page(locale="zh-CN")
    open_at(page, board, "#runs?")
    expect(page.locator(".runs-page__title")).to_have_text("运行")
    expect(count(page)).to_have_text("显示 9 / 9")


# ---- seeds


def test_runs_that_differ_in_their_seed_are_offered_as_groups(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board)
    offer = page.get_by_test_id("seed-offer")
    expect(offer).to_contain_text("4 configurations × 2 seeds")
    offer.get_by_role("button", name="Group").click()
    expect(offer).to_have_count(0)
    expect(page.locator(".run-list [data-branch]")).to_have_count(4)
    page.keyboard.press("Control+z")
    expect(offer).to_be_visible()
    offer.get_by_role("button", name="Don't show this again").click()
    expect(offer).to_have_count(0)
    page.reload()
    expect(page.locator("[data-run]").first).to_be_visible()
    expect(offer).to_have_count(0)


def test_runs_can_be_grouped_by_all_hyperparameters_but_the_seed(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board)
    more(page, "Group…")
    dialog = page.get_by_test_id("group-dialog")
    dialog.locator("select").first.select_option(label="All hyperparameters except…")
    expect(dialog.locator("select").nth(1)).to_have_value("seed")
    expect(dialog.get_by_test_id("group-preview")).to_contain_text("4 groups")
    dialog.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile("group=hparam:lr,.*optimizer"))


# ---- back and forward


def test_back_and_forward_go_through_filters_one_entry_per_pause(
    board: board_process.Process, page: sync_api.Page
) -> None:
    open_at(page, board)
    field = page.get_by_test_id("run-filter")
    field.press_sequentially("adam")
    expect(page).to_have_url(re.compile("runFilter=adam"))
    page.locator("[data-card]").first.hover()
    page.locator("[data-card]").first.get_by_role("button", name="Pin").click()
    expect(page).to_have_url(re.compile("pins="))
    page.go_back()
    expect(page).not_to_have_url(re.compile("pins="))
    expect(field).to_have_value("adam")
    page.go_back()
    # not one letter at a time
    expect(field).to_have_value("")
    page.go_forward()
    expect(field).to_have_value("adam")
    expect(count(page)).to_have_text("4 of 4 shown")


# ---- names that are long and alike


GRID = [
    f"sweep/units={units},optimizer={optimizer},dropout={dropout},seed={seed}"
    for units in (32, 64)
    for optimizer in ("adam", "sgd")
    for dropout in (0, 0.2)
    for seed in (1, 2)
]
COLUMNS = [f"accelerator_config/{word}_batches_of_data" for word in ("dispatch", "even", "split")]


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("alike")
    for place, name in enumerate(GRID):
        config = {"units": place, **dict.fromkeys(COLUMNS, place % 2 == 0)}
        run = lightboard.init(name=name, config=config, dir=folder, system_metrics=False, console=False, metadata=False)
        run.log({"loss": place}, step=0)
        run.log({"loss": place / 2}, step=1)
        run.finish()
    with board_process.Process("--port", "0", "--logdir", folder) as process:
        process.wait_for_runs(*GRID)
        yield process


def fully_shown(found: sync_api.Locator) -> list[str]:
    """Texts of elements; fails if one of them is cut off."""
    shown: list[str] = found.evaluate_all("all => all.map(one => one.innerText)")
    cut = found.evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.innerText)"
    )
    assert cut == []
    return shown


def test_names_that_differ_look_different(alike: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, alike)
    expect(page.locator(".run-list .run-name")).to_have_count(len(GRID))
    in_list = fully_shown(page.locator(".run-list .run-name"))
    assert len(set(in_list)) == len(GRID)
    assert re.fullmatch(r"…u\w*=32,o\w*=adam,d\w*=0,s\w*=1", in_list[0])
    expect(page.locator(".run-list .run-name").first).to_have_attribute("title", GRID[0])

    card = page.locator("[data-card]").first
    card.hover()
    card.get_by_role("button", name="More for this chart").click()
    page.get_by_role("menuitem", name="View as table…").click()
    in_table = page.get_by_role("dialog").locator(".values-table__name")
    expect(in_table).to_have_count(len(GRID))
    assert len(set(fully_shown(in_table))) == len(GRID)


def test_groups_and_columns_that_differ_look_different(alike: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, alike, "#timeseries?group=regex:(.*),seed")
    heads = page.locator(".run-list .run-row__branch")
    expect(heads).to_have_count(len(GRID) // 2)
    assert len(set(fully_shown(heads))) == len(GRID) // 2
    page.locator("[data-kind=runs]").first.click()
    titles = page.locator(".runs-table__header .virtual-table__heading", has_text=re.compile("patch|even|split"))
    expect(titles).to_have_count(len(COLUMNS))
    assert len(set(fully_shown(titles))) == len(COLUMNS)


def test_compared_runs_that_differ_look_different(alike: board_process.Process, page: sync_api.Page) -> None:
    open_at(page, alike)
    names = page.locator(".compare-page__open .run-name")
    compared = ",".join(name.replace(",", "~1") for name in GRID[:6])
    page.goto(f"{alike.url}#compare?of={urllib.parse.quote(compared, safe='~')}")
    expect(names).to_have_count(6)
    shown: list[str] = names.evaluate_all("all => all.map(one => one.innerText)")
    assert len(set(shown)) == 6
    # on several lines, and nothing is cut off
    assert names.evaluate_all("all => all.filter(one => one.scrollHeight > one.clientHeight + 1).length") == 0
