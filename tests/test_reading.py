"""`lightboard.open` over real files: the demo's logs (every kind) and some framed by hand.

Left out: how files are found, followed and indexed (tests/logdir), and what each kind's values look like in odd cases
(tests/query).
"""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import event_files
import numpy as np
import pytest

import lightboard
from lightboard import errors, reading
from lightboard.demo import logs as demo_logs
from lightboard.demo import showcase


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo")
    demo_logs.write(path, now=1_700_007_200.0)
    return path


@pytest.fixture(scope="module")
def logs(directory: Path) -> reading.Logs:
    return lightboard.open(directory, index=False)


def small(path: Path, run: str = "train", values: int = 5) -> Path:
    name = path / run / "events.out.tfevents.1"
    event_files.write(name, [event_files.version_event(), *event_files.scalars("loss", range(values))])
    return name


def test_a_metric_expression_is_read_like_a_tag(logs: reading.Logs) -> None:
    found = logs.scalars("digits/lr=0.1", "= train/loss * 2")
    plain = logs.scalars("digits/lr=0.1", "train/loss")
    assert found.values.tolist() == (plain.values.astype(float) * 2).tolist()
    assert found.steps.tolist() == plain.steps.tolist()
    chosen = logs.filter("lr=0.1$").select(tags=["= train/loss * 2"])
    assert [(entry.run, entry.points) for entry in chosen] == [("digits/lr=0.1", len(plain))]
    with pytest.raises(errors.NotFound, match="every metric"):
        logs.scalars("damaged", "= train/loss - val/loss")


# ---- what there is ----


def test_runs_are_named_by_their_directories(logs: reading.Logs) -> None:
    assert len([run for run in logs.runs if run.startswith("digits/")]) == 4
    assert len([run for run in logs.runs if run.startswith("sweep/")]) == 36
    assert {"showcase/base", "damaged", "sweep"} <= set(logs.runs)
    assert logs.runs == sorted(logs.runs)


def test_tags_by_kind_and_run(logs: reading.Logs) -> None:
    assert logs.tags("images") == ["samples/rings", "val/confusion_matrix"]
    found = logs.tags("scalars", run="digits/lr=0.1")
    assert {tag.partition("/")[0] for tag in found} == {"train", "val", "system"}
    assert {"train/loss", "train/gradients/head/norm", "val/accuracy"} <= set(found)
    assert "weights/encoder/stem/kernel" in logs.tags(run="showcase/base")
    assert logs.kinds("showcase/base") == [
        "audio", "custom_scalars", "graphs", "histograms", "html", "images", "mesh", "plotly", "pr_curves", "scalars",
        "tables", "tensors", "text", "video",
    ]  # fmt: skip


def test_series_tell_points_and_last_step(logs: reading.Logs) -> None:
    found = {entry.tag: entry for entry in logs.series("scalars", "digits/lr=0.1")}
    assert found["train/loss"] == ("digits/lr=0.1", "train/loss", "scalars", 600, 599)


# ---- values ----


def test_scalars_are_arrays_of_all_points(logs: reading.Logs) -> None:
    loss = logs.scalars("digits/lr=0.1", "train/loss")
    assert loss.steps.tolist() == list(range(600))
    assert loss.steps.dtype == np.int64
    assert loss.wall_times.dtype == np.float64
    assert loss.values.dtype == np.float32
    assert len(loss) == 600
    assert next(iter(loss)) == (0, loss.wall_times[0], loss.values[0])


def test_scalars_are_not_copied(logs: reading.Logs) -> None:
    first, second = (logs.scalars("digits/lr=0.1", "train/loss") for _ in range(2))
    assert np.shares_memory(first.values, second.values)
    assert not first.values.flags.writeable


def test_nan_stays_nan(logs: reading.Logs) -> None:
    assert math.isnan(logs.scalars("digits/lr=1", "train/loss").values[-1])


