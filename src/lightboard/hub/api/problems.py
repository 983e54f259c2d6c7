"""Errors as application/problem+json (RFC 9457): a code for programs, a message and a hint for people.

    {"type": "about:blank", "title": "…", "status": 403, "code": "Forbidden", "message": "…", "hint": "…"}

`message` repeats `title`, as clients of other services expect it. A refusal may carry more members.
"""

from __future__ import annotations

from typing import Any

from lightboard import errors
from lightboard.hub import life
from lightboard.hub.life import refusals

MEDIA_TYPE = "application/problem+json"
# Codes of errors that have none of their own, by status.
_CODES = {
    400: "BadRequest",
    401: "Unauthenticated",
    403: "Forbidden",
    404: "NotFound",
    405: "MethodNotAllowed",
    408: "RequestTimeout",
    409: "Conflict",
    410: "Gone",
    411: "LengthRequired",
    412: "GenerationConflict",
    413: "BodyTooLarge",
    415: "UnsupportedMediaType",
    422: "Unprocessable",
    429: "RateLimited",
    500: "InternalError",
    501: "NotImplemented",
    503: "Unavailable",
}


class Problem(refusals.Refusal):
    """Raised by handlers for what has no class of its own."""

    def __init__(self, status: int, code: str, message: str, *, hint: str = "", **members: Any) -> None:
        super().__init__(message, hint=hint)
        self.status, self.code, self.members = status, code, members


def not_found(what: str) -> Problem:
    return Problem(404, "NotFound", f"not found: {what[:200]}")


def document(error: errors.LightboardError) -> dict[str, Any]:
    status = error.status
    code = error.code if error.code and "." not in error.code else _CODES.get(status, "Refused")
    members = getattr(error, "members", {})
    return {**of(status, code, error.message, error.hint), **members}


def of(status: int, code: str, message: str, hint: str = "") -> dict[str, Any]:
    return {
        "type": "about:blank", "title": message, "status": status, "code": code, "message": message, "hint": hint
    }  # fmt: skip


def limit_exceeded(exceeded: life.LimitExceeded, boards: list[dict[str, Any]]) -> Problem:
    """`boards` are those of the limit's scope that the asking user may see."""
    return Problem(
        403,
        "TensorboardLimitExceeded",
        f"{exceeded.used} of {exceeded.limit} boards are active ({exceeded.scope.partition(':')[0]})",
        hint="stop or delete one of them, then try again",
        limit=exceeded.limit,
        used=exceeded.used,
        scope=exceeded.scope,
        boards=boards,
    )
