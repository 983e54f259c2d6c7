"""Hparams of runs, from the metadata that TensorBoard's hparams API leaves in event files.

    HParamsPluginData { session_start_info 3, session_end_info 4 }
    SessionStartInfo  { hparams 1: map of name and google.protobuf.Value, group_name 4, start_time_secs 5 }
    SessionEndInfo    { status 1: unknown, success, failure, running; end_time_secs 2 }

Training and validation of one job are often runs below the one that carries the hparams; they inherit them.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import protobuf

START_TAG = "_hparams_/session_start_info"
END_TAG = "_hparams_/session_end_info"

Value = str | float | bool | None


def of_runs(store: store_.Store) -> dict[int, dict[str, Value]]:
    """Hparams by run row, own or inherited. Runs without any are left out."""
    own = {row: parse(content) for row, content in _contents(store, START_TAG)}
    if not own:
        return {}
    by_name = {store.run_names[row]: found for row, found in own.items()}
    with store.lock:
        rows = np.nonzero(store.runs_table.rows["files"])[0].tolist()
        return {row: found for row in rows if (found := _inherited(store.run_names[row], by_name)) is not None}


def _inherited(name: str, by_name: dict[str, dict[str, Value]]) -> dict[str, Value] | None:
    while True:
        if name in by_name:
            return by_name[name]
        if not name or name == ".":
            return None
        name = name.rpartition("/")[0] or "."


def ended(store: store_.Store) -> NDArray[np.int64]:
    """Rows of the runs whose writer said that they are over."""
    done = [row for row, content in _contents(store, END_TAG) if _status(content) in (1, 2)]
    return np.array(done, np.int64)


def _contents(store: store_.Store, tag: str) -> list[tuple[int, bytes]]:
    with store.lock:
        if store.tag_names.number(tag) is None:
            return []
        rows = store.series_rows(types.Kind.HPARAMS, tag=tag)
        cells = store.series_table.rows[rows]
        pairs = zip(cells["run"].tolist(), cells["metadata"].tolist(), strict=True)
        return [(run, store.metadata[meta].content) for run, meta in pairs if meta >= 0]


@functools.lru_cache(maxsize=16384)
def parse(content: bytes) -> dict[str, Value]:
    """Hparams of a session; nothing where the bytes are not what they should be. Do not change the result."""
    try:
        infos = protobuf.messages(protobuf.parse(content), 3)
        return {
            protobuf.text(entry, 1): _value(value)
            for info in infos
            for entry in protobuf.messages(info, 1)
            for value in protobuf.messages(entry, 2)[-1:]
        }
    except errors.Unreadable:
        return {}


def _value(value: protobuf.Fields) -> Value:
    """A google.protobuf.Value: null 1, number 2, string 3, bool 4; lists and structures do not occur as hparams."""
    if 2 in value:
        return protobuf.double(value, 2)
    if 3 in value:
        return protobuf.text(value, 3)
    if 4 in value:
        return bool(protobuf.integer(value, 4))
    return None


def _status(content: bytes) -> int:
    try:
        infos: list[Any] = protobuf.messages(protobuf.parse(content), 4)
        return protobuf.integer(infos[-1], 1) if infos else 0
    except errors.Unreadable:
        return 0
