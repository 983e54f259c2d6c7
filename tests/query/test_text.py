"""Text as HTML: one block, a column or a table, by the rank of what was written."""

from __future__ import annotations

from data_client import strings

from lightboard import store, types
from lightboard.query import text


def row(*cells: str) -> str:
    return "<tr>\n" + "".join(f"<td><p>{cell}</p></td>\n" for cell in cells) + "</tr>\n"


def table(*rows: str) -> str:
    return f"<table>\n<tbody>\n{''.join(rows)}</tbody>\n</table>"


def shown(*values: bytes, shape: tuple[int, ...], markdown: bool = True) -> str:
    source = store.Builder().tensors("r", "t", types.Kind.TEXT, [strings(*values, shape=shape)]).build()
    (found,) = text.read(source, "r", "t")
    return text.html(found, markdown=markdown)


def test_one_string_is_a_block() -> None:
    assert shown(b"*a*", shape=()) == "<p><em>a</em></p>"
    assert shown(b"*a* <b>", shape=(), markdown=False) == "*a* &lt;b&gt;"


def test_a_list_is_a_column() -> None:
    assert shown(b"a", b"b", shape=(2,)) == table(row("a"), row("b"))
    assert shown(shape=(0,)) == table()


def test_a_matrix_is_a_table() -> None:
    assert shown(b"a", b"b", b"c", b"d", shape=(2, 2)) == table(row("a", "b"), row("c", "d"))
    assert shown(shape=(2, 0)) == table("<tr>\n</tr>\n" * 2)


def test_of_a_cube_the_first_slice_is_shown_with_a_warning() -> None:
    html = shown(*(bytes([letter]) for letter in b"abcdefgh"), shape=(2, 2, 2))
    assert html.startswith("<p><strong>Warning:</strong> This text summary contained data of dimensionality 3,")
    assert html.endswith(table(row("a", "b"), row("c", "d")))


def test_a_table_without_markdown_is_only_made_harmless() -> None:
    assert shown(b"*a*", shape=(1,), markdown=False) == table("<tr>\n<td>*a*</td>\n</tr>\n")
