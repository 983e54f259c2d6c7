"""The runs of the demo. All values come from seeded noise: the same logs each time, except for the times.

digits/lr=…/{train,validation}   scalars; one diverges to NaN, one was restarted from a checkpoint
sweep/…                          many short runs with hyperparameters
showcase                         images, audio, video, text, HTML, tables, Plotly figures, histograms, PR curves,
                                 a mesh, a graph with the times of its operations, custom scalars, a tensor, vectors
damaged                          a file with broken bytes in the middle
live                             grows while the demo runs
"""

from __future__ import annotations

import itertools
import json
import math
import random
import time
from collections.abc import Iterator
from pathlib import Path

from lightboard import wire
from lightboard.demo import events, films, network, pictures, shapes, sounds, vectors

STEPS = 600
RESTARTED_AT = 350
SHOWN_STEPS = 12  # of every kind but scalars


def write(directory: Path, *, now: float | None = None) -> None:
    """Write all runs but `live`, with times of the last two hours."""
    for _ in writing(directory, now=now):
        pass


def writing(directory: Path, *, now: float | None = None) -> Iterator[None]:
    """As `write`; each `next` writes one part, so that the caller can stop in between."""
    end = time.time() if now is None else now
    start = end - 7200
    for number, rate in enumerate((0.001, 0.01, 0.1, 1.0)):
        _digits(directory / "digits" / f"lr={rate:g}", rate, start + 60 * number)
        yield
    _experiment(directory / "sweep", start)
    yield
    for number, choice in enumerate(itertools.product((32, 64, 128), ("adam", "sgd"), (0.0, 0.2), (1, 2))):
        _sweep(directory / "sweep", number, choice, start + 100 * number)
        yield
    _showcase(directory / "showcase", start)
    yield
    vectors.write(directory / "showcase")
    yield
    _damaged(directory / "damaged", start)
    yield


def live(directory: Path) -> Iterator[None]:
    """Each `next` adds a step to the run `live`."""
    noise = random.Random(7)
    with events.EventFile(directory / "live", time.time()) as file:
        for step in itertools.count():
            loss = 2 * math.exp(-step / 90) + 0.2 + noise.gauss(0, 0.03)
            accuracy = 1 - 0.9 * math.exp(-step / 60) + noise.gauss(0, 0.01)
            file.add(step, time.time(), events.scalar("loss", loss), events.scalar("accuracy", accuracy))
            yield


# ---- scalars ----


def _digits(directory: Path, rate: float, start: float) -> None:
    """Training and validation at one learning rate; 1.0 diverges, 0.01 was stopped and resumed at an earlier step."""
    resumed = rate == 0.01
    for part, penalty in (("train", 0.0), ("validation", 0.15)):
        noise = random.Random(f"{rate}{part}")
        stretches = [(0, STEPS)] if not resumed else [(0, RESTARTED_AT + 100), (RESTARTED_AT, STEPS)]
        for number, (first, last) in enumerate(stretches):
            begun = start + 1500 * number
            with events.EventFile(directory / part, begun) as file:
                for step in range(first, last):
                    values = _curves(step, rate, penalty, noise)
                    file.add(step, begun + 2 * (step - first) + 1, *values)


def _curves(step: int, rate: float, penalty: float, noise: random.Random) -> list[bytes]:
    speed = 40 / math.sqrt(rate)
    loss = 2.3 * math.exp(-step / speed) + 0.1 + penalty + abs(noise.gauss(0, 0.02 + rate / 10))
    accuracy = max(0.1, 1 - loss / 2.5 - noise.random() * 0.02)
    if rate >= 1 and step > 200:
        loss = math.exp((step - 200) / 20) if step < 260 else math.nan
        accuracy = 0.1
    return [
        events.scalar("loss", loss),
        events.scalar("accuracy", accuracy),
        events.scalar("learning_rate", rate * 0.5 * (1 + math.cos(math.pi * step / STEPS))),
    ]


