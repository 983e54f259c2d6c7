// Keys of the time series page, as data: the page's table of keys hears them and its help sheet lists them.

import { togglePin } from "../../state/cards";
import { changeSettings, settingsIn, zoomCard } from "../../state/scopes";
import type { Texts } from "../../state/texts";
import { changeView, view } from "../../state/view";
import { hoveredCard } from "./hovered_card";

export type TimeseriesShortcut = {
  readonly keys: readonly string[];
  readonly label: (words: Texts["timeseries"]["shortcuts"]) => string;
  /** Left out: heard by the chart or the full-screen card itself. */
  readonly run?: () => void;
};

function focus(testId: string): void {
  const field = document.querySelector<HTMLElement>(`[data-testid="${testId}"]`);
  field?.focus();
  if (field instanceof HTMLInputElement && field.type !== "range") field.select();
}

function withCard(work: (key: string) => void): () => void {
  return () => {
    const key = view.value.full || hoveredCard.peek();
    if (key !== null && key !== "") work(key);
  };
}

/** To the section before or after the one at the top of the page. */
function goToSection(by: 1 | -1): void {
  const grid = document.querySelector<HTMLElement>('[data-testid="card-grid"]');
  if (grid === null) return;
  const headings = [...grid.querySelectorAll<HTMLElement>("[data-section]")];
  const tops = headings.map((heading) => heading.offsetTop);
  const here = grid.scrollTop;
  const place = by > 0 ? tops.findIndex((top) => top > here + 1) : tops.filter((top) => top < here - 1).length - 1;
  if (place !== -1) grid.scrollTop = tops[place] ?? here;
  else grid.scrollTop += by * grid.clientHeight;
}

function toggleLogY(card: string): void {
  const scope = { kind: "card", card } as const;
  changeSettings(scope, { yScale: settingsIn(scope).yScale === "log" ? "linear" : "log" });
}

function toggleFull(card: string): void {
  changeView({ full: view.value.full === card ? "" : card }, { entry: true });
}

export const TIMESERIES_SHORTCUTS: readonly TimeseriesShortcut[] = [
  { keys: ["/"], label: (words) => words.filter, run: () => focus("tag-filter") },
  { keys: ["s"], label: (words) => words.smoothing, run: () => focus("smoothing") },
  { keys: ["["], label: (words) => words.previousSection, run: () => goToSection(-1) },
  { keys: ["]"], label: (words) => words.nextSection, run: () => goToSection(1) },
  { keys: ["p"], label: (words) => words.pin, run: withCard(togglePin) },
  { keys: ["f"], label: (words) => words.full, run: withCard(toggleFull) },
  { keys: ["l"], label: (words) => words.logY, run: withCard(toggleLogY) },
  { keys: ["0"], label: (words) => words.fit, run: withCard((card) => zoomCard(card, null, null)) },
  { keys: ["left"], label: (words) => words.left },
  { keys: ["right"], label: (words) => words.right },
];
