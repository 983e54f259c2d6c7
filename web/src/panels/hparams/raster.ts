// A picture of very many thin lines or dots, painted into memory: ten thousand lines over eight axes are some ten
// million pixels, which a loop over integers does in tens of milliseconds where a canvas takes a second. Colours are
// blended as they come, so that what is dense looks dense.

/** One pixel each, as a canvas keeps them: 0xAABBGGRR. */
export type Raster = { readonly width: number; readonly height: number; readonly pixels: Uint32Array<ArrayBuffer> };

export function raster(width: number, height: number): Raster {
  return { width, height, pixels: new Uint32Array(width * height) };
}

/** "#rrggbb" or "#rgb" as a pixel. */
export function pixelOf(color: string): number {
  const short = color.length === 4 ? color.replace(/[0-9a-f]/gi, "$&$&") : color;
  const rgb = Number.parseInt(short.slice(1, 7), 16);
  return (0xff000000 | ((rgb & 0xff) << 16) | (rgb & 0xff00) | (rgb >>> 16)) >>> 0;
}

const RED_BLUE = 0xff00ff;
const GREEN = 0xff00;

/** `share` of 256 of a colour over a pixel that is not transparent. */
function blend(under: number, over: number, share: number): number {
  const rest = 256 - share;
  const redBlue = (((under & RED_BLUE) * rest + (over & RED_BLUE) * share) >>> 8) & RED_BLUE;
  const green = (((under & GREEN) * rest + (over & GREEN) * share) >>> 8) & GREEN;
  return (0xff000000 | redBlue | green) >>> 0;
}

/** From one place to another, a pixel wide. */
export function drawLine(
  { width, height, pixels }: Raster,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  color: number,
  share: number,
): void {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const steps = Math.max(1, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))));
  const [stepX, stepY] = [dx / steps, dy / steps];
  let [x, y] = [x0, y0];
  for (let at = 0; at < steps; at++) {
    const [column, row] = [x | 0, y | 0];
    if (column >= 0 && column < width && row >= 0 && row < height) {
      const place = row * width + column;
      pixels[place] = blend(pixels[place] ?? 0, color, share);
    }
    x += stepX;
    y += stepY;
  }
}

/** A dot of some pixels, softer at its edge. */
export type Stamp = { readonly size: number; readonly cover: Float32Array };

export function stamp(radius: number): Stamp {
  const size = 2 * Math.ceil(radius) + 1;
  const middle = (size - 1) / 2;
  const cover = new Float32Array(size * size);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const far = Math.hypot(row - middle, column - middle);
      cover[row * size + column] = Math.min(1, Math.max(0, radius + 0.5 - far));
    }
  }
  return { size, cover };
}

export function drawStamp(
  { width, height, pixels }: Raster,
  { size, cover }: Stamp,
  x: number,
  y: number,
  color: number,
  share: number,
): void {
  const [left, top] = [Math.round(x - (size - 1) / 2), Math.round(y - (size - 1) / 2)];
  for (let row = 0; row < size; row++) {
    const atRow = top + row;
    if (atRow < 0 || atRow >= height) continue;
    for (let column = 0; column < size; column++) {
      const atColumn = left + column;
      const part = cover[row * size + column] ?? 0;
      if (part === 0 || atColumn < 0 || atColumn >= width) continue;
      const place = atRow * width + atColumn;
      pixels[place] = blend(pixels[place] ?? 0, color, (share * part) | 0);
    }
  }
}

/** Put a raster on a canvas of its size. */
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
