"""Passwords, tokens and the vault."""

from __future__ import annotations

import pathlib
import stat

import argon2
import pytest

from lightboard import errors
from lightboard.hub.life import refusals
from lightboard.hub.people import passwords, tokens, vault


@pytest.fixture(scope="module")
def quick() -> passwords.Passwords:
    return passwords.Passwords(argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def test_a_password_matches_its_hash_only(quick: passwords.Passwords) -> None:
    kept = quick.hash("correct horse battery")
    assert "correct" not in kept
    assert quick.matches(kept, "correct horse battery")
    assert not quick.matches(kept, "correct horse batterz")
    assert not quick.matches("no hash", "correct horse battery")


@pytest.mark.parametrize("missing", [None, ""])
def test_a_name_without_a_password_never_matches(quick: passwords.Passwords, missing: str | None) -> None:
    assert not quick.matches(missing, "nothing matches this")


@pytest.mark.parametrize("password", ["short", "x" * 1001])
def test_lengths_of_passwords_are_bounded(quick: passwords.Passwords, password: str) -> None:
    with pytest.raises(refusals.BadPassword, match="characters"):
        quick.hash(password)
    assert not quick.matches(None, password)


def test_hashes_with_weaker_parameters_are_noticed(quick: passwords.Passwords) -> None:
    kept = quick.hash("correct horse battery")
    assert not quick.is_outdated(kept)
    assert passwords.Passwords(argon2.PasswordHasher(time_cost=2, memory_cost=64)).is_outdated(kept)


def test_values_are_long_different_and_named_by_kind() -> None:
    one, other = tokens.make(tokens.TOKEN), tokens.make(tokens.TOKEN)
    assert one.value != other.value and one.value.startswith("lbt_") and len(one.value) >= tokens.LEAST_LENGTH
    assert one.hash == tokens.digest(one.value) != other.hash


def test_the_csrf_token_belongs_to_one_session_and_does_not_show_it() -> None:
    session, other = tokens.make(tokens.SESSION).value, tokens.make(tokens.SESSION).value
    assert tokens.csrf_of(session) == tokens.csrf_of(session) != tokens.csrf_of(other)
    assert session not in tokens.csrf_of(session)
    assert tokens.same("a", "a") and not tokens.same("a", "b") and not tokens.same("a", "ü")


def test_a_secret_comes_back_for_its_purpose_only(tmp_path: pathlib.Path) -> None:
    box = vault.Vault(vault.load_key(tmp_path / "key", {}))
    locked = box.lock({"key": "ak", "secret": "sk-1234"}, "secret:w1/team")
    assert b"sk-1234" not in locked
    assert locked != box.lock({"key": "ak", "secret": "sk-1234"}, "secret:w1/team")
    assert box.open(locked, "secret:w1/team") == {"key": "ak", "secret": "sk-1234"}
    changed = locked[:-1] + bytes([locked[-1] ^ 1])
    for broken, purpose in ((locked, "secret:w2/team"), (changed, "secret:w1/team"), (b"", "secret:w1/team")):
        with pytest.raises(refusals.LostSecret, match="another key"):
            box.open(broken, purpose)


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: pathlib.Path) -> None:
    key = vault.load_key(tmp_path / "key", {})
    assert vault.load_key(tmp_path / "key", {}) == key
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == 0o600
    text = (tmp_path / "key").read_text()
    assert vault.load_key(tmp_path / "absent", {vault.VARIABLE: text}) == key
    assert not (tmp_path / "absent").exists()


@pytest.mark.parametrize("text", ["", "short", "=" * 44])
def test_a_damaged_key_is_refused(tmp_path: pathlib.Path, text: str) -> None:
    (tmp_path / "key").write_text(text)
    with pytest.raises(errors.BadInput, match="32 bytes"):
        vault.load_key(tmp_path / "key", {})
