// Every code of the hub's errors has a sentence, in every language.

import { expect, test } from "vitest";
import { LANGUAGES } from "../base/locale";
import { words } from "./texts/errors";

// answers to other dialects than the page's are not shown here
const sources = import.meta.glob<string>(
  ["../../../src/lightboard/hub/**/*.py", "!../../../src/lightboard/hub/api/pai/**"],
  { query: "?raw", import: "default", eager: true },
);

/** Codes in the hub's sources: of problems, of refusals, and of statuses. */
const CODES = new Set(
  Object.values(sources).flatMap((source) => [
    ...[...source.matchAll(/Problem\(\s*\d{3},\s*"([A-Z]\w+)"/g)].map(([, code = ""]) => code),
    ...[...source.matchAll(/rest_code(?:: \w+)? = "([A-Z]\w+)"/g)].map(([, code = ""]) => code),
    ...[...source.matchAll(/^ {4}\d{3}: "([A-Z]\w+)",$/gm)].map(([, code = ""]) => code),
  ]),
);

test("the codes are found", () => {
  expect(CODES.size).toBeGreaterThan(25);
  expect([...CODES]).toContain("TensorboardLimitExceeded");
});

test.each(LANGUAGES)("every code has a sentence: %s", (language) => {
  const { sentences } = words[language];
  expect([...CODES].filter((code) => !Object.hasOwn(sentences, code))).toEqual([]);
});

test("languages have the same codes, members and hints", () => {
  const shapes = LANGUAGES.map((language) =>
    Object.fromEntries(
      Object.entries(words[language].sentences).map(([code, parts]) => [
        code,
        [parts.length, [...parts.join(" ").matchAll(/\{\w+\}/g)].map(([name]) => name).sort()],
      ]),
    ),
  );
  for (const shape of shapes) expect(shape).toEqual(shapes[0]);
});
