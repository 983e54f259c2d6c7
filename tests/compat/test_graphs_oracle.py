"""Graphs of the sample logs as TensorBoard serves them: info, nodes, edges, ops, functions, devices."""

from __future__ import annotations

from typing import Any

import data_client
import pytest
from compat import graph_answers, oracle

import lightboard


def ordered(graphs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The order of runs and tags is nobody's promise."""
    return sorted(graphs, key=lambda graph: (graph["run"], graph["tag"] or ""))


@pytest.mark.parametrize("corpus", oracle.corpora())
async def test_graphs_are_those_of_tensorboard(corpus: str) -> None:
    told = oracle.load(corpus)["http"]["graphs"]
    with lightboard.open(oracle.DATA / corpus, index=False) as logs:
        async with data_client.Client(logs._store) as ask:
            found = await graph_answers.everything(ask)
    assert found["info"] == told["info"]
    assert ordered(found["graphs"]) == ordered(told["graphs"])
    assert ordered(found["run_metadata"]) == ordered(told.get("run_metadata", []))
