"""Servers that lead to others inside, tried with the real process that looks at a source.

127.0.0.1 and `localhost` are allowed here and stand for a public server; 127.0.0.2 is inside. The rules themselves are
tested in tests/storage/test_networks.py.
"""

from __future__ import annotations

import asyncio
import http.server
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hub.sources import hubs

from lightboard.hub import life, sources

PUBLIC = ["127.0.0.1", "::1"]


class _Redirecting(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server: Any = self.server
        server.asked.append((self.connection.getsockname()[0], self.path))
        self.send_response(302)
        self.send_header("Location", f"http://127.0.0.2:{server.server_port}/secret")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_HEAD = do_GET

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Any]:
    made: Any = http.server.ThreadingHTTPServer(("0.0.0.0", 0), _Redirecting)
    made.asked = []
    threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def look(made: sources.Sources, source: life.Source) -> sources.Found:
    return asyncio.run(made.look("team", source, admin=False))


def test_a_web_server_that_redirects_inside_is_not_followed(hub: hubs.Hub, server: Any) -> None:
    made = hub.sources(allow_networks=PUBLIC)
    found = look(made, life.Source(f"http://127.0.0.1:{server.server_port}/runs"))
    assert (found.ok, found.files) == (False, 0)
    assert server.asked and {where for where, _ in server.asked} == {"127.0.0.1"}


def test_a_store_that_redirects_inside_is_not_followed(hub: hubs.Hub, server: Any) -> None:
    pytest.importorskip("obstore")
    keys = {"access_key": "a", "secret_key": "b", "endpoint": f"http://localhost:{server.server_port}"}
    hub.save("redirects", "s3", keys)
    found = look(hub.sources(allow_networks=PUBLIC), life.Source("s3://bucket/runs", secret="redirects"))
    assert (found.ok, found.code) == (False, "NetworkRefused")
    assert server.asked and {where for where, _ in server.asked} == {"127.0.0.1"}


def test_a_trial_of_a_secret_reaches_nothing_inside(hub: hubs.Hub, server: Any) -> None:
    keys = {"access_key": "a", "secret_key": "b", "endpoint": f"http://127.0.0.2:{server.server_port}"}
    with pytest.raises(Exception, match="private network"):
        asyncio.run(hub.sources(allow_networks=PUBLIC).try_secret("s3", keys, "s3://bucket"))
    assert server.asked == []
