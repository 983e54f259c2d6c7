"""Secrets of workspaces: tried when they are saved, encrypted, replaced as a whole, never shown."""

from __future__ import annotations

import asyncio
import base64
import http.server
import pathlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hub.api import inside

from lightboard.hub import life
from lightboard.hub.api import secrets

HIDDEN = "hidden-secret-value-123"
S3 = {
    "access_key": "AKIAEXAMPLE1234",
    "secret_key": HIDDEN,
    "endpoint": "https://minio.example.org",
    "region": "eu-west-1",
}


async def lab(hub: inside.Hub) -> tuple[inside.Client, inside.Client, inside.Client]:
    """An admin, an editor and a viewer of the workspace `lab`."""
    owner = await hub.user("owner")
    await owner.post("/workspaces", id="lab")
    clients = []
    for role in ("admin", "editor", "viewer"):
        clients.append(await hub.user(role + "-person"))
        await owner.post("/workspaces/lab/members", user=role + "-person", role=role)
    admin, editor, viewer = clients
    return admin, editor, viewer


def opened(hub: inside.Hub, name: str) -> dict[str, str]:
    secret = hub.database.workspaces.secret("lab", name)
    assert secret is not None
    return hub.vault.open(secret.ciphertext, f"secret:lab/{secret.id}")


def stored(folder: pathlib.Path) -> str:
    return b"".join(each.read_bytes() for each in folder.glob("hub.sqlite3*")).decode("latin-1")


async def test_a_secret_is_saved_and_never_shown(inside_hub: inside.Hub, tmp_path: pathlib.Path) -> None:
    admin, editor, viewer = await lab(inside_hub)
    made = await admin.post("/workspaces/lab/secrets", name="minio", kind="s3", members=S3)
    assert made.status_code == 201
    secret = made.json()
    assert secret["shown"] == {"endpoint": "https://minio.example.org", "region": "eu-west-1", "principal": "AKIA…"}
    assert secret["check"] == {"ok": None, "message": "not tested: no place was named", "code": "", "hint": ""}
    assert secret["checked"] is None
    assert (secret["created_by"], secret["kind"], secret["used_by"]) == ("admin-person", "s3", [])
    listed = await editor.get("/workspaces/lab/secrets")
    assert [each["name"] for each in listed.json()["items"]] == ["minio"]
    assert (await viewer.get("/workspaces/lab/secrets")).status_code == 403
    assert opened(inside_hub, "minio") == S3
    audit = str(inside_hub.database.journal.audit())
    for text in (made.text, listed.text, audit, stored(tmp_path)):
        assert HIDDEN not in text and "EXAMPLE1234" not in text


async def test_a_secret_of_another_place_does_not_open(inside_hub: inside.Hub) -> None:
    admin, *_ = await lab(inside_hub)
    for name in ("one", "two"):
        await admin.post("/workspaces/lab/secrets", name=name, kind="s3", members=S3)
    two = inside_hub.database.workspaces.secret("lab", "two")
    assert two is not None
    inside_hub.database.workspaces.change_secret("lab", "one", ciphertext=two.ciphertext)
    answer = await admin.post("/workspaces/lab/secrets/one:check", place="s3://bucket")
    assert (answer.status_code, answer.json()["code"]) == (422, "SecretUnreadable")


async def test_roles(inside_hub: inside.Hub) -> None:
    _, editor, viewer = await lab(inside_hub)
    body = {"name": "minio", "kind": "s3", "members": S3}
    mallory = await inside_hub.user("mallory")
    for client, code in ((viewer, 403), (editor, 403), (mallory, 404), (inside_hub.client(), 401)):
        for method, path in (
            ("POST", ""), ("PUT", "/minio"), ("DELETE", "/minio"), ("POST", ":check"),
        ):  # fmt: skip
            sent = None if method == "DELETE" else body if path != ":check" else {"kind": "s3", "members": S3}
            answer = await client.send(method, f"/workspaces/lab/secrets{path}", sent)
            assert answer.status_code == code, (method, path)
    assert (await viewer.post("/workspaces/lab/secrets/minio:check")).status_code == 403
    assert (await editor.post("/workspaces/lab/secrets/minio:check")).status_code == 404
    assert inside_hub.database.workspaces.secrets("lab") == []


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"name": ""}, "InvalidName"),
        ({"name": "A b"}, "InvalidName"),
        ({"name": "x" * 64}, "InvalidName"),
        ({"kind": "ftp"}, "SecretUnfit"),
        ({"members": {}}, "SecretKeyMissing"),
        ({"members": {**S3, "profile": "default"}}, "SecretUnfit"),
        ({"members": {**S3, "credentials_file": "/etc/passwd"}}, "SecretUnfit"),
        ({"members": {**S3, "ca": "/etc/passwd"}}, "SecretUnfit"),
        ({"members": {**S3, "endpoint": "file:///etc"}}, "SecretUnfit"),
        ({"members": {**S3, "endpoint": "http://user:pw@host"}}, "SecretUnfit"),
        ({"members": {**S3, "secret_key": "a\r\nHost: evil"}}, "SecretUnfit"),
        ({"members": {**S3, "secret_key": "x" * 20_000}}, "SecretUnfit"),
        ({"members": {**S3, "secret_key": 7}}, "BadRequest"),
        ({"members": None}, "BadRequest"),
        ({"id": "s-1"}, "BadRequest"),
    ],
)
async def test_odd_secrets_are_refused_without_their_values(
    inside_hub: inside.Hub, body: dict[str, Any], code: str
) -> None:
    admin, *_ = await lab(inside_hub)
    sent = {"name": "minio", "kind": "s3", "members": S3, "save_anyway": True, **body}
    answer = await admin.send("POST", "/workspaces/lab/secrets", sent)
    assert answer.status_code in (400, 422) and answer.json()["code"] == code
    assert HIDDEN not in answer.text
    assert inside_hub.database.workspaces.secrets("lab") == []


