// Tests that docs/reference/page.md describes this page: every member of the view and every key has its row there, with
// the current texts, choices and defaults. CONTRIBUTING.md names the files that a new setting changes.

import { expect, test } from "vitest";
import contributing from "../../CONTRIBUTING.md?raw";
import expressions from "../../docs/reference/expressions.md?raw";
import page from "../../docs/reference/page.md?raw";
import { FUNCTIONS } from "./base/expression";
import { keyLabel } from "./base/keys";
import { TIMESERIES_SHORTCUTS } from "./cards/charts/shortcuts";
import { SHORTCUTS } from "./shell/actions";
import { THEMES } from "./state/members/board";
import { HISTOGRAM_BINS, HISTOGRAM_MODES } from "./state/members/histograms";
import { BANDS, PALETTES } from "./state/members/runs";
import { TIME_AXES } from "./state/members/shared";
import { TOOLTIP_ORDERS } from "./state/members/timeseries";
import { MARKERS, REWINDS, SCALES, SMOOTHERS } from "./state/settings";
import { textsFor } from "./state/texts";
import { DEFAULT_VIEW } from "./state/view";
import source from "./state/view.ts?raw";

const words = textsFor("en");

type Row = readonly string[];

/** Rows of all tables, as cells. */
const rows: readonly Row[] = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split(" |").map((cell) => cell.replace(/^\|? /, "")));

const byMember: ReadonlyMap<string, Row> = new Map(
  rows.flatMap((row) => {
    const [, name] = /^`(\w+)`(?: ⌂)?$/.exec(row[0] ?? "") ?? [];
    return name === undefined ? [] : [[name, row]];
  }),
);

const members = Object.entries(DEFAULT_VIEW).filter(([name]) => name !== "page");

/** Formats a default value as in the last column. */
function told(value: unknown): string {
  if (typeof value === "boolean") return value ? "`1`" : "`0`";
  const empty = value === "" || value === null || (typeof value === "object" && Object.keys(value).length === 0);
  return empty ? "empty" : `\`${String(value)}\``;
}

test("every member of the view has a row, and the first value it really has", () => {
  expect(page).toContain("`page` stands before the `?`");
  const missing = members.filter(([name]) => !byMember.has(name)).map(([name]) => name);
  expect(missing).toEqual([]);
  const firsts = members.map(([name]) => [name, byMember.get(name)?.at(-2)]);
  expect(firsts).toEqual(members.map(([name, value]) => [name, told(value)]));
});

test("what the browser remembers is marked", () => {
  const [, list = ""] = /const HABITS = \[([^\]]*)\]/.exec(source) ?? [];
  const habits = [...list.matchAll(/"(\w+)"/g)].map(([, name]) => name);
  const marked = [...byMember].filter(([, row]) => row[0]?.endsWith("⌂")).map(([name]) => name);
  expect(habits.length).toBeGreaterThan(5);
  expect(marked.sort()).toEqual(habits.sort());
});

test("settings have the label that the page shows", () => {
  const labels = new Map(Object.entries(words.timeseries).filter(([, word]) => typeof word === "string"));
  // the others name a button or a table
  labels.set("stepTable", words.timeseries.stepSelection);
  const labelled = members.flatMap(([name]) => {
    const label = labels.get(name);
    return typeof label === "string" && byMember.get(name)?.length === 5 ? [{ name, label }] : [];
  });
  expect(labelled.length).toBeGreaterThan(15);
  expect(labelled.filter(({ name, label }) => !byMember.get(name)?.[1]?.includes(label))).toEqual([]);
});

test("every choice of a setting is named", () => {
  const choices: Readonly<Record<string, readonly string[]>> = {
    xScale: SCALES,
    yScale: SCALES,
    smoother: SMOOTHERS,
    markers: MARKERS,
    rewinds: REWINDS,
    tooltipOrder: TOOLTIP_ORDERS,
    band: BANDS,
    palette: PALETTES,
    theme: THEMES,
    histogramsMode: HISTOGRAM_MODES,
    histogramsX: TIME_AXES,
    histogramsBins: HISTOGRAM_BINS,
    distributionsX: TIME_AXES,
  };
  for (const [name, all] of Object.entries(choices)) {
    for (const one of all) expect(byMember.get(name)?.[2], `${name}: ${one}`).toContain(`\`${one}\``);
  }
});

test("every key has a row with the words of the help sheet", () => {
  const all = [
    ...SHORTCUTS.map(({ keys, label }) => ({ keys, label: label(words.shell.help) })),
    ...TIMESERIES_SHORTCUTS.map(({ keys, label }) => ({ keys, label: label(words.timeseries.shortcuts) })),
  ];
  const wanted = all
    .filter(({ keys }) => keys.length > 0)
    .map(({ keys, label }) => `| ${keys.map((one) => `\`${keyLabel(one, false)}\``).join(" ")} | ${label} |`);
  expect(wanted.length).toBeGreaterThan(15);
  expect(wanted.filter((row) => !page.includes(row))).toEqual([]);
});

// ---- CONTRIBUTING.md

const files = new Set(
  Object.keys({ ...import.meta.glob("./**/*.{ts,tsx}"), ...import.meta.glob("../../docs/**/*.md") }),
);

/** A path of the docs as a file or folder here: some are told from web/src, some from the root of the project. */
function exists(path: string): boolean {
  const own = path.startsWith("docs/") ? `../../${path}` : `./${path.replace(/^web\/src\//, "")}`;
  return files.has(own) || [...files].some((file) => file.startsWith(own) && own.endsWith("/"));
}

test("a setting that the renderer draws has six places, and each names files that exist", () => {
  const [, section = ""] = /## A new setting of the page\n([\s\S]*?)\n## /.exec(contributing) ?? [];
  const places = section.split(/\n(?=\d\. )/).slice(1);
  expect(places.length).toBe(6);
  const paths = places.map((place) => [...place.matchAll(/`([\w/]+\/(?:[\w.]+)?)`/g)].map(([, path]) => path ?? ""));
  expect(paths.filter((some) => some.length === 0)).toEqual([]);
  expect(paths.flat().filter((path) => !exists(path))).toEqual([]);
});

test("the page knows the functions of metric expressions", () => {
  const firstCells = [...expressions.matchAll(/^\| (`\w+\(.*?) \|/gm)].map(([, cell = ""]) => cell);
  const named = firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)\(/g)].map(([, name]) => name));
  expect(named).toEqual([...FUNCTIONS]);
});
