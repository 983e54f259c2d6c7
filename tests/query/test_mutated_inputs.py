"""Every decoder of users' files meets thousands of damaged ones: it answers, or raises one family of errors.

A few hundred inputs each by default. Many more, with figures, and a bar of one second and of memory:

    MUTATIONS=100000 .venv/bin/python -m pytest tests/query/test_mutated_inputs.py --timeout=0

Figures are added to build/mutations/report.txt, inputs that fail and the slowest ones lie beside it.
"""

from __future__ import annotations

import functools
import io
import os
import pathlib
import struct
from collections.abc import Callable
from typing import Any

import embedding_files
import event_files
import made_media
import made_pictures
import made_trials
import memory_files
import mutations
import numpy as np
import pytest
from PIL import Image

from lightboard import graph_bytes, logdir, store, types
from lightboard.demo import films
from lightboard.formats import checkpoints, film_headers, hdf5, hparams_texts, markup, sound_headers
from lightboard.query import (
    audio,
    custom_scalars,
    histograms,
    images,
    mesh,
    plotly,
    pr_curves,
    tables,
    tensors,
    thumbnails,
)
from lightboard.query.graphs import files as graph_files
from lightboard.query.graphs import nodes as graph_nodes
from lightboard.query.graphs import texts as graph_texts
from lightboard.query.projector import config as projector_config
from lightboard.query.projector import metadata as projector_metadata
from lightboard.query.projector import projector
from lightboard.query.projector import sources as projector_sources
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.sdk import hparams_messages, png
from lightboard.work import uploads as uploads_

DATA = pathlib.Path(__file__).parents[1] / "data"
COUNT = int(os.environ.get("MUTATIONS", "0"))
FEW = 300
KEPT = pathlib.Path(__file__).parents[2] / "build" / "mutations"
# In the long run: of one input, and of all of them above what an honest file takes.
MOST_SECS = 1.0
MOST_GROWTH = 320 << 20


def encoded(picture: Image.Image, form: str, **options: Any) -> bytes:
    written = io.BytesIO()
    picture.save(written, form, **options)
    return written.getvalue()


# ---- media


def pictures() -> mutations.Decoder:
    shown = Image.open(io.BytesIO(made_pictures.png(60, 40)))
    exif = Image.Exif()
    exif[0x0112] = 6
    others = [shown.rotate(90, expand=False), shown.transpose(Image.Transpose.FLIP_LEFT_RIGHT)]
    seeds = [
        encoded(shown, "PNG"),
        encoded(shown.quantize(8), "PNG", transparency=0),
        encoded(Image.new("I;16", (60, 40), 700), "PNG"),
        png.encode(np.zeros((9, 50, 3), np.uint8), (images.OVERLAYS, made_pictures.overlays())),
        encoded(shown, "JPEG", exif=exif),
        encoded(shown, "JPEG", progressive=True),
        encoded(shown, "GIF", save_all=True, append_images=others),
        encoded(shown, "BMP"),
        encoded(shown, "WEBP"),
        encoded(shown, "WEBP", lossless=True),
        encoded(shown, "WEBP", save_all=True, append_images=others),
        b"<?xml version='1.0'?><svg width='3'/>",
    ]
    if "AVIF" in Image.registered_extensions().values():
        seeds.append(encoded(shown, "AVIF", speed=10))

    def decode(data: bytes) -> Any:
        assert thumbnails.cost_bytes(data, 20) >= 0
        return images.describe(data), thumbnails.make(data, 20)

    return mutations.Decoder("pictures", seeds, decode)


def moving() -> mutations.Decoder:
    seeds = [(made_media.MEDIA / name).read_bytes() for name in ("counting.mp4", "counting.webm")]
    return mutations.Decoder("films", [films.pendulum(1, frames=5, size=16), *seeds], film_headers.read)


def sounds() -> mutations.Decoder:
    wave = made_media.wave(0.05)
    seeds = [
        made_media.wav(wave),
        made_media.wav(wave, bits=32, real=True, channels=2),
        made_media.flac(wave),
        made_media.mp3(5),
        b"ID3\x04\0\0\0\0\0\x05hello" + made_media.mp3(5),
        made_media.ogg(),
    ]
    return mutations.Decoder("sounds", seeds, sound_headers.read)


