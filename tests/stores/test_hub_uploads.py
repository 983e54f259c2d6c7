"""Uploads of a hub whose store is a bucket: moved there, released from the disk, read back, continued, deleted."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import pathlib
import random
import shutil
import signal
import uuid
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest
from hub import hubs
from hub.uploads import conftest as uploads_
from hub.uploads.test_boards_of_uploads import opened, runs_of
from stores import injected, logs_of, proxy, seaweed, signing

from lightboard import client

pytestmark = pytest.mark.object_store

BUCKET = "uploads"
REFUSES = injected.Always(injected.SLOW_DOWN, ("LIST", "GET", "HEAD", "PUT", "POST", "DELETE"))


class Place(uploads_.Place):
    """A hub whose uploads are in a bucket, below a prefix of its own."""

    prefix: str = ""
    s3: signing.S3Client

    def objects(self, upload: client.Upload) -> dict[str, bytes]:
        """Paths and bytes, as another program finds them."""
        begin = f"{self.prefix}/{upload.id}/"
        query = {"list-type": "2", "prefix": begin, "max-keys": "1000"}
        listing = ET.fromstring(self.s3.request("GET", BUCKET, parameters=query).body)
        keys = [each.text or "" for each in listing.iter() if each.tag.endswith("}Key")]
        return {key[len(begin) :]: self.s3.get(BUCKET, key) for key in keys}

    def is_released(self, upload: client.Upload) -> bool:
        return not any(names for _, _, names in os.walk(self.stored(upload)))


def configured(folder: pathlib.Path, endpoint: str, prefix: str, *, local_copy: str = "1s", key: str = "") -> str:
    """Writes hub.toml and the file of its secret; returns the path of the first."""
    folder.mkdir(parents=True, exist_ok=True)
    members = {"endpoint": endpoint, "key": key or seaweed.KEY, "secret": seaweed.SECRET}
    lines = [f"{name} = {json.dumps(value)}" for name, value in members.items()]
    (folder / "storage.toml").write_text("[secrets.hub]\n" + "\n".join(lines) + "\n[limits]\nretries = 0\n")
    (folder / "hub.toml").write_text(
        f'[uploads]\nstore = "s3://hub@{BUCKET}/{prefix}"\n'
        f"storage = {json.dumps(str(folder / 'storage.toml'))}\nlocal_copy = {json.dumps(local_copy)}\n"
    )
    return str(folder / "hub.toml")


@contextlib.contextmanager
def hub_with(
    folder: pathlib.Path, server: seaweed.Seaweed, endpoint: str = "", *, local_copy: str = "1s"
) -> Iterator[Place]:
    prefix = f"of the hub/{uuid.uuid4().hex}"
    with contextlib.closing(server.client()) as s3:
        s3.make_bucket(BUCKET)
        words = ["--config", configured(folder, endpoint or server.endpoint, prefix, local_copy=local_copy)]
        with hubs.running(folder / "hub", *words) as hub:
            place = Place(hub, itertools.count(1))
            object.__setattr__(place, "prefix", prefix)
            object.__setattr__(place, "s3", s3)
            yield place


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, seaweed_server: seaweed.Seaweed) -> Iterator[Place]:
    with hub_with(tmp_path_factory.mktemp("bucket"), seaweed_server) as made:
        yield made


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Files of all sizes, one of which is put in parts, with names of many languages."""
    top = tmp_path / "logs"
    chance = random.Random(7)
    for number, size in enumerate([0, 1, 4096, (1 << 20) + 1]):
        for run in ("a", "深度学习/运行 1", "naïve, β=0.5%#?&", "x" * 100):
            file = top / run / f"events.out.tfevents.{number}.host"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(chance.randbytes(size))
    (top / "a" / "events.out.tfevents.9.large").write_bytes(chance.randbytes(33 << 20))
    return top


