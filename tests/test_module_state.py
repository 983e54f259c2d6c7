"""No state in modules: what a question computes belongs to a store, what a board does belongs to the board.

The rooms below are imported and every name of every module is looked at. A module may hold

- constants of immutable types: numbers, texts, tuples, frozen sets, patterns, frozen dataclasses, named tuples …
- dictionaries, lists, sets and arrays in UPPER_CASE, if no line of the module changes them;
- a pure function with a bounded `functools.lru_cache`, if it is listed below with its reason.

No module may use `global`.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import importlib
import logging
import pathlib
import re
import struct
import types
import typing
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lightboard import store
from lightboard.store import cache

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "src" / "lightboard"
ROOMS = ("formats", "query", "work", "store")
IMMUTABLE = (
    type(None), bool, int, float, complex, str, bytes, range, slice, type, enum.Enum, re.Pattern, struct.Struct,
    np.dtype, np.generic, logging.Logger, typing.TypeVar, types.ModuleType, types.FunctionType, types.GenericAlias,
    types.BuiltinFunctionType, types.MappingProxyType, types.UnionType,
)  # fmt: skip
CONTAINERS = (dict, list, set, np.ndarray)
CHANGING = frozenset(
    {
        "add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "remove", "setdefault",
        "sort", "update",
    }
)  # fmt: skip
# Functions of their arguments alone, which are short texts: nothing but time tells whether another board asked before.
PURE_AND_SMALL = {
    "_sortable": "numbers in names of layers and runs, a few characters each",
    "_is_own": "names of hparams",
    "description": "descriptions of tags: the same few stand on many runs",
    "_rendered": "notes about runs",
    "parse": "configs of embeddings",
}


def modules() -> list[pathlib.Path]:
    return sorted(path for room in ROOMS for path in (PACKAGE / room).rglob("*.py"))


def name_of(path: pathlib.Path) -> str:
    return ".".join(("lightboard", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")


def is_immutable(value: Any) -> bool:
    if isinstance(value, tuple | frozenset):
        return all(map(is_immutable, value))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        frozen: bool = type(value).__dataclass_params__.frozen  # type: ignore[attr-defined]
        return frozen
    of_typing = type(value).__module__ == "typing"
    return of_typing or type(value) is object or isinstance(value, IMMUTABLE)


def changed_names(tree: ast.AST) -> set[str]:
    """Names whose items or contents some line changes, and names that a function declares global."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Global):
            found.update(node.names)
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            found.update(names_in(node.value))
        if isinstance(node, ast.AugAssign):
            found.update(names_in(node.target))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
            found.update(names_in(node.func.value))
    return found


def names_in(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name):
        yield node.id


def own_names(tree: ast.Module) -> set[str]:
    """What the module's top level assigns, not what it imports or defines."""
    targets: list[ast.expr] = []
    for node in tree.body:
        if isinstance(node, ast.Assign):
            targets += node.targets
        elif isinstance(node, ast.AnnAssign):
            targets.append(node.target)
    names = {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
    return names - {"__all__"}


def state_of(module: types.ModuleType, source: str) -> list[str]:
    tree = ast.parse(source)
    changed = changed_names(tree)
    found = [f"global {name}" for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names]
    for name in sorted(own_names(tree) & vars(module).keys()):
        value = vars(module)[name]
        constant = isinstance(value, CONTAINERS) and name.isupper() and name not in changed
        if not constant and not is_immutable(value):
            found.append(name)
    for name, value in vars(module).items():
        if isinstance(value, functools._lru_cache_wrapper) and value.__module__ == module.__name__:
            bounded = value.cache_parameters()["maxsize"] is not None
            if name not in PURE_AND_SMALL or not bounded:
                found.append(f"a cache of {name}()")
    return found


@pytest.mark.parametrize("path", modules(), ids=name_of)
def test_a_module_holds_no_state(path: pathlib.Path) -> None:
    assert state_of(importlib.import_module(name_of(path)), path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "state"),
    [
        ("cache = {}", ["cache"]),
        ("_kept: dict[str, int] = {}", ["_kept"]),
        ("import weakref\n_known = weakref.WeakKeyDictionary()", ["_known"]),
        ("import collections\n_LAST = collections.OrderedDict()\ndef f(): _LAST.clear()", ["_LAST"]),
        ("WORDS = {'a': 1}", []),
        ("WORDS = {'a': 1}\ndef f(): WORDS['b'] = 2", ["WORDS"]),
        ("WORDS = ['a']\ndef f(): WORDS.append('b')", ["WORDS"]),
        ("import threading\n_lock = threading.Lock()", ["_lock"]),
        ("LIMITS = (1, 2)\nNAMES = frozenset('ab')", []),
        ("PAIR = ([], 1)", ["PAIR"]),
        ("class Counter: pass\nCOUNTER = Counter()", ["COUNTER"]),
        ("count = 0\ndef f():\n    global count\n    count = 1", ["global count"]),
        ("import functools\n@functools.cache\ndef pool(): return []", ["a cache of pool()"]),
        ("import functools\n@functools.cache\ndef parse(): return []", ["a cache of parse()"]),
        ("import functools\n@functools.lru_cache(maxsize=3)\ndef parse(): return []", []),
    ],
)
def test_state_in_a_module_is_noticed(source: str, state: list[str]) -> None:
    module = types.ModuleType("made")
    exec(compile(source, "made", "exec"), vars(module))
    assert state_of(module, source) == state


def test_shares_of_the_cache_have_names_of_their_own_and_fit_into_it() -> None:
    shares = [
        value
        for path in modules()
        for value in vars(importlib.import_module(name_of(path))).values()
        if isinstance(value, store.Share) and path.is_relative_to(PACKAGE / "query")
    ]
    assert len({share.name for share in shares}) == len(set(map(id, shares))) > 10
    assert sum(share.limit_bytes for share in {id(share): share for share in shares}.values()) <= cache.LIMIT_BYTES
