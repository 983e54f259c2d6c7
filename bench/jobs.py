"""Measures `lightboard run`: a program that prints a million lines, with and without it.

Alternately, the best of several. How long the program itself takes from its first to its last line, and its own CPU;
everything from the start of the command to its end, with the start of our process, and the CPU of all processes.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench import quiet, setup
from bench.report import Row
from lightboard.jobs import guard

LINES = 1_000_000
PROGRAM = """
import sys, time
begun = time.perf_counter()
for number in range(int(sys.argv[1])):
    print("step", number, "loss 0.123456 accuracy 0.98765 learning rate 0.0003")
sys.stdout.flush()
sys.stderr.write(f"inner {time.perf_counter() - begun} {time.process_time()}\\n")
"""


def lines(conditions: setup.Setup) -> Iterator[Row]:
    guard.take_over()  # the guard outlives the command, and its CPU should count
    number = round(LINES * conditions.scale)
    with tempfile.TemporaryDirectory(prefix="jobs") as name:
        program = Path(name) / "printing.py"
        program.write_text(PROGRAM)
        plain = [sys.executable, str(program), str(number)]
        ours = [sys.executable, "-m", "lightboard", "run", "--quiet", "--hub", "none", "--", *plain]
        best: dict[str, float] = {}
        for _ in range(max(3, conditions.tries)):
            for side, command in (("plain", plain), ("run", ours)):
                quiet.wait(conditions.quiet_secs)
                for what, secs in _measured(command, Path(name)).items():
                    best[f"{side} {what}"] = min(secs, best.get(f"{side} {what}", secs))
    for what in ("program", "CPU of the program", "whole", "CPU of all"):
        over = 100 * (best[f"run {what}"] / best[f"plain {what}"] - 1)
        yield Row(f"{number:,} lines, {what}, plain", "s", None, best[f"plain {what}"])
        yield Row(f"{number:,} lines, {what}, lightboard run", "s", None, best[f"run {what}"])
        yield Row(f"{number:,} lines, {what}, overhead", "%", None, over, bar="≤ 5 %" if what == "program" else "")


def _measured(command: list[str], folder: Path) -> dict[str, float]:
    """The output is read by this process, as a pipeline would."""
    hidden = ("LIGHTBOARD_", "PYTHONUNBUFFERED")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    environment["LIGHTBOARD_DATA_DIR"] = str(folder / "data")
    cpu = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    )
    assert process.stdout is not None
    assert process.stderr is not None
    while process.stdout.read(1 << 20):
        pass
    inner = re.search(rb"inner ([\d.]+) ([\d.]+)", process.stderr.read())
    process.stderr.close()
    process.stdout.close()
    if process.wait() or inner is None:
        raise RuntimeError(f"{command[-3:]} failed")
    whole = time.perf_counter() - begun
    _reap_all()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime
    return {"program": float(inner[1]), "CPU of the program": float(inner[2]), "whole": whole, "CPU of all": spent}


def _reap_all() -> None:
    """Waits for processes that became our children."""
    while True:
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return
