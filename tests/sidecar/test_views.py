"""Saved views on disk: names of any kind, limits, two boards, files that make no sense."""

from __future__ import annotations

import json
import pathlib
import threading

import pytest

from lightboard import errors, sidecar, store
from lightboard.sidecar import views


def board(logdir: pathlib.Path) -> sidecar.Sidecar:
    made = sidecar.Sidecar(store.Store(), [str(logdir)])
    made.refresh()
    return made


def names(made: sidecar.Sidecar) -> list[str]:
    return [view.name for view in made.views()]


ODD = [
    "a/b",
    "../../etc/passwd",
    "A",
    "a",
    "视图 🙂",
    "con",
    "x" * 200,
    "é" * 200,
    ".hidden",
    "a:b*c?",
    "\u202ertl",
    "lone\udc80",
]


def test_a_view_comes_back_as_it_went(tmp_path: pathlib.Path) -> None:
    board(tmp_path).save_view(" Über blick ", "#x=%20&y=🙂", "for the paper")
    (view,) = board(tmp_path).views()
    assert (view.name, view.view, view.description) == ("Über blick", "#x=%20&y=🙂", "for the paper")
    assert view.saved > 1.7e9


def test_names_of_any_kind_are_kept_apart_and_inside(tmp_path: pathlib.Path) -> None:
    made = board(tmp_path)
    for name in ODD:
        made.save_view(name, f"view of {name}")
    found = {view.name: view.view for view in made.views()}
    assert found == {name: f"view of {name}" for name in ODD}
    files = list((tmp_path / ".lightboard" / "views").iterdir())
    assert len({file.name.casefold() for file in files}) == len(ODD)
    for name in ODD:
        made.delete_view(name)
    assert made.views() == []
    assert list((tmp_path / ".lightboard" / "views").iterdir()) == []


def test_the_same_name_replaces(tmp_path: pathlib.Path) -> None:
    made = board(tmp_path)
    made.save_view("a", "1")
    made.save_view("a", "2")
    assert [view.view for view in made.views()] == ["2"]


@pytest.mark.parametrize(
    ("name", "view", "description"),
    [("", "x", ""), ("   ", "x", ""), ("n" * 201, "x", ""), ("n", "x" * ((256 << 10) + 1), ""), ("n", "x", "d" * 2001)],
)
def test_limits(tmp_path: pathlib.Path, name: str, view: str, description: str) -> None:
    with pytest.raises(errors.BadInput):
        board(tmp_path).save_view(name, view, description)
    assert not (tmp_path / ".lightboard").exists()


def test_the_largest_view(tmp_path: pathlib.Path) -> None:
    made = board(tmp_path)
    made.save_view("n", "\x01" * (256 << 10))
    assert made.views()[0].view == "\x01" * (256 << 10)


def test_there_can_be_a_thousand(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MAX_VIEWS", 3)
    made = board(tmp_path)
    for number in range(3):
        made.save_view(f"v{number}", "x")
    with pytest.raises(errors.BadInput, match="3 views already"):
        made.save_view("one more", "x")
    made.save_view("v1", "changed")
    made.delete_view("v0")
    made.save_view("one more", "x")
    assert names(made) == ["one more", "v1", "v2"]


def test_what_others_put_there_is_shown_or_told_of(tmp_path: pathlib.Path) -> None:
    made = board(tmp_path)
    made.save_view("mine", "x")
    folder = tmp_path / ".lightboard" / "views"
    (folder / "by hand.json").write_text(json.dumps({"name": "by hand", "view": "y", "stars": 3}))
    (folder / "broken.json").write_text("{")
    (folder / "list.json").write_text("[]")
    (folder / "numbers.json").write_text(json.dumps({"name": 1, "view": 2}))
    (folder / "notes.txt").write_text("not ours")
    assert names(made) == ["by hand", "mine"]
    assert len(made.notices()) == 3
    made.save_view("by hand", "z")
    assert json.loads((folder / "by hand.json").read_text())["stars"] == 3
    assert len(list(folder.iterdir())) == 6


def test_two_boards_save_at_once(tmp_path: pathlib.Path) -> None:
    boards = [board(tmp_path) for _ in range(3)]

    def save(number: int) -> None:
        for turn in range(10):
            boards[number].save_view(f"{number}-{turn}", "x")
            boards[number].save_view("shared", str(number))

    threads = [threading.Thread(target=save, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names(boards[0])) == 31
    assert names(boards[0]) == names(boards[1]) == names(boards[2])


def test_a_change_of_another_board_is_told(tmp_path: pathlib.Path) -> None:
    one = store.Store()
    watching = sidecar.Sidecar(one, [str(tmp_path)])
    watching.refresh()
    assert one.views_version == 0
    board(tmp_path).save_view("a", "x")
    watching.refresh()
    assert one.views_version == one.version > 0


def test_a_view_that_is_not_there_cannot_be_deleted(tmp_path: pathlib.Path) -> None:
    with pytest.raises(errors.NotFound):
        board(tmp_path).delete_view("nobody")


def test_every_change_of_our_own_is_told(tmp_path: pathlib.Path) -> None:
    one = store.Store()
    made = sidecar.Sidecar(one, [str(tmp_path)])
    made.refresh()
    versions = [one.views_version]
    for number in range(20):  # faster than some clocks of file systems
        made.save_view("a", str(number))
        versions.append(one.views_version)
    assert len(set(versions)) == 21


@pytest.mark.parametrize("name", ["events.out.tfevents.1", "TFEvents", "tftfeventsevents"])
def test_no_view_looks_like_an_event_file(tmp_path: pathlib.Path, name: str) -> None:
    made = board(tmp_path)
    made.save_view(name, "x")
    (file,) = (tmp_path / ".lightboard" / "views").iterdir()
    assert "tfevents" not in file.name.lower()
    assert names(made) == [name]
