"""Large ranges that are scanned while they arrive: every byte once, faults continued, no more requests than allowed."""

from __future__ import annotations

import dataclasses
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import event_files
import numpy as np
import pytest

from lightboard import _native
from lightboard.logdir import filesystems
from lightboard.logdir.filesystems import readers, streams
from lightboard.storage import bodies, connections, faults, settings
from lightboard.store import row_types

POINTS = 5_000
CONTENT = b"".join(
    event_files.record(event_files.scalar_event("loss", float(step), step=step)) for step in range(POINTS)
)
PIECE = 1 << 14


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PIECE_BYTES", PIECE)
    monkeypatch.setattr(streams, "AHEAD_BYTES", 3 * PIECE)
    monkeypatch.setattr(streams, "RETRY_SECS", 0.001)


@dataclasses.dataclass
class Store:
    """Stands for a connection. `cuts`: how many bytes are missing from the answers, one after the other."""

    plain: bool = True  # the native core receives from sockets; else bytes come in pieces, as obstore's
    cuts: list[int] = dataclasses.field(default_factory=list)
    refusal: faults.StorageError | None = None
    etag: str = "1"
    limits: settings.Limits = dataclasses.field(default_factory=lambda: settings.Limits(retries=3, timeout_secs=5))

    def __post_init__(self) -> None:
        self.asked: list[tuple[int, int, bool]] = []
        self.in_flight = self.most_in_flight = 0
        self.lock = threading.Lock()

    def streams(self, count: int = 1, parallel: int = 16) -> list[streams.Stream]:
        ranges = [filesystems.Range(f"s3://b/{number}", 0, len(CONTENT), version=1) for number in range(count)]
        connect: Any = self._connected
        return streams.Flow(connect, lambda meta: int(meta.etag), readers.Readers(parallel), parallel, ranges).streams

    def _connected(self, address: str) -> tuple[Store, str]:
        return self, address

    def open(self, key: str, start: int, length: int, *, by_obstore: bool) -> tuple[connections.Meta, bodies.Body]:
        with self.lock:
            self.asked.append((start, length, by_obstore))
            cut = self.cuts.pop(0) if self.cuts else 0
            if self.refusal is not None:
                raise self.refusal
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
        part = CONTENT[start : start + length]
        body: bodies.Body = Given(self, part, cut) if by_obstore or not self.plain else Sent(self, part, cut)
        return connections.Meta(key, len(CONTENT), self.etag, 0), body

    def closed(self) -> None:
        with self.lock:
            self.in_flight -= 1


class Sent:
    """A body that a thread sends through a socket, as a server does."""

    direct = True

    def __init__(self, store: Store, content: bytes, cut: int) -> None:
        self.length = len(content)
        self._store = store
        self._ours, theirs = socket.socketpair()
        self._ours.setblocking(False)
        self._first = content[:100]
        rest = content[100 : len(content) - cut]
        threading.Thread(target=self._send, args=(theirs, rest), daemon=True).start()

    def _send(self, theirs: socket.socket, content: bytes) -> None:
        with theirs:
            try:
                theirs.sendall(content)
            except OSError:  # nobody wants the rest
                return

    def socket(self) -> tuple[int, bytes]:
        return self._ours.fileno(), self._first

    def read_into(self, part: memoryview) -> int:
        raise AssertionError("the native core receives")

    def close(self, received: int) -> None:
        self._ours.close()
        self._store.closed()


class Given(bodies.Pieces):
    """A body in pieces."""

    def __init__(self, store: Store, content: bytes, cut: int) -> None:
        super().__init__(self._given(content[: len(content) - cut], broken=cut > 0), len(content))
        self._store = store

    def _given(self, content: bytes, *, broken: bool) -> Iterator[bytes]:
        for at in range(0, len(content), 1_000):
            yield content[at : at + 1_000]
        if broken:
            raise faults.shorter()

    def close(self, received: int) -> None:
        super().close(received)
        self._store.closed()


