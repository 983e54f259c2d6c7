"""News of boards that changed, for keepers that sleep, requests that wait, and pages.

SQLite: one hub process, so subscribers are called after the commit. PostgreSQL: each commit notifies a channel, and a
thread of every hub process listens; a lost connection is made again, and then subscribers are told that anything may
have changed (""). Subscribers are called in any thread, must return at once, and must not write.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable, Iterator

import sqlalchemy as sa

from lightboard.hub.db import transactions

CHANNEL = "lightboard_boards"
AGAIN_SECS = 1.0
Subscriber = Callable[[str], None]
_LOG = logging.getLogger(__name__)


class Changes:
    """State, under `_lock`: the subscribers, and the thread that listens, which runs from the first subscriber on."""

    def __init__(self, database: transactions.Transactions) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._subscribers: list[Subscriber] = []
        self._listener: threading.Thread | None = None
        self._ended = threading.Event()
        self._listens = threading.Event()

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Returns the function that ends the subscription."""
        with self._lock:
            self._subscribers.append(subscriber)
            if self._listener is None and not self._database.is_sqlite:
                self._listener = threading.Thread(target=self._listen, name="hub changes", daemon=True)
                self._listener.start()
        self._wait_for_listener()
        return lambda: self._unsubscribe(subscriber)

    @contextlib.contextmanager
    def write(self) -> Iterator[tuple[sa.Connection, list[str]]]:
        """A transaction, and the list of boards that subscribers are told of if it commits."""
        told: list[str] = []
        with self._database.write() as connection:
            yield connection, told
            if not self._database.is_sqlite:
                for board in told:
                    connection.execute(sa.select(sa.func.pg_notify(CHANNEL, board)))
        if self._database.is_sqlite:
            for board in told:
                self._tell(board)

    def close(self) -> None:
        self._ended.set()
        if self._listener is not None:
            self._listener.join()

    def _wait_for_listener(self) -> None:
        """Nothing that is committed after `subscribe` returned is missed."""
        if self._listener is not None:
            self._listens.wait(timeout=10.0)

    def _unsubscribe(self, subscriber: Subscriber) -> None:
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)

    def _tell(self, board: str) -> None:
        with self._lock:
            subscribers = list(self._subscribers)
        for each in subscribers:
            each(board)

    def _listen(self) -> None:
        while not self._ended.is_set():
            try:
                self._listen_once()
            except Exception as error:
                _LOG.warning("lost the connection that listens for changes, trying again: %s", error)
                self._ended.wait(AGAIN_SECS)

    def _listen_once(self) -> None:
        import psycopg

        url = self._database.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._listens.set()
            self._tell("")
            while not self._ended.is_set():
                for notice in connection.notifies(timeout=0.5):
                    self._tell(notice.payload)
