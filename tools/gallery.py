"""Take screenshots of the page for `docs/`: the demo logs in a real board, controlled in Chromium as by a user.

`make gallery` writes docs/images/<name>.png and docs/gallery.md. Each scene is an address (which contains the view), a
size, a theme, a language, and optional gestures. There are no fixed delays: a screenshot is taken when every visible
chart is drawn, no request is pending, and a second screenshot is identical.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright import sync_api

import lightboard

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
PAGE = ROOT / "docs" / "gallery.md"
FLAGS = ["--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync", "--disable-quic"]
MOST_LOOKS = 40
LOOKS_ALIKE = 3
KEPT_COLORS = 32
STREAMS = re.compile("/api/events|/api/v1/changes")
# narrower screenshots show phones and have two device pixels per CSS pixel
NARROW = 500

# visible cards are drawn, nothing is being fetched, and no animation is running
STILL = """() => {
    const inSight = (element) => {
        const box = element.getBoundingClientRect();
        return box.bottom > 0 && box.top < innerHeight && box.width > 0;
    };
    const cards = [...document.querySelectorAll("[data-card]")].filter(inSight);
    const drawn = cards.every((card) => card.querySelector("[data-drawn], .card__message") !== null);
    const busy = document.querySelector(".card__skeleton, .card__busy, .live__mark--busy") !== null;
    const page = document.querySelector("main");
    return page !== null && document.fonts.status === "loaded" && drawn && !busy;
}"""


@dataclasses.dataclass(frozen=True)
class Scene:
    name: str
    title: str
    says: str
    address: str = ""
    width: int = 1280
    height: int = 800
    dark: bool = False
    chinese: bool = False
    act: Callable[[sync_api.Page], None] = lambda page: None
    # how many tags are shown in the end: tags without data in the shown runs disappear a moment later
    tags: str = ""
    # a page of docs/ with more information
    more: str = ""
    # "demo", "empty", or the HTML of a notebook cell
    board: str = "demo"


def names(*each: str) -> str:
    """Return the names as a list in the format of the address."""
    return ",".join(name.replace("~", "~2").replace(",", "~1") for name in each)


def address(page: str, **members: str | int | float) -> str:
    return f"#{page}?" + "&".join(
        f"{name}={urllib.parse.quote(str(text), safe=',:/@;$()*!~')}" for name, text in members.items()
    )


# ---- gestures


def over(page: sync_api.Page, card: str, x: float, y: float) -> tuple[float, float]:
    box = page.locator(f'[data-card="{card}"] canvas').first.bounding_box()
    assert box is not None
    place = (box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.mouse.move(place[0] - 4, place[1])
    page.mouse.move(*place)
    return place


def hover(page: sync_api.Page) -> None:
    over(page, "train/loss", 0.5, 0.55)
    page.get_by_role("tooltip").wait_for()
    # exact values are displayed a moment after the drawn ones
    page.wait_for_function("""() => !document.querySelector(".tooltip tbody")?.innerText.includes("–")""")


def press(keys: str, test_id: str) -> Callable[[sync_api.Page], None]:
    def act(page: sync_api.Page) -> None:
        page.keyboard.press(keys)
        page.locator(f'dialog[open], [data-testid="{test_id}"]').first.wait_for()

    return act


def without_runs(page: sync_api.Page) -> None:
    page.keyboard.press("Control+j")
    page.locator(".run-sidebar").wait_for(state="hidden")


def search(page: sync_api.Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("lo")


def health(page: sync_api.Page) -> None:
    page.get_by_test_id("faults").click()
    page.get_by_test_id("health").get_by_text("records read").first.wait_for()


def mistake(page: sync_api.Page) -> None:
    page.get_by_test_id("run-filter").fill('last("val/loss") < 0.5 and hparams.units = 64')
    page.locator(".filter-box__error").wait_for()
    page.get_by_test_id("run-filter").blur()


def group_dialog(page: sync_api.Page) -> None:
    page.get_by_test_id("run-more").click()
    page.get_by_role("menuitem", name="Group").click()
    page.get_by_test_id("group-regex").fill("(.*),seed")


def frozen(page: sync_api.Page) -> None:
    hover(page)
    place = over(page, "train/loss", 0.5, 0.55)
    page.mouse.click(*place)
    page.locator(".tooltip--frozen").wait_for()


BEST = names(*(f"sweep/units={units},optimizer=adam,dropout=0.2,seed=1" for units in (32, 64, 128)))
SWEEP = "sweep/units=128,optimizer=adam,dropout=0.2,seed=1"

COLUMNS = "state,labels,hparam:units,hparam:optimizer,hparam:dropout,last:val/accuracy,max:val/accuracy,last:val/loss"
QUALITY = "/^(train|val)/(loss|accuracy)$/"
SCORES = {"id": "1", "title": "score with its margin", "tags": ["val/score"], "pattern": "^val/score_"}
BOTH = {"id": "2", "title": "training and validation loss", "tags": ["train/loss", "val/loss"], "pattern": ""}

SCENES = (
    Scene("board", "A board", "Curves of every run, live. The address holds all that was chosen.", height=720),
    Scene(
        "dark_chinese",
        "Dark, in Chinese",
        "The theme follows the system, the language the browser, until you choose.",
        height=720,
        dark=True,
        chinese=True,
        more="reference/page.md",
    ),
    Scene(
        "tooltip",
        "Exact values",
        "Read from the logs, not from pixels. A click keeps the tooltip for copying.",
        address("timeseries", runFilter="digits", tagFilter=QUALITY, cardWidth=460, cardHeight=300),
        act=frozen,
        tags="4 of 15",
        more="howto/read-curves.md",
    ),
    Scene(
        "full",
        "One chart",
        "Over the whole page, here with a logarithmic y axis; arrow keys go on to the next.",
        address("timeseries", runFilter="digits", yScale="log", full="tag:train/loss"),
        tags="12 of 15",
        more="howto/read-curves.md",
    ),
    Scene(
        "several",
        "Several tags in one chart",
        "Drag one chart onto another. Colours are the runs', dashes the tags'.",
        address(
            "timeseries",
            runFilter="digits/lr=0.1|showcase",
            legend="on",
            cardWidth=460,
            cardHeight=320,
            cards=json.dumps([SCORES, BOTH], separators=(",", ":")),
        ),
        more="howto/read-curves.md",
    ),
    Scene(
        "steps",
        "Values at a step",
        "Click to mark a step: every chart gets a table. With Shift it is a range.",
        address(
            "timeseries",
            runFilter="digits",
            tagFilter=QUALITY,
            stepTable=1,
            steps='{"lo":150,"hi":null}',
            cardWidth=440,
            cardHeight=300,
        ),
        more="howto/read-curves.md",
    ),
    Scene(
        "metric_axis",
        "Any metric as x axis",
        "Validation over training loss instead of over steps.",
        address(
            "timeseries",
            runFilter="digits/lr=0.0",
            x="metric:train/loss",
            smoothing=0,
            tagFilter="val/",
            cardWidth=460,
        ),
        height=560,
        more="howto/read-curves.md",
    ),
    Scene(
        "groups",
        "Groups with bands",
        "Runs of one group become a line, here one for each number of units, with its standard deviation.",
        address(
            "timeseries",
            runFilter="sweep/",
            tagFilter="val/",
            group="hparam:units",
            cardWidth=460,
            cardHeight=320,
            smoothing=0,
        ),
        height=560,
        tags="2 of 15",
        more="howto/group-seeds.md",
    ),
    Scene(
        "group_dialog",
        "Grouping by name",
        "The dialog shows the groups while you type.",
        address("timeseries", runFilter="sweep/"),
        act=group_dialog,
        tags="3 of 15",
        more="howto/group-seeds.md",
    ),
    Scene(
        "runs",
        "All runs in a table",
        "State, hyperparameters that differ, metrics; sorted by accuracy, shaded by value.",
        address("runs", runFilter="sweep/", runSort="-last:val/accuracy", shadeCells=1, tableColumns=COLUMNS),
        act=without_runs,
        more="howto/compare-runs.md",
    ),
    Scene(
        "filter",
        "Filters by result",
        "Expressions over metrics and hyperparameters. A mistake is marked at its place.",
        act=mistake,
        more="reference/filters.md",
    ),
    Scene(
        "compare",
        "Runs side by side",
        "Configurations with their differences, metrics with their distance from the first run.",
        address("compare", of=BEST),
        more="howto/compare-runs.md",
    ),
    Scene(
        "run",
        "One run",
        "What it was, what it reached, its files; notes and labels that are kept beside the logs.",
        address("run", of=names(SWEEP)),
        more="howto/annotate-runs.md",
    ),
    Scene(
        "images",
        "Images",
        "Every step and sample of every run; zoom to pixels, compare by swipe, blink or difference.",
        "#images",
        height=560,
        more="reference/page.md",
    ),
    Scene(
        "histograms",
        "Histograms",
        "As ridges, one over another, or as a heat map; with even or with the logged bins.",
        "#histograms",
        height=560,
        more="reference/page.md",
    ),
    Scene(
        "distributions",
        "Distributions",
        "Percentiles of the same buckets.",
        "#distributions",
        height=560,
        dark=True,
        more="reference/page.md",
    ),
    Scene(
        "text", "Text", "Markdown, made safe; search and compare steps.", "#text", height=640, more="reference/page.md"
    ),
    Scene("audio", "Audio", "Waveform, spectrogram, A/B.", "#audio", height=640, more="reference/page.md"),
    Scene("pr_curves", "PR, ROC and F1", "From the counts that were logged.", "#pr_curves", more="reference/page.md"),
    Scene("mesh", "Meshes and point clouds", "Turned by hand.", "#mesh", height=640, more="reference/page.md"),
    Scene("tables", "Tables", "Sorted and filtered on the server.", "#tables", height=640, more="reference/page.md"),
    Scene(
        "hparams",
        "Hyperparameters",
        "A line for each trial; what is brushed here can be what every page shows.",
        address("hparams", hparamsView="parallel", hparamsRepeats="same"),
        1600,
        more="howto/tune-hyperparameters.md",
    ),
    Scene(
        "graphs",
        "Graphs",
        "Namespaces open where you click; here, coloured by compute time.",
        address("graphs", graphsStats="step 100", graphsColor="time"),
        1600,
        dark=True,
        more="howto/read-a-graph.md",
    ),
    Scene(
        "projector",
        "Projector",
        "Vectors of ten kinds of things, by their principal components.",
        address("projector", projectorColorBy="kind", projectorImages="0", projectorSpin="0"),
        1600,
        chinese=True,
        more="howto/explore-embeddings.md",
    ),
    Scene("tensors", "Any other tensor", "Figures, a plane of it, values.", "#tensors", more="reference/page.md"),
    Scene(
        "settings",
        "Settings",
        "For all charts here; for one section or one chart in their menus.",
        address("timeseries", runFilter="digits"),
        height=1400,
        act=press("]", "settings"),
        tags="12 of 15",
        more="reference/page.md",
    ),
    Scene("search", "Search", "Tags, runs, actions and saved views are a few letters away.", act=search),
    Scene("help", "Keys", "All of them, under `?`.", act=press("?", "help"), more="reference/page.md"),
    Scene("health", "Damaged files", "A bad record costs that record, and is named with its place.", act=health),
    Scene("empty", "Nothing there yet", "An empty board says where it looks and what to log.", board="empty"),
    Scene(
        "phone",
        "On a telephone",
        "390 pixels wide.",
        address("timeseries", runFilter="digits", tagFilter=QUALITY),
        390,
        844,
        tags="4 of 15",
    ),
    Scene(
        "notebook",
        "In a notebook",
        "What stays in the saved file: a picture that needs no board.",
        board="notebook",
        width=960,
        height=320,
        more="howto/use-in-a-notebook.md",
    ),
)


def main() -> int:
    import gallery_hub
    import gallery_story

    wanted = set(sys.argv[1:])
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        print("error: no chromium; `make browser` installs it", file=sys.stderr)
        return 1
    with temporary_folder() as folder, contextlib.ExitStack() as stack:
        logs = folder / "logs"
        runs = folder / "runs"
        runs.mkdir()
        demo = stack.enter_context(running_board("demo", str(logs)))
        empty = stack.enter_context(running_board("--logdir", str(runs)))
        _annotate(demo)
        with sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False, args=FLAGS)
            for scene in SCENES:
                if wanted and scene.name not in wanted:
                    continue
                _take(browser, scene, {"demo": demo, "empty": empty}.get(scene.board, ""), logs)
                print(f"docs/images/{scene.name}.png")
            gallery_hub.take_all(browser, folder / "team", wanted)
            browser.close()
    gallery_story.take_all(IMAGES, wanted)
    scenes = [*SCENES, *gallery_hub.SCENES]
    known = {*(scene.name for scene in scenes), *gallery_story.names()}
    for stray in IMAGES.glob("*.png"):
        if stray.stem not in known:
            print(f"docs/images/{stray.name} belongs to no scene", file=sys.stderr)
    PAGE.write_text("\n".join([*_page(scenes), *gallery_story.page()]), encoding="utf-8")
    return 0


@contextlib.contextmanager
def temporary_folder() -> Iterator[pathlib.Path]:
    """A temporary folder whose name may be visible in screenshots."""
    folder = pathlib.Path(tempfile.gettempdir()) / "experiments"
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextlib.contextmanager
def running_board(*words: str) -> Iterator[str]:
    """Start a board that runs until the end of the block; yields its address."""
    command = [sys.executable, "-m", "lightboard", *words, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            found = None
            while found is None:
                line = process.stdout.readline()
                if not line:
                    raise SystemExit("error: the board did not start")
                found = re.search(r" at (http\S+) ", line)
            yield found[1]
        finally:
            process.terminate()


def _annotate(board: str) -> None:
    """Add sample annotations to some runs of the demo."""
    said = {
        SWEEP: {"tags": ["paper", "best"], "note": "Best of the sweep. **Dropout helps** more the wider the layer is."},
        "digits/lr=1": {"tags": ["diverged"]},
    }
    body = json.dumps({"runs": said}).encode()
    request = urllib.request.Request(f"{board}api/annotations", body, {"Content-Type": "application/json"})
    urllib.request.urlopen(request).close()


def _take(browser: sync_api.Browser, scene: Scene, board: str, logs: pathlib.Path) -> None:
    context = new_context(browser, scene)
    page = context.new_page()
    complaints = complaints_of(page)
    flying = requests_of(page)
    if scene.board == "notebook":
        with lightboard.open(logs) as opened:
            page.set_content(f"<body style='margin: 16px'><main>{opened.filter('digits')._repr_html_()}</main>")
    else:
        page.goto(board + scene.address)
    if scene.tags:
        page.locator(".filter-box__count", has_text=scene.tags).first.wait_for()
    page.wait_for_function(STILL)
    scene.act(page)
    page.wait_for_function(STILL)
    save(look(page, flying), IMAGES / f"{scene.name}.png")
    context.close()
    # the server reports the error in the filter
    complaints = [each for each in complaints if scene.act is not mistake or "400 (Bad Request)" not in each]
    if complaints:
        raise SystemExit(f"error: {scene.name}: the page complained: {complaints}")


def new_context(browser: sync_api.Browser, scene: Scene) -> sync_api.BrowserContext:
    return browser.new_context(
        viewport={"width": scene.width, "height": scene.height},
        locale="zh-CN" if scene.chinese else "en-US",
        color_scheme="dark" if scene.dark else "light",
        reduced_motion="reduce",
        device_scale_factor=2 if scene.width < NARROW else 1,
    )


def complaints_of(page: sync_api.Page) -> list[str]:
    """Return errors of the page as a list that stays current."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    return complaints


