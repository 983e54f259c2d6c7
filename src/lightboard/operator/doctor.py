"""What is missing in a cluster for boards to run: `lightboard operator doctor`.

Every right is asked of the API server (SelfSubjectAccessReview), so it tells what this identity may do, not what a
file says.
"""

from __future__ import annotations

import asyncio
import dataclasses
import re

from lightboard.operator import jobs, kinds, leading
from lightboard.operator.cluster import ROUTES, Cluster, Fault
from lightboard.operator.options import Options

OK, NOTE, PROBLEM = "ok", "note", "problem"
OLDEST = (1, 20)


@dataclasses.dataclass(frozen=True)
class Finding:
    level: str
    what: str
    text: str
    hint: str = ""


@dataclasses.dataclass(frozen=True)
class Right:
    group: str
    resource: str
    verbs: tuple[str, ...]
    below: str = ""
    name: str = ""


_READ = ("get", "list", "watch")


def rights(options: Options, present: frozenset[str]) -> list[Right]:
    """What the operator needs. `present` are words of kinds that the cluster has."""
    made = [
        Right("", "pods", ("list", "watch")),
        Right("", "persistentvolumeclaims", ("list", "watch")),
        Right("", "secrets", ("get",)),
        Right("", "events", ("create",)),
        Right("", "services", (*_READ, "create", "patch", "delete")),
        Right("apps", "deployments", (*_READ, "create", "patch", "delete")),
    ]
    for kind in kinds.ALL:
        if kind.word in present:
            made += [
                Right(kind.group, kind.plural, (*_READ, "patch")),
                Right(kind.group, kind.plural, ("patch",), "status"),
            ]
    if kinds.BOARD.word in present:
        made.append(Right(kinds.BOARD.group, "boards", ("create",)))
    for job in jobs.ALL:
        if job.word in present:
            made.append(
                Right(job.resource.api_version.partition("/")[0], job.resource.plural, ("list", "watch", "patch"))
            )
    if options.exposure != "none":
        route = ROUTES[options.exposure]
        made.append(Right(route.api_version.partition("/")[0], route.plural, (*_READ, "create", "patch", "delete")))
    return made


async def examine(cluster: Cluster, options: Options, lease_namespace: str = "") -> list[Finding]:
    try:
        version = await cluster.request("GET", "/version")
    except Fault as fault:
        return [Finding(PROBLEM, "cluster", fault.message, "check the address and the credentials of the kubeconfig")]
    findings = [_version(version)]
    present = await _present(cluster, findings)
    findings += await _route(cluster, options)
    wanted = [(right, verb) for right in rights(options, present) for verb in right.verbs]
    answers = await asyncio.gather(*(_may(cluster, right, verb, options.namespace) for right, verb in wanted))
    refused = [(right, verb) for (right, verb), may in zip(wanted, answers, strict=True) if not may]
    lease = Right("coordination.k8s.io", "leases", ())
    named = dataclasses.replace(lease, name=leading.NAME)
    for right, verb in ((lease, "create"), (named, "get"), (named, "update")):
        if not await _may(cluster, right, verb, lease_namespace or cluster.namespace):
            refused.append((right, verb))
    findings += [_refusal(right, verb) for right, verb in refused]
    if not refused:
        findings.append(Finding(OK, "rights", f"all {len(wanted) + 3} rights that the operator needs are given"))
    findings += await _classes(cluster)
    return findings


def _version(told: dict[str, str]) -> Finding:
    text = told.get("gitVersion", "?")
    match = re.match(r"v(\d+)\.(\d+)", text)
    number = (int(match[1]), int(match[2])) if match else None
    if number is None:
        return Finding(NOTE, "cluster", f"Kubernetes {text}; its version could not be compared")
    if number < OLDEST:
        return Finding(
            PROBLEM, "cluster", f"Kubernetes {text} is too old", f"{OLDEST[0]}.{OLDEST[1]} or newer is needed"
        )
    return Finding(OK, "cluster", f"Kubernetes {text}")


async def _present(cluster: Cluster, findings: list[Finding]) -> frozenset[str]:
    found = set()
    for kind in kinds.ALL:
        if await _has(cluster, kind.api_version, kind.plural):
            found.add(kind.word)
            findings.append(Finding(OK, kind.kind, f"`{kind.api_version}` is defined"))
        elif kind is kinds.BOARD:
            hint = "kubectl apply -f deploy/crds/boards.lightboard.dev.yaml"
            findings.append(Finding(PROBLEM, kind.kind, f"`{kind.api_version}` is not defined", hint))
        else:
            findings.append(
                Finding(NOTE, kind.kind, f"`{kind.api_version}` is not defined; its manifests are not taken")
            )
    for job in jobs.ALL:
        if await _has(cluster, job.resource.api_version, job.resource.plural):
            found.add(job.word)
    names = ", ".join(each.kind for each in jobs.ALL if each.word in found)
    findings.append(Finding(OK, "jobs", f"jobs of these kinds can have boards: {names}"))
    return frozenset(found)


async def _has(cluster: Cluster, version: str, plural: str) -> bool:
    group = f"/apis/{version}" if "/" in version else f"/api/{version}"
    try:
        listed = await cluster.request("GET", group)
    except Fault as fault:
        if fault.is_missing:
            return False
        raise
    return any(each["name"] == plural for each in listed.get("resources") or [])


async def _route(cluster: Cluster, options: Options) -> list[Finding]:
    if options.exposure == "none":
        return [Finding(NOTE, "exposure", "`none`: boards can be reached inside the cluster only")]
    route = ROUTES[options.exposure]
    if await _has(cluster, route.api_version, route.plural):
        return [Finding(OK, "exposure", f"`{route.plural}` of `{route.api_version}` are defined")]
    text = f"`{route.plural}` of `{route.api_version}` are not defined"
    return [Finding(PROBLEM, "exposure", text, "install it, or choose another `--exposure`")]


async def _may(cluster: Cluster, right: Right, verb: str, namespace: str) -> bool:
    attributes = {"group": right.group, "resource": right.resource, "verb": verb}
    if right.below:
        attributes["subresource"] = right.below
    if right.name:
        attributes["name"] = right.name
    if namespace:
        attributes["namespace"] = namespace
    body = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": attributes},
    }
    answer = await cluster.request("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", body=body)
    return bool(answer["status"]["allowed"])


def _refusal(right: Right, verb: str) -> Finding:
    name = f"{right.resource}{f'/{right.below}' if right.below else ''}{f'.{right.group}' if right.group else ''}"
    return Finding(PROBLEM, "rights", f"may not {verb} {name}", "apply the role in deploy/kubernetes/rbac.yaml")


async def _classes(cluster: Cluster) -> list[Finding]:
    """A claim without a class needs a default one; only a hint, since claims are made by others."""
    try:
        listed = await cluster.request("GET", "/apis/storage.k8s.io/v1/storageclasses")
    except Fault:
        return []
    default = [
        each["metadata"]["name"]
        for each in listed.get("items") or []
        if (each["metadata"].get("annotations") or {}).get("storageclass.kubernetes.io/is-default-class") == "true"
    ]
    if default:
        return [Finding(OK, "storage", f"the default storage class is `{default[0]}`")]
    return [Finding(NOTE, "storage", "there is no default storage class; claims have to name one")]
