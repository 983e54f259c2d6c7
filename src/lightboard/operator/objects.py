"""The objects that serve a board, as documents: Deployment, Service, and a route of the chosen kind. Pure.

A document has the hash of itself as annotation: what the API server adds to it (defaults, status) does not have to be
compared. The preference for a node is in neither hash, so a board is not moved when another pod is.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from lightboard.operator import DOMAIN, MANAGER, PORT, Label, Note, kinds, sources
from lightboard.operator.kinds import Definition
from lightboard.operator.options import Options
from lightboard.operator.sources import Resolved

HOME = "/var/lib/lightboard"
USER = 65532
GRACE_SECS = 5
# One Deployment may need this long to replace a pod before Kubernetes says that it makes no progress.
PROGRESS_SECS = 600
ENVIRONMENT = {
    "HOME": HOME,
    "PYTHONSAFEPATH": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true",
}


def digest(document: Any) -> str:
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def labels(definition: Definition) -> dict[str, str]:
    return {
        Label.MANAGED: MANAGER,
        Label.NAME: "lightboard-board",
        Label.BOARD: kinds.label_value(definition.name),
        Label.KIND: definition.kind.word,
    }


def selector(definition: Definition) -> dict[str, str]:
    return {Label.BOARD: kinds.label_value(definition.name), Label.KIND: definition.kind.word}


# -- pod


def template(definition: Definition, resolved: Resolved, options: Options) -> dict[str, Any]:
    """The pod template with its hash as label."""
    scheduling = definition.scheduling
    pod: dict[str, Any] = {
        "containers": [_container(definition, resolved, options)],
        "volumes": _volumes(definition, resolved),
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": GRACE_SECS,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "fsGroupChangePolicy": "OnRootMismatch",
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }
    for name in ("nodeSelector", "tolerations", "schedulerName", "priorityClassName"):
        if scheduling.get(name):
            pod[name] = scheduling[name]
    if options.pull_secrets:
        pod["imagePullSecrets"] = [{"name": each} for each in options.pull_secrets]
    queue = {Label.QUEUE: str(scheduling["queue"])} if scheduling.get("queue") else {}
    # Kubeflow's PodDefaults choose pods by labels of the resource
    copied = definition.labels if definition.kind is kinds.KUBEFLOW else {}
    copied = {name: value for name, value in copied.items() if f"{DOMAIN}/" not in name}
    versions = {each.secret: each.version for each in resolved.secrets.values() if each.secret}
    made: dict[str, Any] = {
        "metadata": {
            "labels": {**copied, **queue, **labels(definition)},
            "annotations": {Note.STORAGE: storage_text(resolved, options), f"{Note.HASH}-secrets": digest(versions)},
        },
        "spec": pod,
    }
    made["metadata"]["labels"][Label.TEMPLATE] = digest(made)
    return made


def _container(definition: Definition, resolved: Resolved, options: Options) -> dict[str, Any]:
    probe = {"httpGet": {"path": f"{definition.path}/api/activity", "port": "http"}, "timeoutSeconds": 5}
    mounts: list[dict[str, Any]] = [
        {"name": "tmp", "mountPath": "/tmp"},
        {"name": "storage", "mountPath": sources.FOLDER, "readOnly": True},
        {"name": "home", "mountPath": HOME, **_state_path(definition)},
    ]
    mounts += [
        {"name": f"claim-{number}", "mountPath": f"{sources.CLAIMS}/{claim}", "readOnly": True}
        for number, claim in enumerate(resolved.claims)
        if claim in {sources.claim_of(each.uri) for each in definition.sources}
    ]
    if definition.state_claim:
        mounts[2]["name"] = f"claim-{resolved.claims.index(definition.state_claim)}"
    return {
        "name": "board",
        "image": definition.image or options.image,
        "imagePullPolicy": options.pull_policy,
        "command": ["lightboard"],
        # Kubernetes replaces $(NAME) in arguments; two are one
        "args": [each.replace("$", "$$") for each in _words(definition, resolved, options)],
        "env": [{"name": name, "value": value} for name, value in ENVIRONMENT.items()],
        "ports": [{"name": "http", "containerPort": PORT}],
        "resources": definition.resources or options.resources,
        "startupProbe": {**probe, "periodSeconds": 1, "failureThreshold": 120},
        "readinessProbe": {**probe, "periodSeconds": 1, "failureThreshold": 10},
        "livenessProbe": {**probe, "periodSeconds": 20, "failureThreshold": 6},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": mounts,
    }


def _state_path(definition: Definition) -> dict[str, str]:
    """Boards share a claim for their state; each has a directory of its own."""
    return {"subPath": f"lightboard/{definition.kind.word}/{definition.name}"} if definition.state_claim else {}


def _words(definition: Definition, resolved: Resolved, options: Options) -> list[str]:
    if len(resolved.addresses) == 1 and not definition.sources[0].prefix:
        logs = f"--logdir={resolved.addresses[0]}"
    else:
        logs = f"--logdir_spec={','.join(resolved.addresses)}"
    words = [
        logs,
        "--bind_all",
        f"--port={PORT}",
        "--no_auth",
        f"--path_prefix={definition.path}",
        f"--storage={sources.FOLDER}/storage.toml",
        f"--index_dir={HOME}/index",
        f"--sidecar={HOME}/sidecar",
        f"--window_title={_printable(definition.title)}",
        "--follow_links=inside",
    ]
    return words + ([f"--frame_ancestors={options.frame_ancestors}"] if options.frame_ancestors else [])


def _printable(text: str) -> str:
    return "".join(sign for sign in text if sign.isprintable())[:200]


def _volumes(definition: Definition, resolved: Resolved) -> list[dict[str, Any]]:
    """A volume of logs is read-only as a whole: the kubelet would otherwise give its files to the pod's group."""
    field = {"fieldPath": f"metadata.annotations['{Note.STORAGE}']"}
    parts: list[dict[str, Any]] = [{"downwardAPI": {"items": [{"path": "storage.toml", "fieldRef": field}]}}]
    for name, mount in resolved.secrets.items():
        if mount.secret:
            items = [{"key": key, "path": f"secrets/{name}/{member}"} for key, member in sorted(mount.members.items())]
            parts.append({"secret": {"name": mount.secret, "items": items}})
    volumes: list[dict[str, Any]] = [
        {"name": "tmp", "emptyDir": {}},
        {"name": "home", "emptyDir": {}},
        {"name": "storage", "projected": {"defaultMode": 0o440, "sources": parts}},
    ]
    return volumes + [
        {
            "name": f"claim-{number}",
            "persistentVolumeClaim": {
                "claimName": claim, **({} if claim == definition.state_claim else {"readOnly": True})
            },
        }
        for number, claim in enumerate(resolved.claims)
    ]  # fmt: skip


