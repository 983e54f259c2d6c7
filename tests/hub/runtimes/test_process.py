"""The runtime `process`, with real board processes: start, stop, crash, adoption, limits.

Left out on purpose: how quickly a board starts (`make bench` measures it), and memory that only the kernel counts.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub.runtimes import boards
from hub.runtimes.boards import Hub

from lightboard import errors, instances
from lightboard.hub import runtimes
from lightboard.hub.life import nouns
from lightboard.hub.runtimes import asking, logs, process, processes

MIB = 1 << 20


def pid_of(hub: Hub, board: str = "b1") -> int:
    pid: int = json.loads((hub.home(board) / "process.json").read_text())["identity"]["pid"]
    return pid


def of_process(pid: int, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text()


@contextlib.contextmanager
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process that is not ours."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as made:
        yield made
        made.kill()


def is_alive(pid: int) -> bool:
    return instances.process_start(pid) is not None


async def test_a_started_board_answers_with_its_use_and_a_stopped_one_is_absent(hub: Hub) -> None:
    assert (await hub.runtime.poll("b1")).phase is nouns.Phase.ABSENT
    await hub.runtime.start(hub.launch(attempt=3, revision=2))
    seen = await hub.answering()
    assert (seen.attempt, seen.revision, seen.used_by) == (3, 2, "start")
    assert seen.used is not None and abs(seen.used - seen.at) < 600
    pid = pid_of(hub)
    await hub.runtime.stop("b1")
    assert not is_alive(pid)
    assert (await hub.runtime.poll("b1")).phase is nouns.Phase.ABSENT
    await hub.runtime.stop("b1")
    assert not (hub.home() / "socket").exists()


async def test_polls_are_no_use(hub: Hub) -> None:
    await hub.runtime.start(hub.launch())
    first = await hub.answering()
    for _ in range(3):
        await hub.runtime.progress("b1")
        assert (await hub.runtime.poll("b1")).used == first.used
    await asking.get(hub.runtime.address("b1"), "/boards/b1/api/runs")
    used = await hub.runtime.poll("b1")
    assert first.used is not None and used.used is not None and used.used > first.used and used.used_by == "request"


async def test_progress_counts_files_and_names_broken_sources(hub: Hub, tmp_path: Path) -> None:
    assert (await hub.runtime.progress("b1")).phase == "absent"
    sources = (nouns.Source(str(hub.logs), "good"), nouns.Source(str(tmp_path / "nowhere"), "bad"))
    await hub.runtime.start(hub.launch(sources=sources))
    await hub.seen("b1", lambda found: found.phase is nouns.Phase.ANSWERING and not found.message)
    progress = await hub.runtime.progress("b1")
    assert (progress.phase, progress.files_read, progress.files_total, progress.percent) == ("ready", 1, 1, 100)
    assert [(place.problem, place.files) for place in progress.places] == [("", 1), ("missing", 0)]


async def test_several_sources_with_commas_and_claims_are_read(hub: Hub, tmp_path: Path) -> None:
    comma = tmp_path / "a,b"
    comma.symlink_to(hub.logs)
    sources = (nouns.Source(str(comma), "x y"), nouns.Source("pvc://models/run1", "z"))
    await hub.runtime.start(hub.launch(sources=sources, storage={"claims": {"models": str(hub.logs)}}))
    await hub.seen("b1", lambda found: found.phase is nouns.Phase.ANSWERING and not found.message)
    listing = await asking.get(hub.runtime.address("b1"), "/boards/b1/data/runs?activity=0")
    assert sorted(listing) == ["x y/run1", "z"]


async def test_secrets_are_in_a_private_file_only_while_the_board_runs(hub: Hub) -> None:
    storage = {"secrets": {"team": {"endpoint": "http://127.0.0.1:1", "key": 'k"\\\x7f', "secret": "very secret"}}}
    await hub.runtime.start(hub.launch(storage=storage))
    await hub.answering()
    file = hub.home() / "storage.toml"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(hub.home().stat().st_mode) == 0o700
    assert "very secret" not in of_process(pid_of(hub), "cmdline")
    await hub.runtime.stop("b1")
    assert not file.exists()
    texts = [path.read_bytes() for path in hub.folder.rglob("*") if path.is_file()]
    assert not any(b"very secret" in text for text in texts)


async def test_the_environment_of_the_hub_does_not_reach_a_board(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LIGHTBOARD_HUB_ADMIN_TOKEN", "AWS_SECRET_ACCESS_KEY", "LIGHTBOARD_STORAGE", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "of-the-hub")
    await hub.runtime.start(hub.launch(environment={"AWS_REGION": "chosen"}))
    await hub.answering()
    texts = of_process(pid_of(hub), "environ").split("\0")
    variables = dict(text.split("=", 1) for text in texts if "=" in text)
    assert "of-the-hub" not in variables.values()
    assert variables["AWS_REGION"] == "chosen" and variables["HOME"] == str(hub.home())
    assert variables["AWS_EC2_METADATA_DISABLED"] == "true"


async def test_limits_are_those_of_the_launch(hub: Hub) -> None:
    limits = runtimes.Limits(memory_bytes=512 * MIB, open_files=256, nice=7)
    await hub.runtime.start(hub.launch(limits=limits))
    await hub.answering()
    pid = pid_of(hub)
    assert resource.prlimit(pid, resource.RLIMIT_NOFILE) == (256, 256)
    assert resource.prlimit(pid, resource.RLIMIT_DATA)[0] == 512 * MIB + processes.SLACK_BYTES
    assert resource.prlimit(pid, resource.RLIMIT_CORE) == (0, 0)
    threads = [int(name) for name in os.listdir(f"/proc/{pid}/task")]
    assert {os.getpriority(os.PRIO_PROCESS, each) for each in threads} == {os.getpriority(os.PRIO_PROCESS, 0) + 7}
    assert os.getsid(pid) == pid


async def test_a_board_above_its_memory_is_ended_and_says_so(hub: Hub) -> None:
    await hub.runtime.start(hub.launch(limits=runtimes.Limits(memory_bytes=8 * MIB)))
    seen = await hub.exited()
    assert seen.reason == runtimes.OUT_OF_MEMORY and "8 MiB" in seen.message and not is_alive(pid_of(hub))


async def test_an_exit_is_reported_with_code_and_last_lines_until_the_next_start(hub: Hub) -> None:
    await hub.runtime.start(hub.launch(sources=(nouns.Source("nonsense://x"),)))
    seen = await hub.exited()
    assert (seen.exit_code, seen.permanent) == (2, True)
    assert "nonsense" in seen.message and "error:" in "\n".join(await hub.runtime.logs("b1"))
    hub.restart()
    assert (await hub.exited()).exit_code == 2
    await hub.runtime.start(hub.launch())
    await hub.answering()
    assert "error:" in "\n".join(await hub.runtime.logs("b1")), "the log before is kept"


async def test_a_process_that_cannot_be_started_is_an_error_and_seen_as_exited(hub: Hub) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "executable", "/no/such/program")
        with pytest.raises(errors.LightboardError):
            await hub.runtime.start(hub.launch(attempt=2))
    seen = await hub.exited()
    assert seen.attempt == 2 and "could not be started" in seen.message
    await hub.runtime.start(hub.launch())
    await hub.answering()


async def test_a_killed_board_is_seen_as_exited_and_starts_again(hub: Hub) -> None:
    await hub.runtime.start(hub.launch())
    await hub.answering()
    os.kill(pid_of(hub), signal.SIGKILL)
    seen = await hub.exited()
    assert seen.exit_code == -signal.SIGKILL and "SIGKILL" in seen.message
    assert not (hub.home() / "storage.toml").exists()
    await hub.runtime.start(hub.launch(attempt=2))
    assert (await hub.answering()).attempt == 2


async def test_a_start_of_a_running_board_changes_nothing(hub: Hub) -> None:
    await asyncio.gather(*(hub.runtime.start(hub.launch()) for _ in range(5)))
    await hub.answering()
    pid = pid_of(hub)
    other = process.Processes(hub.folder)  # a second hub by mistake
    await other.start(hub.launch())
    other.close()
    assert pid_of(hub) == pid and is_alive(pid)
    assert await hub.runtime.running() == ["b1"]


async def test_a_second_hub_sees_what_the_first_does(hub: Hub) -> None:
    """Several hubs on one machine: the one that keeps the boards may change."""
    second = process.Processes(hub.folder)
    await hub.runtime.start(hub.launch(attempt=1))
    await hub.answering()
    assert (await second.poll("b1")).attempt == 1
    os.kill(pid_of(hub), signal.SIGKILL)
    assert (await hub.exited()).exit_code == -signal.SIGKILL
    assert (await second.poll("b1")).phase is nouns.Phase.EXITED
    await hub.runtime.start(hub.launch(attempt=2))
    await hub.answering()
    assert ((await second.poll("b1")).phase, (await second.poll("b1")).attempt) == (nouns.Phase.ANSWERING, 2)
    await second.stop("b1")
    assert (await hub.runtime.poll("b1")).phase is nouns.Phase.ABSENT
    second.close()


async def test_a_new_runtime_adopts_running_boards(hub: Hub) -> None:
    await hub.runtime.start(hub.launch(attempt=4))
    await hub.answering()
    pid = pid_of(hub)
    hub.restart()
    seen = await hub.runtime.poll("b1")
    assert (seen.phase, seen.attempt) == (nouns.Phase.ANSWERING, 4)
    assert (await hub.runtime.usage("b1")).memory_bytes > MIB
    await hub.runtime.start(hub.launch(attempt=5))
    assert pid_of(hub) == pid
    await hub.runtime.stop("b1")
    assert not is_alive(pid)


HUB = """
import asyncio, os, signal, sys
from pathlib import Path
from lightboard.hub import runtimes
from lightboard.hub.life import nouns
from lightboard.hub.runtimes import process

