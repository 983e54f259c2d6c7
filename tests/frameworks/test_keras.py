"""The Keras callback on each backend, and beside Keras' own one in the same training.

Each training is a process of its own: Keras takes its backend from the environment, once. Left out: what a profile
holds, only that there is one.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from run_records import states

import lightboard
from lightboard.reading import Logs

PROGRAM = """
import pathlib, sys
import numpy as np, keras
from lightboard import summary
from lightboard.integrations.keras import LightboardCallback

out, beside = pathlib.Path(sys.argv[1]), sys.argv[2] == "beside"
keras.utils.set_random_seed(1)
x, y = np.random.randint(0, 10, (80, 4)), np.random.rand(80, 1)

class Noted(keras.layers.Dense):
    def call(self, inputs):
        if keras.backend.backend() == "torch":  # the others trace it
            summary.scalar("from_a_layer", float(inputs.detach().mean()))
        return super().call(inputs)

inputs = keras.Input((4,))
hidden = keras.layers.Embedding(10, 3, name="emb")(inputs)
hidden = keras.layers.Flatten()(keras.layers.Conv1D(4, 2, name="conv")(hidden))
model = keras.Model(inputs, Noted(1, name="out")(hidden))
model.compile("adam", "mse", metrics=["mae"])
options = dict(histogram_freq=1, write_images=True, write_steps_per_second=True, update_freq=2)
callbacks = [LightboardCallback(out / "ours", embeddings_freq=1, embeddings_metadata={"emb": "labels.tsv"},
                                profile_batch=0 if beside else (2, 3), track=True, **options)]
if beside:
    callbacks.append(keras.callbacks.TensorBoard(str(out / "theirs"), **options))
model.fit(x, y, epochs=2, batch_size=16, validation_split=0.25, callbacks=callbacks, verbose=0)
if not beside:
    model.evaluate(x, y, callbacks=callbacks, verbose=0)
np.save(out / "embedding.npy", keras.ops.convert_to_numpy(model.get_layer("emb").embeddings))
(out / "model.json").write_text(model.to_json())
"""


def trained(directory: pathlib.Path, backend: str, mode: str = "alone") -> Logs:
    environment = {**os.environ, "KERAS_BACKEND": backend, "LIGHTBOARD_STRICT": "1", "CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, "-W", "ignore", "-c", PROGRAM, str(directory), mode]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return lightboard.open(directory, index=False)


@pytest.mark.parametrize("backend", ["torch", "jax", "tensorflow"])
def test_everything_is_logged_on_any_backend(tmp_path: pathlib.Path, backend: str) -> None:
    with trained(tmp_path, backend) as logs:
        train, held_out = logs.series(run="ours/train"), logs.series(run="ours/validation")
        points = {(entry.kind, entry.tag): entry.points for entry in train}
        for name in ("loss", "mae", "learning_rate", "steps_per_second"):
            assert points["scalars", f"epoch_{name}"] == 2
        for name in ("loss", "mae", "steps_per_second"):
            assert points["scalars", f"batch_{name}"] == 4  # 8 batches, every second one
        for weight in ("emb/embeddings", "conv/kernel", "conv/bias", "out/kernel"):
            assert points["histograms", f"{weight}/histogram"] == 2
            assert points["images", f"{weight}/image"] == 2
        assert {entry.tag for entry in held_out if entry.kind == "scalars"} >= {
            "epoch_loss", "epoch_mae", "evaluation_loss_vs_iterations", "evaluation_mae_vs_iterations",
        }  # fmt: skip
        if backend == "torch":
            assert logs.scalars("ours/train", "from_a_layer").steps.tolist() == [2, 4, 6, 8]
        metadata = logs.metadata("ours/train", "keras")
        assert (metadata.plugin, metadata.content) == ("graph_keras_model", b"1")
        (graph,) = logs.tensors("ours/train", "keras")
        assert (graph.shape, graph.strings) == ((), ((tmp_path / "model.json").read_bytes(),))
        assert states(logs) == {"ours/train": "finished", "ours/validation": "finished"}
    matrix = np.loadtxt(tmp_path / "ours/train/keras_embedding/emb.tsv")
    np.testing.assert_allclose(matrix, np.load(tmp_path / "embedding.npy"), rtol=1e-6)
    config = (tmp_path / "ours/projector_config.pbtxt").read_text()
    assert 'tensor_path: "train/keras_embedding/emb.tsv"' in config
    assert 'metadata_path: "labels.tsv"' in config
    assert [*tmp_path.rglob("*.pt.trace.json"), *tmp_path.rglob("*.xplane.pb")] != []


def test_beside_keras_own_callback_the_files_say_the_same(tmp_path: pathlib.Path) -> None:
    """`update_freq` divides the batches of an epoch and of a validation here: Keras 3 leaves out those where it does
    not."""
    with trained(tmp_path, "tensorflow", "beside") as logs:
        for run in ("train", "validation"):
            theirs = {(entry.tag, entry.kind, entry.points) for entry in logs.series(run=f"theirs/{run}")}
            ours = {entry for entry in logs.series(run=f"ours/{run}") if not entry.tag.startswith("_lightboard_/")}
            assert {(entry.tag, entry.kind, entry.points) for entry in ours} == theirs
            for entry in ours:
                if "steps_per_second" in entry.tag:
                    continue
                own, their = (logs.metadata(name, entry.tag) for name in (entry.run, f"theirs/{run}"))
                assert (own.plugin, own.content) == (their.plugin, their.content)
                if entry.kind == "scalars":
                    mine, other = logs.scalars(entry.run, entry.tag), logs.scalars(f"theirs/{run}", entry.tag)
                    assert mine.steps.tolist() == other.steps.tolist()
                    assert mine.values.tolist() == other.values.tolist()
                elif entry.kind == "histograms":
                    mine_, other_ = logs.tensors(entry.run, entry.tag), logs.tensors(f"theirs/{run}", entry.tag)
                    for one, another in zip(mine_, other_, strict=True):
                        assert one.array is not None and another.array is not None
                        np.testing.assert_allclose(one.array, another.array, rtol=1e-5, atol=1e-7)
                elif entry.kind == "images":
                    shapes = [logs.images(name, entry.tag)[0] for name in (entry.run, f"theirs/{run}")]
                    assert (shapes[0].width, shapes[0].height) == (shapes[1].width, shapes[1].height)


def test_wrong_arguments_are_refused() -> None:
    pytest.importorskip("keras")
    from lightboard.integrations import keras as integration

    assert integration.profiled_batches(0) is None
    assert integration.profiled_batches(5) == (5, 5)
    assert integration.profiled_batches("2,4") == integration.profiled_batches((2, 4)) == (2, 4)
    for wrong in (-1, (4, 2), (1, 2, 3), "a", None):
        with pytest.raises(ValueError, match="profile_batch"):
            integration.profiled_batches(wrong)  # type: ignore[arg-type]
