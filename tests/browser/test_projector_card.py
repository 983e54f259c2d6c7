"""Points drawn by the graphics card: the same picture as the processor's, who goes on when the card is gone.

Machines that test have no card. Chromium plays one (SwiftShader), which the page uses only if the address says so.
"""

from __future__ import annotations

import io
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import board_process
import numpy as np
import pytest
from browser import conftest, patience
from numpy.typing import NDArray
from PIL import Image
from playwright import sync_api

import lightboard

pytestmark = [pytest.mark.browser, pytest.mark.sweep]

expect = sync_api.expect

ROWS = 4000
CLOSE = '{"theta":1,"phi":1,"x":0.1,"y":0,"z":0,"distance":0.7}'
FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]


@pytest.fixture(scope="module")
def chromium(launch: Callable[..., sync_api.Browser]) -> sync_api.Browser:
    return launch("chromium-headless-shell", "chromium", flags=FLAGS)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder: pathlib.Path = tmp_path_factory.mktemp("logs")
    made: NDArray[Any] = np.random.default_rng(3).normal(0, 0.3, (ROWS, 5))
    made[np.arange(ROWS), np.arange(ROWS) % 4] += 1
    made[7] = np.nan
    with lightboard.SummaryWriter(str(folder / "run")) as writer:
        names = [[f"point {row}", "abcd"[row % 4]] for row in range(ROWS)]
        writer.add_embedding(made, metadata=names, metadata_header=["name", "kind"], tag="cloud", global_step=1)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("run")
        yield process


def canvas(page: sync_api.Page) -> sync_api.Locator:
    return page.get_by_test_id("projector-canvas")


def picture(page: sync_api.Page, board: board_process.Process, painter: str, members: str) -> NDArray[np.int16]:
    """What is seen once everything that was asked for has come."""
    page.goto("about:blank")
    page.goto(f"{board.url}#projector?projectorPainter={painter}&{members}")
    expect(canvas(page)).to_have_attribute("data-painter", painter)
    shots: list[bytes] = []

    def still() -> bool:
        shots.append(canvas(page).screenshot())
        return len(shots) > 2 and shots[-1] == shots[-2] == shots[-3]

    patience.until(page, still, "a picture that stays as it is")
    return np.asarray(Image.open(io.BytesIO(shots[-1])).convert("RGB")).astype(np.int16)


@pytest.mark.parametrize(
    ("scheme", "members"),
    [
        pytest.param("dark", "projectorColorBy=kind&projectorPoint=5", id="colours and neighbours"),
        pytest.param("light", "projectorDims=2&projectorLabels=1", id="flat, with labels"),
        pytest.param("light", "projectorSelected=3-900&projectorOnly=0-1999", id="selected and isolated"),
        pytest.param("dark", f"projectorColorBy=kind&projectorPointSize=2&projectorCamera={CLOSE}", id="from within"),
    ],
)
def test_both_draw_the_same_picture(
    open_page: conftest.OpenPage, board: board_process.Process, scheme: str, members: str
) -> None:
    page = open_page(reduced_motion="reduce", color_scheme=scheme)
    one, other = (picture(page, board, painter, members) for painter in ("processor", "card"))
    assert (np.abs(one - one[0, 0]).max(axis=2) > 16).mean() > 0.01, "nothing is drawn"
    away = np.abs(one - other).max(axis=2)
    # two discs of one depth may lie on each other the other way round
    assert (away > 2).mean() < 0.0005


def test_a_card_that_is_played_is_not_used_by_itself(
    open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    page = open_page(reduced_motion="reduce")
    page.goto(f"{board.url}#projector")
    expect(canvas(page)).to_have_attribute("data-painter", "processor")


def test_the_processor_goes_on_when_the_card_is_gone(
    open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    page = open_page(reduced_motion="reduce")
    page.goto(f"{board.url}#projector?projectorPainter=card")
    expect(canvas(page)).to_have_attribute("data-painter", "card")
    lose = "function () { this.getExtension('WEBGL_lose_context').loseContext() }"
    for worker in page.workers:
        worker.evaluate(f"() => {{ WebGL2RenderingContext.prototype.drawElements = {lose}; }}")
    page.get_by_test_id("projector-view").focus()
    page.keyboard.press("ArrowLeft")
    expect(canvas(page)).to_have_attribute("data-painter", "processor")
    expect(canvas(page)).to_have_attribute("data-drawn", str(ROWS - 1))
    expect(canvas(page)).to_have_attribute("data-moving", "false")
    # points are picked as before
    box = patience.box_of(page.get_by_test_id("projector-view"))
    page.get_by_test_id("projector-box").click()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 300)
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5)
    page.mouse.up()
    expect(page.get_by_test_id("projector-selected")).to_contain_text("selected")
