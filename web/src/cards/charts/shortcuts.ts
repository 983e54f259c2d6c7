// Keys of the time series page: a table that the help sheet lists, bound while the page is open.

import { findCard, togglePin } from "../../state/cards";
import { changeSettings, settingsIn, zoomCard } from "../../state/scopes";
import type { Texts } from "../../state/texts";
import { changeView, view } from "../../state/view";
import { hoveredCard } from "../hovered_card";
import { isTyping } from "../keys";

export type TimeseriesShortcut = {
  readonly keys: readonly string[];
  readonly label: (words: Texts["timeseries"]["shortcuts"]) => string;
  /** Undefined: the full-screen card handles the key. */
  readonly run?: () => boolean;
};

/** The handler returns true if there is a card: the key is then handled. */
function withCard(work: (key: string) => void): () => boolean {
  return () => {
    const key = view.value.full || hoveredCard.peek();
    if (key === null || key === "") return false;
    work(key);
    return true;
  };
}

/** Like `withCard`, but only for charts; other kinds have no axes. */
function withChart(work: (key: string) => void): () => boolean {
  return () => findCard(view.value.full || hoveredCard.peek() || "") !== null && withCard(work)();
}

/** Scrolls to the section before or after the one at the top of the page. */
function goToSection(by: 1 | -1): boolean {
  const grid = document.querySelector<HTMLElement>('[data-testid="card-grid"]');
  if (grid === null) return false;
  const headings = [...grid.querySelectorAll<HTMLElement>("[data-section]")];
  const tops = headings.map((heading) => heading.offsetTop);
  const here = grid.scrollTop;
  const place = by > 0 ? tops.findIndex((top) => top > here + 1) : tops.filter((top) => top < here - 1).length - 1;
  if (place !== -1) grid.scrollTop = tops[place] ?? here;
  else grid.scrollTop += by * grid.clientHeight;
  return true;
}

function toggleLogY(card: string): void {
  const scope = { kind: "card", card } as const;
  changeSettings(scope, { yScale: settingsIn(scope).yScale === "log" ? "linear" : "log" });
}

function toggleFull(card: string): void {
  changeView({ full: view.value.full === card ? "" : card }, { entry: true });
}

/** Shortcuts for the card under the cursor and for sections. "/", "s", "[" and "]" belong to the whole page. */
export const TIMESERIES_SHORTCUTS: readonly TimeseriesShortcut[] = [
  { keys: ["n"], label: (words) => words.nextSection, run: () => goToSection(1) },
  { keys: ["shift+n"], label: (words) => words.previousSection, run: () => goToSection(-1) },
  { keys: ["p"], label: (words) => words.pin, run: withCard(togglePin) },
  { keys: ["shift+f"], label: (words) => words.full, run: withCard(toggleFull) },
  { keys: ["l"], label: (words) => words.logY, run: withChart(toggleLogY) },
  { keys: ["0"], label: (words) => words.fit, run: withChart((card) => zoomCard(card, null, null)) },
  { keys: ["left"], label: (words) => words.left },
  { keys: ["right"], label: (words) => words.right },
];

/** Binds them before the page's own shortcuts ("l" over a card acts on that card); returns a function that unbinds. */
export function bindTimeseriesKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.repeat || isTyping(event.target)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return;
    const pressed = `${event.shiftKey && /^[a-z]$/i.test(event.key) ? "shift+" : ""}${event.key.toLowerCase()}`;
    const found = TIMESERIES_SHORTCUTS.find(({ keys, run }) => run !== undefined && keys.includes(pressed));
    if (found?.run?.() !== true) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener("keydown", onKey, true);
  return () => document.removeEventListener("keydown", onKey, true);
}
