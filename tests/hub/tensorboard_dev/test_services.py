"""Both gRPC services of a real hub, called with bytes as TensorBoard sends them: who may do what, hostile calls.

TensorBoard itself is tried by tests/tensorboard_dev.
"""

from __future__ import annotations

import contextlib
import itertools
import pathlib
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import grpc
import mutations
import pytest
from hub import hubs
from hub.tensorboard_dev.recorded import REQUESTS

import lightboard
from lightboard import _native, wire
from lightboard.hub.tensorboard_dev import exporter, handshake, messages, writer

Code = grpc.StatusCode
WRITER, EXPORTER = f"/{writer.SERVICE}/", f"/{exporter.SERVICE}/"
METHODS = [
    *(WRITER + name for name in ("CreateExperiment", "UpdateExperiment", "DeleteExperiment", "WriteScalar",
                                 "WriteTensor", "GetOrCreateBlobSequence", "GetBlobMetadata", "WriteBlob")),
    *(EXPORTER + name for name in ("StreamExperiments", "StreamExperimentData", "StreamBlobData")),
]  # fmt: skip
MASK = wire.message(4, *(wire.integer(number, 1) for number in range(2, 12)))


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[hubs.Hub]:
    folder = tmp_path_factory.mktemp("hub")
    (folder / "hub.toml").write_text(
        '[hub]\ntensorboard_dev_port = 0\n[uploads]\naccount_bytes = "3M"\naccount_files = 40\n'
    )
    with hubs.running(folder / "dir", "--config", str(folder / "hub.toml")) as running:
        yield running
        assert "Traceback" not in running.log()


class Client:
    """Calls methods with raw bytes."""

    def __init__(self, hub: hubs.Hub, token: str | None) -> None:
        self.endpoint = endpoint_of(hub)
        self.channel = grpc.insecure_channel(self.endpoint, [("grpc.max_receive_message_length", 32 << 20)])
        self._metadata = [("authorization", f"Bearer {token}")] if token is not None else []

    def unary(self, method: str, request: bytes) -> bytes:
        call: Any = self.channel.unary_unary(method)
        answer: bytes = call(request, metadata=self._metadata, timeout=60)
        return answer

    def stream(self, method: str, requests: Iterable[bytes]) -> list[bytes]:
        call: Any = self.channel.stream_stream(method)
        return list(call(iter(requests), metadata=self._metadata, timeout=60))

    def create(self, name: str = "") -> str:
        return wire.parse(self.unary(WRITER + "CreateExperiment", wire.text(1, name))).text(1)

    def write(self, experiment: str, run: str, tag: str, *points: tuple[int, float]) -> bytes:
        return self.unary(WRITER + "WriteScalar", scalars_of(experiment, run, tag, *points))


def endpoint_of(hub: hubs.Hub) -> str:
    answer = hub.request("POST", handshake.ADDRESS, token="", content=REQUESTS["server_info"])
    assert answer.status_code == 200 and answer.headers["content-type"] == handshake.MEDIA_TYPE
    return wire.parse(wire.parse(answer.content).last_bytes(2)).text(1)


def scalars_of(experiment: str, run: str, tag: str, *points: tuple[int, float]) -> bytes:
    sent = (
        wire.message(2, wire.integer(1, step), wire.message(2, messages.timestamp(100.0 + step)), wire.double(3, value))
        for step, value in points
    )
    metadata = wire.message(3, wire.message(1, wire.text(1, "scalars")), wire.integer(4, 1))
    tags = wire.message(2, wire.text(1, tag), metadata, *sent)
    return wire.text(1, experiment) + wire.message(2, wire.text(1, run), tags)


@pytest.fixture(scope="module")
def clients(hub: hubs.Hub) -> Iterator[Callable[[str | None], Client]]:
    with contextlib.ExitStack() as stack:

        def make(token: str | None) -> Client:
            client = Client(hub, token)
            stack.callback(client.channel.close)
            return client

        yield make


@pytest.fixture(scope="module")
def tokens(hub: hubs.Hub) -> dict[str, str]:
    return {name: hub.new_user(name) for name in ("ada", "bob", "carol", "dora")}


@pytest.fixture
def ada(clients: Callable[[str], Client], tokens: dict[str, str]) -> Client:
    return clients(tokens["ada"])


@pytest.fixture
def bob(clients: Callable[[str], Client], tokens: dict[str, str]) -> Client:
    return clients(tokens["bob"])


@contextlib.contextmanager
def refused(code: grpc.StatusCode, words: str = "") -> Iterator[None]:
    with pytest.raises(grpc.RpcError) as caught:
        yield
    error: Any = caught.value
    assert (error.code(), words in error.details()) == (code, True), error.details()


