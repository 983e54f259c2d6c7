"""Remarks about runs on disk: what is kept where, two boards on one logdir, files that make no sense, limits.

Left out on purpose: how a request asks for it (tests/server/test_annotations.py), saved views (test_views.py).
"""

from __future__ import annotations

import json
import os
import pathlib
import threading
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from lightboard import errors, sidecar, store, types
from lightboard.sidecar import annotations as annotations_
from lightboard.sidecar import files, location

NOT_OURS = b"\x00\x01 no JSON"


@pytest.fixture
def logdir(tmp_path: pathlib.Path) -> pathlib.Path:
    made = tmp_path / "logs"
    made.mkdir()
    return made


def as_nobody(work: Callable[[], None]) -> None:
    """In a process of its own, as a user who may not write what others own: root may write everything."""
    child = os.fork()
    if child == 0:
        try:
            if os.getuid() == 0:
                os.setuid(65534)
            work()
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def board(logdir: pathlib.Path, wanted: str = "") -> tuple[store.Store, sidecar.Sidecar]:
    one = store.Store()
    made = sidecar.Sidecar(one, [str(logdir)], wanted)
    made.refresh()
    return one, made


def file_of(logdir: pathlib.Path) -> pathlib.Path:
    return logdir / location.FOLDER / "annotations.json"


def written_runs(logdir: pathlib.Path) -> dict[str, Any]:
    runs: dict[str, Any] = json.loads(file_of(logdir).read_text())["runs"]
    return runs


def test_nothing_is_made_before_somebody_says_something(logdir: pathlib.Path) -> None:
    one, made = board(logdir)
    assert (made.writable, made.directory) == (True, str(logdir / ".lightboard"))
    assert one.annotations == {}
    assert list(logdir.iterdir()) == []


def test_what_was_said_is_there_after_a_restart(logdir: pathlib.Path) -> None:
    one, made = board(logdir)
    fields = {
        "name": " 基线 ",
        "note": "# Ünïcode\n\u202eRTL 🙂",
        "tags": ["a", " a ", "b"],
        "archived": True,
        "color": "#AbC",
    }
    made.annotate({"train/🙂": fields, "odd\udce9": {"name": "x"}})
    expected = types.Annotation("基线", "# Ünïcode\n\u202eRTL 🙂", ("a", "b"), True, "#aabbcc")
    assert one.annotations == {"train/🙂": expected, "odd\udce9": types.Annotation("x")}
    again, _ = board(logdir)
    assert again.annotations == one.annotations
    assert not [name for name in os.listdir(logdir / ".lightboard") if name.endswith(".new")]


def test_null_removes_a_field_and_a_run_of_which_nothing_is_left(logdir: pathlib.Path) -> None:
    one, made = board(logdir)
    made.annotate({"a": {"name": "x", "note": "y"}, "b": {"tags": ["t"]}, "c": {"name": "z", "color": "#123456"}})
    made.annotate({"a": {"name": None}, "b": {"tags": []}, "c": None})
    assert one.annotations == {"a": types.Annotation(note="y")}
    assert written_runs(logdir) == {"a": {"note": "y"}}


def test_fields_of_a_later_version_stay(logdir: pathlib.Path) -> None:
    file_of(logdir).parent.mkdir()
    later = {
        "lightboard": "annotations",
        "version": 7,
        "owner": "me",
        "runs": {"a": {"name": "x", "stars": 5}, "b": {"stars": 1}},
    }
    file_of(logdir).write_text(json.dumps(later))
    one, made = board(logdir)
    made.annotate({"a": {"name": None}, "c": {"archived": True}})
    now = json.loads(file_of(logdir).read_text())
    assert (now["version"], now["owner"]) == (7, "me")
    assert now["runs"] == {"a": {"stars": 5}, "b": {"stars": 1}, "c": {"archived": True}}
    assert one.annotations == {"c": types.Annotation(archived=True)}


def test_values_that_make_no_sense_are_not_shown_and_not_lost(logdir: pathlib.Path) -> None:
    file_of(logdir).parent.mkdir()
    odd = {"a": {"name": 5, "tags": "x", "color": "red", "archived": "yes", "note": "fine"}, "b": 3, "c": {"name": "c"}}
    file_of(logdir).write_text(json.dumps({"runs": odd}))
    one, made = board(logdir)
    assert one.annotations == {"a": types.Annotation(note="fine"), "c": types.Annotation("c")}
    made.annotate({"c": {"name": "d"}})
    assert written_runs(logdir) == {**odd, "c": {"name": "d"}}


