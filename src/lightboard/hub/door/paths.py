"""Addresses below `/boards/`: passed on byte by byte, or refused.

Refused is every address that two programs could understand differently: dots that lead up, empty parts, slashes and
control characters in encoded form, a wrong percent sign.
"""

from __future__ import annotations

import dataclasses
import re

PREFIX = b"/boards/"

_ADDRESS = re.compile(rb"/boards/([a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?)((?:/[\x21-\x7e]*)?)")
_AMBIGUOUS = re.compile(
    rb"//|\\|[\"<>^`{}|]"
    rb"|%(?![0-9A-Fa-f]{2})"
    rb"|%2[Ff]|%5[Cc]|%[01][0-9A-Fa-f]|%7[Ff]"
    rb"|/(?:\.|%2[Ee]){1,2}(?:/|\Z)"
)
_QUERY = re.compile(rb"[\x21-\x7e\x80-\xff]*")
# Parameters with credentials of the hub: they do not reach a board.
_PRIVATE = (b"token",)


@dataclasses.dataclass(frozen=True)
class Address:
    """`below` begins with a slash; it is empty for the board's address without its slash."""

    board: str
    below: bytes


def parse(raw_path: bytes) -> Address | None:
    """Returns None for an address that is refused."""
    match = _ADDRESS.fullmatch(raw_path)
    if match is None or _AMBIGUOUS.search(match[2]):
        return None
    return Address(match[1].decode(), match[2])


def is_ambiguous(raw_path: bytes) -> bool:
    """The same for addresses of the hub itself."""
    return not raw_path.isascii() or _AMBIGUOUS.search(raw_path) is not None


def query(raw: bytes) -> bytes | None:
    """Returns the query for the board, without the hub's own parameters; None if it is refused."""
    if not _QUERY.fullmatch(raw):
        return None
    if not any(name + b"=" in raw for name in _PRIVATE):
        return raw
    return b"&".join(pair for pair in raw.split(b"&") if pair.partition(b"=")[0] not in _PRIVATE)