def logs_of(hub: hubs.Hub, experiment: str) -> lightboard.Logs:
    return lightboard.open(hub.dir / "uploads" / experiment / "files", index=False)


# ---- who


@pytest.mark.parametrize("token", [None, "", "wrong", "two words", "x" * 5000])
def test_without_a_token_of_the_hub_nothing_is_answered(
    token: str | None, clients: Callable[[str | None], Client]
) -> None:
    stranger = clients(token)
    for method in METHODS:
        with refused(Code.UNAUTHENTICATED, "no token of the hub"):
            stranger.unary(method, b"")


def test_a_refusal_does_not_wait_for_a_message(clients: Callable[[str | None], Client]) -> None:
    held = threading.Event()

    def never() -> Iterator[bytes]:
        held.wait(60)
        yield b""

    with refused(Code.UNAUTHENTICATED):
        clients("wrong").stream(WRITER + "WriteBlob", never())
    held.set()


def test_a_disabled_user_and_a_revoked_token_are_refused(hub: hubs.Hub, clients: Callable[[str], Client]) -> None:
    client = clients(hub.new_user("eve"))
    experiment = client.create()
    hub.ok("PATCH", "/api/v1/users/eve", json={"enabled": False})
    with refused(Code.UNAUTHENTICATED):
        client.write(experiment, "run", "loss", (0, 1.0))


def test_a_token_that_only_reads_cannot_write(
    hub: hubs.Hub, tokens: dict[str, str], clients: Callable[[str], Client]
) -> None:
    made = hub.ok("POST", "/api/v1/tokens", token=tokens["ada"], json={"name": "r", "scopes": ["boards:read"]})
    reader = clients(made["token"])
    experiment = clients(tokens["ada"]).create("mine")
    with refused(Code.PERMISSION_DENIED):
        reader.create()
    with refused(Code.PERMISSION_DENIED):
        reader.write(experiment, "run", "loss", (0, 1.0))
    assert reader.stream(EXPORTER + "StreamExperiments", [MASK])


def test_experiments_of_others_do_not_exist_and_visible_ones_are_not_theirs(
    hub: hubs.Hub, tokens: dict[str, str], ada: Client, bob: Client
) -> None:
    experiment = ada.create("private")
    ada.write(experiment, "run", "loss", (0, 1.0))
    update = wire.message(1, wire.text(1, experiment), wire.text(7, "x")) + wire.message(2, wire.integer(7, 1))
    sequence = wire.text(1, experiment) + wire.text(2, "run") + wire.text(3, "t") + wire.integer(6, 1)
    asks: list[tuple[Callable[[str, bytes], Any], str, bytes]] = [
        (bob.unary, WRITER + "UpdateExperiment", update),
        (bob.unary, WRITER + "DeleteExperiment", wire.text(1, experiment)),
        (bob.unary, WRITER + "WriteScalar", scalars_of(experiment, "run", "loss", (1, 1.0))),
        (bob.unary, WRITER + "GetOrCreateBlobSequence", sequence),
    ]
    for ask, method, request in asks:
        with refused(Code.NOT_FOUND, f"not found: {experiment}"):
            ask(method, request)
    with refused(Code.NOT_FOUND, f"not found: {experiment}"):
        bob.stream(EXPORTER + "StreamExperimentData", [wire.text(1, experiment)])
    with refused(Code.NOT_FOUND, f"not found: {experiment}"):
        bob.stream(EXPORTER + "StreamBlobData", [wire.text(1, f"{experiment}-0011223344556677-0-0")])
    board = hub.ok("GET", f"/api/v1/uploads/{experiment}", token=tokens["ada"])["board"]
    public = {"visibility": "public", "confirm_public": True}
    hub.ok("PATCH", f"/api/v1/boards/{board}", token=tokens["ada"], json=public)
    for ask, method, request in asks:
        with refused(Code.PERMISSION_DENIED):
            ask(method, request)
    assert bob.stream(EXPORTER + "StreamExperimentData", [wire.text(1, experiment)])


def test_every_method_is_known_to_these_tests() -> None:
    """Those above try all of them."""
    # nothing is opened
    of_writer = object.__new__(writer.Writer).methods()
    of_exporter = object.__new__(exporter.Exporter).methods()
    offered = {*of_writer, *of_exporter}
    assert offered == set(METHODS)


# ---- what


