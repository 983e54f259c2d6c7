"""Hparams of runs, from the metadata that TensorBoard's hparams API writes to event files.

    HParamsPluginData { session_start_info 3, session_end_info 4 }
    SessionStartInfo  { hparams 1: map of name and google.protobuf.Value, group_name 4, start_time_secs 5 }
    SessionEndInfo    { status 1: unknown, success, failure, running; end_time_secs 2 }

Training and validation of one job are often runs below the run that has the hparams; they inherit them.

`lightboard.init` writes its configuration when the first value is logged; later changes are only in the
run's own records (`run_records`), which are read if there are several.

A run without either may still have logged its configuration as a text (`hparams_texts`).
"""

from __future__ import annotations

import functools
import re
import struct
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types, wire
from lightboard import store as store_
from lightboard.formats import hparams_texts
from lightboard.query.runs import records as run_records
from lightboard.store import row_types

START_TAG = "_hparams_/session_start_info"
END_TAG = "_hparams_/session_end_info"
EXPERIMENT_TAG = "_hparams_/experiment"
SOURCES = ("session", "config", "text", "file")
STATUSES = ("unknown", "success", "failure", "running")  # by their number in SessionEndInfo

Value = str | float | bool | None


class Session(NamedTuple):
    """The content of a session start."""

    hparams: dict[str, Value]
    group: str = ""  # sessions of one group are repeats of one trial
    start_time: float = 0.0
    model_uri: str = ""
    monitor_url: str = ""
    readable: bool = True


class RunHparams(NamedTuple):
    """Hparams of one run, and where they were found: one of SOURCES."""

    hparams: dict[str, Value]
    source: str


class _Text(NamedTuple):
    """The hparams in one text; empty if it is not a configuration."""

    tag: str
    hparams: dict[str, Value]


class Repeated:
    """Parts of sessions that were parsed before, since most sessions have the same parts. Not thread-safe."""

    def __init__(self) -> None:
        self.names: dict[bytes, str] = {}  # by the bytes of a numeric entry before its number
        self.entries: dict[bytes, tuple[str, Value]] = {}  # by the bytes of the entry


class _Parsed:
    """State: parsed sessions, each message parsed once. `lock` guards everything; no other lock is taken while it is
    held, and no file is read. A restored store has other metadata in its rows, so each entry has the metadata it was
    parsed from.
    """

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.repeated = Repeated()
        self.starts: dict[int, tuple[types.Metadata, Session]] = {}  # by metadata row
        self.ends: dict[int, tuple[types.Metadata, tuple[int, float]]] = {}  # by metadata row
        self.files: dict[str, tuple[types.Companion, dict[str, Value]]] = {}  # by path


def own_hparams(store: store_.Store) -> dict[int, RunHparams]:
    """By run row: hparams of the run itself, from any source. Do not modify the result."""
    own = {row: RunHparams(found.hparams, "session") for row, found in sessions(store).items() if found.readable}
    for row, later in _later_starts(store).items():
        own[row] = RunHparams({**own[row].hparams, **later} if row in own else later, "session")
    for row, config in _changed_configs(store, own):
        own[row] = (
            RunHparams({**own[row].hparams, **config}, own[row].source) if row in own else RunHparams(config, "config")
        )
    for row, text in _texts(store).items():
        if row not in own and text.hparams:
            own[row] = RunHparams(text.hparams, "text")
    for row, hparams in _files(store).items():
        if row not in own:
            own[row] = RunHparams(hparams, "file")
    return own


def of_runs(store: store_.Store) -> dict[int, dict[str, Value]]:
    """Hparams by run row, own or inherited. Runs without any are left out. Do not modify the result."""
    own = {row: found.hparams for row, found in own_hparams(store).items()}
    if not own:
        return {}
    with store.lock:
        names = store.run_names
        rows = np.nonzero(store.runs_table.rows["files"])[0]
        without = rows[~np.isin(rows, np.fromiter(own, np.int64, len(own)))].tolist()
        by_name = {names[row]: found for row, found in own.items()} if without else {}
        inherited = {row: found for row in without if (found := _inherited(names[row], by_name)) is not None}
    return own | inherited


def _inherited(name: str, by_name: dict[str, dict[str, Value]]) -> dict[str, Value] | None:
    while name and name != ".":
        name = name.rpartition("/")[0] or "."
        if name in by_name:
            return by_name[name]
    return None


def sessions(store: store_.Store) -> dict[int, Session]:
    """Return by run row the session start of each run that has one. Do not modify the result."""
    listed, parsed = cells(store, START_TAG), store.cache.state(_Parsed)
    own: dict[int, Session] = {}
    with parsed.lock:
        for run, number, metadata in listed:
            known = parsed.starts.get(number)
            if known is None or known[0] is not metadata:
                known = parsed.starts[number] = metadata, session(metadata.content, parsed.repeated)
            own[run] = known[1]
    return own


