"""`/data/plugin/text`."""

from __future__ import annotations

import pytest
from data_client import Client, strings

from lightboard import store, types

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


@pytest.mark.parametrize(("run", "tag"), [("r", "gone"), ("gone", "t"), ("r", "loss")])
async def test_an_unknown_text_is_an_empty_list(run: str, tag: str) -> None:
    source = store.Builder().scalars("r", "loss", [1.0]).tensors("r", "t", types.Kind.TEXT, [strings(b"")]).build()
    async with Client(source) as ask:
        assert await ask.json(f"{PATH}/text", run=run, tag=tag) == []
