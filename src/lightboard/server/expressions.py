"""`/api/expression`: checks a metric expression while it is typed."""

from __future__ import annotations

import dataclasses

from lightboard import errors
from lightboard.query import derived
from lightboard.server import context, endpoints, responses
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class ExpressionQuestion:
    text: str = param("such as `train/loss - val/loss`, with or without a `=` in front")


@dataclasses.dataclass(frozen=True)
class ExpressionAnswer:
    tag: str  # the expression with every tag in quotes: what other routes take as `tag`
    tags: list[str]  # the metrics it needs
    runs: int  # how many runs have them all
    error: responses.Problem | None = None  # the mistake in the text; the other members are then empty


def check(context: context.Context, question: ExpressionQuestion) -> ExpressionAnswer:
    try:
        return _checked(context, question.text)
    except errors.BadFilter as mistake:
        return ExpressionAnswer("", [], 0, responses.problem(mistake))


def _checked(context: context.Context, text: str) -> ExpressionAnswer:
    expression = derived.parse(context.store, text)
    tags = list(dict.fromkeys(tag for _, tag in expression.operands()))
    return ExpressionAnswer(str(expression), tags, len(derived.find(context.store, str(expression))))


API = (
    endpoints.Api(
        "/api/expression",
        check,
        question=ExpressionQuestion,
        answer=ExpressionAnswer,
        about="Checks a metric expression, and returns it with every tag in quotes, or the mistake in it.",
    ),
)
