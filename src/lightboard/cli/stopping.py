"""What SIGINT and SIGTERM do to the process of the command.

    until the verb is known          they stay pending: blocked by the program `lightboard` (native/launcher) before
                                     Python starts, or by the first statement of `__main__.main`
    then                             they end the process at once; a native thread does it, whatever Python is doing
    once a board serves              they are passed to the event loop: running requests are finished, the index is
                                     saved. After `STOP_SECS`, or at a second signal, the process ends without waiting

Ending at once is safe, because everything on disk must survive a kill anyway: a file is complete or is not used.
Files to delete at the end are registered with `remove`. A child process would inherit the blocked signals; none is
started here.

`python -m lightboard` has a short time before any code of an installed package can run: then SIGTERM
kills, and SIGINT kills or raises KeyboardInterrupt while Python imports `site`. Of 269 SIGINTs in that time, on a
busy machine, 164 printed a traceback and one was lost, because it was raised in a callback of the import system. So
the command is a program that starts Python with the signals blocked. It need not search for the interpreter: it runs
the script that pip writes beside it, in an environment, for a user, or editable.

If another program calls `cli.main`, it gets `Stops` that do nothing: there the signals belong to that program.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from lightboard import cli

if TYPE_CHECKING:
    from lightboard import _native

# Maximum time from a signal to the end of the process: below a second, with a margin for a busy machine.
STOP_SECS = 0.8
# A signal is the normal end of a board; other verbs are interrupted by it, and fail.
BOARD_CODES = (cli.OK, cli.OK)
WORK_CODES = (cli.INTERRUPTED, cli.TERMINATED)


class Stops:
    """State: `begin` sets `_native`, if the process is ours."""

    def __init__(self) -> None:
        self._native: _native.Stops | None = None

    def begin(self, *, board: bool) -> None:
        """Handle signals from now on; `board`: with the exit codes of a board."""
        try:
            from lightboard import _native

            self._native = _native.Stops(*(BOARD_CODES if board else WORK_CODES))
        except ImportError:  # `doctor` reports it
            _let_the_system_end_us()

    def remove(self, path: str) -> None:
        """Remove this file, or this directory with all that is in it, if a signal ends the process."""
        if self._native is not None:
            self._native.remove_at_end(path)

    def hand_over(self, secs: float = STOP_SECS) -> int | None:
        """Returns a descriptor that becomes readable at the first signal; None if signals are not ours. The process
        ends `secs` after it, whatever it does."""
        return None if self._native is None else self._native.hand_over(secs)

    @property
    def came(self) -> bool:
        """Whether a signal came after `hand_over`."""
        return self._native is not None and self._native.came

    def leave(self, code: int) -> int:
        """End the process. After a signal, do not wait for threads as the interpreter would."""
        if self.came:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        return code


class NoStops(Stops):
    """For programs that call `cli.main`."""

    def begin(self, *, board: bool) -> None:
        pass


def _let_the_system_end_us() -> None:
    import signal

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGINT, signal.SIGTERM))
