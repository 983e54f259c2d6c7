// Downloads of a card with histograms or percentiles: the image, and the values of every step.

import type { KindCard } from "../state/card_keys";
import { reasonOf } from "../state/explained";
import { shownName } from "../state/runs";
import { askSpread, type Spread, type SpreadKind } from "../state/spreads";
import type { SeriesSteps } from "../state/steps";
import * as histogramsWords from "../state/texts/histograms";
import { tell } from "../state/toasts";
import { spoken } from "../state/view";
import { fileName, saveFile } from "../widgets/files";
import type { MenuItem } from "../widgets/menu";
import type { KindCardProps } from "./kind_card";
import { pictureOf, zoomOf, zoomTo } from "./spread_card";

export function spreadMenu(kind: SpreadKind, { card, series }: KindCardProps): readonly MenuItem[] {
  const words = spoken(histogramsWords);
  const zoomed = zoomOf(kind, card.key) !== undefined;
  const picture = (format: "png" | "svg") => (): void => void told(savePicture(card, format));
  const steps = (format: "csv" | "json") => (): void => void told(saveSteps(kind, card, series, format));
  return [
    { label: words.resetZoom, icon: "reset", disabled: !zoomed, onSelect: () => zoomTo(kind, card.key, null, null) },
    { label: words.png, icon: "download", onSelect: picture("png") },
    { label: words.svg, icon: "download", onSelect: picture("svg") },
    { label: words.csv, icon: "download", onSelect: steps("csv") },
    { label: words.json, icon: "download", onSelect: steps("json") },
  ];
}

async function told(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const reason = reasonOf(error);
    tell(spoken(histogramsWords).downloadFailed(reason), { kind: "error" });
  }
}

const nameOf = ({ tag, run }: KindCard, ending: string): string => fileName(`${tag}_${run}`, ending);

async function savePicture(card: KindCard, format: "png" | "svg"): Promise<void> {
  const picture = pictureOf(card.key, `${card.tag} · ${shownName(card.run)}`, format);
  if (picture !== null) saveFile(nameOf(card, format), await picture);
}

// steps per request, so that a response has megabytes, not gigabytes
const AT_ONCE = 250;

async function saveSteps(kind: SpreadKind, card: KindCard, series: SeriesSteps, format: "csv" | "json"): Promise<void> {
  const parts: string[] = [];
  const sorted = [...new Set(Array.from(series.steps, String))].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  for (let at = 0; at < sorted.length; at += AT_ONCE) {
    const lo = sorted[at] ?? null;
    const hi = sorted[Math.min(sorted.length, at + AT_ONCE) - 1] ?? null;
    const spread = await askSpread({ kind, tag: card.tag, run: card.run, limit: 0, lo, hi });
    if (format === "csv") {
      if (at === 0) parts.push(csvHead(spread));
      parts.push(csvRows(spread));
    } else parts.push(at === 0 || spread.steps.length === 0 ? "" : ",\n", jsonRows(spread));
  }
  const text = format === "csv" ? parts : ["[\n", ...parts, "\n]\n"];
  saveFile(nameOf(card, format), new Blob(text, { type: format === "csv" ? "text/csv" : "application/json" }));
}

export function csvHead(spread: Spread): string {
  const own =
    spread.kind === "histograms" ? ["left", "right", "count"] : spread.basisPoints.map((one) => `p${one / 100}`);
  return `${["step", "wall_time", ...own].join()}\n`;
}

export function csvRows(spread: Spread): string {
  const rows: string[] = [];
  for (let i = 0; i < spread.steps.length; i++) {
    const moment = `${spread.exact[i]},${spread.walls[i]}`;
    if (spread.kind === "percentiles") {
      rows.push(`${moment},${spread.values.subarray(i * spread.lines, (i + 1) * spread.lines).join()}\n`);
      continue;
    }
    for (let at = spread.first[i] ?? 0; at < (spread.first[i + 1] ?? 0); at++) {
      rows.push(`${moment},${spread.lefts[at]},${spread.rights[at]},${spread.counts[at]}\n`);
    }
  }
  return rows.join("");
}

/** Returns JSON objects separated by commas. */
export function jsonRows(spread: Spread): string {
  const rows: string[] = [];
  for (let i = 0; i < spread.steps.length; i++) {
    const own =
      spread.kind === "percentiles"
        ? `"percentiles":[${spread.basisPoints.map((point, line) => `[${point / 100},${plain(spread.values[i * spread.lines + line])}]`)}]`
        : `"buckets":[${bucketsOf(spread, i)}]`;
    // not JSON.stringify: a step may have more digits than a JavaScript number
    rows.push(`{"step":${spread.exact[i]},"wall_time":${plain(spread.walls[i])},${own}}`);
  }
  return rows.join(",\n");
}

function bucketsOf(spread: Extract<Spread, { kind: "histograms" }>, i: number): string {
  const found: string[] = [];
  for (let at = spread.first[i] ?? 0; at < (spread.first[i + 1] ?? 0); at++) {
    found.push(`[${plain(spread.lefts[at])},${plain(spread.rights[at])},${plain(spread.counts[at])}]`);
  }
  return found.join();
}

/** Returns a JSON number, or a string for NaN and infinities, which JSON lacks. */
function plain(value: number | undefined): string {
  return value !== undefined && Number.isFinite(value) ? String(value) : JSON.stringify(String(value));
}
