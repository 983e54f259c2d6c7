"""The runtime `process`: one board process per board, on this machine, behind a Unix socket.

    <dir>/boards/<id>/        mode 0700
        lock                  locked by the board process as long as it lives
        process.json          which process it is, and how it ended
        socket                where it listens
        storage.toml          mode 0600: the secrets of this board, as long as it runs
        log, log.1            its output
        index/, sidecar/      kept until the board is deleted

A board process has a session of its own and writes to files, so the end of the hub does not touch it. The next hub
adopts it from `process.json`. If the hub was killed before it could write the process id there, the lock shows that
there is a process, and its command line which one. The lock is inherited by the process, so a board never runs twice,
whoever starts it.

Memory is limited in two ways. A limit of the address space is wrong for boards, which map large files. The system
refuses private writable memory (RLIMIT_DATA) above the limit plus a slack: a request then fails, as boards expect. And
`poll` ends a process whose anonymous memory is above the limit. The slack is memory that threads reserve and do not
use. A limit for all boards together belongs to the service manager (MemoryMax= of systemd), which can count pages as
the kernel does.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import dataclasses
import fcntl
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lightboard import errors
from lightboard.hub import runtimes
from lightboard.hub.life import nouns
from lightboard.hub.runtimes import asking, command, logs, processes

SOCKET_BYTES = 107  # the longest path of a Unix socket in Linux
EXIT_LINES = 20
CHECK_SECS = 0.02
WRONG_USAGE = 2  # the exit code of a command line that is wrong


@dataclasses.dataclass(kw_only=True)
class _Record:
    """`process.json`. `code` and `reason` are set when the process was seen to have ended."""

    identity: processes.Identity
    attempt: int
    revision: int
    started: float
    memory_bytes: int
    ended: bool = False
    code: int | None = None
    reason: str = ""
    has_read: bool = False  # everything that was there at the start


class Processes:
    """State, by board: `_children` has the processes that this hub started and has to wait for, `_records` what is in
    `process.json`; both are changed under the board's lock of `_locks`."""

    def __init__(
        self,
        folder: Path,
        *,
        environment: Mapping[str, str] | None = None,
        now: Callable[[], float] = time.time,
        answer_secs: float = asking.ANSWER_SECS,
    ) -> None:
        self._folder = Path(folder).absolute() / "boards"
        self._environment = os.environ if environment is None else environment
        self._now = now
        self._answer_secs = answer_secs
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._children: dict[str, subprocess.Popen[bytes]] = {}
        self._records: dict[str, _Record] = {}
        self._locks: collections.defaultdict[str, asyncio.Lock] = collections.defaultdict(asyncio.Lock)
        # Paths longer than a socket's may be are reached through this descriptor.
        self._handle = os.open(self._folder, os.O_PATH | os.O_DIRECTORY)

    def close(self) -> None:
        """Forget the processes. They run on."""
        for child in self._children.values():
            child.poll()
            child.returncode = child.returncode or 0  # nobody waits for it any more
        self._children.clear()
        os.close(self._handle)

    def address(self, board: str) -> str:
        path = self._home(board) / "socket"
        if len(os.fsencode(path)) <= SOCKET_BYTES:
            return str(path)
        return f"/proc/self/fd/{self._handle}/{board}/socket"

    # ---- commands

    async def start(self, launch: runtimes.Launch) -> None:
        async with self._locks[launch.id]:
            await asyncio.to_thread(self._start, launch)

    async def stop(self, board: str, *, grace_secs: float = 5.0) -> None:
        async with self._locks[board]:
            await self._stop(board, grace_secs)

    async def forget(self, board: str) -> None:
        async with self._locks[board]:
            await self._stop(board, 5.0)
            await asyncio.to_thread(shutil.rmtree, self._home(board), ignore_errors=True)

    def _start(self, launch: runtimes.Launch) -> None:
        home = self._home(launch.id)
        home.mkdir(mode=0o700, exist_ok=True)
        self._reap(launch.id)
        lock = _take(home / "lock")
        if lock is None:
            self._adopt(launch.id)
            return
        unborn = processes.Identity(0, "", processes.boot(), command.mark(home))
        memory_bytes = launch.limits.memory_bytes
        record = _Record(
            identity=unborn,
            attempt=launch.attempt,
            revision=launch.revision,
            started=self._now(),
            memory_bytes=memory_bytes,
        )
        self._keep(launch.id, record)
        try:
            child = self._spawn(launch, home, lock)
        finally:
            os.close(lock)
        self._children[launch.id] = child
        started = processes.identify(child.pid, command.mark(home))
        record.identity = started or dataclasses.replace(unborn, pid=child.pid)  # it may have ended already
        self._keep(launch.id, record)

    def _spawn(self, launch: runtimes.Launch, home: Path, lock: int) -> subprocess.Popen[bytes]:
        (home / "socket").unlink(missing_ok=True)
        storage = _write_storage(home / "storage.toml", command.storage_text(launch.storage))
        # the working directory is `home`, so that the length of its path does not matter
        words = command.words(launch, folder=home, socket="socket", storage=storage)
        log = logs.begin(home / "log")
        try:
            child = subprocess.Popen(
                words,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=home,
                env=command.environment(launch, self._environment, home=home),
                start_new_session=True,
                pass_fds=(lock,),
                umask=0o077,
            )
        except OSError as error:
            raise errors.LightboardError(
                f"the board process cannot be started: {error.strerror}", hint="see the free memory and disk space"
            ) from error
        finally:
            os.close(log)
        processes.limit(child.pid, launch.limits)
        return child

    async def _stop(self, board: str, grace_secs: float) -> None:
        record = await self._look(board)
        if record is not None and not record.ended:
            await self._end(board, record, grace_secs)
        self._reap(board)
        self._records.pop(board, None)
        home = self._home(board)
        for name in ("process.json", "socket", "storage.toml"):
            (home / name).unlink(missing_ok=True)

    async def _end(self, board: str, record: _Record, grace_secs: float) -> None:
        """Returns when the process has ended: SIGTERM, and after a while SIGKILL."""
        processes.send(record.identity, signal.SIGTERM)
        if not await self._has_ended(board, record, grace_secs):
            processes.send(record.identity, signal.SIGKILL)
            if not await self._has_ended(board, record, grace_secs + 10):
                raise errors.LightboardError("the board process cannot be ended", hint="its storage does not answer")

    async def _has_ended(self, board: str, record: _Record, limit_secs: float) -> bool:
        end = time.monotonic() + limit_secs
        while processes.lives(record.identity):
            if time.monotonic() >= end:
                return False
            await asyncio.sleep(CHECK_SECS)
            self._reap(board)
        return True

    # ---- observations

    async def poll(self, board: str) -> nouns.Seen:
        async with self._locks[board]:
            record = await self._look(board)
            if record is None:
                return nouns.Seen(at=self._now(), phase=nouns.Phase.ABSENT)
            logs.trim(self._home(board) / "log")
            if not record.ended and processes.memory_bytes(record.identity.pid) > record.memory_bytes:
                record.reason = runtimes.OUT_OF_MEMORY
                await self._end(board, record, 1.0)
                self._note_end(board, record)
            if record.ended:
                return self._exited(board, record)
        return await self._ask(board, record)

    async def _ask(self, board: str, record: _Record) -> nouns.Seen:
        seen = nouns.Seen(
            at=self._now(),
            phase=nouns.Phase.STARTING,
            attempt=record.attempt,
            revision=record.revision,
            message="starting",
        )
        try:
            answer = await self._get(board, "/api/activity")
            used, by = float(answer["last_use"]), str(answer["by"])
            message = "" if record.has_read else await self._reading(board, record)
        except (asking.NoAnswer, KeyError, TypeError, ValueError):
            if processes.lives(record.identity):
                return seen
            async with self._locks[board]:  # it ended while we asked
                if self._records.get(board) is not record:  # a stop ended it
                    return nouns.Seen(at=self._now(), phase=nouns.Phase.ABSENT)
                self._note_end(board, record)
                return self._exited(board, record)
        phase = nouns.Phase.ANSWERING
        return dataclasses.replace(seen, at=self._now(), phase=phase, used=used, used_by=by, message=message)

    async def _reading(self, board: str, record: _Record) -> str:
        """What the board is reading; "" if it has read everything."""
        progress = await self._progress(board)
        record.has_read = progress.phase == "ready"
        return "" if record.has_read else progress.message

    async def progress(self, board: str) -> runtimes.Progress:
        record = await self._look(board)
        if record is None or record.ended:
            return runtimes.Progress(phase="absent")
        try:
            return await self._progress(board)
        except asking.NoAnswer:
            return runtimes.Progress(phase="starting")

    async def _progress(self, board: str) -> runtimes.Progress:
        answer = await self._get(board, "/api/board?activity=0")
        try:
            return _progress_of(answer)
        except (KeyError, TypeError) as error:
            raise asking.NoAnswer("not the answer of a board") from error

    async def logs(self, board: str, *, lines: int = 200) -> list[str]:
        return await asyncio.to_thread(logs.tail, self._home(board) / "log", lines, older=True)

    async def usage(self, board: str) -> runtimes.Usage:
        record = await self._look(board)
        if record is None or record.ended:
            return runtimes.Usage()
        pid = record.identity.pid
        return runtimes.Usage(memory_bytes=processes.memory_bytes(pid), cpu_secs=processes.cpu_secs(pid))

    async def running(self) -> list[str]:
        return await asyncio.to_thread(self._running)

    def _running(self) -> list[str]:
        start = f"--index_dir={self._folder}/"
        return sorted({mark[len(start) :].partition("/")[0] for mark in processes.marks(start)})

    async def _get(self, board: str, path: str) -> Any:
        return await asking.get(self.address(board), f"/boards/{board}{path}", timeout_secs=self._answer_secs)

    def _exited(self, board: str, record: _Record) -> nouns.Seen:
        lines = logs.tail(self._home(board) / "log", EXIT_LINES)
        return nouns.Seen(
            at=self._now(),
            phase=nouns.Phase.EXITED,
            attempt=record.attempt,
            revision=record.revision,
            message="\n".join([_explained(record), *lines]),
            reason=record.reason,
            exit_code=record.code,
            permanent=record.code == WRONG_USAGE,
        )

    # ---- processes

    def _home(self, board: str) -> Path:
        return self._folder / runtimes.check_id(board)

    async def _look(self, board: str) -> _Record | None:
        if board in self._records:
            return self._find(board)  # some reads of /proc, quicker than a thread
        return await asyncio.to_thread(self._find, board)

    def _find(self, board: str) -> _Record | None:
        """Returns the last process of the board; None if there is none, or it was stopped."""
        self._reap(board)
        record = self._records.get(board)
        if record is not None and not record.ended and processes.lives(record.identity):
            return record
        found = self._adopt(board)  # another hub may have started or stopped it meanwhile
        if found is None or found.ended or processes.lives(found.identity):
            return found
        if not _is_taken(self._home(board) / "lock"):  # else another hub is starting it at this moment
            self._note_end(board, found)
        return found

    def _adopt(self, board: str) -> _Record | None:
        """Returns what `process.json` says now, or a process that it does not know yet."""
        home = self._home(board)
        known, found = self._records.pop(board, None), _read(home / "process.json", command.mark(home))
        if found is not None and known is not None and found.identity == known.identity:
            found = known  # it may know the exit code
        lost = found is None or found.ended or not processes.lives(found.identity)
        if lost and home.exists() and _is_taken(home / "lock"):
            found = self._unknown(board, found) or found
        if found is not None:
            self._records[board] = found
        return found

    def _unknown(self, board: str, before: _Record | None) -> _Record | None:
        """Finds the process of a hub that was killed before it could write the process id."""
        identity = processes.find(command.mark(self._home(board)))
        if identity is None:
            return None
        most = runtimes.Limits().memory_bytes
        record = before or _Record(identity=identity, attempt=0, revision=0, started=self._now(), memory_bytes=most)
        record = dataclasses.replace(record, identity=identity, ended=False, code=None, reason="", has_read=False)
        self._keep(board, record)
        return record

    def _reap(self, board: str) -> int | None:
        """Collect the exit code of an ended child, so that it does not stay as a zombie."""
        child = self._children.get(board)
        if child is None or child.poll() is None:
            return None
        del self._children[board]
        record = self._records.get(board)
        if record is not None and record.identity.pid == child.pid:
            record.code = child.returncode
        return child.returncode

    def _note_end(self, board: str, record: _Record) -> None:
        if board in self._children:  # its threads may end a moment after it
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._children[board].wait(1.0)
        self._reap(board)
        record.ended = True
        (self._home(board) / "storage.toml").unlink(missing_ok=True)
        self._keep(board, record)

    def _keep(self, board: str, record: _Record) -> None:
        self._records[board] = record
        path = self._home(board) / "process.json"
        with contextlib.suppress(OSError):  # a full disk: the process is found by its lock
            part = path.with_suffix(".part")
            part.write_text(json.dumps(dataclasses.asdict(record)))
            os.replace(part, path)


