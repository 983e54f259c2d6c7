"""What a board process gets for its sources: real paths, the secrets that they use and no others, allowed networks."""

from __future__ import annotations

import asyncio
import os
import pathlib
from typing import Any

import pytest
from hub.life import makers
from hub.sources import hubs

from lightboard import errors
from lightboard.hub import life, runtimes, sources
from lightboard.hub.runtimes import command
from lightboard.storage import settings


def launched(made: sources.Sources, *given: life.Source, **members: Any) -> runtimes.Launch:
    return asyncio.run(made.launch(makers.defined(sources=given, **members)))


def test_a_local_source_becomes_its_real_path(hub: hubs.Hub, checked: sources.Sources) -> None:
    launch = launched(checked, life.Source(f"{hub.root}/inside/train"), life.Source(f"file://{hub.root}/b", "b"))
    assert [each.uri for each in launch.sources] == [os.path.realpath(hub.root / "a/train"), f"{hub.root}/b"]
    assert launch.sources[1].prefix == "b"
    assert launch.storage == {}
    assert (launch.follow_links, launch.id) == ("inside", "b-1")


def test_a_claim_becomes_its_directory(hub: hubs.Hub, checked: sources.Sources) -> None:
    launch = launched(checked, life.Source("pvc://models/runs"), life.Source("t9k://pvc/models/later/x"))
    assert [each.uri for each in launch.sources] == [f"{hub.claim}/runs", f"{hub.claim}/later/x"]


def test_a_pattern_keeps_its_stars(hub: hubs.Hub, checked: sources.Sources) -> None:
    assert launched(checked, life.Source(f"{hub.root}/*/train")).sources[0].uri == f"{hub.root}/*/train"


def test_a_board_gets_the_secrets_that_it_uses_and_no_others(checked: sources.Sources) -> None:
    launch = launched(
        checked,
        life.Source("s3://bucket/a", secret="team-s3"),
        life.Source("t9k://minio/minio/bucket/b"),
        life.Source("gs://google@bucket/c"),
        life.Source("https://203.0.113.9/runs/d", secret="site"),
    )
    found = settings.from_document(launch.storage)
    assert sorted(found.secrets) == ["google", "minio", "site", "team-s3"]
    assert (found.secrets["team-s3"].key, found.secrets["team-s3"].secret) == ("id", "hidden")
    assert found.networks is not None and found.networks.allow == ()
    assert [name for name, each in sorted(found.secrets.items()) if each.trusted] == ["minio", "site"]
    assert launch.sources[3] == life.Source("https://203.0.113.9/runs/d")
    assert "hidden" not in repr(launch)
    words = " ".join(command.words(launch, folder=pathlib.Path("/hub/b"), socket="s", storage="t"))
    assert "s3://team-s3@bucket/a" in words and "hidden" not in words


def test_a_wrong_definition_fails_with_its_code(checked: sources.Sources) -> None:
    with pytest.raises(errors.LightboardError) as refused:
        launched(checked, life.Source("s3://gone@bucket"))
    assert refused.value.code == "SecretNotFound"


def test_buckets_without_a_secret_are_read_anonymously_unless_the_admin_says_otherwise(hub: hubs.Hub) -> None:
    launch = launched(hub.sources(environment={"AZURE_STORAGE_ACCOUNT": "a"}), life.Source("gs://bucket"))
    assert launch.environment == {"AZURE_STORAGE_ACCOUNT": "a", "GOOGLE_SKIP_SIGNATURE": "true"}
