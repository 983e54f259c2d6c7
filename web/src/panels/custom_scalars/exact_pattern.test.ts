import { expect, test } from "vitest";
import { exactPattern } from "./exact_pattern";

test("a tag as an expression matches itself and nothing longer", () => {
  for (const tag of ["loss/train", "a+b (1)", "x.y[0]|^$", "中文", "back\\slash"]) {
    const expression = new RegExp(`^(?:${exactPattern(tag)})`);
    expect(expression.test(tag)).toBe(true);
    expect(expression.test(`${tag}/more`)).toBe(false);
  }
});
