"""Manifests over REST: which board they mean, applied again, hostile files."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
import yaml
from hub.api import hubs

from lightboard.hub import life
from lightboard.hub.api import yaml_documents
from lightboard.hub.life import manifests


def ours(hub: hubs.Hub, name: str = "mnist", **spec: Any) -> str:
    manifest = {
        "apiVersion": "boards.lightboard.dev/v1",
        "kind": "Board",
        "metadata": {"name": name, "labels": {"team": "vision"}},
        "spec": {"sources": [{"uri": str(hub.root / "mnist")}], **spec},
    }
    return yaml.safe_dump(manifest)


async def applied(client: httpx.AsyncClient, text: str, **more: Any) -> list[Any]:
    answer = await client.post("/manifests:apply", json={"text": text, **more})
    assert answer.status_code == 200, answer.text
    items: list[Any] = answer.json()["items"]
    return items


async def test_a_manifest_creates_changes_and_then_changes_nothing(hub: hubs.Hub) -> None:
    async with hub.client("editor") as client:
        (made,) = await applied(client, ours(hub, displayName="MNIST", idleAfter="2h"))
        board = made["board"]
        assert made["result"] == "created" and board["name"] == "MNIST" and board["idle_after"] == 7200
        assert board["labels"] == {"team": "vision"} and board["workspace"] == "editor"
        (again,) = await applied(client, ours(hub, displayName="MNIST", idleAfter="2h"))
        assert again["result"] == "unchanged" and again["board"]["id"] == board["id"]
        (changed,) = await applied(client, ours(hub, displayName="MNIST 2"))
        assert changed["result"] == "changed" and changed["board"]["id"] == board["id"]
        assert changed["board"]["idle_after"] is None


async def test_what_get_writes_is_unchanged_when_it_is_applied(hub: hubs.Hub) -> None:
    hub.database.settings.put_limit("account:u-owner", None)
    hubs.add_board(hub.database, "plain", name="Ünïcode: {yes}", labels={"a": "1"})
    policy = life.Policy(5400.0, 90061.5, 0.0)
    sources = (life.Source("s3://bucket/a", "x", "keys"), life.Source("/logs/b"))
    hubs.add_board(hub.database, "rich", policy=policy, sources=sources, visibility=life.Visibility.WORKSPACE)
    async with hub.client("owner") as client:
        (made,) = await applied(client, ours(hub))
        for name in ("b-plain", "b-rich", made["board"]["id"]):
            shown = await client.get(f"/boards/{name}/manifest")
            assert shown.headers["content-type"].startswith("application/yaml")
            (again,) = await applied(client, shown.text)
            assert (again["result"], again["board"]["id"]) == ("unchanged", name), shown.text
        assert "name: mnist" in shown.text  # the name of the file, not the id


async def test_a_board_that_people_created_is_not_taken_by_its_name(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "one", name="mnist", workspace="editor", owner="u-editor")
    async with hub.client("editor") as client:
        (made,) = await applied(client, ours(hub))
        assert made["result"] == "created"
        deleted = (await client.post("/manifests:delete", json={"text": ours(hub)})).json()["items"]
        assert deleted == [{"name": "mnist", "result": "deleted"}]
        again = (await client.post("/manifests:delete", json={"text": ours(hub)})).json()["items"]
        assert again == [{"name": "mnist", "result": "absent"}]
        assert (await client.get("/boards/b-one")).status_code == 200


async def test_suspend_stops_and_starts_and_says_nothing_if_it_is_absent(hub: hubs.Hub) -> None:
    async with hub.kept(), hub.client("editor") as client:
        (made,) = await applied(client, ours(hub, suspend=True))
        assert (made["board"]["state"], made["board"]["reason"]) == ("Stopped", "User")
        assert (await applied(client, ours(hub)))[0]["result"] == "unchanged"
        (started,) = await applied(client, ours(hub, suspend=False))
        assert started["result"] == "changed" and started["board"]["desired"] == "Run"
        board = (await client.get(f"/boards/{started['board']['id']}?wait=20")).json()
        assert board["state"] == "Running"
        (stopped,) = await applied(client, ours(hub, suspend=True))
        assert stopped["board"]["desired"] == "Stop"
        await client.get(f"/boards/{board['id']}?wait=20")
        shown = (await client.get(f"/boards/{board['id']}/manifest")).text
        assert yaml.safe_load(shown)["spec"]["suspend"] is True
        assert (await applied(client, shown))[0]["result"] == "unchanged"


async def test_other_kinds_and_several_documents(hub: hubs.Hub) -> None:
    text = f"""
apiVersion: tensorstack.dev/v1beta1
kind: TensorBoard
metadata: {{name: t9k}}
spec:
  trainingLogFilesets: ["pvc://claim/train"]
  resources: {{limits: {{cpu: 1}}}}
