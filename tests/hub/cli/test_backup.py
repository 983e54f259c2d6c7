"""`lightboard hub backup` of a running hub and `restore` of a stopped one."""

from __future__ import annotations

import pathlib
import stat

import pytest
from client import real
from hub import hubs

from lightboard import cli, client

pytestmark = pytest.mark.whole_hub


def test_a_backup_brings_back_what_was_deleted(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, words = tmp_path / "hub", ("--allow_root", str(real.LOGS))
    with hubs.running(folder, *words) as running:
        hub = client.Hub(running.url, running.admin_token)
        board = hub.boards.create(str(real.LOGS), name="mine")
        board.stop().wait()
        assert cli.main(["hub", "backup", str(tmp_path), "--dir", str(folder)]) == cli.OK
        out, err = capsys.readouterr()
        backup = pathlib.Path(out.strip())
        assert stat.S_IMODE(backup.stat().st_mode) == 0o600
        assert str(folder / "key") in err
        assert cli.main(["hub", "backup", str(backup), "--dir", str(folder)]) == cli.USAGE
        assert "the file exists" in capsys.readouterr().err
        board.delete()
        board.wait()
        assert cli.main(["hub", "restore", str(backup), "--dir", str(folder)]) == cli.FAILED
        assert "another hub uses this directory" in capsys.readouterr().err

    assert cli.main(["hub", "restore", str(backup), "--dir", str(folder)]) == cli.OK
    out, err = capsys.readouterr()
    assert out == f"{folder / 'hub.sqlite3'}\n"
    assert list(folder.glob("hub-before-*.sqlite3"))
    with hubs.running(folder, *words) as running:
        again = client.Hub(running.url, running.admin_token).boards.get(board.id)
        assert (again.name, again.state) == ("mine", "Stopped")


def test_what_cannot_be_backed_up_or_restored(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hub", "backup", str(tmp_path / "x"), "--dir", str(tmp_path / "absent")]) == cli.FAILED
    assert "no hub has a database here" in capsys.readouterr().err
    wrong = tmp_path / "wrong.sqlite3"
    wrong.write_text("not a database, and longer than a header of one would be")
    assert cli.main(["hub", "restore", str(wrong), "--dir", str(tmp_path / "hub")]) == cli.FAILED
    assert "not a backup of a hub" in capsys.readouterr().err
    assert cli.main(["hub", "restore", str(tmp_path / "none"), "--dir", str(tmp_path / "hub")]) == cli.FAILED
    for verb in ("backup", "restore"):
        words = ["hub", verb, str(wrong), "--dir", str(tmp_path / "hub"), "--database", "postgresql://x/y"]
        assert cli.main(words) == cli.USAGE
        assert "pg_dump" in capsys.readouterr().err
