"""Hparams as columns: order, kinds, what differs; the quick way to parse them against the general one."""

from __future__ import annotations

import concurrent.futures
import itertools
import math
import random
import re
import threading
from collections.abc import Mapping, Sequence
from typing import Any

import event_files
import made_trials
import numpy as np
import pytest

from lightboard import query, types
from lightboard.formats import hparams_texts
from lightboard.query.hparams import hparams
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.sdk import hparams_messages


def session_start(**given: hparams_messages.Scalar) -> types.Metadata:
    return types.Metadata("hparams", content_of(given))


def store_of(**runs: types.Metadata) -> query.Store:
    builder = query.Builder()
    for run, metadata in runs.items():
        nothing = types.Tensor((), strings=(b"",))
        builder.tensors(run, hparams_metadata.START_TAG, types.Kind.HPARAMS, [nothing], metadata=metadata)
    return builder.build()


def test_names_in_natural_order_and_none_where_absent() -> None:
    found = hparams.table(store_of(a=session_start(layer10=1.0, layer2=2.0), b=session_start(Lr=0.5)))
    assert found.names == ["Lr", "layer2", "layer10"]
    assert found.columns == {"Lr": [None, 0.5], "layer2": [2.0, None], "layer10": [1.0, None]}
    assert found.differs == [True, True, True]


def test_kinds_and_what_differs() -> None:
    nan = math.nan
    one = session_start(number=1.0, same="x", flag=True, mixed=1.0, nan=nan, kind=True)
    two = session_start(number=2.0, same="x", flag=True, mixed="1", nan=nan, kind=1.0)
    found = hparams.table(store_of(a=one, b=two))
    told = {name: (kind, differs) for name, kind, differs in zip(found.names, found.kinds, found.differs, strict=True)}
    assert told == {
        "number": ("number", True),
        "same": ("text", False),
        "flag": ("bool", False),
        "mixed": ("text", True),
        "nan": ("number", False),
        "kind": ("text", True),
    }


def test_runs_in_the_order_they_are_asked_for() -> None:
    store = store_of(a=session_start(lr=1.0), b=session_start(lr=2.0), c=session_start(lr=3.0))
    found = hparams.table(store, np.array([2, 0]), names=["lr", "lr", "nobody"])
    assert (found.run, found.columns, found.total) == (["c", "a"], {"lr": [3.0, 1.0]}, 1)


def test_an_empty_store() -> None:
    found = hparams.table(query.Builder().build())
    assert (found.run, found.names, found.columns) == ([], [], {})


def content_of(given: Mapping[str, hparams_messages.Scalar | None]) -> bytes:
    entries = b""
    for name, value in given.items():
        told = hparams_messages.protobuf_value(value)
        entry = event_files.field_bytes(1, name.encode("utf-8", "surrogatepass")) + event_files.field_bytes(2, told)
        entries += event_files.field_bytes(1, entry)
    rest = event_files.field_bytes(4, b"group") + b"\x29" + bytes(8)
    return b"\x08\x00" + event_files.field_bytes(3, entries + rest)


def test_the_quick_way_and_the_general_one_agree() -> None:
    rng = random.Random(5)
    pool = ["lr", "optimizer/β", "名前", "n" * 130, "", "x\x12\x09\x11y", "flag"]
    values: list[hparams_messages.Scalar | None] = [0.1, -1e300, math.inf, 0, True, False, "", "adam", "é" * 200, None]
    for _ in range(300):
        given = {name: rng.choice(values) for name in rng.sample(pool, rng.randrange(len(pool)))}
        content = content_of(given)
        quick = hparams_metadata._maybe_quick(content)
        assert quick is not None
        assert (
            quick
            == hparams_metadata.parse_anything(content)
            == {
                name: float(value) if isinstance(value, int) and not isinstance(value, bool) else value
                for name, value in given.items()
            }
        )


def test_ends_of_sessions_are_read_alike_in_both_ways() -> None:
    rng = random.Random(3)
    wholes = [hparams_metadata_content(status, time) for status in range(4) for time in (None, 0.0, 1.7e9)]
    assert hparams_metadata.session_end(hparams_metadata_content(2, 1.7e9)) == (2, 1.7e9)
    for _ in range(3000):
        cut = bytearray(rng.choice(wholes))
        cut = cut[: rng.randrange(len(cut) + 1)] if rng.random() < 0.5 else cut
        if cut and rng.random() < 0.7:
            cut[rng.randrange(len(cut))] = rng.randrange(256)
        usual, hparams_metadata._USUAL_END = hparams_metadata._USUAL_END, re.compile(b"never")
        general = hparams_metadata.session_end(bytes(cut))
        hparams_metadata._USUAL_END = usual
        assert repr(hparams_metadata.session_end(bytes(cut))) == repr(general), bytes(cut)


def hparams_metadata_content(status: int, time: float | None) -> bytes:
    return made_trials.content_of(hparams_messages.session_end(status, time))


@pytest.mark.parametrize("seed", range(5))
def test_damaged_bytes_are_read_as_the_general_way_reads_them(seed: int) -> None:
    rng = random.Random(seed)
    whole = content_of({"lr": 0.1, "opt": "adam", "flag": True, "n" * 130: "x" * 300})
    for _ in range(400):
        cut = bytearray(whole[: rng.randrange(len(whole) + 1)])
        for _ in range(rng.randrange(3)):
            if cut:
                cut[rng.randrange(len(cut))] = rng.randrange(256)
        found = hparams_metadata.parse(bytes(cut))
        general = hparams_metadata.parse_anything(bytes(cut))
        assert repr(found) == repr(general)


def test_questions_at_the_same_time_parse_a_configuration_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four pages that were opened at once parsed all configurations four times."""
    builder = query.Builder()
    for run in range(50):
        text = types.Tensor((), strings=("".join(f"name_{row}: {row}\n" for row in range(200)).encode(),))
        builder.tensors(f"r{run}", "config", types.Kind.TEXT, [text])
    store, parse, parsed = builder.build(), hparams_texts.maybe_parse, itertools.count()

    def counted(strings: Sequence[bytes], shape: tuple[int, ...]) -> dict[str, Any] | None:
        next(parsed)
        return parse(strings, shape)

    monkeypatch.setattr(hparams_texts, "maybe_parse", counted)
    together = threading.Barrier(4)

    def ask() -> int:
        together.wait(30)
        return len(hparams_metadata.of_runs(store))

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert [asked.result() for asked in [pool.submit(ask) for _ in range(4)]] == [50] * 4
    assert next(parsed) == 50
