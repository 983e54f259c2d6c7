"""Text as HTML: one block, a column or a table, by the rank of what was written."""

from __future__ import annotations

import numpy as np
import pytest
from data_client import strings

from lightboard import errors, store, types
from lightboard.query import series, text


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


# ---- for the page


def steps_of(*values: tuple[tuple[int, ...], tuple[bytes, ...]]) -> series.Steps[text.Text]:
    tensors = [strings(*cells, shape=shape) for shape, cells in values]
    return text.read(store.Builder().tensors("r", "t", types.Kind.TEXT, tensors).build(), "r", "t")


def test_a_page_has_the_places_asked_for_in_their_order() -> None:
    steps = steps_of(*(((), (f"**{number}**".encode(),)) for number in range(5)))
    page = text.page(steps, [4, 0], chars=100)
    assert (page.points, [each.place for each in page.texts]) == (5, [4, 0])
    assert page.texts[0].text == "<p><strong>4</strong></p>"
    assert text.page(steps, [1], form="plain", chars=100).texts[0].text == "**1**"
    odd = steps_of(((), (b"<img src=x> & <b>",)), ((2,), (b"<i>", b"1 < 2")))
    shown = [each.text for each in text.page(odd, [0, 1], form="plain", chars=100).texts]
    assert shown[0] == "&lt;img src=x&gt; &amp; &lt;b&gt;"
    assert "<td>&lt;i&gt;</td>" in shown[1] and "<td>1 &lt; 2</td>" in shown[1]
    with pytest.raises(errors.NotFound):
        text.page(steps, [5], chars=100)


def test_a_long_text_is_cut_and_says_so() -> None:
    page = text.page(steps_of(((), (b"x" * 30_000_000,))), [0], form="source", chars=1000)
    (one,) = page.texts
    assert (one.cut, one.chars, one.text) == (True, 30_000_000, "x" * 1000)


def test_an_answer_ends_when_it_is_full() -> None:
    steps = steps_of(*(((), (b"x" * 1000,)) for _ in range(10)))
    assert len(text.page(steps, range(10), chars=1000, room=2500).texts) == 3
    assert len(text.page(steps, range(10), chars=10, room=2500).texts) == 10


def test_of_a_long_table_whole_rows_are_left() -> None:
    cells = tuple(b"%d" % number for number in range(9000))
    for shape in ((3000, 3), (1, 3000, 3)):
        (one,) = text.page(steps_of((shape, cells)), [0], form="source", chars=10**6).texts
        assert one.cut
        rows = one.text.split("\n")
        assert len(rows) == 2000 // 3
        assert rows[-1] == "1995\t1996\t1997"
    (wide,) = text.page(steps_of(((1, 9000), cells)), [0], form="source", chars=10**6).texts
    assert wide.cut
    assert wide.text.startswith("0\t1\t2\t")
    (column,) = text.page(steps_of(((9000,), cells)), [0], chars=12).texts
    assert column.cut
    assert column.text.count("<tr>") == 11  # 0 … 9 and 10


def test_values_of_the_wrong_form_have_a_problem_instead_of_a_text() -> None:
    odd = types.Tensor((2,), array=np.zeros(2))
    short = strings(b"a", shape=(3,))
    source = store.Builder().tensors("r", "t", types.Kind.TEXT, [odd, short, strings(b"fine", shape=())]).build()
    page = text.page(text.read(source, "r", "t"), [2, 1, 0], chars=100)
    assert [bool(each.problem) for each in page.texts] == [False, True, True]


def test_a_search_finds_words_whatever_their_case_newest_first() -> None:
    steps = steps_of(((), (b"Loss went down. loss!",)), ((), (b"nothing",)), ((2,), (b"a", b"the LOSS")))
    found = text.search(steps, "loss")
    assert [(hit.place, hit.count, hit.found) for hit in found.hits] == [(2, 1, "LOSS"), (0, 2, "Loss")]
    assert (found.hits[0].before, found.hits[1].after, found.next) == ("the ", " went down. loss!", -1)
    assert [hit.place for hit in text.search(steps, "/^n.t/").hits] == [1]
    assert [hit.found for hit in text.search(steps, "(").hits] == []
    with pytest.raises(errors.BadFilter):
        text.search(steps, "/(/")


def test_a_search_that_takes_long_says_where_to_go_on() -> None:
    steps = steps_of(*(((), (b"word",)) for _ in range(5)))
    places, before = [], None
    while True:
        found = text.search(steps, "word", before=before, secs=0)
        places += [hit.place for hit in found.hits]
        if found.next < 0:
            break
        before = found.next
    assert places == [4, 3, 2, 1, 0]
    assert [hit.place for hit in text.search(steps, "word", limit=2).hits] == [4, 3]


def test_finds_are_counted_only_so_far() -> None:
    assert text.search(steps_of(((), (b"e" * 100_000,))), "e").hits[0].count == text.MAX_FINDS


def test_a_long_text_is_searched_for_long_words() -> None:
    """A backtracking engine would compare the words at each place."""
    steps = steps_of(((), (b"a" * 1_000_000,)), ((), (b"x" + b"a" * 1_999 + b"B",)))
    assert [hit.place for hit in text.search(steps, "a" * 1_999 + "b").hits] == [1]


def test_a_character_that_is_two_in_lower_case_does_not_shift_the_finds() -> None:
    [hit] = text.search(steps_of(((), ("İİİ loss".encode(),))), "LOSS").hits
    assert hit.found == "loss"
