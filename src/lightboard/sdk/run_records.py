"""What a run tells about itself, beside what the user logs: JSON strings of the plugin `lightboard_run`.

    _lightboard_/run         once: command line, versions, git, machine          sdk/run_metadata.py
    _lightboard_/config      whenever it changes: what the run was given         sdk/runs.py
    _lightboard_/summary     at the end: what came out                           sdk/runs.py
    _lightboard_/heartbeat   every 30 s: still here; at the end: how it ended    sdk/heartbeat.py
    _lightboard_/console     what was printed                                    sdk/console.py

They are blobs (data class 3) of a plugin TensorBoard does not have, so it shows nothing of them.
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
    """One record. `about` goes into the metadata, which a board keeps in memory: small and the same each time."""
    metadata = summary_messages.metadata(PLUGIN, content=b"" if about is None else to_json(about), data_class=3)
    value = summary_messages.tensor_value(tag, summary_messages.string_tensor([to_json(content)], []), metadata)
    target.value(value, step, now or time.time())


def to_json(content: object) -> bytes:
    return json.dumps(plain(content), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def plain(content: object) -> Any:
    """Whatever people put into a configuration, as JSON has it: unknown objects by their text."""
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
    """The number inside of a NumPy, torch or JAX scalar."""
    item = getattr(content, "item", None)
    if item is None or getattr(content, "size", 1) == 0:
        return None
    try:
        found = item()
    except (TypeError, ValueError, RuntimeError):  # an array of several, or something else that has items
        return None
    return found if isinstance(found, (bool, int, float)) else None
