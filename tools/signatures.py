"""Write the signatures of PyTorch's and tensorboardX's `SummaryWriter` to files, for a test without these packages.

python tools/signatures.py tests/data/signatures

Needs an interpreter with `torch`, `tensorboard` and `tensorboardX`.
"""

from __future__ import annotations

import importlib
import inspect
import json
import pathlib
import sys
from importlib import metadata

LIBRARIES = (("torch", "torch.utils.tensorboard"), ("tensorboardX", "tensorboardX"))


def signatures(library: str, module: str) -> str:
    kind = importlib.import_module(module).SummaryWriter
    lines = []
    for name in sorted(vars(kind)):
        if callable(getattr(kind, name)) and (name == "__init__" or not name.startswith("_")):
            parameters = list(inspect.signature(getattr(kind, name)).parameters.values())[1:]
            lines.append(f"  {json.dumps(name)}: {json.dumps([_described(each) for each in parameters])}")
    about = f' "library": "{library}",\n "version": "{metadata.version(library).split("+")[0]}",\n'
    return "{\n" + about + ' "methods": {\n' + ",\n".join(lines) + "\n }\n}\n"


def _described(parameter: inspect.Parameter) -> dict[str, object]:
    found: dict[str, object] = {"name": parameter.name, "kind": parameter.kind.name}
    if parameter.default is not parameter.empty:
        found["default"] = parameter.default
    return found


def main() -> None:
    directory = pathlib.Path(sys.argv[1])
    directory.mkdir(parents=True, exist_ok=True)
    for library, module in LIBRARIES:
        (directory / f"{library.lower()}.json").write_text(signatures(library, module), "utf-8")


if __name__ == "__main__":
    main()
