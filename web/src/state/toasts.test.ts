import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { dismiss, tell, toasts } from "./toasts";

beforeEach(() => {
  vi.useFakeTimers();
  toasts.value = [];
});
afterEach(() => vi.useRealTimers());

test("news goes by itself, an error stays until it is closed", () => {
  tell("saved");
  const error = tell("not saved", { kind: "error" });
  vi.advanceTimersByTime(60_000);
  expect(toasts.value.map(({ text }) => text)).toEqual(["not saved"]);
  dismiss(error);
  expect(toasts.value).toEqual([]);
});

test("the same message twice is shown once, and a flood keeps the newest", () => {
  tell("again", { kind: "error" });
  tell("again", { kind: "error" });
  expect(toasts.value).toHaveLength(1);
  for (let i = 0; i < 10; i++) tell(`message ${i}`, { kind: "error" });
  expect(toasts.value.at(-1)?.text).toBe("message 9");
  expect(toasts.value.length).toBeLessThanOrEqual(4);
});
