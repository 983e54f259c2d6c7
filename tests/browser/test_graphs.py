"""The page of graphs as a person uses it: real Chromium, a real board, graphs of torch, Keras and traces, and odd ones.

What a canvas shows is asked of the tree beside it, which has the same nodes, of the info card and of the address. How
quickly 50,000 nodes are there is measured in bench/web/graphs.py; here they must open at all.
"""

from __future__ import annotations

import pathlib
import re
import shutil
from collections.abc import Iterator
from urllib.parse import quote

import board_process
import event_files
import graph_files
import pytest
from browser import conftest, kind_cards, patience, test_accessibility
from playwright import sync_api

import lightboard

pytestmark = pytest.mark.browser

expect = sync_api.expect

DATA = pathlib.Path(__file__).parents[1] / "data"
LONG = "/".join(f"a_namespace_with_a_very_long_name_{i}" for i in range(12))
ODD: dict[str, list[str]] = {
    "odd/empty": [],
    "odd/one": ["only = Op"],
    "odd/cyclic": ["a = Merge < d", "b = Op < a", "c = Op < b", "d = NextIteration < c", "itself = Op < itself"],
    "odd/siblings": [f"node{i}x = Op{i % 7}" for i in range(1000)],
    "odd/unicode": [
        "网络/卷积 = Conv2D",
        "résumé/😀 = Op < 网络/卷积",
        "שלום/עולם = Op < résumé/😀",
        "<b>x = Op < résumé/😀",
    ],
    "odd/long": [f"{LONG}/leaf = Op", f"{'x' * 900} = Op < {LONG}/leaf"],
    "made/hub": ["rate = Op", *(f"n{i}x = Op < rate{f', n{i - 1}x' if i else ''}" for i in range(20))],
    "made/series": ["in = Op", *(f"block/layer_{i}/mul = Mul < in" for i in range(8)), "out = Op < block/layer_7/mul"],
    "made/tpu": [
        "x = Placeholder",
        "net/mm = MatMul < x",
        "net/out = PyFunc < net/mm",
        "host = PyFunc < x @ /device:CPU:0",
    ],
    "made/devices": [f"tower{i}/{'abc'[i]} = Op @ /device:GPU:{i}" for i in range(3)],
}


def write_logs(folder: pathlib.Path) -> None:
    for name, lines in ODD.items():
        (folder / name).mkdir(parents=True)
        graph_files.write(folder / name, graph_files.graph(lines))
    (folder / "made/functions").mkdir()
    body = {"square": ["in/x = Identity", "mul = Mul < in/x"]}
    calls = ["x = Placeholder", "first = square < x", "second = square < first"]
    graph_files.write(folder / "made/functions", graph_files.graph(calls, body))
    for corpus, name in (("torch_writer/cnn_digits", "torch"), ("keras_fit/update_freq_10/train", "keras")):
        shutil.copytree(DATA / corpus, folder / name)
    shutil.copytree(DATA / "gradient_tape/logs/gradient_tape/train", folder / "tape")
    shutil.copytree(DATA / "awkward/v1/tf1_writer", folder / "v1")


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[board_process.Process]:
    folder = tmp_path_factory.mktemp("logs")
    write_logs(folder)
    with board_process.Process("--logdir", folder, "--port", "0") as process:
        process.wait_for_runs(*ODD, "made/functions", "torch", "keras", "tape", "v1")
        yield process


def open_graph(page: sync_api.Page, board: board_process.Process, run: str, members: str = "") -> None:
    """With the tree beside it."""
    page.goto(f"{board.url}#graphs?graphsPane=nodes&graphsRun={quote(run)}{members}")
    expect(page.locator("[data-testid=graph-canvas][data-drawn]")).to_be_visible()


def tree(page: sync_api.Page) -> sync_api.Locator:
    return page.get_by_test_id("graph-tree")


def row(page: sync_api.Page, path: str) -> sync_api.Locator:
    return tree(page).locator(f'[role=treeitem][title="{path}"]')


