"""A Chromium that shows a page and sometimes reports how much memory it uses.

Playwright keeps every response of a page and leaves scripts in it, so memory grows while it is connected. Here the
browser gets commands through its debugging pipe (JSON messages, each ended by a zero byte), and none in between.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import processes
from bench.web import browser


class Browser:
    """One page in one browser. Calls wait for their responses."""

    def __init__(self, commands: int, answers: int) -> None:
        self._commands, self._answers = commands, answers
        self._numbers = itertools.count(1)
        self._unread = b""

    def memory(self) -> tuple[int, int]:
        """Return bytes of used objects on the main thread, and anonymous memory of the process including workers."""
        with self._attached() as session:
            self._ask("Runtime.evaluate", {"expression": "gc()"}, session)
            heap = self._ask("Runtime.getHeapUsage", {}, session)["usedSize"]
        listed = self._ask("SystemInfo.getProcessInfo")["processInfo"]
        renderers = [int(process["id"]) for process in listed if process["type"] == "renderer"]
        return heap, max(map(processes.anon_bytes, renderers))

    def count(self, selector: str) -> int:
        """Return the number of matching elements of the page."""
        script = f"document.querySelectorAll({json.dumps(selector)}).length"
        with self._attached() as session:
            return int(self._ask("Runtime.evaluate", {"expression": script}, session)["result"]["value"])

    @contextlib.contextmanager
    def _attached(self) -> Iterator[str]:
        page = next(each for each in self._ask("Target.getTargets")["targetInfos"] if each["type"] == "page")
        session = self._ask("Target.attachToTarget", {"targetId": page["targetId"], "flatten": True})["sessionId"]
        yield session
        self._ask("Target.detachFromTarget", {"sessionId": session})

    def _ask(self, method: str, params: dict[str, Any] | None = None, session: str = "") -> dict[str, Any]:
        number = next(self._numbers)
        message = {
            "id": number,
            "method": method,
            "params": params or {},
            **({"sessionId": session} if session else {}),
        }
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            piece = os.read(self._answers, 1 << 16)
            if not piece:
                raise RuntimeError("the browser ended")
            self._unread += piece
        message, _, self._unread = self._unread.partition(b"\0")
        return dict(json.loads(message))


@contextlib.contextmanager
def chromium(url: str, scratch: Path) -> Iterator[Browser]:
    """Start a browser that shows a page. It reads commands from descriptor 3 and responds on 4."""
    flags = ["--headless", "--no-sandbox", "--window-size=1920,1080", "--js-flags=--expose-gc"]
    flags += ["--remote-debugging-pipe", f"--user-data-dir={scratch / 'profile'}"]
    command = [browser.program(), *browser.FLAGS, *flags, url]
    to_browser, from_browser = os.pipe(), os.pipe()
    ends = [to_browser[0], from_browser[1]]
    script = 'exec "$@" 3<&"$IN" 4>&"$OUT"'  # a shell, because Python passes descriptors on only with the same numbers
    with open(scratch / "browser.log", "ab") as log:
        process = subprocess.Popen(
            ["bash", "-c", script, "bash", *command],
            env={**os.environ, "IN": str(ends[0]), "OUT": str(ends[1])},
            pass_fds=ends,
            stdout=log,
            stderr=log,
        )
    for end in ends:
        os.close(end)
    try:
        yield Browser(to_browser[1], from_browser[0])
    finally:
        process.terminate()
        process.wait()
        os.close(to_browser[1])
        os.close(from_browser[0])
