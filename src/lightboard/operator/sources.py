"""Claims and secrets that sources name: what the pod gets of them, and what is missing. Pure.

    t9k://pvc/CLAIM/path, pvc://CLAIM/path       a claim, mounted read-only at /mnt/claims/CLAIM
    t9k://minio/SECRET/bucket/path               a secret with endpoint, key and secret
    s3://bucket/path with a secret               … and oss, minio, gs, az, https
    /path                                        Kubeflow's old form, without the name of a claim: refused

A secret is mounted file by file under the names of `storage.toml`; people name its members in many ways (`MEMBERS`).
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import Any

from lightboard.operator import kinds
from lightboard.operator.kinds import Definition, Source

CLAIMS = "/mnt/claims"
FOLDER = "/etc/lightboard"
_S3 = {
    "key": ("key", "accesskey", "accesskeyid", "awsaccesskeyid", "minioaccesskey", "miniorootuser", "rootuser",
            "username", "user"),
    "secret": ("secret", "secretkey", "secretaccesskey", "awssecretaccesskey", "miniosecretkey", "miniorootpassword",
               "rootpassword", "password", "accesskeysecret"),
    "token": ("token", "sessiontoken", "awssessiontoken"),
    "endpoint": ("endpoint", "endpointurl", "address", "url", "host", "server", "awsendpointurl", "awsendpointurls3",
                 "s3endpoint", "s3endpointurl", "minioendpoint", "ossendpoint"),
    "region": ("region", "awsregion", "awsdefaultregion"),
    "style": ("style",),
}  # fmt: skip
# For each kind of store, members of `storage.toml` and the names of keys in a Secret, small and without signs.
MEMBERS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "s3": _S3,
    "oss": _S3,
    "gs": {
        "credentials": ("credentials", "credentialsjson", "keyjson", "usergcpsajson", "serviceaccountjson"),
        "token": ("token",),
    },
    "az": {
        "account": ("account", "accountname", "azurestorageaccount", "azurestorageaccountname"),
        "secret": ("secret", "key", "accountkey", "azurestorageaccountkey", "azurestoragekey"),
        "token": ("token", "sastoken", "azurestoragesastoken"),
        "endpoint": ("endpoint",),
    },
    "web": {
        "key": ("key", "username", "user"),
        "secret": ("secret", "password"),
        "token": ("token",),
        "endpoint": ("endpoint", "url"),
    },
}
# What a secret must have, as alternatives.
NEEDED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "s3": (("key", "secret"),),
    "oss": (("key", "secret"),),
    "gs": (("credentials",), ("token",)),
    "az": (("account", "secret"), ("account", "token")),
    "web": (("token",), ("key", "secret")),
}
_SHOWN = {"key": "accessKey", "secret": "secretKey"}
_STORES = {
    "s3": "s3", "s3a": "s3", "s3n": "s3", "minio": "s3", "oss": "oss", "gs": "gs", "gcs": "gs", "az": "az",
    "azure": "az", "abfs": "az", "abfss": "az", "http": "web", "https": "web",
}  # fmt: skip
_KUBEFLOW_GOOGLE = "user-gcp-sa"
MOST_VALUE_BYTES = 1 << 16
# what the API server takes as the name of a claim or a secret; others are never asked for
_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")


@dataclasses.dataclass(frozen=True)
class Finding:
    """One source: `reason` is "" if it can be mounted."""

    uri: str
    reason: str = ""
    message: str = ""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Resolved:
    """`claims` are mounted, `secrets` has for each name in `storage.toml` the Secret, key → member, and what the
    source says itself. `versions` of Secrets are a part of the template, so that a rotated one rolls."""

    findings: tuple[Finding, ...] = ()
    addresses: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    alone: bool = False  # a claim that only one pod may mount
    secrets: Mapping[str, SecretMount] = dataclasses.field(default_factory=dict, hash=False)

    @property
    def complete(self) -> bool:
        return not any(each.reason for each in self.findings)


@dataclasses.dataclass(frozen=True)
class SecretMount:
    secret: str
    version: str
    members: Mapping[str, str]  # key in the Secret → member of storage.toml
    values: Mapping[str, str]  # what the source itself says: endpoint, region


def claim_of(uri: str) -> str:
    """The claim that an address names, "" if it names none."""
    match = re.match(r"(?:t9k://pvc|pvc:/)/([^/]+)", uri, re.IGNORECASE)
    return match[1] if match else ""


def secret_of(source: Source) -> str:
    match = re.match(r"t9k://minio/([^/]+)", source.uri, re.IGNORECASE)
    return match[1] if match else source.secret


def store_of(uri: str) -> str:
    scheme = uri.partition("://")[0].lower()
    return "s3" if uri.lower().startswith("t9k://minio/") else _STORES.get(scheme, "")


def names(definition: Definition) -> tuple[list[str], list[str]]:
    """Claims and secrets that have to be looked up, in the board's own namespace."""
    claims = {claim_of(each.uri) for each in definition.sources} | {definition.state_claim}
    secrets = {secret_of(each) for each in definition.sources}
    if any(_is_google_of_kubeflow(definition, each) for each in definition.sources):
        secrets.add(_KUBEFLOW_GOOGLE)
    return sorted(filter(is_name, claims)), sorted(filter(is_name, secrets))


