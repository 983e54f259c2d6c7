import { expect, test } from "vitest";
import { tailStart } from "./run_name";

test("a long name is cut before what tells it apart", () => {
  const tail = (name: string): string => name.slice(tailStart(name));
  expect(tail("sweep/units=32,optimizer=adam,dropout=0.2,seed=1")).toBe(",seed=1");
  expect(tail("sweep/units=32,optimizer=adam,dropout=0,seed=1")).toBe(",dropout=0,seed=1");
  expect(tail("x".repeat(40))).toBe("x".repeat(14));
  // surrogate pairs are not split
  expect(tail(`${"x".repeat(30)}${"🚀".repeat(10)}`)).toBe("🚀".repeat(7));
  expect(tail(`${"x".repeat(31)}${"🚀".repeat(10)}y`).codePointAt(0)).toBe(0x1f680);
});
