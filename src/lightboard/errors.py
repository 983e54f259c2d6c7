"""All exceptions that Lightboard raises intentionally.

    LightboardError
    ├── BadInput            an argument is wrong: fix it and call again (HTTP 400)
    │   ├── BadFilter       a run filter does not parse; carries the position of the token
    │   └── BadQuestion     a parameter that only a program can get wrong, never the page: it has no code
    ├── Denied              not allowed with these credentials (HTTP 401/403)
    ├── NotFound            no such run, tag, step or file (HTTP 404)
    ├── Gone                the file has changed and lost these bytes: reload (HTTP 410)
    ├── Unreadable          a file or directory cannot be read; says which and why (HTTP 422)
    └── Missing             an optional package is missing; says how to install it (HTTP 501)

Expected outcomes are values, not exceptions: the end of a growing file, a bad record (`types.Fault`), an absent run
in a listing.

An error that a user can see on the page also has a code and parameters, from which the page makes a sentence in the
user's language; `error_codes.py` lists them. `message` and `hint` are for the API, the command line and logs.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any


@dataclasses.dataclass(frozen=True)
class Explanation:
    """A sentence about something that went wrong, and what the page needs to say it in another language."""

    message: str
    hint: str = ""
    code: str = ""
    parameters: dict[str, Any] = dataclasses.field(default_factory=dict, hash=False)


class LightboardError(Exception):
    """Base class of all. `status` is the HTTP status, `hint` says what to do next.

    A parameter is a text, a number, a list of texts, or another error that is the cause.
    """

    status = 500

    def __init__(self, message: str, *, hint: str = "", code: str = "", **parameters: Any) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code
        self.parameters = parameters

    def explanation(self) -> Explanation:
        parameters = {
            name: value.explanation() if isinstance(value, LightboardError) else value
            for name, value in self.parameters.items()
        }
        return Explanation(self.message, self.hint, self.code, parameters)


def line_in(error: ValueError) -> int:
    """Returns the number of the line that a native parser names ("line 3: …"), 0 if it names none."""
    found = re.match(r"line (\d+)", str(error))
    return int(found[1]) if found else 0


class BadInput(LightboardError):
    status = 400


class BadFilter(BadInput):
    """A run filter that does not parse; `position` counts characters from 0."""

    def __init__(self, message: str, *, position: int = 0, hint: str = "", code: str = "", **parameters: Any) -> None:
        super().__init__(message, hint=hint, code=code, **parameters)
        self.position = position


class BadQuestion(BadInput):
    pass


class Denied(LightboardError):
    status = 403


class NotFound(LightboardError):
    status = 404


class Gone(LightboardError):
    status = 410


class Unreadable(LightboardError):
    status = 422


class Missing(LightboardError):
    status = 501
