"""What goes wrong between a client and its hub.

    errors.LightboardError
    └── HubError                        every error of this room
        ├── Unreachable                 no answer, or one that is not of a hub
        ├── Unauthenticated             no token, or one that is wrong, expired or revoked (401)
        ├── Forbidden                   the token's user may not do this (403)
        │   └── TensorboardLimitExceeded   too many boards are active; `boards` could be stopped
        ├── NotFound                    no such thing, or one that this user may not see (404)
        ├── Ambiguous                   several boards have this name; `boards` lists them
        ├── InvalidRequest              a wrong address, name, duration … (400, 413, 415, 422)
        ├── Conflict                    not possible in this state, or somebody changed it meanwhile (409, 412)
        ├── RateLimited                 too many requests (429)
        ├── HubFailed                   the hub made a mistake (5xx)
        ├── StartFailed                 the board did not start, or was stopped meanwhile
        └── TimedOut                    the hub or a board took longer than the caller wants to wait

`code` is the code of the hub ("InvalidUri", "SecretNotFound" …), `status` the status of HTTP, 0 if there was no answer.
`exit_code` is that of the command line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from lightboard import errors


class HubError(errors.LightboardError):
    exit_code: ClassVar[int] = 1

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        status: int = 0,
        hint: str = "",
        members: Mapping[str, Any] | None = None,
    ) -> None:
        """`members` are further members of the hub's problem document."""
        super().__init__(message, hint=hint, code=code or type(self).__name__)
        self.status = status
        self.members = dict(members or {})

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class Unreachable(HubError):
    pass


class Unauthenticated(HubError):
    exit_code = 4


class Forbidden(HubError):
    exit_code = 4


class TensorboardLimitExceeded(Forbidden):
    """`boards` are active boards that could be stopped or deleted: mappings with id, name, state, last_activity."""

    exit_code = 5

    @property
    def limit(self) -> int:
        return int(self.members.get("limit") or 0)

    @property
    def used(self) -> int:
        return int(self.members.get("used") or 0)

    @property
    def scope(self) -> str:
        return str(self.members.get("scope") or "")

    @property
    def boards(self) -> list[dict[str, Any]]:
        return list(self.members.get("boards") or ())


class NotFound(HubError):
    exit_code = 3


class Ambiguous(HubError):
    exit_code = 2

    def __init__(self, message: str, *, hint: str = "", boards: Sequence[Any] = ()) -> None:
        super().__init__(message, hint=hint)
        self.boards = list(boards)


class InvalidRequest(HubError):
    exit_code = 2


class Conflict(HubError):
    pass


class RateLimited(HubError):
    pass


class HubFailed(HubError):
    pass


class StartFailed(HubError):
    """`state` and `reason` are those of the board."""

    exit_code = 6

    def __init__(self, message: str, *, hint: str = "", state: str = "", reason: str = "") -> None:
        super().__init__(message, code=reason, hint=hint)
        self.state, self.reason = state, reason


class TimedOut(HubError):
    """`state` is the last known one of the board, "" if the hub did not answer."""

    exit_code = 7

    def __init__(self, message: str, *, hint: str = "", state: str = "") -> None:
        super().__init__(message, hint=hint)
        self.state = state


_OF_STATUS: Mapping[int, type[HubError]] = {
    400: InvalidRequest,
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    408: Unreachable,
    409: Conflict,
    410: NotFound,
    412: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: RateLimited,
}
# Members of every problem document; the others are of one code.
_COMMON = frozenset({"type", "title", "status", "code", "message", "hint"})


def _which_to_stop(boards: object) -> str:
    listed = [each for each in boards if isinstance(each, Mapping)] if isinstance(boards, list) else []
    names = ", ".join(f"{each.get('name')} ({each.get('id')}, {each.get('state')})" for each in listed[:10])
    return f"stop or delete one: {names}" if names else "stop or delete a board, then try again"


def of_problem(status: int, document: Mapping[str, Any]) -> HubError:
    """Returns the error that an answer of the hub stands for."""
    code = str(document.get("code") or "")
    made = _OF_STATUS.get(status, HubFailed if status >= 500 else HubError)
    if code == "TensorboardLimitExceeded":
        made = TensorboardLimitExceeded
    message = str(document.get("message") or document.get("title") or f"the hub answered {status}")
    hint = str(document.get("hint") or "")
    if made is Unauthenticated:
        hint = "`lightboard login URL` stores a new token; LIGHTBOARD_HUB_TOKEN is another way"
    members = {name: value for name, value in document.items() if name not in _COMMON}
    if made is TensorboardLimitExceeded:
        hint = _which_to_stop(members.get("boards"))
    return made(message, code=code, status=status, hint=hint, members=members)
