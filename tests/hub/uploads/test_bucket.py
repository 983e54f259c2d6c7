"""A bucket as the store of uploads, in memory: what is moved when, and what races and faults leave behind."""

from __future__ import annotations

import dataclasses
import itertools
import os
import pathlib
import zlib
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("obstore")

from lightboard import errors, storage
from lightboard.hub import db, life
from lightboard.hub.life import accounts
from lightboard.hub.life.uploads import Form, Kept, Place, StoredFile, Upload
from lightboard.hub.tensorboard_dev import files as points_files
from lightboard.hub.uploads import bucket, mover, paths, stored, uploads
from lightboard.storage import connections, settings

SETTINGS = settings.from_document({"secrets": {"hub": {"key": "k", "secret": "s", "endpoint": "http://127.0.0.1:1"}}})
PATH = "run/events.out.tfevents.1.host"


class Clock:
    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class Hub:
    """Uploads whose bucket is in memory. `keys` are its objects."""

    def __init__(self, folder: pathlib.Path, dsn: str) -> None:
        import obstore.store

        self.clock = Clock()
        self.database = db.Database(dsn)
        self.user = accounts.User(id="u-1", name="ada", created=1.0)
        self.database.people.add_user(self.user, accounts.Workspace(id="w", name="w", created=1.0))
        self.bucket = bucket.Bucket("s3://hub@bucket/logs", SETTINGS)
        location = storage.parse("s3://hub@bucket/logs")
        self.memory = obstore.store.MemoryStore()
        self.bucket._connection = connections.Connection(
            self.memory, location, errors.Explanation("memory"), "memory", storage.Limits()
        )
        self.uploads = uploads.Uploads(self.database, folder / "uploads", clock=self.clock, bucket=self.bucket)
        assert self.uploads.copies is not None
        self.copies = self.uploads.copies
        self.mover = mover.Mover(self.database, self.uploads, self.copies, local_secs=100.0)

    def created(self, form: Form = Form.FILES) -> Upload:
        return self.uploads.create(self.user, "w", form=form)

    def found(self, upload: Upload) -> Upload:
        found = self.uploads.find(upload.id)
        assert found is not None
        return found

    def write(self, upload: Upload, data: bytes, path: str = PATH) -> None:
        """As a request that replaced the file."""
        file = self.uploads.directory(upload) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        noted = {path: StoredFile(path, len(data), zlib.crc32(data))}
        self.database.uploads.note(upload.id, noted, self.clock())

    def age(self, upload: Upload) -> None:
        """An hour later, for files on disk, too."""
        top = self.uploads.directory(upload)
        for path in stored.sizes(top):
            os.utime(top / path, (self.clock.now, self.clock.now))
        self.clock.now += 3600

    def object(self, upload: Upload, path: str = PATH) -> bytes:
        import obstore

        return bytes(obstore.get(self.memory, f"logs/{upload.id}/{path}").bytes())

    @property
    def keys(self) -> list[str]:
        import obstore

        return sorted(each["path"] for page in obstore.list(self.memory) for each in page)


@pytest.fixture(params=["sqlite", "postgresql"])
def hub(request: pytest.FixtureRequest, tmp_path: pathlib.Path) -> Iterator[Hub]:
    is_file = request.param == "sqlite"
    dsn = str(tmp_path / "hub.sqlite3") if is_file else request.getfixturevalue("postgres_server").new_database()
    made = Hub(tmp_path, dsn)
    yield made
    made.database.close()


