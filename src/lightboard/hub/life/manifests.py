"""Manifests of boards, as clusters take them, as definitions for the hub. Pure: documents in, definitions out.

    boards.lightboard.dev/v1                Board        ours
    tensorstack.dev/v1beta1                 TensorBoard  filesets, or PVC, S3 and HTTP in `logDir`
    tensorboard.kubeflow.org/v1alpha1       Tensorboard  one `logspath`

Fields that make sense only in a cluster (image, resources, queue) are accepted and listed in `ignored`, so that a
laptop and a cluster take the same file. A field that no such kind has is refused with its path.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lightboard.hub.life import durations, nouns, refusals

OURS = "boards.lightboard.dev/v1"
TENSORSTACK = "tensorstack.dev/v1beta1"
KUBEFLOW = "tensorboard.kubeflow.org/v1alpha1"


class BadManifest(refusals.Refusal):
    """`hint` says what to write."""

    status = 400
    rest_code = "InvalidManifest"


@dataclasses.dataclass(frozen=True, kw_only=True)
class Definition:
    """A board that a manifest describes. `namespace` names the workspace; "" is the caller's own."""

    name: str
    namespace: str = ""
    kind: str = OURS
    display_name: str = ""
    sources: tuple[nouns.Source, ...] = ()
    policy: nouns.Policy = dataclasses.field(default_factory=nouns.Policy)
    visibility: nouns.Visibility = nouns.Visibility.PRIVATE
    suspended: bool | None = None  # None: the manifest does not say it
    labels: Mapping[str, str] = dataclasses.field(default_factory=dict, hash=False)
    ignored: tuple[str, ...] = ()  # paths of fields that mean nothing outside a cluster


def definitions(documents: Sequence[Any]) -> list[Definition]:
    """Reads all documents of a file; empty ones are skipped. Raises BadManifest for the first that is wrong."""
    found = [definition(each, number) for number, each in enumerate(documents, 1) if each is not None]
    if not found:
        raise BadManifest("the file has no manifest", hint=f"begin with `apiVersion: {OURS}` and `kind: Board`")
    return found


def definition(document: Any, number: int = 1) -> Definition:
    top = _Fields(document, f"document {number}")
    version, kind = top.text("apiVersion"), top.text("kind")
    reader = _KINDS.get((version, kind))
    if reader is None:
        known = ", ".join(f"{each} {name}" for each, name in _KINDS)
        raise BadManifest(
            f"document {number} is a `{kind}` of `{version}`, which is not a board", hint=f"known: {known}"
        )
    metadata = top.table("metadata", required=True)
    made = Definition(
        name=metadata.text("name"),
        namespace=metadata.text("namespace", ""),
        kind=version,
        labels={str(key): str(value) for key, value in metadata.table("labels").content.items()},
    )
    spec = top.table("spec", required=True)
    made = reader(spec, made)
    if not made.sources:
        raise BadManifest(f"{spec.path} names no logs", hint="add a source")
    return dataclasses.replace(made, ignored=tuple(spec.ignored))


def _tensorstack(spec: _Fields, made: Definition) -> Definition:
    sources = [nouns.Source(uri) for uri in spec.texts("trainingLogFilesets")]
    logs = spec.table("logDir")
    for claim in logs.tables("pvc"):
        name = claim.text("name")
        below = claim.texts("subPath") or [""]
        sources += [nouns.Source(f"pvc://{name}/{path.strip('/')}".rstrip("/")) for path in below]
        claim.end()
    store = logs.table("s3")
    secret = store.table("secretRef").text("name", "")
    sources += [nouns.Source(uri.rstrip("/"), secret=secret) for uri in store.texts("uri")]
    sources += [nouns.Source(url) for url in logs.table("http").texts("url")]
    suspended = spec.flag("suspend")
    spec.ignore("image", "resources", "scheduler", "runMode")
    for each in (store, logs, spec):
        each.end()
    return dataclasses.replace(made, sources=tuple(sources), suspended=suspended)


def _kubeflow(spec: _Fields, made: Definition) -> Definition:
    path = spec.text("logspath")
    spec.end()
    return dataclasses.replace(made, sources=(nouns.Source(path.rstrip("/") or "/"),))


