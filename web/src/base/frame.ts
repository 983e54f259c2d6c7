// Binary answers of the server: one JSON header, then aligned little-endian arrays that are viewed, not copied.
// The layout is described byte by byte in docs/reference/http-api.md; the server's half is server/frames.py.

export type FrameArray = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

export type Frame<Header> = {
  readonly header: Header;
  readonly arrays: ReadonlyMap<string, FrameArray>;
};

type Entry = { name: string; type: string; length: number; at: number; unsafe?: boolean };

const MAGIC = 0x3146424c; // "LBF1", little-endian

/** Throws when the bytes are not a frame; the header's members are what the server's types promise. */
export function decodeFrame<Header>(buffer: ArrayBuffer): Frame<Header> {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new Error("the answer is not a frame");
  const length = view.getUint32(4, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  const start = 8 + Math.ceil(length / 8) * 8;
  const arrays = new Map<string, FrameArray>();
  for (const entry of header.arrays as Entry[]) arrays.set(entry.name, viewArray(buffer, start, entry));
  return { header, arrays };
}

function viewArray(buffer: ArrayBuffer, start: number, entry: Entry): FrameArray {
  const at = start + entry.at;
  switch (entry.type) {
    case "u1":
      return new Uint8Array(buffer, at, entry.length);
    case "u4":
      return new Uint32Array(buffer, at, entry.length);
    case "i4":
      return new Int32Array(buffer, at, entry.length);
    case "f4":
      return new Float32Array(buffer, at, entry.length);
    case "f8":
      return new Float64Array(buffer, at, entry.length);
    case "i8": {
      const whole = new BigInt64Array(buffer, at, entry.length);
      return entry.unsafe ? whole : asDoubles(whole);
    }
    default:
      throw new Error(`the frame has an array of unknown type ${entry.type}`);
  }
}

/** Steps as ordinary numbers: the server promises that none of them loses a digit. */
function asDoubles(whole: BigInt64Array): Float64Array {
  const doubles = new Float64Array(whole.length);
  // two 32-bit halves: several times quicker than converting each bigint
  const halves = new Int32Array(whole.buffer, whole.byteOffset, 2 * whole.length);
  for (let i = 0; i < doubles.length; i++) {
    doubles[i] = (halves[2 * i + 1] ?? 0) * 4294967296 + ((halves[2 * i] ?? 0) >>> 0);
  }
  return doubles;
}

const SEVERAL_MAGIC = 0x3153424c; // "LBS1", little-endian

/** The frames of an answer of several, each in a buffer of its own, to be handed on. */
export function splitFrames(answer: ArrayBuffer): readonly ArrayBuffer[] {
  const view = new DataView(answer);
  if (answer.byteLength < 8 || view.getUint32(0, true) !== SEVERAL_MAGIC) {
    throw new Error("the answer is not several frames");
  }
  const count = view.getUint32(4, true);
  let at = 8 + Math.ceil((4 * count) / 8) * 8;
  return Array.from({ length: count }, (_, i) => {
    const start = at;
    at += view.getUint32(8 + 4 * i, true);
    return answer.slice(start, at);
  });
}

/** A frame made here, of doubles: for charts of numbers that the page works out itself. */
export function encodeFrame(header: object, arrays: Readonly<Record<string, Float64Array>>): ArrayBuffer {
  let at = 0;
  const entries = Object.entries(arrays).map(([name, { length }]): Entry => {
    const entry = { name, type: "f8", length, at };
    at += 8 * length;
    return entry;
  });
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: entries }));
  const start = 8 + Math.ceil(text.length / 8) * 8;
  const buffer = new ArrayBuffer(start + at);
  const view = new DataView(buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, text.length, true);
  new Uint8Array(buffer, 8).set(text);
  for (const entry of entries) new Float64Array(buffer, start + entry.at, entry.length).set(arrays[entry.name] ?? []);
  return buffer;
}
