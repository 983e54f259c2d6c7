"""`SummaryWriter`: compatible with the classes of PyTorch and tensorboardX, method by method.

Parameters have the names, order and defaults of `torch.utils.tensorboard.SummaryWriter`; those that only tensorboardX
has follow them. If the two differ in a position (the fifth argument of `add_scalar`), the type decides.

Nothing here raises into a training loop: an error is a warning at the caller's line (`strict` raises).
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import time
import types
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lightboard import wire
from lightboard.sdk import (
    audio,
    curves,
    custom_scalars,
    destinations,
    embeddings,
    file_writer,
    graph_messages,
    histograms,
    hparams_messages,
    images,
    meshes,
    overlays,
    recorder,
    summary_messages,
    tables,
    tensors,
    text,
    trouble,
    values,
    video,
)

if TYPE_CHECKING:
    from lightboard.sdk import tracking

# Every key of `add_scalars` is a run with its own file and thread.
MOST_SUB_RUNS = 1000

_now = time.time


class SummaryWriter:
    """Writes a run. The file is created at once, each record is written within a second; `flush` writes all of them.

    `strict`: raise errors instead of warning. `write_to_disk=False`: accept everything, write nothing.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
        write_to_disk: bool = True,
        logdir: str | os.PathLike[str] | None = None,
        comet_config: Mapping[str, Any] | None = None,
        strict: bool = False,
        **kwargs: Any,
    ) -> None:
        self.log_dir = self.logdir = destinations.logdir(log_dir or logdir, comment)
        self.purge_step = purge_step
        self.max_queue = max_queue
        self.flush_secs = flush_secs
        self.filename_suffix = filename_suffix
        self.strict = strict or trouble.strict_by_environment()
        self.scalar_dict: dict[str, list[list[Any]]] = {}
        self._write_to_disk = write_to_disk
        self._step: Any = 0  # default step of records; see use_metadata
        self._wall_time: float | None = None
        self._tracking: tracking.Tracking | None = None
        unknown = sorted(kwargs) + (["comet_config"] if comet_config and not comet_config.get("disabled") else [])
        if unknown:
            trouble.warn(f"SummaryWriter does not know what to do with {', '.join(unknown)}")
        self._recorder = self._opened(self.log_dir, purge_step)
        self.file_writer = file_writer.FileWriter(self._recorder)
        self.all_writers = {self.log_dir: self.file_writer}
        self._create_file()

    # ---- numbers ----

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: Any = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
        display_name: str = "",
        summary_description: str = "",
    ) -> None:
        """Log a number. With `double_precision` (which needs `new_style`) it keeps all its digits."""
        # By far the most frequent call, so no decorator and no unnecessary conversion.
        try:
            if type(scalar_value) is not float:
                scalar_value = values.number(scalar_value)
            if global_step is None:
                global_step = self._step
            if type(global_step) is not int:
                global_step = values.step(global_step)
            if walltime is None:
                walltime = self._wall_time or _now()
            if new_style or double_precision or display_name or summary_description:
                self._add_rich_scalar(
                    tag,
                    scalar_value,
                    step=global_step,
                    wall_time=walltime,
                    new_style=new_style,
                    double=double_precision,
                    title=display_name,
                    about=summary_description,
                )
            else:
                self._recorder.scalar(tag, scalar_value, global_step, walltime)
        except Exception as error:
            if self.strict:
                raise
            reason = f"{type(error).__name__}: {error}"
            if type(global_step) is int and not -(1 << 63) <= global_step < 1 << 63:
                reason = f"a step has 64 bits, this one needs more: {global_step}"
            trouble.warn(f"add_scalar logged nothing: {reason}")

    def _add_rich_scalar(
        self,
        tag: str,
        number: float,
        *,
        step: int,
        wall_time: float,
        new_style: Any,
        double: Any,
        title: str,
        about: str,
    ) -> None:
        if isinstance(new_style, str):  # tensorboardX: display_name is the fifth, summary_description the sixth
            new_style, title = False, new_style
        if isinstance(double, str):
            double, about = False, double
        if title or about:
            metadata = wire.text(2, title) + wire.text(3, about)
            self._recorder.value(
                summary_messages.value(tag, wire.single(2, number), metadata=metadata), step, wall_time
            )
        elif new_style:
            self._recorder.scalar(tag, number, step, wall_time, recorder.DOUBLE if double else recorder.TENSOR)
        else:
            self._recorder.scalar(tag, number, step, wall_time)

    @trouble.soft
    def add_scalars(
        self, main_tag: str, tag_scalar_dict: Mapping[str, Any], global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Log several curves in one chart: each is a run below this one. `log` needs only one file for all of them."""
        step, wall_time = self._at(global_step, walltime)
        for key, each in tag_scalar_dict.items():
            logdir = f"{self.log_dir}/{main_tag.replace('/', '_')}_{key}"
            number = values.number(each)
            self._sub_run(logdir).recorder.scalar(main_tag, number, step, wall_time)
            self.scalar_dict.setdefault(logdir, []).append([wall_time, step, number])
            del self.scalar_dict[logdir][:-_REMEMBERED]

    @trouble.soft
    def log(self, row: Mapping[str, Any], step: Any = None, walltime: float | None = None) -> None:
        """Log all values of one step: numbers in one record; texts, figures, tables, images by their type.

        Arrays of several numbers become histograms; nested dicts are flattened (`{"loss": {"a": 1}}` is `loss/a`).
        """
        step, walltime = self._at(step, walltime)
        for each in row.values():
            if type(each) is not float:
                break
        else:
            self._recorder.row(row if type(row) is dict else dict(row), step, walltime)
            return
        numbers: dict[str, float] = {}
        others: list[tuple[str, Any]] = []
        for tag, each in _flat(row):
            number = values.maybe_number(each)
            if number is None:
                others.append((tag, each))
            else:
                numbers[tag] = number
        if numbers:
            self._recorder.row(numbers, step, walltime)
        for tag, each in others:
            self._log_other(tag, each, step, walltime)

    def _log_other(self, tag: str, value: Any, step: int, wall_time: float) -> None:
        kind = f"{type(value).__module__}.{type(value).__name__}"
        if isinstance(value, str):
            self.add_text(tag, value, step, wall_time)
        elif isinstance(value, (bytes, bytearray)):
            self.add_video(tag, value, step, walltime=wall_time)
        elif images.is_pillow(value):
            self.add_image(tag, value, step, wall_time)
        elif kind.startswith("matplotlib."):
            self.add_figure(tag, value, step, walltime=wall_time)
        elif kind.startswith("plotly."):
            self.add_plotly(tag, value, step, wall_time)
        elif hasattr(value, "columns") and hasattr(value, "to_dict"):
            self.add_table(tag, value, step, walltime=wall_time)
        elif hasattr(value, "_repr_html_"):
            self.add_html(tag, value, step, wall_time)
        else:
            self.add_histogram(tag, value, step, walltime=wall_time)

    @trouble.soft
    def add_tensor(self, tag: str, tensor: Any, global_step: Any = None, walltime: float | None = None) -> None:
        """Log numbers unchanged, of any shape and dtype."""
        self._add(
            summary_messages.tensor_value(tag, tensors.proto(tensor), summary_messages.metadata("tensor")),
            global_step,
            walltime,
        )

    @trouble.soft
    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: Any = None,
        bins: Any = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Log the distribution of numbers. `bins`: "tensorflow", or any value that `numpy.histogram` accepts."""
        self._add(histograms.value(tag, values, bins, max_bins), global_step, walltime)

    @trouble.soft
    def add_histogram_raw(
        self,
        tag: str,
        min: Any,
        max: Any,
        num: Any,
        sum: Any,
        sum_squares: Any,
        bucket_limits: Any,
        bucket_counts: Any,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log a precomputed histogram. `bucket_limits` are upper limits, one for each count."""
        if len(bucket_limits) != len(bucket_counts):
            raise ValueError(f"as many limits as counts, not {len(bucket_limits)} and {len(bucket_counts)}")
        numbers = [values.number(each) for each in (min, max, num, sum, sum_squares)]
        low, high, count, total, squares = numbers
        value = histograms.raw_value(
            tag,
            bucket_limits,
            counts=bucket_counts,
            low=low,
            high=high,
            count=count,
            total=total,
            squares=squares,
        )
        self._add(value, global_step, walltime)

    @trouble.soft
    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log precision and recall of predictions (0 to 1) for labels (0 or 1)."""
        self._add(curves.value(tag, labels, predictions, num_thresholds, weights), global_step, walltime)

    @trouble.soft
    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log a precomputed precision–recall curve, one number for each threshold."""
        rows = [
            true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts, precision, recall,
        ]  # fmt: skip
        self._add(curves.raw_value(tag, rows, num_thresholds), global_step, walltime)

    # ---- images, audio, meshes ----

    @trouble.soft
    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
        *,
        boxes: Any = None,
        masks: Any = None,
    ) -> None:
        """Log an image: uint8, or numbers from 0 to 1; or a Pillow image. The page draws boxes and masks over it."""
        over = overlays.packed(boxes, masks)
        self._add(images.value(tag, images.pixels(img_tensor, dataformats), over=over), global_step, walltime)

    @trouble.soft
    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Log a batch of images in one grid. A list of images has the `dataformats` of one of them."""
        if isinstance(img_tensor, (list, tuple)) and "N" not in dataformats.upper():
            dataformats = "N" + dataformats
        self._add(images.value(tag, images.pixels(img_tensor, dataformats)), global_step, walltime)

    @trouble.soft
    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        rescale: Any = 1,
        dataformats: Any = "CHW",
        labels: Sequence[str] | str | None = None,
    ) -> None:
        """Log an image with boxes drawn on it; boxes are rows of (left, top, right, bottom)."""
        if isinstance(rescale, str):  # tensorboardX: dataformats is the sixth, labels the seventh
            if dataformats != "CHW":
                labels = dataformats
            rescale, dataformats = 1, rescale
        drawn = images.with_boxes(images.pixels(img_tensor, dataformats), box_tensor, labels)
        self._add(images.value(tag, drawn, rescale=rescale), global_step, walltime)

    @trouble.soft
    def add_figure(
        self, tag: str, figure: Any, global_step: Any = None, close: bool = True, walltime: float | None = None
    ) -> None:
        """Log a matplotlib figure, or a list of them."""
        self._add(images.value(tag, images.figure_pixels(figure, close)), global_step, walltime)

    @trouble.soft
    def add_video(
        self,
        tag: str,
        vid_tensor: Any,
        global_step: Any = None,
        fps: float = 4,
        walltime: float | None = None,
        dataformats: str = "NTCHW",
    ) -> None:
        """Log a video, as numbers (it becomes an animated GIF) or as the bytes of an MP4, WebM or GIF file."""
        self._add(video.value(tag, vid_tensor, fps, dataformats), global_step, walltime)

    @trouble.soft
    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Log audio: numbers from -1 to 1, one or two channels, or the bytes of a WAV, FLAC, MP3 or Ogg file."""
        self._add(audio.value(tag, snd_tensor, sample_rate), global_step, walltime)

    @trouble.soft
    def add_mesh(
        self,
        tag: str,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: dict[str, Any] | None = None,
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log a mesh or point cloud; each tensor is batch × count × 3."""
        found = meshes.values(tag, vertices, colors, faces, config_dict)
        step, wall_time = self._at(global_step, walltime)
        self._recorder.event(recorder.SUMMARY, b"".join(wire.message(1, each) for each in found), step, wall_time)

    @trouble.soft
    def add_embedding(
        self,
        mat: Any,
        metadata: Sequence[Any] | None = None,
        label_img: Any = None,
        global_step: Any = None,
        tag: str = "default",
        metadata_header: Sequence[str] | None = None,
    ) -> None:
        """Log points for the projector, with their labels and images."""
        step, _ = self._at(global_step, None)
        if self._write_to_disk:
            # Beside the event file: the spool of an object store uploads files there.
            embeddings.write(self._recorder.logdir, mat, metadata, label_img, step, tag, metadata_header)

    # ---- texts, tables, pages ----

    @trouble.soft
    def add_text(self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None) -> None:
        """Log a text, shown as Markdown."""
        self._add(text.value(tag, text_string), global_step, walltime)

    @trouble.soft
    def add_html(self, tag: str, html: Any, global_step: Any = None, walltime: float | None = None) -> None:
        """Log HTML: a string, or an object with an HTML representation for notebooks. It is shown in a sandbox."""
        self._add(text.html_value(tag, html), global_step, walltime)

    @trouble.soft
    def add_table(
        self,
        tag: str,
        rows: Any,
        global_step: Any = None,
        columns: Sequence[str] | None = None,
        walltime: float | None = None,
    ) -> None:
        """Log a table: a DataFrame, dicts, a dict of columns, or rows and the names of their columns."""
        self._add(tables.value(tag, rows, columns), global_step, walltime)

    @trouble.soft
    def add_plotly(self, tag: str, figure: Any, global_step: Any = None, walltime: float | None = None) -> None:
        """Log a Plotly figure, or a dict with `data` and `layout`."""
        self._add(tables.plotly_value(tag, figure), global_step, walltime)

    # ---- graphs ----

    @trouble.soft
    def add_graph(
        self, model: Any, input_to_model: Any = None, verbose: bool = False, use_strict_trace: bool = True
    ) -> None:
        """Log a PyTorch model, traced with an example of its input."""
        from lightboard.sdk import graphs

        step, wall_time = self._at(None, None)
        self._recorder.event(
            recorder.GRAPH, graphs.graph(model, input_to_model, verbose, use_strict_trace), step, wall_time
        )
        metadata = graph_messages.run_metadata(graphs.TAG, graphs.DEVICE)
        self._recorder.event(recorder.TAGGED_RUN_METADATA, metadata, step, wall_time)

    @trouble.soft
    def add_onnx_graph(self, prototxt: Any = None, onnx_model_file: Any = None) -> None:
        """Log an ONNX model: a path, bytes, or an `onnx.ModelProto`."""
        from lightboard.sdk import onnx_graphs

        step, wall_time = self._at(None, None)
        model = onnx_model_file if prototxt is None else prototxt
        self._recorder.event(recorder.GRAPH, onnx_graphs.graph(model), step, wall_time)

    @trouble.soft
    def add_openvino_graph(self, xmlname: str | os.PathLike[str]) -> None:
        """Log an OpenVINO model, by the path of its XML file (tensorboardX)."""
        from lightboard.sdk import openvino_graphs

        step, wall_time = self._at(None, None)
        self._recorder.event(recorder.GRAPH, openvino_graphs.graph(xmlname), step, wall_time)

    # ---- hyperparameters, layouts ----

    @trouble.soft
    def add_hparams(
        self,
        hparam_dict: Any,
        metric_dict: Any,
        hparam_domain_discrete: Any = None,
        run_name: Any = None,
        global_step: Any = None,
        name: str | None = None,
    ) -> None:
        """Log hyperparameters and their metrics as a run below this one, named by the time or by `run_name`."""
        if isinstance(hparam_domain_discrete, str):  # tensorboardX: name is the third, global_step the fourth
            if run_name is not None:
                run_name, global_step = None, run_name
            hparam_domain_discrete, name = None, hparam_domain_discrete
        if not isinstance(hparam_dict, dict) or not isinstance(metric_dict, dict):
            raise TypeError("hparam_dict and metric_dict are dicts")
        hparams, infos = _hparams(hparam_dict, hparam_domain_discrete or {})
        step, wall_time = self._at(global_step, None)
        metrics = {tag: values.number(each) for tag, each in metric_dict.items()}
        target = self._opened(f"{self.log_dir}/{run_name or name or _now()}", None)
        for value in (
            hparams_messages.experiment(infos, [hparams_messages.metric_info(tag) for tag in metrics]),
            hparams_messages.session_start(hparams),
            hparams_messages.session_end(hparams_messages.STATUS_SUCCESS),
        ):
            target.value(value, step, wall_time)
        for tag, number in metrics.items():
            target.scalar(tag, number, step, wall_time)
        target.close()

    @trouble.soft
    def add_custom_scalars(self, layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Define charts of several tags: {category: {chart: ["Multiline" or "Margin", tags]}}."""
        self._add(custom_scalars.value(layout), None, None)

    @trouble.soft
    def add_custom_scalars_multilinechart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Define one chart of several tags."""
        self._add(custom_scalars.value({category: {title: ["Multiline", tags]}}), None, None)

    @trouble.soft
    def add_custom_scalars_marginchart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Define one chart of a value between two others: (value, lower, upper)."""
        self._add(custom_scalars.value({category: {title: ["Margin", tags]}}), None, None)

    # ---- the file ----

    @trouble.soft
    def flush(self) -> None:
        """Return when everything logged so far is in the files."""
        for each in list(self.all_writers.values()):
            each.flush()

    @trouble.soft
    def track(
        self,
        *,
        metadata: bool = True,
        heartbeat_secs: float = 30.0,
        system_metrics: bool | float = False,
        console: bool = False,
    ) -> None:
        """Record origin, heartbeats and end of the run; optionally metrics of the machine (True, or seconds between two
        readings) and the printed output. Ends with `close()`, or at the end of the program.
        """
        from lightboard.sdk import tracking  # imported here: it starts programs, and few writers need it

        if self._tracking is None and self._write_to_disk:
            self._tracking = tracking.Tracking(
                self._recorder,
                metadata=metadata,
                heartbeat_secs=heartbeat_secs,
                system_secs=tracking.system_secs(system_metrics),
                console=console,
            )

    @trouble.soft
    def close(self) -> None:
        """Flush and close the files. Logging again opens new ones."""
        self._stop_tracking()
        for each in list(self.all_writers.values()):
            each.close()
        self.all_writers = {self.log_dir: self.file_writer}

    def _stop_tracking(self, error: BaseException | None = None) -> None:
        watched, self._tracking = self._tracking, None
        if watched is not None:
            watched.stop(error)

    def get_logdir(self) -> str:
        return self.log_dir

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: types.TracebackType | None
    ) -> None:
        self._stop_tracking(error)
        self.close()

    @contextlib.contextmanager
    def use_metadata(self, *, global_step: Any = None, walltime: float | None = None) -> Iterator[SummaryWriter]:
        """Set the default step and time of everything logged inside of `with` (tensorboardX)."""
        before = self._step, self._wall_time
        self._step, self._wall_time = (0 if global_step is None else global_step), walltime
        try:
            yield self
        finally:
            self._step, self._wall_time = before

    @trouble.soft
    def export_scalars_to_json(self, path: str | os.PathLike[str]) -> None:
        """Write the latest points of `add_scalars` as {run: [[wall time, step, value], …]} (tensorboardX)."""
        pathlib.Path(path).write_text(json.dumps(self.scalar_dict), "utf-8")
        self.scalar_dict = {}

    # ---- private ----

    def _get_file_writer(self) -> file_writer.FileWriter:
        """For programs that use this private method of PyTorch's writer."""
        return self.file_writer

    def _add(self, value: bytes, step: Any, wall_time: float | None) -> None:
        step, wall_time = self._at(step, wall_time)
        self._recorder.value(value, step, wall_time)

    def _at(self, step: Any, wall_time: float | None) -> tuple[int, float]:
        if step is None:
            step = self._step
        if wall_time is None:
            wall_time = self._wall_time or _now()
        return values.step(step), float(wall_time)

    def _opened(self, logdir: str, purge_step: int | None) -> Any:
        if not self._write_to_disk:
            return file_writer.Nowhere(logdir)
        return destinations.open_recorder(
            logdir,
            filename_suffix=self.filename_suffix,
            flush_secs=self.flush_secs,
            max_queue=self.max_queue,
            purge_step=None if purge_step is None else values.step(purge_step),
            strict=self.strict,
        )

    @trouble.soft
    def _create_file(self) -> None:
        """Create the file now: programs expect the directory to exist as soon as there is a writer."""
        self._recorder.open()

    def _sub_run(self, logdir: str) -> file_writer.FileWriter:
        writer = self.all_writers.get(logdir)
        if writer is None:
            if len(self.all_writers) > MOST_SUB_RUNS:
                raise ValueError(
                    f"add_scalars makes a run of every key, {MOST_SUB_RUNS} are enough; `log` takes any number of tags"
                )
            # setdefault: two threads may create the same sub-run
            writer = self.all_writers.setdefault(logdir, file_writer.FileWriter(self._opened(logdir, None)))
        return writer

    @property
    def default_bins(self) -> list[float]:
        """Edges of the bins of `add_histogram`."""
        return list(histograms.default_edges())


# `export_scalars_to_json` keeps this many points of each curve: memory must not grow with a training.
_REMEMBERED = 10_000


def _flat(row: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, each in row.items():
        if isinstance(each, Mapping):
            yield from _flat(each, f"{above}{name}/")
        else:
            yield f"{above}{name}", each


def _hparams(
    hparams: dict[str, Any], domains: dict[str, Any]
) -> tuple[dict[str, hparams_messages.Scalar | None], list[bytes]]:
    """Returns values and descriptions. A bool is a number here, as in PyTorch's writer, so both sort alike."""
    scalars: dict[str, hparams_messages.Scalar | None] = {}
    infos = []
    for name, choices in domains.items():
        if (
            name not in hparams
            or not isinstance(choices, list)
            or {type(each) for each in choices} - {type(hparams[name])}
        ):
            raise TypeError(f"hparam_domain_discrete[{name!r}] is a list of values like that of hparam_dict[{name!r}]")
    for name, each in hparams.items():
        if each is None:
            continue
        domain: Any = domains.get(name)
        if not isinstance(each, str):
            number = values.maybe_number(each)
            each = number if number is not None else getattr(each, "__name__", None) or str(each)
            domain = None if domain is None else [values.number(x) for x in domain]
        scalars[name] = each
        kind = hparams_messages.TYPE_STRING if isinstance(each, str) else hparams_messages.TYPE_FLOAT64
        infos.append(hparams_messages.hparam_info(name, type=kind, discrete=domain))
    return scalars, infos
