"""How often a store is asked: counted between us and SeaweedFS, and Azurite."""

from __future__ import annotations

import concurrent.futures
import contextlib
import pathlib
import time
from collections.abc import Iterator

import pytest
from stores import azure, logs_of, places, proxy, seaweed, web_server

import lightboard

pytestmark = pytest.mark.object_store

MANY = 1200
STEPS = range(3)


@pytest.fixture(scope="module")
def many(seaweed_server: seaweed.Seaweed) -> str:
    """A bucket with more keys than one LIST gives."""
    bucket = "many-objects"
    content = logs_of.scalars(STEPS)
    with contextlib.closing(seaweed_server.client()) as client:
        client.make_bucket(bucket)
    numbers = [range(start, MANY, 4) for start in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda part: _fill(seaweed_server, bucket, part, content), numbers))
    return bucket


def _fill(server: seaweed.Seaweed, bucket: str, numbers: range, content: bytes) -> None:
    with contextlib.closing(server.client()) as client:
        client.put_all(bucket, ((f"runs/{number:04}/{logs_of.NAME}", content) for number in numbers))


@pytest.fixture
def storage(tmp_path: pathlib.Path, between: proxy.Proxy) -> pathlib.Path:
    return places.s3_settings(tmp_path, between.endpoint)


def test_first_load_second_start_and_unchanged_logs(
    many: str, between: proxy.Proxy, storage: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    uri = f"s3://store@{many}/runs"
    with lightboard.open(uri, storage=storage, index_dir=tmp_path / "index") as logs:
        assert logs_of.points(logs) == {f"{number:04}": logs_of.expected(STEPS) for number in range(MANY)}
        assert between.count() == {"LIST": 2, "GET": MANY}
        between.forget()
        for _ in range(3):
            logs.refresh()
        assert between.count() == {"LIST": 6}
    between.forget()
    with lightboard.open(uri, storage=storage, index_dir=tmp_path / "index") as logs:
        assert len(logs_of.points(logs)) == MANY
        assert between.count() == {"LIST": 2}


def test_an_object_is_fetched_once_and_no_part_twice(many: str, between: proxy.Proxy, storage: pathlib.Path) -> None:
    with lightboard.open(f"s3://store@{many}/runs", storage=storage, index=False):
        fetched = [each.path for each in between.requests("GET")]
    assert len(fetched) == len(set(fetched)) == MANY


def test_a_bucket_without_logs_costs_one_request(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, storage: pathlib.Path
) -> None:
    with contextlib.closing(seaweed_server.client()) as client:
        client.make_bucket("no-logs")
        client.put("no-logs", "notes/readme.txt", b"nothing")
    with lightboard.open("s3://store@no-logs", storage=storage, index=False) as logs:
        assert logs.runs == []
    assert between.count() == {"LIST": 1}


def test_a_heavy_value_is_one_range(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, storage: pathlib.Path
) -> None:
    content = logs_of.texts(5, 100_000)
    with contextlib.closing(seaweed_server.client()) as client:
        client.put("heavy", f"run/{logs_of.NAME}", content)
    with lightboard.open("s3://store@heavy", storage=storage, index=False) as logs:
        between.forget()
        assert logs.text("run", "words")[3].strings == ("00000003" * 12_500,)
    assert between.count() == {"GET": 1}
    (get,) = between.requests()
    assert get.range.startswith("bytes=") and 100_000 <= get.body_bytes < 110_000


def test_a_large_object_is_read_in_ranges_that_cover_it_once(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, storage: pathlib.Path
) -> None:
    content = logs_of.texts(20, 1_000_000)
    with contextlib.closing(seaweed_server.client()) as client:
        client.put("large", f"run/{logs_of.NAME}", content)
    with lightboard.open("s3://store@large", storage=storage, index=False) as logs:
        assert len(logs.text("run", "words")) == 20
    gets = between.requests("GET")
    assert len(gets) > 1
    # a batch ends with a whole record, so a part of a record of 1 MB may be read again
    assert sum(each.body_bytes for each in gets) < len(content) * 1.05
    assert set(between.count()) == {"LIST", "GET"}


def test_no_more_reads_at_once_than_the_settings_allow(many: str, between: proxy.Proxy, tmp_path: pathlib.Path) -> None:
    storage = places.s3_settings(tmp_path, between.endpoint, parallel_reads=2)
    with lightboard.open(f"s3://store@{many}/runs", storage=storage, index=False) as logs:
        assert len(logs.runs) == MANY
    assert between.most_at_once <= 2


def test_no_more_requests_per_second_than_the_settings_allow(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, tmp_path: pathlib.Path
) -> None:
    with contextlib.closing(seaweed_server.client()) as client:
        for number in range(40):
            client.put("slow", f"{number}/{logs_of.NAME}", logs_of.scalars(STEPS))
    storage = places.s3_settings(tmp_path, between.endpoint, requests_per_second=20)
    began = time.monotonic()
    with lightboard.open("s3://store@slow", storage=storage, index=False) as logs:
        assert len(logs.runs) == 40
    assert time.monotonic() - began >= 1.0  # 41 requests, of which a second's worth may come at once


@pytest.fixture
def before_azurite(azurite_server: azure.Azurite) -> Iterator[proxy.Proxy]:
    with proxy.Proxy(azurite_server.endpoint) as made:
        yield made


def test_azure_is_asked_as_rarely(
    azurite_server: azure.Azurite, before_azurite: proxy.Proxy, tmp_path: pathlib.Path
) -> None:
    """Quotes of ETags differ there between requests."""
    with contextlib.closing(azurite_server.client()) as client:
        client.make_bucket("counted")
        for number in range(30):
            client.put("counted", f"{number}/{logs_of.NAME}", logs_of.scalars(STEPS))
    storage = places.settings(tmp_path, endpoint=before_azurite.endpoint, account=azure.ACCOUNT, key=azure.KEY)
    for wanted in ({"LIST": 1, "GET": 30}, {"LIST": 1}):
        before_azurite.forget()
        with lightboard.open("az://store@counted", storage=storage, index_dir=tmp_path / "index") as logs:
            assert len(logs.runs) == 30
        assert before_azurite.count() == wanted


# directories, files; HEAD where a listing gives no exact size or time
WEB = {
    ("python", ""): ({"LIST": 21, "HEAD": 20, "GET": 20}, {"LIST": 21, "HEAD": 20}),
    ("nginx", ""): ({"LIST": 21, "HEAD": 20, "GET": 20}, {"LIST": 21, "HEAD": 20}),
    ("nginx_json", ""): ({"LIST": 21, "GET": 20}, {"LIST": 21}),
    ("apache", ""): ({"LIST": 21, "HEAD": 20, "GET": 20}, {"LIST": 21, "HEAD": 20}),
    ("none", "index.json"): ({"LIST": 1, "GET": 21}, {"LIST": 1, "GET": 1}),
    ("none", "index.txt"): ({"LIST": 1, "HEAD": 20, "GET": 22}, {"LIST": 1, "HEAD": 20, "GET": 2}),
}


@pytest.mark.parametrize(("style", "index"), WEB)
def test_a_web_server_gives_each_file_once(style: str, index: str, tmp_path: pathlib.Path) -> None:
    shelf = places.DirectoryShelf(tmp_path / "served")
    for number in range(20):
        shelf.put(f"{number}/{logs_of.NAME}", logs_of.scalars(STEPS))
    if index:
        web_server.write_index(tmp_path / "served", index)
    with web_server.running(tmp_path / "served", style) as url, proxy.Proxy(url) as between:
        for wanted in WEB[style, index]:
            between.forget()
            with lightboard.open(between.url, index_dir=tmp_path / "index") as logs:
                assert len(logs_of.points(logs)) == 20
            assert between.count() == wanted
