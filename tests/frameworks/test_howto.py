"""What the how-to pages about frameworks tell people to run is run, each block as a program of its own."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest

import lightboard

DOCS = pathlib.Path(__file__).parent.parent.parent / "docs" / "howto"
PAGES = {
    "log-from-keras.md": ["logs/first/train", "logs/first/validation", "logs/second/train"],
    "log-from-hugging-face.md": ["runs/digits"],
    "log-from-lightning.md": ["logs/digits/version_0"],
    "log-from-pytorch.md": ["runs/first", "runs/first/trial", "runs/rows"],
    "log-from-boosting.md": ["runs/lightgbm", "runs/xgboost"],
}


@pytest.mark.parametrize("page", PAGES)
def test_a_page_does_what_it_says(page: str, tmp_path: pathlib.Path) -> None:
    variables = {name: each for name, each in os.environ.items() if not name.endswith("LOGDIR")}
    text = (DOCS / page).read_text(encoding="utf-8")
    for block in re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", block],
            cwd=tmp_path,
            env={**variables, "LIGHTBOARD_STRICT": "1", "KERAS_BACKEND": "torch"},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        assert done.returncode == 0, block + done.stderr
    with lightboard.open(tmp_path) as logs:
        assert logs.runs == PAGES[page]
