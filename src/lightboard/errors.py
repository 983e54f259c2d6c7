"""All exceptions that Lightboard raises intentionally.

    LightboardError
    ├── BadInput            an argument is wrong: fix it and call again (HTTP 400)
    │   └── BadFilter       a run filter does not parse; carries the position of the token
    ├── Denied              not allowed with these credentials (HTTP 401/403)
    ├── NotFound            no such run, tag, step or file (HTTP 404)
    ├── Gone                the file has changed and lost these bytes: reload (HTTP 410)
    ├── Unreadable          a file or directory cannot be read; says which and why (HTTP 422)
    └── Missing             an optional package is missing; says how to install it (HTTP 501)

Expected outcomes are values, not exceptions: the end of a growing file, a bad record (`types.Fault`), an absent run
in a listing.
"""

from __future__ import annotations


class LightboardError(Exception):
    """Base class of all. `status` is the HTTP status, `hint` says what to do next."""

    status = 500

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class BadInput(LightboardError):
    status = 400


class BadFilter(BadInput):
    """A run filter that does not parse; `position` counts characters from 0."""

    def __init__(self, message: str, *, position: int = 0, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.position = position


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
