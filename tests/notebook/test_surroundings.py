"""What a kernel can know of where its notebook is shown. Colab and VS Code are recognised by what they document."""

from __future__ import annotations

import sys
import types

import pytest

from lightboard.notebook import surroundings


def test_at_home_nothing_is_needed() -> None:
    assert surroundings.look({}) == surroundings.Surroundings()


def test_behind_a_hub_any_name_and_a_token() -> None:
    found = surroundings.look({"JUPYTERHUB_SERVICE_PREFIX": "/user/me/"})
    assert found == surroundings.Surroundings("", "/user/me/", (), any_host=True, token=True)


@pytest.mark.parametrize(
    ("template", "away"),
    [
        ("/proxy/%PORT%/", False),
        ("http://localhost:8888/proxy/%PORT%/", False),
        ("https://hub.example/user/me/proxy/%PORT%/", True),
    ],
)
def test_a_template_with_a_name_is_away(template: str, away: bool) -> None:
    for name in ("LIGHTBOARD_PROXY_URL", "TENSORBOARD_PROXY_URL"):
        found = surroundings.look({name: template})
        assert (found.proxy_url, found.any_host, found.token) == (template, away, away)


def test_our_own_template_counts_before_tensorboards() -> None:
    found = surroundings.look({"LIGHTBOARD_PROXY_URL": "/ours/%PORT%/", "TENSORBOARD_PROXY_URL": "/theirs/%PORT%/"})
    assert found.proxy_url == "/ours/%PORT%/"


def test_colab_frames_and_gives_no_cookies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google.colab", types.ModuleType("google.colab"))
    found = surroundings.look({})
    assert found.any_host and not found.token
    assert "https://colab.research.google.com" in found.frame_ancestors


def test_an_editor_frames() -> None:
    found = surroundings.look({"VSCODE_PID": "1"})
    assert "vscode-webview:" in found.frame_ancestors and not found.any_host
    hub = surroundings.look({"VSCODE_PID": "1", "JUPYTERHUB_SERVICE_PREFIX": "/user/me/"})
    assert hub.any_host and hub.token and hub.frame_ancestors == found.frame_ancestors
