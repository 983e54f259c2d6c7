"""Metrics of the machine: scalars `system/…`, read from /proc, and from `nvidia-smi` if there is one.

Rates are computed between two readings, so the first reading has none. Unavailable metrics are left out.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import time

INTERVAL_SECS = 15.0
GPU_TIMEOUT_SECS = 5.0
PREFIX = "system/"
_MEGA = 1e6
_SECTOR_BYTES = 512  # /proc/diskstats counts sectors of this size for every disk
_GPU_FIELDS = {
    "utilization.gpu": "utilization_percent",
    "memory.used": "memory_used_mb",
    "memory.total": "memory_total_mb",
    "temperature.gpu": "temperature_celsius",
    "power.draw": "power_watts",
}


class Sampler:
    """State: the counters of the last reading, from which rates are computed."""

    def __init__(self, directory: str = ".", *, proc: str = "/proc", gpus: bool = True) -> None:
        self._directory = directory
        self._proc = pathlib.Path(proc)
        self._nvidia_smi = shutil.which("nvidia-smi") if gpus else None
        self._last: dict[str, float] = {}
        self._last_time = 0.0

    def sample(self) -> dict[str, float]:
        """Returns tag → number."""
        now = time.monotonic()
        counters: dict[str, float] = {}
        metrics: dict[str, float] = {}
        for read in (self._memory, self._process, self._disk_space, self._load, self._gpus):
            try:
                metrics.update(read())
            except (OSError, AttributeError, ValueError, IndexError, KeyError, subprocess.SubprocessError):
                continue  # unavailable on this system, or at the moment
        for count in (self._cpu_times, self._process_times, self._disk_bytes, self._network_bytes):
            try:
                counters.update(count())
            except (OSError, AttributeError, ValueError, IndexError, KeyError):
                continue
        metrics.update(self._rates(counters, now - self._last_time))
        self._last, self._last_time = counters, now
        return {PREFIX + name: number for name, number in metrics.items()}

    # ---- gauges ----

    def _memory(self) -> dict[str, float]:
        lines = (line.split() for line in self._text("meminfo").splitlines())
        kilo = {words[0].rstrip(":"): float(words[1]) for words in lines if len(words) > 1}
        total, free = kilo["MemTotal"], kilo["MemAvailable"]
        return {"memory_percent": 100 * (1 - free / total), "memory_used_mb": (total - free) * 1024 / _MEGA}

    def _process(self) -> dict[str, float]:
        pages = float(self._text("self/statm").split()[1])
        threads = float(self._own_stat()[17])
        return {"process_memory_mb": pages * os.sysconf("SC_PAGE_SIZE") / _MEGA, "process_threads": threads}

    def _disk_space(self) -> dict[str, float]:
        used = shutil.disk_usage(self._directory)
        return {"disk_percent": 100 * used.used / used.total}

    def _load(self) -> dict[str, float]:
        return {"load_average": os.getloadavg()[0]}

    def _gpus(self) -> dict[str, float]:
        if self._nvidia_smi is None:
            return {}
        command = [self._nvidia_smi, f"--query-gpu=index,{','.join(_GPU_FIELDS)}", "--format=csv,noheader,nounits"]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=GPU_TIMEOUT_SECS, check=False
        )
        if done.returncode != 0:
            self._nvidia_smi = None  # a driver that does not respond is not called again
            return {}
        return parse_gpus(done.stdout)

    # ---- counters, reported as rates ----

    def _cpu_times(self) -> dict[str, float]:
        words = self._text("stat").split("\n", 1)[0].split()[1:9]
        ticks = [float(word) for word in words]
        idle = ticks[3] + ticks[4]  # idle and waiting for disks
        return {"cpu_busy": sum(ticks) - idle, "cpu_all": sum(ticks)}

    def _process_times(self) -> dict[str, float]:
        stat = self._own_stat()
        return {"process_cpu": (float(stat[11]) + float(stat[12])) / os.sysconf("SC_CLK_TCK")}

    def _disk_bytes(self) -> dict[str, float]:
        """Counts whole disks only: partitions and device-mapper volumes would count the same bytes again."""
        disks = {path.name for path in pathlib.Path("/sys/block").iterdir()}
        read = written = 0.0
        for line in self._text("diskstats").splitlines():
            words = line.split()
            if words[2] in disks and not words[2].startswith(("loop", "ram", "dm-", "md", "zram")):
                read, written = read + float(words[5]), written + float(words[9])
        return {"disk_read": read * _SECTOR_BYTES, "disk_written": written * _SECTOR_BYTES}

    def _network_bytes(self) -> dict[str, float]:
        received = sent = 0.0
        for line in self._text("net/dev").splitlines()[2:]:
            name, _, rest = line.partition(":")
            if name.strip() != "lo":
                words = rest.split()
                received, sent = received + float(words[0]), sent + float(words[8])
        return {"network_received": received, "network_sent": sent}

    def _rates(self, counters: dict[str, float], secs: float) -> dict[str, float]:
        if not self._last or secs <= 0:
            return {}
        grown = {name: max(0.0, each - self._last[name]) for name, each in counters.items() if name in self._last}
        rates = {
            f"{name}_mb_per_sec": grown[name] / secs / _MEGA
            for name in ("disk_read", "disk_written", "network_received", "network_sent")
            if name in grown
        }
        if grown.get("cpu_all"):
            rates["cpu_percent"] = 100 * grown["cpu_busy"] / grown["cpu_all"]
        if "process_cpu" in grown:
            rates["process_cpu_percent"] = 100 * grown["process_cpu"] / secs  # 100: one full core
        return rates

    def _own_stat(self) -> list[str]:
        """Returns fields of /proc/self/stat from the state on; the name before it may contain spaces and brackets."""
        return self._text("self/stat").rpartition(")")[2].split()

    def _text(self, name: str) -> str:
        return (self._proc / name).read_text(encoding="ascii", errors="replace")


def parse_gpus(answer: str) -> dict[str, float]:
    """Parses nvidia-smi's table; fields that a GPU does not have are `[N/A]`."""
    metrics = {}
    for line in answer.splitlines():
        index, *words = (word.strip() for word in line.split(","))
        for name, word in zip(_GPU_FIELDS.values(), words, strict=False):
            try:
                metrics[f"gpu{index}_{name}"] = float(word)
            except ValueError:
                continue
    return metrics
