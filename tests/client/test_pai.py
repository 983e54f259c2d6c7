"""Addresses that PAI's SDK can use, and what is said where it is not installed. `make test-pai` runs the SDK itself."""

from __future__ import annotations

import os

import pytest

import lightboard.hub
from lightboard import errors


@pytest.mark.parametrize(
    "url",
    ["", "hub.example", "ftp://hub", "https://hub/below", "https://me:x@hub", "http://hub:port", "http://hub?a=1"],
)
def test_an_address_that_the_sdk_cannot_use_is_refused(url: str) -> None:
    with pytest.raises(errors.BadInput, match="not the address"):
        lightboard.hub.pai.use(url)


def test_without_the_sdk_nothing_changes_and_a_sentence_says_so() -> None:
    before = dict(os.environ)
    with pytest.raises(errors.Missing, match="not installed") as caught:
        lightboard.hub.pai.use("https://hub.example/")
    assert "alipai" in caught.value.hint and dict(os.environ) == before
