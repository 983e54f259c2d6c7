import { expect, test } from "vitest";
import { type BoxSize, beside, type Rect } from "./beside";

const WINDOW = { width: 1280, height: 800 };

function overlap(rect: Rect, at: ReturnType<typeof beside>): number {
  const across = Math.min(rect.right, at.left + at.width) - Math.max(rect.left, at.left);
  const upright = Math.min(rect.bottom, at.top + at.height) - Math.max(rect.top, at.top);
  return Math.max(0, across) * Math.max(0, upright);
}

function card(left: number, top: number, width: number, height: number): Rect {
  return { left, top, right: left + width, bottom: top + height };
}

test("the right side comes first, then the left", () => {
  expect(beside(card(320, 100, 300, 240), { width: 300, height: 280 }, WINDOW)).toMatchObject({
    side: "right",
    left: 628,
    top: 100,
  });
  expect(beside(card(950, 100, 310, 240), { width: 300, height: 280 }, WINDOW)).toMatchObject({
    side: "left",
    left: 642,
  });
});

test("a card as wide as the window has it below or above", () => {
  expect(beside(card(8, 100, 1264, 240), { width: 300, height: 280 }, WINDOW).side).toBe("below");
  expect(beside(card(8, 500, 1264, 240), { width: 300, height: 280 }, WINDOW).side).toBe("above");
});

test("where it fits nowhere, it is made smaller", () => {
  const phone = { width: 390, height: 700 };
  const at = beside(card(8, 200, 374, 300), { width: 300, height: 400 }, phone);
  expect(at.height).toBeLessThan(400);
  expect(at.height).toBeGreaterThan(150);
});

test("it never covers the card and never leaves the window", () => {
  const sizes: readonly BoxSize[] = [WINDOW, { width: 390, height: 700 }, { width: 1920, height: 1080 }];
  for (const window of sizes) {
    for (let left = 8; left < window.width - 320; left += 37) {
      for (let top = -120; top < window.height - 60; top += 41) {
        const rect = card(left, top, 310, 240);
        const at = beside(rect, { width: 330, height: 300 }, window);
        expect(overlap(rect, at)).toBe(0);
        expect(at.left).toBeGreaterThanOrEqual(0);
        expect(at.top).toBeGreaterThanOrEqual(0);
        expect(at.left + at.width).toBeLessThanOrEqual(window.width);
        expect(at.top + at.height).toBeLessThanOrEqual(window.height);
      }
    }
  }
});
