// How wide a picture has to be asked for: few different widths, so that a window being resized finds them again.

const WIDTHS = [160, 320, 480, 640, 960, 1280, 1920];

// what is this small is as quick to fetch as a thumbnail, and nobody has to make one
const SMALL_BYTES = 24_000;

/** Undefined: the picture as it was logged. */
export function thumbnailWidth(cardPx: number, ratio: number, bytes: number): number | undefined {
  return bytes <= SMALL_BYTES ? undefined : WIDTHS.find((width) => width >= cardPx * ratio);
}
