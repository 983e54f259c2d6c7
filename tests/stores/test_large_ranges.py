"""Large ranges of objects: read straight into a buffer, by obstore if that does not work, and never wrong bytes."""

from __future__ import annotations

import contextlib
import pathlib
import random

import pytest
from stores import injected, places, proxy, seaweed

from lightboard.storage import connections, direct, faults, settings, uris

pytestmark = pytest.mark.object_store

SIZE = 3 << 20
CONTENT = random.Random(7).randbytes(SIZE)


@pytest.fixture(scope="module")
def bucket(seaweed_server: seaweed.Seaweed) -> str:
    with contextlib.closing(seaweed_server.client()) as client:
        client.make_bucket("large-ranges")
        client.put("large-ranges", "数据/a b+c%.bin", CONTENT)
    return "large-ranges"


@pytest.fixture
def connection(bucket: str, between: proxy.Proxy, tmp_path: pathlib.Path) -> connections.Connection:
    found = settings.load(str(places.s3_settings(tmp_path, between.endpoint)))
    return connections.Connections(found, {}).of(uris.parse(f"s3://store@{bucket}"))


def read(connection: connections.Connection, start: int, length: int) -> bytes:
    buffer = bytearray(length)
    meta, count = connection.fill("数据/a b+c%.bin", start, memoryview(buffer))
    assert meta.size == SIZE
    assert meta == connection.head("数据/a b+c%.bin")
    return bytes(buffer[:count])


def test_a_range_is_read_by_one_signed_request(connection: connections.Connection, between: proxy.Proxy) -> None:
    start, length = 12_345, 2 << 20
    assert read(connection, start, length) == CONTENT[start : start + length]
    (request,) = between.requests("GET")
    assert "X-Amz-Signature=" in request.target
    assert read(connection, SIZE - 100_000, 1 << 20) == CONTENT[-100_000:]  # it ends before the buffer does


def test_a_short_range_is_left_to_obstore(connection: connections.Connection, between: proxy.Proxy) -> None:
    assert read(connection, 5, direct.LEAST_BYTES - 1) == CONTENT[5 : direct.LEAST_BYTES + 4]
    assert "X-Amz-Signature=" not in between.requests("GET")[0].target


@pytest.mark.parametrize(
    "failure", [injected.RESET, injected.RESET_IN_BODY, injected.SLOW_DOWN, injected.ACCESS_DENIED]
)
def test_obstore_reads_what_failed(
    connection: connections.Connection, between: proxy.Proxy, failure: injected.Fault
) -> None:
    between.plan = injected.Script([failure])
    buffer = bytearray(1 << 20)
    done = connection.fill("数据/a b+c%.bin", 0, memoryview(buffer))[1]
    assert bytes(buffer[:done]) == CONTENT[:done]
    assert done == len(buffer)


def test_a_missing_object_is_named_as_obstore_names_it(connection: connections.Connection) -> None:
    with pytest.raises(faults.StorageError) as raised:
        connection.fill("absent", 0, memoryview(bytearray(1 << 20)))
    assert isinstance(raised.value, FileNotFoundError)
