"""The first walk and scan, before NumPy is imported: what is guessed, and that a board shows the same with them."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable

import event_files
import pytest
from logdir_reader import Reader, index_dir, logs, read  # noqa: F401

from lightboard import _native, head_start, logdir, types
from lightboard.logdir import index, segments

Read = Callable[..., Reader]
RUNS = head_start.LEAST_FILES + 20


@pytest.fixture
def many(logs: pathlib.Path) -> pathlib.Path:  # noqa: F811
    for run in range(RUNS):
        event_files.write(logs / f"{run:03}" / "x.tfevents.1", event_files.scalars("loss", [run, run + 0.5]))
    event_files.write(logs / "packed" / "x.tfevents.1.gz", event_files.scalars("loss", [1]))
    return logs


def begin(many: pathlib.Path, index_dir: pathlib.Path) -> head_start.HeadStart:  # noqa: F811
    ahead = head_start.begin(str(many), index_dir=str(index_dir), with_index=True)
    assert ahead is not None
    return ahead


def read_with(ahead: head_start.HeadStart, read: Read) -> Reader:  # noqa: F811
    return read(first_listing=(ahead.path, ahead.walked), first_scan=ahead).load()


@pytest.mark.parametrize(
    "words",
    [
        ["--logdir", "{logs}"],
        ["serve", "--logdir={logs}", "--port", "0"],
        ["--logdir", "{logs}", "--index-dir", "{logs}/index", "--bind_all"],
        ["--logdir", "{logs}", "--no_index"],
    ],
)
def test_a_plain_command_line_is_guessed(many: pathlib.Path, words: list[str], tmp_path: pathlib.Path) -> None:
    ahead = head_start.guess([word.format(logs=many) for word in words])
    assert ahead is not None
    assert ahead.path == str(many)
    assert len(ahead.walked()[0][0][0]) == RUNS + 1
    assert bool(ahead.tasks) is ("--no_index" not in words)
    ahead.close()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--logdir"],
        ["--logdir", "{logs}", "--version"],
        ["--logdir", "{logs}", "--exclude", "old*"],
        ["--logdir", "{logs}", "--follow_links", "never"],
        ["--logdir", "{logs}", "--no_auth=yes"],
        ["--logdir", "{logs}", "--logdir", "/"],
        ["--logdir", "{logs}/missing"],
        ["--logdir", "{logs}/*"],
        ["--logdir", "s3://bucket/runs"],
        ["inspect", "--logdir", "{logs}"],
        ["{logs}"],
    ],
)
def test_anything_else_waits_for_the_parser(many: pathlib.Path, words: list[str]) -> None:
    assert head_start.guess([word.format(logs=many) for word in words]) is None


def test_a_guess_is_used_only_if_it_reads_the_same(many: pathlib.Path, index_dir: pathlib.Path) -> None:  # noqa: F811
    guessed = begin(many, index_dir)
    same = head_start.begin(str(many), index_dir=str(index_dir), with_index=True, guessed=guessed)
    other = head_start.begin(str(many), index_dir="", with_index=False, links="never", guessed=guessed)
    assert same is guessed
    assert other is not None
    assert other is not guessed
    assert guessed.take() is None


def test_the_index_is_where_the_board_looks_for_it(many: pathlib.Path, index_dir: pathlib.Path) -> None:  # noqa: F811
    for links in ("all", "never"):
        spec = logdir.parse_spec(str(many), is_spec=False, links=types.Links(links))
        assert index.key(spec) == head_start.index_key([("", str(many))], links=links)


def test_the_first_scan_is_taken_over_and_the_same_is_shown(
    many: pathlib.Path,
    index_dir: pathlib.Path,  # noqa: F811
    read: Read,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    expected = read(index=None).load()
    scans: list[int] = []
    scan = segments.Writer.scan

    def count(writer: segments.Writer, tasks: list[_native.Task], how: segments.Scan) -> segments.Scanned:
        scans.append(len(tasks))
        return scan(writer, tasks, how)

    monkeypatch.setattr(segments.Writer, "scan", count)
    reader = read_with(begin(many, index_dir), read)
    assert scans == []
    assert (reader.shown(), reader.faults()) == (expected.shown(), expected.faults())
    reader.stop()
    assert list(index_dir.glob("*/segment-*.bin"))
    again = begin(many, index_dir)
    assert again.walked()
    assert again.tasks == []  # everything is in the index
    assert read_with(again, read).shown() == expected.shown()
    assert scans == []


def test_files_beyond_the_first_scan_are_read_after_it(
    many: pathlib.Path,
    index_dir: pathlib.Path,  # noqa: F811
    read: Read,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(head_start, "SCAN_FILES", 30)
    ahead = begin(many, index_dir)
    assert ahead.walked()
    assert len(ahead.tasks) == 30
    assert read_with(ahead, read).shown() == read(index=None).load().shown()


def test_without_an_index_that_can_be_written_files_are_scanned_again(
    many: pathlib.Path,
    index_dir: pathlib.Path,  # noqa: F811
    read: Read,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    assert read_with(begin(many, index_dir), read).shown() == read(index=None).load().shown()


def test_a_first_scan_that_fails_is_repeated(
    many: pathlib.Path,
    index_dir: pathlib.Path,  # noqa: F811
    read: Read,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scan = _native.scan
    calls = []

    def fail_once(*args: object, **options: object) -> _native.Batch:
        calls.append(args)
        if len(calls) == 1:
            raise RuntimeError("out of luck")
        return scan(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(_native, "scan", fail_once)
    ahead = begin(many, index_dir)
    ahead.wait()
    assert read_with(ahead, read).shown() == read(index=None).load().shown()
