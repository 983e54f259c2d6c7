import { expect, test } from "vitest";
import { activeAfterKey, afterKey, CLOSED, type ListState, stepAround } from "./list_keys";

const OPEN: ListState = { open: true, active: -1 };

test("steps go around, and from no option to the nearer end", () => {
  expect([stepAround(-1, 1, 3), stepAround(2, 1, 3), stepAround(0, -1, 3), stepAround(-1, -1, 3)]).toEqual([
    0, 0, 2, 2,
  ]);
  expect(stepAround(-1, 1, 0)).toBe(-1);
});

test("arrows go around a list, pages stop at its ends", () => {
  expect([activeAfterKey("ArrowDown", 9, 10), activeAfterKey("ArrowUp", 0, 10)]).toEqual([0, 9]);
  expect([activeAfterKey("PageDown", 5, 10), activeAfterKey("PageUp", 5, 10)]).toEqual([9, 0]);
  expect([activeAfterKey("ArrowDown", 0, 0), activeAfterKey("PageDown", 0, 0)]).toEqual([0, 0]);
  expect(activeAfterKey("Home", 3, 10)).toBeNull();
});

test("arrows move in an open list", () => {
  expect(afterKey(OPEN, "ArrowDown", 2)).toEqual({ state: { open: true, active: 0 }, request: "moved" });
  expect(afterKey(OPEN, "ArrowUp", 2)).toEqual({ state: { open: true, active: 1 }, request: "moved" });
});

test("the down arrow opens a closed list and moves nothing", () => {
  expect(afterKey(CLOSED, "ArrowDown", 2)).toEqual({ state: OPEN, request: null });
  expect(afterKey(CLOSED, "ArrowUp", 2)).toEqual({ state: CLOSED, request: null });
});

test("Enter and Tab choose the active option, Enter alone takes the text", () => {
  const active = { open: true, active: 1 };
  for (const key of ["Enter", "Tab"]) expect(afterKey(active, key, 2).request).toBe("choose");
  expect(afterKey(OPEN, "Enter", 2)).toEqual({ state: CLOSED, request: "enter" });
  expect(afterKey(OPEN, "Tab", 2).request).toBeNull();
});

test("an option that is gone is not chosen", () => {
  expect(afterKey({ open: true, active: 5 }, "Enter", 2).request).toBe("enter");
  expect(afterKey({ open: false, active: 0 }, "Enter", 2).request).toBe("enter");
});

test("Esc leaves the box and keeps its text; an open list closes by itself", () => {
  expect(afterKey(CLOSED, "Escape", 2).request).toBe("leave");
  expect(afterKey(OPEN, "Escape", 2)).toEqual({ state: OPEN, request: null });
  expect(afterKey(OPEN, "Escape", 0).request).toBe("leave");
});

test("letters do nothing here", () => {
  expect(afterKey(OPEN, "x", 2)).toEqual({ state: OPEN, request: null });
});