def test_superseded_points_are_hidden_unless_asked_for(directory: Path, logs: reading.Logs) -> None:
    run = "digits/lr=0.01"
    assert logs.scalars(run, "train/loss").steps.tolist() == list(range(600))
    everything = lightboard.open(directory, index=False, rewinds="all")
    assert len(everything.scalars(run, "train/loss")) == 600 + 100
    assert {entry.points for entry in logs.series(run=run)} == {600, 60}
    assert {entry.points for entry in everything.series(run=run)} == {700, 70}


def test_images(logs: reading.Logs) -> None:
    samples = logs.images("showcase/base", "samples/rings")
    assert len(samples) == showcase.SHOWN_STEPS
    assert samples.steps.tolist() == [50 * n for n in range(showcase.SHOWN_STEPS)]
    last = samples[-1]
    assert (last.step, last.width, last.height, len(last.blobs)) == (550, 64, 64, 4)
    assert last.blobs[0].startswith(b"\x89PNG")


def test_audio(logs: reading.Logs) -> None:
    (clip,) = logs.audio("showcase/base", "samples/note")[0].clips
    assert clip.data.startswith(b"RIFF")


def test_text(logs: reading.Logs) -> None:
    assert "| 50 |" in logs.text("showcase/base", "samples/story")[1].strings[0]


def test_films_pages_tables_and_figures(tmp_path: Path) -> None:
    film = b"\x1aE\xdf\xa3 a film"
    with lightboard.SummaryWriter(tmp_path / "r") as writer:
        writer.add_html("page", "<b>你好</b>", 3)
        writer.add_table("table", [[1, "a"], [2, None]], columns=["n", "s"], global_step=4)
        writer.add_plotly("figure", {"data": [{"y": [1, 2]}], "layout": {}}, 5)
    metadata = event_files.summary_metadata("lightboard_video")
    tensor = event_files.field_bytes(8, event_files.string_tensor([film], shape=[1]))
    clip = event_files.summary_event(event_files.value("film", tensor, metadata), step=6)
    event_files.write(tmp_path / "v" / "events.out.tfevents.1", [event_files.version_event(), clip])
    with lightboard.open(tmp_path, index=False) as logs:
        assert [(each.step, each.pages) for each in logs.html("r", "page")] == [(3, ("<b>你好</b>",))]
        (table,) = logs.tables("r", "table")[0].tables
        assert ([column.name for column in table.columns], table.cells) == (["n", "s"], [[1, 2], ["a", None]])
        assert logs.plotly("r", "figure")[0].figures[0]["data"][0]["y"] == [1, 2]
        assert [(each.step, each.films) for each in logs.video("v", "film")] == [(6, (film,))]


def test_histograms(logs: reading.Logs) -> None:
    for value in logs.histograms("showcase/base", "weights/decoder/head/kernel"):
        assert value.buckets.shape == (30, 3)
        assert value.buckets[:, 2].sum() == pytest.approx(2000, abs=30)


def test_pr_curves(logs: reading.Logs) -> None:
    assert logs.pr_curves("showcase/base", "val/quality")[0].table.shape == (6, 51)


def test_meshes(logs: reading.Logs) -> None:
    assert logs.meshes("showcase/base", "samples/torus_VERTEX")[0].array.shape == (1, 288, 3)
    assert logs.meshes("showcase/base", "samples/torus_FACE")[0].array.dtype == np.int32


def test_tensors_as_written(logs: reading.Logs) -> None:
    value = logs.tensors("showcase/base", "samples/rings")[0]
    assert value.shape == (6,)
    assert value.strings is not None
    assert value.strings[:2] == (b"64", b"64")


def test_the_graph(logs: reading.Logs) -> None:
    assert b"block_0/mlp/wide/matmul" in logs.graph("showcase/base")


