"""The table of kinds: one row for each kind of data in event files.

Lists of kinds elsewhere (which kinds have blobs, steps, descriptions, which content type a blob has) are derived from
it. The numbers of kinds are `types.Kind`; how values are decoded is in each kind's own module.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from lightboard import types
from lightboard.formats import media

HTML = "text/html; charset=utf-8"
JSON = "application/json"
PLAIN = "text/plain; charset=utf-8"

Detect = Callable[[bytes, str], str]
"""(data, content type that the writer stated) → content type."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Row:
    """`blob_type` is the content type of one string of a value: a constant for text, or a function that detects it.
    None: values are numbers, or structures with their own routes, and `/api/blobs` does not serve them."""

    word: str  # names the kind's module in every room
    kind: types.Kind
    blob_type: str | Detect | None = None
    leading: int = 0  # number of strings before the first element: an image value is [width, height, image, image, …]
    listed: bool = False  # TensorBoard lists the blobs, and strings may be in rows: a blob and its label
    files: bool = False  # `lightboard export` writes each blob to a file
    steps: bool = True  # `/api/steps` lists the points
    described: bool = True  # `/api/descriptions` has the writers' descriptions of its tags

    @property
    def is_text(self) -> bool:
        return isinstance(self.blob_type, str) and self.blob_type != media.UNKNOWN

    def content_type(self, data: bytes, stated: str = "") -> str:
        """Return the content type of one blob. `stated` is used for audio only, which cannot run scripts."""
        if self.blob_type is None:
            return media.UNKNOWN
        return self.blob_type if isinstance(self.blob_type, str) else self.blob_type(data, stated)


def _picture(data: bytes, stated: str) -> str:
    return media.SVG if media.is_svg(data) else media.picture(data)


def _film(data: bytes, stated: str) -> str:
    return media.film(data)


# In the order in which the API lists them.
TABLE = (
    Row(word="scalars", kind=types.Kind.SCALARS, steps=False),
    Row(word="images", kind=types.Kind.IMAGES, blob_type=_picture, leading=2, listed=True, files=True),
    Row(word="audio", kind=types.Kind.AUDIO, blob_type=media.clip, listed=True, files=True),
    Row(word="video", kind=types.Kind.VIDEO, blob_type=_film, files=True),
    Row(word="text", kind=types.Kind.TEXT, blob_type=PLAIN),
    Row(word="html", kind=types.Kind.HTML, blob_type=HTML, files=True),
    Row(word="tables", kind=types.Kind.TABLES, blob_type=JSON),
    Row(word="plotly", kind=types.Kind.PLOTLY, blob_type=JSON),
    Row(word="histograms", kind=types.Kind.HISTOGRAMS),
    # Another view of histograms.
    Row(word="distributions", kind=types.Kind.HISTOGRAMS, described=False),
    Row(word="pr_curves", kind=types.Kind.PR_CURVES),
    Row(word="mesh", kind=types.Kind.MESH),
    Row(word="custom_scalars", kind=types.Kind.CUSTOM_SCALARS, described=False),
    Row(word="hparams", kind=types.Kind.HPARAMS, steps=False, described=False),
    Row(word="graphs", kind=types.Kind.GRAPHS, described=False),
    Row(word="tensors", kind=types.Kind.TENSORS, blob_type=media.UNKNOWN),
)
BY_WORD = {row.word: row for row in TABLE}
BY_KIND = {kind: BY_WORD[kind.word] for kind in types.Kind}

BLOB_KINDS = frozenset(row.kind for row in TABLE if row.blob_type is not None)
LISTED_KINDS = frozenset(row.kind for row in TABLE if row.listed)
FILE_WORDS = tuple(row.word for row in TABLE if row.files)

# Types of parameters: the API description and the page's types list the words. A type checker accepts only literals in
# the source, so it sees `str`.
if TYPE_CHECKING:
    StepsWord = str
    DescribedWord = str
else:
    StepsWord = Literal[tuple(row.word for row in TABLE if row.steps)]
    DescribedWord = Literal[tuple(row.word for row in TABLE if row.described)]
