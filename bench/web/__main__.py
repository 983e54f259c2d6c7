"""`python -m bench.web [--only NAME …]`: TensorBoard's page and ours in the same browser; prints figures and bars."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from pathlib import Path

from bench import lightboard_side, pace, report, tensorboard_side
from bench.web import boards, browser, ours, results, suite, theirs

TRIES, FLUSHES = 3, 30
HERE = Path(__file__).resolve().parent.parent.parent


def main() -> int:
    parser = _parser()
    args = parser.parse_args()
    args.dir.mkdir(parents=True, exist_ok=True)
    if "tensorboard" in args.sides and not args.tensorboard.exists():
        parser.error(f"no TensorBoard to compare with: {args.tensorboard}; `make bench-web` installs it")
    return asyncio.run(_run(args))


async def _run(args: argparse.Namespace) -> int:
    task = asyncio.current_task()
    if task is not None:  # if this process is ended, end the boards and the browser, too
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    log = args.dir / "boards.log"
    sides: dict[str, tensorboard_side.Side | lightboard_side.Side] = {
        "tensorboard": tensorboard_side.Side(args.tensorboard, log=log),
        "lightboard": lightboard_side.Side(args.lightboard, index_dir=args.dir / "index_web", log=log),
    }
    pages: dict[str, boards.Page] = {"tensorboard": theirs.Page(), "lightboard": ours.Page()}
    rows: list[report.Row] = []
    failed = False
    async with browser.chromium() as chromium:
        conditions = boards.Conditions(
            chromium,
            args.dir,
            {name: sides[name] for name in args.sides},
            {name: pages[name] for name in args.sides},
            args.tries,
            args.flushes,
            args.quiet,
            args.scale,
        )
        for name in args.only or suite.MEASUREMENTS:
            pace.sample()
            try:
                rows.extend([row async for row in suite.MEASUREMENTS[name](conditions)])
            except (RuntimeError, OSError, TimeoutError, browser.Failure) as error:  # must not hide the others
                print(f"error: {name}: {error}", file=sys.stderr)
                failed = True
    facts = report.machine(_command(args))
    table = report.text(rows, facts)
    print(table)
    args.json.write_text(report.document(rows, facts))
    if args.page is not None:
        results.put_into(args.page, table)
    return int(failed)


def _command(args: argparse.Namespace) -> str:
    """Return the command line without the paths of this machine."""
    words = ["--only", *args.only] if args.only else []
    words += ["--sides", *args.sides] if len(args.sides) < 2 else []
    for name, usual in (("tries", TRIES), ("flushes", FLUSHES), ("scale", 1.0), ("quiet", 0.0)):
        if (value := getattr(args, name)) != usual:
            words += [f"--{name}", f"{value:g}"]
    return " ".join(["python -m bench.web", *words])


def _parser() -> argparse.ArgumentParser:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lightboard-bench"
    parser = argparse.ArgumentParser(prog="python -m bench.web", description=__doc__)
    names = list(suite.MEASUREMENTS)
    parser.add_argument("--only", nargs="+", choices=names, metavar="NAME", default=[], help=", ".join(names))
    parser.add_argument("--dir", type=Path, default=cache, help="where corpora are kept (default: %(default)s)")
    parser.add_argument("--tries", type=int, default=TRIES, help="openings: the best of so many (default: %(default)s)")
    parser.add_argument("--flushes", type=int, default=FLUSHES, help="live points to time (default: %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the corpora's sizes, for a quick look")
    parser.add_argument(
        "--quiet", type=float, default=0.0, metavar="SECS", help="wait up to this for an idle machine, again and again"
    )
    parser.add_argument("--json", type=Path, default=Path(os.devnull), metavar="FILE", help="write results there, too")
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help=f"put the table under `{results.HEADING}` of this page, too"
    )
    parser.add_argument("--tensorboard", type=Path, default=HERE / ".venv-bench" / "bin" / "tensorboard")
    parser.add_argument("--lightboard", type=Path, default=HERE / ".venv-bench" / "bin" / "lightboard")
    both = ["tensorboard", "lightboard"]
    parser.add_argument("--sides", nargs="+", choices=both, default=both, help="measure one only")
    return parser


if __name__ == "__main__":
    sys.exit(main())
