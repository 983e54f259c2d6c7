"""What the hub refuses, as exceptions with the codes of the REST API.

    errors.LightboardError
    └── Refusal
        ├── BadName         a name that cannot be used (400 InvalidName)
        ├── BadPassword     too short or too long (400 InvalidPassword)
        ├── LostSecret      a secret was saved with another key of the hub (422 SecretUnreadable)
        ├── BadDuration     not a duration, or one outside the admin's bounds (400 InvalidDuration)
        ├── NotRunning      the command needs a running board (409 BoardNotRunning)
        ├── BeingDeleted    the board is being deleted: no command works any more (404 NotFound)
        ├── Changed         somebody changed it meanwhile: read again (412 GenerationConflict)
        │   └── Needed      the last admin, an owner of boards, a taken name: something else first (409 Conflict)
        └── KeyReused       an Idempotency-Key came with another request (422 IdempotencyKeyReused)

A full quota is no exception but a value, `quota.LimitExceeded`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from lightboard import errors


class Refusal(errors.LightboardError):
    """`rest_code` is the code of the problem in an answer of the REST API."""

    rest_code: ClassVar[str] = "Refused"

    def __init__(self, message: str, *, hint: str = "", **parameters: Any) -> None:
        super().__init__(message, hint=hint, code=self.rest_code, **parameters)


class BadName(Refusal):
    status = 400
    rest_code = "InvalidName"


class BadPassword(Refusal):
    status = 400
    rest_code = "InvalidPassword"


class LostSecret(Refusal):
    status = 422
    rest_code = "SecretUnreadable"


class BadDuration(Refusal):
    status = 400
    rest_code = "InvalidDuration"


class NotRunning(Refusal):
    status = 409
    rest_code = "BoardNotRunning"


class BeingDeleted(Refusal):
    status = 404
    rest_code = "NotFound"


class Changed(Refusal):
    status = 412
    rest_code = "GenerationConflict"


class Needed(Changed):
    status = 409
    rest_code = "Conflict"


class KeyReused(Refusal):
    status = 422
    rest_code = "IdempotencyKeyReused"