def test_hparams(logs: reading.Logs) -> None:
    run = "sweep/units=64,optimizer=adam,dropout=0.2,seed=1"
    assert logs.hparams(run) == {"units": 64.0, "optimizer": "adam", "dropout": 0.2, "seed": 1.0}
    assert logs.hparams("showcase/base") == {}


def test_trials(logs: reading.Logs, tmp_path: Path) -> None:
    found = logs.trials(repeats="none", sort=["-hparam:units", "name"])
    rows = list(found)
    assert (len(found), len(rows)) == (36, 36)
    assert {"trial", "units", "optimizer", "dropout", "seed", "status", "start"} <= set(found.columns)
    assert [row["units"] for row in rows] == sorted((row["units"] for row in rows), reverse=True)
    same = logs.filter("hparams.units == 64").trials(repeats="same", spread="median")
    assert len(same) == 4
    assert any(name.endswith("deviation") for name in same.columns)
    found.save(tmp_path / "trials.csv")
    assert len((tmp_path / "trials.csv").read_text().splitlines()) == 37


def test_trials_for_data_frames(logs: reading.Logs) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    metric = next(tag for tag in logs.tags("scalars", run=next(run for run in logs.runs if "units=64" in run)))
    found = logs.trials([metric], value="max")
    assert metric in found.columns
    assert isinstance(found.to_pandas(), pandas.DataFrame)
    assert isinstance(found.to_polars(), polars.DataFrame)
    assert found.to_pandas()[metric].tolist() == found.to_arrow()[metric].to_pylist()


def test_trials_where_another_metric_is_best(logs: reading.Logs) -> None:
    """The loss of the demo is lowest in the step with the lowest loss: asked by itself it is its own lowest value."""
    found = logs.trials(["val/loss", "val/accuracy"], by="val/loss", repeats="none")
    lowest = logs.trials(["val/loss"], value="min", repeats="none")
    assert [row["val/loss"] for row in found] == [row["val/loss"] for row in lowest]
    last = logs.trials(["val/accuracy"], repeats="none")
    assert [row["val/accuracy"] for row in found] != [row["val/accuracy"] for row in last]


def test_trials_that_make_no_sense(logs: reading.Logs, tmp_path: Path) -> None:
    with pytest.raises(errors.NotFound, match="nobody"):
        logs.trials(["nobody"])
    with pytest.raises(errors.NotFound, match="nobody"):
        logs.trials(by="nobody")
    for odd in ({"value": "median"}, {"repeats": "all"}, {"spread": "last"}, {"value": "at"}, {"sort": ["x"]}):
        with pytest.raises(errors.BadInput):
            logs.trials(**odd)
    with pytest.raises(errors.BadInput, match="xls"):
        logs.trials().save(tmp_path / "trials.xls")


def test_metadata(logs: reading.Logs) -> None:
    assert logs.metadata("showcase/base", "samples/rings").description == "Four pictures of each step."
    assert logs.metadata("showcase/base", "samples/rings").plugin == "images"


def test_faults_name_file_and_offset_and_the_rest_is_read(logs: reading.Logs) -> None:
    assert logs.scalars("damaged", "train/loss").steps.tolist() == list(range(100))
    (path,) = {fault.path for fault in logs.faults}
    assert "damaged" in path
    assert logs.faults[0].offset > 0


# ---- names that are not there ----


def test_an_unknown_run_names_the_nearest(logs: reading.Logs) -> None:
    with pytest.raises(errors.NotFound, match="no run `damagd`; did you mean `damaged`"):
        logs.scalars("damagd", "loss")


def test_an_unknown_tag_names_the_nearest(logs: reading.Logs) -> None:
    with pytest.raises(errors.NotFound, match="has no tag `train/los`; did you mean `train/loss`"):
        logs.scalars("damaged", "train/los")


def test_a_tag_of_another_kind_is_said_so(logs: reading.Logs) -> None:
    with pytest.raises(errors.NotFound, match="holds images, not scalars"):
        logs.scalars("showcase/base", "samples/rings")
    with pytest.raises(errors.BadInput, match="holds scalars"):
        logs.tensors("damaged", "train/loss")


