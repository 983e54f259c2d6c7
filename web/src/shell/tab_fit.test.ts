import { expect, test } from "vitest";
import { fittingTabs } from "./tab_fit";

const tabsPx = [100, 50, 80];

test("all tabs fit beside the menu and one more tab", () => {
  expect(fittingTabs({ tabsPx, menuPx: 70, widestPx: 120, roomPx: 420 })).toBe(3);
});

test("the space for the current page is kept even if it is in the row", () => {
  expect(fittingTabs({ tabsPx, menuPx: 70, widestPx: 120, roomPx: 419 })).toBe(2);
});

test("no later tab takes the place of one that does not fit", () => {
  expect(fittingTabs({ tabsPx: [100, 300, 10], menuPx: 70, widestPx: 120, roomPx: 400 })).toBe(1);
});

test("in a narrow window only the menu remains", () => {
  expect(fittingTabs({ tabsPx, menuPx: 70, widestPx: 120, roomPx: 200 })).toBe(0);
});
