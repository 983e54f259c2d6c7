"""The composition root: files in, answers out, and how serving ends. The real command is tested in tests/cli."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import event_files
import httpx
import pytest

from lightboard import board, errors, logdir

pytestmark = pytest.mark.anyio


def spec(path: Path) -> logdir.LogdirSpec:
    return logdir.spec_of([logdir.Root("", str(path))])


def write(path: Path, run: str = "train") -> None:
    event_files.write(path / run / "events.out.tfevents.1", event_files.scalars("loss", [3.0, 2.0, 1.0]))


def test_load_reads_everything_and_again_what_is_new(tmp_path: Path) -> None:
    write(tmp_path)
    one = board.Board(spec(tmp_path), board.Options(index=False))
    assert one.store.runs() == []
    one.load()
    assert one.store.runs() == ["train"]
    assert one.store.progress.done
    write(tmp_path, "eval")
    one.load()
    assert sorted(one.store.runs()) == ["eval", "train"]
    one.stop()


def test_start_reads_in_the_background(tmp_path: Path) -> None:
    write(tmp_path)
    one = board.Board(spec(tmp_path), board.Options(index=False))
    done = threading.Event()
    one.store.subscribe(lambda version: done.set() if one.store.progress.done else None)
    one.start()
    assert done.wait(60)
    one.stop()
    series = one.store.series("train", "loss")
    assert series is not None
    assert series.points().values.tolist() == [3.0, 2.0, 1.0]


async def test_the_application_answers_from_the_store(tmp_path: Path) -> None:
    write(tmp_path)
    one = board.Board(spec(tmp_path), board.Options(index=False))
    one.load()
    app = one.app(logdir=str(tmp_path), path_prefix="/x")
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert (await client.get("/x/data/runs")).json() == ["train"]
        assert (await client.get("/data/runs")).status_code == 404
    one.stop()


def test_the_index_goes_where_it_is_told(tmp_path: Path) -> None:
    write(tmp_path / "runs")
    options = board.Options(index_dir=str(tmp_path / "index"))
    for _ in range(2):
        one = board.Board(spec(tmp_path / "runs"), options)
        one.load()
        assert one.store.runs() == ["train"]
        one.stop()
    assert len(list((tmp_path / "index").iterdir())) == 1


def test_a_certificate_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cert.pem"
    path.write_text("no certificate")
    with pytest.raises(errors.Unreadable, match=r"cert\.pem"):
        board._server(lambda scope, receive, send: None, str(path), "")  # type: ignore[arg-type,return-value]


def test_the_rest_of_uvicorn_is_still_there() -> None:
    program = (
        "import sys; from lightboard import board; board._server(lambda *x: None, '', '');"
        "assert 'click' not in sys.modules; import uvicorn; print(uvicorn.run.__name__, uvicorn.Config.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["run", "Config"]


# A server whose only answer never ends, and that ignores being cancelled.
STUBBORN = """
import asyncio, signal, socket, sys
from lightboard import board

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
board._server(app, "", "").run([listening])
"""


@pytest.mark.skipif(os.name == "nt", reason="signals are of another kind there")
def test_a_second_signal_ends_the_process_at_once() -> None:
    with subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        with httpx.stream("GET", f"http://127.0.0.1:{port}/", timeout=30) as answer:
            assert next(answer.iter_bytes()) == b"x"
            process.send_signal(signal.SIGINT)
            # it has understood when it listens no more
            while True:
                try:
                    httpx.get(f"http://127.0.0.1:{port}/", timeout=0.2)
                except httpx.ConnectError:
                    break
                except httpx.HTTPError:
                    continue
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
