"""Layouts: PCA against NumPy, UMAP and t-SNE against exact neighbours, jobs from beginning to end, and odd data.

How the native kernels behave alone is tested in native/tests/test_projector.cpp.
"""

from __future__ import annotations

import gc
import pathlib
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import embedding_files
import numpy as np
import pytest
from numpy.typing import NDArray

from lightboard import errors, projection, work
from lightboard.query.projector import methods as projector_methods
from lightboard.query.projector import pca as projector_pca
from lightboard.work import layouts

Question = projector_methods.Question
LONG_SECS = 120.0


def opened(root: pathlib.Path) -> work.Work:
    return work.Work(embedding_files.opened(root))


def made(root: pathlib.Path, values: NDArray[Any], labels: str | None = None) -> work.Work:
    embedding_files.simple(root, values, labels)
    return opened(root)


def begin(source: work.Work, method: projector_methods.Method, **fields: Any) -> layouts.Job:
    return source.layouts.begin(source.embedding(".", "e"), Question(run=".", name="e", method=method, **fields))


def finished(source: work.Work, method: projector_methods.Method, **fields: Any) -> NDArray[np.float32]:
    job = begin(source, method, **fields)
    status = job.wait(LONG_SECS)
    assert (status.state, status.problem) == ("done", None)
    assert job.coordinates is not None
    return job.coordinates


def wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG_SECS
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


# ---- PCA


