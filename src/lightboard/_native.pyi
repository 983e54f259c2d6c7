"""The typed face of native/ (C++20): `logdir` and `sdk` read and write event files by it, `kernels` wraps the numerics.

Tables come back as bytes laid out like the dtypes of `lightboard.store.row_types`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

class Stream(Protocol):
    """Bytes that the caller fetches while they are scanned. Any thread may call; neither method may raise."""

    def next(self, received: int, /) -> tuple[int | Callable[[memoryview], int], bytes, int, float, float] | None:
        """The next piece, None at the end: (descriptor of a socket, or a function that stores bytes in a buffer and
        returns how many, 0 at the end; bytes that were received already; length of the piece; seconds to wait for
        more bytes, and for the whole piece, if there is a socket). `received`: how many bytes came of the piece
        before."""

    def close(self, received: int, /) -> None:
        """No more bytes are wanted; `received` bytes of the last piece were."""

Source = str | OSError | tuple[bytes | memoryview, int, int, int] | tuple[Stream, int, int, int, int]
"""Where a task's bytes come from: a path; or (bytes from the offset on, size of the whole file, its version, mtime_ns),
fetched by the caller and perhaps not all; or (stream of them, how many bytes it has, size, version, mtime_ns); or why
they could not be fetched, which becomes a fault."""

Task = tuple[Source, int, int, int, dict[str, int]]
"""One file to read: (source, offset to start at, most bytes to read, part number so far, kind number of each tag the
run is known to have)."""

class Batch:
    """What a scan brought. Numbers of files and tags count within the batch."""

    @property
    def tags(self) -> list[str]: ...
    @property
    def metadata(self) -> list[tuple[str, bytes, str, str, int]]:
        """(plugin, content, display name, description, data class), each once."""
    @property
    def files(self) -> bytes:
        """row_types.FILE rows, one per task: part, offset, size, mtime_ns, version, records, bad_records, min_wall,
        max_wall, tail_crc are filled."""
    @property
    def chunks(self) -> memoryview:
        """row_types.CHUNK rows: the batch's own, not a copy."""
    @property
    def starts(self) -> bytes:
        """row_types.START rows."""
    @property
    def faults(self) -> list[tuple[int, int, str, str, str, dict[str, str]]]:
        """(task, offset, reason, detail, code, parameters); reasons: see native/read/fault.h."""
    @property
    def memory(self) -> bytes:
        """The columns, when no descriptor was given; positions in `chunks` count from its start."""
    @property
    def end(self) -> int:
        """Where the columns end in the descriptor's file."""

def scan(tasks: list[Task], fd: int = -1, base: int = 0, threads: int = 0, stretch_bytes: int = ...) -> Batch:
    """Read event files in parallel without the interpreter lock, and return their columns. A file with more than twice
    `stretch_bytes` to read is shared out among the threads; the result is that of reading it from start to end.

    With `fd` the columns are appended to that file from `base` on (positions in `chunks` count from the file's start),
    so memory use does not grow with the number of points; a failed write raises OSError. A file that cannot be opened
    is a fault, not an exception. A record cut at the end of a file is left for the next scan.
    """

def read_value(path: str, offset: int, length: int, raw: bool = False) -> tuple[str, tuple[int, ...], Any, str]:
    """One heavy value: (dtype name or "string", shape, bytes of the little-endian array or list of byte strings,
    content type). With `raw` the bytes as they are, as dtype "raw". OSError when the file cannot be read that far,
    ValueError when the bytes are no such message any more."""

def read_tables(path: str, refs: bytes) -> tuple[bytes, bytes]:
    """Many values of one file as tables of float64: rows and columns of each (i64, -1 where a value is no table of
    floats), and all cells one after another. `refs` are rows of `store.row_types.REF`. OSError as for `read_value`."""

def unpack_value(data: bytes | memoryview) -> tuple[str, tuple[int, ...], Any, str]:
    """`read_value` of bytes that were fetched."""

def unpack_tables(values: Sequence[bytes | memoryview]) -> tuple[bytes, bytes]:
    """`read_tables` of bytes that were fetched, one for each value."""

def file_version(device: int, inode: int) -> int:
    """The version of a local file, never 0."""

