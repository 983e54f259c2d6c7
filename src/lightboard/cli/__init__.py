"""The `lightboard` command: parse, call, print. One module per verb.

A verb is a module of this package with `add_arguments(parser)` and `run(args, stops) -> exit code`; only the requested
verb is imported, so that the page appears sooner. `serve` is the default verb: `lightboard --logdir runs` and
`lightboard runs` are `lightboard serve --logdir runs`.

Data are written to stdout, messages to stderr. An error that the user can fix is one line `error: …`, with a `hint: …`
if we know one, and never a traceback. Exit codes: see `EXIT_CODES`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from lightboard import errors

TYPE_CHECKING = False  # importing `typing` takes longer than this module
if TYPE_CHECKING:
    from lightboard import head_start
    from lightboard.cli import stopping

VERBS = {
    "serve": "start a board (the default verb)",
    "inspect": "what is in the event files: runs, tags, points, steps, faults",
    "export": "write points to CSV, JSON lines or Parquet",
    "snapshot": "write a board as one HTML file that opens without a server",
    "doctor": "check this installation, the index and a logdir",
    "demo": "write sample logs of every kind and show them",
    "run": "run a program as a job: keeps what it prints, and gives it a board on a hub",
    "index": "list or clear the index, which makes the next start fast",
    "hub": "boards for a team: start a hub, or manage boards of one",
    "operator": "boards on Kubernetes: run the operator, or check a cluster",
    "dev": "upload logs to a hub and share them, with the verbs of tensorboard.dev",
    "login": "store a token for a hub",
    "logout": "forget the token of a hub, and revoke it",
    "completion": "print a completion script for bash, zsh or fish",
}

# Verbs that run until they are stopped.
BOARDS = ("serve", "demo", "hub", "hub demo", "operator", "dev upload")

OK, FAILED, USAGE, NO_ADDRESS, INTERRUPTED, TERMINATED = 0, 1, 2, 3, 130, 143
# of `login` and the verbs of `hub`; `client/hub_errors.py` has them, too
NOT_FOUND, FORBIDDEN, LIMIT, FAILED_START, TIMEOUT = 3, 4, 5, 6, 7
EXIT_CODES = {
    OK: "done; a board or hub was stopped by Ctrl-C or SIGTERM (`run` returns the exit code of the program)",
    FAILED: "something could not be read, written or found, or `doctor` found a problem",
    USAGE: "the command line is wrong",
    NO_ADDRESS: "a board or hub cannot listen on the address or port; verbs of `hub`: there is no such board",
    FORBIDDEN: "verbs of `hub`: no token, a wrong one, or its user may not do this",
    LIMIT: "verbs of `hub`: too many boards are active (`TensorboardLimitExceeded`)",
    FAILED_START: "verbs of `hub`: the board did not start",
    TIMEOUT: "verbs of `hub`: the board was not ready in time, or the hub did not answer in time",
    INTERRUPTED: "Ctrl-C (SIGINT) before the work was done (every verb but `serve`, `demo` and `hub`)",
    TERMINATED: "SIGTERM before the work was done (every verb but `serve`, `demo` and `hub`)",
}


def main(
    argv: Sequence[str] | None = None,
    *,
    stops: stopping.Stops | None = None,
    ahead: head_start.HeadStart | None = None,
) -> int:
    """Run the command; returns the exit code. `stops` handles signals if the process is ours (`__main__`), `ahead`
    reads already for a board."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(words, stops, ahead)
        print(end="", flush=True)  # flush now: a closed pipe is handled here, but not at exit
        return code
    except errors.BadInput as error:
        return _complain(USAGE, error.message, error.hint)
    except errors.LightboardError as error:
        return _complain(getattr(error, "exit_code", FAILED), error.message, error.hint)
    except BrokenPipeError:
        return _reader_left()
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        return _complain(FAILED, f"{error.strerror or error}{where}", "")
    except KeyboardInterrupt:
        return INTERRUPTED


def _run(words: list[str], stops: stopping.Stops | None, ahead: head_start.HeadStart | None) -> int:
    from lightboard.cli import arguments, stopping

    verb, rest = arguments.split_verb(words)
    args = arguments.parse(verb, rest)
    args.ahead = ahead
    stops = stops or stopping.NoStops()
    if verb != "run":  # it passes signals on
        stops.begin(board=verb in BOARDS and not arguments.wants_digest(args))
    return arguments.module(verb).run(args, stops)


def _complain(code: int, message: str, hint: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    if hint:
        print(f"hint: {hint}", file=sys.stderr)
    return code


def _reader_left() -> int:
    """`lightboard inspect | head`: the other program closed the pipe. Prevents an error message of Python at exit."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return OK
