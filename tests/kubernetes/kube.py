"""What tests of the cluster use: kubectl, an operator process with exactly its role, waits."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
IMAGE = "lightboard:test"
WAIT_SECS = 90.0
BOARD = "boards.boards.lightboard.dev"
T9K = "tensorboards.tensorstack.dev"
KUBEFLOW = "tensorboards.tensorboard.kubeflow.org"


class Kube:
    """kubectl with one kubeconfig."""

    def __init__(self, kubeconfig: pathlib.Path, host: str) -> None:
        self.kubeconfig = kubeconfig
        self.host = host  # this machine as pods see it

    def run(self, *words: str, stdin: str = "", check: bool = True) -> str:
        command = ["kubectl", f"--kubeconfig={self.kubeconfig}", *words]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=120)
        if check and done.returncode:
            raise AssertionError(f"{' '.join(words)}: {done.stderr}")
        return done.stdout if done.returncode == 0 else done.stderr

    def apply(self, *documents: Any) -> str:
        return self.run("apply", "-f", "-", stdin=_text(*documents))

    def get(self, kind: str, name: str, namespace: str) -> Any | None:
        words = ["get", kind, name, "-n", namespace, "-o", "json", "--ignore-not-found"]
        text = self.run(*words)
        return json.loads(text) if text.strip() else None

    def list(self, kind: str, namespace: str) -> list[Any]:
        found: list[Any] = json.loads(self.run("get", kind, "-n", namespace, "-o", "json"))["items"]
        return found

    def patch(self, kind: str, name: str, namespace: str, body: Any) -> None:
        self.run("patch", kind, name, "-n", namespace, "--type=merge", "-p", json.dumps(body))

    def status(self, name: str, namespace: str, kind: str = BOARD) -> dict[str, Any]:
        found = self.get(kind, name, namespace)
        return {} if found is None else found.get("status") or {}

    def wait_status(
        self, name: str, namespace: str, holds: Callable[[dict[str, Any]], bool], *, kind: str = BOARD,
        limit_secs: float = WAIT_SECS,
    ) -> dict[str, Any]:  # fmt: skip
        last: dict[str, Any] = {}

        def look() -> bool:
            nonlocal last
            last = self.status(name, namespace, kind)
            return holds(last)

        wait(look, lambda: f"status of {name}: {json.dumps(last, indent=1)[:3000]}", limit_secs=limit_secs)
        return last

    def wait_phase(self, name: str, namespace: str, phase: str, **more: Any) -> dict[str, Any]:
        return self.wait_status(name, namespace, lambda status: status.get("phase") == phase, **more)


def _text(*documents: Any) -> str:
    return "\n---\n".join(each if isinstance(each, str) else yaml.safe_dump(each) for each in documents)


def wait(holds: Callable[[], Any], told: Callable[[], str] | str, *, limit_secs: float = WAIT_SECS) -> Any:
    end = time.monotonic() + limit_secs
    while True:
        if found := holds():
            return found
        if time.monotonic() > end:
            raise AssertionError(f"not within {limit_secs:.0f} s: {told if isinstance(told, str) else told()}")
        time.sleep(0.1)


def tell(what: str, secs: float) -> None:
    """A time, for people who read the output (`pytest -s`)."""
    sys.stdout.write(f"\n{what}: {secs:.1f} s\n")


def condition(status: dict[str, Any], kind: str) -> dict[str, Any]:
    return next((each for each in status.get("conditions") or [] if each["type"] == kind), {})


def get(url: str, *, headers: dict[str, str] | None = None) -> bytes:
    request = urllib.request.Request(url, headers=headers or {})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=10) as answer:
        content: bytes = answer.read()
        return content


def base_url(kube: Kube, status: dict[str, Any], namespace: str, service: str) -> str:
    """The board through its Service, from this machine."""
    found = kube.get("service", service, namespace)
    assert found is not None
    return f"http://{found['spec']['clusterIP']}{status['path']}"


def board(name: str, namespace: str, *sources: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return {
        "apiVersion": "boards.lightboard.dev/v1",
        "kind": "Board",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"sources": list(sources), **spec},
    }


def claim(name: str, namespace: str, folder: pathlib.Path) -> list[dict[str, Any]]:
    """A claim whose volume is a folder of this machine."""
    volume = f"{namespace}-{name}"
    return [
        {
            "apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": volume},
            "spec": {
                "capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "storageClassName": "manual",
                "hostPath": {"path": str(folder)},
            },
        },
        {
            "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name, "namespace": namespace},
            "spec": {
                "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}},
                "storageClassName": "manual", "volumeName": volume,
            },
        },
    ]  # fmt: skip


def clear(admin: Kube, namespace: str) -> None:
    """Deletes a namespace whose operator has ended: nobody else takes the finalizers away."""
    for kind in (BOARD, T9K, KUBEFLOW):
        for each in admin.list(kind, namespace):
            admin.patch(kind, each["metadata"]["name"], namespace, {"metadata": {"finalizers": []}})
    admin.run("delete", "namespace", namespace, "--wait=false")


def secret(name: str, namespace: str, **members: str) -> dict[str, Any]:
    return {
        "apiVersion": "v1", "kind": "Secret", "metadata": {"name": name, "namespace": namespace}, "stringData": members
    }  # fmt: skip


def crd(group: str, version: str, kind: str) -> dict[str, Any]:
    """A kind without a schema and without a controller, in place of one that the cluster does not have."""
    plural = f"{kind.lower()}s"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {
            "name": f"{plural}.{group}",
            "annotations": {"api-approved.kubernetes.io": "unapproved, a stand-in for tests"},
        },
        "spec": {
            "group": group, "scope": "Namespaced", "names": {"kind": kind, "plural": plural, "singular": kind.lower()},
            "versions": [
                {
                    "name": version, "served": True, "storage": True, "subresources": {"status": {}},
                    "schema": {"openAPIV3Schema": schema},
                }
            ],
        },
    }  # fmt: skip


class Operator:
    """An operator process. `restart` kills it."""

    def __init__(self, kubeconfig: pathlib.Path, log: pathlib.Path, *flags: str) -> None:
        self._command = [
            sys.executable, "-m", "lightboard", "operator", f"--kubeconfig={kubeconfig}", f"--image={IMAGE}",
            "--metrics_host=127.0.0.1", "--metrics_port=0", *flags,
        ]  # fmt: skip
        self.log = log
        self.port = 0
        self._began = 0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        began = self.log.stat().st_size if self.log.exists() else 0
        self._began = len(self.text()) if began else 0
        with self.log.open("ab") as stream:
            environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
            self.process = subprocess.Popen(self._command, stdout=stream, stderr=stream, env=environment)

        def port() -> int:
            text = self.log.read_bytes()[began:].decode("utf-8", "replace")
            _, found, rest = text.partition("metrics on port ")
            return int(rest.split()[0]) if found and rest.endswith("\n") else 0

        self.port = wait(port, self.text, limit_secs=30)

    def wait_ready(self) -> None:
        """This process, not one before it with the same log."""
        wait(lambda: "boards found" in self.text()[self._began :], self.text, limit_secs=60)

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(timeout=20)

    def text(self) -> str:
        return self.log.read_text(errors="replace")

    def metrics(self) -> dict[str, float]:
        text = get(f"http://127.0.0.1:{self.port}/metrics").decode()
        pairs = (line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, value in pairs}


@contextlib.contextmanager
def operating(kubeconfig: pathlib.Path, log: pathlib.Path, *flags: str) -> Iterator[Operator]:
    made = Operator(kubeconfig, log, *flags)
    made.start()
    try:
        made.wait_ready()
        yield made
    finally:
        if made.process is not None and made.process.poll() is None:
            made.stop()
