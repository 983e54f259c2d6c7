"""The page of meshes as a person uses it: real Chromium, a real board, with WebGL and without.

Without a graphics card, which is how these tests run, the processor draws; the same page drawn by WebGL is looked at in
one of its own, where the browser imitates a card. Not here: how quickly a million points move (see CHANGELOG).
"""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import board_process
import event_files
import numpy as np
import pytest
from browser import conftest, patience, test_accessibility
from browser.kind_cards import drawn, expect_step, kind_card, open_kind, option, slide
from playwright import sync_api

import lightboard
from lightboard.demo import shapes

pytestmark = pytest.mark.browser

expect = sync_api.expect

DATA = pathlib.Path(__file__).parents[1] / "data"
RUNS = ("alpha", "beta")
RED = np.array([[[255, 0, 0]]], np.uint8)


def torus(thickness: float) -> Any:
    return np.array(shapes.vertices(thickness), np.float32).reshape(1, -1, 3)


def faces() -> Any:
    return np.array(shapes.faces(), np.int32).reshape(1, -1, 3)


def write_run(folder: pathlib.Path, name: str, number: int) -> None:
    with lightboard.SummaryWriter(str(folder / name)) as writer:
        for step in range(0, 50, 10):
            vertices = torus(0.2 + 0.01 * step + 0.1 * number)
            count = vertices.shape[1]
            writer.add_mesh("shapes/torus", vertices, faces=faces(), colors=np.repeat(RED, count, 1), global_step=step)
            writer.add_mesh("shapes/batch", np.concatenate([vertices, 3 * vertices]), global_step=step)
            writer.add_scalar("loss", 1.0, step)
        if name == "beta":
            broken = torus(0.3)
            broken[0, :20] = np.nan
            writer.add_mesh("odd/damaged", broken, faces=faces(), colors=np.repeat(RED, 7, 1), global_step=0)
            writer.add_mesh("odd/empty", np.zeros((1, 0, 3), np.float32), global_step=0)
            writer.add_mesh("odd/point", np.ones((1, 1, 3), np.float32), global_step=0)


def write_wrong(folder: pathlib.Path) -> None:
    """A tag of this kind that holds something else."""
    metadata = event_files.summary_metadata("mesh")
    value = event_files.value(
        "odd/row_VERTEX", event_files.field_bytes(8, event_files.tensor([1.0, 2.0], shape=[2])), metadata
    )
    event_files.write(
        folder / "beta" / "events.out.tfevents.9",
        [event_files.version_event(), event_files.summary_event(value, step=0, wall_time=event_files.WALL)],
    )


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    for number, name in enumerate(RUNS):
        write_run(folder, name, number)
    write_wrong(folder)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*RUNS)
        yield process


def open_mesh(page: sync_api.Page, board: board_process.Process, members: str = "tagFilter=torus") -> None:
    open_kind(page, board, "mesh", members, 1000)


def mesh(page: sync_api.Page, tag: str = "shapes/torus_VERTEX", run: str = "alpha") -> sync_api.Locator:
    return kind_card(page, "mesh", tag, run)


def camera(card: sync_api.Locator) -> str:
    return card.get_by_test_id("mesh-view").get_attribute("data-camera") or ""


def expect_camera(page: sync_api.Page, card: sync_api.Locator, before: str, *, same: bool) -> None:
    patience.eventually(page, lambda _: camera(card) == before, wanted=same)


def colored(card: sync_api.Locator) -> int:
    """How many pixels are rather red."""
    found: int = drawn(card).evaluate(
        """(canvas) => {
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let count = 0;
            for (let i = 0; i < data.length; i += 4) count += data[i] > 60 && data[i] > 2 * data[i + 1];
            return count;
        }"""
    )
    return found


def expect_colored(page: sync_api.Page, card: sync_api.Locator, least: int = 500) -> None:
    patience.until(page, lambda: colored(card) > least, "a red mesh")


