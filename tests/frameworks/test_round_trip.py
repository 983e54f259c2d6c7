"""The same call through PyTorch's writer and ours: real TensorBoard answers the same over HTTP, and so does Lightboard.

One run per case, once by each writer, below a TensorBoard each. Compared are all kinds of `/data`, pictures by their
pixels, and what pages of their own show: graphs, hyperparameters, the projector. Only wall times are left out.

Videos are compared with tensorboardX's (PyTorch 2.13 cannot use moviepy 2), in so few colours that a GIF keeps them.
"""

from __future__ import annotations

import asyncio
import dataclasses
import io
import json
import pathlib
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from compat import answers
from frameworks import conftest

import lightboard

Write = Callable[[Any], object]
RANDOM = np.random.default_rng(3)
pytestmark = pytest.mark.timeout(1200)


def _tensor(*shape: int) -> Any:
    import torch

    return torch.from_numpy(np.random.default_rng(sum(shape)).random(shape, np.float32))


def _model() -> Any:
    import torch

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.conv = torch.nn.Conv2d(3, 4, 3)
            self.block = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Dropout(), torch.nn.BatchNorm2d(4))
            self.head = torch.nn.Linear(4 * 6 * 6, 2)

        def forward(self, x: Any) -> Any:
            y = self.block(self.conv(x)).flatten(1)
            return self.head(y), {"mean": x.mean()}["mean"]

    return Net()


def _figure() -> Any:
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure = plt.figure(figsize=(2, 1.5))
    plt.plot([1, 3, 2])
    return figure


def _scalars(writer: Any) -> None:
    import torch

    for step in range(20):
        writer.add_scalar("loss", 1 / (step + 1), step)
        writer.add_scalar("of/torch", torch.tensor(step / 3, dtype=torch.bfloat16, requires_grad=True), step)
        writer.add_scalar("of/numpy", np.float64(step) / 7, np.int64(step))
        writer.add_scalar("new", step / 7, step, new_style=True)
    for step, value in enumerate((float("nan"), float("inf"), -float("inf"), 1e300)):
        writer.add_scalar("odd", value, step)


