"""SIGINT and SIGTERM at every moment from exec to exit: the documented exit code, nothing printed, nothing left behind.

Processes are started with both signals blocked, as a supervisor may do it, so that no moment is Python's own: a signal
that comes while the interpreter starts waits for ours. What an unblocked start does meanwhile has a test of its own.

Moments are random; a failure names the seed. `LIGHTBOARD_STOPS_SEED` repeats it, `LIGHTBOARD_STOPS` asks for more stops
than the usual few. Left out on purpose: that a stop takes a second at most is measured (docs/reference/cli.md), not
tested, for a machine may be busy; that it comes to an end at all is.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import http.client
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import event_files
import pytest

from lightboard import cli

pytestmark = pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals are of another kind there")

SIGNALS = (signal.SIGINT, signal.SIGTERM)
HANG_SECS = 60.0
COMMAND = (sys.executable, "-m", "lightboard")


class Stopped:
    """A command that was told to stop, and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    def __repr__(self) -> str:
        return f"exit code {self.code}, stdout {self.out!r}, stderr {self.err!r}"


@contextlib.contextmanager
def blocked() -> Iterator[None]:
    """A process started in the block has both signals blocked from its first instruction on."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start(*words: str | Path, home: Path) -> subprocess.Popen[str]:
    places = {name: str(home) for name in ("XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "TMPDIR", "LIGHTBOARD_DATA_DIR")}
    home.mkdir(mode=0o700, exist_ok=True)
    with blocked():
        return subprocess.Popen(
            [*COMMAND, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **places},
        )


def end(process: subprocess.Popen[str], number: int) -> Stopped:
    process.send_signal(number)
    try:
        out, err = process.communicate(timeout=HANG_SECS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Stopped(process.returncode, out, err)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Logs by how much is in them: nothing, a point, and what takes a while to read."""
    base = tmp_path_factory.mktemp("logs")
    made = {name: base / name for name in ("empty", "small", "large")}
    made["empty"].mkdir()
    event_files.write(made["small"] / "train" / "events.out.tfevents.1", event_files.scalars("loss", [1.0]))
    events = [event_files.scalar_event(f"tag{n % 10}", 1 / (n + 1), step=n) for n in range(2000)]
    block = event_files.write(base / "block", [event_files.version_event(), *events]).read_bytes()
    for run in range(4):
        path = made["large"] / f"run{run}" / "events.out.tfevents.1"
        path.parent.mkdir(parents=True)
        path.write_bytes(block * 100)
    return made


# ---- boards at random moments


def test_a_board_ends_cleanly_at_every_moment(logs: dict[str, Path], tmp_path: Path) -> None:
    seed = int(os.environ.get("LIGHTBOARD_STOPS_SEED", random.randrange(1 << 30)))
    count = int(os.environ.get("LIGHTBOARD_STOPS", "60"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        stops = [pool.submit(one_stop, random.Random(seed + n), logs, tmp_path / str(n)) for n in range(count)]
        for n, stop in enumerate(stops):
            assert stop.result() == "", f"stop {n} of LIGHTBOARD_STOPS_SEED={seed}"


def one_stop(choice: random.Random, logs: dict[str, Path], home: Path) -> str:
    """What was wrong with one stop; "": nothing."""
    name, number, clients = choice.choice([*logs]), choice.choice(SIGNALS), choice.random() < 0.4
    most_secs = choice.choice((0.15, 0.4, 1.2))  # the beginning is where most happens
    process = start("--logdir", logs[name], "--port", "0", home=home)
    first_line = ""
    with contextlib.ExitStack() as stack:
        if clients:
            assert process.stdout is not None
            first_line = process.stdout.readline()
            stack.enter_context(connected(first_line))
        time.sleep(choice.uniform(0, most_secs))
        stopped = end(process, number)
    lines = (first_line + stopped.out).splitlines()
    told = re.fullmatch(r"Lightboard \S+ at \S+ \(Press CTRL\+C to quit\)", lines[0]) if lines else True
    left = [path.name for path in (home / "lightboard").glob("*") if "json" in path.name]
    fine = stopped.code == cli.OK and not stopped.err and len(lines) < 2 and told and not left
    return "" if fine else f"{number} with {name} logs, clients {clients}: {stopped}, left behind: {left}"


@contextlib.contextmanager
def connected(first_line: str) -> Iterator[None]:
    """An event stream, an answer that nobody reads, half a head and half a body."""
    found = re.search(r":(\d+)/", first_line)
    assert found, first_line
    port = int(found.group(1))
    stream = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_SECS)
    stream.request("GET", "/api/events")
    host = b"HTTP/1.1\r\nHost: localhost\r\n"
    halves = (
        b"GET /api/board " + host,
        b"POST /api/runs " + host + b"Content-Length: 100\r\n\r\n{",
        b"GET /api/export?format=csv " + host + b"\r\n",
    )
    with contextlib.ExitStack() as stack:
        stack.callback(stream.close)
        for sent in halves:
            client = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=HANG_SECS))
            client.sendall(sent)
        yield


