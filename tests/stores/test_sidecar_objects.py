"""Annotations and views beside the logs in a real bucket: several boards at once, and one that may only read."""

from __future__ import annotations

import contextlib
import pathlib
import threading
import uuid

import pytest
from stores import logs_of, places, seaweed

from lightboard import board, logdir, types
from lightboard.storage import settings

pytestmark = pytest.mark.object_store

BUCKET = places.BUCKET  # the one that the reader of SeaweedFS may read


@pytest.fixture(autouse=True)
def own_directory(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setenv("LIGHTBOARD_DATA_DIR", str(tmp_path / "own"))
    return tmp_path / "own"


@pytest.fixture
def uri(seaweed_server: seaweed.Seaweed) -> str:
    prefix = uuid.uuid4().hex
    with contextlib.closing(seaweed_server.client()) as client:
        client.make_bucket(BUCKET)
        client.put(BUCKET, f"{prefix}/run/{logs_of.NAME}", logs_of.scalars(range(3)))
    return f"s3://store@{BUCKET}/{prefix}"


def opened(uri: str, storage: pathlib.Path) -> board.Board:
    found = settings.load(str(storage))
    roots = [logdir.Root("", logdir.root_of(uri, found))]
    options = board.Options(index=False, sidecar="beside")
    made = board.Board(logdir.spec_of(roots), options, systems=logdir.FileSystems(settings=found))
    made.load()
    return made


def test_boards_share_what_lies_beside_the_logs(
    seaweed_server: seaweed.Seaweed, uri: str, tmp_path: pathlib.Path
) -> None:
    storage = places.s3_settings(tmp_path, seaweed_server.endpoint)
    boards = [opened(uri, storage) for _ in range(3)]

    def write(number: int) -> None:
        for count in range(4):
            boards[number].sidecar.annotate({f"{number}-{count}": {"name": "x"}})
        boards[number].sidecar.save_view(f"view {number}", "x=1")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    last = opened(uri + "/", storage)
    assert len(last.store.annotations) == 12
    assert [each.name for each in last.sidecar.views()] == ["view 0", "view 1", "view 2"]
    for each in (*boards, last):
        each.stop()


def test_a_bucket_that_may_only_be_read(
    seaweed_server: seaweed.Seaweed, uri: str, tmp_path: pathlib.Path, own_directory: pathlib.Path
) -> None:
    writer = opened(uri, places.s3_settings(tmp_path, seaweed_server.endpoint))
    writer.sidecar.annotate({"run": {"name": "theirs", "note": "kept"}})
    (tmp_path / "reader").mkdir()
    storage = places.settings(
        tmp_path / "reader", endpoint=seaweed_server.endpoint, key=seaweed.READER_KEY, secret=seaweed.READER_SECRET
    )
    reader = opened(uri, storage)
    reader.sidecar.annotate({"run": {"name": "mine"}})
    assert reader.store.annotations == {"run": types.Annotation("mine", "kept")}
    (notice,) = reader.sidecar.notices()
    assert notice.code == "notes.elsewhere" and reader.sidecar.directory.startswith(str(own_directory))
    for each in (writer, reader):
        each.stop()
