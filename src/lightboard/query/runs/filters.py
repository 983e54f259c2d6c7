"""The run-filter language: one line of text in, one boolean per run out.

    resnet.*seed_1                                   a bare word: found in the name, case ignored, as in TensorBoard
    last("eval/acc") > 0.9 and hparams.lr <= 1e-3    an expression: a small safe subset of Python's syntax
    start > ago("2d") and status == "running"

The text is parsed with `ast` and walked here; nothing is ever evaluated by Python. Every node works on whole columns
that a `RunTable` gives, so 100,000 runs take a fraction of a second. The user's page is docs/reference/filters.md.

A text is an expression if it parses as one with a boolean result. If it does not, but has a clear sign of an expression
(a comparison, a call of one of our functions, `hparams.`, `in tags`), the error is shown. Anything else is a bare word.
"""

from __future__ import annotations

import ast
import dataclasses
import datetime as dt
import difflib
import functools
import operator
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from lightboard import errors
from lightboard.query import patterns
from lightboard.query.runs import filter_syntax

Mask = NDArray[np.bool_]
Metric = Literal["first", "last", "min", "max"]

MAX_LENGTH = 2_000
MAX_NODES = 400


class RunTable(Protocol):
    """The runs to filter, as columns of equal length in one order."""

    def __len__(self) -> int: ...
    def names(self) -> NDArray[Any]:
        """str objects."""

    def starts(self) -> NDArray[np.float64]:
        """Seconds since 1970, NaN if unknown."""

    def durations(self) -> NDArray[np.float64]:
        """Seconds from first to last event, NaN if unknown."""

    def statuses(self) -> NDArray[Any]:
        """str objects: words of types.RunState."""

    def has(self, tag: str) -> Mask: ...
    def has_any(self, tags: Collection[str]) -> Mask:
        """Return which runs have at least one of the tags."""

    def tag_names(self) -> Sequence[str]:
        """Return every tag that any run has."""

    def metric(self, func: Metric, tag: str) -> NDArray[np.float64]:
        """Return the first, last, lowest or highest value of a scalar tag, NaN if a run has none."""

    def hparam(self, name: str) -> NDArray[Any]:
        """Return objects: float, int, bool, str, or None if a run does not have it."""

    def hparam_names(self) -> Collection[str]: ...
    def titles(self) -> NDArray[Any]:
        """str objects: the display name from the annotation, else the run's own name from `names`."""

    def notes(self) -> NDArray[Any]:
        """str objects, or None if a run has no note."""

    def archived(self) -> Mask: ...
    def labelled(self, labels: Collection[str]) -> Mask:
        """Return which runs have at least one of the labels."""

    def label_names(self) -> Sequence[str]:
        """Return every label that any run has."""


COLUMNS = ("name", "title", "status", "start", "duration", "tags", "labels", "archived", "note", "hparams")
METRICS: tuple[Metric, ...] = ("first", "last", "min", "max")
UNITS = {"seconds": 1.0, "minutes": 60.0, "hours": 3600.0, "days": 86400.0}
FUNCTIONS = (*METRICS, "has", "matches", "ago", "now", *UNITS)

# Signs that a text is an expression and not a regular expression; arrows, as in `a->b`, are not comparisons.
_SIGNS = re.compile(
    rf"[=!<>]=|(?<![-=])[<>]|\b(?:{'|'.join(FUNCTIONS)})\s*\(|\bhparams\s*[.\[]|\bin\s+(?:tags|labels)\b|^\s*not\s|\s(?:and|or)\s"
)
# Texts in quotes, and the openings of regex groups such as `(?<=` and `(?P<name>`, which are no such signs.
_NO_SIGNS = re.compile(r"\"[^\"]*\"?|'[^']*'?|\(\?(?:P?<\w+>|<?[=!:])")


