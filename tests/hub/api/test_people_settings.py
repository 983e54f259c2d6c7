"""Settings of the hub, the audit log, the overview."""

from __future__ import annotations

import pytest
from hub.api import inside

from lightboard.hub.life import accounts


async def test_settings_are_shown_and_changed(inside_hub: inside.Hub) -> None:
    root, ann = await inside_hub.user("root"), await inside_hub.user("ann")
    shown = (await root.get("/settings")).json()
    assert shown == {
        "idle_after": 3600.0, "reclaim_after": 86400.0, "max_runtime": 0.0,
        "per_account": 5, "per_workspace": None, "per_hub": None,
        "bounds": {
            "shortest": {"idle_after": 60.0, "reclaim_after": 60.0, "max_runtime": 60.0},
            "longest": {"idle_after": 86400.0, "reclaim_after": 2592000.0, "max_runtime": None},
        },
    }  # fmt: skip
    bounds = {"longest": {"idle_after": "never", "reclaim_after": None}}
    changed = await root.patch(
        "/settings", idle_after="30m", max_runtime="8h", per_account=2, per_hub=50, bounds=bounds
    )
    expected = {**shown, "idle_after": 1800.0, "max_runtime": 28800.0, "per_account": 2, "per_hub": 50}
    expected["bounds"]["longest"] |= {"idle_after": 0.0, "reclaim_after": None}
    assert changed.json() == expected == (await root.get("/settings")).json()
    me = (await ann.get("/me")).json()
    assert (me["quota"]["limit"], me["hub"]["policy"]["idle_after"]) == (2, 1800.0)
    assert me["hub"]["bounds"] == expected["bounds"]
    assert (await root.patch("/settings", idle_after=None, per_account=None)).json()["idle_after"] == 3600.0
    assert (await ann.get("/me")).json()["quota"]["limit"] is None
    entry = inside_hub.database.journal.audit(thing="settings")[-1]
    assert entry.detail["changed"] == ["idle_after", "max_runtime", "per_account", "per_hub", "bounds"]


@pytest.mark.parametrize(
    "body",
    [
        {"idle_after": "x"}, {"idle_after": -1}, {"idle_after": True}, {"per_account": -1}, {"per_account": "5"},
        {"per_account": 1.5}, {"per_hub": 10**30}, {"bounds": {"shortest": {"idle_after": "2d"}}}, {"bounds": []},
        {"bounds": {"shortest": {"idle": 1}}}, {"bounds": {"longest": {"reclaim_after": 1}}}, {"nonsense": 1},
        {"bounds": {"shortest": {"idle_after": "never"}}},
    ],
)  # fmt: skip
async def test_odd_settings_change_nothing(inside_hub: inside.Hub, body: dict[str, object]) -> None:
    root = await inside_hub.user("root")
    before = (await root.get("/settings")).json()
    answer = await root.send("PATCH", "/settings", {"max_runtime": 77, **body})
    assert answer.status_code == 400
    assert (await root.get("/settings")).json() == before


async def test_the_audit_log_is_read_in_pages(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    for number in range(5):
        actor = "ann" if number % 2 else "bob"
        inside_hub.database.journal.record(
            accounts.AuditEntry(time=number, actor=actor, action="x", thing=f"t{number}", detail={"n": number})
        )
    things, token = [], ""
    while True:
        page = (await root.get(f"/audit?limit=2&page_token={token}")).json()
        things += [each["thing"] for each in page["items"]]
        token = page["next_page_token"]
        if not token:
            break
    assert things == ["t4", "t3", "t2", "t1", "t0"]
    entries = (await root.get("/audit?actor=ann")).json()["items"]
    assert [(each["thing"], each["detail"]) for each in entries] == [("t3", {"n": 3}), ("t1", {"n": 1})]
    assert entries[0]["time"] == "1970-01-01T00:00:03.000Z"
    for token in ("x", "-1", "٣", "9" * 5000):
        assert (await root.get(f"/audit?page_token={token}")).status_code == 400


async def test_the_overview(inside_hub: inside.Hub) -> None:
    root = await inside_hub.user("root")
    inside_hub.board("b-1", "root", "root")
    inside_hub.database.leases.take("keeper", "hub-1", inside_hub.clock(), 15)
    shown = (await root.get("/overview")).json()
    assert (shown["boards"]["Pending"], shown["boards"]["Running"]) == (1, 0)
    assert (shown["users"], shown["workspaces"], shown["leader"], shown["database"]) == (1, 1, "hub-1", "sqlite")
    assert (await root.get("/me")).json()["hub"]["version"] == shown["version"]


async def test_every_write_is_audited(inside_hub: inside.Hub) -> None:
    from lightboard.hub.api import account, links, members, secrets, sessions, settings, tokens, users, workspaces

    modules = (account, links, members, secrets, sessions, settings, tokens, users, workspaces)
    silent = [
        (route.method, route.path)
        for module in modules
        for route in module.ROUTES
        if route.method != "GET" and not route.audit
    ]
    assert silent == []
