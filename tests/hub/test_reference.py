"""The reference pages of the hub have every setting, flag, route and code that the program has.

Left out: that sentences are true; docs/reference/hub-api.md is generated.
"""

from __future__ import annotations

import dataclasses
import pathlib
import re
import sys

import pytest

from lightboard.cli import arguments
from lightboard.hub.api import openapi, problems, table
from lightboard.hub.life import durations
from lightboard.hub.server import config

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import hub_reference  # noqa: E402

SETTINGS = (ROOT / "docs" / "reference" / "hub.md").read_text(encoding="utf-8")
API = (ROOT / "docs" / "reference" / "hub-api.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)` \|([^|]*)\|([^|]*)\|", re.MULTILINE)
CODE = re.compile(r'[Pp]roblem\(\s*\d{3},\s*"(\w+)"|rest_code = "(\w+)"')


def rows(section: str) -> dict[str, tuple[str, str]]:
    """Name → (flag, default)."""
    text = SETTINGS.partition(f"## `[{section}]`")[2].partition("\n## ")[0]
    return {name: (flag.strip(), default.strip()) for name, flag, default in ROW.findall(text)}


@pytest.mark.parametrize("section", ["hub", "boards", "people"])
def test_every_setting_has_a_row_with_its_default(section: str) -> None:
    documented = rows(section)
    assert set(documented) == {name for name, each in config._SETTINGS.items() if each.section == section}
    made = config.Config()
    for name, (_, default) in documented.items():
        quoted = re.fullmatch(r"`(.*)`", default)
        if quoted is not None and name != "database":
            assert config._parsed(name, _toml(quoted[1]), "here") == getattr(made, name), name


def _toml(text: str) -> object:
    return {"true": True, "[]": []}.get(text, int(text) if text.isdigit() else text.strip('"'))


def test_every_setting_is_a_member_of_the_configuration() -> None:
    assert {each.name for each in dataclasses.fields(config.Config)} == {*config._SETTINGS, "claims"}


def test_every_flag_is_documented_with_its_setting() -> None:
    flags = {each for each in arguments.flags(arguments.parser("hub")) if each.startswith("--")} - {"--help"}
    assert {each for each in flags if f"`{each}" not in SETTINGS} == set()


def test_examples_of_settings_are_accepted(tmp_path: pathlib.Path) -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```", SETTINGS, re.DOTALL | re.MULTILINE)
    (tmp_path / "hub.toml").write_text(example)
    made = config.load(str(tmp_path / "hub.toml"))
    assert (made.idle_after, made.session) == (durations.parse("1h"), durations.parse("30d"))


def test_the_page_of_the_api_is_current() -> None:
    assert hub_reference.page() == API, "run `make generate`"


def test_every_route_has_a_heading() -> None:
    headings = set(re.findall(r"^### `(\w+ \S+)`$", API, re.MULTILINE))
    assert headings == {f"{each.method} {each.path}" for each in table.all_routes()}


def test_every_code_of_an_answer_is_listed() -> None:
    # `pai` speaks another service's dialect, with the codes of that service
    sources = [each for each in (ROOT / "src" / "lightboard" / "hub").rglob("*.py") if "pai" not in each.parts]
    used = {one or other for path in sources for one, other in CODE.findall(path.read_text(encoding="utf-8"))}
    assert len(used) > 20
    assert (used | set(problems._CODES.values())) - set(hub_reference.CODES) - {"Refused"} == set()


def test_every_exit_code_of_the_client_is_listed() -> None:
    assert hub_reference.exit_codes() == set(hub_reference.EXIT_MEANINGS)


def test_every_member_of_a_board_is_explained() -> None:
    document = openapi.document(table.all_routes())
    answer = document["paths"]["/api/v1/boards/{board}"]["get"]["responses"]["200"]["content"]["application/json"]
    shown = document["components"]["schemas"][answer["schema"]["$ref"].rpartition("/")[2]]
    assert set(shown["properties"]) == set(hub_reference.BOARD)
