"""100,000 points of 128 dimensions: from navigation to the first picture (PCA), from the click to the finished UMAP.

TensorBoard's page is measured in the same run. It uses 50,000 points for PCA and 5,000 for UMAP; ours uses all of
them, so the time of UMAP is also given per point. TensorBoard's projector is a separate page inside an iframe; it is
opened directly, without the rest of its board.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np

from bench import client, loads, quiet, records, report, setup
from bench.web import bars, boards, browser, traces

SIZE = browser.Size(1280, 800)
ROWS, DIMS, SEEDS = 100_000, 128, 40
SAMPLED = 5000  # number of points that TensorBoard's page uses for UMAP
WALL_TIME = 1.76e9
TASK_MS = 100
LIMIT_SECS = 600.0

ADDRESS = {"tensorboard": "/data/plugin/projector/projector_binary.html", "lightboard": "/#projector"}
# Finds elements of nested shadow trees, by selector.
DEEP = """
const deep = (selector, root = document) => {
  const found = root.querySelector(selector);
  if (found !== null) return found;
  for (const one of root.querySelectorAll("*")) {
    const inside = one.shadowRoot === null ? null : deep(selector, one.shadowRoot);
    if (inside !== null) return inside;
  }
  return null;
};
"""
# Whether all points are arranged and drawn on the canvas.
PCA = {
    "tensorboard": 'deep("#total-variance")?.innerText.includes("%")',
    "lightboard": 'Number(deep("[data-testid=projector-canvas]")?.dataset.drawn) > 0',
}
START = {
    "tensorboard": 'deep("#umap-tab").click(); deep("#umap-toggle").click(); deep("#run-umap").click();',
    "lightboard": """deep("[data-testid=projector-dims-2]").click();
      deep("[data-testid=projector-method-umap]").click();""",
}
BUSY = {
    "tensorboard": '/Optimizing UMAP/.test(deep("#notify-msgs").innerText)',
    "lightboard": 'deep("[data-testid=projector-progress]")?.dataset.state === "running"',
}
DONE = {
    "tensorboard": 'deep("#notify-msgs").innerText.trim() === ""',
    "lightboard": 'deep("[data-testid=projector-progress]")?.dataset.state === "done"',
}


async def measure(conditions: boards.Conditions) -> AsyncIterator[report.Row]:
    """Measure with a warm board and an empty browser cache; the cloud does not rotate by itself."""
    rows = max(200, round(ROWS * conditions.scale))
    logdir = make(conditions.root, rows)
    loads.warm(logdir)
    pca: dict[str, float] = {}
    again: dict[str, float] = {}
    umap: dict[str, float] = {}
    longest: dict[str, float] = {}
    failed: list[str] = []
    for name in conditions.pages:
        try:
            with conditions.board(name, logdir) as url:
                client.wait_until(functools.partial(_listed, url), every_secs=0.5, limit_secs=boards.LOAD_LIMIT_SECS)
                tries = [await _pca(conditions, url, name) for _ in range(conditions.tries)]
                setup.say(f"projector {name}: PCA {[round(each) for each in tries]} ms")
                pca[name], again[name] = tries[0], min(tries)
                umap[name], longest[name] = await _umap(conditions, url, name)
                setup.say(f"projector {name}: UMAP {umap[name]:.0f} ms")
        except (TimeoutError, browser.Failure) as error:
            setup.say(f"projector {name}: {error}")
            failed.append(name)
    shape = f"{rows:,} × {DIMS}"
    what = tuple(failed)
    yield bars.at_least(bars.row(f"projector {shape}: PCA to the first picture", "ms", pca, failed=what), 3)
    # our board caches the layout, TensorBoard's page starts again
    yield bars.at_least(bars.row(f"projector {shape}: the same, opened again", "ms", again, failed=what), 3)
    sampled = min(rows, SAMPLED)
    row = bars.row(f"projector {shape}: UMAP in 2D (TensorBoard: of {sampled:,} points)", "ms", umap, failed=what)
    yield bars.at_least(row, 5)
    each = {name: took * 1e3 / (sampled if name == "tensorboard" else rows) for name, took in umap.items()}
    yield bars.row("projector: UMAP in 2D for each point laid out", "µs", each, failed=what)
    row = bars.row(f"projector {shape}: longest task of the page", "ms", longest, failed=what)
    yield bars.at_most(row, TASK_MS, words=" ms")


def _listed(url: str) -> bool:
    """Return whether the board has read the run."""
    with contextlib.closing(client.Client(url)) as http:
        return b"run" in http.send(client.Request("/data/plugin/projector/runs")).body


async def _pca(conditions: boards.Conditions, url: str, name: str) -> float:
    quiet.wait(conditions.quiet_secs)
    async with conditions.chromium.tab(SIZE) as tab:
        await tab.page.emulate_media(reduced_motion="reduce")
        began = await tab.goto(url + ADDRESS[name])
        return (await _when(tab, PCA[name]) - began) * 1e3


async def _umap(conditions: boards.Conditions, url: str, name: str) -> tuple[float, float]:
    """Return the time from the click to the end, and the longest task of the page until then."""
    quiet.wait(conditions.quiet_secs)
    tasks: list[traces.Task] = []
    async with conditions.chromium.tab(SIZE) as tab:
        await tab.page.emulate_media(reduced_motion="reduce")
        await tab.goto(url + ADDRESS[name])
        await _when(tab, PCA[name])
        async with conditions.chromium.traced(tab, tasks):
            began = float(
                await tab.page.evaluate(f"{{{DEEP} {START[name]} (performance.timeOrigin + performance.now()) / 1000}}")
            )
            await _when(tab, BUSY[name])
            ended = await _when(tab, DONE[name])
            await tab.page.wait_for_timeout(500)
    found = traces.longest(tasks)
    setup.say(
        f"projector {name}: longest task {found.wall_ms:.0f} ms, computing {found.cpu_ms:.0f} ms: {found.content}"
    )
    return (ended - began) * 1e3, found.wall_ms


async def _when(tab: browser.Tab, condition: str) -> float:
    """Return when the condition became true and a frame with it was about to be displayed."""
    script = f"""() => {{ {DEEP}
      return new Promise((resolve) => {{
        const look = () => {{
          let so = false;
          try {{ so = Boolean({condition}); }} catch {{}}
          if (!so) setTimeout(look, 20);
          else requestAnimationFrame(() => setTimeout(() => {{
            resolve((performance.timeOrigin + performance.now()) / 1000);
          }}));
        }};
        look();
      }});
    }}"""
    try:
        return float(await asyncio.wait_for(tab.page.evaluate(script), LIMIT_SECS))
    except asyncio.TimeoutError as error:
        raise TimeoutError(f"the page is not done after {LIMIT_SECS:g} s") from error


# ---- the points


def make(root: Path, rows: int) -> Path:
    """Write groups of points with labels, unless they exist; return the log directory."""
    home = root / f"projector-{rows}x{DIMS}"
    logdir, mark = home / "logs", home / "complete"
    if mark.exists():
        return logdir
    directory = logdir / "run"
    directory.mkdir(parents=True, exist_ok=True)
    chance = np.random.default_rng(0)
    seeds = chance.normal(0, 1, (SEEDS, DIMS))
    of = chance.integers(0, SEEDS, rows)
    made = (seeds[of] + chance.normal(0, 0.6, (rows, DIMS))).astype("<f4")
    (directory / "vectors.bytes").write_bytes(made.tobytes())
    lines = "".join(f"point {row}\t{heap}\n" for row, heap in enumerate(of.tolist()))
    (directory / "metadata.tsv").write_text("name\theap\n" + lines)
    (directory / "projector_config.pbtxt").write_text(
        f'embeddings {{ tensor_name: "points" tensor_path: "vectors.bytes" metadata_path: "metadata.tsv" '
        f"tensor_shape: {rows} tensor_shape: {DIMS} }}\n"
    )
    # TensorBoard searches only directories with event files
    with open(directory / f"events.out.tfevents.{int(WALL_TIME)}.bench.1.0", "wb") as file:
        file.write(records.file_version(WALL_TIME))
    mark.write_text("")
    return logdir
