// Tests that the page matches patterns as the server does; tests/query/test_patterns.py reads the same table.

import { expect, test } from "vitest";
import table from "../../tests/query/pattern_cases.json?raw";
import { compilePattern } from "./base/pattern";

type Case = readonly [pattern: string, text: string, expected: boolean | string | readonly (string | null)[]];
const CASES: readonly Case[] = JSON.parse(table);

test.each(CASES)("%j in %j is %j, as on the server", (text, name, expected) => {
  const pattern = compilePattern(text);
  if (typeof expected === "string" || typeof pattern === "string") {
    expect(pattern).toBe(expected);
    return;
  }
  expect(pattern.test(name)).toBe(expected !== false);
  expect(pattern.exec(name) !== null).toBe(expected !== false);
  if (typeof expected === "object")
    expect(
      pattern
        .exec(name)
        ?.slice(1)
        .map((part) => part ?? null),
    ).toEqual(expected);
});