def test_an_unknown_kind_lists_the_kinds(logs: reading.Logs) -> None:
    with pytest.raises(errors.BadInput, match="kinds are audio, custom_scalars"):
        logs.tags("pictures")


def test_a_path_that_does_not_exist(tmp_path: Path) -> None:
    with pytest.raises(errors.NotFound, match="no such file or directory"):
        lightboard.open(tmp_path / "nothing")


# ---- selections ----


def test_select_by_expression_or_by_names(logs: reading.Logs) -> None:
    assert {entry.run for entry in logs.select(runs="lr=0.1|lr=1", kind="scalars")} == {"digits/lr=0.1", "digits/lr=1"}
    assert [entry.tag for entry in logs.select(runs=["damaged"], tags=["train/loss", "none"])] == ["train/loss"]
    with pytest.raises(errors.BadInput, match="not a regular expression"):
        logs.select(tags="(")


def test_filter_narrows_runs(logs: reading.Logs) -> None:
    narrowed = logs.filter("lr=0.1")
    assert narrowed.runs == ["digits/lr=0.1"]
    assert "val/loss" in narrowed.tags() and "val/score" not in narrowed.tags()
    with pytest.raises(errors.NotFound):
        narrowed.scalars("damaged", "train/loss")
    assert len(logs.filter("hparams.units == 64 and hparams.optimizer == 'adam'").runs) == 6
    assert set(logs.filter('last("val/accuracy") > 0.9').runs) <= set(logs.runs)
    with pytest.raises(errors.BadFilter):
        logs.filter("last(loss) >")


def test_to_pandas_long_and_wide(logs: reading.Logs) -> None:
    table = logs.to_pandas(runs="^digits/", tags=["train/loss", "train/accuracy"])
    assert list(table.columns) == ["run", "tag", "step", "wall_time", "value"]
    assert len(table) == 4 * 2 * 600
    wide = logs.to_pandas(runs="^digits/", tags=["train/loss", "train/accuracy"], wide=True)
    assert list(wide.columns) == ["run", "step", "train/accuracy", "train/loss"]
    assert len(wide) == 4 * 600
    row = wide[(wide["run"] == "digits/lr=0.1") & (wide["step"] == 7)]
    assert row["train/loss"].item() == pytest.approx(float(logs.scalars("digits/lr=0.1", "train/loss").values[7]))


def test_to_polars_long_and_wide(logs: reading.Logs) -> None:
    table = logs.to_polars(runs="^digits/", tags=["train/loss", "train/accuracy"])
    assert table.columns == ["run", "tag", "step", "wall_time", "value"]
    assert table["run"].cast(str).unique().len() == 4
    wide = logs.to_polars(runs="^digits/", tags=["train/loss", "train/accuracy"], wide=True)
    assert set(wide.columns) == {"run", "step", "train/accuracy", "train/loss"}
    assert len(wide) == 4 * 600


def test_to_arrow(logs: reading.Logs) -> None:
    table = logs.to_arrow(tags=["train/loss"], runs=["damaged"])
    assert table.column_names == ["run", "tag", "step", "wall_time", "value"]
    assert table.column("run").to_pylist() == ["damaged"] * 100
    assert table.column("step").to_pylist() == list(range(100))


def test_an_empty_selection_is_an_empty_table(logs: reading.Logs) -> None:
    assert len(logs.to_pandas(runs="no such run")) == 0
    assert len(logs.to_polars(runs="no such run")) == 0
    assert len(logs.to_arrow(runs="no such run")) == 0


