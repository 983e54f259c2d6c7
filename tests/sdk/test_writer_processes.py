"""`SummaryWriter` where programs are unkind: threads, fork, spawn, `os._exit`, full disks, removed directories.

Left out on purpose: `kill -9` at random moments (test_crash.py) and DataLoader workers (tests/frameworks).
"""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Sequence

import numpy as np
import pytest

import lightboard
from lightboard.sdk import trouble


def run(program: str, *arguments: object, options: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *options, "-c", textwrap.dedent(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


FULL = """
import resource, signal, sys, threading, warnings, lightboard
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 14, 1 << 14))

def log(where, count=3000):
    writer = lightboard.SummaryWriter(where)
    for step in range(count):
        writer.add_scalar("a", 0.0, step)
    return writer
"""


def lost(said: str) -> dict[str, int]:
    """What was said at last: by file, how many points are lost."""
    found = re.findall(r"(\d+) points could not be written and are lost: File too large: (\S+)", said)
    return {path: int(count) for count, path in found}


@pytest.mark.parametrize(
    "end",
    ["log(sys.argv[1]).close()", "kept = log(sys.argv[1])", "log(sys.argv[1])", "with log(sys.argv[1]): pass",
     "kept = log(sys.argv[1]); sys.exit()", "threading.Thread(target=lambda: log(sys.argv[1]).close()).start()"],
    ids=["close", "exit", "dropped", "with", "sys.exit", "thread"],
)  # fmt: skip
@pytest.mark.parametrize("options", [[], ["-W", "error"]], ids=["", "warnings as errors"])
def test_points_that_could_not_be_written_are_counted_at_the_end(
    tmp_path: pathlib.Path, end: str, options: list[str]
) -> None:
    done = run(FULL + end, tmp_path, options=options)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    (path,) = tmp_path.glob("*tfevents*")
    with lightboard.open(tmp_path, index=False) as logs:
        written = len(logs.scalars(".", "a"))
    assert 0 < written < 3000
    assert lost(done.stderr) == {str(path): 3000 - written}


def test_every_writer_says_what_it_lost_and_a_strict_one_hinders_no_other(tmp_path: pathlib.Path) -> None:
    program = """
    strict = lightboard.SummaryWriter(sys.argv[1] + "/strict", strict=True)
    kept = [log(sys.argv[1] + "/" + name) for name in "abc"]
    for step in range(3000):
        strict._recorder.scalar("a", 0.0, step, 0.0)
    """
    done = run(FULL + textwrap.dedent(program), tmp_path)
    assert len(lost(done.stderr)) == 4, done.stderr
    assert "OSError" in done.stderr, "a strict writer raises"


def test_rows_count_as_many_points_as_they_have(tmp_path: pathlib.Path) -> None:
    program = """
    writer = lightboard.SummaryWriter(sys.argv[1])
    for step in range(1000):
        writer.log({"a": 0.0, "b": 1.0, "c": 2.0}, step)
    writer.close()
    """
    done = run(FULL + textwrap.dedent(program), tmp_path)
    with lightboard.open(tmp_path, index=False) as logs:
        written = sum(entry.points for entry in logs.series())
    assert list(lost(done.stderr).values()) == [3000 - written], done.stderr


@pytest.mark.parametrize(
    "call",
    ['writer.add_scalar("a", "x")', 'writer.add_histogram("a", [])', 'writer.add_scalar("a", 1.0, "step")',
     'lightboard.SummaryWriter("/dev/null/x").add_scalar("a", 1.0)', "lightboard.SummaryWriter(sys.argv[1], wrong=1)"],
)  # fmt: skip
@pytest.mark.parametrize("hook", ["", "warnings.showwarning = lambda *_, **__: 1 / 0", "sys.stderr = None"])
def test_warnings_as_errors_never_reach_training(tmp_path: pathlib.Path, call: str, hook: str) -> None:
    program = f"""
    import sys, threading, warnings, lightboard
    {"warnings.simplefilter('error')" if "showwarning" not in hook else ""}
    {hook}
    writer = lightboard.SummaryWriter(sys.argv[1])
    def train():
        {call}
        print("trained on")
    train()
    thread = threading.Thread(target=train)
    thread.start()
    thread.join()
    """
    done = run(program, tmp_path)
    assert (done.returncode, done.stdout) == (0, "trained on\ntrained on\n"), done.stderr
    assert "LoggingWarning" in done.stderr or "None" in hook
    assert "Traceback" not in done.stderr, done.stderr


def test_threads_lose_nothing(tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path, strict=True) as writer:

        def work(name: str) -> None:
            for step in range(2000):
                writer.add_scalar(name, step / 2, step)
                if step % 100 == 0:
                    writer.add_histogram(f"h/{name}", np.arange(10.0), step)
                    writer.flush()

        threads = [threading.Thread(target=work, args=(f"t{number}",)) for number in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    with lightboard.open(tmp_path) as logs:
        assert logs.faults == []
        for number in range(4):
            assert logs.scalars(".", f"t{number}").steps.tolist() == list(range(2000))
            assert len(logs.histograms(".", f"h/t{number}")) == 20


def test_a_forked_child_writes_a_file_of_its_own(tmp_path: pathlib.Path) -> None:
    done = run(
        """
        import os, sys, lightboard
        writer = lightboard.SummaryWriter(sys.argv[1], strict=True)
        writer.add_scalars("many", {"a": 1.0}, 0)
        for step in range(100):
            writer.add_scalar("parent", step, step)
        children = []
        for child in range(3):
            number = os.fork()
            if number == 0:
                for step in range(100):
                    writer.add_scalar(f"child{child}", step, step)
                writer.add_scalars("many", {"a": 2.0}, child + 1)
                writer.close()
                os._exit(0)
            children.append(number)
        for step in range(100, 200):
            writer.add_scalar("parent", step, step)
        for number in children:
            assert os.waitpid(number, 0)[1] == 0
        writer.close()
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr
    # all: a child that is late with an early step looks like a restart
    with lightboard.open(tmp_path, rewinds="all") as logs:
        assert logs.faults == []
        assert sorted(logs.scalars(".", "parent").steps.tolist()) == list(range(200))
        for child in range(3):
            assert sorted(logs.scalars(".", f"child{child}").steps.tolist()) == list(range(100))
        assert sorted(logs.scalars("many_a", "many").values.tolist()) == [1.0, 2.0, 2.0, 2.0]
    assert len(list(tmp_path.glob("*tfevents*"))) == 4


def _log_from_another_process(writer: lightboard.SummaryWriter, tag: str) -> None:
    for step in range(50):
        writer.add_scalar(tag, step, step)
    writer.close()


def test_a_writer_may_be_sent_to_a_spawned_process(tmp_path: pathlib.Path) -> None:
    writer = lightboard.SummaryWriter(tmp_path, strict=True)
    writer.add_scalar("here", 1.0, 0)
    process = multiprocessing.get_context("spawn").Process(target=_log_from_another_process, args=(writer, "there"))
    process.start()
    process.join(60)
    assert process.exitcode == 0
    writer.add_scalar("here", 1.0, 1)
    writer.close()
    with lightboard.open(tmp_path) as logs:
        assert logs.scalars(".", "here").steps.tolist() == [0, 1]
        assert logs.scalars(".", "there").steps.tolist() == list(range(50))


def test_an_abrupt_end_leaves_a_readable_file(tmp_path: pathlib.Path) -> None:
    done = run(
        """
        import os, sys, lightboard
        writer = lightboard.SummaryWriter(sys.argv[1], strict=True)
        for step in range(1000):
            writer.add_scalar("a", step, step)
        writer.flush()
        for step in range(1000, 100000):
            writer.add_scalar("a", step, step)
        os._exit(3)
        """,
        tmp_path,
    )
    assert done.returncode == 3, done.stderr
    with lightboard.open(tmp_path) as logs:
        steps = logs.scalars(".", "a").steps
        assert len(steps) >= 1000 and steps.tolist() == list(range(len(steps)))


def test_an_end_without_close_loses_nothing(tmp_path: pathlib.Path) -> None:
    done = run(
        """
        import sys, lightboard
        writer = lightboard.SummaryWriter(sys.argv[1], strict=True)
        for step in range(1000):
            writer.add_scalar("a", step, step)
        writer.add_scalars("many", {"a": 1.0}, 0)
        raise SystemExit("killed by a bug")
        """,
        tmp_path,
    )
    assert done.returncode == 1 and "killed by a bug" in done.stderr
    with lightboard.open(tmp_path) as logs:
        assert len(logs.scalars(".", "a")) == 1000
        assert len(logs.scalars("many_a", "many")) == 1


def test_a_full_disk_warns_and_training_goes_on(tmp_path: pathlib.Path) -> None:
    done = run(
        """
        import resource, signal, sys, warnings, lightboard
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        writer = lightboard.SummaryWriter(sys.argv[1])
        writer.add_scalar("a", 0.0, 0)
        writer.flush()
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            for step in range(1, 2000):
                writer.add_scalar("a", 0.0, step)
            writer.flush()
            assert [each.category.__name__ for each in seen] == ["LoggingWarning"], seen
            assert "writing logs fails" in str(seen[0].message)
            count = len(seen)
            writer.flush()
            assert len(seen) == count, "said once"
        # Somebody makes room: what waited in memory is written.
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        writer.close()
        print("trained on")
        """,
        tmp_path,
    )
    assert done.returncode == 0 and "trained on" in done.stdout, done.stderr
    with lightboard.open(tmp_path) as logs:
        assert logs.faults == []
        assert logs.scalars(".", "a").steps.tolist() == list(range(2000))


def test_a_removed_directory_comes_back(tmp_path: pathlib.Path) -> None:
    logdir = tmp_path / "logs"
    writer = lightboard.SummaryWriter(logdir)
    writer.add_scalar("a", 0.0, 0)
    writer.flush()
    shutil.rmtree(logdir)

    def log_until_it_is_back() -> None:
        limit = time.monotonic() + 20
        while not logdir.exists():
            assert time.monotonic() < limit
            writer.add_scalar("a", 0.0, 1)
            writer.flush()
            threading.Event().wait(0.05)

    with pytest.warns(trouble.LoggingWarning, match=r"removed.*up to [1-9]\d* points"):
        log_until_it_is_back()
    writer.add_scalar("a", 0.0, 10_000)
    writer.close()
    with lightboard.open(logdir) as logs:
        assert logs.scalars(".", "a").steps.tolist()[-1] == 10_000


def test_two_processes_share_a_directory(tmp_path: pathlib.Path) -> None:
    program = """
        import sys, lightboard
        with lightboard.SummaryWriter(sys.argv[1], strict=True) as writer:
            for step in range(500):
                writer.add_scalar(sys.argv[2], step, step)
    """
    command = [sys.executable, "-c", textwrap.dedent(program), str(tmp_path)]
    processes = [subprocess.Popen([*command, name]) for name in ("one", "two", "three")]
    assert [each.wait(60) for each in processes] == [0, 0, 0]
    with lightboard.open(tmp_path) as logs:
        assert [len(logs.scalars(".", name)) for name in ("one", "two", "three")] == [500, 500, 500]
    assert len(list(tmp_path.iterdir())) == 3


def test_logging_scalars_needs_neither_numpy_nor_a_server(tmp_path: pathlib.Path) -> None:
    done = run(
        """
        import sys, lightboard
        with lightboard.SummaryWriter(sys.argv[1], strict=True) as writer:
            writer.add_scalar("a", 1.0, 0)
            writer.add_scalar("a", 2, 1)
            writer.log({"b": 1.0, "c": 2}, 1)
            writer.add_text("t", "words")
            writer.add_hparams({"lr": 1.0, "opt": "adam"}, {"m": 1.0})
        unwanted = {"numpy", "uvicorn", "asyncio", "torch", "PIL", "lightboard.board", "lightboard.store"}
        assert not unwanted & set(sys.modules), unwanted & set(sys.modules)
        """,
        tmp_path,
    )
    assert done.returncode == 0, done.stderr


def test_the_environment_makes_every_writer_strict(tmp_path: pathlib.Path) -> None:
    environment = {**os.environ, "LIGHTBOARD_STRICT": "1"}
    program = "import sys, lightboard; lightboard.SummaryWriter(sys.argv[1]).add_scalar('a', 'no number')"
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1 and "TypeError" in done.stderr
