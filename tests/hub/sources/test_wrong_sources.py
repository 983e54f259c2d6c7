"""Every way to name a source that cannot be used: refused with a code, a sentence and a hint, and without secrets."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from hub.sources import hubs

from lightboard import errors
from lightboard.hub import life, sources

S = life.Source

# Source, code, part of the sentence. {root} is the root that the admin allows, {out} a directory beside it.
WRONG = [
    # no address
    (S(""), "InvalidUri", "empty"),
    (S("   "), "InvalidUri", "empty"),
    (S("s3:bucket/x"), "InvalidUri", "two slashes"),
    (S("s3:/bucket"), "InvalidUri", "two slashes"),
    (S("s3://"), "InvalidUri", "names no bucket"),
    (S("s3://bu cket/x"), "InvalidUri", "cannot be the name of a bucket"),
    (S("s3://b/x//y"), "InvalidUri", "two slashes in a row"),
    (S("s3://b/x/../y"), "InvalidUri", "`.` or `..`"),
    (S("{root}/a\nb"), "InvalidUri", "control character"),
    (S("{root}/a\x00b"), "InvalidUri", "control character"),
    (S("{root}/a\x85b"), "InvalidUri", "control character"),
    (S("{root}/\ud800"), "InvalidUri", "not valid text"),
    (S("http://"), "InvalidUri", "names no server"),
    (S("http://h:x/"), "InvalidUri", "not the address of a web server"),
    (S("abfss://c/x"), "InvalidUri", "container and an account"),
    (S("pvc://"), "InvalidUri", "names no claim"),
    (S("t9k://minio/secret"), "InvalidUri", "not an address of TensorStack"),
    (S("t9k://pvc"), "InvalidUri", "not an address of TensorStack"),
    (S("https://b.s3.amazonaws.com/x"), "InvalidUri", "web address of a bucket"),
    # schemes
    (S("hdfs://name/x"), "UnsupportedScheme", "`hdfs://` is not supported"),
    (S("ftp://h/x"), "UnsupportedScheme", "`ftp://` is not supported"),
    (S("gopher://127.0.0.1:6379/_x"), "UnsupportedScheme", "`gopher://` is not supported"),
    (S("javascript://x"), "UnsupportedScheme", "not supported"),
    # paths
    (S("runs"), "InvalidUri", "begins with a slash"),
    (S("~/runs"), "InvalidUri", "begins with a slash"),
    (S("./runs"), "InvalidUri", "begins with a slash"),
    (S("/etc"), "InvalidUri", "not below a directory"),
    (S("/"), "InvalidUri", "not below a directory"),
    (S("//etc"), "InvalidUri", "not below a directory"),
    (S("/proc/self/root{root}"), "InvalidUri", "not below a directory"),
    (S("{out}"), "InvalidUri", "not below a directory"),
    (S("{root}x"), "InvalidUri", "not below a directory"),
    (S("{root}/../private"), "InvalidUri", "contains `..`"),
    (S("{root}/a/../../private"), "InvalidUri", "contains `..`"),
    (S("{root}/out"), "InvalidUri", "not below a directory"),
    (S("{root}/out/deeper/x"), "InvalidUri", "not below a directory"),
    (S("{root}/out/*"), "InvalidUri", "not below a directory"),
    (S("file:///etc/passwd"), "InvalidUri", "not below a directory"),
    (S("file://{root}/%2e%2e/private"), "InvalidUri", "contains `..`"),
    (S("file://{root}/out"), "InvalidUri", "not below a directory"),
    (S("file://host/x"), "InvalidUri", "names files of this machine"),
    (S("{root}/a", secret="team-s3"), "SecretUnfit", "a directory needs no secret"),
    # claims
    (S("pvc://other/x"), "PvcNotFound", "no claim is named `other`"),
    (S("t9k://pvc/other/x"), "PvcNotFound", "no claim is named `other`"),
    (S("pvc://models/../x"), "InvalidUri", "`.` or `..`"),
    (S("pvc://models/out"), "InvalidUri", "leads out of the claim"),
    (S("pvc://../x"), "InvalidUri", "cannot be the name of a claim"),
    (S("pvc://models", secret="team-s3"), "SecretUnfit", "a directory needs no secret"),
    # secrets
    (S("s3://gone@bucket/x"), "SecretNotFound", "no secret `gone`"),
    (S("s3://bucket/x", secret="gone"), "SecretNotFound", "no secret `gone`"),
    (S("s3://foreign@bucket/x"), "SecretNotFound", "no secret `foreign`"),
    (S("t9k://minio/foreign/bucket"), "SecretNotFound", "no secret `foreign`"),
    (S("s3://team-s3@bucket", secret="minio"), "InvalidUri", "two secrets"),
    (S("gs://bucket", secret="team-s3"), "SecretUnfit", "of the kind s3"),
    (S("s3://azure@bucket"), "SecretUnfit", "of the kind az"),
    (S("oss://team-s3@bucket"), "SecretUnfit", "of the kind s3"),
    (S("t9k://minio/google/bucket"), "SecretUnfit", "of the kind gs"),
    (S("https://203.0.113.9/other", secret="site"), "SecretUnfit", "is for another address"),
    (S("https://203.0.113.9/runs2", secret="site"), "SecretUnfit", "is for another address"),
    (S("http://203.0.113.9/runs", secret="site"), "SecretUnfit", "is for another address"),
    (S("abfss://c@acc.dfs.core.windows.net/x", secret="azure"), "SecretUnfit", "cannot be used with this address"),
    # keys in addresses
    (S("s3://key:hunter2@bucket/x"), "InvalidUri", "keys and passwords do not belong"),
    (S("https://me:hunter2@example.org/x"), "InvalidUri", "user and password do not belong"),
    (S("az://c/x?sv=2022&sig=hunter2"), "InvalidUri", "signature or token"),
    (S("s3://b/x?X-Amz-Signature=hunter2"), "InvalidUri", "signature or token"),
    (S("https://8.8.8.8/x?token=hunter2"), "InvalidUri", "signature or token"),
    # servers inside
    (S("http://127.0.0.1:8080/x"), "NetworkRefused", "private network"),
    (S("http://localhost/x"), "NetworkRefused", "private network"),
    (S("http://2130706433/x"), "NetworkRefused", "private network"),
    (S("http://127.1/x"), "NetworkRefused", "private network"),
    (S("http://0x7f000001/x"), "NetworkRefused", "private network"),
    (S("http://[::1]/x"), "NetworkRefused", "private network"),
    (S("http://[::ffff:127.0.0.1]/x"), "NetworkRefused", "private network"),
    (S("http://0.0.0.0/x"), "NetworkRefused", "private network"),
    (S("http://169.254.169.254/latest/meta-data/"), "NetworkRefused", "private network"),
    (S("http://[fd00:ec2::254]/latest"), "NetworkRefused", "private network"),
    (S("http://100.100.100.200/latest"), "NetworkRefused", "private network"),
    (S("http://168.63.129.16/machine"), "NetworkRefused", "private network"),
    (S("https://10.0.0.1/x"), "NetworkRefused", "private network"),
    (S("minio://10.0.0.1:9000/bucket"), "NetworkRefused", "private network"),
    (S("minio://localhost:9000/bucket"), "NetworkRefused", "private network"),
    (S("oss://bucket.localhost/x"), "NetworkRefused", "private network"),
    (S("s3://inner@bucket/x"), "NetworkRefused", "private network"),
    # prefixes
    (S("{root}/a", "x,y"), "InvalidUri", "a prefix cannot be"),
    (S("{root}/a", "x:y"), "InvalidUri", "a prefix cannot be"),
    (S("{root}/a", "/x"), "InvalidUri", "a prefix cannot be"),
    (S("{root}/a", "-x"), "InvalidUri", "a prefix cannot be"),
    (S("{root}/a", "x\ny"), "InvalidUri", "a prefix cannot be"),
    (S("s3://bucket/a,b", "x"), "InvalidUri", "cannot contain a comma"),
]


def filled(source: life.Source, hub: hubs.Hub) -> life.Source:
    uri = source.uri.replace("{root}", str(hub.root)).replace("{out}", str(hub.folder / "private"))
    return life.Source(uri, source.prefix, source.secret)


def refusal(made: sources.Sources, *given: life.Source, admin: bool = False) -> errors.LightboardError:
    with pytest.raises(errors.LightboardError) as refused:
        made.check("team", given, admin=admin)
    return refused.value


@pytest.mark.parametrize(("source", "code", "words"), WRONG, ids=lambda each: ascii(getattr(each, "uri", each))[:60])
def test_a_wrong_source_is_refused(
    hub: hubs.Hub, checked: sources.Sources, source: life.Source, code: str, words: str
) -> None:
    error = refusal(checked, filled(source, hub))
    assert (error.code, words in error.message) == (code, True), error.message
    assert error.hint
    assert error.status in (400, 422)
    assert "hunter2" not in error.message + error.hint


@pytest.mark.parametrize(
    "source",
    [
        S("{root}"), S("{root}/"), S("{root}/a/train"), S("{root}/later/x"), S("{root}/inside"), S("{root}/a,b", "x"),
        S("file://{root}/a%20b"), S("{root}/*/train"), S("pvc://models"), S("pvc://models/runs/x"), S("t9k://pvc/models/y"),
        S("s3://bucket/x"), S("s3://team-s3@bucket"), S("s3a://bucket", secret="team-s3"), S("oss://alibaba@bucket"),
        S("t9k://minio/minio/bucket/x"), S("minio://minio@bucket/x"), S("gs://google@bucket"), S("az://azure@container"),
        S("abfss://c@account.dfs.core.windows.net/x"), S("https://8.8.8.8/runs"),
        S("https://203.0.113.9/runs", secret="site"),
        S("https://203.0.113.9/runs/deep/x", secret="site"), S("oss://b.oss-cn-hangzhou-internal.aliyuncs.com/x"),
        S("s3://bucket/a,b"), S("{root}/a", "s3"), S("{root}/a", "exp 1/b"),
    ],
    ids=lambda each: each.uri,
)  # fmt: skip
def test_a_source_that_can_be_used(hub: hubs.Hub, checked: sources.Sources, source: life.Source) -> None:
    checked.check("team", [filled(source, hub)], admin=False)


def test_roots_are_told_to_admins_only(hub: hubs.Hub, checked: sources.Sources) -> None:
    assert str(hub.root) in refusal(checked, S("/etc"), admin=True).hint
    assert str(hub.root) not in refusal(checked, S("/etc")).hint
    none = hub.sources(roots=[])
    assert "--allow_root" in refusal(none, S("/etc"), admin=True).hint
    assert "--allow_root" not in refusal(none, S("/etc")).hint


def test_a_refusal_does_not_say_whether_a_path_exists(checked: sources.Sources) -> None:
    there, absent = refusal(checked, S("/etc/passwd")), refusal(checked, S("/etc/absent"))
    assert there.message.replace("passwd", "absent") == absent.message


def test_the_hubs_own_directory_is_closed(hub: hubs.Hub) -> None:
    made = hub.sources(roots=[str(hub.folder)])
    made.check("team", [S(str(hub.root))], admin=False)
    assert refusal(made, S(str(hub.folder / "hub"))).code == "InvalidUri"
    assert refusal(made, S(str(hub.folder / "hub/hub.sqlite3"))).code == "InvalidUri"


def test_several_sources(hub: hubs.Hub, checked: sources.Sources) -> None:
    a, b = f"{hub.root}/a", f"{hub.root}/b"
    checked.check("team", [S(a, "x"), S(b, "y"), S("s3://bucket/z")], admin=False)
    assert "prefix `x`" in refusal(checked, S(a, "x"), S(b, "x")).message
    assert "named twice" in refusal(checked, S(a, "x"), S(f"{a}/", "y")).message
    assert "named twice" in refusal(checked, S(a), S(f"{hub.root}/inside")).message
    assert "comma" in refusal(checked, S("s3://bucket/a,b"), S(a)).message
    assert "at most 50" in refusal(checked, *(S(f"{a}/{number}") for number in range(51))).message
    assert "at most 50" in refusal(checked, S(a + "x" * 40_000)).message
    assert "needs a source" in refusal(checked).message


def test_networks_that_the_admin_allows(hub: hubs.Hub) -> None:
    made = hub.sources(allow_networks=["10.1.0.0/16", "localhost"])
    for each in (S("s3://inner@bucket"), S("http://10.1.9.9/x"), S("minio://localhost:9000/bucket")):
        made.check("team", [each], admin=False)
    assert refusal(made, S("http://10.2.0.1/x")).code == "NetworkRefused"


def test_a_name_that_nobody_knows_is_left_to_the_board(
    checked: sources.Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be known later; then the board checks it."""

    def unknown(*_: Any, **__: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    checked.check("team", [S("https://logs.example.org/runs")], admin=False)


def test_addresses_of_sources_by_admins_are_checked_as_well(checked: sources.Sources) -> None:
    """Others may change such a board later; admins have `allow_networks`."""
    assert refusal(checked, S("http://169.254.169.254/latest"), admin=True).code == "NetworkRefused"


def test_an_admin_who_is_none_any_more_is_not_trusted(hub: hubs.Hub) -> None:
    made = hub.sources()
    made.check("team", [S("s3://minio@bucket")], admin=False)
    hub.database.people.change_user("ben", admin=True)
    try:
        hub.database.people.change_user("ada", admin=False)
        assert refusal(made, S("s3://minio@bucket")).code == "NetworkRefused"
        made.check("team", [S("s3://inner@bucket")], admin=False)
    finally:
        hub.database.people.change_user("ada", admin=True)
        hub.database.people.change_user("ben", admin=False)


def test_a_link_that_is_replaced_is_noticed_at_the_start(hub: hubs.Hub) -> None:
    made = hub.sources()
    link = hub.root / "moving"
    link.symlink_to(hub.root / "a")
    made.check("team", [S(str(link))], admin=False)
    link.unlink()
    link.symlink_to(hub.folder / "private")
    assert refusal(made, S(str(link))).code == "InvalidUri"


def test_at_least_forty_wrong_sources() -> None:
    assert len(WRONG) >= 40
