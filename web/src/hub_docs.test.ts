// Tests that docs/reference/hub-page.md describes this page: every key and every column has its row there.

import { expect, test } from "vitest";
import page from "../../docs/reference/hub-page.md?raw";
import { keyLabel } from "./base/keys";
import { COLUMNS } from "./hub/boards/columns";
import { HUB_KEYS } from "./hub/keys";
import * as boards from "./hub/texts/boards";
import * as shell from "./hub/texts/shell";

test("every key has a row with the words of the help sheet", () => {
  const words = shell.words.en.keys;
  const rows = HUB_KEYS.map(
    ({ keys, label }) => `| ${keys.map((one) => `\`${keyLabel(one, false)}\``).join(" ")} | ${words[label]} |`,
  );
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
});

test("every column of the list is described", () => {
  const table = /## The board list\n([\s\S]*?)\n## /.exec(page)?.[1] ?? "";
  const named = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
  expect(named).toEqual(expect.arrayContaining(COLUMNS.all.map(({ id }) => boards.words.en.column[id])));
});
