"""Wide calls name their arguments: nobody can check eight values in a row by their places.

Sources are parsed, not imported. Functions of the SDK that TensorBoard or PyTorch defines keep their parameters.
"""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator

import pytest

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "src" / "lightboard"
MOST = 7  # arguments by place; parameters and fields that may be given so

# Signatures of others that are promised: SummaryWriter, and Keras's callback.
PROMISED = {
    "integrations/keras.py __init__", "sdk/writer.py __init__", "sdk/writer.py add_scalar",
    "sdk/writer.py add_histogram_raw", "sdk/writer.py add_pr_curve_raw", "sdk/writer.py add_image_with_boxes",
}  # fmt: skip


def sources() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text("utf-8"))


def takes_any_number(tree: ast.Module) -> set[str]:
    """Functions of a module that list what they are given, and those of libraries that do likewise."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    libraries = {"struct.pack", "sa.Table", "op.create_table"}
    return libraries | {node.name for node in functions if node.args.vararg is not None}


def wide_calls(tree: ast.Module) -> list[int]:
    """Lines of calls with too many arguments by place."""
    free = takes_any_number(tree)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) > MOST)
    return [node.lineno for node in calls if ast.unparse(node.func) not in free]


def wide_functions(tree: ast.Module) -> list[str]:
    """Functions with too many parameters that may be given by place, `self` not counted."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = [each.arg for each in (*node.args.posonlyargs, *node.args.args)]
            if len(names) - (names[:1] in (["self"], ["cls"])) > MOST:
                found.append(node.name)
    return found


def wide_classes(tree: ast.Module) -> list[str]:
    """Dataclasses with too many fields that may be given by place."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        decorators = [ast.unparse(each) for each in node.decorator_list]
        if not any("dataclass" in each and "kw_only=True" not in each for each in decorators):
            continue
        fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
        by_place = [ast.unparse(each.annotation) for each in fields]
        if "dataclasses.KW_ONLY" in by_place:
            by_place = by_place[: by_place.index("dataclasses.KW_ONLY")]
        if len([each for each in by_place if "ClassVar" not in each]) > MOST:
            found.append(node.name)
    return found


def test_wide_calls_name_their_arguments() -> None:
    assert [f"{name} line {line}" for name, tree in sources() for line in wide_calls(tree)] == []


def test_wide_functions_take_their_arguments_by_name() -> None:
    assert {f"{name} {function}" for name, tree in sources() for function in wide_functions(tree)} == PROMISED


def test_wide_dataclasses_are_made_by_name() -> None:
    assert [f"{name} {each}" for name, tree in sources() for each in wide_classes(tree)] == []


@pytest.mark.parametrize(
    ("check", "source"),
    [
        (wide_calls, "f(1, 2, 3, 4, 5, 6, 7, 8)"),
        (wide_calls, "_native.f(1, 2, 3, 4, 5, 6, *rest, 8)"),
        (wide_functions, "def f(a, b, c, d, e, f, g, h): ..."),
        (wide_classes, "@dataclasses.dataclass\nclass A:\n" + "".join(f"    f{i}: int\n" for i in range(8))),
    ],
)  # fmt: skip
def test_what_is_wide_is_noticed(check: object, source: str) -> None:
    assert callable(check)
    assert check(ast.parse(source))
