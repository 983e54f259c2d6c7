"""tf.summary: twenty training examples as one image summary."""

import digits
import numpy as np

summary = digits.tf_summary()
writer = summary.create_file_writer("logs/train_data/")
with writer.as_default():
    images = np.reshape(digits.load().x_train[10:30], (-1, 8, 8, 1))
    summary.image("20 Digits", images, max_outputs=25, step=0)
writer.close()
