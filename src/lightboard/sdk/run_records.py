"""Records about the run itself, beside what the user logs: JSON strings of the plugin `lightboard_run`.

    _lightboard_/run         once: command line, versions, git, machine          sdk/run_metadata.py
    _lightboard_/config      at each change: the configuration                   sdk/runs.py
    _lightboard_/summary     at the end: the results                             sdk/runs.py
    _lightboard_/heartbeat   every 30 s: alive; at the end: how it ended         sdk/heartbeat.py
    _lightboard_/console     the printed output                                  sdk/console.py

They are blobs (data class 3) of a plugin that TensorBoard does not have, so it does not show them.
"""

from __future__ import annotations

import json
import math
import time
from typing import Any

from lightboard.sdk import recorder, summary_messages

PLUGIN = "lightboard_run"
PREFIX = "_lightboard_/"
RUN_TAG, CONFIG_TAG, SUMMARY_TAG = PREFIX + "run", PREFIX + "config", PREFIX + "summary"
HEARTBEAT_TAG, CONSOLE_TAG = PREFIX + "heartbeat", PREFIX + "console"


def write(
    target: recorder.Recorder, tag: str, content: object, *, step: int = 0, about: object = None, now: float = 0.0
) -> None:
    """Write one record. `about` is written to the metadata, which boards keep in memory: keep it small, constant."""
    metadata = summary_messages.metadata(PLUGIN, content=b"" if about is None else to_json(about), data_class=3)
    value = summary_messages.tensor_value(tag, summary_messages.string_tensor([to_json(content)], []), metadata)
    target.value(value, step, now or time.time())


def to_json(content: object) -> bytes:
    return json.dumps(plain(content), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def plain(content: object) -> Any:
    """Converts any configuration to JSON values; unknown objects become text."""
    if content is None or isinstance(content, (bool, int, str)):
        return content
    if isinstance(content, float):
        return content if math.isfinite(content) else str(content)
    if isinstance(content, dict):
        return {str(name): plain(each) for name, each in content.items()}
    if isinstance(content, (list, tuple, set, frozenset)):
        return [plain(each) for each in content]
    number = _number(content)
    return plain(number) if number is not None else str(content)


def _number(content: object) -> bool | int | float | None:
    """Returns the number inside of a NumPy, torch or JAX scalar."""
    item = getattr(content, "item", None)
    if item is None or getattr(content, "size", 1) == 0:
        return None
    try:
        found = item()
    except (TypeError, ValueError, RuntimeError):  # an array of several numbers, or another object with `item`
        return None
    return found if isinstance(found, (bool, int, float)) else None
