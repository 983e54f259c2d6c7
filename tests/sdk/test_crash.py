"""What is left of a log when its program is killed, interrupted, forked, or runs out of disk.

Children are real processes that write through `Recorder` or `SummaryWriter` and report over a pipe what they have
flushed. Whatever happens to them: the file is readable but for a cut tail, no flushed record is lost or torn, and the
next writer on the same directory goes on.

The big one kills 200 children at random moments. Left out: a power cut (`flush(sync=True)` asks the system for more,
which cannot be tested here), and network disks.
"""

from __future__ import annotations

import concurrent.futures
import math
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable

import pytest

import lightboard
from lightboard import _native, wire
from lightboard.reading import logs as reading
from lightboard.sdk import recorder

KILLS = 200
LIVES = 10  # children that follow each other in one directory
PATIENCE_SECS = 60

# What every child starts with. A value can be told from its step, so that a torn or mixed-up record shows.
PRELUDE = """
import os, random, signal, sys, threading, time
import lightboard
from lightboard import wire
from lightboard.sdk import recorder, summary_messages

logdir, first, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])

def report(step):
    os.write(1, step.to_bytes(8, "little", signed=True))

def value(step):
    return float(step * 7 % 1009)
"""

WRITES_UNTIL_KILLED = """
chance = random.Random(seed)
report(-1)
through_recorder = seed % 2
writer = recorder.Recorder(logdir) if through_recorder else lightboard.SummaryWriter(logdir)
letters = summary_messages.string_tensor([b"x" * 50_000], [1])
ballast = summary_messages.tensor_value("ballast", letters, summary_messages.metadata("text"))
step = first
while True:
    for _ in range(chance.choice((1, 3, 50, 500))):
        if through_recorder:
            writer.scalar("loss", value(step), step, time.time())
            if chance.random() < 0.02:
                writer.value(ballast, step, time.time())
        else:
            writer.add_scalar("loss", value(step), step)
            if chance.random() < 0.02:
                writer.add_text("ballast", "x" * 50_000, step)
        step += 1
    writer.flush()
    report(step - 1)
"""


def start(body: str, logdir: pathlib.Path, first: int = 0, seed: int = 0) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PRELUDE + textwrap.dedent(body), str(logdir), str(first), str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finished(child: subprocess.Popen[bytes]) -> tuple[int, list[int], str]:
    """Exit code, the steps it reported, what it said on stderr. Ends it if it does not end."""
    try:
        out, err = child.communicate(timeout=PATIENCE_SECS)
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
    whole = len(out) // 8
    return child.returncode, list(struct.unpack(f"<{whole}q", out[: whole * 8])), err.decode(errors="replace")


def value(step: int) -> float:
    return float(step * 7 % 1009)


def opened(logdir: pathlib.Path, rewinds: str = "latest") -> reading.Logs:
    return lightboard.open(logdir, index=False, rewinds=rewinds)


def loss(logdir: pathlib.Path, rewinds: str = "latest") -> list[int]:
    """The steps of `loss`; every value has been found right, nothing in the files wrong.

    With rewinds "all" those are shown too that a later file repeats: short-lived writers that follow each other look
    like restarts.
    """
    with opened(logdir, rewinds) as logs:
        assert logs.faults == []
        if "loss" not in logs.tags():
            return []
        points = logs.scalars(".", "loss")
        assert points.values.tolist() == [value(step) for step in points.steps.tolist()]
        steps: list[int] = points.steps.tolist()
        return steps


# ---- killed ----


def killed_lives(logdir: pathlib.Path, seed: int) -> tuple[int, int]:
    """Ten children in one directory, each killed at a random moment, each going on where the last flush had come to.

    Returns how many flushed records there were and how many files end in a cut record.
    """
    chance = random.Random(seed)
    flushed = 0
    for life in range(LIVES):
        child = start(WRITES_UNTIL_KILLED, logdir, flushed, seed * LIVES + life)
        assert child.stdout is not None
        assert child.stdout.read(8) == struct.pack("<q", -1)
        # from before the file exists to well into the writing
        time.sleep(chance.choice((0.0, 0.002, 0.02, 0.06)) * chance.random())
        child.send_signal(signal.SIGKILL)
        code, reports, said = finished(child)
        assert code == -signal.SIGKILL, said
        if reports:
            flushed = reports[-1] + 1
        if life % 3 == 2 or life == LIVES - 1:
            # A life starts at the first step that was not flushed: what the killed one wrote beyond is superseded.
            steps = loss(logdir)
            assert steps == list(range(len(steps))) and len(steps) >= flushed
    return flushed, sum(_is_cut(path) for path in logdir.iterdir())