def walk(
    root: str,
    patterns: Sequence[str],
    links: str = "all",
    threads: int = 0,
    exclude: Sequence[str] = ...,
    homes: Sequence[str] = ...,
) -> tuple[list[tuple[list[str], bytes]], list[str], list[tuple[str, str, int]]]:
    """Find files below a directory in parallel, by shell patterns for the last parts of their paths (see
    native/read/path_pattern.h): (for each pattern relative paths in natural byte order and for each of these 24 bytes
    little-endian version u64, size u64, mtime_ns i64; relative paths of the directories seen; errors as (relative path,
    reason, number of the pattern that a file matches, -1 for a directory)). A file counts for the first pattern that
    matches. Links are followed `never`, `all` or only `inside`: where they end at or below one of `homes`, real paths.
    Loops are cut; a directory whose relative path matches one of the shell patterns in `exclude` is not entered."""

def map_file(fd: int, size: int) -> NDArray[np.uint8]:
    """The first bytes of a file as a read-only array that maps it. If others cut the file short, what is gone reads as
    zeros instead of ending the process. OSError when it cannot be mapped."""

def was_cut(mapping: NDArray[np.uint8]) -> bool:
    """Whether somebody touched a place of such an array that was gone: what it holds is not to be believed."""

SUM_BLOCK_BYTES: int

def sum_blocks(bytes: NDArray[np.uint8] | memoryview) -> bytes:
    """The CRC-32C of each SUM_BLOCK_BYTES, 4 bytes each; the last block may be shorter."""

class BlockChecks:
    """Checks the blocks of a segment against their checksums, each when a chunk that touches it is first used."""

    def __init__(self, bytes: NDArray[np.uint8] | memoryview, sums: bytes) -> None:
        """ValueError unless there is one checksum for each block."""

    def check_chunks(self, chunks: bytes) -> bool:
        """Whether all columns of these chunks (packed rows) are as they were written. Without the GIL."""

    def check_all(self) -> bool:
        """Whether every block is as it was written. Without the GIL."""

    @property
    def complete(self) -> bool:
        """Whether every block has been checked and matches."""

    def damaged(self) -> NDArray[np.uint64]:
        """Numbers of the blocks that were checked and do not match, in order."""

def return_memory_early(block_bytes: int = 65536) -> None:
    """Tell the C allocator of this process to give blocks of this size and larger back at once."""

def return_freed_memory() -> None:
    """Give all memory that was freed back to the system now. Takes up to some tens of milliseconds, without the GIL."""

class Stops:
    """Waits for SIGINT and SIGTERM in a native thread and ends the process, whatever Python is doing.

    Both signals must be blocked in every thread that exists already; the others inherit it. One object in a process.
    """

    def __init__(self, interrupted_code: int, terminated_code: int) -> None:
        """From now on either signal ends the process at once, with its exit code."""

    def remove_at_end(self, path: str) -> None:
        """Remove this file, or this directory with all that is in it, when a signal ends the process."""

    def hand_over(self, patience_secs: float) -> int:
        """From now on a signal makes this descriptor readable. The process is ended so many seconds later, unless it
        has ended by itself, or at once with a second signal."""

    @property
    def came(self) -> bool:
        """Whether a signal came after `hand_over`."""

def crc32c(data: bytes, portable: bool = False) -> int: ...
def crc32c_kind() -> str: ...

# ---- numeric kernels: native/kernels/, bound in native/bind/bind_kernels.cpp, called by lightboard/kernels.py only.
# Values are float32 or float64, x int64 or float64, all one-dimensional, contiguous and aligned.

def ema(values: NDArray[Any], weight: float) -> NDArray[np.float64]: ...
def gaussian(values: NDArray[Any], sigma: float) -> NDArray[np.float64]: ...
def running_mean(values: NDArray[Any], before: int, after: int) -> NDArray[np.float64]: ...
def running_median(values: NDArray[Any], before: int, after: int) -> NDArray[np.float64]: ...
def typical_gap(x: NDArray[Any]) -> float: ...
def time_ema(x: NDArray[Any], values: NDArray[Any], weight: float, unit: float) -> NDArray[np.float64]: ...
def gaussian_x(x: NDArray[Any], values: NDArray[Any], sigma: float) -> NDArray[np.float64]: ...
def natural_ranks(packed: bytes, ends: NDArray[np.uint64]) -> NDArray[np.int64]: ...
def m4_indices(x: NDArray[Any], y: NDArray[Any], lo: float, hi: float, columns: int) -> NDArray[np.int64]: ...

_F64 = NDArray[np.float64]
_U32 = NDArray[np.uint32]

