"""`lightboard completion bash|zsh|fish`: a completion script, generated from the parsers.

eval "$(lightboard completion bash)"                                    in ~/.bashrc
eval "$(lightboard completion zsh)"                                     in ~/.zshrc, after compinit
lightboard completion fish > ~/.config/fish/completions/lightboard.fish
"""

from __future__ import annotations

import argparse
import dataclasses

from lightboard import cli
from lightboard.cli import arguments, stopping

SHELLS = ("bash", "zsh", "fish")
# metavars whose value is a path
_PATHS = {"PATH", "FILE", "DIR", "SPEC"}


@dataclasses.dataclass(frozen=True)
class Flag:
    name: str  # with the dashes
    help: str
    choices: tuple[str, ...]
    takes_value: bool
    takes_path: bool


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="for which shell")
    parser.epilog = "\n".join((__doc__ or "").splitlines()[2:]).rstrip()


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    write = {"bash": bash, "zsh": zsh, "fish": fish}[args.shell]
    print(write(), end="")
    return cli.OK


def flags_of(verb: str) -> list[Flag]:
    """Returns the verb's flags except those without effect: they are accepted, but not offered."""
    from lightboard.cli import flags

    result = []
    for action in arguments.parser(verb)._actions:
        names = [name for name in action.option_strings if name.startswith("--")]
        if not names or action.dest in flags.INERT:
            continue
        choices = tuple(str(choice) for choice in action.choices or ())
        metavar = action.metavar if isinstance(action.metavar, str) else ""
        help_text = (action.help or "").replace("%%", "%")
        result += [Flag(name, help_text, choices, action.nargs != 0, metavar in _PATHS) for name in names]
    return result


def words_of(verb: str) -> list[str]:
    """Returns the bare words that a verb accepts."""
    actions = arguments.parser(verb)._actions
    return [str(choice) for action in actions if not action.option_strings for choice in action.choices or ()]


def bash() -> str:
    cases, values, seen = [], [], set()
    for verb in cli.VERBS:
        names = " ".join([flag.name for flag in flags_of(verb)] + words_of(verb))
        cases.append(f'    {verb}) words="{names}" ;;')
        for flag in flags_of(verb):
            if flag.choices and flag.name not in seen:
                seen.add(flag.name)
                values.append(
                    f'    {flag.name}) COMPREPLY=($(compgen -W "{" ".join(flag.choices)}" -- "$word")); return ;;'
                )
    lines = [
        "# completion of lightboard for bash; made by `lightboard completion bash`",
        "_lightboard() {",
        '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" verb=serve words=""',
        f'  case "${{COMP_WORDS[1]}}" in {"|".join(cli.VERBS)})',
        '    [ "$COMP_CWORD" -gt 1 ] && verb="${COMP_WORDS[1]}" ;; esac',
        '  case "$before" in',
        *values,
        "  esac",
        '  case "$verb" in',
        *cases,
        "  esac",
        f'  [ "$COMP_CWORD" -eq 1 ] && words="$words {" ".join(cli.VERBS)}"',
        '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
        "}",
        "complete -o default -F _lightboard lightboard",
    ]
    return "\n".join(lines) + "\n"


def zsh() -> str:
    cases = []
    for verb in cli.VERBS:
        specs = [_zsh_flag(flag) for flag in flags_of(verb)]
        words = words_of(verb)
        specs.append(f"'1:what:({' '.join(words)})'" if words else "'*:path:_files'")
        cases.append(f"    {verb})\n      _arguments " + " \\\n        ".join(specs) + " ;;")
    verbs = " ".join(f"'{name}:{_zsh_text(text)}'" for name, text in cli.VERBS.items())
    lines = [
        "#compdef lightboard",
        "# completion of lightboard for zsh; made by `lightboard completion zsh`",
        "_lightboard() {",
        "  local -a verbs",
        f"  verbs=({verbs})",
        "  local verb=serve",
        "  if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then",
        "    _describe verb verbs; _files; return",
        "  fi",
        f"  if [[ $words[2] == ({'|'.join(cli.VERBS)}) ]]; then",
        "    verb=$words[2]; shift words; (( CURRENT-- ))",
        "  fi",
        "  case $verb in",
        *cases,
        "  esac",
        "}",
        "compdef _lightboard lightboard",
    ]
    return "\n".join(lines) + "\n"


def fish() -> str:
    verbs = " ".join(cli.VERBS)
    lines = [
        "# completion of lightboard for fish; made by `lightboard completion fish`",
        f"set -l verbs {verbs}",
    ]
    for name, text in cli.VERBS.items():
        lines.append(f"complete -c lightboard -n 'not __fish_seen_subcommand_from $verbs' -a {name} -d {_quoted(text)}")
    for verb in cli.VERBS:
        seen = f"__fish_seen_subcommand_from {verb}"
        when = f"'not __fish_seen_subcommand_from {verbs}; or {seen}'" if verb == "serve" else f"'{seen}'"
        for flag in flags_of(verb):
            line = f"complete -c lightboard -n {when} -l {flag.name[2:]} -d {_quoted(flag.help)}"
            if flag.choices:
                line += f" -x -a {_quoted(' '.join(flag.choices))}"
            elif flag.takes_value:
                line += " -r" if flag.takes_path else " -x"
            lines.append(line)
        lines += [f"complete -c lightboard -n {when} -a {word}" for word in words_of(verb)]
    return "\n".join(lines) + "\n"


def _zsh_flag(flag: Flag) -> str:
    spec = f"{flag.name}[{_zsh_text(flag.help)}]"
    if flag.choices:
        spec += f":value:({' '.join(flag.choices)})"
    elif flag.takes_value:
        spec += ":path:_files" if flag.takes_path else ":value: "
    return f"'{spec}'"


def _zsh_text(text: str) -> str:
    return text.replace("'", "'\\''").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