def boxes(page: sync_api.Page) -> int:
    return int(page.get_by_test_id("graph-canvas").get_attribute("data-boxes") or -1)


def expect_boxes(page: sync_api.Page, count: int) -> None:
    patience.eventually(page, boxes, count)


def place_of(page: sync_api.Page, path: str) -> tuple[float, float, float]:
    """Where a box is in the window, after it was chosen: its middle, and its upper border."""
    row(page, path).click()
    expect(page.get_by_test_id("graph-canvas")).to_have_attribute("data-chosen", re.compile(f"^{re.escape(path)}[|]"))
    patience.still(page, 300)
    box = patience.box_of(page.get_by_test_id("graph-canvas"))
    told = page.get_by_test_id("graph-canvas").get_attribute("data-chosen") or ""
    left, top, width, height = (float(part) for part in told.split("|")[1:])
    return box["x"] + left + width / 2, box["y"] + top + height / 2, box["y"] + top


def right_click(page: sync_api.Page, path: str) -> None:
    x, y, _ = place_of(page, path)
    page.mouse.click(x, y, button="right")


def choose(page: sync_api.Page, test_id: str, value: str) -> None:
    page.get_by_test_id(test_id).select_option(value)


# ---- graphs of frameworks


def test_a_graph_of_torch_shows_its_modules_at_first_sight(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "torch")
    for path in ("Net", "Net/Sequential[features]", "Net/Sequential[features]/Conv2d[0]"):
        expect(row(page, path)).to_be_visible()
    page.get_by_test_id("graph-pane-info").click()
    expect(page.get_by_test_id("graph-info")).to_contain_text("51 nodes")


def test_operations_and_layers_of_a_keras_run_are_two_graphs(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "keras")
    names = page.get_by_test_id("graph-tag").locator("option")
    expect(names).to_have_count(2)
    choose(page, "graph-tag", "keras")
    kind_cards.in_address(page, "graphsTag=keras")
    expect(tree(page).get_by_role("treeitem").first).to_contain_text("sequential")
    expect(tree(page)).to_contain_text("Dense")


def test_a_trace_has_its_functions_beside_it(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "keras")
    page.get_by_test_id("tag-filter").fill("__function_library__")
    page.locator(".graph-search__hit").first.click()
    library = row(page, "__function_library__")
    expect(library).to_contain_text("Functions")
    expect(library).to_have_attribute("aria-expanded", "false")


def test_attributes_inputs_and_outputs_of_a_node_are_told(page: sync_api.Page, board: board_process.Process) -> None:
    node = "Net/Sequential[features]/Conv2d[0]/input.1"
    page.goto(f"{board.url}#graphs?graphsRun=torch&graphsNode={quote(node, safe='')}")
    info = page.get_by_test_id("graph-info")
    # whatever the names of torch's nodes are, the first convolution reads the input
    page.get_by_test_id("tag-filter").fill("op:_convolution")
    page.locator(".graph-search__hit").first.click()
    expect(info).to_contain_text("aten::_convolution")
    expect(page.get_by_test_id("graph-attributes")).to_contain_text("attr")
    expect(info).to_contain_text("Inputs (")
    expect(info.locator(".graph-info__path").first).to_be_visible()


# ---- opening, choosing, walking


def test_a_double_click_opens_a_namespace_where_it_is(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "torch")
    path = "Net/Sequential[features]/ReLU[2]"
    x, y, top = place_of(page, path)
    before = boxes(page)
    page.mouse.dblclick(x, y)
    expect(row(page, path)).to_have_attribute("aria-expanded", "true")
    expect_boxes(page, before + 1)
    kind_cards.in_address(page, f"graphsOpen={path}")
    after_x, _, after_top = place_of(page, path)
    assert abs(after_x - x) < 3
    assert abs(after_top - top) < 3
    # its title
    page.mouse.dblclick(after_x, after_top + 6)
    expect_boxes(page, before)


