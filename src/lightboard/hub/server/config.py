"""The configuration of a hub: `hub.toml`, overridden by flags of the command line.

    [hub]
    dir = "/var/lib/lightboard"        # everything the hub keeps
    host = "0.0.0.0"
    port = 8080
    url = "https://boards.example.org" # as people open it, behind a proxy
    frame_ancestors = ["https://jupyter.example.org"]   # whose notebooks show boards
    database = "postgresql://…"        # default: a SQLite file below dir

    [boards]
    idle_after = "1h"
    reclaim_after = "24h"
    per_account = 5
    roots = ["/data/logs"]             # local paths are allowed only below these
    allow_networks = ["10.20.0.0/16"]  # boards reach public servers and these; names of hosts, too

    [uploads]
    account_bytes = "50G"              # of all uploads of one user

    [claims]
    models = "/mnt/models"             # pvc://models/…, t9k://pvc/models/…

An unknown name or a wrong value is refused with its line. `docs/reference/hub.md` lists every name.
"""

from __future__ import annotations

import dataclasses
import ipaddress
import os
import re
import sys
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

from lightboard import errors
from lightboard.hub.life import durations, names
from lightboard.hub.server import logs
from lightboard.storage import networks, uris

DEFAULT_PORT = 8080


@dataclasses.dataclass(frozen=True, kw_only=True)
class Config:
    """Times are seconds; 0: never, or no limit."""

    name: str = "Lightboard"  # of this hub, as pages show it
    dir: str = ""  # "": the user's data directory
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    url: str = ""  # "": the address it listens on
    database: str = ""
    tls_cert: str = ""
    tls_key: str = ""
    trusted_proxies: tuple[str, ...] = ()  # whose X-Forwarded-For, -Proto and -Host are believed
    frame_ancestors: tuple[str, ...] = ()  # origins of pages that may show boards in frames, beside the hub
    # `tensorboard dev` of TensorBoard 2.15: its gRPC port (0: any free one) and, behind a proxy, HOST:PORT for clients
    tensorboard_dev_port: int | None = None
    tensorboard_dev_endpoint: str = ""
    log_format: str = "text"
    log_level: str = "info"
    # boards
    idle_after: float = 3600.0
    reclaim_after: float = 86400.0
    max_runtime: float = 0.0
    per_account: int = 5
    per_workspace: int = 0
    per_hub: int = 0
    memory: int = 2 << 30  # of one board
    roots: tuple[str, ...] = ()
    allow_networks: tuple[str, ...] = ()  # networks and hosts that boards reach, beside public ones
    environment: tuple[str, ...] = ()  # names of variables that boards get from the hub's environment
    # uploads; 0: no limit
    store: str = ""  # a directory or a bucket; "": the directory `uploads` below dir
    storage: str = ""  # a file as `storage.toml`, with the secret that `store` names
    boards_secret: str = ""  # with which boards read the bucket; "": with that of `store`
    local_copy: float = 3600.0  # how long the disk has a copy of what is in the bucket
    account_bytes: int = 50 << 30
    workspace_bytes: int = 0
    hub_bytes: int = 0
    account_files: int = 200_000
    # people
    session: float = 30 * 86400.0
    self_service: bool = True  # everybody signed in may create workspaces
    # claims
    claims: Mapping[str, str] = dataclasses.field(default_factory=dict)


class BadConfig(errors.BadInput):
    """A setting that the hub does not start with; says file and line."""


@dataclasses.dataclass(frozen=True)
class _Setting:
    section: str
    parse: Callable[[Any], Any]
    wants: str


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError
    return value


def _name(value: Any) -> str:
    return names.checked_name(_text(value))


def _path(value: Any) -> str:
    return os.path.abspath(os.path.expanduser(_text(value)))  # noqa: PTH100, PTH111


def _store(value: Any) -> str:
    if not uris.is_elsewhere(_text(value)):
        return _path(value)
    if not uris.parse(value).secret:
        raise ValueError
    return str(value)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError
    return value


