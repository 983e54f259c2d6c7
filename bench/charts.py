"""One tag over all runs for one chart, warm: latency and transferred size of the whole response."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, replace

from bench import client

ENCODINGS = ("identity", "gzip", client.BROWSER_ENCODINGS)


@dataclass(frozen=True)
class Chart:
    """Latency in milliseconds of many equal requests, and the size of one response."""

    encodings_offered: str
    encoding_used: str
    body_bytes: int
    p50_ms: float
    p95_ms: float


def measure(http: client.Client, request: client.Request, *, encodings: str, repeats: int) -> Chart:
    """Send the request `repeats` times on one connection, after three warm-up requests."""
    offered = replace(request, headers={**request.headers, "Accept-Encoding": encodings})
    for _ in range(3):
        answer = http.send(offered)
    if answer.status != 200:
        raise RuntimeError(f"status {answer.status} for {request.path}: {answer.body[:200]!r}")
    millis = []
    for _ in range(repeats):
        before = time.perf_counter()
        answer = http.send(offered)
        millis.append((time.perf_counter() - before) * 1e3)
    used = answer.headers.get("content-encoding", "identity")
    return Chart(encodings, used, len(answer.body), statistics.median(millis), percentile(millis, 95))


def percentile(numbers: list[float], percent: float) -> float:
    """Return the nearest-rank percentile."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, round(percent / 100 * (len(ordered) - 1)))]
