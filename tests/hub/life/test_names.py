"""Names that people choose: what is refused, and what other scripts need."""

from __future__ import annotations

import pytest

from lightboard.hub.life import names, refusals


@pytest.mark.parametrize(
    "name",
    [
        "loss", "résumé of May", "基线 2", "训练（二）", "آزمایش می‌شود", "हिन्दी क्‍ष", "👩‍🔬 lab", "❤️",
        "한글", "a - b_c.d (1)",
    ],
)  # fmt: skip
def test_names_in_any_script_are_kept(name: str) -> None:
    assert names.checked_name(f"  {name} ") == name


@pytest.mark.parametrize(
    "name",
    [
        "", "   ", "a\nb", "a\x00b", "a\u2028b", "\u200b", "lo\u200bss", "lo\u200dss", "loss\u200d", "\u200closs",
        "\ufeffloss",
        "lo\u00adss", "ssol\u202e", "a\u2066b", "\u3164", "loss\u3164", "\u2800", "a\u034fb", "a\U000e0041", "\ue000",
        "a\ud800",
        "\u2060x", "x" * 101,
    ],
)  # fmt: skip
def test_names_with_letters_that_show_nothing_are_refused(name: str) -> None:
    with pytest.raises(refusals.BadName) as refused:
        names.checked_name(name)
    assert refused.value.hint


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        ("s3://bucket/runs/may/", "may"), ("/logs/lo\u200bss", "loss"), ("/logs/\u200b", "board"), ("/", "board"),
        ("oss://b/a b?versionId=1", "a b"), ("/logs/" + "x" * 300, "x" * 100),
    ],
)  # fmt: skip
def test_the_default_name_of_a_board_is_never_refused(uri: str, name: str) -> None:
    assert names.checked_name(names.name_of_uri(uri)) == name
