"""Chromium's trace: what the page's main thread did, task by task."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

CATEGORIES = ["disabled-by-default-devtools.timeline", "devtools.timeline"]
FRAME_CATEGORIES = ["viz"]
FRAME = "Display::DrawAndSwap"
PAUSE_SECS = 0.2  # frames closer than this belong to the same input
TASKS = ("RunTask", "ThreadControllerImpl::RunTask")


@dataclass(frozen=True)
class Task:
    """One turn of the event loop; `at` is a `time.perf_counter()` of Linux, the clock that Chromium uses."""

    at: float
    wall_ms: float
    cpu_ms: float
    content: str = ""  # the longest event inside


def main_thread_tasks(trace: bytes) -> list[Task]:
    """Return the tasks of the busiest renderer's main thread: the only page is the one under test."""
    events = json.loads(trace)
    events = events["traceEvents"] if isinstance(events, dict) else events
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event.get("name") == "thread_name" and event["args"].get("name") == "CrRendererMain"
    }
    found: dict[tuple[int, int], list[Task]] = defaultdict(list)
    inside = _longest_inside(events, mains)
    for event in events:
        place = event.get("pid"), event.get("tid")
        if place in mains and event.get("name") in TASKS and "dur" in event:
            name = inside.get((place, event["ts"]), "")
            found[place].append(Task(event["ts"] / 1e6, event["dur"] / 1e3, event.get("tdur", 0) / 1e3, name))
    return max(found.values(), key=lambda tasks: sum(task.wall_ms for task in tasks), default=[])


def longest(tasks: Iterable[Task], *, begin: float = 0.0, end: float = float("inf")) -> Task:
    """Return the longest task that began in this time (`time.perf_counter()`); an empty one if there is none."""
    return max((task for task in tasks if begin <= task.at < end), key=lambda task: task.wall_ms, default=Task(0, 0, 0))


def frames_shown(trace: bytes) -> list[float]:
    """Return when the browser displayed each frame, as `time.perf_counter()`."""
    events = json.loads(trace)
    events = events["traceEvents"] if isinstance(events, dict) else events
    return sorted((e["ts"] + e["dur"]) / 1e6 for e in events if e.get("name") == FRAME and "dur" in e)


def answering(frames: Iterable[float], at: float) -> list[float]:
    """Return the frames that followed an input, up to the first pause."""
    found: list[float] = []
    for frame in frames:
        if frame < at:
            continue
        if found and frame - found[-1] > PAUSE_SECS:
            break
        found.append(frame)
    return found


def _longest_inside(events: list[Any], mains: set[tuple[int, int]]) -> dict[tuple[tuple[int, int], float], str]:
    """Return for each long task the names of its longest events, to find the cause."""
    lines: dict[tuple[int, int], list[Any]] = defaultdict(list)
    for event in events:
        place = event.get("pid"), event.get("tid")
        if place in mains and event.get("ph") == "X" and event.get("dur", 0) > 2_000:
            lines[place].append(event)
    names = {}
    for place, found in lines.items():
        for task in (event for event in found if event["name"] in TASKS and event["dur"] > 20_000):
            end = task["ts"] + task["dur"]
            parts = [e for e in found if e is not task and task["ts"] <= e["ts"] and e["ts"] + e["dur"] <= end]
            parts.sort(key=lambda event: -event["dur"])
            words = [f"{_name(event)} {event['dur'] / 1e3:.0f}" for event in parts[:5]]
            names[place, task["ts"]] = ", ".join(words)
    return names


def _name(event: Any) -> str:
    data = (event.get("args") or {}).get("data") or {}
    detail = data.get("functionName") or data.get("type") or ""
    return f"{event['name']}({detail})" if detail else str(event["name"])
