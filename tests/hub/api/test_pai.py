"""PAI's dialect in this process: refusals that tell nothing, words, addresses of logs. `make test-pai` runs the real
clients."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pytest
from hub.api import hubs, signing

from lightboard.hub import life
from lightboard.hub.api import access_keys, boards
from lightboard.hub.api.pai import door, table, tensorboards, words
from lightboard.hub.db import lists
from lightboard.hub.life import accounts
from lightboard.hub.people import may

TENSORBOARDS = "/api/v1/tensorboards"
SECRET = "a-secret-of-the-tests-0123456789abcdefgh"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most of these hubs have no keeper: nothing starts or stops."""
    monkeypatch.setattr(boards, "STOP_WAIT_SECS", 0.0)
    monkeypatch.setattr(tensorboards, "HOLD_SECS", 0.0)


def add_key(hub: hubs.Hub, name: str, **members: Any) -> str:
    key = f"LBAK{name}"
    locked = hub.services.vault.lock({"secret": SECRET}, access_keys.purpose(key))
    hub.database.people.add_access_key(accounts.AccessKey(key, f"u-{name}", "test", locked, 1.0, **members))
    return key


def client_of(hub: hubs.Hub, name: str, **more: Any) -> signing.Client:
    key = add_key(hub, name) if hub.database.people.access_key_owner(f"LBAK{name}") is None else f"LBAK{name}"
    return signing.Client(hub.services, hub.app, key, SECRET, **more)


@pytest.fixture
async def client(hub: hubs.Hub) -> signing.Client:
    return client_of(hub, "owner")


def test_every_route_has_an_action() -> None:
    routes = table.all_routes()
    assert all(isinstance(each.action, may.Action) for each in routes)
    assert all(each.audit for each in routes if each.method != "GET" and each.path != "/")
    assert {each.action for each in routes} <= may.SCOPES["boards:write"] | {may.Action.HUB_READ}


def test_every_state_has_a_word_that_the_sdk_knows() -> None:
    known = {"Pending", "Creating", "Running", "Creating_Failed", "Deleting", "Deleted", "Stopping", "Stopped"}
    assert set(words.STATUSES) == set(life.State) and set(words.STATUSES.values()) <= known


# -- refusals


@pytest.mark.parametrize("style", ["acs", "acs3"])
async def test_whatever_is_wrong_is_refused_alike(hub: hubs.Hub, client: signing.Client, style: str) -> None:
    async def refused(method: str = "GET", path: str = TENSORBOARDS, **more: Any) -> str:
        by: signing.Client = more.pop("by", client)
        answer = await by.send(method, path, style=style, **more)
        assert answer.status_code == 403
        return answer.text

    good = await client.send("GET", TENSORBOARDS, style=style, query={"PageNumber": "1"}, nonce="n1")
    assert good.status_code == 200, good.text
    services, app = hub.services, hub.app
    add_key(hub, "viewer", expires=2.0)
    add_key(hub, "stranger")
    hub.database.people.change_user("u-stranger", enabled=False)
    told = {
        "unknown key": await refused(by=signing.Client(services, app, "LBAKnobody", SECRET)),
        "wrong secret": await refused(by=signing.Client(services, app, client.key, SECRET[:-1] + "x")),
        "expired key": await refused(by=signing.Client(services, app, "LBAKviewer", SECRET)),
        "disabled user": await refused(by=signing.Client(services, app, "LBAKstranger", SECRET)),
        "old": await refused(at=hub.clock() - door.WINDOW_SECS - 5),
        "early": await refused(at=hub.clock() + door.WINDOW_SECS + 5),
        "nonce": await refused(nonce="n1", query={"PageNumber": "1"}),
        "query": await refused(query={"PageNumber": "1"}, change=lambda each: each.query.update(PageNumber="2")),
        "more": await refused(change=lambda each: each.query.update(WorkspaceId="elsewhere")),
        "path": await refused(path=f"{TENSORBOARDS}/b-1", change=lambda each: setattr(each, "path", TENSORBOARDS)),
        "method": await refused("GET", f"{TENSORBOARDS}/b-1", change=lambda each: setattr(each, "method", "DELETE")),
        "action": await refused(change=lambda each: each.headers.update({"x-acs-action": "Other"})),
        "nothing": await refused(change=lambda each: each.headers.pop("authorization") and None),
        "a token": await refused(
            change=lambda each: each.headers.update(authorization=f"Bearer {hubs.token_of('owner')}")
        ),
    }
    if style == "acs3":
        body = {"DisplayName": "x", "Uri": "oss://b/c"}
        swap: Callable[[signing.Sent], None] = lambda each: setattr(each, "body", each.body.replace(b"b/c", b"b/d"))  # noqa: E731
        told["body"] = await refused("POST", body=body, change=swap)
    assert len(set(told.values())) == 1, told
    assert "SignatureDoesNotMatch" in told["nothing"]
    assert hub.database.lists.count(lists.Query()) == 0


