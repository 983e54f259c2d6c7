"""Another site in the same browser: it cannot make a local board work, yet links to the board can be sent around."""

from __future__ import annotations

from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import stranger
from playwright import sync_api

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def outside() -> Iterator[stranger.Stranger]:
    with stranger.listening() as found:
        yield found


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    event_files.write(folder / "train" / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("train")
        yield process


def statuses(page: sync_api.Page) -> dict[str, int]:
    found: dict[str, int] = {}
    page.on("response", lambda answer: found.__setitem__(answer.url, answer.status))
    return found


@pytest.mark.parametrize("element", ["img", "iframe", "script", "audio"])
def test_an_element_of_another_site_is_refused(
    chromium: sync_api.Browser, outside: stranger.Stranger, board: board_process.Process, element: str
) -> None:
    addresses = [board.url + path for path in ("data/plugin/custom_scalars/scalars?run=train&tag=a", "api/runs")]
    body = "".join(f'<{element} src="{address}"></{element}>' for address in addresses)
    outside.pages["asks"] = ("text/html", body.encode())
    page = chromium.new_page()
    found = statuses(page)
    page.goto(f"http://{outside.host}/asks", wait_until="load")
    page.wait_for_function("performance.getEntriesByType('resource').length >= 2")
    assert [found.get(address, 403) for address in addresses] == [403, 403]
    page.close()


def test_a_link_on_another_site_opens_an_export(
    chromium: sync_api.Browser, outside: stranger.Stranger, board: board_process.Process
) -> None:
    outside.pages["chat"] = ("text/html", f'<a href="{board.url}api/export?tag=loss">loss</a>'.encode())
    page = chromium.new_page()
    page.goto(f"http://{outside.host}/chat")
    with page.expect_download() as download:
        page.get_by_text("loss").click()
    assert download.value.suggested_filename == "train-loss.csv"
    page.close()


def test_our_own_page_asks_as_before(chromium: sync_api.Browser, board: board_process.Process) -> None:
    page = chromium.new_page()
    found = statuses(page)
    page.goto(board.url)
    page.get_by_text("train").first.wait_for()
    asked = {address: status for address, status in found.items() if "/api/" in address}
    assert asked
    assert set(asked.values()) == {200}
    page.close()
