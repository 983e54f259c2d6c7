"""Boards of a hub in a notebook.

    address of logs, or a board ─▶ hub: create or resume, wait ─▶ a link for a frame ─▶ `output`

The page opens the hub's own address; the link in the output signs that frame in, and is worth nothing minutes later.
The hub keeps the board: it outlives the kernel, and is stopped when nobody uses it.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence

from lightboard import client, errors, picture
from lightboard.client import credentials
from lightboard.notebook import digest as digest_

SOURCE_TYPE = "Notebook"
# Flags of `%lightboard --hub`; the others are for boards of this machine.
_FLAGS = ("--hub", "--board", "--name", "--workspace", "--logdir", "--timeout")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Wanted:
    """`hub` "": that of the environment or of the last login. `board` is the name, id or link of one that exists."""

    hub: str = ""
    logs: str = ""
    board: str = ""
    name: str = ""
    workspace: str = ""
    timeout_secs: float = 300.0


@dataclasses.dataclass(frozen=True)
class Shown:
    board: client.Board
    frame: client.Frame
    session: str
    digest: picture.Digest


def is_configured() -> bool:
    """Whether a hub is named by the environment or a login."""
    return bool(os.environ.get("LIGHTBOARD_HUB") or credentials.current())


def maybe_wanted(words: Sequence[str]) -> Wanted | None:
    """What `--hub …` asks for; None for words without it. Raises errors.BadInput."""
    if not any(word.partition("=")[0] == "--hub" for word in words):
        return None
    found: dict[str, str] = {}
    rest = list(words)
    while rest:
        name, equals, value = rest.pop(0).partition("=")
        if not name.startswith("--"):
            name, value = "--logdir", name + equals + value
        elif name not in _FLAGS:
            raise errors.BadInput(f"a board of a hub has no flag `{name}`", hint=f"there are: {', '.join(_FLAGS)}")
        elif not equals:
            value = rest.pop(0) if rest and not rest[0].startswith("--") else ""
            if not value and name != "--hub":
                raise errors.BadInput(f"`{name}` needs a value")
        if name in found:
            raise errors.BadInput(
                f"`{name}` is given twice" if name != "--logdir" else "two addresses of logs are given"
            )
        found[name] = value
    return Wanted(
        hub=found["--hub"],
        logs=found.get("--logdir", ""),
        board=found.get("--board", ""),
        name=found.get("--name", ""),
        workspace=found.get("--workspace", ""),
        timeout_secs=_secs(found.get("--timeout", "300")),
    )


def _secs(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise errors.BadInput(f"`--timeout {word}` is no number of seconds") from None


def open_board(wanted: Wanted) -> Shown:
    """Creates the board or finds it, and waits until it answers. Raises client.HubError, errors.BadInput."""
    if bool(wanted.logs) == bool(wanted.board):
        hint = "`%lightboard --hub URL s3://logs/resnet`, or `--board NAME` for one that exists"
        raise errors.BadInput("name either logs or a board", hint=hint)
    hub = client.Hub(wanted.hub or None)
    board = _found(hub, wanted)
    return Shown(board, board.frame(), digest_.session_of(board.fetch), _digest(board))


def _found(hub: client.Hub, wanted: Wanted) -> client.Board:
    if wanted.board:
        board = hub.boards.find(wanted.board, workspace=wanted.workspace or None)
        return board if board.running else board.start().wait(wanted.timeout_secs)
    logs = wanted.logs if "://" in wanted.logs else os.path.abspath(wanted.logs)  # noqa: PTH100
    return hub.boards.ensure(
        logs,
        source_type=SOURCE_TYPE,
        source_id=logs,
        name=wanted.name or None,
        workspace=wanted.workspace or None,
        timeout=wanted.timeout_secs,
    )


def _digest(board: client.Board) -> picture.Digest:
    """If the picture fails, the board is shown without it."""
    title = f"Lightboard: {board.name}"
    try:
        return digest_.of_answers(board.fetch, title)
    except (OSError, client.HubError) as error:
        return picture.Digest(title, f"no picture: {error}", ())