async def test_a_nonce_counts_once_per_key_and_is_kept_as_long_as_its_time_counts(
    hub: hubs.Hub, client: signing.Client
) -> None:
    other = client_of(hub, "editor")
    for each in (client, other):
        assert (await each.send("GET", TENSORBOARDS, nonce="same")).status_code == 200
    ahead = hub.clock() + door.WINDOW_SECS - 5
    assert (await client.send("GET", TENSORBOARDS, nonce="ahead", at=ahead)).status_code == 200
    hub.clock.now += 2 * door.WINDOW_SECS - 20
    assert (await client.send("GET", TENSORBOARDS, nonce="ahead", at=ahead)).status_code == 403
    assert (await client.send("GET", TENSORBOARDS, nonce="same")).status_code == 200, "forgotten with its time"


async def test_many_at_once_with_one_nonce_count_once(client: signing.Client) -> None:
    sent = [client.send("GET", TENSORBOARDS, nonce="same") for _ in range(8)]
    statuses = [each.status_code for each in await asyncio.gather(*sent)]
    assert sorted(statuses) == [200] + [403] * 7


async def test_keys_are_not_accepted_over_http_from_elsewhere(hub: hubs.Hub) -> None:
    known = await client_of(hub, "owner", private=False).send("GET", TENSORBOARDS)
    unknown = await signing.Client(hub.services, hub.app, "LBAKnobody", SECRET, private=False).send("GET", TENSORBOARDS)
    assert known.json()["code"] == "InsecureTransport" and known.text == unknown.text


async def test_a_deleted_key_ends_at_once(hub: hubs.Hub, client: signing.Client) -> None:
    assert (await client.send("GET", TENSORBOARDS)).status_code == 200
    assert hub.database.people.access_keys("u-owner")[0].last_used is not None
    hub.database.people.remove_access_key("u-owner", client.key)
    assert (await client.send("GET", TENSORBOARDS)).status_code == 403


# -- boards


async def test_the_life_of_a_board(hub: hubs.Hub, client: signing.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensorboards, "HOLD_SECS", 4.0)
    body = {
        "DisplayName": "exp é", "Uri": f"file://{hub.root}/", "SummaryRelativePath": "/", "WorkspaceId": "team",
        "MaxRunningTimeMinutes": 30, "SourceId": "src 1/ü", "SourceType": "TrainingJob", "DataSourceType": "OSS",
    }  # fmt: skip
    made = await client.send("POST", TENSORBOARDS, body=body)
    assert made.status_code == 200, made.text
    board = made.json()["TensorboardId"]
    query = {"WorkspaceId": "team"}
    async with hub.kept():
        shown = (await client.send("GET", f"{TENSORBOARDS}/{board}", query=query)).json()
        assert shown["Status"] == "Running", "the request was held"
        assert (shown["DisplayName"], shown["SourceId"]) == ("exp é", "src 1/ü")
        assert shown["MaxRunningTimeMinutes"] == 30 and shown["TensorboardUrl"] == f"{hubs.URL}/boards/{board}/"
        found = {"PageNumber": "1", "PageSize": "10", "SourceId": "src 1/ü", "SourceType": "TrainingJob"}
        for style in ("acs", "acs3"):
            listed = (await client.send("GET", TENSORBOARDS, query=found | query, style=style)).json()
            assert listed["TotalCount"] == 1 and listed["Tensorboards"][0]["TensorboardId"] == board
        assert (await client.send("PUT", f"{TENSORBOARDS}/{board}/stop", query=query)).status_code == 200
        await hub_is(hub, board, life.State.STOPPED)
        assert (await client.send("PUT", f"{TENSORBOARDS}/{board}/start", query=query)).status_code == 200
        again = (await client.send("GET", f"{TENSORBOARDS}/{board}", query=query)).json()
        assert again["Status"] == "Running"
        changed = {"MaxRunningTimeMinutes": "60", "Accessibility": "PUBLIC", "Priority": "1"}
        assert (await client.send("PUT", f"{TENSORBOARDS}/{board}", query=changed, style="acs3")).status_code == 200
        now = hub.database.boards.get(board)
        assert (now.policy.max_runtime_secs, now.visibility) == (3600, life.Visibility.WORKSPACE)
        shared = await client.send("GET", f"{TENSORBOARDS}/{board}/sharedurl", query={"ExpireTimeSeconds": "60"})
        assert shared.json()["TensorboardSharedUrl"].startswith(f"{hubs.URL}/s/")
        assert (await client.send("DELETE", f"{TENSORBOARDS}/{board}", query=query)).status_code == 200
        # a keeper that is cancelled at the moment it is woken goes on: `wait_for` of Python 3.11 loses that
        ends = time.monotonic() + 20
        while await asyncio.to_thread(hub.database.boards.find, board) is not None:
            assert time.monotonic() < ends
            await asyncio.sleep(0.01)
    actions = [each.action for each in hub.database.journal.audit(actor="owner")]
    expected = ["board.delete", "share.create", "board.change", "board.start", "board.stop", "board.create"]
    assert [each for each in actions if each in expected] == expected


