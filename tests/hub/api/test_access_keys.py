"""Access keys: whose, shown once, never stronger than what made them."""

from __future__ import annotations

import pytest
from hub.api import inside

from lightboard.hub.api import access_keys


async def test_a_secret_is_shown_once_and_stored_encrypted(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    made = await ann.post("/access_keys", name="laptop", expires_in="1h")
    assert made.status_code == 201
    key = made.json()
    assert (key["name"], key["user"], key["expires"]) == ("laptop", "ann", "1970-01-12T14:46:40.000Z")
    assert key["id"] == key["access_key_id"] and len(key["access_key_secret"]) == 40
    listed = (await ann.get("/access_keys")).json()["items"]
    assert [each["id"] for each in listed] == [key["id"]]
    assert key["access_key_secret"] not in str(listed)
    stored = inside_hub.database.people.access_keys(inside_hub.id_of("ann"))[0]
    assert key["access_key_secret"].encode() not in stored.ciphertext
    opened = inside_hub.vault.open(stored.ciphertext, access_keys.purpose(key["id"]))
    assert opened == {"secret": key["access_key_secret"]}
    entry = inside_hub.database.journal.audit(actor="ann", thing=key["id"])[0]
    assert entry.action == "access_key.create" and key["access_key_secret"] not in str(entry)
    assert (await ann.delete(f"/access_keys/{key['id']}")).status_code == 204
    assert (await ann.delete(f"/access_keys/{key['id']}")).status_code == 404


async def test_only_admins_touch_keys_of_others(inside_hub: inside.Hub) -> None:
    ann, bob, root = await inside_hub.user("ann"), await inside_hub.user("bob"), await inside_hub.user("root")
    key = (await ann.post("/access_keys")).json()["id"]
    for name in ("ann", "nobody"):
        assert (await bob.post("/access_keys", user=name)).status_code == 403
        assert (await bob.get(f"/access_keys?user={name}")).status_code == 403
    assert (await bob.delete(f"/access_keys/{key}")).status_code == 404
    other = (await root.post("/access_keys", user="ann")).json()
    assert other["user"] == "ann"
    assert len((await root.get("/access_keys?user=ann")).json()["items"]) == 2
    assert (await root.delete(f"/access_keys/{key}")).status_code == 204


@pytest.mark.parametrize(
    ("scopes", "status"),
    [
        ("own", 403),
        ("own boards:read", 403),
        ("own boards:write!workspace=ann", 403),
        ("own boards:write", 201),
        ("admin", 201),
        ("", 201),
    ],
)
async def test_a_token_makes_no_stronger_key(inside_hub: inside.Hub, scopes: str, status: int) -> None:
    await inside_hub.user("ann")
    client = await inside_hub.user("ann", scopes=tuple(scopes.split()))
    assert (await client.post("/access_keys")).status_code == status


async def test_a_key_does_not_outlive_the_token_that_made_it(inside_hub: inside.Hub) -> None:
    ann = await inside_hub.user("ann")
    short = inside_hub.client((await ann.post("/tokens", name="day", expires_in="1d")).json()["token"])
    assert (await short.post("/access_keys", expires_in="never")).status_code == 403
    assert (await short.post("/access_keys", expires_in="2d")).status_code == 403
    assert (await short.post("/access_keys")).json()["expires"] == "1970-01-13T13:46:40.000Z"
    assert (await short.post("/access_keys", expires_in="1h")).json()["expires"] == "1970-01-12T14:46:40.000Z"


async def test_an_account_has_a_bounded_number_of_keys(inside_hub: inside.Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_keys, "MOST_KEYS", 2)
    ann = await inside_hub.user("ann")
    assert [(await ann.post("/access_keys")).status_code for _ in range(3)] == [201, 201, 409]