def _damaged(directory: Path, start: float) -> None:
    noise = random.Random(3)
    with events.EventFile(directory, start) as file:
        for step in range(100):
            file.add(step, start + step, events.scalar("loss", 1 / (step + 1) + noise.gauss(0, 0.01)))
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
        for step in range(100):
            accuracy = best * (1 - math.exp(-step / 25)) + noise.gauss(0, 0.008)
            loss = 2 * math.exp(-step / 30) + 1 - best + abs(noise.gauss(0, 0.02))
            file.add(step, start + step, events.scalar("accuracy", accuracy), events.scalar("loss", loss))
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
    metrics = [wire.message(5, wire.message(1, wire.text(2, tag))) for tag in ("accuracy", "loss")]
    with events.EventFile(directory, start) as file:
        content = wire.message(2, wire.text(1, "A small sweep"), *hparams, *metrics)
        file.add(0, start, events.bare("_hparams_/experiment", "hparams", content))


# ---- one run of every other kind ----


def _showcase(directory: Path, start: float) -> None:
    noise = random.Random(11)
    with events.EventFile(directory, start, ".v2") as file:
        file.add_graph(start, network.graph())
        file.add_run_metadata(start, "step 100", network.run_metadata())
        file.add(0, start, events.tensor("custom_scalars__config__", events.strings((), [_layout()]), "custom_scalars"))
        for number in range(SHOWN_STEPS):
            step, at = 50 * number, start + 300 * number
            file.add(step, at, *_margins(number, noise), _images(number), _confusion(number), _audio(number))
            if number % 4 == 0:
                file.add(step, at, _video(number), _html(number, step), _table(number), _plotly(number, step))
            file.add(step, at, _text(number, step), _histogram(number, noise), _pr_curve(number), *_mesh(number))
            file.add(step, at, _attention(number))


def _images(number: int) -> bytes:
    blobs = [pictures.ripple(64, number * 0.8 + sample, sample / 3) for sample in range(4)]
    return events.tensor(
        "samples", events.strings((6,), [b"64", b"64", *blobs]), "images", description="Four pictures of each step."
    )


def _confusion(number: int) -> bytes:
    learnt = number / (SHOWN_STEPS - 1)
    cells = [[learnt if row == column else (1 - learnt) / 4 for column in range(10)] for row in range(10)]
    return events.tensor("confusion_matrix", events.strings((3,), [b"120", b"120", pictures.matrix(cells)]), "images")


def _audio(number: int) -> bytes:
    clip = sounds.tone(220 * 2 ** (number / 12))
    encoding = wire.present_integer(2, 11)  # WAV
    return events.tensor("note", events.strings((1, 2), [clip, b"a note of the **demo**"]), "audio", encoding)


def _video(number: int) -> bytes:
    film = films.pendulum(0.4 + 0.1 * number, frames=16, size=48)
    return events.tensor("pendulum", events.strings((1,), [film]), "lightboard_video", b"video/mp4")


def _text(number: int, step: int) -> bytes:
    words = (
        f"### Step {step}\n\n| what | value |\n|---|---|\n| epoch | {number} |\n| *lucky number* | `{7 * number}` |\n"
    )
    return events.tensor("notes", events.strings((), [words.encode()]), "text")


def _html(number: int, step: int) -> bytes:
    cells = "".join(f'<i style="height:{8 * (i + 1) * (number + 1) % 90}px"></i>' for i in range(8))
    page = (
        "<style>body{font:14px sans-serif}div{display:flex;align-items:end;height:90px}"
        f"i{{width:20px;margin:1px;background:teal}}</style><h2>Report of step {step}</h2><div>{cells}</div>"
        "<p>Logged pages may have scripts: <button onclick=\"this.textContent = 'it works'\">try one</button></p>"
    )
    return events.tensor("report", events.strings((1,), [page.encode()]), "lightboard_html")


def _table(number: int) -> bytes:
    noise = random.Random(number)
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    rows = []
    for example in range(200):
        truth, sure = noise.randrange(10), noise.random()
        predicted = truth if noise.random() < 0.5 + 0.05 * number else noise.randrange(10)
        rows.append([example, names[truth], names[predicted], round(sure, 4), truth == predicted])
    content = {"columns": ["example", "truth", "prediction", "confidence", "right"], "rows": rows}
    return events.tensor("predictions", events.strings((1,), [json.dumps(content).encode()]), "lightboard_table")


