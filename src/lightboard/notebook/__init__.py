"""Lightboard in a notebook.

    %load_ext lightboard
    %lightboard --logdir logs --height 600         any flag of the command line; finds a board that runs already
    %lightboard --hub https://boards.example.org s3://logs/resnet     a board of a hub, made or found there
    %lightboard list
    %lightboard stop                               or stop 6006, or stop all

and the same as functions: `start`, `show_managed` (which is `lightboard.hub.notebook`), `display`, `list`, `stop`.
`enable` (`lightboard.enable`) shows the logs of this notebook, on a hub if one is configured. `answer_to_tensorboard()`
makes `%tensorboard` start Lightboard. Errors are printed in a line or two, never as a stack trace.

`surroundings` detects where the notebook is shown, `starting` finds or starts the process, `managed` does it on a hub,
`digest` requests the numbers of the picture, `output` makes the output of the cell, `own_logs` finds the log directory
if none is named, `launcher` is the entry of JupyterLab's launcher. IPython is imported when something is displayed or
registered.
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from lightboard import client, errors, instances, picture
from lightboard.notebook import digest as digest_
from lightboard.notebook import managed, output, own_logs, starting
from lightboard.notebook import surroundings as surroundings_

__all__ = [
    "answer_to_tensorboard",
    "display",
    "enable",
    "list",
    "load_ipython_extension",
    "show_managed",
    "start",
    "stop",
]

# Outputs of this notebook: session of the board → display id → height and theme. At a stop, a picture replaces them.
_shown: dict[str, dict[str, tuple[int, str]]] = {}


# ---- functions


def start(arguments: str | Sequence[str] = (), *, height: int | None = None, theme: str = "") -> None:
    """Show a board: a running one with the same arguments, or a new one. `arguments` are those of `lightboard`."""
    _tell_errors(_start, arguments, height, theme)


def show_managed(
    logs: str = "",
    *,
    hub: str | None = None,
    board: str = "",
    name: str = "",
    workspace: str = "",
    height: int | None = None,
    theme: str = "",
    timeout: float = managed.Wanted.timeout_secs,
) -> None:
    """Show a board of a hub: of the address `logs`, created if there is none yet, or the `board` of a name, id or link.

    `hub` is by default that of LIGHTBOARD_HUB or of the last `lightboard login`; so is the token.
    """
    wanted = managed.Wanted(
        hub=hub or "", logs=str(logs), board=board, name=name, workspace=workspace, timeout_secs=timeout
    )
    _tell_errors(_show_managed, wanted, height, theme)


def enable(logdir: str | os.PathLike[str] = "", *, height: int | None = None, theme: str = "") -> None:
    """Show the logs of this notebook: on the hub that is configured, if it can read them, otherwise on this machine.

    Without `logdir`: LIGHTBOARD_LOGDIR, PAI_OUTPUT_TENSORBOARD or TENSORBOARD_LOGDIR, then `runs` or `logs` here.
    """
    _tell_errors(_enable, os.fspath(logdir) or own_logs.find(), height, theme)


def display(port: int | None = None, *, height: int | None = None, theme: str = "") -> None:
    """Show a running board again; without a port the one started last."""
    _tell_errors(_display, port, height, theme)


def list() -> None:
    """Print the running boards."""
    found = [one for one in instances.known() if instances.answers(one)]
    if not found:
        print("No board is running.")
    for one in found:
        about = f"pid {one.pid}, started {_ago(one.started)} in {one.directory}"
        print(f"port {one.port}: {instances.command(one)}  ({about})")


def stop(port: int | str | None = None) -> None:
    """Stop the board on a port; "all": every board started by a notebook; None: the one this notebook shows."""
    _tell_errors(_stop, port)


def answer_to_tensorboard(shell: Any = None) -> None:
    """Make `%tensorboard` the same as `%lightboard` in this notebook."""
    _tell_errors(lambda: (shell or _shell()).register_magic_function(_magic, "line", "tensorboard"))


def load_ipython_extension(shell: Any) -> None:
    """Called by `%load_ext lightboard`."""
    shell.register_magic_function(_magic, "line", "lightboard")


# ---- the magic


def _magic(line: str) -> None:
    """Show a board below this cell: `%lightboard --logdir logs`.

    `%lightboard --hub URL s3://logs/resnet` shows a board of a hub.
    All flags of the `lightboard` command, and --height PIXELS, --theme light|dark|auto.
    `%lightboard list` prints the boards that run, `%lightboard stop [PORT|all]` ends them,
    `%lightboard display [PORT]` shows one again.
    """
    _tell_errors(_obey, line)


def _obey(line: str) -> None:
    words = _words(line)
    verb = words[0] if words else ""
    if verb == "list" and len(words) == 1:
        list()
    elif verb == "stop" and len(words) <= 2:
        _stop(words[1] if len(words) == 2 else None)
    elif verb == "display":
        rest, height, theme = _own_flags(words[1:])
        _display(_port_number(rest[0]) if rest else None, height, theme)
    else:
        _start(words, None, "")


def _words(line: str) -> Sequence[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise errors.BadInput(f"cannot read the line, {str(error).lower()}: {line}") from error


def _own_flags(words: Sequence[str]) -> tuple[Sequence[str], int | None, str]:
    """Removes `--height` and `--theme`, which are for the notebook; the other words are for the command."""
    rest, found = [], {"--height": "", "--theme": ""}
    waiting = ""
    for word in words:
        name, equals, value = word.partition("=")
        if waiting:
            found[waiting], waiting = word, ""
        elif name in found and equals:
            found[name] = value
        elif name in found:
            waiting = name
        else:
            rest.append(word)
    if waiting:
        raise errors.BadInput(f"`{waiting}` needs a value")
    height = found["--height"]
    if height and not (height.isdecimal() and int(height) > 0):
        raise errors.BadInput(f"`--height {height}` is no number of pixels")
    return rest, int(height) if height else None, found["--theme"]


def _tell_errors(function: Callable[..., None], *arguments: Any) -> None:
    try:
        function(*arguments)
    except errors.LightboardError as error:
        hint = _hint(error)
        print(f"error: {error.message}" + (f"\nhint: {hint}" if hint else ""), file=sys.stderr)
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)


def _hint(error: errors.LightboardError) -> str:
    if isinstance(error, client.TensorboardLimitExceeded) and error.boards:
        return f"{error.hint}; `lightboard.hub.TensorBoard({error.boards[0]['id']!r}).stop()` stops the first"
    return error.hint


# ---- implementation


def _start(arguments: str | Sequence[str], height: int | None, theme: str) -> None:
    words, own_height, own_theme = _own_flags(_words(arguments) if isinstance(arguments, str) else [*arguments])
    height, theme = height or own_height, _theme(theme or own_theme)
    wanted = managed.maybe_wanted(words)
    if wanted is not None:
        _show_managed(wanted, height, theme)
        return
    around = surroundings_.look()
    found = starting.find(words, around)
    if found is not None:
        print(
            f"Showing the board on port {found.port} (pid {found.pid}) that was started {_ago(found.started)}. "
            f"`%lightboard stop {found.port}` ends it."
        )
    else:
        made = starting.start(words, around)
        if isinstance(made, starting.Ended):
            _tell_end(made)
            return
        found = made
    _show(found, around, height, theme)


def _show_managed(wanted: managed.Wanted, height: int | None, theme: str) -> None:
    made = output.hub_bundle(managed.open_board(wanted), height=height or output.HEIGHT, theme=_theme(theme))
    _ipython().display.display(made, raw=True)


def _enable(logdir: str, height: int | None, theme: str) -> None:
    if managed.is_configured():
        try:
            _show_managed(managed.Wanted(logs=logdir), height, theme)
            return
        except client.HubError as error:
            print(f"The hub does not show these logs, so this machine does: {error}")
    _start([logdir], height, theme)


def _tell_end(ended: starting.Ended) -> None:
    """Prints the output of a command that ended; other verbs and `--help` end with success."""
    if ended.out:
        print(ended.out, end="")
    if ended.code != 0 and not ended.err:
        print(f"error: the board ended at once, without a word (exit code {ended.code})", file=sys.stderr)
    elif ended.code != 0:
        print(f"{ended.err.rstrip()}\n(exit code {ended.code})", file=sys.stderr)
    elif ended.err:
        print(ended.err, end="", file=sys.stderr)


def _display(port: int | None, height: int | None, theme: str) -> None:
    chosen = [one for one in instances.known() if port in (None, one.port) and instances.answers(one)]
    if not chosen:
        raise errors.NotFound(_none_is_running(port), hint="`%lightboard list` tells which are")
    _show(chosen[0], surroundings_.look(), height, _theme(theme))


def _stop(port: int | str | None) -> None:
    number = None if port in (None, "all") else _port_number(port)
    boards = [one for one in instances.known() if instances.answers(one)]
    if port == "all":
        chosen = [one for one in boards if one.notebook]
    elif port is None:
        chosen = [one for one in boards if one.session in _shown] or boards
        if len(chosen) > 1:
            raise errors.BadInput(
                f"{len(chosen)} boards are running",
                hint=f"`%lightboard stop {chosen[0].port}`, or `%lightboard stop all`",
            )
    else:
        chosen = [one for one in boards if one.port == number]
    if not chosen:
        raise errors.NotFound(
            "no notebook has a board running" if port == "all" else _none_is_running(number),
            hint="`%lightboard list` tells which are",
        )
    for one in chosen:
        _leave_pictures(one)
        if starting.stop(one):
            print(f"Stopped the board on port {one.port} (pid {one.pid}).")
        else:
            raise errors.LightboardError(
                f"the board on port {one.port} does not end, pid {one.pid}", hint=f"`!kill -9 {one.pid}`"
            )


def _show(instance: instances.Instance, around: surroundings_.Surroundings, height: int | None, theme: str) -> None:
    display = _ipython().display
    height = height or output.HEIGHT
    made = output.bundle(instance, _digest(instance), around, height=height, theme=theme)
    name = f"lightboard-{time.time_ns()}"
    _shown.setdefault(instance.session, {})[name] = (height, theme)
    display.display(made, raw=True, display_id=name)


def _leave_pictures(instance: instances.Instance) -> None:
    """Replaces outputs of this notebook by a picture of the board's last state."""
    outputs = _shown.pop(instance.session, {})
    if not outputs:
        return
    display = _ipython().display
    last = _digest(instance, patience_secs=0)
    for name, (height, theme) in outputs.items():
        made = output.bundle(instance, last, surroundings_.Surroundings(), height=height, theme=theme, live=False)
        display.display(made, raw=True, display_id=name, update=True)


