"""Large ranges of objects, requested by our own HTTP client.

obstore hands bytes over in pieces of new memory that are copied once more; for hundreds of megabytes both cost more
than receiving them. So obstore signs the address of a GET, and whoever wants the bytes receives them from the
connection of `web_client`. Only an answer with the wanted range is used. For everything else `open` returns None and
the caller asks obstore, which retries and knows the reasons of refusals.
"""

from __future__ import annotations

import datetime as dt
import email.message
import email.utils
import re
import threading
import time
import urllib.parse
from collections.abc import Callable

from lightboard.storage import faults, settings, web_client

# Shorter ranges are not worth it: obstore needs less time for a request.
LEAST_BYTES = 256 << 10
# How long a signed address is valid, and after how many seconds another one is made.
VALID = dt.timedelta(hours=1)
SIGN_AGAIN_SECS = 1800.0
MOST_SIGNED = 1000
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


class State:
    """Size, ETag and time of the object, as of an answer."""

    def __init__(self, headers: email.message.Message, size: int) -> None:
        self.size = size
        self.etag = faults.plain_etag(headers.get("ETag"))
        changed = email.utils.parsedate_to_datetime(headers["Last-Modified"])
        self.mtime_ns = int(changed.timestamp()) * 1_000_000_000


class Direct:
    """State, under `_lock`: signed addresses by key with the time they were made, and the client, which is given up
    after the first answer that is no range: then this server wants something else."""

    def __init__(self, sign: Callable[[str, dt.timedelta], str], limits: settings.Limits, ca: str, proxy: str) -> None:
        self._sign = sign
        self._limits, self._ca, self._proxy = limits, ca, proxy
        self._lock = threading.Lock()
        self._signed: dict[str, tuple[float, str, str]] = {}
        self._clients: dict[str, web_client.Client] = {}
        self._given_up = False

    def open(self, key: str, start: int, length: int) -> tuple[State, web_client.Answer, int] | None:
        """Returns the object's state, an answer with the range, and its length: less at the end of the object. None:
        ask obstore."""
        if self._given_up or length <= 0:
            return None
        origin, path = self._address(key)
        try:
            answer = self._client(origin).followed("GET", path, {"Range": f"bytes={start}-{start + length - 1}"})
        except (web_client.Refused, web_client.Elsewhere):
            return None
        found = _RANGE.fullmatch(answer.headers.get("Content-Range", ""))
        if answer.status != 206 or found is None or int(found[1]) != start or not answer.headers["Last-Modified"]:
            answer.close()
            self._given_up = True
            return None
        return State(answer.headers, int(found[3])), answer, min(int(found[2]) + 1 - start, length)

    def _address(self, key: str) -> tuple[str, str]:
        now = time.monotonic()
        with self._lock:
            made, origin, path = self._signed.get(key, (0.0, "", ""))
        if origin and now - made < SIGN_AGAIN_SECS:
            return origin, path
        parts = urllib.parse.urlsplit(self._sign(key, VALID))
        origin, path = f"{parts.scheme}://{parts.netloc}", f"{parts.path}?{parts.query}"
        with self._lock:
            if len(self._signed) >= MOST_SIGNED:
                self._signed.clear()
            self._signed[key] = (now, origin, path)
        return origin, path

    def _client(self, origin: str) -> web_client.Client:
        with self._lock:
            if origin not in self._clients:
                self._clients[origin] = web_client.Client(origin, self._limits, ca=self._ca, proxy=self._proxy)
            return self._clients[origin]