# Hparams of later session starts, by row of the series table.
_RESTARTS = store_.Share("restarted sessions", 16 << 20)
_MOST_STARTS = 50  # the limit of session starts read per run, the last ones


def _later_starts(store: store_.Store) -> dict[int, dict[str, Value]]:
    """Return by run row the hparams of later session starts. The store keeps only the first metadata of a tag, so these
    are read from the event files; few runs have any."""
    with store.lock:
        if store.tag_names.number(START_TAG) is None:
            return {}
        rows = store.series_rows(types.Kind.HPARAMS, tag=START_TAG)
        chunks = store.chunks_table.rows
        # Superseded ones count: a restart also writes its start at step 0.
        written = np.bincount(chunks["series"], np.where(chunks["dead"] == 0, chunks["n"], 0), len(store.series_table))
        rows = rows[written[rows] > 1]
        table = store.series_table.rows
        cells = list(zip(rows.tolist(), table["run"][rows].tolist(), table["version"][rows].tolist(), strict=True))
    found: dict[int, dict[str, Value]] = {}
    for row, run, version in cells:
        read = functools.partial(_read_starts, store, row)
        merged = store.cache.get(_RESTARTS, row, read, version=version, size=lambda hparams: 200 * len(hparams))
        if merged:
            found[run] = merged
    return found


def _read_starts(store: store_.Store, row: int) -> dict[str, Value]:
    merged: dict[str, Value] = {}
    for message in store_.Series(store, row).messages(_MOST_STARTS):
        try:
            metadata = wire.parse(message).messages(9)
            plugins = [plugin for each in metadata for plugin in each.messages(1)]
        except errors.Unreadable:
            continue
        for content in (each for plugin in plugins for each in plugin.get(2, ()) if isinstance(each, bytes)):
            merged.update(session(content).hparams)
    return merged


def _changed_configs(store: store_.Store, own: Mapping[int, RunHparams]) -> list[tuple[int, dict[str, Value]]]:
    """Configurations that changed after they were logged as hparams, or were never logged as hparams."""
    with store.lock:
        if store.tag_names.number(run_records.CONFIG_TAG) is None:
            return []
        rows = store.series_rows(tag=run_records.CONFIG_TAG)
        several = store.stats(rows)["n"] > 1
        runs = store.series_table.rows["run"][rows].tolist()
        wanted = [
            (run, row)
            for run, row, changed in zip(runs, rows.tolist(), several.tolist(), strict=True)
            if changed or run not in own
        ]
    configs = [(run, run_records.latest_of(store, row).get("config")) for run, row in wanted]
    return [(run, flattened(config)) for run, config in configs if isinstance(config, dict) and config]


def flattened(config: Mapping[str, Any], prefix: str = "") -> dict[str, Value]:
    """Flatten a nested configuration to hparams: names joined by `/`, lists as text."""
    flat: dict[str, Value] = {}
    for name, value in config.items():
        if isinstance(value, dict):
            flat.update(flattened(value, f"{prefix}{name}/"))
        elif value is None or isinstance(value, (bool, str)):
            flat[prefix + name] = value
        elif isinstance(value, (int, float)) and abs(value) < 1e300:
            flat[prefix + name] = float(value)
        else:
            flat[prefix + name] = str(value)
    return flat


# ---- configurations logged as texts


class _Texts:
    """State: by row of the series table the version at which a text was read, and its hparams. `lock` is held while a
    text is read, so that concurrent requests read it once. The store's lock may be taken inside it, never the other way
    round."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.by_row: dict[int, tuple[int, dict[str, Value]]] = {}


class _TextTags:
    """State: by tag number whether a text of that name may contain a configuration (1), may not (0), or was not checked
    yet (_UNKNOWN). Replaced as a whole, under the store's lock."""

    def __init__(self) -> None:
        self.may_hold_config = np.zeros(0, np.int8)


_UNKNOWN = -1


def hparams_series_rows(store: store_.Store) -> NDArray[np.int64]:
    """Return the rows of the series table that hparams may be read from. The caller holds the store's lock."""
    table = store.series_table.rows
    mask = (table["kind"] == types.Kind.HPARAMS) | _text_mask(store)
    config = store.tag_names.number(run_records.CONFIG_TAG)
    if config is not None:
        mask |= table["tag"] == config
    return np.nonzero(mask & (table["first_chunk"] >= 0))[0]


