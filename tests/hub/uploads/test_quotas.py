"""Quotas: told in advance, and refused before a byte is sent."""

from __future__ import annotations

import pathlib

import pytest
from hub import hubs

from lightboard import client


@pytest.fixture
def small(tmp_path: pathlib.Path):  # type: ignore[no-untyped-def]
    settings = tmp_path / "hub.toml"
    settings.write_text('[uploads]\naccount_bytes = "100K"\naccount_files = 3\nworkspace_bytes = "150K"\n')
    with hubs.running(tmp_path / "hub", "--config", str(settings)) as hub:
        hub.new_user("ann")
        token = hub.ok("POST", "/api/v1/tokens", json={"name": "t", "user": "ann"})["token"]
        with client.Hub(hub.url, token) as connected:
            yield connected


def written(top: pathlib.Path, *sizes: int) -> pathlib.Path:
    top.mkdir(exist_ok=True)
    for number, size in enumerate(sizes):
        (top / f"events.out.tfevents.{number}").write_bytes(bytes(size))
    return top


def test_what_does_not_fit_is_refused_before_it_is_sent(small: client.Hub, tmp_path: pathlib.Path) -> None:
    workspace = next(each.id for each in small.workspaces.list())
    limits = small.uploads.limits(workspace)
    assert (limits["left_bytes"], limits["left_files"], limits["scope"]) == (100 << 10, 3, "account")
    upload = small.uploads.create()
    for sizes in ((60_000, 60_000), (1, 1, 1, 1)):
        with pytest.raises(client.Forbidden) as refused:
            upload.send(written(tmp_path / f"logs{len(sizes)}", *sizes))
        assert refused.value.code == "UploadQuotaExceeded" and refused.value.hint
    assert upload.refresh().bytes == 0
    upload.send(written(tmp_path / "fits", 60_000))
    assert small.uploads.limits(workspace)["left_bytes"] == (100 << 10) - 60_000
    other = small.uploads.create()
    with pytest.raises(client.Forbidden):
        other.send(written(tmp_path / "logs2", 60_000))
    upload.delete()  # frees what it had
    other.send(written(tmp_path / "fits", 60_000))


def test_a_file_that_grows_beyond_the_quota_ends_the_upload(small: client.Hub, tmp_path: pathlib.Path) -> None:
    logs = written(tmp_path / "logs", 50_000)
    upload = small.uploads.create()
    sender = upload.sender(logs)
    sender.begin()
    sender.turn()
    written(logs, 90_000)
    sender.turn()
    written(logs, 290_000)
    with pytest.raises(client.Forbidden) as refused:
        sender.turn()
    assert refused.value.code == "UploadQuotaExceeded"
    assert upload.refresh().bytes == 90_000
    sender.close()
