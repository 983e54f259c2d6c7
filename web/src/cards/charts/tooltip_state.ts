// Content of the tooltip: the lines near the cursor, first with the values as drawn, then with the exact values from
// the server. The page has one tooltip; a click freezes it.

import { signal } from "@preact/signals";
import type { Hover } from "../../chart/line_chart";
import type { Picked } from "../../chart/types";
import { shownName } from "../../state/runs";
import { type Reading, readValues } from "../../state/values";
import { changeView, view } from "../../state/view";
import { type CardModel, crosshair, emphasised } from "./card_model";

export type TipRow = {
  readonly key: string;
  readonly run: string;
  readonly tag: string;
  /** Displayed name of the run or the group. */
  readonly name: string;
  readonly color: string;
  readonly dash: number;
  readonly nearest: boolean;
  /** Position as drawn; `reading` has the exact values. */
  readonly x: number;
  readonly y: number;
  readonly reading: Reading | null;
  /** Runs behind a band; null for a line. */
  readonly group: readonly string[] | null;
  /** Edges of the area around the line, if it has one. */
  readonly lower?: Reading | null;
  readonly upper?: Reading | null;
};

export type Tip = {
  readonly model: CardModel;
  readonly hover: Hover;
  readonly rows: readonly TipRow[];
  readonly total: number;
  readonly frozen: boolean;
  /** Values of the baseline run at the same x, by tag. */
  readonly baseline: ReadonlyMap<string, Reading>;
};

export const tip = signal<Tip | null>(null);

let newest = 0;
/** The card whose tooltip a click froze; cursor moves are ignored meanwhile. */
let keeping: CardModel | null = null;
let asking: AbortController | null = null;
let queued: { tip: Tip } | null = null;

// limits on rows: while the tooltip follows the cursor, and after a click froze it
const MOST_ROWS = 60;
const MOST_FROZEN_ROWS = 1000;

export function closeTip(): void {
  newest++;
  keeping = null;
  asking?.abort();
  asking = null;
  queued = null;
  tip.value = null;
  emphasised.value = null;
}

export function leaveCard(model: CardModel): void {
  if (tip.peek()?.model === model || keeping === model) closeTip();
}

export function hoverCard(model: CardModel, hover: Hover | null): void {
  if (hover === null) {
    crosshair.value = null;
    if (keeping === null) closeTip();
    return;
  }
  crosshair.value = { x: model.settings.peek().x, at: hover.x, card: model.id };
  if (keeping === null) void pick(model, hover, false);
}

/** A click marks the step or freezes the tooltip; with Ctrl or ⌘ it always freezes. */
export function clickCard(model: CardModel, hover: Hover, event: MouseEvent): void {
  const steps = view.value.stepTable && model.settings.peek().x === "step";
  if (steps && !event.ctrlKey && !event.metaKey) {
    const at = Math.round(hover.x);
    const chosen = view.value.steps;
    // with Shift the mark becomes a range
    if (event.shiftKey && chosen !== null && chosen.lo !== at) {
      changeView({ steps: { lo: Math.min(chosen.lo, at), hi: Math.max(chosen.lo, at) } });
    } else changeView({ steps: { lo: at, hi: null } });
    return;
  }
  if (keeping !== null) {
    closeTip();
    return;
  }
  keeping = model;
  void pick(model, hover, true);
}

/** Updates the tooltip after the lines under the cursor changed. */
export function refreshTip(model: CardModel): void {
  const shown = tip.peek();
  if (shown !== null && shown.model === model && keeping === null) void pick(model, shown.hover, false, true);
}

async function pick(model: CardModel, hover: Hover, frozen: boolean, again = false): Promise<void> {
  const mine = ++newest;
  const chart = model.chart.current;
  if (chart === null) return;
  const order = view.value.tooltipOrder;
  const wished = view.value.tooltipRows === 0 ? MOST_ROWS : Math.min(view.value.tooltipRows, MOST_ROWS);
  const limit = frozen ? MOST_FROZEN_ROWS : wished;
  const byName = order === "alphabetical";
  const picks = await chart.pick({ xPx: hover.xPx, yPx: hover.yPx }, byName ? "none" : order, byName ? 1e6 : limit);
  if (mine !== newest || model.chart.current !== chart) return;
  let rows = rowsOf(model, picks.rows);
  if (byName)
    rows = [...rows].sort((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true })).slice(0, limit);
  const before = tip.peek();
  if (rows.length === 0) {
    closeTip();
    return;
  }
  const near = nearestOf(picks.rows);
  emphasised.value =
    near === null || near.series < 0 ? null : { card: model.id, layer: near.layer, series: near.series };
  // show the previous values until the new ones arrive, so that columns do not flicker
  const known = new Map(before?.model === model ? before.rows.map((row) => [row.key, row.reading]) : []);
  const next: Tip = {
    model,
    // the axis may have changed since the cursor moved
    hover: again && near !== null ? { ...hover, x: near.x } : hover,
    rows: rows.map((row) => ({ ...row, reading: known.get(row.key) ?? null })),
    total: picks.total,
    frozen,
    baseline: before?.model === model ? before.baseline : new Map(),
  };
  tip.value = next;
  queued = { tip: next };
  if (asking === null) void readNext();
}

