"""All sample logs on every kind of store: they are read like from a directory, and equal TensorBoard's answers."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
from compat import oracle, test_oracle
from stores import corpora, places

import lightboard

pytestmark = pytest.mark.object_store


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return corpora.copy_all(tmp_path_factory.mktemp("corpora"))


@pytest.fixture(scope="module")
def expected(copies: pathlib.Path) -> dict[str, dict[str, Any]]:
    """What is read of each corpus on this machine."""
    found = {}
    for corpus in oracle.corpora():
        root = str(copies / corpus)
        with lightboard.open(root, index=False) as logs:
            found[corpus] = corpora.everything(logs, root)
    return found


@pytest.fixture(scope="module", params=places.ALL)
def place(
    request: pytest.FixtureRequest, copies: pathlib.Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[places.Place]:
    with places.made(request.param, request, copies, tmp_path_factory.mktemp("place")) as made:
        yield made


@pytest.mark.parametrize("corpus", oracle.corpora())
async def test_a_store_is_read_like_a_directory(
    place: places.Place, corpus: str, expected: dict[str, dict[str, Any]]
) -> None:
    wanted = corpora.without_hidden(expected[corpus]) if place.hides else expected[corpus]
    with lightboard.open(place.below(corpus), storage=place.storage, index=False) as logs:
        found = corpora.everything(logs, place.below(corpus))
        for part, value in wanted.items():
            assert found[part] == value, part
        if not place.hides:
            assert await test_oracle.unexplained(logs, corpus, oracle.load(corpus)) == []


def test_all_corpora_at_once(place: places.Place, expected: dict[str, dict[str, Any]]) -> None:
    """Several roots with names, as one board."""
    roots = {corpus: place.below(corpus) for corpus in expected}
    with lightboard.open(roots, storage=place.storage, index=False) as logs:
        for corpus, wanted in expected.items():
            runs = [run for run in wanted["runs"] if not (place.hides and corpora.is_hidden(run))]
            named = sorted(corpus if run == "." else f"{corpus}/{run}" for run in runs)
            assert [run for run in logs.runs if run.partition("/")[0] == corpus] == named
