"""Listings of real servers, index files, and pages that are damaged, huge or hostile."""

from __future__ import annotations

import random

import pytest

from lightboard.storage import web_listings

BASE = "http://host/logs%20dir/"

# as each server writes them
NGINX = """<html>\r\n<head><title>Index of /logs dir/</title></head>\r\n<body>\r\n<h1>Index of /logs dir/</h1><hr><pre>\
<a href="../">../</a>\r\n<a href="run%201/">run 1/</a>                      19-Nov-2023 10:00                   -\r\n\
<a href="events.out.tfevents.1%23%3F">events.out.tfevents.1#?</a>     19-Nov-2023 10:01            12345\r\n\
</pre><hr></body>\r\n</html>\r\n"""
APACHE = """<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN"><html><head><title>Index of /logs dir</title></head>
<body><h1>Index of /logs dir</h1><table><tr><th><a href="?C=N;O=D">Name</a></th><th><a href="?C=M;O=A">Last modified</a>
</th></tr><tr><td><a href="/">Parent Directory</a></td></tr>
<tr><td valign="top"><a href="run%201/"><img src="/icons/folder.gif" alt="[DIR]"></a></td><td><a href="run%201/">run 1/
</a></td><td align="right">2023-11-19 10:00  </td><td align="right">  - </td></tr>
<tr><td><a href="events.out.tfevents.1%23%3f"><img src="/icons/unknown.gif"></a></td><td>
<a href="events.out.tfevents.1%23%3f">events.out.tfe..&gt;</a></td><td>2023-11-19 10:01  </td><td> 12K</td></tr>
</table><address>Apache/2.4 Server at <a href="mailto:me@host">host</a> Port 80</address></body></html>"""
PYTHON = """<!DOCTYPE HTML><html lang="en"><head><title>Directory listing for /logs%20dir/</title></head><body>
<h1>Directory listing for /logs dir/</h1><hr><ul><li><a href="run%201/">run 1/</a></li>
<li><a href="events.out.tfevents.1%23%3F">events.out.tfevents.1#?</a></li></ul><hr></body></html>"""
CADDY = """<!DOCTYPE html><html><head><title>logs dir</title><style>a { color: #006ed3; }</style></head><body>
<header><h1><a href="/">/</a><a href="/logs%20dir/">logs dir</a></h1></header><main><a href="./?layout=grid">Grid</a>
<table><thead><tr><th><a href="?sort=name&amp;order=desc">Name</a></th></tr></thead><tbody>
<tr><td></td><td><a href=".."><span class="goup">Up</span></a></td></tr>
<tr class="file"><td></td><td><a href="./run%201/"><svg><use href="#folder"></use></svg><span>run 1</span></a></td>
<td>&mdash;</td><td class="timestamp"><time datetime="2023-11-19T10:00:00Z">11/19/2023 10:00:00 AM</time></td></tr>
<tr class="file"><td></td><td><a href="./events.out.tfevents.1%23%3F"><span>events</span></a></td>
<td class="size" data-size="12345">12 KiB</td><td><time datetime="2023-11-19T10:01:00Z">11/19/2023</time></td></tr>
</tbody></table></main><script>let x = "<a href='script'>";</script></body></html>"""
LIGHTTPD = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN">
<html><head><title>Index of /logs dir/</title></head><body><h2>Index of /logs dir/</h2><div class="list"><table>
<tr class="d"><td class="n"><a href="../">..</a>/</td><td class="m">&nbsp;</td><td class="s">- &nbsp;</td></tr>
<tr class="d"><td class="n"><a href="run%201/">run 1</a>/</td><td class="m">2023-Nov-19 10:00:00</td><td>-</td></tr>
<tr><td class="n"><a href="events.out.tfevents.1%23%3f">events</a></td><td class="m">2023-Nov-19 10:01:00</td>
<td class="s">12.1K</td></tr></table></div></body></html>"""
NGINX_JSON = """[{"name":"run 1", "type":"directory", "mtime":"Sun, 19 Nov 2023 10:00:00 GMT"},
{"name":"events.out.tfevents.1#?", "type":"file", "mtime":"Sun, 19 Nov 2023 10:01:00 GMT", "size":12345}]"""
CADDY_JSON = """[{"name":"run 1/","size":4096,"url":"./run%201/","mod_time":"2023-11-19T10:00:00.1Z","is_dir":true},
{"name":"events.out.tfevents.1#?","size":12345,"mod_time":"2023-11-19T10:01:00.123456789Z","is_dir":false}]"""


@pytest.mark.parametrize(
    ("page", "timed", "exact"),
    [
        (NGINX, True, False),
        (APACHE, True, False),
        (PYTHON, False, False),
        (CADDY, True, False),
        (LIGHTTPD, True, False),
        (NGINX_JSON, True, True),
        (CADDY_JSON, True, True),
    ],
    ids=["nginx", "apache", "python", "caddy", "lighttpd", "nginx-json", "caddy-json"],
)
def test_listings_of_each_server(page: str, timed: bool, exact: bool) -> None:
    found = web_listings.of_page(page.encode(), BASE)
    assert found is not None
    assert {(each.path, each.directory) for each in found} == {("run 1", True), ("events.out.tfevents.1#?", False)}
    file = next(each for each in found if not each.directory)
    assert (file.timed, file.exact) == (timed, exact)
    if exact:
        assert (file.size, file.mtime) == (12345, 1700388060)


@pytest.mark.parametrize("page", [NGINX, APACHE, CADDY, LIGHTTPD])
def test_a_row_tells_of_a_change(page: str) -> None:
    def row(text: str) -> str:
        return next(each.row for each in web_listings.of_page(text.encode(), BASE) or () if not each.directory)

    assert row(page) == row(page)
    assert row(page) != row(page.replace("10:01", "10:02"))


@pytest.mark.parametrize(
    "href",
    [
        "http://other.host/logs%20dir/x", "//other.host/logs%20dir/x", "https://host/logs%20dir/x", "../x", "/x", "..",
        "../../etc/passwd", "%2e%2e/", "%2e%2e%2fx", "a%2fb", "a/b", "?C=N;O=D", "#top", "x?y=1", "x#y", "mailto:me@h",
        "javascript:alert(1)", "http://host:81/logs%20dir/x", "http://[bad/x", "", ".", "./", "a%00b", "a%0ab",
        "/logs%20dirx/y",
    ],
)  # fmt: skip
def test_a_link_that_leaves_the_directory_is_ignored(href: str) -> None:
    page = f'<h1>Index of /</h1><a href="{href}">x</a><a href="good">good</a>'
    assert [each.path for each in web_listings.of_page(page.encode(), BASE) or ()] == ["good"]


@pytest.mark.parametrize(
    ("href", "name"),
    [
        ("a%20b", "a b"),
        ("a%23b", "a#b"),
        ("a%3Fb", "a?b"),
        ("a&amp;b", "a&b"),
        ("a%2525b", "a%25b"),
        ("%E5%AE%9E%E9%AA%8C", "实验"),
        ("实验", "实验"),
        ("%FF", "\udcff"),
        ("/logs%20dir/x", "x"),
        ("http://host/logs%20dir/x", "x"),
        ("/logs dir/x", "x"),
        ("a:b", None),
        ("./a:b", "a:b"),
        ("a+b", "a+b"),
    ],
)
def test_names_are_decoded(href: str, name: str | None) -> None:
    found = web_listings.of_page(f'<h1>Index of /</h1><a href="{href}">x</a>'.encode(), BASE)
    assert [each.path for each in found or ()] == ([] if name is None else [name])


def test_a_name_that_looks_like_a_time_is_none() -> None:
    page = b'<h1>Directory listing for /</h1><li><a href="2023-11-19%2010%3A00">2023-11-19 10:00</a></li>'
    assert [each.timed for each in web_listings.of_page(page, BASE) or ()] == [False]


def test_a_page_that_is_no_listing_is_none() -> None:
    assert web_listings.of_page(b"<html><title>My project</title><p>Welcome</p></html>", BASE) is None
    assert web_listings.of_page(b'{"error": "not found"}', BASE) is None
    assert web_listings.of_page(b"", BASE) is None
    assert web_listings.of_page(b"<title>Index of /logs dir/</title>", BASE) == []
    assert web_listings.of_page(b"[]", BASE) == []


def test_index_files() -> None:
    text = b"\xef\xbb\xbfa/events.1\r\n./b c/events.2\n\n/etc/passwd\n../up\na/../b\nhttp://host/x\nlast#1"
    assert [each.path for each in web_listings.of_index("index.txt", text) or ()] == [
        "a/events.1", "b c/events.2", "last#1",
    ]  # fmt: skip
    document = b"""["a/x", {"path": "b", "size": 3, "mtime": 1700000000.5, "etag": "q"}, {"name": "c", "size": -1},
        {"path": "../d"}, {"path": 7}, 5, null, {"path": "e", "size": true}, {"path": "f", "mtime": "whenever"}]"""
    found = {each.path: each for each in web_listings.of_index("index.json", document) or ()}
    assert sorted(found) == ["a/x", "b", "c", "e", "f"]
    assert (found["b"].size, found["b"].mtime, found["b"].exact) == (3, 1_700_000_000, True)
    assert not any(found[name].exact for name in "cef")
    assert [each.path for each in web_listings.of_index("index.json", b'{"files": ["x"]}') or ()] == ["x"]
    for body in (b"<html>", b"{}", b"[[[", b"[" * 100_000, b"\xff\xfe", b'"text"', b"[[1]]"):
        assert web_listings.of_index("index.json", body) is None
    assert web_listings.of_index("index.txt", b"<!doctype html><p>a page for every address") is None


def test_damaged_pages_end_and_give_only_names() -> None:
    chance = random.Random(7)
    pages = [page.encode() for page in (NGINX, APACHE, PYTHON, CADDY, LIGHTTPD, NGINX_JSON, CADDY_JSON)]
    for _ in range(2000):
        page = bytearray(chance.choice(pages))
        for _ in range(chance.randrange(1, 8)):
            at = chance.randrange(len(page))
            page[at : at + chance.randrange(5)] = chance.choice([b"", b"<", b">", b'"', b"\0", b"<!--", b"%", b"&#"])
        for each in web_listings.of_page(bytes(page), BASE) or ():
            assert web_listings.is_name(each.path)


@pytest.mark.parametrize(
    "part",
    ["<", "<a ", "<!--", "<a href=", "<a href='", "<![CDATA[", "</a", "<script>", "&#", "<a href=x>", "[", "[0,"],
)
def test_a_hostile_page_takes_linear_time(part: str) -> None:
    """Quadratic work on this many bytes would run into the time limit of the test."""
    found = web_listings.of_page((part * (1_000_000 // len(part))).encode(), BASE)
    assert found is None or len(found) <= 1