@dataclasses.dataclass(frozen=True)
class Filter:
    """A parsed filter. Exactly one of `tree` (an expression) and `pattern` (a bare word) is set; the empty text has
    neither and matches every run."""

    text: str
    tree: ast.expr | None = None
    pattern: patterns.Pattern | None = None

    def mask(self, table: RunTable, *, now: float | None = None) -> Mask:
        """Return which runs match. `ago` and `now` are relative to `now` (seconds since 1970)."""
        if self.pattern is not None:
            return self._named(self.pattern, table)
        if self.tree is None:
            return np.ones(len(table), np.bool_)
        walker = _Walker(self.text, table, time.time() if now is None else now)
        with np.errstate(all="ignore"):
            return walker.truth(self.tree)

    def _named(self, pattern: patterns.Pattern, table: RunTable) -> Mask:
        """Match the run's own name, or its display name."""
        names, titles = table.names(), table.titles()
        budget = patterns.Budget()
        found = pattern.found_in(names, budget=budget)
        titled = np.nonzero(titles != names)[0] if titles is not names else np.zeros(0, np.int64)
        if len(titled):
            found[titled] |= pattern.found_in(titles[titled], budget=budget)
        return found


def parse(text: str) -> Filter:
    """Parse a filter; raises BadFilter with the position of the error."""
    if len(text) > MAX_LENGTH:
        raise errors.BadFilter(
            f"the filter is longer than {MAX_LENGTH} characters",
            position=MAX_LENGTH,
            code="filter.too_long",
            limit=MAX_LENGTH,
        )
    if not text.strip():
        return Filter(text)
    try:
        tree = _tree(text)
        if not isinstance(tree, (ast.BoolOp, ast.Call, ast.Compare, ast.UnaryOp)) and not _is_condition(tree):
            raise errors.BadFilter("a single word is searched in run names", code="filter.word")
        # Evaluate over an empty table to find all errors that do not depend on the runs.
        with np.errstate(all="ignore"):
            _Walker(text, _Nothing(), 0.0).truth(tree)
        return Filter(text, tree=tree)
    except errors.BadFilter as problem:
        if _SIGNS.search(_NO_SIGNS.sub("", text)):
            raise
        return _bare_word(text, problem)


def _bare_word(text: str, why_no_expression: errors.BadFilter) -> Filter:
    word = text.strip()
    try:
        return Filter(text, pattern=patterns.compile_pattern(word, text.index(word)))
    except errors.BadFilter as problem:
        raise problem from why_no_expression


def _is_condition(node: ast.expr) -> bool:
    return _is_hparam(node) or (isinstance(node, ast.Name) and node.id == "archived")


def _is_hparam(node: ast.expr) -> bool:
    of = node.value if isinstance(node, (ast.Attribute, ast.Subscript)) else None
    return isinstance(of, ast.Name) and of.id == "hparams"


def _tree(text: str) -> ast.expr:
    indent = len(text) - len(text.lstrip())
    line = re.sub(r"[\r\n\t]", " ", text.lstrip())
    try:
        tree = ast.parse(line, mode="eval").body
    except SyntaxError as problem:
        wrong = filter_syntax.explained(line, problem.offset)
        wrong.position += indent
        raise wrong from None
    except (ValueError, RecursionError, MemoryError) as problem:
        raise errors.BadFilter(
            "the filter is nested too deeply or has odd characters", code="filter.too_deep"
        ) from problem
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        raise errors.BadFilter("the filter has too many parts", code="filter.too_many_parts")
    encoded = line.encode()
    for node in ast.walk(tree):
        if hasattr(node, "col_offset"):  # bytes of this line → characters of the user's input
            node.col_offset = indent + len(encoded[: node.col_offset].decode(errors="ignore"))
    return tree


# ---- walking --------------------------------------------------------------------------------------------------------

# number: float64 array or float · text: str objects or str · time, duration: seconds · mixed: hparam objects
# truth: bool array · tags, labels: no value, the table is queried · list: tuple of constants
_Kind = Literal["number", "text", "time", "duration", "mixed", "truth", "tags", "labels", "list"]

