"""`/data/plugin/custom_scalars`."""

from __future__ import annotations

from data_client import Client, strings

from lightboard import store, types
from lightboard.query import custom_scalars

PATH = "/data/plugin/custom_scalars"


def field(number: int, content: bytes | str) -> bytes:
    raw = content.encode() if isinstance(content, str) else content
    return bytes([number << 3 | 2, len(raw)]) + raw


def lines(title: str, *tags: str) -> bytes:
    return field(1, title) + field(2, b"".join(field(1, tag) for tag in tags))


def band(title: str, value: str, lower: str, upper: str) -> bytes:
    return field(1, title) + field(3, field(1, field(1, value) + field(2, lower) + field(3, upper)))


def category(title: str, *charts: bytes, closed: bool = False) -> bytes:
    return field(1, title) + b"".join(field(2, chart) for chart in charts) + (b"\x18\x01" if closed else b"")


def layout(*categories: bytes) -> types.Tensor:
    return strings(b"".join(field(2, one) for one in categories), shape=())


def made(**layouts: types.Tensor) -> store.Store:
    builder = store.Builder().scalars("a", "loss/x", [1.0], wall_times=[1.0]).scalars("a", "loss/y", [2.0])
    builder.scalars("a", "my_loss/x", [3.0])
    for run, value in layouts.items():
        builder.tensors(run, custom_scalars.TAG, types.Kind.CUSTOM_SCALARS, [value])
    return builder.build()


async def test_without_a_layout_the_answer_is_empty() -> None:
    async with Client(made()) as ask:
        assert await ask.json(f"{PATH}/layout") == {}


async def test_a_layout_comes_with_its_defaults() -> None:
    source = made(a=layout(category("C", lines("l", "loss/.*"), band("b", "v", "lo", "up"), closed=True)))
    async with Client(source) as ask:
        assert await ask.json(f"{PATH}/layout") == {
            "version": 0,
            "category": [
                {
                    "title": "C",
                    "closed": True,
                    "chart": [
                        {"title": "l", "multiline": {"tag": ["loss/.*"]}},
                        {"title": "b", "margin": {"series": [{"value": "v", "lower": "lo", "upper": "up"}]}},
                    ],
                }
            ],
        }


async def test_layouts_of_runs_are_merged_by_category_title() -> None:
    source = made(
        c=layout(category("New", lines("n", "t")), category("One", lines("same", "t"), lines("more", "u"))),
        a=layout(category("One", lines("same", "t"))),
        b=layout(category("New", lines("first", "t"))),
    )
    async with Client(source) as ask:
        found = await ask.json(f"{PATH}/layout")
    titles = {one["title"]: [chart["title"] for chart in one["chart"]] for one in found["category"]}
    assert titles == {"One": ["same", "more"], "New": ["first", "n"]}


async def test_a_broken_layout_does_not_hide_the_others() -> None:
    source = made(a=strings(b"\x12\x7f!", shape=()), b=layout(category("Good", lines("n", "t"))))
    async with Client(source) as ask:
        assert [one["title"] for one in (await ask.json(f"{PATH}/layout"))["category"]] == ["Good"]


async def test_scalars_match_from_the_start_of_the_tag() -> None:
    async with Client(made()) as ask:
        found = await ask.json(f"{PATH}/scalars", run="a", tag="loss/.*")
        assert found["regex_valid"] is True
        assert set(found["tag_to_events"]) == {"loss/x", "loss/y"}
        assert found["tag_to_events"]["loss/x"] == [[1.0, 0, 1.0]]
        assert await ask.json(f"{PATH}/scalars", run="gone", tag=".*") == {"regex_valid": True, "tag_to_events": {}}
        for bad in ("", "(", "*"):
            found = await ask.json(f"{PATH}/scalars", run="a", tag=bad)
            assert found == {"regex_valid": False, "tag_to_events": {}}


async def test_data_are_downloaded_as_from_scalars() -> None:
    async with Client(made()) as ask:
        response = await ask.get(f"{PATH}/download_data", run="a", tag="loss/x", format="csv")
        assert response.text == "Wall time,Step,Value\r\n1.0,0,1.0\r\n"
        assert (await ask.get(f"{PATH}/download_data", run="a", tag="gone")).status_code == 404


# ---- /api/custom_scalars


async def test_the_page_gets_the_layout_and_what_its_patterns_match() -> None:
    source = made(
        b=layout(category("C", lines("l", "loss/.*", "["), band("b", "v", "lo", "up"), closed=True)),
        a=layout(category("C", lines("l", "loss/.*", "["))),
    )
    async with Client(source) as ask:
        found = await ask.json("/api/custom_scalars", pattern=["my_", "loss/.*"])
        alone = await ask.json("/api/custom_scalars", pattern=["my_"], layout="false")
    assert found["runs"] == ["a", "b"]
    (told,) = found["categories"]
    assert (told["title"], told["closed"]) == ("C", False)
    assert [(chart["title"], chart["patterns"], chart["bands"]) for chart in told["charts"]] == [
        ("l", ["loss/.*", "["], []),
        ("b", [], [{"value": "v", "lower": "lo", "upper": "up"}]),
    ]
    assert [(each["pattern"], each["tags"], each["problem"] is None) for each in found["matches"]] == [
        ("loss/.*", ["loss/x", "loss/y"], True),
        ("[", [], False),
        ("my_", ["my_loss/x"], True),
    ]
    assert (alone["categories"], [each["pattern"] for each in alone["matches"]]) == ([], ["my_"])


async def test_a_layout_that_is_none_is_left_out() -> None:
    async with Client(made(a=strings(b"\x12\xff", shape=()))) as ask:
        found = await ask.json("/api/custom_scalars")
    assert (found["runs"], found["categories"]) == ([], [])
