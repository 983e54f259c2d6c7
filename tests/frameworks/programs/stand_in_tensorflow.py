"""tf.summary, hparams and Keras callbacks. With "lightboard", `tensorboard` is hidden and stood in for."""

import pathlib
import sys
from typing import Any

directory, writer = sys.argv[1:3]
if writer == "lightboard":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    import stand_in_hiding

    stand_in_hiding.hide("tensorboard")
    import lightboard.as_tensorboard

    assert lightboard.as_tensorboard.active

import keras
import numpy as np
import tensorflow as tf
from tensorboard.plugins.hparams import api as hp

rng = np.random.default_rng(0)
numbers = rng.standard_normal(1000)
w = tf.summary.create_file_writer(f"{directory}/summary")
with w.as_default(step=1):
    tf.summary.scalar("scalar", 0.5, description="half")
    tf.summary.histogram("histogram", numbers)
    tf.summary.histogram("equal", np.full(5, 2.0))
    tf.summary.histogram("empty", np.array([]))
    tf.summary.histogram("no_buckets", numbers, buckets=0)
    tf.summary.text("text", "hi")
    tf.summary.text("table", [["a", "b"]])
    tf.summary.image("float", rng.random((5, 4, 6, 3)), max_outputs=2)
    tf.summary.image("bytes", rng.integers(0, 255, (1, 4, 6, 1), dtype=np.uint8))
    tf.summary.audio("sound", rng.random((2, 100, 1)).astype("float32"), 8000)
    domains = [hp.HParam("lr", hp.RealInterval(0.0, 1.0)), hp.HParam("opt", hp.Discrete(["adam", "sgd"]))]
    hp.hparams_config(domains, [hp.Metric("accuracy", group="validation")], time_created_secs=3.0)
    assert hp.hparams({"lr": 0.1}, start_time_secs=5.0)


@tf.function
def traced(step: Any, x: Any) -> None:
    with w.as_default(step=step):
        tf.summary.scalar("in_graph", tf.reduce_sum(x))
        tf.summary.histogram("in_graph_too", x)
        with tf.name_scope("scope"):
            tf.summary.image("in_scope", tf.reshape(x, [1, 2, 5, 1]))


for step in range(2):
    traced(tf.constant(step, tf.int64), tf.range(10, dtype=tf.float32) / 10)
w.close()

keras.utils.set_random_seed(0)
model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Embedding(10, 4), keras.layers.Flatten()])
model.add(keras.layers.Dense(2))
model.compile("sgd", "mse")
board = keras.callbacks.TensorBoard(
    f"{directory}/keras",
    histogram_freq=1,
    write_images=True,
    update_freq=1,
    embeddings_freq=1,
    embeddings_metadata="m.tsv",
)
model.fit(
    rng.integers(0, 10, (32, 3)), rng.random((32, 2)), epochs=2, verbose=0, validation_split=0.25, callbacks=[board]
)
