"""A real one-node cluster for all tests of this folder, and an operator with exactly the role of deploy/kubernetes.

`tools/cluster.py` runs the cluster; with LIGHTBOARD_KUBECONFIG a running one of its kind is used, also by several
processes at once (`pytest -n 3`). One namespace per test, with an operator of its own; namespaces are deleted without
waiting, because this kubelet takes ten seconds for a pod.
"""

from __future__ import annotations

import base64
import itertools
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from kubernetes import kube

import lightboard

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="session")
def admin() -> Iterator[kube.Kube]:
    """The cluster with our definitions, roles and image, as its admin."""
    given = os.environ.get("LIGHTBOARD_KUBECONFIG", "")
    tool = [sys.executable, str(kube.ROOT / "tools" / "cluster.py")]
    if given:
        kubeconfig = given
    else:
        done = subprocess.run([*tool, "start"], capture_output=True, text=True)
        if "the cluster needs" in done.stderr:
            pytest.skip(done.stderr.strip())
        if done.returncode:
            pytest.fail(f"no cluster: {done.stderr[-2000:]}")
        kubeconfig = done.stdout.split()[-1]
    try:
        if not given:
            subprocess.run([*tool, "image", kube.IMAGE], check=True, capture_output=True, text=True)
        server = yaml.safe_load(pathlib.Path(kubeconfig).read_text())["clusters"][0]["cluster"]["server"]
        network = server.removeprefix("https://").rsplit(":", 1)[0].rsplit(".", 1)[0]
        made = kube.Kube(pathlib.Path(kubeconfig), f"{network}.1")
        made.run("apply", "-f", str(kube.ROOT / "deploy/crds"))
        made.run("apply", "-f", str(kube.ROOT / "deploy/kubernetes/rbac.yaml"))
        yield made
    finally:
        if not given:
            subprocess.run([*tool, "stop"], check=False)


@pytest.fixture(scope="session")
def role(admin: kube.Kube, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A kubeconfig with the service account of the operator."""

    def token() -> str:
        account = admin.get("serviceaccount", "lightboard-operator", "lightboard") or {}
        names = [each["name"] for each in account.get("secrets") or []]
        found = admin.get("secret", names[0], "lightboard") if names else None
        return base64.b64decode(found["data"]["token"]).decode() if found else ""

    config = yaml.safe_load(admin.kubeconfig.read_text())
    config["users"] = [{"name": "operator", "user": {"token": kube.wait(token, "no token")}}]
    for each in config["contexts"]:
        each["context"].update(user="operator", namespace="lightboard")
    file = tmp_path_factory.mktemp("role") / "kubeconfig"
    file.write_text(yaml.safe_dump(config))
    return file


@pytest.fixture
def operator(role: pathlib.Path, tmp_path: pathlib.Path, namespace: str) -> Iterator[kube.Operator]:
    """Acts in the namespace of the test only, so that tests run side by side."""
    flags = ("--no_election", f"--namespace={namespace}", "--boards_per_namespace=8")
    with kube.operating(role, tmp_path / "operator.log", *flags) as made:
        yield made


@pytest.fixture
def namespace(admin: kube.Kube, request: pytest.FixtureRequest) -> Iterator[str]:
    name = f"t{os.getpid()}-{next(_NUMBERS)}"
    admin.run("create", "namespace", name)
    yield name
    kube.clear(admin, name)


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with two runs below `log`, readable by the uid of boards."""
    folder = tmp_path_factory.mktemp("volume")
    for run in ("first", "second"):
        with lightboard.SummaryWriter(str(folder / "log" / run)) as writer:
            for step in range(100):
                writer.add_scalar("loss", 1.0 / (step + 1), step)
    for each in (folder, *folder.rglob("*")):
        each.chmod(0o755 if each.is_dir() else 0o644)
    for each in folder.parents:
        if str(each).startswith("/tmp/"):
            each.chmod(each.stat().st_mode | 0o055)
    return folder


@pytest.fixture
def pvc(admin: kube.Kube, namespace: str, logs: pathlib.Path) -> Iterator[dict[str, Any]]:
    """A source: the claim `logs` with the folder `log`."""
    admin.apply(*kube.claim("logs", namespace, logs))
    yield {"pvc": {"claimName": "logs", "subPath": "log"}}
    admin.run("delete", "pv", f"{namespace}-logs", "--wait=false")
