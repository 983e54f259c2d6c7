"""What the admin of a cluster chooses, from flags of `lightboard operator`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from lightboard.hub.life import nouns, policy, quota

EXPOSURES = ("none", "ingress", "httproute", "virtualservice")
DEFAULT_RESOURCES: Mapping[str, Any] = {
    "requests": {"cpu": "50m", "memory": "128Mi"},
    "limits": {"memory": "2Gi"},
}


@dataclasses.dataclass(frozen=True, kw_only=True)
class Options:
    image: str = "lightboard:0.1.0"
    pull_policy: str = "IfNotPresent"
    pull_secrets: tuple[str, ...] = ()
    # "" watches all namespaces
    namespace: str = ""
    # how boards are reached from outside; `url` stands before their paths
    exposure: str = "none"
    url: str = ""
    host: str = ""
    ingress_class: str = ""
    ingress_annotations: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    tls_secret: str = ""
    gateway: str = ""  # namespace/name
    # what boards inherit
    policy: nouns.Policy = policy.DEFAULT
    limits: quota.Limits = dataclasses.field(default_factory=lambda: quota.Limits(account=quota.DEFAULT_PER_ACCOUNT))
    resources: Mapping[str, Any] = dataclasses.field(default_factory=lambda: DEFAULT_RESOURCES, hash=False)
    # servers that boards may connect to beside public ones; None: every server
    allow_networks: tuple[str, ...] | None = None
    # pages that may show boards in a frame
    frame_ancestors: str = ""
