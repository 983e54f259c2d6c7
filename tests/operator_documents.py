"""Resources and objects as the API server has them, for tests without one."""

from __future__ import annotations

import base64
from typing import Any

from lightboard.operator import Label, kinds, objects, plan, sources
from lightboard.operator.observing import Answer, Pod
from lightboard.operator.options import Options

NOW = 1_800_000_000.0
CLAIM = {"metadata": {"name": "logs"}, "spec": {"accessModes": ["ReadWriteOnce"]}, "status": {"phase": "Bound"}}
PVC = {"pvc": {"claimName": "logs", "subPath": "log"}}


def resource(kind: kinds.Kind = kinds.BOARD, name: str = "one", **spec: Any) -> dict[str, Any]:
    if kind is kinds.BOARD:
        spec.setdefault("sources", [PVC])
    return {
        "apiVersion": kind.api_version,
        "kind": kind.kind,
        "metadata": {
            "name": name, "namespace": "team", "uid": f"uid-{name}", "generation": 1,
            "creationTimestamp": kinds.timestamp(NOW - 100), "resourceVersion": "1",
        },
        "spec": spec,
    }  # fmt: skip


def definition(**spec: Any) -> kinds.Definition:
    return kinds.read(kinds.BOARD, resource(**spec))


def secret(**members: str) -> dict[str, Any]:
    data = {name: base64.b64encode(value.encode()).decode() for name, value in members.items()}
    return {"metadata": {"name": "team", "resourceVersion": "7"}, "data": data}


def deployed(made: kinds.Definition, *, replicas: int = 1, options: Options | None = None) -> dict[str, Any]:
    resolved = sources.resolve(made, {"logs": CLAIM}, {})
    pod = objects.template(made, resolved, options or Options())
    return objects.deployment(made, pod, replicas=replicas, alone=resolved.alone)


def pod(deployment: dict[str, Any], **members: Any) -> Pod:
    template = deployment["spec"]["template"]["metadata"]["labels"][Label.TEMPLATE]
    values = {"name": "pod", "uid": "p1", "template": template, "phase": "Running", "ip": "10.0.0.1", "created": NOW}
    return Pod(**{**values, "ready": True, "ready_since": NOW, **members})


def answer(at: float, used: float, by: str = "page") -> Answer:
    return Answer(at=at, pod="p1", used=used, by=by, sources=())


def observed(**members: Any) -> plan.Observed:
    return plan.Observed(**{"claims": {"logs": CLAIM}, **members})
