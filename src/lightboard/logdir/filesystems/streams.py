"""Large ranges of files elsewhere, fetched while the native core scans them: only a block of each is in memory.

    native scan ──▶ Stream.next ──▶ the next piece: the socket of an answer, or a function that stores bytes
                        │
                        └─▶ the pieces after it, and the files after this one, are requested ahead

A stream is one range of a file, requested in pieces. A connection without TLS is read by the native core itself; other
bytes pass through a function. A piece that breaks off is continued where it ended, by obstore, which names the reason
if that fails, too. What had arrived until then is scanned; `error` says why the rest is missing.
"""

from __future__ import annotations

import collections
import functools
import threading
import time
from collections.abc import Callable, Sequence

from lightboard.logdir import filesystems
from lightboard.logdir.filesystems import readers
from lightboard.storage import bodies, connections, faults, settings, web_client

# Of one request. Stores need less time per byte for longer ones; what is requested ahead waits in the system's buffers,
# which hold some megabytes for each connection.
PIECE_BYTES = 16 << 20
# Requested ahead of the pieces that are being read.
AHEAD_BYTES = 48 << 20
# Requests that the scan waits for; the others of `parallel` may be sent ahead.
RESERVED = 2
# Doubles with each try.
RETRY_SECS = 0.1
# After as many streams in a row that failed although they were tried again, the store is down, and the others of the
# scan are not tried.
FAILURES = 3

Connect = Callable[[str], tuple[connections.Connection, str]]
"""The connection and the key of an address."""

Received = tuple[int | Callable[[memoryview], int], bytes, int, float, float]
"""A piece as the native core wants it, see `_native.Stream`."""


class Flow:
    """The streams of one scan, in the order in which it begins them. State, under `_lock`: `_waiting`, streams of which
    nothing has been requested; `_begun`, those that are being scanned; `_open`, how many pieces are requested and not
    closed; `_ahead_bytes`, the bytes of those that nobody reads yet; `_failures`, of the last streams."""

    def __init__(
        self,
        connect: Connect,
        version: Callable[[connections.Meta], int],
        threads: readers.Readers,
        parallel: int,
        ranges: Sequence[filesystems.Range],
    ) -> None:
        self.streams = [Stream(self, each) for each in ranges]
        self._connect, self._version = connect, version
        self._threads = threads
        self._parallel = max(1, parallel)
        self._lock = threading.Condition()
        self._waiting = collections.deque(self.streams)
        self._begun: list[Stream] = []
        self._open = 0
        self._ahead_bytes = 0
        self._failures: list[faults.StorageError] = []

    def begin(self, stream: Stream) -> None:
        with self._lock:
            self._begun.append(stream)
            if stream in self._waiting:
                self._waiting.remove(stream)

    def note(self, error: OSError | None) -> None:
        """A stream failed, or a piece of one could be opened."""
        with self._lock:
            if error is None:
                self._failures.clear()
            elif isinstance(error, faults.StorageError) and error.passing:
                self._failures.append(error)

    @property
    def failure(self) -> OSError | None:
        """Why the store is not asked any more."""
        with self._lock:
            return self._failures[-1] if len(self._failures) >= FAILURES else None

    def taken(self, stream: Stream) -> _Piece | None:
        """The next piece of a stream, which is opened or being opened; None at its end."""
        with self._lock:
            if stream.ahead:
                piece = stream.ahead.popleft()
                self._ahead_bytes -= piece.wanted.length
                return piece
            cut = stream.cut()
        return None if cut is None else self.opened(_Piece(cut))

    def opened(self, piece: _Piece) -> _Piece:
        """Opens a piece in this thread, as soon as fewer than `parallel` are open."""
        with self._lock:
            self._lock.wait_for(lambda: self._open < self._parallel)
            self._open += 1
        piece.open(self._connect, self._version)
        return piece

    def close(self, piece: _Piece, received: int) -> None:
        piece.close(received)
        with self._lock:
            self._open -= 1
            self._lock.notify()

    def end(self, stream: Stream) -> None:
        with self._lock:
            unused = list(stream.ahead)
            stream.rewind()
            self._ahead_bytes -= sum(piece.wanted.length for piece in unused)
            for streams in (self._begun, self._waiting):
                if stream in streams:
                    streams.remove(stream)
        for piece in unused:
            self._threads.start([functools.partial(self._give_up, piece)])

    def _give_up(self, piece: _Piece) -> None:
        piece.wait()
        self.close(piece, 0)

    def look_ahead(self) -> None:
        """Requests one more piece of each stream that is being scanned, the beginnings of those after them, and then
        more of the first ones."""
        with self._lock:
            started = [piece for stream in self._begun if not stream.ahead for piece in self._maybe_next(stream)]
            while self._waiting and (pieces := self._maybe_next(self._waiting[0])):
                self._waiting.popleft()
                started += pieces
            for stream in self._begun:
                while pieces := self._maybe_next(stream):
                    started += pieces
        for piece in started:
            self._threads.start([functools.partial(piece.open, self._connect, self._version)])

    def _maybe_next(self, stream: Stream) -> list[_Piece]:
        """The next piece of a stream, if there is one and room for it."""
        if self._open >= self._parallel - RESERVED or self._ahead_bytes >= AHEAD_BYTES:
            return []
        cut = stream.cut()
        if cut is None:
            return []
        piece = _Piece(cut)
        stream.ahead.append(piece)
        self._open += 1
        self._ahead_bytes += cut.length
        return [piece]


