import { expect, test } from "vitest";
import {
  chooseLanguage,
  durationUnits,
  formatAgo,
  formatDate,
  formatDateParts,
  formatIso,
  formatWhole,
  isLanguage,
  LANGUAGES,
  languageName,
  languageTag,
} from "./locale";
import { formatDuration } from "./numbers";

// local time, so that the digits are the same in every time zone
const MOMENT = new Date(2026, 10, 16, 2, 4, 9).getTime() / 1000;

test("the reader's first language that the page has is chosen", () => {
  expect(chooseLanguage(["fr-FR", "zh-CN", "en-US"])).toBe("zh");
  expect(chooseLanguage(["en-GB", "zh"])).toBe("en");
  expect(chooseLanguage(["de", "constructor"])).toBe("en");
});

test("only codes of languages are languages", () => {
  expect(LANGUAGES.every(isLanguage)).toBe(true);
  for (const text of ["zh-CN", "", "toString", null, undefined]) expect(isLanguage(text)).toBe(false);
});

test("each language has its own name and a tag that browsers know", () => {
  expect(LANGUAGES.map(languageName)).toEqual(["English", "简体中文"]);
  expect(Intl.getCanonicalLocales(LANGUAGES.map(languageTag))).toEqual(["en", "zh-CN"]);
});

test("whole numbers are grouped as the browser groups them", () => {
  for (const language of LANGUAGES) {
    for (const value of [0, 7, 999, 1000, 1234567, -1234, -123456, Number.MAX_SAFE_INTEGER]) {
      expect(formatWhole(value, language)).toBe(value.toLocaleString(languageTag(language)));
    }
  }
  expect(formatWhole(1e21, "en")).toBe("1,000,000,000,000,000,000,000");
  expect(formatWhole(1234.5, "en")).toBe("1,234.5");
});

const THIS_YEAR = new Date(2026, 5, 1);

test("dates of this year have month, day and time", () => {
  expect(formatDate(MOMENT, "en", "minute", THIS_YEAR)).toBe("Nov 16, 02:04");
  expect(formatDate(MOMENT, "zh", "minute", THIS_YEAR)).toBe("11月16日 02:04");
  expect(formatDate(MOMENT, "en", "second", THIS_YEAR)).toBe("Nov 16, 02:04:09");
  expect(formatDate(MOMENT, "zh", "second", THIS_YEAR)).toBe("11月16日 02:04:09");
});

test("dates of other years have the year first in every language", () => {
  for (const language of LANGUAGES) {
    expect(formatDate(MOMENT, language, "minute", new Date(2027, 0, 1))).toBe("2026-11-16");
    expect(formatDate(MOMENT, language, "second", new Date(2027, 0, 1))).toBe("2026-11-16 02:04:09");
  }
});

test("exact times are local, name their zone and can be parsed", () => {
  expect(formatIso(MOMENT)).toMatch(/^2026-11-16T02:04:09[+-]\d\d:\d\d$/);
  expect(formatIso(MOMENT + 0.25)).toMatch(/^2026-11-16T02:04:09\.250[+-]/);
  expect(Date.parse(formatIso(MOMENT) ?? "") / 1000).toBe(MOMENT);
});

test("durations have the units of the language", () => {
  const text = (seconds: number): string => formatDuration(seconds, 0, durationUnits("zh"));
  expect(text(99)).toBe("1 分 39 秒");
  expect([text(0.25), text(3.2), text(3725), text(180_000)]).toEqual([
    "250 毫秒",
    "3.2 秒",
    "1 小时 2 分 5 秒",
    "2 天 2 小时",
  ]);
  expect(formatDuration(120, 1, durationUnits("zh"))).toBe("2 分");
  expect(formatDuration(99, 0, durationUnits("en"))).toBe("1m 39s");
});

test("seconds that are no date are no text", () => {
  for (const seconds of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e12 + 1, -1e300]) {
    expect(formatDate(seconds, "en", "minute")).toBeNull();
    expect(formatIso(seconds)).toBeNull();
  }
});

test("parts of a date and ages are in the language", () => {
  const parts = { month: "short", day: "numeric" } as const;
  expect(formatDateParts(new Date(MOMENT * 1000), parts, "en")).toBe("Nov 16");
  expect(formatDateParts(new Date(MOMENT * 1000), parts, "zh")).toBe("11月16日");
  expect(formatAgo(3, "minute", "en")).toBe("3 minutes ago");
  expect(formatAgo(1, "day", "zh")).toBe("昨天");
});
