"""`storage.toml`: what stands for claims and secrets outside a cluster, and how much a store may be asked.

    [claims]                       # pvc://models/runs, t9k://pvc/models/runs
    models = "/mnt/models"

    [secrets.team]                 # s3://team@bucket/runs, t9k://minio/team/bucket/runs
    endpoint = "http://minio:9000"
    key = "…"
    secret = "…"

    [secrets.mounted]              # one file per member: a Secret of Kubernetes
    directory = "secrets/mounted"

    [limits]
    requests_per_second = 50
    parallel_reads = 16

    [networks]                     # only public servers, and these
    allow = ["10.20.0.0/16", "minio.example.org"]

`--storage FILE` names it, or `LIGHTBOARD_STORAGE` in the environment. `docs/reference/storage.md` lists every key.
"""

from __future__ import annotations

import dataclasses
import os
import sys
from collections.abc import Mapping
from typing import Any

from lightboard import errors
from lightboard.storage import networks

VARIABLE = "LIGHTBOARD_STORAGE"
STYLES = ("", "path", "virtual")


@dataclasses.dataclass(frozen=True, kw_only=True)
class Secret:
    """Credentials with a name. `repr` shows no key."""

    name: str
    endpoint: str = ""
    key: str = dataclasses.field(default="", repr=False)
    secret: str = dataclasses.field(default="", repr=False)
    token: str = dataclasses.field(default="", repr=False)  # of a session, of SAS, of OAuth
    region: str = ""
    style: str = ""  # how the bucket is named: in the path, or in the host (virtual)
    account: str = ""  # of Azure
    profile: str = ""  # of ~/.aws
    credentials_file: str = ""  # of Google: a service account's key
    credentials: str = dataclasses.field(default="", repr=False)  # the content of such a file
    proxy: str = dataclasses.field(default="", repr=False)
    ca: str = ""  # a PEM file with the certificate that signed the server's
    anonymous: bool = False
    trusted: bool = False  # the rules of [networks] are not for its endpoint


@dataclasses.dataclass(frozen=True, kw_only=True)
class Limits:
    """How much one store is asked. 0: no limit."""

    requests_per_second: float = 0.0
    parallel_reads: int = 16
    timeout_secs: float = 30.0  # without a byte
    retries: int = 4


@dataclasses.dataclass(frozen=True)
class Settings:
    """The content of one file; empty without one."""

    file: str = ""
    claims: Mapping[str, str] = dataclasses.field(default_factory=dict)
    secrets: Mapping[str, Secret] = dataclasses.field(default_factory=dict)
    limits: Limits = dataclasses.field(default_factory=Limits)
    networks: networks.Networks | None = None  # None: every server may be connected to

    def secret(self, name: str) -> Secret:
        if name not in self.secrets:
            raise errors.BadInput(
                f"no secret is named `{name}` in {self.file or 'storage.toml'}",
                hint=self._known("secrets", self.secrets, f"[secrets.{name}]"),
                code="storage.no_secret",
                name=name,
            )
        return self.secrets[name]

    def directory(self, claim: str) -> str:
        if claim not in self.claims:
            raise errors.BadInput(
                f"no directory is named for the claim `{claim}` in {self.file or 'storage.toml'}",
                hint=self._known("claims", self.claims, f'[claims] {claim} = "directory"'),
                code="storage.no_claim",
                name=claim,
            )
        return self.claims[claim]

    def _known(self, what: str, names: Mapping[str, Any], line: str) -> str:
        if not self.file:
            return f"name a file with `{line}` by `--storage storage.toml` or {VARIABLE}"
        return f"add `{line}`; the {what} of that file are: {', '.join(sorted(names)) or 'none'}"


def load(path: str = "") -> Settings:
    """Reads the named file, or that of the environment; without both the settings are empty."""
    file = path or os.environ.get(VARIABLE, "")
    if not file:
        return Settings()
    file = os.path.abspath(os.path.expanduser(file))  # noqa: PTH100, PTH111
    try:
        with open(file, "rb") as stream:
            document = _parsed(stream.read(1 << 20), file)
    except OSError as error:
        raise errors.NotFound(
            f"the storage file cannot be read ({error.strerror}): {file}", hint="`--storage` names a TOML file"
        ) from error
    return from_document(document, file)


def from_document(document: Mapping[str, Any], file: str = "") -> Settings:
    """Checks every name and type: a wrong one is refused, not ignored."""
    _known_names(document, ("claims", "secrets", "limits", "networks"), "the file", file)
    tables = {name: _table(document.get(name, {}), f"[{name}]", file) for name in ("claims", "secrets", "limits")}
    claims = {name: _claim(name, value, file) for name, value in tables["claims"].items()}
    secrets = {
        name: _fields(Secret, _members(value, f"[secrets.{name}]", file), f"[secrets.{name}]", file, name=name)
        for name, value in tables["secrets"].items()
    }
    for secret in secrets.values():
        _check_secret(secret, file)
    allowed = _networks(document["networks"], file) if "networks" in document else None
    return Settings(file, claims, secrets, _fields(Limits, tables["limits"], "[limits]", file), allowed)