def test_keys_follow_edges_open_and_let_go(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "odd/cyclic", "&graphsNode=a")
    view = page.get_by_test_id("graph-view")
    view.focus()
    view.press("ArrowDown")
    expect(row(page, "b")).to_have_attribute("aria-selected", "true")
    view.press("ArrowDown")
    expect(row(page, "c")).to_have_attribute("aria-selected", "true")
    view.press("ArrowUp")
    expect(row(page, "b")).to_have_attribute("aria-selected", "true")
    view.press("Escape")
    expect(tree(page).locator("[aria-selected=true]")).to_have_count(0)
    view.press("/")
    expect(page.get_by_test_id("tag-filter")).to_be_focused()


def test_enter_opens_and_closes_what_is_chosen(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "torch", "&graphsNode=Net")
    view = page.get_by_test_id("graph-view")
    view.focus()
    view.press("Enter")
    expect(row(page, "Net")).to_have_attribute("aria-expanded", "false")
    kind_cards.in_address(page, "graphsClosed=Net")
    view.press("Enter")
    expect(row(page, "Net")).to_have_attribute("aria-expanded", "true")
    page.keyboard.press("Control+z")
    expect(row(page, "Net")).to_have_attribute("aria-expanded", "false")


def test_the_menu_of_a_node_is_opened_by_keys(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "made/hub")
    place_of(page, "n5x")
    page.get_by_test_id("graph-view").focus()
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menu")).to_have_attribute("aria-label", "n5x")
    page.keyboard.press("Escape")
    expect(page.get_by_role("menu")).to_have_count(0)
    expect(page.get_by_test_id("graph-view")).to_be_focused()


def test_the_keys_of_graphs_and_trials_are_told(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "made/hub")
    page.keyboard.press("?")
    sheet = page.get_by_test_id("help")
    for name, key in (("Trace inputs", "T"), ("Parent namespace", "Backspace"), ("Previous or next trial", "↑")):
        expect(sheet.locator(".help__row", has_text=name)).to_contain_text(key)


def test_the_tree_is_walked_by_arrows(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "made/series")
    first = tree(page).get_by_role("treeitem").first
    first.click()
    first.press("ArrowDown")
    patience.eventually(page, lambda page: tree(page).locator("[aria-selected=true]").count(), 1)
    expect(tree(page).locator("[aria-selected=true]")).not_to_have_attribute(
        "title", first.get_attribute("title") or ""
    )


