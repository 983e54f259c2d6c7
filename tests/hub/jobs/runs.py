"""Runs `lightboard run` for tests, with a hub or without."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from hub import hubs

PATIENCE_SECS = 60.0


def environment(folder: pathlib.Path, url: str = "", token: str = hubs.ADMIN_TOKEN) -> dict[str, str]:
    names = ("LIGHTBOARD_", "PAI_", "TENSORBOARD_")
    made = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    made |= {"LIGHTBOARD_DATA_DIR": str(folder / "data"), "LIGHTBOARD_CONFIG_DIR": str(folder / "config")}
    if url:
        made |= {"LIGHTBOARD_HUB": url, "LIGHTBOARD_HUB_TOKEN": token}
    return made


def words(*flags: str, program: str) -> list[str]:
    return [sys.executable, "-m", "lightboard", "run", *flags, "--", sys.executable, "-c", program]


def run(
    folder: pathlib.Path, *flags: str, program: str, url: str = "", **more: Any
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        words(*flags, program=program),
        cwd=folder,
        env={**environment(folder, url), **more.pop("env", {})},
        capture_output=True,
        timeout=PATIENCE_SECS,
        check=False,
        **more,
    )


@contextlib.contextmanager
def started(folder: pathlib.Path, *flags: str, program: str, url: str = "") -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        words(*flags, program=program),
        cwd=folder,
        env=environment(folder, url),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
        for state in states(folder):  # the job outlives the command
            with contextlib.suppress(ProcessLookupError):
                if state.get("pid") and state.get("ended") is None:
                    os.killpg(state["pid"], 9)


def spools(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted((folder / "data" / "jobs").glob("*")) if (folder / "data" / "jobs").exists() else []


def states(folder: pathlib.Path) -> list[dict[str, Any]]:
    found = []
    for each in spools(folder):
        with contextlib.suppress(FileNotFoundError):
            found.append(json.loads((each / "state.json").read_text()))
    return found


def until(condition: Callable[[], Any], what: str = "") -> Any:
    """The first value that is true."""
    end = time.monotonic() + PATIENCE_SECS
    while True:
        if found := condition():
            return found
        assert time.monotonic() < end, f"still not: {what}"
        time.sleep(0.02)


def guard_of(folder: pathlib.Path) -> int:
    """The process id of the job's parent."""
    pid = until(lambda: [each["pid"] for each in states(folder) if each.get("pid")], "a pid")[0]
    stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])


def end_guards(folder: pathlib.Path) -> None:
    """Kills guards that try to reach a hub: the processes whose directory this is."""
    for each in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if each.name.isdigit() and (each / "cwd").resolve() == folder.resolve():
                os.kill(int(each.name), 9)
    until(lambda: not _locked(folder), "the lock is free")


def _locked(folder: pathlib.Path) -> bool:
    for each in spools(folder):
        with (each / "lock").open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                return True
    return False
