"""Signatures of recorded requests of Alibaba's clients (all keys are fake), and whatever is not signed."""

from __future__ import annotations

import dataclasses
import hashlib

import pytest

from lightboard.hub.api.pai import signatures

SECRET = "fakeSecret0001abcdefghijklmnopq"
ALIPAI = signatures.Request(
    "POST",
    "/api/v1/tensorboards",
    "",
    [
        ("accept", "application/json"),
        ("content-type", "application/json; charset=utf-8"),
        ("date", "Mon, 16 Nov 2026 21:22:23 GMT"),
        ("host", "127.0.0.1:8434"),
        ("x-acs-action", "CreateTensorboard"),
        ("x-acs-credentials-provider", "static_ak"),
        ("x-acs-signature-method", "HMAC-SHA1"),
        ("x-acs-signature-nonce", "13c0a914a16957f7215110f28783f4e1"),
        ("x-acs-signature-version", "1.0"),
        ("x-acs-version", "2020-12-03"),
        ("authorization", "acs LTAIfakeKeyId0001:lP7NESS9qgzepCmTuXG9wmZuT3Y="),
    ],
)
EMPTY = hashlib.sha256(b"").hexdigest()
SIGNED = (
    "ACS3-HMAC-SHA256 Credential=LTAIfakeKeyId0001,SignedHeaders=accept;host;user-agent;x-acs-action;"
    "x-acs-content-sha256;x-acs-credentials-provider;x-acs-date;x-acs-signature-nonce;x-acs-version,"
    "Signature=d5be2439fcad1cfa9c2abdac66a7b76ce10cc981fa8eb72ba457eadc4cd7b9f5"
)
DLC = signatures.Request(
    "GET",
    "/api/v1/tensorboards",
    "PageNumber=1&PageSize=10&SourceId=a+b%2F%C3%BC&SourceType=TrainingJob&WorkspaceId=1",
    [
        ("accept", "application/json"),
        ("host", "127.0.0.1:8434"),
        ("user-agent", "AlibabaCloud (Linux; x86_64) Python/3.11.7 Core/0.4.3 TeaDSL/2"),
        ("x-acs-action", "ListTensorboards"),
        ("x-acs-content-sha256", EMPTY),
        ("x-acs-credentials-provider", "static_ak"),
        ("x-acs-date", "2026-11-16T21:25:19Z"),
        ("x-acs-signature-nonce", "79943aaf6b008d5c7820307bfd60ea97"),
        ("x-acs-version", "2020-12-03"),
        ("authorization", SIGNED),
    ],
)


def with_header(request: signatures.Request, name: str, value: str) -> signatures.Request:
    others = [each for each in request.headers if each[0] != name]
    return dataclasses.replace(request, headers=[*others, (name, value)])


def holds(request: signatures.Request, secret: str = SECRET, body: bytes = b"") -> bool:
    claim = signatures.claim_of(request)
    return claim is not None and claim.holds(secret) and claim.fits(body)


@pytest.mark.parametrize("request_", [ALIPAI, DLC], ids=["alipai", "dlc"])
def test_recorded_requests_are_signed(request_: signatures.Request) -> None:
    claim = signatures.claim_of(request_)
    assert claim is not None
    assert claim.key == "LTAIfakeKeyId0001" and len(claim.nonce) == 32
    assert claim.time == pytest.approx(1794864200, abs=300)
    assert claim.holds(SECRET) and not claim.holds(SECRET + "x") and not claim.holds("")


def test_the_body_counts_where_it_is_signed() -> None:
    assert holds(DLC, body=b"") and not holds(DLC, body=b"{}")
    assert holds(ALIPAI, body=b"") and holds(ALIPAI, body=b"{}"), "alipai does not sign bodies"


@pytest.mark.parametrize("request_", [ALIPAI, DLC], ids=["alipai", "dlc"])
def test_every_signed_part_counts(request_: signatures.Request) -> None:
    assert not holds(dataclasses.replace(request_, method="DELETE"))
    assert not holds(dataclasses.replace(request_, path="/api/v1/trainingjobs"))
    assert not holds(dataclasses.replace(request_, query=request_.query + "&WorkspaceId2=x"))
    for name, value in request_.headers:
        if name.startswith("x-acs-") or name in ("accept", "date"):
            assert not holds(with_header(request_, name, value + "0")), name
            assert not holds(dataclasses.replace(request_, headers=[*request_.headers, (name, value)])), f"2 × {name}"
    assert not holds(with_header(request_, "x-acs-more", "1")), "one that is not signed"
    assert not holds(with_header(DLC, "host", "elsewhere")), "the host is signed"


def test_acs3_must_sign_what_counts() -> None:
    written = dict(DLC.headers)["authorization"]
    for name in ("host", "x-acs-date", "x-acs-signature-nonce", "x-acs-content-sha256", "x-acs-action"):
        assert signatures.claim_of(with_header(DLC, "authorization", written.replace(f"{name};", ""))) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("authorization", ""),
        ("authorization", "Bearer lbt_token"),
        ("authorization", "acs nothing"),
        ("authorization", "acs a:b c"),
        ("date", "yesterday"),
        ("date", ""),
        ("date", "Mon, 99 Nov 2026 21:22:23 GMT"),
        ("x-acs-signature-nonce", ""),
        ("x-acs-signature-nonce", "n" * 300),
    ],
)
def test_what_is_not_signed_claims_nothing(name: str, value: str) -> None:
    assert signatures.claim_of(with_header(ALIPAI, name, value)) is None


def test_a_hash_with_other_letters_does_not_fit() -> None:
    claim = signatures.Claim(
        key="k", time=0.0, nonce="n", signature="s", text="t", algorithm="sha256", body_hash="\xe4\xb8\xad"
    )
    assert not claim.fits(b"")


def test_odd_queries_claim_nothing_or_do_not_hold() -> None:
    for query in ("%ff=1", "a=%ff", "a&b", "=", "a=1&a=2"):
        assert not holds(dataclasses.replace(ALIPAI, query=query))
    rpc = signatures.Request("POST", "/", "Signature=x&Signature=y", [("x-acs-action", "GetCallerIdentity")])
    assert signatures.claim_of(rpc) is None
    other = dataclasses.replace(rpc, path="/api/v1/tensorboards", query="Signature=x&AccessKeyId=k")
    assert signatures.claim_of(other) is None, "a signature of the query does not cover the path"
