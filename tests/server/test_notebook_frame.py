"""`frame.html`, which a notebook opens in a frame: it tells the session and goes on to the board."""

from __future__ import annotations

import asking
import pytest


@pytest.mark.anyio
@pytest.mark.parametrize("prefix", ["", "/x"])
async def test_it_tells_the_session_and_runs_only_its_own_script(prefix: str) -> None:
    async with asking.board(path_prefix=prefix) as client:
        session = (await client.get(f"{prefix}/api/board")).json()["session"]
        page = await client.get(f"{prefix}/frame.html")
        assert page.status_code == 200
        assert f'content="{session}"' in page.text
        assert "script-src 'self'" in page.headers["content-security-policy"]
        script = await client.get(f"{prefix}/frame.js")
        assert "javascript" in script.headers["content-type"]
        assert "location.replace(`./" in script.text


@pytest.mark.anyio
async def test_it_asks_for_the_token_like_any_page_and_goes_on_relatively() -> None:
    async with asking.board(token="sesame") as client:
        assert (await client.get("/frame.html")).status_code == 401
        opened = await client.get("/frame.html?token=sesame&theme=dark")
        assert (opened.status_code, opened.headers["location"]) == (302, "./frame.html?theme=dark")
        assert (await client.get("/frame.html?theme=dark")).status_code == 200


@pytest.mark.anyio
async def test_it_can_only_be_read() -> None:
    async with asking.board() as client:
        assert (await client.post("/frame.html")).status_code == 405
