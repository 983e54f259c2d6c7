"""Every kind in the logs of real writers, in the page: which cards there are and what they show, against the oracle.

One board over all of `tests/data`, one page that goes from kind to kind. What TensorBoard read in these files is told
by `compat.oracle`; where Lightboard reads more, `tests/compat/test_oracle.py` gives the reason.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import json
import re
import wave
from collections.abc import Callable, Iterator
from typing import Any
from urllib import parse

import board_process
import numpy as np
import pytest
from browser import conftest, patience
from compat import oracle
from playwright import sync_api

pytestmark = [pytest.mark.browser, pytest.mark.sweep]

expect = sync_api.expect

Expected = dict[str, Any]
# bytes that are no picture, logged as one: the card says so
NO_PICTURES = ("not an image",)
# 2,000 samples a second; Chromium plays from 3,000 on, and the card says that it cannot
TOO_SLOW = ("sound/audio/0",)
# plugins that have pages of their own, or are not shown as values
ELSEWHERE = re.compile(r"graph|hparams|custom_scalars")


@dataclasses.dataclass(frozen=True)
class Series:
    run: str  # as the board over all corpora calls it
    tag: str
    expected: Expected

    @property
    def step(self) -> int:
        """What a card shows at first: the newest."""
        return int(self.expected["steps"][-1])


def expected_series(kind: str) -> dict[str, list[Series]]:
    """Of each corpus what the oracle has of a kind; unknown plugins are tensors."""
    found: dict[str, list[Series]] = {}
    for corpus in oracle.corpora():
        for run, expected in oracle.load(corpus)["accumulator"]["runs"].items():
            name = corpus if run == "." else f"{corpus}/{run}"
            for tag, of_tag in expected.get("tags", {}).items():
                plugin = of_tag["plugin"]
                known = plugin if plugin in oracle.KINDS else "" if ELSEWHERE.search(plugin) else "tensors"
                if known == kind:
                    found.setdefault(corpus, []).append(Series(name, tag, of_tag))
    return found


@dataclasses.dataclass
class Reader:
    """A page that goes from kind to kind, and the blobs it fetched."""

    page: sync_api.Page
    url: str
    blobs: dict[str, bytes] = dataclasses.field(default_factory=dict)

    def open(self, kind: str, corpus: str, **members: str) -> None:
        words = {"showAll": "1", "runFilter": rf"^{corpus}(/|$)", "tagFilter": "/./", "hideEmpty": "1", **members}
        self.page.goto(f"{self.url}#{kind}?{parse.urlencode(words, quote_via=parse.quote)}")

    def cards(self, kind: str) -> list[tuple[str, str]]:
        found = self.page.evaluate(
            """(kind) => [...document.querySelectorAll(`[data-kind-card="${kind}"]`)].map(
                (card) => [card.dataset.runOf, card.dataset.card])""",
            kind,
        )
        return sorted((run, tag) for run, tag in found)

    def card(self, kind: str, one: Series, run: str | None = None) -> sync_api.Locator:
        """By what it says of itself; names may hold any letter."""
        key = f"{kind}|{_part(one.tag)}|{_part(one.run if run is None else run)}"
        return self.page.locator(f"[data-key={_quoted(key)}]")


def _part(name: str) -> str:
    return re.sub(r"[%|]", lambda found: parse.quote(found[0], safe=""), name)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'["\\\n\r\f]', lambda found: f"\\{ord(found[0]):x} ", text) + '"'


@pytest.fixture(scope="module")
def board() -> Iterator[board_process.Process]:
    with board_process.Process("--logdir", oracle.DATA, "--port", "0", "--sidecar", "none") as process:
        process.wait_for_runs("what_if/training", "torch_writer/cnn_digits", "awkward/text/all")
        yield process


@pytest.fixture
def reader(open_page: conftest.OpenPage, board: board_process.Process, forgiven: list[str]) -> Reader:
    forgiven.append("415")  # pictures that are none are refused, and the card says so
    page = open_page(viewport={"width": 1600, "height": 6000})
    return Reader(page, board.url)


# ---- what a card shows, and what the oracle says of it


def shows_picture(reader: Reader, one: Series) -> None:
    """The newest picture, byte for byte and in its own size."""
    expected = one.expected["images"][-1]
    card = reader.card("images", one)
    if not expected["blobs"] or one.tag in NO_PICTURES:
        expect(card.locator(".card__message")).to_be_visible()
        return
    picture = card.locator("[data-drawn]")
    expect(picture).to_have_attribute("data-step", str(one.step))
    found = picture.evaluate(
        """async (image) => {
            const bytes = await (await fetch(image.src)).arrayBuffer();
            const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
            return [image.naturalWidth, image.naturalHeight,
                    [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("")];
        }"""
    )
    assert found == [int(expected["width"]), int(expected["height"]), expected["blobs"][0]["sha256"]], one


def shows_clip(reader: Reader, one: Series) -> None:
    """The newest clip as long as its samples are, drawn from the bytes that were logged."""
    card = reader.card("audio", one)
    if one.tag in TOO_SLOW:
        expect(card.locator(".audio-card__message").first).to_be_visible()
        return
    expect(card.locator("[data-drawn]").first).to_have_attribute("data-step", str(one.step))
    wanted = one.expected["audio"][-1][0]
    patience.until(reader.page, lambda: wanted["sha256"] in reader.blobs, f"the clip of {one.tag}")
    with wave.open(io.BytesIO(reader.blobs[wanted["sha256"]])) as clip:
        secs = clip.getnframes() / clip.getframerate()
    expect(card.get_by_test_id("audio-time")).to_contain_text(f"/ {int(secs // 60)}:{secs % 60:05.2f}")


def shows_text(reader: Reader, one: Series) -> None:
    """The newest text as it was written, cell by cell where it is a table."""
    card = reader.card("text", one)
    expect(card.locator("[data-drawn]").first).to_have_attribute("data-step", str(one.step))
    wanted = [_squeezed(text)[:200] for text in _strings(one.expected["text"][-1]["strings"])]
    patience.until(
        reader.page,
        lambda: all(text in shown for shown in [_squeezed(card.inner_text())] for text in wanted),
        f"{one.run} {one.tag}: {wanted}",
    )


def _strings(expected: Any) -> list[str]:
    if isinstance(expected, dict):  # a long one: its beginning
        return [str(expected["start"])]
    return [expected] if isinstance(expected, str) else [text for part in expected for text in _strings(part)]


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def shows_histogram(reader: Reader, one: Series) -> None:
    """What is under the pointer: a logged step, and as many values as its buckets count."""
    card = reader.card("histograms", one)
    totals = {
        int(step): float(np.sum([count for _, _, count in _numbers(buckets)]))
        for step, buckets in zip(one.expected["steps"], one.expected["buckets"], strict=True)
    }
    if not any(totals.values()):
        expect(card.locator(".spread-card__note, .card__message")).to_be_visible()
        return
    rows = _tip(reader, card)
    total = totals[int(rows["Step"].replace(",", ""))]
    assert float(rows["All bins"].replace(",", "")) == pytest.approx(total, rel=1e-4), (one, rows)


def shows_distribution(reader: Reader, one: Series) -> None:
    """From the lower edge of the first bucket that has any values to the upper edge of the last."""
    card = reader.card("distributions", one)
    ends = {}
    for step, buckets in zip(one.expected["steps"], one.expected["buckets"], strict=True):
        counted = [(left, right) for left, right, count in _numbers(buckets) if count > 0]
        if counted and np.isfinite(counted).all():
            ends[int(step)] = counted[0][0], counted[-1][1]
    if not ends:  # of nothing, the percentiles are TensorBoard's zeros
        expect(card.locator("[data-drawn]").first).to_be_visible()
        return
    rows = _tip(reader, card)
    lowest, highest = ends[int(rows["Step"].replace(",", ""))]
    shown = [float(rows[name].replace(",", "").replace("−", "-")) for name in ("Lowest", "Highest")]
    assert shown == pytest.approx([lowest, highest], rel=1e-3, abs=1e-12), (one, rows)


def _numbers(rows: Any) -> list[tuple[float, float, float]]:
    return [(float(left), float(right), float(count)) for left, right, count in rows]


def _tip(reader: Reader, card: sync_api.Locator) -> dict[str, str]:
    """Name and value of each row beside the pointer."""
    expect(card.locator("[data-drawn]").first).to_be_visible()
    box = patience.box_of(card.locator("[data-drawn]").first)
    reader.page.mouse.move(box["x"] + 0.55 * box["width"], box["y"] + 0.55 * box["height"])
    tip = reader.page.get_by_test_id("hover-tip")
    expect(tip).to_be_visible()
    found: dict[str, str] = dict(
        tip.evaluate("(tip) => [...tip.children].map((row) => [...row.children].map((cell) => cell.textContent))")
    )
    reader.page.mouse.move(1, 1)
    expect(tip).to_be_hidden()
    return found


def shows_curve(reader: Reader, one: Series) -> None:
    """The run's row: its step, and the precision averaged over recall."""
    card = reader.card("pr_curves", one, run="")
    full_name = reader.page.locator(f"[title^={json.dumps(one.run)}]")  # the shown name may be shorter
    row = card.get_by_role("row").filter(has=full_name)
    _, _, _, _, precision, recall = np.array(one.expected["tables"][-1], float)
    area = float(-np.sum(np.diff(recall, append=0.0) * precision))
    expect(row.get_by_role("cell").nth(1)).to_have_text(f"{one.step:,}")
    shown = float(row.get_by_role("cell").nth(2).inner_text())
    assert shown == pytest.approx(area, abs=2e-4), one


def shows_mesh(reader: Reader, one: Series) -> None:
    count = one.expected["tensors"][-1]["shape"][1]
    card = reader.card("mesh", one)
    expect(card.locator("[data-drawn]")).to_have_attribute("data-step", str(one.step))
    expect(card).to_contain_text(re.compile(rf"(?<![\d,]){count:,} (points|vertices)"))


def shows_tensor(reader: Reader, one: Series) -> None:
    expected = one.expected["tensors"][-1]
    card = reader.card("tensors", one)
    expect(card.locator("[data-drawn]").first).to_have_attribute("data-step", str(one.step))
    for size in expected["shape"]:
        expect(card).to_contain_text(re.compile(rf"\b{size}\b"))


@dataclasses.dataclass(frozen=True)
class Kind:
    name: str
    shows: Callable[[Reader, Series], None]
    members: dict[str, str] = dataclasses.field(default_factory=dict)
    from_kind: str = ""
    per_tag: bool = False


KINDS = (
    Kind("images", shows_picture, {"imagesActual": "1"}),
    Kind("audio", shows_clip),
    Kind("text", shows_text, {"textMarkdown": "0"}),
    Kind("histograms", shows_histogram),
    Kind("distributions", shows_distribution, from_kind="histograms"),
    Kind("pr_curves", shows_curve, per_tag=True),
    Kind("mesh", shows_mesh, {"meshPainter": "plain"}),
    Kind("tensors", shows_tensor),
)


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_every_corpus_shows_what_it_holds_of_a_kind(reader: Reader, kind: Kind) -> None:
    def keep(response: sync_api.Response) -> None:
        if "/api/blobs/" in response.url and response.ok:
            body = response.body()
            reader.blobs[hashlib.sha256(body).hexdigest()] = body

    if kind.name == "audio":
        reader.page.on("response", keep)
    held = expected_series(kind.from_kind or kind.name)
    assert held
    for corpus, series in held.items():
        if kind.name == "mesh":  # parts of a mesh are drawn with its vertices
            series = [one for one in series if one.expected["mesh"]["content_type"] in ("VERTEX", "UNDEFINED")]
        reader.open(kind.name, corpus, **kind.members)
        wanted = sorted({("" if kind.per_tag else one.run, one.tag) for one in series})
        patience.eventually(reader.page, lambda _: reader.cards(kind.name), wanted)
        for one in series:
            kind.shows(reader, one)


# Lightboard reads more of these, or other points of restarts: told and proven in tests/compat/test_oracle.py
READ_OTHERWISE = ("awkward", "poison")
COLUMNS = 10


def test_scalars_have_a_chart_per_tag_and_their_last_values_are_in_the_table(reader: Reader) -> None:
    reader.page.set_viewport_size({"width": 2600, "height": 6000})
    held = expected_series("scalars")
    assert len(held) > 8
    for corpus in [each for each in held if each not in READ_OTHERWISE]:
        series = held[corpus]
        tags = sorted({one.tag for one in series})
        reader.open("timeseries", corpus)
        patience.eventually(reader.page, _charts, tags)
        for first in range(0, len(tags), COLUMNS):
            expect_cells(reader, corpus, tags[first : first + COLUMNS], series)


def expect_cells(reader: Reader, corpus: str, columns: list[str], series: list[Series]) -> None:
    # as words: nothing is equal to NaN
    wanted = {(one.run, one.tag): str(float(one.expected["values"][-1])) for one in series if one.tag in columns}
    reader.open("runs", corpus, tableColumns=",".join(f"last:{_listed(tag)}" for tag in columns))

    def shown(page: sync_api.Page) -> dict[tuple[str, str], str]:
        cells = _cells(page, columns)
        return {key: cells.get(key, "") for key in wanted}

    patience.eventually(reader.page, shown, wanted)


def _charts(page: sync_api.Page) -> list[str]:
    return sorted(page.evaluate('[...document.querySelectorAll("[data-card]")].map((card) => card.dataset.card)'))


def _listed(name: str) -> str:
    return name.replace("~", "~2").replace(",", "~1")


def _cells(page: sync_api.Page, columns: list[str]) -> dict[tuple[str, str], str]:
    """What the tips of the table's cells say, which have every digit."""
    rows = page.evaluate(
        """[...document.querySelectorAll("[data-table-run]")].map(
            (row) => [row.dataset.tableRun, [...row.children].slice(2).map((cell) => cell.title)])"""
    )
    return {
        (run, tag): str(float(text)) if text else ""
        for run, texts in rows
        if len(texts) == len(columns)
        for tag, text in zip(columns, texts, strict=True)
    }


def test_charts_of_logged_layouts_stand_below_their_categories(reader: Reader) -> None:
    wanted = []
    for corpus in oracle.corpora():
        for expected in oracle.load(corpus)["accumulator"]["runs"].values():
            for of_tag in expected.get("tags", {}).values():
                for layout in of_tag.get("layout", []) if of_tag["plugin"] == "custom_scalars" else []:
                    wanted += [
                        (part["title"], chart["title"]) for part in layout["category"] for chart in part["chart"]
                    ]
    assert len(wanted) > 4
    reader.page.goto(f"{reader.url}#custom_scalars?showAll=1")
    patience.eventually(reader.page, _charts, sorted(title for _, title in wanted))
    for category in {category for category, _ in wanted}:
        expect(reader.page.get_by_role("button", name=category).first).to_be_visible()
