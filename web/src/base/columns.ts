// Pixel columns of many series, as `/api/scalars?encoding=pixels` sends them: first, lowest, highest and last value of
// each column. docs/explanation/thinning.md describes the byte layout; kernels.decode_columns is the reference. Values
// are sent as integers, called codes. There are only a few thousand different codes, so a chart converts them to pixels
// once, with a lookup table.

export type ColumnCodes = {
  readonly series: number;
  readonly columns: number;
  readonly centre: number;
  readonly scale: number;
  readonly resolution: number;
  /** Tables of series × columns; ABSENT if a column has no finite value. */
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** first · levels + last, each from 0 (the low) to levels − 1 (the high); unused if levels is 0. */
  readonly ends: Uint8Array;
  readonly levels: number;
  /** Non-finite values of each column: NAN_BIT, PLUS_BIT and MINUS_BIT combined, or 0. */
  readonly nonfinite: Uint8Array;
  /** Per series: 1 if any of its columns has a non-finite value. */
  readonly oddRows: Uint8Array;
  /** The lowest and the highest code; both 0 if there is no code. */
  readonly least: number;
  readonly most: number;
};

export type Columns = {
  readonly series: number;
  readonly columns: number;
  /** Tables of series × columns; NaN if a column has no finite value. */
  readonly first: Float64Array;
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly last: Float64Array;
  readonly nonfinite: Uint8Array;
};

export const NAN_BIT = 1;
export const PLUS_BIT = 2;
export const MINUS_BIT = 4;

export const ABSENT = -0x80000000;

const MAGIC = 0x3143424c; // "LBC1", little-endian
const HEADER_BYTES = 48;

export function valueOfCode(codes: ColumnCodes, code: number): number {
  return codes.centre + codes.scale * Math.sinh(code / codes.resolution);
}

// Larger codes are rare, and a lookup table for them would be mostly empty.
const TABLE_CODES = 1 << 16;
const MOST_TABLES = 8;
const sinhs = new Map<number, Float64Array>();

/**
 * Returns a table of sinh(code / resolution). Servers use very few resolutions: each table is computed once and cached.
 */
function sinhsFor(resolution: number, size: number): Float64Array {
  const known = sinhs.get(resolution);
  if (known !== undefined && known.length >= size) return known;
  const table = new Float64Array(Math.max(size, 2 * (known?.length ?? 0)));
  for (let code = 0; code < table.length; code++) table[code] = Math.sinh(code / resolution);
  if (known === undefined && sinhs.size >= MOST_TABLES) sinhs.clear();
  sinhs.set(resolution, table);
  return table;
}

/** Returns a faster valueOfCode for many codes of one table. */
export function valueReader(codes: ColumnCodes): (code: number) => number {
  const { least, most, centre, scale, resolution } = codes;
  const size = Math.max(Math.abs(least), Math.abs(most)) + 1;
  if (size > TABLE_CODES) return (code) => valueOfCode(codes, code);
  const sizes = sinhsFor(resolution, size);
  return (code) => (code < 0 ? centre - scale * (sizes[-code] as number) : centre + scale * (sizes[code] as number));
}

export function decodeCodes(bytes: Uint8Array): ColumnCodes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) throw new Error("not a table of columns");
  const series = view.getUint32(4, true);
  const columns = view.getUint32(8, true);
  const points = view.getUint32(12, true);
  const planes = view.getUint8(40);
  const levels = view.getUint8(43);
  const cells = series * columns;
  const bitmap = Math.ceil(cells / 8);
  const body = HEADER_BYTES + 2 * bitmap;
  const kinds = body + points * (2 * planes + (levels > 0 ? 1 : 0));
  if (bytes.byteLength < kinds) throw new Error("the table of columns is cut off");
  const anyOdd = bytes.subarray(HEADER_BYTES + bitmap, body).some((byte) => byte !== 0);
  const nonfinite = anyOdd ? bits(bytes, HEADER_BYTES + bitmap, cells) : new Uint8Array(cells);
  const oddRows = new Uint8Array(series);
  const odd = readKinds(nonfinite, oddRows, columns, bytes.subarray(kinds));
  if (bytes.byteLength !== kinds + odd) throw new Error("the table of columns is cut off");
  const present = points === cells ? null : bits(bytes, HEADER_BYTES, cells);
  const low = new Int32Array(cells);
  const high = new Int32Array(cells);
  spread(low, present, columns, bytes, body, points, planes, view.getUint8(41));
  spread(high, present, columns, bytes, body + points * planes, points, planes, view.getUint8(42));
  const ends = new Uint8Array(cells);
  let least = 0x7fffffff;
  let most = ABSENT;
  let at = body + 2 * points * planes;
  for (let cell = 0; cell < cells; cell++) {
    if (present !== null && present[cell] === 0) continue;
    if (levels > 0) ends[cell] = bytes[at++] as number;
    if ((low[cell] as number) < least) least = low[cell] as number;
    if ((high[cell] as number) > most) most = high[cell] as number;
  }
  if (least > most) least = most = 0;
  return {
    series,
    columns,
    centre: view.getFloat64(16, true),
    scale: view.getFloat64(24, true),
    resolution: view.getFloat64(32, true),
    low,
    high,
    ends,
    levels,
    nonfinite,
    oddRows,
    least,
    most,
  };
}

