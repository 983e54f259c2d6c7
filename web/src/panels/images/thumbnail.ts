// How wide a picture has to be asked for: few different widths, so that a window being resized finds them again.

const WIDTHS = [160, 320, 480, 640, 960, 1280, 1920];

/** Undefined: the picture as it was logged. */
export function thumbnailWidth(cardPx: number, ratio: number): number | undefined {
  return WIDTHS.find((width) => width >= cardPx * ratio);
}
