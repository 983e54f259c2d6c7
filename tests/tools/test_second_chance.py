"""Tests that pass only the second time are written down; those that fail twice fail the run."""

from __future__ import annotations

import pathlib

import pytest
import second_chance

RACE = """
import pathlib

def test_race():
    mark = pathlib.Path(__file__).with_name("ran_before")
    ran_before = mark.exists()
    mark.touch()
    assert ran_before

def test_steady():
    pass
"""


@pytest.fixture
def build(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "build").mkdir()
    return tmp_path / "build"


def run(build: pathlib.Path, source: str, *words: str) -> int:
    test = build.parent / "test_case.py"
    test.write_text(source)
    return second_chance.run([str(test), "-q", *words], build=build)


def test_a_race_passes_the_second_time_and_is_written_down(build: pathlib.Path) -> None:
    assert run(build, RACE, "--numprocesses", "1", "--dist", "loadfile") == 0
    assert [line.rpartition("::")[2] for line in (build / "flaky.txt").read_text().split()] == ["test_race"]


def test_a_real_fault_fails_twice(build: pathlib.Path) -> None:
    assert run(build, "def test_wrong():\n    assert False\n") == 1


def test_steady_tests_leave_no_list(build: pathlib.Path) -> None:
    assert run(build, "def test_right():\n    pass\n") == 0
    assert not (build / "flaky.txt").exists()


def test_a_run_that_could_not_begin_is_not_repeated(build: pathlib.Path) -> None:
    assert second_chance.run(["--no-such-option"], build=build) == 4
    assert not (build / "flaky.txt").exists()
