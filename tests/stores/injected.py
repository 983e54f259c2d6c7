"""Faults of stores and networks, and plans that say which request gets which. `proxy` carries them out."""

from __future__ import annotations

import dataclasses
import random
import urllib.parse
from collections.abc import Sequence
from typing import Protocol

# ---- faults


@dataclasses.dataclass(frozen=True)
class Fault:
    """What happens to a request. With a status, it is answered so, in the store's name; else `name` says what."""

    name: str
    status: int = 0
    code: str = ""
    message: str = ""


ACCESS_DENIED = Fault("access denied", 403, "AccessDenied", "Access Denied.")
NO_SUCH_KEY = Fault("no such key", 404, "NoSuchKey", "The specified key does not exist.")
NO_SUCH_BUCKET = Fault("no such bucket", 404, "NoSuchBucket", "The specified bucket does not exist")
SLOW_DOWN = Fault("slow down", 503, "SlowDown", "Please reduce your request rate.")
INTERNAL_ERROR = Fault("internal error", 500, "InternalError", "We encountered an internal error. Please try again.")
EXPIRED_TOKEN = Fault("expired token", 400, "ExpiredToken", "The provided token has expired.")
CLOCK_SKEW = Fault(
    "clock skew",
    403,
    "RequestTimeTooSkewed",
    "The difference between the request time and the server's time is too large.",
)
WRONG_REGION = Fault(
    "wrong region",
    400,
    "AuthorizationHeaderMalformed",
    "The authorization header is malformed; the region 'us-east-1' is wrong; expecting 'eu-west-1'",
)
RESET = Fault("reset")  # the connection is reset before the answer
RESET_IN_BODY = Fault("reset in mid-body")  # ... after half of the body
SHORT_BODY = Fault("short body")  # half of the body, then the connection is closed in order
WRONG_LENGTH = Fault("wrong length")  # half of the body, and a Content-Length that says so
TRICKLE = Fault("trickle")  # a few bytes at a time
STALL = Fault("stall")  # half of the body, then nothing until the client leaves
TLS = Fault("tls")  # the answer of a server that speaks TLS
CLOSED = Fault("closed port")  # nobody listens for a while

ANSWERS = (
    ACCESS_DENIED, NO_SUCH_KEY, NO_SUCH_BUCKET, SLOW_DOWN, INTERNAL_ERROR, EXPIRED_TOKEN, CLOCK_SKEW, WRONG_REGION,
)  # fmt: skip
BROKEN = (RESET, RESET_IN_BODY, SHORT_BODY, WRONG_LENGTH, TRICKLE, STALL, TLS, CLOSED)
ALL = (*ANSWERS, *BROKEN)
# those that need a body of the store to be seen
IN_BODY = (RESET_IN_BODY, SHORT_BODY, WRONG_LENGTH, TRICKLE, STALL)


# ---- requests


@dataclasses.dataclass
class Request:
    """One request that a client made. `kind`: LIST, GET, HEAD, PUT, DELETE, POST."""

    kind: str
    target: str
    range: str = ""  # of the header, as `bytes=0-99`
    host: str = ""
    bare: bool = False  # a HEAD: the answer has no body
    fault: Fault | None = None
    status: int = 0  # 0: no answer
    body_bytes: int = 0  # of the answer, as sent

    @property
    def path(self) -> str:
        """Decoded, without host and query."""
        return urllib.parse.unquote(urllib.parse.urlsplit(self.target).path)


def kind_of(method: str, target: str) -> str:
    """S3 and GCS list with `list-type=2`, Azure with `comp=list`, a web server by the path of a directory."""
    if method != "GET":
        return method
    split = urllib.parse.urlsplit(target)
    query = urllib.parse.parse_qs(split.query, keep_blank_values=True)
    if "list-type" in query or query.get("comp") == ["list"] or "delimiter" in query or "prefix" in query:
        return "LIST"
    return "LIST" if split.path.endswith("/") else "GET"


# ---- plans: which request gets which fault


class Plan(Protocol):
    def choose(self, request: Request) -> Fault | None: ...


class Pass:
    """Nothing fails."""

    def choose(self, request: Request) -> Fault | None:
        return None


@dataclasses.dataclass
class Script:
    """The faults of the next requests of these kinds, in order; None lets one pass. Afterwards nothing fails."""

    faults: Sequence[Fault | None]
    kinds: tuple[str, ...] = ("LIST", "GET")
    used: int = 0

    def choose(self, request: Request) -> Fault | None:
        if request.kind not in self.kinds or self.used == len(self.faults):
            return None
        self.used += 1
        return self.faults[self.used - 1]

    @property
    def done(self) -> bool:
        return self.used == len(self.faults)


@dataclasses.dataclass
class Always:
    """Every request of these kinds, and below a path if one is given: a bucket that is gone, a key that is wrong."""

    fault: Fault
    kinds: tuple[str, ...] = ("LIST", "GET", "HEAD")
    below: str = ""

    def choose(self, request: Request) -> Fault | None:
        return self.fault if request.kind in self.kinds and request.path.startswith(self.below) else None


class Chance:
    """Each request fails with a probability, with one of the faults. The seed decides."""

    def __init__(
        self,
        probability: float,
        seed: int,
        faults: Sequence[Fault] = ALL,
        kinds: Sequence[str] = ("LIST", "GET", "HEAD"),
    ) -> None:
        self._random = random.Random(seed)
        self._probability = probability
        self._faults = tuple(faults)
        self._kinds = tuple(kinds)

    def choose(self, request: Request) -> Fault | None:
        if request.kind not in self._kinds or self._random.random() >= self._probability:
            return None
        return self._random.choice(self._faults)