def is_name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def _is_google_of_kubeflow(definition: Definition, source: Source) -> bool:
    return definition.kind is kinds.KUBEFLOW and store_of(source.uri) == "gs" and not source.secret


def resolve(definition: Definition, claims: Mapping[str, Any | None], secrets: Mapping[str, Any | None]) -> Resolved:
    """`claims` and `secrets` have what was found under the names of `names`; None: there is none."""
    mounts: dict[str, SecretMount] = {}
    findings, addresses, wanted = [], [], dict.fromkeys([definition.state_claim] if definition.state_claim else [])
    for source in definition.sources:
        finding, address = _one(definition, source, claims, secrets, mounts)
        findings.append(finding)
        addresses.append(_with_prefix(address, source.prefix))
        if claim := claim_of(source.uri):
            wanted[claim] = None
    if definition.state_claim and (fault := _claim_fault(definition.state_claim, definition, claims)):
        findings.append(Finding(f"pvc://{definition.state_claim}", *fault))
    modes = [mode for name in wanted for mode in _modes(claims.get(name))]
    return Resolved(
        findings=tuple(findings),
        addresses=tuple(addresses),
        claims=tuple(wanted),
        alone="ReadWriteOncePod" in modes or bool(definition.state_claim),
        secrets=mounts,
    )


def _modes(claim: Any | None) -> Sequence[str]:
    return () if claim is None else (claim.get("spec") or {}).get("accessModes") or ()


def is_for_one_node(claim: Any | None) -> bool:
    modes = set(_modes(claim))
    return bool(modes) and modes <= {"ReadWriteOnce", "ReadWriteOncePod"}


def _one(
    definition: Definition,
    source: Source,
    claims: Mapping[str, Any | None],
    secrets: Mapping[str, Any | None],
    mounts: dict[str, SecretMount],
) -> tuple[Finding, str]:
    if fault := _unfit(definition, source):
        return Finding(source.uri, *fault), source.uri
    if claim := claim_of(source.uri):
        fault = _claim_fault(claim, definition, claims)
        return Finding(source.uri, *(fault or ("", ""))), source.uri
    if "://" not in source.uri:
        message = f"`{source.uri}` names no volume; write pvc://CLAIM/path"
        return Finding(source.uri, "InvalidUri", message), source.uri
    store = store_of(source.uri)
    if not store:
        scheme = source.uri.partition("://")[0]
        return Finding(source.uri, "UnsupportedScheme", f"boards cannot read `{scheme}://` addresses"), source.uri
    secret = secret_of(source)
    if not secret and _is_google_of_kubeflow(definition, source) and secrets.get(_KUBEFLOW_GOOGLE) is not None:
        secret = _KUBEFLOW_GOOGLE
    if not secret and not source.endpoint and not source.region:
        return Finding(source.uri), source.uri
    return _with_secret(definition, source, store, secret, secrets, mounts)


def _unfit(definition: Definition, source: Source) -> tuple[str, str] | None:
    """Why a source is refused by its text alone. A comma would begin another source of `--logdir_spec`."""
    if any(sign in source.prefix for sign in ",:/\\") or not source.prefix.isprintable():
        return "InvalidPrefix", "the prefix of a source cannot contain a comma, a colon or a slash"
    if not source.uri.isprintable():
        return "InvalidUri", "the address of a source cannot contain control characters"
    if "," in source.uri and (not claim_of(source.uri) or len(definition.sources) > 1 or source.prefix):
        return "InvalidUri", "the address of a source cannot contain a comma"
    if claim_of(source.uri) and {".", ".."} & set(source.uri.partition("://")[2].split("/")):
        return "InvalidUri", "the path of a source cannot contain `.` or `..`"
    for what, name in (("claim", claim_of(source.uri)), ("secret", secret_of(source))):
        if name and not is_name(name):
            return "InvalidUri", f"`{name[:100]}` cannot be the name of a {what}"
    return None


