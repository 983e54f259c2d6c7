"""Four curves of a hundred steps with PyTorch's writer, grouped by the part of their names before the slash."""

import digits
import numpy as np

random = np.random.default_rng(7)
writer = digits.torch_writer()(log_dir="logs")
for step in range(100):
    for name in ("Loss/train", "Loss/test", "Accuracy/train", "Accuracy/test"):
        writer.add_scalar(name, random.random(), step)
writer.close()