def m4_columns(
    x: NDArray[Any], y: NDArray[Any], lo: float, hi: float, columns: int
) -> tuple[_F64, _F64, _F64, _F64, _U32, _U32, int, int]:
    """(first, min, max, last, count, nonfinite, before, after). ValueError when x decreases."""

def encode_columns(
    first: NDArray[Any],
    min: NDArray[Any],
    max: NDArray[Any],
    last: NDArray[Any],
    count: NDArray[Any],
    nonfinite: NDArray[Any],
    series: int,
    columns: int,
    centre: float,
    scale: float,
    resolution: float,
    end_levels: int,
) -> bytes: ...
def row_text(
    wall_times: NDArray[np.float64], steps: NDArray[np.int64], values: NDArray[Any], words: Sequence[str]
) -> bytes:
    """Points as text. `words`: what stands before the wall time, the step and the value, what ends and what joins rows,
    and how NaN, infinity and minus infinity are spelled."""

def column_text(values: NDArray[Any], present: NDArray[np.uint8]) -> bytes:
    """A JSON list; null where `present` (empty: all are) is 0."""

def robust_range(arrays: Sequence[NDArray[Any]]) -> tuple[float, float, float, float, int]: ...
def aggregate(
    xs: Sequence[NDArray[Any]], ys: Sequence[NDArray[Any]], axis: NDArray[Any], quantiles: _F64, ddof: int
) -> tuple[_F64, _F64, _F64, _F64, _F64, _U32]: ...
def aggregate_columns_i64(
    xs: Sequence[NDArray[Any]],
    ys: Sequence[NDArray[Any]],
    lo: float,
    hi: float,
    columns: int,
    quantiles: _F64,
    ddof: int,
) -> tuple[_F64, _F64, _F64, _F64, _F64, _U32]: ...
def aggregate_columns_f64(
    xs: Sequence[NDArray[Any]],
    ys: Sequence[NDArray[Any]],
    lo: float,
    hi: float,
    columns: int,
    quantiles: _F64,
    ddof: int,
) -> tuple[_F64, _F64, _F64, _F64, _F64, _U32]: ...

# Many series at once: native/kernels/bundle.h, bound in native/bind/bind_bundle.cpp. `table` is that of
# store/placement.py; `axis` counts in kernels.AXES; a window is (lo, hi, inner lo, inner hi, columns, scale).
_Window = tuple[float, float, float, float, int, int] | None
_Smoother = tuple[int, int, float, float, int, int]
_Form = tuple[bool, float, int, bool]
_Table = NDArray[np.int64]
_Buffers = Sequence[NDArray[np.uint8]]
_I64 = NDArray[np.int64]
_Range = tuple[float, float, float, float, int]

def bundle_survey(
    buffers: _Buffers, table: _Table, axis: int, positive: bool
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[Any], NDArray[Any]]: ...
def bundle_cut(
    buffers: _Buffers, table: _Table, axis: int, ascending: NDArray[np.uint8], window: _Window
) -> NDArray[np.uint32]: ...
def bundle_draw(
    buffers: _Buffers,
    table: _Table,
    axis: int,
    ascending: NDArray[np.uint8],
    window: _Window,
    smoothing: _Smoother,
    raw: _Form,
    smooth: _Form,
    cuts: NDArray[np.uint32],
) -> tuple[_Range, _Range, bytes, bytes, tuple[_F64, _F64, _F64] | None, tuple[float, float], tuple[float, float]]: ...
def bundle_exact(
    buffers: _Buffers, table: _Table, axis: int, window: _Window, smoothing: _Smoother, limit: int
) -> tuple[_I64, int, _I64, _F64, NDArray[Any], _F64, _F64]: ...
def bundle_nearest(
    buffers: _Buffers, table: _Table, axis: int, whole: _I64, part: _F64, smoothing: _Smoother
) -> tuple[_I64, _I64, _F64, _F64, _F64, _F64]: ...
def bundle_stats(buffers: _Buffers, table: _Table, axis: int, window: _Window) -> dict[str, NDArray[Any]]: ...

