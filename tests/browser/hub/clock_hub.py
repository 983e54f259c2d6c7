"""A hub whose clock a test moves, in a process of its own; its boards are real processes on the same clock.

    with clock_hub.running(tmp_path, claims={"volume": logs}) as hub:
        hub.advance(3600)           hub and boards are an hour older at once, and the hub looks at its boards
        with hub.held_boards(): …   boards that start meanwhile do not answer before it ends

`clock/` has the program and the clock.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping

from hub import hubs

CLOCK = pathlib.Path(__file__).parent / "clock"
# The clock begins at the same time wherever the tests run, so that pictures are the same.
BEGIN = 1803891600.0  # Monday, 2027-03-01 09:00 UTC


class ClockHub:
    """State: how far the clock is ahead of the machine's."""

    def __init__(self, process: subprocess.Popen[str], clock: pathlib.Path, shift: float) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._stdin, self._stdout, self._clock = process.stdin, process.stdout, clock
        self.shift = shift
        first = self._stdout.readline()
        assert first, f"the hub did not start: {(clock.parent / 'stderr').read_text()}"
        told = json.loads(first)
        self.url: str = told["url"]  # without a slash at its end
        self.link: str = told["link"]  # who opens it first becomes the admin

    def advance(self, secs: float) -> None:
        self.shift += secs
        _write(self._clock, self.shift)
        self._stdin.write("look\n")
        self._stdin.flush()
        assert self._stdout.readline() == "told\n"

    @contextlib.contextmanager
    def held_boards(self) -> Iterator[None]:
        hold = self._clock / "hold"
        hold.touch()
        try:
            yield
        finally:
            hold.unlink()


@contextlib.contextmanager
def running(folder: pathlib.Path, *, claims: Mapping[str, pathlib.Path]) -> Iterator[ClockHub]:
    clock, kept = folder / "clock", folder / "hub"
    clock.mkdir()
    shift = BEGIN - time.time()
    _write(clock, shift)
    own = {name: value for name, value in os.environ.items() if not name.startswith("LIGHTBOARD_")}
    modules = os.pathsep.join(filter(None, (str(CLOCK), own.get("PYTHONPATH"))))
    environment = {**own, "PYTHONPATH": modules, "STORY_CLOCK": str(clock)}
    volumes = [f"{name}={directory}" for name, directory in claims.items()]
    with (folder / "stderr").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, str(CLOCK / "hub_program.py"), str(kept), *volumes],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    with process:
        try:
            yield ClockHub(process, clock, shift)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(timeout=hubs.PATIENCE_SECS)
            hubs.end_boards(kept)


def _write(clock: pathlib.Path, shift: float) -> None:
    """In place: the programs have the file mapped."""
    path = clock / "shift"
    with path.open("r+b" if path.exists() else "wb") as file:
        file.write(struct.pack("<d", shift))
