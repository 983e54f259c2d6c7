"""The projector as a person uses it: real Chromium, a real board, embeddings written by the SDK and by hand.

What a layout is worth is tested where it is worked out (tests/query); here: that it is asked for, followed and shown,
that points are found, selected, coloured, edited and shared, and that odd files are told of. Not here: speed
(bench/web).
"""

from __future__ import annotations

import json
import pathlib
import struct
import urllib.parse
import zlib
from collections.abc import Iterator
from typing import Any

import board_process
import numpy as np
import pytest
from browser import conftest, patience, test_accessibility
from browser.kind_cards import in_address
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect

DATA = pathlib.Path(__file__).parents[1] / "data"
ROWS, DIMS = 90, 6
WORDS = ("北京", "🙂 smile", "שלום", "<b>bold</b>", "plain")


def vectors(rows: int = ROWS, dims: int = DIMS) -> Any:
    """Three heaps, told apart by their first numbers."""
    made = np.random.default_rng(7).normal(0, 0.08, (rows, dims))
    made[np.arange(rows), np.arange(rows) % 3] += 1
    return made


def cells() -> list[list[str]]:
    return [[f"{WORDS[row % 5]} {row}", "abc"[row % 3], str(row % 3), f"{row / 7:.3f}"] for row in range(ROWS)]


