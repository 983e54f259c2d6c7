"""Boards through the client: a real hub with real board processes, and a scripted one for what it rarely does."""

from __future__ import annotations

import json
import pathlib
import threading
from typing import Any

import pytest
from client import real, scripted
from hub import hubs

from lightboard import client, errors
from lightboard.client import hub_errors


def test_a_board_from_its_creation_to_its_end(team: real.Team) -> None:
    hub = team.connected()
    board = hub.boards.create(str(team.logs), name="mine", labels={"a": "b"}, max_runtime="8h")
    assert (board.state, board.name, board.labels, board.running) == ("Running", "mine", {"a": "b"}, True)
    assert board.url == f"{team.hub.url}/boards/{board.id}/"
    assert board.created is not None
    assert board.idle_at is not None
    assert board.reclaim_at is not None
    assert board.runtime_ends_at is not None
    assert board.created < board.idle_at < board.reclaim_at
    assert [each["uri"] for each in board.sources] == [str(team.logs)]

    assert (board.stop().wait().state, board.reason) == ("Stopped", "User")
    assert board.data["idle_at"] is None
    assert board.start().wait().state == "Running"
    assert board.keep_alive("2h").keep_alive_until is not None
    assert [each.kind for each in board.events()][:3] == ["Created", "Starting", "Running"]
    assert "Lightboard" in "\n".join(board.logs())
    assert board.usage()["memory_bytes"] > 0
    assert "phase" in board.progress()
    assert "kind: Board" in board.manifest()

    board.delete()
    assert board.wait().state == "Deleted"
    with pytest.raises(client.NotFound):
        hub.boards.get(board.id)
    with pytest.raises(client.NotFound):
        board.delete()


def test_a_wait_is_not_fooled_by_the_state_before_the_command(team: real.Team) -> None:
    """PAI's client raises here: right after a start its board still says Stopped."""
    board = team.connected().boards.create(str(team.logs))
    for _ in range(2):
        board.stop()
        board.start()
        assert board.wait().state == "Running"
    board.start()
    board.stop()
    assert board.wait().state == "Stopped"


def test_a_wait_for_a_board_that_somebody_else_stops(team: real.Team) -> None:
    hub = team.connected()
    board = hub.boards.create(str(team.logs), wait=False)
    hub.boards.get(board.id).stop().wait()
    with pytest.raises(client.StartFailed) as caught:
        board.wait()
    assert (caught.value.state, caught.value.reason, caught.value.exit_code) == ("Stopped", "User", 6)


def test_waiting_for_what_others_do(team: real.Team) -> None:
    hub = team.connected()
    board = hub.boards.create(str(team.logs), wait=False)
    assert board.wait_until("Running").running
    other = hub.boards.get(board.id)
    threading.Timer(0.1, other.stop).start()
    assert board.wait_until("Stopped").state == "Stopped"
    with pytest.raises(client.TimedOut):
        board.wait_until("Running", timeout=0.01)
    other.delete()
    assert board.wait_until("Deleted").state == "Deleted"
    with pytest.raises(client.StartFailed):
        board.wait_until("Running")
    with pytest.raises(errors.BadInput):
        board.wait_until("Sleeping")


def test_no_time_to_wait(team: real.Team) -> None:
    board = team.connected().boards.create(str(team.logs), wait=False)
    with pytest.raises(client.TimedOut) as caught:
        board.wait(timeout=0)
    assert (caught.value.state, caught.value.exit_code) == (board.state, 7)


def test_one_board_too_many(team: real.Team) -> None:
    name, token = team.person()
    team.admin.users.change(name, boards_limit=1)
    hub = client.Hub(team.hub.url, token)
    first = hub.boards.create(str(team.logs), name="first")
    with pytest.raises(client.TensorboardLimitExceeded) as caught:
        hub.boards.create(str(team.logs))
    assert (caught.value.limit, caught.value.used, [each["id"] for each in caught.value.boards]) == (1, 1, [first.id])
    assert "first" in caught.value.hint
    assert hub.quota().account == client.Limit(limit=1, used=1)
    first.stop().wait()
    second = hub.boards.create(str(team.logs), wait=False)
    with pytest.raises(client.TensorboardLimitExceeded):
        first.start()
    second.delete()