export function decodeColumns(bytes: Uint8Array): Columns {
  const codes = decodeCodes(bytes);
  const { series, columns, levels, nonfinite } = codes;
  const tables = [0, 1, 2, 3].map(() => new Float64Array(series * columns).fill(Number.NaN));
  const [first, min, max, last] = tables as [Float64Array, Float64Array, Float64Array, Float64Array];
  for (let cell = 0; cell < series * columns; cell++) {
    if (codes.low[cell] === ABSENT) continue;
    const low = valueOfCode(codes, codes.low[cell] as number);
    const high = valueOfCode(codes, codes.high[cell] as number);
    min[cell] = low;
    max[cell] = high;
    if (levels === 0) continue;
    const ends = codes.ends[cell] as number;
    first[cell] = low + ((high - low) * Math.floor(ends / levels)) / (levels - 1);
    last[cell] = low + ((high - low) * (ends % levels)) / (levels - 1);
  }
  return { series, columns, first, min, max, last, nonfinite };
}

/**
 * Replaces each 1 in `nonfinite` by its bits, in the order of `told`, and marks the rows. Returns the number of such
 * cells.
 */
function readKinds(nonfinite: Uint8Array, oddRows: Uint8Array, columns: number, told: Uint8Array): number {
  let count = 0;
  for (let cell = nonfinite.indexOf(1); cell >= 0; cell = nonfinite.indexOf(1, cell + 1)) {
    nonfinite[cell] = told[count++] || NAN_BIT;
    oddRows[Math.floor(cell / columns)] = 1;
  }
  return count;
}

function bits(bytes: Uint8Array, at: number, count: number): Uint8Array<ArrayBuffer> {
  const found = new Uint8Array(count);
  for (let i = 0; i < count; i++) found[i] = ((bytes[at + (i >> 3)] as number) >> (i & 7)) & 1;
  return found;
}

/**
 * Decodes residuals into the codes of their cells. The lowest bytes of all residuals come first, then the next bytes. A
 * residual is the difference to a running mean of the codes before it in its series; the first one of a series is the
 * difference to the first code of the previous series. `present` is null if every cell has a code, which is usual.
 */
function spread(
  codes: Int32Array,
  present: Uint8Array | null,
  columns: number,
  bytes: Uint8Array,
  at: number,
  points: number,
  planes: number,
  shift: number,
): void {
  const half = (1 << shift) >> 1;
  const second = planes > 1 ? at + points : -1;
  const third = planes > 2 ? at + 2 * points : -1;
  let start = 0;
  let state = 0;
  let fresh = true;
  let entry = 0;
  for (let cell = 0, column = 0; cell < codes.length; cell++, column++) {
    if (column === columns) {
      column = 0;
      fresh = true;
    }
    if (present !== null && present[cell] === 0) {
      codes[cell] = ABSENT;
      continue;
    }
    let zigzag = bytes[at + entry] as number;
    if (second >= 0) zigzag |= (bytes[second + entry] as number) << 8;
    if (third >= 0) zigzag |= (bytes[third + entry] as number) << 16;
    entry++;
    const residual = (zigzag >>> 1) ^ -(zigzag & 1);
    if (fresh) {
      start += residual;
      codes[cell] = start;
      state = start << shift;
      fresh = false;
    } else {
      codes[cell] = ((state + half) >> shift) + residual;
      state += residual;
    }
  }
}