# ---- each verb


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("verb", [*cli.VERBS, "hub ls", "--inspect"])
def test_a_verb_told_to_stop_before_it_began_has_the_documented_code(
    logs: dict[str, Path], tmp_path: Path, verb: str, number: int
) -> None:
    others = {"index": ["list"], "completion": ["bash"], "doctor": [], "demo": []}
    others["hub"] = ["--dir", str(tmp_path / "hub"), "--port", "0"]
    others["snapshot"] = [str(logs["small"]), "-o", str(tmp_path / "board.html")]
    others |= {"operator": ["run"], "dev": ["list"]}
    others["run"] = ["--quiet", "--logdir", str(tmp_path / "runs"), "sleep", "60"]
    words = others.get(verb, [str(logs["small"])])
    process = start(*verb.split(), *words, home=tmp_path / "home")
    stopped = end(process, number)
    work = cli.INTERRUPTED if number == signal.SIGINT else cli.TERMINATED
    assert stopped.code == (cli.OK if verb in cli.BOARDS else work), stopped
    assert (stopped.out, stopped.err) == ("", "")


@pytest.mark.parametrize("number", SIGNALS)
def test_an_export_told_to_stop_leaves_no_part_of_a_file(logs: dict[str, Path], tmp_path: Path, number: int) -> None:
    out = tmp_path / "out"
    out.mkdir()
    process = start("export", logs["large"], "-o", out / "points.csv", home=tmp_path / "home")
    until(lambda: bool(os.listdir(out)) or process.poll() is not None)
    stopped = end(process, number)
    names = os.listdir(out)
    done = stopped.code == cli.OK and names == ["points.csv"]
    assert done or (stopped.code in (cli.INTERRUPTED, cli.TERMINATED) and names == []), (stopped, names)


def test_a_demo_told_to_stop_leaves_no_logs_behind(tmp_path: Path) -> None:
    for number, appears in ((signal.SIGINT, "lightboard_demo_*"), (signal.SIGTERM, "lightboard_demo_*/*/*")):
        process = start("demo", "--port", "0", home=tmp_path)
        until(functools.partial(appeared, tmp_path, appears))
        stopped = end(process, number)
        assert stopped.code == cli.OK, stopped
        assert not list(tmp_path.glob("lightboard_demo_*"))


def test_a_unix_socket_is_removed_even_while_the_board_starts(logs: dict[str, Path], tmp_path: Path) -> None:
    path = tmp_path / "board.sock"
    process = start("--logdir", logs["small"], "--unix_socket", path, home=tmp_path / "home")
    until(path.exists)
    assert end(process, signal.SIGTERM).code == cli.OK
    assert not path.exists()


def appeared(directory: Path, pattern: str) -> bool:
    return any(directory.glob(pattern))


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + HANG_SECS
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.002)


# ---- what used to keep a board from ending

# A thread that holds the interpreter lock: a pattern that takes years. Python's own handlers would never run.
LOCKED = """
import re, threading, time
from lightboard.cli import stopping

stops = stopping.Stops()
stops.begin(board=True)
{hand_over}

def lock():
    print("locked", flush=True)
    re.match("(a+)+$", "a" * 60 + "b")

threading.Thread(target=lock, daemon=True).start()
time.sleep(3600)
"""

