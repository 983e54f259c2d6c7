// Tests the contrast of color tokens: WCAG AA (4.5) for text, 3 for other visible elements.

import { expect, test } from "vitest";
import { contrast } from "./base/color";
import sheet from "./theme.css?raw";

function tokensOf(theme: string): ReadonlyMap<string, string> {
  const block = new RegExp(`\\[data-theme="${theme}"\\] \\{([^}]*)\\}`).exec(sheet)?.[1] ?? "";
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = "", color = ""]) => [name, color]));
}

const SURFACES = ["page", "card", "raised", "hover", "selected"];
const TEXTS = ["text", "quiet", "accent", "good", "warn", "bad"];
/** Text on a colored surface. */
const PAIRS: readonly (readonly [text: string, surface: string])[] = [
  ["on-accent", "accent"],
  ["on-bad", "bad"],
  ["warn", "warn-soft"],
  ["bad", "bad-soft"],
  ["good", "good-soft"],
  ["accent", "accent-soft"],
  ["text", "mark"],
];

for (const theme of ["light", "dark"]) {
  const tokens = tokensOf(theme);
  const between = (one: string, other: string): number => contrast(tokens.get(one) ?? "", tokens.get(other) ?? "");

  test(`${theme}: every text is legible on every surface`, () => {
    const poor = [...SURFACES.flatMap((surface) => TEXTS.map((text) => [text, surface] as const)), ...PAIRS]
      .map(([text, surface]) => ({ text, surface, is: between(text, surface) }))
      .filter(({ is }) => !(is >= 4.5));
    expect(poor).toEqual([]);
  });

  // a field is recognized by its text, icon or placeholder; its border is only decoration until it is hovered or focused
  test(`${theme}: borders of hovered and focused fields, and marks can be seen`, () => {
    const seen = ["edge", "accent", "good", "warn", "bad"].flatMap((mark) =>
      ["page", "card", "raised"].map((surface) => ({ mark, surface, is: between(mark, surface) })),
    );
    expect(seen.filter(({ is }) => !(is >= 3))).toEqual([]);
  });
}

test("both themes have the same tokens", () => {
  expect([...tokensOf("dark").keys()]).toEqual([...tokensOf("light").keys()]);
  expect(tokensOf("light").size).toBeGreaterThan(20);
});
