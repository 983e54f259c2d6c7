"""Record the moving picture of the README: filter runs, zoom, group seeds.

`make gallery` writes docs/images/motion.webp. The demo's board is used in Chromium as by a person; each frame is a
screenshot taken when the page is still, with the pointer drawn into it, and says how long it is shown.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import pathlib
import shutil
import sys
from collections.abc import Iterator

import gallery
from PIL import Image, ImageDraw
from playwright import sync_api

TARGET = gallery.IMAGES / "motion.webp"
WIDTH, HEIGHT = 1120, 660  # of the page
SHOWN = (960, 566)  # pixels of the picture
MOST_BYTES = 2_000_000
CARD = "train/loss"
# the outline of a pointer, in pixels of the page
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))


@dataclasses.dataclass
class Camera:
    """State: the frames so far, with the milliseconds that each is shown; where the pointer is."""

    page: sync_api.Page
    pointer: tuple[float, float] = (620, 300)
    frames: list[Image.Image] = dataclasses.field(default_factory=list)
    millis: list[int] = dataclasses.field(default_factory=list)

    def look(self, millis: int, *, still: bool = True) -> None:
        if still:
            self.page.wait_for_function(gallery.STILL)
        picture = Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")
        draw = ImageDraw.Draw(picture)
        x, y = self.pointer
        draw.polygon([(x + dx, y + dy) for dx, dy in POINTER], fill="black", outline="white")
        self.frames.append(picture.resize(SHOWN, Image.Resampling.LANCZOS))
        self.millis.append(millis)

    def move(self, x: float, y: float, frames: int = 4) -> None:
        """Move the pointer; the page sees every place between."""
        from_x, from_y = self.pointer
        for number in range(1, frames + 1):
            part = number / frames
            self.pointer = (from_x + (x - from_x) * part, from_y + (y - from_y) * part)
            self.page.mouse.move(*self.pointer)
            self.look(60, still=False)

    def click(self, found: sync_api.Locator) -> None:
        box = found.bounding_box()
        assert box is not None
        self.move(box["x"] + min(60, box["width"] / 2), box["y"] + box["height"] / 2)
        self.page.mouse.click(*self.pointer)

    def type(self, text: str) -> None:
        for letter in text:
            self.page.keyboard.type(letter)
            self.look(80, still=False)


def place(page: sync_api.Page, x: float, y: float) -> tuple[float, float]:
    """A place in the chart, as fractions of its width and height."""
    box = page.locator(f'[data-card="{CARD}"] canvas').first.bounding_box()
    assert box is not None
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def act(camera: Camera) -> None:
    page = camera.page
    camera.look(1200)
    run_filter = page.get_by_test_id("run-filter")
    camera.click(run_filter)
    camera.type("digits")
    camera.look(1200)
    camera.move(*place(page, 0.66, 0.05))
    page.mouse.down()
    camera.move(*place(page, 0.8, 0.92), frames=6)
    page.mouse.up()
    camera.look(1600)
    page.mouse.dblclick(*camera.pointer)
    camera.look(700)
    camera.click(run_filter)
    run_filter.fill("")
    camera.type("sweep/")
    camera.look(900)
    camera.click(page.get_by_test_id("run-more"))
    camera.look(500)
    camera.click(page.get_by_role("menuitem", name="Group"))
    box = page.get_by_test_id("group-regex")
    camera.click(box)
    box.fill("")
    camera.type("(.*),dropout")
    camera.look(800)
    page.keyboard.press("Enter")
    page.locator("dialog[open]").first.wait_for(state="hidden")
    camera.move(WIDTH - 40, HEIGHT - 20)
    camera.look(2600)


@contextlib.contextmanager
def opened() -> Iterator[sync_api.Page]:
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        raise SystemExit("error: no chromium; `make browser` installs it")
    view = gallery.address("timeseries", tagFilter=gallery.QUALITY, cardWidth=380, cardHeight=240)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(gallery.temporary_folder())
        demo = stack.enter_context(gallery.running_board("demo", str(folder / "logs")))
        playwright = stack.enter_context(sync_api.sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, chromium_sandbox=False, args=gallery.FLAGS)
        page = browser.new_page(
            viewport=sync_api.ViewportSize(width=WIDTH, height=HEIGHT),
            locale="en-US",
            color_scheme="light",
            reduced_motion="reduce",
        )
        page.goto(demo + view)
        page.locator(f'[data-card="{CARD}"] canvas').first.wait_for()
        yield page
        browser.close()


def save(camera: Camera, target: pathlib.Path) -> int:
    """Write an animated WebP; returns its bytes."""
    first, *others = camera.frames
    first.save(
        target,
        save_all=True,
        append_images=others,
        duration=camera.millis,
        loop=0,
        quality=70,
        method=6,
        minimize_size=True,
    )
    return target.stat().st_size


def main() -> int:
    with opened() as page:
        camera = Camera(page)
        act(camera)
    size = save(camera, TARGET)
    print(f"docs/images/{TARGET.name}: {len(camera.frames)} frames, {sum(camera.millis) / 1000:.0f} s, {size} bytes")
    if size > MOST_BYTES:
        print(f"error: more than {MOST_BYTES} bytes", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
