"""Print the last and the best value of one tag for every run.

python examples/read_scalars.py runs accuracy
"""

from __future__ import annotations

import sys

import lightboard


def main(path: str, tag: str) -> None:
    with lightboard.open(path) as logs:
        for entry in logs.select(tags=[tag], kind="scalars"):
            found = logs.scalars(entry.run, tag)
            print(f"{entry.run}: last {found.values[-1]:.4f} at step {found.steps[-1]}, best {found.values.max():.4f}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
