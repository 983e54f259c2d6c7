"""The parent of a job. It has a session of its own, so it outlives the command, its terminal and its process group.

    job ─▶ relays ─▶ console file, caller           (threads)
    command ─▶ control pipe: numbers of signals ─▶ the job's process group
    hub ─▶ sender: orders ─▶ the same
    exit ─▶ state file ─▶ status pipe ─▶ command;   sender ─▶ hub

If the guard is killed, the command takes its place with the same class: the job becomes its child, because the command
is the subreaper.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import signal
import sys
import threading
import time
from typing import Any

from lightboard.jobs import relay, spool, terminal

# A job that ended may have children that print on. The command does not wait for them longer than this.
DRAIN_SECS = 0.5
# The end is told to the hub for so long; what is left then is sent by the next `lightboard run`.
LINGER_SECS = 60.0


@dataclasses.dataclass(frozen=True)
class Stream:
    """What the job writes to: our end, and the caller's descriptor that it is copied to."""

    source: int
    target: int
    terminal: bool


@dataclasses.dataclass(frozen=True, kw_only=True)
class Plan:
    """Everything about a job that is decided before it starts."""

    command: list[str]
    environment: dict[str, str]
    stdin: int  # the job's ends of pipes or the pseudo-terminal
    stdout: int
    stderr: int
    streams: tuple[Stream, ...]
    pty: int | None  # our end
    tty: int | None  # the caller's terminal, for its size
    settings: list[Any] | None  # of the caller's terminal before we changed it
    ignored: tuple[int, ...]  # signals that the caller ignores, as `nohup` does
    logdir: str
    figures: bool
    hub: str
    quiet: bool


