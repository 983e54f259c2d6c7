import { expect, test } from "vitest";
import { compilePattern, type Pattern } from "./pattern";

function compiled(text: string): Pattern {
  const pattern = compilePattern(text);
  if (typeof pattern === "string") throw new Error(`${text}: ${pattern}`);
  return pattern;
}

test("case is ignored and a match may stand anywhere", () => {
  const pattern = compiled("SEED_(\\d)");
  expect(pattern.test("run/seed_7/x")).toBe(true);
  expect(pattern.groups).toBe(1);
  expect(pattern.exec("seed_7")?.[1]).toBe("7");
});

test("of a name a thousand characters are looked at", () => {
  expect(compiled("x").test(`${"a".repeat(999)}x`)).toBe(true);
  expect(compiled("x").test(`${"a".repeat(1000)}x`)).toBe(false);
});

test("long patterns say what is wrong", () => {
  expect(compilePattern("x".repeat(2001))).toBe("long");
  expect(typeof compilePattern("x".repeat(2000))).toBe("object");
});

const HOSTILE = ["(a+)+$", "(a|a)*$", "(a|aa)+$", "(.*)*x", "(a?){400}b", ".*.*.*.*.*.*.*.*#", "(a*)*b", "(.*a){20}!"];

test.each(HOSTILE)("%s on long names does not hang the page", (text) => {
  const pattern = compiled(text);
  for (let i = 0; i < 200; i++) pattern.test(`${"a".repeat(900)}${i}?`);
  pattern.exec(`${"a".repeat(900)}?`);
});

test("a pattern that needs a new state for each character is given up", () => {
  const pattern = compiled(".*[a-m].{300}#");
  let random = 1;
  const letter = (): string => {
    random = (random * 48271) % 2147483647;
    return String.fromCharCode(97 + (random % 26));
  };
  for (let i = 0; i < 2000 && !pattern.spent(); i++) pattern.test(Array.from({ length: 900 }, letter).join(""));
  expect(pattern.spent()).toBe(true);
  expect(pattern.test("#")).toBe(false);
});

test("an ordinary pattern on very many names is not given up", () => {
  const pattern = compiled("^(resnet|vit).*lr=[0-9.e-]+.*seed_(\\d+)$");
  for (let i = 0; i < 20_000; i++) expect(pattern.test(`vit-${i % 7}/lr=${i / 1000}/运行${i}/seed_${i}`)).toBe(true);
  expect(pattern.spent()).toBe(false);
});

test("finds are told line by line, without empty ones", () => {
  expect([...compiled("^o+|b*$").finds("oo o\nfoob\no")]).toEqual([
    [0, 2],
    [8, 9],
    [10, 11],
  ]);
  expect([...compiled("a.").finds("abac\na")]).toEqual([
    [0, 2],
    [2, 4],
  ]);
});
