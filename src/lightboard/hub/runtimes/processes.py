"""Processes that may outlive the hub: recognizing them again, signals, limits, memory (Linux: /proc).

A process id alone proves nothing, because ids are reused. A process is taken for ours if its id, its start time, the
boot of the machine with the namespace of ids, and a word of its command line are the same. A signal is sent through a
descriptor of the process that was opened before these checks, so it cannot reach another one.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

from lightboard import instances
from lightboard.hub import runtimes

SLACK_BYTES = 1 << 30  # memory that threads reserve and do not use
# The kernel ends boards before the hub when the machine has no memory left.
OOM_SCORE = 500
_TICKS_PER_SEC = os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass(frozen=True)
class Identity:
    pid: int
    start: str  # since the boot, in ticks
    boot: str
    mark: str  # a word of its command line that no other process has


def identify(pid: int, mark: str) -> Identity | None:
    """Returns None if the process has ended, or is another one.

    For a moment after its start a process has no command line yet; then its id and start time decide.
    """
    start, words = instances.process_start(pid), _words(pid)
    if start is None or (words and mark not in words):
        return None
    return Identity(pid, start, boot(), mark)


def lives(identity: Identity) -> bool:
    return identity.boot == boot() and identify(identity.pid, identity.mark) == identity


def find(mark: str) -> Identity | None:
    """Looks through all processes."""
    return next((found for pid in _pids() if mark in _words(pid) and (found := identify(pid, mark)) is not None), None)


def marks(prefix: str) -> Iterator[str]:
    """The words of all processes that begin with this text."""
    for pid in _pids():
        yield from (word for word in _words(pid) if word.startswith(prefix) and identify(pid, word) is not None)


def send(identity: Identity, number: signal.Signals) -> bool:
    """Send a signal; returns False if the process has ended."""
    try:
        handle = os.pidfd_open(identity.pid)
    except OSError:
        return False
    try:
        if not lives(identity):
            return False
        signal.pidfd_send_signal(handle, number)
        return True
    except ProcessLookupError:
        return False
    finally:
        os.close(handle)


def boot() -> str:
    """Identifies the boot and the namespace of process ids: start times are counted since the boot."""
    try:
        known = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        known = ""
    return f"{known} {os.readlink('/proc/self/ns/pid')}"  # noqa: PTH115


def memory_bytes(pid: int) -> int:
    """Returns anonymous memory, swapped or not; 0 if the process has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return sum(int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "VmSwap") if name in fields)


def cpu_secs(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS_PER_SEC


def limit(pid: int, limits: runtimes.Limits) -> None:
    """Set from outside: code that runs between fork and exec is unsafe in a program with threads."""
    most = limits.memory_bytes + SLACK_BYTES
    _set_limit(pid, resource.RLIMIT_NOFILE, limits.open_files)
    _set_limit(pid, resource.RLIMIT_DATA, most)
    _set_limit(pid, resource.RLIMIT_CORE, 0)  # a core file would contain secrets
    with contextlib.suppress(OSError):  # it has ended
        os.setpriority(os.PRIO_PGRP, pid, os.getpriority(os.PRIO_PROCESS, 0) + limits.nice)
        Path(f"/proc/{pid}/oom_score_adj").write_text(str(OOM_SCORE))


def _set_limit(pid: int, kind: int, most: int) -> None:
    """A limit cannot be raised above that of the hub."""
    hard = resource.getrlimit(kind)[1]
    value = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(OSError):  # it has ended
        resource.prlimit(pid, kind, (value, value))


def _pids() -> Iterator[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdecimal())


def _words(pid: int) -> list[str]:
    try:
        text = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return []
    return text.split("\0") if text else []
