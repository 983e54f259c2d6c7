"""The body of a request: in memory if it is small, otherwise in an unnamed temporary file.

Large bodies share a budget of disk space (`Threads.spool`): while it is used up, the server does not read from the
client. `serving.py` enforces how fast a body must arrive.
"""

from __future__ import annotations

import dataclasses
import mmap
import tempfile
from collections.abc import Awaitable, Callable, MutableMapping
from typing import IO, Any

from lightboard.query import spooled
from lightboard.server import responses, threads

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]

MAX_BYTES = 16 << 20  # of JSON and forms; a list of 100,000 run names fits
SMALL_BYTES = 64 << 10
# Pieces are written to the file in batches of this size, in a thread.
LOT_BYTES = 256 << 10


class Disconnected(Exception):
    """The client disconnected before its body was complete, so no response can be sent."""


@dataclasses.dataclass(frozen=True)
class Body:
    """All bytes that were sent. A large body is a mapping of a file that goes when nobody looks at it any more."""

    data: bytes | mmap.mmap = b""

    def __len__(self) -> int:
        return len(self.data)

    @property
    def view(self) -> memoryview:
        return memoryview(self.data)

    def to_bytes(self) -> bytes:
        return self.data if isinstance(self.data, bytes) else self.data[:]


async def read(headers: dict[bytes, bytes], receive: Receive, work: threads.Threads, limit: int = MAX_BYTES) -> Body:
    announced = _announced(headers, limit)
    if announced > limit:
        raise _too_large(limit)
    if announced <= SMALL_BYTES:
        return Body(b"".join([piece async for piece in _pieces(receive, limit)]))
    async with work.spool.hold(announced):
        return await _spooled(receive, work, limit)


def _announced(headers: dict[bytes, bytes], limit: int) -> int:
    """Returns the largest number of bytes that the client may send, from its headers."""
    length = headers.get(b"content-length", b"")
    if length.isdigit():
        return int(length)
    return limit if b"transfer-encoding" in headers else 0


async def _spooled(receive: Receive, work: threads.Threads, limit: int) -> Body:
    """Opening and closing files can block on a busy disk, so a thread does both."""
    file = await work.run_on_disk(_open)
    try:
        lot: list[bytes] = []
        async for piece in _pieces(receive, limit):
            lot.append(piece)
            if sum(map(len, lot)) >= LOT_BYTES:
                await work.run_on_disk(_write, file, lot)
        await work.run_on_disk(_write, file, lot)
        return Body(await work.run_on_disk(_mapped, file))
    finally:
        await work.run_on_disk(file.close)


def _open() -> IO[bytes]:
    return tempfile.TemporaryFile("w+b", buffering=0)


def _mapped(file: IO[bytes]) -> bytes | mmap.mmap:
    return spooled.mapped(file.fileno()) if file.tell() else b""


def _write(file: IO[bytes], lot: list[bytes]) -> None:
    waiting = memoryview(b"".join(lot))
    lot.clear()
    try:
        while waiting:
            waiting = waiting[file.write(waiting) :]
    except OSError as error:
        raise responses.Busy(
            f"there is no space for this body in {tempfile.gettempdir()} ({error.strerror})",
            hint="free some space there, or start the board with another TMPDIR",
            code="disk.full",
            path=tempfile.gettempdir(),
        ) from error


async def _pieces(receive: Receive, limit: int) -> Any:
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Disconnected
        piece: bytes = message.get("body", b"")
        size += len(piece)
        if size > limit:
            raise _too_large(limit)
        if piece:
            yield piece
        if not message.get("more_body", False):
            return


def _too_large(limit: int) -> responses.TooLarge:
    return responses.TooLarge(f"the body has more than {limit} bytes", code="upload.too_large", limit=limit)
