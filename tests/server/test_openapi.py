"""Every route of ours is in the OpenAPI document and in the reference page, and the page's types are up to date."""

from __future__ import annotations

import pathlib
import re
import sys
from typing import Any

import asking
import pytest

from lightboard.server import app, openapi, parameters

ROOT = pathlib.Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "http-api.md"
sys.path.insert(0, str(ROOT / "tools"))


def plain(path: str) -> str:
    return re.sub(r"\{(\w+):path\}", r"{\1}", path)


@pytest.mark.anyio
async def test_the_document_is_served_and_names_every_route() -> None:
    async with asking.board() as client:
        document = (await client.get("/api/openapi.json")).json()
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == {plain(api.path) for api in app.apis()}
    for api in app.apis():
        assert set(document["paths"][plain(api.path)]) == {method.lower() for method in api.methods}


def test_no_route_below_api_goes_unlisted() -> None:
    made = app.create(asking.small().build())
    assert not [path for path in made.data_paths() if path.startswith("/api")]


def test_every_reference_in_the_document_leads_somewhere() -> None:
    document = openapi.document(app.apis())

    def references(value: Any) -> set[str]:
        if isinstance(value, dict):
            own = {value["$ref"]} if "$ref" in value else set()
            return own.union(*map(references, value.values()))
        return set().union(*map(references, value)) if isinstance(value, list) else set()

    known = {f"#/components/schemas/{name}" for name in document["components"]["schemas"]}
    assert references(document) <= known


@pytest.mark.parametrize("api", app.apis(), ids=lambda api: api.path)
def test_the_reference_page_has_every_route_and_parameter(api: Any) -> None:
    text = PAGE.read_text()
    match = re.search(rf"^### `{re.escape(plain(api.path))}`\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    assert match is not None, f"docs/reference/http-api.md has no heading for {plain(api.path)}"
    for shape in parameters.shapes(api.question):
        assert f"`{shape.name}`" in match[1], f"{shape.name} of {api.path} is not described"


def test_the_pages_types_are_up_to_date() -> None:
    import generate_api_types

    assert generate_api_types.TARGET.read_text() == generate_api_types.generate(), "run `make generate`"
