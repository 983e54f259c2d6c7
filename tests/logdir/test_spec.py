"""What `--logdir` and `--logdir_spec` mean: names, paths, patterns, prefixes. Listing files is test_discovery's."""

from __future__ import annotations

import pathlib

import pytest

from lightboard import errors, logdir, store
from lightboard.logdir import spec


def roots(text: str) -> list[tuple[str, str]]:
    return [(root.name, root.path) for root in logdir.parse_spec(text).roots]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("runs", [("", "runs")]),
        ("a:/x,b:y/z", [("a", "/x"), ("b", "y/z")]),
        ("/x,/y", [("", "/x"), ("", "/y")]),
        ("/odd:name", [("", "/odd:name")]),
        ("./odd:name", [("", "./odd:name")]),
        ("~/runs:1", [("", "~/runs:1")]),
        (" a : x , y ", [("a", "x"), ("", "y")]),
        ("group/a:x", [("group/a", "x")]),
        (r"C:\logs", [("", r"C:\logs")]),
        (r"win:C:\logs", [("win", r"C:\logs")]),
    ],
)
def test_a_spec_is_split_into_names_and_paths(text: str, expected: list[tuple[str, str]]) -> None:
    assert roots(text) == expected


def test_a_path_that_exists_is_not_split(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "epoch:1").mkdir()
    monkeypatch.chdir(tmp_path)
    assert roots("epoch:1") == [("", "epoch:1")]


def test_a_plain_logdir_may_hold_commas_and_colons() -> None:
    assert logdir.parse_spec("a:b,c", is_spec=False).roots == (logdir.Root("", "a:b,c"),)


@pytest.mark.parametrize("text", ["hdfs://host/runs", "name:sftp://host/runs"])
def test_unknown_schemes_are_refused_with_what_is_known(text: str) -> None:
    with pytest.raises(errors.BadInput, match=r"(hdfs|sftp)://") as caught:
        logdir.Follower(store.Store(), logdir.parse_spec(text))
    assert "s3://" in caught.value.hint


def test_nothing_is_no_spec() -> None:
    with pytest.raises(errors.BadInput):
        logdir.parse_spec(" , ")


def prefixes(text: str, *, is_spec: bool = True) -> dict[str, str]:
    return {
        place.path: place.prefix
        for place in spec.places(logdir.parse_spec(text, is_spec=is_spec), logdir.FileSystems())
    }


def test_one_root_needs_no_prefix_and_named_ones_have_theirs() -> None:
    assert prefixes("/x") == {"/x": ""}
    assert prefixes("a:/x") == {"/x": "a/"}
    assert prefixes("a:/x,b:/y") == {"/x": "a/", "/y": "b/"}


def test_unnamed_roots_are_told_apart_by_the_end_of_their_paths() -> None:
    assert prefixes("/x/runs,/y/other") == {"/x/runs": "runs/", "/y/other": "other/"}
    assert prefixes("/x/runs,/y/runs") == {"/x/runs": "x/runs/", "/y/runs": "y/runs/"}


def test_roots_of_the_same_name_are_numbered() -> None:
    assert prefixes("a:/x,a:/y") == {"/x": "a/", "/y": "a (2)/"}


def test_a_pattern_stands_for_all_it_matches(tmp_path: pathlib.Path) -> None:
    for name in ("one/tb", "two/tb", "three/other"):
        (tmp_path / "runs" / name).mkdir(parents=True)
    found = prefixes(f"{tmp_path}/runs/*/tb", is_spec=False)
    assert found == {f"{tmp_path}/runs/one/tb": "one/tb/", f"{tmp_path}/runs/two/tb": "two/tb/"}
    named = prefixes(f"x:{tmp_path}/runs/*/tb")
    assert named == {f"{tmp_path}/runs/one/tb": "x/one/tb/", f"{tmp_path}/runs/two/tb": "x/two/tb/"}


def test_a_directory_named_like_a_pattern_is_itself(tmp_path: pathlib.Path) -> None:
    (tmp_path / "run[1]").mkdir()
    assert prefixes(f"{tmp_path}/run[1]", is_spec=False) == {f"{tmp_path}/run[1]": ""}


def test_the_home_directory_is_expanded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    assert prefixes("~/runs", is_spec=False) == {"/home/somebody/runs": ""}


def test_includes_and_excludes_speak_of_everything_below() -> None:
    wanted = logdir.parse_spec("x", include=["train*", "*/eval"], exclude=["train_old"])
    shown = [run for run in ("train", "train/a", "train_old", "train_old/a", "x/eval/b", "x", ".") if wanted.shows(run)]
    assert shown == ["train", "train/a", "x/eval/b"]