def _ours(spec: _Fields, made: Definition) -> Definition:
    found = spec.tables("sources")
    sources = tuple(_source(each) for each in found)
    spec.ignored += [path for each in found for path in each.ignored]
    policy = nouns.Policy(spec.secs("idleAfter"), spec.secs("reclaimAfter"), spec.secs("maxRuntime"))
    access = spec.table("access")
    visibility = access.choice("visibility", [each.value for each in nouns.Visibility], "private")
    workspace = access.text("workspace", "")
    display_name, suspended = spec.text("displayName", ""), spec.flag("suspend")
    spec.ignore("image", "resources", "scheduling", "state", "jobRef")
    for each in (access, spec):
        each.end()
    return dataclasses.replace(
        made,
        sources=sources,
        policy=policy,
        visibility=nouns.Visibility(visibility),
        namespace=workspace or made.namespace,
        display_name=display_name,
        suspended=suspended,
    )


def _source(fields: _Fields) -> nouns.Source:
    """Exactly one of `fileset`, `uri`, `pvc`, `s3` and `http`."""
    prefix = fields.text("prefix", "")
    named = [name for name in ("fileset", "uri", "pvc", "s3", "http") if name in fields.content]
    if len(named) != 1:
        raise BadManifest(f"{fields.path} needs one of fileset, uri, pvc, s3 and http, not {len(named)} of them")
    uri, secret = _address(fields, named[0])
    fields.end()
    return nouns.Source(uri, prefix, secret)


def _address(fields: _Fields, kind: str) -> tuple[str, str]:
    if kind in ("fileset", "uri"):
        return fields.text(kind), fields.text("secret", "")
    one = fields.table(kind)
    if kind == "pvc":
        uri = f"pvc://{one.text('claimName')}/{one.text('subPath', '').strip('/')}".rstrip("/")
        one.end()
        return uri, ""
    if kind == "http":
        uri = one.text("url")
        one.end()
        return uri, ""
    secret = one.table("secretRef").text("name", "")
    uri = one.text("uri").rstrip("/")
    one.ignore("endpoint", "region")
    fields.ignored += one.ignored
    one.end()
    return uri, secret


_KINDS: Mapping[tuple[str, str], Callable[[_Fields, Definition], Definition]] = {
    (OURS, "Board"): _ours,
    (TENSORSTACK, "TensorBoard"): _tensorstack,
    (KUBEFLOW, "Tensorboard"): _kubeflow,
}


class _Fields:
    """A mapping of a manifest. State: which names were asked for; `end` refuses the others."""

    def __init__(self, content: Any, path: str) -> None:
        if not isinstance(content, Mapping):
            raise BadManifest(f"{path} is not a mapping")
        self.content = content
        self.path = path
        self.ignored: list[str] = []
        self._asked: set[str] = set()

    def _get(self, name: str) -> Any:
        self._asked.add(name)
        return self.content.get(name)

    def text(self, name: str, default: str | None = None) -> str:
        value = self._get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not value.strip():
            raise BadManifest(f"{self.path}.{name} {'is missing' if value is None else 'is not a text'}")
        return value.strip()

    def texts(self, name: str) -> list[str]:
        value = self._get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, str) and each.strip() for each in value):
            raise BadManifest(f"{self.path}.{name} is not a list of texts")
        return [each.strip() for each in value]

    def table(self, name: str, *, required: bool = False) -> _Fields:
        value = self._get(name)
        if value is None and required:
            raise BadManifest(f"{self.path}.{name} is missing")
        return _Fields({} if value is None else value, f"{self.path}.{name}")

    def tables(self, name: str) -> list[_Fields]:
        value = self._get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise BadManifest(f"{self.path}.{name} is not a list")
        return [_Fields(each, f"{self.path}.{name}[{at}]") for at, each in enumerate(value)]

    def flag(self, name: str) -> bool | None:
        value = self._get(name)
        if value is not None and not isinstance(value, bool):
            raise BadManifest(f"{self.path}.{name} is neither true nor false")
        return value

    def secs(self, name: str) -> float | None:
        value = self._get(name)
        return None if value is None else durations.parse(value)

    def choice(self, name: str, words: Sequence[str], default: str) -> str:
        value = self.text(name, default)
        if value not in words:
            raise BadManifest(f"{self.path}.{name} is `{value}`", hint=f"write one of {', '.join(words)}")
        return value

    def ignore(self, *names: str) -> None:
        self.ignored += [f"{self.path}.{name}" for name in names if self._get(name) is not None]

    def end(self) -> None:
        unknown = sorted(set(map(str, self.content)) - self._asked)
        if unknown:
            raise BadManifest(f"{self.path} has no `{unknown[0]}`", hint=f"there are: {', '.join(sorted(self._asked))}")
