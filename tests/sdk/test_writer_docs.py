"""The reference page names every method and parameter of `SummaryWriter`; the how-to page's `log` example runs.

The PyTorch example on the how-to page is run in tests/frameworks.
"""

from __future__ import annotations

import inspect
import pathlib
import re
import subprocess
import sys

import lightboard

DOCS = pathlib.Path(__file__).parents[2] / "docs"


def test_every_method_is_in_the_reference_with_its_parameters() -> None:
    page = (DOCS / "reference" / "summary-writer.md").read_text("utf-8")
    told: dict[str, str] = dict(re.findall(r"`(\w+)\((.*?)\)` \|", page))
    methods = {name for name in vars(lightboard.SummaryWriter) if not name.startswith("_")}
    methods = {name for name in methods if inspect.isfunction(getattr(lightboard.SummaryWriter, name))}
    assert set(told) == methods
    for name, given in told.items():
        found = list(inspect.signature(getattr(lightboard.SummaryWriter, name)).parameters)[1:]
        if "…" not in given:
            assert [each for each in given.split(", ") if each] == found, name


def test_constructor_parameters_are_in_the_reference() -> None:
    page = (DOCS / "reference" / "summary-writer.md").read_text("utf-8")
    found = str(inspect.signature(lightboard.SummaryWriter))
    (told,) = re.findall(r"^SummaryWriter\((.*?)\)$", page, re.DOTALL | re.MULTILINE)
    names = [each.split("=")[0].strip() for each in told.split(",")]
    assert names == [each for each in inspect.signature(lightboard.SummaryWriter).parameters if each != "kwargs"], found


def test_logging_a_row_runs_as_told(tmp_path: pathlib.Path) -> None:
    page = (DOCS / "howto" / "log-from-pytorch.md").read_text("utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    (block,) = (each for each in blocks if "torch" not in each)
    done = subprocess.run([sys.executable, "-W", "error", "-c", block], cwd=tmp_path, timeout=60, check=False)
    assert done.returncode == 0
    with lightboard.open(tmp_path / "runs") as logs:
        assert logs.tags("scalars") == ["accuracy/test", "accuracy/train", "loss"]
        assert len(logs.text("rows", "note/text_summary")) == 100
