"""Texts made to be slow to render or to parse, and the log directory that has them wherever a board shows a text."""

from __future__ import annotations

import json
import pathlib
import urllib.parse
from collections.abc import Iterator

import event_files

import lightboard
from lightboard.query import blobs

# Repeated up to SIZE letters.
SIZE = 50_000
PARTS = (
    "[a](", "***a*", "*a_ ", "> ", "- ", "1. ", "> - ", "[", "![", "`a", "<", "<a ", '<a href="', "<!--", "a <?",
    "a <![CDATA[", "<p>", "<ul><li>", "a <strong>", "x <strong></em>", "<table><tr><td>", "<em><p></em>", "<b><script>",
    "<http://a.b/", "<http://a.b> ", "&amp;", "&#", "[^1]: a [^1]\n\n", "[a]: b\n", "[x] ", "|-|-\n", "a\n=\n",
    "* * * ", "```\n", "~~~ a\n> ", "\\", "a  \n", "[a](((((((((", '[a](b "', "[a](b) [", "1", "1_", "'\"", "{'a':",
    "[[", "a: {", "f(a=", "- a\n  ",
)  # fmt: skip
WHOLE = (
    "> " * 12_000 + "a\n" * 12_000,
    "\n".join(">" * depth + " a" for depth in range(300)),
    "\n".join("  " * depth + "- a" for depth in range(200)),
    " ".join("`" * length for length in range(300)),
    "".join(f"<em title={number}><p>a" for number in range(3_000)),
    f"<p><a href=http://{'a' * 20_000}></p>{'<p>b</p>' * 4_000}</a>",
    "[a]: http://" + "b" * 25_000 + "\n\n" + "[a] " * 6_000,
    "|" + "a|" * 4_000 + "\n|" + "-|" * 4_000 + "\n" + "|a\n" * 10_000,
    "<a " + " ".join(f"b{number}=c" for number in range(8_000)) + ">",
    '{"a": ' + "[" * 900 + "]" * 900 + "}",
    json.dumps({"columns": ["a"], "rows": [[1] * 10_000, *([[1]] * 10_000)]}),
    json.dumps([{str(number): 1} for number in range(4_000)]),
)
TEXTS = (*(part * (SIZE // len(part)) for part in PARTS), *WHOLE)
# A configuration that is one long value.
CONFIGS = tuple(f"a: {text}x" for text in TEXTS[-20:]) + tuple(TEXTS[:-20])


def write(folder: pathlib.Path) -> None:
    def events(run: str, written: list[bytes]) -> None:
        event_files.write(folder / run / "events.out.tfevents.1", [event_files.version_event(), *written])

    events("texts", [_strings(f"{at}", "text", [text]) for at, text in enumerate(TEXTS)])
    events("cells", [_strings(f"{at}", "text", [text, "a"], shape=[2, 1]) for at, text in enumerate(TEXTS)])
    events("tables", [_strings(f"{at}", "lightboard_table", [text], shape=[1]) for at, text in enumerate(TEXTS)])
    events("described", [_described(f"{at}", text) for at, text in enumerate(TEXTS)])
    for at, text in enumerate(CONFIGS):
        events(f"config/{at}", [_strings("config", "text", [text])])
    remarks = {f"config/{at}": {"note": text[:60_000]} for at, text in enumerate(TEXTS)}
    (folder / ".lightboard").mkdir()
    (folder / ".lightboard/annotations.json").write_text(json.dumps({"version": 1, "runs": remarks}), encoding="utf-8")


def _strings(tag: str, plugin: str, texts: list[str], *, shape: list[int] | None = None) -> bytes:
    tensor = event_files.field_bytes(8, event_files.string_tensor(texts, shape=shape or []))
    metadata = event_files.summary_metadata(plugin, data_class=2)
    return event_files.summary_event(event_files.value(tag, tensor, metadata))


def _described(tag: str, text: str) -> bytes:
    metadata = event_files.summary_metadata("scalars", description=text, data_class=1)
    tensor = event_files.field_bytes(8, event_files.tensor([1.0]))
    return event_files.summary_event(event_files.value(tag, tensor, metadata))


def questions(folder: pathlib.Path) -> Iterator[str]:
    """Every address that renders or parses one of the texts."""
    yield from (
        "api/hparams",
        "api/trials",
        "api/trials/importance",
        "api/trials/file?format=csv",
        "api/annotations?html=true",
    )
    yield from (
        "data/plugin/scalars/tags",
        "data/plugin/timeseries/tags",
        "data/plugin/text/tags",
        "api/runs?filter=true",
    )
    for at in range(len(TEXTS)):
        for run in ("texts", "cells"):
            yield _address("data/plugin/text/text", run=run, tag=at)
            yield _address("api/text", run=run, tag=at)
        yield _address("data/plugin/text/text", run="texts", tag=at, markdown="false")
        yield _address("api/text", run="cells", tag=at, form="plain")
        yield _address("api/text/search", run="texts", tag=at, words="/a.*b/")
        yield _address("api/descriptions", kind="scalars", tag=at)
        yield f"api/runs/config/{at}"
        yield _address("api/annotations", run=f"config/{at}", html="true")
    with lightboard.open(folder, index=False) as logs:
        for at in range(len(TEXTS)):
            series = logs._store.series("tables", f"{at}")
            assert series is not None
            key = blobs.key(series, series.points(), 0, 0)
            yield _address("api/tables", key=key)
            yield _address("api/tables/file", key=key)


def _address(path: str, **fields: object) -> str:
    return f"{path}?{urllib.parse.urlencode(fields)}"
