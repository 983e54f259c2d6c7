"""The check of the built documentation: it notices links that lead nowhere, and what comes from other hosts."""

from __future__ import annotations

import pathlib

import check_site


def test_faults_of_a_site_are_named(tmp_path: pathlib.Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "index.html").write_text(
        '<h1 id="top">a</h1><a href="below/page.html#part">b</a><a href="gone.html">c</a><a href="#nowhere">d</a>'
        '<a href="https://example.org">e</a><img src="https://example.org/x.png"><img src="data:image/png;base64,">'
    )
    (tmp_path / "below" / "page.html").write_text('<h2 id="part">a</h2><a href="../index.html#top">b</a>')
    assert check_site.faults(tmp_path) == [
        "index.html: gone.html: no such file",
        "index.html: #nowhere: no such heading",
        "index.html: https://example.org/x.png: loaded from another host",
    ]
