"""Completion scripts: every verb and flag is in them, and bash accepts and runs its own."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from lightboard import cli
from lightboard.cli import arguments, completion


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_every_verb_and_flag_is_offered(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["completion", shell]) == cli.OK
    script = capsys.readouterr().out
    for verb in arguments.verbs():
        assert verb.rpartition(" ")[2] in script
        for flag in completion.flags_of(verb):
            assert flag.name.lstrip("-") in script


def test_flags_without_effect_are_not_offered() -> None:
    assert "--load_fast" not in [flag.name for flag in completion.flags_of("serve")]


def complete_in_bash(*words: str) -> list[str]:
    quoted = " ".join(f"'{word}'" for word in words)
    program = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _lightboard; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(
        ["bash", "-c", completion.bash() + program], capture_output=True, text=True, check=True, timeout=20
    )
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not here")
def test_bash_completes() -> None:
    assert complete_in_bash("lightboard", "ins") == ["inspect"]
    assert complete_in_bash("lightboard", "hub", "cre") == ["create"]
    assert "--allow_root" in complete_in_bash("lightboard", "hub", "--")
    assert "--allow_root" not in complete_in_bash("lightboard", "hub", "create", "--")
    assert complete_in_bash("lightboard", "--logd") == ["--logdir", "--logdir_spec"]
    assert complete_in_bash("lightboard", "demo", "--logs") == ["--logs_only"]
    assert complete_in_bash("lightboard", "--rewinds", "") == ["latest", "all"]
    assert complete_in_bash("lightboard", "completion", "z") == ["zsh"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_accept_the_script(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    script = {"zsh": completion.zsh, "fish": completion.fish}[shell]()
    subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=20)
