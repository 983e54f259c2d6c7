"""Web servers as sources of logs, over real connections: what is asked how often, what is refused, and a whole board.

The sample logs of every kind of listing are compared in tests/stores/test_corpora.py, pages of listings in
test_web_listings.py.
"""

from __future__ import annotations

import base64
import contextlib
import json
import pathlib
import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator

import pytest
from storage import site as sites
from stores import logs_of

import lightboard
from lightboard import storage
from lightboard.reading import Logs
from lightboard.storage import faults, settings, web, web_client

NAME = logs_of.NAME
OLD = 1_700_000_000.0  # long before the minute in which everything is asked for again


@pytest.fixture
def site() -> Iterator[sites.Site]:
    with sites.running() as made:
        yield made


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


def connection(address: str, *secrets: settings.Secret, retries: int = 0, timeout_secs: float = 5.0) -> web.Web:
    limits = settings.Limits(retries=retries, timeout_secs=timeout_secs)
    found = storage.Connections(settings.Settings(secrets={each.name: each for each in secrets}, limits=limits)).of(
        storage.parse(address)
    )
    assert isinstance(found, web.Web)
    return found


def keys(found: web.Web, prefix: str) -> list[str]:
    return sorted(each.key for page in found.list(prefix) for each in page)


def metas(found: web.Web, prefix: str) -> dict[str, tuple[int, str]]:
    """Size and ETag of everything, with HEAD requests where they are needed."""
    listed = [each for page in found.list(prefix) for each in page]
    completed = found.complete(listed)
    return {each.key: (each.size, each.etag) for each in completed if not isinstance(each, faults.StorageError)}


def scalars(steps: range, add: float = 0.0) -> bytes:
    return logs_of.scalars(steps, add=add)


def points(logs: Logs) -> dict[str, list[float]]:
    return {run: [value for _, value in found] for run, found in logs_of.points(logs).items()}


# ---- listing


def test_names_with_any_sign_are_listed_and_read(site: sites.Site) -> None:
    names = [
        "a b",
        "a#1",
        "what?",
        "100%",
        "100%25",
        "a&b",
        "实验",
        "a;b=c",
        "a'b\"c",
        "[x]*",
        " space ",
        "a+b",
        "\udcff",
    ]
    for name in names:
        site.put(f"/logs dir/{name}/{NAME}", name.encode("utf-8", "surrogateescape"), mtime=OLD)
    found = connection(f"{site.url}/logs%20dir")
    assert keys(found, "logs%20dir") == sorted(f"logs%20dir/{name}/{NAME}" for name in names)
    for name in names:
        assert bytes(found.get(f"logs%20dir/{name}/{NAME}")[0]) == name.encode("utf-8", "surrogateescape")
    as_written = connection(f"{site.url}/logs dir")
    assert keys(as_written, "logs dir") == sorted(f"logs dir/{name}/{NAME}" for name in names)


def test_an_unchanged_directory_is_asked_for_once(site: sites.Site) -> None:
    for number in range(30):
        site.put(f"/logs/{number}/{NAME}", b"x" * number, mtime=OLD)
    found = connection(f"{site.url}/logs")
    first = metas(found, "logs")
    assert first[f"logs/7/{NAME}"][0] == 7 and site.counts() == {"LIST": 31, "HEAD": 30}
    assert metas(found, "logs") == first
    assert site.counts() == {"LIST": 1}


def test_what_changed_is_asked_for_again_and_nothing_else(site: sites.Site) -> None:
    for number in range(5):
        site.put(f"/logs/{number}.{NAME}", b"x", mtime=OLD)
    found = connection(f"{site.url}/logs")
    metas(found, "logs")
    site.counts()
    site.put(f"/logs/3.{NAME}", b"xyz", mtime=OLD + 3600)
    assert metas(found, "logs")[f"logs/3.{NAME}"][0] == 3
    assert site.counts() == {"LIST": 1, "HEAD": 1}
    metas(found, "logs")
    assert site.counts() == {"LIST": 1}


