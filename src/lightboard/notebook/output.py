"""The output of a cell: a picture and a text that are saved, and a script that replaces the picture by the live board.

The picture is an image, not markup: it survives the sanitizers of untrusted notebooks and of sites that show them.
"""

from __future__ import annotations

import base64
import datetime as dt
import functools
import html
import json
import secrets
from collections.abc import Mapping
from pathlib import Path

from lightboard import instances, picture
from lightboard.notebook import managed
from lightboard.notebook import surroundings as surroundings_

HEIGHT = 800
THEMES = ("auto", "light", "dark")


def bundle(
    instance: instances.Instance,
    digest: picture.Digest,
    around: surroundings_.Surroundings,
    *,
    height: int = HEIGHT,
    theme: str = "auto",
    live: bool = True,
) -> dict[str, str]:
    """Returns the output in three media types; `live=False` shows only the picture, for a board that stops."""
    ways = {
        "session": instance.session,
        "scheme": instance.scheme,
        "host": instance.host,
        "port": instance.port,
        "prefix": instance.path_prefix,
        "loopback": instance.loopback,
        "token": instance.token,
        "proxyUrl": around.proxy_url,
        "baseUrl": around.base_url,
    }
    return _bundle(ways if live else None, instance.url, digest, height, theme)


def hub_bundle(shown: managed.Shown, *, height: int = HEIGHT, theme: str = "auto") -> dict[str, str]:
    """The output for a board of a hub: the page opens the hub itself, wherever the kernel runs."""
    ways = {
        "session": shown.session,
        "managed": {
            "frame": shown.frame.url,
            "board": shown.board.url,
            "ancestors": shown.frame.frame_ancestors,
        },
    }
    return _bundle(ways, shown.board.url, shown.digest, height, theme)


def _bundle(
    ways: Mapping[str, object] | None, url: str, digest: picture.Digest, height: int, theme: str
) -> dict[str, str]:
    image = picture.svg(digest, theme)
    text = picture.text(digest)
    return {
        "text/html": _html(ways, image, text, height, theme),
        "image/svg+xml": image,
        "text/plain": text + (f"\n{url}" if ways is not None else ""),
    }


def _html(ways: Mapping[str, object] | None, image: str, text: str, height: int, theme: str) -> str:
    name = f"lightboard-{secrets.token_hex(6)}"
    now = dt.datetime.now(dt.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    encoded = base64.b64encode(image.encode()).decode()
    still = (
        f'<div id="{name}"><div class="lightboard-live"></div><div class="lightboard-still">'
        f'<img alt="{html.escape(text)}" src="data:image/svg+xml;base64,{encoded}" style="max-width:100%">'
        f'</div><div class="lightboard-note" style="font-size:small;opacity:.75">Picture of {now}.</div></div>'
    )
    if ways is None:
        return still
    options = {"id": name, **ways, "height": height, "theme": theme}
    # in a script element only `<` can end it
    options_json = json.dumps(options).replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"{still}<script>({_script()})({options_json});</script>"


@functools.cache
def _script() -> str:
    source = (Path(__file__).parent / "frame.js").read_text(encoding="utf-8")
    return source.partition("// ----\n")[2].strip().removesuffix(";")