def png(width: int, height: int) -> bytes:
    """Grey, each row of pixels lighter than the one above."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    lines = b"".join(b"\0" + bytes([y % 256]) * width for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def tsv(rows: Any) -> str:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


BOOKMARKS = [
    {
        "label": "from the file",
        "selectedProjection": "pca",
        "pcaComponentDimensions": [1, 2],
        "selectedPoints": [4, 5],
        "selectedColorOptionName": "class",
        "projections": [],
    }
]

ODD_CONFIG = """
embeddings { tensor_name: "gaps" tensor_path: "gaps.tsv" metadata_path: "short.tsv" }
embeddings { tensor_name: "gone" tensor_path: "gone.tsv" }
embeddings { tensor_name: "refused" tensor_path: "../../secret.tsv" }
embeddings { tensor_name: "single" tensor_path: "single.tsv" }
"""


def write_words(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True)
    (folder / "vectors.tsv").write_text(tsv(vectors()))
    (folder / "metadata.tsv").write_text(tsv([["word", "group", "class", "size"], *cells()]), encoding="utf-8")
    (folder / "sprite.png").write_bytes(png(80, 80))
    (folder / "bookmarks.json").write_text(json.dumps(BOOKMARKS))
    (folder / "projector_config.pbtxt").write_text(
        'embeddings { tensor_name: "words" tensor_path: "vectors.tsv" metadata_path: "metadata.tsv" '
        'bookmarks_path: "bookmarks.json" sprite { image_path: "sprite.png" single_image_dim: 8 single_image_dim: 8 } }'
    )


def write_odd(folder: pathlib.Path) -> None:
    folder.mkdir(parents=True)
    gaps = vectors(20)
    gaps[3] = np.nan
    gaps[4, 0] = np.inf
    (folder / "gaps.tsv").write_text(tsv(gaps))
    (folder / "short.tsv").write_text("".join(f"name {row}\n" for row in range(12)))
    (folder / "single.tsv").write_text(tsv([[1.0, 2.0, 3.0, 4.0]]))
    (folder / "projector_config.pbtxt").write_text(ODD_CONFIG)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    write_words(folder / "a words")
    write_odd(folder / "odd")
    with lightboard.SummaryWriter(str(folder / "sdk")) as writer:
        writer.add_scalar("loss", 1.0, 0)
        writer.add_embedding(vectors(30), metadata=[f"point {row}" for row in range(30)], tag="logged", global_step=1)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs("sdk")
        yield process


@pytest.fixture
def page(open_page: conftest.OpenPage) -> sync_api.Page:
    return open_page(reduced_motion="reduce")


def open_projector(page: sync_api.Page, board: board_process.Process, members: str = "") -> None:
    page.goto(f"{board.url}#projector?{members}")
    expect(page.get_by_test_id("projector-page")).to_be_visible()


def open_words(page: sync_api.Page, board: board_process.Process, members: str = "") -> None:
    open_projector(page, board, f"projectorRun=a%20words&projectorTensor=words&{members}")
    expect_points(page, ROWS)


def canvas(page: sync_api.Page) -> sync_api.Locator:
    return page.get_by_test_id("projector-canvas")


def expect_points(page: sync_api.Page, count: int) -> None:
    """As many are in the picture, and nothing moves any more."""
    expect(canvas(page)).to_have_attribute("data-drawn", str(count))
    expect(canvas(page)).to_have_attribute("data-moving", "false")


def frames(page: sync_api.Page) -> int:
    return int(canvas(page).get_attribute("data-frames") or 0)


def middle(page: sync_api.Page) -> tuple[float, float]:
    box = patience.box_of(page.get_by_test_id("projector-view"))
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def row(page: sync_api.Page, number: int) -> sync_api.Locator:
    return page.get_by_test_id("projector-list").locator(f'[data-row="{number}"]')


def nearest(number: int, count: int, distance: str) -> list[int]:
    """As they are, over all dimensions."""
    made = vectors().astype(np.float32).astype(np.float64)
    if distance == "euclidean":
        away = np.linalg.norm(made - made[number], axis=1)
    else:
        unit = made / np.linalg.norm(made, axis=1, keepdims=True)
        away = 1 - unit @ unit[number]
    return [int(each) for each in np.argsort(away, kind="stable") if each != number][:count]


def listed(page: sync_api.Page, count: int) -> list[int]:
    found = page.get_by_test_id("projector-list").locator("[data-row]")
    expect(found.nth(count - 1)).to_be_visible()
    return [int(each.get_attribute("data-row") or -1) for each in found.all()[:count]]


# ---- what there is


def test_an_embedding_is_shown_with_its_counts(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board)
    expect(page.get_by_test_id("projector-counts")).to_have_text("90 points · 6 dimensions")
    expect(page.get_by_test_id("projector-explained")).to_contain_text("% of the variance")
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", str(ROWS))
    expect(row(page, 0)).to_contain_text("北京 0")
    expect(row(page, 3)).to_contain_text("<b>bold</b> 3")


def test_what_the_sdk_logs_is_shown(page: sync_api.Page, board: board_process.Process) -> None:
    open_projector(page, board, "projectorRun=sdk")
    expect_points(page, 30)
    expect(row(page, 7)).to_contain_text("point 7")


def test_runs_and_tensors_are_chosen(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board, "projectorPoint=3&projectorColorBy=group")
    page.get_by_test_id("projector-run").select_option("sdk")
    expect_points(page, 30)
    in_address(page, "projectorRun=sdk")
    # what was said of other points no longer counts
    patience.eventually(page, lambda page: "projectorPoint" in page.url, wanted=False)
    page.get_by_test_id("projector-run").select_option("odd")
    page.get_by_test_id("projector-tensor").select_option("single")
    expect_points(page, 1)


def test_a_missing_file_and_a_refused_path_are_told(page: sync_api.Page, board: board_process.Process) -> None:
    open_projector(page, board, "projectorRun=odd&projectorTensor=gone")
    expect(page.get_by_test_id("projector-unusable")).to_contain_text("gone.tsv")
    page.get_by_test_id("projector-tensor").select_option("refused")
    expect(page.get_by_test_id("projector-unusable")).to_contain_text("outside")
    page.get_by_test_id("projector-tensor").select_option("single")
    expect_points(page, 1)


def test_rows_that_are_not_finite_are_left_out_and_told(page: sync_api.Page, board: board_process.Process) -> None:
    open_projector(page, board, "projectorRun=odd&projectorTensor=gaps")
    expect_points(page, 18)
    expect(page.get_by_test_id("projector-notes")).to_contain_text("2 rows are not finite")
    expect(page.get_by_test_id("projector-notes")).to_contain_text("12 rows")


def test_a_board_without_embeddings_says_how_to_log_some(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(str(tmp_path / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as bare:
        bare.wait_for_runs("run")
        open_projector(page, bare)
        expect(page.get_by_test_id("projector-empty")).to_contain_text("add_embedding")
        expect(page.get_by_test_id("projector-load")).to_be_visible()


def test_an_embedding_that_is_logged_later_appears(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(str(tmp_path / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as live:
        live.wait_for_runs("run")
        open_projector(page, live)
        expect(page.get_by_test_id("projector-empty")).to_be_visible()
        with lightboard.SummaryWriter(str(tmp_path / "run")) as writer:
            writer.add_embedding(vectors(12), tag="late")
            writer.add_scalar("loss", 0.5, 1)
        expect_points(page, 12)


def test_files_from_disk_are_shown_and_wrong_ones_refused(
    page: sync_api.Page, board: board_process.Process, tmp_path: pathlib.Path, forgiven: list[str]
) -> None:
    forgiven.append("status of 400")
    (tmp_path / "mine.tsv").write_text(tsv(vectors(25)))
    (tmp_path / "names.tsv").write_text("".join(f"own {number}\n" for number in range(25)))
    (tmp_path / "wrong.tsv").write_text("these\tare\nno\tnumbers\n")
    open_words(page, board)
    page.get_by_test_id("projector-load").click()
    page.get_by_test_id("projector-tensors-file").set_input_files(tmp_path / "wrong.tsv")
    page.get_by_test_id("projector-load-done").click()
    expect(page.get_by_test_id("projector-load-dialog").get_by_role("alert")).to_contain_text("cannot be used")
    page.get_by_test_id("projector-tensors-file").set_input_files(tmp_path / "mine.tsv")
    page.get_by_test_id("projector-metadata-file").set_input_files(tmp_path / "names.tsv")
    page.get_by_test_id("projector-load-done").click()
    expect(page.get_by_test_id("projector-load-dialog")).to_have_count(0)
    expect_points(page, 25)
    expect(row(page, 24).or_(row(page, 3)).first).to_contain_text("own")
    page.get_by_test_id("projector-method-umap").click()
    expect(page.get_by_test_id("projector-progress")).to_have_attribute("data-state", "done")


def test_arrays_and_raw_numbers_are_brought_along(
    page: sync_api.Page, board: board_process.Process, tmp_path: pathlib.Path
) -> None:
    np.save(tmp_path / "mine.npy", vectors(17))
    (tmp_path / "mine.bytes").write_bytes(vectors(12).astype("<f4").tobytes())
    open_words(page, board)
    page.get_by_test_id("projector-load").click()
    page.get_by_test_id("projector-tensors-file").set_input_files(tmp_path / "mine.npy")
    page.get_by_test_id("projector-load-done").click()
    expect_points(page, 17)
    page.get_by_test_id("projector-load").click()
    page.get_by_test_id("projector-tensors-file").set_input_files(tmp_path / "mine.bytes")
    # nobody knows how many numbers a point has
    expect(page.get_by_test_id("projector-load-done")).to_be_disabled()
    page.get_by_test_id("projector-raw-dims").fill(str(DIMS))
    page.get_by_test_id("projector-load-done").click()
    expect_points(page, 12)


@pytest.mark.parametrize("corpus", ["projector", "torch_writer", "keras_fit"])
def test_embeddings_of_real_writers_are_shown(page: sync_api.Page, corpus: str) -> None:
    """Every one that the board lists: as many points as it says, or why there are none."""
    with board_process.Process("--logdir", DATA / corpus, "--port", "0") as real:
        board_process.wait_until(lambda: listed_embeddings(real), f"embeddings of {corpus}")
        for one in listed_embeddings(real):
            page.goto("about:blank")
            names = urllib.parse.urlencode(
                {"projectorRun": one["run"], "projectorTensor": one["name"]}, quote_via=urllib.parse.quote
            )
            open_projector(page, real, names)
            if one["problem"]:
                expect(page.get_by_test_id("projector-unusable")).to_be_visible()
            else:
                expect_points(page, one["rows"])
                columns = (one["metadata"] or {"columns": []})["columns"]
                if columns:
                    expect(page.get_by_test_id("projector-label-by")).to_have_value(columns[0])


def listed_embeddings(board: board_process.Process) -> list[dict[str, Any]]:
    _, body = board.get("api/projector")
    found: list[dict[str, Any]] = json.loads(body)["embeddings"]
    return found


# ---- layouts


def test_components_are_chosen_for_each_axis(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board)
    before = frames(page)
    page.get_by_test_id("projector-component-x").select_option("4")
    in_address(page, "projectorComponents=[4,1,2]")
    patience.until(page, lambda: frames(page) > before, "another picture")
    page.get_by_test_id("projector-dims-2").click()
    expect(page.get_by_test_id("projector-view")).to_have_attribute("data-flat", "true")
    expect(page.get_by_test_id("projector-component-z")).to_have_count(0)


def test_fewer_dimensions_than_components(page: sync_api.Page, board: board_process.Process) -> None:
    open_projector(page, board, "projectorRun=odd&projectorTensor=single&projectorComponents=[7,8,9]")
    expect(page.get_by_test_id("projector-page")).to_be_visible()
    page.get_by_test_id("projector-component-x").select_option("0")
    expect_points(page, 1)


def test_umap_is_worked_out_and_found_again(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board)
    page.get_by_test_id("projector-method-umap").click()
    page.get_by_test_id("projector-dims-2").click()
    expect(page.get_by_test_id("projector-progress")).to_have_attribute("data-state", "done")
    expect_points(page, ROWS)
    page.get_by_test_id("projector-method-pca").click()
    expect(page.get_by_test_id("projector-explained")).to_be_visible()
    page.get_by_test_id("projector-method-umap").click()
    expect(page.get_by_test_id("projector-progress")).to_have_attribute("data-state", "done")
    in_address(page, "projectorMethod=umap&projectorDims=2")


def test_tsne_runs_pauses_goes_on_and_stops(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board, "projectorMethod=tsne")
    state = page.get_by_test_id("projector-progress")
    expect(page.get_by_test_id("projector-iteration")).to_be_visible()
    patience.until(page, lambda: (state.get_attribute("data-state") or "") in ("running", "done"), "a layout")
    page.get_by_test_id("projector-perturb").click()
    expect(page.get_by_test_id("projector-iteration")).to_contain_text("Iteration")
    page.get_by_test_id("projector-pause").click()
    patience.until(page, lambda: state.get_attribute("data-state") in ("paused", "running", "done"), "an answer")
    page.get_by_test_id("projector-supervise-by").select_option("group")
    in_address(page, "projectorSuperviseBy=group")
    expect(page.get_by_test_id("projector-supervise")).to_be_visible()
    patience.until(page, lambda: (state.get_attribute("data-state") or "") in ("running", "done"), "another layout")
    expect_points(page, ROWS)


def test_axes_of_ones_own_lie_between_two_searches(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board)
    page.get_by_test_id("projector-method-custom").click()
    page.get_by_test_id("projector-axes-by").select_option("group")
    page.get_by_test_id("projector-left").fill("a")
    page.get_by_test_id("projector-right").fill("/^[bc]$/")
    in_address(page, '"by":"group","left":"a","right":"/^[bc]$/"')
    expect_points(page, ROWS)
    expect(page.get_by_test_id("projector-view")).to_have_attribute("data-flat", "true")
    page.get_by_test_id("projector-right").fill("nowhere")
    expect(page.get_by_test_id("projector-progress")).to_contain_text("No row matches")


# ---- points


def test_a_point_under_the_pointer_is_named_and_a_click_selects_it(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_projector(page, board, "projectorRun=odd&projectorTensor=single")
    expect_points(page, 1)
    page.mouse.move(*middle(page))
    expect(page.get_by_test_id("projector-tip")).to_contain_text("Row 0")
    page.mouse.click(*middle(page))
    expect(page.get_by_test_id("projector-point")).to_have_attribute("data-row", "0")
    in_address(page, "projectorPoint=0")
    x, y = middle(page)
    page.mouse.click(x + 150, y + 90)
    patience.eventually(page, lambda page: "projectorPoint" in page.url, wanted=False)


def test_a_selected_point_tells_all_of_its_cells(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board, "projectorPoint=8")
    card = page.get_by_test_id("projector-point")
    for text in (cells()[8][0], "group", "c", "size", cells()[8][3], "Row", "8"):
        expect(card).to_contain_text(text)


@pytest.mark.parametrize("distance", ["cosine", "euclidean"])
def test_neighbours_are_the_nearest_over_all_dimensions(
    page: sync_api.Page, board: board_process.Process, distance: str
) -> None:
    open_words(page, board, f"projectorPoint=10&projectorCount=12&projectorDistance={distance}")
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", "12")
    assert listed(page, 5) == nearest(10, 5, distance)
    other = {"cosine": "euclidean", "euclidean": "cosine"}[distance]
    page.get_by_test_id(f"projector-distance-{other}").click()
    patience.eventually(page, lambda page: listed(page, 5), wanted=nearest(10, 5, other))


def test_texts_and_expressions_are_searched_in_all_rows(
    page: sync_api.Page, board: board_process.Process, forgiven: list[str]
) -> None:
    forgiven.append("status of 400")
    open_words(page, board)
    page.get_by_test_id("projector-search").fill("北京")
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", "18")
    page.get_by_test_id("projector-search").fill("/^plain .*9$/")
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", "9")
    expect(page.get_by_test_id("projector-selected")).to_have_text("9 selected")
    page.get_by_test_id("projector-search-by").select_option("group")
    expect(page.get_by_test_id("projector-nothing")).to_contain_text("group")
    page.get_by_test_id("projector-search").fill("/(/")
    expect(page.get_by_test_id("projector-inspector")).to_contain_text("is missing")


def explained(rows: Any) -> str:
    """How much of the variance three principal components of some rows have, as the page says it."""
    made = vectors().astype(np.float32).astype(np.float64)[rows]
    made -= made.mean(axis=0)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    made -= made.mean(axis=0)
    shares = np.linalg.svd(made, compute_uv=False) ** 2
    return f"{100 * shares[:3].sum() / shares.sum():.1f}%"


GROUP_B = list(range(1, ROWS, 3))


def test_what_is_selected_is_shown_alone_and_all_again(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board, "projectorSearchBy=group&projectorSearch=b")
    page.get_by_test_id("projector-nearer").click()
    in_address(page, "projectorCamera")
    page.get_by_test_id("projector-isolate").click()
    expect_points(page, 30)
    expect(page.get_by_test_id("projector-counts")).to_contain_text("30 of 90 shown")
    in_address(page, "projectorOnly=find:group:b")
    page.get_by_test_id("projector-clear").click()
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", "30")
    # neighbours are looked for among what is shown
    row(page, 1).click()
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", "29")
    page.get_by_test_id("projector-show-all").click()
    expect(page.get_by_test_id("projector-counts")).to_contain_text("90 points")
    expect(page.get_by_test_id("projector-explained")).to_contain_text(explained(list(range(ROWS))))
    # as it was seen before
    in_address(page, "projectorCamera")


def test_what_is_shown_alone_is_laid_out_alone(
    page: sync_api.Page, open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    open_words(page, board, "projectorSearchBy=group&projectorSearch=b")
    said = page.get_by_test_id("projector-explained")
    expect(said).to_contain_text(explained(list(range(ROWS))))
    page.get_by_test_id("projector-isolate").click()
    expect(said).to_contain_text(explained(GROUP_B))
    expect(page.get_by_test_id("projector-of-shown")).to_contain_text("30 points")
    expect_points(page, 30)
    # some of some: a point and its nearest among those shown
    page.get_by_test_id("projector-clear").click()
    row(page, 4).click()
    page.get_by_test_id("projector-count").fill("7")
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", "7")
    page.get_by_test_id("projector-isolate").click()
    in_address(page, "projectorOnly=find:group:b;near:4:7:cosine")
    near = sorted([4, *[each for each in nearest(4, ROWS, "cosine") if each in GROUP_B][:7]])
    expect(said).to_contain_text(explained(near))
    expect_points(page, 8)
    # a link finds the same points
    other = open_page(reduced_motion="reduce")
    other.goto(page.url)
    expect(other.get_by_test_id("projector-explained")).to_contain_text(explained(near))
    expect_points(other, 8)
    # and every step can be taken back
    view = page.get_by_test_id("projector-view")
    view.focus()
    page.keyboard.press("Control+z")
    expect(said).to_contain_text(explained(GROUP_B))
    page.get_by_test_id("projector-show-all").click()
    expect(said).to_contain_text(explained(list(range(ROWS))))
    expect_points(page, ROWS)


@pytest.mark.parametrize("method", ["umap", "tsne"])
def test_neighbours_of_what_is_shown_alone_are_laid_out(
    page: sync_api.Page, board: board_process.Process, method: str
) -> None:
    chosen = f"projectorMethod={method}&projectorDims=2&projectorOnly=0-19"
    open_projector(page, board, f"projectorRun=a%20words&projectorTensor=words&{chosen}")
    expect(page.get_by_test_id("projector-progress")).to_have_attribute("data-state", "done")
    expect_points(page, 20)
    page.get_by_test_id("projector-show-all").click()
    expect_points(page, ROWS)


def test_a_link_to_points_that_are_gone_says_so(
    page: sync_api.Page, board: board_process.Process, forgiven: list[str]
) -> None:
    forgiven.append("projector/search")
    open_projector(page, board, "projectorRun=a%20words&projectorTensor=words&projectorOnly=find:word:nowhere")
    expect(page.locator(".points-view__empty")).to_have_text("These points no longer exist.")
    page.get_by_test_id("projector-show-all").click()
    expect_points(page, ROWS)
    open_words(page, board, "projectorOnly=find:no%20such%20column:b")
    expect(page.get_by_test_id("projector-only-problem")).to_contain_text("all points are shown")
    expect_points(page, ROWS)
    page.get_by_test_id("projector-show-all").click()
    expect(page.get_by_test_id("projector-only-problem")).to_have_count(0)


def test_a_box_selects_what_is_inside(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board, "projectorDims=2")
    box = patience.box_of(page.get_by_test_id("projector-view"))
    page.get_by_test_id("projector-box").click()
    page.mouse.move(box["x"] + 14, box["y"] + 6)
    page.mouse.down()
    page.mouse.move(box["x"] + 300, box["y"] + 300)
    page.mouse.move(box["x"] + box["width"] - 3, box["y"] + box["height"] - 3)
    page.mouse.up()
    expect(page.get_by_test_id("projector-selected")).to_have_text("90 selected")
    in_address(page, "projectorSelected=0-89")
    # the next drag moves the points again
    expect(page.get_by_test_id("projector-box")).to_have_attribute("aria-pressed", "false")


def test_the_list_and_the_keys_do_without_a_pointer(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board)
    view = page.get_by_test_id("projector-view")
    view.focus()
    view.press("ArrowRight")
    in_address(page, "projectorCamera=")
    view.press("+")
    view.press("0")
    patience.eventually(page, lambda page: "projectorCamera" in page.url, wanted=False)
    row(page, 2).focus()
    row(page, 2).press("Enter")
    expect(page.get_by_test_id("projector-point")).to_have_attribute("data-row", "2")
    view.focus()
    view.press("Escape")
    expect(page.get_by_test_id("projector-point")).to_have_count(0)


def test_dragging_turns_and_the_wheel_zooms(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board)
    x, y = middle(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y + 20)
    page.mouse.move(x + 80, y + 30)
    page.mouse.up()
    in_address(page, '"theta"')
    turned = page.evaluate("decodeURIComponent(location.hash)")
    page.mouse.wheel(0, -400)
    patience.eventually(page, lambda page: page.evaluate("decodeURIComponent(location.hash)") == turned, wanted=False)
    page.get_by_test_id("projector-reset").click()
    patience.eventually(page, lambda page: "projectorCamera" in page.url, wanted=False)


# ---- colours, labels, pictures


def colors_on(page: sync_api.Page) -> int:
    """How many strong colours are in the picture, a hue counting once."""
    import io

    from PIL import Image

    shot = Image.open(io.BytesIO(page.get_by_test_id("projector-view").screenshot())).convert("HSV")
    hues = np.asarray(shot).reshape(-1, 3)
    strong = hues[(hues[:, 1] > 110) & (hues[:, 2] > 90)][:, 0] // 12
    return int((np.bincount(strong, minlength=22) > 60).sum())


def test_categories_have_colours_and_a_legend(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board, "projectorImages=0&projectorPointSize=2")
    page.get_by_test_id("projector-color-by").select_option("group")
    entries = page.get_by_test_id("projector-legend-entry")
    expect(entries).to_have_count(3)
    expect(entries.first).to_contain_text("30")
    patience.until(page, lambda: colors_on(page) >= 3, "three colours")
    entries.nth(1).click()
    expect(page.get_by_test_id("projector-selected")).to_have_text("30 selected")


def test_numbers_are_a_scale_and_class_labels_categories(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board, "projectorImages=0&projectorColorBy=class")
    expect(page.get_by_test_id("projector-legend-entry")).to_have_count(3)
    page.get_by_test_id("projector-categorical").uncheck()
    expect(page.get_by_test_id("projector-legend-entry")).to_have_count(0)
    page.get_by_test_id("projector-color-by").select_option("size")
    expect(page.get_by_test_id("projector-legend")).to_contain_text("12.71")
    page.get_by_test_id("projector-color-by").select_option("word")
    expect(page.get_by_test_id("projector-legend")).to_contain_text("too many for colors")


def test_points_are_pictures_or_have_labels(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board)
    before = page.get_by_test_id("projector-view").screenshot()
    page.get_by_test_id("projector-images").uncheck()
    in_address(page, "projectorImages=0")
    patience.until(page, lambda: page.get_by_test_id("projector-view").screenshot() != before, "points for pictures")
    plain = page.get_by_test_id("projector-view").screenshot()
    page.get_by_test_id("projector-labels").click()
    patience.until(page, lambda: page.get_by_test_id("projector-view").screenshot() != plain, "labels")
    page.get_by_test_id("projector-label-by").select_option("group")
    expect(row(page, 1)).to_have_text("b")


# ---- keeping


def test_metadata_of_selected_points_are_edited_and_downloaded(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_words(page, board, "projectorSearchBy=group&projectorSearch=c")
    page.get_by_test_id("projector-edit").click()
    page.get_by_test_id("projector-edit-column").select_option("group")
    page.get_by_test_id("projector-edit-value").fill("梨 new")
    page.get_by_test_id("projector-apply").click()
    expect(page.get_by_test_id("projector-selected")).to_contain_text("30 cells edited")
    page.get_by_test_id("projector-edit").click()
    page.get_by_test_id("projector-edit-column").select_option(label="New column…")
    page.get_by_test_id("projector-new-column").fill("mine")
    page.get_by_test_id("projector-edit-value").fill("yes")
    page.get_by_test_id("projector-edit-value").press("Enter")
    page.get_by_test_id("projector-menu").click()
    with page.expect_download() as download:
        page.get_by_role("menuitem", name="Download the edited metadata").click()
    lines = pathlib.Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert lines[0] == "word\tgroup\tclass\tsize\tmine"
    assert lines[1].split("\t") == [*cells()[0], ""]
    assert lines[3].split("\t") == [cells()[2][0], "梨 new", *cells()[2][2:], "yes"]
    page.get_by_test_id("projector-color-by").select_option("mine")
    expect(page.get_by_test_id("projector-legend-entry")).to_contain_text(["yes"])


def test_a_column_of_ones_own_names_colours_and_is_searched(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board, "projectorSelected=2-5")
    page.get_by_test_id("projector-edit").click()
    page.get_by_test_id("projector-edit-column").select_option(label="New column…")
    page.get_by_test_id("projector-new-column").fill("mark")
    page.get_by_test_id("projector-edit-value").fill("Mine")
    page.get_by_test_id("projector-apply").click()
    page.get_by_test_id("projector-label-by").select_option("mark")
    page.get_by_test_id("projector-color-by").select_option("mark")
    page.get_by_test_id("projector-clear").click()
    # the search goes by the column of the labels
    page.get_by_test_id("projector-search").fill("mine")
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", "4")
    expect(row(page, 2)).to_have_text("Mine")
    page.get_by_test_id("projector-search").fill("/^ine/")
    expect(page.get_by_test_id("projector-nothing")).to_be_visible()
    page.get_by_test_id("projector-search").fill("/^mi.e$/")
    expect(page.get_by_test_id("projector-list")).to_have_attribute("data-count", "4")
    page.get_by_test_id("projector-legend-entry").click()
    page.get_by_test_id("projector-isolate").click()
    expect_points(page, 4)


def test_bookmarks_come_with_the_run_are_added_saved_and_loaded(
    page: sync_api.Page, board: board_process.Process, tmp_path: pathlib.Path
) -> None:
    open_words(page, board)
    page.get_by_test_id("projector-bookmarks").locator("summary").click()
    entries = page.get_by_test_id("projector-bookmark")
    expect(entries).to_have_count(1)
    entries.first.click()
    in_address(page, "projectorComponents=[1,2]")
    expect(page.get_by_test_id("projector-selected")).to_have_text("2 selected")
    page.get_by_test_id("projector-add-bookmark").click()
    expect(entries).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_test_id("projector-save-bookmarks").click()
    saved = json.loads(pathlib.Path(download.value.path()).read_text())
    assert [each["label"] for each in saved] == ["from the file", "View 2"]
    kept = tmp_path / "kept.json"
    kept.write_text(json.dumps(saved[1:]))
    with page.expect_file_chooser() as chooser:
        page.get_by_test_id("projector-load-bookmarks").click()
    chooser.value.set_files(str(kept))
    expect(entries).to_have_count(3)
    kept.write_text("{}")
    with page.expect_file_chooser() as chooser:
        page.get_by_test_id("projector-load-bookmarks").click()
    chooser.value.set_files(str(kept))
    expect(page.get_by_role("alert")).to_contain_text("no bookmarks")


def test_a_link_shows_the_same(page: sync_api.Page, open_page: conftest.OpenPage, board: board_process.Process) -> None:
    open_words(page, board)
    page.get_by_test_id("projector-color-by").select_option("group")
    page.get_by_test_id("projector-dims-2").click()
    row(page, 4).click()
    page.get_by_test_id("projector-nearer").click()
    in_address(page, "projectorCamera")
    other = open_page(reduced_motion="reduce")
    other.goto(page.url)
    expect_points_of = canvas(other)
    expect(expect_points_of).to_have_attribute("data-drawn", canvas(page).get_attribute("data-drawn") or "")
    expect(other.get_by_test_id("projector-point")).to_have_attribute("data-row", "4")
    expect(other.get_by_test_id("projector-legend-entry")).to_have_count(3)
    expect(other.get_by_test_id("projector-view")).to_have_attribute("data-flat", "true")


def test_undo_takes_a_choice_back(page: sync_api.Page, board: board_process.Process) -> None:
    open_words(page, board)
    page.get_by_test_id("projector-dims-2").click()
    expect(page.get_by_test_id("projector-view")).to_have_attribute("data-flat", "true")
    page.keyboard.press("Control+z")
    expect(page.get_by_test_id("projector-view")).to_have_attribute("data-flat", "false")


def test_the_page_speaks_chinese(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(locale="zh-CN", reduced_motion="reduce", color_scheme="dark")
    open_words(page, board)
    expect(page.get_by_test_id("projector-counts")).to_have_text("90 个点 · 6 维")
    expect(page.get_by_test_id("projector-inspector")).to_contain_text("详情")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken(
    open_page: conftest.OpenPage, board: board_process.Process, scheme: str
) -> None:
    page = open_page(reduced_motion="reduce", color_scheme=scheme)
    page.add_init_script(path=test_accessibility.AXE)
    open_words(page, board, "projectorColorBy=group&projectorPoint=3&projectorMethod=tsne")
    expect(row(page, nearest(3, 1, "cosine")[0])).to_be_visible()
    assert test_accessibility.violations(page) == []


def test_it_turns_until_it_is_touched(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page()
    open_projector(page, board, "projectorRun=a%20words")
    expect(canvas(page)).to_have_attribute("data-drawn", str(ROWS))
    before = frames(page)
    patience.until(page, lambda: frames(page) > before + 3, "a few turns")
    page.mouse.click(*middle(page), button="right")
    page.get_by_test_id("projector-nearer").click()
    expect(canvas(page)).to_have_attribute("data-moving", "false")
