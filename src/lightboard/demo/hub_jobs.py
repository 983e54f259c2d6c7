"""Sample jobs and uploads of a hub, made through its client as `lightboard run` and `lightboard dev upload` make them.

Jobs have ended in every way there is; one runs as long as the demo does, and one is lost, because nobody reports it.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lightboard import client, errors

HOUR = 3600.0
REPORT_SECS = 2.0
_TRACE = """\
\x1b[31mTraceback (most recent call last):\x1b[0m
  File "train.py", line 41, in <module>
    model.load_state_dict(torch.load(args.checkpoint))
\x1b[1;31mFileNotFoundError\x1b[0m: [Errno 2] No such file or directory: 'checkpoints/best.pt'
"""
_DIFF = """\
diff --git a/train.py b/train.py
index 3f1c2aa..91b07d4 100644
--- a/train.py
+++ b/train.py
@@ -12,7 +12,8 @@ def main() -> None:
     model = build(args.width)
-    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
+    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
+    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
     for epoch in range(args.epochs):
         train(model, optimizer, epoch)
"""
_GIT = {
    "commit": "9f2c41e07b6a4d3c8e5f1a2b3c4d5e6f70819293",
    "branch": "cosine-schedule",
    "remote": "git@git.example.org:vision/digits.git",
    "dirty": True,
    "diff": _DIFF,
}
_ENVIRONMENT = {
    "CUDA_VISIBLE_DEVICES": "0",
    "HOME": "/home/ann",
    "LANG": "en_US.UTF-8",
    "OMP_NUM_THREADS": "8",
    "PATH": "/home/ann/venv/bin:/usr/local/bin:/usr/bin:/bin",
    "WANDB_API_KEY": "***",
}


def jobs(hubs: dict[str, client.Hub], logs: Path) -> None:
    """Jobs that have ended, and one that will be lost."""
    ann, ben, chen = hubs["ann"], hubs["ben"], hubs["chen"]
    for number, rate in enumerate((0.1, 0.03, 0.01)):
        words = ["python", "sweep.py", "--lr", str(rate), "--epochs", "30"]
        sweep = _register(
            ben, "vision", f"sweep lr={rate}", words, labels={"sweep": "learning rate", "lr": str(rate)},
            logdir=str(logs / "sweep"), hours=5 - number, host="gpu-1",
        )  # fmt: skip
        _print(sweep, _epochs(400, rate))
        sweep.report(ended=time.time() - (4.2 - number) * HOUR, exit_code=0)
    broken = _register(
        ann, "vision", "digits from checkpoint", ["python", "train.py", "--checkpoint", "checkpoints/best.pt"],
        labels={"team": "vision"}, hours=3, git=_GIT, environment=_ENVIRONMENT,
    )  # fmt: skip
    _print(broken, "loading checkpoints/best.pt\n" + _TRACE)
    broken.report(ended=time.time() - 2.99 * HOUR, exit_code=1)
    large = _register(ann, "vision", "batch size 4096", ["python", "train.py", "--batch", "4096"], hours=2, git=_GIT)
    _print(large, _epochs(12, 0.1))
    large.report(ended=time.time() - 1.9 * HOUR, exit_code=None, signal="SIGKILL", out_of_memory=True)
    long = _register(chen, "language", "分词器训练", ["python", "-m", "tokenizer.train", "--vocab", "64000"], hours=9)
    _print(long, "".join(f"step {step:>7}  loss {4 / (1 + step / 5000):.4f}\n" for step in range(40_000)))
    long.report(ended=time.time() - HOUR, exit_code=0)
    crashed = _register(chen, "language", "custom kernel", ["./bench", "--kernel", "attention"], hours=1)
    _print(crashed, "compiling\nrunning\n")
    crashed.report(ended=time.time() - 0.9 * HOUR, signal="SIGSEGV")
    halted = _register(ben, "vision", "wrong learning rate", ["python", "train.py", "--lr", "10"], hours=0.5)
    _print(halted, _epochs(6, 10.0))
    halted.stop()
    halted.report(ended=time.time(), signal="SIGTERM")
    _register(ben, "vision", "laptop", ["python", "train.py"], hours=0.2, host="laptop", heartbeat_secs=1.0)


def uploads(hubs: dict[str, client.Hub], logs: Path) -> None:
    text = "Learning rates from 1e-4 to 1e-1.\n\nThe figure in the paper uses `lr=0.01`."
    sent = hubs["ann"].uploads.create(
        name="Learning rates (paper)", description=text, workspace="vision", visibility="workspace"
    )
    sent.send(logs / "sweep")
    hubs["chen"].uploads.create(name="对齐实验", workspace="language").send(logs / "digits")


@contextlib.contextmanager
def training(admin: client.Hub, logs: Path) -> Iterator[None]:
    """A job of ann that runs until the end of the block. It can be stopped on the page."""
    token = admin.tokens.create("lightboard run on gpu-2", user="ann")
    with client.Hub(admin.url, token.token) as ann:
        job = _register(
            ann, "vision", "digits, wider", ["python", "train.py", "--width", "512", "--lr", "0.03"],
            labels={"team": "vision"}, logdir=str(logs / "digits"), board="own", hours=0.1, git=_GIT,
            environment=_ENVIRONMENT,
        )  # fmt: skip
        ended = threading.Event()
        thread = threading.Thread(target=_train, args=(job, ended), name="demo job", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join(REPORT_SECS * 2)


def _train(job: client.Job, ended: threading.Event) -> None:
    """Prints and reports. State: how much was printed, and the step."""
    size, step = 0, 0
    while not ended.wait(REPORT_SECS if step else 0):
        step += 1
        wave = math.sin(step / 7)
        figures = {
            "job_cpu_percent": 380 + 30 * wave,
            "job_memory_mb": 5200 + 12.0 * step,
            "gpu0_utilization_percent": 91 + 6 * wave,
            "gpu0_memory_used_mb": 17_400 + 300 * wave,
            "gpu0_memory_total_mb": 24_000.0,
            "cpu_percent": 47 + 4 * wave,
            "memory_percent": 61.5,
        }
        line = f"\x1b[2mstep {step * 50}\x1b[0m  loss \x1b[36m{1.8 / (1 + step / 40):.4f}\x1b[0m  {step * 0.4:.1f} s\n"
        try:
            size = job.append_log(size, line.encode())
            orders = job.report(figures=figures, has_events=True)
            if orders.get("stop"):
                job.report(ended=time.time(), signal="SIGTERM", log_bytes=size)
                return
        except errors.LightboardError:  # the hub ends before this thread
            continue


def _register(hub: client.Hub, workspace: str, name: str, command: list[str], **more: Any) -> client.Job:
    hours = more.pop("hours")
    members = {"directory": "/home/ann/digits", "host": "gpu-2", "board": "none", **more}
    return hub.jobs.register_raw(
        {"name": name, "workspace": workspace, "command": command, "started": time.time() - hours * HOUR, **members}
    )


def _print(job: client.Job, text: str) -> None:
    job.append_log(0, text.encode())


def _epochs(number: int, rate: float) -> str:
    lines = [f"\x1b[1mtraining with lr={rate}\x1b[0m\n"]
    for epoch in range(number):
        loss = 2.3 * math.exp(-rate * epoch) + 0.05 if rate < 1 else 2.3 * 1.7**epoch
        color = 32 if loss < 1 else 33
        lines.append(f"epoch {epoch:>3}/{number}  loss \x1b[{color}m{loss:.4f}\x1b[0m\n")
    return "".join(lines)
