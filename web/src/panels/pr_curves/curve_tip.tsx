// Tooltip of a curve chart: for each run the point of its curve nearest to the pointer, with all values.

import type { JSX } from "preact";
import { formatCount, formatNumber } from "../../base/numbers";
import { DashSample } from "../../cards/charts/dash_sample";
import { HoverTip } from "../../cards/hover_tip";
import { shortRun } from "../../cards/run_name";
import type { Hover } from "../../chart/line_chart";
import type { Curve } from "../../state/pr_curves";
import { colorOf, dashOf } from "../../state/runs";
import * as prCurvesWords from "../../state/texts/pr_curves";
import { spoken, view } from "../../state/view";
import { type CurvePoint, type Mode, nearestOf } from "./curve_shapes";
import "./curve_tip.css";

export type TipRow = { readonly curve: Curve; readonly at: number; readonly distancePx: number };

export type Tip = { readonly hover: Hover; readonly rows: readonly TipRow[]; readonly total: number };

const MOST_ROWS = 60;

/** The nearest run first; null if there is no curve. */
export function tipAt(curves: readonly Curve[], mode: Mode, hover: Hover, scale: CurvePoint): Tip | null {
  const rows = curves.flatMap((curve): readonly TipRow[] => {
    const near = nearestOf(curve, mode, hover, scale);
    return near === null ? [] : [{ curve, ...near }];
  });
  if (rows.length === 0) return null;
  rows.sort((a, b) => a.distancePx - b.distancePx);
  const most = view.value.tooltipRows === 0 ? MOST_ROWS : Math.min(MOST_ROWS, view.value.tooltipRows);
  return { hover, rows: rows.slice(0, most), total: rows.length };
}

function share(value: number | undefined): string {
  return value === undefined || !Number.isFinite(value) ? "–" : value.toFixed(4);
}

function count(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return "–";
  // weighted counts may be fractions
  return Math.abs(value) >= 1e6 ? formatCount(value) : Number.isInteger(value) ? String(value) : formatNumber(value);
}

function columnsOfTip(): readonly (readonly [string, (row: TipRow) => string])[] {
  const words = spoken(prCurvesWords);
  return [
    [words.threshold, ({ curve, at }) => formatNumber(curve.threshold[at] ?? Number.NaN)],
    [words.precision, ({ curve, at }) => (at < curve.defined ? share(curve.precision[at]) : "–")],
    [words.recall, ({ curve, at }) => share(curve.recall[at])],
    [words.f1, ({ curve, at }) => share(curve.f1[at])],
    [words.falsePositiveRate, ({ curve, at }) => share(curve.falsePositiveRate[at])],
    [words.truePositives, ({ curve, at }) => count(curve.truePositives[at])],
    [words.falsePositives, ({ curve, at }) => count(curve.falsePositives[at])],
    [words.trueNegatives, ({ curve, at }) => count(curve.trueNegatives[at])],
    [words.falseNegatives, ({ curve, at }) => count(curve.falseNegatives[at])],
  ];
}

export function CurveTip({ tip }: { readonly tip: Tip }): JSX.Element {
  const words = spoken(prCurvesWords);
  const columns = columnsOfTip();
  const more = tip.total - tip.rows.length;
  return (
    <HoverTip at={tip.hover}>
      <div class="curve-tip">
        <table>
          <thead>
            <tr>
              <th />
              <th>{words.run}</th>
              {columns.map(([title]) => (
                <th key={title} class="curve-tip__number">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tip.rows.map((row, at) => {
              const { run } = row.curve.place;
              return (
                <tr key={run} class={at === 0 ? "curve-tip__nearest" : undefined} data-row={run}>
                  <td>
                    <DashSample color={colorOf.value(run)} dash={dashOf.value(run)} />
                  </td>
                  <td title={run}>{shortRun(run)}</td>
                  {columns.map(([title, cell]) => (
                    <td key={title} class="curve-tip__number">
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
        <footer class="curve-tip__footer">
          {more > 0 && <span>{words.more(more)}</span>}
          <span class="curve-tip__hint">{words.clickHint}</span>
        </footer>
      </div>
    </HoverTip>
  );
}
