import { expect, test } from "vitest";
import { formatView, parseView, type View } from "./view";

test("a view survives the way through the address", () => {
  const view: View = { runFilter: "^a b&c=中", tagFilter: "loss|acc", language: "zh" };
  expect(parseView(formatView(view, ""))).toEqual(view);
});

test("an untouched view leaves a clean address", () => {
  expect(formatView(parseView(""), "")).toBe("");
});

test("parameters of others are kept", () => {
  expect(formatView({ runFilter: "x", tagFilter: "", language: null }, "?embed=1&tags=old")).toBe("?embed=1&runs=x");
});

test("a language we do not speak is ignored", () => {
  expect(parseView("?lang=xx").language).toBeNull();
});
