// Words that the page does not use: the list in CONTRIBUTING.md ("Words") as patterns over all texts of the page.

import { expect, test } from "vitest";
import contributing from "../../CONTRIBUTING.md?raw";
import { LANGUAGES } from "./base/locale";

const areas = import.meta.glob<{ readonly words: Readonly<Record<string, object>> }>(
  ["./state/texts/*.ts", "./hub/texts/*.ts", "!./state/texts/index.ts"],
  { eager: true },
);

const SECTION = /^## Words\n([\s\S]*?)(?=^## )/m.exec(contributing)?.[1] ?? "";

/** Rows of the table of a language: patterns in backticks in the first column, below the heading with its name. */
function avoided(heading: string): readonly RegExp[] {
  const table = new RegExp(`^### ${heading}\\n([\\s\\S]*?)(?=^### |$(?![\\s\\S]))`, "m").exec(SECTION)?.[1] ?? "";
  const cells = [...table.matchAll(/^\| (`.*?`) \|/gm)].map(([, cell = ""]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, pattern = ""]) => new RegExp(pattern, "i")));
}

/** The texts of an area with their keys; of a function, its source. */
function* textsIn(value: unknown, key: string): Generator<readonly [string, string]> {
  if (typeof value === "string") yield [key, value];
  else if (typeof value === "function") yield [key, literals(String(value))];
  else if (typeof value === "object" && value !== null)
    for (const [name, member] of Object.entries(value)) yield* textsIn(member, `${key}.${name}`);
}

function literals(source: string): string {
  return [...source.matchAll(/"([^"]*)"|`([^`]*)`/g)].map(([, one, two]) => one ?? two).join(" ");
}

function offences(language: string, patterns: readonly RegExp[]): readonly string[] {
  return Object.entries(areas).flatMap(([file, { words }]) =>
    [...textsIn(words[language], "")].flatMap(([key, text]) =>
      patterns.filter((one) => one.test(text)).map((one) => `${file} ${key}: ${one.source} in “${text}”`),
    ),
  );
}

test.each(LANGUAGES.map((language, at) => [language, ["English", "简体中文"][at] ?? ""] as const))(
  "texts avoid the words of the list: %s",
  (language, heading) => {
    const patterns = avoided(heading);
    expect(patterns.length).toBeGreaterThan(5);
    expect(offences(language, patterns)).toEqual([]);
  },
);

test("a word of the list is noticed in texts and in functions", () => {
  const texts = { one: "films", deep: { two: (n: number) => `${n} are left out` } };
  const found = [...textsIn(texts, "")].filter(([, text]) => /films|left out/.test(text));
  expect(found.map(([key]) => key)).toEqual([".one", ".deep.two"]);
});

// these texts are rendered with code in backticks (shell/notice.tsx, panels/hparams/no_trials.tsx)
const WITH_CODE = /state\/texts\/shell\.ts |\/hparams\.ts \.empty$/;

test("no text shows backticks", () => {
  const shown = Object.entries(areas).flatMap(([file, { words }]) =>
    LANGUAGES.flatMap((language) => [...textsIn(words[language], "")].map(([key, text]) => [`${file} ${key}`, text])),
  );
  expect(
    shown
      .filter(([, text = ""]) => text.includes("`"))
      .map(([key]) => key)
      .filter((key = "") => !WITH_CODE.test(key)),
  ).toEqual([]);
});