def storage_text(resolved: Resolved, options: Options) -> str:
    """The board's storage.toml. It has no secret: values are in files beside it."""
    lines = ["[claims]", *(f"{_quoted(each)} = {_quoted(f'{sources.CLAIMS}/{each}')}" for each in resolved.claims)]
    for name, mount in sorted(resolved.secrets.items()):
        lines.append(f"[secrets.{_quoted(name)}]")
        if mount.secret:
            lines.append(f"directory = {_quoted(f'secrets/{name}')}")
        values = dict(mount.values)
        if values.pop("anonymous", ""):
            lines.append("anonymous = true")
        lines += [f"{member} = {_quoted(value)}" for member, value in sorted(values.items())]
    if options.allow_networks is not None:
        lines += ["[networks]", f"allow = {json.dumps(list(options.allow_networks))}"]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


# -- objects


def deployment(definition: Definition, pod: Mapping[str, Any], *, replicas: int, alone: bool) -> dict[str, Any]:
    """`alone`: two pods cannot have its volumes at once."""
    strategy: dict[str, Any] = {"type": "Recreate"}
    if not alone:
        strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    spec = {
        "revisionHistoryLimit": 1,
        "progressDeadlineSeconds": PROGRESS_SECS,
        "selector": {"matchLabels": selector(definition)},
        "strategy": strategy,
        "template": pod,
    }
    made = _object(definition, "apps/v1", "Deployment", spec)
    made["spec"]["replicas"] = replicas  # not in the hash: it is compared by itself
    return made


