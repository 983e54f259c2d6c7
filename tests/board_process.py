"""Start the real command and talk to it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

PATIENCE_SECS = 60.0


class Process:
    """`lightboard …` running; killed at the end of the block if a test left it."""

    def __init__(self, *words: str | Path, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "lightboard", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
        )
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline().rstrip("\n")
        found = re.search(r" at (\S+) ", self.line)
        self.url = found.group(1) if found else ""

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def get(self, path: str, **headers: str) -> tuple[int, bytes]:
        """Status and body of an address relative to the board's."""
        request = urllib.request.Request(self.url.partition("?")[0] + path, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()

    def runs(self) -> list[str]:
        status, body = self.get("data/runs")
        assert status == 200
        found: list[str] = json.loads(body)
        return found

    def wait_for_runs(self, *names: str) -> None:
        """Until they are listed, and what was there when the board was started has been read to its end."""
        wait_until(lambda: set(names) <= set(self.runs()) and self.has_read(), f"runs {names}")

    def has_read(self) -> bool:
        status, body = self.get("api/board")
        assert status == 200
        return json.loads(body)["progress"]["done"] is True

    def wait_for_points(self, run: str, tag: str, count: int) -> None:
        """Until so many are known, of a run that is."""
        query = urllib.parse.urlencode({"run": run, "tag": tag})

        def known() -> bool:
            status, body = self.get(f"data/plugin/scalars/scalars?{query}")
            return status == 200 and len(json.loads(body)) == count

        wait_until(known, f"{count} points")

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str, str]:
        """Exit code, and what it said after its first line."""
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=PATIENCE_SECS)
        return self.process.returncode, out, err


def wait_until(condition: Any, what: str) -> None:
    end = time.monotonic() + PATIENCE_SECS
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.02)


def run(*words: str | Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """The command to its end."""
    return subprocess.run(
        [sys.executable, "-m", "lightboard", *map(str, words)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECS,
        env={**os.environ, **(env or {})},
        check=False,
    )