def test_a_file_that_changed_just_now_is_asked_for_again(site: sites.Site) -> None:
    """Its row may stay the same within a minute, and its size too."""
    site.put(f"/logs/{NAME}", b"one", mtime=time.time())
    found = connection(f"{site.url}/logs")
    before = metas(found, "logs")
    site.put(f"/logs/{NAME}", b"two", mtime=site.files[f"/logs/{NAME}"].mtime + 0.001)
    assert metas(found, "logs") != before
    assert site.counts()["HEAD"] == 2


def test_a_listing_with_exact_times_needs_no_heads(site: sites.Site) -> None:
    content = {"run/x": b"123", "run/y": b"4567"}
    for path, body in content.items():
        site.put(f"/logs/{path}", body, mtime=OLD)
    site.pages["/logs/"] = b'[{"name": "run", "type": "directory"}]'
    rows = [
        {"name": name, "size": size, "mtime": "Tue, 14 Nov 2023 22:13:20 GMT"} for name, size in (("x", 3), ("y", 4))
    ]
    site.pages["/logs/run/"] = json.dumps(rows).encode()
    found = connection(f"{site.url}/logs")
    assert metas(found, "logs") == {"logs/run/x": (3, ""), "logs/run/y": (4, "")}
    listed = {each.key: each for page in found.list("logs") for each in page}
    assert found.get("logs/run/x", 0, 2)[1] == listed["logs/run/x"] == found.head("logs/run/x")
    assert "HEAD" in site.counts()  # only the one of the line above


@pytest.mark.parametrize("name", ["index.json", "index.txt"])
def test_an_index_file_takes_the_place_of_listings(site: sites.Site, name: str) -> None:
    site.listed = False
    site.put(f"/logs/a b/{NAME}", b"12345", mtime=OLD)
    paths = [f"a b/{NAME}", "../secret", "/etc/passwd"]
    index = json.dumps(paths) if name.endswith("json") else "\n".join(paths)
    site.put(f"/logs/{name}", index.encode(), mtime=OLD)
    found = connection(f"{site.url}/logs")
    assert metas(found, "logs").keys() == {f"logs/a b/{NAME}"}
    site.counts()
    assert metas(found, "logs")[f"logs/a b/{NAME}"][0] == 5
    assert [(each.method, each.path) for each in site.asked] == [("GET", f"/logs/{name}")]
    assert "If-None-Match" in site.asked[0].headers


def test_an_index_that_is_out_of_date_is_not_believed(site: sites.Site) -> None:
    site.listed = False
    site.put(f"/logs/{NAME}", scalars(range(10)), mtime=OLD)
    rows = [{"path": NAME, "size": len(scalars(range(10))), "mtime": OLD}]
    site.put("/logs/index.json", json.dumps(rows).encode(), mtime=OLD)
    with lightboard.open(f"{site.url}/logs", index=False) as logs:
        assert points(logs)["."] == [float(step) for step in range(10)]
        assert "HEAD" not in site.counts()
    site.put(f"/logs/{NAME}", scalars(range(5), 0.5), mtime=OLD + 100)
    with lightboard.open(f"{site.url}/logs", index=False) as logs:  # the first read shows that it is another file
        assert points(logs.refresh())["."] == [step + 0.5 for step in range(5)]


def test_links_that_lead_back_up_are_cut(site: sites.Site) -> None:
    loop = b'<h1>Index of /</h1><a href="loop/">loop/</a> 19-Nov-2023 10:00 -\n<a href="x">x</a> 19-Nov-2023 10:00 1\n'
    for depth in range(40):
        site.pages["/logs/" + "loop/" * depth] = loop
    assert keys(connection(f"{site.url}/logs"), "logs") == ["logs/x"]
    assert site.counts()["LIST"] == 2
    endless = b'<h1>Index of /</h1><a href="deeper/">deeper/</a>'
    site.pages = {"/logs/" + "deeper/" * depth: endless for depth in range(60)}
    assert keys(connection(f"{site.url}/logs"), "logs") == []
    assert site.counts()["LIST"] == web.DEPTH + 1