async def test_of_several_with_one_name_one_is_saved(inside_hub: inside.Hub) -> None:
    admin, *_ = await lab(inside_hub)
    answers = await asyncio.gather(
        *(
            admin.post("/workspaces/lab/secrets", name="minio", kind="s3", members={**S3, "region": f"r{number}"})
            for number in range(6)
        )
    )
    assert sorted(each.status_code for each in answers) == [201] + [409] * 5
    (winner,) = (each.json()["shown"]["region"] for each in answers if each.status_code == 201)
    assert opened(inside_hub, "minio")["region"] == winner


async def test_a_change_replaces_the_whole_secret_and_renews_boards(inside_hub: inside.Hub) -> None:
    admin, editor, _ = await lab(inside_hub)
    await admin.post("/workspaces/lab/secrets", name="minio", kind="s3", members={**S3, "session_token": "old"})
    everyone = life.Visibility.WORKSPACE
    inside_hub.board("b-1", "lab", "owner", sources=(life.Source("s3://x", secret="minio"),), visibility=everyone)
    inside_hub.board("b-2", "lab", "owner", sources=(life.Source("t9k://minio/minio/x"),))
    inside_hub.board("b-3", "lab", "owner", sources=(life.Source("s3://minio@x"),), visibility=everyone)
    inside_hub.board("b-4", "lab", "owner", sources=(life.Source("s3://x"), life.Source("no address://")))
    inside_hub.board("b-5", "owner", "owner", sources=(life.Source("s3://x", secret="minio"),))
    (shown,) = (await admin.get("/workspaces/lab/secrets")).json()["items"]
    assert sorted(shown["used_by"]) == ["b-1", "b-2", "b-3"]
    (shown,) = (await editor.get("/workspaces/lab/secrets")).json()["items"]
    assert sorted(shown["used_by"]) == ["b-1", "b-3"], "private boards are not told"
    changed = await admin.put("/workspaces/lab/secrets/minio", kind="s3", members={**S3, "secret_key": "other"})
    assert changed.status_code == 200
    assert opened(inside_hub, "minio") == {**S3, "secret_key": "other"}
    revisions = {each.id: each.revision for each in inside_hub.database.boards.active()}
    assert revisions == {"b-1": 2, "b-2": 2, "b-3": 2, "b-4": 1, "b-5": 1}
    event = inside_hub.database.journal.events("b-1")[0]
    assert (event.kind, event.reason, event.actor) == ("Changed", "SecretChanged", inside_hub.id_of("admin-person"))
    renamed = await admin.put("/workspaces/lab/secrets/minio", kind="s3", members=S3, name="other")
    assert renamed.status_code == 400
    assert (await admin.put("/workspaces/lab/secrets/none", kind="s3", members=S3)).status_code == 404


async def test_who_changes_a_secret_is_who_saved_it(inside_hub: inside.Hub) -> None:
    """Boards reach inner servers only by endpoints that an admin of the hub saved: they cannot be replaced quietly."""
    admin, *_ = await lab(inside_hub)
    root = await inside_hub.user("root")
    inner = {**S3, "endpoint": "http://127.0.0.1:9"}
    await root.post("/workspaces/lab/secrets", name="minio", kind="s3", members=inner)
    source = life.Source("s3://bucket/logs", secret="minio")
    inside_hub.sources.check("lab", [source], admin=False)
    changed = await admin.put(
        "/workspaces/lab/secrets/minio", kind="s3", members={**inner, "endpoint": "http://127.0.0.1:10"}
    )
    assert changed.json()["created_by"] == "admin-person"
    with pytest.raises(Exception, match="private network"):
        inside_hub.sources.check("lab", [source], admin=False)
    refused = await admin.post("/workspaces/lab/secrets:check", kind="s3", members=inner, check="s3://bucket")
    assert refused.json()["ok"] is False and "private network" in refused.json()["message"]


