"""Patterns that stop a backtracking engine, in every field that takes one, asked of a real board by four clients.

Each is answered or refused, somebody who asks something light meanwhile is answered, and the board ends when told to.
How long that takes is written out (`pytest -s`), not judged: a machine may be busy. Without a linear engine the board
does not answer at all, and the guard of `board_process` ends the test. Left out: what patterns match (tests/query).
"""

from __future__ import annotations

import base64
import concurrent.futures
import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import board_process
import numpy as np
import pytest

from lightboard import SummaryWriter
from lightboard.server import frames

pytestmark = pytest.mark.slow

RUNS = 300
LONG = "a" * 400 + "/" + "ab" * 200 + "!"

EXPONENTIAL = [
    "(a+)+$",
    "(a*)*b",
    "(a|a)*$",
    "(a|aa)+$",
    "(.*)*#",
    "(\\w+)*#",
    "((a+)+)+#",
    "([a-z]+)*\\d$",
    "(a+a+)+#",
]
EXPONENTIAL += ["^(([a-z])+.)+[A-Z]([a-z])+$", "(x+x+)+y", "(.|a)*#", "(a?b?)*#", "(?:a|b|ab)*#", "(a|b|ab)*c$"]
POLYNOMIAL = [".*.*.*.*.*.*#", "a*a*a*a*a*a*a*#", ".*a.*b.*a.*b.*#", "\\w*\\w*\\w*\\w*#", "(.*)(.*)(.*)(.*)(.*)#"]
POLYNOMIAL += ["[^#]*[^#]*[^#]*[^#]*#", "a.*a.*a.*a.*a.*#", "\\s*\\S*\\s*\\S*\\s*\\S*#", ".*?.*?.*?.*?.*?#"]
NESTED = ["((((a{0,9}){0,9}){0,9}){0,9}){0,9}b", "(((a{1,10}){1,10}){1,10})#", "(a{0,30}){0,30}#", "((a?){30}){30}#"]
NESTED += ["(" * 900 + "a" + ")" * 900, "(?:" * 500 + "a" + ")*" * 500, "(((.*)+)+)+#", "((a|b)*|(c|d)*)*#"]
HUGE = ["a" * 2_000, "a" * 2_001, "a?" * 900, ".{900}", "\\w{1000}", "\\pL{500}", "[a-m].{200}#", "(.{0,9}){60}#"]
HUGE += ["(?:[a-m]|.){0,200}[a-c].{100}#", ".*[ab].{300}#", "a{1000}{1000}", "x{100000}"]
BACK = ["(a)\\1", "(a*)\\1\\1#", "(?P<n>a+)(?P=n)", "(?<=a)b", "a(?=b)", "(?!a)b", "(?<!x)a"]
MANY = ["|".join(f"a{i}" for i in range(400)), "|".join("ab"[i % 2] * (i % 40) for i in range(80)) + "#"]
UNICODE = ["(\\pL+)+#", "(\\p{Han}|\\pL|\\w)*#", "[^\\x{0}-\\x{10ffff}]", "(?i)[à-\\x{10ffff}]{40}#", "\\P{L}*\\P{N}*#"]
PATTERNS = [*EXPONENTIAL, *POLYNOMIAL, *NESTED, *HUGE, *BACK, *MANY, *UNICODE]

Ask = tuple[str, bytes | None]  # an address, and a body to post


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    logdir = tmp_path_factory.mktemp("hostile_patterns")
    _write(logdir)
    with board_process.Process("--logdir", logdir, "--port", "0", "--no_index") as process:
        process.wait_for_runs("texts", f"run_{RUNS - 1}_{LONG[:40]}")
        yield process


def _write(logdir: Path) -> None:
    for number in range(RUNS):
        with SummaryWriter(logdir / f"run_{number}_{LONG[:40]}") as writer:
            writer.add_scalar(f"loss/{LONG}{number % 50}", 1.0, 1)
            writer.add_hparams({"optimizer": LONG + str(number)}, {"loss": 1.0}, run_name=".")
    with SummaryWriter(logdir / "texts") as writer:
        for step in range(20):
            writer.add_text("log", "\n".join(f"{LONG} line {line}" for line in range(200)), step)
        writer.add_table("table", {"name": [LONG + str(row) for row in range(2_000)]}, 0)
        writer.add_custom_scalars({"logged": {pattern: ["Multiline", [pattern]] for pattern in PATTERNS[:40]}})
        writer.add_embedding(np.eye(50), metadata=[LONG + str(row) for row in range(50)], tag="points")


def _query(path: str, **given: str) -> Ask:
    return f"{path}?{urllib.parse.urlencode(given)}", None


def _posted(path: str, body: object) -> Ask:
    return path, json.dumps(body).encode()


def _hparams(pattern: str) -> Ask:
    column = {"hparam": "optimizer", "filterRegexp": pattern}
    asked = {"colParams": [column], "startIndex": 0, "sliceSize": 10, "allowedStatuses": ["STATUS_SUCCESS"]}
    return _posted("data/plugin/hparams/session_groups", asked)


