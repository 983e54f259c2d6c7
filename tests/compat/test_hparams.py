"""`/data/plugin/hparams` against TensorBoard's answers for the sample logs, whole and by subdirectory.

Where TensorBoard's answer depends on the order in which files were met, any of its possible answers is right: which
session of a group lends it its hparams, the order of words in a domain.
"""

from __future__ import annotations

import json
from typing import Any

import data_client
import pytest
from compat import oracle

import lightboard

pytestmark = pytest.mark.anyio

PATH = "/data/plugin/hparams"
STATUSES = ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]


def places() -> list[tuple[str, str]]:
    """(corpus, directory in it) wherever TensorBoard was asked about hparams."""
    found = []
    for corpus in oracle.corpora():
        told = oracle.load(corpus)
        found += [(corpus, "")] if "hparams" in told.get("http", {}) else []
        found += [(corpus, below) for below, http in told.get("http_subdirectories", {}).items() if "hparams" in http]
    return found


def expected(corpus: str, below: str) -> dict[str, Any]:
    told = oracle.load(corpus)
    found: dict[str, Any] = (told["http_subdirectories"][below] if below else told["http"])["hparams"]
    return found


def request(**more: Any) -> dict[str, Any]:
    return {"startIndex": 0, "sliceSize": 10_000, "allowedStatuses": STATUSES, **more}


async def ask(client: data_client.Client, route: str, question: Any) -> Any:
    posted = await client.http.post(f"{PATH}/{route}", json=question)
    got = await client.json(f"{PATH}/{route}", request=json.dumps(question))
    assert data_client.answered(posted) == got, "POST and GET say the same"
    return got


def settled(groups: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """Ours, with the hparams of groups of several sessions as theirs have them (they depend on the order of files)."""
    several = {each["name"]: each["hparams"] for each in theirs["sessionGroups"] if len(each["sessions"]) > 1}
    told = [{**each, "hparams": several.get(each["name"], each["hparams"])} for each in groups["sessionGroups"]]
    return {**groups, "sessionGroups": told}


def ordered(experiment: dict[str, Any]) -> dict[str, Any]:
    infos = [
        {**info, "domainDiscrete": sorted(info["domainDiscrete"], key=str)} if "domainDiscrete" in info else info
        for info in experiment["hparamInfos"]
    ]
    return {**experiment, "hparamInfos": infos}


@pytest.mark.parametrize(("corpus", "below"), places())
async def test_answers_are_tensorboards(corpus: str, below: str) -> None:
    theirs = expected(corpus, below)
    with lightboard.open(oracle.DATA / corpus / below, index=False) as logs:
        async with data_client.Client(logs._store) as client:
            experiment = await ask(client, "experiment", {})
            groups = await ask(client, "session_groups", request())
            assert ordered(experiment) == ordered(theirs["experiment"])
            assert settled(groups, theirs["session_groups"]) == theirs["session_groups"]
            for order, names in theirs.get("sorted_by_first_metric", {}).items():
                column = {"metric": experiment["metricInfos"][0]["name"], "order": order}
                found = await ask(client, "session_groups", request(colParams=[column]))
                assert [each["name"] for each in found["sessionGroups"]] == names, order
            for format_, told in theirs.get("download", {}).items():
                count = len(experiment["hparamInfos"]) + len(experiment["metricInfos"])
                visible = json.dumps([True] * count)
                fields = {"format": format_, "columnsVisibility": visible, "request": json.dumps(request())}
                answer = await client.get(f"{PATH}/download_data", **fields)
                assert answer.headers["content-type"] == told["content_type"]
                assert lines(answer.text, several(theirs)) == lines(told["body"], several(theirs))


def several(theirs: dict[str, Any]) -> list[int]:
    """Places of the groups whose hparams may be those of one session or another."""
    return [place for place, each in enumerate(theirs["session_groups"]["sessionGroups"]) if len(each["sessions"]) > 1]


def lines(body: str, unsettled: list[int]) -> Any:
    """A download row by row, without those rows."""
    if body.startswith("{"):
        told = json.loads(body)
        return {**told, "rows": [row for place, row in enumerate(told["rows"]) if place not in unsettled]}
    rows = body.splitlines(keepends=True)
    head = next(place for place, line in enumerate(rows) if "," in line or "&" in line) + 1
    return [line for place, line in enumerate(rows) if place - head not in unsettled]


async def test_the_hparams_of_a_group_are_those_of_one_of_its_sessions() -> None:
    with lightboard.open(oracle.DATA / "hparams_tuning" / "mixed", index=False) as logs:
        async with data_client.Client(logs._store) as client:
            found = await ask(client, "session_groups", request())
    own = oracle.load("hparams_tuning")["accumulator"]["runs"]
    for group in found["sessionGroups"]:
        told = [
            own[f"mixed/{session['name']}"]["tags"]["_hparams_/session_start_info"]["hparams"]["session_start_info"]
            for session in group["sessions"]
        ]
        assert group["hparams"] in [each["hparams"] for each in told]
        assert {each["group_name"] for each in told} == {group["name"]}


async def test_points_of_a_metric_are_those_of_its_scalars() -> None:
    with lightboard.open(oracle.DATA / "hparams_tuning" / "mixed", index=False) as logs:
        async with data_client.Client(logs._store) as client:
            question = {"sessionName": "session 0", "metricName": {"group": "validation", "tag": "epoch_accuracy"}}
            found = await ask(client, "metric_evals", question)
            run = {"run": "session 0/validation", "tag": "epoch_accuracy"}
            assert found == await client.json("/data/plugin/scalars/scalars", **run)
            missing = await client.http.post(f"{PATH}/metric_evals", json={**question, "sessionName": "nobody"})
            assert missing.status_code == 404
