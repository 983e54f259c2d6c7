"""Questions on the terminal. What is typed for a password is not shown, and the terminal is set back in every case.

A signal ends the process from another thread (`stopping`), so that no `finally` runs. While the terminal does not echo,
signals are therefore passed to us: the terminal is set back, then the process ends.
"""

from __future__ import annotations

import os
import sys
import time

from lightboard import errors
from lightboard.cli import stopping


def has_terminal() -> bool:
    return sys.stdin.isatty()


def ask(question: str) -> str:
    """Asks on stderr, because stdout is for data. Returns the line without outer spaces."""
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def ask_secretly(question: str, stops: stopping.Stops) -> str:
    """The same for a password or token. Raises errors.BadInput if nothing is typed."""
    import select

    try:
        import termios
    except ImportError:  # Windows
        import getpass

        return getpass.getpass(question)
    number = sys.stdin.fileno()
    stopped = stops.hand_over()
    before = termios.tcgetattr(number)
    silent = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    print(question, end="", file=sys.stderr, flush=True)
    try:
        termios.tcsetattr(number, termios.TCSAFLUSH, silent)
        ready, _, _ = select.select([number, *([] if stopped is None else [stopped])], [], [])
        line = b"" if stopped in ready else os.read(number, 4096)
    finally:
        termios.tcsetattr(number, termios.TCSAFLUSH, before)
        print(file=sys.stderr, flush=True)
    if stopped is not None and stopped in ready:
        time.sleep(stopping.STOP_SECS * 2)  # the other thread ends the process meanwhile
    text = line.decode("utf-8", "replace").strip()
    if not text:
        raise errors.BadInput("nothing was typed")
    return text


def first_line_of_stdin(what: str) -> str:
    """For scripts: `… | lightboard login URL --token -`."""
    line = sys.stdin.readline().strip()
    if not line:
        raise errors.BadInput(f"stdin has no {what}")
    return line
