"""One command for many boards. Each is checked and done for itself; one that fails does not stop the others."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.api import boards, problems, things
from lightboard.hub.api.routes import Answer, Asked, NoQuery, Route, Struct
from lightboard.hub.life import accounts, commands
from lightboard.hub.people.may import Action

_ACTIONS = {"start": Action.BOARD_COMMAND, "stop": Action.BOARD_COMMAND, "delete": Action.BOARD_DELETE}


class Batch(Struct, frozen=True, kw_only=True):
    command: Literal["start", "stop", "delete"]
    boards: Annotated[
        tuple[Annotated[str, msgspec.Meta(max_length=100)], ...], msgspec.Meta(min_length=1, max_length=1000)
    ]


class BatchResult(Answer, frozen=True, kw_only=True, omit_defaults=True):
    id: str
    ok: bool
    state: life.State | None = None
    problem: dict[str, Any] | None = None


class BatchResults(Answer, frozen=True, kw_only=True):
    items: list[BatchResult]


def run(asked: Asked[NoQuery, Batch]) -> BatchResults:
    return BatchResults(items=[_one(asked, each) for each in dict.fromkeys(asked.body.boards)])


def _one(asked: Asked[NoQuery, Batch], name: str) -> BatchResult:
    try:
        thing = things.board(asked.services, asked.identity, {"board": name}, None)
        things.permitted(asked.identity, _ACTIONS[asked.body.command], thing, name)
        board = boards.commanded(asked, thing.board, _command(asked, thing.board))
    except errors.LightboardError as error:
        return BatchResult(id=name, ok=False, problem=problems.document(error))
    asked.services.database.journal.record(
        accounts.AuditEntry(
            time=asked.now,
            actor=asked.identity.name,
            action=f"board.{asked.body.command}",
            thing=name,
            workspace=board.workspace,
            address=asked.address,
        )
    )
    return BatchResult(id=name, ok=True, state=board.state)


def _command(asked: Asked[NoQuery, Batch], board: life.Board) -> Any:
    if asked.body.command == "stop":
        return boards.stop_command(asked, board)
    command = commands.start if asked.body.command == "start" else commands.delete
    return boards.stored_command(command, asked)


ROUTES = (
    Route("POST", "/boards:batch", run, Action.BOARD_LIST, body=Batch, answer=BatchResults,
          about="Starts, stops or deletes many boards."),
)  # fmt: skip