def test_a_key_makes_no_second_board(team: real.Team) -> None:
    hub = team.connected()
    made = [hub.boards.create(str(team.logs), wait=False, idempotency_key="once") for _ in range(2)]
    assert made[0].id == made[1].id
    assert len(hub.boards.list()) == 1
    with pytest.raises(client.InvalidRequest) as caught:
        hub.boards.create(str(team.logs), name="another", wait=False, idempotency_key="once")
    assert caught.value.code == "IdempotencyKeyReused"


def test_the_board_of_a_job(team: real.Team) -> None:
    hub = team.connected()
    first = hub.boards.ensure(str(team.logs), source_type="TrainingJob", source_id="job-1", name="job")
    first.stop().wait()
    again = hub.boards.ensure(str(team.logs), source_type="TrainingJob", source_id="job-1")
    assert (again.id, again.state, again.name) == (first.id, "Running", "job")
    other = hub.boards.ensure(str(team.logs), source_type="TrainingJob", source_id="job-2", wait=False)
    assert other.id != first.id
    assert [each.id for each in hub.boards.list(source_id="job-1")] == [first.id]


def test_several_sources_with_prefixes(team: real.Team) -> None:
    hub = team.connected()
    sources = [{"uri": str(team.logs), "prefix": "a"}, {"uri": "pvc://data/update_freq_10", "prefix": "b"}]
    board = hub.boards.create(sources, wait=False)
    assert [(each["uri"], each["prefix"]) for each in board.sources] == [
        (str(team.logs), "a"),
        ("pvc://data/update_freq_10", "b"),
    ]
    with pytest.raises(errors.BadInput, match="no address"):
        hub.boards.create([])


@pytest.mark.parametrize("uri", ["nonsense://x", "/etc", "pvc://unknown/x", "../x"])
def test_sources_that_are_refused(team: real.Team, uri: str) -> None:
    with pytest.raises(client.InvalidRequest) as caught:
        team.connected().boards.create(uri)
    assert caught.value.code
    assert caught.value.status in (400, 422)


def test_looking_before_creating(team: real.Team) -> None:
    found, wrong = team.connected().boards.check([str(team.logs), "pvc://unknown/x"])
    assert found.ok
    assert found.runs
    assert not wrong.ok
    assert wrong.code


def test_finding_boards_by_id_name_or_link(team: real.Team) -> None:
    hub = team.connected()
    one = hub.boards.create(str(team.logs), name="one", wait=False)
    two = [hub.boards.create(str(team.logs), name="two", wait=False) for _ in range(2)]
    odd = hub.boards.create(str(team.logs), name="b-looks like/an:id?", wait=False)
    for word in (one.id, "one", one.url, f"{one.url}#view"):
        assert hub.boards.find(word).id == one.id
    assert hub.boards.find(odd.name).id == odd.id
    with pytest.raises(client.Ambiguous) as caught:
        hub.boards.find("two")
    assert all(each.id in caught.value.hint for each in two)
    with pytest.raises(client.NotFound):
        hub.boards.find("on")
    with pytest.raises(client.NotFound):
        hub.boards.find("b-2222222222222222")


def test_changing_a_board(team: real.Team) -> None:
    hub = team.connected()
    board = hub.boards.create(str(team.logs), wait=False)
    old = hub.boards.get(board.id)
    board.change(name="renamed", idle_after="2h", visibility="workspace")
    assert (board.name, board.visibility, board.data["idle_after"]) == ("renamed", "workspace", 7200)
    board.stop()
    with pytest.raises(client.Conflict) as caught:
        old.change(name="lost")
    assert caught.value.code == "GenerationConflict"
    assert board.refresh().name == "renamed"
    with pytest.raises(client.HubError):
        board.change(visibility="public")
    assert board.change(visibility="public", confirm_public=True).visibility == "public"
    board.delete()  # others would see it


def test_links(team: real.Team) -> None:
    board = team.connected().boards.create(str(team.logs), wait=False)
    share = board.share(expires_in="1d", view="#tab=text")
    assert share.url.startswith(f"{team.hub.url}/s/")
    assert share.url not in repr(share)
    assert share.expires is not None
    (listed,) = board.shares()
    assert (listed.id, listed.url, listed.revoked, listed.view) == (share.id, "", False, "tab=text")
    board.revoke(share.id)
    assert [each.revoked for each in board.shares()] == [True]


def test_what_others_do_is_not_found(team: real.Team) -> None:
    board = team.connected().boards.create(str(team.logs), wait=False)
    stranger = team.connected()
    for ask in (stranger.boards.get, stranger.boards.find):
        with pytest.raises(client.NotFound):
            ask(board.id)
    # a board that another test showed to the workspace may still be listed, as Deleting
    assert board.id not in [each.id for each in stranger.boards.list()]