def _read(path: Path, mark: str) -> _Record | None:
    try:
        fields = json.loads(path.read_text())
        record = _Record(**{**fields, "identity": processes.Identity(**fields["identity"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return record if record.identity.mark == mark else None


def _take(path: Path) -> int | None:
    """Returns a locked descriptor; None if a process has it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle


def _is_taken(path: Path) -> bool:
    handle = _take(path)
    if handle is not None:
        os.close(handle)
    return handle is None


def _write_storage(path: Path, text: str) -> str:
    """Returns the path; "" if the board needs no file."""
    path.unlink(missing_ok=True)
    if not text:
        return ""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(handle, "w", encoding="utf-8") as file:
        file.write(text)
    return str(path)


def _progress_of(answer: Mapping[str, Any]) -> runtimes.Progress:
    found = answer["progress"]
    phase = "ready" if found["done"] else "reading" if found["files_total"] else "listing"
    places = [
        runtimes.Place(each["path"], each["problem"] or "", each["detail"], each["files"]) for each in answer["places"]
    ]
    counts = {name: found[name] for name in ("files_read", "files_total", "bytes_read", "bytes_total")}
    return runtimes.Progress(phase=phase, places=tuple(places), **counts)  # type: ignore[arg-type] # three literals


def _explained(record: _Record) -> str:
    if record.reason == runtimes.OUT_OF_MEMORY:
        return f"The board needed more than {record.memory_bytes >> 20:,} MiB of memory."
    if not record.identity.pid:
        return "The board process could not be started."
    if record.code is None:
        return "The board process ended. Its exit code is unknown, because an earlier hub started it."
    if record.code == -signal.SIGKILL:
        return "The board process was ended by SIGKILL, which the system sends when memory runs out."
    if record.code < 0:
        return f"The board process was ended by {_signal(-record.code)}."
    return f"The board process ended with exit code {record.code}."


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