CASES: dict[str, Write] = {
    "scalars": _scalars,
    "scalars_in_sub_runs": lambda w: [w.add_scalars("a/b", {"x": n, "y": n * 2.0}, n) for n in range(3)],
    "histogram": lambda w: w.add_histogram("h", _tensor(100, 30) * 4 - 2, 1),
    "histogram_of_integers": lambda w: w.add_histogram("h", np.arange(-5, 60), 1),
    "histogram_of_zeros": lambda w: w.add_histogram("h", np.zeros(9), 1),
    "histogram_in_ten_bins": lambda w: w.add_histogram("h", _tensor(300), 1, bins=10),
    "histogram_in_bins_of_numpy": lambda w: [w.add_histogram(b, _tensor(300), 1, bins=b) for b in ("auto", "fd")],
    "histogram_of_few_bins": lambda w: w.add_histogram("h", _tensor(300) - 0.5, 1, max_bins=50),
    "histogram_raw": lambda w: w.add_histogram_raw("h", 0.0, 1.0, 3, 1.5, 2.5, [0.5, 1.0], [1, 2], 7),
    "image": lambda w: [w.add_image("f", _tensor(3, 20, 31), 1), w.add_image("g", _tensor(1, 9, 8), 2)],
    "image_of_bytes": lambda w: w.add_image("i", (_tensor(20, 31, 3) * 255).byte(), 1, dataformats="HWC"),
    "image_flat": lambda w: w.add_image("i", _tensor(20, 31), 1, dataformats="HW"),
    "images": lambda w: w.add_images("n", _tensor(11, 3, 8, 9), 1),
    "images_of_grey": lambda w: w.add_images("n", _tensor(3, 8, 9, 1), 1, None, "NHWC"),
    "image_with_boxes": lambda w: w.add_image_with_boxes(
        "b", _tensor(3, 60, 80), np.array([[4, 5, 50, 40], [20.5, 20, 90, 70]]), 1, labels=["cat", "dog"]
    ),
    "image_with_boxes_rescaled": lambda w: w.add_image_with_boxes(
        "b", _tensor(3, 60, 80), np.array([[4, 5, 50, 40]]), 1, rescale=0.5
    ),
    "figure": lambda w: [w.add_figure("one", _figure(), 1), w.add_figure("two", [_figure(), _figure()], 1)],
    "audio": lambda w: w.add_audio("a", _tensor(1, 4000) * 2 - 1, 1, 8000),
    "text": lambda w: w.add_text("t", "# héllo\n\n* **a**\n* <b>", 1),
    "pr_curve": lambda w: w.add_pr_curve("p", _tensor(50) > 0.5, _tensor(5, 10).reshape(50), 1, 40),
    "pr_curve_weighted": lambda w: w.add_pr_curve("p", _tensor(50).numpy() > 0.5, _tensor(50).numpy(), 1, weights=0.5),
    "pr_curve_raw": lambda w: w.add_pr_curve_raw("p", [4, 2], [3, 2], [1, 1], [0, 1], [0.5, 0.6], [0.8, 0.4], 2, 2),
    "mesh": lambda w: w.add_mesh(
        "m", _tensor(1, 5, 3), (_tensor(1, 5, 3) * 255).int(), (_tensor(1, 4, 3) * 5).int(), {"camera": {"fov": 75}}, 3
    ),
    "point_cloud": lambda w: w.add_mesh("m", _tensor(2, 5, 3)),
    "custom_scalars": lambda w: [
        *(w.add_scalar(tag, 0.5, 1) for tag in ("loss", "of/a", "new")),
        w.add_custom_scalars({"c": {"x": ["Multiline", ["loss", "of/.*"]], "y": ["Margin", ["loss", "new", "odd"]]}}),
    ],
    "tensor": lambda w: w.add_tensor("t", _tensor(2, 3), 1),
    "graph": lambda w: w.add_graph(_model(), _tensor(1, 3, 8, 8)),
    "hparams": lambda w: w.add_hparams(
        {"lr": 0.1, "bs": 4, "flag": True, "opt": "adam"}, {"hp/loss": 1.5}, {"opt": ["adam", "sgd"]}, "trial", 2
    ),
    "embedding": lambda w: w.add_embedding(_tensor(7, 4), list("abcdefg"), _tensor(7, 3, 4, 4), 3, "words/1"),
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Side:
    port: int
    shown: conftest.Shown
    root: pathlib.Path


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Side, Side]]:
    """TensorBoard over PyTorch's files, and TensorBoard over ours."""
    from torch.utils import tensorboard

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = _written(tmp_path_factory.mktemp("torch"), tensorboard.SummaryWriter)
        ours = _written(
            tmp_path_factory.mktemp("lightboard"), lambda place: lightboard.SummaryWriter(place, strict=True)
        )
    with (
        conftest.running_tensorboard(theirs, fast=True) as their_port,
        conftest.running_tensorboard(ours, fast=True) as our_port,
    ):
        runs = {str(path.parent.relative_to(theirs)) for path in theirs.rglob("*tfevents*")}
        yield asyncio.run(_side(their_port, theirs, runs)), asyncio.run(_side(our_port, ours, runs))


def _written(root: pathlib.Path, make: Callable[[str], Any]) -> pathlib.Path:
    for name, write in CASES.items():
        import torch

        torch.manual_seed(0)
        with make(str(root / name)) as writer:
            write(writer)
    return root


async def _side(port: int, root: pathlib.Path, runs: set[str]) -> Side:
    await conftest.loaded(port, runs)
    async with conftest.Remote(port, pixels=True) as ask:
        return Side(port, await answers.everything(ask), root)


