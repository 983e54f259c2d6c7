"""The hub: boards for a team, on one machine or several (`lightboard hub`), and its client for scripts.

    import lightboard.hub
    board = lightboard.hub.Hub().boards.create("s3://logs/resnet")

`notebook("s3://logs/resnet")` shows a board of a hub below a notebook's cell.

The rooms of the server need `lightboard[hub]`. The client (`lightboard/client`) needs nothing; its names are imported
when they are first used, so that neither loads the other.
"""

from __future__ import annotations

TYPE_CHECKING = False  # True for type checkers; importing `typing` takes longer than this module
if TYPE_CHECKING:
    from lightboard.client import (
        Ambiguous,
        Applied,
        Board,
        Conflict,
        Event,
        Forbidden,
        Found,
        Frame,
        Hub,
        HubError,
        HubFailed,
        InvalidRequest,
        Job,
        Limit,
        Member,
        NotFound,
        Quota,
        RateLimited,
        Removed,
        Secret,
        Share,
        StartFailed,
        TensorBoard,
        TensorboardLimitExceeded,
        TimedOut,
        Token,
        Unauthenticated,
        Unreachable,
        Upload,
        User,
        Workspace,
        pai,
    )
    from lightboard.notebook import show_managed as notebook

__all__ = [
    "Ambiguous",
    "Applied",
    "Board",
    "Conflict",
    "Event",
    "Forbidden",
    "Found",
    "Frame",
    "Hub",
    "HubError",
    "HubFailed",
    "InvalidRequest",
    "Job",
    "Limit",
    "Member",
    "NotFound",
    "Quota",
    "RateLimited",
    "Removed",
    "Secret",
    "Share",
    "StartFailed",
    "TensorBoard",
    "TensorboardLimitExceeded",
    "TimedOut",
    "Token",
    "Unauthenticated",
    "Unreachable",
    "Upload",
    "User",
    "Workspace",
    "notebook",
    "pai",
]

if not TYPE_CHECKING:  # type checkers must not see `__getattr__`: they would accept any name

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'lightboard.hub' has no attribute {name!r}")
        if name == "notebook":
            from lightboard.notebook import show_managed as value
        else:
            from lightboard import client

            value = getattr(client, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
