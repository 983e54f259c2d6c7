"""Run pytest; run failed tests a second time, alone, and record which tests needed that.

    python tools/second_chance.py -m "browser and not sweep" --numprocesses 2

A page may be late on a busy machine; a real fault fails twice. A test that fails only once has a race: its name is
appended to build/flaky.txt. Continuous integration prints that file last and fails if it lists more than three tests.
"""

from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Sequence

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
TESTS_FAILED = 1  # pytest's exit code; other codes mean that the tests could not run


def run(words: Sequence[str], *, build: pathlib.Path = BUILD) -> int:
    """Return the exit code of the last run of pytest."""
    cache = build / "first_failures"
    shutil.rmtree(cache, ignore_errors=True)
    command = [sys.executable, "-m", "pytest", "-o", f"cache_dir={cache}"]
    code = subprocess.run([*command, *words], check=False).returncode
    if code != TESTS_FAILED:
        return code
    failed = first_failures(cache)
    with open(build / "flaky.txt", "a", encoding="utf-8") as flaky:
        flaky.writelines(f"{name}\n" for name in failed)
    print(f"{len(failed)} failed; running them again, one at a time", flush=True)
    return subprocess.run([*command, *alone(words), "--last-failed"], check=False).returncode


def first_failures(cache: pathlib.Path) -> list[str]:
    """Return the names of the failed tests in pytest's cache."""
    return sorted(json.loads((cache / "v" / "cache" / "lastfailed").read_text(encoding="utf-8")))


def alone(words: Sequence[str]) -> list[str]:
    """Remove the options for parallel tests, each of which has a value."""
    side_by_side = ("--numprocesses", "--maxprocesses", "--dist")
    return [
        word
        for before, word in zip(("", *words), words, strict=False)
        if word not in side_by_side and before not in side_by_side
    ]


if __name__ == "__main__":
    BUILD.mkdir(exist_ok=True)
    sys.exit(run(sys.argv[1:]))
