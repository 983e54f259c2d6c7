"""Processes that read files of uploads (`reader`): a few at once, kept for a minute for the next question.

An answer with too much memory or time ends its process; the next question starts another one.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from typing import IO, Any

from lightboard import errors
from lightboard.hub import runtimes
from lightboard.hub.life import nouns, refusals
from lightboard.hub.runtimes import command, processes
from lightboard.hub.tensorboard_dev import reader

AT_ONCE = 3
WAIT_SECS = 30.0  # for a free process
ANSWER_SECS = 120.0
KEPT_SECS = 60.0
MOST_FRAME_BYTES = 256 << 20
LIMITS = runtimes.Limits(memory_bytes=1 << 30, open_files=1024, nice=5)


class Busy(refusals.Refusal):
    status = 429
    rest_code = "RateLimited"


class Refused(errors.LightboardError):
    """What a reader refused."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Process:
    """State: used by one thread at a time (`Readers` sees to it)."""

    def __init__(self, home: str) -> None:
        self.directory = ""
        self.used_at = time.monotonic()
        launch = runtimes.Launch(id="export", name="", revision=0, sources=(nouns.Source("."),), limits=LIMITS)
        self._child = subprocess.Popen(
            [sys.executable, "-m", "lightboard.hub.tensorboard_dev.reader"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=home,
            env=command.environment(launch, os.environ, home=pathlib.Path(home)),
            start_new_session=True,
        )
        processes.limit(self._child.pid, LIMITS)

    def ask(self, directory: str, **question: Any) -> list[tuple[int, bytes]]:
        """The frames of an answer; raises errors.LightboardError, also if the process has ended."""
        late = threading.Timer(ANSWER_SECS, self._child.kill)
        late.daemon = True
        late.start()
        try:
            self.directory = directory
            return self._exchange(json.dumps({"directory": directory, **question}).encode() + b"\n", question)
        except (OSError, EOFError, ValueError) as error:
            self.close()
            raise errors.Unreadable("the files of this experiment cannot be read in time or memory") from error
        finally:
            late.cancel()

    def _exchange(self, line: bytes, question: dict[str, Any]) -> list[tuple[int, bytes]]:
        assert self._child.stdin is not None and self._child.stdout is not None
        self._child.stdin.write(line)
        self._child.stdin.flush()
        frames = [_frame(self._child.stdout)]
        if frames[0][0] == reader.DATA and "series" in question:
            frames.append(_frame(self._child.stdout))
        self.used_at = time.monotonic()
        kind, data = frames[-1]
        if kind == reader.ERROR:
            told = json.loads(data)
            raise Refused(int(told["status"]), str(told["message"])[:500])
        return frames

    @property
    def is_alive(self) -> bool:
        return self._child.poll() is None

    def close(self) -> None:
        self._child.kill()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._child.wait()


class Readers:
    """State, under the condition: processes that are free, and how many there are. The home directory is theirs."""

    def __init__(self) -> None:
        self._home = tempfile.TemporaryDirectory(prefix="lightboard-export-")
        self._changed = threading.Condition()
        self._free: list[Process] = []
        self._count = 0
        self._closed = False

    @contextlib.contextmanager
    def process(self, directory: str) -> Iterator[Process]:
        """One that has read this directory already, if there is one."""
        taken = self._take(directory)
        try:
            yield taken
        finally:
            with self._changed:
                if taken.is_alive and not self._closed:
                    self._free.append(taken)
                else:
                    taken.close()
                    self._count -= 1
                self._changed.notify()

    def _take(self, directory: str) -> Process:
        with self._changed:
            if not self._changed.wait_for(lambda: self._free or self._count < AT_ONCE or self._closed, WAIT_SECS):
                raise Busy("too many experiments are exported at once", hint="try again in a moment")
            if self._closed:
                raise Busy("the hub stops")
            if self._free:
                best = next((each for each in self._free if each.directory == directory), None)
                if best is not None or self._count >= AT_ONCE:
                    best = best or min(self._free, key=lambda each: each.used_at)
                    self._free.remove(best)
                    if best.is_alive:
                        return best
                    best.close()
                    self._count -= 1
            self._count += 1
            try:
                return Process(self._home.name)
            except OSError:
                self._count -= 1
                raise

    def end_unused(self) -> None:
        with self._changed:
            before = time.monotonic() - KEPT_SECS
            for each in [each for each in self._free if each.used_at < before]:
                self._free.remove(each)
                each.close()
                self._count -= 1

    def close(self) -> None:
        """Ends all processes that are free; the others end with their question."""
        with self._changed:
            self._closed = True
            for each in self._free:
                each.close()
            self._count -= len(self._free)
            self._free.clear()
            self._changed.notify_all()
        with contextlib.suppress(OSError):
            self._home.cleanup()


def _frame(stream: IO[bytes]) -> tuple[int, bytes]:
    head = _exactly(stream, reader.HEAD.size)
    kind, length = reader.HEAD.unpack(head)
    if length > MOST_FRAME_BYTES:
        raise ValueError("a frame is too long")
    return kind, _exactly(stream, length)


def _exactly(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
