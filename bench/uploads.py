"""Measures uploads: 1 GB in 1,000 files, a million points against TensorBoard 2.15's own uploader, and live ones.

Hub and client are the real programs, each on one core where the machine has two. TensorBoard 2.15 is that of
`make test-tensorboard-dev`, pixels need Playwright and Chromium; what is missing is not measured.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import charts, corpora, hub, live, processes, quiet, records, setup
from bench.report import Row

FILES, FILE_BYTES = 1_000, 1_000_000
FLUSHES = 40
TENSORBOARD = Path(__file__).resolve().parent.parent / ".venv-tensorboard-dev" / "bin" / "tensorboard"
# The time of each change of the number of drawings, as the page sees it.
OBSERVER = """() => {
  window.drawn = [];
  const canvas = document.querySelector('canvas[data-drawn]');
  new MutationObserver(() => requestAnimationFrame(() => window.drawn.push(Date.now() / 1000)))
    .observe(canvas, {attributes: true, attributeFilter: ['data-drawn']});
}"""


def uploads(conditions: setup.Setup) -> Iterator[Row]:
    with tempfile.TemporaryDirectory(prefix="uploads") as name:
        folder = Path(name)
        with _hub(folder / "hub", conditions.root / "hub.log", tensorboard=TENSORBOARD.exists()) as running:
            yield from _gigabyte(conditions, running, folder)
            yield from _points(conditions, running, folder)
            yield from _live(conditions, running, folder)


# ---- 1 GB in 1,000 files


def _gigabyte(conditions: setup.Setup, running: hub.Hub, folder: Path) -> Iterator[Row]:
    logs = _large_logs(folder / "logs", round(FILES * conditions.scale))
    size = sum(each.stat().st_size for each in logs.rglob("*tfevents*"))
    best: dict[str, float] = {}
    memory_hub = memory_client = 0.0
    for _ in range(conditions.tries):
        quiet.wait(conditions.quiet_secs)
        before, anon = running.own_cpu_secs(), running.own_anon_bytes()
        with processes.Running(
            _command(logs), log=conditions.root / "upload.log", environment=_signed(running)
        ) as sent:
            code = sent.process.wait()
            secs = sent.elapsed_secs()
            client_anon = sent.peak_anon_bytes
        if code:
            raise RuntimeError(f"the upload failed: {code}")
        cpu = running.own_cpu_secs() - before
        best["wall"] = min(best.get("wall", 1e9), secs)
        best["cpu"] = min(best.get("cpu", 1e9), cpu)
        memory_client = max(memory_client, client_anon)
        memory_hub = max(memory_hub, running.own_anon_bytes() - anon)
        _check_and_delete(running, logs)
    work = f"upload of {size / 1e9:.1f} GB in {FILES:,} files"
    yield Row(work, "MB/s, hub and client on one core each", None, size / 1e6 / best["wall"], "≥ 300", "higher")
    yield Row(work, "MB per CPU second of the hub", None, size / 1e6 / best["cpu"], "≥ 300", "higher")
    yield Row(work, "peak RssAnon MB of the client", None, memory_client / 1e6, "≤ 64")
    yield Row(work, "RssAnon MB that the hub grew", None, memory_hub / 1e6, "≤ 64")
    shutil.rmtree(logs)


def _large_logs(top: Path, files: int) -> Path:
    """Bytes that do not compress, so that nothing but bytes is measured."""
    content = random.Random(0).randbytes(FILE_BYTES)
    for number in range(files):
        file = top / f"run_{number:04d}" / "events.out.tfevents.1"
        file.parent.mkdir(parents=True)
        file.write_bytes(number.to_bytes(8, "little") + content[8:])
    return top


def _check_and_delete(running: hub.Hub, logs: Path) -> None:
    """Every byte is there."""
    (upload,) = running.ask("GET", "/api/v1/uploads")["items"]
    stored = running.folder / "uploads" / upload["id"] / "files"
    for file in logs.rglob("*tfevents*"):
        if (stored / file.relative_to(logs)).read_bytes() != file.read_bytes():
            raise RuntimeError(f"other bytes: {file}")
    running.ask("DELETE", f"/api/v1/uploads/{upload['id']}")


# ---- points


def _points(conditions: setup.Setup, running: hub.Hub, folder: Path) -> Iterator[Row]:
    (corpus,) = conditions.scaled(corpora.MILLION)
    logs = conditions.logdir(corpus)
    ours = _timed(conditions, running, [*_lightboard(), "dev", "upload", "--logdir", str(logs), "--one_shot"], tries=3)
    theirs = None
    if TENSORBOARD.exists():
        home = folder / "home"
        file = home / "tensorboard" / "credentials" / "uploader-creds.json"
        file.parent.mkdir(parents=True)
        file.write_text(json.dumps(_credentials()), encoding="utf-8")
        words = ["dev", "--origin", running.url, "--grpc_creds_type", "local", "upload", "--one_shot"]
        command = [str(TENSORBOARD), *words, "--logdir", str(logs)]
        theirs = _timed(conditions, running, command, tries=1, XDG_CONFIG_HOME=str(home))
    else:
        setup.say("no TensorBoard 2.15: `make test-tensorboard-dev` installs it; its uploader is not measured")
    yield Row(f"upload of {corpus.points:,} points", "wall s", theirs, ours, "≥ 50 ×")


def _timed(conditions: setup.Setup, running: hub.Hub, command: list[str], *, tries: int, **environment: str) -> float:
    found = []
    for _ in range(tries):
        quiet.wait(conditions.quiet_secs)
        log = conditions.root / "upload.log"
        with processes.Running(command, log=log, environment={**_signed(running), **environment}) as sent:
            output = sent.process.stdout.read() if sent.process.stdout is not None else b""
            if sent.process.wait():
                raise RuntimeError(f"the upload failed: {output.decode()}; see {log}")
            found.append(sent.elapsed_secs())
    return min(found)


# ---- live


def _live(conditions: setup.Setup, running: hub.Hub, folder: Path) -> Iterator[Row]:
    """From a flush of the writer to pixels in a browser of somebody else."""
    try:
        from playwright import sync_api
    except ImportError:
        setup.say("no Playwright: live uploads are not measured")
        return
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        setup.say("no Chromium: live uploads are not measured")
        return
    logs = folder / "live"
    file = logs / live.NAME
    file.parent.mkdir(parents=True)
    file.write_bytes(records.file_version(time.time()) + live.point(0))
    words = [*_lightboard(), "dev", "upload", "--logdir", str(logs), "--public", "--yes"]
    with (
        processes.Running(words, log=conditions.root / "upload.log", environment=_signed(running)) as sent,
        sync_api.sync_playwright() as playwright,
        contextlib.closing(playwright.chromium.launch(executable_path=program, chromium_sandbox=False)) as browser,
    ):
        page = browser.new_page()
        page.goto(_link(sent))
        page.wait_for_selector("canvas[data-drawn]", timeout=60_000)
        page.evaluate(OBSERVER)
        delays = [_delay(page, file, step) for step in range(1, FLUSHES + 1)]
    setup.say(f"live upload: {[round(each, 2) for each in delays]}")
    yield Row("live upload: flush to pixels in another browser", "p50 s", None, charts.percentile(delays, 50))
    yield Row("live upload: flush to pixels in another browser", "p95 s", None, charts.percentile(delays, 95), "≤ 2")


def _delay(page: Any, file: Path, step: int) -> float:
    time.sleep(random.Random(step).uniform(0.5, 2.5))
    page.evaluate("() => { window.drawn = []; }")
    record = live.point(step)
    flushed = time.time()
    with file.open("ab") as stream:
        stream.write(record)
    page.wait_for_function("() => window.drawn.length > 0", timeout=60_000)
    return float(page.evaluate("() => window.drawn[0]")) - flushed


def _link(sent: processes.Running) -> str:
    assert sent.process.stdout is not None
    while line := sent.process.stdout.readline().decode():
        if found := re.search(r"http://\S+", line):
            return found[0]
    raise RuntimeError("the upload printed no link")


# ---- programs


@contextlib.contextmanager
def _hub(folder: Path, log: Path, *, tensorboard: bool) -> Iterator[hub.Hub]:
    folder.mkdir(parents=True)
    config = folder / "hub.toml"
    config.write_text("[hub]\ntensorboard_dev_port = 0\n" if tensorboard else "", encoding="utf-8")
    words = ["hub", "--dir", str(folder), "--port", "0", "--config", str(config)]
    command = [*_on_core(1), *_lightboard(), *words]
    with processes.Running(command, log=log, environment={"LIGHTBOARD_HUB_ADMIN_TOKEN": hub.TOKEN}) as running:
        yield from hub.started(running, folder)


def _command(logs: Path) -> list[str]:
    return [*_on_core(0), *_lightboard(), "dev", "upload", "--logdir", str(logs), "--one_shot", "--verbose", "0"]


def _on_core(number: int) -> list[str]:
    program = shutil.which("taskset")
    return [program, "-c", str(number)] if program and (os.cpu_count() or 1) > number else []


def _lightboard() -> list[str]:
    return [sys.executable, "-m", "lightboard"]


def _signed(running: hub.Hub) -> dict[str, str]:
    return {"LIGHTBOARD_HUB": running.url, "LIGHTBOARD_HUB_TOKEN": hub.TOKEN}


def _credentials() -> dict[str, Any]:
    """As `lightboard dev auth --tensorboard` writes them."""
    return {
        "type": "authorized_user", "token": hub.TOKEN, "expiry": "2099-01-01T00:00:00Z", "refresh_token": "-",
        "client_id": "-", "client_secret": "-", "scopes": ["openid"],
    }  # fmt: skip