if sys.argv[3] == "early":
    keep = process.Processes._keep
    process.Processes._keep = lambda self, board, record: (
        os.kill(os.getpid(), signal.SIGKILL) if record.identity.pid else keep(self, board, record)
    )
runtime = process.Processes(Path(sys.argv[1]))
asyncio.run(runtime.start(runtimes.Launch(id="b1", name="B", sources=(nouns.Source(sys.argv[2]),), attempt=9)))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("moment", ["late", "early"])
async def test_boards_survive_a_killed_hub_and_are_adopted(hub: Hub, moment: str) -> None:
    """`early`: before the hub could write the id of the process that it has started."""
    killed = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", HUB, str(hub.folder), str(hub.logs), moment], check=False
    )
    assert killed.returncode == -signal.SIGKILL
    await hub.runtime.start(hub.launch(attempt=10))  # finds it
    seen = await hub.answering()
    assert seen.attempt == 9
    assert await hub.runtime.running() == ["b1"]
    pid = pid_of(hub)
    os.kill(pid, signal.SIGKILL)
    gone = await hub.exited()
    assert gone.exit_code is None and "unknown" in gone.message
    await hub.runtime.stop("b1")


BUSY_HUB = """
import asyncio, random, sys
from pathlib import Path
from lightboard.hub import runtimes
from lightboard.hub.life import nouns
from lightboard.hub.runtimes import process

async def work(runtime, board, chance):
    while True:
        await runtime.start(runtimes.Launch(id=board, name="B", sources=(nouns.Source(sys.argv[2]),)))
        await asyncio.sleep(chance.random() / 10)
        if chance.random() < 0.5:
            await runtime.stop(board)

async def main():
    runtime = process.Processes(Path(sys.argv[1]))
    print("ready", flush=True)
    await asyncio.gather(*(work(runtime, f"b{n}", random.Random(n)) for n in range(3)))

asyncio.run(main())
"""