def _plotly(number: int, step: int) -> bytes:
    noise = random.Random(number + 50)
    groups = []
    for group in range(3):
        centre = group * (0.5 + number / 4)
        x, y = ([round(noise.gauss(centre * side, 1), 3) for _ in range(60)] for side in (1, -0.6))
        groups.append({"type": "scatter", "mode": "markers", "name": f"class {group}", "x": x, "y": y})
    figure = {"data": groups, "layout": {"title": {"text": f"Embedding at step {step}"}}}
    return events.tensor("embedding", events.strings((1,), [json.dumps(figure).encode()]), "lightboard_plotly")


def _histogram(number: int, noise: random.Random) -> bytes:
    centre, spread = 0.1 * number, 0.4 + 0.08 * number
    drawn = [noise.gauss(centre, spread) for _ in range(2000)]
    low, high, count = min(drawn), max(drawn), 30
    width = (high - low) / count
    buckets = [0] * count
    for value in drawn:
        buckets[min(count - 1, int((value - low) / width))] += 1
    rows = [[low + i * width, low + (i + 1) * width, filled] for i, filled in enumerate(buckets)]
    return events.tensor(
        "weights", events.numbers(events.DOUBLE, (count, 3), itertools.chain.from_iterable(rows)), "histograms"
    )


def _pr_curve(number: int) -> bytes:
    """True and false positives and negatives, precision and recall at 51 thresholds, of a classifier that learns."""
    count, skill = 51, 0.5 + 1.5 * number / SHOWN_STEPS
    thresholds = [i / (count - 1) for i in range(count)]
    hits = [500 * (1 - t**skill) for t in thresholds]
    alarms = [500 * (1 - t) ** (1 + skill) for t in thresholds]
    precision = [h / (h + a) if h + a else 1.0 for h, a in zip(hits, alarms, strict=True)]
    rows = [hits, alarms, [500 - a for a in alarms], [500 - h for h in hits], precision, [h / 500 for h in hits]]
    content = wire.present_integer(2, count)
    proto = events.numbers(events.FLOAT, (6, count), itertools.chain.from_iterable(rows))
    return events.tensor("quality", proto, "pr_curves", content)


def _mesh(number: int) -> list[bytes]:
    parts = (
        ("VERTEX", 1, events.FLOAT, shapes.vertices(0.2 + 0.02 * number)),
        ("FACE", 2, events.INT32, shapes.faces()),
        ("COLOR", 3, events.UINT8, shapes.colors(number / SHOWN_STEPS)),
    )
    found = []
    for name, code, dtype, values in parts:
        shape = (1, len(values) // 3, 3)
        sizes = b"".join(wire.present_integer(6, size) for size in shape)
        content = wire.text(2, "torus") + wire.present_integer(3, code) + sizes + wire.present_integer(7, 0b1110)
        found.append(events.tensor(f"torus_{name}", events.numbers(dtype, shape, values), "mesh", content))
    return found


def _attention(number: int) -> bytes:
    """A tensor of no known kind: four tables of 16 by 16; each row adds up to 1 and becomes sharper with the steps."""
    size, values = 16, []
    for head, row in itertools.product(range(4), range(size)):
        weights = [math.exp(-abs(column - (row + 2 * head) % size) * 0.1 * (number + 1)) for column in range(size)]
        values += [weight / sum(weights) for weight in weights]
    return events.tensor("attention", events.numbers(events.FLOAT, (4, size, size), values), "tensor")


def _margins(number: int, noise: random.Random) -> list[bytes]:
    middle = 1 / (number + 1)
    spread = 0.1 + noise.random() * 0.05
    names = {"score": middle, "score_lower": middle - spread, "score_upper": middle + spread}
    return [events.scalar(name, value) for name, value in names.items()]


def _layout() -> bytes:
    """One chart with a band around a line, one with all lines whose tag begins with `score`."""
    band = wire.message(1, wire.text(1, "score"), wire.text(2, "score_lower"), wire.text(3, "score_upper"))
    margin = wire.message(2, wire.text(1, "score with its margin"), wire.message(3, band))
    lines = wire.message(2, wire.text(1, "all scores"), wire.message(2, wire.text(1, "score.*")))
    return wire.message(2, wire.text(1, "scores"), margin, lines)