def test_a_directory_that_cannot_be_listed_does_not_hide_others(site: sites.Site) -> None:
    site.put(f"/logs/open/{NAME}", scalars(range(3)))
    site.put(f"/logs/closed/{NAME}", scalars(range(3)))
    site.authorization["/logs/closed/"] = "Bearer x"
    with lightboard.open(f"{site.url}/logs", index=False) as logs:
        assert logs.runs == ["open"]
        (notice,) = logs._store.notices
        assert notice.path == f"{site.url}/logs/closed" and "refuses requests without credentials" in notice.detail
        site.authorization.clear()
        assert logs.refresh().runs == ["closed", "open"]
        assert logs._store.notices == ()
        site.authorization["/logs/closed/"] = "Bearer x"
        assert logs.refresh().runs == ["closed", "open"]  # unreadable, not gone


def test_a_root_of_which_nothing_can_be_listed_says_why(site: sites.Site) -> None:
    site.put(f"/logs/closed/{NAME}", scalars(range(3)))
    site.authorization["/logs/closed/"] = "Bearer x"
    found = connection(f"{site.url}/logs")
    assert keys(found, "logs") == []
    assert [(key, error.explanation.code) for key, error in found.unlisted("logs")] == [
        ("logs/closed", "storage.web_credentials")
    ]


def test_a_server_that_stops_to_answer_is_not_asked_for_everything(site: sites.Site) -> None:
    for number in range(500):
        site.put(f"/logs/{number}/{NAME}", b"")
    found = connection(f"{site.url}/logs")
    site.statuses = [200, *[503] * 10_000]
    with pytest.raises(faults.StorageError) as caught:
        keys(found, "logs")
    assert caught.value.passing and len(site.asked) < 50
    site.statuses = []
    listed = [each for page in found.list("logs") for each in page]
    site.asked.clear()
    site.statuses = [503] * 10_000
    assert all(isinstance(each, faults.StorageError) for each in found.complete(listed))
    assert len(site.asked) < 50


