import { expect, test } from "vitest";
import { asRows, formatRows, inBoth, isPart, parseRows, rowSet, rowsOf, shorten } from "./projector_rows";

const list = (rows: Uint32Array): number[] => [...rows];

test("rows next to each other are one range", () => {
  expect(formatRows(Uint32Array.of(0, 1, 2, 5, 7, 8))).toBe("0-2,5,7-8");
  expect(formatRows(new Uint32Array())).toBe("");
});

test("a text gives its rows back, in order, once, and none beyond the end", () => {
  expect(list(parseRows("7-8,0-2,1,5", 100))).toEqual([0, 1, 2, 5, 7, 8]);
  expect(list(parseRows("0-4000000000", 3))).toEqual([0, 1, 2]);
  expect(list(parseRows("", 3))).toEqual([]);
  expect(list(parseRows("5", 0))).toEqual([]);
});

test("lists are joined", () => {
  expect(list(rowSet([3, 1], Uint32Array.of(2, 3)))).toEqual([1, 2, 3]);
});

const odd = (length: number): Uint32Array => Uint32Array.from({ length }, (_, at) => 2 * at + 1);

test("a long set is coded, and every page reads it", () => {
  const { text, whole } = shorten(odd(5000));
  expect(whole).toBe(true);
  expect(text.length).toBeLessThan(2000);
  expect(parseRows(text, 20_000)).toEqual(odd(5000));
});

test("a set too long for an address is whole as long as the page is open", () => {
  const { text, whole } = shorten(odd(50_000));
  expect(whole).toBe(false);
  expect(text.length).toBeLessThanOrEqual(4020);
  expect(rowsOf(text, 200_000)).toEqual(odd(50_000));
  expect(isPart(text)).toBe(false);
  // another page has only the URL
  expect(isPart(`${text}z`)).toBe(true);
  expect(parseRows(text, 200_000).length).toBeGreaterThan(500);
});

test("two very long sets that begin alike are told apart", () => {
  const [one, other] = [shorten(odd(50_000)), shorten(odd(49_990))];
  expect(rowsOf(one.text, 200_000).length).toBe(50_000);
  expect(rowsOf(other.text, 200_000).length).toBe(49_990);
});

test("what two lists share", () => {
  expect(list(inBoth(Uint32Array.of(1, 4, 6, 9), Uint32Array.of(0, 4, 5, 9, 12)))).toEqual([4, 9]);
  const some = Uint32Array.of(3, 4);
  expect(inBoth(some, null)).toBe(some);
  expect(inBoth(some, Uint32Array.of(1, 3, 4))).toBe(some);
  expect(list(inBoth(some, new Uint32Array()))).toEqual([]);
});

test("few rows are told one by one, many as bits", () => {
  expect(asRows(null, 10)).toEqual({});
  expect(asRows(Uint32Array.of(1, 7), 10)).toEqual({ rows: [1, 7] });
  const odd = Uint32Array.from({ length: 100_000 }, (_, at) => 2 * at + 1);
  const { mask = "" } = asRows(odd, 200_003);
  const bytes = Uint8Array.from(atob(mask), (letter) => letter.charCodeAt(0));
  expect(bytes.length).toBe(25_001);
  expect(bytes.subarray(0, 25_000).every((byte) => byte === 0b10101010)).toBe(true);
  expect(bytes[25_000]).toBe(0);
});
