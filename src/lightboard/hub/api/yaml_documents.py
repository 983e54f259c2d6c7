"""YAML of people, read within bounds. Aliases are refused: a few of them make a small file a huge document."""

from __future__ import annotations

from typing import Any

import yaml

from lightboard.hub.life import manifests

MOST_CHARACTERS = 256 << 10
MOST_EVENTS = 20_000
MOST_DEPTH = 30
# Plain numbers and dates are short; long ones cost much time.
LONGEST_PLAIN = 4096
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def read(text: str) -> list[Any]:
    """All documents of a file. Raises manifests.BadManifest."""
    if len(text) > MOST_CHARACTERS:
        raise manifests.BadManifest(f"the file has more than {MOST_CHARACTERS:,} characters", hint="split it")
    try:
        _check(text)
        return list(yaml.load_all(text, Loader=_LOADER))
    except yaml.YAMLError as error:
        raise manifests.BadManifest(f"the file is not YAML: {_where(error)}", hint="check the indentation") from error
    except (ValueError, OverflowError, RecursionError) as error:  # a date of month 13, a number of 5,000 digits
        raise manifests.BadManifest(f"the file has a value that cannot be read: {str(error)[:200]}") from error


def _check(text: str) -> None:
    """Counts before anything is built."""
    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        if isinstance(event, yaml.AliasEvent):
            hint = f"line {_line(event)}: write the value again instead of `*{event.anchor}`"
            raise manifests.BadManifest("the file has an alias", hint=hint)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if number > MOST_EVENTS or depth > MOST_DEPTH:
            raise manifests.BadManifest("the file has too many values, or they are nested too deeply", hint="split it")
        if isinstance(event, yaml.ScalarEvent) and event.implicit[0] and len(event.value) > LONGEST_PLAIN:
            raise manifests.BadManifest(f"line {_line(event)} has a very long value", hint="quote it")


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _where(error: yaml.YAMLError) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark is not None else ""
    return f"{place}{problem or error}"[:300]


def write(document: Any) -> str:
    text: str = yaml.dump(document, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=100)
    return text