def _text_mask(store: store_.Store) -> NDArray[np.bool_]:
    """Return which tags may have configurations. Only tags of texts are checked: there may be a million others."""
    table = store.series_table.rows
    found: NDArray[np.bool_] = table["kind"] == types.Kind.TEXT
    if not found.any():
        return found
    text_tags = store.cache.state(_TextTags)
    known = text_tags.may_hold_config
    known = np.concatenate([known, np.full(len(store.tag_names) - len(known), _UNKNOWN, np.int8)])
    tags = table["tag"][found]
    for tag in row_types.distinct(tags[known[tags] == _UNKNOWN]).tolist():
        known[tag] = hparams_texts.is_config_tag(store.tag_names[tag])
    text_tags.may_hold_config = known
    found[found] = known[tags] == 1
    return found


def _texts(store: store_.Store) -> dict[int, _Text]:
    """Return configurations logged as texts, by run row. Those of a run are merged; on conflict the first one wins."""
    with store.lock:
        table = store.series_table.rows
        rows = np.nonzero(_text_mask(store) & (table["first_chunk"] >= 0))[0]
        cells = zip(rows.tolist(), *(table[name][rows].tolist() for name in ("run", "tag", "version")), strict=True)
        found = sorted((hparams_texts.rank(store.tag_names[tag]), row, run, tag, at) for row, run, tag, at in cells)
    texts = store.cache.state(_Texts)
    by_run: dict[int, _Text] = {}
    for _, row, run, tag, version in found:
        with texts.lock:
            said = _maybe_config(store, texts.by_row, row, version)
        if said is None:
            continue
        earlier = by_run.get(run)
        if earlier is None or not earlier.hparams:
            by_run[run] = _Text(store.tag_names[tag], said)
        elif said:
            by_run[run] = _Text(earlier.tag, {**said, **earlier.hparams})
    return by_run


def _maybe_config(
    store: store_.Store, known: dict[int, tuple[int, dict[str, Value]]], row: int, version: int
) -> dict[str, Value] | None:
    """Return None if the text cannot be read now; the next request retries."""
    cached = known.get(row)
    if cached is None or cached[0] != version:
        try:
            tensor = store_.Series(store, row).tensor(-1)
        except (errors.LightboardError, OSError, IndexError):
            return None
        config = hparams_texts.maybe_parse(tensor.strings or (), tensor.shape)
        cached = known[row] = version, flattened(config or {})
    return cached[1]


def _files(store: store_.Store) -> dict[int, dict[str, Value]]:
    """Return by run row the content of `hparams.yaml`, which Lightning's logger writes beside the events."""
    parsed = store.cache.state(_Parsed)
    found: dict[int, dict[str, Value]] = {}
    for companion in store.companions:
        row = store.run_row(companion.run) if companion.kind == "hparams" else None
        if row is None:
            continue
        with parsed.lock:
            known = parsed.files.get(companion.path)
            if known is None or known[0] is not companion:
                config = hparams_texts.maybe_parse_text(companion.content.decode("utf-8", "replace"))
                known = parsed.files[companion.path] = companion, flattened(config or {})
        if known[1]:
            found[row] = known[1]
    return found


def unreadable_texts(store: store_.Store) -> dict[int, str]:
    """Return by run row the tag of a text that is named like a configuration but cannot be parsed as one."""
    return {row: text.tag for row, text in _texts(store).items() if not text.hparams}


def ended(store: store_.Store) -> NDArray[np.int64]:
    """Return the rows of the runs whose writer stated that they have ended."""
    return np.array([run for run, (status, _) in ends(store).items() if status in (1, 2)], np.int64)


def ends(store: store_.Store) -> dict[int, tuple[int, float]]:
    """Return by run row the status (an index into STATUSES) and time of the end, 0 if unknown."""
    listed, parsed = cells(store, END_TAG), store.cache.state(_Parsed)
    by_run: dict[int, tuple[int, float]] = {}
    with parsed.lock:
        for run, number, metadata in listed:
            known = parsed.ends.get(number)
            if known is None or known[0] is not metadata:
                known = parsed.ends[number] = metadata, session_end(metadata.content)
            by_run[run] = known[1]
    return by_run


def cells(store: store_.Store, tag: str) -> list[tuple[int, int, types.Metadata]]:
    """Return run row, metadata row and metadata of each run that has the tag."""
    with store.lock:
        if store.tag_names.number(tag) is None:
            return []
        rows = store.series_rows(types.Kind.HPARAMS, tag=tag)
        cells = store.series_table.rows[rows]
        pairs = zip(cells["run"].tolist(), cells["metadata"].tolist(), strict=True)
        return [(run, meta, store.metadata[meta]) for run, meta in pairs if meta >= 0]


def session(content: bytes, repeated: Repeated | None = None) -> Session:
    """Parse a session start; if the bytes are invalid, it is not `readable` and has no hparams."""
    quick = _maybe_quick_session(content, repeated or Repeated())
    return session_of_anything(content) if quick is None else quick


def parse(content: bytes) -> dict[str, Value]:
    """Return the hparams of a session; empty if the bytes are invalid."""
    return session(content).hparams


