"""What people uploaded: embeddings and graphs are found again, named by their content, and make room for newer ones.

How bytes become numbers is tested in tests/query/test_npy.py, the routes in tests/server.
"""

from __future__ import annotations

import numpy as np
import pytest

from lightboard import errors, graph_bytes, store
from lightboard.formats import graph_messages
from lightboard.query.graphs import graphs
from lightboard.query.projector import sources as projector_sources
from lightboard.work import uploads


def test_an_upload_is_found_by_its_name_until_others_need_its_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_BYTES", 3000)
    kept = uploads.Embeddings()
    names = [kept.keep("points", b"%d\t2\n" % number + b"\n" * 600, None) for number in range(5)]
    assert kept.find(names[-1]).run == uploads.RUN
    with pytest.raises(errors.Gone, match="not kept any longer"):
        kept.find(names[0])


def test_the_same_bytes_have_the_same_name_and_others_another() -> None:
    kept = uploads.Embeddings()
    name = kept.keep("points", b"1\t2\n", None)
    assert kept.keep("points", b"1\t2\n", None) == name
    assert kept.keep("points", b"1\t3\n", None) != name
    labelled = kept.add_metadata(name, b"a\n")
    assert labelled != name and labelled.startswith("points:")
    assert kept.find(labelled).config.metadata_path


def test_an_upload_is_read_like_a_logged_embedding() -> None:
    kept = uploads.Embeddings()
    values = np.arange(6, dtype="<f4").reshape(3, 2)
    entry = kept.find(kept.keep("raw", values.tobytes(), None, values.shape))
    assert np.array_equal(projector_sources.matrix(store.Store(), entry), values)


def test_a_graph_is_found_by_its_key() -> None:
    kept = uploads.Graphs()
    content = graph_messages.graph([graph_messages.node("n", "Op")])
    graph = graphs.made([graph_bytes.Piece(content)], named=content, size=len(content))
    assert kept.maybe_find(graph.header.key) is None
    kept.keep(graph)
    assert kept.maybe_find(graph.header.key) is graph
