// Draws waveforms and spectrograms.

import type { Theme } from "../../base/color";
import type { Analysis, Peaks, Spectrogram } from "./analysis";
import { FLOOR_DB } from "./analysis";

/** Color stops from silence (background of cards) to a full-scale tone (highest contrast). */
const STOPS: Readonly<Record<Theme, readonly (readonly [number, number, number])[]>> = {
  light: [
    [255, 255, 255],
    [214, 225, 246],
    [121, 158, 226],
    [108, 72, 190],
    [122, 20, 106],
    [48, 4, 30],
  ],
  dark: [
    [22, 28, 36],
    [43, 37, 92],
    [112, 40, 132],
    [198, 62, 98],
    [247, 148, 66],
    [253, 244, 178],
  ],
};

/** Quieter levels have the background color. */
const SHOWN_DB = -80;

/** 256 colors, each as one number in the byte order of canvas pixels. */
export function colorTable(theme: Theme): Uint32Array {
  const stops = STOPS[theme];
  const table = new Uint32Array(256);
  for (let level = 0; level < 256; level++) {
    const db = FLOOR_DB * (1 - level / 255);
    const place = Math.max(0, 1 - db / SHOWN_DB) * (stops.length - 1);
    const at = Math.min(stops.length - 2, Math.floor(place));
    const [from, to] = [stops[at], stops[at + 1]];
    const part = (i: 0 | 1 | 2): number =>
      from === undefined || to === undefined ? 0 : Math.round(from[i] + (to[i] - from[i]) * Math.min(1, place - at));
    table[level] = (255 << 24) | (part(2) << 16) | (part(1) << 8) | part(0);
  }
  return table;
}

export type Scale = "log" | "linear";

const LOWEST_HZ = 30;

/** Returns the frequency at a height from 0 (bottom) to 1 (top). */
export function frequencyAt(share: number, rateHz: number, scale: Scale): number {
  const top = rateHz / 2;
  if (scale === "linear") return share * top;
  const bottom = Math.min(LOWEST_HZ, top / 4);
  return bottom * (top / bottom) ** share;
}

export function shareOf(hz: number, rateHz: number, scale: Scale): number {
  const top = rateHz / 2;
  if (scale === "linear") return hz / top;
  const bottom = Math.min(LOWEST_HZ, top / 4);
  return Math.log(hz / bottom) / Math.log(top / bottom);
}

/** Frequencies of the axis labels, at least some px apart. */
export function frequencyTicks(rateHz: number, scale: Scale, heightPx: number): readonly number[] {
  const top = rateHz / 2;
  const most = Math.max(1, Math.floor(heightPx / 22));
  if (scale === "linear") {
    const step = [100, 200, 250, 500, 1000, 2000, 2500, 5000, 10_000, 20_000].find((one) => top / one <= most) ?? top;
    return Array.from({ length: Math.floor(top / step) }, (_, i) => (i + 1) * step).filter((hz) => hz < top * 0.97);
  }
  const wished = [100, 1000, 10_000, 300, 3000, 30_000, 50, 500, 5000, 200, 2000, 20_000];
  const ticks: number[] = [];
  for (const hz of wished) {
    const y = shareOf(hz, rateHz, scale) * heightPx;
    const free = ticks.every((one) => Math.abs(shareOf(one, rateHz, scale) * heightPx - y) >= 15);
    if (free && y > 6 && y < heightPx - 6) ticks.push(hz);
  }
  return ticks.sort((a, b) => a - b);
}

export function formatHz(hz: number): string {
  if (hz < 1000) return `${Math.round(hz)} Hz`;
  return `${Number((hz / 1000).toPrecision(hz < 10_000 ? 2 : 3))} kHz`;
}

/** Short form for axis labels. */
export function tickHz(hz: number): string {
  return hz < 1000 ? String(hz) : `${hz / 1000}k`;
}

/** Each pixel shows its loudest level. */
export function paintSpectrogram(
  pixels: Uint32Array,
  width: number,
  height: number,
  { columns, bins, levels }: Spectrogram,
  rateHz: number,
  scale: Scale,
  colors: Uint32Array,
): void {
  const edges = Float64Array.from({ length: height + 1 }, (_, row) => {
    const hz = frequencyAt(1 - row / height, rateHz, scale);
    return Math.max(0, Math.min(bins - 1, (hz * 2 * bins) / rateHz));
  });
  for (let x = 0; x < width; x++) {
    const first = Math.floor((x * columns) / width);
    const last = Math.max(first + 1, Math.floor(((x + 1) * columns) / width));
    for (let row = 0; row < height; row++) {
      const [high, low] = [edges[row] as number, edges[row + 1] as number];
      let level = 0;
      for (let column = first; column < last; column++) {
        level = Math.max(level, levelBetween(levels, column * bins, bins, low, high));
      }
      pixels[row * width + x] = colors[Math.round(level)] as number;
    }
  }
}

function levelBetween(levels: Uint8Array, start: number, bins: number, low: number, high: number): number {
  if (high - low <= 1) {
    // fewer bins than pixels: interpolate
    const middle = (low + high) / 2;
    const at = Math.floor(middle);
    const [one, other] = [levels[start + at] as number, levels[start + Math.min(bins - 1, at + 1)] as number];
    return one + (other - one) * (middle - at);
  }
  let most = 0;
  for (let bin = Math.ceil(low); bin <= high; bin++) most = Math.max(most, levels[start + bin] as number);
  return most;
}

type Context = CanvasRenderingContext2D;

/** Draws one lane for each channel, or all channels in one if the height is too small. Sizes in canvas pixels. */
export function drawWaveform(
  context: Context,
  width: number,
  height: number,
  analysis: Analysis,
  color: string,
  line: string,
  pixelRatio: number,
): void {
  const { channels } = analysis;
  const lanes = height / channels.length >= 16 * pixelRatio ? channels.length : 1;
  const laneHeight = height / lanes;
  context.clearRect(0, 0, width, height);
  for (let lane = 0; lane < lanes; lane++) {
    context.fillStyle = line;
    context.fillRect(0, Math.round((lane + 0.5) * laneHeight), width, 1);
  }
  context.fillStyle = color;
  channels.forEach((peaks, channel) => {
    const top = lanes === 1 ? 0 : channel * laneHeight;
    context.globalAlpha = lanes < channels.length ? 0.7 : 1;
    drawLane(context, width, top, laneHeight, peaks, pixelRatio);
  });
  context.globalAlpha = 1;
}

function drawLane(
  context: Context,
  width: number,
  top: number,
  height: number,
  peaks: Peaks,
  pixelRatio: number,
): void {
  const { low, high } = peaks;
  const half = height / 2 - pixelRatio;
  const middle = top + height / 2;
  const count = low.length;
  let [lastLow, lastHigh] = [0, 0];
  for (let x = 0; x < width && count > 0; x++) {
    const first = Math.min(count - 1, Math.floor((x * count) / width));
    const end = Math.max(first + 1, Math.floor(((x + 1) * count) / width));
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = first; i < end && i < count; i++) {
      least = Math.min(least, low[i] as number);
      most = Math.max(most, high[i] as number);
    }
    // connected to the previous pixel, so that few samples make a line and not dots
    const from = x === 0 ? least : Math.min(least, lastHigh);
    const to = x === 0 ? most : Math.max(most, lastLow);
    [lastLow, lastHigh] = [least, most];
    const y = middle - Math.min(1, to) * half;
    context.fillRect(x, y, 1, Math.max(pixelRatio, (Math.min(1, to) - Math.max(-1, from)) * half));
  }
}
