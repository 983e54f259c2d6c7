"""The process of the command: `lightboard` and `python -m lightboard`.

The first thing done is to block SIGINT and SIGTERM: from then on they wait until somebody can obey them
(`cli/stopping.py`), and nothing raises KeyboardInterrupt in the middle of an import.
"""

from __future__ import annotations

# what `signal` is made of, without its import of `enum`, during which Ctrl-C would still print a traceback
import _signal  # type: ignore[import-not-found]
import sys


def main() -> int:
    if hasattr(_signal, "pthread_sigmask"):
        _signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGINT, _signal.SIGTERM))
    from lightboard import cli
    from lightboard.cli import stopping

    stops = stopping.Stops()
    return stops.leave(cli.main(stops=stops))


if __name__ == "__main__":
    sys.exit(main())
