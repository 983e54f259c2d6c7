"""The process of the command: `lightboard` and `python -m lightboard`.

This module first blocks SIGINT and SIGTERM. They stay pending until code can handle them (`cli/stopping.py`), and no
import is interrupted by KeyboardInterrupt.
"""

from __future__ import annotations

# `_signal` is the core of `signal` without its import of `enum`, during which Ctrl-C would still print a traceback
import _signal  # type: ignore[import-not-found]
import sys


def main() -> int:
    if hasattr(_signal, "pthread_sigmask"):
        _signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGINT, _signal.SIGTERM))
    from lightboard import head_start

    ahead = head_start.guess(sys.argv[1:])
    from lightboard import cli
    from lightboard.cli import stopping

    stops = stopping.Stops()
    return stops.leave(cli.main(stops=stops, ahead=ahead))


if __name__ == "__main__":
    sys.exit(main())