# ---- numbers


def weights() -> mutations.Decoder:
    keras = DATA / "keras_fit/update_freq_10/train/keras_embedding.ckpt-3.weights.h5"
    seeds = [keras.read_bytes(), (DATA / "models/newer.weights.h5").read_bytes()]

    def decode(data: bytes) -> Any:
        def read(offset: int, length: int) -> bytes:
            return data[offset : offset + length]

        return [(each, _or_message(hdf5.load, read, each)) for each in hdf5.datasets(read)]

    return mutations.Decoder("hdf5", seeds, decode)


def _or_message(decode: Callable[..., Any], *arguments: Any) -> Any:
    """So that one part that is refused leaves the others to be looked at."""
    try:
        return decode(*arguments)
    except mutations.FAMILY as error:
        return error.message


def arrays() -> mutations.Decoder:
    seeds = []
    for dtype in ("<f4", ">f8", "|i1", "<f2"):
        for order in ("C", "F"):
            written = io.BytesIO()
            np.save(written, np.array(np.arange(12).reshape(4, 3).astype(dtype), order=order))
            seeds.append(written.getvalue())
    return mutations.Decoder("npy", seeds, lambda data: uploads_.numbers(data, None, None))


def checkpoint_indexes() -> mutations.Decoder:
    prefixes = [DATA / "projector/from_checkpoint/embedding.ckpt-1", DATA / "models/sliced.ckpt"]
    others = {path.name: path.read_bytes() for each in prefixes for path in each.parent.glob(f"{each.name}.*")}
    seeds = [others[f"{each.name}.index"] for each in prefixes]

    def decode(data: bytes) -> Any:
        def read(name: str, offset: int, length: int) -> bytes:
            # every shard is one of the real ones, so that values are read and not only looked for
            found = data if name.endswith(".index") else others["embedding.ckpt-1.data-00000-of-00001"]
            return found[offset : offset + length]

        opened = checkpoints.open_checkpoint(read, "e")
        return [_or_message(checkpoints.load, read, opened, name) for name in opened.entries]

    return mutations.Decoder("checkpoints", seeds, decode)


def sent_files() -> mutations.Decoder:
    """As `/api/projector/upload` takes them: text, raw numbers, JSON of both files."""
    text = embedding_files.tsv([(1.5, -2, 3e-4), (4, 5, 6), (7, 8, 9)]).encode()
    seeds = [
        text,
        text.replace(b"\t", b","),
        b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"),
        np.arange(12, dtype="<f4").tobytes(),
        b'{"name": "x", "tensors": "1\\t2\\n3\\t4\\n", "metadata": "a\\nb\\n"}',
    ]

    def decode(data: bytes) -> Any:
        source = store.Store()
        uploads = uploads_.Embeddings()
        title, tensors_, metadata = uploads_.unpacked("t", data)
        values, shape = uploads_.numbers(tensors_, None, 3 if b"\0" in tensors_ else None)
        name = uploads.keep(title, values, metadata, shape)
        entry = uploads.find(name)
        return projector_sources.matrix(source, entry), projector.describe(source, entry)

    return mutations.Decoder("uploads", seeds, decode)


def labels() -> mutations.Decoder:
    seeds = [b"word\tlength\na\t1\nbb\t2\nccc\t3\n", b"a\nb\nc\n", "\ufeffname\tπ\r\nx\t3,1\r\n\t\r\n".encode()]
    return mutations.Decoder("metadata", seeds, functools.partial(projector_metadata.parse, rows=3))


def projector_configs() -> mutations.Decoder:
    sprite = {"image_path": "s.png", "single_image_dim": (8, 8)}
    seeds = [
        embedding_files.entry("a", tensor_path="t.tsv", tensor_shape=[3, 4], sprite=sprite).encode(),
        b'model_checkpoint_path: "m.ckpt" embeddings < tensor_name: "\\303\\251:0" metadata_path: \'m\' >',
        (DATA / "projector/from_checkpoint/projector_config.pbtxt").read_bytes(),
    ]
    return mutations.Decoder("projector configs", seeds, projector_config.parse.__wrapped__)


