"""`/data/plugin/text`."""

from __future__ import annotations

import itertools
import json

import pytest
from data_client import Client, strings

from lightboard import store, types, work
from lightboard.query import text
from lightboard.server import context, data
from lightboard.server import text as server_text

PATH = "/data/plugin/text"


async def test_texts_come_as_html_in_order() -> None:
    values = [strings(b"**x**", shape=()), strings(b"\xff", shape=())]
    source = store.Builder().tensors("r", "t", types.Kind.TEXT, values, steps=[3, 9], wall_times=[1.0, 2.0]).build()
    async with Client(source) as ask:
        assert await ask.json(f"{PATH}/tags") == {"r": ["t"]}
        assert await ask.json(f"{PATH}/text", run="r", tag="t") == [
            {"wall_time": 1.0, "step": 3, "text": "<p><strong>x</strong></p>"},
            {"wall_time": 2.0, "step": 9, "text": "<p>�</p>"},
        ]
        plain = await ask.json(f"{PATH}/text", run="r", tag="t", markdown="false")
        assert plain[0]["text"] == "**x**"


def test_texts_are_rendered_as_they_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """All steps of a series were rendered in one go."""
    values = [strings(b"x" * 300_000, shape=()) for _ in range(10)]
    source = store.Builder().tensors("r", "t", types.Kind.TEXT, values).build()
    render, rendered = text.html, itertools.count()

    def counted(each: text.Text, *, markdown: bool) -> str:
        next(rendered)
        return render(each, markdown=markdown)

    monkeypatch.setattr(text, "html", counted)
    reply = server_text.texts(
        context.Context(store=source, work=work.Work(source)), data.Arguments({"run": ["r"], "tag": ["t"]})
    )
    assert next(rendered) < 5
    assert len(json.loads(b"".join(reply.body))) == 10  # type: ignore[arg-type]


@pytest.mark.parametrize(("run", "tag"), [("r", "gone"), ("gone", "t"), ("r", "loss")])
async def test_an_unknown_text_is_an_empty_list(run: str, tag: str) -> None:
    source = store.Builder().scalars("r", "loss", [1.0]).tensors("r", "t", types.Kind.TEXT, [strings(b"")]).build()
    async with Client(source) as ask:
        assert await ask.json(f"{PATH}/text", run=run, tag=tag) == []


# ---- /api/text


def notes(count: int) -> store.Store:
    values = [strings(f"# note {number}".encode(), shape=()) for number in range(count)]
    return store.Builder().tensors("r", "t", types.Kind.TEXT, values).build()


@pytest.mark.anyio
async def test_the_newest_texts_come_first_page_by_page() -> None:
    async with Client(notes(45)) as ask:
        first = await ask.json("/api/text", run="r", tag="t")
        assert (first["points"], len(first["texts"])) == (45, 20)
        assert first["texts"][0] == {
            "place": 44, "step": 44, "wall_time": 1.7e9 + 44, "shape": [], "chars": 9, "cut": False,
            "text": "<h1>note 44</h1>", "problem": None,
        }  # fmt: skip
        last = await ask.json("/api/text", run="r", tag="t", before=first["texts"][-1]["place"], limit=100)
        assert [each["step"] for each in last["texts"]] == list(range(24, -1, -1))
        some = await ask.json("/api/text", run="r", tag="t", at=[3, 1], form="source")
        assert [each["text"] for each in some["texts"]] == ["# note 3", "# note 1"]
        assert (await ask.json("/api/text", run="r", tag="t", before=0))["texts"] == []


@pytest.mark.anyio
async def test_markup_goes_through_the_same_sanitiser() -> None:
    hostile = strings(b"<script>alert(1)</script><img src=x onerror=alert(1)> [x](javascript:alert(1))", shape=())
    async with Client(store.Builder().tensors("r", "t", types.Kind.TEXT, [hostile]).build()) as ask:
        ours = (await ask.json("/api/text", run="r", tag="t"))["texts"][0]["text"]
        assert ours == (await ask.json(f"{PATH}/text", run="r", tag="t"))[0]["text"]
        assert "<script" not in ours
        assert "onerror" not in ours
        assert 'href="javascript' not in ours


@pytest.mark.anyio
async def test_searching_all_steps() -> None:
    async with Client(notes(300)) as ask:
        found = await ask.json("/api/text/search", run="r", tag="t", words="NOTE 29")
        assert [hit["step"] for hit in found["hits"]] == [*range(299, 289, -1), 29]
        assert found["next"] == -1
        assert (await ask.get("/api/text/search", run="r", tag="t", words="")).status_code == 400
        wrong = await ask.get("/api/text/search", run="r", tag="t", words="/(/")
        assert (wrong.status_code, wrong.json()["error"]["position"]) == (400, 1)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "path", ["/api/text?run=r&tag=gone", "/api/text?run=r&tag=t&at=45", "/api/text/search?run=x&tag=t&words=a"]
)
async def test_what_is_not_there_is_not_found(path: str) -> None:
    async with Client(notes(2)) as ask:
        assert (await ask.get(path)).status_code == 404
