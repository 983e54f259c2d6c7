"""inspect, export, doctor, demo and index over the demo's logs, called in this process."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import board_process
import event_files
import pytest

from lightboard import cli
from lightboard.cli import export
from lightboard.demo import logs as demo_logs
from lightboard.sdk import writer as writer_


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo")
    demo_logs.write(path, now=1_700_007_200.0)
    return path


def lightboard(capsys: pytest.CaptureFixture[str], *words: str | Path, code: int = cli.OK) -> tuple[str, str]:
    assert cli.main([str(word) for word in words]) == code
    out, err = capsys.readouterr()
    return out, err


# ---- inspect ----


def test_inspect_lists_runs_tags_and_faults(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = lightboard(capsys, "inspect", directory, "--no_index")
    assert err == ""
    lines = out.splitlines()
    assert any(line.startswith("digits/lr=0.1  (1 file, ") for line in lines)
    assert any(line.split()[:4] == ["scalars", "train/loss", "600", "points"] for line in lines)
    assert any(line.startswith("fault: ") and "damaged" in line for line in lines)
    assert lines[-1].startswith("45 runs, ")


def test_inspect_json(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = lightboard(capsys, "inspect", "--logdir", directory, "--json", "--no_index")
    found = json.loads(out)
    runs = {run["run"]: run for run in found["runs"]}
    (loss,) = [tag for tag in runs["digits/lr=0.1"]["tags"] if tag["tag"] == "train/loss"]
    assert (loss["points"], loss["min_step"], loss["max_step"], loss["kind"]) == (600, 0, 599, "scalars")
    assert found["faults"][0]["offset"] > 0


def test_inspect_tells_the_same_of_points_in_one_chunk_and_in_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = []
    steps, walls = [7, 2**60, -3, 5], [20.0, float("nan"), 10.0, 30.0]
    events = [event_files.scalar_event("loss", 1.0, step, wall) for step, wall in zip(steps, walls, strict=True)]
    for pieces in (1, 2):
        folder = tmp_path / str(pieces)
        for piece in range(pieces):
            event_files.write(folder / f"events.out.tfevents.{piece}", events[piece::pieces])
        out, _ = lightboard(capsys, "inspect", folder, "--json", "--no_index", "--rewinds", "all")
        told.append(json.loads(out)["runs"][0]["tags"][0])
    for each in told:
        assert (each["points"], each["min_step"], each["max_step"]) == (4, -3, 2**60)
        assert (each["min_wall_time"], each["max_wall_time"]) == (10.0, 30.0)
    assert (told[0]["first_step"], told[0]["last_step"]) == (7, 5)


def test_inspect_is_also_a_flag_as_in_tensorboard(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = lightboard(capsys, "--inspect", "--logdir", directory, "--tag", "layers/attention", "--no_index")
    assert out.splitlines()[-1].startswith("3 runs, 3 series")


def test_inspect_of_one_file(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (file,) = (directory / "damaged").iterdir()
    out, _ = lightboard(capsys, "--inspect", "--event_file", file, "--no_index")
    assert "loss" in out
    assert out.splitlines()[-1].startswith("1 run, 1 series, ")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--logdir", "nowhere"], cli.FAILED, "no such logdir: nowhere"),
        (["--event_file", "nowhere"], cli.FAILED, "no such event file: nowhere"),
        (["--event_file", "x", "--logdir", "y"], cli.USAGE, "cannot be combined"),
        ([], cli.USAGE, "no logdir is given"),
    ],
)
def test_inspect_of_nothing(words: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = lightboard(capsys, "inspect", *words, code=code)
    assert message in err.splitlines()[0]


def test_inspect_of_a_tag_nobody_has(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = lightboard(capsys, "inspect", directory, "--tag", "none", "--no_index", code=cli.FAILED)
    assert "no run has a tag `none`" in err


def test_inspect_into_a_closed_pipe_is_quiet(directory: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m lightboard inspect {directory} --no_index --json | head -n 1",
        shell=True, capture_output=True, text=True, timeout=board_process.PATIENCE_SECS, check=True,
    )  # fmt: skip
    assert done.stderr == ""


# ---- export ----


def test_export_csv_to_stdout(directory: Path) -> None:
    done = board_process.run("export", directory, "--runs", "lr=1$", "--tag", "train/loss", "--no_index")
    assert done.returncode == cli.OK
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert rows[0] == ["run", "tag", "step", "wall_time", "value"]
    assert len(rows) == 601
    assert rows[-1][:3] == ["digits/lr=1", "train/loss", "599"]
    assert rows[-1][4] == "NaN"


def test_export_of_a_metric_expression(directory: Path) -> None:
    done = board_process.run("export", directory, "--runs", "lr=0.1$", "--tag", "= train/loss - val/loss", "--no_index")
    assert done.returncode == cli.OK, done.stderr
    rows = list(csv.reader(io.StringIO(done.stdout)))[1:]
    logged = {}
    for tag in ("train/loss", "val/loss"):
        one = board_process.run("export", directory, "--runs", "lr=0.1$", "--tag", tag, "--no_index")
        logged[tag] = {row[2]: float(row[4]) for row in list(csv.reader(io.StringIO(one.stdout)))[1:]}
    assert len(rows) == min(map(len, logged.values())) > 10
    shared = [row for row in rows if row[2] in logged["train/loss"] and row[2] in logged["val/loss"]]
    assert [float(row[4]) for row in shared] == [
        logged["train/loss"][row[2]] - logged["val/loss"][row[2]] for row in shared
    ]
    wrong = board_process.run("export", directory, "--tag", "= train/los", "--no_index")
    assert wrong.returncode == cli.USAGE and "did you mean" in wrong.stderr


@pytest.mark.parametrize("name", ["points.jsonl", "points.parquet", "points.arrows", "points.csv"])
def test_export_to_files(name: str, directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / name
    out, err = lightboard(capsys, "export", directory, "--runs", "^damaged$", "-o", target, "--no_index")
    assert out == ""
    assert err == f"wrote 100 points of 1 series: {target}\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]
    if name.endswith("jsonl"):
        lines = [json.loads(line) for line in target.read_text().splitlines()]
        assert [line["step"] for line in lines] == list(range(100))
        assert lines[0]["run"] == "damaged"
    elif name.endswith("parquet"):
        parquet = pytest.importorskip("pyarrow.parquet")
        assert parquet.read_table(target).column("step").to_pylist() == list(range(100))


def test_export_of_nothing_leaves_no_file(directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "x.csv"
    _, err = lightboard(capsys, "export", directory, "--tag", "none", "-o", target, "--no_index", code=cli.FAILED)
    assert err.startswith("error: no scalars match\nhint: ")
    assert not target.exists()


@pytest.mark.parametrize(
    ("kind", "count", "keys"),
    [
        ("text", 36, {"shape", "strings"}),
        ("histograms", 144, {"buckets"}),
        ("pr_curves", 36, {"thresholds", "true_positives", "precision", "recall"}),
        ("mesh", 108, {"shape", "dtype", "values"}),
        ("custom_scalars", 1, {"shape", "base64"}),
        ("graphs", 2, {"base64"}),
    ],
)
def test_export_of_heavier_kinds(kind: str, count: int, keys: set[str], directory: Path, tmp_path: Path) -> None:
    target = tmp_path / "values.jsonl"
    assert cli.main(["export", str(directory), "--kind", kind, "-o", str(target), "--no_index"]) == cli.OK
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(lines) == count
    assert keys | {"run", "tag", "step", "wall_time"} <= set(lines[0])


def test_export_of_hparams(directory: Path, tmp_path: Path) -> None:
    target = tmp_path / "hparams.jsonl"
    assert cli.main(["export", str(directory), "--kind", "hparams", "-o", str(target), "--no_index"]) == cli.OK
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    assert len(lines) == 36
    assert set(lines[0]["hparams"]) == {"units", "optimizer", "dropout", "seed"}


@pytest.mark.parametrize("name", ["trials.csv", "trials.json", "trials.tex", "trials.parquet", "trials.arrows"])
def test_export_of_trials(name: str, directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if name.endswith(("parquet", "arrows")):
        pytest.importorskip("pyarrow")
    target = tmp_path / name
    asked = ["--kind", "trials", "--value", "best", "--repeats", "same", "--spread", "median", "--sort", "hparam:units"]
    _, err = lightboard(capsys, "export", directory, *asked, "-o", target, "--no_index")
    assert err == f"wrote 12 trials: {target}\n"
    if name.endswith("csv"):
        lines = target.read_text().splitlines()
        assert lines[0].startswith("trial,runs,dropout,optimizer,seed,units,")
        assert len(lines) == 13


def test_trials_that_cannot_be_written_say_why(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trials = ("export", directory, "--kind", "trials", "--no_index")
    for asked, word, code in (
        (("--runs", "^damaged$"), "no trials", cli.FAILED),
        (("--value", "at"), "--step", cli.USAGE),
        (("--format", "jsonl"), "JSON lines", cli.USAGE),
        (("--tag", "nobody"), "no trial has a metric `nobody`", cli.FAILED),
        (("--by", "nobody"), "no trial has a metric `nobody`", cli.FAILED),
    ):
        _, err = lightboard(capsys, *trials, *asked, "-o", tmp_path / "x", code=code)
        assert word in err
    _, err = lightboard(capsys, "export", directory, "--format", "latex", "--no_index", code=cli.USAGE)
    assert "--kind trials" in err


@pytest.mark.parametrize(("kind", "count", "ending"), [("images", 180, ".png"), ("audio", 36, ".wav")])
def test_export_of_files(kind: str, count: int, ending: str, directory: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    assert cli.main(["export", str(directory), "--kind", kind, "-o", str(target), "--no_index"]) == cli.OK
    lines = [json.loads(line) for line in (target / "index.jsonl").read_text().splitlines()]
    assert len(lines) == count
    assert {Path(line["file"]).suffix for line in lines} == {ending}
    assert all((target / line["file"]).stat().st_size > 100 for line in lines)
    assert cli.main(["export", str(directory), "--kind", kind, "-o", str(target), "--no_index"]) == cli.USAGE


def test_export_of_what_our_own_writer_logs(tmp_path: Path) -> None:
    film, page = b"\x1a\x45\xdf\xa3rest", b"<p>a page</p>"
    with writer_.SummaryWriter(tmp_path / "logs") as writer:
        writer.add_video("film", film, 3)
        writer.add_html("page", page.decode(), 4)
        writer.add_table("table", [{"a": 1}, {"a": 2}], global_step=5)
    for kind, step, ending, data in (("video", 3, ".webm", film), ("html", 4, ".html", page)):
        target = tmp_path / kind
        assert cli.main(["export", str(tmp_path / "logs"), "--kind", kind, "-o", str(target), "--no_index"]) == cli.OK
        (line,) = (target / "index.jsonl").read_text().splitlines()
        record = json.loads(line)
        assert (record["step"], Path(record["file"]).suffix) == (step, ending)
        assert (target / record["file"]).read_bytes() == data
    target = tmp_path / "tables.jsonl"
    assert cli.main(["export", str(tmp_path / "logs"), "--kind", "tables", "-o", str(target), "--no_index"]) == cli.OK
    assert json.loads(target.read_text())["values"] == [{"columns": ["a"], "rows": [[1], [2]]}]


def test_exported_names_stay_in_the_directory() -> None:
    taken: set[str] = set()
    names = [export._safe_names(run, "a/b", taken) for run in ("../..", "..", "/etc", "a:b", "A_b", "a\x00b", "")]
    assert len({name.lower() for name in names}) == len(names)
    for name in names:
        assert not name.startswith(("/", "."))
        assert ".." not in name.split("/")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--kind", "images"], "need a directory"),
        (["--kind", "text", "--format", "csv"], "cannot be written as csv"),
        (["--kind", "text", "-o", "x.parquet"], "cannot be written as parquet"),
    ],
)
def test_export_in_a_form_that_does_not_fit(
    words: list[str], message: str, directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, err = lightboard(capsys, "export", directory, *words, code=cli.USAGE)
    assert message in err


def test_export_with_a_bad_filter_or_pattern(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = lightboard(capsys, "export", directory, "--tags", "(", "--no_index", code=cli.USAGE)
    assert "not a regular expression" in err


# ---- doctor ----


def test_doctor_checks_everything(directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = lightboard(capsys, "doctor", "--logdir", directory, "--json")
    found = {finding["check"]: finding for finding in json.loads(out)}
    assert {"version", "native core", "page", "packages", "index", "notifications", "logdir", "fault", "port"} <= set(
        found
    )
    assert found["logdir"]["detail"].startswith("45 runs, ")
    assert found["native core"]["state"] in ("ok", "note")


def test_export_names_the_place_where_it_cannot_write(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for output, code, place in (
        (tmp_path, cli.USAGE, tmp_path),
        (tmp_path / "no" / "x.csv", cli.FAILED, tmp_path / "no"),
    ):
        _, err = lightboard(capsys, "export", directory, "--no_index", "--output", output, code=code)
        assert err.rstrip().endswith(f": {place}")


def test_doctor_fails_where_the_index_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("")
    out, err = lightboard(capsys, "doctor", "--index_dir", file / "below", code=cli.FAILED)
    assert any(line.startswith("problem") and "index" in line for line in out.splitlines())
    assert "--index_dir" in err


def test_doctor_of_a_missing_logdir(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = lightboard(capsys, "doctor", "--logdir", "nowhere", code=cli.FAILED)
    assert any("no such logdir: nowhere" in line for line in out.splitlines())


# ---- demo ----


def test_demo_writes_logs_into_an_empty_directory_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "logs"
    out, _ = lightboard(capsys, "demo", target, "--logs_only")
    assert out == f"{target}\n"
    assert (target / "showcase").is_dir()
    _, err = lightboard(capsys, "demo", target, "--logs_only", code=cli.USAGE)
    assert "new or empty directory" in err


def test_demo_serves_and_grows_and_cleans_up() -> None:
    with board_process.Process("demo", "--port", "0") as board:
        board.wait_for_runs("showcase/base", "live")
        code, out, err = board.stop()
    assert (code, out) == (cli.OK, "")
    (line,) = err.splitlines()
    assert not Path(line.removeprefix("sample logs: ")).exists()


# ---- index ----


def test_index_lists_and_clears(directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home = tmp_path / "index"
    lightboard(capsys, "inspect", directory, "--index_dir", home)
    out, _ = lightboard(capsys, "index", "--index_dir", home, "--json")
    (entry,) = json.loads(out)["entries"]
    assert entry["size_bytes"] > 0
    assert entry["last_used"] > 0
    assert entry["roots"] == [str(directory)]
    assert str(directory) in lightboard(capsys, "index", "--index_dir", home)[0]
    (home / "mine.txt").write_text("not part of the index")
    out, _ = lightboard(capsys, "index", "clear", "--index_dir", home)
    assert out.splitlines()[-1].startswith("removed: 1 logdir")
    assert [path.name for path in home.iterdir()] == ["mine.txt"]
    out, _ = lightboard(capsys, "index", "--index_dir", home)
    assert out.startswith("kept: 0 logdirs")


# ---- reference ----


def test_the_reference_has_a_heading_for_every_verb_and_flag() -> None:
    from lightboard.cli import arguments, flags

    page = (Path(__file__).parent.parent.parent / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    parts = page.split("\n## ")
    for verb in arguments.verbs():
        (part,) = [part for part in parts if part.startswith(f"`{verb}`")]
        headings = "\n".join(line for line in part.splitlines() if line.startswith("###"))
        for action in arguments.parser(verb)._actions:
            for name in action.option_strings:
                if name not in ("-h", "--help") and action.dest not in flags.INERT:
                    assert f"`{name}`" in headings or f"`{name} " in headings, f"{verb} {name}"
                if action.dest in flags.INERT:
                    assert f"`{name}`" in part


def test_the_reference_is_what_the_parsers_say() -> None:
    tool = Path(__file__).parent.parent.parent / "tools" / "cli_reference.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False)
    assert done.stderr == ""