def test_many_at_once(team: real.Team) -> None:
    hub = team.connected()
    boards = [hub.boards.create(str(team.logs), wait=False) for _ in range(3)]
    done = hub.boards.batch("stop", [*(each.id for each in boards), "b-absent"])
    assert [each["ok"] for each in done] == [True, True, True, False]


def test_changes_arrive(team: real.Team) -> None:
    hub = team.connected()
    board = hub.boards.create(str(team.logs), wait=False)
    listening = threading.Event()

    def change_until_somebody_listens() -> None:
        number = 0
        while not listening.wait(0.05):
            number += 1
            board.change(labels={"number": str(number)})
        board.delete()

    thread = threading.Thread(target=change_until_somebody_listens)
    thread.start()
    for kind, data in hub.boards.changes():
        listening.set()
        assert data.get("id", board.id) == board.id
        if kind == "removed":
            break
    thread.join()


def test_a_client_without_a_token(team: real.Team) -> None:
    with pytest.raises(client.Unauthenticated) as caught:
        client.Hub(team.hub.url, "").boards.list()
    assert "lightboard login" in caught.value.hint
    with pytest.raises(client.Unauthenticated):
        client.Hub(team.hub.url, "wrong-token-0123456789abcdef0123456789").me()


def test_a_wait_survives_a_restart_of_the_hub(tmp_path: pathlib.Path) -> None:
    words = ("--allow_root", str(real.LOGS))
    with hubs.running(tmp_path, *words, keep_boards=True) as first:
        board = client.Hub(first.url, first.admin_token).boards.create(str(real.LOGS))
        board.stop()
        board.start()
    waited: list[client.Board] = []
    thread = threading.Thread(target=lambda: waited.append(board.wait(60)))
    thread.start()
    with hubs.running(tmp_path, *words, "--port", first.url.rpartition(":")[2]):
        thread.join(60)
    assert [each.state for each in waited] == ["Running"]


# -- what a hub rarely says


def scripted_board(**members: Any) -> scripted.Answer:
    known = {"id": "b-1", "name": "mine", "state": "Pending", "desired": "Run", "generation": 2}
    return scripted.Answer(200, json.dumps({**known, "observed_generation": 1, **members}).encode())


def test_a_board_that_does_not_start() -> None:
    failed = scripted_board(state="Failed", reason="OutOfMemory", message="one\nlast line", observed_generation=2)
    with scripted.server(lambda seen: scripted_board() if len(seen) < 3 else failed) as server:
        with pytest.raises(client.StartFailed) as caught:
            client.Hub(server.url, "token").boards.create("/logs")
        found = caught.value
        assert (found.reason, found.code, found.hint, found.exit_code) == ("OutOfMemory", "OutOfMemory", "last line", 6)
        assert server.seen[1].path == "/api/v1/boards/b-1?wait=25&generation=2"


def test_an_old_state_does_not_end_a_wait() -> None:
    """Stopped, but of the generation before: the hub has not looked at the start yet."""
    old, new = scripted_board(state="Stopped"), scripted_board(state="Idle", observed_generation=3)
    with scripted.server(lambda seen: old if len(seen) < 4 else new) as server:
        assert client.Hub(server.url, "token").boards.get("b-1").wait().state == "Idle"
        assert len(server.seen) == 4


def test_members_that_this_client_does_not_know_are_ignored() -> None:
    event = {"items": [{"time": "2026-11-18T06:10:00.123Z", "kind": "Used", "from_the_future": 1}]}

    def answer(seen: list[scripted.Seen]) -> scripted.Answer:
        return scripted_board(extra=[1]) if len(seen) == 1 else scripted.Answer(200, json.dumps(event).encode())

    with scripted.server(answer) as server:
        (found,) = client.Hub(server.url, "token").boards.get("b-1").events()
    assert found.kind == "Used"
    assert found.time is not None
    assert found.time.isoformat() == "2026-11-18T06:10:00.123000+00:00"


def test_every_error_has_a_documented_exit_code() -> None:
    from lightboard import cli

    kinds = [each for each in vars(hub_errors).values() if isinstance(each, type) and issubclass(each, client.HubError)]
    assert {each.exit_code for each in kinds} <= cli.EXIT_CODES.keys()
