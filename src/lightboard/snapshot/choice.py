"""What a snapshot contains: which runs, tags, kinds and points, and the view that the page opens with."""

from __future__ import annotations

import dataclasses
import json
import urllib.parse
from collections.abc import Sequence

from lightboard import errors
from lightboard.query import patterns

# Kinds that a snapshot can contain, in the order of their tabs.
KINDS = ("scalars", "images", "histograms", "distributions", "text", "hparams")
DEFAULT_POINTS = 400
DEFAULT_MAX_BYTES = 50 << 20
DEFAULT_IMAGE_BYTES = 16 << 20
# of a series of histograms, and of texts
MAX_HISTOGRAMS = 50
MAX_TEXTS = 20
_PAGE_DEFAULTS = {"x": "step", "smoother": "ema", "smoothing": "0.6", "runFilter": "", "group": "", "band": "std"}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Choice:
    runs: str = ""  # a run filter; "": all
    run: Sequence[str] | None = None  # names of runs, in addition to the filter; None: all
    tags: str | None = None  # a regular expression that is found in the tag
    tag: Sequence[str] = ()  # exact names; they win over `tags`
    kinds: Sequence[str] = KINDS
    points: int = DEFAULT_POINTS  # of each line at most; 0: all
    image_steps: int = 1  # the newest steps of each series of images; 0: all
    image_bytes: int = DEFAULT_IMAGE_BYTES
    view: str = ""  # the text after # in the address
    title: str = ""

    def wants(self, kind: str) -> bool:
        return kind in self.kinds

    def wanted_tags(self, names: Sequence[str]) -> list[str]:
        if self.tag:
            wanted = set(self.tag)
            return [name for name in names if name in wanted]
        if self.tags is None:
            return list(names)
        pattern = patterns.compile_pattern(self.tags, case=True)
        return [name for name in names if pattern.finds(name)]


def view_of(text: str) -> str:
    """Return the text after # from an address or a query string that was copied from the page.

    `http://localhost:6006/#timeseries?smoothing=0.9`, `#timeseries?smoothing=0.9`, `timeseries?smoothing=0.9` and
    `smoothing=0.9` mean the same.
    """
    text = text.strip()
    if "#" in text:
        return text.partition("#")[2]
    if "://" in text:
        return ""
    if "?" in text and not text.startswith("?"):
        return text
    text = text.removeprefix("?")
    if text and "=" not in text:
        raise errors.BadInput(f"`{text[:60]}` is not a view", hint="copy the address of the page, from `#` on")
    return f"timeseries?{text}" if text else ""


def member(view: str, name: str) -> str:
    """Return a member of the view as its text in the address, or the page's default."""
    pairs = [part.partition("=") for part in view.partition("?")[2].split("&")]
    # not parse_qs: in the page's addresses a plus is a plus
    found = [urllib.parse.unquote(text) for key, _, text in pairs if urllib.parse.unquote(key) == name]
    return found[-1] if found else _PAGE_DEFAULTS.get(name, "")


def card_tags(view: str) -> list[str]:
    """Return the tags of the charts that the reader made, among them metric expressions."""
    try:
        cards = json.loads(member(view, "cards") or "[]")
    except ValueError:
        return []
    lists = [card.get("tags") for card in cards if isinstance(card, dict)] if isinstance(cards, list) else []
    named = [tag for tags in lists if isinstance(tags, list) for tag in tags if isinstance(tag, str)]
    return list(dict.fromkeys(named))


def smoothing(view: str) -> str:
    """Return the smoothing of the view as `/api/scalars` reads it; the same as `smoothingQuestion` of the page."""
    smoother, x = member(view, "smoother"), member(view, "x")
    try:
        share = float(member(view, "smoothing"))
    except ValueError:
        share = 0.6
    share = min(max(share, 0.0), 0.999)
    if share == 0:
        return ""
    if smoother in ("gaussian", "mean", "median"):
        window = round(10 ** (3 * share))
        return f"{smoother}:{window}" if window > 1 else ""
    if smoother == "time_ema":
        return f"time_ema:{share!r}:{'wall' if x in ('wall', 'relative') else 'step'}"
    return f"ema:{share!r}"