@pytest.mark.parametrize("content", [NOT_OURS, b"", b"[1, 2]", b'{"runs": 3}', b'{"colors": {}}', b"[" * 100_000])
def test_a_broken_file_is_told_of_and_kept_aside(logdir: pathlib.Path, content: bytes) -> None:
    file_of(logdir).parent.mkdir()
    file_of(logdir).write_bytes(content)
    one, made = board(logdir)
    assert one.annotations == {}
    assert file_of(logdir).read_bytes() == content, "looking changes nothing"
    (notice,) = made.notices()
    assert notice.message.endswith(f": {file_of(logdir)}")
    made.annotate({"a": {"name": "x"}})
    made.annotate({"a": {"note": "y"}})
    assert one.annotations == {"a": types.Annotation("x", "y")}
    (aside,) = file_of(logdir).parent.glob("annotations.broken-*.json")
    assert aside.read_bytes() == content
    (notice,) = made.notices()
    assert notice.message.endswith(f": {aside}")
    aside.unlink()
    assert made.notices() == []


def test_two_boards_see_each_others_remarks(logdir: pathlib.Path) -> None:
    (one, first), (two, second) = board(logdir), board(logdir)
    first.annotate({"a": {"name": "x"}})
    second.annotate({"a": {"note": "y"}, "b": {"archived": True}})
    first.refresh()
    assert one.annotations == two.annotations == {"a": types.Annotation("x", "y"), "b": types.Annotation(archived=True)}


def test_many_writers_at_once_lose_nothing(logdir: pathlib.Path) -> None:
    boards = [board(logdir) for _ in range(4)]

    def write(number: int) -> None:
        for turn in range(15):
            boards[number][1].annotate(
                {"shared": {FIELDS[number]: VALUES[number]}, f"run{number}/{turn}": {"name": "x"}}
            )

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, made in boards:
        made.refresh()
        assert len(one.annotations) == 1 + 4 * 15
        assert one.annotations["shared"] == types.Annotation("n", "m", ("t",), True)


FIELDS = ("name", "note", "tags", "archived")
VALUES: tuple[Any, ...] = ("n", "m", ["t"], True)


def test_processes_wait_for_each_other(logdir: pathlib.Path) -> None:
    """Threads of one process have a lock of their own; this is the one between processes."""
    _, made = board(logdir)
    made.annotate({"a": {"name": "x"}})
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        folder = files.Folder(str(logdir), location.FOLDER)
        with files.locked(folder):
            os.write(writing, b"held")
            content = json.loads(file_of(logdir).read_text())
            threading.Event().wait(0.3)  # the parent tries meanwhile
            content["runs"]["child"] = {"name": "c"}
            files.replace(folder, "annotations.json", json.dumps(content).encode())
        os._exit(0)
    assert os.read(reading, 4) == b"held"
    made.annotate({"parent": {"name": "p"}})
    os.waitpid(child, 0)
    os.close(reading)
    os.close(writing)
    assert set(written_runs(logdir)) == {"a", "child", "parent"}


def test_a_watching_board_notices_what_another_wrote(logdir: pathlib.Path) -> None:
    (one, watching), (_, writing) = board(logdir), board(logdir)
    heard = threading.Event()
    one.subscribe(lambda _: heard.set() if one.annotations else None)
    watching.start()
    writing.annotate({"a": {"name": "x"}})
    assert heard.wait(30)
    watching.stop()
    assert one.annotations_version == one.version


def test_the_same_file_again_is_no_change(logdir: pathlib.Path) -> None:
    one, made = board(logdir)
    made.annotate({"a": {"name": "x"}})
    version = one.version
    made.annotate({"a": {"name": "x"}})
    file_of(logdir).touch()
    made.refresh()
    assert one.version == version


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "x" * 501}, "at most 500"),
        ({"name": 3}, "text"),
        ({"note": "é" * (32 << 10) + "x"}, "64 KiB"),
        ({"note": ["x"]}, "text"),
        ({"tags": [str(number) for number in range(51)]}, "more than 50"),
        ({"tags": ["x" * 101]}, "at most 100"),
        ({"tags": "paper"}, "list of texts"),
        ({"tags": [1]}, "list of texts"),
        ({"archived": "yes"}, "true or false"),
        ({"color": "red"}, "color"),
        ({"color": "#12345"}, "color"),
        ({"colour": "#123456"}, "no such field"),
        ("text", "an object"),
    ],
)
def test_wrong_remarks_are_refused_and_change_nothing(logdir: pathlib.Path, fields: Any, message: str) -> None:
    one, made = board(logdir)
    with pytest.raises(errors.BadInput, match=message):
        made.annotate({"good": {"name": "x"}, "bad": fields})
    assert one.annotations == {}
    assert not file_of(logdir).exists()