class _Piece:
    """One request. State, set by `open` before `_opened`: a body and its connection, or an error."""

    def __init__(self, wanted: filesystems.Range, *, by_obstore: bool = False) -> None:
        self.wanted = wanted
        self.error: OSError | None = None
        self.body: bodies.Body | None = None
        self.limits = settings.Limits()
        self._by_obstore = by_obstore
        self._opened = threading.Event()

    def open(self, connect: Connect, version: Callable[[connections.Meta], int]) -> None:
        try:
            connection, key = connect(self.wanted.address)
            self.limits = connection.limits
            meta, self.body = connection.open(key, self.wanted.offset, self.wanted.length, by_obstore=self._by_obstore)
            if self.wanted.version and version(meta) != self.wanted.version:
                raise faults.changed()
        except OSError as error:
            self.error = error
        except Exception as error:  # a defect must not leave the scan without an answer
            self.error = OSError(f"reading failed: {error!r}")
        finally:
            self._opened.set()

    def wait(self) -> None:
        self._opened.wait()

    def close(self, received: int) -> None:
        if self.body is not None:
            self.body.close(received)


class Stream:
    """One range of a file: a `_native.Stream`. State: `_at`, the end of what was cut into pieces, and `ahead`, pieces
    that were requested ahead, both under the flow's lock; the rest is used by the thread of the scan: `_piece`, which
    it reads, `_problem`, why that broke off, `_tries` at this place, `error`, why the stream ended early."""

    def __init__(self, flow: Flow, wanted: filesystems.Range) -> None:
        self.wanted = wanted
        self.ahead: collections.deque[_Piece] = collections.deque()
        self.error: OSError | None = None
        self._flow = flow
        self._at = wanted.offset
        self._began = False
        self._piece: _Piece | None = None
        self._problem: OSError | None = None
        self._tries = 0

    def rewind(self) -> None:
        self._at = self.wanted.offset
        self.ahead.clear()

    def cut(self) -> filesystems.Range | None:
        """The next range to request."""
        left = self.wanted.offset + self.wanted.length - self._at
        if left <= 0:
            return None
        # to a multiple of the size, as stores keep large objects in blocks; none is much shorter than the others
        most = PIECE_BYTES * 5 // 4
        length = left if left < most else (self._at + most) // PIECE_BYTES * PIECE_BYTES - self._at
        self._at += length
        return self.wanted._replace(offset=self._at - length, length=length)

    # ---- called by the native core

    def next(self, received: int) -> Received | None:
        try:
            return self._next(received)
        except OSError as error:
            self.error = error
        except Exception as error:
            self.error = OSError(f"reading failed: {error!r}")
        self._flow.note(self.error)
        return None

    def close(self, received: int) -> None:
        """It can be read again from its start: a scan that cannot write its columns is repeated."""
        self._flow.end(self)
        if self._piece is not None:
            self._flow.close(self._piece, received)
        self._piece = self._problem = None
        self._began = False

    def _next(self, received: int) -> Received | None:
        if not self._began:
            self._began, self._tries, self.error = True, 0, None
            self._flow.begin(self)
            if (failure := self._flow.failure) is not None:
                raise failure
        piece = self._continued(received) or self._flow.taken(self)
        while piece is not None:
            self._piece = piece
            piece.wait()
            if piece.error is None:
                self._flow.note(None)
                self._flow.look_ahead()
                return self._received(piece)
            piece = self._again(piece, piece.error)
        return None

    def _continued(self, received: int) -> _Piece | None:
        """The rest of the current piece, if it broke off. Raises OSError if that is given up."""
        piece, problem = self._piece, self._problem or faults.shorter()
        self._piece = self._problem = None
        if piece is None or piece.body is None:
            return None
        self._flow.close(piece, received)
        if received == piece.wanted.length:
            self._tries = 0
            return None
        rest = piece.wanted._replace(offset=piece.wanted.offset + received, length=piece.wanted.length - received)
        if not piece.body.direct:
            self._wait_or_raise(piece, problem)
        return self._flow.opened(_Piece(rest, by_obstore=True))

    def _again(self, piece: _Piece, error: OSError) -> _Piece:
        """The same piece, requested again. Raises the error if that does not help."""
        self._piece = None
        self._flow.close(piece, 0)
        self._wait_or_raise(piece, error)
        return self._flow.opened(_Piece(piece.wanted, by_obstore=True))

    def _wait_or_raise(self, piece: _Piece, error: OSError) -> None:
        changed = isinstance(error, faults.StorageError) and error.explanation.code == "storage.changed"
        passing = isinstance(error, faults.StorageError) and error.passing and not changed
        if not passing or self._tries >= piece.limits.retries:
            raise error
        time.sleep(RETRY_SECS * 2**self._tries)
        self._tries += 1

    def _received(self, piece: _Piece) -> Received:
        body = piece.body
        assert body is not None
        length = min(body.length, piece.wanted.length)
        plain = body.socket()
        if plain is not None:
            secs = piece.limits.timeout_secs
            return plain[0], plain[1], length, secs, secs * web_client.WHOLE

        def read(part: memoryview) -> int:
            try:
                return body.read_into(part)
            except OSError as error:
                self._problem = error
                return 0

        return read, b"", length, 0.0, 0.0
