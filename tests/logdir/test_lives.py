"""Random lives of a log directory: after any changes, restarts and merges a board shows what a fresh one reads.

Also: readers asking all the time while the writer works.
"""

from __future__ import annotations

import os
import pathlib
import random
import shutil
import threading
from collections.abc import Callable

import event_files
import pytest
from logdir_reader import Reader

from lightboard import types

Read = Callable[..., Reader]

TAGS = ("loss", "acc", "lr")


def events(luck: random.Random, count: int) -> list[bytes]:
    """Scalars of random tags, wall times ever later."""
    made = []
    for _ in range(count):
        events.clock += 1  # type: ignore[attr-defined]
        clock = events.clock  # type: ignore[attr-defined]
        form = luck.choice(["simple", "tensor"])
        number = luck.randrange(1000)
        made.append(event_files.scalar_event(luck.choice(TAGS), number, clock, event_files.WALL + clock, form=form))
    return made


events.clock = 0  # type: ignore[attr-defined]


def change(luck: random.Random, logs: pathlib.Path, tmp: pathlib.Path) -> str:
    """Do something to the log directory; says what."""
    files = sorted(logs.rglob("*tfevents*"))
    what = luck.choice(["new", "append", "append", "append", "cut", "truncate", "replace", "remove", "rename", "tree"])
    if what == "new" or not files:
        path = logs / luck.choice("abc") / luck.choice(["", "d/e"]) / f"x.tfevents.{luck.randrange(4)}"
        event_files.append(path, events(luck, luck.randrange(4)))
        return f"new {path}"
    path = luck.choice(files)
    if what == "append":
        event_files.append(path, events(luck, luck.randrange(1, 4)))
    elif what == "cut":
        data = event_files.record(events(luck, 1)[0])
        with open(path, "ab") as file:
            file.write(data[: luck.randrange(len(data))])
            file.flush()
    elif what == "truncate":
        os.truncate(path, luck.randrange(path.stat().st_size + 1))
    elif what == "replace":
        event_files.write(tmp / "fresh", events(luck, luck.randrange(5))).replace(path)
    elif what == "remove":
        path.unlink()
    elif what == "rename":
        path.rename(path.with_name(f"x.tfevents.{luck.randrange(4)}"))
    else:
        target = logs / luck.choice("abc")
        if luck.random() < 0.5 and path.parent != logs and not target.exists():
            path.parent.rename(target)
        else:
            shutil.rmtree(path.parent)
            path.parent.mkdir(parents=True)
    return f"{what} {path}"


@pytest.mark.parametrize("seed", range(12))
def test_a_board_shows_what_a_fresh_one_reads(
    logs: pathlib.Path, tmp_path: pathlib.Path, read: Read, seed: int
) -> None:
    luck = random.Random(seed)
    reader = read()
    history = []
    for _ in range(25):
        history += [change(luck, logs, tmp_path) for _ in range(luck.randrange(1, 4))]
        if luck.random() < 0.2:
            reader.stop()
            reader = read()
            history.append("restart")
        fresh = read(index=False)
        assert sorted_points(reader.load()) == sorted_points(fresh.load()), history
        fresh.stop()


def sorted_points(reader: Reader) -> dict[str, dict[str, list[tuple[int, float]]]]:
    """Points that share a step may come in either order when several files were written at once."""
    return {run: {tag: sorted(points) for tag, points in tags.items()} for run, tags in reader.shown().items()}


def test_readers_are_never_disturbed(logs: pathlib.Path, read: Read) -> None:
    paths = [logs / f"run{number}" / "x.tfevents" for number in range(4)]
    for path in paths:
        event_files.write(path, event_files.scalars("loss", [0.0]))
    reader = read(reload_interval=0.05).start()
    stop, problems, longest = threading.Event(), [], [0]

    def ask() -> None:
        try:
            while not stop.is_set():
                for run in reader.store.runs():
                    series = reader.store.series(run, "loss")
                    if series is None:
                        continue
                    points = series.points(types.Rewinds.ALL)
                    assert points.steps.tolist() == list(range(len(points)))
                    assert points.values.tolist() == [float(step) for step in range(len(points))]
                    longest[0] = max(longest[0], len(points))
                reader.store.stats(reader.store.series_rows(types.Kind.SCALARS))
        except Exception as problem:
            problems.append(problem)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    for step in range(1, 120):
        for path in paths:
            event_files.append(path, [event_files.scalar_event("loss", step, step, event_files.WALL + step)])
        if step % 20 == 0:
            reader.follower._merge_at = 0.0  # merge at the next opportunity
            reader.until(lambda step=step: len(reader.shown()["run0"]["loss"]) > step)  # type: ignore[misc]
    reader.until(lambda: all(len(tags["loss"]) == 120 for tags in reader.shown().values()))
    stop.set()
    for thread in threads:
        thread.join()
    assert problems == []
    assert longest[0] > 1