# A request whose thread never comes to an end: the interpreter would wait for it.
BUSY = """
import asyncio, concurrent.futures, socket, sys, threading
from lightboard.cli import stopping
from lightboard.server import serving

pool = concurrent.futures.ThreadPoolExecutor(1)

async def app(scope, receive, send):
    print("busy", flush=True)
    await asyncio.get_running_loop().run_in_executor(pool, threading.Event().wait)

stops = stopping.Stops()
stops.begin(board=True)
listening = socket.create_server(("127.0.0.1", 0))
app.close = lambda: None
threading.Thread(target=lambda: socket.create_connection(listening.getsockname()).sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
                 or threading.Event().wait(), daemon=True).start()
serving.server(app, stops=stops.hand_over).run([listening])
sys.exit(stops.leave(0))
"""


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize(
    "program",
    [LOCKED.format(hand_over=""), LOCKED.format(hand_over="stops.hand_over()"), BUSY],
    ids=["locked", "locked while serving", "busy"],
)
def test_no_thread_keeps_a_board_from_ending(program: str, number: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().strip() in ("locked", "busy")
    stopped = end(process, number)
    assert (stopped.code, stopped.out, stopped.err) == (cli.OK, "", "")


def test_a_board_that_was_started_with_interrupts_ignored_obeys_them(logs: dict[str, Path], tmp_path: Path) -> None:
    """As a shell starts `lightboard … &` in a script."""
    words = [*COMMAND, "--logdir", str(logs["small"]), "--port", "0"]
    process = subprocess.Popen(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)},
    )
    assert process.stdout is not None
    assert "Lightboard" in process.stdout.readline()
    stopped = end(process, signal.SIGINT)
    assert (stopped.code, stopped.out, stopped.err) == (cli.OK, "", "")


# ---- while Python itself starts


@pytest.mark.parametrize("number", SIGNALS)
def test_the_command_shows_no_traceback_while_python_starts(logs: dict[str, Path], number: int) -> None:
    """`lightboard` blocks the signals before Python starts; until then it just dies of them."""
    command = Path(sys.executable).with_name("lightboard")
    if not command.exists():
        pytest.skip("the command is not installed beside this Python")
    for delay_ms in range(0, 120, 8):
        words = [str(command), "--logdir", str(logs["empty"]), "--port", "0", "--no_index"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(delay_ms / 1000)
        stopped = end(process, number)
        assert stopped.code in (cli.OK, -number), stopped
        assert stopped.err == "", stopped


@pytest.mark.parametrize("number", SIGNALS)
def test_a_start_of_the_module_is_ended_by_us_or_by_python_itself(logs: dict[str, Path], number: int) -> None:
    """Until `__main__.main` runs, signals are Python's: it dies of them, and of SIGINT perhaps with a traceback, in
    which there is no frame of ours yet (but perhaps a line of an editable install that names our files). It may even
    lose a SIGINT, raised where exceptions are ignored: send another."""
    for delay_ms in range(0, 120, 8):
        words = [*COMMAND, "--logdir", str(logs["empty"]), "--port", "0", "--no_index"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(delay_ms / 1000)
        if number == signal.SIGTERM:
            stopped = end(process, number)
            assert stopped.code in (cli.OK, -signal.SIGTERM), stopped
            assert stopped.err == "", stopped
        else:
            stopped = end_at_last(process, number)
            assert stopped.code in (cli.OK, -signal.SIGINT, 1), stopped
            assert "KeyboardInterrupt" in stopped.err or not stopped.err, stopped
            assert not re.search(r'File "[^"]*lightboard/cli/', stopped.err), stopped
        assert stopped.out == "" or stopped.code == cli.OK, stopped


def end_at_last(process: subprocess.Popen[str], number: int) -> Stopped:
    """The signal again and again."""
    until(functools.partial(ended_after, process, number))
    out, err = process.communicate()
    return Stopped(process.returncode, out, err)


def ended_after(process: subprocess.Popen[str], number: int) -> bool:
    process.send_signal(number)
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        return False
    return True


def test_importing_the_command_changes_no_signal() -> None:
    program = (
        "import signal; before = signal.getsignal(2), signal.pthread_sigmask(signal.SIG_BLOCK, ());"
        "import lightboard.__main__, lightboard.cli.serve, lightboard.cli.demo;"
        "assert lightboard.cli.main(['completion', 'bash']) == 0;"
        "assert before == (signal.getsignal(2), signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    )
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