def near(document: Mapping[str, Any], nodes: Sequence[str]) -> dict[str, Any]:
    """The Deployment with a preference for `nodes`, which is in no hash."""
    made = copy.deepcopy(dict(document))
    if nodes:
        made["spec"]["template"]["spec"]["affinity"] = _prefer(nodes)
    return made


def _prefer(nodes: Sequence[str]) -> dict[str, Any]:
    match = {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": sorted(nodes)}]}
    return {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [{"weight": 100, "preference": match}]}}


def service(definition: Definition, *, drained: bool) -> dict[str, Any]:
    """`drained`: it leads to no pod."""
    chosen = {**selector(definition), **({Label.DRAINED: "true"} if drained else {})}
    port = {"name": "http", "port": 80, "targetPort": "http", "protocol": "TCP"}
    return _object(definition, "v1", "Service", {"type": "ClusterIP", "selector": chosen, "ports": [port]})


def route(definition: Definition, options: Options) -> dict[str, Any] | None:
    makers = {"ingress": _ingress, "httproute": _http_route, "virtualservice": _virtual_service}
    return makers[options.exposure](definition, options) if options.exposure != "none" else None


def _ingress(definition: Definition, options: Options) -> dict[str, Any]:
    backend = {"service": {"name": definition.object_name, "port": {"name": "http"}}}
    rule: dict[str, Any] = {"http": {"paths": [{"path": definition.path, "pathType": "Prefix", "backend": backend}]}}
    if options.host:
        rule["host"] = options.host
    spec: dict[str, Any] = {"rules": [rule]}
    if options.ingress_class:
        spec["ingressClassName"] = options.ingress_class
    if options.tls_secret:
        spec["tls"] = [{"secretName": options.tls_secret, **({"hosts": [options.host]} if options.host else {})}]
    return _object(definition, "networking.k8s.io/v1", "Ingress", spec, options.ingress_annotations)


def _http_route(definition: Definition, options: Options) -> dict[str, Any]:
    namespace, _, name = options.gateway.rpartition("/")
    parent = {"name": name, **({"namespace": namespace} if namespace else {})}
    match = {"path": {"type": "PathPrefix", "value": definition.path}}
    rule = {"matches": [match], "backendRefs": [{"name": definition.object_name, "port": 80}]}
    spec: dict[str, Any] = {"parentRefs": [parent], "rules": [rule]}
    if options.host:
        spec["hostnames"] = [options.host]
    return _object(definition, "gateway.networking.k8s.io/v1", "HTTPRoute", spec)


def _virtual_service(definition: Definition, options: Options) -> dict[str, Any]:
    host = f"{definition.object_name}.{definition.namespace}.svc.cluster.local"
    # both with and without the slash: the board redirects to the one with it
    match = [{"uri": {"exact": definition.path}}, {"uri": {"prefix": f"{definition.path}/"}}]
    rule = {"match": match, "route": [{"destination": {"host": host, "port": {"number": 80}}}], "timeout": "300s"}
    spec = {"hosts": [options.host or "*"], "gateways": [options.gateway], "http": [rule]}
    return _object(definition, "networking.istio.io/v1beta1", "VirtualService", spec)


def _object(
    definition: Definition, version: str, kind: str, spec: Any, annotations: Mapping[str, str] | None = None
) -> dict[str, Any]:
    owner = {
        "apiVersion": definition.kind.api_version,
        "kind": definition.kind.kind,
        "name": definition.name,
        "uid": definition.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    made: dict[str, Any] = {
        "apiVersion": version,
        "kind": kind,
        "metadata": {
            "name": definition.object_name,
            "namespace": definition.namespace,
            "labels": labels(definition),
            "annotations": dict(annotations or {}),
            "ownerReferences": [owner],
        },
        "spec": spec,
    }
    made["metadata"]["annotations"][Note.HASH] = digest(made)
    return made
