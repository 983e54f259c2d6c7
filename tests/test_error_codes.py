"""Codes of errors: everything that a user can see on the page has a code, and the table of codes is complete.

Sources are parsed, not imported. That the page has a sentence for each code, with the same parameters, is tested by
`web/src/error_texts.test.ts`. Left out on purpose: errors of the command line, the SDK and `lightboard.open`,
which no page shows, and TensorBoard's routes, which answer as TensorBoard does.
"""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Iterator

from lightboard import error_codes, errors

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "lightboard"
ROOMS = ("formats", "logdir", "query", "server", "sidecar", "storage", "store", "wire.py", "work")
CLASSES = {name for name, each in vars(errors).items() if isinstance(each, type) and issubclass(each, Exception)}
WITHOUT_CODE = {"BadQuestion"}
FIELDS = {"hint", "position", "code", "message"}

# Errors that no page shows: TensorBoard's routes, and what ends a command before there is a page.
ELSEWHERE = {
    "server/audio.py",
    "server/data.py",
    "server/hparams.py",
    "server/mesh.py",
    "server/serving.py",
    "server/tensorboard.py",
    "server/tensorboard_scalars.py",
    "server/timeseries.py",
    "logdir/filesystems/__init__.py",
    "logdir/spec.py",
    "sidecar/location.py",
    "storage/settings.py",
}


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        file = path.relative_to(PACKAGE).as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield file, node


def code_of(call: ast.Call) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg == "code"), None)


def uses() -> Iterator[tuple[str, str, set[str] | None]]:
    """File, code, names of the parameters; None where they are not written out."""
    for file, call in calls():
        code = code_of(call)
        if not isinstance(code, ast.Constant) or not isinstance(code.value, str):
            continue
        names = {each.arg for each in call.keywords}
        if ast.unparse(call.func) == "_Case":  # of storage/faults.py: parameters are in its two texts
            texts = [str(each.value.value) for each in call.keywords if isinstance(each.value, ast.Constant)]
            yield file, code.value, {name for text in texts for name in re.findall(r"\{([a-z]+)\}", text)}
            continue
        given = next((each.value for each in call.keywords if each.arg == "parameters"), None)
        if given is None:
            yield file, code.value, {name for name in names if name is not None} - FIELDS if None not in names else None
        elif isinstance(given, ast.Dict):
            yield file, code.value, {ast.literal_eval(key) for key in given.keys if key is not None}


def test_every_error_that_the_page_can_show_has_a_code() -> None:
    bare = []
    for file, call in calls():
        name = ast.unparse(call.func).removeprefix("errors.")
        raised = ast.unparse(call.func).startswith("errors.") and name in CLASSES - WITHOUT_CODE
        if raised and file.startswith(ROOMS) and file not in ELSEWHERE and code_of(call) is None:
            bare.append(f"{file}:{call.lineno} {ast.unparse(call)[:80]}")
    assert bare == []


def test_codes_and_parameters_in_the_sources_are_those_of_the_table() -> None:
    wrong = []
    for file, code, names in uses():
        expected = error_codes.CODES.get(code)
        helper = code.startswith("notes.")  # `_wrong` and `_explained` of the sidecar add run, field and path
        if expected is None or (names is not None and not helper and names != set(expected)):
            wrong.append(f"{file}: {code} {names}, the table says {expected}")
    assert wrong == []


def test_every_code_of_the_table_is_used() -> None:
    sources = [*PACKAGE.rglob("*.py"), *(ROOT / "native" / "read").glob("*.cpp")]
    texts = [each.read_text(encoding="utf-8") for each in sources if each.name != "error_codes.py"]
    used = {code for text in texts for code in re.findall(r'"([a-z0-9_.]+)"', text)}
    assert set(error_codes.CODES) - used == set()


def test_an_error_becomes_a_value_with_its_cause() -> None:
    cause = errors.Unreadable("too deep", code="json.too_deep")
    found = errors.BadInput("no model: too deep", code="keras.unreadable", because=cause).explanation()
    assert (found.code, found.parameters["because"].code) == ("keras.unreadable", "json.too_deep")
