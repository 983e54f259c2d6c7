"""What docs/howto/track-runs.md tells people to run is run. Pages about frameworks: tests/frameworks/test_howto.py."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import lightboard

DOCS = pathlib.Path(__file__).parent.parent.parent / "docs"


def blocks(page: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def test_tracking_runs(tmp_path: pathlib.Path) -> None:
    variables = {name: each for name, each in os.environ.items() if not name.endswith("LOGDIR")}
    for block in blocks("howto/track-runs.md"):
        done = subprocess.run(
            [sys.executable, "-c", block],
            cwd=tmp_path,
            env={**variables, "LIGHTBOARD_STRICT": "1"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, block + done.stderr
        assert done.stderr == ""
    with lightboard.open(tmp_path / "runs") as logs:
        assert logs.runs == ["digits/first", "second", "third"]
        assert logs.hparams("digits/first") == {"lr": 0.1, "layers/count": 3}
        assert len(logs.scalars("digits/first", "eval/accuracy")) == 100
        assert {"images", "histograms", "audio", "text", "pr_curves"} <= set(logs.kinds("third"))


def test_every_integration_has_a_heading() -> None:
    text = (DOCS / "reference/integrations.md").read_text(encoding="utf-8")
    for name in ("accelerate", "keras", "lightgbm", "lightning", "transformers", "xgboost", "lightboard.init"):
        assert f"\n## {name}\n" in text
