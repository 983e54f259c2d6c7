"""Patterns that users type: what they match, what is refused and with which words, and that none takes long.

pattern_cases.json is also read by web/src/pattern_cases.test.ts: the page and the server agree on every line of it.
Left out on purpose: the routes that take patterns (tests/server/test_hostile_patterns.py).
"""

from __future__ import annotations

import json
import pathlib
import re
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from lightboard import errors
from lightboard.query import patterns, text
from lightboard.query.runs import groups

CASES: list[tuple[str, str, Any]] = json.loads(
    (pathlib.Path(__file__).parent / "pattern_cases.json").read_text(encoding="utf-8")
)
REFUSALS = {
    "lookaround": "look-around",
    "backreference": "back reference",
    "large": "too large",
    "invalid": "not a regular expression",
}


@pytest.mark.parametrize(("pattern", "name", "expected"), CASES)
def test_patterns_match_as_in_the_page(pattern: str, name: str, expected: object) -> None:
    if isinstance(expected, str):
        with pytest.raises(errors.BadFilter, match=REFUSALS[expected]):
            patterns.compile_pattern(pattern)
        return
    compiled = patterns.compile_pattern(pattern)
    assert compiled.finds(name) is bool(expected)
    if isinstance(expected, list):
        assert compiled.caught_in([name]) == [tuple(expected)]


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*$", "(a?){500}b", ".*.*.*.*.*.*.*#", "(a*)*b", "(?:a|aa)+$", "(.*a){20}"]
)
def test_patterns_that_make_a_backtracking_engine_run_for_years_are_answered(pattern: str) -> None:
    assert patterns.compile_pattern(pattern).found_in(["a" * 900 + "!"] * 3).tolist() in ([True] * 3, [False] * 3)


@pytest.mark.parametrize("from_start", [False, True])
def test_many_names_at_once_give_what_each_gives_alone(from_start: bool) -> None:
    names = sorted({name for _, name, _ in CASES if "\n" not in name} | {"", "a", "x/loss"})
    for pattern in {pattern for pattern, _, expected in CASES if not isinstance(expected, str)}:
        compiled = patterns.compile_pattern(pattern)
        alone = [compiled.found_in([name, "\n"], from_start=from_start).tolist()[0] for name in names]
        assert compiled.found_in(names, from_start=from_start).tolist() == alone, pattern


@hypothesis.given(
    st.text("ab^$|*?.()[]\\b-\n", max_size=12), st.lists(st.text("ab \n.", max_size=6), min_size=1, max_size=9)
)
def test_any_pattern_finds_the_same_in_many_names_as_in_each(pattern: str, names: list[str]) -> None:
    try:
        compiled = patterns.compile_pattern(pattern)
    except errors.BadFilter:
        return
    assert compiled.found_in(names).tolist() == [compiled.finds(name) for name in names]


def test_a_pattern_may_be_found_at_the_start_only() -> None:
    compiled = patterns.compile_pattern("b", case=True)
    assert compiled.found_in(["ab", "ba", "Ba"], from_start=True).tolist() == [False, True, False]


def test_of_a_name_the_first_thousand_characters_count() -> None:
    compiled = patterns.compile_pattern("x")
    assert compiled.found_in(["a" * 999 + "x", "a" * 1000 + "x"]).tolist() == [True, False]


def test_a_budget_that_is_spent_ends_the_search() -> None:
    budget = patterns.Budget()
    budget.allow(1_000_000)
    with pytest.raises(errors.BadFilter, match="takes too long"):
        budget.spend(patterns.MAX_SECS + 1)
    with pytest.raises(errors.BadFilter, match="takes too long"):
        patterns.compile_pattern("a").found_in(["a"] * 1000, budget=budget)


def test_a_budget_is_for_all_patterns_of_a_question_together() -> None:
    budget = patterns.Budget()
    budget.spend(0.15)
    with pytest.raises(errors.BadFilter, match="takes too long"):
        budget.spend(0.15)


def test_a_budget_grows_with_the_number_of_names() -> None:
    budget = patterns.Budget()
    budget.allow(20_000)
    budget.spend(0.5)


def test_names_that_are_not_unicode_are_searched() -> None:
    names = ["caf\udce9/loss", "\ud83d"]
    compiled = patterns.compile_pattern("^.*(.)/loss$")
    assert compiled.found_in(names).tolist() == [True, False]
    assert compiled.caught_in(names) == [("\ufffd",), None]


def test_a_pattern_that_is_not_unicode_is_no_accident() -> None:
    assert not patterns.compile_pattern("\udce9").finds("a")


def test_finds_are_told_in_characters() -> None:
    found = patterns.compile_pattern("行+|o*").spans("第行行foo", patterns.Budget())
    assert list(found) == [(1, 3), (4, 6)]


def test_groups_are_those_the_brackets_caught() -> None:
    found = groups.by_pattern(["a/seed_1", "b/seed_2", "a/seed_3", "x"], "^(.*)/SEED")
    assert [(group.label, group.members) for group in found.groups] == [("a", (0, 2)), ("b", (1,))]
    assert found.ungrouped == (3,)


def test_compiled_patterns_are_not_kept() -> None:
    import re2

    patterns.compile_pattern("nobody keeps this")
    assert re2._Regexp._make.cache_info().currsize == 0


def test_no_module_matches_given_patterns_with_a_backtracking_engine() -> None:
    """`re` is for patterns of our own: constants, or constants put together."""
    allowed = {
        "server/routing.py": 1,  # templates of addresses
        "hub/api/app.py": 1,  # the same
    }
    root = pathlib.Path(text.__file__).parents[1]
    functions = "compile|search|match|fullmatch|sub|split|findall|finditer"
    call = re.compile(rf"\bre\.(?:{functions})\(\s*(?!\s|[rbf]{{0,2}}[\"'])")
    for path in root.rglob("*.py"):
        found = call.findall(path.read_text(encoding="utf-8"))
        assert len(found) == allowed.get(path.relative_to(root).as_posix(), 0), path