def _cells(shown: conftest.Shown, case: str) -> dict[tuple[str, str, str], Any]:
    found = {}
    for kind in answers.READERS:
        values = shown[kind]["items" if kind in answers.ITEMS else "series"]
        for run, tags in values.items():
            if run.split("/")[0] == case:
                found.update({(kind, run, tag): _timeless(value) for tag, value in tags.items()})
    return found


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(each) for key, each in value.items() if key not in ("wall_time", "size")}
    if isinstance(value, list):
        if len(value) == 3 and isinstance(value[0], float) and value[0] > 1e9:
            value = value[1:]  # [wall time, step, value]
        return [_timeless(each) for each in value]
    return value


@pytest.mark.parametrize("case", sorted(CASES))
def test_tensorboard_answers_the_same_for_both_writers(case: str, sides: tuple[Side, Side]) -> None:
    theirs, ours = (_cells(side.shown, case) for side in sides)
    assert ours == theirs
    assert theirs or case in ("tensor", "graph", "hparams", "embedding")  # looked at below


@pytest.mark.parametrize("case", sorted(CASES))
def test_lightboard_reads_the_same_from_both_writers(case: str, sides: tuple[Side, Side]) -> None:
    def read(side: Side) -> dict[tuple[str, str], Any]:
        found: dict[tuple[str, str], Any] = {}
        with lightboard.open(side.root / case, index=False) as logs:
            assert logs.faults == []
            for entry in logs.series():
                if entry.kind == "scalars":
                    points = logs.scalars(entry.run, entry.tag)
                    found[entry.run, entry.tag] = points.steps.tolist(), points.values.tobytes()
                elif entry.kind == "images":
                    shown = logs.images(entry.run, entry.tag)[0]
                    found[entry.run, entry.tag] = shown.step, [conftest.decoded(blob) for blob in shown.blobs]
                elif not entry.tag.startswith("_hparams_"):
                    tensor = logs.tensors(entry.run, entry.tag)[0]
                    array = None if tensor.array is None else tensor.array.tobytes()
                    graph = entry.tag == "__run_graph__"  # attributes of a node come in any order
                    found[entry.run, entry.tag] = tensor.step, tensor.shape, array, None if graph else tensor.strings
            for run in logs.runs:
                found[run, "hparams"] = logs.hparams(run)
        return found

    theirs, ours = (read(side) for side in sides)
    assert ours == theirs != {}


def _asked(side: Side, *questions: tuple[str, dict[str, Any]]) -> list[Any]:
    async def ask_all() -> list[Any]:
        async with conftest.Remote(side.port) as ask:
            return [(await ask.get(path, **fields)).content for path, fields in questions]

    return asyncio.run(ask_all())


def test_a_graph_has_the_same_nodes(sides: tuple[Side, Side]) -> None:
    def nodes(side: Side) -> list[str]:
        (text,) = _asked(side, ("/data/plugin/graphs/graph", {"run": "graph", "conceptual": "false"}))
        found = text.decode().split("\nnode {")
        return [_sorted_attributes(each) for each in found]

    theirs, ours = (nodes(side) for side in sides)
    assert len(theirs) > 10
    assert ours == theirs


def _sorted_attributes(node: str) -> str:
    head, *attributes = node.split("\n  attr {")
    return head + "".join(sorted(each.rstrip("}\n ") for each in attributes))


def test_a_graphs_run_metadata_is_there(sides: tuple[Side, Side]) -> None:
    question = ("/data/plugin/graphs/run_metadata", {"run": "graph", "tag": "step1"})
    theirs, ours = (_asked(side, question) for side in sides)
    assert ours == theirs and b"CPU:0" in ours[0]