def test_the_largest_remarks_that_are_allowed(logdir: pathlib.Path) -> None:
    one, made = board(logdir)
    tags = [f"{number:0100}" for number in range(50)]
    made.annotate({"a": {"name": "界" * 500, "note": "x" * (64 << 10), "tags": tags}})
    assert (one.annotations["a"].name, len(one.annotations["a"].tags)) == ("界" * 500, 50)


# ---- where


def test_none_keeps_nothing(logdir: pathlib.Path) -> None:
    _, writing = board(logdir)
    writing.annotate({"a": {"name": "x"}})
    one, made = board(logdir, "none")
    assert (made.writable, made.directory, one.annotations) == (False, "", {})
    with pytest.raises(errors.Denied, match="none"):
        made.annotate({"a": {"name": "y"}})
    assert made.notices() == []


def test_a_directory_can_be_named(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    one, made = board(logdir, str(tmp_path / "deep" / "er"))
    made.annotate({"a": {"name": "x"}})
    assert (tmp_path / "deep" / "er" / "annotations.json").is_file()
    assert one.annotations["a"].name == "x"
    assert list(logdir.iterdir()) == []
    with pytest.raises(errors.BadInput, match="not one:"):
        board(logdir, str(tmp_path / "deep" / "er" / "annotations.json"))


def test_a_logdir_that_cannot_be_written_is_read_below_the_users_own(
    logdir: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, owner = board(logdir)
    owner.annotate({"a": {"name": "x", "note": "y"}, "b": {"archived": True}})
    own = tmp_path / "own"
    own.mkdir()
    monkeypatch.setenv("XDG_DATA_HOME", str(own))
    for folder, mode in ((logdir / ".lightboard", 0o555), (logdir, 0o555), (own, 0o777)):
        folder.chmod(mode)
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o055)

    def work() -> None:
        one, made = board(logdir)
        assert made.writable
        assert made.directory.startswith(str(own))
        assert one.annotations == {"a": types.Annotation("x", "y"), "b": types.Annotation(archived=True)}
        made.annotate({"a": {"name": None, "tags": ["mine"]}, "b": {"archived": None}})
        assert one.annotations == {"a": types.Annotation(None, "y", ("mine",))}
        assert set(written_runs(logdir)) == {"a", "b"}, "the others' file is as it was"
        again, _ = board(logdir)
        assert again.annotations == one.annotations

    as_nobody(work)
    (logdir / ".lightboard").chmod(0o755)
    logdir.chmod(0o755)


def test_a_logdir_that_is_a_file_has_its_remarks_in_the_users_directory(tmp_path: pathlib.Path) -> None:
    event_file = tmp_path / "events.out.tfevents.1"
    event_file.write_bytes(b"")
    _, made = board(event_file)
    made.annotate({".": {"name": "x"}})
    assert made.directory.startswith(os.environ["XDG_DATA_HOME"])
    assert board(event_file)[0].annotations == {".": types.Annotation("x")}
    assert board(tmp_path / "events*")[1].directory != made.directory


def test_a_logdir_that_comes_later_is_used_when_it_is_there(tmp_path: pathlib.Path) -> None:
    logdir = tmp_path / "later"
    one, made = board(logdir)
    assert (made.writable, made.directory) == (False, "")
    with pytest.raises(errors.Denied, match="does not exist yet"):
        made.annotate({"a": {"name": "x"}})
    logdir.mkdir()
    made.annotate({"a": {"name": "x"}})
    assert file_of(logdir).is_file()
    assert one.annotations["a"].name == "x"


def test_a_place_that_cannot_be_written_says_so(logdir: pathlib.Path) -> None:
    (logdir / ".lightboard").write_text("in the way")
    one, made = board(logdir)
    assert not made.writable
    with pytest.raises(errors.Denied, match="cannot be written") as refused:
        made.annotate({"a": {"name": "x"}})
    assert "--sidecar" in refused.value.hint
    assert one.annotations == {}


def test_a_file_one_may_not_read_is_left_alone(logdir: pathlib.Path) -> None:
    file_of(logdir).mkdir(parents=True)
    one, made = board(logdir)
    assert len(made.notices()) == 1
    with pytest.raises(errors.Denied):
        made.annotate({"a": {"name": "x"}})
    assert file_of(logdir).is_dir()
    assert one.annotations == {}


def test_the_folder_is_as_open_as_the_logdir_is(logdir: pathlib.Path) -> None:
    logdir.chmod(0o2775)
    _, made = board(logdir)
    made.annotate({"a": {"name": "x"}})
    assert (logdir / ".lightboard").stat().st_mode & 0o775 == 0o775


def test_rights_of_the_file_stay(logdir: pathlib.Path) -> None:
    _, made = board(logdir)
    made.annotate({"a": {"name": "x"}})
    file_of(logdir).chmod(0o664)
    made.annotate({"a": {"name": "y"}})
    assert file_of(logdir).stat().st_mode & 0o777 == 0o664


def test_a_linked_file_is_neither_read_nor_written_through(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    secret = annotations_.merged(annotations_.empty(), {"a": {"name": "secret"}}, keep_nulls=False)
    elsewhere.write_bytes(annotations_.encode(secret))
    before = elsewhere.read_bytes()
    file_of(logdir).parent.mkdir()
    file_of(logdir).symlink_to(elsewhere)
    one, made = board(logdir)
    assert one.annotations == {}
    assert "symbolic link" in made.notices()[0].message
    with pytest.raises(errors.Denied, match="symbolic link") as refused:
        made.annotate({"a": {"name": "x"}})
    assert "--sidecar" in refused.value.hint
    assert elsewhere.read_bytes() == before


def test_a_linked_folder_is_not_written_through(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (logdir / ".lightboard").symlink_to(elsewhere)
    _, made = board(logdir)
    assert (made.writable, made.directory) == (False, "")
    assert "symbolic link" in made.notices()[0].message
    with pytest.raises(errors.Denied, match="symbolic link") as refused:
        made.annotate({"a": {"name": "x"}})
    assert "--sidecar" in refused.value.hint
    with pytest.raises(errors.Denied, match="symbolic link"):
        made.save_view("v", "x")
    assert list(elsewhere.iterdir()) == []


def test_a_linked_folder_of_views_is_not_written_through(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (logdir / ".lightboard").mkdir()
    (logdir / ".lightboard" / "views").symlink_to(elsewhere)
    _, made = board(logdir)
    assert "symbolic link" in made.notices()[0].message
    with pytest.raises(errors.Denied, match="symbolic link"):
        made.save_view("v", "x")
    assert list(elsewhere.iterdir()) == []


def test_a_linked_view_is_neither_read_nor_written_through(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    _, made = board(logdir)
    made.save_view("v", "x")
    (file,) = (logdir / ".lightboard" / "views").iterdir()
    elsewhere = tmp_path / "elsewhere.json"
    file.rename(elsewhere)
    before = elsewhere.read_bytes()
    file.symlink_to(elsewhere)
    assert made.views() == []
    with pytest.raises(errors.Denied, match="symbolic link"):
        made.save_view("v", "y")
    assert elsewhere.read_bytes() == before


def test_a_folder_that_becomes_a_link_meanwhile_is_not_written_through(
    logdir: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    _, made = board(logdir)
    made.annotate({"a": {"name": "x"}})
    encode = annotations_.encode

    def swapped(document: annotations_.Document) -> bytes:
        (logdir / ".lightboard").rename(tmp_path / "before")
        (logdir / ".lightboard").symlink_to(elsewhere)
        return encode(document)

    monkeypatch.setattr(annotations_, "encode", swapped)
    with pytest.raises(errors.Denied, match="symbolic link"):
        made.annotate({"a": {"name": "y"}})
    assert list(elsewhere.iterdir()) == []


def test_a_named_directory_may_be_a_link(logdir: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "named").symlink_to("real")
    one, made = board(logdir, str(tmp_path / "named"))
    made.annotate({"a": {"name": "x"}})
    assert (tmp_path / "real" / "annotations.json").is_file()
    assert one.annotations["a"].name == "x"


def test_a_disk_that_is_full_says_so_and_keeps_what_was_there(
    logdir: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, made = board(logdir)
    made.annotate({"a": {"name": "x"}})

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(errors.Denied, match="No space left"):
        made.annotate({"a": {"name": "y"}})
    assert written_runs(logdir) == {"a": {"name": "x"}}
    assert one.annotations["a"].name == "x"
    assert sorted(os.listdir(logdir / ".lightboard")) == ["annotations.json", "lock"]