async def hub_is(hub: hubs.Hub, board: str, state: life.State) -> None:
    ends = time.monotonic() + 20
    while (await asyncio.to_thread(hub.database.boards.get, board)).state is not state:
        assert time.monotonic() < ends
        await asyncio.sleep(0.01)


async def test_boards_that_are_being_deleted_are_not_listed(hub: hubs.Hub, client: signing.Client) -> None:
    hubs.add_board(hub.database, "one", source_type="TrainingJob", source_id="j")
    query = {"SourceId": "j", "SourceType": "TrainingJob"}
    assert (await client.send("GET", TENSORBOARDS, query=query)).json()["TotalCount"] == 1
    assert (await client.send("DELETE", f"{TENSORBOARDS}/b-one")).status_code == 200
    assert (await client.send("GET", TENSORBOARDS, query=query)).json() == {"Tensorboards": [], "TotalCount": 0}
    assert (await client.send("GET", f"{TENSORBOARDS}/b-one")).json()["Status"] == "Deleting"


async def test_pages_have_numbers(hub: hubs.Hub, client: signing.Client) -> None:
    for number in range(5):
        hubs.add_board(hub.database, f"w{number}", created=100.0 + number)
    pages = []
    for number in (1, 2, 3, 4):
        query = {"PageNumber": str(number), "PageSize": "2", "WorkspaceId": "team", "Order": "asc"}
        answer = (await client.send("GET", TENSORBOARDS, query=query)).json()
        assert answer["TotalCount"] == 5
        pages.append([each["DisplayName"] for each in answer["Tensorboards"]])
    assert pages == [["w0", "w1"], ["w2", "w3"], ["w4"], []]
    for query, number in (({"Status": "Pending"}, 5), ({"Status": "Running"}, 0), ({"Status": "Odd"}, 0)):
        assert (await client.send("GET", TENSORBOARDS, query=query)).json()["TotalCount"] == number


async def test_the_limit_is_told_as_pai_tells_it(hub: hubs.Hub, client: signing.Client) -> None:
    hub.database.settings.put_limit("account:u-owner", 1)
    body = {"DisplayName": "x", "Uri": "oss://b/c", "WorkspaceId": "team"}
    assert (await client.send("POST", TENSORBOARDS, body=body)).status_code == 200
    refused = await client.send("POST", TENSORBOARDS, body=body, style="acs3")
    told = refused.json()
    assert (refused.status_code, told["code"]) == (403, "TensorboardLimitExceeded")
    assert (told["limit"], told["used"], len(told["boards"])) == (1, 1, 1)


async def test_roles_count_as_in_the_rest_api(hub: hubs.Hub) -> None:
    board = hubs.add_board(hub.database, "zebra").id
    body = {"DisplayName": "x", "Uri": "oss://b/c", "WorkspaceId": "team"}
    expected = {"stranger": (404, 404, 0), "viewer": (403, 404, 0), "editor": (200, 404, 0), "manager": (200, 200, 1)}
    for name, (create, show, listed) in expected.items():
        each = client_of(hub, name)
        assert (await each.send("GET", TENSORBOARDS, query={"DisplayName": "zebra"})).json()["TotalCount"] == listed
        assert (await each.send("GET", f"{TENSORBOARDS}/{board}")).status_code == show, name
        assert (await each.send("PUT", f"{TENSORBOARDS}/{board}/stop")).status_code == show, name
        assert (await each.send("POST", TENSORBOARDS, body=body)).status_code == create, name


async def test_a_key_reaches_nothing_but_the_dialect(hub: hubs.Hub) -> None:
    root = client_of(hub, "root")
    for method, path in (("GET", "/users"), ("GET", "/tokens"), ("POST", "/tokens"), ("GET", "/settings")):
        assert (await root.send(method, f"/api/v1{path}")).status_code == 404
    local = {"DisplayName": "x", "Uri": "/etc", "WorkspaceId": "team"}
    assert (await root.send("POST", TENSORBOARDS, body=local)).json()["code"] == "InvalidUri"


