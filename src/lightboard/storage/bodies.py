"""The body of an answer to a GET, read while it arrives: from a socket, or in pieces that a client hands over.

A body that ends before `length` broke off. It must be closed; one that was read completely leaves its connection to the
next request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from lightboard.storage import web_client


class Body(Protocol):
    """Used by one thread at a time."""

    length: int  # how many bytes the answer has
    direct: bool  # read by our own client, which cannot name the reasons of failures

    def socket(self) -> tuple[int, bytes] | None:
        """The descriptor of a connection without TLS from which the rest can be received, and the bytes that were
        received already. The caller says in `close` how many bytes it received in all."""

    def read_into(self, part: memoryview) -> int:
        """Stores what has arrived; returns how many bytes, 0 at the end. Raises faults.StorageError."""

    def close(self, received: int) -> None: ...


class Answered:
    """The body of an answer of `web_client`; `length` must be known."""

    direct = True

    def __init__(self, answer: web_client.Answer, length: int, explained: Callable[[Exception], OSError]) -> None:
        self.length = length
        self._answer = answer
        self._explained = explained

    def socket(self) -> tuple[int, bytes] | None:
        return self._answer.socket()

    def read_into(self, part: memoryview) -> int:
        try:
            return self._answer.read_some(part)
        except web_client.Refused as error:
            raise self._explained(error) from error

    def close(self, received: int) -> None:
        self._answer.finish(complete=received == self.length)


class Pieces:
    """Pieces of bytes from an iterator. State: the rest of the last piece."""

    direct = False

    def __init__(self, pieces: Iterator[Any], length: int) -> None:
        self.length = length
        self._pieces = pieces
        self._rest = memoryview(b"")

    def socket(self) -> None:
        return None

    def read_into(self, part: memoryview) -> int:
        while not len(self._rest):
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = memoryview(piece).cast("B")
        count = min(len(part), len(self._rest))
        part[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def close(self, received: int) -> None:
        close = getattr(self._pieces, "close", None)  # of a generator
        if close is not None:
            close()
        self._rest = memoryview(b"")