def requests_of(page: sync_api.Page) -> set[sync_api.Request]:
    """Return the pending requests as a set that stays current; without event streams, which never end."""
    flying: set[sync_api.Request] = set()
    page.on("request", lambda request: flying.add(request) if not STREAMS.search(request.url) else None)
    page.on("requestfinished", lambda request: flying.discard(request))
    page.on("requestfailed", lambda request: flying.discard(request))
    return flying


def look(page: sync_api.Page, flying: set[sync_api.Request]) -> bytes:
    """Take screenshots until several in a row are equal and no request is pending; return the last."""
    before, alike = b"", 0
    for _ in range(MOST_LOOKS):
        now = page.screenshot(animations="disabled")
        alike = alike + 1 if now == before and not flying else 0
        if alike == LOOKS_ALIKE:
            break
        before = now
    return before


def save(png: bytes, path: pathlib.Path) -> None:
    """Save with 256 colors, which halves the size."""
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    found, place, counts = np.unique(packed, return_inverse=True, return_counts=True)
    colors = np.stack([found >> 16, found >> 8 & 255, found & 255], axis=1).astype(np.int32)
    palette = _palette(colors[np.argsort(-counts.astype(np.int64), kind="stable")])
    nearest = ((colors[:, np.newaxis] - palette) ** 2).sum(axis=2).argmin(axis=1).astype(np.uint8)
    picture = Image.fromarray(nearest[place].reshape(packed.shape))
    picture.putpalette(palette.astype(np.uint8).ravel().tolist())
    path.parent.mkdir(exist_ok=True)
    picture.save(path, optimize=True)


