"""The reference names every setting (hub.md) and metric (hub-server.md)."""

from __future__ import annotations

import dataclasses
import pathlib
import re

from lightboard.hub.server import config, metrics

PAGES = pathlib.Path(__file__).parent.parent.parent.parent / "docs" / "reference"


def test_every_setting_is_in_its_section() -> None:
    parts = {part.partition("`")[0]: part for part in (PAGES / "hub.md").read_text(encoding="utf-8").split("\n## `")}
    for name, setting in config._SETTINGS.items():
        assert f"`{name}`" in parts[f"[{setting.section}]"].split("\n## ")[0], name
    fields = {each.name for each in dataclasses.fields(config.Config)}
    assert fields == {*config._SETTINGS, "claims"}


def test_every_metric_is_there() -> None:
    text = metrics.Metrics().text({}, leads=False).decode()
    names = set(re.findall(r"^# TYPE (lightboard_hub_\w+) ", text, re.MULTILINE))
    names -= {name for name in names if name.endswith("_created")} | {"lightboard_hub_build_info"}
    page = (PAGES / "hub-server.md").read_text(encoding="utf-8")
    assert [name for name in sorted(names) if f"`{name}" not in page] == []
