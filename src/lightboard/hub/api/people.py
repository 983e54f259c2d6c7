"""Finding people, to make them members of a workspace."""

from __future__ import annotations

from lightboard.hub.api import routes
from lightboard.hub.api.routes import Asked, Route
from lightboard.hub.people.may import Action

MOST_FOUND = 20


class PeopleQuery(routes.Struct, frozen=True, kw_only=True):
    q: str = ""


class FoundPerson(routes.Answer, frozen=True, kw_only=True):
    name: str
    display_name: str


def find(asked: Asked[PeopleQuery, None]) -> list[FoundPerson]:
    found = asked.services.database.people.users(text=asked.query.q, limit=MOST_FOUND, enabled=True)
    return [FoundPerson(name=each.name, display_name=each.display_name) for each in found]


ROUTES = (
    Route("GET", "/people", find, Action.PEOPLE_FIND, query=PeopleQuery, answer=list[FoundPerson],
          about=f"Finds up to {MOST_FOUND} accounts by a part of their name."),
)  # fmt: skip