def test_what_is_chosen_and_open_is_in_the_link(
    page: sync_api.Page, open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    open_graph(page, board, "torch", "&graphsColor=none")
    path = "Net/Sequential[features]/Conv2d[0]"
    row(page, path).click()
    # Enter opens the chosen box: it must be drawn as chosen first
    expect(page.get_by_test_id("graph-canvas")).to_have_attribute("data-chosen", re.compile(f"^{re.escape(path)}[|]"))
    page.get_by_test_id("graph-view").focus()
    page.keyboard.press("Enter")
    kind_cards.in_address(page, f"graphsNode={path}")
    kind_cards.in_address(page, "graphsOpen=")
    other = open_page()
    other.goto(page.url)
    expect(row(other, path)).to_have_attribute("aria-expanded", "true")
    expect(row(other, path)).to_have_attribute("aria-selected", "true")
    expect(other.get_by_test_id("graph-color")).to_have_value("none")


Sight = tuple[str, list[float]]


def in_sight(page: sync_api.Page) -> Sight:
    """The chosen box, where it is drawn, and how large."""
    told = (page.locator("[data-testid=graph-canvas][data-chosen]").get_attribute("data-chosen") or "").split("|")
    return told[0], [float(part) for part in told[1:]]


def expect_sight(page: sync_api.Page, wanted: Sight) -> None:
    """An address tells tenths of a unit: less than a pixel may be lost."""

    def same() -> bool:
        name, places = in_sight(page)
        return name == wanted[0] and all(abs(a - b) < 1 for a, b in zip(places, wanted[1], strict=True))

    patience.until(page, same, f"{wanted} in sight")


def test_where_one_looks_is_in_the_link_and_comes_back(
    page: sync_api.Page, open_page: conftest.OpenPage, board: board_process.Process
) -> None:
    open_graph(page, board, "odd/siblings")
    x, y, _ = place_of(page, "node5x")
    page.mouse.move(x, y)
    page.mouse.wheel(0, -240)
    page.mouse.down()
    page.mouse.move(x + 90, y + 40, steps=3)
    page.mouse.up()
    kind_cards.in_address(page, "graphsCamera=")
    patience.still(page, 400)
    seen, link = in_sight(page), page.url
    page.reload()
    expect_sight(page, seen)
    other = open_page()
    other.goto(link)
    expect_sight(other, seen)
    # another page and back: as it was left
    page.evaluate("location.hash = '#runs?'")
    expect(page.get_by_test_id("graph-canvas")).to_have_count(0)
    page.go_back()
    expect_sight(page, seen)
    assert page.url == link


def test_going_back_shows_the_graph_from_where_it_was_seen(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "torch")
    place_of(page, "Net/Sequential[features]/Conv2d[0]")
    page.get_by_test_id("graph-view").focus()
    for key in ("+", "+", "Shift+ArrowDown"):
        page.keyboard.press(key)
    patience.still(page, 400)
    seen = in_sight(page)
    page.keyboard.press("Enter")
    patience.still(page, 400)
    page.get_by_test_id("graph-nearer").click()
    patience.until(page, lambda: in_sight(page) != seen, "a nearer graph")
    page.keyboard.press("Control+z")
    expect_sight(page, seen)
    choose(page, "graph-run", "made/hub")
    patience.until(page, lambda: "graphsCamera=" not in page.url, "another graph at its own place")
    expect(row(page, "n5x")).to_be_visible()
    page.go_back()
    expect_sight(page, seen)


# ---- search and trace


def test_search_lists_matches_and_goes_to_one_in_a_closed_namespace(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_graph(page, board, "made/series")
    field = page.get_by_test_id("tag-filter")
    field.fill("layer_[35]/mul$")
    hits = page.locator(".graph-search__hit")
    expect(hits).to_have_count(2)
    hits.last.click()
    expect(row(page, "block/layer_5/mul")).to_have_attribute("aria-selected", "true")
    kind_cards.in_address(page, "graphsSearch=layer_[35]/mul$")
    field.fill("(")
    expect(page.locator(".filter-box__error")).to_contain_text("Not a regular expression")
    field.fill("nowhere")
    expect(page.locator(".graph-search__head")).to_contain_text("No node matches")


def test_all_that_a_node_depends_on_is_counted(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#graphs?graphsRun=made/hub&graphsNode=n3x")
    expect(page.get_by_test_id("graph-info")).to_have_attribute("data-path", "n3x")
    page.get_by_test_id("graph-trace").check()
    # itself, the three before it, the rate
    expect(page.get_by_test_id("graph-traced")).to_contain_text("5 nodes")
    kind_cards.in_address(page, "graphsTrace=1")


# ---- series, hubs, functions, devices


def test_a_series_is_shown_one_by_one_and_grouped_again(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "made/series", "&graphsClosed=block/layer_*")
    series = row(page, "block/layer_*")
    expect(series).to_be_visible()
    right_click(page, "block/layer_*")
    page.get_by_role("menuitem", name="Show the members one by one").click()
    expect(series).to_have_count(0)
    expect(row(page, "block/layer_3")).to_be_visible()
    kind_cards.in_address(page, "graphsUngrouped=block/layer_*")
    right_click(page, "block/layer_3")
    page.get_by_role("menuitem", name="Group similar nodes").click()
    expect(series).to_be_visible()


def test_a_hub_stands_aside_until_it_is_put_into_the_main_graph(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_graph(page, board, "made/hub")
    right_click(page, "rate")
    page.get_by_role("menuitem", name="Add to the main graph").click()
    kind_cards.in_address(page, "graphsMain=rate")
    right_click(page, "rate")
    page.get_by_role("menuitem", name="Move out of the main graph").click()
    kind_cards.in_address(page, "graphsAside=rate")


def test_calls_lead_to_the_body_and_back(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#graphs?graphsRun=made/functions&graphsNode=second")
    info = page.get_by_test_id("graph-info")
    expect(info).to_contain_text("Calls")
    info.get_by_role("button", name="__function_library__/square").click()
    expect(info).to_have_attribute("data-path", "__function_library__/square")
    expect(info).to_contain_text("Called by (2)")
    info.get_by_role("button", name="first").click()
    expect(info).to_have_attribute("data-path", "first")


def test_devices_have_colours_and_a_legend(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "made/devices")
    expect(page.get_by_test_id("graph-color").locator("option[value=cluster]")).to_be_disabled()
    choose(page, "graph-color", "device")
    expect(page.get_by_test_id("graph-colors")).to_contain_text("GPU:2")
    kind_cards.in_address(page, "graphsColor=device")


def test_what_a_tpu_cannot_run_is_told(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#graphs?graphsRun=made/tpu")
    choose(page, "graph-color", "tpu")
    kind_cards.in_address(page, "graphsColor=tpu")
    expect(page.get_by_test_id("graph-colors")).to_contain_text("Runs on a TPU (3)")
    expect(page.get_by_test_id("graph-tpu")).to_have_text("A TPU can run 3 of 4 nodes")
    expect(page.get_by_test_id("graph-info")).to_contain_text("Operations it cannot run (1)")
    open_graph(page, board, "torch", "&graphsColor=tpu")
    expect(page.get_by_test_id("graph-colors")).to_have_text("These are not TensorFlow operations")


def test_times_of_a_session_colour_the_graph(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "v1")
    choose(page, "graph-stats", "step3")
    expect(page.get_by_test_id("graph-color")).to_have_value("time")
    expect(page.get_by_test_id("graph-colors")).to_contain_text("s")
    device = page.get_by_test_id("graph-colors").get_by_role("checkbox").first
    device.uncheck()
    kind_cards.in_address(page, "graphsWithout=")


# ---- odd graphs


@pytest.mark.parametrize(
    ("run", "count"),
    [("odd/one", 1), ("odd/cyclic", 5), ("odd/siblings", 1000)],
)
def test_odd_graphs_are_shown(page: sync_api.Page, board: board_process.Process, run: str, count: int) -> None:
    open_graph(page, board, run)
    expect_boxes(page, count)


def test_an_empty_graph_says_so(page: sync_api.Page, board: board_process.Process) -> None:
    page.goto(f"{board.url}#graphs?graphsRun=odd/empty")
    expect(page.get_by_test_id("graph-message")).to_contain_text("no nodes")


def test_names_of_any_script_and_length_are_shown_as_they_are(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_graph(page, board, "odd/unicode", f"&graphsOpen={quote('网络,résumé,שלום')}")
    for path in ("网络/卷积", "résumé/😀", "שלום/עולם", "<b>x"):
        expect(row(page, path)).to_be_visible()
    open_graph(page, board, "odd/long", f"&graphsOpen={LONG}")
    expect(row(page, f"{LONG}/leaf")).to_be_visible()


# ---- pictures, files, views


def test_pictures_are_downloaded_as_png_and_svg(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "torch")
    contents = {}
    for kind in ("PNG", "SVG"):
        page.get_by_test_id("graph-download").click()
        with page.expect_download() as download:
            page.get_by_role("menuitem", name=kind).click()
        assert download.value.suggested_filename.endswith(kind.lower())
        contents[kind] = pathlib.Path(download.value.path()).read_bytes()
    assert contents["PNG"].startswith(b"\x89PNG")
    svg = contents["SVG"].decode()
    assert "Conv2d[0]" in svg
    assert "2×1×28×28" in svg


def onnx_model() -> bytes:
    """ModelProto: graph 7 {node 1 {input 1, output 2, name 3, op_type 4}}."""
    node = event_files.field_bytes
    nodes = [
        node(2, "x") + node(3, "mine/x") + node(4, "RandomNormal"),
        node(1, "x") + node(2, "y") + node(3, "mine/y") + node(4, "Relu"),
    ]
    return event_files.field_varint(1, 8) + node(7, b"".join(node(1, each) for each in nodes))


@pytest.mark.parametrize("name", ["mine.pb", "mine.pbtxt", "mine.onnx"])
def test_a_file_of_ones_own_is_shown(
    page: sync_api.Page, board: board_process.Process, tmp_path: pathlib.Path, name: str
) -> None:
    content = graph_files.graph(["mine/x = Placeholder", "mine/y = Relu < mine/x"])
    if name.endswith("txt"):
        content = b'node { name: "mine/x" op: "Placeholder" } node { name: "mine/y" op: "Relu" input: "mine/x" }'
    if name.endswith("onnx"):
        content = onnx_model()
    (tmp_path / name).write_bytes(content)
    open_graph(page, board, "odd/one")
    with page.expect_file_chooser() as chooser:
        page.get_by_test_id("graph-upload").click()
    chooser.value.set_files(tmp_path / name)
    expect(row(page, "mine/y")).to_be_visible()
    expect(page.get_by_test_id("graph-run").locator("option:checked")).to_have_text(name)
    choose(page, "graph-run", "torch")
    expect(row(page, "Net")).to_be_visible()


def test_a_file_is_dropped_on_the_page(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "odd/one")
    text = 'node { name: "dropped/x" op: "Placeholder" } node { name: "dropped/y" op: "Relu" input: "dropped/x" }'
    page.evaluate(
        """(text) => {
            const given = new DataTransfer();
            given.items.add(new File([text], "dropped.pbtxt"));
            const place = document.querySelector("[data-testid=graphs-page]");
            for (const type of ["dragover", "drop"])
                place.dispatchEvent(new DragEvent(type, {dataTransfer: given, bubbles: true, cancelable: true}));
        }""",
        text,
    )
    expect(row(page, "dropped/y")).to_be_visible()
    expect(page.locator(".graphs-page__drop")).to_have_count(0)


def test_a_file_that_is_no_graph_is_refused_with_a_reason(
    page: sync_api.Page, board: board_process.Process, tmp_path: pathlib.Path, forgiven: list[str]
) -> None:
    forgiven.append("status of 4")
    (tmp_path / "broken.onnx").write_bytes(b"\xff" * 64)
    open_graph(page, board, "odd/one")
    with page.expect_file_chooser() as chooser:
        page.get_by_test_id("graph-upload").click()
    chooser.value.set_files(tmp_path / "broken.onnx")
    expect(page.get_by_text("broken.onnx cannot be shown")).to_be_visible()
    expect(row(page, "only")).to_be_visible()


def test_a_graph_that_comes_late_does_not_take_the_place_of_the_next(
    page: sync_api.Page, board: board_process.Process
) -> None:
    open_graph(page, board, "made/hub")
    held: list[sync_api.Route] = []
    page.route("**/api/graphs/graph?run=odd/siblings*", lambda route: held.append(route))
    choose(page, "graph-run", "odd/siblings")
    patience.until(page, lambda: held, "the question for the first graph")
    choose(page, "graph-run", "torch")
    expect(row(page, "Net")).to_be_visible()
    with page.expect_response("**/api/graphs/graph?run=odd/siblings*"):
        held[0].continue_()
    patience.still(page, 300)
    # whatever is shown anew is still of the graph that was chosen last
    page.get_by_test_id("graph-options").click()
    page.get_by_role("menuitem", name="Close all").click()
    expect(row(page, "Net")).to_have_attribute("aria-expanded", "false")
    expect(row(page, "node5x")).to_have_count(0)


def test_the_overview_moves_the_view(page: sync_api.Page, board: board_process.Process) -> None:
    open_graph(page, board, "odd/siblings")
    before = page.get_by_test_id("graph-map-frame").get_attribute("style")
    box = patience.box_of(page.get_by_test_id("graph-map"))
    page.mouse.click(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.8)
    expect(page.get_by_test_id("graph-map-frame")).not_to_have_attribute("style", before or "")
    page.get_by_test_id("graph-fit").click()
    expect(page.get_by_test_id("graph-map")).to_have_count(0)


def test_what_is_asked_early_is_asked_once_and_no_page_must_take_it(
    page: sync_api.Page, board: board_process.Process, tmp_path: pathlib.Path
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.split("/api/")[-1]))
    page.goto(f"{board.url}#graphs?")
    expect(page.locator("[data-testid=graph-canvas][data-drawn]")).to_be_visible()
    assert asked.count("graphs") == 1
    with board_process.Process("--logdir", tmp_path, "--port", "0") as empty:
        for name in ("graphs", "hparams"):
            page.goto("about:blank")
            page.goto(f"{empty.url}#{name}")
            expect(page.get_by_role("heading", name="No runs yet")).to_be_visible()
            ahead = page.locator("link[rel=preload][as=fetch]").evaluate_all("all => all.map((one) => one.href)")
            # browsers complain of anything else that was preloaded in vain
            assert {address.split("/api/")[-1] for address in ahead} == {"board", "runs", "tags"}


def test_a_graph_that_is_logged_later_comes_by_itself(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    with lightboard.SummaryWriter(str(tmp_path / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        process.wait_for_runs("run")
        page.goto(f"{process.url}#graphs?graphsPane=nodes")
        expect(page.get_by_test_id("no-graphs")).to_contain_text("add_graph")
        graph_files.write(tmp_path / "run", graph_files.graph(["late = Op"]), number=2)
        expect(row(page, "late")).to_be_visible()
        later = event_files.WALL + 10
        graph_files.write(tmp_path / "run", graph_files.graph(["later = Op"]), number=3, wall_time=later)
        expect(row(page, "later")).to_be_visible()


def test_fifty_thousand_nodes_open(page: sync_api.Page, tmp_path: pathlib.Path) -> None:
    (tmp_path / "large").mkdir()
    graph_files.write(tmp_path / "large", graph_files.graph(graph_files.deep(50_000)))
    with board_process.Process("--logdir", tmp_path, "--port", "0") as process:
        process.wait_for_runs("large")
        open_graph(page, process, "large")
        page.get_by_test_id("tag-filter").fill("layer_700/add$")
        page.locator(".graph-search__hit").first.click()
        expect(tree(page).locator("[aria-selected=true]")).to_have_attribute("title", re.compile("layer_700/add"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_is_accessible(open_page: conftest.OpenPage, board: board_process.Process, theme: str) -> None:
    page = open_page(color_scheme=theme)
    page.add_init_script(path=test_accessibility.AXE)
    open_graph(page, board, "torch", "&graphsNode=Net&graphsLegend=1")
    assert test_accessibility.violations(page) == []
    page.get_by_test_id("graph-pane-info").click()
    expect(page.get_by_test_id("graph-info")).to_be_visible()
    assert test_accessibility.violations(page) == []


def test_the_page_speaks_chinese(open_page: conftest.OpenPage, board: board_process.Process) -> None:
    page = open_page(locale="zh-CN")
    open_graph(page, board, "torch")
    expect(page.get_by_test_id("tag-filter")).to_have_attribute("placeholder", "搜索节点")
    expect(page.get_by_test_id("graph-color").locator("option:checked")).to_have_text("结构")
