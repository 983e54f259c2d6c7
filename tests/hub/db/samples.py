"""People, workspaces and boards for tests of the database."""

from __future__ import annotations

from typing import Any

from lightboard.hub import db, life
from lightboard.hub.life import accounts, commands

T0 = 1_000_000.0


def add_people(database: db.Database, *names: str, workspace: str = "team") -> None:
    """Users with a personal workspace each, the first an admin and owner of a shared one, the others its editors."""
    for number, name in enumerate(names):
        user = accounts.User(id=name, name=name, created=T0, admin=number == 0)
        assert database.people.add_user(user, accounts.Workspace(f"own-{name}", name, T0, personal_of=name))
        if number == 0:
            assert database.workspaces.add(accounts.Workspace(workspace, workspace, T0), name)
        else:
            database.workspaces.set_member(accounts.Member(workspace, name, accounts.Role.EDITOR, T0))


def new(board: str, **members: Any) -> commands.Change:
    values = {
        "id": board,
        "name": f"Board {board}",
        "workspace": "team",
        "owner": "ada",
        "sources": (life.Source(f"s3://bucket/{board}", "run", "keys"), life.Source("/logs")),
        "created": T0,
        **members,
    }
    return commands.created(life.Board(**values), values["owner"])


def add(database: db.Database, board: str, **members: Any) -> life.Board:
    made = database.boards.create(new(board, **members), life.Limits(None))
    assert not isinstance(made, life.LimitExceeded)
    return made.board


def stopped(database: db.Database, name: str) -> life.Board:
    """Stops a board as the keeper would."""
    board = database.boards.change(name, lambda each: commands.stop(each, T0 + 1, "ada"))
    assert isinstance(board, life.Board)
    decision = life.step(board, life.Seen(at=T0 + 2, phase=life.Phase.ABSENT), T0 + 2, life.Timing(3600, 86400, 0))
    (stored,) = database.boards.store([(board, decision)])
    assert stored is not None and stored.state is life.State.STOPPED
    return stored
