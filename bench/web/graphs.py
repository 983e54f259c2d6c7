"""A graph of 50,000 nodes: time from navigation to its first picture, and the longest task of the page until then.

A network of many layers with TensorFlow's names: stages, layers, attention heads, each with variables, reads, products
and constants, and shapes of all outputs. TensorBoard's page shows the same graph in the same run.
"""

from __future__ import annotations

import asyncio
import itertools
import struct
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from bench import loads, quiet, records, report, setup
from bench.web import bars, boards, browser, traces

SIZE = browser.Size(1280, 800)
NODES = 50_000
WALL_TIME = 1.76e9
TASK_MS = 100
LIMIT_SECS = 240.0  # a page that shows no graph by then has failed
READ_SECS = 5.0  # more than either board needs to read it
# selector of a box of the graph, in each page
SHOWN = {"tensorboard": "g.node", "lightboard": "[data-testid=graph-canvas][data-boxes]"}
# Records when the first frame with it is about to be displayed; TensorBoard's older pages are nested shadow trees.
NOTE = """
(() => {
  const walk = (root) => root.querySelector("%s") !== null ||
    [...root.querySelectorAll("*")].some((one) => one.shadowRoot !== null && walk(one.shadowRoot));
  const look = () => {
    if (!walk(document)) setTimeout(look, 20);
    else requestAnimationFrame(() => setTimeout(() => {
      window.__painted = (performance.timeOrigin + performance.now()) / 1000;
    }));
  };
  document.addEventListener("DOMContentLoaded", look);
})();
"""


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure with a warm board and an empty browser cache."""
    nodes = max(100, round(NODES * conditions.scale))
    logdir = make(conditions.root, nodes)
    loads.warm(logdir)
    best: dict[str, float] = {}
    longest: dict[str, float] = {}
    failed: list[str] = []
    for name, page in conditions.pages.items():
        try:
            with conditions.board(name, logdir) as url:
                # the board reads in the background; TensorBoard's page does not wait for it
                await asyncio.sleep(READ_SECS)
                tries = [await _open(conditions, page, url, name) for _ in range(conditions.tries)]
                setup.say(f"graph {name}: {[round(each) for each in tries]} ms")
                best[name] = min(tries)
                longest[name] = await _longest(conditions, page, url, name)
        except (TimeoutError, browser.Failure) as error:
            setup.say(f"graph {name}: {error}")
            failed.append(name)
    row = bars.row(f"graph of {nodes:,} nodes to its first picture", "ms", best, failed=tuple(failed))
    yield bars.at_least(row, 5)
    row = bars.row(f"graph of {nodes:,} nodes: longest task of the page", "ms", longest, failed=tuple(failed))
    yield bars.at_most(row, TASK_MS, words=" ms")


async def _open(conditions: boards.Conditions, page: boards.Page, url: str, name: str) -> float:
    quiet.wait(conditions.quiet_secs)
    async with conditions.chromium.tab(SIZE, script=NOTE % SHOWN[name]) as tab:
        began = await tab.goto(page.kind_address(url, "graphs"))
        return (await _painted(tab) - began) * 1e3


async def _longest(conditions: boards.Conditions, page: boards.Page, url: str, name: str) -> float:
    tasks: list[traces.Task] = []
    async with conditions.chromium.tab(SIZE, script=NOTE % SHOWN[name]) as tab, conditions.chromium.traced(tab, tasks):
        await tab.goto(page.kind_address(url, "graphs"))
        await _painted(tab)
        await tab.page.wait_for_timeout(1000)  # the time after the first picture is included, too
    found = traces.longest(tasks)
    setup.say(
        f"graph {name}: longest task {found.wall_ms:.0f} ms, {found.cpu_ms:.0f} ms of it computing: {found.content}"
    )
    return found.wall_ms


async def _painted(tab: browser.Tab) -> float:
    end = time.monotonic() + LIMIT_SECS
    while time.monotonic() < end:
        if (at := await tab.page.evaluate("window.__painted ?? null")) is not None:
            return float(at)
        await tab.page.wait_for_timeout(50)
    raise TimeoutError(f"no graph after {LIMIT_SECS:g} s")


# ---- the graph


def make(root: Path, nodes: int) -> Path:
    """Return its log directory; write it unless it exists."""
    home = root / f"graph-{nodes}"
    logdir, mark = home / "logs", home / "complete"
    if mark.exists():
        return logdir
    directory = logdir / "run"
    directory.mkdir(parents=True, exist_ok=True)
    graph = b"".join(records.field(1, node) for node in itertools.islice(_network(), nodes))
    event = b"\x09" + struct.pack("<d", WALL_TIME) + records.field(4, graph)
    with open(directory / f"events.out.tfevents.{int(WALL_TIME)}.bench.1.0", "wb") as file:
        file.write(records.file_version(WALL_TIME))
        file.write(records.framed(event))
    mark.write_text("")
    return logdir


def _network() -> Iterator[bytes]:
    """Yield nodes without end; each depends only on earlier ones."""
    yield _node("tokens", "Placeholder", (), (32, 128))
    yield _node("embedding/table", "VarHandleOp", (), ())
    yield _node("embedding/lookup", "ResourceGather", ("embedding/table", "tokens"), (32, 128, 512))
    before = "embedding/lookup"
    layer = 0
    while True:
        at = f"model/stage_{layer // 12}/layer_{layer}"
        heads = []
        for head in range(8):
            name = f"{at}/attention/head_{head}"
            for part in ("query", "key", "value"):
                yield _node(f"{name}/{part}/kernel", "VarHandleOp", (), ())
                read = f"{name}/{part}/MatMul/ReadVariableOp"
                yield _node(read, "ReadVariableOp", (f"{name}/{part}/kernel",), (512, 64))
                yield _node(f"{name}/{part}/MatMul", "MatMul", (before, read), (32, 128, 64))
            products = (f"{name}/query/MatMul", f"{name}/key/MatMul")
            yield _node(f"{name}/scores", "BatchMatMulV2", products, (32, 128, 128))
            yield _node(f"{name}/scale", "Const", (), ())
            yield _node(f"{name}/scaled", "Mul", (f"{name}/scores", f"{name}/scale"), (32, 128, 128))
            yield _node(f"{name}/Softmax", "Softmax", (f"{name}/scaled",), (32, 128, 128))
            yield _node(f"{name}/out", "BatchMatMulV2", (f"{name}/Softmax", f"{name}/value/MatMul"), (32, 128, 64))
            heads.append(f"{name}/out")
        yield _node(f"{at}/attention/concat", "ConcatV2", tuple(heads), (32, 128, 512))
        yield _node(f"{at}/add", "AddV2", (f"{at}/attention/concat", before), (32, 128, 512))
        yield _node(f"{at}/mlp/kernel", "VarHandleOp", (), ())
        yield _node(f"{at}/mlp/ReadVariableOp", "ReadVariableOp", (f"{at}/mlp/kernel",), (512, 2048))
        yield _node(f"{at}/mlp/MatMul", "MatMul", (f"{at}/add", f"{at}/mlp/ReadVariableOp"), (32, 128, 2048))
        yield _node(f"{at}/mlp/Relu", "Relu", (f"{at}/mlp/MatMul",), (32, 128, 2048))
        before = f"{at}/mlp/Relu"
        layer += 1


def _node(name: str, op: str, inputs: tuple[str, ...], shape: tuple[int, ...]) -> bytes:
    """A NodeDef with the type and the shapes of its outputs, as TensorFlow writes them."""
    message = records.field(1, name.encode()) + records.field(2, op.encode())
    message += b"".join(records.field(3, each.encode()) for each in inputs)
    message += records.field(4, b"/device:GPU:0" if op == "MatMul" else b"/device:CPU:0")
    dims = b"".join(records.field(2, b"\x08" + records.varint(size)) for size in shape)
    shapes = records.field(1, records.field(7, dims))
    for key, value in ((b"T", b"\x30\x01"), (b"_output_shapes", shapes)):
        message += records.field(5, records.field(1, key) + records.field(2, value))
    return message