def _parsed(content: bytes, file: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # type: ignore[import-not-found,unused-ignore]
    try:
        document: dict[str, Any] = tomllib.loads(content.decode())
    except ValueError as error:  # a syntax error, which names line and column, or bytes that are not UTF-8
        raise _wrong(f"the storage file is not TOML: {error}", file) from error
    return document


def _claim(name: str, value: Any, file: str) -> str:
    if not isinstance(value, str) or not value:
        raise _wrong(f'[claims] {name} wants a directory in quotes, such as {name} = "/mnt/{name}"', file)
    path = os.path.expanduser(value)  # noqa: PTH111
    base = os.path.dirname(file) if file else os.getcwd()  # noqa: PTH109, PTH120
    return os.path.normpath(os.path.join(base, path))  # noqa: PTH118


def _networks(value: Any, file: str) -> networks.Networks:
    table = _table(value, "[networks]", file)
    _known_names(table, ("allow",), "[networks]", file)
    allow = table.get("allow", [])
    if not isinstance(allow, list) or not all(isinstance(each, str) for each in allow):
        raise _wrong('[networks] allow wants a list, such as ["10.20.0.0/16", "minio.example.org"]', file)
    try:
        return networks.entries(allow)
    except ValueError as error:
        raise _wrong(f"[networks] allow: {error}", file) from error


def _check_secret(secret: Secret, file: str) -> None:
    where = f"[secrets.{secret.name}]"
    if secret.style not in STYLES:
        raise _wrong(f'{where} style is "path" or "virtual", not "{secret.style}"', file)
    if secret.endpoint and not secret.endpoint.startswith(("http://", "https://")):
        raise _wrong(f"{where} endpoint begins with http:// or https://, not `{secret.endpoint}`", file)
    if bool(secret.key) != bool(secret.secret) and not secret.account and not secret.token:
        raise _wrong(f"{where} has {'key' if secret.key else 'secret'} alone; both `key` and `secret` are needed", file)


def _fields(kind: type[Any], table: Mapping[str, Any], where: str, file: str, **more: Any) -> Any:
    types: dict[str, Any] = {
        field.name: type(field.default) for field in dataclasses.fields(kind) if field.name not in more
    }
    _known_names(table, types, where, file)
    for name, value in table.items():
        wanted = types[name]
        number = (
            wanted in (int, float) and isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        )
        if not number and not (isinstance(value, wanted) and wanted in (str, bool)):
            words = {str: "a text in quotes", bool: "true or false"}.get(wanted, "a number that is not negative")
            raise _wrong(f"{where} {name} wants {words}", file)
    return kind(**{name: types[name](value) for name, value in table.items()}, **more)


def _members(value: Any, where: str, file: str) -> Mapping[str, Any]:
    """The members of a secret. Those in the files of `directory` are added; what the table says itself wins."""
    table = dict(_table(value, where, file))
    if "directory" not in table:
        return table
    folder = table.pop("directory")
    if not isinstance(folder, str) or not folder:
        raise _wrong(f"{where} directory wants a directory in quotes", file)
    path = os.path.join(os.path.dirname(file), os.path.expanduser(folder))  # noqa: PTH111, PTH118, PTH120
    for name in (field.name for field in dataclasses.fields(Secret) if isinstance(field.default, str)):
        if name not in table and (text := _file_text(os.path.join(path, name), where, file)):  # noqa: PTH118
            table[name] = text
    if (endpoint := table.get("endpoint")) and isinstance(endpoint, str) and "://" not in endpoint:
        table["endpoint"] = f"http://{endpoint}"  # such files often have a host and a port only
    return table


def _file_text(path: str, where: str, file: str) -> str:
    try:
        with open(path, "rb") as stream:
            return stream.read(1 << 16).decode().strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(f"{where} {os.path.basename(path)} cannot be read ({error})", file) from error  # noqa: PTH119


def _table(value: Any, where: str, file: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(f"{where} is a table", file)
    return value


def _known_names(table: Mapping[str, Any], names: Any, where: str, file: str) -> None:
    for name in table:
        if name not in names:
            raise _wrong(f"{where} has an unknown name `{name}`; known are: {', '.join(sorted(names))}", file)


def _wrong(message: str, file: str) -> errors.BadInput:
    return errors.BadInput(f"{message}: {file}" if file else message, hint="docs/reference/storage.md lists every name")
