// Binary responses of the server: one JSON header, then aligned little-endian arrays, which are viewed without copying.
// docs/reference/http-api.md describes the byte layout; server/frames.py is the encoder.

export type FrameArray = Uint8Array | Uint32Array | Int32Array | Float32Array | Float64Array | BigInt64Array;

export type Frame<Header> = {
  readonly header: Header;
  readonly arrays: ReadonlyMap<string, FrameArray>;
};

type Entry = { name: string; type: string; length: number; at: number; unsafe?: boolean };

const MAGIC = 0x3146424c; // "LBF1", little-endian

/** Throws if the bytes are not a frame. The header is not checked: the server's types define its members. */
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

/** Converts steps to doubles: the server guarantees that all of them fit without loss. */
function asDoubles(whole: BigInt64Array): Float64Array {
  const doubles = new Float64Array(whole.length);
  // two 32-bit halves: several times faster than converting each bigint
  const halves = new Int32Array(whole.buffer, whole.byteOffset, 2 * whole.length);
  for (let i = 0; i < doubles.length; i++) {
    doubles[i] = (halves[2 * i + 1] ?? 0) * 4294967296 + ((halves[2 * i] ?? 0) >>> 0);
  }
  return doubles;
}

const SEVERAL_MAGIC = 0x3253424c; // "LBS2", little-endian

/** One of several frames, in its own buffer, which can be transferred; or the JSON of an error, with its status. */
export type Arrived = { readonly status: number; readonly bytes: ArrayBuffer };

/** Yields the frames of a response with several frames, each as soon as it has arrived. */
export async function* arrivingFrames(answer: ReadableStream<Uint8Array>): AsyncGenerator<Arrived> {
  const reader = answer.getReader();
  let held = new Uint8Array(0);
  const take = async (size: number): Promise<ArrayBuffer> => {
    const pieces = [held];
    let total = held.length;
    while (total < size) {
      const { done, value } = await reader.read();
      if (done) throw new Error("the answer is cut off");
      pieces.push(value as Uint8Array<ArrayBuffer>);
      total += value.length;
    }
    const whole = pieces.length === 1 ? held : joined(pieces, total);
    held = whole.subarray(size);
    return whole.slice(0, size).buffer;
  };
  const head = new DataView(await take(8));
  if (head.getUint32(0, true) !== SEVERAL_MAGIC) throw new Error("the answer is not several frames");
  for (let left = head.getUint32(4, true); left > 0; left--) {
    const entry = new DataView(await take(8));
    const length = entry.getUint32(0, true);
    const padded = await take(Math.ceil(length / 8) * 8);
    yield { status: entry.getUint32(4, true), bytes: padded.byteLength === length ? padded : padded.slice(0, length) };
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Encodes a frame of doubles, for charts of numbers that the page computes itself. */
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
