"""The proxy of these tests itself, with obstore as client: it counts rightly, and each fault is seen as what it is."""

from __future__ import annotations

import importlib
import threading
import uuid
from typing import Any

import pytest
from stores import injected, proxy, seaweed

pytestmark = pytest.mark.object_store

DATA = bytes(range(256)) * 400


@pytest.fixture(scope="module")
def bucket(seaweed_server: seaweed.Seaweed) -> str:
    name = f"proxy-{uuid.uuid4().hex[:8]}"
    client = seaweed_server.client()
    client.make_bucket(name)
    client.put_all(name, [(f"runs/{number:02}", DATA) for number in range(3)])
    client.close()
    return name


def store_of(bucket: str, endpoint: str, retries: int = 0, **options: Any) -> Any:
    stores: Any = importlib.import_module("obstore.store")
    return stores.S3Store(
        bucket,
        endpoint=endpoint,
        access_key_id=seaweed.KEY,
        secret_access_key=seaweed.SECRET,
        region="us-east-1",
        client_options={"allow_http": True, "timeout": "2s", **options.pop("client_options", {})},
        retry_config={"max_retries": retries},
        **options,
    )


def read(store: Any) -> bytes:
    obstore: Any = importlib.import_module("obstore")
    return bytes(obstore.get_range(store, "runs/00", start=0, length=len(DATA)))


def test_requests_are_counted_by_kind_with_their_ranges(bucket: str, between: proxy.Proxy) -> None:
    obstore: Any = importlib.import_module("obstore")
    store = store_of(bucket, between.endpoint)
    assert len([each for page in obstore.list(store, "runs") for each in page]) == 3
    assert read(store) == DATA
    obstore.head(store, "runs/01")
    obstore.put(store, "other", b"content")
    assert between.count() == {"LIST": 1, "GET": 1, "HEAD": 1, "PUT": 1}
    (get,) = between.requests("GET")
    assert (get.range, get.status, get.body_bytes) == (f"bytes=0-{len(DATA) - 1}", 206, len(DATA))
    assert get.path == f"/{bucket}/runs/00"


def test_it_is_an_http_proxy_too(bucket: str, between: proxy.Proxy) -> None:
    endpoint = f"http://{bucket}.{seaweed.DOMAIN}:1"
    store = store_of(bucket, endpoint, virtual_hosted_style_request=True, client_options={"proxy_url": between.url})
    assert read(store) == DATA
    assert [each.host for each in between.requests()] == [f"{bucket}.{seaweed.DOMAIN}:1"]


def test_many_clients_at_once(bucket: str, between: proxy.Proxy) -> None:
    store = store_of(bucket, between.endpoint)
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(read(store))) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [DATA] * 16
    assert between.count() == {"GET": 16}


@pytest.mark.parametrize("fault", injected.ANSWERS, ids=lambda fault: fault.name)
def test_the_answer_of_a_store_is_seen(bucket: str, between: proxy.Proxy, fault: injected.Fault) -> None:
    between.plan = injected.Script([fault])
    store = store_of(bucket, between.endpoint)
    with pytest.raises(Exception, match=fault.code) as caught:
        read(store)
    assert "injected-request-id" in str(caught.value)
    assert read(store) == DATA
    assert between.faults() == {fault.name: 1}


LOSING = (injected.RESET, injected.RESET_IN_BODY, injected.SHORT_BODY, injected.TLS, injected.CLOSED, injected.STALL)


@pytest.mark.parametrize("fault", LOSING, ids=lambda fault: fault.name)
def test_a_broken_connection_is_an_error(bucket: str, between: proxy.Proxy, fault: injected.Fault) -> None:
    between.plan = injected.Script([fault] * 2)
    with pytest.raises(Exception, match=r"HTTP|request|body|decoding|timed out"):
        read(store_of(bucket, between.endpoint))


@pytest.mark.parametrize("fault", injected.BROKEN, ids=lambda fault: fault.name)
def test_the_connection_works_after_it_was_broken(bucket: str, between: proxy.Proxy, fault: injected.Fault) -> None:
    between.plan = injected.Script([fault])
    try:
        read(store_of(bucket, between.endpoint))
    except Exception:
        pass
    assert read(store_of(bucket, between.endpoint, retries=8)) == DATA
    assert between.faults() == {fault.name: 1}


def test_a_wrong_length_cuts_what_is_read(bucket: str, between: proxy.Proxy) -> None:
    """Nothing tells but the number of bytes."""
    between.plan = injected.Script([injected.WRONG_LENGTH])
    try:
        found = read(store_of(bucket, between.endpoint))
    except Exception:
        found = b""
    assert found in (b"", DATA[: len(DATA) // 2])


def test_bytes_that_trickle_arrive(bucket: str, between: proxy.Proxy) -> None:
    between.plan = injected.Script([injected.TRICKLE])
    assert read(store_of(bucket, between.endpoint)) == DATA


def test_a_seed_gives_the_same_faults_again() -> None:
    def chosen(seed: int) -> list[str]:
        plan = injected.Chance(0.5, seed)
        faults = [plan.choose(injected.Request("GET", "/")) for _ in range(200)]
        return [fault.name if fault else "" for fault in faults]

    assert chosen(1) == chosen(1) != chosen(2)
    assert 60 < chosen(1).count("") < 140
    assert {fault.name for fault in injected.ALL} <= set(chosen(1))


@pytest.mark.parametrize(
    ("method", "target", "kind"),
    [
        ("GET", "/bucket?list-type=2&prefix=runs%2F", "LIST"),
        ("GET", "/account/logs?restype=container&comp=list", "LIST"),
        ("GET", "/runs/", "LIST"),
        ("GET", "http://host/bucket/runs/a%3Fprefix", "GET"),
        ("HEAD", "/bucket/key", "HEAD"),
    ],
)
def test_kinds_of_requests(method: str, target: str, kind: str) -> None:
    assert injected.kind_of(method, target) == kind
