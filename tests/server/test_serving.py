"""uvicorn as we run it: certificates, and how serving ends."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import re
import signal
import subprocess
import sys
from importlib import metadata
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


def test_uvicorn_is_still_what_the_lean_import_takes_it_for() -> None:
    """`serving._lean_uvicorn` stands in for `uvicorn/__init__.py`: fails where a new uvicorn does something else there.

    Then look at that file, change the stand-in, and only after that raise the upper bound in pyproject.toml.
    """
    spec = importlib.util.find_spec("uvicorn")
    assert spec is not None
    assert spec.origin is not None
    source = ast.unparse(ast.parse(Path(spec.origin).read_text("utf-8")))
    known = (
        "from uvicorn.config import Config\n"
        "from uvicorn.main import Server, main, run\n"
        f"__version__ = '{metadata.version('uvicorn')}'\n"
        "__all__ = ['main', 'run', 'Config', 'Server']"
    )
    assert source == known


def test_uvicorn_has_an_upper_bound_above_the_version_tested() -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8")
    upper = re.search(r'^ +"uvicorn[^"]*<(\d+)\.(\d+)"', project, re.M)
    assert upper is not None, "serving.py changes parts of uvicorn that are not its API: pyproject.toml bounds it"
    installed = tuple(map(int, metadata.version("uvicorn").split(".")[:2]))
    assert installed < tuple(map(int, upper.groups()))


def test_uvicorn_has_the_methods_that_the_server_replaces() -> None:
    import uvicorn.server

    for name in ("_serve", "serve", "main_loop", "on_tick", "shutdown"):
        assert inspect.iscoroutinefunction(getattr(uvicorn.server.Server, name, None)), name


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
