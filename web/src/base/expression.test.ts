import { describe, expect, it } from "vitest";
import { expressionTitle, isExpression, mentions } from "./expression";

describe("metric expressions", () => {
  it("begin with an equals sign", () => {
    expect(isExpression('= "a" - "b"')).toBe(true);
    expect(isExpression("a=b")).toBe(false);
  });

  it("are titled without quotes where a name needs none", () => {
    expect(expressionTitle('= "train/loss" - "val/loss"')).toBe("train/loss - val/loss");
    expect(expressionTitle('= ema("a b", 0.9) / in_run("base line", "lr-group")')).toBe(
      'ema("a b", 0.9) / in_run("base line", "lr-group")',
    );
    expect(expressionTitle('= "say ""x"""')).toBe('"say ""x"""');
    expect(expressionTitle("loss")).toBe("loss");
  });

  it("mention the tags they are computed from", () => {
    expect(mentions('= "train/loss" - "say ""x"""', new Set(['say "x"']))).toBe(true);
    expect(mentions('= "train/loss" - "val/loss"', new Set(["loss"]))).toBe(false);
    expect(mentions("train/loss", new Set(["train/loss"]))).toBe(false);
  });
});