def test_hyperparameters_are_the_same(sides: tuple[Side, Side]) -> None:
    def answer_of(side: Side) -> Any:
        (content,) = _asked(side, ("/data/plugin/hparams/experiment", {"request": "{}"}))
        found = json.loads(content)
        metric = {"metric": {"group": "", "tag": "hp/loss"}}
        request = {"startIndex": 0, "sliceSize": 10, "allowedStatuses": ["STATUS_SUCCESS"], "colParams": [metric]}
        (content,) = _asked(side, ("/data/plugin/hparams/session_groups", {"request": json.dumps(request)}))
        return (
            found["hparamInfos"],
            found["metricInfos"],
            [each["hparams"] for each in json.loads(content)["sessionGroups"]],
        )

    theirs, ours = (answer_of(side) for side in sides)
    assert ours == theirs
    assert ours[2][0]["opt"] == "adam"


def test_embeddings_are_the_same(sides: tuple[Side, Side]) -> None:
    name = {"run": "embedding", "name": "words/1:00003"}
    questions = [
        ("/data/plugin/projector/runs", {}), ("/data/plugin/projector/info", {"run": "embedding"}),
        ("/data/plugin/projector/tensor", name), ("/data/plugin/projector/metadata", name),
        ("/data/plugin/projector/sprite_image", name),
    ]  # fmt: skip
    (*theirs, their_sprite), (*ours, our_sprite) = (_asked(side, *questions) for side in sides)
    assert ours == theirs and b"embedding" in ours[0]
    assert conftest.decoded(our_sprite) == conftest.decoded(their_sprite)


def test_a_video_shows_the_frames_tensorboardx_writes(tmp_path: pathlib.Path) -> None:
    import tensorboardX
    from PIL import Image, ImageSequence

    palette = RANDOM.integers(0, 256, (30, 3)).astype(np.uint8)
    video = palette[RANDOM.integers(0, 30, (3, 4, 16, 24))].transpose(0, 1, 4, 2, 3)
    for name, make in (("theirs", tensorboardX.SummaryWriter), ("ours", lightboard.SummaryWriter)):
        with make(str(tmp_path / name)) as writer:
            writer.add_video("v", video, 1, fps=5)
    with lightboard.open(tmp_path, index=False) as logs:
        found = {}
        for run in ("theirs", "ours"):
            shown = logs.images(run, "v")[0]
            with Image.open(io.BytesIO(shown.blobs[0])) as gif:
                frames = [np.asarray(frame.convert("RGB")).astype(int) for frame in ImageSequence.Iterator(gif)]
            found[run] = np.stack(frames), (shown.width, shown.height)
    assert found["ours"][1] == found["theirs"][1]
    # tensorboardX divides bytes by 255 and multiplies them again: some lose one
    assert np.abs(found["ours"][0] - found["theirs"][0]).max() <= 1


