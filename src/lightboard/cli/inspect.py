"""`lightboard inspect`: shows the contents of event files. Replaces `tensorboard --inspect`."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from lightboard import cli, errors
from lightboard.cli import flags, formatting, stopping

if TYPE_CHECKING:
    from lightboard import store, types


def add_arguments(parser: argparse.ArgumentParser) -> None:
    flags.add_logdir(parser)
    group = parser.add_argument_group("what to show")
    group.add_argument("--tag", metavar="TAG", default="", help="only this tag")
    group.add_argument("--event_file", metavar="FILE", default="", help="only this file")
    flags.add_json(parser)
    flags.add_index(parser)


def run(args: argparse.Namespace, stops: stopping.Stops) -> int:
    from lightboard.cli import logdirs

    logdirs.must_exist(args)
    one = logdirs.board_of(args)
    one.load()
    try:
        found = digest(one.store, one.options.rewinds, tag=args.tag)
        found["problems"] = [each.as_record() for each in logdirs.logdir_problems(one)]
        code = logdirs.report(one)
    finally:
        one.stop()
    if args.tag and not found["runs"] and code == cli.OK:
        raise errors.NotFound(f"no run has a tag `{args.tag}`", hint="`lightboard inspect` without --tag lists them")
    print(formatting.document(found) if args.json else "\n".join(_text(found)))
    return code


def digest(source: store.Store, rewinds: types.Rewinds, *, tag: str = "") -> dict[str, Any]:
    """Returns runs with their files and tags, and faults: the JSON document, from which the text is made."""
    files = _files(source)
    tags: dict[str, list[dict[str, Any]]] = {}
    for series in source.all_series(tag=tag or None):
        tags.setdefault(series.run, []).append(_tag(series, rewinds))
    runs = []
    for name in sorted(source.runs()):
        if name in tags or not tag:
            shown = sorted(tags.get(name, ()), key=lambda one: (one["kind"], one["tag"]))
            runs.append({"run": name, "files": files.get(name, []), "tags": shown})
    faults = [
        {"file": fault.path, "offset": fault.offset, "reason": fault.reason, "detail": fault.detail}
        for each in source.faults.values()
        for fault in each
    ]
    return {"runs": runs, "faults": faults}


def _files(source: store.Store) -> dict[str, list[dict[str, Any]]]:
    files: dict[str, list[dict[str, Any]]] = {}
    for number, row in enumerate(source.files_table.rows):
        if not row["alive"]:
            continue
        files.setdefault(source.run_names[int(row["run"])], []).append(
            {
                "path": source.paths[number],
                "size_bytes": int(row["size"]),
                "records": int(row["records"]),
                "bad_records": int(row["bad_records"]),
            }
        )
    return files


def _tag(series: store.Series, rewinds: types.Rewinds) -> dict[str, Any]:
    chunk = series.only_chunk()
    # most series are one chunk, whose summary has all these fields: no need to read the points
    summary = _of_points(series.points(rewinds)) if chunk is None else {name: chunk[name].item() for name in _SUMMARY}
    named = {"tag": series.tag, "kind": series.kind.word, "plugin": series.metadata.plugin}
    return named | {word: summary.get(name) for name, word in _SUMMARY.items()}


# field of a chunk → name in the output
_SUMMARY = {
    "n": "points",
    "first_step": "first_step",
    "last_step": "last_step",
    "min_step": "min_step",
    "max_step": "max_step",
    "min_wall": "min_wall_time",
    "max_wall": "max_wall_time",
}


def _of_points(points: store.Points) -> dict[str, float]:
    if not len(points):
        return {"n": 0}
    steps, walls = points.steps, points.wall_times
    return {
        "n": len(points),
        "first_step": int(steps[0]),
        "last_step": int(steps[-1]),
        "min_step": int(steps.min()),
        "max_step": int(steps.max()),
        # NaN counts only if there is no other time
        "min_wall": min(walls.tolist(), key=lambda wall: (wall != wall, wall)),
        "max_wall": max(walls.tolist(), key=lambda wall: (wall == wall, wall)),
    }


def _text(found: dict[str, Any]) -> list[str]:
    lines = []
    for run in found["runs"]:
        size = sum(file["size_bytes"] for file in run["files"])
        points = sum(tag["points"] for tag in run["tags"])
        counts = (
            formatting.plural(len(run["files"]), "file"),
            formatting.size(size),
            formatting.plural(points, "point"),
        )
        lines.append(f"{formatting.printable(run['run'])}  ({', '.join(counts)})")
        rows = [
            [
                tag["kind"],
                formatting.printable(tag["tag"]),
                formatting.plural(tag["points"], "point"),
                f"steps {tag['min_step']} … {tag['max_step']}",
                f"{formatting.moment(tag['min_wall_time'])} … {formatting.moment(tag['max_wall_time'])}",
            ]
            for tag in run["tags"]
            if tag["points"]
        ]
        lines += formatting.aligned(rows, indent="  ", right=[2])
    lines += [
        f"fault: {fault['detail']}, at byte {fault['offset']} of {formatting.printable(fault['file'])}"
        for fault in found["faults"]
    ]
    total = sum(len(run["tags"]) for run in found["runs"])
    runs, faults = formatting.plural(len(found["runs"]), "run"), formatting.plural(len(found["faults"]), "fault")
    return [*lines, f"{runs}, {total:,} series, {faults}"]
