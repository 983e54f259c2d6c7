"""Keras 3, on any backend: `keras.callbacks.TensorBoard` without TensorFlow.

    from lightboard.integrations.keras import LightboardCallback

    model.fit(x, y, validation_split=0.1, callbacks=[LightboardCallback("logs", histogram_freq=1)])

Arguments, runs and tags are those of Keras' own callback:

    train/        epoch_<metric>, epoch_learning_rate, epoch_steps_per_second, batch_<metric>, batch_steps_per_second,
                  keras (the conceptual graph), <weight>/histogram, <weight>/image
    validation/   epoch_<metric>, evaluation_<metric>_vs_iterations

While a model trains with `update_freq` other than "epoch", `lightboard.summary` writes to the same run, every
`update_freq` batches: your `train_step` or layers can log to it. Keras writes a checkpoint for the projector;
this callback instead writes a table that a board can read: the newest matrix of each `Embedding`.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import time
from collections.abc import Mapping
from typing import Any, Literal

from lightboard import errors, summary
from lightboard.sdk import default_writer, optional, recorder, summary_messages, traces, tracking, trouble, values

keras: Any = optional.load("keras", "pip install keras", "lightboard.integrations.keras")

Logs = Mapping[str, Any] | None
CONFIG = "projector_config.pbtxt"
GRAPH_TAG, GRAPH_PLUGIN = "keras", "graph_keras_model"


class _Batch:
    """The current batch, counted from 1. Summaries without a step read it when they are written."""

    def __init__(self) -> None:
        self.number = 0

    def __index__(self) -> int:
        return self.number

    __int__ = __index__


class LightboardCallback(keras.callbacks.Callback):  # type: ignore[misc]
    """`track`: write metadata and heartbeats, as `lightboard.init` does. `strict`: raise errors of logging.

    State: `_writers` by sub-run, opened at first use; `_contexts` are the defaults set for `lightboard.summary`,
    innermost last (an evaluation runs inside of a training).
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        write_steps_per_second: bool = False,
        update_freq: int | Literal["batch", "epoch"] = "epoch",
        profile_batch: int | str | tuple[int, int] = 0,
        embeddings_freq: int = 0,
        embeddings_metadata: str | Mapping[str, str] | None = None,
        *,
        track: bool = False,
        strict: bool = False,
    ) -> None:
        super().__init__()
        self.log_dir = os.fspath(log_dir)
        self.histogram_freq = histogram_freq
        self.write_graph = write_graph
        self.write_images = write_images
        self.write_steps_per_second = write_steps_per_second
        self.update_freq: int | str = 1 if update_freq == "batch" else update_freq
        self.embeddings_freq = embeddings_freq
        self.embeddings_metadata = embeddings_metadata
        self.strict = strict or trouble.strict_by_environment()
        self._track = track
        self._profiled = profiled_batches(profile_batch)
        self._writers: dict[str, default_writer.SummaryWriter] = {}
        self._contexts: list[contextlib.ExitStack] = []
        self._train_batch, self._test_batch = _Batch(), _Batch()
        self._trackings: dict[str, tracking.Tracking] = {}
        self._training = False
        self._graph_due = False
        self._tracing = False
        self._batch_started = self._epoch_started = 0.0
        self._epoch_iterations = 0

    # ---- called by Keras ----

    def set_model(self, model: Any) -> None:
        super().set_model(model)
        self._close()
        self._graph_due = self.write_graph
        if self.write_graph:
            self._write_model(model)
        if self.embeddings_freq:
            self._check_embeddings(model)

    def on_train_begin(self, logs: Logs = None) -> None:
        self._train_batch.number = 0
        self._epoch_iterations = 0
        self._push("train", self._train_batch)
        self._training = True
        self._watch("train")

    def on_train_end(self, logs: Logs = None) -> None:
        self._pop()
        self._stop_trace()
        self._close()

    def on_test_begin(self, logs: Logs = None) -> None:
        self._push("validation", self._test_batch)
        if self._training:  # otherwise it is a separate evaluation
            self._watch("validation")

    def on_test_end(self, logs: Logs = None) -> None:
        self._write_evaluation(logs)
        self._pop()

    def on_train_batch_begin(self, batch: int, logs: Logs = None) -> None:
        self._train_batch.number += 1
        self._batch_started = time.perf_counter()
        if self._profiled and self._train_batch.number == self._profiled[0]:
            self._start_trace()

    def on_train_batch_end(self, batch: int, logs: Logs = None) -> None:
        number = self._train_batch.number
        if self._graph_due:
            self._graph_due = False
            self._write_tensorflow_graph()
        if self.update_freq != "epoch" and number % int(self.update_freq) == 0:
            self._write_batch(logs, number)
        if self._tracing and self._profiled and number >= self._profiled[1]:
            self._stop_trace()

    def on_test_batch_begin(self, batch: int, logs: Logs = None) -> None:
        self._test_batch.number += 1

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        self._begin_epoch()

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        self._write_epoch(epoch, logs)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            self._write_weights(epoch)
        if self.embeddings_freq and epoch % self.embeddings_freq == 0:
            self._write_embeddings()

    # ---- numbers ----

    @trouble.soft
    def _begin_epoch(self) -> None:
        if self.write_steps_per_second:
            self._epoch_iterations = self._iterations()
            self._epoch_started = time.perf_counter()

    @trouble.soft
    def _write_batch(self, logs: Logs, number: int) -> None:
        row = {f"batch_{name}": value for name, value in (logs or {}).items()}
        if self.write_steps_per_second:
            row["batch_steps_per_second"] = 1.0 / max(1e-9, time.perf_counter() - self._batch_started)
        self._write_row("train", row, number)

    @trouble.soft
    def _write_epoch(self, epoch: int, logs: Logs) -> None:
        if not logs:
            return
        train = {name: value for name, value in logs.items() if not name.startswith("val_")}
        train.update(self._learning_rates())
        if self.write_steps_per_second:
            secs = max(1e-9, time.perf_counter() - self._epoch_started)
            train["steps_per_second"] = (self._iterations() - self._epoch_iterations) / secs
        held_out = {name.removeprefix("val_"): value for name, value in logs.items() if name.startswith("val_")}
        self._write_row("train", {f"epoch_{name}": value for name, value in train.items()}, epoch)
        self._write_row("validation", {f"epoch_{name}": value for name, value in held_out.items()}, epoch)

    @trouble.soft
    def _write_evaluation(self, logs: Logs) -> None:
        if logs and hasattr(getattr(self.model, "optimizer", None), "iterations"):
            row = {f"evaluation_{name}_vs_iterations": value for name, value in logs.items()}
            self._write_row("validation", row, self._iterations())

    def _write_row(self, run: str, row: Mapping[str, Any], step: int) -> None:
        """Write one record in the format of `tf.summary.scalar`, regardless of the user's `record_if`."""
        found = {tag: values.maybe_number(_as_array(value)) for tag, value in row.items()}
        numbers = {tag: number for tag, number in found.items() if number is not None}
        if numbers:
            self._recorder(run).row(numbers, step, time.time(), recorder.TENSOR)

    def _iterations(self) -> int:
        return int(_as_array(self.model.optimizer.iterations))

    def _learning_rates(self) -> dict[str, float]:
        optimizer: Any = getattr(self.model, "optimizer", None)
        optimizer = getattr(optimizer, "inner_optimizer", optimizer)  # LossScaleOptimizer wraps an optimizer
        several = getattr(optimizer, "optimizers", None)
        if several is not None:
            return {f"learning_rate_{each.name}": float(_as_array(each.learning_rate)) for each in several}
        if hasattr(optimizer, "learning_rate"):
            return {"learning_rate": float(_as_array(optimizer.learning_rate))}
        return {}

    # ---- weights ----

    @trouble.soft
    def _write_weights(self, epoch: int) -> None:
        with self._writer("train").as_default(), summary.record_if(True):
            for layer in self.model.layers:
                for weight in layer.weights:
                    name, array = weight.path.replace(":", "_"), _as_array(weight)
                    summary.histogram(f"{name}/histogram", array, step=epoch)
                    if self.write_images and (pictures := as_pictures(array)) is not None:
                        summary.image(f"{name}/image", pictures, step=epoch)

    # ---- graphs ----

    @trouble.soft
    def _write_model(self, model: Any) -> None:
        """Write the conceptual graph: layers and the connections between them."""
        if type(model).__name__ not in ("Functional", "Sequential"):
            return  # other models are programs without such a graph
        try:
            content = model.to_json()
        except Exception as error:  # a layer of the user that cannot be described
            trouble.warn(f"the model's graph was not logged: {type(error).__name__}: {error}")
            return
        metadata = summary_messages.metadata(GRAPH_PLUGIN, content=b"1")
        value = summary_messages.tensor_value(
            GRAPH_TAG, summary_messages.string_tensor([content.encode()], []), metadata
        )
        self._recorder("train").value(value, 0, time.time())

    @trouble.soft
    def _write_tensorflow_graph(self) -> None:
        """Write the graph of operations, which exists if TensorFlow is the backend."""
        function = getattr(self.model, "train_function", None)
        for name in ("_concrete_stateful_fn", "_concrete_variable_creation_fn"):
            graph = getattr(getattr(function, name, None), "graph", None)
            if graph is not None:
                serialized = graph.as_graph_def(add_shapes=True).SerializeToString()
                self._recorder("train").event(recorder.GRAPH, serialized, 0, time.time())
                return

    # ---- profiles ----

    @trouble.soft
    def _start_trace(self) -> None:
        traces.start(self._directory("train"))
        self._tracing = True

    @trouble.soft
    def _stop_trace(self) -> None:
        if self._tracing:
            self._tracing = False
            traces.finish(self._directory("train"), f"batch_{self._train_batch.number}")

    # ---- the projector ----

    def _embeddings(self, model: Any) -> list[Any]:
        return [layer for layer in model.layers if isinstance(layer, keras.layers.Embedding)]

    def _check_embeddings(self, model: Any) -> None:
        if isinstance(self.embeddings_metadata, Mapping):
            unknown = set(self.embeddings_metadata) - {layer.name for layer in self._embeddings(model)}
            if unknown:
                raise ValueError(f"`embeddings_metadata` names layers that are no Embedding: {sorted(unknown)}")

    @trouble.soft
    def _write_embeddings(self) -> None:
        entries = []
        for layer in self._embeddings(self.model):
            matrix = _as_array(layer.embeddings)
            place = f"train/keras_embedding/{layer.name.replace('/', '_')}.tsv"
            path = pathlib.Path(self.log_dir, place)
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = ("\t".join(map(str, row)) for row in matrix.tolist())
            _replace(path, "\n".join(lines) + "\n")
            entry = {"tensor_name": layer.name, "tensor_path": place}
            if (metadata := self._metadata_of(layer)) is not None:
                entry["metadata_path"] = metadata
            entries.append(entry)
        # strings of JSON are valid in protobuf's text format
        text = "".join(
            "embeddings {\n" + "".join(f"  {name}: {json.dumps(each)}\n" for name, each in entry.items()) + "}\n"
            for entry in entries
        )
        if entries:
            _replace(pathlib.Path(self.log_dir, CONFIG), text)

    def _metadata_of(self, layer: Any) -> str | None:
        if isinstance(self.embeddings_metadata, Mapping):
            return self.embeddings_metadata.get(layer.name)
        return self.embeddings_metadata

    # ---- writers ----

    def _directory(self, run: str) -> str:
        return str(pathlib.Path(self.log_dir, run))

    def _writer(self, run: str) -> default_writer.SummaryWriter:
        if run not in self._writers:
            self._writers[run] = summary.create_file_writer(self._directory(run), strict=self.strict)
        return self._writers[run]

    def _recorder(self, run: str) -> recorder.Recorder:
        target = self._writer(run)._recorder
        if target is None:
            raise errors.BadInput("this writer writes nothing")
        return target

    def _watch(self, run: str) -> None:
        if self._track and run not in self._trackings:
            self._trackings[run] = tracking.Tracking(self._recorder(run), metadata=run == "train")

    def _push(self, run: str, batch: _Batch) -> None:
        """Write the user's summaries to this run, every `update_freq` batches."""
        stack = contextlib.ExitStack()
        if self.update_freq != "epoch":
            every = int(self.update_freq)
            stack.enter_context(self._writer(run).as_default(step=batch))
            stack.enter_context(summary.record_if(lambda: batch.number % every == 0))
        self._contexts.append(stack)

    def _pop(self) -> None:
        if self._contexts:
            self._contexts.pop().close()

    def _close(self) -> None:
        """Also called after a training that ended with an exception, because Keras calls no callback then."""
        self._training = False
        while self._contexts:
            self._pop()
        for watched in self._trackings.values():
            watched.stop()
        self._trackings.clear()
        for each in self._writers.values():
            each.close()
        self._writers.clear()


