"""The application under the real server, over a real socket."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import asking
import httpx
import pytest

from lightboard import query
from lightboard.server import app, frames, settings


@pytest.fixture
def board() -> Iterator[tuple[str, query.Builder]]:
    # here, so that collecting tests does not load it
    import uvicorn

    builder = asking.small()
    made = app.create(builder.build(), settings.Settings(bound_host="127.0.0.1"))
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(made, log_level="critical", timeout_graceful_shutdown=1, ws="none", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listening],))
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}", builder
    server.should_exit = True
    thread.join(20)
    listening.close()


def test_a_board_over_a_socket(board: tuple[str, query.Builder]) -> None:
    address, builder = board
    with httpx.Client(base_url=address, timeout=20) as client:
        assert client.get("/").status_code == 200
        assert client.get("/api/runs").json()["name"] == ["run1", "run2", "run10"]
        frame = client.post("/api/scalars", json={"tag": "loss", "width": 100, "encoding": "pixels"})
        assert frames.decode(frame.content)[0]["runs"] == ["run1", "run2", "run10"]
        assert client.get("/api/runs/run1").json()["name"] == "run1"
        assert (
            client.get("/api/blobs?run=run1&tag=sample&index=0", headers={"range": "bytes=0-3"}).content == b"\x89PNG"
        )
        assert client.get("/api/board", headers={"host": "evil.example"}).status_code == 403
        assert client.get("/api/export?tag=loss").text.count("\r\n") == 61
        with client.stream("GET", "/api/events") as stream:
            lines = stream.iter_lines()
            assert next(line for line in lines if line.startswith("data:"))
            builder.scalars("live", "loss", [1.0])
            assert any('"live"' in line for line in lines if line.startswith("data:"))
