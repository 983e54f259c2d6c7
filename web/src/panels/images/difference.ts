// The difference of two images, per channel, as an image, with statistics.

export type DifferenceFacts = {
  /** Mean of all channels, 0 to 255. */
  readonly mean: number;
  readonly most: number;
  /** Fraction of pixels that differ at all. */
  readonly share: number;
};

const MOST_PIXELS = 16_000_000;
// counting more would block the page for longer than one or two frames
const MOST_COUNTED = 4_000_000;

async function decoded(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** Draws |a − b| in the size of a, with b scaled to it; facts are null for images too large to count. */
export async function drawDifference(
  canvas: HTMLCanvasElement,
  urls: readonly [string, string],
  isStill: () => boolean,
): Promise<DifferenceFacts | null> {
  const [a, b] = await Promise.all([decoded(urls[0]), decoded(urls[1])]);
  if (!isStill()) return null;
  const width = Math.max(1, a.naturalWidth);
  const height = Math.max(1, a.naturalHeight);
  const shrink = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  canvas.width = Math.max(1, Math.round(width * shrink));
  canvas.height = Math.max(1, Math.round(height * shrink));
  const few = canvas.width * canvas.height <= MOST_COUNTED;
  const context = canvas.getContext("2d", { willReadFrequently: few });
  if (context === null) return null;
  // draw both on black, so that different transparency counts as a difference
  context.fillStyle = "#000";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(a, 0, 0, canvas.width, canvas.height);
  const other = document.createElement("canvas");
  other.width = canvas.width;
  other.height = canvas.height;
  const below = other.getContext("2d");
  if (below === null) return null;
  below.fillStyle = "#000";
  below.fillRect(0, 0, other.width, other.height);
  below.drawImage(b, 0, 0, other.width, other.height);
  context.globalCompositeOperation = "difference";
  context.drawImage(other, 0, 0);
  context.globalCompositeOperation = "source-over";
  return few ? factsOf(context.getImageData(0, 0, canvas.width, canvas.height).data) : null;
}

export function factsOf(rgba: Uint8ClampedArray): DifferenceFacts {
  let [sum, most, differing] = [0, 0, 0];
  for (let i = 0; i < rgba.length; i += 4) {
    const [r, g, b] = [rgba[i] ?? 0, rgba[i + 1] ?? 0, rgba[i + 2] ?? 0];
    sum += r + g + b;
    const high = r > g ? (r > b ? r : b) : g > b ? g : b;
    if (high > most) most = high;
    if (high > 0) differing++;
  }
  const pixels = Math.max(1, rgba.length / 4);
  return { mean: sum / (3 * pixels), most, share: differing / pixels };
}
