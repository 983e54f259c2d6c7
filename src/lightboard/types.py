"""The types that all rooms share: kinds, columns, metadata, tensors, faults.

Only frozen values and the standard library. The native core writes the numbers of `Kind` and `Column` into its
tables and the index keeps them on disk: never renumber them, add new ones at the end.
"""

from __future__ import annotations

import dataclasses
import enum
from typing import TYPE_CHECKING, Any, NewType

if TYPE_CHECKING:
    from numpy.typing import NDArray

RunName = NewType("RunName", str)
TagName = NewType("TagName", str)


class Kind(enum.IntEnum):
    """What the values of a tag are. The word (`Kind.SCALARS.word`) names its module in every room."""

    UNTYPED = 0  # a tensor whose metadata has not been seen (yet); shown as `tensors`
    SCALARS = 1
    IMAGES = 2
    AUDIO = 3
    TEXT = 4
    HISTOGRAMS = 5
    PR_CURVES = 6
    MESH = 7
    CUSTOM_SCALARS = 8
    HPARAMS = 9
    GRAPHS = 10
    TENSORS = 11  # any other plugin's tensors
    VIDEO = 12
    HTML = 13
    TABLES = 14
    PLOTLY = 15

    @property
    def word(self) -> str:
        return "tensors" if self is Kind.UNTYPED else self.name.lower()


class Column(enum.IntEnum):
    """The content of the third column of a chunk, beside step and wall time."""

    F32 = 0
    F64 = 1
    VALUE_REF = 2  # position of a Summary.Value message in the event file
    RAW_REF = 3  # position of raw bytes (a GraphDef, a RunMetadata)


class Rewinds(enum.Enum):
    """Which points to show of a job that was restarted at an earlier step."""

    LATEST = "latest"  # points the restart superseded are hidden
    ALL = "all"


class Links(enum.Enum):
    """Which symbolic links to runs and event files below a log directory are followed."""

    NEVER = "never"
    INSIDE = "inside"  # those that end below a log directory
    ALL = "all"


class RunState(enum.Enum):
    """State of a run, computed from when it last wrote."""

    RUNNING = "running"
    IDLE = "idle"
    FINISHED = "finished"
    EMPTY = "empty"  # it has files, but no event yet
    CRASHED = "crashed"  # its heartbeats stopped without a final one, or the final one said failure


@dataclasses.dataclass(frozen=True)
class Metadata:
    """A tag's SummaryMetadata as its first value carried it. First seen wins, across files."""

    plugin: str = ""
    content: bytes = b""
    display_name: str = ""
    description: str = ""
    data_class: int = 0


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A heavy value read from its event file, with old formats converted to new ones.

    Exactly one of `array` (numbers) and `strings` (row-major elements) is set. `content_type` is the type in an old
    audio summary, otherwise empty.
    """

    shape: tuple[int, ...]
    array: NDArray[Any] | None = None
    strings: tuple[bytes, ...] | None = None
    content_type: str = ""


@dataclasses.dataclass(frozen=True)
class Fault:
    """An error at one position of a file. The rest of the file was read."""

    path: str
    offset: int
    reason: str  # one word: see `native/read/fault.h`
    detail: str  # a sentence for people
    code: str = ""  # with the parameters, the same for the page: see `error_codes.py`
    parameters: dict[str, Any] = dataclasses.field(default_factory=dict, hash=False)


FaultRow = tuple[int, int, str, str, str, dict[str, Any]]
"""A fault of a scan: (number of the task, offset, reason, detail, code, parameters)."""


@dataclasses.dataclass(frozen=True)
class Companion:
    """A small file beside the events that describes a run, with its content. The files it names are large and read on
    request (`store.FilesBeside`).
    """

    kind: str  # "projector", "hparams"
    run: str
    path: str
    content: bytes
    problem: str = ""  # why there is no content
    directory: str = ""  # real path of the file's directory when it was read; "": it was not read


@dataclasses.dataclass(frozen=True)
class FileState:
    """Used to detect whether a file is still the one that was read."""

    size: int
    mtime_ns: int
    version: int  # see `logdir.filesystems.IDENTITY`


@dataclasses.dataclass(frozen=True)
class Source:
    """A file that is no event file but has useful content: a capture, a dump, a config. See `sources`."""

    kind: str
    run: str
    address: str
    state: FileState
    changed: int  # version of the store at its last change


@dataclasses.dataclass(frozen=True)
class Annotation:
    """What people say about a run. It is stored beside the logs, never in them; see `sidecar`."""

    name: str | None = None  # shown in place of the run's own
    note: str | None = None  # Markdown
    tags: tuple[str, ...] = ()
    archived: bool = False
    color: str | None = None  # "#rrggbb"


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far loading has come."""

    done: bool
    files_read: int
    files_total: int  # grows while a bucket is listed for the first time
    bytes_read: int
    bytes_total: int
    runs_read: int = 0  # runs of which every file has been read
    runs_total: int = 0