def _with_secret(
    definition: Definition,
    source: Source,
    store: str,
    secret: str,
    secrets: Mapping[str, Any | None],
    mounts: dict[str, SecretMount],
) -> tuple[Finding, str]:
    values = {name: value for name in ("endpoint", "region") if (value := getattr(source, name))}
    members: Mapping[str, str] = {}
    version = ""
    if secret:
        found = secrets.get(secret)
        if found is None:
            where = f"in the namespace `{definition.namespace}`"
            return Finding(source.uri, "SecretNotFound", f"there is no secret `{secret}` {where}"), source.uri
        data = found.get("data") or {}
        members = _members(store, data)
        fault = _secret_fault(secret, store, members, data)
        if fault is not None:
            return Finding(source.uri, *fault), source.uri
        version = str(found["metadata"].get("resourceVersion", ""))
    elif store in ("s3", "oss"):
        values["anonymous"] = "true"
    name = _entry(secret or "anonymous", SecretMount(secret, version, members, values), mounts)
    return Finding(source.uri), _address(source.uri, name, store)


def _entry(name: str, mount: SecretMount, mounts: dict[str, SecretMount]) -> str:
    """The name in storage.toml: that of the Secret, with a number if two sources add different things to it."""
    chosen, number = name, 1
    while mounts.setdefault(chosen, mount) != mount:
        number += 1
        chosen = f"{name}-{number}"
    return chosen


def _claim_fault(name: str, definition: Definition, claims: Mapping[str, Any | None]) -> tuple[str, str] | None:
    claim = claims.get(name)
    where = f"in the namespace `{definition.namespace}`"
    if claim is None:
        return "PvcNotFound", f"there is no claim `{name}` {where}"
    if "deletionTimestamp" in (claim.get("metadata") or {}):
        return "PvcNotFound", f"the claim `{name}` {where} is being deleted"
    if (claim.get("status") or {}).get("phase") == "Lost":
        return "PvcLost", f"the volume of the claim `{name}` {where} does not exist any more"
    return None


def _members(store: str, data: Mapping[str, str]) -> dict[str, str]:
    """Keys of the Secret and the members that they are. An exact name wins over another one."""
    chosen: dict[str, tuple[int, str]] = {}
    for key in sorted(data):
        plain = re.sub(r"[^a-z0-9]", "", key.lower())
        for member, others in MEMBERS[store].items():
            if plain in others:
                rank = others.index(plain)
                if member not in chosen or rank < chosen[member][0]:
                    chosen[member] = (rank, key)
                break
        else:
            if store == "gs" and key.endswith(".json") and "credentials" not in chosen:
                chosen["credentials"] = (99, key)
    return {key: member for member, (_, key) in chosen.items()}


def _secret_fault(
    secret: str, store: str, members: Mapping[str, str], data: Mapping[str, str]
) -> tuple[str, str] | None:
    has = set(members.values())
    missing = [[each for each in group if each not in has] for group in NEEDED[store]]
    if all(missing):
        words = " and ".join(f"`{_SHOWN.get(each, each)}`" for each in min(missing, key=len))
        found = ", ".join(f"`{key}`" for key in sorted(data)) or "nothing"
        return "SecretKeyMissing", f"the secret `{secret}` has no {words}; it has {found}"
    for key, member in members.items():
        try:
            value = base64.b64decode(data[key], validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            return "SecretUnfit", f"`{key}` of the secret `{secret}` is not a text"
        if not value.strip() or len(value) > MOST_VALUE_BYTES:
            return "SecretKeyMissing", f"`{key}` of the secret `{secret}` is {'empty' if not value.strip() else 'long'}"
        if member != "credentials" and any(ord(sign) < 32 for sign in value.strip()):
            return "SecretUnfit", f"`{key}` of the secret `{secret}` contains a control character"
    return None


def _address(uri: str, name: str, store: str) -> str:
    """The address with the name of its secret, as boards take it."""
    if store == "web":
        return uri
    if uri.lower().startswith("t9k://minio/"):
        rest = uri[len("t9k://minio/") :].partition("/")[2]
        return f"t9k://minio/{name}/{rest}"
    scheme, _, rest = uri.partition("://")
    host = rest.partition("/")[0]
    return uri if "@" in host else f"{scheme}://{name}@{rest}"


def _with_prefix(address: str, prefix: str) -> str:
    return f"{prefix}:{address}" if prefix else address
