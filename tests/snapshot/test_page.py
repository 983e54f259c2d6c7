"""The built page inside a snapshot: every script has an address, and the file may fetch nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

from lightboard import board
from lightboard.snapshot import choice, page


def packed() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.scripts(board.static_dir(), choice.KINDS).data)
    return found


def test_scripts_come_after_those_they_import() -> None:
    seen: set[str] = set()
    for name, text in packed()["files"]:
        imported = re.findall(r'(?:from|import)\s*"(\./[\w.-]+\.js)"', text)
        assert set(imported) <= seen, name
        seen.add(name)
    assert packed()["entry"] in seen


def test_no_script_names_a_file_by_its_place() -> None:
    for name, text in packed()["files"]:
        assert not re.search(r"import\([`\"']\./", text), name
        assert not re.search(r"new URL\([`\"'][\w./-]+[`\"'],\s*import\.meta\.url", text), name
        assert "new Worker(new URL" not in text, name
        assert not re.search(r"__vite__mapDeps\(\[", text), name


def test_panels_of_other_kinds_are_left_out() -> None:
    names = [name for name, _ in packed()["files"]]
    assert any(name.startswith("./images_panel-") for name in names)
    assert not any(re.match(r"\./(plotly|projector|graphs|mesh|audio|video)_panel-", name) for name in names)
    few = json.loads(page.scripts(board.static_dir(), ["scalars"]).data)
    assert not any(name.startswith("./images_panel-") for name, _ in few["files"])


def test_the_policy_names_the_scripts_by_hash_and_allows_no_network() -> None:
    html = b"".join(page.document({"name": "x", "view": ""}, [], board.static_dir())).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-")
    assert not re.search(r"unsafe|https?:|connect-src|\*", policy[1])
    for script in re.findall(r"<script>(.*?)</script>", html, re.DOTALL):
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy[1]
