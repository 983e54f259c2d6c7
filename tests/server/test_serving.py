"""uvicorn as we run it: certificates, and how serving ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import board_process
import event_files
import httpx
import pytest

from lightboard import errors, store
from lightboard.server import app, serving


def test_a_certificate_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cert.pem"
    path.write_text("no certificate")
    with pytest.raises(errors.Unreadable, match=r"cert\.pem"):
        serving.server(app.create(store.Store()), tls_cert=str(path))


def test_the_rest_of_uvicorn_is_still_there() -> None:
    program = (
        "import sys; from lightboard import store; from lightboard.server import app, serving;"
        "serving.server(app.create(store.Store()));"
        "assert 'click' not in sys.modules; import uvicorn; print(uvicorn.run.__name__, uvicorn.Config.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["run", "Config"]


# A server whose only answer never ends, and that ignores being cancelled.
STUBBORN = """
import asyncio, signal, socket, sys
from lightboard import _native
from lightboard.server import serving

stops = _native.Stops(7, 8)

async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"x", "more_body": True})
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            pass

listening = socket.create_server(("127.0.0.1", 0))
print(listening.getsockname()[1], flush=True)
app.close = lambda: None
serving.server(app, stops=lambda: stops.hand_over(3600)).run([listening])
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are of another kind there")
def test_a_second_signal_ends_the_process_at_once() -> None:
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with httpx.stream("GET", f"http://127.0.0.1:{port}/", timeout=30) as answer:
            assert next(answer.iter_bytes()) == b"x"
            process.send_signal(signal.SIGTERM)
            # it has understood when it listens no more
            while True:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/", timeout=0.2)
                except httpx.ConnectError:
                    break
                except httpx.HTTPError:
                    continue
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 7


def test_open_event_streams_end_with_the_board(tmp_path: Path) -> None:
    event_files.write(tmp_path / "train" / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        with httpx.stream("GET", f"{process.url}api/events", timeout=30) as stream:
            pieces = stream.iter_bytes()
            assert next(pieces)
            process.process.send_signal(signal.SIGTERM)
            for _ in pieces:  # a stream that was cut, not ended, raises here
                pass
        assert process.process.wait(30) == 0
