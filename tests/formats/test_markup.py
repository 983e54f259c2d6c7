"""Users' Markdown: rendered, harmless and quick whatever it holds."""

from __future__ import annotations

import re

import pytest

from lightboard.formats import markup


def test_markdown_tables_and_fenced_code_are_rendered() -> None:
    html = markup.render('| a |\n|---|\n| 1 |\n\n```\nx = "<y>"\n```\n')
    assert "<th>a</th>" in html
    assert '<pre><code>x = "&lt;y&gt;"\n</code></pre>' in html


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<script>alert('x')</script>", "<p>&lt;script&gt;alert('x')&lt;/script&gt;</p>"),
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


WRITTEN = "<p><em>This text is shown as written: "


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("\n".join("    " * level + "- a" for level in range(300)), "its HTML is nested more than 100 deep"),
        ("> " * 25_000 + "a\n" * 25_000, "its quotes and lists are nested more than 100 deep"),
        ("- " * 200, "its quotes and lists are nested more than 100 deep"),
        ("<ul><li>" * 25_000, "its HTML is nested more than 100 deep"),
        ("x <strong></em>" * 25_000, "its HTML is nested more than 100 deep"),
        ("<table><tr><td>" * 25_000, "its HTML is nested more than 100 deep"),
        ("".join(f"<em title={number}><p>a" for number in range(5_000)), "its HTML is nested more than 100 deep"),
        (f"<p><a href=http://{'a' * 1000}></p>{'<p>b</p>' * 10_000}</a>", "its HTML has tags that are not closed"),
        ("|a|\n|-|\n" + "|a\n" * 100_000, "it becomes more than 100,000 HTML tags"),
        ("<" * (markup.MAX_TAGS + 1), "it has more than 100,000 HTML tags"),
        ("a" * (markup.MAX_CHARS + 1), "it has more than 1,000,000 characters"),
    ],
)
def test_a_text_that_would_take_long_is_shown_as_written_and_says_why(source: str, reason: str) -> None:
    escaped = source.replace("<", "&lt;").replace(">", "&gt;")
    assert markup.render(source) == f"{WRITTEN}{reason}.</em></p>\n<pre>{escaped}</pre>"
    assert markup.render("next") == "<p>next</p>"


def test_a_table_that_would_take_long_keeps_its_cells() -> None:
    html = markup.render_all(
        ["<b>", "> " * 200], lambda parts: f"<table><tr><td>{'</td><td>'.join(parts)}</td></tr></table>"
    )
    assert "<table><tr><td><pre>&lt;b&gt;</pre></td><td><pre>&gt; &gt; " in html


def test_a_description_of_many_pages_is_shown_as_written() -> None:
    html = markup.description("*a*" * 7_000)
    assert html.startswith(f"{WRITTEN}it has more than 20,000 characters.</em></p>\n<pre>*a**a*")
    assert markup.description("*a*") == "<p><em>a</em></p>"


def test_more_cells_than_a_page_can_show_are_shown_as_written() -> None:
    html = markup.render_all(["*a*"] * (markup.MAX_CELLS + 1), " ".join)
    assert html.startswith(f"{WRITTEN}it has more than 10,000 cells.</em></p>\n<pre>*a*</pre> ")


# Repeated to 100,000 characters, each of these took a Python parser a minute or much more.
@pytest.mark.parametrize(
    "part",
    ["[a](", "***a*", "*a_ ", "[", "![", "`a", "<a ", "<http://a.b/", "&#", "[a]: b \"c\n", "[a](b \"", "a <?",
     "<!--", "[a][", "[^1]: a [^1]\n\n", "a **a ", "<p><!--", "\\", "- a\n", "~~~ a\n> "],
)  # fmt: skip
@pytest.mark.timeout(30)
def test_texts_made_to_be_slow_are_not(part: str) -> None:
    html = markup.render(part * (100_000 // len(part)))
    assert len(html) < 1_500_000


@pytest.mark.parametrize(
    "source",
    [
        "[a]: http://" + "b" * 50_000 + "\n\n" + "[a] " * 12_500,
        "|" + "a|" * 4_000 + "\n|" + "-|" * 4_000 + "\n" + "|a\n" * 10_000,
    ],
)
@pytest.mark.timeout(30)
def test_a_short_text_does_not_become_a_long_answer(source: str) -> None:
    assert len(markup.render(source)) < 2_000_000


def test_a_long_printed_array_is_still_markdown() -> None:
    assert markup.render("[[1.5, 2.5], [3.5, 4.5]], " * 1000).startswith("<p>[[1.5, 2.5]")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a<!--> b", "a b"),
        ("<p>one<p>two", "<p>one</p><p>two</p>"),
        ("<ul>" + "<li>a" * 300 + "</ul>", "<ul>" + "<li>a</li>" * 300 + "</ul>"),
        ("<p>a <strong>b</p>", "<p>a <strong>b</strong></p>"),
        ("<a href='<br>'>x</a>", "&lt;a href='<br>'&gt;x"),
    ],
)
def test_html_that_is_not_whole_is_completed(source: str, expected: str) -> None:
    assert markup.clean(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<think>\n*a* `<b>`\n</think>", "<p>&lt;think&gt;\n<em>a</em> <code>&lt;b&gt;</code>\n&lt;/think&gt;</p>"),
        ("<script>x</script>*a*", "<p>&lt;script&gt;x&lt;/script&gt;<em>a</em></p>"),
        ("<br>\n**a**", "<p><br>\n<strong>a</strong></p>"),
        ("    <b>\n    <br>", "<pre><code>&lt;b&gt;\n&lt;br&gt;</code></pre>"),
        ("<p>*a*</p>", "<p>*a*</p>"),
        (
            "<https://a.b/c> <a@b.c>",
            '<p><a href="https://a.b/c">https://a.b/c</a> <a href="mailto:a@b.c">a@b.c</a></p>',
        ),
        ("[x](<b c>) [y](http://a/?<b>)", '<p><a href="b%20c">x</a> <a href="http://a/?%3Cb%3E">y</a></p>'),
        ("\ue000<b>\ue001<br>", "<p>\ue000&lt;b&gt;\ue001<br></p>"),
        ("<|im_start|>user *a* <s>", "<p>&lt;|im_start|&gt;user <em>a</em> &lt;s&gt;</p>"),
    ],
)
def test_markdown_goes_on_beside_tags_that_are_text_or_part_of_a_line(source: str, expected: str) -> None:
    assert markup.render(source) == expected


def test_lists_rules_breaks_and_links_look_as_ever() -> None:
    assert markup.render("1. a\n2. b\n\ntext\n\n* c\n    * d\n") == (
        "<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<p>text</p>\n<ul>\n<li>c\n<ul>\n<li>d</li>\n</ul>\n</li>\n</ul>"
    )
    assert markup.render("a  \nb\n\n---\n\n<https://example.org>") == (
        '<p>a<br>\nb</p>\n<hr>\n<p><a href="https://example.org">https://example.org</a></p>'
    )