---
apiVersion: tensorboard.kubeflow.org/v1alpha1
kind: Tensorboard
metadata: {{name: kubeflow, namespace: team}}
spec: {{logspath: "{hub.root}"}}
---
"""
    async with hub.client("editor") as client:
        first, second = await applied(client, text)
        assert first["board"]["sources"][0]["uri"] == "pvc://claim/train" and first["board"]["workspace"] == "editor"
        assert first["ignored"] == ["document 1.spec.resources"]
        assert second["board"]["workspace"] == "team" and second["board"]["name"] == "kubeflow"
        assert [each["result"] for each in await applied(client, text)] == ["unchanged", "unchanged"]


async def test_nothing_is_applied_if_one_document_is_wrong(hub: hubs.Hub) -> None:
    wrong = [
        ours(hub, "b", sources=[{"uri": "/etc"}]),
        ours(hub, "b", idleAfter="1s"),
        ours(hub, "b", access={"visibility": "public"}),
        ours(hub, "b", access={"workspace": "elsewhere"}),
        ours(hub, "a"),
        "apiVersion: v1\nkind: Pod\n",
    ]
    async with hub.client("editor") as client:
        for text in wrong:
            answer = await client.post("/manifests:apply", json={"text": ours(hub, "a") + "---\n" + text})
            assert answer.status_code in (400, 404, 422), (text, answer.text)
        assert (await client.get("/boards")).json()["total"] == 0


async def test_of_several_that_hit_the_limit_each_says_how_it_ended(hub: hubs.Hub) -> None:
    hub.database.settings.put_limit("account:u-editor", 2)
    text = "---\n".join(ours(hub, name) for name in "abc")
    async with hub.client("editor") as client:
        items = await applied(client, text)
        assert [each["result"] for each in items] == ["created", "created", "failed"]
        assert items[2]["problem"]["code"] == "TensorboardLimitExceeded" and items[2]["board"] is None
        alone = await client.post("/manifests:apply", json={"text": ours(hub, "c")})
        assert alone.status_code == 403 and alone.json()["code"] == "TensorboardLimitExceeded"
        (stopped,) = await applied(client, ours(hub, "c", suspend=True))  # uses no slot
        assert stopped["result"] == "created"


async def test_prune_deletes_own_boards_from_manifests_only(hub: hubs.Hub) -> None:
    hubs.add_board(hub.database, "own", workspace="team", owner="u-editor")
    hubs.add_board(hub.database, "other", source_type="manifest", source_id="other")
    async with hub.client("editor") as client:
        await applied(client, "---\n".join(ours(hub, name) for name in "ab"), workspace="team")
        items = await applied(client, ours(hub, "a"), workspace="team", prune=True)
        assert [(each["name"], each["result"]) for each in items] == [("a", "unchanged"), ("b", "deleted")]
    assert hub.database.boards.get("b-own").state is life.State.PENDING
    assert hub.database.boards.get("b-other").state is life.State.PENDING


async def test_manifests_of_others_are_refused_or_do_not_exist(hub: hubs.Hub) -> None:
    shown = {"source_type": "manifest", "visibility": life.Visibility.WORKSPACE}
    hubs.add_board(hub.database, "seen", source_id="seen", **shown)
    hubs.add_board(hub.database, "hidden", source_type="manifest", source_id="hidden")
    async with hub.client("editor") as client:
        for path in ("apply", "delete"):
            body = {"text": ours(hub, "seen"), "workspace": "team"}
            assert (await client.post(f"/manifests:{path}", json=body)).status_code == 403
        body = {"text": ours(hub, "hidden"), "workspace": "team"}
        assert (await client.post("/manifests:delete", json=body)).json()["items"][0]["result"] == "absent"
        (made,) = await applied(client, body["text"], workspace="team")
        assert made["result"] == "created" and made["board"]["owner"] == "editor"
        foreign = {"text": ours(hub, "b-hidden"), "workspace": "team"}
        assert (await client.post("/manifests:apply", json=foreign)).json()["items"][0]["result"] == "created"
    async with hub.client("viewer") as client:
        body = {"text": ours(hub, "new"), "workspace": "team"}
        assert (await client.post("/manifests:apply", json=body)).status_code == 403


BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(98 + number)}: &{chr(98 + number)} [{', '.join([f'*{chr(97 + number)}'] * 9)}]\n" for number in range(9)
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "[" * 5000,
        "a: [" * 200,
        "a: {" * 3000 + "}" * 3000,
        "- x\n" * 60_000,
        "x: " + "1:" * 50_000 + "1",
        "x: " + "9" * 4000,
        "x: 2020-13-45",
        "!!python/object/apply:os.system ['true']",
        "a: b: c",
        "\t- x",
        "x: \x00",
        "x" * (300 << 10),
        "---\n" * 20_000,
        "",
        "? {a: 1}\n: 2",
        "? [a]\n: 2",
    ],
    ids=range(17),
)
@pytest.mark.timeout(20)  # without bounds some take minutes
def test_hostile_files_are_refused(text: str) -> None:
    with pytest.raises(manifests.BadManifest):
        manifests.definitions(yaml_documents.read(text))


async def test_a_hostile_file_over_rest(hub: hubs.Hub) -> None:
    async with hub.client("editor") as client:
        answer = await client.post("/manifests:apply", json={"text": BOMB})
    assert answer.status_code == 400 and answer.json()["code"] == "InvalidManifest" and "alias" in answer.text