def test_a_listing_that_is_too_long_is_refused(site: sites.Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lightboard.storage.web_listings.PAGE_BYTES", 1000)
    site.pages["/logs/"] = b"<h1>Index of /</h1>" + b'<a href="x">x</a>' * 1000
    with pytest.raises(faults.StorageError) as caught:
        keys(connection(f"{site.url}/logs"), "logs")
    assert caught.value.explanation.code == "storage.listing_too_large"
    monkeypatch.setattr("lightboard.storage.web.DIRECTORIES", 5)
    site.pages = {"/logs/": b'<a href="../">'}
    for number in range(9):
        site.put(f"/many/{number}/x", b"")
    with pytest.raises(faults.StorageError) as caught:
        keys(connection(f"{site.url}/many"), "many")
    assert caught.value.explanation.code == "storage.listing_too_large"


def test_a_file_is_no_directory(site: sites.Site) -> None:
    site.put(f"/logs/{NAME}", scalars(range(3)))
    with lightboard.open(f"{site.url}/logs/{NAME}", index=False) as logs:
        assert points(logs) == {".": [0.0, 1.0, 2.0]}


# ---- bytes


def test_ranges(site: sites.Site) -> None:
    content = bytes(range(256)) * 10
    site.put("/x", content)
    site.put("/empty", b"")
    found = connection(site.url)
    for start, end in ((0, 1), (5, 100), (0, None), (2559, 2560), (100, None), (0, 9999)):
        body, meta = found.get("x", start, end)
        assert bytes(body) == content[start:end] and meta.size == 2560
    assert bytes(found.get("empty")[0]) == b"" == bytes(found.get("empty", 0, 10)[0])
    meta, pieces = found.stream("x", 10, 2000)
    assert b"".join(pieces) == content[10:2000] and meta.size == 2560
    assert found.ranges is True
    with pytest.raises(faults.StorageError) as caught:
        found.get("x", 2560, 2561)
    assert caught.value.explanation.code == "storage.shorter"
    with pytest.raises(FileNotFoundError):
        found.get("none")
    with pytest.raises(FileNotFoundError):
        found.head("none")


def test_a_server_without_ranges_is_read_whole_and_once(site: sites.Site, caplog: pytest.LogCaptureFixture) -> None:
    site.ranges = False
    small, large = b"0123456789", bytes(range(256)) * 40_000
    site.put("/small", small)
    site.put("/large", large)
    found = connection(site.url)
    assert bytes(found.get("small", 2, 5)[0]) == b"234"
    assert [bytes(found.get("large", at, at + 1000)[0]) for at in range(0, 10_000_000, 1_000_000)] == [
        large[at : at + 1000] for at in range(0, 10_000_000, 1_000_000)
    ]
    assert found.ranges is False and "does not support ranges" in caplog.text
    assert site.counts() == {"GET": 2}
    site.put("/large", large[::-1])
    found.head("large")
    assert bytes(found.get("large", 0, 1000)[0]) == large[::-1][:1000]


def test_a_server_without_ranges_is_not_asked_for_too_much(site: sites.Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "WHOLE_BYTES", 1000)
    site.ranges = False
    site.put("/large", bytes(2000))
    with pytest.raises(faults.StorageError) as caught:
        connection(site.url).get("large", 5, 10)
    assert caught.value.explanation.code == "storage.no_ranges"


def test_a_server_without_head_is_asked_for_a_byte(site: sites.Site) -> None:
    site.heads = False
    site.put("/x", b"12345")
    site.put("/empty", b"")
    found = connection(site.url)
    assert (found.head("x").size, found.head("empty").size) == (5, 0)
    site.ranges = False
    assert found.head("x").size == 5


def test_a_file_that_grew_since_it_was_listed_is_still_the_listed_one(site: sites.Site) -> None:
    site.put("/x", b"12345")
    found = connection(site.url)
    listed = found.head("x")
    site.put("/x", b"1234567890")
    body, meta = found.get("x", 0, 5)
    assert (bytes(body), meta) == (b"12345", listed)
    assert found.head("x").size == 10
    site.put("/x", b"abc")  # replaced
    assert found.get("x", 0, 2)[1].size == 3


# ---- retries, redirects, credentials


def test_what_passes_is_tried_again(site: sites.Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_client, "BACK_OFF_SECS", 0.001)
    site.put("/logs/x", b"12345")
    found = connection(f"{site.url}/logs", retries=4)
    site.statuses = [503, 500, 0, 429]
    assert keys(found, "logs") == ["logs/x"]
    site.statuses = [502, 504, 0]
    assert bytes(found.get("logs/x", 1, 3)[0]) == b"23"
    site.statuses = [503] * 5
    with pytest.raises(faults.StorageError) as caught:
        found.head("logs/x")
    assert caught.value.passing and caught.value.explanation.code == "storage.slow_down"


def test_connections_are_kept(site: sites.Site) -> None:
    site.put("/x", b"12345")
    found = connection(site.url)
    for _ in range(20):
        found.get("x", 0, 2)
        found.head("x")
        with pytest.raises(FileNotFoundError):
            found.head("none")
    assert len({each.port for each in site.asked}) == 1


def test_redirects_are_followed_on_the_same_server_only(site: sites.Site) -> None:
    site.put("/real/run/x", b"12345")
    site.redirects = {"/link/": "/real/", "/link/run/x": "/real/run/x", "/circle/": "/circle/"}
    site.redirects["/link/run/"] = "../../real/run/"
    found = connection(f"{site.url}/link")
    assert metas(found, "link")["link/run/x"][0] == 5
    with sites.running() as other:
        other.put("/real/x", b"secret")
        for target in (
            f"{other.url}/real/",
            f"//{other.url[7:]}/real/",
            site.url.replace("http:", "https:") + "/real/",
        ):
            site.redirects["/away/"] = target
            with pytest.raises(faults.StorageError) as caught:
                keys(connection(f"{site.url}/away"), "away")
            assert caught.value.explanation.code == "storage.redirect"
        assert other.asked == []
    with pytest.raises(faults.StorageError) as caught:
        keys(connection(f"{site.url}/circle"), "circle")
    assert caught.value.explanation.code == "storage.redirect"


def test_secrets_are_chosen_by_the_longest_endpoint_and_sent_nowhere_else(site: sites.Site) -> None:
    basic = f"Basic {base64.b64encode(b'me:pass').decode()}"
    site.authorization = {"/logs/private/": "Bearer t0ken", "/logs/": basic}
    for path in ("/logs/x", "/logs/private/y", "/logsx/z"):
        site.put(path, b"1")
    secrets = (
        settings.Secret(name="a", endpoint=f"{site.url}/logs/", key="me", secret="pass"),
        settings.Secret(name="b", endpoint=f"{site.url}/logs/private", token="t0ken"),
        settings.Secret(name="c", endpoint="http://127.0.0.1:1/", token="other"),
    )
    found = connection(f"{site.url}/logs", *secrets)
    assert keys(found, "logs") == ["logs/private/y", "logs/x"]
    assert found.who.code == "storage.who.secret" and found.who.parameters == {"name": "a"}
    assert bytes(found.get("logs/private/y")[0]) == b"1"
    site.asked.clear()
    outside = connection(f"{site.url}/logsx", *secrets)
    assert keys(outside, "logsx") == ["logsx/z"]
    assert all("Authorization" not in each.headers for each in site.asked)


def test_a_secret_is_not_in_any_text(site: sites.Site) -> None:
    site.authorization = {"/": "Bearer right"}
    secret = settings.Secret(name="a", endpoint=site.url, token="wr0ng-token")
    with pytest.raises(faults.StorageError) as caught:
        keys(connection(f"{site.url}/logs", secret), "logs")
    error = caught.value
    assert error.explanation.code == "storage.denied" and "secret `a`" in str(error)
    assert "wr0ng" not in str(error) + repr(error.explanation) + repr(secret)


def test_an_environment_proxy_is_used_as_urllib_does(site: sites.Site, monkeypatch: pytest.MonkeyPatch) -> None:
    site.pages["/logs/"] = b'<h1>Index of /logs/</h1><a href="x">x</a>'
    monkeypatch.setenv("http_proxy", site.url)
    monkeypatch.delenv("no_proxy", raising=False)
    assert keys(connection("http://some.host.invalid/logs"), "logs") == ["logs/x"]
    assert site.asked[0].path == "http://some.host.invalid/logs/"
    monkeypatch.setenv("no_proxy", "some.host.invalid")
    with pytest.raises(faults.StorageError) as caught:
        keys(connection("http://some.host.invalid/logs"), "logs")
    assert caught.value.explanation.code == "storage.unknown_host"


# ---- what is said when something is wrong


def code_of(address: str, **options: float) -> str:
    found = connection(address, **options)  # type: ignore[arg-type]
    with pytest.raises(faults.StorageError) as caught:
        keys(found, storage.parse(address).key)
    assert caught.value.explanation.hint
    return caught.value.explanation.code


def test_each_wrong_thing_has_its_name(site: sites.Site) -> None:
    site.put("/logs/x", b"")
    assert code_of(f"{site.url}/typo") == "storage.no_directory"
    site.pages["/app/"] = b"<html><title>App</title>Hello</html>"
    assert code_of(f"{site.url}/app") == "storage.no_listing"
    site.authorization["/closed/"] = "Bearer x"
    assert code_of(f"{site.url}/closed") == "storage.web_credentials"
    assert code_of(site.url.replace("http:", "https:")) == "storage.not_tls"
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        assert code_of(f"http://127.0.0.1:{free.getsockname()[1]}/logs") == "storage.refused"
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as silent:
        assert code_of(f"http://127.0.0.1:{silent.getsockname()[1]}/x", timeout_secs=0.2) == "storage.timeout"


def test_a_hint_names_both_ways_to_list(site: sites.Site) -> None:
    site.pages["/app/"] = b"<html><title>App</title>Hello</html>"
    with pytest.raises(faults.StorageError) as caught:
        keys(connection(f"{site.url}/app"), "app")
    hint = caught.value.explanation.hint
    assert "autoindex" in hint and "index.json" in hint


def test_bytes_that_trickle_end_with_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_client, "WHOLE", 2)

    def trickle(server: socket.socket) -> None:
        with contextlib.suppress(OSError):
            client, _ = server.accept()
            with client:
                client.recv(1000)
                client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                while True:
                    client.sendall(b"x")
                    time.sleep(0.01)

    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as server:
        thread = threading.Thread(target=trickle, args=(server,), daemon=True)
        thread.start()
        assert code_of(f"http://127.0.0.1:{server.getsockname()[1]}/x", timeout_secs=0.3) == "storage.timeout"
        thread.join()


