"""Writes every payload into real event files, and into the remarks beside them: what a board shows, hostile.

text       one tag, a payload a step          pictures   SVG and pictures, a tag each
html       a tag each                         figures    Plotly, a tag each
names      names as tags of every kind, as columns and cells, values of the configuration, descriptions, plugins
<names>    names as runs, as far as a file system takes them; remarks with names, notes, tags
"""

from __future__ import annotations

import json
import pathlib

import event_files
import made_media
import numpy as np
from browser import hostile_payloads as payloads

from lightboard.sdk import curves, custom_scalars, histograms, meshes

# A name in front, so that all are in one section and none is a section of its own.
BEFORE = "n:"
RUNS = "runs"


def strings(tag: str, plugin: str, content: list[bytes], *, step: int = 0, shape: list[int] | None = None) -> bytes:
    tensor = event_files.string_tensor(content, shape=[len(content)] if shape is None else shape)
    metadata = event_files.summary_metadata(plugin, data_class=3)
    return event_files.summary_event(value(tag, event_files.field_bytes(8, tensor), metadata), step=step)


def value(tag: str, what: bytes, metadata: bytes) -> bytes:
    """As event_files.value, but names may be no UTF-8."""
    name = tag.encode("utf-8", "surrogatepass")
    return event_files.field_bytes(1, event_files.field_bytes(1, name) + what + event_files.field_bytes(9, metadata))


def picture_event(tag: str, *pictures: bytes) -> bytes:
    return strings(tag, "images", [b"80", b"60", *pictures])


def _summary(made: bytes, step: int = 0) -> bytes:
    return event_files.summary_event(event_files.field_bytes(1, made), step=step)


def tag_of(payload: payloads.Payload) -> str:
    return f"{payload.family}/{payload.number} {payload.name}"


def write(folder: pathlib.Path, host: str) -> None:
    def events(run: str, written: list[bytes]) -> None:
        event_files.write(folder / run / "events.out.tfevents.1", [event_files.version_event(), *written])

    events("text", [strings("text/all", "text", [one.data(host)], step=one.number, shape=[]) for one in payloads.TEXT])
    events("html", [strings(tag_of(one), "lightboard_html", [one.data(host)]) for one in payloads.HTML])
    pictures = (*payloads.SVG, *payloads.IMAGES)
    events("pictures", [picture_event(tag_of(one), one.data(host)) for one in pictures])
    figures = (*payloads.PLOTLY, *payloads.BROKEN_PLOTLY)
    events("figures", [strings(tag_of(one), "lightboard_plotly", [one.data(host)]) for one in figures])
    sound = made_media.wav(made_media.wave(0.1))
    clips = [strings(tag_of(one), "audio", [sound, one.data(host)], shape=[1, 2]) for one in payloads.LABELS]
    # what claims to be a sound or a film
    for number, one in enumerate(payloads.IMAGES[:6]):
        clips.append(strings(f"clips/{number}", "audio", [one.data(host), b""], shape=[1, 2]))
        clips.append(strings(f"films/{number}", "lightboard_video", [one.data(host)]))
    events("clips", clips)
    events("names", _names(host))
    events("bombs", [strings(f"bombs/{at}", "lightboard_table", [one]) for at, one in enumerate(payloads.JSON_BOMBS)])
    for number, one in enumerate(payloads.NAMES):
        name = run_name(one, host)
        if name is not None:
            events(name, event_files.scalars("shared", [1.0, 0.5 + number / 99, 0.1]))
    _write_remarks(folder, host)


def run_name(payload: payloads.Payload, host: str) -> str | None:
    """None where no directory can have the name."""
    name = payload.text(host)
    fits = "/" not in name and "\0" not in name and "\ud83d" not in name and len(name.encode()) < 200
    return f"{RUNS}/{name}" if fits else None