def failing(hub: Hub, monkeypatch: pytest.MonkeyPatch, name: str) -> Callable[[], None]:
    """The bucket refuses one kind of request until the returned function is called."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError("error sending request: Connection refused")

    class Obstore:
        def __getattr__(self, each: str) -> object:
            import obstore

            return refuse if each == name else getattr(obstore, each)

    kept = hub.bucket._connection._obstore
    monkeypatch.setattr(hub.bucket._connection, "_obstore", Obstore())
    return lambda: monkeypatch.setattr(hub.bucket._connection, "_obstore", kept)


def test_a_file_is_moved_once_and_again_when_it_changed(hub: Hub) -> None:
    upload = hub.created()
    hub.write(upload, b"one")
    assert hub.uploads.pending([upload]) == {upload.id: 1}
    assert (hub.mover.turn(), hub.mover.turn()) == (1, 0)
    assert hub.object(upload) == b"one" and hub.uploads.pending([upload]) == {}
    hub.write(upload, b"two")  # as long as the one before
    assert hub.mover.turn() == 1 and hub.object(upload) == b"two"


def test_a_file_that_grows_a_little_waits_while_its_client_sends(hub: Hub) -> None:
    upload = hub.created()
    hub.uploads.begin(upload, size=1, files=1, session="a" * 32)
    hub.write(upload, b"x" * 1600)
    assert hub.mover.turn() == 1
    hub.write(upload, b"x" * 1601)
    assert hub.mover.turn() == 0
    hub.write(upload, b"x" * 3200)
    assert hub.mover.turn() == 1
    hub.write(upload, b"x" * 3201)
    assert hub.mover.turn() == 0
    hub.mover._again_at.clear()  # a minute later
    assert hub.mover.turn() == 1
    hub.write(upload, b"x" * 3202)
    hub.uploads.end(upload, "a" * 32)
    assert hub.mover.turn() == 1 and hub.object(upload) == b"x" * 3202


def test_a_large_file_goes_in_parts_and_breaking_off_leaves_the_object_before(hub: Hub) -> None:
    upload = hub.created()
    hub.write(upload, b"before")
    hub.mover.turn()
    data = os.urandom(20 << 20)
    hub.write(upload, data)
    (moving,) = hub.database.uploads.moving(9, silent_since=0.0)
    pieces = itertools.count()
    with pytest.raises(bucket.Interrupted):
        hub.copies.put(moving, lambda: next(pieces) < 12)
    assert hub.object(upload) == b"before" and not hub.bucket.problem
    assert hub.mover.turn() == 1 and hub.object(upload) == data


def test_many_files_are_moved_and_deleted(hub: Hub) -> None:
    upload = hub.created()
    for number in range(50):
        hub.write(upload, b"%d" % number, f"run{number}/events.out.tfevents.1")
    assert hub.mover.turn() == 50 and len(hub.keys) == 50
    assert hub.object(upload, "run7/events.out.tfevents.1") == b"7"
    assert hub.uploads.delete(upload, "u-1").left == () and hub.keys == []


def test_a_bucket_that_is_down_is_not_asked_for_every_file(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = hub.created()
    for number in range(50):
        hub.write(upload, b"%d" % number, f"run{number}/events.out.tfevents.1")
    failing(hub, monkeypatch, "put")
    assert hub.mover.turn() == 0
    assert mover.MOST_REFUSALS <= len(hub.mover._refused) < mover.MOST_REFUSALS + mover.AT_ONCE


def test_a_fault_is_told_and_tried_again(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    upload = hub.created()
    hub.write(upload, b"one")
    heal = failing(hub, monkeypatch, "put")
    assert hub.mover.turn() == 0
    assert "storage.refused" in hub.bucket.problem and "s3://bucket/logs" in hub.bucket.problem
    assert not hub.uploads.is_moving(upload)
    heal()
    assert hub.mover.turn() == 0  # it waits a little
    hub.mover._refused.clear()
    assert hub.mover.turn() == 1 and not hub.bucket.problem


def test_a_copy_leaves_the_disk_only_when_nobody_needs_it(hub: Hub) -> None:
    upload = hub.created()
    hub.write(upload, b"one")
    hub.age(upload)
    assert hub.mover.release() == 0  # the bucket does not have it
    hub.mover.turn()
    running = {"state": life.State.RUNNING, "desired": life.Desired.RUN}
    board = hub.uploads.board(upload)
    hub.uploads._board = lambda _: dataclasses.replace(board, **running)  # type: ignore[assignment,method-assign,arg-type]
    assert hub.mover.release() == 0 and not hub.found(upload).away
    del hub.uploads._board
    top = os.open(hub.uploads.directory(upload), os.O_RDONLY)
    stored.share(top)  # a request writes
    assert hub.mover.release() == 0
    os.close(top)
    assert hub.uploads.place_of(upload.source, upload.board) == Place(str(hub.uploads.directory(upload)))
    assert hub.mover.release() == 1 and hub.mover.release() == 0
    assert stored.sizes(hub.uploads.directory(upload)) == {}
    place = hub.uploads.place_of(upload.source, upload.board)
    assert place is not None and place.uri == f"s3://bucket/logs/{upload.id}"
    assert place.secret == {"key": "k", "secret": "s", "endpoint": "http://127.0.0.1:1", "trusted": True}
    assert hub.uploads.place_of(upload.source, "b-other") is None
    assert [each.size for each in hub.uploads.files(upload)] == [3]


def test_a_disk_that_lost_a_file_falls_back_to_the_bucket(hub: Hub) -> None:
    upload = hub.created()
    hub.write(upload, b"one")
    hub.mover.turn()
    hub.write(upload, b"one, two")
    (hub.uploads.directory(upload) / PATH).unlink()
    assert hub.mover.turn() == 0
    assert hub.uploads.files(upload) == [StoredFile(PATH, 3, zlib.crc32(b"one"))]
    assert hub.found(upload).bytes == 3
    hub.write(upload, b"x", "events.out.tfevents.2")
    (hub.uploads.directory(upload) / "events.out.tfevents.2").unlink()
    assert [each.path for each in hub.uploads.files(upload)] == [PATH]


def test_a_file_whose_upload_is_deleted_meanwhile_leaves_no_object(hub: Hub) -> None:
    upload = hub.created()
    hub.write(upload, b"one")
    (moving,) = hub.database.uploads.moving(9, silent_since=0.0)
    descriptor = os.open(hub.uploads.directory(upload) / PATH, os.O_RDONLY)
    assert hub.uploads.delete(upload, "u-1").left == ()
    put = hub.bucket.put(upload.id, PATH, descriptor, 3, lambda: True)
    os.close(descriptor)
    assert put == Kept(3, zlib.crc32(b"one")) and hub.keys
    assert not hub.database.uploads.set_kept(upload.id, PATH, put)
    hub.bucket.delete(upload.id, PATH)
    assert hub.keys == [] and hub.mover.turn() == 0
    assert moving.file.path == PATH


def test_delete_says_what_is_left_and_is_repeated(hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    upload, other = hub.created(), hub.created()
    for each in (upload, other):
        hub.write(each, b"one")
    hub.mover.turn()
    heal = failing(hub, monkeypatch, "delete")
    (left,) = hub.uploads.delete(upload, "u-1").left
    assert left.startswith(PATH) and "storage.refused" in left and hub.found(upload).deleting
    heal()
    assert hub.uploads.delete(hub.found(upload), "u-1").left == ()
    assert hub.keys == [f"logs/{other.id}/{PATH}"] and hub.uploads.find(upload.id) is None


def test_points_that_come_after_their_file_left_begin_another_one(hub: Hub) -> None:
    upload = hub.created(Form.POINTS)
    writer = points_files.Files().of(upload.id)

    def write() -> None:
        writer.append(hub.uploads.directory(upload), "run", [("loss", lambda metadata: [b"record"])], hub.clock())
        hub.uploads.note(upload.id)

    write()
    hub.age(upload)
    hub.mover.turn()
    before = hub.keys
    assert hub.mover.release() == 1
    hub.clock.now -= 3600  # the same second: the name differs nevertheless
    write()
    hub.age(upload)
    hub.mover.turn()
    assert len(hub.keys) == 2 and set(before) < set(hub.keys)
    found = hub.found(upload)
    assert (found.files, len(hub.uploads.files(found))) == (2, 2)
    assert hub.mover.release() == 1
    assert len(stored.sizes(hub.uploads.local(hub.found(upload)))) == 2  # for an export
    assert hub.found(upload).bytes == sum(stored.sizes(hub.uploads.directory(upload)).values())


def test_an_object_that_somebody_changed_is_not_taken_for_the_file(hub: Hub, tmp_path: pathlib.Path) -> None:
    upload = hub.created()
    hub.write(upload, b"one")
    hub.mover.turn()
    hub.bucket._connection.put(f"logs/{upload.id}/{PATH}", b"two")
    file = StoredFile(PATH, 3, zlib.crc32(b"one"))
    with (tmp_path / "restored").open("w+b") as target:
        with pytest.raises(bucket.BucketFault):
            hub.copies.restore(upload.id, file, target.fileno())
        assert os.fstat(target.fileno()).st_size == 0
    hub.bucket._connection.put(f"logs/{upload.id}/{PATH}", b"x")
    with pytest.raises(bucket.BucketFault):
        list(hub.bucket.read(upload.id, PATH, 0, 3))


def test_names_that_are_too_long_for_a_bucket_are_refused(hub: Hub) -> None:
    path = "/".join(["d" * 200] * 5)
    hub.bucket.check("up-1", path[:900])
    with pytest.raises(paths.BadPath):
        hub.bucket.check("up-1", path + "e" * 20)


@pytest.mark.parametrize(
    ("address", "secret"),
    [
        ("s3://bucket/logs", {"key": "k", "secret": "s"}),
        ("t9k://minio/hub/bucket/logs", {"key": "k", "secret": "s", "endpoint": "http://127.0.0.1:1"}),
        ("https://hub@host/logs", {"key": "k", "secret": "s"}),
        ("s3://other@bucket/logs", {"key": "k", "secret": "s"}),
        ("s3://hub@bucket/logs", {"profile": "mine"}),
    ],
)
def test_addresses_that_are_no_store_are_refused(address: str, secret: dict[str, str]) -> None:
    with pytest.raises(errors.BadInput):
        bucket.Bucket(address, settings.from_document({"secrets": {"hub": secret}}))


def test_boards_may_have_a_secret_that_only_reads() -> None:
    tables = {"hub": {"key": "k", "secret": "s"}, "reader": {"key": "r", "secret": "t"}}
    found = settings.from_document({"secrets": tables})
    assert bucket.Bucket("s3://hub@bucket", found, boards_secret="reader").place("up-1") == Place(
        "s3://bucket/up-1", {"key": "r", "secret": "t", "trusted": True}
    )
    with pytest.raises(errors.BadInput, match="nobody"):
        bucket.Bucket("s3://hub@bucket", found, boards_secret="nobody")


def test_another_bucket_is_refused_while_the_first_has_files(hub: Hub, tmp_path: pathlib.Path) -> None:
    store = tmp_path / "uploads"
    bucket.check_same(store, hub.bucket, is_used=False)
    bucket.check_same(store, hub.bucket, is_used=True)
    with pytest.raises(errors.BadInput, match="s3://bucket/logs"):
        bucket.check_same(store, None, is_used=True)
    bucket.check_same(store, None, is_used=False)