@pytest.mark.parametrize("fast", [True, False])
def test_kinds_tensorboard_does_not_know_do_it_no_harm(fast: bool, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(tmp_path / "run", strict=True) as writer:
        for step in range(3):
            writer.add_html("page", "<b>x</b>", step)
            writer.add_table("table", [{"a": 1}], step)
            writer.add_plotly("plot", {"data": [], "layout": {}}, step)
            writer.add_video("film", b"\0\0\0\x18ftypmp42", step)
            writer.add_tensor("tensor", np.arange(3), step)
            writer.add_scalar("loss", step, step)
    with conftest.running_tensorboard(tmp_path, fast=fast) as port:
        shown = asyncio.run(conftest.loaded(port, {"run"}))
    assert shown["scalars"]["tags"] == {"run": {"loss": {"displayName": "" if fast else "loss", "description": ""}}}
    assert [row[1:] for row in shown["scalars"]["series"]["run"]["loss"]] == [[0, 0.0], [1, 1.0], [2, 2.0]]
    assert shown["images"]["tags"] == {} and shown["text"]["tags"] == {}


WORKERS = """
import sys
import torch
import lightboard

writer = lightboard.SummaryWriter(sys.argv[1], strict=True)

class Items(torch.utils.data.Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, item):
        writer.add_scalar("worker", item, item)
        return item

writer.add_scalar("main", 0.0, 0)
for _ in torch.utils.data.DataLoader(Items(), batch_size=4, num_workers=2, multiprocessing_context=sys.argv[2]):
    writer.add_scalar("main", 1.0, 1)
writer.close()
"""


def test_dataloader_workers_log_into_files_of_their_own(tmp_path: pathlib.Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", WORKERS, str(tmp_path), "fork"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.glob("*tfevents*"))) == 3
    with lightboard.open(tmp_path, index=False, rewinds="all") as logs:
        assert logs.faults == []
        assert len(logs.scalars(".", "main")) == 11
        assert sorted(logs.scalars(".", "worker").steps.tolist()) == list(range(40))


def test_protobuf_messages_are_taken(tmp_path: pathlib.Path) -> None:
    from tensorboard.compat.proto import event_pb2, graph_pb2, summary_pb2

    summary = summary_pb2.Summary(value=[summary_pb2.Summary.Value(tag="theirs", simple_value=0.5)])
    with lightboard.SummaryWriter(tmp_path, strict=True) as writer:
        writer.file_writer.add_summary(summary, 3)
        writer.file_writer.add_event(event_pb2.Event(summary=summary, step=4, wall_time=7.0))
        graph = graph_pb2.GraphDef(node=[{"name": "n", "op": "o"}])
        writer.file_writer.add_event(event_pb2.Event(graph_def=graph.SerializeToString()))
        for each in writer.all_writers.values():
            each.flush()
    with lightboard.open(tmp_path, index=False) as logs:
        assert logs.scalars(".", "theirs").steps.tolist() == [3, 4]
        assert logs.scalars(".", "theirs").wall_times[1] == 7.0
        assert logs.graph(".") == graph.SerializeToString()


def test_values_of_other_libraries_are_taken(tmp_path: pathlib.Path) -> None:
    import jax
    import tensorflow as tf
    import torch
    from PIL import Image

    array = np.random.default_rng(0).random((3, 8, 9), np.float32)
    given: dict[str, Any] = {
        "numpy": array, "torch": torch.from_numpy(array).requires_grad_(), "tensorflow": tf.constant(array),
        "variable": tf.Variable(array), "jax": jax.numpy.asarray(array), "list": array.tolist(),
    }  # fmt: skip
    with lightboard.SummaryWriter(tmp_path, strict=True) as writer:
        for name, each in given.items():
            writer.add_image(f"image/{name}", each, 1)
            writer.add_histogram(f"histogram/{name}", each, 1)
            writer.log({f"row/{name}": each[0][0][0]}, step=1)
        writer.add_scalar("half/torch", torch.tensor(0.1, dtype=torch.bfloat16), 1)
        writer.add_scalar("half/jax", jax.numpy.asarray(0.1, jax.numpy.bfloat16), 1)
        writer.add_histogram("half/jax_histogram", jax.numpy.asarray(array, jax.numpy.bfloat16), 1)
        pixels = (array * 255).astype(np.uint8).transpose(1, 2, 0)
        writer.add_image("pillow", Image.fromarray(pixels), 1)
        writer.log({"logged": Image.fromarray(pixels), "figure": _figure()}, 1)
    with lightboard.open(tmp_path, index=False) as logs:
        for name in given:
            assert logs.images(".", f"image/{name}")[0].blobs == logs.images(".", "image/numpy")[0].blobs
            buckets = logs.histograms(".", f"histogram/{name}")[0].buckets
            assert (name == "list") or (buckets == logs.histograms(".", "histogram/numpy")[0].buckets).all()
            assert logs.scalars(".", f"row/{name}").values.tolist() == [float(array[0, 0, 0])]
        assert logs.scalars(".", "half/torch").values.tolist() == logs.scalars(".", "half/jax").values.tolist()
        assert logs.images(".", "pillow")[0].blobs == logs.images(".", "logged")[0].blobs
        assert logs.images(".", "figure")[0].width == 200
