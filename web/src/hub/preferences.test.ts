import { expect, test } from "vitest";
import { agoText, chooseLanguageFor, dateText, now, secondsOf, spanText, untilText } from "./preferences";

test("spans have at most two units and are rounded up", () => {
  chooseLanguageFor("en");
  expect([0.4, 45, 60, 61, 3600, 11520, 86_399, 86_400, 90_000].map(spanText)).toEqual([
    "1 s",
    "45 s",
    "1 min",
    "2 min",
    "1 h",
    "3 h 12 min",
    "1 d",
    "1 d",
    "1 d 1 h",
  ]);
  chooseLanguageFor("zh");
  expect(spanText(11520)).toBe("3 小时 12 分钟");
  chooseLanguageFor("en");
});

test("times of the hub are relative to the clock of the page", () => {
  chooseLanguageFor("en");
  now.value = (secondsOf("2026-11-18T06:10:00.500Z") ?? 0) + 300;
  expect(agoText("2026-11-18T06:10:00.500Z")).toBe("5 minutes ago");
  expect(agoText("2026-11-18T06:15:00.000Z")).toBe("now");
  expect(agoText("2026-11-18T09:00:00Z"), "a clock that is behind").toBe("now");
  expect(untilText("2026-11-18T06:27:00.500Z")).toBe("12 min");
  expect(untilText("2026-11-18T06:00:00Z")).toBe(null);
});

test("never and wrong times are no text", () => {
  expect([agoText(null), dateText(null), untilText(null), agoText("soon")]).toEqual(["", "", null, ""]);
});