def by_svd(values: NDArray[Any], *, sphereize: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    wide = values.astype(np.float64)
    wide -= wide.mean(axis=0)
    if sphereize:
        wide /= np.linalg.norm(wide, axis=1, keepdims=True)
        wide -= wide.mean(axis=0)
    left, lengths, _ = np.linalg.svd(wide, full_matrices=False)
    return np.abs(left * lengths)[:, :10], (lengths**2 / (lengths**2).sum())[:10]


@pytest.mark.parametrize("sphereize", [False, True])
@pytest.mark.parametrize("shape", [(500, 30), (40, 3), (60, 900), (2, 5), (900, 800)])
def test_components_equal_those_of_numpy(tmp_path: pathlib.Path, shape: tuple[int, int], sphereize: bool) -> None:
    rng = np.random.default_rng(1)
    values = (rng.normal(size=shape) @ np.diag(np.geomspace(30, 0.3, shape[1])) + 5).astype(np.float32)
    source = made(tmp_path, values)
    job = begin(source, "pca", sphereize=sphereize)
    assert job.wait(LONG_SECS).state == "done"
    coordinates, shares = by_svd(values, sphereize=sphereize)
    count = min(10, *shape)
    assert job.coordinates is not None and job.coordinates.shape == (shape[0], count)
    # the last of few rows have no variance, and no direction either
    real = int(np.count_nonzero(shares[:count] > 1e-6))
    scale = coordinates.max()
    assert np.abs(np.abs(job.coordinates[:, :real]) - coordinates[:, :real]).max() < 2e-3 * scale
    assert np.allclose(job.status().shares[:real], shares[:real], atol=1e-6)


def test_components_of_many_rows_in_pieces_are_the_same(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    values, _ = embedding_files.blobs(5000, 12, 4)
    whole = finished(made(tmp_path, values), "pca")
    monkeypatch.setattr(projector_pca, "_PIECE_VALUES", 12 * 64)
    pieces = finished(opened(tmp_path), "pca")
    assert np.allclose(whole, pieces, atol=1e-5)


def test_components_are_looked_for_once_until_the_numbers_change(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    real = projector_pca.components

    def counted(data: projector_pca.Prepared, *rest: Any, **named: Any) -> projector_pca.Components:
        asked.append(len(data))
        return real(data, *rest, **named)

    monkeypatch.setattr(projector_pca, "components", counted)
    values = np.random.default_rng(4).normal(size=(60, 5)).astype(np.float32)
    source = made(tmp_path, values)
    finished(source, "pca")
    finished(source, "umap")
    assert asked == [60]
    finished(source, "pca", rows=tuple(range(20)))
    assert asked == [60, 20]
    changed = finished(made(tmp_path, values[:50] ** 3), "pca")
    assert asked == [60, 20, 50]
    np.testing.assert_allclose(np.abs(changed), by_svd(values[:50] ** 3, sphereize=True)[0][:, :5], atol=1e-4)


def test_the_same_question_is_answered_by_the_same_job(tmp_path: pathlib.Path) -> None:
    source = made(tmp_path, np.eye(4))
    assert begin(source, "pca") is begin(source, "pca")
    assert begin(source, "pca", dims=2) is not begin(source, "pca")
    embedding_files.simple(tmp_path, np.eye(5))
    assert len(finished(opened(tmp_path), "pca")) == 5


# ---- neighbours stay neighbours


def trustworthiness(values: NDArray[Any], places: NDArray[Any], k: int = 10) -> float:
    """Venna and Kaski 2001: how few strangers are among the nearest in the picture; 1 is none."""
    n = len(values)
    ranks = np.empty((n, n), np.int64)
    order = np.argsort(((values[:, None] - values[None]) ** 2).sum(-1), axis=1, kind="stable")
    np.put_along_axis(ranks, order, np.arange(n)[None].repeat(n, 0), axis=1)
    near = np.argsort(((places[:, None] - places[None]) ** 2).sum(-1), axis=1, kind="stable")[:, 1 : k + 1]
    strangers = np.maximum(np.take_along_axis(ranks, near, axis=1) - k, 0).sum()
    return float(1 - strangers * 2 / (n * k * (2 * n - 3 * k - 1)))


def purity(places: NDArray[Any], labels: NDArray[Any], k: int = 10) -> float:
    near = np.argsort(((places[:, None] - places[None]) ** 2).sum(-1), axis=1)[:, 1 : k + 1]
    return float((labels[near] == labels[:, None]).mean())


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("method", ["umap", "tsne"])
def test_groups_stay_apart_and_neighbors_together(
    tmp_path: pathlib.Path, method: projector_methods.Method, dims: int
) -> None:
    values, labels = embedding_files.blobs(600, 12, 6)
    source = made(tmp_path, values)
    places = finished(source, method, dims=dims, iterations=300, sphereize=False, distance="euclidean")
    assert places.shape == (600, dims)
    assert purity(places, labels) > 0.99
    wide = values.astype(np.float64)
    flat = finished(source, "pca", dims=dims, sphereize=False)[:, :dims]
    found = trustworthiness(wide, places)
    assert found > 0.93 and found > trustworthiness(wide, flat)


def test_a_seed_gives_the_same_picture(tmp_path: pathlib.Path) -> None:
    values, _ = embedding_files.blobs(400, 8, 4)
    source = made(tmp_path, values)
    for method in ("umap", "tsne"):
        first, second, other = (finished(source, method, dims=2, iterations=30, seed=seed) for seed in (7, 7, 8))
        assert np.array_equal(first, second)
        assert not np.array_equal(first, other)


def test_labels_keep_groups_apart_that_are_not(tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(0)
    values, labels = rng.normal(size=(500, 6)), rng.integers(0, 2, 500)
    source = made(tmp_path, values, "".join(f"{label}\n" for label in labels))
    for method in ("umap", "tsne"):
        free = finished(source, method, dims=2, iterations=200)
        tied = finished(source, method, dims=2, iterations=200, supervise=1.0, label="label")
        assert purity(tied, labels) > 0.9 > 0.7 > purity(free, labels)
    ignoring = finished(source, "umap", dims=2, iterations=50, supervise=1.0, label="label", ignore="0")
    assert np.isfinite(ignoring).all()


def test_neighbors_of_many_rows_are_nearly_all_the_true_ones() -> None:
    values, _ = embedding_files.blobs(6000, 16, 12)
    search = projection.Neighbors(values, 10, seed=1)
    while search.advance():
        assert 0 <= search.progress <= 1
    ids, distances = search.result()
    assert ids.shape == distances.shape == (6000, 10)
    hits = 0
    for row in range(0, 6000, 60):
        apart = ((values - values[row]) ** 2).sum(axis=1)
        apart[row] = np.inf
        hits += len(set(np.argsort(apart)[:10].tolist()) & set(ids[row].tolist()))
    assert hits / 1000 > 0.95


@pytest.mark.parametrize(
    ("min_distance", "a", "b"), [(0.0, 1.93, 0.79), (0.1, 1.577, 0.895), (0.5, 0.583, 1.334), (0.99, 0.119, 1.916)]
)
def test_the_curve_is_the_one_of_the_paper(min_distance: float, a: float, b: float) -> None:
    assert np.allclose(projection.curve(min_distance), (a, b), rtol=0.01)


# ---- custom axes


def test_custom_axes_lead_from_one_search_to_the_other(tmp_path: pathlib.Path) -> None:
    values = np.array([[1, 0, 5], [3, 0, 5], [0, 2, 5], [0, 6, 5], [9, 9, 9]], np.float32)
    source = made(tmp_path, values, "left a\nright b\ndown c\nup d\nother\n")
    axes = {"left": "left", "right": "/^right/", "down": "down", "up": "up"}
    found = finished(source, "custom", dims=2, sphereize=False, **axes)
    centered = values - values.mean(axis=0)
    assert np.allclose(found[:, 0], centered @ (values[1] - values[0]), atol=1e-4)
    assert np.allclose(found[:, 1], centered @ (values[3] - values[2]), atol=1e-4)
    half = finished(source, "custom", dims=3, sphereize=False, right="right")
    assert np.allclose(half[:, 0], centered @ centered[1], atol=1e-4) and not half[:, 1:].any()
    status = begin(source, "custom", left="nothing like it").wait(LONG_SECS)
    assert status.state == "failed" and "nothing is found for `left`" in str(status.problem)


# ---- odd data


@pytest.mark.parametrize("method", ["pca", "umap", "tsne"])
@pytest.mark.parametrize(
    "values",
    [
        np.ones((1, 4)),
        np.array([[1.0, 2], [3, 4]]),
        np.arange(3.0)[:, None],
        np.zeros((20, 5)),
        np.full((30, 2), 7.5),
        np.stack([np.arange(25.0), np.zeros(25)], axis=1),
        np.random.default_rng(0).normal(size=(12, 10_000)),
        np.random.default_rng(0).normal(size=(50, 3)) * 1e30,
        np.repeat(np.eye(3), 30, axis=0),
    ],
    ids=[
        "one row",
        "two rows",
        "one dimension",
        "zeros",
        "all the same",
        "a constant column",
        "wide",
        "huge",
        "thrice",
    ],
)
def test_odd_data_is_laid_out(tmp_path: pathlib.Path, method: projector_methods.Method, values: NDArray[Any]) -> None:
    places = finished(made(tmp_path, values), method, dims=2, iterations=20)
    assert len(places) == len(values) and np.isfinite(places).all()


@pytest.mark.parametrize("method", ["pca", "umap", "tsne", "custom"])
def test_rows_that_are_not_finite_are_left_out(tmp_path: pathlib.Path, method: projector_methods.Method) -> None:
    values, _ = embedding_files.blobs(60, 4, 2)
    values[3, 1], values[50] = np.nan, np.inf
    source = made(tmp_path, values, "x\n" * 60)
    job = begin(source, method, dims=2, iterations=20, right="x")
    assert job.wait(LONG_SECS).left_out == 2
    assert job.coordinates is not None
    assert np.nonzero(np.isnan(job.coordinates).any(axis=1))[0].tolist() == [3, 50]


def test_nothing_finite_is_said(tmp_path: pathlib.Path) -> None:
    status = begin(made(tmp_path, np.full((3, 2), np.nan)), "umap").wait(LONG_SECS)
    assert status.state == "failed" and "no row is finite" in str(status.problem)


def test_only_some_rows_can_be_laid_out(tmp_path: pathlib.Path) -> None:
    values, _ = embedding_files.blobs(50, 4, 2)
    source = made(tmp_path, values)
    assert finished(source, "umap", dims=2, rows=(4, 2, 40, 9), iterations=10).shape == (4, 2)
    some = finished(source, "pca", rows=tuple(range(10)), sphereize=False)
    assert np.allclose(np.abs(some[:, 0]), by_svd(values[:10], sphereize=False)[0][:, 0], atol=1e-3)
    for rows in ((), (50,), (-1,)):
        assert begin(source, "pca", rows=rows).wait(LONG_SECS).state == "failed"


def test_wrong_questions_are_refused_at_once(tmp_path: pathlib.Path) -> None:
    source = made(tmp_path, np.eye(3))
    with pytest.raises(errors.BadInput, match="column of labels"):
        begin(source, "umap", supervise=0.5)
    with pytest.raises(errors.NotFound, match="no metadata"):
        begin(source, "custom", left="x")
    with pytest.raises(errors.NotFound):
        source.layouts.get("nothing")


# ---- jobs


@pytest.fixture
def endless(tmp_path: pathlib.Path) -> work.Work:
    """Enough for a t-SNE to go on for a while."""
    return made(tmp_path, embedding_files.blobs(1500, 8, 5)[0])


def test_a_job_pauses_goes_on_and_stops(endless: work.Work) -> None:
    jobs = endless.layouts
    job = begin(endless, "tsne", dims=2, iterations=100_000)
    wait_for(lambda: job.iteration > 0)
    jobs.act(job.id, "pause")
    wait_for(lambda: job.state == "paused")
    at = job.iteration
    status, _ = job.snapshot(job.version, 0.05)
    assert (status.state, status.iteration) == ("paused", at)
    jobs.act(job.id, "resume")
    wait_for(lambda: job.iteration > at)
    jobs.act(job.id, "stop")
    status = job.wait(LONG_SECS)
    assert status.state == "stopped" and status.seconds > 0
    at = job.iteration
    jobs.act(job.id, "resume")
    wait_for(lambda: job.iteration > at)
    jobs.drop(job.id)
    wait_for(lambda: job.state == "stopped")
    with pytest.raises(errors.NotFound):
        jobs.get(job.id)


def test_a_finished_tsne_goes_on_as_if_it_had_not_stopped(endless: work.Work) -> None:
    jobs = endless.layouts
    job = begin(endless, "tsne", dims=2, iterations=20)
    assert job.wait(LONG_SECS).iteration == 20
    jobs.act(job.id, "resume")
    wait_for(lambda: job.state == "done" and job.iteration == 40)
    whole = begin(endless, "tsne", dims=2, iterations=40)
    whole.wait(LONG_SECS)
    assert job.coordinates is not None and whole.coordinates is not None
    assert np.array_equal(job.coordinates, whole.coordinates)


def test_perturbing_changes_the_picture(endless: work.Work) -> None:
    jobs = endless.layouts
    job = begin(endless, "tsne", dims=2, iterations=20)
    job.wait(LONG_SECS)
    before = job.coordinates
    jobs.act(job.id, "perturb")
    wait_for(lambda: job.state == "done" and job.iteration == 40)
    assert job.coordinates is not None and before is not None
    assert np.isfinite(job.coordinates).all() and not np.array_equal(job.coordinates, before)


def test_the_principal_components_are_shown_before_the_layout(endless: work.Work) -> None:
    job = begin(endless, "umap", dims=2, iterations=3)
    seen: list[str] = []
    version = 0
    while job.state in ("waiting", "running"):
        status, coordinates = job.snapshot(version, 1.0)
        if coordinates is not None:
            assert coordinates.shape == (1500, 2) and status.version > version
            seen.append(status.phase)
            version = status.version
    assert seen and version == job.version


def test_a_job_that_nobody_asks_about_ends(endless: work.Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "IDLE_SECS", 0.3)
    job = begin(endless, "tsne", dims=2, iterations=1_000_000)
    assert job.wait(LONG_SECS).state == "stopped"


def test_more_jobs_than_may_run_wait_for_their_turn(endless: work.Work) -> None:
    jobs = [begin(endless, "tsne", dims=2, iterations=100_000, seed=seed) for seed in range(3)]
    wait_for(lambda: sum(job.state == "running" for job in jobs) == 2)
    assert sum(job.state == "waiting" for job in jobs) == 1
    endless.layouts.act(next(job for job in jobs if job.state == "running").id, "stop")
    wait_for(lambda: sum(job.state == "running" for job in jobs) == 2)
    for job in jobs:
        endless.layouts.drop(job.id)
    for job in jobs:
        assert job.wait(LONG_SECS).state == "stopped"
    wait_for(lambda: not any(each.name == "lightboard-layout" for each in threading.enumerate()))


def test_old_jobs_make_room(tmp_path: pathlib.Path) -> None:
    source = made(tmp_path, np.eye(4))
    ids = []
    for seed in range(layouts.MOST_KEPT + 3):
        job = begin(source, "pca", seed=seed)
        job.wait(LONG_SECS)
        ids.append(job.id)
    kept = source.layouts._jobs
    assert list(kept) == ids[-layouts.MOST_KEPT :]


def test_a_file_that_goes_away_fails_with_a_word(tmp_path: pathlib.Path) -> None:
    source = made(tmp_path, np.eye(4))
    (tmp_path / "e.bytes").unlink()
    with pytest.raises(errors.NotFound, match="not there"):
        begin(source, "pca")


@pytest.mark.parametrize(("method", "iterations"), [("pca", 0), ("umap", 5), ("tsne", 5), ("tsne", 0)])
def test_a_layout_does_not_keep_its_board_in_memory(
    tmp_path: pathlib.Path, method: projector_methods.Method, iterations: int
) -> None:
    source = made(tmp_path, embedding_files.blobs(60, 4, 3)[0])
    jobs = [begin(source, method, iterations=iterations)]
    if method == "tsne" and not iterations:  # stopped on the way, to be resumed perhaps
        wait_for(lambda: jobs[0].iteration > 0)
        jobs[0].act("stop")
    jobs[0].wait(LONG_SECS)
    wait_for(lambda: not any(thread.name == "lightboard-layout" for thread in threading.enumerate()))
    gone = weakref.ref(source._source)
    jobs.clear()
    del source
    gc.collect()
    assert gone() is None


def test_closing_ends_all_jobs_and_takes_no_more(endless: work.Work) -> None:
    jobs = [begin(endless, "tsne", dims=2, iterations=100_000, seed=seed) for seed in range(3)]
    wait_for(lambda: any(job.iteration > 0 for job in jobs))
    endless.layouts.close(LONG_SECS)
    assert [job.state for job in jobs] == ["stopped"] * 3
    assert not any(each.name == "lightboard-layout" for each in threading.enumerate())
    with pytest.raises(errors.Gone):
        begin(endless, "pca")
    endless.close()  # a second time
