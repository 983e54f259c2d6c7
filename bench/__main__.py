"""`python -m bench [generate|run] [--only NAME …]`: make the corpora, measure, print a table of ratios."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from bench import corpora, generator, lightboard_side, report, setup, suite, tensorboard_side

TRIES, FLUSHES = 3, 60
HERE = Path(__file__).resolve().parent.parent


def main() -> int:
    parser = _parser()
    args = parser.parse_args()
    known = [corpus.name for corpus in corpora.ALL] if args.step == "generate" else list(suite.MEASUREMENTS)
    for name in args.only:
        if name not in known:
            parser.error(f"{name} is none of {', '.join(known)}")
    args.dir.mkdir(parents=True, exist_ok=True)
    return _generate(args) if args.step == "generate" else _run(args)


def _generate(args: argparse.Namespace) -> int:
    for corpus in corpora.ALL:
        if not args.only or corpus.name in args.only:
            print(generator.make(corpora.scaled(corpus, args.scale) if args.scale != 1 else corpus, args.dir))
    return 0


def _run(args: argparse.Namespace) -> int:
    log = args.dir / "boards.log"
    for command in (args.lightboard,) if args.alone else (args.lightboard, args.tensorboard):
        if not command.exists():
            print(f"error: no such program to measure: {command}", file=sys.stderr)
            print("hint: `make bench` installs both; --alone measures Lightboard only", file=sys.stderr)
            return 1
    theirs = None if args.alone else tensorboard_side.Side(args.tensorboard, log=log)
    ours = lightboard_side.Side(args.lightboard, index_dir=args.dir / "index", log=log)
    conditions = setup.Setup(args.dir, ours, theirs, args.tries, args.scale, args.flushes, args.quiet)
    rows: list[report.Row] = []
    failed = False
    for name, measure in suite.MEASUREMENTS.items():
        if args.only and name not in args.only:
            continue
        try:
            rows.extend(measure(conditions))
        except (RuntimeError, OSError) as error:  # a failed measurement must not hide the others
            print(f"error: {name}: {error}", file=sys.stderr)
            failed = True
    facts = report.machine(_command(args))
    table = report.text(rows, facts)
    print(table)
    args.json.write_text(report.document(rows, facts))
    if args.page is not None:
        report.put_into(args.page, table)
    return int(failed)


def _command(args: argparse.Namespace) -> str:
    """Return the command line without the paths of this machine."""
    words = ["--only", *args.only] if args.only else []
    words += ["--alone"] if args.alone else []
    for name, usual in (("tries", TRIES), ("scale", 1.0), ("flushes", FLUSHES), ("quiet", 0.0)):
        if (value := getattr(args, name)) != usual:
            words += [f"--{name}", f"{value:g}"]
    return " ".join(["python -m bench", *words])


def _parser() -> argparse.ArgumentParser:
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lightboard-bench"
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("step", nargs="?", choices=["generate", "run"], default="run")
    names = [corpus.name for corpus in corpora.ALL]
    parser.add_argument(
        "--only",
        nargs="+",
        metavar="NAME",
        default=[],
        help=f"run: {', '.join(suite.MEASUREMENTS)}; generate: {', '.join(names)}",
    )
    parser.add_argument("--dir", type=Path, default=cache, help="where corpora are kept (default: %(default)s)")
    parser.add_argument("--scale", type=float, default=1.0, help="fraction of the corpora's sizes, for a quick look")
    parser.add_argument("--tries", type=int, default=TRIES, help="the best of so many counts (default: %(default)s)")
    parser.add_argument(
        "--flushes", type=int, default=FLUSHES, help="how many live points to time (default: %(default)s)"
    )
    parser.add_argument(
        "--quiet", type=float, default=0.0, metavar="SECS", help="before each start wait up to this for an idle machine"
    )
    parser.add_argument("--json", type=Path, default=Path(os.devnull), metavar="FILE", help="write results there, too")
    parser.add_argument("--page", type=Path, metavar="FILE", help="put the table under `## Results` of this page, too")
    parser.add_argument("--tensorboard", type=Path, default=HERE / ".venv-bench" / "bin" / "tensorboard")
    parser.add_argument("--lightboard", type=Path, default=HERE / ".venv-bench" / "bin" / "lightboard")
    parser.add_argument("--alone", action="store_true", help="measure Lightboard only")
    return parser


if __name__ == "__main__":
    sys.exit(main())
