"""Views as people copy them, and the smoothing they ask for."""

from __future__ import annotations

import pytest

from lightboard import errors
from lightboard import snapshot as snapshot_
from lightboard.snapshot import choice


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("", ""),
        ("http://localhost:6006/#timeseries?smoothing=0.9", "timeseries?smoothing=0.9"),
        ("http://localhost:6006/", ""),
        ("#runs?", "runs?"),
        ("timeseries?x=wall", "timeseries?x=wall"),
        ("?x=wall", "timeseries?x=wall"),
        ("x=wall&pins=a", "timeseries?x=wall&pins=a"),
    ],
)
def test_a_view_is_what_follows_the_hash(text: str, view: str) -> None:
    assert snapshot_.view_of(text) == view


def test_a_word_is_not_a_view() -> None:
    with pytest.raises(errors.BadInput, match="is not a view"):
        snapshot_.view_of("loss")


@pytest.mark.parametrize(
    ("view", "smoothing"),
    [
        ("", "ema:0.6"),
        ("timeseries?smoothing=0", ""),
        ("timeseries?smoothing=0.85", "ema:0.85"),
        ("timeseries?smoother=time_ema&smoothing=0.5&x=wall", "time_ema:0.5:wall"),
        ("timeseries?smoother=time_ema&smoothing=0.5", "time_ema:0.5:step"),
        ("timeseries?smoother=median&smoothing=0.5", "median:32"),
        ("timeseries?smoothing=nonsense", "ema:0.6"),
    ],
)
def test_the_smoothing_of_a_view(view: str, smoothing: str) -> None:
    assert choice.smoothing(view) == smoothing


@pytest.mark.parametrize(
    ("view", "tags"),
    [
        ("", []),
        ('timeseries?cards=[{"id":"a","title":"","tags":["loss","=loss*2"],"pattern":""}]', ["loss", "=loss*2"]),
        ('timeseries?cards=[{"tags":["=a+b","=a%2Bc"]}]', ["=a+b", "=a+c"]),
        ("timeseries?cards=nonsense", []),
        ('timeseries?cards=[1,{"tags":3},{"tags":[1,"x"]}]', ["x"]),
    ],
)
def test_the_tags_of_charts_that_the_reader_made(view: str, tags: list[str]) -> None:
    assert choice.card_tags(view) == tags
