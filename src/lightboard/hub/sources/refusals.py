"""What is wrong with a source, as exceptions with the codes of the REST API.

Refusal
├── InvalidUri           not the address of logs, or one that this hub does not read (400)
├── UnsupportedScheme    nothing reads this kind of address (400)
├── SecretNotFound       the workspace has no secret of this name (422)
├── SecretUnfit          the secret is of another kind, or is for another server (422)
├── SecretKeyMissing     a secret without what its kind needs (422)
├── PvcNotFound          no directory is named for the claim (422)
├── NetworkRefused       the server is inside, and the admin does not allow its network (422)
├── Unreadable           the source was tried; `rest_code` says what happened (422)
└── Busy                 too many sources are tried at once (429)
"""

from __future__ import annotations

from typing import Any

from lightboard import errors
from lightboard.hub.life import refusals


class InvalidUri(refusals.Refusal):
    status = 400
    rest_code = "InvalidUri"


class UnsupportedScheme(refusals.Refusal):
    status = 400
    rest_code = "UnsupportedScheme"


class SecretNotFound(refusals.Refusal):
    status = 422
    rest_code = "SecretNotFound"


class SecretUnfit(refusals.Refusal):
    status = 422
    rest_code = "SecretUnfit"


class SecretKeyMissing(refusals.Refusal):
    status = 422
    rest_code = "SecretKeyMissing"


class PvcNotFound(refusals.Refusal):
    status = 422
    rest_code = "PvcNotFound"


class NetworkRefused(refusals.Refusal):
    status = 422
    rest_code = "NetworkRefused"


class Unreadable(refusals.Refusal):
    status = 422
    rest_code = "SourceUnreadable"

    def __init__(self, message: str, *, hint: str = "", code: str = "", **parameters: Any) -> None:
        super().__init__(message, hint=hint, **parameters)
        self.code = code or self.rest_code


class Busy(refusals.Refusal):
    status = 429
    rest_code = "RateLimited"


def of_address(error: errors.LightboardError) -> refusals.Refusal:
    """An error of the grammar of addresses as one of ours."""
    kind = UnsupportedScheme if error.code == "uri.scheme" else InvalidUri
    return kind(error.message, hint=error.hint)
