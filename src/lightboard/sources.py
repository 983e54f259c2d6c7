"""Files that are not event files: the table of rules that find and classify them.

    pattern   shell patterns for the last parts of a path; a file belongs to the first rule that matches, and an event
              file (`EVENTS`) to none
    run       the path before the matched parts: `a/plugins/profile/1/x.xplane.pb` belongs to run `a`
    keep      its content is small and kept in the store (`types.Companion`), read again when it changes
    scan      the scan that turns it into columns, "" if there is none; see `logdir.loading`
    shown     a page shows it, so pages are notified when it changes

All of them are rows of the store's `sources`, found with the event files and kept in the index. A new kind needs a
rule here, its parser in `query`, and its page. A starting board reads this table before anything else, so this module
imports little.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

EVENTS = "*tfevents*"
PROJECTOR_ASSETS = "plugins/org_tensorflow_tensorboard_projector"


class Rule(NamedTuple):
    """A row of the table above."""

    kind: str
    pattern: str
    keep: bool = False
    scan: str = ""
    shown: bool = False

    @property
    def depth(self) -> int:
        """Number of path components in the pattern."""
        return self.pattern.count("/") + 1

    def matches(self, path: str) -> bool:
        import fnmatch

        parts, patterns = path.split("/")[-self.depth :], self.pattern.split("/")
        return len(parts) == len(patterns) and all(map(fnmatch.fnmatchcase, parts, patterns))

    def run_of(self, key: str) -> str:
        """Returns the path before the matched parts, `.` if there is none."""
        return "/".join(key.split("/")[: -self.depth]) or "."

    def key_of(self, run: str, address: str) -> str:
        """The key of a file, computed from its run and address."""
        own = address.split("/")[-self.depth :]
        return "/".join(own if run == "." else [run, *own])


RULES: tuple[Rule, ...] = (
    # a directory without event files can be a run of the projector, too
    Rule("projector", f"{PROJECTOR_ASSETS}/projector_config.pbtxt", keep=True, shown=True),
    Rule("projector", "projector_config.pbtxt", keep=True, shown=True),
    # written by Lightning's logger into a run's directory
    Rule("hparams", "hparams.yaml", keep=True, shown=True),
    # TensorFlow and JAX: one directory for each capture, one file for each host
    Rule("profile", "plugins/profile/*/*.xplane.pb"),
    Rule("profile", "plugins/profile/*/*.trace.json.gz"),
    # PyTorch's tensorboard_trace_handler
    Rule("profile", "*.pt.trace.json"),
    Rule("profile", "*.pt.trace.json.gz"),
    # a dump of the debugger: several files of one name, with .metadata, .graphs, .execution and others at the end
    Rule("debugger", "tfdbg_events.*"),
    # written by TensorFlow Model Analysis; fairness indicators name such a directory
    Rule("evaluation", "metrics-*-of-*.tfrecord"),
    Rule("evaluation", "plots-*-of-*.tfrecord"),
    Rule("evaluation", "attributions-*-of-*.tfrecord"),
    Rule("evaluation", "validations.tfrecord"),
    Rule("evaluation", "eval_config.json"),
    # tf.Example records
    Rule("examples", "*.tfrecord"),
    Rule("examples", "*.tfrecord.gz"),
)


def patterns(rules: Sequence[Rule] = RULES) -> list[str]:
    """Returns the patterns of a walk: event files first, then one per rule."""
    return [EVENTS, *(rule.pattern for rule in rules)]


def is_event_file(path: str) -> bool:
    return "tfevents" in path.rpartition("/")[2]


def rule_of(path: str, rules: Sequence[Rule] = RULES) -> int:
    """Returns the index of the rule that a file belongs to; -1: none."""
    if is_event_file(path):
        return -1
    return next((number for number, rule in enumerate(rules) if rule.matches(path)), -1)


def names(rules: Sequence[Rule] = RULES) -> re.Pattern[str]:
    """Returns a pattern that matches names of files that belong to a rule in some directory."""
    import fnmatch
    import re

    return re.compile("|".join(fnmatch.translate(rule.pattern.rpartition("/")[2]) for rule in rules) or r"(?!)")
