"""Everything but scalars of training, in three runs of one model: small, base, large.

The larger the model, the sooner it learns to draw rings, play a note and tell a story, so that the pictures, clips and
texts of a step differ between the runs. Only `base` has a graph, vectors and a layout of custom scalars.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Iterator
from pathlib import Path

from lightboard import wire
from lightboard.demo import events, films, network, pictures, shapes, sounds, vectors

SHOWN_STEPS = 12
SPEEDS = {"small": 0.1, "base": 0.25, "large": 0.6}  # how quickly a model learns
STORY = (
    "Once upon a time a small network looked at ten thousand digits. At first it saw nothing but noise. Then it saw "
    "strokes, then loops, and one morning it could tell a seven from a one."
)


def writing(directory: Path, start: float) -> Iterator[None]:
    """Each `next` writes one run, or the files beside it."""
    for number, (name, speed) in enumerate(SPEEDS.items()):
        _model(directory / name, speed, start + 30 * number)
        yield
    vectors.write(directory / "base")
    yield


def _model(directory: Path, speed: float, start: float) -> None:
    noise = random.Random(f"{speed}")
    with events.EventFile(directory, start, ".v2") as file:
        if directory.name == "base":
            file.add_graph(start, network.graph())
            file.add_run_metadata(start, "step 100", network.run_metadata())
            layout = events.strings((), [_layout()])
            file.add(0, start, events.tensor("custom_scalars__config__", layout, "custom_scalars"))
        for number in range(SHOWN_STEPS):
            step, at = 50 * number, start + 300 * number
            skill = 1 - math.exp(-speed * (number + 0.5))
            file.add(step, at, *_scores(skill, noise), _rings(number, skill), _confusion(skill), _note(number, skill))
            if number % 4 == 0:
                file.add(step, at, _pendulum(skill), _report(step, skill), _predictions(number, skill))
                file.add(step, at, _embedding(number, step, skill))
            file.add(step, at, _story(step, skill, noise), _pr_curve(skill), *_mesh(number, skill))
            file.add(step, at, *_weights(skill, noise), _attention(skill))


def _scores(skill: float, noise: random.Random) -> list[bytes]:
    score, spread = skill + noise.gauss(0, 0.01), 0.15 * (1.2 - skill)
    values = {"val/score": score, "val/score_lower": score - spread, "val/score_upper": score + spread}
    return [events.scalar(tag, value) for tag, value in values.items()]


def _layout() -> bytes:
    """One chart with a band around a line, one with all lines whose tag begins with `val/score`."""
    names = (wire.text(1, "val/score"), wire.text(2, "val/score_lower"), wire.text(3, "val/score_upper"))
    margin = wire.message(2, wire.text(1, "score with its margin"), wire.message(3, wire.message(1, *names)))
    lines = wire.message(2, wire.text(1, "all scores"), wire.message(2, wire.text(1, "val/score.*")))
    return wire.message(2, wire.text(1, "scores"), margin, lines)


# ---- pictures, sounds, texts ----


def _rings(number: int, skill: float) -> bytes:
    blobs = [pictures.rings(64, number * 0.8 + sample, sample / 3, skill) for sample in range(4)]
    proto = events.strings((6,), [b"64", b"64", *blobs])
    return events.tensor("samples/rings", proto, "images", description="Four pictures of each step.")


def _confusion(skill: float) -> bytes:
    cells = [[_confused(row, column, skill) for column in range(10)] for row in range(10)]
    proto = events.strings((3,), [b"120", b"120", pictures.matrix(cells)])
    return events.tensor("val/confusion_matrix", proto, "images")


def _confused(row: int, column: int, skill: float) -> float:
    """The share of digits `row` that are taken for `column`; 4 and 9 stay difficult for long."""
    if {row, column} == {4, 9}:
        return (1 - skill) / 4 + 0.3 * (1 - skill**2)
    return skill if row == column else (1 - skill) / 4


def _note(number: int, skill: float) -> bytes:
    clip = sounds.tone(220 * 2 ** (number / 12), skill)
    encoding = wire.present_integer(2, 11)  # WAV
    return events.tensor("samples/note", events.strings((1, 2), [clip, b"a note of the **demo**"]), "audio", encoding)


def _pendulum(skill: float) -> bytes:
    video = films.pendulum(0.9, frames=16, size=48, jitter=0.6 * (1 - skill))
    return events.tensor("samples/pendulum", events.strings((1,), [video]), "lightboard_video", b"video/mp4")


def _story(step: int, skill: float, noise: random.Random) -> bytes:
    """The more skill, the fewer letters are wrong."""
    letters = [each if each in " .," or noise.random() < skill else noise.choice("abcdefghij ") for each in STORY]
    table = f"| step | right letters |\n|---|---|\n| {step} | {skill:.0%} |\n"
    return events.tensor("samples/story", events.strings((), [f"{''.join(letters)}\n\n{table}".encode()]), "text")


def _report(step: int, skill: float) -> bytes:
    bars = "".join(f'<i style="height:{90 * skill ** (1 + digit / 4):.0f}px"></i>' for digit in range(10))
    page = (
        "<style>body{font:14px sans-serif}div{display:flex;align-items:end;height:90px}"
        f"i{{width:20px;margin:1px;background:teal}}</style><h2>Accuracy by digit, step {step}</h2><div>{bars}</div>"
        "<p>Logged pages may have scripts: <button onclick=\"this.textContent = 'it works'\">try one</button></p>"
    )
    return events.tensor("val/report", events.strings((1,), [page.encode()]), "lightboard_html")


def _predictions(number: int, skill: float) -> bytes:
    noise = random.Random(number)
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    rows = []
    for example in range(200):
        truth, sure = noise.randrange(10), noise.random()
        predicted = truth if noise.random() < skill else noise.randrange(10)
        rows.append([example, names[truth], names[predicted], round(sure, 4), truth == predicted])
    content = {"columns": ["example", "truth", "prediction", "confidence", "right"], "rows": rows}
    return events.tensor("val/predictions", events.strings((1,), [json.dumps(content).encode()]), "lightboard_table")


def _embedding(number: int, step: int, skill: float) -> bytes:
    noise = random.Random(number + 50)
    groups = []
    for group in range(3):
        center = group * (0.5 + 3 * skill)
        x, y = ([round(noise.gauss(center * side, 1), 3) for _ in range(60)] for side in (1, -0.6))
        groups.append({"type": "scatter", "mode": "markers", "name": f"class {group}", "x": x, "y": y})
    figure = {"data": groups, "layout": {"title": {"text": f"Embedding at step {step}"}}}
    return events.tensor("val/embedding", events.strings((1,), [json.dumps(figure).encode()]), "lightboard_plotly")


# ---- numbers ----


def _weights(skill: float, noise: random.Random) -> list[bytes]:
    """Weights of four layers, which move away from zero and spread as the model learns."""
    layers = ("encoder/stem", "encoder/block", "decoder/block", "decoder/head")
    return [
        _histogram(f"weights/{layer}/kernel", (at - 1.5) * 0.4 * skill, 0.15 + 0.3 * skill, noise)
        for at, layer in enumerate(layers)
    ]


def _histogram(tag: str, center: float, spread: float, noise: random.Random) -> bytes:
    """2,000 values around two centers, in 30 buckets."""
    count = 30
    edges = [center + spread * (8 * i / count - 4) for i in range(count + 1)]
    shares = [_density((a + b) / 2, center, spread) * (1 + noise.gauss(0, 0.05)) for a, b in itertools.pairwise(edges)]
    filled = [round(2000 * share / sum(shares)) for share in shares]
    rows = itertools.chain.from_iterable(zip(edges, edges[1:], filled, strict=False))
    return events.tensor(tag, events.numbers(events.DOUBLE, (count, 3), rows), "histograms")


def _density(x: float, center: float, spread: float) -> float:
    main, side = (x - center) / spread, (x - center - 1.6 * spread) / (0.5 * spread)
    return math.exp(-main * main / 2) + 0.35 * math.exp(-side * side / 2)


def _pr_curve(skill: float) -> bytes:
    """True and false positives and negatives, precision and recall at 51 thresholds, of a classifier."""
    count, power = 51, 0.4 + 3 * skill
    thresholds = [i / (count - 1) for i in range(count)]
    hits = [500 * (1 - t**power) for t in thresholds]
    alarms = [500 * (1 - t) ** (1 + power) for t in thresholds]
    precision = [h / (h + a) if h + a else 1.0 for h, a in zip(hits, alarms, strict=True)]
    rows = [hits, alarms, [500 - a for a in alarms], [500 - h for h in hits], precision, [h / 500 for h in hits]]
    content = wire.present_integer(2, count)
    proto = events.numbers(events.FLOAT, (6, count), itertools.chain.from_iterable(rows))
    return events.tensor("val/quality", proto, "pr_curves", content)


def _mesh(number: int, skill: float) -> list[bytes]:
    tag = "samples/torus"
    parts = (
        ("VERTEX", 1, events.FLOAT, shapes.vertices(0.1 + 0.4 * skill)),
        ("FACE", 2, events.INT32, shapes.faces()),
        ("COLOR", 3, events.UINT8, shapes.colors(number / SHOWN_STEPS)),
    )
    found = []
    for name, code, dtype, values in parts:
        shape = (1, len(values) // 3, 3)
        sizes = b"".join(wire.present_integer(6, size) for size in shape)
        content = wire.text(2, tag) + wire.present_integer(3, code) + sizes + wire.present_integer(7, 0b1110)
        found.append(events.tensor(f"{tag}_{name}", events.numbers(dtype, shape, values), "mesh", content))
    return found


def _attention(skill: float) -> bytes:
    """A tensor of no known kind: four tables of 16 by 16; each row adds up to 1 and becomes sharper with the steps."""
    size, values = 16, []
    for head, row in itertools.product(range(4), range(size)):
        weights = [math.exp(-abs(column - (row + 2 * head) % size) * 1.2 * skill) for column in range(size)]
        values += [weight / sum(weights) for weight in weights]
    return events.tensor("layers/attention", events.numbers(events.FLOAT, (4, size, size), values), "tensor")
