import { expect, test } from "vitest";
import { afterChoice, type Chosen, ranked } from "./palette_memory";

function after(...keys: readonly string[]): readonly Chosen[] {
  return keys.reduce(afterChoice, [] as readonly Chosen[]);
}

test("the newest choice comes first, a frequent one before it", () => {
  expect(ranked(after("a", "b", "c"))).toEqual(["c", "b", "a"]);
  expect(ranked(after("a", "a", "a", "a", "b", "c"))).toEqual(["a", "c", "b"]);
});

test("a choice that was frequent long ago gives way to newer ones", () => {
  const long = after("old", "old", ...Array.from({ length: 10 }, (_, i) => `new${i}`));
  expect(ranked(long)[0]).toBe("new9");
  expect(ranked(long).indexOf("old")).toBeGreaterThan(5);
});

test("the memory is bounded", () => {
  expect(after(...Array.from({ length: 200 }, (_, i) => `k${i}`))).toHaveLength(50);
});