def test_a_missing_package_says_what_to_install(logs: reading.Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(errors.Missing, match=r"pip install 'lightboard\[pandas\]'"):
        logs.to_pandas()


# ---- paths ----


def test_an_event_file_alone(tmp_path: Path) -> None:
    small(tmp_path, "train")
    other = small(tmp_path, "other", values=2)
    logs = lightboard.open(other, index=False)
    assert [(entry.tag, entry.points) for entry in logs.series()] == [("loss", 2)]


def test_several_directories_and_named_ones(tmp_path: Path) -> None:
    for name in ("a", "b"):
        small(tmp_path / name)
    assert lightboard.open([tmp_path / "a", tmp_path / "b"], index=False).runs == ["a/train", "b/train"]
    named = lightboard.open({"x": tmp_path / "a", "y": str(tmp_path / "b")}, index=False)
    assert named.runs == ["x/train", "y/train"]


def test_include_and_exclude(tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        small(tmp_path, name)
    assert lightboard.open(tmp_path, index=False, exclude=["t*"]).runs == ["one"]
    assert lightboard.open(tmp_path, index=False, include=["t*"], exclude=["two"]).runs == ["three"]


def test_refresh_reads_what_was_written_since(tmp_path: Path) -> None:
    path = small(tmp_path)
    with lightboard.open(tmp_path, index=False) as logs:
        before = logs.scalars("train", "loss")
        event_files.append(path, event_files.scalars("loss", [7.0], first_step=5))
        small(tmp_path, "eval")
        assert logs.refresh().scalars("train", "loss").values.tolist() == [0, 1, 2, 3, 4, 7]
        assert logs.runs == ["eval", "train"]
        assert len(before) == 5


def test_the_index_gives_the_same(tmp_path: Path) -> None:
    small(tmp_path / "runs")
    for _ in range(2):
        with lightboard.open(tmp_path / "runs", index_dir=tmp_path / "index") as logs:
            values = logs.scalars("train", "loss").values
        assert values.tolist() == [0, 1, 2, 3, 4]
    assert any((tmp_path / "index").iterdir())


def test_arrays_outlive_the_logs(tmp_path: Path) -> None:
    small(tmp_path)
    with lightboard.open(tmp_path, index=False) as logs:
        values = logs.scalars("train", "loss").values
    del logs
    assert values.sum() == 10


def test_open_is_found_by_name_and_other_names_are_not() -> None:
    assert lightboard.open is reading.open
    assert "open" in dir(lightboard)
    with pytest.raises(AttributeError, match="no attribute 'opne'"):
        lightboard.opne  # type: ignore[attr-defined]  # noqa: B018


def test_every_public_name_has_a_heading_in_the_reference() -> None:
    page = (Path(__file__).parent.parent / "docs" / "reference" / "python-api.md").read_text(encoding="utf-8")
    names = [name for name in dir(reading.Logs) if not name.startswith("_")]
    missing = [name for name in names if f"### `Logs.{name}`" not in page]
    assert missing == []
    assert [
        name for name in lightboard.__all__ if not name.startswith("_") and f"`lightboard.{name}`" not in page
    ] == []


@pytest.mark.parametrize(
    ("name", "words", "expected"),
    [
        ("read_scalars.py", ["val/accuracy"], "digits/lr=0.1: last"),
        ("save_images.py", ["pictures"], "180 pictures"),
        ("compare_runs.py", ["val/accuracy"], "units=64.0"),
    ],
)
def test_examples_run(name: str, words: list[str], expected: str, directory: Path, tmp_path: Path) -> None:
    script = Path(__file__).parent.parent / "examples" / name
    done = subprocess.run(
        [sys.executable, str(script), str(directory), *words],
        capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert expected in done.stdout


def test_an_empty_path_is_not_the_current_directory() -> None:
    for path in ("", ["runs", ""], {"a": ""}):
        with pytest.raises(errors.LightboardError):
            lightboard.open(path)
    with pytest.raises(errors.BadInput, match="empty"):
        lightboard.open("")


def test_an_unknown_word_for_rewinds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.BadInput, match="latest, all"):
        lightboard.open(tmp_path, rewinds="some")
