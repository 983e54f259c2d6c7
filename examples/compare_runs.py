"""Mean and spread of a metric over the seeds of each configuration, with pandas.

python examples/compare_runs.py runs accuracy
"""

from __future__ import annotations

import sys

import lightboard


def configuration(logs: lightboard.Logs, run: str) -> str:
    """Hyperparameters but the seed; runs without any stand for themselves."""
    hparams = {name: value for name, value in logs.hparams(run).items() if name != "seed"}
    return " ".join(f"{name}={value}" for name, value in sorted(hparams.items())) or run


def main(path: str, tag: str) -> None:
    with lightboard.open(path) as logs:
        table = logs.to_pandas(tags=[tag])
        last = table.groupby("run", observed=True)["value"].last()
        groups = [configuration(logs, run) for run in last.index]
        print(last.groupby(groups).agg(["mean", "std", "count"]).to_string(float_format="%.4f"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
