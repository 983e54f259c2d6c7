"""Install the wheels of dist/ as users do, one Python after another, and use them. Prints the times.

    environment   new, with the wheel and its requirements; PATH contains only this environment, so neither a compiler
                  nor Node is available
    command       `lightboard --version`, with the launcher of the wheel
    import        `import lightboard`, in a new process
    demo          `lightboard demo` on a free port until the page, its script and all runs are loaded; SIGTERM ends it
    start         `lightboard --logdir` on existing logs, until the page responds

A Python that this machine lacks is reported as skipped; a Python without a wheel is a failure.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator

import pythons

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD_TOOLS = ("cc", "c++", "gcc", "g++", "clang", "cmake", "ninja", "node", "npm")
PATIENCE_SECS = 60.0
REPEATS = 5


class Failed(Exception):
    """The wheel does not work as it should."""


def wheel_for(version: str, names: list[str]) -> str | None:
    """Return the file name that pip would choose for this version of CPython, or None."""
    major, _, minor = version.partition(".")
    for name in names:
        interpreter, abi = name.removesuffix(".whl").split("-")[2:4]
        if interpreter == abi == f"cp{major}{minor}":
            return name
        oldest = re.fullmatch(rf"cp{major}(\d+)", interpreter)
        if abi == "abi3" and oldest is not None and int(oldest[1]) <= int(minor):
            return name
    return None


@dataclasses.dataclass(frozen=True)
class Environment:
    """One installation. `scratch` is its home, cache and temporary directory."""

    binaries: pathlib.Path
    scratch: pathlib.Path

    def variables(self) -> dict[str, str]:
        places = dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"), str(self.scratch))
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LIGHTBOARD"))}
        return {**kept, **places, "PATH": str(self.binaries)}

    def run(self, program: str, *words: str) -> str:
        """Return the program's output; raise `Failed` with its output if it fails."""
        command = [str(self.binaries / program), *words]
        done = subprocess.run(
            command, env=self.variables(), cwd=self.scratch, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise Failed(f"{program} {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    @contextlib.contextmanager
    def board(self, *words: str) -> Iterator[str]:
        """Start a board and yield its address; at the end it gets SIGTERM and must exit."""
        process = subprocess.Popen(
            [str(self.binaries / "lightboard"), *words, "--port", "0"],
            env=self.variables(),
            cwd=self.scratch,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            address = re.search(r" at (http\S+/)", line)
            if address is None:
                process.kill()
                raise Failed(f"lightboard {' '.join(words)} printed no address: {line}{process.communicate()[1]}")
            yield address[1]
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=PATIENCE_SECS)
            if process.returncode != 0:
                raise Failed(f"lightboard {' '.join(words)}: exit code {process.returncode} after SIGTERM\n{said}")
        finally:
            process.kill()
            process.communicate()


def fetch(address: str) -> str:
    with urllib.request.urlopen(address, timeout=PATIENCE_SECS) as answer:
        text: str = answer.read().decode()
        return text


def wait_until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_SECS
    while not condition():
        if time.monotonic() > end:
            raise Failed(f"waited {PATIENCE_SECS:.0f} s for {what}")
        time.sleep(0.02)


def try_demo(environment: Environment) -> float:
    """Return the seconds until the page of `lightboard demo` has its script and every run has been read."""
    began = time.monotonic()
    with environment.board("demo") as address:
        script = re.search(r'<script[^>]* src="\.?/?([^"]+)"', fetch(address))
        if script is None:
            raise Failed("the page names no script: the web bundle is missing")
        fetch(address + script[1])
        wait_until(lambda: bool(json.loads(fetch(address + "api/board"))["progress"]["done"]), "all runs to be read")
        took = time.monotonic() - began
        if "live" not in json.loads(fetch(address + "data/runs")):
            raise Failed("the run `live` of the demo is not listed")
    left = sorted(path.name for path in environment.scratch.glob("lightboard_demo_*"))
    if left:
        raise Failed(f"the demo left files behind: {left}")
    return took


def time_start(environment: Environment, logs: str) -> float:
    """Return the seconds from the command to the first response of the page."""
    began = time.monotonic()
    with environment.board("--logdir", logs) as address:
        fetch(address)
        return time.monotonic() - began


def time_command(environment: Environment, expected: str) -> float:
    began = time.monotonic()
    version = environment.run("lightboard", "--version")
    if version != expected:
        raise Failed(f"`lightboard --version` printed {version!r}, not {expected!r}")
    return time.monotonic() - began


def time_import(environment: Environment) -> float:
    code = "import time; t = time.perf_counter(); import lightboard; print(time.perf_counter() - t)"
    return float(environment.run("python", "-c", code))


def best(measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(REPEATS))


def try_wheel(python: pathlib.Path, wheel: pathlib.Path, scratch: pathlib.Path) -> str:
    """Return a summary of the times; raises `Failed`."""
    interpreter = pythons.make_environment(python, scratch / "environment")
    environment = Environment(interpreter.parent, scratch)
    reachable = [tool for tool in BUILD_TOOLS if shutil.which(tool, path=environment.variables()["PATH"])]
    if reachable:
        raise Failed(f"the environment is not clean, it reaches {reachable}")
    # the versions that the tests use, and no package that needs a compiler
    options = ["--quiet", "--only-binary", ":all:", "--constraint", str(ROOT / "requirements" / "dev.txt")]
    install = [str(interpreter), "-m", "pip", "install", *options, str(wheel)]
    subprocess.run(install, env={**os.environ, "PATH": str(environment.binaries)}, check=True)
    expected = wheel.name.split("-")[1]
    command_secs = best(lambda: time_command(environment, expected))
    import_secs = best(lambda: time_import(environment))
    demo_secs = try_demo(environment)
    logs = environment.run("lightboard", "demo", str(scratch / "logs"), "--logs_only")
    start_secs = best(lambda: time_start(environment, logs))
    return (
        f"--version {command_secs * 1e3:.0f} ms, import {import_secs * 1e3:.1f} ms, "
        f"start {start_secs * 1e3:.0f} ms, demo {demo_secs:.1f} s ({wheel.name})"
    )


def main() -> None:
    wheels = {path.name: path for path in (ROOT / "dist").glob("*.whl")}
    failed = False
    for version in pythons.SUPPORTED:
        python = pythons.find(version)
        if python is None:
            print(f"{version}: skipped, this machine has no Python {version}")
            continue
        name = wheel_for(version, sorted(wheels))
        try:
            if name is None:
                raise Failed("dist/ has no wheel for it; `make dist` makes it")
            with tempfile.TemporaryDirectory(prefix="lightboard_dist_") as scratch:
                print(f"{version}: {try_wheel(python, wheels[name], pathlib.Path(scratch))}", flush=True)
        except (Failed, OSError, subprocess.SubprocessError) as error:
            failed = True
            print(f"{version}: FAILED: {error}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
