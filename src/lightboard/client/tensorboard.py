"""`TensorBoard`, with the signatures of PAI's class of this name (`pai.tensorboard.TensorBoard`).

    with TensorBoard.create("oss://bucket/logs", display_name="resnet") as board:
        print(board.app_uri)

Beyond PAI's: `timeout`, `progress`, `list`, the context manager (stops the board at its end), other addresses than
`oss://`, and waits that are not fooled by the state from before a start.
"""

from __future__ import annotations

import builtins
import posixpath
import sys
from typing import Any

from lightboard import errors
from lightboard.client import boards, hub_errors
from lightboard.client import hub as hubs

# What PAI calls the states.
_PAI_NAMES = {
    "Starting": "Creating",
    "Idle": "Running",
    "Failed": "Creating_Failed",
}


class UnusableUri(errors.BadInput, RuntimeError):
    """The address names nothing that a board could be called by. PAI's class raises RuntimeError."""


class TensorBoard:
    """`session` is a `Hub`; default: the hub of the environment or of the last login.

    State: `_board`, what the hub last said; `_ended`: whether the last command of this object was `stop` or `delete`.
    """

    _ended = False

    def __init__(self, tensorboard_id: str, session: hubs.Hub | None = None) -> None:
        self._board = (session or hubs.Hub()).boards.get(tensorboard_id)

    @classmethod
    def create(
        cls,
        uri: str,
        wait: bool = True,
        display_name: str | None = None,
        max_runtime_in_minutes: int | None = None,
        source_id: str | None = None,
        source_type: str | None = None,
        session: hubs.Hub | None = None,
        *,
        timeout: float | None = boards.WAIT_SECS,
        progress: bool | boards.Progress | None = None,
        **members: Any,
    ) -> TensorBoard:
        """The name is by default the last part of the address. For `oss://` without a secret the hub finds one of the
        workspace, or a claim, as for PAI's own clients. `members` are further ones of `Hub.boards.create`, such as
        `workspace`. `progress`: see `wait`."""
        if not display_name and not _has_name(uri):
            message = f"no name can be made from the address: {uri!r}"
            raise UnusableUri(message, hint="give `display_name`, or a longer address")
        max_runtime = None if max_runtime_in_minutes is None else max_runtime_in_minutes * 60
        made = (session or hubs.Hub()).boards.create(
            uri,
            name=display_name or None,
            max_runtime=max_runtime,
            source_id=source_id,
            source_type=source_type,
            wait=False,
            **{"find_secrets": True if uri.startswith("oss://") else None, **members},
        )
        board = cls._of(made)
        if wait:
            board.wait(timeout, progress)
        return board

    @classmethod
    def list(
        cls,
        source_type: str | None = None,
        source_id: str | None = None,
        session: hubs.Hub | None = None,
        **filters: Any,
    ) -> builtins.list[TensorBoard]:
        """`filters` are further ones of `Hub.boards.list`, such as `state` or `workspace`."""
        found = (session or hubs.Hub()).boards.list(source_type=source_type, source_id=source_id, **filters)
        return [cls._of(each) for each in found]

    @classmethod
    def _of(cls, board: boards.Board) -> TensorBoard:
        made = cls.__new__(cls)
        made._board = board
        return made

    def wait(self, timeout: float | None = boards.WAIT_SECS, progress: bool | boards.Progress | None = None) -> None:
        """Waits until the board answers; after `stop` or `delete`, until that is done.

        `progress` is a function that is called with the `Board` once a second, or True to print a line; by default a
        line is printed if somebody sits at the terminal. Raises StartFailed if the board failed or was stopped,
        TimedOut after `timeout` seconds.
        """
        shown = sys.stderr.isatty() if progress is None else progress
        line = _Line() if shown is True else None
        try:
            if not self._ended:
                self._look()
            self._board.wait(timeout, progress=line or (shown if callable(shown) else None))
        finally:
            if line is not None:
                line.close()
        if not self._ended and not self._board.running:
            state = self._board.state
            message = f"the board is {state}: {self.display_name}"
            raise hub_errors.StartFailed(message, hint="`start()` starts it", state=state, reason=self._board.reason)

    def _look(self) -> None:
        """Somebody else may have stopped the board meanwhile. A hub that is away is for the wait to judge."""
        try:
            self._board.refresh()
        except (hub_errors.Unreachable, hub_errors.TimedOut, hub_errors.HubFailed):
            pass

    def start(
        self,
        wait: bool = True,
        timeout: float | None = boards.WAIT_SECS,
        progress: bool | boards.Progress | None = None,
    ) -> None:
        """Starts the board again; does nothing if it runs."""
        self._ended = False
        self._board.start()
        if wait:
            self.wait(timeout, progress)

    def stop(self, wait: bool = False, timeout: float | None = boards.WAIT_SECS) -> None:
        """Stops the board; does nothing if it does not run."""
        self._board.stop()
        self._ended = True
        if wait:
            self.wait(timeout)

    def delete(self) -> None:
        self._board.delete()
        self._ended = True

    @property
    def tensorboard_id(self) -> str:
        return self._board.id

    @property
    def board(self) -> boards.Board:
        """The same board with everything that the hub knows."""
        return self._board

    @property
    def status(self) -> str:
        """Pending, Creating, Running, Creating_Failed, Stopping, Stopped, Deleting or Deleted; asks the hub."""
        try:
            state = self._board.refresh().state
        except hub_errors.NotFound:
            state = "Deleted"
        return _PAI_NAMES.get(state, state)

    @property
    def app_uri(self) -> str:
        """The link of the board."""
        return self._board.url

    @property
    def summary_uri(self) -> str:
        """The address of the logs, of the first source if there are several."""
        sources = self._board.sources
        return str(sources[0].get("uri") or "") if sources else ""

    @property
    def display_name(self) -> str:
        return self._board.name

    def __repr__(self) -> str:
        return f"TensorBoard(id={self.tensorboard_id}, display_name={self.display_name!r}, app_uri={self.app_uri})"

    def __enter__(self) -> TensorBoard:
        return self

    def __exit__(self, *_: object) -> None:
        """A board that is gone by then, deleted here or by somebody else, needs no stop."""
        try:
            self.stop()
        except hub_errors.NotFound:
            pass


def _has_name(uri: str) -> bool:
    last = posixpath.basename(uri.rstrip("/"))
    return bool(last) and not last.endswith(":")


class _Line:
    """One line on stderr about a board that starts, written again and again; nothing for one that is there at once."""

    def __init__(self) -> None:
        self._longest = 0

    def __call__(self, board: boards.Board) -> None:
        try:
            seen = board.progress()
        except hub_errors.HubError:  # the wait itself says what is wrong
            seen = {}
        files = f", {seen['files_read']:,} of {seen['files_total']:,} files" if seen.get("files_total") else ""
        text = f"{board.name}: {seen.get('phase') or board.state.lower()}{files}"
        self._longest = max(self._longest, len(text))
        sys.stderr.write(f"\r{text.ljust(self._longest)}")
        sys.stderr.flush()

    def close(self) -> None:
        if self._longest:
            sys.stderr.write("\r" + " " * self._longest + "\r")
            sys.stderr.flush()
