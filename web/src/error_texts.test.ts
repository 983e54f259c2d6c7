// The sentences for the server's codes: all codes of src/lightboard/error_codes.py, in every language, with the
// same parameters.

import { expect, test } from "vitest";
import table from "../../src/lightboard/error_codes.py?raw";
import { LANGUAGES } from "./base/locale";
import { words } from "./state/texts/errors";

const CODES = new Map(
  [...table.matchAll(/^ {4}"([a-z0-9_.]+)": \((.*)\),$/gm)].map(([, code = "", names = ""]) => [
    code,
    [...names.matchAll(/"([a-z_]+)"/g)].map(([, name]) => name).sort(),
  ]),
);

function parametersOf(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\{([a-z_]+)\}/g)].map(([, name = ""]) => name))].sort();
}

test("the table of codes is read completely", () => {
  expect(CODES.size).toBeGreaterThan(150);
  expect(CODES.size).toBe(table.split("\n").filter((line) => /^ {4}"/.test(line)).length);
});

test.each(LANGUAGES)("every code has a sentence with its parameters: %s", (language) => {
  const { sentences } = words[language];
  expect(Object.keys(sentences).sort()).toEqual([...CODES.keys()].sort());
  for (const [code, parts] of Object.entries(sentences)) {
    expect(parametersOf(parts.join(" ")), code).toEqual(CODES.get(code));
    expect(parts[0], code).not.toBe("");
  }
});

test("languages have hints for the same codes, with the same parameters", () => {
  const hints = LANGUAGES.map((language) =>
    Object.fromEntries(
      Object.entries(words[language].sentences).map(([code, [, hint]]) => [
        code,
        hint === undefined ? null : parametersOf(hint),
      ]),
    ),
  );
  for (const each of hints) expect(each).toEqual(hints[0]);
});
