"""10,000 trials of 10 hparams and 5 metrics: the first table of the HParams page, from the routes each page requests.

TensorBoard's page requests `/experiment`, then `/session_groups` for the first 100 trials; ours requests `/api/trials`
once, for all trials. Both are measured after everything was read, and our `/session_groups` against TensorBoard's.
"""

from __future__ import annotations

import contextlib
import json
import struct
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path

import numpy as np

from bench import client, loads, quiet, records, setup
from bench.report import Row
from lightboard.sdk import hparams_messages

TRIALS, STEPS = 10_000, 10
METRICS = ("accuracy", "loss", "f1", "epoch_secs", "validation_loss")
PATIENCE_SECS = 600.0
REPEATS = 7
FIRST_WALL_TIME = 1.76e9
PREFIX = "/experiment/defaultExperimentId/data/plugin/hparams"


def make(root: Path, trials: int = TRIALS) -> Path:
    """Return the log directory; write it unless it exists."""
    home = root / f"hparams-{trials}x10x{len(METRICS)}"
    logdir, mark = home / "logs", home / "complete"
    if mark.exists():
        return logdir
    rng = np.random.default_rng(6)
    steps = np.arange(1, STEPS + 1, dtype=np.int64)
    for trial in range(trials):
        chosen = hparams(rng)
        final = outcome(chosen, rng)
        start = FIRST_WALL_TIME + 61.0 * trial
        walls = np.float64(start) + steps.astype(np.float64) * 5.0
        directory = logdir / f"trial_{trial:05d}"
        directory.mkdir(parents=True, exist_ok=True)
        with open(directory / f"events.out.tfevents.{int(start)}.bench.1.0", "wb") as file:
            file.write(records.file_version(start))
            file.write(_summary(hparams_messages.session_start(chosen, start_time_secs=start), start))
            for metric, last in zip(METRICS, final, strict=True):
                curve = last + (1.0 - last) * np.exp(-steps / 3.0) + rng.normal(0, 0.002, STEPS)
                file.write(_scalars(metric, steps, walls, curve))
            file.write(_summary(hparams_messages.session_end(1, float(walls[-1])), float(walls[-1])))
    mark.write_text("")
    return logdir


def hparams(rng: np.random.Generator) -> dict[str, hparams_messages.Scalar]:
    return {
        "learning_rate": float(10 ** rng.uniform(-5, -1)),
        "batch_size": int(rng.choice([16, 32, 64, 128, 256])),
        "dropout": round(float(rng.uniform(0, 0.6)), 2),
        "optimizer": str(rng.choice(["adam", "sgd", "rmsprop", "adamw"])),
        "units": int(rng.choice([128, 256, 512, 1024])),
        "layers": int(rng.integers(1, 9)),
        "activation": str(rng.choice(["relu", "gelu", "tanh"])),
        "batch_norm": bool(rng.integers(2)),
        "weight_decay": float(10 ** rng.uniform(-6, -2)),
        "seed": int(rng.integers(1_000_000)),
    }


def outcome(chosen: dict[str, hparams_messages.Scalar], rng: np.random.Generator) -> list[float]:
    distance = np.log10(float(chosen["learning_rate"])) + 3.0
    accuracy = 0.95 - 0.08 * distance**2 - 0.1 * (chosen["optimizer"] == "sgd") - 0.2 * float(chosen["dropout"]) ** 2
    accuracy = float(np.clip(accuracy + rng.normal(0, 0.01), 0.05, 0.99))
    return [accuracy, 1.0 - accuracy, accuracy - 0.02, float(chosen["units"]) / 100, 1.1 - accuracy]


def _summary(value: bytes, wall_time: float) -> bytes:
    return records.framed(b"\x09" + struct.pack("<d", wall_time) + records.field(5, records.field(1, value)))


def _scalars(tag: str, steps: records.Steps, walls: records.Floats, values: records.Floats) -> bytes:
    value = records.simple_value(tag)
    rows = np.empty((len(steps), records.size_bytes(value, records.step_bytes(int(steps[0])))), np.uint8)
    payload = values.astype("<f4")[:, np.newaxis].view(np.uint8)
    records.fill(rows, value, wall_times=walls, steps=steps, payload=payload)
    return rows.tobytes()


