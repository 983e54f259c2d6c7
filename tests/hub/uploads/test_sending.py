"""Sending logs to a real hub: every byte arrives, whatever happens on the way.

Broken lines, a killed hub and a killed client, files that grow, shrink, are replaced or removed meanwhile, several
senders. How fast it is, is measured in `bench/`.
"""

from __future__ import annotations

import pathlib
import random
import signal
import subprocess
import sys
import threading
import time
import zlib

import pytest
from hub import hubs
from hub.uploads.conftest import Place, contents
from hub.uploads.lines import breaking, narrow

from lightboard import client
from lightboard.client import uploads_parts, uploads_sending


def sent_files(logs: pathlib.Path) -> dict[str, bytes]:
    return {path: content for path, content in contents(logs).items() if not path.endswith("notes.txt")}


def test_every_byte_comes_back(place: Place, logs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with place.connected() as hub:
        upload = hub.uploads.create(name="all")
        totals = upload.send(logs)
        assert contents(place.stored(upload)) == sent_files(logs)
        assert (
            (totals.files, totals.bytes)
            == (upload.files, upload.bytes)
            == (34, sum(map(len, sent_files(logs).values())))
        )
        assert upload.runs == 5
        assert upload.export(tmp_path / "copy") == 34
        assert contents(tmp_path / "copy") == sent_files(logs)
        assert upload.send(logs).bytes == 0  # nothing is sent twice


@pytest.mark.slow
def test_fifty_breaks_of_the_line_lose_nothing(place: Place, logs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    chance = random.Random(11)
    size = sum(map(len, sent_files(logs).values()))
    # twice the size: what was under way at a break is sent again
    with breaking(place.hub.url, [chance.randrange(2 * size) for _ in range(50)]) as line:
        with place.connected(line.url) as hub:
            upload = hub.uploads.create()
            sender = upload.sender(logs)
            sender.begin()
            sender.turn()
            rounds = 0
            while line.broken < 50:  # more to send, until each break has happened
                rounds += 1
                (logs / "more").mkdir(exist_ok=True)
                (logs / "more" / f"events.out.tfevents.{rounds}").write_bytes(chance.randbytes(2 << 20))
                sender.turn()
            sender.flush(end=True)
            sender.close()
        assert line.broken == 50 and sender.totals.retries > 0
    with client.Hub(place.hub.url, hub._connections._token) as straight:
        straight.uploads.get(upload.id).export(tmp_path / "copy")
    assert contents(tmp_path / "copy") == sent_files(logs) == contents(place.stored(upload))


def test_an_upload_follows_what_happens_to_files(place: Place, tmp_path: pathlib.Path) -> None:
    logs = tmp_path / "logs"
    notices: list[str] = []
    with place.connected() as hub:
        upload = hub.uploads.create()
        logs.mkdir()
        sender = upload.sender(logs, notice=notices.append)
        sender.begin()

        def same() -> None:
            sender.turn()
            assert contents(place.stored(upload)) == contents(logs)

        events, config = logs / "events.out.tfevents.1", logs / "projector_config.pbtxt"
        same()
        events.write_bytes(b"a" * 1000)
        same()
        with events.open("ab") as file:
            file.write(b"b" * 1000)
        same()
        config.write_text("one")
        same()
        config.write_text("another, longer one")  # written again in place
        same()
        assert len(notices) == 1
        events.write_bytes(b"c" * 10)  # truncated
        same()
        replacement = logs / "replacement"
        replacement.write_bytes(b"d" * 5000)
        replacement.rename(events)  # another file with the same name
        same()
        events.write_bytes(b"")
        same()
        assert len(notices) == 4 and all("sent again" in each for each in notices)
        before = contents(logs)
        events.unlink()  # the hub keeps what it has
        sender.turn()
        assert contents(place.stored(upload)) == before
        sender.flush(end=True)
        sender.close()


def test_a_killed_client_continues_at_once(place: Place, logs: pathlib.Path) -> None:
    _, token = place.person()
    program = (
        "import sys; from lightboard import client\n"
        "hub = client.Hub(sys.argv[1], sys.argv[2]); upload = hub.uploads.create(); print(upload.id, flush=True)\n"
        "upload.send(sys.argv[3], bytes_per_sec=2e6)\n"
    )
    words = [sys.executable, "-c", program, place.hub.url, token, str(logs)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        upload_id = process.stdout.readline().strip()
        with client.Hub(place.hub.url, token) as hub:
            hubs.until(lambda: hub.uploads.get(upload_id).bytes > 0, what="bytes arrive")
        process.send_signal(signal.SIGKILL)
    with client.Hub(place.hub.url, token) as hub:
        upload = hub.uploads.get(upload_id)
        assert 0 < upload.bytes < sum(map(len, sent_files(logs).values()))
        upload.send(logs)
        assert contents(place.stored(upload)) == sent_files(logs)


@pytest.mark.slow
def test_a_killed_hub_continues_where_it_was(logs: pathlib.Path, tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "hub"
    hub = hubs.start(folder)
    port = hub.url.rpartition(":")[2]
    with client.Hub(hub.url, hub.admin_token) as admin:
        upload = admin.uploads.create()
        sender = upload.sender(logs, bytes_per_sec=6e6)
        sender.begin()
        failed: list[BaseException] = []

        def send() -> None:
            try:
                sender.turn()
            except BaseException as error:
                failed.append(error)

        sending = threading.Thread(target=send)
        sending.start()
        hubs.until(lambda: upload.refresh().bytes > 0, what="bytes arrive")
        hub.stop(signal.SIGKILL)
        again = hubs.start(folder, "--port", port)
        sending.join(60)
        assert not failed and not sending.is_alive()
        sender.flush(end=True)
        sender.close()
        assert contents(folder / "uploads" / upload.id / "files") == sent_files(logs)
        again.stop()
    for each in (hub, again):
        each.client.close()
        assert each.process.stdout is not None
        each.process.stdout.close()


def test_a_file_that_the_hub_lost_is_sent_again(place: Place, logs: pathlib.Path) -> None:
    """As after a power failure, when bytes were not on disk yet."""
    with place.connected() as hub:
        upload = hub.uploads.create()
        upload.send(logs)
        files = sorted(place.stored(upload).rglob("*tfevents.5*"))
        files[0].write_bytes(b"short")
        files[1].unlink()
        upload.send(logs)
        assert contents(place.stored(upload)) == sent_files(logs)
        assert upload.refresh().bytes == sum(map(len, sent_files(logs).values()))


def test_another_sender_is_refused_unless_it_takes_over(
    place: Place, logs: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    with place.connected() as hub:
        upload = hub.uploads.create()
        first = upload.sender(logs)
        first.begin()
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "events.out.tfevents.9").write_bytes(b"other")
        second = upload.sender(tmp_path / "other")
        with pytest.raises(client.Conflict) as refused:
            second.begin()
        assert refused.value.code == "UploadBusy"
        second.begin(take_over=True)
        second.turn()
        with pytest.raises(client.Conflict) as ended:
            first.turn()
        assert ended.value.code == "SessionEnded"
        first.close()
        second.close()


def test_requests_in_parallel_for_one_file_never_mix(place: Place, tmp_path: pathlib.Path) -> None:
    """Two senders with one session, as two processes on one log directory: the file is whole."""
    logs = tmp_path / "logs"
    logs.mkdir()
    content = random.Random(3).randbytes(20 << 20)
    (logs / "events.out.tfevents.1").write_bytes(content)
    with place.connected() as hub:
        upload = hub.uploads.create()
        senders = [upload.sender(logs) for _ in range(3)]
        for each in senders:
            each.begin()
        threads = [threading.Thread(target=each.turn) for each in senders]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for each in senders:
            each.close()
        assert contents(place.stored(upload)) == {"events.out.tfevents.1": content}


def test_an_upload_that_is_deleted_ends_its_sender(place: Place, logs: pathlib.Path) -> None:
    with place.connected() as hub:
        upload = hub.uploads.create()
        sender = upload.sender(logs)
        sender.begin()
        assert upload.delete() == []
        with pytest.raises(uploads_sending.Deleted):
            sender.turn()
        sender.close()
        assert not place.stored(upload).parent.exists()


def test_a_proxy_that_refuses_large_bodies_gets_small_ones(place: Place, logs: pathlib.Path) -> None:
    with narrow(place.hub.url, 1 << 20) as url, place.connected(url) as hub:
        upload = hub.uploads.create()
        upload.send(logs)
        assert contents(place.stored(upload)) == sent_files(logs)


def test_compression_is_used_where_it_helps() -> None:
    text = b"step 1 loss 0.5\n" * 20_000
    slow = uploads_parts.Squeeze(fast_line=False)
    encoding, wire = slow.packed(text)
    assert encoding == uploads_parts.ZLIB and zlib.decompress(wire) == text and len(wire) < len(text) // 10
    assert slow.packed(random.Random(1).randbytes(200_000))[0] == uploads_parts.PLAIN  # it would not become smaller
    fast = uploads_parts.Squeeze(fast_line=True)
    assert fast.packed(text) == (uploads_parts.PLAIN, text)
    for _ in range(20):
        fast.sent(10_000_000, 10.0)  # 1 MB/s after all
    assert fast.packed(text)[0] == uploads_parts.ZLIB


def test_compressed_files_arrive(place: Place, tmp_path: pathlib.Path) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    content = b"step 1 loss 0.5\n" * 200_000
    (logs / "events.out.tfevents.1").write_bytes(content)
    with place.connected() as hub:
        upload = hub.uploads.create()
        sender = upload.sender(logs)
        sender._squeeze = uploads_parts.Squeeze(fast_line=False)
        sender.begin()
        sender.turn()
        sender.close()
        assert sender.totals.wire_bytes < sender.totals.bytes // 10
        assert contents(place.stored(upload)) == {"events.out.tfevents.1": content}


def test_bandwidth_is_kept() -> None:
    limit = uploads_parts.Bandwidth(1e6)
    begun = time.monotonic()
    for _ in range(4):
        limit.wait(50_000)
    assert time.monotonic() - begun >= 0.14  # the first is free, then 50 ms each
