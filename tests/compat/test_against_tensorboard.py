"""A running TensorBoard and a board are asked the same questions.

`TENSORBOARD_BIN` names TensorBoard's program (else it is looked for beside Python and on the path). The answers may
differ by what `test_oracle.py` explains. Slow: it starts a server for each corpus.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator

import data_client
import httpx
import pytest
from compat import answers, graph_answers, oracle, test_oracle

import lightboard

PLUGINS = ("scalars", "images", "audio", "text", "histograms", "pr_curves", "mesh")


def program() -> str | None:
    beside = pathlib.Path(sys.executable).parent / "tensorboard"
    return os.environ.get("TENSORBOARD_BIN") or (str(beside) if beside.exists() else shutil.which("tensorboard"))


pytestmark = [pytest.mark.slow, pytest.mark.skipif(program() is None, reason="TensorBoard is not installed")]


class Remote(data_client.Client):
    def __init__(self, port: int) -> None:
        self.http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30.0, trust_env=False)


@contextlib.contextmanager
def tensorboard(logdir: pathlib.Path) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    samples = ",".join(f"{plugin}=1000000" for plugin in PLUGINS)
    command = [program() or "", "--logdir", str(logdir), "--port", str(port), "--host", "127.0.0.1"]
    server = subprocess.Popen(
        [*command, "--samples_per_plugin", samples], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield port
    finally:
        server.terminate()
        server.wait(30)


@contextlib.asynccontextmanager
async def loaded(port: int, recording: test_oracle.Recording) -> AsyncIterator[data_client.Client]:
    """TensorBoard, once it has read all the runs it ever will."""
    async with Remote(port) as ask:
        deadline = time.monotonic() + 120
        while not await _has_all(ask, recording):
            assert time.monotonic() < deadline, "TensorBoard did not read its logs in two minutes"
            await asyncio.sleep(0.2)
        yield ask


async def _has_all(ask: data_client.Client, recording: test_oracle.Recording) -> bool:
    try:
        for kind in answers.READERS:
            tags = await ask.json(f"/data/plugin/{kind}/tags")
            if {run: set(of) for run, of in tags.items()} != {
                run: set(of) for run, of in recording["http"][kind]["tags"].items()
            }:
                return False
        return bool(await ask.json("/data/runs") == recording["http"]["runs"])
    except (httpx.TransportError, AssertionError):
        return False


@pytest.mark.parametrize("corpus", ["boosting_tensorboardx", "gradient_tape", "keras_fit", "lightning", "torch_writer"])
async def test_both_answer_the_same(corpus: str) -> None:
    recording = oracle.load(corpus)
    with tensorboard(oracle.DATA / corpus) as port:
        async with loaded(port, recording) as ask:
            live = {**recording, "http": await answers.everything(ask)}
    with lightboard.open(oracle.DATA / corpus, index=False) as logs:
        assert await test_oracle.unexplained(logs, corpus, live) == []


@pytest.mark.parametrize("corpus", ["awkward", "gradient_tape", "keras_fit", "lightning", "torch_writer"])
async def test_both_write_the_same_graphs_to_the_byte(corpus: str) -> None:
    recording = oracle.load(corpus)
    with tensorboard(oracle.DATA / corpus) as port, lightboard.open(oracle.DATA / corpus, index=False) as logs:
        async with loaded(port, recording) as theirs, data_client.Client(logs._store) as ours:
            for run, listed in recording["http"]["graphs"]["info"].items():
                for asked in graph_answers.questions(run, listed):
                    for limit in ({}, {"limit_attr_size": 60, "large_attrs_key": "_too_large_attrs"}):
                        both = [
                            await ask.get(f"{graph_answers.PATH}/graph", **asked, **limit) for ask in (theirs, ours)
                        ]
                        assert both[0].content == both[1].content
                        assert both[0].headers["content-type"] == both[1].headers["content-type"]
                for tag, cell in listed["tags"].items():
                    if cell["profile"]:
                        path = f"{graph_answers.PATH}/run_metadata"
                        texts = [(await ask.get(path, run=run, tag=tag)).content for ask in (theirs, ours)]
                        assert texts[0] == texts[1]
