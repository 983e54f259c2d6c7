"""`TensorBoard`, with the signatures of PAI's class of this name (`pai.tensorboard.TensorBoard`).

    with TensorBoard.create("oss://bucket/logs", display_name="resnet") as board:
        print(board.app_uri)

Beyond PAI's: `timeout`, `list`, the context manager (stops the board at its end), other addresses than `oss://`, and
waits that are not fooled by the state from before a start.
"""

from __future__ import annotations

import builtins
from typing import Any

from lightboard.client import boards
from lightboard.client import hub as hubs

# What PAI calls the states.
_PAI_NAMES = {
    "Starting": "Creating",
    "Idle": "Running",
    "Failed": "Creating_Failed",
}


class TensorBoard:
    """`session` is a `Hub`; default: the hub of the environment or of the last login."""

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
        **members: Any,
    ) -> TensorBoard:
        """`members` are further ones of `Hub.boards.create`, such as `workspace`."""
        max_runtime = None if max_runtime_in_minutes is None else max_runtime_in_minutes * 60
        made = (session or hubs.Hub()).boards.create(
            uri,
            name=display_name,
            max_runtime=max_runtime,
            source_id=source_id,
            source_type=source_type,
            wait=wait,
            timeout=timeout,
            **members,
        )
        return cls._of(made)

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

    def wait(self, timeout: float | None = boards.WAIT_SECS) -> None:
        self._board.wait(timeout)

    def start(self, wait: bool = True, timeout: float | None = boards.WAIT_SECS) -> None:
        """Starts the board again; does nothing if it runs."""
        self._board.start()
        if wait:
            self._board.wait(timeout)

    def stop(self, wait: bool = False, timeout: float | None = boards.WAIT_SECS) -> None:
        """Stops the board; does nothing if it does not run."""
        self._board.stop()
        if wait:
            self._board.wait(timeout)

    def delete(self) -> None:
        self._board.delete()

    @property
    def tensorboard_id(self) -> str:
        return self._board.id

    @property
    def board(self) -> boards.Board:
        """The same board with everything that the hub knows."""
        return self._board

    @property
    def status(self) -> str:
        """Pending, Creating, Running, Creating_Failed, Stopping, Stopped or Deleting: asks the hub each time."""
        state = self._board.refresh().state
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
        self.stop()