# ---- graphs


def _graph(data: bytes) -> Any:
    graph = graph_files.read(data)
    nodes = range(min(graph.header.nodes, 10))
    return graph.header, [_or_message(graph_nodes.look, graph, node) for node in nodes]


def models() -> list[mutations.Decoder]:
    folder = DATA / "models"
    onnx = [path.read_bytes() for path in sorted(folder.glob("*.onnx"))]
    keras = [path.read_bytes() for path in sorted(folder.glob("*.json"))]
    plain = [event_files.field_bytes(1, _node(name)) for name in ("a", "b/c", "b/d")]
    graph_def = b"".join(plain)
    traced = event_files.field_bytes(4, event_files.field_bytes(2, graph_def)) * 2
    text = graph_bytes.to_text(graph_def, "GraphDef")
    saved = event_files.field_varint(1, 1) + event_files.field_bytes(2, event_files.field_bytes(2, graph_def))
    return [
        mutations.Decoder("onnx", onnx, _graph),
        mutations.Decoder("keras models", keras, _graph),
        mutations.Decoder("graphs", [graph_def, saved, traced], _graph),
        mutations.Decoder("graphs as text", [text], _graph),
        mutations.Decoder("graphs to text", [graph_def], lambda data: graph_texts._text(data, "GraphDef")),
    ]


def _node(name: str) -> bytes:
    attribute = event_files.field_bytes(1, "T") + event_files.field_bytes(2, event_files.field_varint(6, 1))
    parts = (event_files.field_bytes(1, name), event_files.field_bytes(2, "Add"), event_files.field_bytes(3, "a"))
    return b"".join((*parts, event_files.field_bytes(5, attribute)))


# ---- values of event files


def event_values() -> mutations.Decoder:
    """Whatever a record holds where a value should be, read natively and taken for every kind there is."""
    seeds = [
        event_files.value("t", event_files.field_bytes(8, tensor))
        for tensor in (
            event_files.tensor(range(12), shape=(6, 2)),
            event_files.tensor(range(12), dtype="float64", shape=(4, 3)),
            event_files.tensor(range(24), shape=(2, 4, 3)),
            event_files.tensor(range(3), dtype="int64", shape=(3,)),
            event_files.tensor([0.5], dtype="float16"),
            event_files.string_tensor([b"3", b"2", made_pictures.png(3, 2)], shape=(3,)),
            event_files.string_tensor([b"clip", b"label"], shape=(1, 2)),
            event_files.string_tensor([b'{"columns": ["a"], "rows": [[1], [2]]}'], shape=(1,)),
        )
    ]
    memory = memory_files.MemoryFiles()
    heavy = logdir.HeavyValues(logdir.FileSystems({"memory": memory}))
    kinds = (pr_curves._decode, histograms._decode, mesh._decode, images._decode, tables._decode, plotly._decode)

    def decode(data: bytes) -> Any:
        found = heavy.load(memory.put("memory://bucket/value", data), types.Column.VALUE_REF, 0, len(data))
        made = [_or_message(kind, 1, 2.0, found) for kind in kinds]
        made.append(_or_message(audio._clips, found))
        vertices, faces = (_or_message(mesh._rows, found, 0, widths) for widths in ((2, 3), (3, 4)))
        if isinstance(vertices, tuple):
            others = faces[0] if isinstance(faces, tuple) else None
            made.append(mesh._drawable(vertices[0], others, others, 1000).arrays)
        if found.array is not None:
            made.append(tensors._statistics(found.array))
        return made

    return mutations.Decoder("values", seeds, decode, most_bytes=1 << 30)


def logged_tables() -> mutations.Decoder:
    seeds = [
        b'{"columns": ["a", "b"], "rows": [[1, 2.5], ["x", null], [true, {"deep": [1]}]]}',
        b'[{"a": 1, "b": "text"}, {"a": 2, "c": []}]',
        b'{"a": [1, 2, 3], "b": ["x"]}',
        b'{"columns": ["a"], "index": [0], "data": [[1]]}',
    ]

    def decode(data: bytes) -> Any:
        table = tables.parse(data)
        rows = tables.chosen(table, {}, table.columns[0].name if table.columns else "")
        return tables.page(table, rows, 0, 10), b"".join(tables.write(table, rows, "csv"))

    return mutations.Decoder("tables", seeds, decode)


