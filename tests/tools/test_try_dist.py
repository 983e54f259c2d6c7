"""Which wheel of dist/ belongs to which Python. The trial itself is `make test-dist`."""

from __future__ import annotations

import pathlib

import pytest
import pythons
import try_dist

PLATFORM = "manylinux_2_34_x86_64.whl"
NAMES = [f"lightboard-0.1.0-{tags}-{PLATFORM}" for tags in ("cp310-cp310", "cp311-cp311", "cp312-abi3")]


@pytest.mark.parametrize(("version", "tags"), [("3.10", "cp310-cp310"), ("3.12", "cp312-abi3"), ("3.13", "cp312-abi3")])
def test_a_python_gets_the_wheel_of_its_abi(version: str, tags: str) -> None:
    assert try_dist.wheel_for(version, NAMES) == f"lightboard-0.1.0-{tags}-{PLATFORM}"


def test_a_python_without_a_wheel_gets_none() -> None:
    assert try_dist.wheel_for("3.9", NAMES) is None
    assert try_dist.wheel_for("3.11", [NAMES[0], NAMES[2]]) is None


def test_a_command_that_is_no_interpreter_is_not_taken_for_one(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A shim of pyenv is on PATH and fails for a version that is not installed."""
    shim = tmp_path / "python3.10"
    shim.write_text("#!/bin/sh\necho 'pyenv: python3.10: command not found' >&2\nexit 127\n")
    shim.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pythons.find("3.10") is None
    shim.write_text("#!/bin/sh\necho '3.11 /usr/bin/python3.11'\n")
    assert pythons.find("3.10") is None
    shim.write_text("#!/bin/sh\necho '3.10 /opt/python/bin/python3.10'\n")
    assert pythons.find("3.10") == pathlib.Path("/opt/python/bin/python3.10")