def _port(value: Any) -> int:
    if _count(value) > 65535:
        raise ValueError
    return int(value)


def _endpoint(value: Any) -> str:
    if not re.fullmatch(r"([A-Za-z0-9.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}", _text(value)):
        raise ValueError
    return _text(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _secs(value: Any) -> float:
    return float(durations.parse(value))


def _bytes(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return _count(value)
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", _text(value).strip())
    if match is None:
        raise ValueError
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2] or " "))


def _url(value: Any) -> str:
    parsed = urllib.parse.urlsplit(_text(value))
    if parsed.scheme not in ("http", "https") or not parsed.hostname or parsed.path.strip("/"):
        raise ValueError
    if parsed.query or parsed.fragment or parsed.username is not None:
        raise ValueError
    return _text(value).rstrip("/")


def _origin(value: Any) -> str:
    """An origin as a Content-Security-Policy has it; `https://*.example.org` is every host below."""
    if not re.fullmatch(r"https?://(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:(\d{1,5}|\*))?", _text(value)):
        raise ValueError
    return _text(value)


def _one_of(*words: str) -> Callable[[Any], str]:
    def parse(value: Any) -> str:
        if value not in words:
            raise ValueError
        return str(value)

    return parse


def _list(of: Callable[[Any], str]) -> Callable[[Any], tuple[str, ...]]:
    def parse(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list | tuple):
            raise ValueError
        return tuple(of(each) for each in value)

    return parse


def _server(value: Any) -> str:
    return networks.parsed(_text(value))


def _network(value: Any) -> str:
    return str(ipaddress.ip_network(_text(value), strict=False))


_SETTINGS = {
    "name": _Setting("hub", _name, "a text of up to 100 characters"),
    "dir": _Setting("hub", _path, "a directory in quotes"),
    "host": _Setting("hub", _text, "an address in quotes"),
    "port": _Setting("hub", _port, "a number up to 65535"),
    "url": _Setting("hub", _url, "an address such as https://boards.example.org"),
    "database": _Setting("hub", _text, "the DSN of a database in quotes"),
    "tls_cert": _Setting("hub", _path, "a file in quotes"),
    "tls_key": _Setting("hub", _path, "a file in quotes"),
    "trusted_proxies": _Setting("hub", _list(_network), "a list of addresses or networks"),
    "frame_ancestors": _Setting("hub", _list(_origin), 'a list such as ["https://jupyter.example.org"]'),
    "tensorboard_dev_port": _Setting("hub", _port, "a number up to 65535"),
    "tensorboard_dev_endpoint": _Setting("hub", _endpoint, 'a host and a port such as "boards.example.org:443"'),
    "log_format": _Setting("hub", _one_of(*logs.FORMATS), '"text" or "json"'),
    "log_level": _Setting("hub", _one_of(*logs.LEVELS), '"debug", "info", "warning" or "error"'),
    "idle_after": _Setting("boards", _secs, 'a duration such as "1h"'),
    "reclaim_after": _Setting("boards", _secs, 'a duration such as "24h"'),
    "max_runtime": _Setting("boards", _secs, 'a duration such as "8h"'),
    "per_account": _Setting("boards", _count, "a number"),
    "per_workspace": _Setting("boards", _count, "a number"),
    "per_hub": _Setting("boards", _count, "a number"),
    "memory": _Setting("boards", _bytes, 'a size such as "2G"'),
    "roots": _Setting("boards", _list(_path), "a list of directories"),
    "environment": _Setting("boards", _list(_text), "a list of names of variables"),
    "allow_networks": _Setting("boards", _list(_server), 'a list such as ["10.20.0.0/16", "minio.example.org"]'),
    "store": _Setting("uploads", _store, 'a directory, or a bucket such as "s3://NAME@bucket/path"'),
    "storage": _Setting("uploads", _path, "a file in quotes"),
    "boards_secret": _Setting("uploads", _text, "the name of a secret in quotes"),
    "local_copy": _Setting("uploads", _secs, 'a duration such as "1h"'),
    "account_bytes": _Setting("uploads", _bytes, 'a size such as "50G"'),
    "workspace_bytes": _Setting("uploads", _bytes, 'a size such as "500G"'),
    "hub_bytes": _Setting("uploads", _bytes, 'a size such as "2T"'),
    "account_files": _Setting("uploads", _count, "a number"),
    "session": _Setting("people", _secs, 'a duration such as "30d"'),
    "self_service": _Setting("people", _flag, "true or false"),
}