def _digest(instance: instances.Instance, *, patience_secs: float = digest_.PATIENCE_SECS) -> picture.Digest:
    """If the picture fails, the board is shown without it."""
    try:
        return digest_.of_board(instance, patience_secs=patience_secs)
    except OSError as error:
        return picture.Digest(f"Lightboard on {instance.logdir}", f"no picture: {error}", ())


def _none_is_running(port: int | None) -> str:
    return "no board is running" + ("" if port is None else f" on port {port}")


def _theme(word: str) -> str:
    if word and word not in output.THEMES:
        raise errors.BadInput(f"`--theme` is one of {', '.join(output.THEMES)}, not `{word}`")
    return word or "auto"


def _port_number(word: int | str) -> int:
    if isinstance(word, str) and not word.isdecimal():
        raise errors.BadInput(f"`{word}` is not a port", hint="`%lightboard list` tells the ports")
    return int(word)


def _ago(started: float) -> str:
    seconds = max(0, round(time.time() - started))
    for size, word in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {word}{'' if count == 1 else 's'} ago"
    return f"{seconds} second{'' if seconds == 1 else 's'} ago"


def _ipython() -> Any:
    try:
        import IPython
    except ImportError as error:
        raise errors.Missing("a notebook has IPython, and here is none", hint="`pip install ipython`") from error
    return IPython


def _shell() -> Any:
    shell = _ipython().get_ipython()
    if shell is None:
        raise errors.BadInput("this is no notebook", hint="`lightboard --logdir logs` starts a board from a terminal")
    return shell