def test_points_arrive_and_a_repeated_request_counts_once(hub: hubs.Hub, ada: Client) -> None:
    experiment = ada.create("points")
    request = scalars_of(experiment, "a/b", "loss", (0, 0.5), (1, 0.1))
    assert ada.unary(WRITER + "WriteScalar", request) == b""
    ada.unary(WRITER + "WriteScalar", request)
    ada.write(experiment, "a/b", "loss", (2, 0.25))
    found = logs_of(hub, experiment).scalars("a/b", "loss")
    assert (found.steps.tolist(), found.values.tolist()) == ([0, 1, 2], [0.5, 0.1, 0.25])

    def counted() -> Any:
        shown = hub.ok("GET", f"/api/v1/uploads/{experiment}")
        return shown["files"] == 1 and shown["runs"] == 1 and shown["bytes"] > 100

    hubs.until(counted)


def test_blobs_arrive_in_chunks_and_an_empty_one_is_empty(hub: hubs.Hub, ada: Client) -> None:
    experiment = ada.create("blobs")
    metadata = wire.message(7, wire.message(1, wire.text(1, "images")), wire.integer(4, 3))

    def begin(step: int, length: int) -> str:
        time = wire.message(5, messages.timestamp(9.5))
        request = b"".join(
            (wire.text(1, experiment), wire.text(2, "run"), wire.text(3, "img"), wire.integer(4, step), time,
             wire.integer(6, length), metadata)
        )  # fmt: skip
        return wire.parse(ada.unary(WRITER + "GetOrCreateBlobSequence", request)).text(1)

    def chunks(sequence: str, index: int, *pieces: bytes) -> Iterator[bytes]:
        for number, piece in enumerate(pieces):
            offset = sum(map(len, pieces[:number]))
            checksum = wire.key(5, wire.FIXED32) + _native.crc32c(piece).to_bytes(4, "little")
            last = wire.integer(6, 1) if number == len(pieces) - 1 else b""
            head = wire.text(1, sequence) + wire.integer(2, index) + wire.text(3, piece)
            yield head + wire.integer(4, offset) + checksum + last

    sequence = begin(1, 4)
    assert begin(1, 4) == sequence
    ada.stream(WRITER + "WriteBlob", chunks(sequence, 0, b"7"))
    ada.stream(WRITER + "WriteBlob", chunks(sequence, 1, b"9"))
    # a line that breaks: the first chunk again from its beginning, then on
    ada.stream(WRITER + "WriteBlob", itertools.islice(chunks(sequence, 2, b"pict", b"ure"), 1))
    state = wire.parse(ada.unary(WRITER + "GetBlobMetadata", wire.text(1, sequence) + wire.integer(2, 2)))
    assert (state.integer(1), state.integer(2)) == (messages.UNFINALIZED, 4)
    answers = ada.stream(WRITER + "WriteBlob", chunks(sequence, 2, b"pict", b"ure"))
    assert [wire.parse(each).integer(2) for each in answers] == [4, 7]
    with refused(Code.ALREADY_EXISTS):
        ada.stream(WRITER + "WriteBlob", chunks(sequence, 2, b"x"))
    begin(2, 1)  # TensorBoard sends nothing for an empty blob: the fourth
    (shown,) = logs_of(hub, experiment).images("run", "img")
    assert (shown.step, shown.width, shown.height, shown.blobs) == (1, 7, 9, (b"picture", b""))


def test_lists_have_what_the_files_have(clients: Callable[[str], Client], tokens: dict[str, str]) -> None:
    carol = clients(tokens["carol"])
    assert carol.stream(EXPORTER + "StreamExperiments", [MASK]) == []
    empty, full = carol.create("empty"), carol.create("full")
    carol.write(full, "a", "loss", (0, 1.0), (1, 2.0))
    carol.write(full, "b", "loss", (0, 1.0))
    answers = [wire.parse(each) for each in carol.stream(EXPORTER + "StreamExperiments", [MASK])]
    listed = {each.text(1): each for answer in answers for each in answer.messages(2)}
    counts = {id: [each.integer(number) for number in (4, 5, 6)] for id, each in listed.items()}
    assert counts == {empty: [0, 0, 0], full: [3, 2, 1]}
    assert (listed[full].text(7), listed[full].text(11)) == ("full", "carol")
    some = carol.stream(EXPORTER + "StreamExperiments", [wire.integer(3, 1) + wire.message(4, wire.integer(7, 1))])
    assert [sorted(each) for answer in some for each in wire.parse(answer).messages(2)] == [[1, 7]]
    before = wire.message(1, messages.timestamp(1000.0)) + MASK
    assert carol.stream(EXPORTER + "StreamExperiments", [before]) == []
    assert carol.stream(EXPORTER + "StreamExperimentData", [wire.text(1, empty)]) == []


