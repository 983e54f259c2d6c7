"""`frame.html`: the page that a notebook opens in an iframe. It reports its board to the page around it, then shows it.

A notebook's page cannot detect whether a board runs at an address, because browsers hide responses of another origin.
So it shows its picture until this page has sent the expected session (docs/design/0010-notebooks.md). A session is a
random number that identifies a board; it gives no access.
"""

from __future__ import annotations

from lightboard.server import responses

_HEADERS = (("Cache-Control", "no-cache"),)

_PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Lightboard</title>'
    '<meta name="lightboard-session" content="{session}"><script src="frame.js" defer></script></html>'
)

_SCRIPT = """\
const session = document.querySelector("meta[name=lightboard-session]").content;
if (window.parent !== window) window.parent.postMessage({ lightboard: session }, "*");
location.replace(`./${location.search}${location.hash}`);
"""


def maybe_reply(address: str, session: str) -> responses.Reply | None:
    """Returns the response for `frame.html` or its script; None for any other address."""
    if address == "frame.html":
        return responses.Reply(_PAGE.format(session=session).encode(), "text/html; charset=utf-8", headers=_HEADERS)
    if address == "frame.js":
        return responses.Reply(_SCRIPT.encode(), "text/javascript; charset=utf-8", headers=_HEADERS)
    return None
