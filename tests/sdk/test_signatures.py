"""`SummaryWriter` takes the calls PyTorch's and tensorboardX's classes take.

What their methods look like is stored in tests/data/signatures (made by tools/signatures.py from the real libraries),
so that neither has to be installed. Where the two disagree about a position, PyTorch's holds, and the type of the
argument tells which one is meant (test_writer.py); those positions are listed here.
"""

from __future__ import annotations

import inspect
import json
import pathlib
from typing import Any

import pytest

import lightboard

# tensorboardX's parameters that stand elsewhere with us, because PyTorch has another one at their place
ELSEWHERE = {
    "__init__": {"logdir", "log_dir", "comet_config"},
    "add_scalar": {"display_name", "summary_description"},
    "add_hparams": {"name", "global_step"},
    "add_image_with_boxes": {"dataformats", "labels", "kwargs"},
    "add_onnx_graph": {"onnx_model_file"},
}


def methods(data_dir: pathlib.Path, library: str) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = json.loads((data_dir / "signatures" / f"{library}.json").read_text())[
        "methods"
    ]
    assert len(found) > 20
    return found


def ours(name: str) -> list[inspect.Parameter]:
    return list(inspect.signature(getattr(lightboard.SummaryWriter, name)).parameters.values())[1:]


def default(parameter: inspect.Parameter) -> dict[str, Any]:
    return {} if parameter.default is parameter.empty else {"default": parameter.default}


def test_methods_of_torch_have_the_same_parameters_in_the_same_order(data_dir: pathlib.Path) -> None:
    for name, parameters in methods(data_dir, "torch").items():
        found = [{"name": each.name, "kind": each.kind.name, **default(each)} for each in ours(name)]
        if name == "add_onnx_graph":  # may also be called with tensorboardX's name
            parameters = [{**each, "default": None} for each in parameters]
        assert found[: len(parameters)] == parameters, name
        assert all("default" in each or each["kind"] == "VAR_KEYWORD" for each in found[len(parameters) :]), name


@pytest.mark.parametrize("name", sorted(ELSEWHERE))
def test_the_exceptions_are_still_parameters(name: str) -> None:
    known = {each.name for each in ours(name)}
    assert ELSEWHERE[name] - {"kwargs"} <= known


def test_methods_of_tensorboardx_have_the_same_parameters(data_dir: pathlib.Path) -> None:
    for name, parameters in methods(data_dir, "tensorboardx").items():
        found = {each.name: (place, each) for place, each in enumerate(ours(name))}
        for place, wanted in enumerate(parameters):
            if wanted["name"] in ELSEWHERE.get(name, ()):
                continue
            our_place, parameter = found[wanted["name"]]
            assert parameter.kind.name == wanted["kind"], (name, wanted)
            assert default(parameter) == {key: wanted[key] for key in ("default",) if key in wanted}, (name, wanted)
            if wanted["kind"] == "POSITIONAL_OR_KEYWORD":
                assert our_place == place, (name, wanted)
