"""Passwords as argon2id hashes.

Hashing takes 64 MB and some 50 ms on purpose. `Passwords` lets few run at once, so that a flood of sign-ins takes
neither the memory nor the cores. A name that does not exist is checked against a hash that nothing matches: it takes as
long as a wrong password.
"""

from __future__ import annotations

import threading

import argon2

from lightboard.hub.life import refusals

LEAST_LENGTH = 10
MOST_LENGTH = 1000
AT_ONCE = 2


class Passwords:
    """State: `_unknown`, the hash for names that do not exist; `_turns` bounds how many hashes are made at once."""

    def __init__(self, hasher: argon2.PasswordHasher | None = None) -> None:
        self._hasher = hasher or argon2.PasswordHasher()
        self._turns = threading.BoundedSemaphore(AT_ONCE)
        self._unknown = self._hasher.hash("nothing matches this")

    def hash(self, password: str) -> str:
        check(password)
        with self._turns:
            return self._hasher.hash(password)

    def matches(self, password_hash: str | None, password: str) -> bool:
        """`password_hash` is None or empty if the name does not exist or cannot sign in this way."""
        if len(password) > MOST_LENGTH:
            return False
        with self._turns:
            try:
                self._hasher.verify(password_hash or self._unknown, password)
            except (argon2.exceptions.VerificationError, argon2.exceptions.InvalidHashError):
                return False
        return bool(password_hash)

    def is_outdated(self, password_hash: str) -> bool:
        """Whether the hash was made with weaker parameters: hash the password again after the next sign-in."""
        return self._hasher.check_needs_rehash(password_hash)


def check(password: str) -> None:
    """Raises refusals.BadPassword for a password that is too short or too long."""
    if len(password) < LEAST_LENGTH:
        raise refusals.BadPassword(
            f"the password has {len(password)} characters; at least {LEAST_LENGTH} are needed",
            hint="a sentence is easy to remember",
        )
    if len(password) > MOST_LENGTH:
        raise refusals.BadPassword(f"the password is longer than {MOST_LENGTH} characters")
