"""Boards in a real JupyterLab: cells are run, frames and pictures looked at, notebooks saved and opened again."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator

import board_process
import jupyter_lab
import pytest
from browser import patience
from playwright import sync_api

from lightboard import instances
from lightboard.notebook import starting


@pytest.fixture(autouse=True)
def no_board_is_left(environment: dict[str, str]) -> Iterator[None]:
    yield
    for one in instances.known():
        starting.stop(one)


def only_board() -> instances.Instance:
    (one,) = instances.known()
    return one


def test_a_board_is_shown_reused_and_stopped(chromium: sync_api.Browser, local_lab: jupyter_lab.Lab) -> None:
    cells = [
        "%load_ext lightboard",
        "%lightboard --logdir logs --height 420",
        "%lightboard logs --theme dark",
        "%lightboard list",
        "%lightboard stop",
    ]
    notebook = jupyter_lab.Notebook(chromium, local_lab, "shown.ipynb", cells)
    notebook.open()
    notebook.run(0)
    first = notebook.run(1)
    frame = jupyter_lab.board_in(first)
    assert frame.url.startswith(f"http://localhost:{only_board().port}/")
    box = patience.box_of(first.locator("iframe"))
    assert box["height"] == 420 and box["width"] > 600
    sync_api.expect(first.locator("img")).to_be_hidden()
    second = notebook.run(2)
    sync_api.expect(second).to_contain_text(re.compile(r"Showing the board on port \d+ \(pid \d+\).*stop \d+` ends it"))
    assert "theme=dark" in jupyter_lab.board_in(second).url
    board = only_board()
    sync_api.expect(notebook.run(3)).to_contain_text(f"port {board.port}: lightboard --logdir logs")
    sync_api.expect(notebook.run(4)).to_contain_text(f"Stopped the board on port {board.port}")
    for output in (first, second):
        sync_api.expect(output.locator("img")).to_be_visible()
        sync_api.expect(output.locator("iframe")).to_have_count(0)
    assert instances.known() == []
    notebook.close()


def test_a_killed_board_leaves_its_picture_in_the_saved_notebook(
    chromium: sync_api.Browser, local_lab: jupyter_lab.Lab
) -> None:
    notebook = jupyter_lab.Notebook(
        chromium, local_lab, "kept.ipynb", ["%load_ext lightboard", "%lightboard --logdir logs"]
    )
    notebook.open()
    notebook.run(0)
    jupyter_lab.board_in(notebook.run(1))
    saved = json.dumps(notebook.save())
    assert "image/svg+xml" in saved and "train" in saved and "loss" in saved
    os.kill(only_board().pid, signal.SIGKILL)
    notebook.reload()
    output = notebook.page.locator(".jp-Notebook .jp-OutputArea").last
    sync_api.expect(output.locator(".lightboard-note")).to_contain_text("run the cell again")
    sync_api.expect(output.locator("iframe")).to_have_count(0)
    assert_picture(output)
    # and the dead board is not taken for a living one
    notebook.run(0)
    jupyter_lab.board_in(notebook.run(1))
    notebook.close()


def test_an_untrusted_notebook_shows_the_picture(chromium: sync_api.Browser, local_lab: jupyter_lab.Lab) -> None:
    cells = ["%load_ext lightboard", "%lightboard --logdir logs"]
    notebook = jupyter_lab.Notebook(chromium, local_lab, "mailed.ipynb", cells)
    notebook.open()
    notebook.run(0)
    jupyter_lab.board_in(notebook.run(1))
    document = notebook.save()
    document["metadata"]["title"] = "by somebody else"
    document["cells"][1]["outputs"][-1]["data"]["text/html"] += "<p>changed</p>"
    notebook.close()
    other = jupyter_lab.Notebook(chromium, local_lab, "mailed-copy.ipynb", [])
    other.path.write_text(json.dumps(document), encoding="utf-8")
    other.open()
    output = other.page.locator(".jp-Notebook .jp-OutputArea").last
    sync_api.expect(output).to_contain_text("changed")
    assert_picture(output)
    sync_api.expect(output.locator("iframe")).to_have_count(0)
    other.close()


def test_a_board_of_a_terminal_is_shown(chromium: sync_api.Browser, local_lab: jupyter_lab.Lab) -> None:
    with board_process.Process("--logdir", local_lab.folder / "logs", "--port", "0") as board:
        cells = ["import lightboard; lightboard.notebook.start('logs')", "lightboard.notebook.display()"]
        notebook = jupyter_lab.Notebook(chromium, local_lab, "terminal.ipynb", cells)
        notebook.open()
        for number in range(len(cells)):
            assert jupyter_lab.board_in(notebook.run(number)).url.startswith(board.url)
        notebook.close()


def test_behind_a_hub_the_board_is_reached_through_its_proxy(
    chromium: sync_api.Browser, hub_lab: jupyter_lab.Lab
) -> None:
    """Another name, a prefix that is taken off, a Host the board does not know: and a token that keeps others out."""
    cells = ["%load_ext lightboard", "%lightboard --logdir logs", "%lightboard --logdir logs", "%lightboard stop"]
    notebook = jupyter_lab.Notebook(chromium, hub_lab, "hub.ipynb", cells)
    notebook.open()
    notebook.run(0)
    frame = jupyter_lab.board_in(notebook.run(1))
    board = only_board()
    assert frame.url.startswith(f"{hub_lab.url}proxy/{board.port}/")
    assert board.token not in frame.url and len(board.token) == 32
    assert frame.evaluate("fetch('api/board').then((answer) => answer.status)") == 200
    again = notebook.run(2)
    sync_api.expect(again).to_contain_text("Showing the board")
    jupyter_lab.board_in(again)
    sync_api.expect(notebook.run(3)).to_contain_text("Stopped")
    notebook.close()


def test_what_a_template_names_is_taken_first(chromium: sync_api.Browser, local_lab: jupyter_lab.Lab) -> None:
    cells = [
        "import os; os.environ['LIGHTBOARD_PROXY_URL'] = '/proxy/%PORT%/'",
        "%load_ext lightboard",
        "%lightboard --logdir logs",
    ]
    notebook = jupyter_lab.Notebook(chromium, local_lab, "template.ipynb", cells)
    notebook.open()
    notebook.run(0)
    notebook.run(1)
    frame = jupyter_lab.board_in(notebook.run(2))
    assert frame.url.startswith(f"{local_lab.url}proxy/{only_board().port}/")
    notebook.close()


def test_where_only_jupyters_port_is_tunneled_its_proxy_is_taken(
    chromium: sync_api.Browser, local_lab: jupyter_lab.Lab
) -> None:
    """The page is on localhost, the board's port is not: as with `ssh -L 8888:localhost:8888`."""
    notebook = jupyter_lab.Notebook(
        chromium, local_lab, "tunnel.ipynb", ["%load_ext lightboard", "%lightboard --logdir logs"]
    )
    own_port = local_lab.url.split(":")[2].strip("/")
    notebook.page.route(
        re.compile(rf"^http://localhost:(?!{own_port}/)"), lambda route: route.abort("connectionrefused")
    )
    notebook.open()
    notebook.run(0)
    frame = jupyter_lab.board_in(notebook.run(1))
    assert frame.url.startswith(f"{local_lab.url}proxy/{only_board().port}/")
    notebook.close()


def assert_picture(output: sync_api.Locator) -> None:
    image = output.locator("img")
    sync_api.expect(image).to_be_visible()
    assert image.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 300


def test_logs_of_a_script_have_a_picture(chromium: sync_api.Browser, local_lab: jupyter_lab.Lab) -> None:
    notebook = jupyter_lab.Notebook(chromium, local_lab, "open.ipynb", ["import lightboard\nlightboard.open('logs')"])
    notebook.open()
    assert_picture(notebook.run(0))
    notebook.close()
