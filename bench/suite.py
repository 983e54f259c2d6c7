"""The measurements by name, in the order of execution."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bench import door, hparams, hub, jobs, loading, projector, report, serving, setup, storage, uploads

MEASUREMENTS: dict[str, Callable[[setup.Setup], Iterator[report.Row]]] = {
    "start": serving.first_pages,
    "load": loading.first_loads,
    "reopen": loading.reopenings,
    "runs": loading.many_runs,
    "chart": serving.chart_requests,
    "live": serving.live_points,
    "scan": serving.native_scan,
    "kinds": loading.other_kinds,
    "hparams": hparams.tables,
    "projector": projector.layouts,
    "storage": storage.buckets,
    "door": door.fronts,
    "hub": hub.hubs,
    "uploads": uploads.uploads,
    "jobs": jobs.lines,
    "runs100k": loading.very_many_runs,
    "huge": loading.huge_load,
}
