// Downloads of a card of curves: its image, and every point of its curves.

import type { KindCardProps } from "../../cards/kind_page";
import { PICTURE, type UnsizedScene } from "../../chart/scene";
import type { Chart, Scene } from "../../chart/types";
import { reasonOf } from "../../state/explained";
import type { Curve } from "../../state/pr_curves";
import { colorOf, dashOf, shownName } from "../../state/runs";
import * as prCurvesWords from "../../state/texts/pr_curves";
import { tell } from "../../state/toasts";
import { spoken } from "../../state/view";
import { fileName, saveFile } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import { areaOf, type Mode } from "./curve_shapes";

type Open = {
  readonly chart: { readonly current: Chart | null };
  readonly scene: { readonly current: UnsizedScene };
  readonly curves: readonly Curve[];
  readonly mode: Mode;
  readonly tag: string;
};

/** Charts on the page by card key, because the menu of a card is not part of the chart. */
export const charts = {
  open: new Map<string, Open>(),
  add(key: string, chart: Open): () => void {
    charts.open.set(key, chart);
    return () => {
      if (charts.open.get(key) === chart) charts.open.delete(key);
    };
  },
};

export function curveMenu({ card }: KindCardProps): readonly MenuItem[] {
  const words = spoken(prCurvesWords);
  const item = (label: string, save: (open: Open) => void | Promise<void>): MenuItem => ({
    label,
    icon: "download",
    onSelect: () => {
      const open = charts.open.get(card.key);
      if (open !== undefined) void saveOrTell(open, save);
    },
  });
  return [
    { heading: words.download },
    item(words.png, (open) => savePicture(open, "png")),
    item(words.svg, (open) => savePicture(open, "svg")),
    item(words.csv, ({ tag, curves }) => saveText(tag, "csv", "text/csv", csvOf(curves))),
    item(words.json, ({ tag, curves }) => saveText(tag, "json", "application/json", jsonOf(curves))),
  ];
}

/** Shows a message if it fails. */
async function saveOrTell(open: Open, save: (open: Open) => void | Promise<void>): Promise<void> {
  try {
    await save(open);
  } catch (error) {
    const reason = reasonOf(error);
    tell(spoken(prCurvesWords).downloadFailed(reason), { kind: "error" });
  }
}

const MOST_IN_LEGEND = 60;

async function savePicture({ chart, scene, curves, mode, tag }: Open, kind: "png" | "svg"): Promise<void> {
  if (chart.current === null) return;
  const words = spoken(prCurvesWords);
  const [x, y] = words.axes[mode];
  const entries = curves.slice(0, MOST_IN_LEGEND).map((curve) => {
    const { run, step } = curve.place;
    const area = areaOf(curve, mode);
    const sum = area === null ? "" : ` · ${words.areas[mode]} ${area.toFixed(4)}`;
    return {
      name: `${shownName(run)} · ${words.step} ${step}${sum}`,
      color: colorOf.peek()(run),
      dash: dashOf.peek()(run),
    };
  });
  const { widthPx, heightPx, scale } = PICTURE;
  const drawn: Scene = { ...scene.current, widthPx, heightPx, ratio: 1, emphasised: null };
  const legend = { title: `${tag} · ${y} / ${x}`, entries };
  const file = await chart.current.picture(drawn, legend, kind, scale);
  saveFile(fileName(`${tag}_${mode}`, kind), file);
}

function saveText(tag: string, ending: string, type: string, text: string): void {
  saveFile(fileName(tag, ending), new Blob([text], { type: `${type};charset=utf-8` }));
}

const COLUMNS = [
  ["threshold", "threshold"],
  ["true_positives", "truePositives"],
  ["false_positives", "falsePositives"],
  ["true_negatives", "trueNegatives"],
  ["false_negatives", "falseNegatives"],
  ["precision", "precision"],
  ["recall", "recall"],
  ["true_positive_rate", "truePositiveRate"],
  ["false_positive_rate", "falsePositiveRate"],
  ["f1", "f1"],
] as const satisfies readonly (readonly [string, keyof Curve])[];

function cell(text: string): string {
  // a spreadsheet would run such a name as a formula
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One row per threshold. Undefined numbers are empty cells. */
export function csvOf(curves: readonly Curve[]): string {
  const head = ["run", "tag", "step", "wall_time", ...COLUMNS.map(([name]) => name)];
  const rows = curves.flatMap((curve) => {
    const { run, tag, step, wall } = curve.place;
    const place = [cell(run), cell(tag), step, String(wall)];
    return Array.from(curve.threshold, (_, at) =>
      [...place, ...COLUMNS.map(([, member]) => number(curve[member][at]))].join(","),
    );
  });
  return `${[head.join(","), ...rows].join("\r\n")}\r\n`;
}

function number(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "" : String(value);
}

export function jsonOf(curves: readonly Curve[]): string {
  const rows = curves.map((curve) => ({
    run: curve.place.run,
    tag: curve.place.tag,
    step: Number.isSafeInteger(Number(curve.place.step)) ? Number(curve.place.step) : curve.place.step,
    wall_time: curve.place.wall,
    average_precision: curve.averagePrecision,
    roc_area: curve.rocArea,
    best_f1: curve.bestF1,
    best_threshold: curve.bestThreshold,
    // NaN becomes null
    ...Object.fromEntries(COLUMNS.map(([name, member]) => [name, [...curve[member]]])),
  }));
  return `${JSON.stringify(rows)}\n`;
}