def tag_metadata() -> mutations.Decoder:
    """The few bytes that a tag carries: mesh, hparams, layouts."""
    shape = b"".join(event_files.field_varint(6, size) for size in (1, 4, 3))
    mesh_ = event_files.field_bytes(2, "m") + event_files.field_varint(3, 1) + event_files.field_bytes(5, "{}") + shape
    chart = event_files.field_bytes(1, "c") + event_files.field_bytes(2, event_files.field_bytes(1, "loss.*"))
    layout = event_files.field_bytes(2, event_files.field_bytes(1, "k") + event_files.field_bytes(2, chart))
    started = made_trials.content_of(hparams_messages.session_start({"lr": 0.1, "name": "a", "deep": True}))

    def decode(data: bytes) -> Any:
        readers = (custom_scalars.parse, hparams_metadata.session_of_anything, hparams_metadata.session_end)
        described = mesh.maybe_describe(types.Metadata(content=data))
        return [described, *(_or_message(each, data) for each in readers)]

    return mutations.Decoder("tag metadata", [mesh_, layout, started], decode)


# ---- texts


def config_texts() -> mutations.Decoder:
    seeds = [
        b'{"lr": 0.1, "model": {"depth": 3, "act": null}}',
        b"lr: 0.1\nmodel:\n  depth: 3\n  act: relu\nlist: [1, 2]\n",
        b"Namespace(lr=0.1, name='x', deep=(1, 2))",
        b"| key | value |\n|---|---|\n| lr | 0.1 |\n| name | x |\n",
        b"```\nlr=0.1\nname = x\n```",
    ]
    return mutations.Decoder("config texts", seeds, lambda data: hparams_texts.maybe_parse([data]))


def markdown_texts() -> mutations.Decoder:
    seeds = [
        b"# Title\n\n* a *b* **c**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```py\nx = 1\n```\n[link](http://x) <b>raw</b>"
    ]
    return mutations.Decoder("markdown", seeds, markup.render)


def decoders() -> list[mutations.Decoder]:
    single = (
        pictures, moving, sounds, weights, arrays, checkpoint_indexes, sent_files, labels, projector_configs,
        event_values, logged_tables, tag_metadata, config_texts, markdown_texts,
    )  # fmt: skip
    return [*(make() for make in single), *models()]


@pytest.mark.parametrize("decoder", decoders(), ids=lambda decoder: decoder.name)
def test_damaged_files_are_read_or_refused_with_a_sentence(decoder: mutations.Decoder) -> None:
    report = mutations.run(decoder, COUNT or FEW)
    if report.outside or COUNT:
        _keep(report)
    assert [message for message, _ in report.outside[:5]] == []
    assert report.largest_bytes <= decoder.most_bytes
    if COUNT:
        assert report.slowest_secs <= MOST_SECS
        assert report.growth_bytes <= MOST_GROWTH


def _keep(report: mutations.Report) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "report.txt").open("a", encoding="utf-8") as file:
        file.write(f"{report}\n")
    name = report.decoder.replace(" ", "_")
    (KEPT / f"{name}.slowest").write_bytes(report.slowest)
    for number, (message, data) in enumerate(report.outside[:20]):
        (KEPT / f"{name}.{number}.input").write_bytes(data)
        (KEPT / f"{name}.{number}.txt").write_text(message, encoding="utf-8")


def test_the_same_seed_gives_the_same_inputs() -> None:
    seeds = [b"one", b"another", struct.pack("<QQ", 1, 2)]
    assert list(mutations.inputs(seeds, 200, 3)) == list(mutations.inputs(seeds, 200, 3))
    assert len(set(mutations.inputs(seeds, 200, 3))) > 100


def test_an_error_of_another_kind_is_found() -> None:
    def decode(data: bytes) -> int:
        return data[7]

    report = mutations.run(mutations.Decoder("d", [b"12345678"], decode), 300)
    assert {message for message, _ in report.outside} == {"IndexError: index out of range"}