def kill_at_random(hub: Hub, chance: random.Random) -> None:
    command = [sys.executable, "-c", BUSY_HUB, str(hub.folder), str(hub.logs)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as busy:
        assert busy.stdout is not None and busy.stdout.readline() == b"ready\n"
        time.sleep(chance.random() / 2)
        busy.kill()


async def keep_running(hub: Hub, board: str) -> None:
    """Starts the board until it answers: the killed hub may have asked it to end."""

    async def keep() -> None:
        while (seen := await hub.runtime.poll(board)).phase is not nouns.Phase.ANSWERING:
            if not seen.alive:
                await hub.runtime.start(hub.launch(board))
            await asyncio.sleep(0.02)

    await asyncio.wait_for(keep(), boards.PATIENCE_SECS)


@pytest.mark.slow
async def test_a_hub_killed_at_any_moment_leaves_no_board_twice_and_none_unknown(hub: Hub) -> None:
    chance = random.Random(1)
    for _ in range(20):
        await asyncio.to_thread(kill_at_random, hub, chance)
        hub.restart()
        living = list(processes.marks(f"--index_dir={hub.folder}/boards/"))
        assert len(living) == len(set(living)) <= 3
        for board in ("b0", "b1", "b2"):
            await keep_running(hub, board)
        assert len(list(processes.marks(f"--index_dir={hub.folder}/boards/"))) == 3


async def test_a_reused_process_id_is_never_killed(hub: Hub) -> None:
    await hub.runtime.start(hub.launch())
    await hub.answering()
    file = hub.home() / "process.json"
    fields = json.loads(file.read_text())
    os.kill(pid_of(hub), signal.SIGKILL)
    await hub.exited()
    with stranger() as other:
        fields["identity"] |= {"pid": other.pid, "start": instances.process_start(other.pid)}
        file.write_text(json.dumps(fields))
        hub.restart()
        assert (await hub.runtime.poll("b1")).phase is nouns.Phase.EXITED
        assert not processes.send(processes.Identity(**fields["identity"]), signal.SIGKILL)
        await hub.runtime.stop("b1")
        assert other.poll() is None


async def test_a_stop_during_the_start_ends_the_board(hub: Hub) -> None:
    for _ in range(3):
        starting = asyncio.create_task(hub.runtime.start(hub.launch()))
        await asyncio.sleep(0)
        await hub.runtime.stop("b1")
        await starting
        assert await hub.runtime.running() == []
        assert (await hub.runtime.poll("b1")).phase is nouns.Phase.ABSENT


async def test_a_board_that_does_not_answer_is_not_answering_and_is_killed_by_stop(hub: Hub) -> None:
    hub.restart(answer_secs=0.2)
    await hub.runtime.start(hub.launch())
    await hub.answering()
    pid = pid_of(hub)
    os.kill(pid, signal.SIGSTOP)
    assert (await hub.runtime.poll("b1")).phase is nouns.Phase.STARTING
    await hub.runtime.stop("b1", grace_secs=0.1)
    assert not is_alive(pid)


async def test_a_deleted_board_leaves_nothing(hub: Hub) -> None:
    await hub.runtime.start(hub.launch())
    await hub.answering()
    assert (hub.home() / "index").exists()
    await hub.runtime.forget("b1")
    assert not hub.home().exists() and await hub.runtime.running() == []
    await hub.runtime.forget("b1")


async def test_the_index_of_a_stopped_board_is_kept(hub: Hub) -> None:
    await hub.runtime.start(hub.launch())
    await hub.seen("b1", lambda found: found.phase is nouns.Phase.ANSWERING and not found.message)
    await hub.runtime.stop("b1")
    assert any((hub.home() / "index").rglob("*"))


async def test_a_long_directory_does_not_matter(hub: Hub, tmp_path: Path) -> None:
    """The path of a Unix socket has at most 107 bytes."""
    hub.runtime.close()
    hub.folder = tmp_path / ("long" * 30)
    hub.runtime = process.Processes(hub.folder)
    await hub.runtime.start(hub.launch())
    await hub.answering()
    assert len(hub.runtime.address("b1")) <= process.SOCKET_BYTES < len(str(hub.home() / "socket"))
    hub.restart()
    await hub.answering()


async def test_twenty_boards_start_at_once_and_each_needs_little_memory(hub: Hub) -> None:
    names = [f"b{n}" for n in range(20)]
    await asyncio.gather(*(hub.runtime.start(hub.launch(board)) for board in names))
    await asyncio.gather(*(hub.answering(board) for board in names))
    assert await hub.runtime.running() == sorted(names)
    used = [(await hub.runtime.usage(board)).memory_bytes for board in names]
    assert len({pid_of(hub, board) for board in names}) == 20 and max(used) < 40 * MIB
    await asyncio.gather(*(hub.runtime.stop(board) for board in names))
    assert await hub.runtime.running() == []


async def test_a_large_log_is_cut_while_the_board_runs(hub: Hub) -> None:
    await hub.runtime.start(hub.launch())
    await hub.answering()
    log = hub.home() / "log"
    with log.open("ab") as file:
        file.write(b"x" * 99 + b"\n" + b"line\n" * logs.MOST_BYTES)
    await hub.runtime.poll("b1")
    assert log.stat().st_size == 0
    assert await hub.runtime.logs("b1", lines=3) == ["line"] * 3


@pytest.mark.parametrize("board", ["", "..", "a/b", "A", "-a", "a" * 65, "a\n", "é"])
async def test_an_id_that_could_leave_its_directory_is_refused(hub: Hub, board: str) -> None:
    with pytest.raises(errors.BadInput):
        await hub.runtime.poll(board)
    with pytest.raises(errors.BadInput):
        hub.launch(board)
