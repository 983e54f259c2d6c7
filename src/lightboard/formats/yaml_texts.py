"""Parse YAML texts with PyYAML, if it is installed: block scalars, lists of maps, anchors, texts over several lines.

Only PyYAML's parser is used, which turns a text into events; values are created here. So plain words mean the same as
in `hparams_texts` (`1e-3` is a number, `yes` a text, as in YAML 1.2), tags such as `!!python/tuple` are ignored instead
of refused, and no object is constructed.

Programs may log any text, even a hostile one. Parsing stops early if a text is nested too deeply, since the time of
libyaml is quadratic in depth; an alias counts as all the values it refers to: a few lines cannot become a billion.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

MAX_DEPTH = 32
MAX_VALUES = 50_000
_VALUE_CHARS = 100  # a longer text counts as several values: aliases may repeat it
# PyYAML without libyaml is written in Python and reads about 500 kB a second.
MAX_CHARS_WITHOUT_LIBYAML = 100_000

Scalar = Callable[[str], Any]


class NoYaml(ValueError):
    """The text is not a YAML mapping, or it is too large."""


def maybe_mapping(text: str, scalar: Scalar) -> dict[str, Any] | None:
    """Return the mapping in a text; None if PyYAML is not installed. `scalar` parses plain words. Raises NoYaml."""
    try:
        import yaml
    except ImportError:
        return None
    loader = getattr(yaml, "CSafeLoader", None)
    if loader is None and len(text) > MAX_CHARS_WITHOUT_LIBYAML:
        return None
    try:
        value = _first_document(yaml, yaml.parse(text, Loader=loader or yaml.SafeLoader), scalar)
    except (yaml.YAMLError, RecursionError) as error:
        raise NoYaml(str(error)) from error
    if not isinstance(value, dict):
        raise NoYaml("it is no mapping")
    return value


@dataclasses.dataclass
class _Open:
    """A collection whose end has not been parsed yet. `key`: in a mapping, the name of the next value."""

    value: dict[str, Any] | list[Any]
    anchor: str | None
    values_before: int
    key: str | None = None


def _first_document(yaml: Any, events: Iterator[Any], scalar: Scalar) -> Any:
    anchors: dict[str, tuple[Any, int]] = {}  # name → (value, number of values in it)
    stack: list[_Open] = []
    count = 0
    for event in events:
        if isinstance(event, yaml.ScalarEvent):
            plain = event.style is None or event.style == ""
            value, anchor = scalar(event.value) if plain else event.value, event.anchor
            size = 1 + len(event.value) // _VALUE_CHARS
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise NoYaml(f"nothing is called {event.anchor[:100]}")
            (value, size), anchor = anchors[event.anchor], None
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if len(stack) >= MAX_DEPTH:
                raise NoYaml(f"it is deeper than {MAX_DEPTH}")
            opened: dict[str, Any] | list[Any] = {} if isinstance(event, yaml.MappingStartEvent) else []
            stack.append(_Open(opened, event.anchor, count))
            continue
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            closed = stack.pop()
            # Its values have already been counted one by one.
            value, size, anchor = closed.value, 1, closed.anchor
            if anchor is not None:
                anchors[anchor] = value, count - closed.values_before + 1
                anchor = None
        else:
            continue  # the beginning or end of a document
        count += size
        if count > MAX_VALUES:
            raise NoYaml(f"it has more than {MAX_VALUES:,} values")
        if anchor is not None:
            anchors[anchor] = value, size
        if not stack:
            return value
        _add(stack[-1], value, event)
    raise NoYaml("it is empty")


def _add(into: _Open, value: Any, event: Any) -> None:
    if isinstance(into.value, list):
        into.value.append(value)
    elif into.key is None:
        if isinstance(value, (dict, list)):
            raise NoYaml("a name is a list or a mapping")
        into.key = str(getattr(event, "value", value))
    else:
        if into.key == "<<" and isinstance(value, (dict, list)):
            _merge(into.value, value)
        else:
            into.value[into.key] = value
        into.key = None


def _merge(into: dict[str, Any], value: dict[str, Any] | list[Any]) -> None:
    """Apply `<<: *base`: add the names of the other mapping that are not given here."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            for name, inner in each.items():
                into.setdefault(name, inner)
