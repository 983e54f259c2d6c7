"""`/api/hparams`: hparams of runs as columns."""

from __future__ import annotations

import dataclasses

from lightboard.query import hparams, runs
from lightboard.server import context, endpoints
from lightboard.server.parameters import param


@dataclasses.dataclass(frozen=True)
class HparamsQuestion:
    run: tuple[str, ...] | None = param("only these runs; repeatable", None)
    filter: str = param("a run filter; see the filter language", "")
    name: tuple[str, ...] | None = param("only these hparams; repeatable", None)
    limit: int = param("at most so many hparams", 1000, lo=0, hi=100_000)


def answer(context: context.Context, question: HparamsQuestion) -> hparams.Hparams:
    rows = runs.chosen(context.store, question.run, question.filter)
    return hparams.table(context.store, rows, names=question.name, limit=question.limit)


API = (
    endpoints.Api(
        "/api/hparams",
        answer,
        question=HparamsQuestion,
        answer=hparams.Hparams,
        methods=("GET", "POST"),
        about="Hyperparameters of runs as parallel columns.",
    ),
)
