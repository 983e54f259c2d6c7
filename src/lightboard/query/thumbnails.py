"""Smaller copies of logged pictures, made when asked for and kept a while.

A page of a thousand large pictures is scrolled by its thumbnails. Whatever cannot be made smaller (a form unknown here,
damaged bytes, a picture that is small already) is left as it is; only what would take too much memory is refused.

`cost_bytes` tells what a thumbnail takes before it takes it: the decoded picture (of a JPEG an eighth of it), and then
little, since pixels are converted and averaged strip by strip.
"""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lightboard import errors, store
from lightboard.formats import media, picture_headers

if TYPE_CHECKING:
    from PIL import Image

MAX_WIDTH = 4096
# Of one picture while it is made smaller: 60 million pixels of an RGB PNG, 14 million of a WebP.
MAX_BYTES = 256 << 20
_STRIP_PIXELS = 1 << 18
_THUMBNAILS = store.Share("thumbnails", 64 << 20)  # by key of the blob and width
# Text and thin lines of figures stay legible; encoding takes about as long as decoding.
_QUALITY, _EFFORT = 90, 1
_ORIENTATION = 0x0112  # the tag of EXIF; from 5 on the picture lies on its side
# Allowed formats, by detected type: some formats of Pillow start other programs.
FORMS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/bmp": "BMP",
    "image/webp": "WEBP",
    "image/avif": "AVIF",
}


@dataclasses.dataclass(frozen=True)
class Picture:
    data: bytes
    media_type: str


def maybe_kept(source: store.Store, key: str, width: int) -> Picture | None:
    """A cached thumbnail."""
    picture: Picture | None = source.cache.peek(_THUMBNAILS, (key, width))
    return picture


def kept(source: store.Store, key: str, width: int, read: Callable[[], bytes]) -> Picture:
    """The thumbnail of the blob behind a key, which leads to the same bytes for ever; `read` gives them."""
    data = b""

    def made() -> Picture:
        nonlocal data
        data = read()
        return make(data, width)

    def size(picture: Picture) -> int | None:
        # an unchanged picture is not cached: it can be read from its file
        return None if picture.data is data else len(picture.data) + len(key)

    return source.cache.get(_THUMBNAILS, (key, width), made, size=size)


def cost_bytes(data: bytes, width: int) -> int:
    """What `make` takes at most beside the bytes given; 0 where it leaves the picture as it is without looking."""
    head = picture_headers.maybe_read(data, media.picture(data))
    return 0 if head is None or not head.believable else _cost_bytes(head, width)


