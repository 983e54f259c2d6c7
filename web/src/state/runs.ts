// Which runs are listed, which are drawn, and in what colour. Everything here is derived from the board and the view;
// the few functions at the end change the view.

import { computed } from "@preact/signals";
import { colorOfName, GREY, SAFE, TENSORBOARD, type Theme } from "../base/color";
import { nameFilter } from "../base/name_filter";
import { rowOfRun, runs } from "./board";
import { theme } from "./theme";
import { changeView, view } from "./view";

/** Names of all runs in natural order. */
export const allRuns = computed<readonly string[]>(() => runs.value?.name ?? []);

const filter = computed(() => nameFilter(view.value.runFilter));

/** Runs that pass the filter, in the order of the list. */
export const listedRuns = computed<readonly string[]>(() =>
  view.value.runFilter === "" ? allRuns.value : allRuns.value.filter((name) => filter.value.matches(name)),
);

const shown = computed(() => new Set(view.value.show));
const hidden = computed(() => new Set(view.value.hide));

/** Whether the run's box is ticked; it is drawn if it is listed as well. */
export function isTicked(name: string): boolean {
  return view.value.showOnly ? shown.value.has(name) : !hidden.value.has(name);
}

/** Runs whose curves are drawn: listed and ticked. */
export const drawnRuns = computed<readonly string[]>(() => listedRuns.value.filter(isTicked));

export function tick(names: readonly string[], on: boolean): void {
  const { showOnly, show, hide } = view.value;
  if (showOnly) changeView({ show: on ? merge(show, names) : without(show, names) });
  else changeView({ hide: on ? without(hide, names) : merge(hide, names) });
}

export function tickOnly(names: readonly string[]): void {
  changeView({ showOnly: true, show: names, hide: [] });
}

export function tickAll(): void {
  changeView({ showOnly: false, show: [], hide: [] });
}

function merge(names: readonly string[], more: readonly string[]): readonly string[] {
  return [...new Set([...names, ...more])];
}

function without(names: readonly string[], less: readonly string[]): readonly string[] {
  const gone = new Set(less);
  return names.filter((name) => !gone.has(name));
}

// ---- colours

/** What a run's colour stands for: its name, or what it has in common with others; null: nothing, drawn grey. */
function colorKey(name: string): string | null {
  const by = view.value.colorBy;
  if (!by.startsWith("regex:")) return name;
  try {
    const found = new RegExp(by.slice("regex:".length), "i").exec(name);
    return found === null ? null : found.slice(1).join("\u0000");
  } catch {
    return null;
  }
}

function positionColor(palette: readonly string[], name: string): string {
  return palette[(rowOfRun.value.get(name) ?? 0) % palette.length] ?? "#000000";
}

function colorFor(name: string, onTheme: Theme): string {
  const chosen = view.value.colors[name];
  if (chosen !== undefined) return chosen;
  const key = colorKey(name);
  if (key === null) return GREY[onTheme];
  if (key !== name || view.value.palette === "names") return colorOfName(key, onTheme);
  return positionColor(view.value.palette === "safe" ? SAFE[onTheme] : TENSORBOARD[onTheme], name);
}

/** Remembers what it computed: a chart asks for hundreds of colours at every draw. */
export const colorOf = computed<(name: string) => string>(() => {
  const onTheme = theme.value;
  // named here, or the answer would outlive a change of them
  void [view.value.colors, view.value.palette, view.value.colorBy, rowOfRun.value];
  const known = new Map<string, string>();
  return (name) => {
    const color = known.get(name) ?? colorFor(name, onTheme);
    known.set(name, color);
    return color;
  };
});