async def test_a_used_secret_is_deleted_only_by_force(inside_hub: inside.Hub) -> None:
    admin, *_ = await lab(inside_hub)
    await admin.post("/workspaces/lab/secrets", name="minio", kind="s3", members=S3)
    inside_hub.board("b-1", "lab", "owner", sources=(life.Source("s3://x", secret="minio"),))
    refused = await admin.delete("/workspaces/lab/secrets/minio")
    assert (refused.status_code, refused.json()["code"]) == (409, "Conflict")
    assert refused.json()["boards"] == [{"id": "b-1", "name": "Board b-1", "state": "Pending"}]
    assert (await admin.delete("/workspaces/lab/secrets/minio?force=1")).status_code == 204
    assert (await admin.delete("/workspaces/lab/secrets/minio")).status_code == 404
    assert inside_hub.database.boards.get("b-1").revision == 2
    await admin.post("/workspaces/lab/secrets", name="minio", kind="s3", members=S3)
    inside_hub.database.boards.remove("b-1")
    assert (await admin.delete("/workspaces/lab/secrets/minio")).status_code == 204


def test_what_is_shown_of_keys() -> None:
    assert secrets._may_be_shown({"access_key": "short", "secret_key": "x"}) == {"principal": "…"}
    assert secrets._may_be_shown({"username": "a-long-user-name", "password": "x"}) == {"principal": "a-lo…"}
    assert secrets._may_be_shown({"credentials": '{"private_key": "x"}', "token": "y"}) == {}
    assert secrets._may_be_shown({"account": "logs", "account_key": "x", "sas_token": "y"}) == {"account": "logs"}


def test_messages_of_servers_do_not_repeat_the_secret() -> None:
    members = {"secret_key": "a/b+c= ", "access_key": "AKIA1", "endpoint": "http://h"}
    said = secrets._without(members, "http://h refused AKIA1 with a/b+c= and a%2Fb%2Bc%3D" + "x" * 1000)
    assert said.startswith("http://h refused … with … and …x") and len(said) == secrets.LONGEST_MESSAGE


class Site(http.server.BaseHTTPRequestHandler):
    """A directory with one event file, for one user."""

    def do_GET(self) -> None:
        wanted = "Basic " + base64.b64encode(b"reader:" + HIDDEN.encode()).decode()
        if self.headers.get("Authorization") != wanted:
            self.send_response(401)
            self.send_header("WWW-Authenticate", "Basic")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        body = b'<a href="events.out.tfevents.1.h">events.out.tfevents.1.h</a>' if self.path.endswith("/") else b""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_HEAD = do_GET

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/logs/"
    server.shutdown()
    thread.join()
    server.server_close()


async def test_a_secret_is_tried_when_it_is_saved(inside_hub: inside.Hub, site: str) -> None:
    """With a real server and the real program that tries it."""
    root = await inside_hub.user("root")
    await root.post("/workspaces", id="lab")
    wrong = {"endpoint": site, "username": "reader", "password": "wrong-password-1"}
    right = {**wrong, "password": HIDDEN}
    refused = await root.post("/workspaces/lab/secrets", name="site", kind="web", members=wrong)
    assert refused.status_code == 422 and refused.json()["check"]["ok"] is False
    assert refused.json()["check"]["code"] == refused.json()["code"] == "AccessDenied"
    assert inside_hub.database.workspaces.secrets("lab") == []
    anyway = await root.post("/workspaces/lab/secrets", name="site", kind="web", members=wrong, save_anyway=True)
    assert anyway.status_code == 201 and anyway.json()["check"]["ok"] is False
    assert anyway.json()["check_message"] == refused.json()["message"]
    saved = await root.put("/workspaces/lab/secrets/site", kind="web", members=right)
    assert saved.status_code == 200 and saved.json()["check"]["ok"] is True
    assert saved.json()["check_message"].startswith("lists ") and saved.json()["checked"] is not None
    checked = await root.post("/workspaces/lab/secrets/site:check")
    assert checked.json() == saved.json()["check"]
    for answer in (refused, anyway, saved, checked):
        assert HIDDEN not in answer.text and "wrong-password-1" not in answer.text