# -- addresses


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("oss://claim.oss-cn-hangzhou.aliyuncs.com/logs/a/", ("pvc://claim/logs/a", "")),
        ("oss://mine.oss-cn-hangzhou.aliyuncs.com/logs", ("oss://mine.oss-cn-hangzhou.aliyuncs.com/logs", "mine")),
        ("oss://b.ub.example:9000/logs/x y", ("oss://b/logs/x y", "own")),
        ("oss://b.3.example/logs", ("oss://b/logs", "third")),
        ("oss://b.elsewhere.example/logs", ("oss://b.elsewhere.example/logs", "")),
        ("oss://named@b/logs", ("oss://named@b/logs", "")),
        ("s3://b/logs", ("s3://b/logs", "")),
        ("nas://x/y", ("nas://x/y", "")),
    ],
)  # fmt: skip
async def test_addresses_find_their_secrets(hub: hubs.Hub, uri: str, expected: tuple[str, str]) -> None:
    endpoints = {"mine": "", "own": "http://hub.example:9000", "third": "https://s3.example"}
    for name, endpoint in endpoints.items():
        secret = accounts.Secret(
            id=f"x-{name}", workspace="team", name=name, kind="oss", ciphertext=b"1", created=1.0, updated=1.0,
            created_by="u-owner", shown={"endpoint": endpoint} if endpoint else {},
        )  # fmt: skip
        assert hub.database.workspaces.add_secret(secret)

    class Asked:
        services = type("Services", (), {"claims": ("claim",), "database": hub.database})
        workspace = "team"

    found = words.source(Asked(), uri)  # type: ignore[arg-type]
    assert (found.uri, found.secret) == expected


async def test_several_sources_have_prefixes(hub: hubs.Hub, client: signing.Client) -> None:
    sources = [
        {"Uri": "oss://a/logs", "DirectoryName": "one", "SummaryPath": "/sub"},
        {"Uri": "oss://b/logs", "DirectoryName": "two"},
    ]
    body = {"DisplayName": "x", "TensorboardDataSources": sources, "WorkspaceId": "team", "JobId": "dlc1"}
    board = hub.database.boards.get(
        (await client.send("POST", TENSORBOARDS, body=body, style="acs3")).json()["TensorboardId"]
    )
    assert board.sources == (life.Source("oss://a/logs/sub", "one"), life.Source("oss://b/logs", "two"))
    assert (board.source_type, board.source_id) == ("TrainingJob", "dlc1")
    nothing = await client.send("POST", TENSORBOARDS, body={"DisplayName": "x", "WorkspaceId": "team"})
    assert nothing.json()["code"] == "InvalidUri"


# -- jobs and workspaces


async def test_jobs_are_registered_for_their_boards(hub: hubs.Hub, client: signing.Client) -> None:
    outputs = [{"Name": "tensorboard", "OutputUri": "oss://b/job/tensorboard/"}, {"Name": "model", "OutputUri": ""}]
    body = {"TrainingJobName": "resnet", "OutputChannels": outputs, "WorkspaceId": "team", "ComputeResource": {}}
    made = await client.send("POST", "/api/v1/trainingjobs", body=body)
    assert made.status_code == 200, made.text
    job = made.json()["TrainingJobId"]
    shown = (await client.send("GET", f"/api/v1/trainingjobs/{job}")).json()
    assert shown["TrainingJobName"] == "resnet" and shown["OutputChannels"] == outputs[:1]
    assert (await client.send("GET", f"/api/v1/trainingjobs/{job}/logs", query={"PageSize": "20"})).status_code == 200
    assert (await client_of(hub, "stranger").send("GET", f"/api/v1/trainingjobs/{job}")).status_code == 404
    assert (await client_of(hub, "viewer").send("POST", "/api/v1/trainingjobs", body=body)).status_code == 403


async def test_workspaces_and_the_owner_of_a_key(hub: hubs.Hub, client: signing.Client) -> None:
    shown = (await client.send("GET", "/api/v1/workspaces/team", query={"Verbose": "True"})).json()
    assert shown["WorkspaceName"] == "team"
    found = (
        await client.send("GET", "/api/v1/workspaces/team/configs", query={"ConfigKeys": "modelExportPath"})
    ).json()
    assert found["Configs"][0]["ConfigKey"] == "modelExportPath"
    assert (await client.send("GET", "/api/v1/workspaces/elsewhere")).status_code == 404
    query = {"Action": "GetCallerIdentity", "Format": "json", "Version": "2015-04-01"}
    assert (await client.send("POST", "/", style="rpc", query=query)).json()["AccountId"] == "u-owner"
    moved = await client.send(
        "POST", "/", style="rpc", query=query, change=lambda each: setattr(each, "path", TENSORBOARDS)
    )
    assert moved.status_code == 403
