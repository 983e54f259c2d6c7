"""Logs that tests write, and those that a hub wrote from what it was sent."""

from __future__ import annotations

import pathlib

from hub import hubs

import lightboard


def files_of(hub: hubs.Hub, experiment: str) -> pathlib.Path:
    return hub.dir / "uploads" / experiment / "files"


def logs_in(folder: pathlib.Path) -> lightboard.Logs:
    """With superseded points: which run was restarted is not sent."""
    return lightboard.open(folder, index=False, rewinds="all")


def write_scalars(folder: pathlib.Path, values: list[float]) -> None:
    with lightboard.SummaryWriter(folder) as writer:
        for step, value in enumerate(values):
            writer.add_scalar("loss", value, step, double_precision=True)


def wait_for_points(folder: pathlib.Path, count: int) -> None:
    def arrived() -> bool:
        if not any(folder.rglob("*tfevents*")):
            return False
        logs = logs_in(folder)
        return bool(logs.runs) and len(logs.scalars(".", "loss")) >= count

    hubs.until(arrived, what=f"{count} points")