def scanned(made: list[streams.Stream]) -> tuple[int, list[int]]:
    """How many points were read, and how far each stream."""
    size = len(CONTENT)
    tasks: list[_native.Task] = [((each, size, size, 1, 0), 0, size, 0, {}) for each in made]
    batch = _native.scan(tasks, -1, 0, 2)
    points = int(np.frombuffer(batch.chunks, row_types.CHUNK)["n"].sum())
    return points, np.frombuffer(batch.files, row_types.FILE)["offset"].tolist()


def settled(store: Store) -> bool:
    """Pieces that were requested ahead are closed by another thread."""
    until = time.monotonic() + 10
    while store.in_flight and time.monotonic() < until:
        time.sleep(0.001)
    return not store.in_flight


@pytest.mark.parametrize("plain", [True, False])
def test_every_byte_is_requested_once(plain: bool) -> None:
    store = Store(plain=plain)
    made = store.streams()
    assert scanned(made) == (POINTS, [len(CONTENT)])
    assert made[0].error is None
    at = 0
    for start, length, by_obstore in sorted(store.asked):
        assert (start, by_obstore) == (at, False)
        at += length
    assert at == len(CONTENT)
    assert settled(store)


@pytest.mark.parametrize("plain", [True, False])
def test_a_piece_that_breaks_off_is_continued_where_it_ended(plain: bool) -> None:
    store = Store(plain=plain, cuts=[5_000, 1, PIECE - 100, 0, 3_000])
    made = store.streams()
    assert scanned(made) == (POINTS, [len(CONTENT)])
    assert made[0].error is None
    assert any(by_obstore for _, _, by_obstore in store.asked)
    assert sum(length for _, length, _ in store.asked) < len(CONTENT) + 4 * PIECE
    assert settled(store)


def test_what_arrived_before_a_failure_is_kept() -> None:
    store = Store(cuts=[0, 0, *[10_000] * 100])
    made = store.streams()
    points, (offset,) = scanned(made)
    assert isinstance(made[0].error, faults.StorageError)
    assert 2 * PIECE <= offset < len(CONTENT)
    assert 0 < points < POINTS
    assert settled(store)


def test_a_refusal_that_stays_is_asked_for_once() -> None:
    denied = faults.StorageError(13, faults.shorter().explanation, passing=False)
    store = Store(refusal=denied)
    made = store.streams()
    assert scanned(made) == (0, [0])
    assert made[0].error is denied
    assert len(store.asked) == 1


def test_a_store_that_is_down_is_not_asked_for_every_file() -> None:
    store = Store(refusal=faults.StorageError(5, faults.shorter().explanation, passing=True))
    made = store.streams(count=50)
    assert scanned(made) == (0, [0] * 50)
    assert all(each.error is store.refusal for each in made)
    assert len(store.asked) < 50  # a few streams with their retries, and what was requested ahead
    assert settled(store)


def test_another_version_is_not_read() -> None:
    store = Store(etag="2")
    made = store.streams()
    assert scanned(made) == (0, [0])
    assert isinstance(made[0].error, faults.StorageError)
    assert made[0].error.explanation.code == "storage.changed"
    assert settled(store)


@pytest.mark.parametrize("parallel", [1, 2, 3, 16])
def test_no_more_requests_at_a_time_than_allowed(parallel: int) -> None:
    store = Store()
    made = store.streams(count=12, parallel=parallel)
    assert scanned(made) == (12 * POINTS, [len(CONTENT)] * 12)
    assert store.most_in_flight <= parallel
    assert settled(store)


def test_a_stream_can_be_read_again() -> None:
    """A scan that cannot write its columns is repeated."""
    store = Store()
    made = store.streams(count=3)
    made[0].next(0)
    for each in made:
        each.close(0)
    assert scanned(made) == (3 * POINTS, [len(CONTENT)] * 3)
    assert settled(store)


def test_a_defect_is_an_error_of_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store()
    monkeypatch.setattr(store, "open", lambda *_, **__: 1 / 0)
    made = store.streams()
    assert scanned(made) == (0, [0])
    assert "ZeroDivisionError" in str(made[0].error)
