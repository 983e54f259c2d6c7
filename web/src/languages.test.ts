// Tests which files a new language changes: one entry in base/locale.ts and its texts in every area of state/texts/ and
// hub/texts/. No other file may name a language or choose a format of numbers and dates; CONTRIBUTING.md ("A new language") has the
// same list.

import { expect, test } from "vitest";
import contributing from "../../CONTRIBUTING.md?raw";
import { LANGUAGES } from "./base/locale";

const sources = import.meta.glob<string>("./**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });
const areas = import.meta.glob<{ readonly words: Readonly<Record<string, object>> }>(
  ["./state/texts/*.ts", "./hub/texts/*.ts", "!./state/texts/index.ts"],
  { eager: true },
);

const LANGUAGE_CODE = new RegExp(`["'\`](${LANGUAGES.join("|")})(-[A-Z]{2})?["'\`]|\\b(${LANGUAGES.join("|")}):`);
const FORMATTER = /\bIntl\.\w+Format\(|\.toLocale(Date|Time)?String\(/;

function filesWith(pattern: RegExp): readonly string[] {
  const written = Object.entries(sources).filter(([file]) => !/\btest(_data)?\.ts$|_test_data\.ts$/.test(file));
  return written.filter(([, source]) => pattern.test(source)).map(([file]) => file.slice("./".length));
}

test("languages are named in the list of languages and nowhere else but where words need the format of numbers", () => {
  const outside = filesWith(LANGUAGE_CODE).filter((file) => !/^(state|hub)\/texts\//.test(file));
  expect(outside).toEqual(["base/locale.ts"]);
});

test("numbers and dates are formatted in one place", () => {
  expect(filesWith(FORMATTER)).toEqual(["base/locale.ts"]);
});

test("every area has its words in every language", () => {
  expect(Object.keys(areas).length).toBeGreaterThan(15);
  for (const [file, { words }] of Object.entries(areas)) expect(Object.keys(words), file).toEqual(LANGUAGES);
});

test("the guide lists the files of a new language", () => {
  const [, section = ""] = /^## A new language\n([\s\S]*?)^## /m.exec(contributing) ?? [];
  for (const path of ["web/src/base/locale.ts", "web/src/hub/texts/", "docs/reference/page.md"]) {
    expect(section).toContain(path);
  }
  const ofBoards = Object.keys(areas).filter((file) => file.startsWith("./state/"));
  expect(section).toContain(`| \`web/src/state/texts/\`: ${ofBoards.length} files, one per area |`);
});
