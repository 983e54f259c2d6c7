"""What several files say is the same in each: the version, supported Pythons, targets of CI, widths of indents.

Left out: what a release contains (`make test-dist`).
"""

from __future__ import annotations

import configparser
import importlib.metadata
import json
import pathlib
import re
from typing import Any

import pythons

import lightboard

ROOT = pathlib.Path(__file__).parent.parent


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_written_in_the_package_and_read_from_there() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", lightboard.__version__)
    assert 'dynamic = ["version"]' in read("pyproject.toml")
    assert importlib.metadata.version("lightboard") == lightboard.__version__
    assert "version" not in json.loads(read("web/package.json"))


def test_changelog_and_citation_name_the_version() -> None:
    newest = re.search(r"^## (\S+) \((unreleased|\d{4}-\d{2}-\d{2})\)$", read("CHANGELOG.md"), re.MULTILINE)
    assert newest is not None and newest[1] == lightboard.__version__
    assert f"\nversion: {lightboard.__version__}\n" in read("CITATION.cff")


def test_the_classifiers_name_the_supported_pythons() -> None:
    named = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', read("pyproject.toml"))
    assert tuple(named) == pythons.SUPPORTED
    assert f'requires-python = ">={pythons.SUPPORTED[0]}"' in read("pyproject.toml")


def test_the_workflow_runs_the_targets_of_ci() -> None:
    targets = re.search(r"^targets=\((.+)\)$", read(".ci/run"), re.MULTILINE)
    matrix = re.search(r"^ +target:\n((?: +- \S+\n)+)", read(".github/workflows/ci.yml"), re.MULTILINE)
    assert targets is not None and matrix is not None
    assert sorted(re.findall(r"- (\S+)", matrix[1])) == sorted(targets[1].split())
    assert [each for each in targets[1].split() if f"\n{each}: " not in read("Makefile")] == []


def editor_settings(*sections: str) -> dict[str, str]:
    """Settings of .editorconfig, later sections over earlier ones."""
    parser = configparser.ConfigParser()
    parser.read_string(f"[top]\n{read('.editorconfig')}")
    return {name: value for section in sections for name, value in parser[section].items()}


def test_editors_indent_as_the_formatters_do() -> None:
    biome: dict[str, Any] = json.loads(read("web/biome.json"))["formatter"]
    web = next(line.strip("[]") for line in read(".editorconfig").splitlines() if line.startswith("[*.{ts"))
    page = editor_settings("*", web)
    assert (page["indent_style"], page["indent_size"]) == (biome["indentStyle"], str(biome["indentWidth"]))
    assert page["max_line_length"] == str(biome["lineWidth"])
    code = editor_settings("*")
    assert f"\nIndentWidth: {code['indent_size']}\n" in read(".clang-format")
    assert f"\nColumnLimit: {code['max_line_length']}\n" in read(".clang-format")
    assert f"\nline-length = {code['max_line_length']}\n" in read("pyproject.toml")
