"""Smaller copies of logged pictures, created on request and cached.

A page with a thousand large pictures shows thumbnails. A picture that cannot be made smaller (an unknown format,
damaged bytes, already small) is returned unchanged; only one that would take too much memory is rejected.

`cost_bytes` computes the memory for a thumbnail in advance: the decoded picture (for a JPEG an eighth of it), and then
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
# The limit of memory for making one picture smaller: 60 million pixels of an RGB PNG, 14 million of a WebP.
MAX_BYTES = 256 << 20
_STRIP_PIXELS = 1 << 18
_THUMBNAILS = store.Share("thumbnails", 64 << 20)  # by key of the blob and width
# Text and thin lines of figures stay legible; encoding takes about as long as decoding.
_QUALITY, _EFFORT = 90, 1
_ORIENTATION = 0x0112  # the tag of EXIF; from 5 on the picture is rotated by 90 degrees
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
    """Return a cached thumbnail."""
    picture: Picture | None = source.cache.peek(_THUMBNAILS, (key, width))
    return picture


def kept(source: store.Store, key: str, width: int, read: Callable[[], bytes]) -> Picture:
    """Return the thumbnail of the blob with this key; `read` returns the bytes, which never change for a key."""
    data = b""

    def made() -> Picture:
        nonlocal data
        data = read()
        return make(data, width)

    def size(picture: Picture) -> int | None:
        # An unchanged picture is not cached: it can be read from its file.
        return None if picture.data is data else len(picture.data) + len(key)

    return source.cache.get(_THUMBNAILS, (key, width), made, size=size)


def cost_bytes(data: bytes, width: int) -> int:
    """Return the peak memory of `make` without the given bytes; 0 if it returns the picture unchanged without decoding
    it."""
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
    # A strip is copied, converted and averaged; resizing copies the result twice, and then it is encoded.
    return decoded + 12 * strip + 8 * averaged + 16 * wide * high


def make(data: bytes, width: int) -> Picture:
    """Return a picture at most this wide, for an animation its first frame; the unchanged bytes if that is not possible
    or not smaller."""
    media_type = media.picture(data)
    plain = Picture(data, media_type)
    form, head = FORMS.get(media_type), picture_headers.maybe_read(data, media_type)
    if form is None or head is None:
        return plain
    if head.width > width:
        _check(head, width)
    elif _cost_bytes(head, width) > MAX_BYTES:
        return plain  # already narrow; only an animation would become smaller
    if not head.believable:
        return plain
    opened = maybe_open(data, form)
    if opened is None:
        return plain
    with opened:
        if (opened.width, opened.height) != (head.width, head.height):
            head = dataclasses.replace(head, width=opened.width, height=opened.height)  # the header was only of a part
            _check(head, width)
        try:
            if _width(opened) <= width and not moves(opened):
                return plain
            return Picture(_smaller(opened, width), "image/webp")
        except Exception:  # decoders raise many types of errors for damaged files
            return plain


def maybe_open(data: bytes, form: str) -> Image.Image | None:
    """Open the picture without decoding it; None if its header is damaged or this Pillow does not support the format.

    It uses the format's own reader: `Image.open` warns about large pictures or rejects them, but their size was already
    checked.
    """
    from PIL import Image

    try:
        Image.init()
        factory, _ = Image.OPEN[form]
        return factory(io.BytesIO(data), "")
    except Exception:  # decoders raise many types of errors for damaged files; KeyError: this Pillow lacks the format
        return None


def moves(picture: Image.Image) -> bool:
    """Return whether there is more than one frame; Pillow has to search for the second one."""
    try:
        return bool(getattr(picture, "is_animated", False))
    except Exception:  # the second frame is damaged
        return False


def _check(head: picture_headers.Head, width: int) -> None:
    cost = _cost_bytes(head, width)
    if cost > MAX_BYTES:
        raise errors.BadInput(
            f"the picture claims {head.width} × {head.height} pixels, which take {cost >> 20:,} MiB while a thumbnail "
            f"is made of them; up to {MAX_BYTES >> 20} MiB are taken",
            hint="ask for it without `width`",
            code="image.too_large",
            width=head.width,
            height=head.height,
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
    """Return plain pixels, `factor` times smaller. Strip by strip: converting all at once would take twice the
    memory."""
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
    """Convert to gray, RGB or RGBA of eight bits, as a browser shows it."""
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