# ---- requests


def groups_request(slice_size: int, **more: object) -> client.Request:
    statuses = ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]
    asked = {"startIndex": 0, "sliceSize": slice_size, "allowedStatuses": statuses, "colParams": [], **more}
    return _post("session_groups", asked)


def by_accuracy(slice_size: int) -> client.Request:
    column = {"metric": {"tag": "accuracy", "group": ""}, "order": "ORDER_DESC", "includeInResult": True}
    return groups_request(slice_size, colParams=[column])


def _post(route: str, asked: object) -> client.Request:
    return client.Request(f"{PREFIX}/{route}", "POST", json.dumps(asked).encode(), {"Content-Type": "application/json"})


def _theirs_first(http: client.Client) -> None:
    _ask(http, _post("experiment", {}))
    _ask(http, groups_request(100))


def _ours_first(http: client.Client) -> None:
    _ask(http, client.Request("/api/trials", headers={"Accept-Encoding": client.BROWSER_ENCODINGS}))


def _ask(http: client.Client, request: client.Request) -> client.Answer:
    answer = http.send(request)
    if answer.status != 200:
        raise RuntimeError(f"status {answer.status} for {request.path}: {answer.body[:200]!r}")
    return answer


def _best(work: Callable[[client.Client], object], http: client.Client, repeats: int) -> float:
    secs = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work(http)
        secs.append(time.perf_counter() - begun)
    return min(secs)


@contextlib.contextmanager
def _loaded(side: setup.Side, logdir: Path, trials: int, waiting_secs: float) -> Iterator[tuple[client.Client, float]]:
    """Yield a client of a board that has read all trials, and the seconds from its start until then."""
    quiet.wait(waiting_secs)
    begun = time.perf_counter()
    running, url = side.start(logdir)
    http = client.Client(url)
    try:
        while True:
            with contextlib.suppress(OSError, RuntimeError, HTTPException):
                found = _ask(http, groups_request(1)).json()
                if found["totalSize"] == trials:
                    break
            if running.process.poll() is not None or time.perf_counter() - begun > PATIENCE_SECS:
                raise RuntimeError(f"{side.name} does not know all trials after {PATIENCE_SECS:g} s")
            time.sleep(0.1)
        loaded_secs = time.perf_counter() - begun
        side.check(running)
        yield http, loaded_secs
    finally:
        http.close()
        running.stop()


def tables(conditions: setup.Setup) -> Iterator[Row]:
    """Measure the first table, all trials, and a table sorted by a metric."""
    trials = max(10, int(TRIALS * conditions.scale))
    logdir = make(conditions.root, trials)
    loads.warm(logdir)
    found: dict[str, dict[str, float]] = {}
    for side in conditions.sides:
        ours = side is conditions.lightboard
        repeats = REPEATS if ours else 3
        with _loaded(side, logdir, trials, conditions.quiet_secs) as (http, loaded_secs):
            first = _ours_first if ours else _theirs_first
            tasks: dict[str, Callable[[client.Client], object]] = {
                "first": first,
                "page": lambda http: _ask(http, groups_request(100)),
                "all": lambda http: _ask(http, groups_request(trials)),
                "sorted": lambda http: _ask(http, by_accuracy(100)),
            }
            found[side.name] = {"load": loaded_secs, "cold": _best(first, http, 1)}
            found[side.name] |= {name: _best(each, http, repeats) for name, each in tasks.items()}
        setup.say(f"{side.name}: {found[side.name]}")
    works = {
        "load": (f"start to all {trials} trials known", ""),
        "cold": ("first table of the page, the first time it is asked for", ""),
        "first": ("first table of the page (theirs 100 trials, ours all)", "≥ 5 ×"),
        "page": ("/session_groups, 100 trials", ""),
        "all": (f"/session_groups, all {trials} trials", ""),
        "sorted": ("/session_groups, the 100 best by a metric", ""),
    }
    for name, (work, bar) in works.items():
        theirs = found.get("tensorboard", {}).get(name)
        yield Row(f"hparams: {work}", "wall s", theirs, found["lightboard"][name], bar)
