"""TensorFlow's debugger: every tensor of a training dumped for the debugger's page. TensorFlow's own only."""

import digits
import tensorflow as tf

tf.debugging.experimental.enable_dump_debug_info("logs", tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1)
digits.seed_keras()
data = digits.load(train=64)
digits.small_model().fit(data.x_train, data.y_train, epochs=1, verbose=0)
