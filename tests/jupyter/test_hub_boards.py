"""Boards of a hub in a real JupyterLab: on one machine, and on another site than the notebook's."""

from __future__ import annotations

import dataclasses
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import jupyter_lab
import pytest
from client import real
from hub import hubs
from playwright import sync_api


@dataclasses.dataclass(frozen=True)
class Site:
    url: str
    logs: Path
    cell: str  # what a notebook knows of the hub


def signed_in(url: str, token: str, **more: str) -> str:
    variables = {"LIGHTBOARD_HUB": url, "LIGHTBOARD_HUB_TOKEN": token, **more}
    return f"import os\nos.environ.update({variables!r})\n%load_ext lightboard"


@pytest.fixture(scope="session")
def team(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[real.Team]:
    with real.team(tmp_path_factory.mktemp("team")) as made:
        yield made


@pytest.fixture(scope="session")
def other_site(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A hub with TLS whose settings name the notebook's site."""
    folder = tmp_path_factory.mktemp("site")
    certificate, key, settings = folder / "cert.pem", folder / "key.pem", folder / "hub.toml"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    words += ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("openssl is not here")
    members = {"tls_cert": str(certificate), "tls_key": str(key), "frame_ancestors": ["http://hub.example:*"]}
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in members.items())
    settings.write_text(f"[hub]\n{lines}\n", encoding="utf-8")
    with hubs.running(folder / "hub", "--config", str(settings), "--allow_root", str(real.LOGS)) as hub:
        yield Site(hub.url, real.LOGS, signed_in(hub.url, hub.admin_token, SSL_CERT_FILE=str(certificate)))


def test_a_board_of_a_hub_is_shown_and_found_again(
    chromium: sync_api.Browser, local_lab: jupyter_lab.Lab, team: real.Team
) -> None:
    _, token = team.person()
    cells = [
        signed_in(team.hub.url, token),
        f"%lightboard --hub {team.hub.url} {team.logs} --name resnet --height 420",
        f"import lightboard.hub\nlightboard.hub.notebook({str(team.logs)!r}, theme='dark')",
        "lightboard.hub.notebook(board='resnet')",
    ]
    notebook = jupyter_lab.Notebook(chromium, local_lab, "managed.ipynb", cells)
    notebook.open()
    notebook.run(0)
    first = notebook.run(1)
    frame = jupyter_lab.board_in(first)
    # the notebook's page is on localhost, the hub says 127.0.0.1: a cookie is sent only within one of them
    assert frame.url.startswith(team.hub.url.replace("127.0.0.1", "localhost") + "/boards/b-")
    assert frame.evaluate("fetch('api/runs').then((answer) => answer.status)") == 200
    assert frame.evaluate("fetch('/api/v1/boards').then((answer) => answer.status)") == 401
    sync_api.expect(first.locator(".lightboard-note a")).to_have_attribute(
        "href", f"{team.hub.url}/boards/{frame.url.split('/')[4]}/"
    )
    second = jupyter_lab.board_in(notebook.run(2))
    assert second.url.split("/")[4] == frame.url.split("/")[4] and "theme=dark" in second.url
    # without a theme in the cell, that of the notebook's page
    assert "theme=light" in frame.url
    notebook.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    third = jupyter_lab.board_in(notebook.run(3))
    assert third.evaluate("document.documentElement.dataset.theme") == "dark"
    saved = json.dumps(notebook.save()["cells"][1])
    assert token not in saved and "image/svg+xml" in saved
    notebook.close()


def test_a_hub_on_another_site(chromium: sync_api.Browser, hub_lab: jupyter_lab.Lab, other_site: Site) -> None:
    """Behind a JupyterHub: the page frames the hub itself, with a cookie that only this page's frames have."""
    notebook = jupyter_lab.Notebook(
        chromium, hub_lab, "other.ipynb", [other_site.cell, f"%lightboard --hub {other_site.url} {other_site.logs}"]
    )
    notebook.open()
    notebook.run(0)
    frame = jupyter_lab.board_in(notebook.run(1))
    assert frame.url.startswith(f"{other_site.url}/boards/b-")
    assert frame.evaluate("fetch('api/runs').then((answer) => answer.status)") == 200
    cookies = [each for each in notebook.context.cookies() if "lightboard" in each.get("name", "")]
    assert [(each.get("sameSite"), each.get("secure"), each.get("httpOnly")) for each in cookies] == [
        ("None", True, True)
    ]
    notebook.close()


def test_a_page_that_the_hub_does_not_know(
    chromium: sync_api.Browser, hub_lab: jupyter_lab.Lab, team: real.Team
) -> None:
    _, token = team.person()
    cells = [signed_in(team.hub.url, token), f"%lightboard --hub {team.hub.url} {team.logs}"]
    notebook = jupyter_lab.Notebook(chromium, hub_lab, "unknown.ipynb", cells)
    notebook.open()
    notebook.run(0)
    output = notebook.run(1)
    note = output.locator(".lightboard-note")
    origin = hub_lab.url.removesuffix("/user/me/")
    sync_api.expect(note).to_contain_text(f'an admin adds "{origin}" to frame_ancestors')
    sync_api.expect(output.locator("iframe")).to_have_count(0)
    sync_api.expect(output.locator("img")).to_be_visible()
    notebook.close()
