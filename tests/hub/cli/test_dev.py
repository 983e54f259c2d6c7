"""`lightboard dev`: the verbs and flags of `tensorboard dev` against a real hub."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import numpy as np
import pytest
from client import real
from hub import hubs
from hub.cli.conftest import Shell

from lightboard import cli
from lightboard.cli import arguments
from lightboard.sdk import writer

FLAGS = {
    "upload": ("logdir", "name", "description", "verbose", "dry_run", "one_shot", "plugins"),
    "list": ("json",),
    "update-metadata": ("experiment_id", "name", "description"),
    "delete": ("experiment_id",),
    "export": ("outdir",),
    "auth": (),
}
GLOBAL = ("origin", "api_endpoint", "grpc_creds_type", "auth_force_console")


def sent(shell: Shell, logs: pathlib.Path, *words: str) -> str:
    """The id of a new upload."""
    shell("dev", "upload", "--logdir", str(logs), "--one_shot", *words)
    listed = shell("dev", "list", "--json")
    return str(json.loads(listed[: listed.index("\n}") + 2])["id"])


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Team]:
    """A hub of this file alone: everybody lists public uploads, also the users of other tests."""
    with real.team(tmp_path_factory.mktemp("uploads")) as made:
        yield made


@pytest.fixture
def logs(tmp_path: pathlib.Path) -> pathlib.Path:
    """Scalars, images, a histogram and a text of two runs."""
    for run in ("train", "eval"):
        with writer.SummaryWriter(str(tmp_path / "logs" / run)) as made:
            for step in range(3):
                made.add_scalar("loss", 1 / (step + 1), step)
            made.add_image("picture", np.zeros((3, 4, 5), np.uint8), 0)
            made.add_histogram("weights", np.arange(100.0), 1)
            made.add_text("note", "hello", 2)
    return tmp_path / "logs"


@pytest.mark.parametrize("verb", FLAGS)
def test_every_flag_of_tensorboard_dev_is_there(verb: str) -> None:
    known = arguments.flags(arguments.parser(f"dev {verb}"))
    assert {f"--{each}" for each in (*FLAGS[verb], *GLOBAL)} <= set(known)


def test_flags_before_the_verb(shell: Shell) -> None:
    shell("dev", "--origin", shell.team.hub.url, "--auth_force_console", "--grpc_creds_type=local", "list")
    assert "No uploads" in shell.err
    shell("dev", "uplod", code=cli.USAGE)
    assert "did you mean `lightboard dev upload`?" in shell.err
    shell("dev", code=cli.USAGE)


def test_upload_list_update_delete(shell: Shell, logs: pathlib.Path) -> None:
    out = shell("dev", "upload", "--logdir", str(logs), "--one_shot", "--name", "one", "--description", "**two**")
    link = re.search(r"New upload created. View your board at: (\S+)", out)
    assert link and f"Done. View your board at {link[1]}" in out and "Started scanning logdir." in shell.err
    assert "Total uploaded: 2 files" in out
    out = shell("dev", "list")
    assert link[1] in out and "**two**" in out and re.search(r"Runs\s+2\n", out) and "Total: 1 upload" in shell.err
    members = json.loads(shell("dev", "list", "--json"))
    assert (members["name"], members["runs"], members["url"]) == ("one", 2, link[1])
    upload = members["id"]
    shell("dev", "update-metadata", "--experiment_id", upload, code=cli.USAGE)
    shell("dev", "update-metadata", "--experiment_id", upload, "--name", "n" * 101, code=cli.USAGE)
    shell("dev", "update-metadata", "--experiment_id", upload, "--name", "renamed")
    assert json.loads(shell("dev", "list", "--json"))["name"] == "renamed"
    out = shell("dev", "delete", "--experiment_id", f"{upload},up-none", code=cli.FAILED)
    assert f"Deleted upload {upload}." in out and "No such upload up-none." in out
    assert shell("dev", "list") == ""


def test_uploads_of_others_are_told_apart(shell: Shell, logs: pathlib.Path) -> None:
    with shell.team.connected() as other:
        private = other.uploads.create()
        public = other.uploads.create(visibility="public", confirm_public=True)
        out = shell("dev", "delete", "--experiment_id", f"{private.id},{public.id}", code=cli.FAILED)
        assert f"No such upload {private.id}." in out
        assert f"Cannot delete upload {public.id}, because another user owns it." in out


def test_nothing_is_created_by_mistake(shell: Shell, logs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    shell("dev", "upload", "--logdir", str(tmp_path / "missing"), "--one_shot", code=cli.FAILED)
    out = shell("dev", "upload", "--logdir", str(logs), "--dry_run")
    assert "2 files" in out and "train/events.out.tfevents" in out
    shell("dev", "upload", "--logdir", str(logs), "--name", "n" * 101, code=cli.USAGE)
    shell("dev", "upload", "--logdir", str(logs), "--description", "n" * 601, code=cli.USAGE)
    shell("dev", "upload", "--logdir", str(logs), "--one_shot", "--public", code=cli.USAGE)
    assert "without an account" in shell.err and "--yes" in shell.err
    assert shell("dev", "list") == ""
    (tmp_path / "empty").mkdir()
    out = shell("dev", "upload", "--logdir", str(tmp_path / "empty"), "--one_shot")
    upload = json.loads(shell("dev", "list", "--json"))["id"]
    assert f"lightboard dev delete --experiment_id={upload}" in out and "View your board at:" in out


def test_plugins_select_files(shell: Shell, logs: pathlib.Path) -> None:
    capture = logs / "train" / "plugins" / "profile" / "1" / "host.xplane.pb"
    capture.parent.mkdir(parents=True)
    capture.write_bytes(b"1")
    assert "1 file " in shell("dev", "upload", "--logdir", str(logs), "--dry_run", "--plugins", "profile")
    assert "2 files" in shell("dev", "upload", "--logdir", str(logs), "--dry_run", "--plugins", "scalars,images")
    assert "3 files" in shell("dev", "upload", "--logdir", str(logs), "--dry_run", "--plugins", "scalars,profile")
    assert "3 files" in shell("dev", "upload", "--logdir", str(logs), "--dry_run")


def test_public_after_consent_and_continued(shell: Shell, logs: pathlib.Path) -> None:
    upload = sent(shell, logs, "--public", "--yes")
    assert json.loads(shell("dev", "list", "--json"))["visibility"] == "public"
    with writer.SummaryWriter(str(logs / "later")) as made:
        made.add_scalar("loss", 0.5, 1)
    shell("dev", "upload", "--logdir", str(logs), "--one_shot", "--upload", upload, "--name", "continued")
    assert "Total uploaded: 1 file " in shell.out and f"Continuing upload {upload}" in shell.out
    members = json.loads(shell("dev", "list", "--json"))
    assert (members["runs"], members["name"]) == (3, "continued")


def test_export_gives_back_files_and_the_json_of_tensorboard_dev(
    shell: Shell, logs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    upload = sent(shell, logs, "--name", "exported")
    shell("dev", "export", "--outdir", str(logs), code=cli.USAGE)
    shell("dev", "export", "--outdir", str(tmp_path / "out"))
    folder = tmp_path / "out" / f"experiment_{upload}"
    for file in logs.rglob("*tfevents*"):
        assert (folder / "files" / file.relative_to(logs)).read_bytes() == file.read_bytes()
    metadata = json.loads((folder / "metadata.json").read_text())
    assert metadata["name"] == "exported" and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", metadata["create_time"])
    lines = {
        name: [json.loads(line) for line in (folder / name).read_text().splitlines()]
        for name in ("scalars.json", "tensors.json", "blob_sequences.json")
    }
    scalars = {each["run"]: each for each in lines["scalars.json"] if each["tag"] == "loss"}
    assert scalars["train"]["points"]["steps"] == [0, 1, 2]
    assert scalars["eval"]["points"]["values"] == pytest.approx([1, 1 / 2, 1 / 3])
    tensors = {(each["run"], each["tag"].partition("/")[0]): each for each in lines["tensors.json"]}
    with np.load(folder / tensors["train", "weights"]["points"]["tensors_file_path"]) as arrays:
        assert arrays["arr_0"].shape[-1] == 3
    with np.load(folder / tensors["train", "note"]["points"]["tensors_file_path"]) as arrays:
        assert arrays["arr_0"].tolist() == [b"hello"]
    blobs = next(each for each in lines["blob_sequences.json"] if each["tag"] == "picture")
    width, height, png = (folder / each for each in blobs["points"]["blob_file_paths"][0])
    assert (width.read_bytes(), height.read_bytes()) == (b"5", b"4") and png.read_bytes().startswith(b"\x89PNG")


def test_credentials_of_tensorboard(shell: Shell, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert f"signed in as {shell.name}" in shell("dev", "auth")
    shell("dev", "auth", "--tensorboard")
    file = tmp_path / "tensorboard" / "credentials" / "uploader-creds.json"
    written = json.loads(file.read_text())
    assert written["type"] == "authorized_user" and file.stat().st_mode & 0o077 == 0
    answer = shell.team.hub.request("GET", "/api/v1/me", token=written["token"])
    assert answer.json()["user"]["name"] == shell.name
    assert "Logged out of uploader." in shell("dev", "auth", "revoke")
    assert not file.exists()


@pytest.mark.slow
def test_it_follows_until_a_signal_and_ends_politely(shell: Shell, logs: pathlib.Path) -> None:
    words = [sys.executable, "-m", "lightboard", "dev", "upload", "--logdir", str(logs)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:

        def upload() -> dict[str, int]:
            listed = shell("dev", "list", "--json")
            return dict(json.loads(listed)) if listed else {}

        hubs.until(lambda: upload().get("files") == 2, what="the files are sent")
        shutil.copytree(logs / "train", logs / "copy")
        hubs.until(lambda: upload().get("files") == 3, what="the new file is sent")
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == cli.OK and "Interrupted. View your board at" in out
    assert "sending" not in upload() or not upload()["sending"]
    with subprocess.Popen(
        [*words, "--upload", str(upload()["id"])], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        while "Continuing" not in process.stdout.readline():
            assert process.poll() is None
        time.sleep(0.1)
        shell("dev", "delete", "--experiment_id", str(upload()["id"]))
        shutil.copytree(logs / "train", logs / "again")
        out, _ = process.communicate(timeout=60)
        assert process.returncode == cli.OK and "was deleted on the hub" in out
