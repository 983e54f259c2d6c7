"""tf.summary: a writer with all its arguments and one summary of each kind."""

import digits
import numpy as np
import tensorflow as tf

summary = digits.tf_summary()
random = np.random.default_rng(7)
writer = summary.create_file_writer("logs", max_queue=10, flush_millis=120_000, filename_suffix=".v2")
tone = np.sin(np.linspace(0, 440 * 2 * np.pi, 8_000, dtype="float32")).reshape(1, -1, 1)
with writer.as_default():
    for step in range(5):
        summary.scalar("scalar", 1 / (step + 1), step=step, description="falls like **1/n**")
        summary.histogram("histogram", random.normal(step, 1, 1_000).astype("float32"), step=step)
        summary.text("text", tf.constant(f"step *{step}*"), step=step)
        summary.text("table", tf.constant([["a", "b"], ["1", "2"]]), step=step)
        summary.image("image", random.random((4, 16, 16, 3)).astype("float32"), step=step)
        summary.audio("audio", tone * 0.5, sample_rate=8_000, step=step)
writer.close()