def test_files_reach_the_bucket_leave_the_disk_and_come_back_as_they_were(
    place: Place, logs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    sent = uploads_.contents(logs)
    with place.connected() as hub:
        upload = hub.uploads.create()
        upload.send(logs)
        assert (upload.data["pending_files"], upload.data["store_problem"]) == (0, "")
        assert place.objects(upload) == sent
        hubs.until(lambda: place.is_released(upload), what="the copy on disk is gone")
        assert {each["path"]: each["size"] for each in upload.stored()} == {path: len(sent[path]) for path in sent}
        assert upload.export(tmp_path / "out") == len(sent)
        assert uploads_.contents(tmp_path / "out") == sent
        assert (upload.refresh().files, upload.bytes) == (len(sent), sum(map(len, sent.values())))
        # nothing is sent again, and a file that grew is continued
        grown = logs / "a" / "events.out.tfevents.2.host"
        grown.write_bytes(grown.read_bytes() + b"more")
        assert upload.send(logs).bytes == 4
        assert place.objects(upload) == uploads_.contents(logs)
        # a file that was replaced, and became shorter
        grown.write_bytes(b"new")
        upload.send(logs)
        assert place.objects(upload) == uploads_.contents(logs)
        assert upload.delete() == []
        assert place.objects(upload) == {}
        assert not place.stored(upload).parent.exists()


def test_a_board_reads_the_disk_and_later_the_bucket(place: Place, tmp_path: pathlib.Path) -> None:
    _, token = place.person()
    logs = tmp_path / "logs"
    shutil.copytree(uploads_.SAMPLES / "keras_fit" / "logs", logs)
    with client.Hub(place.hub.url, token) as hub:
        upload = hub.uploads.create()
        upload.send(logs)
        hubs.until(lambda: place.is_released(upload), what="the copy on disk is gone")
        opened(place, upload, token)
        expected = {str(each.parent.relative_to(logs)) for each in logs.rglob("*tfevents*")}
        assert set(hubs.until(lambda: runs_of(place, upload, token), what="runs")) == expected
        assert place.is_released(upload)
        (logs / "later").mkdir()
        (logs / "later" / logs_of.NAME).write_bytes(logs_of.scalars(range(3)))
        upload.send(logs)
        hubs.until(lambda: "later" in runs_of(place, upload, token), what="the new run")
        # no other board gets the hub's secret
        for uri in (f"s3://uploads--store@{BUCKET}/{place.prefix}", f"upload://{upload.id}"):
            with pytest.raises(client.HubError):
                hub.boards.create(uri)
        assert upload.delete() == []


def test_a_running_board_keeps_the_copy_on_disk(seaweed_server: seaweed.Seaweed, tmp_path: pathlib.Path) -> None:
    with hub_with(tmp_path, seaweed_server, local_copy="3s") as place:
        _, token = place.person()
        with client.Hub(place.hub.url, token) as hub:
            upload = hub.uploads.create()
            upload.send(uploads_.SAMPLES / "keras_fit" / "logs")
            opened(place, upload, token)
            other = hub.uploads.create()
            other.send(uploads_.SAMPLES / "keras_fit" / "logs")
            hubs.until(lambda: place.is_released(other), what="the copy of the other one is gone")
            assert not place.is_released(upload)
            hub.boards.get(upload.data["board"]).stop()
            hubs.until(lambda: place.is_released(upload), what="the copy on disk is gone")


def test_a_bucket_that_refuses_loses_nothing(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, tmp_path: pathlib.Path, logs: pathlib.Path
) -> None:
    with hub_with(tmp_path, seaweed_server, between.endpoint) as place, place.connected() as hub:
        between.plan = REFUSES
        upload = hub.uploads.create()
        upload.send(logs)
        assert upload.data["pending_files"] == len(uploads_.contents(logs))
        problem = hubs.until(lambda: upload.refresh().data["store_problem"], what="a problem")
        assert "storage." in problem and seaweed.SECRET not in problem
        _, stranger = place.person()
        hub.boards.get(upload.data["board"]).change(visibility="public", confirm_public=True)
        with client.Hub(place.hub.url, stranger) as other:  # the bucket's name is not for everybody
            assert other.uploads.get(upload.id).data["store_problem"] == ""
        assert "uploads stay on the hub's disk" in place.hub.log()
        assert uploads_.contents(place.stored(upload)) == uploads_.contents(logs)
        between.plan = injected.Pass()
        hubs.until(lambda: not upload.refresh().data["pending_files"], what="everything is in the bucket")
        assert place.objects(upload) == uploads_.contents(logs)
        hubs.until(lambda: place.is_released(upload), what="the copy on disk is gone")
        # an export, a file that is continued and a delete say what is wrong
        between.plan = REFUSES
        with pytest.raises(client.HubError, match=r"storage\.slow_down"):
            upload.export(tmp_path / "out")
        grown = logs / "a" / "events.out.tfevents.2.host"
        grown.write_bytes(grown.read_bytes() + b"more")
        sender = upload.sender(logs, patience_secs=1.0)
        sender.begin()
        with pytest.raises(client.HubError, match=r"storage\.slow_down"):
            sender.turn()
        sender.close()
        between.plan = injected.Pass()
        upload.send(logs)
        assert place.objects(upload) == uploads_.contents(logs)
        between.plan = REFUSES
        left = upload.delete()
        assert left and BUCKET in left[0] and upload.refresh().data["deleting"]
        between.plan = injected.Pass()
        assert upload.delete() == []
        assert place.objects(upload) == {}


def test_a_hub_that_was_killed_goes_on_where_it_was(
    seaweed_server: seaweed.Seaweed, between: proxy.Proxy, tmp_path: pathlib.Path, logs: pathlib.Path
) -> None:
    with hub_with(tmp_path, seaweed_server, between.endpoint) as place:
        between.plan = REFUSES
        with place.connected() as hub:
            upload = hub.uploads.create()
            upload.send(logs)
            assert upload.data["pending_files"]
        place.hub.stop(signal.SIGKILL)
        between.plan = injected.Pass()
        with hubs.running(tmp_path / "hub", "--config", str(tmp_path / "hub.toml")):
            hubs.until(lambda: place.objects(upload) == uploads_.contents(logs), what="everything is in the bucket")
            hubs.until(lambda: place.is_released(upload), what="the copy on disk is gone")
        # without the bucket, or with another one, the hub does not start
        (tmp_path / "directory.toml").write_text(f"[uploads]\nstore = {json.dumps(str(tmp_path / 'directory'))}\n")
        other = configured(tmp_path / "other", seaweed_server.endpoint, "elsewhere")
        for words in ([], ["--config", str(tmp_path / "directory.toml")], ["--config", other]):
            with pytest.raises(AssertionError, match="files of uploads are in"):
                hubs.start(tmp_path / "hub", *words)


def test_a_wrong_key_is_told(seaweed_server: seaweed.Seaweed, tmp_path: pathlib.Path, logs: pathlib.Path) -> None:
    config = configured(tmp_path, seaweed_server.endpoint, "x", key="NOBODY0001")
    with hubs.running(tmp_path / "hub", "--config", config) as hub, client.Hub(hub.url, hub.admin_token) as admin:
        upload = admin.uploads.create()
        upload.send(logs)
        assert "storage.wrong_key" in hubs.until(lambda: upload.refresh().data["store_problem"], what="a problem")
