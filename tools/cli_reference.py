"""Write docs/reference/cli.md from the parsers. A test fails if it is out of date.

python tools/cli_reference.py          write it
python tools/cli_reference.py --check  only report whether it is up to date
"""

from __future__ import annotations

import argparse
import pathlib
import sys

from lightboard import cli
from lightboard.cli import arguments, flags

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "reference" / "cli.md"

INTRODUCTION = """\
# Command line

*Generated from the parsers by `tools/cli_reference.py`; do not edit.*

`lightboard --logdir runs` starts a board. Other things it does are verbs: `lightboard VERB …`; `lightboard` without a
verb is `lightboard serve`, and a bare path is `--logdir`. `python -m lightboard` is the same.

- `--flag value`, `--flag=value`, `--flag_name` and `--flag-name` are all understood.
- Data go to stdout, everything else to stderr. Errors are one line `error: …`, often with a line `hint: …` below.
- Flags of TensorBoard that change nothing here are accepted, with one line that says why.
"""

STOPPING = """\
SIGINT (Ctrl-C) and SIGTERM end every verb within a second, whatever it is doing: starting, reading, answering slow
requests. Nothing is printed.

- A board that serves finishes the answers under way for up to 0.4 s, ends event streams at once and saves the index.
  What is not done after 0.8 s is left: the next start reads again what was not saved. A second signal ends it at once.
- Before a board serves, and in every other verb, a signal ends the process at once. Half-written files of `export`, the
  logs of `demo`, a Unix socket and the note for notebooks are removed.
- `lightboard` is a small program that blocks both signals and then starts Python, so that a signal waits until it can
  be obeyed. Before its first instruction the process dies of it (130 or 143 in a shell).
- `python -m lightboard` and `lightboard-python` are Python from the beginning. While it starts, some hundredths of a
  second, the process dies of a signal (130 or 143 in a shell), and Ctrl-C may print Python's own traceback, which ends
  in `KeyboardInterrupt` (exit code 1 or 130), or, very rarely, lose the signal: press it again.
"""


def page() -> str:
    parts = [
        INTRODUCTION,
        "## Exit codes\n",
        _table(("code", "meaning"), _codes()),
        "## Stopping\n",
        STOPPING,
        "## Environment\n",
        _environment(),
    ]
    for verb, summary in arguments.verbs().items():
        parts += [f"## `{verb}`\n", f"{_capital(summary)}.\n", *_flags(verb)]
    return "\n".join(parts).rstrip() + "\n"


def _codes() -> list[tuple[str, str]]:
    return [(str(code), text) for code, text in cli.EXIT_CODES.items()]


def _environment() -> str:
    rows = [
        ("`LIGHTBOARD_TOKEN`", "the token to ask for, as `--token`, but not seen in the list of processes"),
        ("`LIGHTBOARD_INDEX_DIR`", "where to keep the index, as `--index_dir`"),
        ("`LIGHTBOARD_DATA_DIR`", "the user's data directory, for remarks where the logdir cannot be written"),
        (
            "`LIGHTBOARD_HUB_ADMIN_TOKEN`",
            "at the first start of a hub: a token for its first admin, 32 characters or more",
        ),
        (
            "`LIGHTBOARD_HUB_KEY`",
            "the key that encrypts secrets of stores, 32 bytes in base64; default: a file in `--dir`",
        ),
        ("`LIGHTBOARD_HUB`", "the hub of `lightboard hub VERB` and of `lightboard.hub.Hub()`"),
        ("`LIGHTBOARD_HUB_TOKEN`", "the token for it; default: what `lightboard login` stored"),
        (
            "`LIGHTBOARD_HUB_CA`",
            "file or directory of certificate authorities that the hub's certificate is checked with",
        ),
        ("`LIGHTBOARD_HUB_INSECURE`", "1: send the token over http:// to another machine, as `--insecure`"),
        ("`LIGHTBOARD_CONFIG_DIR`", "the user's configuration, in which `lightboard login` stores tokens"),
        ("`LIGHTBOARD_PROXY_URL`", "in a notebook's kernel: where its page reaches a board, as `/proxy/%PORT%/`"),
        ("`XDG_RUNTIME_DIR`", "where a board writes down that it runs, for notebooks to find it"),
        ("`XDG_CONFIG_HOME`", "the user's configuration directory, in which tokens are stored otherwise"),
        ("`XDG_CACHE_HOME`", "the user's cache directory, in which the index is kept otherwise"),
    ]
    return _table(("variable", "meaning"), rows)


def _flags(verb: str) -> list[str]:
    parts = []
    inert = []
    for action in arguments.parser(verb)._actions:
        if action.dest == "help":
            continue
        if action.dest in flags.INERT:
            inert.append((f"`--{action.dest}`", flags.INERT[action.dest]))
            continue
        parts.append(f"### {_heading(action)}\n")
        parts.append(f"{_capital((action.help or '').replace('%%', '%'))}.{_choices(action)}\n")
    if inert:
        parts += ["### Accepted without effect\n", _table(("flag", "why nothing changes"), inert)]
    return parts


def _heading(action: argparse.Action) -> str:
    value = action.metavar if isinstance(action.metavar, str) else "VALUE"
    if not action.option_strings:
        return f"`{value if value != 'VALUE' else action.dest}`"
    shown = f" {value}" if action.nargs != 0 else ""
    return ", ".join(f"`{name}{shown}`" for name in action.option_strings)


def _choices(action: argparse.Action) -> str:
    return f" One of {', '.join(f'`{choice}`' for choice in action.choices)}." if action.choices else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _table(head: tuple[str, str], rows: list[tuple[str, str]]) -> str:
    lines = [f"| {head[0]} | {head[1]} |", "| --- | --- |", *(f"| {left} | {right} |" for left, right in rows)]
    return "\n".join(lines) + "\n"


def main() -> int:
    if "--check" in sys.argv[1:]:
        if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == page():
            return 0
        print("error: docs/reference/cli.md is stale\nhint: `make generate` writes it", file=sys.stderr)
        return 1
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
