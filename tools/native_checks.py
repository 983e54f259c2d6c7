"""Build and run the tests in native/tests/, with sanitizers.

`sanitize` runs every test_*.cpp program, those of THREADS also under ThreadSanitizer; `fuzz` runs every fuzz_*.cpp
target for a limited time, starting from native/tests/seeds/<target>/ (or native/tests/seeds/ if a target has no
folder). New inputs with new coverage are stored in build/checks/corpus/, crashing inputs in build/checks/crashes/; to
reproduce a crash:

    build/checks/fuzz_wire build/checks/crashes/fuzz_wire-crash-...
"""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
from concurrent import futures

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ROOT / "native/tests"
BUILD = ROOT / "build/checks"
# tests that are also built with ThreadSanitizer
THREADS = (
    "threads_block_sums",
    "threads_bundle",
    "threads_event_writer",
    "threads_projector",
    "threads_streams",
    "threads_stretches",
)


def tool(name: str) -> str:
    """Return the path of cmake or ninja, which are installed in the environment of this script."""
    beside = pathlib.Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else name


def build() -> None:
    command = [tool("cmake"), "-S", str(TESTS), "-B", str(BUILD), "-G", "Ninja", "--log-level=WARNING"]
    command += [f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}", "-DCMAKE_CXX_COMPILER=clang++"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    # ninja warns about the job server of an outer `make --jobs`
    without_make = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS")}
    subprocess.run([tool("cmake"), "--build", str(BUILD), "--", "--quiet"], check=True, env=without_make)


def environment() -> dict[str, str]:
    return dict(
        os.environ,
        ASAN_OPTIONS="detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=0",
        UBSAN_OPTIONS="print_stacktrace=1",
    )


def programs(pattern: str) -> list[str]:
    return sorted(path.stem for path in TESTS.glob(pattern))


def run(label: str, command: list[str]) -> bool:
    done = subprocess.run(
        command, cwd=ROOT, env=environment(), capture_output=True, text=True, errors="replace", check=False
    )
    passed = done.returncode == 0
    print(f"{label}: {'ok' if passed else f'FAILED (exit {done.returncode})'}", flush=True)
    if not passed:
        print(done.stdout, done.stderr, sep="\n", flush=True)
    return passed


def run_all(commands: dict[str, list[str]]) -> int:
    """Run as many commands at once as there are cores; return how many failed."""
    with futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return [*pool.map(run, commands, commands.values())].count(False)


def sanitize() -> bool:
    names = [*programs("test_*.cpp"), *THREADS]
    failed = run_all({name: [str(BUILD / name)] for name in names})
    print(f"{len(names)} native test programs, {failed} failed")
    return not failed


def fuzz(seconds: int) -> bool:
    names = programs("fuzz_*.cpp")
    failed = run_all({f"{name}, {seconds} s": fuzz_command(name, seconds) for name in names})
    print(f"{len(names)} fuzz targets, {failed} failed")
    return not failed


def fuzz_command(name: str, seconds: int) -> list[str]:
    corpus, crashes = BUILD / "corpus" / name, BUILD / "crashes"
    for needed in (corpus, crashes):
        needed.mkdir(parents=True, exist_ok=True)
    own_seeds, all_seeds = TESTS / "seeds" / name, TESTS / "seeds"
    seeds = [str(place) for place in (own_seeds, all_seeds) if place.is_dir()][:1]
    limits = [f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2048"]
    return [str(BUILD / name), *limits, f"-artifact_prefix={crashes}/{name}-", str(corpus), *seeds]


def main() -> None:
    parser = argparse.ArgumentParser(description="Build and run the native unit tests and fuzz targets.")
    parser.add_argument("what", choices=["sanitize", "fuzz"])
    parser.add_argument("--seconds", type=int, default=20, help="time for each fuzz target")
    options = parser.parse_args()
    build()
    passed = sanitize() if options.what == "sanitize" else fuzz(options.seconds)
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