def test_a_long_series_is_exported_in_several_messages(
    clients: Callable[[str], Client], tokens: dict[str, str]
) -> None:
    dora = clients(tokens["dora"])
    experiment = dora.create()
    for start in (0, 20_000):
        dora.write(experiment, "run", "loss", *((step, step / 4) for step in range(start, start + 20_000)))
    answers = dora.stream(EXPORTER + "StreamExperimentData", [wire.text(1, experiment)])
    assert len(answers) == 2 and all(len(each) < 4 << 20 for each in answers)
    steps = [step for each in answers for step in wire.parse(wire.parse(each).last_bytes(4)).integers(1)]
    assert steps == list(range(40_000))


def test_a_deleted_experiment_is_gone(hub: hubs.Hub, ada: Client) -> None:
    experiment = ada.create()
    ada.write(experiment, "run", "loss", (0, 1.0))
    assert ada.unary(WRITER + "DeleteExperiment", wire.text(1, experiment)) == b""
    with refused(Code.NOT_FOUND):
        ada.write(experiment, "run", "loss", (1, 1.0))
    with refused(Code.NOT_FOUND):
        ada.unary(WRITER + "DeleteExperiment", wire.text(1, experiment))
    assert not (hub.dir / "uploads" / experiment).exists()


def test_a_deleted_board_ends_the_upload(hub: hubs.Hub, tokens: dict[str, str], ada: Client) -> None:
    experiment = ada.create()
    board = hub.ok("GET", f"/api/v1/uploads/{experiment}", token=tokens["ada"])["board"]
    hub.ok("DELETE", f"/api/v1/boards/{board}", token=tokens["ada"])
    with refused(Code.NOT_FOUND):
        ada.write(experiment, "run", "loss", (1, 1.0))


def test_what_is_done_is_in_the_audit_log(hub: hubs.Hub, ada: Client) -> None:
    experiment = ada.create("audited")
    ada.unary(WRITER + "DeleteExperiment", wire.text(1, experiment))
    entries = hub.ok("GET", "/api/v1/audit")["items"]
    found = [(each["actor"], each["action"], each["address"]) for each in entries if experiment in each["thing"]]
    assert sorted(found) == [("ada", "upload.create", "127.0.0.1"), ("ada", "upload.delete", "127.0.0.1")]


# ---- hostile


def test_wrong_names_are_refused_with_words(ada: Client) -> None:
    experiment = ada.create()
    for run in ("../../out", "a\0b", "x" * 2000):
        with refused(Code.INVALID_ARGUMENT):
            ada.write(experiment, run, "loss", (0, 1.0))
    with refused(Code.INVALID_ARGUMENT, "longer than"):
        ada.write(experiment, "run", "t" * 9000, (0, 1.0))
    with refused(Code.INVALID_ARGUMENT):
        ada.create("n" * 500)
    with refused(Code.INVALID_ARGUMENT, "nothing is changed"):
        ada.unary(WRITER + "UpdateExperiment", wire.message(1, wire.text(1, experiment)))


def test_messages_that_are_too_large_unknown_methods_and_missing_messages(ada: Client) -> None:
    with refused(Code.RESOURCE_EXHAUSTED):
        ada.unary(WRITER + "WriteTensor", bytes(handshake.MOST_MESSAGE_BYTES + 1))
    with refused(Code.INVALID_ARGUMENT, "are allowed here"):
        ada.unary(WRITER + "WriteScalar", bytes(handshake.LIMITS.scalar_request_bytes + 1))
    with refused(Code.INVALID_ARGUMENT, "are allowed here"):
        ada.unary(WRITER + "CreateExperiment", bytes(100_000))
    for method in ("PurgeData", "DeleteOwnUser", "Nothing"):
        with refused(Code.UNIMPLEMENTED):
            ada.unary(WRITER + method, b"")
    with refused(Code.INVALID_ARGUMENT, "one message is expected"):
        ada.stream(WRITER + "WriteScalar", [])
    with refused(Code.INVALID_ARGUMENT, "one message is expected"):
        ada.stream(WRITER + "WriteScalar", [b"", b""])


