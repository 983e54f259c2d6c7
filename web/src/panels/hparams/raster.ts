// Rasterizes very many thin lines or dots in memory: ten thousand lines over eight axes are about ten million pixels,
// which an integer loop draws in tens of milliseconds, while a canvas takes a second. Colors are blended in drawing
// order, so that dense areas look dense.

/** Pixels in the format of ImageData: 0xAABBGGRR. */
export type Raster = { readonly width: number; readonly height: number; readonly pixels: Uint32Array<ArrayBuffer> };

export function raster(width: number, height: number): Raster {
  return { width, height, pixels: new Uint32Array(width * height) };
}

/** Converts "#rrggbb" or "#rgb" to a pixel. */
export function pixelOf(color: string): number {
  const short = color.length === 4 ? color.replace(/[0-9a-f]/gi, "$&$&") : color;
  const rgb = Number.parseInt(short.slice(1, 7), 16);
  return (0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >>> 16)) >>> 0;
}

const RED_BLUE = 0xff00ff;
const GREEN = 0xff00;
const OPAQUE = 0xff000000;

/** Blends a color (`share` of 256) over an opaque pixel; computes two channels at a time in 32 bits. */
function blend(under: number, over: number, share: number): number {
  const rest = 256 - share;
  const redBlue = ((Math.imul(under & RED_BLUE, rest) + Math.imul(over & RED_BLUE, share)) >>> 8) & RED_BLUE;
  const green = ((Math.imul(under & GREEN, rest) + Math.imul(over & GREEN, share)) >>> 8) & GREEN;
  return OPAQUE | redBlue | green;
}

const HALF = 0x8000;
const BITS = 16;

/** Draws a line one pixel wide. Ends outside of the raster are clamped to its edge. */
export function drawLine(
  { width, height, pixels }: Raster,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  color: number,
  share: number,
): void {
  // fixed-point arithmetic with 16 fractional bits: a pixel costs two additions and two shifts
  const scale = 1 << BITS;
  const fromX = Math.min(width - 1, Math.max(0, x0)) * scale;
  const fromY = Math.min(height - 1, Math.max(0, y0)) * scale;
  const dx = Math.min(width - 1, Math.max(0, x1)) * scale - fromX;
  const dy = Math.min(height - 1, Math.max(0, y1)) * scale - fromY;
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy)) / scale)) | 0;
  const stepX = (dx / steps) | 0;
  const stepY = (dy / steps) | 0;
  const rest = 256 - share;
  const overRedBlue = Math.imul(color & RED_BLUE, share);
  const overGreen = Math.imul(color & GREEN, share);
  let x = (fromX + HALF) | 0;
  let y = (fromY + HALF) | 0;
  for (let at = 0; at < steps; at++) {
    const place = Math.imul(y >> BITS, width) + (x >> BITS);
    const under = pixels[place] as number;
    pixels[place] =
      OPAQUE |
      (((Math.imul(under & RED_BLUE, rest) + overRedBlue) >>> 8) & RED_BLUE) |
      (((Math.imul(under & GREEN, rest) + overGreen) >>> 8) & GREEN);
    x += stepX;
    y += stepY;
  }
}

/** A dot with a soft edge: index offsets of its pixels from the center, for a raster of a given width. */
export type Stamp = { readonly offsets: Int32Array; readonly shares: Int32Array };

/** `share`: opacity at the center, of 256. */
export function stamp(radius: number, width: number, share: number): Stamp {
  const reach = Math.ceil(radius);
  const offsets: number[] = [];
  const shares: number[] = [];
  for (let row = -reach; row <= reach; row++) {
    for (let column = -reach; column <= reach; column++) {
      const cover = Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(row, column)));
      if (cover === 0) continue;
      offsets.push(row * width + column);
      shares.push(Math.round(share * cover));
    }
  }
  return { offsets: Int32Array.from(offsets), shares: Int32Array.from(shares) };
}

/** Draws a dot; it is skipped unless it is completely inside the raster. */
export function drawStamp({ width, pixels }: Raster, dot: Stamp, x: number, y: number, color: number): void {
  const { offsets, shares } = dot;
  const middle = Math.imul(Math.round(y), width) + Math.round(x);
  for (let at = 0; at < offsets.length; at++) {
    const place = middle + (offsets[at] as number);
    const share = shares[at] as number;
    const rest = 256 - share;
    const under = pixels[place] as number;
    pixels[place] =
      OPAQUE |
      (((Math.imul(under & RED_BLUE, rest) + Math.imul(color & RED_BLUE, share)) >>> 8) & RED_BLUE) |
      (((Math.imul(under & GREEN, rest) + Math.imul(color & GREEN, share)) >>> 8) & GREEN);
  }
}

/** Copies a raster to a canvas of the same size. */
export function paint(context: CanvasRenderingContext2D, { width, height, pixels }: Raster): void {
  context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
}

export function fillBox(
  { width, height, pixels }: Raster,
  left: number,
  top: number,
  right: number,
  bottom: number,
  color: number,
  share: number,
): void {
  const [from, to] = [Math.max(0, Math.round(left)), Math.min(width, Math.round(right))];
  for (let row = Math.max(0, Math.round(top)); row < Math.min(height, Math.round(bottom)); row++) {
    for (let at = row * width + from; at < row * width + to; at++) pixels[at] = blend(pixels[at] ?? 0, color, share);
  }
}
