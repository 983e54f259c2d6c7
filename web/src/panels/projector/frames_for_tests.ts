// Frames of layouts as the server writes them, for tests.

/** If `coordinates` is null, the frame reports only progress. */
export function encodeLayout(coordinates: readonly number[] | null, rows: number, dims: number): ArrayBuffer {
  const entries = coordinates === null ? [] : [{ name: "coordinates", type: "f4", length: coordinates.length, at: 0 }];
  const text = new TextEncoder().encode(JSON.stringify({ rows, dims, arrays: entries }));
  const start = 8 + Math.ceil(text.length / 8) * 8;
  const frame = new ArrayBuffer(start + 4 * (coordinates?.length ?? 0));
  const head = new DataView(frame);
  head.setUint32(0, 0x3146424c, true);
  head.setUint32(4, text.length, true);
  new Uint8Array(frame, 8).set(text);
  if (coordinates !== null) new Float32Array(frame, start).set(coordinates);
  return frame;
}
