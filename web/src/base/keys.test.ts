import { expect, test } from "vitest";
import { keyLabel, matches } from "./keys";

const none = { key: "", code: "", ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };

test("mod is Ctrl, and Cmd on a Mac", () => {
  expect(matches("mod+k", { ...none, key: "k", ctrlKey: true }, false)).toBe(true);
  expect(matches("mod+k", { ...none, key: "k", metaKey: true }, false)).toBe(false);
  expect(matches("mod+k", { ...none, key: "k", metaKey: true }, true)).toBe(true);
});

test("a letter alone is not the letter with a modifier", () => {
  expect(matches("r", { ...none, key: "r" }, false)).toBe(true);
  expect(matches("r", { ...none, key: "r", ctrlKey: true }, false)).toBe(false);
  expect(matches("r", { ...none, key: "R", shiftKey: true }, false)).toBe(false);
});

test("undo and redo are told apart by Shift", () => {
  const redo = { ...none, key: "Z", ctrlKey: true, shiftKey: true };
  expect(matches("mod+z", redo, false)).toBe(false);
  expect(matches("mod+shift+z", redo, false)).toBe(true);
});

test("signs are heard wherever the keyboard has them", () => {
  expect(matches("?", { ...none, key: "?", shiftKey: true }, false)).toBe(true);
  expect(matches("/", { ...none, key: "/" }, false)).toBe(true);
  expect(matches("/", { ...none, key: "/", shiftKey: true }, false)).toBe(true);
});

test("Alt with a letter goes by the key's place: a Mac writes a sign", () => {
  expect(matches("alt+m", { ...none, key: "µ", code: "KeyM", altKey: true }, true)).toBe(true);
});

test("keys are named as they are printed", () => {
  expect(keyLabel("mod+shift+z", false)).toBe("Ctrl+Shift+Z");
  expect(keyLabel("mod+shift+z", true)).toBe("⌘⇧Z");
  expect(keyLabel("alt+left", false)).toBe("Alt+←");
  expect(keyLabel("backspace", true)).toBe("Backspace");
});