class EventWriter:
    """An event file being written: encodes records, a native thread writes them (native/write/event_writer.h)."""

    def __init__(self, path: str, flush_secs: float = 1.0, queue_bytes: int = ...) -> None: ...
    def add_scalar(self, tag: str, number: float, step: int, wall_time: float, style: int = 0) -> None:
        """style: 0 simple_value, 1 float tensor with metadata, 2 double tensor with metadata."""
    def add_row(self, numbers: dict[str, float], step: int, wall_time: float, style: int = 0) -> None: ...
    def add(self, wall_time: float, step: int, field: int, payload: bytes) -> None:
        """One Event whose payload field (5: Summary, 4: GraphDef, 7: SessionLog …) holds these bytes."""
    def flush(self, sync: bool = False) -> bool: ...
    def close(self) -> bool: ...
    def abandon(self) -> None: ...
    def status(self) -> tuple[int, int, int, bool, int, int]:
        """(bytes written, points dropped, errno of the last attempt or 0, the file was removed, points that are not in
        the file, points added since the file was last seen in its place)."""
    @property
    def path(self) -> str: ...

def event_record(wall_time: float, step: int, field: int, payload: bytes) -> bytes: ...

class Bins:
    """Bins by their edges (float64, not decreasing), prepared for counting many numbers. See native/write/binning.h."""

    def __init__(self, edges: NDArray[np.float64]) -> None: ...
    def count(self, values: NDArray[Any]) -> tuple[bytes, float, float, float, float]:
        """(counts as int64, min, max, sum, sum of squares) of float32 or float64, one-dimensional and contiguous."""

def gif_codes(pixels: bytes, bits: int) -> bytes:
    """A GIF frame, compressed in blocks; pixels are indices into 2 ** bits colours. See native/write/gif_codes.h."""

# ---- the projector: native/projector/matrix_text.h and neighbours, bound in native/bind/bind_projector.cpp, called by
# ---- lightboard/projection.py only.

def parse_matrix(text: bytes, separator: str, columns: int = 0, first_line: int = 1) -> tuple[NDArray[np.float32], int]:
    """Rows of numbers as text → (rows × columns, lines read). ValueError names the line that is wrong."""

# ---- graphs: native/graph/graph.h, graph_stats.h, graph_text.h, bound in native/bind/bind_graph.cpp, called by
# ---- lightboard/graph_bytes.py only.

def parse_graph(
    pieces: list[tuple[bytes, bytes]], nodes: int, edges: int
) -> tuple[
    dict[str, bytes],
    bytes,
    list[str],
    list[str],
    list[str],
    list[str],
    list[tuple[str, int, int]],
    int,
    list[tuple[str, int, list[str]]],
]:
    """GraphDefs with the prefixes of their nodes → (columns, places, ops, devices, shapes, clusters, functions,
    producer, problems)."""

def parse_graph_stats(run_metadata: bytes) -> tuple[dict[str, bytes], list[str], bool, bool]:
    """(columns, devices, whether all of it was read, whether these are estimated costs)."""

def print_text(
    bytes: bytes, message: str, large_bytes: int, large_key: bytes, most_bytes: int
) -> tuple[bytes, bool]: ...
def parse_text(text: bytes, message: str) -> tuple[bytes, int, list[str]]: ...

class Neighbors:
    """See native/projector/neighbors.h."""

    def __init__(self, values: NDArray[np.float32], count: int, seed: int) -> None: ...
    def advance(self) -> bool: ...
    @property
    def progress(self) -> float: ...
    def result(self) -> tuple[NDArray[np.uint32], NDArray[np.float32]]: ...

class Umap:
    """See native/projector/umap.h."""

    def __init__(
        self,
        ids: NDArray[np.uint32],
        distances: NDArray[np.float32],
        initial: NDArray[np.float32],
        a: float,
        b: float,
        epochs: int,
        labels: NDArray[np.int32],
        supervise: float,
        seed: int,
    ) -> None: ...
    def advance(self, seconds: float) -> bool: ...
    def perturb(self) -> None: ...
    @property
    def epoch(self) -> int: ...
    def coordinates(self) -> NDArray[np.float32]: ...

class Tsne:
    """See native/projector/tsne.h."""

    def __init__(
        self,
        ids: NDArray[np.uint32],
        distances: NDArray[np.float32],
        initial: NDArray[np.float32],
        perplexity: float,
        learning_rate: float,
        labels: NDArray[np.int32],
        supervise: float,
        seed: int,
    ) -> None: ...
    def advance(self, seconds: float, most: int) -> None: ...
    def perturb(self) -> None: ...
    @property
    def iteration(self) -> int: ...
    def coordinates(self) -> NDArray[np.float32]: ...
