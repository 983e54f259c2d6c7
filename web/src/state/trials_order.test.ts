import { expect, test } from "vitest";
import { sortKey, sortTrials } from "./trials_order";
import { column } from "./trials_test_data";

const all = Int32Array.from([0, 1, 2, 3, 4]);
const loss = column("metric:loss", [2, Number.NaN, 1, Number.POSITIVE_INFINITY, 1]);

test("trials without a value come last either way, and equal ones stay as they were", () => {
  expect([...sortTrials(all, [{ column: loss, down: false }])]).toEqual([2, 4, 0, 3, 1]);
  expect([...sortTrials(all, [{ column: loss, down: true }])]).toEqual([3, 0, 2, 4, 1]);
});

test("a second column decides between equals", () => {
  const units = column("hparam:units", [1, 1, 1, 1, 9]);
  const keys = [
    { column: loss, down: false },
    { column: units, down: true },
  ];
  expect([...sortTrials(all, keys)]).toEqual([4, 2, 0, 3, 1]);
});

test("only the trials given are sorted", () => {
  expect([...sortTrials(Int32Array.from([4, 3, 0]), [{ column: loss, down: false }])]).toEqual([4, 0, 3]);
  expect(sortTrials(all, [])).toBe(all);
});

test("a minus turns a key round", () => {
  expect(sortKey("-metric:loss")).toEqual({ column: "metric:loss", down: true });
  expect(sortKey("hparam:lr")).toEqual({ column: "hparam:lr", down: false });
});

test("thousands with many equals are in the order that comparing one by one gives", () => {
  const random = (at: number): number => Math.abs(Math.sin(at * 12.9898) * 43758.5453) % 1;
  const numbers = Array.from({ length: 3000 }, (_, at) => Math.round(random(at) * 50) - 25);
  const more = Array.from({ length: 3000 }, (_, at) => (random(at + 0.5) < 0.1 ? Number.NaN : random(at + 0.7)));
  const [coarse, fine] = [column("hparam:units", numbers), column("metric:loss", more)];
  const trials = Int32Array.from(numbers.keys());
  const behind = (number: number): number => (Number.isNaN(number) ? Number.POSITIVE_INFINITY : number);
  const expected = [...trials].sort((a, b) => {
    const first = (numbers[b] ?? 0) - (numbers[a] ?? 0);
    const [one, other] = [behind(more[a] ?? 0), behind(more[b] ?? 0)];
    return first !== 0 ? first : one === other ? a - b : one - other;
  });
  const keys = [
    { column: coarse, down: true },
    { column: fine, down: false },
  ];
  expect([...sortTrials(trials, keys)]).toEqual(expected);
});

test("the two zeros are equal, up and down", () => {
  const zeros = column("metric:gain", [0, -0, 0, -0, -1]);
  expect([...sortTrials(all, [{ column: zeros, down: false }])]).toEqual([4, 0, 1, 2, 3]);
  expect([...sortTrials(all, [{ column: zeros, down: true }])]).toEqual([0, 1, 2, 3, 4]);
});
