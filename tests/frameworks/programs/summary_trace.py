"""tf.summary: the graph of a function, traced while it runs. TensorFlow's own only: ours asks a profiler."""

import digits
import tensorflow as tf


@tf.function
def score(images: tf.Tensor, weights: tf.Tensor) -> tf.Tensor:
    return tf.nn.softmax(tf.matmul(tf.reshape(images, (-1, 64)), weights))


writer = tf.summary.create_file_writer("logs")
tf.summary.trace_on(graph=True)
score(tf.constant(digits.load().x_train), tf.ones((64, 10)))
with writer.as_default():
    tf.summary.trace_export(name="score", step=0)
writer.close()
tf.summary.trace_on(graph=True)
tf.summary.trace_off()
