"""Random values that prove something: sessions, API tokens, shares, one-time links.

They have 256 random bits, so a plain hash is enough: nobody can guess their way back from it, and a look-up by hash
takes the same time for every wrong value. A prefix says what a value is, so that leaked ones can be searched for.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

SESSION, TOKEN, SHARE, LINK, CSRF = "lbs", "lbt", "lbh", "lbl", "lbc"
LEAST_LENGTH = 32  # of a token that an admin chose
MOST_LENGTH = 512


class Made(NamedTuple):
    value: str  # given to its owner once
    hash: bytes  # kept


def make(kind: str) -> Made:
    value = f"{kind}_{secrets.token_urlsafe(32)}"
    return Made(value, digest(value))


def digest(value: str) -> bytes:
    return hashlib.sha256(value.encode()).digest()


def csrf_of(session_value: str) -> str:
    """The token that writes of a session must carry: derived from the cookie, which pages of boards cannot read."""
    return f"{CSRF}_{hmac.new(session_value.encode(), b'csrf', hashlib.sha256).hexdigest()}"


def same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
