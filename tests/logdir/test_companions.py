"""Files beside the events: where configs of the projector are found, live too, and which files they may name.

What the files say is tested in tests/query.
"""

from __future__ import annotations

import os
import pathlib
import time
from collections.abc import Callable
from typing import Any

import embedding_files
import event_files
import pytest
from logdir_reader import Reader

from lightboard import errors, logdir, store, types

Read = Callable[..., Reader]
ASSETS = "plugins/org_tensorflow_tensorboard_projector"


def runs(found: store.Store) -> list[str]:
    return [each.run for each in found.companions if each.kind == "projector"]


def test_configs_are_found_with_and_without_event_files(logs: pathlib.Path, read: Read) -> None:
    event_files.write(logs / "with" / "x.tfevents", event_files.scalars("loss", [1]))
    for place in ("with", "without/deep", f"assets/{ASSETS}", "."):
        embedding_files.write(logs / place, embedding_files.entry(place.replace("/", "-")))
    found = read().load().store
    assert runs(found) == [".", "assets", "with", "without/deep"]
    assert found.runs() == ["with"]  # the others are runs of the projector only


def test_a_changed_and_a_removed_config_are_noticed(logs: pathlib.Path, read: Read) -> None:
    embedding_files.write(logs / "a", embedding_files.entry("one"))
    reader = read().load()
    version = reader.store.version
    assert reader.load().store.version == version  # nothing new
    (logs / "a" / embedding_files.CONFIG).write_text(embedding_files.entry("one") + embedding_files.entry("two"))
    assert b"two" in reader.load().store.companions[0].content
    assert reader.store.companions_versions["projector"] == reader.store.version > version
    (logs / "a" / embedding_files.CONFIG).unlink()
    assert reader.load().store.companions == ()


def test_a_config_that_is_left_out_by_a_pattern_is_not_shown(logs: pathlib.Path) -> None:
    embedding_files.write(logs / "a", embedding_files.entry())
    embedding_files.write(logs / "b", embedding_files.entry())
    found = store.Store()
    spec = logdir.spec_of([logdir.Root("", str(logs))], exclude=("b",))
    logdir.Follower(found, spec).load_once()
    assert runs(found) == ["a"]


def test_new_configs_appear_while_the_board_runs(logs: pathlib.Path) -> None:
    found = store.Store(beside=logdir.FilesBeside(logdir.FileSystems()))
    follower = logdir.Follower(found, logdir.parse_spec(str(logs)), reload_interval=0.2)
    follower.start()
    try:
        embedding_files.write(logs / "a", embedding_files.entry("first"))
        wait_for(lambda: runs(found) == ["a"])
        embedding_files.write(logs / "new/run", embedding_files.entry("x"))
        wait_for(lambda: runs(found) == ["a", "new/run"])
        (logs / "a" / embedding_files.CONFIG).write_text(embedding_files.entry("second"))
        wait_for(lambda: b"second" in found.companions[0].content)
    finally:
        follower.stop()


def wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 30
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.fixture
def project(tmp_path: pathlib.Path) -> types.Companion:
    """A config with a file beside it, one below, and one outside that must not be read."""
    home = embedding_files.write(tmp_path / "run" / "sub", embedding_files.entry(), beside__tsv="1\n")
    (home / "below").mkdir()
    (home / "below" / "x.tsv").write_text("2\n")
    (tmp_path / "run" / "in_run.tsv").write_text("3\n")
    (tmp_path / "secret.tsv").write_text("4\n")
    (home / "link.tsv").symlink_to(tmp_path / "secret.tsv")
    (home / "up").symlink_to(tmp_path)
    (home / "fine.tsv").symlink_to("below/x.tsv")
    return companion_in(home, "run/sub")


def companion_in(home: pathlib.Path, run: str) -> types.Companion:
    path = home / embedding_files.CONFIG
    return types.Companion("projector", run, str(path), b"", directory=str(home.resolve()))


@pytest.mark.parametrize(("name", "content"), [("beside.tsv", b"1\n"), ("below/x.tsv", b"2\n"), ("fine.tsv", b"2\n"),
                                               ("below/../beside.tsv", b"1\n")])  # fmt: skip
def test_files_in_and_below_the_configs_directory_are_read(project: types.Companion, name: str, content: bytes) -> None:
    assert logdir.FilesBeside(logdir.FileSystems()).read(project, name) == content
    assert logdir.FilesBeside(logdir.FileSystems()).read(project, name, 1, 1) == content[1:2]