class Guard:
    """State: the job's process, the relays, and under `_lock` whether it was reaped: signals are sent only before."""

    def __init__(self, plan: Plan, kept: spool.Spool, control: int, status: int) -> None:
        self._plan, self._spool, self._control, self._status = plan, kept, control, status
        self._lock = threading.Lock()
        self._reaped = False
        self._has_caller = True
        self._relays: list[relay.Relay] = []
        self._ended = threading.Event()
        self._wakes, self._wake = os.pipe()  # ends the wait for signals
        self._kills_before = _oom_kills()

    # -- the job

    def start(self) -> bool:
        """False: it could not be started; the state says why."""
        plan = self._plan
        failed, fails = os.pipe()
        pid = os.fork()
        if pid == 0:
            _become(plan, fails)
        os.close(fails)
        for each in {plan.stdout, plan.stderr, plan.stdin} - {0, 1, 2}:
            os.close(each)
        error = b""
        while chunk := os.read(failed, 1000):
            error += chunk
        os.close(failed)
        now = time.time()
        if error:
            os.waitpid(pid, 0)
            self._reaped = True
            code, _, text = error.decode("utf-8", "replace").partition(" ")
            self._spool.change(started=now, ended=now, exit_code=int(code), message=text, closed=True)
            self._ended.set()
            return False
        self._spool.change(pid=pid, started=now)
        return True

    def follow(self) -> None:
        """Copies, passes signals on and reaps, until the job has ended and said everything."""
        console = relay.Console(self._spool)
        # a pseudo-terminal may stand for both streams
        for each in {stream.source: stream for stream in self._plan.streams}.values():
            self._relays.append(
                relay.Relay(
                    each.source,
                    each.target,
                    console,
                    terminal=each.terminal,
                    has_caller=lambda: self._has_caller,
                    closed=lambda source: self._tell({"close": source}),
                )
            )
        for made in self._relays:
            made.thread.start()
        self._tell({"pid": self._spool.state.pid})
        helpers = self._helpers()
        reaper = threading.Thread(target=self._reap, name="reaper", daemon=True)
        reaper.start()
        self._pass_signals_on()
        reaper.join()
        self._drain(DRAIN_SECS)
        self._tell(dataclasses.asdict(self._spool.state))
        for made in self._relays:
            made.thread.join()
        console.close()
        self._spool.change(closed=True)
        _leave_caller()
        for helper in helpers:
            helper.join()
        self._tell({"told": self._spool.state.told})

    def finish_failed_start(self) -> None:
        self._tell(dataclasses.asdict(self._spool.state))
        _leave_caller()
        for helper in self._helpers():
            helper.join()

    def _helpers(self) -> list[threading.Thread]:
        """Threads that nothing waits for but the end of this process."""
        from lightboard.jobs import sender

        made: list[threading.Thread] = []
        if self._spool.state.ended is None and (self._plan.figures or self._plan.logdir):
            from lightboard.jobs import figures

            watching = figures.Watching(self._spool, self._plan.logdir, figures=self._plan.figures, ended=self._ended)
            made.append(threading.Thread(target=watching.run, name="figures", daemon=True))
        if self._plan.hub:
            sending = sender.Sender(
                self._spool, stop=self.stop, ended=self._ended, linger_secs=LINGER_SECS, say=self._say
            )
            made.append(threading.Thread(target=sending.run, name="sender", daemon=True))
        else:
            made.append(threading.Thread(target=sender.record_git, args=(self._spool,), name="git", daemon=True))
        for each in made:
            each.start()
        return made

    # -- signals

    def stop(self, grace_secs: float) -> None:
        """SIGTERM, then SIGKILL."""
        self.signal(signal.SIGTERM)
        if not self._ended.wait(grace_secs):
            self.signal(signal.SIGKILL)

    def signal(self, number: int) -> None:
        with self._lock:
            if not self._reaped:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self._spool.state.pid, number)

    def _pass_signals_on(self) -> None:
        """Until the command or the job has ended."""
        while not self._ended.is_set():
            readable, _, _ = select.select([self._control, self._wakes], [], [])
            if self._control not in readable:
                continue
            numbers = os.read(self._control, 64)
            if not numbers:  # the command was killed; the job runs on
                self._has_caller = False
                if self._plan.settings is not None and self._plan.tty is not None:
                    terminal.restore(self._plan.tty, self._plan.settings)
                return
            for number in numbers:
                self._pass_on(number)

    def _pass_on(self, number: int) -> None:
        if number == signal.SIGWINCH:
            if self._plan.pty is not None and self._plan.tty is not None:
                terminal.copy_size(self._plan.tty, self._plan.pty)
                self.signal(number)
        elif number == signal.SIGTSTP:  # a group without a shell cannot be stopped by it
            self.signal(signal.SIGSTOP)
        else:
            self.signal(number)

    # -- the end

    def _reap(self) -> None:
        pid = self._spool.state.pid
        # the zombie keeps the process id until we know that nobody signals it any more
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        with self._lock:
            self._reaped = True
            _, status = os.waitpid(pid, 0)
        killed = os.WIFSIGNALED(status)
        number = os.WTERMSIG(status) if killed else 0
        out_of_memory = number == signal.SIGKILL and _oom_kills() > self._kills_before
        self._drain(DRAIN_SECS / 2)  # so that the console is complete when the hub hears of the end
        self._spool.change(
            ended=time.time(),
            exit_code=None if killed else os.WEXITSTATUS(status),
            signal=_signal_name(number) if killed else "",
            out_of_memory=out_of_memory,
        )
        self._ended.set()
        os.write(self._wake, b"0")

    def _drain(self, secs: float) -> None:
        """Until the relays are at the end; children of the job may keep their streams open."""
        until = time.monotonic() + secs
        for each in self._relays:
            seen = -1
            while each.thread.is_alive() and (time.monotonic() < until or each.seen != seen):
                seen = each.seen
                each.thread.join(0.05)

    def _tell(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # the command is gone
            os.write(self._status, json.dumps(message).encode() + b"\n")

    def _say(self, text: str) -> None:
        """A line on the caller's stderr, if that is a terminal: elsewhere it belongs to the job."""
        if not self._plan.quiet and self._has_caller and not self._ended.is_set() and os.isatty(2):
            with contextlib.suppress(OSError):
                os.write(2, f"lightboard: {text}\r\n".encode())


def _become(plan: Plan, fails: int) -> None:
    """In the child: the job. Never returns."""
    code, text = 126, ""
    try:
        os.setsid()
        if plan.pty is not None and plan.stdin != 0:
            import fcntl
            import termios

            fcntl.ioctl(plan.stdin, termios.TIOCSCTTY, 0)
        for number in range(1, signal.NSIG):
            with contextlib.suppress(OSError, ValueError):
                signal.signal(number, signal.SIG_IGN if number in plan.ignored else signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        for source, target in ((plan.stdin, 0), (plan.stdout, 1), (plan.stderr, 2)):
            os.dup2(source, target)  # also the inheritable copy of 0 if it stays
        os.set_inheritable(fails, False)
        os.execvpe(plan.command[0], plan.command, plan.environment)
    except FileNotFoundError:
        code, text = 127, f"command not found: {plan.command[0]}"
    except OSError as error:
        text = f"cannot run {plan.command[0]}: {error.strerror}"
    finally:
        with contextlib.suppress(OSError):
            os.write(fails, f"{code} {text}".encode())
        os._exit(code)


def _leave_caller() -> None:
    """Who reads what we print gets the end of it, even if we have something left to tell the hub."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for each in (0, 1, 2):
        os.dup2(nothing, each)
    os.close(nothing)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def _oom_kills() -> int:
    """How many processes the kernel killed for want of memory: in our control group, else on the machine."""
    for path in (_memory_events(), "/proc/vmstat"):
        with contextlib.suppress(OSError, ValueError), open(path, encoding="ascii") as file:
            for line in file:
                name, _, number = line.partition(" ")
                if name == "oom_kill":
                    return int(number)
    return 0


def _memory_events() -> str:
    with contextlib.suppress(OSError, IndexError), open("/proc/self/cgroup", encoding="ascii") as file:
        for line in file:
            if line.startswith("0::"):
                return f"/sys/fs/cgroup{line[3:].strip()}/memory.events"
    return os.devnull


def take_over() -> None:
    """Children of the guard become ours if it dies. Linux only; elsewhere the job's exit code is lost then."""
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
