"""The command of a board: sources, secrets and names as words, the storage file as TOML."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies

from lightboard import errors
from lightboard.hub import runtimes
from lightboard.hub.life import nouns
from lightboard.hub.runtimes import command
from lightboard.storage import settings

HOME = Path("/hub/boards/b1")


def launch(*sources: nouns.Source, **changes: Any) -> runtimes.Launch:
    return runtimes.Launch(**{"id": "b1", "name": "Board", "sources": sources, **changes})


def words(*sources: nouns.Source, **changes: Any) -> list[str]:
    return command.words(launch(*sources, **changes), folder=HOME, socket="socket", storage="")


@pytest.mark.parametrize(
    ("sources", "word"),
    [
        ([nouns.Source("/runs")], "--logdir=/runs"),
        ([nouns.Source("/runs,old")], "--logdir=/runs,old"),
        ([nouns.Source("s3://b/k", secret="team")], "--logdir=s3://team@b/k"),
        ([nouns.Source("/a", "train")], "--logdir_spec=train:/a"),
        ([nouns.Source("/a,b"), nouns.Source("s3://b")], "--logdir_spec=file:///a%2Cb,s3://b"),
    ],
)
def test_sources_become_one_word(sources: list[nouns.Source], word: str) -> None:
    assert word in words(*sources)


@pytest.mark.parametrize(
    "source",
    [
        nouns.Source(""),
        nouns.Source("a\nb"),
        nouns.Source("/a", "x,y"),
        nouns.Source("/a", "x:y"),
        nouns.Source("/a", "/x"),
        nouns.Source("/a", "-x"),
        nouns.Source("s3://b/a,b", "x"),
    ],
)
def test_a_source_that_cannot_be_one_word_is_refused(source: nouns.Source) -> None:
    with pytest.raises(errors.BadInput):
        launch(source)


@pytest.mark.parametrize("source", [nouns.Source("/a", secret="team"), nouns.Source("s3://other@b/k", secret="team")])
def test_a_secret_that_cannot_be_used_is_refused(source: nouns.Source) -> None:
    with pytest.raises(errors.BadInput):
        words(source)


def test_a_name_cannot_become_another_argument() -> None:
    assert "--window_title=--no_index\u2003x" not in words(nouns.Source("/a"), name="--no_index\nx")
    assert "--window_title=--no_indexx" in words(nouns.Source("/a"), name="--no_index\nx")


def test_secrets_are_not_shown_by_repr() -> None:
    shown = repr(launch(nouns.Source("/a"), storage={"secrets": {"a": {"key": "hidden"}}}, environment={"A": "hidden"}))
    assert "hidden" not in shown


TEXTS = strategies.text(strategies.characters(exclude_categories=["Cs"]))


@hypothesis.given(strategies.dictionaries(TEXTS, strategies.fixed_dictionaries({"key": TEXTS, "region": TEXTS})))
def test_the_storage_file_says_what_the_document_says(secrets: dict[str, dict[str, str]]) -> None:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # type: ignore[import-not-found,unused-ignore]
    document = {
        "claims": {"models": "/mnt/a b"},
        "secrets": secrets,
        "limits": {"retries": 2, "timeout_secs": 0.5},
        "networks": {"allow": ["10.0.0.0/8", "minio"]},
    }
    found = tomllib.loads(command.storage_text(document))
    assert found == {**document, "secrets": secrets} if secrets else "secrets" not in found
    settings.from_document(tomllib.loads(command.storage_text({"secrets": {"a": {"anonymous": True}}})))
