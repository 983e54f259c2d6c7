"""The runs of the demo. All values come from seeded noise: the same logs each time, except for the times.

digits/lr=…               one model at four learning rates: one is slow, one was restarted from a checkpoint, one has a
                          spike and overfits, one diverges to NaN
sweep/…                   many short runs with hyperparameters, three seeds of each configuration
showcase/{small,…,large}  every kind of data but training curves: see `showcase`
damaged                   a file with broken bytes in the middle
live                      grows while the demo runs

Scalars have the tags that most programs log: `train/…`, `val/…`, `system/…`.
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Generator, Iterator
from pathlib import Path

from lightboard import wire
from lightboard.demo import events, showcase

STEPS = 600
RESTARTED_AT = 350
SPIKE_AT = 420
VALIDATED_EVERY = 10  # steps; system metrics have the same
LAYERS = ("stem", "block_0", "block_1", "head")
LIVE_STEPS = 150  # of `live` that are there from the start


def write(directory: Path, *, now: float | None = None) -> None:
    """Write all runs but `live`, with times of the last two hours."""
    for _ in writing(directory, now=now):
        pass


def writing(directory: Path, *, now: float | None = None) -> Iterator[None]:
    """As `write`; each `next` writes one part, so that the caller can stop in between."""
    end = time.time() if now is None else now
    start = end - 7200
    for number, rate in enumerate((0.001, 0.01, 0.1, 1.0)):
        _digits(directory / "digits" / f"lr={rate:g}", rate, number, start + 60 * number)
        yield
    _experiment(directory / "sweep", start)
    yield
    for number, choice in enumerate(itertools.product((32, 64, 128), ("adam", "sgd"), (0.0, 0.2), (1, 2, 3))):
        _sweep(directory / "sweep", number, choice, start + 100 * number)
        yield
    yield from showcase.writing(directory / "showcase", start)
    _damaged(directory / "damaged", start)
    yield


def live(directory: Path) -> Generator[None, None, None]:
    """Each `next` adds a step to the run `live`; the first one also adds steps of the past minutes."""
    noise = random.Random(7)
    start = time.time() - LIVE_STEPS
    with events.EventFile(directory / "live", start) as file:
        for step in itertools.count():
            loss = 2 * math.exp(-step / 90) + 0.2 + noise.gauss(0, 0.03)
            at = start + step if step < LIVE_STEPS else time.time()
            file.add(step, at, *_measured("train", loss, noise))
            if step % VALIDATED_EVERY == 0:
                file.add(step, at, *_measured("val", loss + 0.1, noise), *_machine(step, 0, noise))
            if step >= LIVE_STEPS:
                yield


# ---- scalars ----


def _digits(directory: Path, rate: float, gpu: int, start: float) -> None:
    """Training at one learning rate; 0.01 was stopped and resumed at an earlier step."""
    noise = random.Random(f"{rate}")
    stretches = [(0, STEPS)] if rate != 0.01 else [(0, RESTARTED_AT + 100), (RESTARTED_AT, STEPS)]
    for number, (first, last) in enumerate(stretches):
        begun = start + 1500 * number
        with events.EventFile(directory, begun) as file:
            for step in range(first, last):
                at = begun + 2 * (step - first) + 1
                loss = _loss(step, rate, noise)
                decay = 0.5 * (1 + math.cos(math.pi * step / STEPS))
                file.add(step, at, *_measured("train", loss, noise), events.scalar("train/learning_rate", rate * decay))
                file.add(step, at, *_gradients(loss, noise))
                if step % VALIDATED_EVERY == 0:
                    worse = loss + 0.08 + _overfit(step, rate)
                    file.add(step, at, *_measured("val", worse, noise), *_machine(step, gpu, noise))


def _loss(step: int, rate: float, noise: random.Random) -> float:
    """1.0 diverges and ends in NaN; 0.1 has a spike from which it recovers."""
    if rate >= 1 and step > 200:
        return math.exp((step - 200) / 20) if step < 260 else math.nan
    speed = 40 / math.sqrt(rate)
    loss = 2.3 * math.exp(-step / speed) + 0.1 + abs(noise.gauss(0, 0.02 + rate / 10))
    if rate == 0.1 and step >= SPIKE_AT:
        loss += 4 * math.exp(-(step - SPIKE_AT) / 6)
    return loss


def _overfit(step: int, rate: float) -> float:
    """How much the validation loss of 0.1 rises while its training loss falls."""
    return 0.002 * (step - 200) if rate == 0.1 and step > 200 else 0.0


def _measured(part: str, loss: float, noise: random.Random) -> list[bytes]:
    accuracy = 0.1 if math.isnan(loss) else max(0.1, 1 - loss / 2.5 - noise.random() * 0.02)
    return [events.scalar(f"{part}/loss", loss), events.scalar(f"{part}/accuracy", accuracy)]


def _gradients(loss: float, noise: random.Random) -> list[bytes]:
    return [
        events.scalar(f"train/gradients/{layer}/norm", loss * (1 + at / 2) * (0.8 + 0.4 * noise.random()))
        for at, layer in enumerate(LAYERS)
    ]


def _machine(step: int, gpu: int, noise: random.Random) -> list[bytes]:
    """As `lightboard.init` logs the first GPU; `gpu` makes the machines differ. Each 200 steps data are loaded."""
    loading = step % 200 < 2 * VALIDATED_EVERY
    warm = 1 - math.exp(-step / (60 + 20 * gpu))
    return [
        events.scalar("system/gpu0_utilization_percent", 30 + 5 * gpu if loading else 97 - 5 * gpu + noise.gauss(0, 1)),
        events.scalar("system/gpu0_memory_used_mb", 8000 + 1500 * gpu + 600 * min(3, step // 100)),
        events.scalar("system/gpu0_temperature_celsius", 41 + (24 + 4 * gpu) * warm + noise.gauss(0, 0.4)),
    ]


def _damaged(directory: Path, start: float) -> None:
    noise = random.Random(3)
    with events.EventFile(directory, start) as file:
        for step in range(100):
            file.add(step, start + step, events.scalar("train/loss", 1 / (step + 1) + noise.gauss(0, 0.01)))
            if step == 40:
                file.add_damage(bytes(noise.randrange(256) for _ in range(200)))


# ---- hyperparameters ----


def _sweep(directory: Path, number: int, choice: tuple[int, str, float, int], start: float) -> None:
    units, optimizer, dropout, seed = choice
    run = directory / f"units={units},optimizer={optimizer},dropout={dropout:g},seed={seed}"
    noise = random.Random(number)
    end = start + 100
    with events.EventFile(run, start) as file:
        file.add(0, start, events.bare("_hparams_/session_start_info", "hparams", _session(choice, start)))
        best = 0.75 + 0.05 * math.log2(units / 32) + (0.06 if optimizer == "adam" else 0) + 0.1 * dropout
        best += noise.gauss(0, 0.012)  # what the seed changes
        for step in range(0, STEPS, 6):
            at = start + step / 6
            loss = 2 * math.exp(-step / 180) + 1 - best + abs(noise.gauss(0, 0.02))
            file.add(step, at, events.scalar("train/loss", loss))
            if step % 18 == 0:
                accuracy = best * (1 - math.exp(-step / 150)) + noise.gauss(0, 0.008)
                loss += 0.1 - dropout / 3
                file.add(step, at, events.scalar("val/accuracy", accuracy), events.scalar("val/loss", loss))
        ended = wire.message(4, wire.present_integer(1, 1), wire.double(2, end))
        file.add(0, end, events.bare("_hparams_/session_end_info", "hparams", ended))


def _session(choice: tuple[int, str, float, int], start: float) -> bytes:
    units, optimizer, dropout, seed = choice
    numbers = {"units": units, "dropout": dropout, "seed": seed}
    pairs = [
        wire.message(1, wire.text(1, name), wire.message(2, wire.double(2, value))) for name, value in numbers.items()
    ]
    pairs.append(wire.message(1, wire.text(1, "optimizer"), wire.message(2, wire.text(3, optimizer))))
    group = f"{units} {optimizer} {dropout:g}"
    return wire.message(3, *pairs, wire.text(4, group), wire.double(5, start))


def _experiment(directory: Path, start: float) -> None:
    """The hyperparameters and metrics of the sweep; type 1 is a string, 3 a number."""
    kinds = {"units": 3, "dropout": 3, "seed": 3, "optimizer": 1}
    hparams = [wire.message(4, wire.text(1, name), wire.present_integer(4, kind)) for name, kind in kinds.items()]
    metrics = [wire.message(5, wire.message(1, wire.text(2, tag))) for tag in ("val/accuracy", "val/loss")]
    with events.EventFile(directory, start) as file:
        content = wire.message(2, wire.text(1, "A small sweep"), *hparams, *metrics)
        file.add(0, start, events.bare("_hparams_/experiment", "hparams", content))
