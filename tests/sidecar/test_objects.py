"""Annotations and views as objects beside the logs: `--sidecar beside`. A store in memory, and one that refuses.

The same on a real store, with several boards at once, is in tests/stores/test_sidecar_objects.py.
"""

from __future__ import annotations

import json
import pathlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from lightboard import errors, store, types
from lightboard.sidecar import Sidecar, files, location, objects
from lightboard.storage import connections, faults, settings, uris

pytest.importorskip("obstore", reason="`make test-object-store` installs it")

ROOT = "s3://bucket/runs"


class Counting(connections.Connection):
    """A connection to a store in memory. State: `asked`, what was asked; `refuses`, actions that fail so."""

    def __init__(self, memory: Any) -> None:
        location = uris.parse(ROOT)
        super().__init__(memory, location, errors.Explanation("a test"), "memory", settings.Limits())
        self.asked: list[str] = []
        self.refuses: dict[str, Exception] = {}
        self.before_put: Callable[[], None] | None = None

    def list(self, prefix: str = "") -> Any:
        self._note("list")
        return super().list(prefix)

    def fetch(self, key: str) -> tuple[bytes, connections.Mark]:
        self._note("get")
        return super().fetch(key)

    def replace(self, key: str, content: bytes, mark: connections.Mark | None) -> connections.Mark:
        self._note("put")
        if self.before_put is not None:
            action, self.before_put = self.before_put, None
            action()
        return super().replace(key, content, mark)

    def _note(self, action: str) -> None:
        self.asked.append(action)
        if action in self.refuses:
            raise self.refuses[action]


def denied(*, passing: bool = False) -> faults.StorageError:
    explanation = errors.Explanation("permission to write is denied", code="storage.denied")
    return faults.StorageError(13, explanation, passing=passing)


@pytest.fixture
def memory() -> Any:
    import obstore.store

    return obstore.store.MemoryStore()


