import { expect, test } from "vitest";
import { spectrogramOf } from "./analysis";
import { colorTable, formatHz, frequencyAt, frequencyTicks, paintSpectrogram, shareOf } from "./drawing";

const RATE = 16_000;

test("frequencies and heights are each other's inverse", () => {
  for (const scale of ["log", "linear"] as const) {
    for (const share of [0.1, 0.5, 1]) {
      expect(shareOf(frequencyAt(share, RATE, scale), RATE, scale)).toBeCloseTo(share);
    }
    expect(frequencyAt(1, RATE, scale)).toBeCloseTo(8000);
  }
});

test("colours go from the ground of a card to its opposite", () => {
  const lightness = (color: number): number => (color & 255) + ((color >> 8) & 255) + ((color >> 16) & 255);
  for (const theme of ["light", "dark"] as const) {
    const colors = [...colorTable(theme)].map(lightness);
    expect(colors[0]).toBe(theme === "light" ? 765 : 22 + 28 + 36);
    const rising = colors.every(
      (one, i) => i === 0 || (theme === "light" ? one <= (colors[i - 1] ?? 0) : one >= (colors[i - 1] ?? 0)),
    );
    expect(rising).toBe(true);
    expect(Math.abs((colors[255] ?? 0) - (colors[0] ?? 0))).toBeGreaterThan(500);
  }
});

test("a tone is painted at its height", () => {
  const samples = Float32Array.from({ length: RATE }, (_, i) => Math.sin((2 * Math.PI * 1000 * i) / RATE));
  const spectrogram = spectrogramOf(samples, RATE);
  const levels = Uint32Array.from({ length: 256 }, (_, i) => i);
  for (const scale of ["log", "linear"] as const) {
    const [width, height] = [40, 80];
    const pixels = new Uint32Array(width * height);
    paintSpectrogram(pixels, width, height, spectrogram, RATE, scale, levels);
    const column = Array.from({ length: height }, (_, row) => pixels[row * width + 20] ?? 0);
    const brightest = column.indexOf(Math.max(...column));
    expect(brightest / height).toBeCloseTo(1 - shareOf(1000, RATE, scale), 1);
  }
});

test("ticks are round and do not touch", () => {
  expect(frequencyTicks(16_000, "log", 90)).toEqual([100, 300, 1000, 3000]);
  expect(frequencyTicks(16_000, "linear", 90)).toEqual([2000, 4000, 6000]);
  expect(frequencyTicks(44_100, "linear", 30)).toEqual([]);
  expect([440, 1200, 11_025].map(formatHz)).toEqual(["440 Hz", "1.2 kHz", "11 kHz"]);
});
