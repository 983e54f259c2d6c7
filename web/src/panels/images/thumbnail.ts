// Width to request for an image: one of few widths, so that cached images are reused while a window is resized.

const WIDTHS = [160, 320, 480, 640, 960, 1280, 1920];

// an image this small loads as fast as a thumbnail, and the server need not make one
const SMALL_BYTES = 24_000;

/** Returns undefined for the image as it was logged. */
export function thumbnailWidth(cardPx: number, ratio: number, bytes: number): number | undefined {
  return bytes <= SMALL_BYTES ? undefined : WIDTHS.find((width) => width >= cardPx * ratio);
}
