"""`colors.json`: the slots of runs, which decide their colors (see `lightboard.colors`).

    {"lightboard": "colors", "version": 1,
     "slots": {"train/1": 0, "train/2": 7}}

The board writes this file, not a user, so it is written only into a folder that exists: a board that nobody annotates
leaves no file in the logs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from lightboard import errors

FILE = "colors.json"
MAX_FILE_BYTES = 64 << 20
MAX_SLOT = 1 << 22  # more than there can be runs; a larger number in the file is an error of whoever edited it


def decode(body: bytes) -> dict[str, int]:
    """Return the valid part of the file. Raises errors.Unreadable if it is not such a file."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError) as problem:
        raise errors.Unreadable(f"no valid JSON ({str(problem)[:100]})", code="json.invalid") from problem
    slots = document.get("slots") if isinstance(document, dict) else None
    if not isinstance(slots, dict):
        raise errors.Unreadable("JSON, but not slots of runs", code="json.invalid")
    return {run: slot for run, slot in slots.items() if type(slot) is int and 0 <= slot < MAX_SLOT}


def encode(slots: Mapping[str, int]) -> bytes:
    lines = ",\n".join(f"{json.dumps(run)}: {slot}" for run, slot in slots.items())
    return f'{{"lightboard": "colors", "version": 1, "slots": {{\n{lines}\n}}}}\n'.encode("ascii")
