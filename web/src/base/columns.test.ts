import { expect, test } from "vitest";
import { decodeCodes, decodeColumns, valueOfCode, valueReader } from "./columns";

// Three series of six columns; the second series has no point. tests/server/test_frames.py reads the same bytes.
const FRAME =
  "TEJDMQMAAAAGAAAACAAAAAAAAAAAAABAAAAAAAAACEAAAAAAAECPQAIAAAgAAAAAM8ADCIAAjdoNhgckVPUCAwVsBgsEAI5BluJvcFR3AgEDYwkJBAAEAAcABwAABwYB";

const N = Number.NaN;

const bytes = Uint8Array.from(atob(FRAME), (character) => character.charCodeAt(0));

function expectClose(found: Float64Array, wanted: readonly number[]): void {
  expect(found.length).toBe(wanted.length);
  wanted.forEach((value, i) => {
    if (Number.isNaN(value)) expect(found[i]).toBeNaN();
    else expect(found[i]).toBeCloseTo(value, 6);
  });
}

test("columns come back as the reference reads them", () => {
  const found = decodeColumns(bytes);
  expect([found.series, found.columns]).toEqual([3, 6]);
  expectClose(found.first, [
    1.0014233987694572,
    2.5002903013008146,
    N,
    N,
    0.5007104492018382,
    999956.5511744695,
    N,
    N,
    N,
    N,
    N,
    N,
    N,
    N,
    -2.0019388573481756,
    2.9985766012305426,
    4.998415213824732,
    4.498101868907009,
  ]);
  expectClose(found.min, [
    1.0014233987694572,
    2.5002903013008146,
    N,
    N,
    0.5007104492018382,
    999956.5511744695,
    N,
    N,
    N,
    N,
    N,
    N,
    N,
    N,
    -2.0019388573481756,
    2.9985766012305426,
    4.998415213824732,
    4.498101868907009,
  ]);
  expectClose(found.max, [
    2.9985766012305426,
    2.5002903013008146,
    N,
    N,
    3.999476793369848,
    999956.5511744695,
    N,
    N,
    N,
    N,
    N,
    N,
    N,
    N,
    -0.9984152138247322,
    2.9985766012305426,
    4.998415213824732,
    4.749170045006652,
  ]);
  expectClose(found.last, [
    2.1426538001757915,
    2.5002903013008146,
    N,
    N,
    3.999476793369848,
    999956.5511744695,
    N,
    N,
    N,
    N,
    N,
    N,
    N,
    N,
    -0.9984152138247322,
    2.9985766012305426,
    4.998415213824732,
    4.749170045006652,
  ]);
  // both infinities in the first series, a NaN in the third
  expect([...found.nonfinite]).toEqual([0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
});

test("columns are read where they lie in a larger answer", () => {
  const shifted = new Uint8Array(bytes.length + 5);
  shifted.set(bytes, 5);
  expect(decodeColumns(shifted.subarray(5)).min[0]).toBeCloseTo(1.0014234, 6);
});

test("anything else is refused", () => {
  expect(() => decodeColumns(bytes.subarray(0, bytes.length - 1))).toThrow("cut off");
  expect(() => decodeColumns(new Uint8Array(100))).toThrow("not a table");
  expect(() => decodeColumns(new Uint8Array(0))).toThrow("not a table");
});

test("a reader of many values reads each as one alone is read", () => {
  const codes = decodeCodes(bytes);
  for (const given of [codes, { ...codes, resolution: 3 }, { ...codes, least: -1_000_000 }]) {
    const read = valueReader(given);
    for (const code of [...codes.low, ...codes.high].filter((one) => one >= codes.least)) {
      expect(read(code)).toBe(valueOfCode(given, code));
    }
  }
});
