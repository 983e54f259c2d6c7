"""The caller's terminal, and the pseudo-terminal that a job gets in its place."""

from __future__ import annotations

import contextlib
import fcntl
import os
import termios
from typing import Any

# members of the list that `tcgetattr` returns
_INPUT, _OUTPUT, _LOCAL = 0, 1, 3


def opened(like: int) -> tuple[int, int]:
    """A pseudo-terminal (our end, the job's) with the size and settings of the terminal `like`. Line ends stay as the
    job writes them: the caller's terminal changes them, and the console file has them plain."""
    ours, theirs = os.openpty()
    with contextlib.suppress(termios.error):
        settings = termios.tcgetattr(like)
        settings[_OUTPUT] &= ~termios.ONLCR
        termios.tcsetattr(theirs, termios.TCSANOW, settings)
    copy_size(like, ours)
    for each in (ours, theirs):
        os.set_inheritable(each, False)
    return ours, theirs


def copy_size(source: int, target: int) -> None:
    with contextlib.suppress(OSError):
        size = fcntl.ioctl(source, termios.TIOCGWINSZ, bytes(8))
        fcntl.ioctl(target, termios.TIOCSWINSZ, size)


def is_foreground(descriptor: int) -> bool:
    """Whether we may read it and change its settings: a job in the background of a shell may not."""
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:
        return False


def pass_keys_on(descriptor: int) -> list[Any]:
    """Every key reaches the job as it is, also Ctrl-C; its pseudo-terminal makes signals of them. Returns the settings
    from before."""
    before = termios.tcgetattr(descriptor)
    settings = termios.tcgetattr(descriptor)
    settings[_INPUT] &= ~(
        termios.BRKINT | termios.ICRNL | termios.INLCR | termios.IGNCR | termios.INPCK | termios.ISTRIP | termios.IXON
    )
    settings[_LOCAL] &= ~(termios.ECHO | termios.ECHONL | termios.ICANON | termios.IEXTEN | termios.ISIG)
    termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
    return before


def restore(descriptor: int, settings: list[Any]) -> None:
    with contextlib.suppress(termios.error):
        termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
