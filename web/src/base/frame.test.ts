import { expect, test } from "vitest";
import { arrivingFrames, decodeFrame, encodeFrame } from "./frame";

// The bytes that server/frames.py writes for the arrays below; tests/server/test_frames.py compares with the same text.
const FRAME =
  "TEJGMVEBAAB7InZlcnNpb24iOjcsInRleHQiOiJcdTAwZTkiLCJhcnJheXMiOlt7Im5hbWUiOiJzdGVwIiwidHlwZSI6Imk4IiwibGVuZ3RoIjozLCJhdCI6MH0seyJuYW1lIjoiYmlnIiwidHlwZSI6Imk4IiwibGVuZ3RoIjoxLCJhdCI6MjQsInVuc2FmZSI6dHJ1ZX0seyJuYW1lIjoidmFsdWUiLCJ0eXBlIjoiZjQiLCJsZW5ndGgiOjMsImF0IjozMn0seyJuYW1lIjoid2FsbCIsInR5cGUiOiJmOCIsImxlbmd0aCI6MSwiYXQiOjQ4fSx7Im5hbWUiOiJieXRlcyIsInR5cGUiOiJ1MSIsImxlbmd0aCI6MywiYXQiOjU2fSx7Im5hbWUiOiJjb3VudCIsInR5cGUiOiJ1NCIsImxlbmd0aCI6MSwiYXQiOjY0fV19AAAAAAAAAAAAAAAAAAAA+/////////8BAAAAAAEAAAAAAAAAAAAQAADAPwAAwH8AAADAAAAAAJqZmZmZmbk/YWJjAAAAAAD/////AAAAAA==";

function bytes(base64: string): ArrayBuffer {
  const text = atob(base64);
  return Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer;
}

test("header and arrays come back", () => {
  const { header, arrays } = decodeFrame<{ version: number; text: string }>(bytes(FRAME));
  expect(header.version).toBe(7);
  expect(header.text).toBe("é");
  expect(arrays.get("step")).toEqual(new Float64Array([0, -5, 2 ** 40 + 1]));
  expect(arrays.get("value")).toEqual(new Float32Array([1.5, Number.NaN, -2]));
  expect(arrays.get("wall")).toEqual(new Float64Array([0.1]));
  expect(arrays.get("bytes")).toEqual(new Uint8Array([97, 98, 99]));
  expect(arrays.get("count")).toEqual(new Uint32Array([4294967295]));
});

test("steps beyond 2^53 keep every digit", () => {
  const { arrays } = decodeFrame(bytes(FRAME));
  expect(arrays.get("big")).toEqual(new BigInt64Array([2n ** 60n]));
});

test("a frame made here is read again", () => {
  const { header, arrays } = decodeFrame<{ word: string }>(
    encodeFrame({ word: "曲线" }, { x: new Float64Array([1, Number.NaN]), none: new Float64Array() }),
  );
  expect(header.word).toBe("曲线");
  expect(arrays.get("x")).toEqual(new Float64Array([1, Number.NaN]));
  expect(arrays.get("none")).toEqual(new Float64Array());
});

test("anything else is refused", () => {
  expect(() => decodeFrame(new ArrayBuffer(4))).toThrow("not a frame");
  expect(() => decodeFrame(new ArrayBuffer(64))).toThrow("not a frame");
});

/** "LBS2", a frame of 8 bytes, an error of 3 (status 404), a frame of 16. */
const SEVERAL = Uint8Array.from([
  ...[0x4c, 0x42, 0x53, 0x32, 3, 0, 0, 0],
  ...[8, 0, 0, 0, 0, 0, 0, 0, ...Array(8).fill(1)],
  ...[3, 0, 0, 0, 0x94, 1, 0, 0, 9, 9, 9, 0, 0, 0, 0, 0],
  ...[16, 0, 0, 0, 0, 0, 0, 0, ...Array(16).fill(2)],
]);

async function arrived(bytes: Uint8Array, pieceSize: number): Promise<[number, number[]][]> {
  const stream = new ReadableStream<Uint8Array>({
    start(control) {
      for (let at = 0; at < bytes.length; at += pieceSize) control.enqueue(bytes.slice(at, at + pieceSize));
      control.close();
    },
  });
  const found: [number, number[]][] = [];
  for await (const one of arrivingFrames(stream)) found.push([one.status, [...new Uint8Array(one.bytes)]]);
  return found;
}

test("several frames come apart as they were, in whatever pieces they travel", async () => {
  for (const pieceSize of [1, 3, 8, 21, 1000]) {
    expect(await arrived(SEVERAL, pieceSize)).toEqual([
      [0, Array(8).fill(1)],
      [404, [9, 9, 9]],
      [0, Array(16).fill(2)],
    ]);
  }
});

test("a frame is there before the next one has arrived", async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  void writer.write(SEVERAL.slice(0, 30));
  const first = await arrivingFrames(readable).next();
  expect(first.done).toBe(false);
});

test("what is cut off or something else is refused", async () => {
  await expect(arrived(SEVERAL.slice(0, 40), 7)).rejects.toThrow("cut off");
  await expect(arrived(new Uint8Array(bytes(FRAME)), 1000)).rejects.toThrow("not several frames");
});
