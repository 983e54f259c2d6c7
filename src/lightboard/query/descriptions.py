"""Descriptions of tags by their writers: Markdown in the metadata of a series, as safe HTML."""

from __future__ import annotations

import dataclasses

import numpy as np

from lightboard import store
from lightboard.formats import markup
from lightboard.query import kinds, series

# The limit of run names sent with a text; a hundred thousand runs may share it.
MOST_NAMES = 5


@dataclasses.dataclass(frozen=True)
class Said:
    """One text about a tag, and who said it."""

    html: str
    runs: list[str]  # the first few of them, in natural order
    count: int  # how many runs there are


@dataclasses.dataclass(frozen=True)
class Descriptions:
    said: list[Said]  # what most runs say first; empty where nobody said anything


def of_tag(source: store.Store, word: str, tag: str) -> Descriptions:
    with source.lock:
        rows = series.rows(source, kinds.BY_WORD[word].kind, [tag], most=None)
        cells = source.series_table.rows[rows]
        metas, runs = cells["metadata"], cells["run"]
        speakers: dict[str, list[int]] = {}
        for meta in np.unique(metas[metas >= 0]).tolist():
            text = source.metadata[meta].description
            if text:
                speakers.setdefault(text, []).extend(np.nonzero(metas == meta)[0].tolist())
        texts = [
            (text, [source.run_names[runs[place]] for place in sorted(places)[:MOST_NAMES]], len(places))
            for text, places in speakers.items()
        ]
    # Rendering is slow: do it without the lock.
    texts.sort(key=lambda each: (-each[2], each[1]))
    return Descriptions([Said(markup.description(text), names, count) for text, names, count in texts])
