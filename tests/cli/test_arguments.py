"""Words to verbs and values: spelling, suggestions, errors. What the verbs do with them is tested with the verbs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lightboard import cli, errors
from lightboard.cli import arguments, flags

# every flag of TensorBoard 2.21, its plugins' included, with a value it accepts (None: it takes none)
TENSORBOARD_FLAGS = {
    "logdir": "runs",
    "logdir_spec": "a:runs",
    "host": "127.0.0.1",
    "bind_all": None,
    "port": "6007",
    "reuse_port": None,
    "load_fast": "false",
    "extra_data_server_flags": "--checksum",
    "grpc_creds_type": "local",
    "grpc_data_provider": "localhost:1",
    "purge_orphaned_data": "false",
    "db": "sqlite:x",
    "db_import": None,
    "inspect": None,
    "tag": "loss",
    "event_file": "x",
    "version_tb": None,
    "path_prefix": "/x",
    "window_title": "t",
    "max_reload_threads": "2",
    "reload_interval": "5",
    "reload_task": "thread",
    "reload_multifile": "true",
    "reload_multifile_inactive_secs": "100",
    "generic_data": "auto",
    "samples_per_plugin": "scalars=500,images=0",
    "detect_file_replacement": "true",
    "whatif-use-unsafe-custom-prediction": "f.py",
    "whatif-data-dir": "d",
    "master_tpu_unsecure_channel": "x",
}


@pytest.mark.parametrize(("name", "value"), TENSORBOARD_FLAGS.items())
def test_every_tensorboard_flag_is_accepted(name: str, value: str | None) -> None:
    joined = [f"--{name}"] if value is None else [f"--{name}={value}"]
    arguments.parse("serve", joined)
    if value is not None and not value.startswith("-"):
        arguments.parse("serve", [f"--{name}", value])


def test_dashes_are_underscores() -> None:
    assert arguments.parse("serve", ["--path-prefix", "/x", "--bind-all"]).path_prefix == "/x"
    assert arguments.parse("serve", ["--window-title=a-b"]).window_title == "a-b"


def test_values_are_not_respelled() -> None:
    assert arguments.parse("serve", ["--logdir", "my-runs"]).logdir == "my-runs"
    assert arguments.parse("serve", ["--", "--odd-name"]).path == "--odd-name"


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        (["--logdir", "x"], "serve"),
        (["serve", "--logdir", "x"], "serve"),
        ([], "serve"),
        (["inspect"], "inspect"),
        (["./runs"], "serve"),
        (["~/runs"], "serve"),
    ],
)
def test_the_verb_is_the_first_word_or_serve(words: list[str], verb: str) -> None:
    assert arguments.split_verb(words)[0] == verb


def test_a_bare_word_that_exists_is_the_logdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "exports").mkdir()
    verb, rest = arguments.split_verb(["exports"])
    assert (verb, arguments.parse(verb, rest).path) == ("serve", "exports")


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (["exprot"], "`exprot` is neither a verb nor a directory", "`lightboard export`"),
        (["frobnicate"], "neither a verb", "`lightboard --logdir frobnicate` waits"),
        (["--logdri", "x"], "unknown flag `--logdri`", "`--logdir`"),
        (["--path-prefx=/x"], "unknown flag `--path-prefx`", "`--path_prefix`"),
        (["--window", "x"], "unknown flag `--window`", "`--window_title`"),
        (["--port", "x"], "`x` is not a port", ""),
        (["--port", "70000"], "`70000` is not a port", ""),
        (["--path_prefix", "x"], "does not begin with /", ""),
        (["--samples_per_plugin", "scalars"], "is not like scalars=500", ""),
        (["--index_max_bytes", "many"], "is not a size", ""),
        (["--index_max_bytes", "-5"], "is not a size", ""),
        (["--reload_interval", "nan"], "is not a number of seconds", ""),
        (["--rewinds", "some"], "invalid choice", ""),
        (["--logdir", "a", "inspect"], "unexpected word `inspect`|both `inspect` and `--logdir`", ""),
        (["--logdir", "a", "--logdir_spec", "b"], "cannot be combined", ""),
        (["--logdir", "a", "--host", "h", "--bind_all"], "cannot be combined", ""),
        (["--logdir", "a", "--unix_socket", "s", "--port", "1"], "cannot be combined", ""),
        (["--logdir", "a", "--token", "t", "--no_auth"], "cannot be combined", ""),
        (["--logdir", "a", "--tls_key", "k"], "needs --tls_cert", ""),
        (["--logdir", "a", "--tag", "t"], "needs `--inspect`", "lightboard inspect"),
        (["--logdir", "nosuch://bucket/runs"], "nosuch://", ""),
        ([], "no logdir is given", "lightboard demo"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_a_hint(
    words: list[str], message: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(words) == cli.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert re.search(message, lines[0])
    assert lines[0].startswith("error: ")
    assert len(lines) <= 2
    assert hint in (lines[1] if len(lines) > 1 else "")


def test_flags_without_effect_are_noticed() -> None:
    args = arguments.parse("serve", ["--load_fast=false", "--db_import", "--logdir", "x"])
    assert [line.message.split()[0] for line in flags.notices(args)] == ["`--load_fast`", "`--db_import`"]


@pytest.mark.parametrize(
    ("text", "count"), [("100", 100), ("500M", 500 << 20), ("2g", 2 << 30), ("1.5KiB", 1536), ("3GB", 3 << 30)]
)
def test_sizes(text: str, count: int) -> None:
    assert flags.size(text) == count


def test_samples_per_plugin() -> None:
    assert flags.samples("scalars=500,images=0") == {"scalars": 500, "images": 0}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "latest"),
        (["--purge_orphaned_data=false"], "all"),
        (["--purge_orphaned_data=true"], "latest"),
        (["--rewinds", "all"], "all"),
        (["--rewinds", "latest", "--purge_orphaned_data=false"], "latest"),
    ],
)
def test_rewinds(words: list[str], expected: str) -> None:
    assert flags.rewinds(arguments.parse("serve", words)) == expected


@pytest.mark.parametrize("words", [["--version"], ["--version_tb"]])
def test_version(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    import lightboard

    assert cli.main(words) == cli.OK
    assert capsys.readouterr().out == lightboard.__version__ + "\n"


@pytest.mark.parametrize("verb", arguments.verbs())
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main([*verb.split(), "--help"])
    assert stopped.value.code == 0
    assert "usage: lightboard" in capsys.readouterr().out


def test_errors_of_ours_have_exit_codes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(args: object, stops: object) -> int:
        raise errors.NotFound("no such thing", hint="look elsewhere")

    monkeypatch.setattr("lightboard.cli.inspect.run", fail)
    assert cli.main(["inspect"]) == cli.FAILED
    assert capsys.readouterr().err == "error: no such thing\nhint: look elsewhere\n"
