"""Whether an upload has what the original logs have: values, steps, wall times, metadata of every series.

TensorBoard itself changes some things before it sends them: labels of audio clips are dropped, nodes of graphs lose
large attributes, histograms of the old form become floats, values without metadata get some, with the tag as name.
Tensors without a plugin and empty traces are not sent.
"""

from __future__ import annotations

import numpy as np

import lightboard
from lightboard import types, wire

DATA_CLASSES = {"scalars": 1, "images": 3, "audio": 3, "graphs": 3}


def check(original: lightboard.Logs, uploaded: lightboard.Logs) -> int:
    """Returns the number of series."""
    expected = [entry for entry in original.series() if _is_sent(original, entry)]
    found = uploaded.series()
    assert [(each.run, each.tag, each.kind, each.points) for each in found] == [
        (each.run, each.tag, each.kind, each.points) for each in expected
    ]
    assert uploaded.faults == []
    for entry in expected:
        where = (entry.run, entry.tag)
        if entry.kind == "scalars":
            _check_scalars(original.scalars(*where), uploaded.scalars(*where))
        elif entry.kind == "audio":
            _check_audio(original, uploaded, *where)
        elif entry.kind == "graphs" and entry.tag == "__run_graph__":
            assert _nodes(original.graph(*where)) == _nodes(uploaded.graph(*where)), where
        else:
            _check_tensors(original, uploaded, *where)
        if entry.tag != "__run_graph__":
            _check_metadata(original.metadata(*where), uploaded.metadata(*where), entry)
    for run in original.runs:
        assert original.hparams(run) == (uploaded.hparams(run) if run in uploaded.runs else {}), run
    return len(expected)


def _is_sent(logs: lightboard.Logs, entry: lightboard.reading.Entry) -> bool:
    if entry.kind == "tensors":
        return bool(logs.metadata(entry.run, entry.tag).data_class)
    return entry.kind != "graphs" or any(any(one.strings or ()) for one in logs.tensors(entry.run, entry.tag))


def _check_scalars(one: lightboard.reading.Scalars, other: lightboard.reading.Scalars) -> None:
    assert one.steps.tolist() == other.steps.tolist()
    assert one.wall_times.tolist() == other.wall_times.tolist()
    np.testing.assert_array_equal(one.values.astype(np.float64), other.values.astype(np.float64))


def _check_audio(original: lightboard.Logs, uploaded: lightboard.Logs, run: str, tag: str) -> None:
    for one, other in zip(original.audio(run, tag), uploaded.audio(run, tag), strict=True):
        assert (one.step, one.wall_time, one.content_type) == (other.step, other.wall_time, other.content_type)
        assert [clip.data for clip in one.clips] == [clip.data for clip in other.clips]


def _check_tensors(original: lightboard.Logs, uploaded: lightboard.Logs, run: str, tag: str) -> None:
    for one, other in zip(original.tensors(run, tag), uploaded.tensors(run, tag), strict=True):
        assert (one.step, one.wall_time, one.strings) == (other.step, other.wall_time, other.strings), (run, tag)
        if one.array is not None:
            # a histogram of the old form becomes a tensor of floats
            assert other.array is not None and other.array.dtype in (one.array.dtype, np.float32), (run, tag)
            np.testing.assert_array_equal(one.array.astype(other.array.dtype), other.array)
        else:
            # TensorBoard gives a graph of a trace, which is a single string, one dimension
            assert one.shape == other.shape or (one.shape, other.shape) == ((), (1,)), (run, tag)


def _check_metadata(one: types.Metadata, other: types.Metadata, entry: lightboard.reading.Entry) -> None:
    assert other.plugin == (one.plugin or entry.kind)
    assert other.content == one.content or not one.content  # of an old form, which has none
    assert other.display_name in (one.display_name, entry.tag)
    assert other.description == one.description
    assert other.data_class == (one.data_class or DATA_CLASSES.get(entry.kind, 2))


def _nodes(graph: bytes) -> list[tuple[str, str, list[str]]]:
    """Name, operation and inputs of each node."""
    nodes = wire.parse(graph).messages(1)
    return [(node.text(1), node.text(2), node.texts(3)) for node in nodes]