def test_damaged_requests_get_a_status(hub: hubs.Hub, bob: Client) -> None:
    """Never the one of a mistake in the hub."""
    experiment = bob.create("damaged")
    seeds = {
        "WriteScalar": scalars_of(experiment, "run", "loss", (0, 1.0)),
        "WriteTensor": REQUESTS["tensors"].replace(b"\x0a\x04up-1", wire.text(1, experiment)),
        "GetOrCreateBlobSequence": REQUESTS["sequence"].replace(b"\x0a\x04up-1", wire.text(1, experiment)),
        "UpdateExperiment": REQUESTS["update"],
        "WriteBlob": REQUESTS["chunk"],
        "GetBlobMetadata": REQUESTS["blob_place"],
    }
    seen = set()
    for method, seed in seeds.items():
        for data in mutations.inputs([seed], 120, seed=11):
            try:
                bob.unary(WRITER + method, data)
            except grpc.RpcError as error:
                seen.add(error.code())
    for data in mutations.inputs([REQUESTS["listing"]], 40, seed=12):
        with contextlib.suppress(grpc.RpcError):
            bob.stream(EXPORTER + "StreamExperiments", [wire.text(99, "") + data])
    assert seen <= {Code.INVALID_ARGUMENT, Code.NOT_FOUND, Code.FAILED_PRECONDITION, Code.RESOURCE_EXHAUSTED}
    assert Code.INVALID_ARGUMENT in seen
    assert "failed" not in hub.log()


def test_a_full_quota_is_told_with_words(hub: hubs.Hub, clients: Callable[[str], Client]) -> None:
    client = clients(hub.new_user("full"))
    experiment = client.create()
    with refused(Code.FAILED_PRECONDITION, "bytes are to be sent"):
        client.write(experiment, "run", "t" * 4000, *((step, 1.0) for step in range(1000)))
    with refused(Code.FAILED_PRECONDITION, "files are to be sent"):
        runs = b"".join(scalars_of("", f"run{number}", "t", (0, 1.0)) for number in range(50))
        client.unary(WRITER + "WriteScalar", wire.text(1, experiment) + runs)
    assert not any(path.is_file() for path in (hub.dir / "uploads" / experiment).rglob("*"))


def test_one_user_cannot_take_all_calls(hub: hubs.Hub, clients: Callable[[str], Client], ada: Client) -> None:
    greedy = clients(hub.new_user("greedy"))
    held, results = threading.Event(), []

    def hold() -> None:
        def wait() -> Iterator[bytes]:
            held.wait(60)
            yield b""

        try:
            greedy.stream(WRITER + "WriteBlob", wait())
        except grpc.RpcError as error:
            results.append(error.code())

    threads = [threading.Thread(target=hold) for _ in range(12)]
    for each in threads:
        each.start()
    hubs.until(lambda: results.count(Code.RESOURCE_EXHAUSTED) >= 4)
    ada.create()
    held.set()
    for each in threads:
        each.join()
    assert results.count(Code.RESOURCE_EXHAUSTED) == 4


# ---- HTTP


def test_the_handshake_refuses_what_it_cannot_read(hub: hubs.Hub) -> None:
    assert hub.request("POST", handshake.ADDRESS, token="", content=b"\xff\xff").status_code == 422
    assert hub.request("POST", handshake.ADDRESS, token="", content=bytes(200_000)).status_code == 413
    assert hub.request("GET", handshake.ADDRESS, token="").status_code == 405


def test_the_handshake_tells_other_machines_that_the_port_is_closed_to_them(hub: hubs.Hub) -> None:
    answer = hub.request("POST", handshake.ADDRESS, token="", content=b"", headers={"Host": "10.0.0.7:80"})
    verdict = wire.parse(wire.parse(answer.content).last_bytes(1))
    assert verdict.integer(1) == messages.ERROR and "tls_cert" in verdict.text(2)


def test_without_the_setting_there_is_no_port(tmp_path: pathlib.Path) -> None:
    with hubs.running(tmp_path / "dir") as plain:
        answer = plain.request("POST", handshake.ADDRESS, token="", content=REQUESTS["server_info"])
        assert answer.status_code == 404 and "tensorboard_dev_port" in answer.text
        assert plain.request("GET", "/experiment/up-1/", token="").status_code == 404


def test_a_browser_without_a_session_signs_in_first(hub: hubs.Hub, ada: Client) -> None:
    experiment = ada.create()
    browser = {"Accept": "text/html", "Sec-Fetch-Mode": "navigate"}
    for id in (experiment, "up-none"):
        answer = hub.request("GET", f"/experiment/{id}/", token="", headers=browser)
        assert (answer.status_code, answer.headers["location"]) == (303, f"/hub/sign-in?next=/experiment/{id}/")
    page = hub.request("GET", f"/hub/sign-in?next=/experiment/{experiment}/", token="", headers=browser)
    assert f"/experiment/{experiment}/" in page.text
