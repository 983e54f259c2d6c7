"""What the pages about storage tell people to copy is right: addresses, settings, policies, names of variables.

Left out: commands of other programs (`aws`, `gcloud`, `az`, `mc`), and whether a store accepts the policies.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import pathlib
import re
import shlex
import sys

import pytest

from lightboard import storage
from lightboard.storage import settings, uris

ROOT = pathlib.Path(__file__).parent.parent.parent
REFERENCE = ROOT / "docs" / "reference" / "storage.md"
PAGES = [
    REFERENCE,
    ROOT / "docs" / "howto" / "log-to-an-object-store.md",
    *sorted((ROOT / "docs" / "howto").glob("read-logs-from-*.md")),
]
SOURCES = [ROOT / "src" / "lightboard" / "storage" / f"{name}.py" for name in ("credentials", "connections")]


def blocks(page: pathlib.Path, language: str) -> list[str]:
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return [text for name, text in fenced if name == language]


def toml(text: str) -> settings.Settings:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # type: ignore[import-not-found,unused-ignore]
    return settings.from_document(tomllib.loads(text))


def addresses(page: pathlib.Path) -> list[str]:
    found = []
    for line in "\n".join(blocks(page, "")).replace("\\\n", "").splitlines():
        words = shlex.split(line, comments=True)
        for flag, word in itertools.pairwise(words):
            if flag == "--logdir_spec":
                found += [re.sub(r"^\w+:(?!//)", "", part) for part in word.split(",")]
            elif flag == "--logdir" or (flag == "doctor" and "lightboard" in words):
                found.append(word)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_addresses_parse_and_their_secrets_and_claims_are_on_the_page(page: pathlib.Path) -> None:
    found = [toml(block) for block in blocks(page, "toml")]
    secrets = {name for each in found for name in each.secrets}
    claims = {name for each in found for name in each.claims}
    for address in addresses(page):
        location = storage.parse(address)
        assert not location.secret or location.secret in secrets, address
        assert location.service is not storage.Service.CLAIM or location.bucket in claims, address


def test_every_store_has_an_address_to_copy() -> None:
    found = {storage.parse(address).service for page in PAGES for address in addresses(page)}
    assert found == set(storage.Service)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_policies_are_json(page: pathlib.Path) -> None:
    for block in blocks(page, "json"):
        assert json.loads(block)["Statement"]


def test_the_reference_has_every_scheme() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    assert [name for name in uris._SCHEMES if f"`{name}://" not in text] == []


@pytest.mark.parametrize("table", [settings.Secret, settings.Limits])
def test_the_reference_has_every_name_of_the_file(table: type) -> None:
    rows = re.findall(r"^\| `(\w+)` \|", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE)
    names = [field.name for field in dataclasses.fields(table) if field.name != "name"]
    assert [name for name in names if name not in rows] == []


def test_the_reference_has_the_defaults_of_limits() -> None:
    text = REFERENCE.read_text(encoding="utf-8")
    for field in dataclasses.fields(settings.Limits):
        assert f"| `{field.name}` | {field.default:g}" in text, field.name


def test_the_reference_has_every_variable_that_is_read() -> None:
    """Those of metadata servers and sessions of roles are for clusters, which set them by themselves."""
    text = REFERENCE.read_text(encoding="utf-8")
    clouds = r'"((?:AWS|OSS|ALIBABA_CLOUD|ALICLOUD|MINIO|AZURE|GOOGLE|STORAGE)_[A-Z0-9_]+)"'
    read = {name for source in SOURCES for name in re.findall(clouds, source.read_text(encoding="utf-8"))}
    inner = {
        "AWS_METADATA_ENDPOINT", "AWS_ROLE_SESSION_NAME", "AWS_STS_ENDPOINT", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
        "ALIBABA_CLOUD_STS_ENDPOINT", "ALIBABA_CLOUD_ROLE_SESSION_NAME", "ALIBABA_CLOUD_ECS_METADATA",
    }  # fmt: skip
    assert len(read) > 30
    assert sorted(name for name in read - inner if f"`{name}" not in text) == []
