"""The result of `lightboard.open`: runs, tags, series by kind, faults.

Scalars are views of the stored columns (memory-mapped, if the index is on). Heavier kinds are sequences that read a
value from its event file on access. An unknown name raises `errors.NotFound`, which names the most similar known one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, store, types
from lightboard.logdir import problems as problems_
from lightboard.query import audio as audio_
from lightboard.query import derived, mesh, patterns
from lightboard.query import histograms as histograms_
from lightboard.query import html as html_
from lightboard.query import images as images_
from lightboard.query import plotly as plotly_
from lightboard.query import pr_curves as pr_curves_
from lightboard.query import series as series_
from lightboard.query import tables as tables_
from lightboard.query import tags as tags_
from lightboard.query import text as text_
from lightboard.query import video as video_
from lightboard.query.runs import hparams as hparams_metadata
from lightboard.reading import frames

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa  # type: ignore[import-untyped]

    from lightboard import board
    from lightboard.reading import trials as trials_

Names = str | Iterable[str] | None
"""Which runs or tags: a regular expression that is searched for in the name, a list of exact names, or None for all."""


class Entry(NamedTuple):
    """One tag of one run."""

    run: str
    tag: str
    kind: str
    points: int
    last_step: int


@dataclasses.dataclass(frozen=True)
class Scalars:
    """Every point of one tag of one run. The arrays are read-only views of what was read, not copies."""

    run: str
    tag: str
    steps: NDArray[np.int64]
    wall_times: NDArray[np.float64]
    values: NDArray[np.float32] | NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[tuple[int, float, float]]:
        """(step, wall time, value) of each point."""
        return zip(self.steps.tolist(), self.wall_times.tolist(), self.values.tolist(), strict=True)

    def __repr__(self) -> str:
        return f"<{len(self)} scalars of {self.tag!r} in run {self.run!r}>"

    def _repr_html_(self) -> str:
        """HTML for notebooks: the curve."""
        from lightboard.reading import still

        return still.html_of_scalars(self)


@dataclasses.dataclass(frozen=True)
class Tensor:
    """A value of an unknown kind: numbers in `array`, or byte strings in `strings`."""

    step: int
    wall_time: float
    shape: tuple[int, ...]
    array: NDArray[Any] | None
    strings: tuple[bytes, ...] | None


class Logs:
    """Everything below one or several directories, as it was when opened or last refreshed.

    `filter` returns another `Logs` over the same store that shows only some runs.
    """

    def __init__(self, source: board.Board, names: frozenset[str] | None = None) -> None:
        self._board = source
        self._names = names  # None: all runs

    def __enter__(self) -> Logs:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        runs = self.runs
        shown = ", ".join(runs[:3]) + (", …" if len(runs) > 3 else "")
        return f"<Logs of {len(runs)} runs: {shown}>"

    def _repr_html_(self) -> str:
        """HTML for notebooks: a static picture of a few charts of the runs written last."""
        from lightboard.reading import still

        return still.html_of(self)

    def close(self) -> None:
        """Release files and memory. Arrays that were returned stay valid."""
        self._board.stop()

    def refresh(self) -> Logs:
        """Read what was written since the last read."""
        self._board.load()
        return self

    # ---- listings ----

    @property
    def runs(self) -> list[str]:
        names = self._store.runs()
        return sorted(names if self._names is None else self._names.intersection(names))

    def tags(self, kind: str | types.Kind | None = None, run: str | None = None) -> list[str]:
        """Returns names of tags, optionally of one kind (`"scalars"`, `"images"` …) or run."""
        return sorted({entry.tag for entry in self.series(kind, run)})

    def kinds(self, run: str | None = None) -> list[str]:
        return sorted({entry.kind for entry in self.series(run=run)})

    def series(
        self, kind: str | types.Kind | None = None, run: str | None = None, *, hidden: bool = False
    ) -> list[Entry]:
        """Every tag of every run, with kind, number of points and last step. `hidden`: also `_lightboard_/…`, the tags
        with tracking data of runs.
        """
        if run is not None:
            self._check_run(run)
        wanted = None if kind is None else _kind(kind)
        with self._store.lock:
            rows = self._store.series_rows(run=run)
            if not hidden:
                rows = rows[tags_.shown(self._store, self._store.series_table.rows["tag"][rows])]
            cells, stats = self._store.series_table.rows[rows], self._store.stats(rows)
        columns = [cells[name].tolist() for name in ("run", "tag", "kind")]
        columns += [stats[name].tolist() for name in ("n", "last_step")]
        if self._rewinds is types.Rewinds.ALL:  # the store counts only points that are shown by default
            columns[3] = [len(store.Series(self._store, row).points(self._rewinds)) for row in rows.tolist()]
        found = []
        for run_row, tag_row, code, points, last_step in zip(*columns, strict=True):
            word = types.Kind(code).word
            name = self._store.run_names[run_row]
            if (wanted is None or word == wanted.word) and (self._names is None or name in self._names):
                found.append(Entry(name, self._store.tag_names[tag_row], word, points, last_step))
        return sorted(found)

    def metadata(self, run: str, tag: str) -> types.Metadata:
        """Plugin name, its content, display name and description of a tag."""
        return self._find(None, run, tag).metadata

    @property
    def faults(self) -> list[types.Fault]:
        """Everything that could not be read, by file and offset."""
        with self._store.lock:
            return [fault for faults in self._store.faults.values() for fault in faults]

    @property
    def problems(self) -> list[problems_.Problem]:
        """Sources that could not be read, or that hold no event file; of an object store with its reason."""
        return problems_.problems(self._store.notices)

    # ---- values ----

    def scalars(self, run: str, tag: str) -> Scalars:
        """The points of a tag, or of a metric expression such as `= train/loss - val/loss`."""
        points = self._scalars(run, tag).points(self._rewinds)
        return Scalars(run, tag, points.steps, points.wall_times, points.values)

    def images(self, run: str, tag: str) -> series_.Steps[images_.Images]:
        return self._steps(types.Kind.IMAGES, images_.read, run, tag)

    def audio(self, run: str, tag: str) -> series_.Steps[audio_.Audio]:
        return self._steps(types.Kind.AUDIO, audio_.read, run, tag)

    def text(self, run: str, tag: str) -> series_.Steps[text_.Text]:
        return self._steps(types.Kind.TEXT, text_.read, run, tag)

    def video(self, run: str, tag: str) -> series_.Steps[video_.Video]:
        return self._steps(types.Kind.VIDEO, video_.read, run, tag)

    def html(self, run: str, tag: str) -> series_.Steps[html_.Html]:
        return self._steps(types.Kind.HTML, html_.read, run, tag)

    def tables(self, run: str, tag: str) -> series_.Steps[tables_.Tables]:
        return self._steps(types.Kind.TABLES, tables_.reader, run, tag)

    def plotly(self, run: str, tag: str) -> series_.Steps[plotly_.Plotly]:
        return self._steps(types.Kind.PLOTLY, plotly_.read, run, tag)

    def histograms(self, run: str, tag: str) -> series_.Steps[histograms_.Histogram]:
        return self._steps(types.Kind.HISTOGRAMS, histograms_.read, run, tag)

    def pr_curves(self, run: str, tag: str) -> series_.Steps[pr_curves_.PrCurve]:
        return self._steps(types.Kind.PR_CURVES, pr_curves_.read, run, tag)

    def meshes(self, run: str, tag: str) -> series_.Steps[mesh.Mesh]:
        """One part of a mesh by its tag: `<name>_VERTEX`, `<name>_FACE` or `<name>_COLOR`."""
        return self._steps(types.Kind.MESH, mesh.read, run, tag)

    def tensors(self, run: str, tag: str) -> series_.Steps[Tensor]:
        """The values of any tag, of every kind but scalars, as they were written."""
        found = self._find(None, run, tag)
        if found.kind is types.Kind.SCALARS:
            raise errors.BadInput(f"`{tag}` of run `{run}` holds scalars: ask `scalars(run, tag)`")
        return series_.Steps(found, found.points(self._rewinds), _tensor)

    def graph(self, run: str, tag: str = "__run_graph__") -> bytes:
        """The newest graph of a run: a serialized GraphDef (or RunMetadata, for a trace's tag)."""
        found = self.tensors(run, tag)
        strings = found[-1].strings if len(found) else None
        if not strings:
            raise errors.NotFound(f"`{tag}` of run `{run}` holds no graph")
        return strings[0]

    def hparams(self, run: str) -> dict[str, float | str | bool | None]:
        """The hparams of the run, or those of the run above it (`a` for `a/train`); empty if there are none."""
        self._check_run(run)
        row = self._store.run_row(run)
        return dict(hparams_metadata.of_runs(self._store).get(-1 if row is None else row, {}))

    def trials(
        self,
        metrics: Iterable[str] | None = None,
        *,
        value: str = "last",
        step: int | None = None,
        by: str | None = None,
        repeats: str = "group",
        spread: str = "mean",
        sort: Iterable[str] = (),
    ) -> trials_.Trials:
        """Trials with their hparams and metrics, a row per trial.

        `metrics` are tags (None: those that the experiment declares, or the common ones); `value` is the point of each:
        last, first, min, max, best, mean, or at (a `step`); with `by`, all are taken at the best step of that metric
        instead. `repeats`: which runs are one trial (group, same, none); `spread` combines several values (mean,
        median, min, max). `sort` is for example `["-metric:accuracy"]`.
        """
        from lightboard.query.runs import runs
        from lightboard.reading import trials

        chosen = None if self._names is None else runs.select(self._store, tuple(self._names), "")
        return trials.read(
            self._store,
            chosen,
            metrics=metrics,
            value=value,
            step=step,
            by=by,
            repeats=repeats,
            spread=spread,
            sort=sort,
            rewinds=self._rewinds,
        )

    # ---- selections ----

    def filter(self, expression: str) -> Logs:
        """Returns only the runs that match the expression; a bare word is a regular expression on the name.

        The same language as in the page and on the command line: see the run filter reference.
        """
        from lightboard.query.runs import runs

        rows = runs.select(self._store, None, expression).tolist()
        return Logs(self._board, frozenset(self._store.run_names[row] for row in rows).intersection(self.runs))

    def select(self, *, runs: Names = None, tags: Names = None, kind: str | types.Kind | None = None) -> list[Entry]:
        """Returns the tags and runs whose names match. A list of tags may contain metric expressions."""
        listed = list(tags) if tags is not None and not isinstance(tags, str) else []
        wanted_run, wanted_tag = _chooser(runs), _chooser(listed or tags)
        found = [entry for entry in self.series(kind) if wanted_run(entry.run) and wanted_tag(entry.tag)]
        if kind is None or _kind(kind) is types.Kind.SCALARS:
            found += [entry for tag in dict.fromkeys(listed) for entry in self._derived(tag) if wanted_run(entry.run)]
        return found

    def _derived(self, tag: str) -> Iterator[Entry]:
        """Yields an entry for each run that has all metrics of an expression; nothing for other tags."""
        if not derived.is_derived(self._store, tag):
            return
        for each in derived.find(self._store, tag):
            if self._names is None or each.run in self._names:
                points = each.points(self._rewinds)
                last_step = int(points.steps[-1]) if len(points) else 0
                yield Entry(each.run, tag, types.Kind.SCALARS.word, len(points), last_step)

    def columns(self, entries: Iterable[Entry]) -> frames.Columns:
        """All points of some scalar tags as parallel columns, from which the tables below are made."""
        found = [(one.run, one.tag, self._scalars(one.run, one.tag).points(self._rewinds)) for one in entries]
        return frames.columns(found)

    def to_pandas(self, *, runs: Names = None, tags: Names = None, wide: bool = False) -> pd.DataFrame:
        """Scalars as run, tag, step, wall_time, value; `wide`: one row per run and step, one column per tag."""
        return frames.to_pandas(self.columns(self.select(runs=runs, tags=tags, kind="scalars")), wide=wide)

    def to_polars(self, *, runs: Names = None, tags: Names = None, wide: bool = False) -> pl.DataFrame:
        """As `to_pandas`, for Polars."""
        return frames.to_polars(self.columns(self.select(runs=runs, tags=tags, kind="scalars")), wide=wide)

    def to_arrow(self, *, runs: Names = None, tags: Names = None) -> pa.Table:
        """As `to_pandas`, as an Arrow table; run and tag are dictionary-encoded."""
        return frames.to_arrow(self.columns(self.select(runs=runs, tags=tags, kind="scalars")))

    # ---- private: lookups ----

    @property
    def _store(self) -> store.Store:
        return self._board.store

    @property
    def _rewinds(self) -> types.Rewinds:
        return self._board.options.rewinds

    def _steps(
        self, kind: types.Kind, read: Callable[..., series_.Steps[series_.Value]], run: str, tag: str
    ) -> series_.Steps[series_.Value]:
        self._find(kind, run, tag)
        return read(self._store, run, tag, rewinds=self._rewinds)

    def _scalars(self, run: str, tag: str) -> store.Series | derived.Derived:
        if not derived.is_derived(self._store, tag):
            return self._find(types.Kind.SCALARS, run, tag)
        self._check_run(run)
        found = derived.maybe_one(self._store, run, tag)
        if found is None:
            raise errors.NotFound(f"run `{run}` does not have every metric of `{tag}`")
        return found

    def _find(self, kind: types.Kind | None, run: str, tag: str) -> store.Series:
        self._check_run(run)
        found = self._store.series(run, tag)
        if found is None:
            names = [entry.tag for entry in self.series(run=run) if kind is None or entry.kind == kind.word]
            _not_found(f"run `{run}` has no tag `{tag}`", tag, names)
        if kind is not None and found.kind is not kind:
            raise errors.NotFound(f"`{tag}` of run `{run}` holds {found.kind.word}, not {kind.word}")
        return found

    def _check_run(self, run: str) -> None:
        shown = self._names is None or run in self._names
        if not shown or self._store.run_row(run) is None:
            _not_found(f"no run `{run}`", run, self.runs)


def _not_found(message: str, name: str, names: list[str]) -> NoReturn:
    import difflib

    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    if close:
        message += "; did you mean " + " or ".join(f"`{one}`" for one in close) + "?"
    elif not names:
        message += "; there is none at all"
    raise errors.NotFound(message)


def _kind(kind: str | types.Kind) -> types.Kind:
    if isinstance(kind, types.Kind):
        return kind
    words = {one.word: one for one in reversed(types.Kind)}
    if kind not in words:
        raise errors.BadInput(f"no kind `{kind}`; kinds are {', '.join(sorted(words))}")
    return words[kind]


def _chooser(names: Names) -> Callable[[str], bool]:
    if names is None:
        return lambda name: True
    if isinstance(names, str):
        return patterns.compile_pattern(names, case=True).finds
    exact = set(names)
    return lambda name: name in exact


def _tensor(step: int, wall_time: float, tensor: types.Tensor) -> Tensor:
    return Tensor(step, wall_time, tensor.shape, tensor.array, tensor.strings)
