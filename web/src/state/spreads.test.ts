import { expect, test } from "vitest";
import { type SpreadAsk, together } from "./spreads";

function ask(tag: string, run: string, more: Partial<SpreadAsk> = {}): SpreadAsk {
  return { kind: "histograms", tag, run, limit: 50, lo: null, hi: null, ...more };
}

test("cards that ask alike ask together, as tables of tags and runs", () => {
  const groups = together([ask("w", "a"), ask("w", "b"), ask("v", "b"), ask("v", "a")]);
  expect(groups.map((group) => group.length)).toEqual([4]);
});

test("tags of other runs ask apart: nobody asks for what nobody wants", () => {
  const groups = together([ask("w", "a"), ask("w", "b"), ask("v", "b")]);
  expect(groups.map((group) => group.map(({ tag, run }) => tag + run))).toEqual([["wa", "wb"], ["vb"]]);
});

test("other ranges and numbers of steps ask apart", () => {
  expect(together([ask("w", "a"), ask("v", "a", { limit: 100 }), ask("u", "a", { lo: "3" })]).length).toBe(3);
});
