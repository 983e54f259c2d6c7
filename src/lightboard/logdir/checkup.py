"""Tries step by step whether a source can be read: for `lightboard doctor`.

    address      what the address means: service, bucket, path
    credentials  who asks
    reach        something listens at the endpoint
    sign         the store accepts the key
    list         the first page of objects
    read         the first byte of an event file
    range        a few bytes from its middle

The steps after a failed one are not tried. Nothing here prints or returns a key.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import socket
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

from lightboard import errors, sources, storage
from lightboard.storage import credentials, faults

REACH_SECS = 5.0
# An event file is searched among so many pages of 1,000 objects.
PAGES = 5

_UNSIGNED = (
    "storage.wrong_key", "storage.wrong_secret", "storage.expired", "storage.clock", "storage.no_credentials",
    "storage.role", "storage.web_credentials",
)  # fmt: skip
_UNREACHED = (
    "storage.not_tls", "storage.needs_tls", "storage.certificate", "storage.unknown_host", "storage.refused",
    "storage.timeout", "storage.broken_off",
)  # fmt: skip
_SERVICES = {
    storage.Service.S3: "Amazon S3 or a store with its protocol",
    storage.Service.OSS: "Alibaba Cloud OSS",
    storage.Service.MINIO: "MinIO",
    storage.Service.GCS: "Google Cloud Storage",
    storage.Service.AZURE: "Azure Blob Storage",
    storage.Service.HTTP: "web server",
    storage.Service.CLAIM: "claim",
}


@dataclasses.dataclass(frozen=True)
class Step:
    name: str
    works: bool
    detail: str
    hint: str = ""
    remark: bool = False  # it works, but not as the user may expect


class _Failed(Exception):
    """Ends the checkup: the step says why."""

    def __init__(self, step: Step) -> None:
        super().__init__(step.name)
        self.step = step


def steps(text: str, settings: storage.Settings | None = None) -> Iterator[Step]:
    """Yields each step as soon as it is known."""
    try:
        location = _parsed(text)
        yield Step("address", True, _meaning(location))
        if location.service is storage.Service.CLAIM:
            yield _claim(location, settings or storage.Settings())
        else:
            yield from _asked(location, storage.Connections(settings))
    except _Failed as failed:
        yield failed.step


def _parsed(text: str) -> storage.Location:
    try:
        return storage.parse(text)
    except errors.LightboardError as error:
        raise _failed("address", error.explanation()) from error


def _meaning(location: storage.Location) -> str:
    if location.service is storage.Service.HTTP:
        return f"web server {location.bucket}, path `{location.key}`"
    what = {storage.Service.AZURE: "container", storage.Service.CLAIM: "claim"}.get(location.service, "bucket")
    service = "" if what == "claim" else f"{_SERVICES[location.service]}, "
    path = f", path `{location.key}`" if location.key else ", no path: everything in it"
    secret = f", secret `{location.secret}`" if location.secret else ""
    return f"{service}{what} `{location.bucket}`{path}{secret}"


def _claim(location: storage.Location, settings: storage.Settings) -> Step:
    try:
        directory = os.path.join(settings.directory(location.bucket), location.key)  # noqa: PTH118
        with os.scandir(directory) as entries:
            count = sum(1 for _ in entries)
    except errors.LightboardError as error:
        raise _failed("claim", error.explanation()) from error
    except OSError as error:
        return Step("claim", False, f"{error.strerror}: {directory}", "is the volume mounted here?")
    return Step("claim", True, f"{count:,} entries in {directory}")


def _asked(location: storage.Location, connections: storage.Connections) -> Iterator[Step]:
    try:
        connection = connections.of(location)
    except errors.LightboardError as error:
        raise _failed("credentials", error.explanation()) from error
    nobody = credentials.is_nobody(connection.who)
    yield Step("credentials", True, connection.who.message)
    yield _reached(connection.where)
    pages = connection.list(location.key)
    try:
        first = next(iter(pages), [])
    except faults.StorageError as error:
        yield from _refused(error.explanation, nobody=nobody)
        return
    yield Step("sign", True, "requests are not signed" if nobody else "the store accepts the key")
    yield _counted(first)
    yield from _read(connection, itertools.chain([first], itertools.islice(pages, PAGES - 1)))


def _reached(where: str) -> Step:
    """Whether something listens. A proxy of the environment may reach it even if this machine does not."""
    parsed = urllib.parse.urlsplit(where)
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    try:
        with socket.create_connection((parsed.hostname or "", port), REACH_SECS):
            return Step("reach", True, where)
    except OSError as error:
        if urllib.request.getproxies().get(parsed.scheme):
            return Step("reach", True, f"{where}, by the proxy of the environment", remark=True)
        raise _Failed(
            Step("reach", False, f"{_reason(error)}: {where}", "check host and port of the endpoint")
        ) from error


def _reason(error: OSError) -> str:
    if isinstance(error, socket.gaierror):
        return "the host name is unknown"
    if isinstance(error, TimeoutError):
        return "no answer"
    return (error.strerror or str(error)).lower()


def _refused(because: errors.Explanation, *, nobody: bool) -> Iterator[Step]:
    """The first request failed: the code says at which step."""
    if because.code in _UNREACHED:
        yield Step("connect", False, because.message, because.hint)
    elif because.code in _UNSIGNED:
        yield Step("sign", False, because.message, because.hint)
    else:
        yield Step("sign", True, "requests are not signed" if nobody else "the store answers to this key")
        yield Step("list", False, because.message, because.hint)


def _counted(page: list[Any]) -> Step:
    if not page:
        return Step("list", True, "nothing is stored there", "check bucket and path: case matters", remark=True)
    events = sum(sources.is_event_file(each.key) for each in page)
    more = ", there may be more" if len(page) >= 1000 else ""
    return Step("list", True, f"{len(page):,} objects on the first page, {events:,} of them event files{more}")


def _read(connection: storage.Connection, pages: Iterator[list[Any]]) -> Iterator[Step]:
    listed = [each for page in pages for each in page]
    found = next((each for each in listed if sources.is_event_file(each.key) and each.size), None)
    if found is None:
        hint = "event files have `tfevents` in their name; is this the right path?" if listed else ""
        yield Step("read", True, f"not tried: no event file among {len(listed):,} objects", hint, remark=True)
        return
    try:
        connection.get(found.key, 0, 1)
        yield Step("read", True, found.key)
        size = connection.head(found.key).size  # listings of web servers do not tell it
        start = size // 2
        end = min(start + 16, size)
        got, _ = connection.get(found.key, start, end)
    except faults.StorageError as error:
        yield Step("read", False, error.explanation.message, error.explanation.hint)
        return
    if len(got) == end - start:
        if connection.ranges is False:
            whole = "the server sends whole files: it does not support ranges"
            yield Step("range", True, whole, "nginx, Apache and Caddy do", remark=True)
            return
        yield Step("range", True, f"bytes {start:,} to {end - 1:,} of {size:,}")
    else:
        yield Step("range", False, f"{len(got):,} bytes instead of {end - start}", "the server must support ranges")


def _failed(name: str, because: errors.Explanation) -> _Failed:
    return _Failed(Step(name, False, because.message, because.hint))
