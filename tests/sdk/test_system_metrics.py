"""Numbers about the machine: from this one, from a made-up /proc, and from a made-up nvidia-smi."""

from __future__ import annotations

import pathlib
import sys
import time

import pytest

import lightboard
from lightboard.sdk import system_metrics

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@linux
def test_this_machine_has_plausible_numbers() -> None:
    sampler = system_metrics.Sampler(gpus=False)
    first = sampler.sample()
    assert "system/cpu_percent" not in first  # a rate needs two readings
    deadline = time.monotonic() + 30
    while "system/cpu_percent" not in (found := sampler.sample()):  # ticks of 10 ms have to pass
        assert time.monotonic() < deadline
    for name in ("cpu_percent", "memory_percent", "disk_percent"):
        assert 0 <= found[f"system/{name}"] <= 100
    assert 1 < found["system/process_memory_mb"] < 1e6
    assert found["system/network_received_mb_per_sec"] >= 0
    assert found["system/process_threads"] >= 1


def proc(path: pathlib.Path, *, busy: int, idle: int, received: int) -> str:
    (path / "self").mkdir(exist_ok=True)
    (path / "net").mkdir(exist_ok=True)
    (path / "stat").write_text(f"cpu  {busy} 0 0 {idle} 0 0 0 0 0 0\ncpu0 1 2 3\n")
    (path / "meminfo").write_text("MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 250 kB\n")
    (path / "self/statm").write_text("100 50 10 1 0 20 0\n")
    (path / "self/stat").write_text("1 (a (b) c) S " + " ".join(str(number) for number in range(4, 53)) + "\n")
    (path / "net/dev").write_text(f"a\nb\n  lo: 999999999 0 0 0 0 0 0 0 5\neth0: {received} 0 0 0 0 0 0 0 7 0\n")
    return str(path)


def test_rates_are_taken_between_readings(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr("lightboard.sdk.system_metrics.time.monotonic", lambda: clock[0])
    sampler = system_metrics.Sampler(str(tmp_path), proc=proc(tmp_path, busy=100, idle=900, received=0), gpus=False)
    assert sampler.sample()["system/memory_percent"] == 75
    clock[0] += 2
    proc(tmp_path, busy=130, idle=970, received=6_000_000)
    found = sampler.sample()
    assert found["system/cpu_percent"] == 30
    assert found["system/network_received_mb_per_sec"] == 3
    assert found["system/network_sent_mb_per_sec"] == 0
    assert found["system/process_threads"] == 20


def test_a_system_that_tells_nothing_gives_what_is_left(tmp_path: pathlib.Path) -> None:
    sampler = system_metrics.Sampler(str(tmp_path), proc=str(tmp_path / "none"), gpus=False)
    assert set(sampler.sample()) <= {"system/disk_percent", "system/load_average"}


def test_gpus_are_told_card_by_card(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho '0, 95, 1000, 8000, 60, 120.5'\necho '1, 0, 5, 8000, [N/A], [N/A]'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    found = system_metrics.Sampler().sample()
    assert found["system/gpu0_utilization_percent"] == 95
    assert found["system/gpu0_power_watts"] == 120.5
    assert found["system/gpu1_memory_used_mb"] == 5
    assert "system/gpu1_power_watts" not in found


def test_a_broken_nvidia_smi_is_asked_once(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!/bin/sh\necho asked >> {tmp_path}/asked\nexit 9\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    sampler = system_metrics.Sampler()
    sampler.sample()
    sampler.sample()
    assert (tmp_path / "asked").read_text() == "asked\n"


@linux
def test_a_run_has_system_metrics(tmp_path: pathlib.Path) -> None:
    run = lightboard.init(name="a", dir=tmp_path, metadata=False, console=False, system_metrics=0.05)
    deadline = time.monotonic() + 30
    with lightboard.open(tmp_path) as logs:
        while "system/memory_percent" not in logs.refresh().tags("scalars"):
            assert time.monotonic() < deadline
            time.sleep(0.05)
    run.finish()
    lightboard.finish()
