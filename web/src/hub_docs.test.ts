// Tests that docs/reference/hub-page.md describes this page: every key and every column has its row there.

import { expect, test } from "vitest";
import page from "../../docs/reference/hub-page.md?raw";
import { keyLabel } from "./base/keys";
import { COLUMNS as BOARDS } from "./hub/boards/columns";
import { COLUMNS as JOBS } from "./hub/jobs/columns";
import { HUB_KEYS } from "./hub/keys";
import * as boards from "./hub/texts/boards";
import * as jobs from "./hub/texts/jobs";
import * as shell from "./hub/texts/shell";
import * as uploads from "./hub/texts/uploads";
import { COLUMNS as UPLOADS } from "./hub/uploads/columns";

test("every key has a row with the words of the help sheet", () => {
  const words = shell.words.en.keys;
  const rows = HUB_KEYS.map(
    ({ keys, label }) => `| ${keys.map((one) => `\`${keyLabel(one, false)}\``).join(" ")} | ${words[label]} |`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

const LISTS = [
  { title: "The board list", ids: BOARDS.all.map(({ id }) => id), words: boards.words.en.column },
  { title: "The job list", ids: JOBS.all.map(({ id }) => id), words: jobs.words.en.column },
  { title: "The upload list", ids: UPLOADS.all.map(({ id }) => id), words: uploads.words.en.column },
] as const;

test.each(LISTS)("every column is described: $title", ({ title, ids, words }) => {
  const table = new RegExp(`## ${title}\\n([\\s\\S]*?)\\n## `).exec(page)?.[1] ?? "";
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
  const wanted = ids.map((id) => (words as Readonly<Record<string, string>>)[id]);
  expect(named).toEqual(expect.arrayContaining(wanted));
});