def drag(page: sync_api.Page, card: sync_api.Locator, dx: float, dy: float, **keys: str) -> None:
    box = patience.box_of(card.get_by_test_id("mesh-view"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    if "key" in keys:
        page.keyboard.down(keys["key"])
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx / 2, y + dy / 2)
    page.mouse.move(x + dx, y + dy)
    page.mouse.up()
    if "key" in keys:
        page.keyboard.up(keys["key"])


def test_a_mesh_has_one_card_for_all_its_parts(page: sync_api.Page, board: board_process.Process) -> None:
    open_mesh(page, board)
    expect(page.locator("[data-kind-card]")).to_have_count(2)
    card = mesh(page)
    expect_step(card, 40)
    expect(drawn(card)).to_have_attribute("data-stage", "plain")
    expect(drawn(card)).to_have_attribute("data-drawn", "288")
    expect(card.get_by_test_id("mesh-plain")).to_be_visible()
    expect(card).to_contain_text("288 vertices")
    expect(card).to_contain_text("576 faces")
    expect(page.get_by_role("heading", name="torus")).to_be_visible()
    expect_colored(page, card)


def test_steps_and_samples_are_reached(page: sync_api.Page, board: board_process.Process) -> None:
    open_mesh(page, board, "tagFilter=batch")
    card = mesh(page, "shapes/batch_VERTEX")
    expect_step(card, 40)
    slide(card, "Home")
    expect_step(card, 0)
    slide(card, "ArrowRight", 2)
    expect_step(card, 20)
    before = camera(card)
    expect(card.get_by_test_id("sample")).to_have_text("1 / 2")
    card.get_by_test_id("next-sample").click()
    # three times as large: all points are in sight from three times as far
    patience.eventually(page, lambda _: round(float(camera(card).split()[2]) / float(before.split()[2]), 2), wanted=3.0)


def test_pointer_and_keys_turn_move_and_zoom(page: sync_api.Page, board: board_process.Process) -> None:
    open_mesh(page, board)
    card = mesh(page)
    expect_colored(page, card)
    first = camera(card)
    drag(page, card, 60, 20)
    expect_camera(page, card, first, same=False)
    theta, _, distance = camera(card).split()
    drag(page, card, 30, 0, key="Shift")
    patience.until(page, lambda: "meshCameras" in page.url, "the camera in the address")
    assert camera(card).split()[0] == theta
    view = card.get_by_test_id("mesh-view")
    view.focus()
    page.keyboard.press("+")
    patience.until(page, lambda: float(camera(card).split()[2]) < float(distance), "a nearer camera")
    page.keyboard.press("ArrowLeft")
    patience.until(page, lambda: camera(card).split()[0] != theta, "another angle")
    page.keyboard.press("0")
    expect_camera(page, card, first, same=True)
    expect(mesh(page, run="beta").get_by_test_id("mesh-view")).to_be_visible()


def test_the_wheel_scrolls_the_page_until_the_mesh_is_clicked(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_mesh(page, board)
    card = mesh(page)
    expect_colored(page, card)
    first = camera(card)
    box = patience.box_of(card.get_by_test_id("mesh-view"))
    page.mouse.move(box["x"] + 60, box["y"] + 60)
    page.mouse.wheel(0, 40)
    page.mouse.click(box["x"] + 60, box["y"] + 60)
    assert camera(card) == first
    page.mouse.wheel(0, 40)
    expect_camera(page, card, first, same=False)


def test_a_camera_survives_a_reload_and_follows_steps_only_if_it_shall(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_mesh(page, board, "tagFilter=torus&meshView=current")
    card = mesh(page)
    expect_colored(page, card)
    drag(page, card, 50, 30)
    patience.until(page, lambda: "meshCameras" in page.url, "the camera in the address")
    moved = camera(card)
    page.reload()
    expect_colored(page, card)
    expect_camera(page, card, moved, same=True)
    slide(card, "Home")
    expect_step(card, 0)
    assert camera(card) == moved
    page.get_by_test_id("mesh-view").first.focus()
    page.locator("select[data-testid=mesh-view]").select_option("all")
    # refitted: the torus of the first step is smaller, the angles stay
    patience.eventually(page, lambda _: camera(card).split()[2] == moved.split()[2], wanted=False)
    assert camera(card).split()[:2] == moved.split()[:2]


def test_all_cards_may_share_one_camera(page: sync_api.Page, board: board_process.Process) -> None:
    open_mesh(page, board, "tagFilter=torus&meshView=share")
    one, other = mesh(page), mesh(page, run="beta")
    expect_colored(page, one)
    expect_colored(page, other)
    drag(page, one, 70, 10)
    patience.eventually(page, lambda _: camera(one) == camera(other), wanted=True)
    patience.until(page, lambda: "meshShared" in page.url, "the camera in the address")
    page.get_by_test_id("mesh-reset-all").click()
    patience.eventually(page, lambda _: camera(one) == camera(other), wanted=False)


def test_axes_wires_and_point_size(page: sync_api.Page, board: board_process.Process) -> None:
    open_mesh(page, board)
    card = mesh(page)
    expect_colored(page, card)
    solid = colored(card)
    option(page, "mesh-wires").click()
    patience.until(page, lambda: 0 < colored(card) < solid, "a mesh of wires")
    frames = int(drawn(card).get_attribute("data-frames") or 0)
    option(page, "mesh-grid").click()
    patience.until(page, lambda: int(drawn(card).get_attribute("data-frames") or 0) > frames, "another drawing")
    option(page, "mesh-up").select_option("z")
    patience.until(page, lambda: "meshUp=z" in page.url and "meshGrid=1" in page.url, "the look in the address")


def test_odd_meshes_say_what_is_odd(page: sync_api.Page, board: board_process.Process) -> None:
    open_mesh(page, board, "tagFilter=odd")
    damaged = mesh(page, "odd/damaged_VERTEX", "beta")
    note = damaged.get_by_test_id("mesh-notes")
    patience.until(page, lambda: "20 vertices are not finite" in (note.get_attribute("title") or ""), "a note")
    assert "7 colors" in (note.get_attribute("title") or "")
    expect(mesh(page, "odd/empty_VERTEX", "beta")).to_contain_text("This step has no points")
    expect(drawn(mesh(page, "odd/point_VERTEX", "beta"))).to_have_attribute("data-drawn", "1")
    expect(mesh(page, "odd/row_VERTEX", "beta")).to_contain_text("unexpected shape: [2]")


def test_full_screen_and_files(page: sync_api.Page, board: board_process.Process) -> None:
    open_mesh(page, board)
    card = mesh(page)
    expect_colored(page, card)
    for name, ending in (("OBJ", "obj"), ("PLY", "ply"), ("picture", "png")):
        card.get_by_role("button", name="More for this card").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=name).click()
        path = download.value.path()
        assert download.value.suggested_filename == f"shapes_torus_alpha_40.{ending}"
        head = path.read_bytes()[:60]
        assert head.startswith({"obj": b"# ", "ply": b"ply\n", "png": b"\x89PNG"}[ending])
    card.get_by_role("button", name="Expand").click()
    large = page.locator("[data-full]")
    expect(drawn(large)).to_have_attribute("data-step", "40")
    first = camera(large)
    large.get_by_test_id("mesh-nearer").click()
    expect_camera(page, large, first, same=False)
    page.keyboard.press("Escape")
    expect(page.locator("[data-full]")).to_have_count(0)


def test_play_goes_round(page: sync_api.Page, board: board_process.Process) -> None:
    open_mesh(page, board)
    card = mesh(page)
    expect_step(card, 40)
    card.get_by_role("button", name="Play").click()
    for step in (0, 10, 20, 30, 40, 0):
        expect_step(card, step)
    card.get_by_role("button", name="Pause").click()


def test_new_steps_come_by_themselves(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(str(tmp_path / "live")) as writer:
        writer.add_mesh("m", torus(0.2), global_step=0)
        writer.flush()
        with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
            process.wait_for_runs("live")
            page.goto(f"{process.url}#mesh?")
            card = mesh(page, "m_VERTEX", "live")
            expect_step(card, 0)
            writer.add_mesh("m", torus(0.4), global_step=1)
            writer.flush()
            expect_step(card, 1)


def test_the_page_passes_the_rules_of_accessibility_in_both_themes(
    open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    for theme in ("light", "dark"):
        page = open_page(color_scheme=theme, reduced_motion="reduce")
        page.add_init_script(path=test_accessibility.AXE)
        open_mesh(page, board)
        expect_colored(page, mesh(page))
        assert test_accessibility.violations(page) == []


def test_chinese_has_words_for_it(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(locale="zh-CN")
    open_mesh(page, board)
    expect(mesh(page)).to_contain_text("288 个顶点")


def test_webgl_draws_the_same(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    """Where there is no card the browser imitates one, if it is asked to."""
    page = open_page()
    open_mesh(page, board, "tagFilter=torus&meshPainter=webgl")
    card = mesh(page)
    expect(drawn(card)).to_have_attribute("data-stage", "webgl")
    expect_colored(page, card)
    expect(card.get_by_test_id("mesh-plain")).to_have_count(0)
    by_card = colored(card)
    option(page, "mesh-painter").select_option("plain")
    expect(drawn(card)).to_have_attribute("data-stage", "plain")
    patience.until(page, lambda: abs(colored(card) / by_card - 1) < 0.1, "as many red pixels")


def test_a_browser_without_webgl_draws_all_the_same(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page()
    page.add_init_script(
        """const plain = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
            return kind.startsWith("webgl") ? null : plain.call(this, kind, ...more);
        };"""
    )
    open_mesh(page, board, "tagFilter=torus&meshPainter=webgl")
    expect(drawn(mesh(page))).to_have_attribute("data-stage", "plain")
    expect_colored(page, mesh(page))


def test_meshes_that_pytorch_wrote_are_shown(page: sync_api.Page) -> None:
    with board_process.Process("--logdir", DATA / "torch_writer", "--port", "0") as process:
        page.goto(f"{process.url}#mesh?")
        cards = page.locator("[data-kind-card=mesh]")
        expect(cards).to_have_count(2)
        cloud = page.locator('[data-card="cloud_VERTEX"]')
        expect_step(cloud, 2)
        slide(cloud, "Home")
        expect_step(cloud, 0)
        solid = page.locator('[data-card="tetrahedron_VERTEX"]')
        expect(drawn(solid)).to_have_attribute("data-drawn", "4")
        expect(solid).to_contain_text("4 faces")
        status, body = process.get("data/plugin/mesh/tags")
        assert status == 200
        assert sorted(name for run in json.loads(body).values() for name in run) == ["cloud", "tetrahedron"]
