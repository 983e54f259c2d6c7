import { beforeEach, expect, test } from "vitest";
import { changeSettings, isOverridden, settingsIn } from "./scopes";
import { DEFAULT_VIEW, view } from "./view";

const CARD = { kind: "card", card: "tag:loss" } as const;

beforeEach(() => {
  view.value = DEFAULT_VIEW;
});

test("a switch turned on and off again leaves nothing behind", () => {
  changeSettings(CARD, { yScale: "log" });
  expect([settingsIn(CARD).yScale, isOverridden(CARD)]).toEqual(["log", true]);
  changeSettings(CARD, { yScale: "linear" });
  expect(isOverridden(CARD)).toBe(false);
  expect(view.value).toEqual(DEFAULT_VIEW);
});

test("a card keeps its word when the board changes to it and back", () => {
  changeSettings(CARD, { smoothing: 0 });
  changeSettings({ kind: "board" }, { smoothing: 0.3 });
  expect([settingsIn(CARD).smoothing, settingsIn({ kind: "board" }).smoothing]).toEqual([0, 0.3]);
});
