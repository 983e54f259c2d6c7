"""`/api/expression`: checks a metric expression while it is typed."""

from __future__ import annotations

import dataclasses

from lightboard.query import derived
from lightboard.server import context, endpoints
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class ExpressionQuestion:
    text: str = param("such as `train/loss - val/loss`, with or without a `=` in front")


@dataclasses.dataclass(frozen=True)
class ExpressionAnswer:
    tag: str  # the expression with every tag in quotes: what other routes take as `tag`
    tags: list[str]  # the metrics it needs
    runs: int  # how many runs have them all


def check(context: context.Context, question: ExpressionQuestion) -> ExpressionAnswer:
    expression = derived.parse(context.store, question.text)
    tags = list(dict.fromkeys(tag for _, tag in expression.operands()))
    return ExpressionAnswer(str(expression), tags, len(derived.find(context.store, str(expression))))


API = (
    endpoints.Api(
        "/api/expression",
        check,
        question=ExpressionQuestion,
        answer=ExpressionAnswer,
        about="Checks a metric expression, and returns it with every tag in quotes.",
    ),
)
