"""Trials as files: every format, odd values, order and columns as asked for."""

from __future__ import annotations

import csv
import io
import json
import math

import pytest
from made_trials import Sessions

from lightboard import errors
from lightboard.query.hparams import trial_files, trial_metrics, trial_tables

ipc = pytest.importorskip("pyarrow.ipc")
parquet = pytest.importorskip("pyarrow.parquet")


def odd() -> trial_tables.Table:
    made = Sessions()
    made.session("a", {"lr": 0.1, "opt": 'a,"b"\nc', "flag": True, "=cmd": 1}, status=1, loss=[2.0, 0.5], accuracy=0.9)
    made.session("b", {"lr": math.nan, "opt": "=1+1"}, loss=math.nan, accuracy=0.7)
    made.session("ß/😀", {"lr": math.inf, "opt": "50% & $_{x}^~\\#"}, group="g_1", loss=1e-9)
    return trial_tables.table(made.build(), None, trial_tables.Wanted(), now=1e12)


def rows(found: trial_tables.Table, *sort: str, extra: tuple[trial_files.Extra, ...] = ()) -> list[list[str]]:
    body = trial_files.write(trial_files.sheet(found, sort, extra), "csv")
    return list(csv.reader(io.StringIO(body.decode())))


def test_csv_has_a_row_per_trial_and_no_formula() -> None:
    assert rows(odd()) == [
        ["trial", "'=cmd", "flag", "lr", "opt", "loss", "accuracy"],
        ["a", "1", "true", "0.1", 'a,"b"\nc', "0.5", "0.9"],
        ["b", "", "", "NaN", "'=1+1", "NaN", "0.7"],
        ["g_1", "", "", "Infinity", "50% & $_{x}^~\\#", "1e-09", ""],
    ]


def test_order_and_more_columns() -> None:
    extra: tuple[trial_files.Extra, ...] = ("status", "start", "end", "runs", "step", "deviation")
    found = rows(odd(), "metric:loss", extra=extra)
    assert [row[0] for row in found] == ["trial", "g_1", "a", "b"]
    told = dict(zip(found[0], found[2], strict=True))
    assert (told["runs"], told["status"], told["loss step"]) == ("a", "success", "1")
    assert (told["start"], told["end"]) == ("1970-01-01T00:01:40Z", "1970-01-01T00:03:20Z")
    assert told["loss deviation"] == ""


def test_json_keeps_types_and_spells_what_json_has_not() -> None:
    found = json.loads(trial_files.write(trial_files.sheet(odd()), "json"))
    assert found[0] == {
        "trial": "a", "=cmd": 1, "flag": True, "lr": 0.1, "opt": 'a,"b"\nc', "accuracy": 0.9, "loss": 0.5,
    }  # fmt: skip
    assert (found[1]["lr"], found[1]["flag"], found[2]["lr"]) == ("NaN", None, "Infinity")


def test_latex_escapes_and_prints_the_best_in_bold() -> None:
    text = trial_files.write(trial_files.sheet(odd()), "latex").decode()
    assert r"50\% \& \$\_\{x\}\textasciicircum{}\textasciitilde{}\textbackslash{}\#" in text
    assert r"$\mathbf{1 \cdot 10^{-9}}$" in text
    assert r"g\_1" in text
    assert r"$\mathrm{NaN}$" in text and r"$+\infty$" in text
    assert text.count("\\\\\n") == 3
    assert text.startswith("\\begin{table}") and text.endswith("\\end{table}\n")


def test_latex_tells_how_far_repeats_are_apart() -> None:
    made = Sessions()
    for seed, loss in enumerate((1.0, 2.0)):
        made.session(f"r{seed}", {"lr": 0.1}, group="g", loss=loss)
    found = trial_tables.table(made.build(), None, trial_tables.Wanted())
    text = trial_files.write(trial_files.sheet(found, (), ("deviation",)), "latex").decode()
    assert r"$\mathbf{1.5 \pm 0.7071}$" in text
    assert "deviation" not in text


def test_parquet_and_arrow_have_typed_columns() -> None:
    sheet = trial_files.sheet(odd(), (), ("start", "step"))
    table = parquet.read_table(io.BytesIO(trial_files.write(sheet, "parquet")))
    same = ipc.open_stream(trial_files.write(sheet, "arrow")).read_all()
    assert (same.schema, repr(same.to_pylist())) == (table.schema, repr(table.to_pylist()))
    kinds = {name: str(kind) for name, kind in zip(table.schema.names, table.schema.types, strict=True)}
    assert kinds["lr"] == kinds["loss"] == "double"
    assert (kinds["flag"], kinds["opt"], kinds["loss step"]) == ("bool", "string", "int64")
    assert kinds["start"] == "timestamp[us, tz=UTC]"
    assert table["flag"].to_pylist() == [True, None, None]
    assert math.isnan(table["lr"].to_pylist()[1])


def test_columns_of_one_name_are_told_apart() -> None:
    found = trial_tables.table(
        Sessions().session("a", {"loss": 1, "trial": 2}, loss=3.0).build(), None, trial_tables.Wanted()
    )
    assert [field.title for field in trial_files.sheet(found).fields] == ["trial", "loss", "trial (2)", "loss (2)"]


def test_no_trials_and_an_unknown_format() -> None:
    nothing = trial_tables.table(Sessions().session("a", loss=1.0).build(), None, trial_tables.Wanted())
    assert trial_files.write(trial_files.sheet(nothing), "csv") == b"trial\r\n"
    assert json.loads(trial_files.write(trial_files.sheet(nothing), "json")) == []
    assert parquet.read_table(io.BytesIO(trial_files.write(trial_files.sheet(nothing), "parquet"))).num_rows == 0
    with pytest.raises(errors.BadInput, match="xls"):
        trial_files.write(trial_files.sheet(nothing), "xls")


def test_metrics_below_a_session_are_named_with_where_they_lie() -> None:
    made = Sessions().session("a", {"lr": 1})
    made.builder.scalars("a/eval", "loss", [1.0])
    asked = trial_tables.Wanted(values=trial_metrics.Asked("best"))
    found = trial_tables.table(made.build(), None, asked)
    assert [field.title for field in trial_files.sheet(found, ["-metric:eval:loss"]).fields] == [
        "trial",
        "lr",
        "eval:loss",
    ]
