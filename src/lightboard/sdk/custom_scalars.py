"""Layouts of the custom scalars page: charts that combine several tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lightboard import wire
from lightboard.sdk import summary_messages

_TAG = "custom_scalars__config__"


def value(layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> bytes:
    """Summary.Value of {category: {chart: ["Multiline" or "Margin", tags]}}."""
    categories = [
        wire.message(2, wire.text(1, title), *(_chart(name, *content) for name, content in charts.items()))
        for title, charts in layout.items()
    ]
    tensor = summary_messages.string_tensor([b"".join(categories)], [])
    return summary_messages.tensor_value(_TAG, tensor, summary_messages.metadata("custom_scalars"))


def _chart(title: str, kind: str, tags: Sequence[str]) -> bytes:
    if kind == "Margin":
        if len(tags) != 3:
            raise ValueError(f"a margin chart needs three tags (value, lower, upper), not {len(tags)}")
        series = wire.message(1, *(wire.text(field, tag) for field, tag in enumerate(tags, 1)))
        content = wire.message(3, series)
    else:
        content = wire.message(2, *(wire.text(1, tag) for tag in tags))
    return wire.message(2, wire.text(1, title), content)
