"""Blobs that arrive in chunks, until their sequence is complete and becomes one record.

They wait in memory, because a record is made of all of them: bounded for each sequence, user and hub. A chunk says its
offset: a client that lost its connection sends the blob from its beginning or goes on where it was. Checksums are
checked if they are sent (TensorBoard 2.15.0 sends none).

TensorBoard sends nothing for an empty blob, and none that is larger than the handshake allows. It sends one sequence of
an experiment after the other; when the next one begins, what is missing in the one before is written as empty.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable

from lightboard import _native, errors
from lightboard.hub.life import refusals
from lightboard.hub.tensorboard_dev import messages

MOST_BLOB_BYTES = 32 << 20
MOST_SEQUENCE_BYTES = 48 << 20
MOST_USER_BYTES = 64 << 20
MOST_HUB_BYTES = 160 << 20
MOST_LENGTH = 10_000
MOST_WAITING = 64  # sequences of one user
# A sequence without a new chunk is given up after this: its client is gone.
SILENT_SECS = 120.0


class Exists(errors.LightboardError):
    """The blob is complete already."""

    status = 409


class TooMuch(refusals.Refusal):
    """More waits than may; the client tries again."""

    status = 429
    rest_code = "RateLimited"


class Waiting:
    """One sequence. State: under the lock of `Blobs`."""

    def __init__(self, id: str, user: str, sequence: messages.BlobSequence, now: float) -> None:
        self.id, self.user, self.sequence = id, user, sequence
        self.blobs = [bytearray() for _ in range(sequence.length)]
        self.final = [False] * sequence.length
        self.last_used = now

    @property
    def size(self) -> int:
        return sum(map(len, self.blobs))

    @property
    def is_complete(self) -> bool:
        return all(self.final)


class Blobs:
    """State: the sequences that wait, by their ids, under the lock."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._lock = threading.Lock()
        self._clock = clock
        self._waiting: dict[str, Waiting] = {}

    def begin(self, user: str, sequence: messages.BlobSequence) -> tuple[str, list[Waiting]]:
        """The id of a sequence, the same for the same point; and other sequences of its experiment, which are taken out
        to be written as they are."""
        if not 0 <= sequence.length <= MOST_LENGTH:
            raise errors.BadInput(f"a sequence has at most {MOST_LENGTH:,} blobs, not {sequence.length}")
        id = _id(sequence)
        with self._lock:
            others = [each for each in self._waiting.values() if each.sequence.experiment == sequence.experiment]
            ended = [self._waiting.pop(each.id) for each in others if each.id != id]
            if id not in self._waiting:
                if sum(each.user == user for each in self._waiting.values()) >= MOST_WAITING:
                    raise TooMuch("too many blob sequences wait for their end", hint="send them one after the other")
                self._waiting[id] = Waiting(id, user, sequence, self._clock())
            return id, ended

    def sequence(self, id: str, user: str) -> messages.BlobSequence:
        with self._lock:
            return self._find(id, user).sequence

    def add(self, user: str, chunk: messages.Chunk) -> int:
        """Returns the size of the blob now."""
        if chunk.crc32c and _native.crc32c(chunk.data) != chunk.crc32c:
            raise errors.BadInput("a chunk does not have its checksum", hint="send it again")
        with self._lock:
            waiting = self._find(chunk.sequence, user)
            if not 0 <= chunk.index < len(waiting.blobs):
                raise errors.BadInput(f"blob {chunk.index} of a sequence of {len(waiting.blobs)}")
            if waiting.final[chunk.index]:
                raise Exists("this blob is complete")
            blob = waiting.blobs[chunk.index]
            if not 0 <= chunk.offset <= len(blob):
                raise errors.BadInput(f"a chunk begins at byte {chunk.offset}, and {len(blob)} bytes are here")
            size = chunk.offset + len(chunk.data)
            if max(size, chunk.blob_bytes) > MOST_BLOB_BYTES:
                raise errors.BadInput(f"a blob has at most {MOST_BLOB_BYTES:,} bytes")
            self._check_room(waiting, size - len(blob))
            blob[chunk.offset :] = chunk.data
            waiting.last_used = self._clock()
            if chunk.is_last:
                _check_whole(blob, chunk)
                waiting.final[chunk.index] = True
            return size

    def state(self, user: str, id: str, index: int) -> tuple[int, int, int]:
        """State, size and checksum of a blob."""
        with self._lock:
            waiting = self._find(id, user)
            if not 0 <= index < len(waiting.blobs):
                raise errors.NotFound("this sequence has no such blob")
            blob, final = bytes(waiting.blobs[index]), waiting.final[index]
        return (messages.CURRENT if final else messages.UNFINALIZED), len(blob), _native.crc32c(blob)

    def take_complete(self, id: str) -> Waiting | None:
        """The sequence, once, if all its blobs are here."""
        with self._lock:
            waiting = self._waiting.get(id)
            return self._waiting.pop(id) if waiting is not None and waiting.is_complete else None

    def take_silent(self) -> list[Waiting]:
        with self._lock:
            before = self._clock() - SILENT_SECS
            silent = [each for each in self._waiting.values() if each.last_used < before]
            return [self._waiting.pop(each.id) for each in silent]

    def take_all(self) -> list[Waiting]:
        with self._lock:
            ended = list(self._waiting.values())
            self._waiting.clear()
            return ended

    def forget(self, experiment: str) -> None:
        with self._lock:
            for each in [each for each in self._waiting.values() if each.sequence.experiment == experiment]:
                del self._waiting[each.id]

    def _find(self, id: str, user: str) -> Waiting:
        waiting = self._waiting.get(id)
        if waiting is None or waiting.user != user:
            raise errors.NotFound("not found: this blob sequence", hint="begin it again")
        return waiting

    def _check_room(self, waiting: Waiting, more: int) -> None:
        if waiting.size + more > MOST_SEQUENCE_BYTES:
            raise errors.BadInput(f"a sequence of blobs has at most {MOST_SEQUENCE_BYTES:,} bytes")
        users = sum(each.size for each in self._waiting.values() if each.user == waiting.user)
        total = sum(each.size for each in self._waiting.values())
        if users + more > MOST_USER_BYTES or total + more > MOST_HUB_BYTES:
            raise TooMuch("too many bytes of blobs wait for their end", hint="try again in a moment")


def _check_whole(blob: bytearray, chunk: messages.Chunk) -> None:
    if chunk.blob_bytes and len(blob) != chunk.blob_bytes:
        raise errors.BadInput(f"a blob of {chunk.blob_bytes} bytes ends after {len(blob)}")
    if chunk.blob_crc32c and _native.crc32c(bytes(blob)) != chunk.blob_crc32c:
        blob.clear()
        raise errors.BadInput("a blob does not have its checksum", hint="send it again")


def _id(sequence: messages.BlobSequence) -> str:
    point = f"{sequence.experiment}\0{sequence.run}\0{sequence.tag}\0{sequence.step}\0{sequence.wall_time!r}"
    return hashlib.sha256(point.encode("utf-8", "surrogatepass")).hexdigest()[:32]
