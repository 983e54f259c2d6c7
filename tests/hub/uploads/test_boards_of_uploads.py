"""The board of an upload: private, started by its link, live, and the only one that reads the files."""

from __future__ import annotations

import pathlib
import shutil

import httpx
import pytest
from hub import hubs
from hub.uploads.conftest import SAMPLES, Place

from lightboard import client

LOGS = SAMPLES / "keras_fit" / "logs"


def runs_of(place: Place, upload: client.Upload, token: str) -> list[str]:
    answer = place.hub.request("GET", f"/boards/{upload.data['board']}/data/runs", token=token)
    return [] if answer.status_code != 200 else list(answer.json())


def opened(place: Place, upload: client.Upload, token: str) -> None:
    """Opens the page of the board, which starts it."""
    headers = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}

    def page() -> httpx.Response | None:
        answer = place.hub.request("GET", f"/boards/{upload.data['board']}/", token=token, headers=headers)
        return answer if answer.status_code == 200 and "Lightboard" in answer.text else None

    hubs.until(page, what="the page of the board")


def test_the_link_shows_what_was_sent_and_what_comes_later(place: Place, tmp_path: pathlib.Path) -> None:
    _, token = place.person()
    logs = tmp_path / "logs"
    shutil.copytree(LOGS, logs)
    with client.Hub(place.hub.url, token) as hub:
        upload = hub.uploads.create(name="keras")
        board = hub.boards.get(upload.data["board"])
        assert (board.name, board.state, upload.url) == ("keras", "Stopped", board.url)
        sender = upload.sender(logs)
        sender.begin()
        sender.turn()
        opened(place, upload, token)
        known = hubs.until(lambda: runs_of(place, upload, token), what="runs")
        assert set(known) == {str(each.parent.relative_to(logs)) for each in logs.rglob("*tfevents*")}
        later = next(iter(logs.rglob("*tfevents*")))
        (logs / "later").mkdir()
        shutil.copy(later, logs / "later")
        sender.turn()
        hubs.until(lambda: "later" in runs_of(place, upload, token), what="the new run")
        sender.close()
        assert upload.delete() == []
        hubs.until(
            lambda: place.hub.request("GET", f"/api/v1/boards/{upload.data['board']}").status_code == 404,
            what="the board is gone",
        )
    assert not place.stored(upload).parent.exists()


def test_no_other_board_reads_an_upload(place: Place) -> None:
    with place.connected() as hub:
        upload = hub.uploads.create()
        upload.send(LOGS)
        for uri in (f"upload://{upload.id}", f"upload://{upload.id}/", str(place.stored(upload))):
            with pytest.raises(client.HubError):
                hub.boards.create(uri)
        board = hub.boards.get(upload.data["board"])
        with pytest.raises(client.HubError):
            hub._requests.send("PATCH", f"/boards/{board.id}", {"sources": [{"uri": "upload://up-other"}]})


def test_an_upload_is_private_unless_it_is_confirmed_to_be_public(place: Place) -> None:
    with place.connected() as hub, place.connected() as other:
        with pytest.raises(client.HubError) as refused:
            hub.uploads.create(visibility="public")
        assert refused.value.code == "PublicNotConfirmed"
        private = hub.uploads.create()
        public = hub.uploads.create(visibility="public", confirm_public=True)
        assert [each.id for each in other.uploads.list() if each.id in (private.id, public.id)] == [public.id]
        with pytest.raises(client.NotFound):
            other.uploads.get(private.id)
        with pytest.raises(client.Forbidden):
            other.uploads.get(public.id).delete()
        with pytest.raises(client.Forbidden):
            other.uploads.get(public.id).sender(LOGS).begin()


def test_an_upload_whose_board_was_deleted_gets_a_new_one_when_it_continues(place: Place) -> None:
    with place.connected() as hub:
        upload = hub.uploads.create(name="kept")
        hub.boards.get(upload.data["board"]).delete()
        hubs.until(lambda: not upload.refresh().url, what="the board is gone")
        assert upload.id in [each.id for each in hub.uploads.list()]
        upload.send(LOGS)
        assert upload.refresh().url and hub.boards.get(upload.data["board"]).name == "kept"


def test_names_and_descriptions_have_limits(place: Place) -> None:
    with place.connected() as hub:
        made = hub.uploads.create(name="n" * 100, description="深" * 600)
        assert made.update(name="new").name == "new"
        assert hub.boards.get(made.data["board"]).name == "new"
        assert made.update(description="").description == ""
        for members in ({"name": "n" * 101}, {"description": "d" * 601}, {"name": "a\u202eb"}, {"description": "\x07"}):
            with pytest.raises(client.InvalidRequest):
                hub.uploads.create(name=members.get("name"), description=members.get("description"))


def test_accounts_and_workspaces_with_uploads_stay(place: Place) -> None:
    name, token = place.person()
    with client.Hub(place.hub.url, token) as hub, client.Hub(place.hub.url, place.hub.admin_token) as admin:
        upload = hub.uploads.create()
        hub.boards.get(upload.data["board"]).delete()
        hubs.until(lambda: not upload.refresh().url, what="the board is gone")
        with pytest.raises(client.Conflict, match="uploads"):
            admin.users.delete(name)
        upload.delete()
        admin.users.delete(name)