@pytest.mark.parametrize(
    "name", ["../in_run.tsv", "../../secret.tsv", "link.tsv", "up/secret.tsv", "/etc/passwd", "/", "..", "up"]
)
def test_files_elsewhere_are_refused(project: types.Companion, name: str) -> None:
    files = logdir.FilesBeside(logdir.FileSystems())
    for ask in (files.read, files.state, files.names):
        with pytest.raises(errors.BadInput, match="outside the config directory"):
            ask(project, name)


@pytest.mark.parametrize(
    "name",
    ["nothing.tsv", "below", "a\0b", "x" * 300, "x" * 5000, "x" * 10_000_000, "x/" * 2000, "../" * 1_000_000, ".",
     "beside.tsv/below"],
)  # fmt: skip
def test_what_is_no_file_is_said_to_be_none(project: types.Companion, name: str) -> None:
    for ask in (logdir.FilesBeside(logdir.FileSystems()).read, logdir.FilesBeside(logdir.FileSystems()).state):
        with pytest.raises(errors.NotFound) as told:
            ask(project, name)
        assert len(told.value.message) < 300


def test_a_loop_of_links_cannot_be_read(project: types.Companion) -> None:
    home = pathlib.Path(project.path).parent
    (home / "one").symlink_to("two")
    (home / "two").symlink_to("one")
    for name in ("one", "one/x.tsv"):
        with pytest.raises((errors.NotFound, errors.Unreadable)):
            logdir.FilesBeside(logdir.FileSystems()).read(project, name)
    assert logdir.FilesBeside(logdir.FileSystems()).names(project, "one") == []


def test_a_file_without_permission_cannot_be_read(project: types.Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def refused(path: str, *args: Any, **options: Any) -> int:
        if path == "beside.tsv":  # root may read everything
            raise PermissionError(13, "Permission denied", path)
        return real(path, *args, **options)

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(errors.Unreadable, match="Permission denied"):
        logdir.FilesBeside(logdir.FileSystems()).read(project, "beside.tsv")


def test_assets_are_not_read_through_a_directory_that_became_a_link(
    project: types.Companion, tmp_path: pathlib.Path
) -> None:
    home = pathlib.Path(project.path).parent
    home.rename(tmp_path / "before")
    other = tmp_path / "other"
    other.mkdir()
    (other / "beside.tsv").write_text("secret")
    home.symlink_to(other)
    for ask in (logdir.FilesBeside(logdir.FileSystems()).read, logdir.FilesBeside(logdir.FileSystems()).state):
        with pytest.raises(errors.BadInput, match="outside"):
            ask(project, "beside.tsv")


def test_a_link_put_in_place_between_the_check_and_the_opening_is_not_followed(
    project: types.Companion, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "x.tsv").write_text("secret")
    home = pathlib.Path(project.path).parent
    real = os.path.realpath

    def swapped(path: str, **options: Any) -> str:
        found = real(path, **options)
        if not (home / "below").is_symlink():
            (home / "below").rename(home / "before")
            (home / "below").symlink_to(tmp_path / "secrets")
        return found

    monkeypatch.setattr(os.path, "realpath", swapped)
    with pytest.raises(errors.Unreadable, match="symbolic link"):
        logdir.FilesBeside(logdir.FileSystems()).read(project, "below/x.tsv")


def test_a_file_is_read_as_far_as_its_size_says(project: types.Companion) -> None:
    assert logdir.FilesBeside(logdir.FileSystems()).read(project, "beside.tsv", 1, 1 << 40) == b"\n"
    assert logdir.FilesBeside(logdir.FileSystems()).read(project, "beside.tsv", 1 << 40, 1 << 40) == b""


def test_a_pipe_is_not_waited_for(project: types.Companion) -> None:
    os.mkfifo(pathlib.Path(project.path).with_name("pipe.tsv"))
    with pytest.raises(errors.NotFound, match="no file"):
        logdir.FilesBeside(logdir.FileSystems()).read(project, "pipe.tsv")


def test_a_config_among_assets_may_name_the_checkpoint_of_its_run(tmp_path: pathlib.Path) -> None:
    home = embedding_files.write(tmp_path / "run" / ASSETS, embedding_files.entry())
    (tmp_path / "run" / "model.ckpt").write_text("5")
    (tmp_path / "other").write_text("6")
    companion = companion_in(home, "run")
    files = logdir.FilesBeside(logdir.FileSystems())
    assert files.read(companion, "../../model.ckpt", in_run=True) == b"5"
    with pytest.raises(errors.BadInput):
        files.read(companion, "../../model.ckpt")
    with pytest.raises(errors.BadInput):
        files.read(companion, "../../../other", in_run=True)
