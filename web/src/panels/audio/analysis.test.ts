import { expect, test } from "vitest";
import { analyse, blockSize, FLOOR_DB, peaksOf, spectrogramOf } from "./analysis";
import { makeFft } from "./fft";

const RATE = 8000;

function tone(hz: number, seconds: number, loud = 1): Float32Array {
  return Float32Array.from({ length: seconds * RATE }, (_, i) => loud * Math.sin((2 * Math.PI * hz * i) / RATE));
}

test("a transform is what its definition says", () => {
  const size = 16;
  const samples = Float32Array.from({ length: size }, (_, i) => Math.sin(i * i) + 0.2 * i);
  const real = samples.slice();
  const imaginary = new Float32Array(size);
  makeFft(size).transform(real, imaginary);
  for (let k = 0; k < size; k++) {
    let [re, im] = [0, 0];
    samples.forEach((sample, i) => {
      re += sample * Math.cos((2 * Math.PI * k * i) / size);
      im -= sample * Math.sin((2 * Math.PI * k * i) / size);
    });
    expect(real[k]).toBeCloseTo(re, 3);
    expect(imaginary[k]).toBeCloseTo(im, 3);
  }
});

test("a tone stands at its frequency, as loud as it is", () => {
  for (const [loud, db] of [
    [1, 0],
    [0.1, -20],
  ] as const) {
    const { columns, bins, levels } = spectrogramOf(tone(1000, 2, loud), RATE);
    const middle = levels.subarray(Math.floor(columns / 2) * bins, (Math.floor(columns / 2) + 1) * bins);
    const top = Math.max(...middle);
    expect((middle.indexOf(top) * RATE) / 2 / bins).toBeCloseTo(1000, -1);
    expect(FLOOR_DB * (1 - top / 255)).toBeCloseTo(db, -0.5);
    expect(middle[Math.round((3000 * 2 * bins) / RATE)]).toBeLessThan(80);
  }
});

test("silence and broken samples are silent", () => {
  const { levels } = spectrogramOf(new Float32Array(4000), RATE);
  expect(Math.max(...levels)).toBe(0);
  expect(Math.max(...spectrogramOf(new Float32Array(4000).fill(Number.NaN), RATE).levels)).toBe(0);
});

test("every stretch has its highest and lowest sample", () => {
  const { low, high } = peaksOf(Float32Array.of(0, 1, -1, 0.5, 0.25, 0.75), 3);
  expect([...low]).toEqual([0, -1, 0.25]);
  expect([...high]).toEqual([1, 0.5, 0.75]);
});

test("clips of any length are looked at", () => {
  for (const length of [0, 1, 63, 64, 1000]) {
    const { spectrogram, channels } = analyse([new Float32Array(length), new Float32Array(length)], RATE);
    expect(channels.length).toBe(2);
    expect(spectrogram.levels.length).toBe(spectrogram.columns * spectrogram.bins);
  }
  expect([8000, 16000, 44100, 96000].map((rate) => blockSize(rate, 1e6))).toEqual([512, 1024, 2048, 4096]);
});

test("both channels are heard, and what differs is mixed", () => {
  const { spectrogram, channels } = analyse([tone(500, 1), tone(2000, 1)], RATE);
  const { bins, levels, columns } = spectrogram;
  const column = levels.subarray((columns >> 1) * bins, ((columns >> 1) + 1) * bins);
  const at = (hz: number): number => column[Math.round((hz * 2 * bins) / RATE)] ?? 0;
  expect(at(500)).toBeGreaterThan(200);
  expect(at(2000)).toBeGreaterThan(200);
  expect(channels[0]?.high.length).toBe(4096);
});
