"""A training job on a cloud platform: the platform names the log directory in PAI_OUTPUT_TENSORBOARD, PyTorch's writer
puts a number and a picture there."""

import os
import pathlib

import digits
import torch

os.environ["PAI_OUTPUT_TENSORBOARD"] = "output/tensorboard"
torch.manual_seed(7)

writer = digits.torch_writer()(log_dir=os.environ.get("PAI_OUTPUT_TENSORBOARD"))
writer.add_scalar("train/loss", 0.1, 1)
writer.add_image("train/image", torch.rand(3, 64, 64), 1)
writer.flush()
if digits.OURS:
    assert pathlib.Path(digits.torch_writer()().log_dir) == pathlib.Path("output/tensorboard"), "found unasked, too"
