"""What the pages on summaries, hparams and the stand-in say is run, and names nothing less than there is.

Left out here: pages that need PyTorch, TensorFlow or Keras (tests/frameworks/test_as_tensorboard.py runs those) and a
server (tests/sdk/test_object_store.py).
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys

import pytest

import lightboard
from lightboard import hparams, summary

DOCS = pathlib.Path(__file__).parent.parent.parent / "docs"


def python_blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", ["howto/log-like-tf-summary.md", "reference/hparams.md"])
def test_examples_run_and_write_runs(page: str, tmp_path: pathlib.Path) -> None:
    found = python_blocks(page)
    assert found
    for block in found:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", block],
            capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, ""), block + done.stderr
    with lightboard.open(str(tmp_path / "runs"), index=False) as logs:
        assert len(logs.runs) >= len(found)


def test_every_public_name_is_in_the_reference() -> None:
    for module, page in ((summary, "reference/summary.md"), (hparams, "reference/hparams.md")):
        text = (DOCS / page).read_text(encoding="utf-8")
        assert [name for name in module.__all__ if not re.search(rf"`{name}\b|\b{name}[(.]", text)] == []
