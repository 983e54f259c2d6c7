"""People, tokens, workspaces, secrets, settings through the client, at a real hub."""

from __future__ import annotations

import datetime as dt

import pytest
from client import real

from lightboard import client


def test_users(team: real.Team) -> None:
    made = team.admin.users.create("carla", display_name="Carla")
    assert made.link
    assert made.link not in repr(made)
    assert team.admin.users.get("carla").display_name == "Carla"
    assert team.admin.users.change("carla", display_name="C", boards_limit=2).boards_limit == 2
    assert [each.name for each in team.admin.users.list(q="carl")] == ["carla"]
    assert "/#/link/" in team.admin.users.reset("carla")
    team.admin.users.delete("carla")
    with pytest.raises(client.NotFound):
        team.admin.users.get("carla")


def test_only_admins_see_users(team: real.Team) -> None:
    with pytest.raises(client.Forbidden):
        team.connected().users.list()


def test_tokens(team: real.Team) -> None:
    name, token = team.person()
    hub = client.Hub(team.hub.url, token)
    made = hub.tokens.create("for reading", scopes=["boards:read"], expires_in=dt.timedelta(hours=1))
    assert made.token not in repr(made)
    assert made.scopes == ("boards:read",)
    assert made.created is not None
    assert made.expires is not None
    assert round((made.expires - made.created).total_seconds()) == 3600
    reader = client.Hub(team.hub.url, made.token)
    assert reader.boards.list() == []
    with pytest.raises(client.HubError):
        reader.boards.create(str(team.logs))
    assert {each.name for each in hub.tokens.list()} == {"tests", "for reading"}
    hub.tokens.delete(made.id)
    with pytest.raises(client.Unauthenticated):
        reader.boards.list()
    assert team.admin.tokens.create("by the admin", user=name).user == name


def test_workspaces_and_members(team: real.Team) -> None:
    (ann, token), (ben, other) = team.person(), team.person()
    hub, bens = client.Hub(team.hub.url, token), client.Hub(team.hub.url, other)
    made = hub.workspaces.create(f"vision-{ann}", name="Vision", description="cameras")
    assert (made.id, made.role) == (f"vision-{ann}", "owner")
    with pytest.raises(client.NotFound):
        bens.workspaces.get(made.id)
    hub.workspaces.add_member(made.id, ben, "viewer")
    hub.workspaces.add_member(made.id, ben, "editor")
    assert {each.user: each.role for each in hub.workspaces.members(made.id)} == {ann: "owner", ben: "editor"}
    board = bens.boards.create(str(team.logs), workspace=made.id, visibility="workspace", wait=False)
    assert [each.id for each in hub.boards.list(workspace=made.id)] == [board.id]
    board.delete()
    board.wait()
    hub.workspaces.remove_member(made.id, ben)
    assert made.id not in [each.id for each in bens.workspaces.list()]
    assert hub.workspaces.change(made.id, name="Seeing").name == "Seeing"
    hub.workspaces.delete(made.id)
    with pytest.raises(client.NotFound):
        hub.workspaces.get(made.id)


def test_secrets_are_never_returned(team: real.Team) -> None:
    name, token = team.person()
    hub = client.Hub(team.hub.url, token)
    workspace = hub.workspaces.create(f"secrets-{name}").id
    members = {"access_key": "AKIAEXAMPLE", "secret_key": "very-secret-value", "endpoint": "http://127.0.0.1:1"}
    made = hub.secrets.create(workspace, "minio", "s3", members, save_anyway=True)
    assert (made.name, made.kind) == ("minio", "s3")
    changed = hub.secrets.replace(workspace, "minio", "s3", {**members, "region": "x"}, save_anyway=True)
    listed = hub.secrets.list(workspace)
    assert [each.name for each in listed] == ["minio"]
    assert "very-secret-value" not in repr((made, changed, listed))
    hub.secrets.delete(workspace, "minio")
    assert hub.secrets.list(workspace) == []


def test_settings_of_the_hub(team: real.Team) -> None:
    before = team.admin.settings.get()
    assert team.admin.settings.change(max_runtime=dt.timedelta(days=2))["max_runtime"] == 172800
    team.admin.settings.change(max_runtime=before["max_runtime"])
    with pytest.raises(client.Forbidden):
        team.connected().settings.get()


def test_who_am_i(team: real.Team) -> None:
    name, token = team.person()
    me = client.Hub(team.hub.url, token).me()
    assert (me["user"]["name"], me["via"]) == (name, "token")
