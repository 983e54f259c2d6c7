"""A board for a notebook: a running one that shows the same, or a new process.

The process is an ordinary `lightboard …` that continues after the kernel ends. It is identified by the file that it
writes (`lightboard.instances`); the command line checks its words, and its error messages are returned as text.
"""

from __future__ import annotations

import dataclasses
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import IO

from lightboard import errors, instances
from lightboard.notebook import surroundings as surroundings_

PATIENCE_SECS = 60.0
STOP_SECS = 10.0
POLL_SECS = 0.02
TAIL_BYTES = 4000  # maximum length of error output
OUT_BYTES = 200_000  # maximum length of the output of a command that ended

# Child processes of this kernel, kept to reap those that have ended.
_children: list[subprocess.Popen[bytes]] = []


@dataclasses.dataclass(frozen=True)
class Ended:
    """The command ended instead of serving: `--help`, another verb, or an error."""

    code: int
    out: str
    err: str


class StartsSlowly(errors.LightboardError):
    """The process runs but does not respond yet."""


def find(words: Sequence[str], around: surroundings_.Surroundings) -> instances.Instance | None:
    """Returns a running board that responds, shows the same and may be shown here."""
    wanted = instances.identity(words, os.getcwd())  # noqa: PTH109
    port = _port(words)
    for one in instances.known():
        fits = one.identity == wanted and port in ("", "0", "default", str(one.port))
        open_enough = set(around.frame_ancestors) <= set(one.frame_ancestors) and (one.any_host or not around.any_host)
        if fits and open_enough and instances.answers(one):
            return one
    return None


def start(
    words: Sequence[str], around: surroundings_.Surroundings, *, patience_secs: float = PATIENCE_SECS
) -> instances.Instance | Ended:
    """Starts a process and waits until it responds. Raises StartsSlowly at the timeout."""
    if any(word.partition("=")[0].replace("-", "_") == "__unix_socket" for word in words):
        raise errors.BadInput("a notebook cannot show a board on a Unix socket", hint="leave out `--unix_socket`")
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "lightboard", *_with_needs(words, around)],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=_environment(words, around),
            start_new_session=True,  # interrupting a cell must not stop the board
        )
        _children.append(process)
        end = time.monotonic() + patience_secs
        while process.poll() is None:
            found = next((one for one in instances.known() if one.pid == process.pid), None)
            if found is not None and instances.answers(found):
                return found
            if time.monotonic() > end:
                raise StartsSlowly(
                    f"the board does not answer after {patience_secs:.0f} seconds; its process is still there, "
                    f"pid {process.pid}{_said(out, err)}",
                    hint=f"run the cell again to look for it, or end it: `!kill {process.pid}`",
                )
            time.sleep(POLL_SECS)
        return Ended(process.returncode, _tail(out, OUT_BYTES), _tail(err))


def stop(instance: instances.Instance) -> bool:
    """Send SIGTERM; returns whether the process ended in time."""
    if not instances.is_alive(instance):
        return True
    try:
        os.kill(instance.pid, signal.SIGTERM)
    except ProcessLookupError:
        return True
    except PermissionError as error:
        raise errors.Denied(f"the process is not yours to end: pid {instance.pid}") from error
    end = time.monotonic() + STOP_SECS
    while instances.is_alive(instance):
        _reap()
        if time.monotonic() > end:
            return False
        time.sleep(POLL_SECS)
    return True


def _reap() -> None:
    _children[:] = [child for child in _children if child.poll() is None]


def _port(words: Sequence[str]) -> str:
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == "--port":
            return value if equals else (list(words[at + 1 : at + 2]) or [""])[0]
    return ""


def _with_needs(words: Sequence[str], around: surroundings_.Surroundings) -> list[str]:
    """Returns the words, and flags that the notebook's page needs, unless they were given."""
    names = {word.partition("=")[0].replace("-", "_") for word in words if word.startswith("--")}
    more = []
    serves = not words or words[0].startswith("-") or words[0] in ("serve", "demo") or os.path.exists(words[0])  # noqa: PTH110
    if serves and around.frame_ancestors and "__frame_ancestors" not in names:
        more.append("--frame_ancestors=" + ",".join(around.frame_ancestors))
    if serves and around.any_host and "__allowed_hosts" not in names:
        more.append("--allowed_hosts=*")
    return [*words, *more]


def _environment(words: Sequence[str], around: surroundings_.Surroundings) -> dict[str, str]:
    environment = {**os.environ, "LIGHTBOARD_NOTEBOOK": "1"}
    said = any(word.partition("=")[0].replace("-", "_") in ("__token", "__no_auth") for word in words)
    if around.token and not said and not environment.get("LIGHTBOARD_TOKEN"):
        environment["LIGHTBOARD_TOKEN"] = secrets.token_hex(16)
    return environment


def _said(out: IO[bytes], err: IO[bytes]) -> str:
    text = (_tail(err) or _tail(out)).strip()
    return f". It said:\n{text}" if text else ""


def _tail(file: IO[bytes], most_bytes: int = TAIL_BYTES) -> str:
    """Returns the end of the output. The process shares the file's position, which must not be moved."""
    size = os.fstat(file.fileno()).st_size
    start = max(size - most_bytes, 0)
    text = os.pread(file.fileno(), most_bytes, start).decode("utf-8", "replace")
    return text if start == 0 else "…" + text