_IN_WORDS = {
    "number": "a number",
    "text": "a text",
    "time": "a time",
    "duration": "a duration",
    "mixed": "an hparam",
    "truth": "true or false",
    "tags": "tags",
    "labels": "labels",
    "list": "a list",
}


@dataclasses.dataclass(frozen=True)
class _Value:
    kind: _Kind
    data: Any = None


_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.mod,
    ast.Pow: np.power,
}


class _Walker:
    """One pass over the tree for one table. Columns are fetched on first use and kept for the pass."""

    def __init__(self, text: str, table: RunTable, now: float) -> None:
        self.text = text
        self.table = table
        self.now = now
        self.hparam = functools.cache(table.hparam)
        self.metric = functools.cache(table.metric)
        self.budget = patterns.Budget()

    @functools.cached_property
    def known_hparams(self) -> Collection[str]:
        return self.table.hparam_names()

    def fail(
        self, node: ast.AST, message: str, hint: str = "", *, code: str, **parameters: str | int
    ) -> errors.BadFilter:
        position = getattr(node, "col_offset", 0)
        return errors.BadFilter(message, position=position, hint=hint, code=code, **parameters)

    # -- truth

    def truth(self, node: ast.expr) -> Mask:
        if isinstance(node, ast.BoolOp):
            combine = np.logical_and if isinstance(node.op, ast.And) else np.logical_or
            return functools.reduce(combine, [self.truth(value) for value in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ~self.truth(node.operand)
        value = self.value(node)
        if value.kind == "truth":
            return np.asarray(value.data, np.bool_)
        if value.kind == "mixed":  # `hparams.use_bn and …`
            return np.array([item is True for item in self.column(value)], np.bool_)
        part = ast.unparse(node)[:60]
        raise self.fail(
            node,
            f"expected a condition, found {_IN_WORDS[value.kind]}",
            f"compare it: `{part} == …`",
            code="filter.no_condition",
            part=part,
        )

    # -- values

    def value(self, node: ast.expr) -> _Value:
        if isinstance(node, ast.Constant):
            return self.constant(node)
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.Attribute) and _is_hparam(node):
            return self.hparam_value(node, node.attr)
        if isinstance(node, ast.Subscript) and _is_hparam(node):
            return self.hparam_value(node, self.plain_text(node.slice, 'hparams["name"]'))
        if isinstance(node, ast.Call):
            return self.call(node)
        if isinstance(node, ast.Compare):
            return self.compare(node)
        if isinstance(node, ast.BinOp):
            return self.arithmetic(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self.number(node.operand)
            return _Value(value.kind, -value.data if isinstance(node.op, ast.USub) else value.data)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return _Value("list", tuple(self.list_item(item) for item in node.elts))
        if isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
            return _Value("truth", self.truth(node))
        raise self.unusable(node)

    def unusable(self, node: ast.expr) -> errors.BadFilter:
        part = ast.unparse(node)[:60]
        return self.fail(
            node, f"`{part}` cannot be used in a filter", filter_syntax.HINT, code="filter.unusable", part=part
        )

    def constant(self, node: ast.Constant) -> _Value:
        if isinstance(node.value, bool) or node.value is None:
            return _Value("mixed", node.value)
        if isinstance(node.value, (int, float)):
            try:
                return _Value("number", float(node.value))
            except OverflowError:
                raise self.fail(node, "the number is too large", code="filter.number_too_large") from None
        if isinstance(node.value, str):
            return _Value("text", node.value)
        raise self.unusable(node)

    def column(self, value: _Value) -> NDArray[Any]:
        return value.data if isinstance(value.data, np.ndarray) else _same(value.data, len(self.table))

    def list_item(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, (bool, str, type(None))):
            return node.value
        value = self.value(node)
        if value.kind != "number" or not isinstance(value.data, float):
            raise self.fail(node, "a list can contain only texts and numbers", code="filter.list_item")
        return value.data

    def name(self, node: ast.Name) -> _Value:
        if node.id == "name":
            return _Value("text", self.table.names())
        if node.id == "title":
            return _Value("text", self.table.titles())
        if node.id == "note":
            return _Value("mixed", self.table.notes())
        if node.id == "archived":
            return _Value("truth", self.table.archived())
        if node.id in ("status", "state"):
            return _Value("text", self.table.statuses())
        if node.id == "start":
            return _Value("time", self.table.starts())
        if node.id == "duration":
            return _Value("duration", self.table.durations())
        if node.id in ("tags", "labels"):
            return _Value("tags" if node.id == "tags" else "labels")
        known = self.known_hparams
        if node.id in known:
            return _Value("mixed", self.hparam(node.id))
        if node.id == "hparams":
            raise self.fail(node, "`hparams` needs a name", "write hparams.lr", code="filter.hparams_name")
        close = _closest(node.id, (*COLUMNS, *FUNCTIONS, *known))
        if close:
            raise self.fail(
                node, f"unknown name `{node.id}`", _meant(close), code="filter.name", name=node.id, close=close
            )
        hint = f'to search in run names, write matches(name, "{node.id}")'
        raise self.fail(node, f"unknown name `{node.id}`", hint, code="filter.name_not_close", name=node.id)

    def hparam_value(self, node: ast.expr, name: str) -> _Value:
        known = self.known_hparams
        if name not in known:
            close = _closest(name, known)
            message = f"no run has an hparam `{name}`"
            raise self.fail(node, message, _meant(close), code="filter.hparam", name=name, close=close)
        return _Value("mixed", self.hparam(name))

    def plain_text(self, node: ast.expr, example: str) -> str:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        raise self.fail(node, "expected a text in quotes", f"write {example}", code="filter.quotes", example=example)

    # -- calls

    def call(self, node: ast.Call) -> _Value:
        func = node.func.id if isinstance(node.func, ast.Name) else ""
        if func not in FUNCTIONS:
            shown = ast.unparse(node.func)[:60]
            close = _closest(shown, FUNCTIONS)
            message = f"unknown function `{shown}`"
            raise self.fail(node, message, _meant(close), code="filter.function", name=shown, close=close)
        wanted = {"matches": 2, "now": 0}.get(func, 1)
        if node.keywords or len(node.args) != wanted or any(isinstance(arg, ast.Starred) for arg in node.args):
            raise self.fail(
                node,
                f"`{func}` takes {wanted} argument{'s' if wanted != 1 else ''}",
                f"write {_USAGE[func]}",
                code="filter.arguments",
                name=func,
                count=wanted,
                example=_USAGE[func],
            )
        if func == "matches":
            return _Value("truth", self.matches(*node.args))
        if func == "now":
            return _Value("time", self.now)
        [arg] = node.args
        if func in METRICS:
            return _Value("number", self.metric(func, self.plain_text(arg, _USAGE[func])))
        if func == "has":
            return _Value("truth", self.table.has(self.plain_text(arg, _USAGE[func])))
        if func == "ago":
            return _Value("time", self.now - self.as_duration(self.value(arg), arg))
        return _Value("duration", self.number(arg).data * UNITS[func])

    def matches(self, subject: ast.expr, pattern: ast.expr) -> Mask:
        compiled = patterns.compile_pattern(
            self.plain_text(pattern, _USAGE["matches"]), getattr(pattern, "col_offset", 0) + 1
        )
        value = self.value(subject)
        if value.kind == "tags":
            tags = self.table.tag_names()
            found = compiled.found_in(tags, budget=self.budget)
            return self.table.has_any([tags[place] for place in np.nonzero(found)[0].tolist()])
        if value.kind == "labels":
            labels = self.table.label_names()
            found = compiled.found_in(labels, budget=self.budget)
            return self.table.labelled([labels[place] for place in np.nonzero(found)[0].tolist()])
        if value.kind == "mixed":
            column = self.column(value)
            texts = ["" if item is None else str(item) for item in column]
            present = np.array([item is not None for item in column], np.bool_)
            return compiled.found_in(texts, budget=self.budget) & present
        if value.kind != "text" or isinstance(value.data, str):
            raise self.fail(
                subject,
                "`matches` searches name, title, status, tags, labels, note or an hparam",
                f"write {_USAGE['matches']}",
                code="filter.matches",
                example=_USAGE["matches"],
            )
        return compiled.found_in(value.data, budget=self.budget)

    # -- arithmetic

    def number(self, node: ast.expr) -> _Value:
        value = self.value(node)
        if value.kind == "mixed":
            return _Value("number", _numbers(self.column(value)))
        if value.kind in ("number", "time", "duration"):
            return value
        part = ast.unparse(node)[:60]
        raise self.fail(node, f"expected a number, found {_IN_WORDS[value.kind]}", code="filter.no_number", part=part)

    def arithmetic(self, node: ast.BinOp) -> _Value:
        compute = _ARITHMETIC.get(type(node.op))
        if compute is None:
            raise self.unusable(node)
        left, right = self.number(node.left), self.number(node.right)
        kinds = {left.kind, right.kind}
        kind: _Kind = "number"
        if kinds == {"time"} and isinstance(node.op, ast.Sub):
            kind = "duration"
        elif "time" in kinds:
            kind = "time"
        elif "duration" in kinds and not isinstance(node.op, ast.Div):
            kind = "duration"
        return _Value(kind, compute(left.data, right.data))

    # -- comparisons

    def compare(self, node: ast.Compare) -> _Value:
        result = np.ones(len(self.table), np.bool_)
        left_node = node.left
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            result = result & self.compared(left_node, op, right_node)
            left_node = right_node
        return _Value("truth", result)

    def compared(self, left_node: ast.expr, op: ast.cmpop, right_node: ast.expr) -> Mask:
        left, right = self.value(left_node), self.value(right_node)
        if isinstance(op, ast.In):
            return self.contained(left, right, right_node)
        if isinstance(op, ast.NotIn):
            return ~self.contained(left, right, right_node)
        compute = _COMPARE.get(type(op))
        if compute is None:
            raise self.fail(right_node, "use == and != instead of `is`", code="filter.is")
        kinds = {left.kind, right.kind}
        if kinds == {"truth", "mixed"}:  # `archived == False`
            a, b = (side.data.astype(object) if side.kind == "truth" else side.data for side in (left, right))
            return _compare_mixed(compute, a, b, len(self.table))
        if kinds <= {"number", "time", "duration", "text"} and kinds & {"time", "duration"}:
            want = self.as_time if "time" in kinds else self.as_duration
            return self.by_number(compute, want(left, left_node), want(right, right_node))
        if kinds == {"number"}:
            return self.by_number(compute, left.data, right.data)
        if kinds == {"text"}:
            return _all_rows(compute(left.data, right.data), len(self.table))
        if "mixed" in kinds and kinds <= {"mixed", "number", "text"}:
            return _compare_mixed(compute, left.data, right.data, len(self.table))
        raise self.fail(
            left_node,
            f"cannot compare {_IN_WORDS[left.kind]} with {_IN_WORDS[right.kind]}",
            filter_syntax.HINT,
            code="filter.compare",
            left=ast.unparse(left_node)[:60],
            right=ast.unparse(right_node)[:60],
        )

    def by_number(self, compute: Callable[[Any, Any], Any], left: Any, right: Any) -> Mask:
        """NaN means absent: every comparison with it is false, even `!=`."""
        there = ~(np.isnan(left) | np.isnan(right))
        return _all_rows(compute(left, right) & there, len(self.table))

    def contained(self, left: _Value, right: _Value, node: ast.expr) -> Mask:
        rows = len(self.table)
        if right.kind == "tags":
            if left.kind != "text" or not isinstance(left.data, str):
                raise self.fail(node, "only a text can be in tags", 'write "loss" in tags', code="filter.in_tags")
            return self.table.has(left.data)
        if right.kind == "labels":
            if left.kind != "text" or not isinstance(left.data, str):
                hint = 'write "paper" in labels'
                raise self.fail(node, "only a text can be in labels", hint, code="filter.in_labels")
            return self.table.labelled([left.data])
        if right.kind == "list" and left.kind in ("text", "number", "mixed"):
            masks = [_compare_mixed(operator.eq, left.data, item, rows) for item in right.data]
            return functools.reduce(np.logical_or, masks, np.zeros(rows, np.bool_))
        if right.kind in ("text", "mixed") and left.kind == "text" and isinstance(left.data, str):
            return np.array([isinstance(item, str) and left.data in item for item in self.column(right)], np.bool_)
        hint = 'write "loss" in tags'
        raise self.fail(node, "`in` searches tags, labels, a list or a text", hint, code="filter.in")

    def as_time(self, value: _Value, node: ast.expr) -> Any:
        if value.kind != "text":
            return value.data
        seconds = maybe_time(value.data) if isinstance(value.data, str) else None
        if seconds is None:
            hint = 'write "2026-01-31", "2026-01-31 18:30" or ago("2d")'
            raise self.fail(node, "not a date or time", hint, code="filter.time")
        return seconds

    def as_duration(self, value: _Value, node: ast.expr) -> Any:
        if value.kind != "text":
            return value.data
        seconds = maybe_duration(value.data) if isinstance(value.data, str) else None
        if seconds is None:
            hint = 'write "90s", "1h30m", "2d" or hours(1)'
            raise self.fail(node, "not a duration", hint, code="filter.duration")
        return seconds


_USAGE: dict[str, str] = {
    "matches": 'matches(name, "seed_[0-9]")',
    "ago": 'start > ago("2d")',
    "now": "start > now() - hours(2)",
    "has": 'has("loss")',
    **{str(metric): f'{metric}("loss") < 0.5' for metric in METRICS},
    **{unit: f"duration > {unit}(2)" for unit in UNITS},
}


class _Nothing:
    """An empty table that accepts every hparam name."""

    def __len__(self) -> int:
        return 0

    def names(self) -> NDArray[Any]:
        return np.zeros(0, object)

    statuses = titles = notes = names

    def starts(self) -> NDArray[np.float64]:
        return np.zeros(0)

    durations = starts

    def has(self, tag: str) -> Mask:
        return np.zeros(0, np.bool_)

    def has_any(self, tags: Collection[str]) -> Mask:
        return np.zeros(0, np.bool_)

    def tag_names(self) -> Sequence[str]:
        return ()

    def metric(self, func: Metric, tag: str) -> NDArray[np.float64]:
        return np.zeros(0)

    def hparam(self, name: str) -> NDArray[Any]:
        return np.zeros(0, object)

    def hparam_names(self) -> Collection[str]:
        return _Everything()

    def archived(self) -> Mask:
        return np.zeros(0, np.bool_)

    def labelled(self, labels: Collection[str]) -> Mask:
        return np.zeros(0, np.bool_)

    def label_names(self) -> Sequence[str]:
        return ()


class _Everything(Collection[str]):
    def __contains__(self, item: object) -> bool:
        return item != "hparams"

    def __iter__(self) -> Any:
        return iter(())

    def __len__(self) -> int:
        return 0


# ---- columns --------------------------------------------------------------------------------------------------------


def _same(value: object, rows: int) -> NDArray[Any]:
    column = np.empty(rows, object)
    column[:] = value
    return column


def _all_rows(result: Any, rows: int) -> Mask:
    mask: Mask = np.broadcast_to(np.asarray(result, np.bool_), (rows,)).copy()
    return mask


def _number(item: object) -> float:
    if isinstance(item, (bool, int, float)):
        return float(item)
    if isinstance(item, str):  # many writers log every hparam as text
        try:
            return float(item)
        except ValueError:
            pass
    return np.nan


def _numbers(column: Any) -> NDArray[np.float64]:
    return np.array([_number(item) for item in column], np.float64)


def _compare_mixed(compute: Callable[[Any, Any], Any], left: Any, right: Any, rows: int) -> Mask:
    """Hparams have the types that the writer gave them: compared as numbers if both sides are numbers, else as texts.

    None is an absent hparam; every comparison with it is false, except with a None in the filter.
    """
    equality = compute in (operator.eq, operator.ne)
    about_absence = equality and (left is None or right is None)
    sides = [side if isinstance(side, np.ndarray) else _same(side, rows) for side in (left, right)]
    result = np.zeros(rows, np.bool_)
    for row, (a, b) in enumerate(zip(*sides, strict=True)):
        if a is None or b is None:
            result[row] = about_absence and compute(a, b)
        elif isinstance(a, str) and isinstance(b, str):
            result[row] = compute(a, b)
        elif (x := _number(a)) == x and (y := _number(b)) == y:
            result[row] = compute(x, y)
        elif equality:
            result[row] = compute(str(a), str(b))
    return result


_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min|h|hr|d|w)", re.IGNORECASE)
_MAX_DURATION = 100  # characters; the pattern takes quadratic time
_SECONDS = {"ms": 1e-3, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "hr": 3600, "d": 86400, "w": 604800}


def maybe_duration(text: str) -> float | None:
    """Return the seconds of "90s", "1h30m", "2 d"; None if the text is not a duration."""
    if len(text) > _MAX_DURATION:
        return None
    parts = _DURATION.findall(text)
    if not parts or _DURATION.sub("", text).strip():
        return None
    return sum(float(count) * _SECONDS[unit.lower()] for count, unit in parts)


def maybe_time(text: str) -> float | None:
    """Return the seconds since 1970 of "2026-01-31", "2026-01-31 18:30" (local time) or with a zone; None if it is not
    a time."""
    try:
        # Python 3.10 does not accept "Z".
        moment = dt.datetime.fromisoformat(re.sub(r"[zZ]$", "+00:00", text.strip()))
        return moment.timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def _closest(word: str, known: Collection[str]) -> str:
    return next(iter(difflib.get_close_matches(word, known, 1)), "")


def _meant(close: str) -> str:
    return f"did you mean `{close}`?" if close else ""


# ---- completion -----------------------------------------------------------------------------------------------------


def complete(text: str, cursor: int, names: Mapping[str, Sequence[str]], *, limit: int = 20) -> list[str]:
    """Return completions for the word left of the cursor, best first.

    `names` has lists under "tags", "labels" and "hparams". Inside quotes, tags are offered, or labels if the context
    allows them; after `hparams.` hparams, elsewhere columns, functions and keywords.
    """
    left = text[:cursor][-MAX_LENGTH:]
    if match := re.search(r"\bhparams(?:\.(\w*)|\[[\"']([^\"']*))$", left):
        return _starting(match[1] if match[1] is not None else match[2], names.get("hparams", ()), limit)
    if left.count('"') % 2 or left.count("'") % 2:
        before, word = re.split(r"[\"']", left)[-2:]
        labels, tags = names.get("labels", ()), names.get("tags", ())
        if re.search(r"\blabels\s*,\s*$", before):
            tags = ()
        elif before.rstrip().endswith("("):
            labels = ()
        return _starting(word, [*tags, *labels], limit)
    last = re.search(r"\w*$", left)
    words = [*COLUMNS[:-1], "hparams.", *(f'{name}("' for name in (*METRICS, "has")), 'ago("', "matches(name, ", *UNITS]
    return _starting(last[0] if last else "", [*words, "and", "or", "not", "in"], limit)


def _starting(prefix: str, candidates: Sequence[str], limit: int) -> list[str]:
    low = prefix.lower()
    first = [item for item in candidates if item.lower().startswith(low)]
    inside = [item for item in candidates if low and low in item.lower() and not item.lower().startswith(low)]
    return [item for item in (*first, *inside) if item != prefix][:limit]