def _is_cut(path: pathlib.Path) -> bool:
    batch = _native.scan([(str(path), 0, 1 << 62, 0, {})])
    assert batch.faults == [], path
    read_up_to = struct.unpack_from("<q", batch.files, 40)[0]  # row_types.FILE: offset
    return bool(read_up_to < path.stat().st_size)


@pytest.mark.slow
def test_no_flushed_record_is_lost_by_200_kills(tmp_path: pathlib.Path) -> None:
    directories = [tmp_path / f"logs{number}" for number in range(KILLS // LIVES)]
    for directory in directories:
        directory.mkdir()  # the first child may be killed before it comes to that
    with concurrent.futures.ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        outcomes = list(pool.map(killed_lives, directories, range(len(directories))))
    assert sum(flushed for flushed, _ in outcomes) > KILLS  # the children had the time to write
    for directory in directories:
        with opened(directory) as logs:
            assert logs.faults == []


def test_a_log_cut_anywhere_is_continued(tmp_path: pathlib.Path) -> None:
    """What a kill in the middle of write() leaves, at every byte of the last record."""
    first = recorder.Recorder(tmp_path / "whole")
    for step in range(3):
        first.scalar("loss", value(step), step, 1e9 + step)
    first.close()
    content = next((tmp_path / "whole").iterdir()).read_bytes()
    last = len(
        _native.event_record(1e9 + 2, 2, recorder.SUMMARY, wire.message(1, wire.text(1, "loss") + wire.single(2, 14.0)))
    )
    for cut in range(len(content) - last, len(content) + 1):
        logdir = tmp_path / f"cut{cut}"
        logdir.mkdir()
        (logdir / "events.out.tfevents.0000000001.host.1.0").write_bytes(content[:cut])
        follower = recorder.Recorder(logdir)
        follower.scalar("loss", value(3), 3, 1e9 + 3)
        follower.close()
        assert loss(logdir) in ([0, 1, 3], [0, 1, 2, 3])
        assert (loss(logdir) == [0, 1, 2, 3]) == (cut == len(content))


# ---- ended in other ways ----


def test_an_interrupted_program_keeps_everything(tmp_path: pathlib.Path) -> None:
    """Ctrl-C: KeyboardInterrupt wherever it happens, then the interpreter ends and closes what is open."""
    body = """
    writer = lightboard.SummaryWriter(logdir)
    step = first
    while True:
        writer.add_scalar("loss", value(step), step)
        report(step)
        step += 1
    """
    child = start(body, tmp_path)
    assert child.stdout is not None
    child.stdout.read(8 * 200)
    child.send_signal(signal.SIGINT)
    code, reports, said = finished(child)
    assert code == -signal.SIGINT or "KeyboardInterrupt" in said
    assert set(range(200 + len(reports))) <= set(loss(tmp_path))


def test_an_exception_loses_nothing(tmp_path: pathlib.Path) -> None:
    body = """
    writer = lightboard.SummaryWriter(logdir)
    for step in range(1000):
        writer.add_scalar("loss", value(step), step)
    raise ValueError("training diverged")
    """
    code, _, said = finished(start(body, tmp_path))
    assert code == 1 and "training diverged" in said
    assert loss(tmp_path) == list(range(1000))


def test_a_hard_exit_loses_at_most_what_was_not_flushed(tmp_path: pathlib.Path) -> None:
    body = """
    writer = lightboard.SummaryWriter(logdir)
    for step in range(1000):
        writer.add_scalar("loss", value(step), step)
        if step == 700:
            writer.flush()
            report(step)
    os._exit(3)
    """
    code, reports, _ = finished(start(body, tmp_path))
    steps = loss(tmp_path)
    assert (code, reports) == (3, [700])
    assert steps == list(range(len(steps))) and len(steps) > 700


def test_a_live_board_need_not_wait_for_a_flush(tmp_path: pathlib.Path) -> None:
    """No flush, no close: the record is in the file soon all the same."""
    child = start(
        "writer = lightboard.SummaryWriter(logdir); writer.add_scalar('loss', 0.0, 0); time.sleep(60)", tmp_path
    )
    try:
        _wait_until(lambda: tmp_path.exists() and loss(tmp_path) == [0])
    finally:
        child.kill()
        child.communicate()


def _wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECS
    while not condition():
        assert time.monotonic() < deadline, "it did not come true"
        time.sleep(0.02)


# ---- forks, workers, threads ----


def test_forked_workers_write_files_of_their_own(tmp_path: pathlib.Path) -> None:
    """As DataLoader workers do: the writer is inherited, its threads are not."""
    body = """
    writer = lightboard.SummaryWriter(logdir)
    writer.add_scalar("loss", value(0), 0)
    workers = []
    for worker in range(4):
        pid = os.fork()
        if pid == 0:
            for step in range(500):
                writer.add_scalar(f"worker{worker}", value(step), step)
            writer.flush()
            os._exit(0)
        workers.append(pid)
        writer.add_scalar("loss", value(worker + 1), worker + 1)
    for pid in workers:
        assert os.waitpid(pid, 0)[1] == 0
    """
    code, _, said = finished(start(body, tmp_path))
    assert code == 0, said
    assert loss(tmp_path) == list(range(5))
    assert len(list(tmp_path.iterdir())) == 5
    with opened(tmp_path) as logs:
        for worker in range(4):
            points = logs.scalars(".", f"worker{worker}")
            assert points.steps.tolist() == list(range(500))
            assert points.values.tolist() == [value(step) for step in range(500)]


def test_forking_while_threads_write_does_not_hang(tmp_path: pathlib.Path) -> None:
    body = """
    writer = lightboard.SummaryWriter(logdir)
    enough = threading.Event()
    def write(number):
        step = 0
        while not enough.is_set():
            writer.add_scalar(f"thread{number}", value(step), step)
            step += 1
            if step % 100 == 0:
                writer.flush()
    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for each in threads: each.start()
    for round in range(20):
        pid = os.fork()
        if pid == 0:
            writer.add_scalar("loss", value(round), round)
            writer.flush()
            os._exit(0)
        assert os.waitpid(pid, 0)[1] == 0
    enough.set()
    for each in threads: each.join()
    """
    code, _, said = finished(start(body, tmp_path))
    assert code == 0, said
    assert loss(tmp_path) == list(range(20))
    with opened(tmp_path) as logs:
        for number in range(3):
            points = logs.scalars(".", f"thread{number}")
            assert points.steps.tolist() == list(range(len(points)))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pools_of_processes_write_through_a_writer_they_were_given(tmp_path: pathlib.Path, method: str) -> None:
    (tmp_path / "pooled.py").write_text(
        textwrap.dedent("""
        import multiprocessing, os, sys
        import lightboard

        def work(task):
            writer, number = task
            for step in range(number * 100, number * 100 + 100):
                writer.add_scalar("loss", float(step * 7 % 1009), step)
            writer.flush()

        if __name__ == "__main__":
            with lightboard.SummaryWriter(sys.argv[1]) as writer:
                with multiprocessing.get_context(sys.argv[2]).Pool(3) as pool:
                    pool.map(work, [(writer, number) for number in range(9)], chunksize=1)
        """),
        encoding="utf-8",
    )
    command = [sys.executable, str(tmp_path / "pooled.py"), str(tmp_path / "logs"), method]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECS, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(loss(tmp_path / "logs", rewinds="all")) == list(range(900))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_worker_that_ends_without_a_flush_keeps_everything(tmp_path: pathlib.Path, method: str) -> None:
    """multiprocessing ends a forked worker with os._exit: no atexit function is called."""
    (tmp_path / "worker.py").write_text(
        textwrap.dedent("""
        import multiprocessing, sys
        import lightboard

        def work(writer, first):
            for step in range(first, first + 100):
                writer.add_scalar("loss", float(step * 7 % 1009), step)

        if __name__ == "__main__":
            writer = lightboard.SummaryWriter(sys.argv[1])
            writer.add_scalar("loss", 0.0, 0)
            context = multiprocessing.get_context(sys.argv[2])
            workers = [context.Process(target=work, args=(writer, first)) for first in (1, 101)]
            for each in workers:
                each.start()
            for each in workers:
                each.join()
        """),
        encoding="utf-8",
    )
    command = [sys.executable, str(tmp_path / "worker.py"), str(tmp_path / "logs"), method]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECS, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(loss(tmp_path / "logs", rewinds="all")) == list(range(201))


def test_threads_on_one_writer_lose_nothing(tmp_path: pathlib.Path) -> None:
    each = 4_000
    with lightboard.SummaryWriter(tmp_path, max_queue=1) as writer:

        def write(number: int) -> None:
            for step in range(each):
                writer.add_scalar(f"thread{number}", value(step), step)
                if step % 500 == number:
                    writer.flush()
                if step % 400 == number:
                    writer.add_text(f"words{number}", "x" * step, step)

        threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    with opened(tmp_path) as logs:
        assert logs.faults == []
        for number in range(8):
            points = logs.scalars(".", f"thread{number}")
            assert points.steps.tolist() == list(range(each))
            assert points.values.tolist() == [value(step) for step in range(each)]
            words = logs.tensors(".", f"words{number}/text_summary")
            assert len(words) == math.ceil((each - number) / 400)


def test_two_programs_share_a_directory(tmp_path: pathlib.Path) -> None:
    body = """
    writer = lightboard.SummaryWriter(logdir)
    for step in range(first, first + 500):
        writer.add_scalar("loss", value(step), step)
    """
    children = [start(body, tmp_path, first) for first in (0, 500, 1000, 1500)]
    for child in children:
        code, _, said = finished(child)
        assert code == 0, said
    assert sorted(loss(tmp_path, rewinds="all")) == list(range(2000))


# ---- no room, no directory ----


def test_a_full_disk_warns_and_everything_comes_once_there_is_room(tmp_path: pathlib.Path) -> None:
    """The file may not grow beyond 64 kB for a while."""
    body = """
    import resource, warnings
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, hard))
    writer = lightboard.SummaryWriter(logdir)
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        for step in range(5000):
            writer.add_scalar("loss", value(step), step)
            if step % 1000 == 999:
                writer.flush()
    assert len(heard) == 1 and "they wait in memory" in str(heard[0].message), [str(each.message) for each in heard]
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    writer.flush()
    report(4999)
    os._exit(0)
    """
    code, reports, said = finished(start(body, tmp_path))
    assert (code, reports) == (0, [4999]), said
    assert loss(tmp_path) == list(range(5000))


def test_a_disk_that_stays_full_leaves_a_readable_file(tmp_path: pathlib.Path) -> None:
    body = """
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
    writer = lightboard.SummaryWriter(logdir)
    for step in range(5000):
        writer.add_scalar("loss", value(step), step)
    writer.close()
    """
    code, _, said = finished(start(body, tmp_path))
    assert code == 0
    steps = loss(tmp_path)
    assert steps == list(range(len(steps))) and 500 < len(steps) < 5000
    (path,) = tmp_path.glob("*tfevents*")
    assert f"{5000 - len(steps)} points could not be written and are lost: File too large: {path}" in said


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("unshare") is None, reason="mounting takes root")
def test_a_small_disk_fills_up_and_is_cleared(tmp_path: pathlib.Path) -> None:
    body = PRELUDE + textwrap.dedent("""
    import pathlib, warnings
    warnings.simplefilter("ignore")
    ballast = pathlib.Path(logdir, "ballast")
    ballast.write_bytes(bytes(256 << 10))
    writer = lightboard.SummaryWriter(logdir + "/run")
    for step in range(5000):
        writer.add_scalar("loss", value(step), step)
    writer.flush()
    assert writer._recorder._writer.status()[2] == 28, "the disk is not full"
    ballast.unlink()
    writer.flush()
    with lightboard.open(logdir, index=False) as logs:
        assert logs.scalars("run", "loss").steps.tolist() == list(range(5000))
        assert logs.faults == []
    """)
    script = 'mount -t tmpfs -o size=384k none "$1" || exit 77; exec "$2" -c "$3" "$1" 0 0'
    command = ["unshare", "-m", "sh", "-c", script, "sh", str(tmp_path), sys.executable, body]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_SECS, check=False)
    if done.returncode == 77 or "unshare failed" in done.stderr:
        pytest.skip("mounting is not allowed here")
    assert done.returncode == 0, done.stderr


def test_a_removed_directory_comes_back(tmp_path: pathlib.Path) -> None:
    logdir = tmp_path / "logs"
    writer = lightboard.SummaryWriter(logdir)
    writer.add_scalar("loss", value(0), 0)
    writer.flush()
    shutil.rmtree(logdir)

    def is_back() -> bool:
        writer.add_scalar("loss", value(1), 1)
        return logdir.exists()

    with pytest.warns(UserWarning, match="removed"):
        _wait_until(is_back)
    writer.add_scalar("loss", value(2), 2)
    writer.close()
    assert loss(logdir)[-1] == 2
