"""`lightboard run` without a hub: output, exit codes, signals, terminals, the log directory of writers."""

from __future__ import annotations

import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import threading

import pytest
from hub.jobs import runs

from lightboard.jobs import figures
from lightboard.jobs.spool import Spool

COUNT = "import time\nfor n in range(400):\n print('line', n, flush=True); time.sleep(0.01)\n"


def test_output_is_unchanged_and_separate_and_the_exit_code_is_that_of_the_program(tmp_path: pathlib.Path) -> None:
    program = r"import os; os.write(1, b'a\xff\r\n\x00b'); os.write(2, b'problem\n'); raise SystemExit(7)"
    done = runs.run(tmp_path, "--quiet", program=program)
    assert (done.returncode, done.stdout, done.stderr) == (7, b"a\xff\r\n\x00b", b"problem\n")
    (spool,) = runs.spools(tmp_path)
    assert sorted((spool / "console").read_bytes()) == sorted(b"a\xff\r\n\x00bproblem\n")
    (state,) = runs.states(tmp_path)
    assert (state["exit_code"], state["signal"], state["closed"]) == (7, "", True)


def test_without_a_hub_it_says_so(tmp_path: pathlib.Path) -> None:
    done = runs.run(tmp_path, program="print('x')")
    assert b"no hub is configured" in done.stderr
    assert done.stdout == b"x\n"


def test_a_signal_is_128_and_its_number(tmp_path: pathlib.Path) -> None:
    done = runs.run(tmp_path, "--quiet", program="import os; os.kill(os.getpid(), 11)")
    assert done.returncode == 128 + 11
    assert runs.states(tmp_path)[0]["signal"] == "SIGSEGV"


def test_a_command_that_does_not_exist_is_127(tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-m", "lightboard", "run", "--quiet", "--", "no-such-program-anywhere"]
    done = subprocess.run(command, cwd=tmp_path, env=runs.environment(tmp_path), capture_output=True, check=False)
    assert done.returncode == 127
    assert b"command not found: no-such-program-anywhere" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGUSR1])
def test_signals_are_passed_on(tmp_path: pathlib.Path, number: int) -> None:
    program = (
        "import signal, time, sys\n"
        f"signal.signal({int(number)}, lambda *_: (print('got it', flush=True), sys.exit(5)))\n"
        "print('ready', flush=True)\ntime.sleep(60)\n"
    )
    with runs.started(tmp_path, "--quiet", program=program) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.send_signal(number)
        assert process.wait(runs.PATIENCE_SECS) == 5
        assert process.stdout.read() == b"got it\n"


def test_stdin_reaches_the_program(tmp_path: pathlib.Path) -> None:
    done = runs.run(tmp_path, "--quiet", program="import sys; print(sys.stdin.read()[::-1])", input=b"abc")
    assert done.stdout == b"cba\n"


def test_a_reader_that_leaves_ends_the_program_as_without_us(tmp_path: pathlib.Path) -> None:
    program = "import signal; signal.signal(signal.SIGPIPE, signal.SIG_DFL)\nwhile True: print('y' * 1000)"
    with runs.started(tmp_path, "--quiet", program=program) as process:
        assert process.stdout is not None
        process.stdout.read(10)
        process.stdout.close()
        assert process.wait(runs.PATIENCE_SECS) == 128 + signal.SIGPIPE


def test_kill_9_of_the_command_leaves_the_job_with_its_whole_log_and_exit_code(tmp_path: pathlib.Path) -> None:
    with runs.started(tmp_path, "--quiet", program=COUNT + "raise SystemExit(4)") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"line 0\n"
        process.kill()
        runs.until(lambda: runs.states(tmp_path)[0]["closed"], "closed")
    (state,) = runs.states(tmp_path)
    assert state["exit_code"] == 4
    console = (runs.spools(tmp_path)[0] / "console").read_text()
    assert console == "".join(f"line {n}\n" for n in range(400))


