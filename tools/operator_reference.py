"""Write docs/reference/operator.md from the definition of Board, the parser and the chart. A test fails if it is out of
date.

python tools/operator_reference.py          write it
python tools/operator_reference.py --check  only report whether it is up to date
"""

from __future__ import annotations

import argparse
import json
import pathlib
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from lightboard.cli import operator

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "operator.md"
CRD = ROOT / "deploy" / "crds" / "boards.lightboard.dev.yaml"
CHART = ROOT / "deploy" / "chart"

INTRODUCTION = """\
# Operator: Boards, flags, values of the chart

*Generated from the definition of Board, the parser and the chart by `tools/operator_reference.py`; do not edit.*

[Install it](../howto/kubernetes-install.md) · [claims and MinIO](../howto/kubernetes-sources.md) ·
[from t9k](../howto/kubernetes-from-t9k.md) · [from Kubeflow](../howto/kubernetes-from-kubeflow.md). `kubectl explain
board.spec` shows the fields of your cluster.
"""

ANNOTATIONS = """\
## Labels and annotations

| on | name | meaning |
|---|---|---|
| Board | label `lightboard.dev/account` | whose quota it uses |
| Board | annotation `lightboard.dev/suspended-by` | why the operator suspended it |
| TensorBoard, Tensorboard | annotation `lightboard.dev/secret` | Secret of sources that name none |
| Tensorboard | annotation `kubeflow-resource-stopped` | suspended, since when; remove it to resume |
| job | annotation `lightboard.dev/logs` | where it writes; it gets a Board |
| job | annotation `lightboard.dev/cleanup` | `with-job` (default): the Board is deleted with the job; `keep` |
| job | annotations `lightboard.dev/board`, `lightboard.dev/board-url` | written by the operator: its Board |
| namespace | label `lightboard.dev/reaches-boards` | `true`: reaches boards (`deploy/kubernetes/boards-network.yaml`) |
"""


def page() -> str:
    version = yaml.safe_load(CRD.read_text(encoding="utf-8"))["spec"]["versions"][0]
    schema = version["schema"]["openAPIV3Schema"]["properties"]
    fields = {name: list(board_fields(schema[name], name)) for name in ("spec", "status")}
    parts = [
        INTRODUCTION,
        "## Board: spec\n",
        _table(("field", "type", "default", "meaning"), fields["spec"]),
        "## Board: status\n",
        _table(("field", "type", "meaning"), [(name, kind, text) for name, kind, _, text in fields["status"]]),
        ANNOTATIONS,
        "## Flags\n",
        "`lightboard operator [run|doctor]`\n",
        _table(("flag", "default", "meaning"), flags()),
        "## Values of the chart\n",
        _table(("value", "default", "meaning"), values()),
    ]
    return "\n".join(parts).rstrip() + "\n"


def board_fields(schema: Mapping[str, Any], path: str) -> Iterator[tuple[str, str, str, str]]:
    """Every field below `path`: name, type, default, meaning. Raises KeyError for one without a description."""
    for name, below in schema["properties"].items():
        kind = below["type"]
        text = below["description"]
        if "enum" in below:
            text += f" One of {', '.join(f'`{each}`' for each in below['enum'])}."
        if name in schema.get("required", ()):
            text += " Required."
        shown = f"list of {below['items']['type']}" if kind == "array" else kind
        yield f"`{path}.{name}`", shown, _default(below), text
        # conditions are those of Kubernetes
        if name != "conditions":
            inner = below["items"] if kind == "array" else below
            if "properties" in inner:
                yield from board_fields(inner, f"{path}.{name}{'[]' if kind == 'array' else ''}")


def _default(schema: Mapping[str, Any]) -> str:
    return f"`{json.dumps(schema['default'])}`" if "default" in schema else ""


def flags() -> list[tuple[str, str, str]]:
    parser = argparse.ArgumentParser(add_help=False)
    operator.add_arguments(parser)
    rows = []
    for action in parser._actions:
        if action.option_strings:
            metavar = f" {action.metavar}" if action.metavar else ""
            text = action.help or ""
            if action.choices:
                text = f"{text}{' ' if text else ''}one of {', '.join(f'`{each}`' for each in action.choices)}"
            default = f"`{action.default}`" if action.default not in (None, "", [], False) else ""
            rows.append((f"`{action.option_strings[0]}{metavar}`", default, text))
    return rows


def values() -> list[tuple[str, str, str]]:
    defaults = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
    schema = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
    return list(_values(schema, defaults, ""))


def _values(schema: Mapping[str, Any], defaults: Mapping[str, Any], path: str) -> Iterator[tuple[str, str, str]]:
    for name, default in defaults.items():
        below = schema["properties"][name]
        if "properties" in below:
            yield from _values(below, default, f"{path}{name}.")
            continue
        text = below["description"]
        if "enum" in below:
            text += f" One of {', '.join(f'`{each}`' for each in below['enum'])}."
        yield f"`{path}{name}`", f"`{json.dumps(default)}`", text


def _table(head: tuple[str, ...], rows: list[Any]) -> str:
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(each.replace('|', chr(92) + '|') for each in row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def main() -> int:
    text = page()
    if "--check" in sys.argv:
        same = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        print("up to date" if same else f"out of date: run `make generate` ({PAGE.name})")
        return 0 if same else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
