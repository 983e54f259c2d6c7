import { expect, test } from "vitest";
import { decodeFrame, encodeFrame, splitFrames } from "./frame";

// What server/frames.py writes for the arrays below; tests/server/test_frames.py holds it to this very text.
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

test("several frames come apart as they were", () => {
  // "LBS1", two frames of 8 and 16 bytes
  const answer = new Uint8Array(16 + 24);
  answer.set([0x4c, 0x42, 0x53, 0x31, 2, 0, 0, 0, 8, 0, 0, 0, 16, 0, 0, 0]);
  answer.fill(1, 16, 24);
  answer.fill(2, 24, 40);
  const [first, second] = splitFrames(answer.buffer);
  expect(new Uint8Array(first ?? new ArrayBuffer(0))).toEqual(new Uint8Array(8).fill(1));
  expect(new Uint8Array(second ?? new ArrayBuffer(0))).toEqual(new Uint8Array(16).fill(2));
  expect(() => splitFrames(bytes(FRAME))).toThrow("not several frames");
});
