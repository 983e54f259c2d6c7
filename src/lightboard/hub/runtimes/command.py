"""What starts a board process: words of the command, variables of the environment, its storage file. Pure.

Nothing of the hub's environment reaches a board except names on a short list: the hub's token, its cloud credentials
and its home directory (with ~/.aws) belong to the hub, and roles of the machine are not asked for. An admin may give
boards more variables (`Launch.environment`).
"""

from __future__ import annotations

import json
import sys
import urllib.parse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lightboard import errors
from lightboard.hub import runtimes
from lightboard.hub.life import nouns

KEPT = ("PATH", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH", "SSL_CERT_FILE", "SSL_CERT_DIR")
KEPT_PREFIX = "LC_"
ALWAYS = {
    "PYTHONSAFEPATH": "1",
    "AWS_EC2_METADATA_DISABLED": "true",
    "ALIBABA_CLOUD_ECS_METADATA_DISABLED": "true",
}
# Schemes whose addresses name a secret as `s3://SECRET@bucket/path`.
_BUCKETS = frozenset({"s3", "s3a", "oss", "minio", "gs", "gcs", "az", "azure"})


def words(launch: runtimes.Launch, *, folder: Path, socket: str, storage: str) -> list[str]:
    """The command. Values are joined with `=`: a name may begin with a dash."""
    given = [
        *_sources(launch.sources),
        f"--unix_socket={socket}",
        f"--path_prefix=/boards/{launch.id}",
        f"--index_dir={folder / 'index'}",
        f"--sidecar={folder / 'sidecar'}",
        f"--window_title={_printable(launch.name)}",
        f"--follow_links={launch.follow_links}",
        "--no_auth",
    ]
    return [sys.executable, "-m", "lightboard", *given, *([f"--storage={storage}"] if storage else [])]


def mark(folder: Path) -> str:
    """The word by which the process of this board is recognized."""
    return f"--index_dir={folder / 'index'}"


def environment(launch: runtimes.Launch, own: Mapping[str, str], *, home: Path) -> dict[str, str]:
    """`own` is the hub's environment."""
    import site

    kept = {name: value for name, value in own.items() if name in KEPT or name.startswith(KEPT_PREFIX)}
    # packages that were installed for the hub's user are found without the user's home
    base = {"HOME": str(home), "PYTHONUSERBASE": site.getuserbase()}
    return {**kept, **base, **ALWAYS, **launch.environment}


def storage_text(document: Mapping[str, Any]) -> str:
    """The document as TOML: tables of tables of strings, numbers, booleans and lists of them."""
    lines: list[str] = []
    _write(document, (), lines)
    return "\n".join(lines) + "\n" if lines else ""


def _write(table: Mapping[str, Any], path: tuple[str, ...], lines: list[str]) -> None:
    plain = {name: value for name, value in table.items() if not isinstance(value, Mapping)}
    if plain and path:
        lines.append(f"[{'.'.join(map(_quoted, path))}]")
    lines.extend(f"{_quoted(name)} = {_value(value)}" for name, value in plain.items())
    for name, value in table.items():
        if isinstance(value, Mapping):
            _write(value, (*path, name), lines)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value) if isinstance(value, int | float) else _quoted(str(value))


def _quoted(text: str) -> str:
    """JSON's strings are TOML's, except for one control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _sources(sources: Sequence[nouns.Source]) -> list[str]:
    addresses = [address(source) for source in sources]
    if len(sources) == 1 and not sources[0].prefix:
        return [f"--logdir={addresses[0]}"]
    pieces = [
        f"{source.prefix}:{address}" if source.prefix else address
        for source, address in zip(sources, map(_without_comma, addresses), strict=True)
    ]
    return [f"--logdir_spec={','.join(pieces)}"]


def address(source: nouns.Source) -> str:
    """The address of a source with the name of its secret."""
    uri = source.uri.strip()
    scheme, separator, rest = uri.partition("://")
    if not source.secret:
        return uri
    if not separator or scheme.lower() not in _BUCKETS:
        raise errors.BadInput(f"a secret cannot be used with this address: {uri}", code=runtimes.INVALID_URI)
    if "@" in rest.partition("/")[0]:
        raise errors.BadInput(f"two secrets are named: {uri} and {source.secret}", code=runtimes.INVALID_URI)
    return f"{scheme}://{source.secret}@{rest}"


def _without_comma(address: str) -> str:
    """`--logdir_spec` splits at commas; a path with one is written as an encoded file address."""
    return f"file://{urllib.parse.quote(address)}" if "," in address and "://" not in address else address


def _printable(name: str) -> str:
    return "".join(letter for letter in name if letter.isprintable())[:200]
