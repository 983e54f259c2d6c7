"""Metric expressions: a new curve from the curves of a run, such as `train/loss - val/loss`.

    = train/loss - val/loss                        a tag that begins with "=" is an expression
    = ema("val/loss", 0.9) / 2                     functions; a tag may be in quotes
    = loss / in_run("baseline", loss)              the same metric of another run

A tag without quotes is the longest name that some run has at this place of the text, so `train/loss` is a tag and not a
division. `parse` needs the names for this; `str(expression)` quotes them all and no longer depends on the names.

Points of two operands are joined by step: the result has the steps of the operand with fewer points, and each of them
uses the latest value of the other operand at or before that step. Everything here is pure: a parser of bounded size,
and functions over arrays. `query/derived.py` finds the points in the store. The user's page is
docs/reference/expressions.md.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, kernels

PREFIX = "="
MAX_LENGTH = 1_000
MAX_NODES = 100
MAX_DEPTH = 30
MAX_COMPARED = 10_000  # names that are compared to suggest one
EMA_WEIGHT = 0.6  # TensorBoard's default

F64 = NDArray[np.float64]
IsTag = Callable[[str], bool]


@dataclasses.dataclass(frozen=True)
class Number:
    value: float


@dataclasses.dataclass(frozen=True)
class Tag:
    name: str


@dataclasses.dataclass(frozen=True)
class Negative:
    of: Node


@dataclasses.dataclass(frozen=True)
class Operation:
    sign: str  # one of `OPERATORS`
    left: Node
    right: Node


@dataclasses.dataclass(frozen=True)
class Call:
    function: str  # one of `FUNCTIONS`
    arguments: tuple[Node, ...]


@dataclasses.dataclass(frozen=True)
class InRun:
    run: str
    of: Node


Node = Number | Tag | Negative | Operation | Call | InRun


@dataclasses.dataclass(frozen=True)
class Curve:
    """Parallel arrays, in the order of the points."""

    steps: NDArray[np.int64]
    wall_times: F64
    values: F64


@dataclasses.dataclass(frozen=True)
class Expression:
    tree: Node

    def __str__(self) -> str:
        """The text with every tag in quotes; `parse` returns an equal expression for it."""
        return f"{PREFIX} {_text(self.tree)}"

    def operands(self) -> Iterator[tuple[str | None, str]]:
        """Yield each distinct pair of run and tag; None is the run of the curve itself."""
        yield from dict.fromkeys(_operands(self.tree, None))

    def curve(self, read: Callable[[str | None, str], Curve]) -> Curve:
        """Return the curve; `read` returns the points of an operand."""
        with np.errstate(all="ignore"):
            found = _evaluate(self.tree, None, read)
        assert isinstance(found, Curve)  # `parse` requires a tag
        return found


def is_expression(tag: str) -> bool:
    return tag.startswith(PREFIX)


def parse(text: str, is_tag: IsTag = lambda name: False, names: Sequence[str] = ()) -> Expression:
    """Parse the text with or without its "="; raises BadFilter with the position of the error. `names` are for
    suggestions."""
    if len(text) > MAX_LENGTH:
        raise errors.BadFilter(
            f"the expression is longer than {MAX_LENGTH} characters",
            position=MAX_LENGTH,
            code="expression.too_long",
            limit=MAX_LENGTH,
        )
    parser = _Parser(text, is_tag, names)
    tree = parser.whole()
    if not any(run is None for run, _ in _operands(tree, None)):
        raise errors.BadFilter(
            "the expression names no metric of the run itself",
            hint='for example: = "train/loss" - "val/loss"',
            code="expression.no_metric",
        )
    return Expression(tree)


# ---- parsing --------------------------------------------------------------------------------------------------------

OPERATORS: dict[str, Callable[[F64, F64], F64]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
}
_SPELLINGS = {"−": "-", "–": "-", "×": "*", "·": "*", "÷": "/", "^": "**"}
_LEVELS = {"+": 1, "-": 1, "*": 2, "/": 2, "**": 4}
_NEGATIVE_LEVEL = 3

_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NAME = re.compile(r"[^\W\d]\w*(?=\s*\()")
_QUOTED = re.compile(r'"((?:[^"]|"")*)"|\'((?:[^\']|\'\')*)\'')
_BOUNDARY = re.compile(r"[\s+\-*/^(),\"'−–×·÷]|$")
_WORD = re.compile(r"[^\s+*^(),\"'−–×·÷]+")


class _Parser:
    """Recursive descent over one text. State: the position of the next character, and the number of nodes."""

    def __init__(self, text: str, is_tag: IsTag, names: Sequence[str]) -> None:
        self.text = text
        self.is_tag = is_tag
        self.names = names
        self.at = len(text) - len(text.lstrip())
        self.nodes = 0
        if text.startswith(PREFIX, self.at):
            self.at += 1

    def fail(
        self, message: str, at: int | None = None, hint: str = "", *, code: str, **parameters: str
    ) -> errors.BadFilter:
        position = self.at if at is None else at
        return errors.BadFilter(message, position=position, hint=hint, code=code, **parameters)

    def whole(self) -> Node:
        tree = self.sum(0)
        if self.peek():
            part = self.text[self.at :][:20]
            raise self.fail(f"expected an operator before `{part}`", code="expression.unexpected", part=part)
        return tree

    def peek(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def take(self, sign: str) -> bool:
        if self.peek() and self.text.startswith(sign, self.at):
            self.at += len(sign)
            return True
        return False

    def operator(self, level: int) -> str:
        """Return the next operator if it has this level, and skip it."""
        found = self.peek()
        length = 2 if self.text.startswith("**", self.at) else 1
        sign = _SPELLINGS.get(found, self.text[self.at : self.at + length])
        if _LEVELS.get(sign) != level:
            return ""
        self.at += length
        return sign

    def made(self, node: Node) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.fail("the expression has too many parts", code="expression.too_large")
        return node

    def sum(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.fail("the expression is nested too deeply", code="expression.too_large")
        left = self.product(depth)
        while sign := self.operator(1):
            left = self.made(Operation(sign, left, self.product(depth)))
        return left

    def product(self, depth: int) -> Node:
        left = self.signed(depth)
        while sign := self.operator(2):
            left = self.made(Operation(sign, left, self.signed(depth)))
        return left

    def signed(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self.fail("the expression is nested too deeply", code="expression.too_large")
        sign = _SPELLINGS.get(self.peek(), self.peek())
        if sign in ("-", "+"):
            self.at += 1
            of = self.signed(depth + 1)
            return self.made(Negative(of)) if sign == "-" else of
        return self.power(depth)

    def power(self, depth: int) -> Node:
        base = self.operand(depth)
        return self.made(Operation("**", base, self.signed(depth + 1))) if self.operator(4) else base

    def operand(self, depth: int) -> Node:
        found = self.peek()
        if not found:
            raise self.fail(
                "the expression is not complete: a metric or a number is missing", code="expression.incomplete"
            )
        if found == "(":
            return self.parenthesized(depth)
        if found in "\"'":
            return self.made(Tag(self.quoted()))
        if match := _NAME.match(self.text, self.at):
            return self.call(match[0], depth)
        if match := _NUMBER.match(self.text, self.at):
            self.at = match.end()
            return self.made(Number(float(match[0])))
        return self.made(Tag(self.bare()))

    def parenthesized(self, depth: int) -> Node:
        opened = self.at
        self.at += 1
        inner = self.sum(depth + 1)
        if not self.take(")"):
            raise self.fail(
                "a `)` is missing", None if self.peek() else opened, code="filter.unclosed_bracket", bracket="("
            )
        return inner

    def quoted(self) -> str:
        match = _QUOTED.match(self.text, self.at)
        if match is None:
            raise self.fail("the quote is not closed", code="filter.unclosed_quote", quote=self.text[self.at])
        self.at = match.end()
        quote = match[0][0]
        return match[0][1:-1].replace(quote * 2, quote)

    def bare(self) -> str:
        """Return the longest known tag that begins here."""
        ends = [match.start() for match in _BOUNDARY.finditer(self.text, self.at)]
        for end in reversed(ends):
            if end > self.at and self.is_tag(self.text[self.at : end]):
                start, self.at = self.at, end
                return self.text[start:end]
        word = _WORD.match(self.text, self.at)
        if word is None:
            part = self.text[self.at]
            raise self.fail(f"expected a metric or a number, found `{part}`", code="expression.unexpected", part=part)
        close = difflib.get_close_matches(word[0], self.names, 1) if len(self.names) <= MAX_COMPARED else []
        hint = f"did you mean `{close[0]}`?" if close else 'write a name with spaces or signs in quotes: "train/loss"'
        name, meant = word[0][:80], close[0] if close else ""
        raise self.fail(f"no run has the metric `{name}`", hint=hint, code="expression.metric", name=name, close=meant)

    def call(self, name: str, depth: int) -> Node:
        start = self.at
        if name not in (*FUNCTIONS, "in_run"):
            close = difflib.get_close_matches(name, (*FUNCTIONS, "in_run"), 1)
            hint = f"did you mean `{close[0]}`?" if close else "functions: " + ", ".join((*FUNCTIONS, "in_run"))
            meant = close[0] if close else ""
            raise self.fail(f"unknown function `{name}`", hint=hint, code="filter.function", name=name, close=meant)
        self.at += len(name)
        self.take("(")
        run = ""
        if name == "in_run":
            if self.peek() not in ('"', "'"):
                raise self.fail(
                    "`in_run` begins with the name of a run in quotes",
                    hint=_USAGE,
                    code="expression.in_run",
                    example=_USAGE,
                )
            run = self.quoted()
            if not self.take(","):
                raise self.fail(
                    "`in_run` needs a run and a metric", hint=_USAGE, code="expression.in_run", example=_USAGE
                )
        arguments = [self.sum(depth + 1)]
        while self.take(","):
            arguments.append(self.sum(depth + 1))
        if not self.take(")"):
            raise self.fail(
                "a `)` is missing", None if self.peek() else start, code="filter.unclosed_bracket", bracket="("
            )
        if name == "in_run":
            if len(arguments) != 1:
                raise self.fail(
                    "`in_run` needs a run and a metric", start, hint=_USAGE, code="expression.in_run", example=_USAGE
                )
            return self.made(InRun(run, arguments[0]))
        FUNCTIONS[name].check(
            name, arguments, lambda message: self.fail(message, start, code="expression.arguments", name=name)
        )
        return self.made(Call(name, tuple(arguments)))


_USAGE = 'in_run("baseline", "val/loss")'


def _text(node: Node, level: int = 0) -> str:
    """Return the text of a node, in parentheses if it binds less than `level`."""
    if isinstance(node, Number):
        return repr(node.value).removesuffix(".0")
    if isinstance(node, Tag):
        return _quote(node.name)
    if isinstance(node, InRun):
        return f"in_run({_quote(node.run)}, {_text(node.of)})"
    if isinstance(node, Call):
        return f"{node.function}({', '.join(map(_text, node.arguments))})"
    if isinstance(node, Negative):
        text, own = "-" + _text(node.of, _NEGATIVE_LEVEL), _NEGATIVE_LEVEL
    else:
        own = _LEVELS[node.sign]
        right_associative = node.sign == "**"
        left = _text(node.left, own + right_associative)
        right = _text(node.right, _NEGATIVE_LEVEL if right_associative else own + 1)
        text = f"{left} {node.sign} {right}"
    return f"({text})" if own < level else text


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _operands(node: Node, run: str | None) -> Iterator[tuple[str | None, str]]:
    if isinstance(node, Tag):
        yield run, node.name
    elif isinstance(node, InRun):
        yield from _operands(node.of, node.run)
    elif isinstance(node, Negative):
        yield from _operands(node.of, run)
    elif isinstance(node, Operation):
        yield from _operands(node.left, run)
        yield from _operands(node.right, run)
    elif isinstance(node, Call):
        for each in node.arguments:
            yield from _operands(each, run)


# ---- evaluating -----------------------------------------------------------------------------------------------------

Read = Callable[[str | None, str], Curve]
Value = Curve | float


def _evaluate(node: Node, run: str | None, read: Read) -> Value:
    if isinstance(node, Number):
        return node.value
    if isinstance(node, Tag):
        return read(run, node.name)
    if isinstance(node, InRun):
        return _evaluate(node.of, node.run, read)
    if isinstance(node, Negative):
        return _each(np.negative, _evaluate(node.of, run, read))
    if isinstance(node, Operation):
        return _both(OPERATORS[node.sign], _evaluate(node.left, run, read), _evaluate(node.right, run, read))
    return FUNCTIONS[node.function].apply([_evaluate(each, run, read) for each in node.arguments])


def _each(compute: Callable[[F64], F64], value: Value) -> Value:
    if isinstance(value, Curve):
        return dataclasses.replace(value, values=compute(value.values))
    return float(compute(np.array([value]))[0])


def _both(compute: Callable[[F64, F64], F64], left: Value, right: Value) -> Value:
    if isinstance(left, Curve) and isinstance(right, Curve):
        joined, left_values, right_values = join(left, right)
        return dataclasses.replace(joined, values=compute(left_values, right_values))
    if isinstance(left, Curve):
        assert isinstance(right, float)
        return dataclasses.replace(left, values=compute(left.values, np.float64(right)))
    if isinstance(right, Curve):
        return dataclasses.replace(right, values=compute(np.float64(left), right.values))
    return float(compute(np.array([left]), np.array([right]))[0])


def join(left: Curve, right: Curve) -> tuple[Curve, F64, F64]:
    """Return the curve whose points are kept, and the values of both at these points."""
    if len(left.steps) == len(right.steps) and np.array_equal(left.steps, right.steps):
        return left, left.values, right.values
    if len(left.steps) <= len(right.steps):
        kept, other = _latest(left, right)
        return kept, kept.values, other
    kept, other = _latest(right, left)
    return kept, other, kept.values


def _latest(few: Curve, many: Curve) -> tuple[Curve, F64]:
    """Return the points of `few` that have a value of `many` at or before their step, and that value."""
    order = np.argsort(many.steps, kind="stable")  # the last of several at one step
    at = np.searchsorted(many.steps[order], few.steps, "right") - 1
    known = at >= 0
    kept = Curve(few.steps[known], few.wall_times[known], few.values[known])
    return kept, many.values[order][at[known]]


# ---- functions ------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Function:
    """`about` is for the documentation; `numbers` are the allowed values of a second argument that must be a number."""

    apply: Callable[[list[Value]], Value]
    about: str
    least: int = 1
    most: int = 1
    numbers: tuple[float, float] | None = None

    def check(self, name: str, arguments: Sequence[Node], fail: Callable[[str], errors.BadFilter]) -> None:
        if not self.least <= len(arguments) <= self.most:
            wanted = str(self.least) if self.least == self.most else f"{self.least} to {self.most}"
            raise fail(f"`{name}` takes {wanted} argument{'s' if self.most != 1 else ''}")
        if self.numbers is None or len(arguments) < 2:
            return
        low, high = self.numbers
        second = arguments[1]
        if not isinstance(second, Number) or not low <= second.value <= high:
            raise fail(f"the second argument of `{name}` is a number from {low:g} to {high:g}")


def _elementwise(compute: Callable[[F64], F64], about: str) -> Function:
    return Function(lambda given: _each(compute, given[0]), about)


def _folded(compute: Callable[[F64, F64], F64], about: str) -> Function:
    def apply(given: list[Value]) -> Value:
        result = given[0]
        for each in given[1:]:
            result = _both(compute, result, each)
        return result

    return Function(apply, about, 2, 10)


def _smoothed(
    compute: Callable[[F64, float], F64], default: float, numbers: tuple[float, float], about: str
) -> Function:
    def apply(given: list[Value]) -> Value:
        parameter = given[1] if len(given) > 1 else default
        assert isinstance(parameter, (int, float))  # `check`
        return _each(lambda values: compute(values, parameter), given[0])

    return Function(apply, about, 1, 2, numbers)


FUNCTIONS: dict[str, Function] = {
    "abs": _elementwise(np.abs, "absolute value"),
    "exp": _elementwise(np.exp, "e to the power of x"),
    "log": _elementwise(np.log, "natural logarithm"),
    "log10": _elementwise(np.log10, "decimal logarithm"),
    "sqrt": _elementwise(np.sqrt, "square root"),
    "min": _folded(np.fmin, "lowest of 2 to 10 values at each step"),
    "max": _folded(np.fmax, "highest of 2 to 10 values at each step"),
    "diff": _elementwise(lambda values: np.diff(values, prepend=np.nan), "change since the previous point"),
    "cumsum": _elementwise(np.nancumsum, "sum of all values up to the point"),
    "cummin": _elementwise(np.fmin.accumulate, "lowest value up to the point"),
    "cummax": _elementwise(np.fmax.accumulate, "highest value up to the point"),
    "ema": _smoothed(
        kernels.ema,
        EMA_WEIGHT,
        (0, 1),
        f"moving average with a weight, as TensorBoard smooths; {EMA_WEIGHT} by default",
    ),
    "mean": _smoothed(
        lambda values, window: kernels.running_mean(values, int(window), trailing=True),
        10,
        (1, 1_000_000),
        "mean of the last points; 10 by default",
    ),
}
