"""Sources elsewhere that cannot be read: named in full on an empty board, in a line above the others' charts."""

from __future__ import annotations

import contextlib
import http.server
import pathlib
import threading
from collections.abc import Iterator

import board_process
import event_files
import pytest
from browser import conftest
from playwright import sync_api

pytestmark = pytest.mark.browser
pytest.importorskip("obstore")

expect = sync_api.expect

REFUSED = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><RequestId>REQ-17</RequestId></Error>'
EMPTY = '<?xml version="1.0"?><ListBucketResult><Name>logs</Name><KeyCount>0</KeyCount></ListBucketResult>'


class Store:
    """Answers every request alike."""

    def __init__(self) -> None:
        self.status, self.body = 403, REFUSED
        self.url = ""


@pytest.fixture
def store() -> Iterator[Store]:
    made = Store()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = made.body.encode()
            self.send_response(made.status)
            self.send_header("Content-Type", "application/xml")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_HEAD(self) -> None:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        made.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield made
        server.shutdown()
        thread.join()


@contextlib.contextmanager
def board(store: Store, *words: str) -> Iterator[board_process.Process]:
    env = {
        "AWS_ENDPOINT_URL": store.url, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "hunter2",
        "AWS_EC2_METADATA_DISABLED": "true",
    }  # fmt: skip
    with board_process.Process(*words, "--port", "0", "--reload_interval", "0.1", env=env) as started:
        yield started


def test_an_empty_board_says_which_source_failed_why_and_what_to_do(page: sync_api.Page, store: Store) -> None:
    with board(store, "--logdir", "s3://logs/runs") as started:
        page.goto(started.url)
        expect(page.get_by_role("heading", name="The logs cannot be read")).to_be_visible()
        source = page.get_by_test_id("wrong-source")
        for text in (
            "s3://logs/runs",
            "No permission to list objects, as AWS_ACCESS_KEY_ID of the environment.",
            "Reading logs needs the permissions",
            store.url,
            "AccessDenied, request REQ-17",
        ):
            expect(source).to_contain_text(text)
        expect(page.locator(".snippet pre")).to_have_text("lightboard doctor s3://logs/runs")
        assert "hunter2" not in page.content()
        store.status, store.body = 200, EMPTY
        expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text("Nothing is stored there yet")


def test_an_empty_board_in_chinese(open_page: conftest.OpenPage, store: Store) -> None:
    page = open_page(locale="zh-CN")
    with board(store, "--logdir", "s3://logs/runs") as started:
        page.goto(started.url)
        source = page.get_by_test_id("wrong-source")
        expect(source).to_contain_text("没有权限列出对象，当前身份：环境变量 AWS_ACCESS_KEY_ID。")
        expect(source).to_contain_text("AccessDenied, request REQ-17")


def test_beside_sources_that_work_a_line_names_the_one_that_does_not(
    page: sync_api.Page, store: Store, tmp_path: pathlib.Path
) -> None:
    event_files.write(tmp_path / "train/events.out.tfevents.1", event_files.scalars("loss", [2.0, 1.0]))
    with board(store, "--logdir_spec", f"far:s3://logs/runs,near:{tmp_path}") as started:
        started.wait_for_runs("near/train")
        page.goto(started.url)
        expect(page.locator('[data-card="loss"]')).to_be_visible()
        notice = page.get_by_test_id("source-notice")
        expect(notice).to_contain_text("s3://logs/runs cannot be read. No permission to list objects")
        expect(notice).to_contain_text("[AccessDenied, request REQ-17]")
        notice.get_by_role("button", name="Details").click()
        health = page.get_by_test_id("health")
        expect(health).to_contain_text("s3://logs/runs cannot be read.")
        expect(health).to_contain_text("Tried to: list objects · As: AWS_ACCESS_KEY_ID of the environment")
        page.keyboard.press("Escape")
        store.status, store.body = 200, EMPTY
        expect(notice).to_be_hidden()


def test_the_line_can_be_hidden(page: sync_api.Page, store: Store, tmp_path: pathlib.Path) -> None:
    event_files.write(tmp_path / "train/events.out.tfevents.1", event_files.scalars("loss", [2.0, 1.0]))
    with board(store, "--logdir_spec", f"far:s3://logs/runs,near:{tmp_path}") as started:
        started.wait_for_runs("near/train")
        page.goto(started.url)
        notice = page.get_by_test_id("source-notice")
        notice.get_by_role("button", name="Hide").click()
        expect(notice).to_be_hidden()
        expect(page.get_by_test_id("faults")).to_be_visible()
