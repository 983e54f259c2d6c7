"""The three signatures of Alibaba's clients. Pure: no clock, no keys.

    acs KEY:SIGNATURE          alipai. HMAC-SHA1 over method, some headers, path and query; NOT over the body
    ACS3-HMAC-SHA256 …         the standalone client of DLC. Over all of it, with the hash of the body
    query parameter Signature  STS. HMAC-SHA1 over the query; the path is always `/`

`claim_of` finds what a request claims: a key, a time, a nonce. `Claim.holds(secret)` says whether that secret signed
it.
"""

from __future__ import annotations

import base64
import dataclasses
import datetime as dt
import email.utils
import hashlib
import hmac
import re
import urllib.parse
from collections.abc import Mapping, Sequence

ACTION = "x-acs-action"
MOST_LENGTH = 200  # of keys and nonces
_ACS3 = re.compile(r"ACS3-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=([0-9a-f]{64})")
_ROA = re.compile(r"acs ([^:\s]+):([A-Za-z0-9+/=]{1,100})")
_HASH = "x-acs-content-sha256"
# sent at most once: of two values, the signature would cover one and the hub might read the other
_SINGLE = frozenset({"authorization", "host", "date", "accept", "content-type", "content-md5"})


@dataclasses.dataclass(frozen=True)
class Request:
    """`path` and `query` as they came, not decoded."""

    method: str
    path: str
    query: str
    headers: Sequence[tuple[str, str]]  # names in lower case


@dataclasses.dataclass(frozen=True, kw_only=True)
class Claim:
    key: str
    time: float  # Unix seconds
    nonce: str
    signature: str = dataclasses.field(repr=False)
    text: str = dataclasses.field(repr=False)  # that was signed
    algorithm: str  # of the HMAC
    suffix: str = ""  # of the secret
    body_hash: str | None = None  # that the body must have; None: the body is not signed

    def holds(self, secret: str) -> bool:
        made = hmac.new((secret + self.suffix).encode(), self.text.encode(), self.algorithm).digest()
        written = made.hex() if self.algorithm == "sha256" else base64.b64encode(made).decode()
        return hmac.compare_digest(written.encode(), self.signature.encode())

    def fits(self, body: bytes) -> bool:
        made = hashlib.sha256(body).hexdigest()
        return self.body_hash is None or hmac.compare_digest(made.encode(), self.body_hash.encode())


def claim_of(request: Request) -> Claim | None:
    """None for a request that is not signed in one of these ways."""
    names = [name for name, _ in request.headers]
    if any(names.count(each) > 1 for each in names if each in _SINGLE or each.startswith("x-acs-")):
        return None
    headers = dict(request.headers)
    try:
        query = urllib.parse.parse_qsl(request.query, keep_blank_values=True, errors="strict")
        claim = _claim(request, headers, sorted(query))
    except (ValueError, OverflowError):
        return None
    if claim is None or not claim.nonce or max(len(claim.key), len(claim.nonce)) > MOST_LENGTH:
        return None
    return claim


def _claim(request: Request, headers: Mapping[str, str], query: list[tuple[str, str]]) -> Claim | None:
    written = headers.get("authorization", "")
    if match := _ROA.fullmatch(written):
        return _roa(request, headers, query, *match.groups())
    if match := _ACS3.fullmatch(written):
        return _acs3(request, headers, query, *match.groups())
    if not written and request.path == "/":
        return _rpc(request, query)
    return None


def _roa(request: Request, headers: Mapping[str, str], query: list[tuple[str, str]], key: str, signature: str) -> Claim:
    resource = request.path
    if query:
        resource += "?" + "&".join(f"{name}={value}" if value else name for name, value in query)
    signed = [headers.get(name, "") for name in ("accept", "content-md5", "content-type", "date")]
    own = [f"{name}:{headers[name]}" for name in sorted(headers) if name.startswith("x-acs-")]
    return Claim(
        key=key,
        time=email.utils.parsedate_to_datetime(headers.get("date", "")).timestamp(),
        nonce=headers.get("x-acs-signature-nonce", ""),
        signature=signature,
        text="\n".join([request.method, *signed, *own, resource]),
        algorithm="sha1",
    )


def _acs3(
    request: Request, headers: Mapping[str, str], query: list[tuple[str, str]], key: str, names: str, signature: str
) -> Claim | None:
    signed = names.split(";")
    needed = {"host", "x-acs-date", "x-acs-signature-nonce", _HASH, *(each for each in headers if _is_own(each))}
    if not needed <= set(signed):
        return None
    canonical = "\n".join(
        [
            request.method,
            request.path,
            "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in query),
            "".join(f"{name}:{headers.get(name, '').strip()}\n" for name in signed),
            names,
            headers.get(_HASH, ""),
        ]
    )
    return Claim(
        key=key,
        time=_iso(headers.get("x-acs-date", "")),
        nonce=headers.get("x-acs-signature-nonce", ""),
        signature=signature,
        text="ACS3-HMAC-SHA256\n" + hashlib.sha256(canonical.encode()).hexdigest(),
        algorithm="sha256",
        body_hash=headers.get(_HASH, ""),
    )


def _rpc(request: Request, query: list[tuple[str, str]]) -> Claim | None:
    members = dict(query)
    if len(members) != len(query) or "Signature" not in members:
        return None
    signature = members.pop("Signature")
    joined = "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in sorted(members.items()))
    return Claim(
        key=members.get("AccessKeyId", ""),
        time=_iso(members.get("Timestamp", "")),
        nonce=members.get("SignatureNonce", ""),
        signature=signature,
        text=f"{request.method}&%2F&{_quoted(joined)}",
        algorithm="sha1",
        suffix="&",
    )


def _is_own(header: str) -> bool:
    return header.startswith("x-acs-")


def _quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="-_.~")


def _iso(written: str) -> float:
    at = dt.datetime.strptime(written, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.timezone.utc)
    return at.timestamp()