def load(file: str = "", flags: Mapping[str, Any] | None = None) -> Config:
    """Reads the file, if one is named; `flags` are settings of the command line, which win."""
    settings: dict[str, Any] = _of_file(file) if file else {}
    for name, value in (flags or {}).items():
        if name == "claims":
            settings["claims"] = {**settings.get("claims", {}), **value}
        elif name == "roots":
            settings["roots"] = (*settings.get("roots", ()), *map(_path, value))
        else:
            settings[name] = _parsed(name, value, f"--{name}")
    return Config(**settings)


def _of_file(file: str) -> dict[str, Any]:
    text = _read(file)
    document = _toml(text, file)
    settings: dict[str, Any] = {}
    for section, content in document.items():
        if section not in ("hub", "boards", "uploads", "people", "claims") or not isinstance(content, dict):
            known = "[hub], [boards], [uploads], [people], [claims]"
            raise _bad(f"`{section}` is not a section of this file; there are {known}", file, _line(text, "", section))
        for name, value in content.items():
            where = f"{file}:{_line(text, section, name)}"
            if section == "claims":
                settings.setdefault("claims", {})[name] = _claim(name, value, where)
            elif _SETTINGS.get(name, _NOTHING).section == section:
                settings[name] = _parsed(name, value, where)
            else:
                names = ", ".join(sorted(each for each, one in _SETTINGS.items() if one.section == section))
                raise BadConfig(f"{where}: [{section}] has no `{name}`", hint=f"there are: {names}")
    return settings


_NOTHING = _Setting("", _text, "")


def _parsed(name: str, value: Any, where: str) -> Any:
    setting = _SETTINGS[name]
    try:
        return setting.parse(value)
    except (ValueError, errors.LightboardError) as error:
        raise BadConfig(f"{where}: `{name}` wants {setting.wants}, not {value!r}") from error


def _claim(name: str, value: Any, where: str) -> str:
    try:
        return _path(value)
    except ValueError as error:
        raise BadConfig(f'{where}: a claim wants a directory, as {name} = "/mnt/{name}"') from error


def claim_of(flag: str) -> tuple[str, str]:
    """Parses `--claim NAME=DIR`."""
    name, mark, directory = flag.partition("=")
    if not mark or not name.strip() or not directory.strip():
        raise BadConfig(f"`--claim {flag}` is not NAME=DIRECTORY")
    return name.strip(), _path(directory.strip())


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as stream:
            return stream.read(1 << 20)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadConfig(f"the configuration cannot be read ({reason}): {file}") from error


def _toml(text: str, file: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib  # type: ignore[import-not-found,unused-ignore]
    try:
        document: dict[str, Any] = tomllib.loads(text)
    except ValueError as error:  # names line and column
        raise BadConfig(f"the configuration is not TOML: {error}: {file}") from error
    return document


def _line(text: str, section: str, name: str) -> int:
    """The line of a name in its section, for messages; 1 if it is written in an unusual way."""
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        heading = re.match(r"\s*\[+\s*([^\]\s]+)\s*\]", line)
        if heading:
            inside = heading[1]
            if not section and inside.partition(".")[0] == name:
                return number
        elif inside == section and re.match(rf"""\s*["']?{re.escape(name)}["']?\s*[.=]""", line):
            return number
    return 1


def _bad(message: str, file: str, line: int) -> BadConfig:
    return BadConfig(f"{file}:{line}: {message}", hint="docs/reference/hub.md lists every name")
