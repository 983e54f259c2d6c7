"""JSON that browsers read without loss, the choice of a compression, parameters from anywhere."""

from __future__ import annotations

import dataclasses
import gzip
import json
from typing import Any, Literal

import asking
import httpx
import numpy as np
import pytest

from lightboard import errors, types
from lightboard.query import rows
from lightboard.server import compression, frames, parameters, responses


@dataclasses.dataclass(frozen=True)
class Answer:
    number: float
    names: list[str]
    state: types.RunState


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2**53 - 1, "9007199254740991"),
        (2**53, '"9007199254740992"'),
        (-(2**63), '"-9223372036854775808"'),
        (float("nan"), '"NaN"'),
        (np.float32("inf"), '"Infinity"'),
        (np.int64(5), "5"),
        (np.array([1, 2**60]), '[1,"1152921504606846976"]'),
        (np.array([0.5, -np.inf, np.nan]), '[0.5,"-Infinity","NaN"]'),
        (np.array([2**63], np.uint64), '["9223372036854775808"]'),
        (np.array([True]), "[true]"),
        (["a", 1, float("nan")], '["a",1,"NaN"]'),
        ({"a": (1, None)}, '{"a":[1,null]}'),
        ("caf\udce9", '"caf\\udce9"'),
        (Answer(float("inf"), ["x"], types.RunState.IDLE), '{"number":"Infinity","names":["x"],"state":"idle"}'),
    ],
)
def test_json_carries_every_number(value: object, text: str) -> None:
    assert responses.to_json(value).decode() == text


def test_short_members_and_columns_make_one_object() -> None:
    value = {"a": 1, "names": ["x"], "b": None, "none": [], "inner": Answer(2.5, [], types.RunState.IDLE), "": "é"}
    wanted = {**value, "inner": {"number": 2.5, "names": [], "state": "idle"}}
    assert json.loads(responses.to_json(value)) == json.loads(responses.object_json(value.items())) == wanted
    assert responses.object_json([]) == b"{}"


def test_a_json_cached_list_becomes_text_once() -> None:
    items: list[object] = ["a", 2**60, float("nan"), None]
    told = rows.JsonCachedList(items)
    text = responses.to_json(told)
    assert text == responses.to_json(items)
    assert responses.to_json(told) is text
    assert responses.to_json({"told": told}) == b'{"told":' + text + b"}"
    assert responses.to_json([told]) == b"[" + text + b"]"


def test_what_has_no_json_is_our_mistake() -> None:
    with pytest.raises(TypeError):
        responses.to_json(object())


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", ""),
        ("gzip, deflate, br, zstd", "zstd"),
        ("gzip;q=1.0, zstd;q=0", "gzip"),
        ("br", ""),
        ("*", "zstd"),
        ("identity", ""),
        ("gzip;q=nonsense, zstd;q=0.5", "zstd"),
        ("GZIP", "gzip"),
    ],
)
def test_the_best_coding_the_client_takes_is_chosen(accepted: str, coding: str) -> None:
    assert compression.choose(accepted) == coding


@pytest.mark.anyio
async def test_large_answers_are_compressed_and_small_ones_are_not() -> None:
    builder = asking.small()
    for number in range(200):
        builder.scalars(f"some_run_{number}", "loss", [1.0])
    async with asking.board(builder.build()) as client:
        large = await client.get("/api/runs", headers={"accept-encoding": "gzip"})
        plain = await client.get("/api/runs", headers={"accept-encoding": "identity"})
        small = await client.get("/api/runs?limit=1", headers={"accept-encoding": "gzip"})
    assert large.headers["content-encoding"] == "gzip"
    assert int(large.headers["content-length"]) < len(plain.content) / 5
    assert large.json() == plain.json()
    assert plain.headers["vary"] == "Accept-Encoding"
    assert "content-encoding" not in small.headers


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_pieces_compress_to_one_stream(coding: str) -> None:
    packed = b"".join(compression.compress_pieces([b"abc" * 1000, b"", b"def"], coding, "", compression.Packers()))
    unpack = gzip.decompress if coding == "gzip" else compression._zstd().decompress
    assert unpack(packed) == b"abc" * 1000 + b"def"