def test_kill_9_of_the_guard_is_noticed_and_the_command_takes_its_place(tmp_path: pathlib.Path) -> None:
    with runs.started(tmp_path, "--quiet", program=COUNT + "raise SystemExit(4)") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"line 0\n"
        guard = runs.guard_of(tmp_path)
        assert guard != process.pid
        os.kill(guard, 9)
        rest = process.stdout.read()
        assert process.wait(runs.PATIENCE_SECS) == 4
    assert rest.endswith(b"line 399\n")
    console = (runs.spools(tmp_path)[0] / "console").read_text().splitlines()
    assert console == [f"line {n}" for n in range(400)]
    assert runs.states(tmp_path)[0]["exit_code"] == 4


def test_a_terminal_is_a_terminal_for_the_program(tmp_path: pathlib.Path) -> None:
    program = (
        "import os, sys\n"
        "print(sys.stdin.isatty(), sys.stdout.isatty(), os.get_terminal_size().columns)\n"
        "print('you said', input('name? '))\n"
    )
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execve(sys.executable, runs.words("--quiet", program=program), runs.environment(tmp_path))
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 77, 0, 0))
    said = b""
    answered = False
    while select.select([terminal], [], [], runs.PATIENCE_SECS)[0]:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        said += data
        if b"name? " in said and not answered:
            answered = True
            os.write(terminal, b"Ann\r")
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert b"True True " in said
    assert b"you said Ann\r\n" in said
    assert b"you said Ann\n" in (runs.spools(tmp_path)[0] / "console").read_bytes()


def test_writers_without_a_directory_write_to_that_of_the_job(tmp_path: pathlib.Path) -> None:
    """The classes stand for those of torch and tensorboardX; `make test-frameworks` has the real ones."""
    package = tmp_path / "lib" / "tensorboardX"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from .writer import SummaryWriter\n")
    (package / "writer.py").write_text(
        "class SummaryWriter:\n def __init__(self, logdir=None, comment=''):\n  self.logdir = logdir\n"
    )
    (tmp_path / "lib" / "sitecustomize.py").write_text(
        "import os\nif 'LIGHTBOARD_LOGDIR' in os.environ: print('own sitecustomize')\n"
    )
    program = (
        "import os, tensorboardX, lightboard\n"
        "for each in (tensorboardX.SummaryWriter(), tensorboardX.SummaryWriter(comment=' lr=1'),"
        " tensorboardX.SummaryWriter('mine'), lightboard.SummaryWriter()):\n"
        "  print(os.path.relpath(each.logdir, os.environ['LIGHTBOARD_LOGDIR']) if each.logdir != 'mine' else 'mine')\n"
    )
    done = runs.run(tmp_path, "--quiet", "--logdir", "logs", program=program, env={"PYTHONPATH": str(tmp_path / "lib")})
    assert done.stdout.decode().split("\n")[:-1] == ["own sitecustomize", ".", "lr=1", "mine", "."], done.stderr


def test_secrets_are_not_recorded(tmp_path: pathlib.Path) -> None:
    secret = {
        "MY_API_KEY": "abc-def", "GH": "ghp_0123456789abcdefghijklmnopqrstuvwxyz", "DB": "postgres://ann:pw123@host/db",
        "RANDOM_WORD": "Zx81kQ09vbT7LmNq2RsWe5Yu", "HARMLESS": "/usr/lib/python3/dist-packages",
    }  # fmt: skip
    runs.run(tmp_path, "--quiet", program="pass", env=secret)
    text = (runs.spools(tmp_path)[0] / "job.json").read_text()
    assert "/usr/lib/python3/dist-packages" in text
    assert "@host/db" in text
    for each in ("abc-def", "ghp_", "pw123", "Zx81kQ"):
        assert each not in text, each


def test_figures_that_fail_leave_their_reason_in_the_spool(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def sample(self) -> dict[str, float]:
            raise RuntimeError("no such counter")

    monkeypatch.setattr(figures, "FIRST_SECS", 0.0)
    ended = threading.Event()
    watching = figures.Watching(Spool(tmp_path), str(tmp_path), figures=True, ended=ended)
    watching._sampler = Broken()
    thread = threading.Thread(target=watching.run)
    thread.start()
    try:
        runs.until(lambda: (tmp_path / figures.ERROR).exists() or None, "the reason is written")
    finally:
        ended.set()
        thread.join()
    assert "no such counter" in (tmp_path / figures.ERROR).read_text(encoding="utf-8")
