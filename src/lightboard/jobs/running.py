"""The process of `lightboard run`: prepares, forks the guard, passes keys and signals on, returns the exit code.

Nothing here talks to the hub. If the guard is killed, this process takes its place.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import select
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lightboard.jobs import facts, guard, relay, spool, terminal

# How long the end of the command waits until the hub knows the end of the job, if the hub answered before.
TOLD_SECS = 3.0
PASSED_ON = ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGWINCH", "SIGCONT", "SIGTSTP")
LOGDIR_VARIABLES = (
    "LIGHTBOARD_LOGDIR",
    "PAI_OUTPUT_TENSORBOARD",
    "TENSORBOARD_LOGDIR",
    "TENSORBOARD_LOGGING_DIR",  # Transformers
)
HOOK = Path(__file__).parent / "hook"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Wanted:
    """What the user asked for."""

    command: list[str]
    name: str
    logdir: str  # absolute path, or an address
    hub: str  # "": none is configured
    insecure: bool = False
    workspace: str = ""
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict)
    board: str = "own"
    board_label: str = ""
    figures: bool = True
    hook: bool = True
    quiet: bool = False


def run(wanted: Wanted) -> int:
    """Returns the exit code of the job; 128 + n if signal n ended it."""
    if "://" not in wanted.logdir:
        Path(wanted.logdir).mkdir(parents=True, exist_ok=True)
    kept = spool.Spool.create(wanted.name, _registration(wanted), wanted.hub, wanted.insecure)
    _announce(wanted, kept)
    ignored = tuple(
        int(number) for name in PASSED_ON if signal.getsignal(number := getattr(signal, name)) is signal.SIG_IGN
    )
    plan = _plan(wanted, ignored)
    return Command(plan, kept, quiet=wanted.quiet).run()


def _registration(wanted: Wanted) -> dict[str, Any]:
    directory = str(Path.cwd())
    made = {
        "name": wanted.name,
        "workspace": wanted.workspace,
        "logdir": wanted.logdir,
        "labels": dict(wanted.labels),
        "board": wanted.board,
        "board_label": wanted.board_label,
        **facts.of_command(wanted.command, directory),
    }
    return {name: value for name, value in made.items() if value not in ("", None)}


def environment(logdir: str, *, hook: bool) -> dict[str, str]:
    """Of the job: where to write event files, and the hook for writers that were told nothing."""
    made = dict(os.environ)
    made.update(dict.fromkeys(LOGDIR_VARIABLES, logdir))
    if hook:
        before = made.get("PYTHONPATH", "")
        made["PYTHONPATH"] = f"{HOOK}{os.pathsep}{before}" if before else str(HOOK)
    return made


def _plan(wanted: Wanted, ignored: tuple[int, ...]) -> guard.Plan:
    """A pseudo-terminal stands for every stream that is a terminal; the others are pipes."""
    ttys = [os.isatty(each) for each in (0, 1, 2)]
    ours = theirs = tty = None
    if ttys[1] or ttys[2]:
        tty = 1 if ttys[1] else 2
        ours, theirs = terminal.opened(tty)
    streams, ends = [], []
    for target in (1, 2):
        if ttys[target]:
            assert ours is not None and theirs is not None and tty is not None
            streams.append(guard.Stream(ours, tty, terminal=True))
            ends.append(theirs)
        else:
            source, end = os.pipe()
            relay.widen(source)
            streams.append(guard.Stream(source, target, terminal=False))
            ends.append(end)
    settings = None
    stdin = 0
    if ttys[0] and theirs is not None and terminal.is_foreground(0):
        stdin = theirs
        settings = terminal.pass_keys_on(0)
    return guard.Plan(
        command=wanted.command,
        environment=environment(wanted.logdir, hook=wanted.hook),
        stdin=stdin,
        stdout=ends[0],
        stderr=ends[1],
        streams=tuple(streams),
        pty=ours,
        tty=tty,
        settings=settings,
        ignored=ignored,
        logdir=wanted.logdir,
        figures=wanted.figures,
        hub=wanted.hub,
        quiet=wanted.quiet,
    )


class Command:
    """State: the pipes to and from the guard, its process, and what it said."""

    def __init__(self, plan: guard.Plan, kept: spool.Spool, *, quiet: bool) -> None:
        self._plan, self._spool, self._quiet = plan, kept, quiet
        self._guard = 0
        self._end: dict[str, Any] | None = None
        self._told = not plan.hub
        self._text = b""

    def run(self) -> int:
        try:
            return self._run()
        finally:
            if self._plan.settings is not None:
                terminal.restore(0, self._plan.settings)

    def _run(self) -> int:
        # before signals arrive; numbers of signals go into the pipe as bytes
        control_out, control_in = os.pipe()
        status_out, status_in = os.pipe()
        os.set_blocking(control_in, False)
        guard.take_over()
        sys.stdout.flush()
        sys.stderr.flush()
        self._guard = os.fork()
        if self._guard == 0:
            os.close(control_in)
            os.close(status_out)
            _guard_main(self._plan, self._spool, control_out, status_in)
        os.close(status_in)
        for each in {self._plan.stdout, self._plan.stderr, self._plan.stdin} - {0, 1, 2}:
            os.close(each)
        _take_signals(control_in, self._plan.ignored)
        self._wait(status_out)
        if self._end is None:
            self._replace_guard(control_out)
        return self._exit_code()

    def _wait(self, status: int) -> None:
        """Until the guard says how the job ended, and a little longer for the hub; or the guard is gone."""
        keys = self._plan.settings is not None
        until: float | None = None
        while until is None or (time.monotonic() < until and not self._told):
            waiting = [status, *([0] if keys and until is None else [])]
            try:
                readable, _, _ = select.select(waiting, [], [], None if until is None else until - time.monotonic())
            except InterruptedError:
                continue
            if 0 in readable:
                keys = self._pass_keys_on()
            if status in readable:
                data = os.read(status, 65536)
                if not data:
                    return
                self._hear(data)
                if self._end is not None and until is None:
                    until = time.monotonic() + (TOLD_SECS if spool.Spool(self._spool.folder).state.hub_id else 0.0)

    def _pass_keys_on(self) -> bool:
        assert self._plan.pty is not None
        try:
            data = os.read(0, 4096)
            if data:
                relay.write_all(self._plan.pty, data)
            return bool(data)
        except OSError:
            return False

    def _hear(self, data: bytes) -> None:
        *lines, self._text = (self._text + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "close" in message:
                os.close(message["close"])
            if "ended" in message:
                self._end = message
            self._told = self._told or bool(message.get("told"))

    def _replace_guard(self, control: int) -> None:
        """The guard was killed. Its state is in the spool, the job is our child now."""
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._guard, 0)
        self._spool = spool.Spool(self._spool.folder)
        if not self._spool.state.pid:
            raise SystemExit("lightboard: the process that starts the job was killed")
        status_out, status_in = os.pipe()
        os.set_blocking(status_in, False)
        if self._spool.state.ended is None:
            guard.Guard(self._plan, self._spool, control, status_in).follow()
        self._end = dataclasses.asdict(self._spool.state)
        os.close(status_out)

    def _exit_code(self) -> int:
        assert self._end is not None
        if self._end["message"]:
            _say(self._end["message"])
        kept = spool.Spool(self._spool.folder).state
        if kept.refusal and not self._quiet and not os.isatty(2):
            _say(f"the hub refused the job: {kept.refusal}")
        if self._end["signal"]:
            number = getattr(signal, self._end["signal"], None)
            return 128 + (int(number) if number is not None else int(self._end["signal"].removeprefix("SIG")))
        return int(self._end["exit_code"] if self._end["exit_code"] is not None else 1)


def _guard_main(plan: guard.Plan, kept: spool.Spool, control: int, status: int) -> None:
    """In the guard. Never returns."""
    code = 0
    try:
        os.setsid()
        # after a fork of the command: its threads and handlers are not ours
        for name in PASSED_ON:
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        made = guard.Guard(plan, kept, control, status)
        if made.start():
            made.follow()
        else:
            made.finish_failed_start()
    except BaseException:
        import traceback

        code = 1
        with contextlib.suppress(OSError):
            (kept.folder / "guard-error.txt").write_text(traceback.format_exc(), encoding="utf-8")
    finally:
        os._exit(code)


def _take_signals(pipe: int, ignored: tuple[int, ...]) -> None:
    """Numbers of signals are written into the pipe, whatever Python does at the moment."""

    def noticed(number: int, _: object) -> None:
        if number == signal.SIGTSTP:
            os.kill(os.getpid(), signal.SIGSTOP)

    signal.set_wakeup_fd(pipe, warn_on_full_buffer=False)
    for name in PASSED_ON:
        number = getattr(signal, name)
        if number not in ignored:
            signal.signal(number, noticed)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _announce(wanted: Wanted, kept: spool.Spool) -> None:
    if wanted.quiet:
        return
    where = f"hub {wanted.hub}" if wanted.hub else f"no hub is configured; it is kept on this machine: {kept.folder}"
    _say(f"{wanted.name}: event files go to {wanted.logdir}; {where}")


def _say(text: str) -> None:
    with contextlib.suppress(OSError):
        sys.stderr.write(f"lightboard: {text}\n")
        sys.stderr.flush()
