"""The same calls to `tf.summary` and `tensorboard.plugins.hparams`, or to our modules of the same shape."""

import sys
from typing import Any

directory, writer = sys.argv[1:3]

import numpy as np

if writer == "lightboard":
    import lightboard

    summary: Any = lightboard.summary
    hp: Any = lightboard.hparams
else:
    import tensorflow as tf
    from tensorboard.plugins.hparams import api

    summary, hp = tf.summary, api

rng = np.random.default_rng(0)
numbers = rng.standard_normal(1000)
w = summary.create_file_writer(f"{directory}/run", max_queue=5, flush_millis=100)
with w.as_default(step=1):
    summary.scalar("scalar", 0.5)
    summary.scalar("described", np.float32(0.1), step=2, description="a *tenth*")
    summary.histogram("histogram", numbers)
    summary.histogram("float32", numbers.astype("float32"))
    summary.histogram("integers", rng.integers(-5, 5, (10, 10)))
    summary.histogram("few", numbers, buckets=5)
    summary.histogram("equal", np.full(5, 2.0))
    summary.histogram("empty", np.array([]))
    summary.histogram("no_buckets", numbers, buckets=0)
    summary.text("text", "hi")
    summary.text("table", [["a", "b"], ["c", "d"]])
    summary.image("float", rng.random((5, 4, 6, 3)) * 1.2 - 0.1, max_outputs=2)
    summary.image("bytes", rng.integers(0, 255, (1, 4, 6, 4), dtype=np.uint8))
    summary.image("words", rng.integers(0, 65535, (1, 4, 6, 1), dtype=np.uint16))
    summary.audio("sound", rng.random((2, 100, 2)).astype("float32") * 2 - 1, 8000)
    summary.audio("many", np.zeros((5, 3, 1), "float32"), 8000, max_outputs=1)
    summary.write("tensor", np.arange(6, dtype=np.int64).reshape(2, 3))
    domains = [hp.HParam("lr", hp.RealInterval(0.0, 1.0)), hp.HParam("opt", hp.Discrete(["adam", "sgd"]))]
    hp.hparams_config(domains, [hp.Metric("accuracy", group="validation")], time_created_secs=3.0)
    hp.hparams({"lr": 0.1, domains[1]: "sgd", "on": True, "n": np.int32(3)}, start_time_secs=5.0)
    with summary.record_if(lambda: False):
        assert not summary.scalar("left_out", 1.0)
    with summary.experimental.summary_scope("outer"):
        summary.scalar("inner", 1.0)
w.close()
