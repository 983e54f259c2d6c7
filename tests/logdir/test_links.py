"""Symbolic links below a log directory: which lead to runs, and that none leads to another file outside.

Runs and event files are followed as `--follow_links` says; companions (hparams.yaml, configs of the projector) are
never read outside, and only regular files are. Files that a config names are tested in test_companions.py, loops and
the walk itself in native/tests/test_walk.cpp.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable

import embedding_files
import event_files
import pytest
from logdir_reader import Reader

from lightboard import logdir, store, types
from lightboard.logdir import index

Read = Callable[..., Reader]
LINKS = list(types.Links)


@pytest.fixture
def outside(tmp_path: pathlib.Path) -> pathlib.Path:
    """A run beside the log directory, with everything a run may have."""
    made = tmp_path / "outside"
    event_files.write(made / "x.tfevents", event_files.scalars("loss", [1]))
    (made / "hparams.yaml").write_text("secret: 1\n")
    embedding_files.write(made, embedding_files.entry("secret"))
    return made


def spec(logs: pathlib.Path, links: types.Links = types.Links.ALL) -> logdir.LogdirSpec:
    return logdir.parse_spec(str(logs), is_spec=False, links=links)


def contents(found: store.Store) -> dict[str, bytes]:
    """What hparams.yaml says, by run."""
    return {each.run: each.content for each in found.companions if each.kind == "hparams"}


@pytest.mark.parametrize("links", LINKS)
@pytest.mark.parametrize("target", ["/proc/self/environ", "/etc/passwd", "../../outside/hparams.yaml", "/dev/zero"])
def test_an_hparams_yaml_that_is_a_link_out_of_the_logs_is_not_read(
    logs: pathlib.Path, outside: pathlib.Path, read: Read, target: str, links: types.Links
) -> None:
    event_files.write(logs / "a" / "x.tfevents", event_files.scalars("loss", [1]))
    (logs / "a" / "hparams.yaml").symlink_to(target)
    reader = read(spec(logs, links)).load()
    assert b"".join(contents(reader.store).values()) == b""
    assert reader.store.runs() == ["a"]


def test_a_companion_outside_is_told_of_once(logs: pathlib.Path, outside: pathlib.Path, read: Read) -> None:
    for run in "abc":
        event_files.write(logs / run / "x.tfevents", event_files.scalars("loss", [1]))
        (logs / run / "hparams.yaml").symlink_to(outside / "hparams.yaml")
    reader = read().load()
    assert reader.faults() == [("hparams.yaml", "outside")]
    assert "2 more" in reader.store.notices[0].detail


def test_a_linked_run_is_shown_without_its_companions(logs: pathlib.Path, outside: pathlib.Path, read: Read) -> None:
    (logs / "linked").symlink_to(outside)
    found = read().load().store
    assert found.runs() == ["linked"]
    assert {each.content for each in found.companions} == {b""}
    assert all("outside the log directories" in each.problem for each in found.companions)


def test_a_config_outside_that_is_a_link_to_one_inside_names_no_files_outside(
    logs: pathlib.Path, outside: pathlib.Path, read: Read
) -> None:
    embedding_files.write(logs / "evil", embedding_files.entry("evil"))
    (outside / embedding_files.CONFIG).unlink()
    (outside / embedding_files.CONFIG).symlink_to(logs / "evil" / embedding_files.CONFIG)
    (logs / "linked").symlink_to(outside)
    found = read().load().store
    assert {each.run: each.directory for each in found.companions if each.content} == {"evil": str(logs / "evil")}


@pytest.mark.parametrize("links", [types.Links.INSIDE, types.Links.ALL])
def test_a_companion_that_is_a_link_to_one_inside_is_read(logs: pathlib.Path, read: Read, links: types.Links) -> None:
    (logs / "a").mkdir()
    (logs / "hparams.yaml").write_text("lr: 1\n")
    (logs / "a" / "hparams.yaml").symlink_to("../hparams.yaml")
    (logs / "b").symlink_to("a")
    assert contents(read(spec(logs, links)).load().store) == dict.fromkeys(("a", "b", "."), b"lr: 1\n")


def test_no_link_is_followed_where_none_may_be(logs: pathlib.Path, read: Read) -> None:
    (logs / "a").mkdir()
    (logs / "hparams.yaml").write_text("lr: 1\n")
    (logs / "a" / "hparams.yaml").symlink_to("../hparams.yaml")
    (logs / "b").symlink_to("a")
    assert contents(read(spec(logs, types.Links.NEVER)).load().store) == {".": b"lr: 1\n"}


def test_a_log_directory_that_is_a_link_itself_is_read_with_its_companions(
    logs: pathlib.Path, outside: pathlib.Path, read: Read
) -> None:
    (logs / "named").symlink_to(outside)
    found = read(spec(logs / "named", types.Links.NEVER)).load().store
    assert (found.runs(), contents(found)) == (["."], {".": b"secret: 1\n"})


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_companion_that_is_no_regular_file_is_left_alone(
    logs: pathlib.Path, read: Read, make: Callable[[str], None]
) -> None:
    make(str(logs / "hparams.yaml"))
    (logs / "a").mkdir()
    (logs / "a" / "hparams.yaml").symlink_to("../hparams.yaml")
    assert read().load().store.companions == ()


def runs_by(logs: pathlib.Path, links: types.Links, read: Read) -> list[str]:
    return sorted(read(spec(logs, links)).load().shown())


def test_which_links_to_runs_and_event_files_are_followed(
    logs: pathlib.Path, outside: pathlib.Path, read: Read
) -> None:
    event_files.write(logs / "plain" / "x.tfevents", event_files.scalars("loss", [1]))
    (logs / "near").symlink_to("plain")
    (logs / "away").symlink_to(outside)
    for run, target in (("near_file", logs / "plain" / "x.tfevents"), ("away_file", outside / "x.tfevents")):
        (logs / run).mkdir()
        (logs / run / "y.tfevents").symlink_to(target)
    assert runs_by(logs, types.Links.NEVER, read) == ["plain"]
    assert runs_by(logs, types.Links.INSIDE, read) == ["near", "near_file", "plain"]
    assert runs_by(logs, types.Links.ALL, read) == ["away", "away_file", "near", "near_file", "plain"]


def test_a_link_into_another_log_directory_is_inside(logs: pathlib.Path, outside: pathlib.Path, read: Read) -> None:
    (logs / "linked").symlink_to(outside)
    both = logdir.parse_spec(f"a:{logs},b:{outside}", links=types.Links.INSIDE)
    found = read(both).load().store
    assert found.runs() == ["a/linked", "b"]
    assert contents(found) == {"a/linked": b"secret: 1\n", "b": b"secret: 1\n"}


@pytest.mark.parametrize(
    ("links", "runs"), [("never", ["plain"]), ("inside", ["near", "plain"]), ("all", ["away", "near", "plain"])]
)
def test_what_a_pattern_finds_behind_a_link_is_no_log_directory(
    logs: pathlib.Path, outside: pathlib.Path, read: Read, links: str, runs: list[str]
) -> None:
    event_files.write(logs / "plain" / "x.tfevents", event_files.scalars("loss", [1]))
    (logs / "near").symlink_to("plain")
    (logs / "away").symlink_to(outside)
    reader = read(spec(logs / "*", types.Links(links))).load()
    assert sorted(reader.shown()) == runs
    assert b"".join(contents(reader.store).values()) == b""


@pytest.mark.parametrize(
    ("links", "runs"), [("never", ["a"]), ("inside", ["a", "near"]), ("all", ["a", "away", "near"])]
)
def test_links_that_appear_while_the_board_runs_follow_the_same_rule(
    logs: pathlib.Path, outside: pathlib.Path, links: str, runs: list[str]
) -> None:
    event_files.write(logs / "a" / "x.tfevents", event_files.scalars("loss", [1]))
    reader = Reader(spec(logs, types.Links(links)), None, reload_interval=0.2).start()
    try:
        (logs / "near").symlink_to("a")
        (logs / "away").symlink_to(outside)
        (logs / "a" / "hparams.yaml").symlink_to(outside / "hparams.yaml")
        event_files.write(logs / "a" / "y.tfevents", event_files.scalars("last", [1]))
        reader.until(lambda: "last" in reader.shown()["a"] and sorted(reader.shown()) == runs)
        assert b"".join(contents(reader.store).values()) == b""
    finally:
        reader.stop()


def test_an_event_file_that_becomes_a_link_is_gone_where_none_is_followed(
    logs: pathlib.Path, outside: pathlib.Path
) -> None:
    event_files.write(logs / "a" / "x.tfevents", event_files.scalars("loss", [1]))
    reader = Reader(spec(logs, types.Links.NEVER), None, reload_interval=0.2).start()
    try:
        (logs / "a" / "new").symlink_to(outside / "x.tfevents")
        (logs / "a" / "new").rename(logs / "a" / "x.tfevents")
        reader.until(lambda: reader.shown() == {})
    finally:
        reader.stop()


def test_an_index_of_all_links_is_not_shown_to_a_board_that_follows_none(logs: pathlib.Path) -> None:
    keys = {index.key(spec(logs, links)) for links in LINKS}
    assert len(keys) == len(LINKS)