@pytest.mark.parametrize("coding", ["gzip", "zstd"])
def test_frames_leave_whole_and_each_answer_is_a_stream_of_its_own(coding: str) -> None:
    unpack = gzip.decompress if coding == "gzip" else compression._zstd().decompress
    packers = compression.Packers()
    abandoned = compression.compress_pieces([[b"left"], [b"behind"]], coding, frames.SEVERAL_MEDIA_TYPE, packers)
    next(abandoned)
    del abandoned
    for word in (b"one", b"two", b"three"):
        pieces = [[word * 100, b"", b"."], [word], []]
        packed = list(compression.compress_pieces(pieces, coding, frames.SEVERAL_MEDIA_TYPE, packers))
        assert len(packed) >= 3  # nobody waits for what is made later
        assert unpack(b"".join(packed)) == word * 100 + b"." + word


def test_answers_packed_at_the_same_time_are_kept_apart() -> None:
    words = (b"one", b"two", b"three")
    packers = compression.Packers()
    streams = [compression.compress_pieces([[word], [word]], "zstd", frames.MEDIA_TYPE, packers) for word in words]
    for word, packed in zip(words, zip(*zip(*streams, strict=True), strict=True), strict=True):
        assert compression._zstd().decompress(b"".join(packed)) == word * 2


@dataclasses.dataclass(frozen=True)
class Question:
    names: tuple[str, ...] = parameters.param("names", ())
    count: int = parameters.param("count", 1, lo=0, hi=10)
    at: int | float | None = parameters.param("at", None)
    how: Literal["a", "b"] = parameters.param("how", "a")
    on: bool = parameters.param("on", False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Question()),
        ("names=x&names=y%20z&count=10", Question(names=("x", "y z"), count=10)),
        (f"at={2**60 + 1}", Question(at=2**60 + 1)),
        ("at=1.5&how=b&on=true", Question(at=1.5, how="b", on=True)),
        ("unknown=1", Question()),
        ("names=", Question(names=("",))),
        ("names=%ff", Question(names=("\udcff",))),
    ],
)
def test_questions_are_parsed(text: str, expected: Question) -> None:
    assert parameters.parse(Question, parameters.from_query(text.encode())) == expected


@pytest.mark.parametrize(
    "given",
    [
        {"count": "11"},
        {"count": "-1"},
        {"count": "1.5"},
        {"count": "1_0"},
        {"count": "٣"},
        {"count": "9" * 5000},
        {"count": True},
        {"count": [1, 2]},
        {"count": {"a": 1}},
        {"at": "nan"},
        {"at": "1e999"},
        {"at": 10**400},
        {"how": "c"},
        {"on": "maybe"},
        {"names": [1]},
    ],
)
def test_bad_values_are_refused_by_name(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(errors.BadInput, match=f"`{name}`"):
        parameters.parse(Question, parameters.from_json(json.dumps(given).encode()))


def test_too_many_parameters_are_refused() -> None:
    with pytest.raises(errors.BadInput, match="parameters"):
        parameters.from_query(b"&".join([b"a=1"] * 30_000))


class Failing:
    """A board whose only question fails in some way."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def ask(self, path: str, monkeypatch: pytest.MonkeyPatch) -> httpx.Response:
        from lightboard.query import board

        def fail(*_: object) -> None:
            raise self._error

        monkeypatch.setattr(board, "summary", fail)
        async with asking.board() as client:
            return await client.get(path)


@pytest.mark.anyio
async def test_a_damaged_file_of_the_user_is_no_error_of_the_server(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Unreadable files were 40 answers 500 and 78 tracebacks in the log."""
    answer = await Failing(errors.Unreadable("the table is cut: a.tsv")).ask("/api/board", monkeypatch)
    assert (answer.status_code, answer.json()["error"]["message"]) == (422, "the table is cut: a.tsv")
    assert caplog.records == []


@pytest.mark.anyio
async def test_too_little_memory_is_said_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    answer = await Failing(MemoryError()).ask("/api/board", monkeypatch)
    assert (answer.status_code, "memory" in answer.json()["error"]["message"]) == (503, True)
    assert caplog.records == []


@pytest.mark.anyio
async def test_a_defect_is_logged(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    answer = await Failing(KeyError("ours")).ask("/api/board", monkeypatch)
    assert answer.status_code == 500
    assert len(caplog.records) == 1
