"""A real board with texts that were made to be slow: it answers every question about them, and others meanwhile."""

from __future__ import annotations

import pathlib
import queue
import signal
import threading
import time

import board_process
import hostile_texts
import pytest

CLIENTS = 4
# Far above what is measured: an answer that takes this long never comes.
HANG_SECS = 30.0


class Clients:
    """Threads that ask all the questions, and one that asks `/api/board` until they have done so."""

    def __init__(self, board: board_process.Process, questions: list[str]) -> None:
        self.board = board
        self.left: queue.SimpleQueue[str] = queue.SimpleQueue()
        for each in questions:
            self.left.put(each)
        self.answers: list[tuple[str, int, float]] = []
        self.light: list[float] = []
        self._done = threading.Event()

    def run(self) -> None:
        light = threading.Thread(target=self._ask_lightly)
        heavy = [threading.Thread(target=self._ask) for _ in range(CLIENTS)]
        for thread in (light, *heavy):
            thread.start()
        for thread in heavy:
            thread.join()
        self._done.set()
        light.join()

    def _ask(self) -> None:
        while True:
            try:
                address = self.left.get_nowait()
            except queue.Empty:
                return
            begin = time.monotonic()
            status, _ = self.board.get(address)
            self.answers.append((address, status, time.monotonic() - begin))

    def _ask_lightly(self) -> None:
        while not self._done.wait(0.01):
            begin = time.monotonic()
            status, _ = self.board.get("api/board")
            assert status == 200
            self.light.append(time.monotonic() - begin)


@pytest.mark.slow
def test_texts_made_to_be_slow_hold_up_nobody(tmp_path: pathlib.Path) -> None:
    assert len(hostile_texts.TEXTS) == 60
    hostile_texts.write(tmp_path)
    questions = list(hostile_texts.questions(tmp_path))
    with board_process.Process("--logdir", tmp_path, "--port", "0") as board:
        board.wait_for_runs("texts", "tables", "described", "config/0")
        clients = Clients(board, questions)
        clients.run()
        board.process.send_signal(signal.SIGTERM)
        board.process.wait(HANG_SECS)
    assert len(clients.answers) == len(questions)
    assert [(address, status) for address, status, _ in clients.answers if status >= 500] == []
    assert max(secs for *_, secs in clients.answers) < HANG_SECS
    assert max(clients.light) < HANG_SECS
