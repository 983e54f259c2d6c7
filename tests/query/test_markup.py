"""Users' Markdown: rendered as TensorBoard renders it, and harmless whatever it holds."""

from __future__ import annotations

import re

import pytest

from lightboard.query import markup


def test_markdown_tables_and_fenced_code_are_rendered() -> None:
    html = markup.render('| a |\n|---|\n| 1 |\n\n```\nx = "<y>"\n```\n')
    assert "<th>a</th>" in html
    assert "<pre><code>x = &quot;&lt;y&gt;&quot;\n</code></pre>" in html


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<script>alert('x')</script>", "&lt;script&gt;alert('x')&lt;/script&gt;"),
        ("<img src=x onerror=alert(1)>", '<p><img src="x"></p>'),
        ("[two](javascript:alert(1))", "<p><a>two</a></p>"),
        ("<a href='jav&#x61;script:1'>x</a>", "<p><a>x</a></p>"),
        ("<a href='javascript&quot;:1'>x</a>", '<p><a href="javascript&quot;:1">x</a></p>'),
        ("<b>2</b> and <IMG SRC=x>", '<p>&lt;b&gt;2&lt;/b&gt; and <img src="x"></p>'),
        ("a<!-- hidden -->b", "<p>ab</p>"),
        ("[ok](https://example.org 'title')", '<p><a href="https://example.org" title="title">ok</a></p>'),
        ("1 < 2 && 3 > 2", "<p>1 &lt; 2 &amp;&amp; 3 &gt; 2</p>"),
    ],
)
def test_foreign_tags_become_text_and_dangerous_attributes_go(source: str, expected: str) -> None:
    assert markup.render(source) == expected


def test_only_listed_tags_and_attributes_come_out() -> None:
    hostile = (
        "<svg onload=x><style>*{}</style><iframe src=//e></iframe><p style='x' onclick=y class=z>t</p>"
        "<a href=data:text/html,x>d</a><table background=x><td><form action=/><input></table><math><mi xlink:href=x>"
    )
    html = markup.clean(hostile)
    for tag in re.findall(r"<[^>]*>", html):
        assert re.fullmatch(r"</?[a-z0-9]+(?: (?:href|title|src|alt)=\"[^\"]*\")*>", tag), tag
    assert "data:text" not in html


def test_references_of_one_text_do_not_reach_the_next() -> None:
    markup.render("[a]: http://one.example\n\n[a]")
    assert markup.render("[a]") == "<p>[a]</p>"


def test_null_bytes_are_dropped_and_mentioned() -> None:
    assert markup.render(b"a\0b\0") == (
        "<!-- WARNING: discarded 2 null bytes in markdown string after UTF-8 decoding -->\n<p>ab</p>"
    )


def test_bytes_that_are_no_utf8_become_replacement_characters() -> None:
    assert markup.render(b"\xff\xfe broken") == "<p>�� broken</p>"


def test_a_private_character_in_the_text_is_not_mistaken() -> None:
    assert markup.render('\ue000 `"`') == '<p>\ue000 <code>"</code></p>'


def test_a_very_deep_text_is_shown_as_written() -> None:
    nested = "\n".join("    " * level + "- a" for level in range(300))
    assert markup.render(nested).startswith("<pre>- a\n    - a\n")
    assert markup.render("next") == "<p>next</p>"


@pytest.mark.parametrize("source", ["[" * 20_000, "![" * 20_000, "<a " * 10_000, "[" * 9000 + "]" * 9000])
def test_a_text_that_would_take_minutes_is_shown_as_written(source: str) -> None:
    assert markup.render(source).startswith("<pre>")


def test_a_long_printed_array_is_still_markdown() -> None:
    assert markup.render("[[1.5, 2.5], [3.5, 4.5]], " * 1000).startswith("<p>[[1.5, 2.5]")


def test_a_very_long_text_is_shown_as_written() -> None:
    assert markup.render("*a* " * (markup.MARKDOWN_LIMIT // 4 + 1)).startswith("<pre>*a* ")
