"""`SummaryWriter()` of torch and tensorboardX writes to the log directory of `lightboard run`; named ones stay."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

PROGRAM = """
from torch.utils.tensorboard import SummaryWriter
import tensorboardX
plain, commented, named = SummaryWriter(), tensorboardX.SummaryWriter(comment="-lr0.1"), SummaryWriter("mine")
for each in (plain, commented, named):
    each.add_scalar("loss", 1.0, 0)
    each.close()
"""


@pytest.mark.parametrize("hook", [True, False])
def test_writers_without_a_directory_write_to_that_of_the_job(tmp_path: pathlib.Path, hook: bool) -> None:
    flags = ["--quiet", "--hub", "none", "--no_figures", "--logdir", "logs", *([] if hook else ["--no_hook"])]
    command = [sys.executable, "-m", "lightboard", "run", *flags, "--", sys.executable, "-c", PROGRAM]
    environment = {**os.environ, "LIGHTBOARD_DATA_DIR": str(tmp_path / "data")}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True, timeout=300)
    found = {str(each.parent.relative_to(tmp_path)) for each in tmp_path.rglob("*tfevents*")}
    assert "mine" in found
    assert ({"logs", "logs/lr0.1"} <= found) == hook
    assert any(each.startswith("runs") for each in found) == (not hook)
