"""Which files are found under which run names: roots, links, patterns, what cannot be read.

The walker itself (threads, order, loops) is checked by native/tests/test_walk.cpp.
"""

from __future__ import annotations

import os
import pathlib
import shutil
from collections.abc import Callable

import event_files
import pytest
from logdir_reader import Reader

from lightboard import _native, logdir, sources
from lightboard.logdir import discovery

NAME = "events.out.tfevents.1"


def found(spec: logdir.LogdirSpec | pathlib.Path) -> list[str]:
    wanted = spec if isinstance(spec, logdir.LogdirSpec) else logdir.parse_spec(str(spec), is_spec=False)
    return [discovery.run_of(key) for key in discovery.discover(wanted, logdir.FileSystems()).keys]


def make(*paths: pathlib.Path) -> None:
    for path in paths:
        event_files.write(path / NAME, [event_files.version_event()])


def test_runs_are_named_by_their_directory(logs: pathlib.Path) -> None:
    make(logs, logs / "a", logs / "a/b c", logs / "ünï")
    assert sorted(found(logs)) == sorted([".", "a", "a/b c", "ünï"])


def test_a_name_that_is_no_unicode_is_found_and_readable(logs: pathlib.Path, read: Callable[..., Reader]) -> None:
    odd = os.fsdecode(os.fsencode(logs) + b"/caf\xe9")
    pathlib.Path(odd).mkdir()
    event_files.write(pathlib.Path(odd) / NAME, event_files.scalars("loss", [1]))
    assert found(logs) == [os.fsdecode(b"caf\xe9")]
    first, second = read().load(), read()
    first.stop()
    assert second.load().shown() == {os.fsdecode(b"caf\xe9"): {"loss": [(0, 1.0)]}}


def test_a_single_event_file_is_a_logdir_too(logs: pathlib.Path) -> None:
    make(logs / "a", logs / "b")
    assert found(logs / "a" / NAME) == ["."]


def test_a_first_listing_stands_for_the_walk_of_its_root_and_of_no_other(logs: pathlib.Path) -> None:
    make(logs / "one/early", logs / "two/b")
    walked = _native.walk(str(logs / "one"), sources.patterns())
    make(logs / "one/late")
    first_listing = (str(logs / "one"), lambda: walked)
    spec = logdir.parse_spec(f"x:{logs}/one,y:{logs}/two")
    keys = discovery.discover(spec, logdir.FileSystems(), first_listing=first_listing).keys
    assert [discovery.run_of(key) for key in keys] == ["x/early", "y/b"]
    assert sorted(found(spec)) == ["x/early", "x/late", "y/b"]


def test_named_roots_prefix_their_runs(logs: pathlib.Path) -> None:
    make(logs / "one", logs / "one/sub", logs / "two")
    assert sorted(found(logdir.parse_spec(f"x:{logs}/one,y:{logs}/two"))) == ["x", "x/sub", "y"]


def test_the_same_run_name_in_two_roots_is_told_apart(logs: pathlib.Path) -> None:
    make(logs / "one/train", logs / "two/train")
    assert sorted(found(logdir.parse_spec(f"{logs}/one,{logs}/two"))) == ["one/train", "two/train"]


def test_overlapping_roots_show_a_run_under_both_names(logs: pathlib.Path) -> None:
    make(logs / "a", logs / "b")
    assert sorted(found(logdir.parse_spec(f"all:{logs},best:{logs}/b"))) == ["all/a", "all/b", "best"]


def test_clashing_prefixes_keep_the_first(logs: pathlib.Path) -> None:
    make(logs / "one/b", logs / "two")
    assert found(logdir.parse_spec(f"a:{logs}/one,a/b:{logs}/two")) == ["a/b"]


def test_linked_runs_are_followed_and_loops_end(logs: pathlib.Path) -> None:
    make(logs / "real/run")
    (logs / "link").symlink_to("real")
    (logs / "real/run/back").symlink_to("../..")
    assert sorted(found(logs)) == ["link/run", "real/run"]


def test_excluded_directories_are_left_out(logs: pathlib.Path) -> None:
    make(logs / "keep", logs / "old/deep", logs / "keep/tmp")
    assert found(logdir.parse_spec(str(logs), exclude=["old", "*/tmp"])) == ["keep"]
    prefixed = logdir.parse_spec(f"x:{logs}", exclude=["x/old"])
    assert sorted(found(prefixed)) == ["x/keep", "x/keep/tmp"]


def test_only_included_runs_are_found(logs: pathlib.Path) -> None:
    make(logs / "a/train", logs / "a/eval", logs / "b/train")
    assert sorted(found(logdir.parse_spec(str(logs), include=["*/train"]))) == ["a/train", "b/train"]


def test_a_missing_root_is_reported_and_not_fatal(logs: pathlib.Path) -> None:
    make(logs / "a")
    listing = discovery.discover(logdir.parse_spec(f"x:{logs}/a,y:{logs}/nothing"), logdir.FileSystems())
    assert listing.keys == [f"x/{NAME}"]
    assert [(notice.path, notice.reason) for notice in listing.notices] == [(f"{logs}/nothing", "missing")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_directory_is_reported(logs: pathlib.Path) -> None:
    make(logs / "a", logs / "closed")
    (logs / "closed").chmod(0)
    try:
        listing = discovery.discover(logdir.parse_spec(str(logs)), logdir.FileSystems())
    finally:
        (logs / "closed").chmod(0o700)
    assert listing.keys == [f"a/{NAME}"]
    assert [(notice.path, notice.reason) for notice in listing.notices] == [(f"{logs}/closed", "unreadable")]


def test_an_event_file_linked_to_nowhere_is_reported(logs: pathlib.Path) -> None:
    make(logs / "a")
    (logs / "a" / "dangling.tfevents").symlink_to("nowhere")
    listing = discovery.discover(logdir.parse_spec(str(logs)), logdir.FileSystems())
    assert [notice.path for notice in listing.notices] == [f"{logs}/a/dangling.tfevents"]


def test_keys_lead_back_to_paths(logs: pathlib.Path) -> None:
    make(logs / "one", logs / "one/sub", logs / "two")
    listing = discovery.discover(logdir.parse_spec(f"x:{logs}/one,y:{logs}/two"), logdir.FileSystems())
    positions = [listing.keys.index(f"x/sub/{NAME}"), listing.keys.index(f"y/{NAME}")]
    import numpy as np

    assert listing.paths(np.array(positions)) == [f"{logs}/one/sub/{NAME}", f"{logs}/two/{NAME}"]
    for key, path in zip(listing.keys, listing.paths(np.arange(3)), strict=True):
        assert discovery.key_of(discovery.run_of(key), path) == key


def test_a_directory_that_goes_away_while_walking_is_no_error(logs: pathlib.Path) -> None:
    make(logs / "a")
    shutil.rmtree(logs / "a")
    assert found(logs) == []
