"""Records the answers that the page of a snapshot will ask for: blocks of data for the file.

Most answers are those of the server's routes, for the chosen runs and tags. The page needs lines, exact values and
tables for any choice of runs, range and smoothing: these it computes from recorded points (`lines.py`). The block
`answers` has everything that is needed at once; points and histograms have a block for each tag, which the page unpacks
when a card needs it. `web/src/api/snapshot/` reads them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lightboard import errors, types
from lightboard import store as store_
from lightboard.query import blobs, derived, kinds, series, steps
from lightboard.query.runs import runs as runs_
from lightboard.query.scalars import scalar_tables, smoothing
from lightboard.server import context as context_
from lightboard.server import frames, responses
from lightboard.snapshot import asking, choice, lines, page

# Images that browsers show in an `<img>`. Others are left out.
IMAGE_TYPES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/svg+xml"})
MAX_TEXT_CHARS = 50_000
BAND_WIDTH = 400  # columns of a band
_FORMS = ("markdown", "plain", "source")
# (run, tag, steps) → which points of the series are in the file
Keep = Callable[[str, str, NDArray[Any]], NDArray[np.bool_]]


@dataclasses.dataclass(frozen=True)
class Part:
    """What the file has of one kind."""

    kind: str
    tags: int
    values: int  # points, images, histograms or texts in the file
    of: int  # those in the logs
    bytes: int = 0  # in the file; set when the blocks are written


@dataclasses.dataclass
class Recorded:
    """Blocks in the order of the file, with the kind each belongs to ("" for those of all kinds)."""

    runs: int
    kinds: list[str]
    smoothing: str
    name: str
    view: str
    blocks: list[tuple[str, page.Block | page.Picture]]
    parts: list[Part]


def record(context: context_.Context, chosen: choice.Choice) -> Recorded:
    return _Recorder(context, chosen).record()


class _Recorder:
    """Collects the answers of one snapshot. `_answers` becomes the header of the block `answers`, `_frames` its
    arrays."""

    def __init__(self, context: context_.Context, chosen: choice.Choice) -> None:
        self._context = context
        self._store = context.store
        self._chosen = chosen
        self._asker = asking.Asker(context)
        self._rows = runs_.select(context.store, None if chosen.run is None else tuple(chosen.run), chosen.runs)
        self._names = [self._store.run_names[row] for row in self._rows.tolist()]
        self._tags = self._listed_tags()
        self._smoother = smoothing.parse(choice.smoothing(chosen.view))
        self._rewinds = context.settings.rewinds
        self._answers: dict[str, Any] = {}
        self._frames: dict[str, NDArray[Any] | bytes] = {}
        self._blocks: list[tuple[str, page.Block | page.Picture]] = []
        self._parts: list[Part] = []

    def record(self) -> Recorded:
        if not self._names:
            raise errors.NotFound("no run matches", hint="`lightboard inspect` shows what there is")
        if not any(self._tags.values()):
            raise errors.NotFound("no tag matches", hint="`lightboard inspect` shows what there is")
        recorders: dict[str, Callable[[list[str]], None]] = {
            "scalars": self._record_scalars,
            "images": self._record_images,
            "histograms": self._record_histograms,
            "distributions": self._record_distributions,
            "text": self._record_text,
            "hparams": self._record_hparams,
        }
        self._record_board()
        for kind, tags in self._tags.items():
            recorders[kind](tags)
        first = page.Block("answers", frames.encode({"answers": self._answers}, self._frames))
        return Recorded(
            runs=len(self._names),
            kinds=[*self._tags],
            smoothing=lines.str_of(self._smoother),
            name=self._answers["board"]["name"],
            view=self._chosen.view,
            blocks=[("", first), *self._blocks],
            parts=self._parts,
        )

    def _listed_tags(self) -> dict[str, list[str]]:
        """Chosen tags by kind, of kinds that the snapshot shows."""
        listed = self._asker.json("/api/tags", run=self._names)["kinds"]
        found = {kind: self._chosen.wanted_tags(columns["tag"]) for kind, columns in listed.items()}
        found["distributions"] = found.get("histograms", [])
        found.setdefault("hparams", [])  # those in texts and files have no tag
        has_hparams = bool(self._asker.json("/api/hparams", run=self._names, limit=1)["names"])
        return {
            kind: found[kind]
            for kind in choice.KINDS
            if self._chosen.wants(kind) and (has_hparams if kind == "hparams" else found.get(kind))
        }

    # ---- what every page needs

    def _record_board(self) -> None:
        board = self._asker.json("/api/board")
        board |= {"name": self._chosen.title or board["name"], "logdir": "", "places": [], "faults": 0}
        runs = _cut_runs(self._asker.json("/api/runs", filter=self._chosen.runs), set(self._names))
        tags = self._asker.json("/api/tags", run=self._names)
        shown = {kind: set(names) for kind, names in self._tags.items()}
        tags["kinds"] = {
            kind: _cut_tags(columns, shown[kind]) for kind, columns in tags["kinds"].items() if kind in shown
        }
        self._answers |= {
            "board": board,
            "runs": runs | {"faults": [0] * len(runs["faults"])},
            "tags": tags,
            "runs_of_tags": {kind: self._runs_of(kind) for kind in tags["kinds"]},
            "annotations": self._asker.json("/api/annotations", run=self._names) | {"writable": False, "place": ""},
            "views": self._asker.json("/api/views") | {"writable": False, "place": ""},
            "hparams": self._asker.json("/api/hparams", run=self._names, limit=100_000),
            "run": {name: self._run(name) for name in self._names},
            "descriptions": self._descriptions(),
            "filters": self._filters(),
        }

    def _run(self, name: str) -> Any:
        """A run without the paths of its files, which say nothing elsewhere, and without its printed output."""
        nothing = {"files": [], "directory": "", "faults": 0, "console": 0}
        return self._asker.json("/api/runs/{run:path}", run=name) | nothing

    def _runs_of(self, kind: str) -> dict[str, list[int] | None]:
        """For each tag the positions of the runs that have it; None: all of them."""
        place = {name: at for at, name in enumerate(self._names)}
        word = kinds.BY_WORD.get(kind)
        found: dict[str, list[int] | None] = {}
        for tag in self._tags[kind]:
            rows = [] if word is None else series.rows(self._store, word.kind, [tag], self._rows, most=None).tolist()
            having = [place[self._store.run_names[self._store.series_table.rows["run"][row]]] for row in rows]
            found[tag] = None if len(having) == len(self._names) else sorted(having)
        return found

    def _descriptions(self) -> dict[str, dict[str, Any]]:
        described = {row.word for row in kinds.TABLE if row.described}
        found: dict[str, dict[str, Any]] = {}
        for kind in sorted(described & set(self._tags)):
            answers = {tag: self._asker.json("/api/descriptions", kind=kind, tag=tag) for tag in self._tags[kind]}
            found[kind] = {tag: answer for tag, answer in answers.items() if answer["said"]}
        return found

    def _filters(self) -> dict[str, list[str]]:
        """The runs that pass the filter of the view, if it is one: words and patterns the page reads itself."""
        text = choice.member(self._chosen.view, "runFilter")
        if not text:
            return {}
        try:
            rows = runs_.select(self._store, tuple(self._names), text)
        except errors.BadInput:
            return {}
        return {text: [self._store.run_names[row] for row in rows.tolist()]}

    # ---- kinds

    def _record_scalars(self, tags: list[str]) -> None:
        table = scalar_tables.table(self._store, tags, self._rows)
        self._answers["table"] = _plain({"run": table.run, "tags": table.tags})
        kept = 0
        charted = [*tags, *self._expressions()]
        for at, tag in enumerate(charted):
            data, points = lines.encode(
                self._store,
                tag,
                self._rows,
                points=self._chosen.points,
                smoother=self._smoother,
                rewinds=self._rewinds,
            )
            kept += points
            self._blocks.append(("scalars", page.Block(f"scalars:{at}", data)))
        self._record_bands(charted)
        total = sum(count for cells in table.tags.values() for count in _numbers(cells.points))
        self._answers["scalars"] = {tag: at for at, tag in enumerate(charted)}
        self._parts.append(Part("scalars", len(tags), kept, total))

    def _expressions(self) -> list[str]:
        """Metric expressions that charts of the view show. One that cannot be computed is left out."""
        found = []
        for tag in choice.card_tags(self._chosen.view):
            if derived.is_derived(self._store, tag):
                with contextlib.suppress(errors.BadInput):
                    derived.find(self._store, tag, self._rows)
                    found.append(tag)
        return found

    def _record_bands(self, tags: list[str]) -> None:
        """If the view draws groups of runs as bands, record these bands: they need all points of all their runs."""
        view = self._chosen.view
        group, band, x = (choice.member(view, name) for name in ("group", "band", "x"))
        if not group or band == "none" or x.startswith("metric:"):
            return
        asked = {"group": group, "band": band, "x": x, "smoothing": choice.smoothing(view)}
        for at, tag in enumerate(tags):
            data = self._asker.ask("/api/scalars", tag=[tag], run=self._names, width=BAND_WIDTH, **asked)
            self._blocks.append(("scalars", page.Block(f"bands:{at}", data)))
        self._answers["bands"] = asked

    def _record_hparams(self, tags: list[str]) -> None:
        self._frames["trials"] = self._asker.ask("/api/trials", run=self._names)

    def _record_histograms(self, tags: list[str]) -> None:
        wanted: dict[tuple[str, str], set[int]] = {}
        for at, tag in enumerate(tags):
            data = self._spread("histograms", tag)
            header, arrays = frames.decode(data)
            for one in header["series"]:
                wanted[one["run"], tag] = set(arrays["step"][one["first"] : one["first"] + one["steps"]].tolist())
            self._blocks.append(("histograms", page.Block(f"histograms:{at}", data)))
        total, kept = self._record_steps(
            "histograms",
            tags,
            lambda run, tag, step: np.isin(step, list(wanted.get((run, tag), ()))),
        )
        self._answers["histograms"] = {tag: at for at, tag in enumerate(tags)}
        self._parts.append(Part("histograms", len(tags), kept, total))

    def _record_distributions(self, tags: list[str]) -> None:
        for at, tag in enumerate(tags):
            self._blocks.append(
                ("distributions", page.Block(f"distributions:{at}", self._spread("distributions", tag)))
            )
        self._answers["distributions"] = {tag: at for at, tag in enumerate(tags)}
        if "steps:histograms" not in self._frames:
            self._record_steps("histograms", tags, lambda run, tag, step: np.ones(len(step), np.bool_))

    def _spread(self, kind: str, tag: str) -> bytes:
        return self._asker.ask(f"/api/{kind}", tag=[tag], run=self._names, limit=choice.MAX_HISTOGRAMS)

    def _record_text(self, tags: list[str]) -> None:
        newest = _newest(choice.MAX_TEXTS)
        total, kept = self._record_steps("text", tags, newest)
        texts: dict[str, Any] = {form: {} for form in _FORMS}
        for run, tag, points in self._series("text", tags):
            first = max(0, points - choice.MAX_TEXTS)
            for form in _FORMS:
                answer = self._asker.json(
                    "/api/text", run=run, tag=tag, at=list(range(first, points)), form=form, chars=MAX_TEXT_CHARS
                )
                for each in answer["texts"]:
                    each["place"] -= first
                texts[form].setdefault(tag, {})[run] = answer["texts"]
        self._answers["texts"] = texts
        self._parts.append(Part("text", len(tags), kept, total))

    def _series(self, kind: str, tags: list[str]) -> Iterator[tuple[str, str, int]]:
        for one in steps.listing(self._store, kind, tags, self._rows, rewinds=self._rewinds).header.series:
            if one.points:
                yield one.run, one.tag, one.points

    def _record_images(self, tags: list[str]) -> None:
        facts: dict[str, Any] = {}
        room = self._chosen.image_bytes
        kept = 0
        places: dict[tuple[str, str], set[int]] = {}
        for run, tag, point, keys in self._newest_images(tags):
            pictures = [blobs.read(self._store, key) for key in keys]
            size = sum(len(picture.data) for picture in pictures)
            if size > room or any(picture.content_type not in IMAGE_TYPES for picture in pictures):
                continue
            room -= size
            kept += len(keys)
            places.setdefault((run, tag), set()).add(point)
            for key, picture in zip(keys, pictures, strict=True):
                self._blocks.append(("images", page.Picture(key, picture.data, picture.content_type)))
                facts[key] = self._asker.json("/api/images/{key:path}", key=key)
        self._record_steps(
            "images",
            tags,
            lambda run, tag, step: np.isin(np.arange(len(step)), list(places.get((run, tag), ()))),
        )
        logged = steps.listing(self._store, "images", tags, self._rows, rewinds=self._rewinds).arrays["count"]
        self._answers["images"] = facts
        self._parts.append(Part("images", len(tags), kept, int(logged.sum())))

    def _newest_images(self, tags: list[str]) -> Iterator[tuple[str, str, int, list[str]]]:
        """Yield run, tag, index of the point and keys of its images; the newest step of every series first."""
        rows = series.rows(self._store, types.Kind.IMAGES, tags, self._rows, most=None).tolist()
        listed = []
        for row in rows:
            one = store_.Series(self._store, row)
            points = one.points(self._rewinds)
            first = max(0, len(points) - self._chosen.image_steps) if self._chosen.image_steps else 0
            listed += [(len(points) - point, one, points, point) for point in range(first, len(points))]
        leading = series.leading(types.Kind.IMAGES)
        for _, one, points, point in sorted(listed, key=lambda each: each[0]):
            count = int(points.values["count"][point])
            keys = [blobs.key(one, points, point, element) for element in range(leading, count)]
            yield one.run, one.tag, point, keys

    def _record_steps(self, kind: str, tags: list[str], keep: Keep) -> tuple[int, int]:
        """Record the list of points of a heavy kind, only those that are in the file; return how many there are and
        how many are kept."""
        found = steps.listing(self._store, kind, tags, self._rows, rewinds=self._rewinds)
        masks = [np.zeros(0, np.bool_)]
        listed: list[steps.SeriesSteps] = []
        first = 0
        for one in found.header.series:
            stretch = slice(one.first, one.first + one.points)
            mask = keep(one.run, one.tag, found.arrays["step"][stretch])
            masks.append(mask)
            listed.append(dataclasses.replace(one, first=first, points=int(mask.sum())))
            first += int(mask.sum())
        mask = np.concatenate(masks)
        header = dataclasses.replace(found.header, series=[one for one in listed if one.points])
        arrays = {name: array[mask] for name, array in found.arrays.items()}
        self._frames[f"steps:{kind}"] = frames.encode(vars(header), arrays)
        return len(mask), int(mask.sum())


def _newest(count: int) -> Keep:
    return lambda run, tag, step: np.arange(len(step)) >= len(step) - count


def _cut_runs(columns: dict[str, Any], wanted: set[str]) -> dict[str, Any]:
    keep = [at for at, name in enumerate(columns["name"]) if name in wanted]
    count = len(columns["name"])
    parallel = {
        name: [column[at] for at in keep]
        for name, column in columns.items()
        if isinstance(column, list) and len(column) == count and name != "removed"
    }
    return columns | parallel | {"total": len(keep)}


def _cut_tags(columns: dict[str, Any], wanted: set[str]) -> dict[str, Any]:
    keep = [at for at, tag in enumerate(columns["tag"]) if tag in wanted]
    cut = {name: [columns[name][at] for at in keep] for name in ("tag", "runs")}
    maps = {
        name: {tag: said for tag, said in columns[name].items() if tag in wanted} for name in columns if name not in cut
    }
    return cut | maps


def _plain(answer: Any) -> Any:
    return json.loads(responses.to_json(answer))


def _numbers(column: Any) -> list[int]:
    return [number for number in _plain(column) if number is not None]
