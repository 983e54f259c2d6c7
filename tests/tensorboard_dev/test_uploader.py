"""TensorBoard 2.15.0's own uploader against a real hub: every verb, logs of several kinds.

`make test-tensorboard-dev` installs it into .venv-tensorboard-dev. Unit tests of both services, which need no
TensorBoard, are in tests/hub/tensorboard_dev.
"""

from __future__ import annotations

import base64
import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hub import hubs
from tensorboard_dev import sameness, uploader
from tensorboard_dev.uploader import Person
from tensorboard_dev.written import files_of, logs_in, write_scalars

import lightboard
import lightboard.hub

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
# all kinds of data between them: scalars of old and new form, images, audio, histograms, text, meshes, curves, layouts,
# hparams, graphs, traces
CORPORA = ("torch_writer", "keras_fit", "hparams_tuning", "gradient_tape", "hf_trainer")


@pytest.mark.parametrize("corpus", CORPORA)
def test_an_upload_has_what_the_logs_have(corpus: str, hub: hubs.Hub, ada: Person) -> None:
    experiment = ada.tensorboard.upload(DATA / corpus)
    assert sameness.check(logs_in(DATA / corpus), logs_in(files_of(hub, experiment))) > 5


def test_the_address_that_is_printed_leads_to_a_board_with_the_curves(
    hub: hubs.Hub, ada: Person, bob: Person, tmp_path: pathlib.Path
) -> None:
    write_scalars(tmp_path / "logs" / "train", [0.5, 0.25])
    experiment = ada.tensorboard.upload(tmp_path / "logs", "--name", "été", "--description", "of *all*")
    address = f"/experiment/{experiment}/"
    assert hub.request("GET", address, token=bob.token).status_code == 404
    redirect = hub.request("GET", address, token=ada.token)
    assert redirect.status_code == 303
    board = hub.ok("GET", f"/api/v1{redirect.headers['location'].rstrip('/')}", token=ada.token)
    assert (board["name"], board["visibility"], board["state"]) == ("été", "private", "Stopped")
    hub.settled(hub.ok("POST", f"/api/v1/boards/{board['id']}:start", token=ada.token), token=ada.token)

    def curve() -> Any:
        answer = hub.request("GET", f"/boards/{board['id']}/data/plugin/scalars/tags", token=ada.token)
        return answer.status_code == 200 and answer.json()

    assert list(hubs.until(curve)["train"]) == ["loss"]


def test_list_update_and_delete(hub: hubs.Hub, bob: Person, tmp_path: pathlib.Path) -> None:
    write_scalars(tmp_path / "a" / "train", [1.0, 2.0, 3.0])
    write_scalars(tmp_path / "a" / "test", [1.0])
    first = bob.tensorboard.upload(tmp_path / "a", "--name", "first")
    second = bob.tensorboard.upload(tmp_path / "a")
    out, err = bob.tensorboard.run("list", "--json")
    assert "Total: 2 experiment(s)" in err
    listed = {each["id"]: each for each in json_objects(out)}
    assert set(listed) == {first, second}
    one = listed[first]
    assert (one["name"], one["runs"], one["tags"], one["scalars"]) == ("first", 2, 1, 4)
    assert one["url"] == f"{hub.url}/experiment/{first}/"
    bob.tensorboard.run("update-metadata", "--experiment_id", first, "--name", "新名", "--description", "x\ny")
    shown = hub.ok("GET", f"/api/v1/uploads/{first}", token=bob.token)
    assert (shown["name"], shown["description"], shown["form"]) == ("新名", "x\ny", "points")
    out, _ = bob.tensorboard.run("list")
    assert "新名" in out
    out, err = bob.tensorboard.run("delete", "--experiment_id", f"{first},up-none", code=1)
    assert f"Deleted experiment {first}" in out and "No such experiment up-none" in err
    assert not files_of(hub, first).exists()
    assert hub.request("GET", f"/api/v1/uploads/{first}", token=bob.token).status_code == 404


def test_experiments_of_others_do_not_exist(hub: hubs.Hub, ada: Person, bob: Person, tmp_path: pathlib.Path) -> None:
    write_scalars(tmp_path / "logs", [1.0])
    experiment = ada.tensorboard.upload(tmp_path / "logs")
    for verb in (("delete",), ("update-metadata", "--name", "mine")):
        _, err = bob.tensorboard.run(verb[0], "--experiment_id", experiment, *verb[1:], code=1)
        assert f"No such experiment {experiment}" in err
    assert files_of(hub, experiment).exists()


