// Pixel columns of many series, as `/api/scalars?encoding=pixels` sends them: first, lowest, highest and last value of
// each column. Laid out byte by byte in docs/explanation/thinning.md; kernels.decode_columns is the reference.

export type Columns = {
  readonly series: number;
  readonly columns: number;
  /** Tables of series × columns; NaN where a column has no finite value. */
  readonly first: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
  /** 1 where a column has a NaN or an infinity. */
  readonly nonfinite: Uint8Array;
};

const MAGIC = 0x3143424c; // "LBC1", little-endian
const HEADER_BYTES = 48;

export function decodeColumns(bytes: Uint8Array): Columns {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) throw new Error("not a table of columns");
  const series = view.getUint32(4, true);
  const columns = view.getUint32(8, true);
  const points = view.getUint32(12, true);
  const centre = view.getFloat64(16, true);
  const scale = view.getFloat64(24, true);
  const resolution = view.getFloat64(32, true);
  const planes = view.getUint8(40);
  const levels = view.getUint8(43);
  const bitmap = Math.ceil((series * columns) / 8);
  const body = HEADER_BYTES + 2 * bitmap;
  const total = body + points * (2 * planes + (levels > 0 ? 1 : 0));
  if (bytes.byteLength !== total) throw new Error("the table of columns is cut off");
  const present = bits(bytes.subarray(HEADER_BYTES, HEADER_BYTES + bitmap), series * columns);
  const lows = residuals(bytes, body, points, planes);
  const highs = residuals(bytes, body + points * planes, points, planes);
  toCodes(lows, present, series, columns, view.getUint8(41));
  toCodes(highs, present, series, columns, view.getUint8(42));

  const tables = [0, 1, 2, 3].map(() => new Float64Array(series * columns).fill(Number.NaN));
  const [first, min, max, last] = tables as [Float64Array, Float64Array, Float64Array, Float64Array];
  let entry = 0;
  for (let cell = 0; cell < present.length; cell++) {
    if (!present[cell]) continue;
    const low = centre + scale * Math.sinh((lows[entry] ?? 0) / resolution);
    const high = centre + scale * Math.sinh((highs[entry] ?? 0) / resolution);
    min[cell] = low;
    max[cell] = high;
    if (levels > 0) {
      const ends = bytes[body + 2 * points * planes + entry] ?? 0;
      first[cell] = low + ((high - low) * Math.floor(ends / levels)) / (levels - 1);
      last[cell] = low + ((high - low) * (ends % levels)) / (levels - 1);
    }
    entry++;
  }
  const nonfinite = bits(bytes.subarray(HEADER_BYTES + bitmap, body), series * columns);
  return { series, columns, first, min, max, last, nonfinite };
}

function bits(packed: Uint8Array, count: number): Uint8Array {
  return Uint8Array.from({ length: count }, (_, i) => ((packed[i >> 3] ?? 0) >> (i & 7)) & 1);
}

/** The signed differences; their lowest bytes lie together, then the next ones. */
function residuals(bytes: Uint8Array, at: number, points: number, planes: number): Int32Array {
  const found = new Int32Array(points);
  for (let plane = 0; plane < planes; plane++) {
    for (let i = 0; i < points; i++) {
      found[i] = (found[i] ?? 0) | ((bytes[at + plane * points + i] ?? 0) << (8 * plane));
    }
  }
  for (let i = 0; i < points; i++) {
    const zigzag = found[i] ?? 0;
    found[i] = (zigzag >>> 1) ^ -(zigzag & 1);
  }
  return found;
}

/** Residuals to codes, in place: each stands against a running mean of the ones before it in its series. */
function toCodes(entries: Int32Array, present: Uint8Array, series: number, columns: number, shift: number): void {
  const half = (1 << shift) >> 1;
  let start = 0;
  let entry = 0;
  for (let one = 0; one < series; one++) {
    let state: number | null = null;
    for (let cell = one * columns; cell < (one + 1) * columns; cell++) {
      if (!present[cell]) continue;
      const residual = entries[entry] ?? 0;
      if (state === null) {
        start += residual;
        entries[entry] = start;
        state = start << shift;
      } else {
        entries[entry] = ((state + half) >> shift) + residual;
        state += residual;
      }
      entry++;
    }
  }
}
