"""Embeddings on the server: sending vectors, PCA, UMAP and neighbors of 100,000 × 128, PCA of 1,000,000 × 64.

The pages are measured in the browser (`python -m bench.web`): TensorBoard computes there, from a sample. Both servers
have only the sending of vectors in common.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from bench import client, loads, quiet, setup
from bench.report import Row
from lightboard.server import frames

ROWS, DIMS, GROUPS = 100_000, 128, 40
MANY_ROWS, FEW_DIMS = 1_000_000, 64
NAME, RUN = "vectors", "."
PATIENCE_SECS = 900.0
PIECE = 100_000


def make(root: Path, rows: int, dims: int) -> Path:
    """Write a project, once: curved groups in a few dimensions each, with a label for every row."""
    home = root / f"projector-{rows}x{dims}"
    logdir, mark = home / "logs", home / "complete"
    if mark.exists():
        return logdir
    logdir.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(9)
    centers = rng.normal(scale=2, size=(GROUPS, dims)).astype(np.float32)
    bends = rng.normal(scale=0.5, size=(GROUPS, 12, dims)).astype(np.float32)
    with open(logdir / "vectors.bytes", "wb") as vectors, open(logdir / "labels.tsv", "w") as labels:
        labels.write("group\tname\n")
        for first in range(0, rows, PIECE):
            size = min(PIECE, rows - first)
            group = rng.integers(0, GROUPS, size)
            values = centers[group] + rng.normal(scale=0.3, size=(size, dims)).astype(np.float32)
            for each in range(GROUPS):
                mine = group == each
                values[mine] += rng.normal(size=(int(mine.sum()), 12)).astype(np.float32) @ bends[each]
            vectors.write(values.astype("<f4").tobytes())
            labels.writelines(f"g{each}\tpoint {first + row}\n" for row, each in enumerate(group.tolist()))
    config = (
        f'embeddings {{\n  tensor_name: "{NAME}"\n  tensor_path: "vectors.bytes"\n  metadata_path: "labels.tsv"\n'
        f"  tensor_shape: {rows}\n  tensor_shape: {dims}\n}}\n"
    )
    (logdir / "projector_config.pbtxt").write_text(config)
    mark.write_text("")
    return logdir


def lay_out(http: client.Client, method: str, **more: Any) -> tuple[float, float]:
    """Return the seconds from the request to the first coordinates, and to the last."""
    begun = time.perf_counter()
    question = {"run": RUN, "name": NAME, "method": method, **more}
    request = client.Request(
        "/api/projector/layouts", "POST", json.dumps(question).encode(), {"Content-Type": "application/json"}
    )
    job = _ask(http, request).json()["id"]
    first = 0.0
    version = 0
    while time.perf_counter() - begun < PATIENCE_SECS:
        answer = _ask(http, client.Request(f"/api/projector/layouts/{job}?since={version}&wait=2"))
        header, arrays = frames.decode(answer.body)
        if arrays and not first:
            first = time.perf_counter() - begun
        version = header["version"]
        if header["state"] == "done":
            return first, time.perf_counter() - begun
        if header["state"] not in ("waiting", "running"):
            break
    raise RuntimeError(f"{method} did not get there: {header['state']} {header['problem']}")


def _ask(http: client.Client, request: client.Request) -> client.Answer:
    answer = http.send(request)
    if answer.status != 200:
        raise RuntimeError(f"status {answer.status} for {request.path}: {answer.body[:200]!r}")
    return answer


def _sent(http: client.Client, rows: int, size: int) -> float:
    """Return the seconds until all vectors have arrived, the first time."""
    begun = time.perf_counter()
    address = f"/data/plugin/projector/tensor?run={RUN}&name={NAME}&num_rows={rows}"
    while True:
        answer = http.send(client.Request(address))
        if answer.status == 200 and len(answer.body) == size:
            return time.perf_counter() - begun
        if time.perf_counter() - begun > PATIENCE_SECS:
            raise RuntimeError("the vectors were not sent")
        time.sleep(0.05)


def layouts(conditions: setup.Setup) -> Iterator[Row]:
    rows, many = (max(2000, int(count * conditions.scale)) for count in (ROWS, MANY_ROWS))
    logdir = make(conditions.root, rows, DIMS)
    loads.warm(logdir)
    sent: dict[str, float] = {}
    work = f"projector {rows:,} × {DIMS}"
    ours: list[Row] = []
    for side in conditions.sides:
        quiet.wait(conditions.quiet_secs)
        running, url = side.start(logdir)
        http = client.Client(url)
        try:
            sent[side.name] = _sent(http, rows, 4 * rows * DIMS)
            if side is conditions.lightboard:
                pca = min(lay_out(http, "pca", seed=seed)[1] for seed in range(3))
                spent = running.cpu_secs()
                first, last = lay_out(http, "umap", dims=2)
                spent = running.cpu_secs() - spent
                begun = time.perf_counter()
                _ask(http, client.Request(f"/api/projector/neighbors?run={RUN}&name={NAME}&row=7&count=100"))
                near = time.perf_counter() - begun
                ours = [
                    Row(f"{work}: PCA, all points", "wall s", None, pca),
                    Row(f"{work}: UMAP 2-D, first coordinates", "wall s", None, first),
                    Row(f"{work}: UMAP 2-D, all points", "wall s", None, last),
                    Row(f"{work}: UMAP 2-D, all points", "CPU s", None, spent),
                    Row(f"{work}: 100 exact neighbours", "wall s", None, near),
                ]
        finally:
            http.close()
            running.stop()
    yield Row(f"{work}: vectors sent", "wall s", sent.get("tensorboard"), sent.get("lightboard"))
    yield from ours
    yield from _many(conditions, many)


def _many(conditions: setup.Setup, rows: int) -> Iterator[Row]:
    logdir = make(conditions.root, rows, FEW_DIMS)
    loads.warm(logdir)
    running, url = conditions.lightboard.start(logdir)
    http = client.Client(url)
    try:
        time.sleep(0.5)
        _, last = lay_out(http, "pca")
        yield Row(f"projector {rows:,} × {FEW_DIMS}: PCA, all points", "wall s", None, last)
        yield Row(f"projector {rows:,} × {FEW_DIMS}: PCA", "peak RssAnon MB", None, running.peak_anon_bytes / 1e6)
    finally:
        http.close()
        running.stop()
