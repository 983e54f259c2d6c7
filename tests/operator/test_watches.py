"""What is watched, and whom a change wakes."""

from __future__ import annotations

from typing import Any, cast

import pytest
from operator_documents import definition, resource

from lightboard.operator import kinds, objects
from lightboard.operator.cluster import Cluster
from lightboard.operator.options import Options
from lightboard.operator.queue import Key
from lightboard.operator.watches import Watches

KEY = ("board", "team", "one")


def _watches(**options: Any) -> tuple[Watches, list[Key]]:
    woken: list[Key] = []
    return Watches(cast(Cluster, None), Options(**options), woken.append), woken


@pytest.mark.parametrize(
    ("exposure", "plural"),
    [("ingress", "ingresses"), ("httproute", "httproutes"), ("virtualservice", "virtualservices")],
)
def test_routes_are_watched_from_the_start_when_there_are_none_yet(exposure: str, plural: str) -> None:
    made, woken = _watches(exposure=exposure, gateway="infra/web")
    assert plural in [each.resource.plural for each in made.all]
    route = objects.route(definition(), Options(exposure=exposure, gateway="infra/web"))
    assert route is not None
    assert made.routes is not None
    route["metadata"].update(uid="r", resourceVersion="5")
    made.routes.put(route)
    assert made.observed(definition()).route is not None
    assert woken == [KEY]


def test_without_an_exposure_there_is_no_route() -> None:
    made, _ = _watches()
    assert made.routes is None
    assert [each.resource.plural for each in made.objects] == ["deployments", "services"]


def test_the_answer_of_a_write_that_comes_after_the_deletion_brings_nothing_back() -> None:
    made, woken = _watches()
    service = objects.service(definition(), drained=False)
    service["metadata"].update(uid="s", resourceVersion="5")
    made.services.put(service)
    made.services._gone(service)
    made.services.put({**service, "metadata": {**service["metadata"], "resourceVersion": "6"}})
    assert made.observed(definition()).service is None
    assert woken == [KEY, KEY]


def test_a_change_of_a_board_wakes_its_tensorstack_job_and_no_other() -> None:
    made, woken = _watches()
    document = resource(
        jobRef={"apiVersion": "batch.tensorstack.dev/v1beta1", "kind": "TensorFlowTrainingJob", "name": "train"}
    )
    made.boards[kinds.BOARD.word].put(document)
    assert woken == [KEY, ("job:t9ktensorflow", "team", "train")]
    woken.clear()
    document = resource(jobRef={"apiVersion": "batch/v1", "kind": "Job", "name": "train"})
    document["metadata"]["resourceVersion"] = "2"
    made.boards[kinds.BOARD.word].put(document)
    assert woken == [KEY]
