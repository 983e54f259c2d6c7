"""Durations, names, policies with their bounds, quota scopes."""

from __future__ import annotations

import math

import pytest
from hub.life.makers import HOUR, T0, pending, running
from hypothesis import given
from hypothesis import strategies as st

from lightboard.hub import life
from lightboard.hub.life import durations, names, policy, quota, refusals


@pytest.mark.parametrize(
    ("text", "secs"),
    [
        (90, 90), (1.5, 1.5), ("90", 90), ("90s", 90), ("1h", 3600), ("1h30m", 5400), ("2 days", 172800),
        (" 1 H ", 3600), ("1w", 604800), ("0", 0), ("never", 0), ("1.5h", 5400), ("10 mins", 600),
    ],
)  # fmt: skip
def test_durations_are_read(text: object, secs: float) -> None:
    assert durations.parse(text) == secs


@pytest.mark.parametrize(
    "text", ["", " ", "soon", "-1", "1x", "h", "30m1h", "1h1h", "1e9", "9" * 13, True, None, [], -5, math.nan, math.inf]
)
def test_other_texts_are_refused(text: object) -> None:
    with pytest.raises(refusals.BadDuration) as caught:
        durations.parse(text)
    assert caught.value.hint


@given(st.integers(0, int(durations.LONGEST_SECS)))
def test_a_duration_survives_being_written(secs: int) -> None:
    assert durations.parse(durations.text(secs)) == secs


@given(st.text())
def test_any_text_is_a_duration_or_refused(text: str) -> None:
    try:
        assert 0 <= durations.parse(text) <= durations.LONGEST_SECS
    except refusals.BadDuration:
        pass


@given(st.binary(min_size=10, max_size=10), st.binary(min_size=10, max_size=10))
def test_ids_are_dns_labels_and_differ(one: bytes, other: bytes) -> None:
    made = names.new_id("b", one)
    assert names.checked_slug(made) == made and len(made) == 18
    assert (made == names.new_id("b", other)) == (one == other)


@pytest.mark.parametrize("name", ["digits", "Größe 数字", "a" * 100, "run #3 / lr=0.1", "\U0001f469\u200d\U0001f4bb"])
def test_names_for_people_may_have_any_letter(name: str) -> None:
    assert names.checked_name(f" {name} ") == name


@pytest.mark.parametrize(
    "name",
    ["", "  ", "a" * 101, "a\nb", "a\x00", "a\u2028x", "\ud800", "a\u202eb", "\u2067a", "\u200b", "\u200b \u2060"],
)
def test_names_that_are_no_line_of_text_are_refused(name: str) -> None:
    with pytest.raises(refusals.BadName):
        names.checked_name(name)


@pytest.mark.parametrize("name", ["", "A", "-a", "a-", "a_b", "a.b", "api", "a" * 64, "ä", "a\n"])
def test_slugs_are_dns_labels(name: str) -> None:
    with pytest.raises(refusals.BadName):
        names.checked_slug(name)


@given(st.text())
def test_every_name_has_a_slug(name: str) -> None:
    assert names.checked_slug(names.slug_of(name))


def test_user_names_are_folded() -> None:
    assert names.checked_user(" Ada@Example.ORG ") == "ada@example.org"
    for name in ("", "a b", ".a", "a/b", "a\x00b", "é"):
        with pytest.raises(refusals.BadName):
            names.checked_user(name)


@pytest.mark.parametrize(
    ("uri", "name"),
    [("s3://bucket/logs/run1/", "run1"), ("/data", "data"), ("t9k://pvc/p/log/model", "model"), ("/", "board")],
)
def test_a_board_is_named_after_its_source(uri: str, name: str) -> None:
    assert names.name_of_uri(uri) == name


def test_the_first_policy_with_a_value_counts() -> None:
    own, workspace = life.Policy(idle_after_secs=5.0), life.Policy(idle_after_secs=7.0, reclaim_after_secs=9.0)
    timing = policy.effective(own, workspace, policy.DEFAULT)
    assert (timing.idle_after_secs, timing.reclaim_after_secs, timing.max_runtime_secs) == (5.0, 9.0, math.inf)
    never = policy.effective(life.Policy(reclaim_after_secs=0.0), workspace)
    assert math.isinf(never.reclaim_after_secs)


def test_others_than_admins_choose_within_bounds() -> None:
    bounds = policy.Bounds()
    policy.check(life.Policy(idle_after_secs=HOUR), bounds)
    policy.check(life.Policy(), bounds)
    policy.check(life.Policy(max_runtime_secs=0.0), bounds)
    for wrong in (
        life.Policy(idle_after_secs=1.0),
        life.Policy(reclaim_after_secs=0.0),
        life.Policy(idle_after_secs=2 * 86400.0),
    ):
        with pytest.raises(refusals.BadDuration) as caught:
            policy.check(wrong, bounds)
        assert "ask an admin" in caught.value.hint


def test_deadlines_are_shown_only_while_they_count() -> None:
    timing = policy.effective()
    assert policy.deadlines(running(), timing) == policy.Deadlines(T0 + HOUR, T0 + 25 * HOUR, None)
    assert policy.deadlines(pending(), timing) == policy.Deadlines(None, None, None)


def test_the_narrowest_full_scope_is_named() -> None:
    limits = life.Limits(account=2, workspace=3, hub=None)
    used = {"account:ada": 1, "workspace:team": 2}
    assert quota.full_scope("ada", "team", limits, used) is None
    assert quota.full_scope("ada", "team", limits, {**used, "workspace:team": 3}) == ("workspace:team", 3, 3)
    assert quota.full_scope("ada", "team", limits, {"account:ada": 2, "workspace:team": 3}) == ("account:ada", 2, 2)
    assert quota.full_scope("ada", "team", life.Limits(None, None, None), {}) is None
    assert quota.full_scope("ada", "team", life.Limits(0, None, None), {"account:ada": 0}) == ("account:ada", 0, 0)
