import { expect, test } from "vitest";
import { compilePattern } from "./pattern";

test("case is ignored and a match may stand anywhere", () => {
  const pattern = compilePattern("SEED_(\\d)");
  if (typeof pattern === "string") throw new Error(pattern);
  expect(pattern.test("run/seed_7/x")).toBe(true);
  expect(pattern.groups).toBe(1);
  expect(pattern.exec("seed_7")?.[1]).toBe("7");
});

test("patterns that may never finish are refused", () => {
  for (const text of ["(a+)+", "(x|y*)*", "((a+))+", "(a{2,})+", "(?:a*)*"])
    expect(compilePattern(text)).toBe("nested");
  for (const text of ["a+b+", "(ab)+", "[(a+)+]x", "\\(a+\\)+", "(a+)b+", "(a+)?"]) {
    expect(typeof compilePattern(text)).toBe("object");
  }
});

test("half-typed and endless patterns say what is wrong", () => {
  expect(compilePattern("seed_(")).toBe("invalid");
  expect(compilePattern("x".repeat(501))).toBe("long");
});