@pytest.fixture
def certificate(tmp_path: pathlib.Path) -> pathlib.Path:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here")
    made = tmp_path / "both.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "crt")]
    subprocess.run(words, check=True, capture_output=True)
    made.write_bytes((tmp_path / "key").read_bytes() + (tmp_path / "crt").read_bytes())
    return made


def test_a_server_with_tls(certificate: pathlib.Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with sites.running(context) as site:
        site.put("/logs/x", b"12345")
        assert code_of(f"{site.url}/logs") == "storage.certificate"
        secret = settings.Secret(name="a", endpoint=site.url, ca=str(certificate.parent / "crt"))
        assert metas(connection(f"{site.url}/logs", secret), "logs")["logs/x"][0] == 5
        assert code_of(site.url.replace("https:", "http:")) in ("storage.needs_tls", "storage.broken_off")


# ---- a board


@pytest.mark.parametrize("ranges", [True, False])
def test_a_board_over_a_web_server(site: sites.Site, tmp_path: pathlib.Path, ranges: bool) -> None:
    site.ranges = ranges
    old = scalars(range(1000))
    site.put(f"/runs/lr#1/{NAME}", old, mtime=OLD)
    site.put(f"/runs/b c/{NAME}", scalars(range(5), 0.5), mtime=OLD)
    site.put("/runs/b c/hparams.yaml", b"lr: 0.1", mtime=OLD)
    site.put("/runs/b c/model.pt", bytes(1000), mtime=OLD)
    with lightboard.open(f"{site.url}/runs/", index_dir=tmp_path) as logs:
        assert points(logs) == {"lr#1": [float(step) for step in range(1000)], "b c": [step + 0.5 for step in range(5)]}
        counts = site.counts()
        assert (counts["LIST"], counts["HEAD"]) == (3, 3)
        site.put(f"/runs/lr#1/{NAME}", old + scalars(range(1000, 1010)))
        site.put(f"/runs/new/{NAME}", scalars(range(3)))
        logs.refresh()
        assert points(logs)["new"] == [0.0, 1.0, 2.0]
        del site.files[f"/runs/b c/{NAME}"]
    site.counts()
    with lightboard.open(f"{site.url}/runs", index_dir=tmp_path) as logs:
        assert points(logs)["lr#1"] == [float(step) for step in range(1010)]
        assert "b c" not in points(logs)
        assert site.counts().get("GET", 0) <= 4


def test_a_pattern_over_a_web_server(site: sites.Site) -> None:
    for name in ("a", "b"):
        site.put(f"/runs/{name}/tb/{NAME}", scalars(range(3)))
        site.put(f"/runs/{name}/other/{NAME}", scalars(range(3)))
    with lightboard.open(f"{site.url}/runs/*/tb", index=False) as logs:
        assert logs.runs == ["a/tb", "b/tb"]
