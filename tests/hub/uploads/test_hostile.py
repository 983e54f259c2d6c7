"""What a client must not be able to do: names that leave the directory, parts that lie, bodies that never end."""

from __future__ import annotations

import random
import zlib

import httpx
import pytest
from hub.uploads.conftest import Place, contents
from hypothesis import given, settings
from hypothesis import strategies as st

from lightboard import client
from lightboard.hub.uploads import parts, paths, receiving

EVENTS = "events.out.tfevents.1"


def part(
    path: str | bytes = EVENTS,
    data: bytes = b"x",
    *,
    offset: int = 0,
    checksum: int | None = None,
    encoding: int = parts.PLAIN,
    flags: int = 0,
    length: int | None = None,
) -> bytes:
    raw = path if isinstance(path, bytes) else path.encode()
    length = len(data) if length is None else length
    checksum = zlib.crc32(data) if checksum is None else checksum
    return parts.packed(raw, offset, data, length, checksum, encoding, flags) + data


@pytest.mark.parametrize(
    "path",
    [
        "", ".", "..", "/", f"/{EVENTS}", f"../{EVENTS}", f"a/../{EVENTS}", f"a/../../{EVENTS}", f"a//{EVENTS}",
        f"./{EVENTS}", f"a/./{EVENTS}", f"{EVENTS}/", f"a\\..\\{EVENTS}", f"a\0/{EVENTS}", f"a\n/{EVENTS}",
        f"\x1b[31m/{EVENTS}", f"{'a' * 256}/{EVENTS}", f"{'a/' * 41}{EVENTS}", f"{'aaaaaaaaa/' * 110}{EVENTS}",
        "notes.txt", ".bashrc", ".new-1", "id_rsa", "a/b/model.ckpt", f"{EVENTS}/notes.txt", "\ud800tfevents",
    ],
)  # fmt: skip
def test_names_that_are_refused(path: str) -> None:
    with pytest.raises(paths.BadPath) as refused:
        paths.checked(path)
    assert refused.value.hint


@pytest.mark.parametrize(
    "path",
    [
        EVENTS,
        f"a/{EVENTS}",
        f"运行 1/β=0.5/{EVENTS}",
        f"a..b/..c/{EVENTS}",
        "a/hparams.yaml",
        "plugins/profile/1/h.xplane.pb",
    ],
)
def test_names_that_are_accepted_stay_as_they_are(path: str) -> None:
    assert paths.checked(path) == path


@given(st.binary(max_size=300), st.lists(st.integers(1, 40), max_size=60))
@settings(max_examples=200, deadline=None)
def test_a_parser_returns_parts_or_refuses(body: bytes, cuts: list[int]) -> None:
    parser = parts.Parser()
    try:
        for each in slices(body, cuts):
            for found in parser.feed(each):
                found.data()
    except parts.BadPart:
        pass


@given(st.lists(st.binary(max_size=200), max_size=8), st.lists(st.integers(1, 100), max_size=60))
@settings(max_examples=100, deadline=None)
def test_parts_are_the_same_in_any_slices(data: list[bytes], cuts: list[int]) -> None:
    body = b"".join(part(f"{number}/{EVENTS}", each) for number, each in enumerate(data))
    parser = parts.Parser()
    found = [one for each in slices(body, cuts) for one in parser.feed(each)]
    assert [one.data() for one in found] == data and parser.is_complete


def slices(body: bytes, cuts: list[int]) -> list[bytes]:
    pieces = []
    for size in cuts:
        pieces.append(body[:size])
        body = body[size:]
    return [*pieces, body]


@pytest.fixture
def sending(place: Place):  # type: ignore[no-untyped-def] # a function with many results
    """Sends a body to a new upload with a session; returns the answer and the upload."""
    hub = place.connected()
    upload = hub.uploads.create()
    token = hub._connections._token
    session = hub._requests.send("POST", f"/uploads/{upload.id}:begin", {})["session"]

    def send(body: bytes, *, size: int = 0, key: str | None = None, path: str = "data") -> httpx.Response:
        query = f"session={session if key is None else key}&bytes={size}"
        return place.hub.request("POST", f"/api/v1/uploads/{upload.id}/{path}?{query}", token=token, content=body)

    yield send, upload
    hub.close()