def test_export_has_what_the_logs_have(hub: hubs.Hub, tmp_path: pathlib.Path) -> None:
    """Of an upload of points, and of one whose files were sent as they are."""
    carol = Person(hub, "carol", tmp_path)
    write_scalars(tmp_path / "logs" / "run", [0.1, float("nan"), 1e300])
    with lightboard.SummaryWriter(tmp_path / "logs" / "run") as writer:
        writer.add_text("note", "hello", 1)
        writer.add_histogram("weights", np.arange(10.0), 2)
        writer.add_image("picture", np.zeros((3, 4, 5), np.uint8), 3)
    points = carol.tensorboard.upload(tmp_path / "logs", "--name", "points")
    files = send_files(hub, carol.token, tmp_path / "logs")
    carol.tensorboard.run("export", "--outdir", str(tmp_path / "out"))
    original = logs_in(tmp_path / "logs")
    for experiment in (points, files):
        folder = tmp_path / "out" / f"experiment_{experiment}"
        assert set(json.loads((folder / "metadata.json").read_text())) == {
            "name", "description", "create_time", "update_time"
        }  # fmt: skip
        (scalars,) = json_lines(folder / "scalars.json")
        expected = original.scalars("run", "loss")
        assert (scalars["run"], scalars["tag"]) == ("run", "loss")
        assert scalars["points"]["steps"] == expected.steps.tolist()
        np.testing.assert_array_equal(scalars["points"]["values"], expected.values)
        # the tool rounds times to less than a microsecond
        np.testing.assert_allclose(scalars["points"]["wall_times"], expected.wall_times, rtol=0, atol=1e-6)
        assert b"scalars" in base64.b64decode(scalars["summary_metadata"])
        tensors = {each["tag"]: each["points"] for each in json_lines(folder / "tensors.json")}
        weights = np.load(folder / tensors["weights"]["tensors_file_path"])["arr_0"]
        buckets = original.histograms("run", "weights")[0].buckets
        np.testing.assert_array_equal(weights, buckets.astype(weights.dtype))
        note = tensors["note/text_summary"] if "note/text_summary" in tensors else tensors["note"]
        assert np.load(folder / note["tensors_file_path"])["arr_0"].ravel().tolist() == [b"hello"]
        (blobs,) = json_lines(folder / "blob_sequences.json")
        paths = blobs["points"]["blob_file_paths"][0]
        (shown,) = original.images("run", "picture")
        assert [(folder / each).read_bytes() for each in paths] == [b"5", b"4", *shown.blobs]


def test_lightboard_dev_auth_writes_the_credentials(hub: hubs.Hub, ada: Person, tmp_path: pathlib.Path) -> None:
    write_scalars(tmp_path / "logs", [1.0, 2.0])
    tool = uploader.Uploader(hub.url, tmp_path / "home", "")
    tool.credentials.unlink()
    words = [sys.executable, "-m", "lightboard", "dev", "auth", "--tensorboard", "--hub", hub.url]
    variables = {"XDG_CONFIG_HOME": str(tmp_path / "home"), "LIGHTBOARD_HUB_TOKEN": ada.token}
    subprocess.run(words, env={**os.environ, **variables}, check=True, capture_output=True, timeout=60)
    assert tool.credentials.stat().st_mode & 0o077 == 0
    experiment = tool.upload(tmp_path / "logs")
    assert logs_in(files_of(hub, experiment)).scalars(".", "loss").values.tolist() == [1.0, 2.0]
    tool.run("auth", "revoke")
    assert not tool.credentials.exists()


def test_a_wrong_token_is_refused(hub: hubs.Hub, tmp_path: pathlib.Path) -> None:
    stranger = uploader.Uploader(hub.url, tmp_path / "home", "wrong")
    _, err = stranger.run("list", code=1)
    assert "UNAUTHENTICATED" in err and "no token of the hub" in err


# ---- helpers


def send_files(hub: hubs.Hub, token: str, folder: pathlib.Path) -> str:
    """As `lightboard dev upload` sends them."""
    upload = lightboard.hub.Hub(hub.url, token=token).uploads.create(name="files")
    upload.send(folder)
    return upload.id


def json_lines(file: pathlib.Path) -> list[Any]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def json_objects(text: str) -> list[Any]:
    """Objects printed one after the other."""
    decoder, at, found = json.JSONDecoder(), 0, []
    while (at := text.find("{", at)) >= 0:
        one, at = decoder.raw_decode(text, at)
        found.append(one)
    return found