def _names(host: str) -> list[bytes]:
    events: list[bytes] = []
    names = [BEFORE + one.text(host) for one in payloads.NAMES]
    rng = np.random.default_rng(5)
    for number, name in enumerate(names):
        whole = _whole(name)
        about = event_files.summary_metadata("scalars", display_name=whole, description=f"about {whole}")
        for step in range(3):
            tensor = event_files.field_bytes(8, event_files.tensor([step / (number + 1)]))
            events.append(event_files.summary_event(value(name, tensor, about), step=step))
    for name in (BEFORE + payloads.NAMES[at].text(host) for at in KINDS_NAMES):
        data = name.encode("utf-8", "replace")
        events.append(strings(f"text {name}", "text", [data], shape=[]))
        events.append(strings(f"page {name}", "lightboard_html", [b"<p>a page</p>"]))
        events.append(picture_event(f"picture {name}", payloads.SVG[0].data(host)))
        events.append(strings(f"clip {name}", "audio", [made_media.wav(made_media.wave(0.1)), data], shape=[1, 2]))
        events.append(_summary(histograms.value(f"histogram {name}", rng.normal(size=50))))
        labels, predictions = rng.integers(0, 2, 50), rng.random(50)
        events.append(_summary(curves.value(f"curve {name}", labels, predictions)))
        points = rng.random((1, 8, 3)).astype(np.float32)
        events += [
            _summary(one) for one in meshes.values(f"mesh {name}", points, None, None, {"material": {"cls": name}})
        ]
        tensor = event_files.field_bytes(8, event_files.tensor([1.0, 2.0, 3.0], shape=[3]))
        plugin = event_files.summary_metadata(data.decode(), content=data, description=f"about {data.decode()}")
        events.append(event_files.summary_event(value(f"tensor {name}", tensor, plugin)))
    for number in KINDS_NAMES[:2]:  # each loads a large library
        title = BEFORE + payloads.NAMES[number].text(host)
        events.append(strings(f"figure {title}", "lightboard_plotly", [payloads.PLOTLY[0].data(host)]))
    cells = [[_whole(name), at] for at, name in enumerate(_texts(host))]
    table = {"columns": [NAMED.text(host), "number"], "rows": cells}
    events.append(strings("cells", "lightboard_table", [json.dumps(table).encode()]))
    events.append(_summary(custom_scalars.value(_layout(host))))
    config: dict[str, object] = {_whole(name): _whole(name) for name in _texts(host)}
    config["deep"] = _deep(60)
    for word, content in (("config", config), ("summary", config), ("run", {"command": config, "git": config})):
        events.append(strings(f"_lightboard_/{word}", "lightboard_run", [json.dumps(content).encode()], shape=[]))
    return events


# As tags of kinds other than scalars, for which the list of all would be long: image, script, cover, null, line
# breaks, right to left, long word, half a character.
KINDS_NAMES = (0, 1, 6, 19, 21, 23, 27, 31)
NAMED = payloads.NAMES[0]


def _whole(name: str) -> str:
    """Without halves of characters, where the format has none."""
    return name.encode("utf-8", "replace").decode()


def _texts(host: str) -> list[str]:
    return [one.text(host) for one in payloads.NAMES]


def _deep(depth: int) -> object:
    found: object = NAMED.source
    for _ in range(depth):
        found = {"in": found}
    return found


def _layout(host: str) -> dict[str, dict[str, list[object]]]:
    patterns = {pattern[:40]: ["Multiline", [pattern]] for pattern in payloads.PATTERNS}
    titles = {name: ["Multiline", [f"{BEFORE}.*"]] for name in _texts(host)[:6]}
    margins: list[object] = ["Margin", ["shared", "shared", "shared"]]
    return {NAMED.text(host): {**patterns, **titles, "margins": margins}}  # type: ignore[dict-item]


def _write_remarks(folder: pathlib.Path, host: str) -> None:
    """As if somebody had sent the directory with its `.lightboard` inside."""
    names = [one for one in payloads.NAMES if run_name(one, host) is not None]
    remarks: dict[str, object] = {}
    for number, one in enumerate(names):
        run = run_name(one, host)
        assert run is not None
        note = payloads.NOTES[number % len(payloads.NOTES)]
        remarks[run] = {
            "name": f"named {one.text(host)}"[:490],
            "note": note.text(host),
            "tags": [one.text(host)[:90], "<b>tag</b>"],
            "color": "red;background:url(http://stranger.example)" if number % 2 else "#aabbcc",
        }
    kept = folder / ".lightboard"
    (kept / "views").mkdir(parents=True)
    document = {"lightboard": "annotations", "version": 1, "runs": remarks}
    (kept / "annotations.json").write_text(json.dumps(document))
    for number, one in enumerate(payloads.NAMES):
        view = {
            "name": one.text(host)[:190],
            "view": f"runs?q={one.text(host)[:99]}",
            "saved": 1.7e9,
            "description": one.text(host),
        }
        (kept / "views" / f"{number}.json").write_text(json.dumps(view))
