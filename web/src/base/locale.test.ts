import { expect, test } from "vitest";
import {
  chooseLanguage,
  formatAgo,
  formatDate,
  formatDateParts,
  formatWhole,
  isLanguage,
  LANGUAGES,
  languageName,
  languageTag,
} from "./locale";

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

test("dates of tables have digits only", () => {
  expect(formatDate(MOMENT, "en", "table")).toBe("16/11/26, 02:04");
  expect(formatDate(MOMENT, "zh", "table")).toBe("26/11/16 02:04");
});

test("other dates name the month", () => {
  expect(formatDate(MOMENT, "en", "short")).toMatch(/Nov.*02:04:09/);
  expect(formatDate(MOMENT, "zh", "short")).toBe("11月16日 02:04:09");
  expect(formatDate(MOMENT, "zh", "full")).toBe("2026年11月16日 02:04:09");
  expect(formatDate(MOMENT, "en", "zoned")).toMatch(/^16 Nov 2026, 02:04:09 \S+/);
});

test("seconds that are no date are no text", () => {
  for (const seconds of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e12 + 1, -1e300]) {
    expect(formatDate(seconds, "en", "short")).toBeNull();
  }
});

test("parts of a date and ages are in the language", () => {
  const parts = { month: "short", day: "numeric" } as const;
  expect(formatDateParts(new Date(MOMENT * 1000), parts, "en")).toBe("Nov 16");
  expect(formatDateParts(new Date(MOMENT * 1000), parts, "zh")).toBe("11月16日");
  expect(formatAgo(3, "minute", "en")).toBe("3 minutes ago");
  expect(formatAgo(1, "day", "zh")).toBe("昨天");
});