def test_bodies_that_are_refused_write_nothing_wrong(sending, place: Place) -> None:  # type: ignore[no-untyped-def]
    send, upload = sending
    bomb = zlib.compress(bytes(50 << 20))
    refused = [
        (part(f"../{EVENTS}"), 400, "InvalidPath"),
        (part("notes.txt"), 400, "InvalidPath"),
        (part(b"\xff\xfetfevents"), 400, "InvalidPart"),
        (part(offset=5), 409, "OffsetMismatch"),
        (part(checksum=1), 409, "ChecksumMismatch"),
        (part(encoding=7), 400, "InvalidPart"),
        (part(flags=2), 400, "InvalidPart"),
        (part(flags=1, offset=9), 400, "InvalidPart"),
        (part(data=b"no zlib", encoding=1, length=100), 400, "InvalidPart"),
        (part(data=bomb, encoding=1, length=1000), 400, "InvalidPart"),
        (part(data=zlib.compress(b"abc"), encoding=1, length=2), 400, "InvalidPart"),
        (part(length=parts.MOST_LENGTH + 1), 400, "InvalidPart"),
        (part()[:-1], 400, "InvalidPart"),
        (random.Random(2).randbytes(1000), 400, "InvalidPart"),
        (b"".join(part(f"{each}/{EVENTS}", b"") for each in range(receiving.MOST_FILES + 1)), 413, "BodyTooLarge"),
    ]
    for body, status, code in refused:
        answer = send(body)
        assert (answer.status_code, answer.json()["code"]) == (status, code), (body[:80], answer.text)
        assert answer.json()["message"]
    assert {path: content for path, content in contents(place.stored(upload)).items() if content} == {}
    assert not (place.stored(upload).parent / EVENTS).exists()


def test_parts_before_a_wrong_one_are_kept(sending, place: Place) -> None:  # type: ignore[no-untyped-def]
    send, upload = sending
    answer = send(part(data=b"first") + part("b/" + EVENTS, checksum=3))
    assert answer.json()["code"] == "ChecksumMismatch" and answer.json()["path"] == f"b/{EVENTS}"
    assert upload.refresh().bytes == 5
    assert [(each["path"], each["size"]) for each in upload.stored()] == [(EVENTS, 5)]
    assert send(part(data=b"second", offset=5, checksum=zlib.crc32(b"firstsecond"))).status_code == 200
    assert contents(place.stored(upload))[EVENTS] == b"firstsecond"


def test_a_file_and_a_directory_cannot_have_one_name(sending) -> None:  # type: ignore[no-untyped-def]
    send, _ = sending
    assert send(part(EVENTS)).status_code == 200
    assert send(part(f"{EVENTS}/{EVENTS}")).json()["code"] == "PathConflict"


def test_only_the_session_sends(sending, place: Place) -> None:  # type: ignore[no-untyped-def]
    send, upload = sending
    assert send(part(), key="").json()["code"] == "SessionEnded"
    assert send(part(), key="0" * 32).json()["code"] == "SessionEnded"
    with place.connected() as other:
        for ask in (lambda: other.uploads.get(upload.id), lambda: other.uploads.get(upload.id).delete()):
            with pytest.raises(client.NotFound):
                ask()
        assert upload.id not in [each.id for each in other.uploads.list()]


def test_files_are_read_back_only_below_their_upload(sending, place: Place) -> None:  # type: ignore[no-untyped-def]
    send, upload = sending
    send(part(data=b"mine"))
    for path in ("../../../key", "..%2F..%2Fkey", "/etc/passwd", "missing/" + EVENTS):
        answer = place.hub.request("GET", f"/api/v1/uploads/{upload.id}/file", params={"path": path})
        assert answer.status_code in (400, 404), answer.text
    answer = place.hub.request("GET", f"/api/v1/uploads/{upload.id}/file", params={"path": EVENTS})
    assert answer.content == b"mine"  # the admin of the hub
    assert answer.headers["content-security-policy"].endswith("sandbox")
