"""The API server: the only module that sends requests to it. Objects are plain JSON documents.

lightkube makes the connection (kubeconfig, the pod's service account with its renewed token, certificates, programs for
credentials). Everything that can go wrong is a `Fault`; `Fault.status` is 0 if there was no answer.
"""

from __future__ import annotations

import collections
import dataclasses
import json
import ssl
import urllib.parse
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpx2
from lightkube import KubeConfig
from lightkube.config import client_adapter
from lightkube.core.exceptions import ConfigError

from lightboard import errors
from lightboard.operator import MANAGER

REQUEST_SECS = 20.0
# A watch is asked anew after this long, which also finds connections that died silently.
WATCH_SECS = 240
PAGE = 500
MERGE = "application/merge-patch+json"
APPLY = "application/apply-patch+yaml"
_PLURALS = {
    "Deployment": "deployments", "Service": "services", "Ingress": "ingresses", "HTTPRoute": "httproutes",
    "VirtualService": "virtualservices", "Event": "events", "Lease": "leases", "Board": "boards",
}  # fmt: skip


class Fault(errors.LightboardError):
    """A request failed. `status` is that of HTTP, 0 without an answer; `reason` is the API server's word."""

    def __init__(self, message: str, *, status: int = 0, reason: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason

    @property
    def is_missing(self) -> bool:
        return self.status == 404

    @property
    def is_conflict(self) -> bool:
        return self.status == 409


@dataclasses.dataclass(frozen=True)
class Resource:
    api_version: str
    plural: str

    def path(self, namespace: str = "", name: str = "", below: str = "") -> str:
        """Names come from other people's documents: no sign of theirs changes the path."""
        namespace, name = (urllib.parse.quote(each, safe="") for each in (namespace, name))
        if {namespace, name} & {".", ".."}:
            raise Fault(f"`{name}` in `{namespace}` cannot be a name", status=422)
        group = f"/apis/{self.api_version}" if "/" in self.api_version else f"/api/{self.api_version}"
        where = f"/namespaces/{namespace}" if namespace else ""
        return "".join([group, where, f"/{self.plural}", *(f"/{each}" for each in (name, below) if each)])


PODS = Resource("v1", "pods")
SERVICES = Resource("v1", "services")
SECRETS = Resource("v1", "secrets")
CLAIMS = Resource("v1", "persistentvolumeclaims")
EVENTS = Resource("v1", "events")
DEPLOYMENTS = Resource("apps/v1", "deployments")
LEASES = Resource("coordination.k8s.io/v1", "leases")
ROUTES = {
    "ingress": Resource("networking.k8s.io/v1", "ingresses"),
    "httproute": Resource("gateway.networking.k8s.io/v1", "httproutes"),
    "virtualservice": Resource("networking.istio.io/v1beta1", "virtualservices"),
}


def resource_of(document: Mapping[str, Any]) -> Resource:
    return Resource(document["apiVersion"], _PLURALS[document["kind"]])


class Cluster:
    """State: the connections, and `counts` of requests by verb, for metrics and tests."""

    def __init__(self, *, kubeconfig: str = "", context: str = "") -> None:
        self.counts: collections.Counter[str] = collections.Counter()
        try:
            found = KubeConfig.from_file(kubeconfig) if kubeconfig else KubeConfig.from_env()
            config = found.get(context or None)
            assert config is not None
            params = client_adapter.ConnectionParams(timeout=httpx2.Timeout(REQUEST_SECS), trust_env=False)
            self._client = client_adapter.AsyncClient(config, params)
        except (ConfigError, OSError, KeyError, ValueError, ssl.SSLError) as error:
            raise errors.NotFound(
                f"no way to a cluster was found: {error}",
                hint="run it in a pod, or name a file by `--kubeconfig` or KUBECONFIG",
            ) from error
        self.namespace = config.namespace
        self.server = config.cluster.server

    async def close(self) -> None:
        await self._client.aclose()

    async def request(
        self,
        verb: str,
        path: str,
        *,
        params: Mapping[str, Any] | None = None,
        body: Any = None,
        content_type: str = "application/json",
    ) -> Any:
        content = None if body is None else json.dumps(body).encode()
        headers = {"content-type": content_type} if content is not None else {}
        self.counts[verb] += 1
        try:
            answer = await self._client.request(verb, path, params=dict(params or {}), content=content, headers=headers)
        except (httpx2.HTTPError, OSError, ConfigError) as error:
            raise Fault(f"the API server does not answer: {error!r}") from error
        if answer.status_code >= 400:
            raise _fault(answer.status_code, answer.content, f"{verb} {path}")
        return json.loads(answer.content) if answer.content else None

    # -- reading

    async def get(self, resource: Resource, namespace: str, name: str) -> Any | None:
        """None: there is none."""
        try:
            return await self.request("GET", resource.path(namespace, name))
        except Fault as fault:
            if fault.is_missing:
                return None
            raise

    async def list(
        self, resource: Resource, *, namespace: str = "", labels: str = "", fields: str = ""
    ) -> tuple[list[Any], str]:
        """All objects and the version from which to watch."""
        params: dict[str, Any] = {"limit": PAGE}
        if labels:
            params["labelSelector"] = labels
        if fields:
            params["fieldSelector"] = fields
        items: list[Any] = []
        while True:
            answer = await self.request("GET", resource.path(namespace), params=params)
            items += answer.get("items") or []
            if not (more := answer["metadata"].get("continue")):
                return items, answer["metadata"]["resourceVersion"]
            params["continue"] = more

    async def watch(
        self, resource: Resource, version: str, *, namespace: str = "", labels: str = ""
    ) -> AsyncIterator[tuple[str, Any]]:
        """Changes since `version`, until the connection ends. Raises Fault with status 410 if it is too old."""
        params: dict[str, Any] = {
            "watch": "true", "resourceVersion": version, "timeoutSeconds": WATCH_SECS, "allowWatchBookmarks": "true",
        }  # fmt: skip
        if labels:
            params["labelSelector"] = labels
        self.counts["WATCH"] += 1
        timeout = httpx2.Timeout(REQUEST_SECS, read=WATCH_SECS + REQUEST_SECS)
        try:
            async with self._client.stream("GET", resource.path(namespace), params=params, timeout=timeout) as answer:
                if answer.status_code >= 400:
                    raise _fault(answer.status_code, await answer.aread(), f"WATCH {resource.path(namespace)}")
                async for line in answer.aiter_lines():
                    if not line:
                        continue
                    event = json.loads(line)
                    if event["type"] == "ERROR":
                        told = event["object"]
                        raise Fault(told.get("message", "watch"), status=told.get("code", 0))
                    yield event["type"], event["object"]
        except (httpx2.HTTPError, OSError, ValueError, ConfigError) as error:
            raise Fault(f"a watch ended: {error!r}") from error

    # -- writing

    async def create(self, document: Mapping[str, Any], *, dry_run: bool = False) -> Any:
        path = resource_of(document).path(document["metadata"].get("namespace", ""))
        return await self.request("POST", path, body=document, params={"dryRun": "All"} if dry_run else None)

    async def apply(self, document: Mapping[str, Any], *, dry_run: bool = False) -> Any:
        """Makes or changes the object, as the owner of the fields in the document (server-side apply)."""
        meta = document["metadata"]
        params = {"fieldManager": MANAGER, "force": "true", **({"dryRun": "All"} if dry_run else {})}
        path = resource_of(document).path(meta.get("namespace", ""), meta["name"])
        return await self.request("PATCH", path, params=params, body=document, content_type=APPLY)

    async def patch(self, resource: Resource, namespace: str, name: str, body: Any, *, below: str = "") -> Any:
        params = {"fieldManager": MANAGER}
        path = resource.path(namespace, name, below)
        return await self.request("PATCH", path, params=params, body=body, content_type=MERGE)

    async def replace(self, resource: Resource, namespace: str, document: Mapping[str, Any]) -> Any:
        return await self.request("PUT", resource.path(namespace, document["metadata"]["name"]), body=document)

    async def delete(self, resource: Resource, namespace: str, name: str) -> None:
        """Nothing happens if there is none."""
        body = {"propagationPolicy": "Background"}
        try:
            await self.request("DELETE", resource.path(namespace, name), body=body)
        except Fault as fault:
            if not fault.is_missing:
                raise


def _fault(status: int, content: bytes, what: str) -> Fault:
    try:
        told = json.loads(content)
        message, reason = str(told.get("message", "")), str(told.get("reason", ""))
    except (ValueError, AttributeError):
        message, reason = content[:200].decode("utf-8", "replace"), ""
    return Fault(f"{message} ({what}: {status})", status=status, reason=reason)
