import { expect, test } from "vitest";
import { decodeRows, encodeRows } from "./projector_row_code";

/** Returns pseudo-random rows, always the same ones. */
function some(total: number, oneOf: number): Uint32Array {
  let state = 12345;
  const rows: number[] = [];
  for (let row = 0; row < total; row++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    if (state / 2 ** 32 < 1 / oneOf) rows.push(row);
  }
  return Uint32Array.from(rows);
}

test.each([
  [10, 1],
  [1000, 2],
  [10_000, 5],
  [60_000, 12],
  [1_000_000, 3000],
])("of %d rows one of %d", (total, oneOf) => {
  const rows = some(total, oneOf);
  const text = encodeRows(rows, 100_000) ?? "";
  expect(decodeRows(text, total)).toEqual(rows);
});

test("two thousand of ten thousand fit into a link", () => {
  expect(encodeRows(some(10_000, 5), 2000)).not.toBeNull();
  expect(encodeRows(some(10_000, 5), 200)).toBeNull();
});

test("no rows, the first, the last", () => {
  for (const rows of [[], [0], [999_999], [0, 999_999]]) {
    const text = encodeRows(Uint32Array.from(rows), 1000);
    if (text !== null) expect([...decodeRows(text, 1_000_000)]).toEqual(rows);
  }
});

test("what was cut or is of other data gives what it can, and nothing that is not there", () => {
  const rows = some(5000, 4);
  const text = encodeRows(rows, 10_000) ?? "";
  for (const cut of [text.slice(0, 100), text.slice(0, 4), "z", "zzzzzzz.B", "zzzzzzzz.A", "z5.Y____", "", "z5.A"]) {
    const found = decodeRows(cut, 5000);
    expect(found.every((row, at) => row < 5000 && (at === 0 || row > (found[at - 1] ?? 0)))).toBe(true);
  }
  const fewer = decodeRows(text, 100);
  expect([...fewer]).toEqual([...rows].filter((row) => row < 100));
});