@pytest.fixture(autouse=True)
def own_directory(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setenv("LIGHTBOARD_DATA_DIR", str(tmp_path / "own"))
    return tmp_path / "own"


Board = tuple[store.Store, Sidecar, Counting]


@pytest.fixture
def board(memory: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Board]:
    def made(roots: Sequence[str] = (ROOT,), unseen_secs: float = 0.0) -> Board:
        connection = Counting(memory)
        monkeypatch.setattr("lightboard.storage.Connections.of", lambda self, location: connection)
        target = store.Store()
        one = Sidecar(target, roots, location.BESIDE, unseen_secs=lambda: unseen_secs)
        one.load()
        return target, one, connection

    return made


def bodies(memory: Any) -> dict[str, Any]:
    import obstore

    found = [each["path"] for page in obstore.list(memory) for each in page]
    return {path: json.loads(bytes(obstore.get(memory, path).bytes())) for path in found}


def test_annotations_lie_beside_the_logs(board: Callable[..., Board], memory: Any) -> None:
    one, sidecar, connection = board()
    assert (connection.asked, sidecar.writable, sidecar.directory) == (["list"], True, f"{ROOT}/.lightboard")
    sidecar.annotate({"a": {"name": "baseline", "tags": ["paper"]}})
    sidecar.annotate({"b": {"note": "bad"}})
    assert one.annotations == {"a": types.Annotation("baseline", tags=("paper",)), "b": types.Annotation(note="bad")}
    assert set(bodies(memory)["runs/.lightboard/annotations.json"]["runs"]) == {"a", "b"}
    other, _, _ = board()
    assert other.annotations == one.annotations


def test_views_lie_beside_the_logs(board: Callable[..., Board], memory: Any) -> None:
    _, sidecar, _ = board()
    sidecar.save_view("Überblick", "x=1")
    sidecar.save_view("other", "x=2", "for the paper")
    sidecar.save_view("other", "x=3")
    _, second, _ = board()
    assert [(each.name, each.view) for each in second.views()] == [("other", "x=3"), ("Überblick", "x=1")]
    second.delete_view("other")
    with pytest.raises(errors.NotFound):
        second.delete_view("other")
    assert len(bodies(memory)) == 1


def test_another_board_that_is_quicker_loses_nothing(board: Callable[..., Board]) -> None:
    (one, mine, connection), (_, theirs, _) = board(), board()
    mine.annotate({"a": {"name": "first"}})
    connection.before_put = lambda: theirs.annotate({"b": {"name": "theirs"}, "a": {"note": "n"}})
    mine.annotate({"c": {"name": "mine"}})
    assert one.annotations == {
        "a": types.Annotation("first", "n"), "b": types.Annotation("theirs"), "c": types.Annotation("mine"),
    }  # fmt: skip


def test_many_boards_at_once(board: Callable[..., Board]) -> None:
    boards = [board() for _ in range(4)]

    def write(number: int) -> None:
        for count in range(5):
            boards[number][1].annotate({f"{number}-{count}": {"name": "x"}})

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(board()[0].annotations) == 20


def test_changes_of_others_are_read_once_a_minute(board: Callable[..., Board], monkeypatch: pytest.MonkeyPatch) -> None:
    (one, watching, connection), (_, writing, _) = board(), board()
    writing.annotate({"a": {"name": "x"}})
    connection.asked.clear()
    for _ in range(100):
        watching.load()
    assert connection.asked == [] and one.annotations == {}
    monkeypatch.setattr(objects, "UPDATE_SECS", 0.0)
    watching.load()
    watching.load()
    assert connection.asked == ["list", "get", "list"] and one.annotations == {"a": types.Annotation("x")}


def test_nobody_looks_so_nothing_is_asked(board: Callable[..., Board], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "UPDATE_SECS", 0.0)
    _, sidecar, connection = board(unseen_secs=1000.0)
    for _ in range(10):
        sidecar.load()
    assert connection.asked == ["list"]


def test_a_store_that_refuses_writing_is_told_and_the_user_directory_used(
    board: Callable[..., Board], own_directory: pathlib.Path, memory: Any
) -> None:
    board()[1].annotate({"a": {"name": "theirs", "note": "kept"}})
    one, sidecar, connection = board()
    connection.refuses = {"put": denied()}
    assert sidecar.notices() == []
    sidecar.annotate({"a": {"name": "mine"}})
    sidecar.save_view("v", "x=1")
    assert one.annotations == {"a": types.Annotation("mine", "kept")}
    assert connection.asked.count("put") == 1  # it is not asked again
    (notice,) = sidecar.notices()
    assert notice.code == "notes.elsewhere" and notice.parameters["path"] == sidecar.directory
    assert sidecar.directory.startswith(str(own_directory)) and sidecar.writable
    assert [each.name for each in sidecar.views()] == ["v"]
    later, _, _ = board()
    assert later.annotations["a"].note == "kept"  # what lies in both is shown


def test_a_store_that_does_not_answer_keeps_what_is_there(board: Callable[..., Board], memory: Any) -> None:
    board()[1].annotate({"a": {"name": "kept"}})
    before = bodies(memory)
    one, sidecar, connection = board()
    connection.refuses = {"list": denied(passing=True)}
    with pytest.raises(errors.Denied):
        sidecar.annotate({"b": {"name": "x"}})
    assert bodies(memory) == before and one.annotations["a"].name == "kept"
    (notice,) = sidecar.notices()
    assert notice.code == "notes.file_unreadable"
    connection.refuses = {}
    sidecar.annotate({"b": {"name": "x"}})
    assert set(one.annotations) == {"a", "b"} and sidecar.notices() == []


def test_an_object_that_makes_no_sense_is_kept_aside(board: Callable[..., Board], memory: Any) -> None:
    import obstore

    obstore.put(memory, "runs/.lightboard/annotations.json", b'{"half')
    _, sidecar, _ = board()
    sidecar.annotate({"a": {"name": "x"}})
    aside = [each["path"] for page in obstore.list(memory) for each in page if "broken" in each["path"]]
    assert len(aside) == 1 and bytes(obstore.get(memory, aside[0]).bytes()) == b'{"half'
    assert any(notice.code == "notes.set_aside" for notice in sidecar.notices())


def test_colors_are_kept_when_there_is_something_to_keep_them_with(board: Callable[..., Board], memory: Any) -> None:
    _, sidecar, _ = board()
    sidecar.save_slots()
    assert bodies(memory) == {}


# ---- where


def test_logs_elsewhere_are_annotated_in_the_user_directory_by_default(own_directory: pathlib.Path) -> None:
    chosen = location.choose((ROOT,))
    assert isinstance(chosen.folder, files.Folder) and chosen.folder.path.startswith(f"{own_directory}/sidecar/runs-")


@pytest.mark.parametrize(("one", "other"), [("s3://b/x/", "s3://b/x"), ("http://h/x/", "http://h/x")])
def test_two_spellings_of_one_root_share_what_was_added(one: str, other: str) -> None:
    from lightboard import board, logdir

    def directory(root: str) -> str:
        spec = logdir.spec_of([logdir.Root("", logdir.root_of(root))])
        return board.Board(spec, board.Options(index=False)).sidecar.directory

    assert directory(one) == directory(other) != directory("s3://b/y")


def test_a_local_directory_beside_is_the_default(tmp_path: pathlib.Path) -> None:
    for wanted in ("", location.BESIDE):
        assert location.choose((str(tmp_path),), wanted).folder == files.Folder(str(tmp_path), location.FOLDER)


def test_a_pattern_has_no_place_beside_it(own_directory: pathlib.Path) -> None:
    made = Sidecar(store.Store(), ("s3://b/*/x",), location.BESIDE)
    assert made.directory.startswith(str(own_directory))
