"""The text format of `projector_config.pbtxt`: as writers write it, as people do, and broken."""

from __future__ import annotations

import embedding_files
import pytest

from lightboard.query.projector import config as projector_config
from lightboard.query.projector.config import Config, Embedding, Sprite


def test_every_field_is_read() -> None:
    text = """
    model_checkpoint_path: "model.ckpt-7"   # a remark
    model_checkpoint_dir: 'dir'
    embeddings {
      tensor_name: "small:0" metadata_path: "m.tsv" bookmarks_path: "b.json"
      tensor_shape: 300 tensor_shape: 7
      sprite { image_path: "s.png" single_image_dim: 8 single_image_dim: 9 }
      tensor_path: "t.bytes"
    }
    """
    found = projector_config.parse(text.encode())
    embedding = Embedding("small", "m.tsv", "b.json", (300, 7), Sprite("s.png", (8, 9)), "t.bytes")
    assert found == Config((embedding,), "model.ckpt-7", "dir")


@pytest.mark.parametrize(
    "text",
    [
        'embeddings < tensor_name: "x" tensor_shape: [2, 3] >',
        'embeddings: { tensor_name: "x"; tensor_shape: 2, tensor_shape: 3, unknown { deep: [ { a: 1 }, < > ] } }',
        "\ufeffembeddings {\r\n tensor_name: 'x'\r\n tensor_shape:2 tensor_shape:0x3 other: 1.5f more: -inf }",
        "embeddings [ { tensor_name: \"\" 'x' tensor_shape: 2 tensor_shape: 3 } ]",
    ],
)
def test_other_ways_to_write_it_mean_the_same(text: str) -> None:
    assert projector_config.parse(text.encode()) == Config((Embedding("x", shape=(2, 3)),))


def test_names_may_have_any_letter() -> None:
    text = r'embeddings { tensor_name: "quote \" tab \t octal \303\251 hex \xc3\xa9 三 é" }'
    (embedding,) = projector_config.parse(text.encode()).embeddings
    assert embedding.name == 'quote " tab \t octal é hex é 三 é'


def test_an_empty_config_names_nothing() -> None:
    assert projector_config.parse(b"") == projector_config.parse(b" # nothing\n") == Config()


@pytest.mark.parametrize(
    "rest",
    [
        "embeddings {",
        'embeddings { tensor_name: "half',
        "embeddings { tensor_path:",
        "]",
        "%",
        "embeddings { tensor_shape: [1,",
        '5: "x"',
        'embeddings { tensor_name: "\\x" }',
    ],
)
def test_what_stands_before_the_break_is_kept_with_a_word(rest: str) -> None:
    found = projector_config.parse((embedding_files.entry("whole") + rest).encode())
    assert [each.name for each in found.embeddings][:1] == ["whole"]
    assert found.problem


def test_a_config_cut_anywhere_never_raises() -> None:
    text = (
        embedding_files.entry("é", tensor_shape=[1, 2], sprite={"image_path": "x", "single_image_dim": (1, 2)}) * 2
    ).encode()
    for end in range(len(text)):
        assert len(projector_config.parse(text[:end]).embeddings) <= 2
    assert projector_config.parse(b"a {" * 10_000).problem


def test_of_very_many_embeddings_the_first_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector_config, "MAX_EMBEDDINGS", 3)
    found = projector_config.parse(b'embeddings { tensor_name: "many" }' * 5)
    assert (len(found.embeddings), found.problem) == (3, "it has 5 embeddings, the first 3 are shown")


def test_a_very_long_config_is_read_up_to_a_point(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(projector_config, "_MAX_TOKENS", 20)
    found = projector_config.parse(b'embeddings { tensor_name: "long" }\n' * 9)
    assert len(found.embeddings) == 3
    assert "after 20 words" in found.problem
