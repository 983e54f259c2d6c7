"""The life of a board, for `docs/gallery.md`: a test tells it in Chromium, in English and Chinese, and takes pictures.

`make gallery` runs the test with the directory of the pictures in its environment.
"""

from __future__ import annotations

import dataclasses
import os
import pathlib
import subprocess
import sys

VARIABLE = "LIGHTBOARD_STORY_PICTURES"
TEST = "tests/browser/hub/test_story.py"
LANGUAGES = ("en", "zh")


@dataclasses.dataclass(frozen=True)
class Picture:
    name: str
    title: str
    says: str
    height: int = 220

    def file(self, language: str) -> str:
        return f"story-{self.name}-{language}"


PICTURES = (
    Picture("empty", "A new hub", "Its first admin has just chosen a password.", 400),
    Picture("create", "An address", "A directory of a volume. The dialog shows what it finds there.", 560),
    Picture("running", "A link", "State, type, source, workspace, time of creation, and when the board pauses."),
    Picture("curves", "The board", "It is opened from the list.", 420),
    Picture("idle", "One hour later", "Nobody has used the board: it is idle and is stopped a day later."),
    Picture("reclaimed", "One day later", "It has been stopped. The triangle resumes it, with the index it had."),
    Picture("waking", "A link to a stopped board", "Opening it starts the board; this page waits for it.", 420),
    Picture(
        "limit", "The sixth board", "Five may be active. The dialog offers to stop one, then creates the new one.", 600
    ),
)


def names() -> list[str]:
    return [each.file(language) for each in PICTURES for language in LANGUAGES]


def take_all(images: pathlib.Path, wanted: set[str]) -> None:
    """All, if any of them is wanted: they are one story."""
    if wanted and wanted.isdisjoint(names()):
        return
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TEST]
    subprocess.run(command, check=True, env={**os.environ, VARIABLE: str(images)}, cwd=images.parents[1])


def page() -> list[str]:
    """Lines of Markdown."""
    lines = ["## The life of a board", ""]
    lines += ["Told by a test, with a clock that it moves. [More](explanation/life-of-a-board.md).", ""]
    for each in PICTURES:
        lines += [f"### {each.title}", "", each.says, ""]
        lines += [f"![{each.title}](images/{each.file('en')}.png)", ""]
        lines += [f"![{each.title}, in Chinese](images/{each.file('zh')}.png)", ""]
    return lines