def _cost_bytes(head: picture_headers.Head, width: int) -> int:
    wide, high = _target(head.width, head.height, min(width, head.width))
    scale = min(head.width // wide, head.height // high)
    drafted = next(each for each in (8, 4, 2, 1) if each <= scale) if head.scales else 1
    columns, rows = -(-head.width // drafted), -(-head.height // drafted)
    factor = min(columns // wide, rows // high)
    strip = columns * min(rows, _strip_rows(columns, factor))
    decoded = columns * rows * head.pixel_bytes + head.pixels * head.fixed_bytes
    averaged = -(-columns // factor) * -(-rows // factor)
    # a strip is cut out, converted and averaged; what is left is copied twice by resizing, and packed
    return decoded + 12 * strip + 8 * averaged + 16 * wide * high


def make(data: bytes, width: int) -> Picture:
    """At most so many pixels wide, of an animation the first picture; the bytes as they are where that is no use."""
    media_type = media.picture(data)
    plain = Picture(data, media_type)
    form, head = FORMS.get(media_type), picture_headers.maybe_read(data, media_type)
    if form is None or head is None:
        return plain
    if head.width > width:
        _check(head, width)
    elif _cost_bytes(head, width) > MAX_BYTES:
        return plain  # narrow already; only an animation would become less
    if not head.believable:
        return plain
    opened = maybe_open(data, form)
    if opened is None:
        return plain
    with opened:
        if (opened.width, opened.height) != (head.width, head.height):
            head = dataclasses.replace(head, width=opened.width, height=opened.height)  # the head of a part of it
            _check(head, width)
        try:
            if _width(opened) <= width and not moves(opened):
                return plain
            return Picture(_smaller(opened, width), "image/webp")
        except Exception:  # decoders raise many types of errors for damaged files
            return plain


def maybe_open(data: bytes, form: str) -> Image.Image | None:
    """The picture, not decoded yet; None where its head is damaged or this Pillow lacks the form.

    The form's own reader: `Image.open` warns about, or refuses, what is large, and here that was decided before.
    """
    from PIL import Image

    try:
        Image.init()
        factory, _ = Image.OPEN[form]
        return factory(io.BytesIO(data), "")
    except Exception:  # decoders raise many types of errors for damaged files; KeyError: this Pillow lacks the format
        return None


def moves(picture: Image.Image) -> bool:
    """Whether there is more than one picture; Pillow looks for the second to know."""
    try:
        return bool(getattr(picture, "is_animated", False))
    except Exception:  # the second is damaged
        return False


def _check(head: picture_headers.Head, width: int) -> None:
    cost = _cost_bytes(head, width)
    if cost > MAX_BYTES:
        raise errors.BadInput(
            f"the picture claims {head.width} × {head.height} pixels, which take {cost >> 20:,} MiB while a thumbnail "
            f"is made of them; up to {MAX_BYTES >> 20} MiB are taken",
            hint="ask for it without `width`",
        )


def _width(picture: Image.Image) -> int:
    return picture.height if _on_its_side(picture) else picture.width


def _on_its_side(picture: Image.Image) -> bool:
    return picture.format == "JPEG" and bool(picture.getexif().get(_ORIENTATION, 1) in (5, 6, 7, 8))


def _target(width: int, height: int, wanted: int) -> tuple[int, int]:
    return max(1, wanted), max(1, round(height * wanted / width))


def _smaller(picture: Image.Image, width: int) -> bytes:
    from PIL import Image, ImageOps

    scale = min(1.0, width / _width(picture))
    size = _target(picture.width, picture.height, round(picture.width * scale))
    profile = picture.info.get("icc_profile")
    picture.draft("RGB", size)  # a JPEG is decoded at a half, quarter or eighth of its size
    shown = _averaged(picture, min(picture.width // size[0], picture.height // size[1]))
    if shown.size != size:
        shown = shown.resize(size, Image.Resampling.BICUBIC)
    if _on_its_side(picture) or picture.format == "JPEG":
        shown.info["exif"] = picture.info.get("exif", b"")
        shown = ImageOps.exif_transpose(shown)
    written = io.BytesIO()
    options: dict[str, Any] = {"icc_profile": profile} if profile else {}
    shown.save(written, "WEBP", quality=_QUALITY, method=_EFFORT, **options)
    return written.getvalue()


def _strip_rows(columns: int, factor: int) -> int:
    return max(1, _STRIP_PIXELS // columns // factor) * factor


def _averaged(picture: Image.Image, factor: int) -> Image.Image:
    """With plain pixels, so many times smaller. Strip by strip: converted whole it would take twice the memory."""
    from PIL import Image

    picture.load()
    rows = _strip_rows(picture.width, factor)
    whole: Image.Image | None = None
    for top in range(0, picture.height, rows):
        strip = picture.crop((0, top, picture.width, min(top + rows, picture.height)))
        made = _with_plain_pixels(strip).reduce(factor)
        if whole is None:
            whole = Image.new(made.mode, (-(-picture.width // factor), -(-picture.height // factor)))
        whole.paste(made, (0, top // factor))
    assert whole is not None
    return whole


def _with_plain_pixels(picture: Image.Image) -> Image.Image:
    """Grey, RGB or RGBA of eight bits, as a browser shows it."""
    from PIL import Image

    if picture.mode.startswith("I"):  # 16 bits: the upper eight
        import numpy as np

        return Image.fromarray((np.asarray(picture).astype(np.uint32) >> 8).clip(0, 255).astype(np.uint8))
    clear = "transparency" in picture.info or picture.mode in ("LA", "PA", "La", "RGBa")
    if picture.mode in ("L", "RGB", "RGBA") and not (clear and picture.mode != "RGBA"):
        return picture
    if picture.mode == "1" and not clear:
        return picture.convert("L")
    return picture.convert("RGBA" if clear else "RGB")
