"""The first walk and the first scan of a log directory, which begin before NumPy is imported.

A starting board imports modules in one thread for most of its time. Meanwhile another thread walks the directory and
scans the first event files, natively and without the interpreter lock. `logdir` uses the results if they are what it
needs; otherwise it walks and scans again.

`__main__` calls `guess` before it imports what parses the command line, so this module imports little.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

from lightboard import _native, sources

if TYPE_CHECKING:
    from collections.abc import Iterable

# Bytes of a file that are scanned at once (`logdir.loading`).
FILE_BYTES = 256 << 20
# A segment file begins with so many bytes that are not columns (`logdir.segments`).
SEGMENT_HEAD = 64
# The first scan reads at most this; it ends about when the imports do, and further rounds use all cores.
SCAN_BYTES = 64 << 20
SCAN_FILES = 20_000
# Few files are scanned quickly when everything is imported.
LEAST_FILES = 100
# Maximum number of threads; more wait for the same disk.
MOST_THREADS = 4

COMPRESSED = (".gz", ".bz2", ".xz", ".zst", ".zip")


def index_directory() -> str:
    """$LIGHTBOARD_INDEX_DIR, or below $XDG_CACHE_HOME, or below ~/.cache."""
    if configured := os.environ.get("LIGHTBOARD_INDEX_DIR"):
        return configured
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return os.path.join(cache, "lightboard", "index")  # noqa: PTH118


def index_key(
    roots: Iterable[tuple[str, str]], *, include: tuple[str, ...] = (), exclude: tuple[str, ...] = (), links: str
) -> str:
    """Returns the same key for the same runs under the same names: (name, absolute path) of each root."""
    text = repr(([*roots], include, exclude))
    if links != "all":
        text += links
    number = 0x6C62272E07BB014262B821756295C58D  # FNV-1a: no cryptographic hash is needed, hashlib imports slowly
    for byte in text.encode("utf-8", "surrogateescape"):
        number = (number ^ byte) * 0x0000000001000000000000000000013B % (1 << 128)
    return f"{number:032x}"


# Flags that do not change what is read, and whether they have a value. With another flag nothing is guessed.
FLAGS = {
    "--logdir": True,
    "--index_dir": True,
    "--no_index": False,
    "--host": True,
    "--port": True,
    "--bind_all": False,
    "--unix_socket": True,
    "--path_prefix": True,
    "--token": True,
    "--no_auth": False,
    "--window_title": True,
    "--reload_interval": True,
    "--sidecar": True,
}


def guess(words: list[str]) -> HeadStart | None:
    """Begin to read for a plain command line, such as `--logdir runs --port 0`. None: wait until it is parsed."""
    found: dict[str, str] = {}
    left = words[1:] if words[:1] == ["serve"] else [*words]
    while left:
        flag, equals, value = left.pop(0).partition("=")
        flag = flag.replace("-", "_").replace("__", "--", 1)
        if flag not in FLAGS or flag in found or bool(equals) > FLAGS[flag]:
            return None
        if FLAGS[flag] and not equals:
            if not left:
                return None
            value = left.pop(0)
        found[flag] = value
    if "--logdir" not in found:
        return None
    return begin(found["--logdir"], index_dir=found.get("--index_dir", ""), with_index="--no_index" not in found)


def begin(
    logdir: str, *, index_dir: str, with_index: bool, links: str = "all", guessed: HeadStart | None = None
) -> HeadStart | None:
    """Begin to read a directory; None for another root. `guessed` is used if it reads the same."""
    if not logdir or "://" in logdir or any(mark in logdir for mark in "*?["):
        return None
    path = os.path.abspath(os.path.expanduser(logdir))  # noqa: PTH100, PTH111
    if not os.path.isdir(path):  # noqa: PTH112
        return None
    index = ""
    if with_index:
        base = os.path.abspath(os.path.expanduser(index_dir or index_directory()))  # noqa: PTH100, PTH111
        index = f"{base}/{index_key([('', path)], links=links)}"
    if guessed is not None:
        if (guessed.path, guessed.links, guessed.index) == (path, links, index):
            return guessed
        guessed.close()
    return HeadStart(path, links=links, index=index)


class HeadStart:
    """Walks `path` in a separate thread. With an `index`, the directory where the index of this path is or will be, it
    also scans the first files, unless they are in the index already.

    State: `_walked` and `tasks` are set before `_listed`, and never change afterwards; `_batch` and `_columns`, the
    unnamed file of the columns, are set before the thread ends.
    """

    def __init__(self, path: str, *, links: str, index: str = "") -> None:
        self.path, self.links, self.index = path, links, index
        self.tasks: list[_native.Task] = []  # empty: nothing is scanned
        # one core is for the imports: whatever delays them delays the first page
        self._threads = min(max((os.cpu_count() or 1) - 1, 1), MOST_THREADS)
        self._walked: Any = None
        self._listed = threading.Event()
        self._batch: _native.Batch | None = None
        self._columns = -1
        self._thread = threading.Thread(target=self._run, name="lightboard-head-start", daemon=True)
        self._thread.start()

    def walked(self) -> Any:
        """Waits for the walk, and returns what `_native.walk` does."""
        self._listed.wait()
        return self._walk() if self._walked is None else self._walked

    def wait(self) -> None:
        """Waits for the scan."""
        self._thread.join()

    def take(self) -> tuple[_native.Batch, int] | None:
        """Waits for the scan; returns its result and the file of its columns, which the caller closes. None: there is
        no result, or it was taken already."""
        self.wait()
        if self._batch is None:
            return None
        taken = self._batch, self._columns
        self._batch, self._columns = None, -1
        return taken

    def close(self) -> None:
        """Waits for the scan, and forgets its result."""
        if (taken := self.take()) is not None:
            os.close(taken[1])

    def _run(self) -> None:
        try:
            self._walked = self._walk()
            if self.index and not os.path.exists(f"{self.index}/catalog"):  # noqa: PTH110
                self.tasks = self._first_tasks()
        finally:
            self._listed.set()
        if self.tasks:
            self._scan()

    def _walk(self) -> Any:
        home = os.path.realpath(self.path)
        return _native.walk(self.path, sources.patterns(), self.links, self._threads, homes=[home])

    def _first_tasks(self) -> list[_native.Task]:
        names, identities = self._walked[0][0]
        if len(names) < LEAST_FILES:
            return []
        known: dict[str, int] = {}
        tasks: list[_native.Task] = []
        left = SCAN_BYTES
        for name, size in zip(names, memoryview(identities).cast("Q")[1::3].tolist(), strict=True):
            if name.endswith(COMPRESSED):
                continue
            left -= size
            if left < 0 or len(tasks) == SCAN_FILES:
                break
            tasks.append((f"{self.path}/{name}", 0, FILE_BYTES, 0, known))
        return tasks

    def _scan(self) -> None:
        try:
            os.makedirs(self.index, mode=0o700, exist_ok=True)  # noqa: PTH103
            columns = os.open(self.index, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600)
        except (OSError, AttributeError):  # not on this file system or system: `logdir` scans, and says what is wrong
            return
        try:
            self._batch = _native.scan(self.tasks, columns, SEGMENT_HEAD, self._threads)
            self._columns = columns
        except Exception:  # `logdir` scans again, file by file if it must
            os.close(columns)