TensorBoard = LightboardCallback


def profiled_batches(option: int | str | tuple[int, int]) -> tuple[int, int] | None:
    """First and last batch to profile, counted from 1: from 5, (10, 20), or "10,20"."""
    wrong = f"`profile_batch` is a batch number or a pair of them, not {option!r}"
    try:
        numbers = (
            option.split(",") if isinstance(option, str) else option if isinstance(option, (tuple, list)) else [option]
        )
        found = [int(each) for each in numbers]
    except (TypeError, ValueError) as error:
        raise ValueError(wrong) from error
    if len(found) not in (1, 2) or found[0] < 0 or found[-1] < found[0]:
        raise ValueError(wrong)
    return None if found[-1] == 0 else (found[0], found[-1])


def as_pictures(array: Any) -> Any:
    """Returns a weight as images [k, height, width, 1]: a column, a landscape matrix, a kernel per channel, or None."""
    import numpy as np

    flat = np.squeeze(array)
    if flat.ndim == 1:
        return flat.reshape(1, -1, 1, 1)
    if flat.ndim == 2:
        flat = flat.T if flat.shape[0] > flat.shape[1] else flat
        return flat[None, :, :, None]
    if flat.ndim == 3:
        channels_last = keras.config.image_data_format() == "channels_last"
        return (np.moveaxis(flat, -1, 0) if channels_last else flat)[..., None]
    if flat.ndim == 4 and flat.shape[-1] in (1, 3, 4):
        return flat
    return None


def _as_array(value: Any) -> Any:
    """Returns a NumPy array, detached from device and graph."""
    return value if isinstance(value, (int, float)) else keras.ops.convert_to_numpy(value)


def _replace(path: pathlib.Path, text: str) -> None:
    """Replaces the file atomically: a board may read it at any moment."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    scratch.write_text(text, encoding="utf-8")
    os.replace(scratch, path)
