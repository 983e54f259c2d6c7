"""What is shipped for Kubernetes, looked at without a cluster: Dockerfile, manifests, chart, reference.

tests/kubernetes/test_shipping.py gives them to a real API server and runs them.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import shlex
import sys
from typing import Any

import operator_documents as documents
import pytest
import yaml

import lightboard
from lightboard.cli import operator
from lightboard.operator import leading, objects

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import operator_reference  # noqa: E402

DEPLOY = ROOT / "deploy"
CHART = DEPLOY / "chart"
TEMPLATES = sorted((CHART / "templates").iterdir())


def manifests() -> list[dict[str, Any]]:
    listed = yaml.safe_load((DEPLOY / "kustomization.yaml").read_text())["resources"]
    return [each for name in listed for each in yaml.safe_load_all((DEPLOY / name).read_text())]


def of_kind(kind: str) -> dict[str, Any]:
    (found,) = [each for each in manifests() if each["kind"] == kind]
    return found


# -- Dockerfile


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE).replace("\\\n", " ")
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


def test_the_image_is_built_of_two_stages_and_runs_as_the_user_of_boards() -> None:
    stages = [rest for word, rest in instructions() if word == "FROM"]
    assert stages == ["${BASE} AS packages", "${BASE}"]
    last = [word for word, _ in instructions()]
    final = instructions()[len(last) - 1 - last[::-1].index("FROM") :]
    assert ("USER", f"{objects.USER}:{objects.USER}") in final
    assert ("ENTRYPOINT", '["lightboard"]') in final
    assert any(word == "RUN" and "test -s /etc/ssl/certs/ca-certificates.crt" in rest for word, rest in final)


def test_what_the_image_copies_is_let_through_and_is_in_the_tree() -> None:
    allowed = [line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"]
    copied = [shlex.split(rest)[0] for word, rest in instructions() if word == "COPY" and "--from" not in rest]
    assert copied == ["requirements/dev.txt", "wheels/"]
    assert allowed == ["requirements/dev.txt", "wheels/*.whl"]
    assert (ROOT / "requirements/dev.txt").exists()


def test_the_image_names_no_server_and_needs_no_index() -> None:
    arguments = dict(rest.split("=", 1) for word, rest in instructions() if word == "ARG")
    assert "/" not in arguments["BASE"]
    assert arguments["PIP_INDEX"] == "--no-index"
    # the extras that tests put into pods
    assert set(arguments["EXTRAS"].split(",")) == {"hub", "operator"}
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" != "3.11" or ":3.11-" in arguments["BASE"]


# -- manifests


def parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(exit_on_error=False)
    operator.add_arguments(parser)
    return parser.parse_args(words)


def test_the_operator_of_the_base_has_flags_that_exist_and_the_image_of_this_version() -> None:
    (container,) = of_kind("Deployment")["spec"]["template"]["spec"]["containers"]
    assert container["command"] == ["lightboard"]
    verb, *words = container["args"]
    assert verb == "operator"
    assert parsed(words).image == container["image"] == f"lightboard:{lightboard.__version__}"
    assert not parsed(words).no_election


def test_pods_are_restricted() -> None:
    pod = of_kind("Deployment")["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == objects.USER
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    (container,) = pod["containers"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]},
    }  # fmt: skip
    assert of_kind("Namespace")["metadata"]["labels"]["pod-security.kubernetes.io/enforce"] == "restricted"


def test_selectors_find_the_pods_of_the_operator() -> None:
    labels = of_kind("Deployment")["spec"]["template"]["metadata"]["labels"]
    chosen = [of_kind("Deployment")["spec"]["selector"], of_kind("PodDisruptionBudget")["spec"]["selector"]]
    for each in (*chosen, of_kind("NetworkPolicy")["spec"]["podSelector"]):
        assert each["matchLabels"].items() <= labels.items()
    assert of_kind("Deployment")["spec"]["template"]["spec"]["serviceAccountName"] == "lightboard-operator"


def test_the_policy_for_boards_selects_pods_of_boards_and_lets_the_operator_in() -> None:
    policy = yaml.safe_load((DEPLOY / "kubernetes/boards-network.yaml").read_text())
    labels = objects.labels(documents.definition())
    assert policy["spec"]["podSelector"]["matchLabels"].items() <= labels.items()
    (rule,) = policy["spec"]["ingress"]
    (peer,) = rule["from"]
    namespace = of_kind("Namespace")["metadata"]["labels"]
    assert peer["namespaceSelector"]["matchLabels"].items() <= namespace.items()


def test_the_role_names_the_lease_that_the_operator_takes() -> None:
    names = [name for rule in of_kind("Role")["rules"] for name in rule.get("resourceNames", ())]
    assert names == [leading.NAME]


# -- chart


def leaves(values: dict[str, Any], schema: dict[str, Any], path: str = "") -> set[str]:
    found = set()
    for name, value in values.items():
        if "properties" in schema["properties"][name]:
            found |= leaves(value, schema["properties"][name], f"{path}{name}.")
        else:
            found.add(path + name)
    return found


def chart() -> tuple[dict[str, Any], dict[str, Any]]:
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    return values, json.loads((CHART / "values.schema.json").read_text())


def test_the_schema_has_exactly_the_values() -> None:
    values, schema = chart()

    def compare(value: dict[str, Any], below: dict[str, Any], path: str) -> None:
        assert below["additionalProperties"] is False, path
        assert set(below["properties"]) - {"global"} == set(value), path
        for name, inner in below["properties"].items():
            assert inner["description"].endswith("."), f"{path}.{name}"
            if "properties" in inner:
                compare(value[name], inner, f"{path}.{name}")

    compare(values, schema, "")


def test_every_value_is_used_and_every_used_value_is_there() -> None:
    text = "\n".join(each.read_text() for each in TEMPLATES)
    used = set(re.findall(r"\.Values\.([\w.]+)", text))
    used |= {f"exposure.{name}" for name in re.findall(r"[ (]\.(\w+) ", text.partition("with .Values.exposure")[2])}
    # fields of pods that are copied by name
    for where, names in (("operator", "nodeSelector tolerations affinity"), ("hub", "nodeSelector tolerations")):
        assert f"index $.Values.{where} $field" in text
        used |= {f"{where}.{name}" for name in names.split()}
    values, schema = chart()
    known = leaves(values, schema)
    assert {each for each in known if not any(each == one or each.startswith(f"{one}.") for one in used)} == set()
    groups = {each.rpartition(".")[0] for each in known}
    assert {each for each in used if each.split(".")[0] in values} - known - groups == set()


def test_the_chart_has_the_version_the_role_and_the_kind_of_this_tree() -> None:
    about = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert about["appVersion"] == lightboard.__version__
    assert (CHART / "files/rbac.yaml").resolve() == DEPLOY / "kubernetes/rbac.yaml"
    assert (CHART / "crds/boards.lightboard.dev.yaml").resolve() == DEPLOY / "crds/boards.lightboard.dev.yaml"


def test_the_chart_hands_over_only_flags_that_exist() -> None:
    text = (CHART / "templates/operator.yaml").read_text()
    flags = set(re.findall(r'"(--\w+)=', text))
    known = {each.partition(" ")[0].strip("`") for each, _, _ in operator_reference.flags()}
    assert flags <= known
    # what the cluster decides, and what an option of the chart stands for
    assert known - flags == {"--kubeconfig", "--context", "--lease_namespace", "--no_election", "--metrics_host"}


# -- reference


def test_the_reference_is_up_to_date() -> None:
    assert operator_reference.PAGE.read_text(encoding="utf-8") == operator_reference.page(), "run `make generate`"


@pytest.mark.parametrize("rows", [operator_reference.flags(), operator_reference.values()], ids=["flags", "values"])
def test_every_row_of_the_reference_says_something(rows: list[tuple[str, str, str]]) -> None:
    assert [name for name, _, text in rows if not text] == []


def test_a_field_without_words_is_noticed() -> None:
    schema = {"properties": {"new": {"type": "string"}}}
    with pytest.raises(KeyError):
        list(operator_reference.board_fields(schema, "spec"))
