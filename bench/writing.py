"""Writing: PyTorch's writer, tensorboardX's and ours, the same calls in turn in one process.

    python -m bench.writing [--rounds 3] [--scale 1.0]

Needs an interpreter with `torch`, `tensorboard`, `tensorboardX` and `lightboard`; missing ones are skipped. Each round
measures every writer once, in turn, so that other load on the machine affects all of them; the best round is used. The
measured time includes a flush after the last call.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

ROW = 50
HISTOGRAM_SIZE = 1_000_000
PICTURE_PX = 256


@dataclasses.dataclass(frozen=True)
class Work:
    name: str
    unit: str
    per_call: int
    calls: int
    call: Callable[[Any, int], None]
    bar: float


def writers() -> dict[str, Callable[[str], Any]]:
    found: dict[str, Callable[[str], Any]] = {}
    for name, module in (
        ("torch", "torch.utils.tensorboard"),
        ("tensorboardX", "tensorboardX"),
        ("lightboard", "lightboard"),
    ):
        try:
            found[name] = importlib.import_module(module).SummaryWriter
        except ImportError as error:
            print(f"{name}: left out ({error})", file=sys.stderr)
    return found


def works() -> list[Work]:
    numbers = np.random.default_rng(0).normal(size=HISTOGRAM_SIZE).astype(np.float32)
    across = np.linspace(0, 1, PICTURE_PX, dtype=np.float32)
    smooth = np.stack(
        [np.tile(across, (PICTURE_PX, 1)), np.tile(across[:, None], (1, PICTURE_PX)), np.outer(across, across)]
    )
    noisy = np.random.default_rng(0).random((3, PICTURE_PX, PICTURE_PX), np.float32)
    # Like a photo: neither smooth nor noise.
    photo = np.clip(0.5 + 0.4 * np.sin(smooth * 20) + 0.05 * (noisy - 0.5), 0, 1).astype(np.float32)
    row = {f"metric_{number:02d}": number / 7 for number in range(ROW)}

    def log_row(writer: Any, step: int) -> None:
        if hasattr(writer, "log"):
            writer.log(row, step)
        else:
            for tag, number in row.items():
                writer.add_scalar(tag, number, step)

    return [
        Work("add_scalar", "calls/s", 1, 20_000, lambda w, i: w.add_scalar("loss", 0.25, i), 30),
        Work(f"log of {ROW} values", "values/s", ROW, 400, log_row, 60),
        Work("add_histogram, 1 M floats", "calls/s", 1, 5, lambda w, i: w.add_histogram("weights", numbers, i), 3),
        Work("add_image, smooth", "calls/s", 1, 50, lambda w, i: w.add_image("smooth", smooth, i), 1.5),
        Work("add_image, photo", "calls/s", 1, 50, lambda w, i: w.add_image("photo", photo, i), 1.5),
        Work("add_image, noise", "calls/s", 1, 50, lambda w, i: w.add_image("noise", noisy, i), 1.5),
    ]


def measure(make: Callable[[str], Any], work: Work, calls: int) -> tuple[float, float]:
    """(units per second, bytes per call)"""
    directory = tempfile.mkdtemp(prefix="lightboard_writing_")
    try:
        writer = make(directory)
        work.call(writer, 0)
        writer.flush()
        start = time.perf_counter()
        for step in range(1, calls + 1):
            work.call(writer, step)
        writer.flush()
        elapsed = time.perf_counter() - start
        writer.close()
        return calls * work.per_call / elapsed, _size(directory) / (calls + 1)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _size(directory: str) -> int:
    import pathlib

    return sum(path.stat().st_size for path in pathlib.Path(directory).rglob("*") if path.is_file())


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--rounds", type=int, default=3, help="measure everything this often, the best counts")
    options.add_argument("--scale", type=float, default=1.0, help="times as many calls")
    arguments = options.parse_args()
    found = writers()
    rivals = [name for name in found if name != "lightboard"]
    print(f"Python {platform.python_version()}, {platform.machine()}, best of {arguments.rounds}")
    print(
        f"{'':28}{'':10}" + "".join(f"{name:>15}" for name in found) + f"{'ratio':>9}{'bar':>7}{'bytes per call':>30}"
    )
    for work in works():
        best = dict.fromkeys(found, 0.0)
        sizes: dict[str, float] = {}
        for _ in range(arguments.rounds):
            for name, make in found.items():
                # Ours does more calls in the same time; a measurement should still take some hundredths of a second.
                calls = max(
                    1, int(work.calls * arguments.scale * (10 if name == "lightboard" and work.calls > 100 else 1))
                )
                speed, sizes[name] = measure(make, work, calls)
                best[name] = max(best[name], speed)
        ratio = best["lightboard"] / max((best[name] for name in rivals), default=float("nan"))
        cells = "".join(f"{best[name]:15,.1f}" for name in found)
        bytes_ = " / ".join(f"{sizes[name]:,.0f}" for name in found)
        print(f"{work.name:28}{work.unit:10}{cells}{ratio:8.1f}x{work.bar:6g}x{bytes_:>30}")


if __name__ == "__main__":
    main()
