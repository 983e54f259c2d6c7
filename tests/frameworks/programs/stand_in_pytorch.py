"""Every method of PyTorch's writer. Unless it is "theirs", `tensorboard` is hidden, stood in for, and protobuf too."""

import pathlib
import sys
from typing import Any

directory, writer = sys.argv[1:3]
if writer != "theirs":
    sys.path.insert(0, str(pathlib.Path(__file__).parent))
    import stand_in_hiding

    stand_in_hiding.hide("tensorboard", *([] if writer == "with_protobuf" else ["google.protobuf"]))
    import lightboard.as_tensorboard

    assert lightboard.as_tensorboard.active

import numpy as np
import torch
from torch.utils.tensorboard import RecordWriter, SummaryWriter

torch.manual_seed(0)
rng = np.random.default_rng(0)


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)

    def forward(self, x: Any) -> Any:
        return torch.relu(self.linear(x))


w = SummaryWriter(directory, purge_step=0)
w.add_scalar("old", 0.5, 1)
w.add_scalar("new", torch.tensor(0.25), 2, new_style=True)
w.add_scalar("double", 0.1, 2, new_style=True, double_precision=True)
w.add_scalars("many", {"a": 1.0, "b": 2.0}, 1)
w.add_histogram("histogram", rng.standard_normal(1000), 1)
w.add_histogram_raw("raw", 0.0, 1.0, 2, 1.0, 1.0, [0.5, 1.0], [1, 1], 3)
w.add_text("text", "grüß dich", 1)
w.add_pr_curve("curve", rng.integers(0, 2, 100), rng.random(100), 1)
w.add_pr_curve_raw("curve_raw", [1, 2], [1, 2], [1, 2], [1, 2], [0.1, 0.2], [0.3, 0.4], 2, num_thresholds=2)
w.add_mesh(
    "mesh",
    torch.rand(1, 5, 3),
    colors=torch.randint(0, 255, (1, 5, 3)),
    faces=torch.randint(0, 5, (1, 3, 3)),
    config_dict={"camera": {"cls": "PerspectiveCamera"}},
    global_step=0,
)
w.add_custom_scalars({"one": {"lines": ["Multiline", ["a", "b"]], "margin": ["Margin", ["a", "b", "c"]]}})
w.add_tensor("tensor", torch.rand(3, 2), 4)
w.add_tensor("half", torch.rand(3).half(), 4)
w.add_hparams({"lr": 0.1, "opt": "sgd", "on": True}, {"acc": 0.5}, {"opt": ["sgd", "adam"]}, run_name="trial")
w.add_graph(Model(), torch.rand(1, 3))
w.add_embedding(torch.rand(4, 3), metadata=list("abcd"), label_img=torch.rand(4, 3, 2, 2), tag="words", global_step=1)
w.add_image("image", torch.rand(3, 8, 8), 1)
w.add_images("images", torch.rand(2, 3, 8, 8), 1)
w.add_image_with_boxes("boxes", torch.rand(3, 8, 8), torch.tensor([[1, 1, 4, 4]]), 1)
w.add_audio("sound", torch.rand(1, 100) * 2 - 1, 1, sample_rate=8000)
w.flush()
w.close()
with pathlib.Path(directory, "records.bin").open("wb") as file:
    RecordWriter(file).write(b"abc")
