"""Smaller copies of logged pictures, made when asked for and kept a while.

A page of a thousand large pictures is scrolled by its thumbnails. Whatever cannot be made smaller (a form unknown here,
damaged bytes, a picture that is small already) is left as it is; only what would take too much memory is refused.
"""

from __future__ import annotations

import collections
import dataclasses
import io
import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lightboard import errors, store
from lightboard.query import media

if TYPE_CHECKING:
    from PIL import Image

MAX_WIDTH = 4096
# Of one picture: 80 million pixels are 240 MB while it is made smaller. Above `LARGE_PIXELS` one at a time.
MAX_PIXELS = 80_000_000
LARGE_PIXELS = 12_000_000
CACHE_BYTES = 64 << 20
# Text and thin lines of figures stay legible; encoding takes about as long as decoding.
_QUALITY, _EFFORT = 90, 1
_ORIENTATION = 0x0112  # the tag of EXIF; from 5 on the picture lies on its side
# What may be opened, by type as the first bytes tell it: Pillow knows forms that start other programs.
FORMS = {
    "image/png": "PNG",
    "image/jpeg": "JPEG",
    "image/gif": "GIF",
    "image/bmp": "BMP",
    "image/webp": "WEBP",
    "image/avif": "AVIF",
}
_one_large = threading.Lock()


@dataclasses.dataclass(frozen=True)
class Picture:
    data: bytes
    media_type: str


class Cache:
    """The thumbnails made last, up to so many bytes."""

    def __init__(self, most_bytes: int = CACHE_BYTES) -> None:
        self._most_bytes = most_bytes
        self._kept: collections.OrderedDict[tuple[str, int], Picture] = collections.OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: str, width: int) -> Picture | None:
        with self._lock:
            found = self._kept.get((key, width))
            if found is not None:
                self._kept.move_to_end((key, width))
            return found

    def put(self, key: str, width: int, picture: Picture) -> None:
        size = len(picture.data) + len(key)
        if size > self._most_bytes // 4:
            return
        with self._lock:
            if (key, width) in self._kept:
                return
            self._kept[key, width] = picture
            self._bytes += size
            while self._bytes > self._most_bytes:
                (dropped, _), gone = self._kept.popitem(last=False)
                self._bytes -= len(gone.data) + len(dropped)

    def __len__(self) -> int:
        return len(self._kept)


_caches: weakref.WeakKeyDictionary[store.Store, Cache] = weakref.WeakKeyDictionary()


def kept(source: store.Store, key: str, width: int, read: Callable[[], bytes]) -> Picture:
    """The thumbnail of the blob behind a key, which leads to the same bytes for ever; `read` gives them."""
    cache = _caches.setdefault(source, Cache())
    found = cache.get(key, width)
    if found is None:
        data = read()
        found = make(data, width)
        if found.data is not data:  # what is as it was is in its file
            cache.put(key, width, found)
    return found


def make(data: bytes, width: int) -> Picture:
    """At most so many pixels wide, of an animation the first picture; the bytes as they are where that is no use."""
    media_type = media.picture(data)
    plain = Picture(data, media_type)
    form = FORMS.get(media_type)
    if form is None:
        return plain
    from PIL import Image

    try:
        opened = Image.open(io.BytesIO(data), formats=(form,))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_large("too many") from None
    except Exception:  # as many kinds of damage as there are decoders; KeyError: a Pillow without this form
        return plain
    with opened:
        if _width(opened) <= width and not getattr(opened, "is_animated", False):
            return plain
        if opened.width * opened.height > MAX_PIXELS:
            raise _too_large(f"{opened.width} × {opened.height}")
        large = opened.width * opened.height > LARGE_PIXELS
        try:
            if large:
                with _one_large:
                    return Picture(_smaller(opened, width), "image/webp")
            return Picture(_smaller(opened, width), "image/webp")
        except Exception:
            return plain


def _too_large(pixels: str) -> errors.BadInput:
    return errors.BadInput(
        f"the picture claims {pixels} pixels: too large to make a thumbnail of", hint="ask for it without `width`"
    )


def _width(picture: Image.Image) -> int:
    return picture.height if _on_its_side(picture) else picture.width


def _on_its_side(picture: Image.Image) -> bool:
    return picture.format == "JPEG" and bool(picture.getexif().get(_ORIENTATION, 1) in (5, 6, 7, 8))


def _smaller(picture: Image.Image, width: int) -> bytes:
    from PIL import Image, ImageOps

    scale = min(1.0, width / _width(picture))
    size = (max(1, round(picture.width * scale)), max(1, round(picture.height * scale)))
    profile = picture.info.get("icc_profile")
    picture.draft("RGB", size)  # a JPEG is decoded at a half, quarter or eighth of its size
    shown = _with_plain_pixels(picture)
    if shown.size != size:
        shown = shown.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)
    if _on_its_side(picture) or picture.format == "JPEG":
        shown.info["exif"] = picture.info.get("exif", b"")
        shown = ImageOps.exif_transpose(shown)
    written = io.BytesIO()
    options: dict[str, Any] = {"icc_profile": profile} if profile else {}
    shown.save(written, "WEBP", quality=_QUALITY, method=_EFFORT, **options)
    return written.getvalue()


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
