// Analyzes the samples of a clip for drawing: lowest and highest sample of each interval, and a spectrogram.

import { makeFft } from "./fft";

/** One channel: lowest and highest sample of each interval; all intervals have the same length. */
export type Peaks = { readonly low: Float32Array; readonly high: Float32Array };

export type Spectrogram = {
  readonly columns: number;
  /** Number of frequencies, evenly spaced from 0 to half the sample rate. */
  readonly bins: number;
  /** Levels, column by column; 0 is FLOOR_DB or less, 255 a full-scale tone. */
  readonly levels: Uint8Array;
};

export type Analysis = {
  readonly seconds: number;
  /** Sample rate of the analyzed samples; lower than the clip's for long clips. */
  readonly rateHz: number;
  readonly channels: readonly Peaks[];
  /** Computed from the mix of all channels. */
  readonly spectrogram: Spectrogram;
};

export const FLOOR_DB = -110;

// more than the widest screen has pixels
const MOST_STRETCHES = 4096;
const MOST_COLUMNS = 1536;
// in a long clip a column covers seconds: only this many blocks of it are transformed
const BLOCKS_PER_COLUMN = 4;

export function analyse(channels: readonly Float32Array[], rateHz: number): Analysis {
  const length = channels[0]?.length ?? 0;
  return {
    seconds: length / rateHz,
    rateHz,
    channels: channels.map((samples) => peaksOf(samples, Math.min(MOST_STRETCHES, length))),
    spectrogram: spectrogramOf(mixed(channels), rateHz),
  };
}

export function peaksOf(samples: Float32Array, stretches: number): Peaks {
  const low = new Float32Array(stretches);
  const high = new Float32Array(stretches);
  for (let i = 0; i < stretches; i++) {
    const end = Math.floor(((i + 1) * samples.length) / stretches);
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = Math.floor((i * samples.length) / stretches); at < end; at++) {
      const sample = samples[at] as number;
      if (sample < least) least = sample;
      if (sample > most) most = sample;
    }
    // all samples are NaN: draw nothing
    low[i] = least > most ? 0 : least;
    high[i] = least > most ? 0 : most;
  }
  return { low, high };
}

function mixed(channels: readonly Float32Array[]): Float32Array {
  const [first = new Float32Array()] = channels;
  if (channels.length < 2) return first;
  const mixed = new Float32Array(first.length);
  for (const channel of channels) {
    for (let i = 0; i < mixed.length; i++) mixed[i] = (mixed[i] as number) + (channel[i] as number) / channels.length;
  }
  return mixed;
}

/** About 1/20 second: short enough to separate syllables, long enough to separate tones. */
export function blockSize(rateHz: number, length: number): number {
  const wished = 2 ** Math.round(Math.log2(rateHz / 22));
  const most = 2 ** Math.floor(Math.log2(Math.max(64, length)));
  return Math.max(64, Math.min(4096, wished, most));
}

export function spectrogramOf(samples: Float32Array, rateHz: number): Spectrogram {
  const size = blockSize(rateHz, samples.length);
  const bins = size / 2;
  const columns = Math.max(1, Math.min(MOST_COLUMNS, Math.ceil(samples.length / (size / 4))));
  const levels = new Uint8Array(columns * bins);
  const { transform } = makeFft(size);
  const window = new Float32Array(size);
  for (let i = 0; i < size; i++) window[i] = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / size);
  const real = new Float32Array(size);
  const imaginary = new Float32Array(size);
  const power = new Float64Array(bins);
  const stretch = samples.length / columns;
  const blocks = Math.max(1, Math.min(BLOCKS_PER_COLUMN, Math.round(stretch / size)));
  // power of a full-scale sine: half the sum of the window, squared
  const full = (size / 4) ** 2;
  for (let column = 0; column < columns; column++) {
    power.fill(0);
    for (let block = 0; block < blocks; block++) {
      const middle = (column + (block + 0.5) / blocks) * stretch;
      const start = Math.round(middle - size / 2);
      for (let i = 0; i < size; i++) {
        const sample = samples[start + i];
        real[i] = sample === undefined || Number.isNaN(sample) ? 0 : sample * (window[i] as number);
      }
      imaginary.fill(0);
      transform(real, imaginary);
      for (let bin = 0; bin < bins; bin++) {
        power[bin] = (power[bin] as number) + (real[bin] as number) ** 2 + (imaginary[bin] as number) ** 2;
      }
    }
    for (let bin = 0; bin < bins; bin++) {
      const db = 10 * Math.log10((power[bin] as number) / blocks / full);
      levels[column * bins + bin] = Math.max(0, Math.min(255, Math.round(255 * (1 - db / FLOOR_DB))));
    }
  }
  return { columns, bins, levels };
}
