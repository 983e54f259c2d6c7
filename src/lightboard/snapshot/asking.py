"""Asks the routes of a board as a page would, without HTTP between."""

from __future__ import annotations

import json
from typing import Any

from lightboard.server import app, context, endpoints, parameters, responses


class Asker:
    """The routes of one board. `ask` returns the body of an answer, `json` its parsed form."""

    def __init__(self, context: context.Context) -> None:
        self.context = context
        self._apis = {api.path: api for api in app.apis()}

    def ask(self, path: str, **members: Any) -> bytes:
        api = self._apis[path]
        question: Any = parameters.parse(api.question, parameters.from_members(members))
        more = (endpoints.Request("GET", {}),) if api.wants_request else ()
        answer = api.handle(self.context, question, *more)
        if isinstance(answer, responses.Heavy):
            answer = answer.work()
        body = endpoints.as_reply(answer).body
        return body if isinstance(body, bytes) else b"".join(endpoints.joined(piece) for piece in body)

    def json(self, path: str, **members: Any) -> Any:
        return json.loads(self.ask(path, **members))