def _palette(colors: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return the most frequent colors (the input is sorted by frequency), and one for each set of similar others."""
    apart = 2
    while True:
        chosen = colors[:KEPT_COLORS]
        for color in colors[KEPT_COLORS:]:
            if ((chosen - color) ** 2).sum(axis=1).min() > apart**2:
                chosen = np.vstack([chosen, color])
            if len(chosen) > 256:
                break
        else:
            return chosen
        apart += 2


def _page(scenes: Sequence[Scene]) -> list[str]:
    lines = ["# Gallery", ""]
    lines += [
        "Made by `make gallery` from the logs of `lightboard demo`. The addresses work on your own demo board, too.",
        "The last pictures are of `lightboard hub demo`, and of a test that tells the life of a board.",
        "",
    ]
    for scene in scenes:
        lines += [f"## {scene.title}", "", scene.says + (f" [More]({scene.more})." if scene.more else ""), ""]
        if scene.width < NARROW:
            lines += [f'<img src="images/{scene.name}.png" width="{scene.width}" alt="{scene.title}">', ""]
        else:
            lines += [f"![{scene.title}](images/{scene.name}.png)", ""]
        if scene.address:
            lines += [f"`{scene.address}`", ""]
    return lines


if __name__ == "__main__":
    sys.exit(main())
