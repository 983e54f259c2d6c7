// Tests which room of the page may import which. The table is the architecture; a new dependency must be added here.

import { expect, test } from "vitest";

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  widgets: ["base"],
  chart: ["base"],
  api: ["base"],
  state: ["api", "base"],
  cards: ["state", "widgets", "chart", "base"],
  panels: ["cards", "state", "widgets", "chart", "base"],
  shell: ["cards", "panels", "state", "widgets", "base"],
  // messages at the edge of the page are the same
  hub: ["widgets", "base", "theme.css", "state/toasts"],
};

const sources = import.meta.glob<string>("./*/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

type Arrow = { readonly file: string; readonly from: string; readonly target: string };

/** Returns the modules that a file imports, relative to src: "state/board" for "../state/board". */
function arrowsOf(file: string, source: string): readonly Arrow[] {
  const path = file.slice("./".length);
  const found = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]*)"/g);
  return [...found].map(([, relative]) => ({
    file: path,
    from: path.split("/")[0] ?? "",
    target: new URL(relative ?? "", `file:///${path}`).pathname.slice(1),
  }));
}

function panelOf(path: string): string | undefined {
  const [room, panel] = path.split("/");
  return room === "panels" ? panel : undefined;
}

function allowed({ file, from, target }: Arrow): boolean {
  const to = target.split("/")[0] ?? "";
  if (from === to) return panelOf(file) === panelOf(target);
  return MAY_IMPORT[from]?.some((room) => room === to || room === target) ?? false;
}

const arrows = Object.entries(sources).flatMap(([file, source]) => arrowsOf(file, source));

test("every import follows the table", () => {
  expect(arrows.length).toBeGreaterThan(5);
  expect(arrows.filter((arrow) => !allowed(arrow))).toEqual([]);
});

test("only api talks to the server", () => {
  const talking = Object.entries(sources).filter(([, source]) =>
    /\bfetch\(|new (EventSource|WebSocket|XMLHttpRequest)\b/.test(source),
  );
  expect(talking.map(([file]) => file).filter((file) => !/^\.\/(hub\/)?api\//.test(file))).toEqual([]);
});

test("a panel that imports another panel is noticed", () => {
  const [arrow] = arrowsOf("./panels/scalars/panel.tsx", 'import { x } from "../images/panel";');
  expect(arrow && allowed(arrow)).toBe(false);
});