function nearestOf(picked: readonly Picked[]): Picked | null {
  let best: Picked | null = null;
  for (const row of picked) if (best === null || row.distancePx < best.distancePx) best = row;
  return best;
}

function rowsOf(model: CardModel, picked: readonly Picked[]): readonly TipRow[] {
  const layers = new Map(model.series.layers.peek().map((layer) => [layer.id, layer]));
  const styles = new Map(model.scene.peek().layers.map((layer) => [layer.id, layer]));
  const nearest = nearestOf(picked);
  return picked.flatMap((row): readonly TipRow[] => {
    const lines = layers.get(row.layer)?.lines;
    const layer = styles.get(row.layer);
    if (lines === undefined || layer === undefined) return [];
    const place = { x: row.x, y: row.y, nearest: row === nearest, reading: null };
    if (row.series < 0) {
      const group = lines.groups[row.band ?? 0];
      const style = layer.bands[row.band ?? 0];
      if (group === undefined || style === undefined) return [];
      const runs = group.runs.map((at) => lines.runs[at] ?? "");
      const tag = lines.tags[group.tag] ?? "";
      return [
        {
          ...place,
          key: `band\n${tag}\n${group.label}`,
          run: "",
          tag,
          name: group.label,
          color: style.color,
          dash: style.dash,
          group: runs,
        },
      ];
    }
    const run = lines.runs[lines.run[row.series] ?? -1];
    const tag = lines.tags[lines.tag[row.series] ?? -1];
    const style = layer.styles[row.series];
    if (run === undefined || tag === undefined || style === undefined) return [];
    return [
      {
        ...place,
        key: `${tag}\n${run}`,
        run,
        tag,
        name: shownName(run),
        color: style.color,
        dash: style.dash,
        group: null,
      },
    ];
  });
}

/** Sends one request at a time; of the cursor positions during a request only the last is used. */
async function readNext(): Promise<void> {
  while (queued !== null) {
    const { tip: wanted } = queued;
    queued = null;
    const stop = new AbortController();
    asking = stop;
    try {
      await read(wanted, stop.signal);
    } catch {
      // the drawn values stay; the top bar shows that the connection is lost
    }
    if (asking === stop) asking = null;
    if (stop.signal.aborted) return;
  }
}

async function read(wanted: Tip, stop: AbortSignal): Promise<void> {
  const lines = wanted.rows.filter((row) => row.group === null);
  if (lines.length === 0) return;
  const { baseline } = view.value;
  const runs = new Set(lines.map((row) => row.run));
  if (baseline !== "") runs.add(baseline);
  const edgesOf = edgesIn(wanted.model);
  const tags = [...new Set(lines.flatMap((row) => [row.tag, ...edgesOf(row.tag)]))];
  const readings = await readValues(wanted.model.question.peek(), tags, [...runs], wanted.hover.x, stop);
  const now = tip.peek();
  if (stop.aborted || now === null || now.model !== wanted.model) return;
  const found = new Map(readings.map((reading) => [`${reading.tag}\n${reading.run}`, reading]));
  tip.value = {
    ...now,
    rows: now.rows.map((row) => {
      const [lower, upper] = edgesOf(row.tag).map((tag) => found.get(`${tag}\n${row.run}`) ?? null);
      const edges = lower === undefined || upper === undefined ? {} : { lower, upper };
      return { ...row, ...edges, reading: found.get(row.key) ?? row.reading };
    }),
    baseline: new Map(readings.filter(({ run }) => run === baseline).map((reading) => [reading.tag, reading])),
  };
}

/** Returns the tags of the lower and upper edge around the line of a tag; empty if it has none. */
function edgesIn(model: CardModel): (tag: string) => readonly string[] {
  const { tags, edges } = model.card.peek();
  return (tag) => {
    const at = edges === undefined ? -1 : tags.indexOf(tag);
    const [lower, upper] = [edges?.lower[at], edges?.upper[at]];
    return lower === undefined || upper === undefined ? [] : [lower, upper];
  };
}
