"""Programs of programs/ run with real frameworks, and a real TensorBoard and Lightboard over what they wrote.

Everything is run once per session: each program in a directory of its own, `<root>/<program>/<writer>`, then one
TensorBoard per loader over all of it. With FRAMEWORKS_WRITTEN naming a directory, that is the root, and programs that
have run there are not run again: for working on the tests themselves.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import dataclasses
import io
import os
import pathlib
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

import data_client
import httpx
import pytest
from compat import answers

import lightboard
from lightboard.reading import logs as reading

PROGRAMS = pathlib.Path(__file__).parent / "programs"
KINDS = ("scalars", "images", "audio", "text", "histograms", "pr_curves", "mesh")
PROGRAM_SECS = 240
LOAD_SECS = 180

Shown = dict[str, Any]
"""What `answers.everything` read from a server."""


# ---- the programs ----


@dataclasses.dataclass(frozen=True)
class Ran:
    directory: pathlib.Path
    code: int
    said: str


def run_program(program: str, writer: str, directory: pathlib.Path) -> Ran:
    """`writer` is "theirs" (the framework's own) or "lightboard"."""
    done = directory.parent / f"{writer}.done"
    if done.exists():
        return Ran(directory, 0, "")
    directory.mkdir(parents=True)
    environment = {
        **os.environ,
        "WRITER": writer,
        "LIGHTBOARD_STRICT": "1",  # what would be a warning in a training fails here
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "CUDA_VISIBLE_DEVICES": "",
        "MPLCONFIGDIR": str(directory.parent / "matplotlib"),
        "PYTHONHASHSEED": "0",
    }
    for name in ("LIGHTBOARD_LOGDIR", "PAI_OUTPUT_TENSORBOARD", "TENSORBOARD_LOGDIR"):
        environment.pop(name, None)
    command = [sys.executable, "-W", "ignore", str(PROGRAMS / f"{program}.py")]
    try:
        ended = subprocess.run(
            command, cwd=directory, env=environment, capture_output=True, text=True, timeout=PROGRAM_SECS, check=False
        )
    except subprocess.TimeoutExpired as late:
        return Ran(directory, -1, f"not done after {PROGRAM_SECS} s: {late.stderr!r}")
    if ended.returncode == 0:
        done.touch()
    return Ran(directory, ended.returncode, ended.stderr[-3000:])


class Written:
    """What the programs that the chosen tests need have written."""

    def __init__(self, root: pathlib.Path, wanted: set[tuple[str, str]]) -> None:
        self.root = root
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            started = {
                (program, writer): pool.submit(run_program, program, writer, root / program / writer)
                for program, writer in sorted(wanted)
            }
        self._ran = {key: future.result() for key, future in started.items()}

    def __call__(self, program: str, writer: str) -> pathlib.Path:
        ran = self._ran[program, writer]
        assert ran.code == 0, f"{program} with writer {writer} ended with {ran.code}:\n{ran.said}"
        return ran.directory

    def runs(self) -> set[str]:
        """The directories that hold event files: what a board should list."""
        return {str(path.parent.relative_to(self.root)) for path in self.root.rglob("*tfevents*")}


@pytest.fixture(scope="session")
def written(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Written:
    wanted = set()
    for item in request.session.items:
        for mark in item.iter_markers("programs"):
            wanted |= set(mark.args)
    kept = os.environ.get("FRAMEWORKS_WRITTEN")
    return Written(pathlib.Path(kept) if kept else tmp_path_factory.mktemp("written"), wanted)


# ---- TensorBoard ----


class Remote(data_client.Client):
    """TensorBoard over HTTP. With `pixels` a PNG comes as the pixels it holds: two encoders need not agree on bytes."""

    def __init__(self, port: int, *, pixels: bool = False) -> None:
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60.0, trust_env=False)
        self.pixels = pixels

    async def get(self, path: str, **fields: Any) -> httpx.Response:
        found = await super().get(path, **fields)
        if not self.pixels or found.headers.get("content-type") != "image/png":
            return found
        return httpx.Response(200, content=decoded(found.content), headers={"content-type": "image/png"})


def decoded(png: bytes) -> bytes:
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return repr(image.size).encode() + bytes(image.convert("RGBA").tobytes())


@contextlib.contextmanager
def running_tensorboard(logdir: pathlib.Path, *, fast: bool) -> Iterator[int]:
    """A port. The server ends with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    samples = ",".join(f"{kind}=1000000" for kind in KINDS)
    command = [sys.executable, "-W", "ignore", "-m", "tensorboard.main", "--logdir", str(logdir), "--port", str(port)]
    command += ["--host", "127.0.0.1", "--samples_per_plugin", samples, "--load_fast", "true" if fast else "false"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield port
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


async def loaded(port: int, runs: set[str]) -> Shown:
    """TensorBoard's answers, once all runs are there and it gives the same ones twice."""
    deadline = time.monotonic() + LOAD_SECS
    async with Remote(port) as ask:
        before: Shown = {}
        while True:
            try:
                shown = await answers.everything(ask, whole_texts=True)
            except (httpx.TransportError, AssertionError):
                shown = {}
            if shown and shown == before and runs <= set(shown["runs"]):
                return shown
            assert time.monotonic() < deadline, f"TensorBoard never showed {sorted(runs - set(shown.get('runs', ())))}"
            before = shown
            await asyncio.sleep(1.0)


@dataclasses.dataclass(frozen=True)
class TensorBoard:
    port: int
    shown: Shown


@pytest.fixture(scope="session")
def fast_tensorboard(written: Written) -> Iterator[TensorBoard]:
    """TensorBoard with the loader it has chosen for years: the data server."""
    with running_tensorboard(written.root, fast=True) as port:
        yield TensorBoard(port, asyncio.run(loaded(port, written.runs())))


@pytest.fixture(scope="session")
def slow_tensorboard(written: Written) -> Iterator[TensorBoard]:
    """TensorBoard with its Python reader, which keeps every point of repeated steps."""
    with running_tensorboard(written.root, fast=False) as port:
        yield TensorBoard(port, asyncio.run(loaded(port, written.runs())))


@pytest.fixture(scope="session")
def with_pixels(fast_tensorboard: TensorBoard) -> Shown:
    """As `fast_tensorboard` shows it, pictures as pixels."""

    async def ask_all() -> Shown:
        async with Remote(fast_tensorboard.port, pixels=True) as ask:
            return await answers.everything(ask, whole_texts=True)

    return asyncio.run(ask_all())


@pytest.fixture
async def ask_tensorboard(fast_tensorboard: TensorBoard) -> AsyncIterator[Remote]:
    ask = Remote(fast_tensorboard.port)
    async with ask:
        yield ask


# ---- Lightboard ----


@pytest.fixture(scope="session")
def logs(written: Written) -> Iterator[reading.Logs]:
    with lightboard.open(written.root, index=False) as opened:
        yield opened


@pytest.fixture(scope="session")
def our_answers(logs: reading.Logs) -> Shown:
    """The board's `/data` routes over the same directory."""

    async def ask_all() -> Shown:
        async with data_client.Client(logs._store) as ask:
            return await answers.everything(ask, whole_texts=True)

    return asyncio.run(ask_all())