def parse_anything(content: bytes) -> dict[str, Value]:
    """The same for any encoding that the wire format allows."""
    return session_of_anything(content).hparams


def session_of_anything(content: bytes) -> Session:
    try:
        infos = wire.parse(content).messages(3)
        found = {
            entry.text(1): value_of(value)
            for info in infos
            for entry in info.messages(1)
            for value in entry.messages(2)[-1:]
        }
        if not infos:
            return Session({}, readable=False)
        last = infos[-1]
        words = (last.text(number) for number in (4, 2, 3))
        group, model_uri, monitor_url = words
        return Session(found, group, last.double(5) or 0.0, model_uri, monitor_url)
    except errors.Unreadable:
        return Session({}, readable=False)


# ---- the usual encoding, without the general parser: 10,000 runs of 20 hparams in a tenth of a second
#
# Writers write maps in any order, so messages differ, but their entries repeat:
#
#     0a len  0a len name  12 09  11 eight bytes        a number: all but the last eight bytes are always the same
#     0a len  0a len name  12 len  1a len text          a text or a boolean: the same few entries over and over

_double = struct.Struct("<d").unpack_from
_MOST_REPEATED = 100_000
_USUAL_END = re.compile(rb"(?:\x08\x00)?\x22(?:\x0b\x08([\x00-\x03])\x11(.{8})|\x02\x08([\x00-\x03]))", re.DOTALL)


def _maybe_quick(content: bytes) -> dict[str, Value] | None:
    """Return None if the encoding is not the usual one."""
    found = _maybe_quick_session(content, Repeated())
    return None if found is None else found.hparams


def _maybe_quick_session(content: bytes, repeated: Repeated) -> Session | None:
    names, entries = repeated.names, repeated.entries
    at = 2 if content[:1] == b"\x08" and content[1:2] < b"\x80" else 0  # the version, if there is one
    size = len(content)
    if content[at : at + 1] != b"\x1a":
        return None
    found: dict[str, Value] = {}
    start_time, words = 0.0, {0x12: "", 0x1A: "", 0x22: ""}  # URL of a model, of a monitor; name of the group
    try:
        length, at = wire.read_varint(content, at + 1)
        if at + length != size:
            return None
        while at < size:
            key = content[at]
            if key == 0x29:  # start time
                start_time = _double(content, at + 1)[0]
                at += 9
                continue
            length = content[at + 1]
            if length < 0x80:
                at += 2
            else:
                length, at = wire.read_varint(content, at + 1)
            end = at + length
            if end > size:
                return None
            if key == 0x0A:
                name = names.get(content[at : end - 8])
                if name is not None:
                    found[name] = _double(content, end - 8)[0]
                else:
                    entry = content[at:end]
                    pair = entries.get(entry) or _entry(entry, repeated)
                    found[pair[0]] = pair[1]
            elif key in words:
                words[key] = content[at:end].decode("utf-8", "replace")
            else:
                return None
            at = end
    except (IndexError, struct.error, errors.Unreadable):
        return None
    return Session(found, words[0x22], start_time, words[0x12], words[0x1A]) if at == size else None


def _entry(entry: bytes, repeated: Repeated) -> tuple[str, Value]:
    """Parse one hparam with the general parser, and add it to `repeated`."""
    fields = wire.parse(entry)
    values = fields.messages(2)
    if not values:
        raise errors.Unreadable("an hparam without a value", code="file.damaged")
    pair = fields.text(1), value_of(values[-1])
    begins = entry[:-8]
    name = pair[0].encode("utf-8", "replace")
    if begins == b"\x0a" + bytes([min(len(name), 0x80)]) + name + b"\x12\x09\x11" and len(name) < 0x80:
        if len(repeated.names) >= _MOST_REPEATED:
            repeated.names.clear()
        repeated.names[begins] = pair[0]
    else:
        if len(repeated.entries) >= _MOST_REPEATED:
            repeated.entries.clear()
        repeated.entries[entry] = pair
    return pair


def value_of(value: wire.Fields) -> Value:
    """Return a google.protobuf.Value: null 1, number 2, string 3, bool 4; lists and structures do not occur as
    hparams."""
    if 2 in value:
        return value.double(2)
    if 3 in value:
        return value.text(3)
    if 4 in value:
        return bool(value.integer(4))
    return None


def session_end(content: bytes) -> tuple[int, float]:
    """Return status (see STATUSES) and time of a session's end."""
    usual = _USUAL_END.fullmatch(content)
    if usual is not None:
        return (usual[1] or usual[3])[0], _double(usual[2])[0] if usual[2] else 0.0
    try:
        infos: list[Any] = wire.parse(content).messages(4)
        if not infos:
            return 0, 0.0
        status = infos[-1].integer(1)
        return status if 0 <= status < len(STATUSES) else 0, infos[-1].double(2) or 0.0
    except errors.Unreadable:
        return 0, 0.0