FIELDS: dict[str, Callable[[str], Ask]] = {
    "a bare word": lambda pattern: _query("api/runs", filter=pattern),
    "names": lambda pattern: _query("api/runs", filter=f"matches(name, {json.dumps(pattern)})"),
    "tags": lambda pattern: _query("api/runs", filter=f"matches(tags, {json.dumps(pattern)})"),
    "hparams": lambda pattern: _query("api/runs", filter=f"matches(hparams.optimizer, {json.dumps(pattern)})"),
    "groups": lambda pattern: _posted(
        "api/scalars", {"tag": [f"loss/{LONG}0"], "filter": "run_", "group": f"regex:{pattern}"}
    ),
    "tags of a layout": lambda pattern: _query("api/custom_scalars", pattern=pattern),
    "custom scalars of TensorBoard": lambda pattern: _query(
        "data/plugin/custom_scalars/scalars", run=f"run_0_{LONG[:40]}", tag=pattern
    ),
    "hparams of TensorBoard": _hparams,
    "texts": lambda pattern: _query("api/text/search", run="texts", tag="log/text_summary", words=f"/{pattern}/"),
    "texts, literally": lambda pattern: _query("api/text/search", run="texts", tag="log/text_summary", words=pattern),
    "embeddings": lambda pattern: _query(
        "api/projector/search", run="texts", name="points:00000", text=pattern, regex="true"
    ),
    "completion": lambda pattern: _query("api/complete", filter=pattern, cursor=str(len(pattern))),
}


def _ask(board: board_process.Process, ask: Ask) -> tuple[int, float, bytes]:
    path, body = ask
    headers = {"Content-Type": "application/json"} if body is not None else {}
    request = urllib.request.Request(board.url.partition("?")[0] + path, data=body, headers=headers)
    began = time.monotonic()
    try:
        with urllib.request.urlopen(request, timeout=board_process.PATIENCE_SECS) as answer:
            return answer.status, time.monotonic() - began, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, time.monotonic() - began, error.read()


def test_hostile_patterns_are_answered_or_refused_and_hold_up_nobody(board: board_process.Process) -> None:
    asked = [(field, pattern, make(pattern)) for pattern in PATTERNS for field, make in FIELDS.items()]
    key = _key_of_table(board)
    for pattern in PATTERNS:
        asked.append(("table", pattern, _posted("api/tables", {"key": key, "filter": {"name": f"/{pattern}/"}})))
    done = threading.Event()
    light: list[float] = []

    def ask_lightly() -> None:
        while not done.is_set():
            status, secs, _ = _ask(board, ("api/board", None))
            assert status == 200
            light.append(secs)

    with concurrent.futures.ThreadPoolExecutor(5) as clients:
        lightly = clients.submit(ask_lightly)
        try:
            answers = list(clients.map(lambda each: _ask(board, each[2])[:2], asked))
        finally:
            done.set()
        lightly.result()
    failed = [
        (field, pattern[:60], status)
        for (field, pattern, _), (status, _) in zip(asked, answers, strict=True)
        if status >= 500
    ]
    assert failed == []
    slowest = sorted(zip((secs for _, secs in answers), asked, strict=True), key=lambda each: -each[0])[:5]
    print(f"\n{len(asked)} hostile questions, the slowest:")  # noqa: T201
    for secs, (field, pattern, _) in slowest:
        print(f"  {secs:.2f} s {field}: {pattern[:60]}")  # noqa: T201
    print(f"{len(light)} light questions, the slowest {max(light):.2f} s")  # noqa: T201


def _key_of_table(board: board_process.Process) -> str:
    status, _, body = _ask(board, _query("api/steps", kind="tables", run="texts", tag="table"))
    assert status == 200, body
    _, points = frames.decode(body)
    named = ["texts", "table", *(points[name][0].item() for name in ("step", "wall", "offset")), 0]
    return base64.urlsafe_b64encode(json.dumps(named).encode()).rstrip(b"=").decode()


def test_the_harmless_form_of_each_question_is_answered(board: board_process.Process) -> None:
    """So that the hostile ones are known to reach the matcher."""
    for field, make in FIELDS.items():
        status, _, body = _ask(board, make("a+"))
        assert status == 200, (field, body)
    key = _key_of_table(board)
    status, _, body = _ask(board, _posted("api/tables", {"key": key, "filter": {"name": "/b!1$/"}}))
    assert status == 200 and json.loads(body)["passing"] == 1, body


def test_the_board_ends_when_told_to_amid_hostile_patterns(board: board_process.Process) -> None:
    asked = [_query("api/runs", filter=f"matches(tags, {json.dumps(pattern)})") for pattern in PATTERNS]

    def ask(each: Ask) -> None:
        try:
            _ask(board, each)
        except OSError:
            pass  # it has gone

    with concurrent.futures.ThreadPoolExecutor(4) as clients:
        for each in asked * 5:
            clients.submit(ask, each)
        _ask(board, ("api/board", None))
        began = time.monotonic()
        board.stop()
        print(f"\nended after {time.monotonic() - began:.2f} s")  # noqa: T201
        clients.shutdown(cancel_futures=True)
