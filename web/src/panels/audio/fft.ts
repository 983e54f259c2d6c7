// Fourier transform (FFT) of blocks whose length is a power of two. Its tables are computed once.

export type Fft = {
  readonly size: number;
  /** Works in place: replaces real and imaginary parts by those of the spectrum. */
  readonly transform: (real: Float32Array, imaginary: Float32Array) => void;
};

export function makeFft(size: number): Fft {
  const bits = Math.log2(size);
  const turned = new Uint32Array(size);
  for (let i = 0; i < size; i++) turned[i] = reversed(i, bits);
  const cosine = new Float32Array(size / 2);
  const sine = new Float32Array(size / 2);
  for (let i = 0; i < size / 2; i++) {
    cosine[i] = Math.cos((2 * Math.PI * i) / size);
    sine[i] = Math.sin((2 * Math.PI * i) / size);
  }
  return {
    size,
    transform(real, imaginary) {
      for (let i = 0; i < size; i++) {
        const j = turned[i] as number;
        if (j <= i) continue;
        swap(real, i, j);
        swap(imaginary, i, j);
      }
      for (let half = 1; half < size; half *= 2) {
        const stride = size / (2 * half);
        for (let start = 0; start < size; start += 2 * half) {
          for (let k = 0; k < half; k++) {
            const c = cosine[k * stride] as number;
            const s = sine[k * stride] as number;
            const low = start + k;
            const high = low + half;
            const re = (real[high] as number) * c + (imaginary[high] as number) * s;
            const im = (imaginary[high] as number) * c - (real[high] as number) * s;
            real[high] = (real[low] as number) - re;
            imaginary[high] = (imaginary[low] as number) - im;
            real[low] = (real[low] as number) + re;
            imaginary[low] = (imaginary[low] as number) + im;
          }
        }
      }
    },
  };
}

function reversed(number: number, bits: number): number {
  let reversed = 0;
  for (let i = 0; i < bits; i++) if (number & (1 << i)) reversed |= 1 << (bits - 1 - i);
  return reversed;
}

function swap(values: Float32Array, i: number, j: number): void {
  const kept = values[i] as number;
  values[i] = values[j] as number;
  values[j] = kept;
}
