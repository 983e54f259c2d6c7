"""Parses the command line: the verb, its flags, and suggestions for wrong words.

Parsers are plain argparse, so completion and the reference page are generated from them. In addition, `--flag-name`
is `--flag_name`, unknown words get a suggestion, and errors are raised as `errors.BadInput` rather than printed.
"""

from __future__ import annotations

import argparse
import importlib
import os
from collections.abc import Iterable, Mapping
from typing import NoReturn, Protocol, cast

from lightboard import cli, errors
from lightboard.cli import dev_verbs, hub_verbs, stopping

# Verbs that have verbs: `lightboard hub create`.
GROUPS: Mapping[str, Mapping[str, str]] = {"hub": hub_verbs.VERBS, "dev": dev_verbs.VERBS}


class Verb(Protocol):
    """The functions of every verb's module."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, args: argparse.Namespace, stops: stopping.Stops) -> int: ...


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise errors.BadInput(message, hint=f"`{self.prog} --help` lists the flags")


class Formatter(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=min(120, _columns()))


def split_verb(words: list[str]) -> tuple[str, list[str]]:
    """Returns the verb and the words after it. The default verb is `serve`, and a bare word is the logdir."""
    if not words or words[0].startswith("-"):
        return "serve", words
    first = words[0]
    if first == "hub" and words[1:] and not words[1].startswith("-"):
        return _hub_verb(words[1]), words[2:]
    if first == "dev" and words[1:]:
        return _dev_verb(words[1:])
    if first in cli.VERBS:
        return first, words[1:]
    if any(mark in first for mark in "/\\.~:") or os.path.exists(first):  # noqa: PTH110 (before pathlib is imported)
        return "serve", words
    raise errors.BadInput(
        f"`{first}` is neither a verb nor a directory",
        hint=_meant(first, cli.VERBS, "lightboard ") or f"`lightboard --logdir {first}` waits for it to appear",
    )


def _hub_verb(word: str) -> str:
    """`lightboard hub create` is the verb "hub create"."""
    if word in hub_verbs.VERBS:
        return f"hub {word}"
    hint = _meant(word, hub_verbs.VERBS, "lightboard hub ") or f"verbs: {', '.join(hub_verbs.VERBS)}"
    raise errors.BadInput(f"`{word}` is not a verb of `lightboard hub`", hint=hint)


def _dev_verb(words: list[str]) -> tuple[str, list[str]]:
    """`lightboard dev --origin URL upload` is the verb "dev upload"; flags before it come after it."""
    before: list[str] = []
    rest = list(words)
    while rest and rest[0].startswith("--"):
        name, equals, _ = rest[0].replace("-", "_").partition("=")
        takes = dev_verbs.BEFORE_VERB.get(f"--{name.lstrip('_')}")
        if takes is None:
            return "dev", words  # --help, or a wrong flag
        before += [rest.pop(0)]
        before += [rest.pop(0)] if takes and not equals and rest else []
    if rest and rest[0] in dev_verbs.VERBS:
        return f"dev {rest[0]}", [*before, *rest[1:]]
    word = rest[0] if rest else ""
    hint = _meant(word, dev_verbs.VERBS, "lightboard dev ") or f"verbs: {', '.join(dev_verbs.VERBS)}"
    raise errors.BadInput(f"`{word}` is not a verb of `lightboard dev`", hint=hint)


def verbs() -> dict[str, str]:
    """All verbs, also those of `lightboard hub` and `lightboard dev` ("hub create"), and what they do."""
    return {**cli.VERBS, **{f"{group} {name}": text for group, each in GROUPS.items() for name, text in each.items()}}


def module(verb: str) -> Verb:
    name = verb.replace("hub ", "hub_verbs.").replace("dev ", "dev_verbs.").replace("-", "_")
    return cast(Verb, importlib.import_module(f"lightboard.cli.{name}"))


def parser(verb: str) -> Parser:
    """Returns the verb's parser, with all its flags."""
    result = Parser(
        prog="lightboard" if verb == "serve" else f"lightboard {verb}",
        description=verbs()[verb],
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    if verb == "serve":
        result.usage = "lightboard [VERB] --logdir PATH [flags]"
        result.description = "Show training runs from TensorBoard event files."
        result.epilog = _verbs_help()
    if verb == "hub":
        result.usage = "lightboard hub [VERB] [flags]"
        result.epilog = "verbs (`lightboard hub VERB --help` shows more):\n" + _listed(hub_verbs.VERBS)
    if verb == "dev":
        result.usage = "lightboard dev VERB [flags]"
        result.epilog = "verbs (`lightboard dev VERB --help` shows more):\n" + _listed(dev_verbs.VERBS)
    module(verb).add_arguments(result)
    return result


def parse(verb: str, words: list[str]) -> argparse.Namespace:
    asked = parser(verb)
    args, extra = asked.parse_known_args(_spelled(words, flags(asked)))
    if extra:
        _refuse(asked, extra[0])
    return args


def wants_digest(args: argparse.Namespace) -> bool:
    """Whether `lightboard --inspect` or `--event_file` is given: then `serve` means `inspect`."""
    return bool(getattr(args, "inspect", False) or getattr(args, "event_file", ""))


def flags(asked: argparse.ArgumentParser) -> list[str]:
    return [flag for action in asked._actions for flag in action.option_strings]


def _spelled(words: list[str], known: Iterable[str]) -> list[str]:
    """Replaces `--flag-name` by `--flag_name`; other words are unchanged."""
    names = set(known)
    result: list[str] = []
    for position, word in enumerate(words):
        if word == "--":
            return result + words[position:]
        name, equals, value = word.partition("=")
        underscored = "--" + name[2:].replace("-", "_")
        result.append(underscored + equals + value if word.startswith("--") and underscored in names else word)
    return result


def _refuse(asked: Parser, word: str) -> NoReturn:
    if not word.startswith("-"):
        hint = f"verbs come first: `lightboard {word} …`" if word in cli.VERBS else ""
        raise errors.BadInput(f"unexpected word `{word}`", hint=hint or f"`{asked.prog} --help` lists the flags")
    name = word.partition("=")[0]
    hint = _meant("--" + name.lstrip("-").replace("-", "_"), flags(asked))
    raise errors.BadInput(f"unknown flag `{name}`", hint=hint or f"`{asked.prog} --help` lists the flags")


def _meant(word: str, choices: Iterable[str], before: str = "") -> str:
    import difflib

    names = list(choices)
    close = [name for name in names if name.startswith(word)] if len(word) > 3 else []
    close = close or difflib.get_close_matches(word, names, n=1, cutoff=0.6)
    return f"did you mean `{before}{close[0]}`?" if close else ""


def _verbs_help() -> str:
    codes = _listed({str(code): text for code, text in cli.EXIT_CODES.items()})
    return f"verbs (`lightboard VERB --help` shows more):\n{_listed(cli.VERBS)}\n\nexit codes:\n{codes}"


def _listed(texts: Mapping[str, str]) -> str:
    return "\n".join(f"  {name:<12} {text}" for name, text in texts.items())


def _columns() -> int:
    import shutil

    return shutil.get_terminal_size((100, 24)).columns
