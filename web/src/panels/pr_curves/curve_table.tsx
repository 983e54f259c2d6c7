// The table of runs below a curve chart: step, area, and values at the marked threshold.

import type { JSX } from "preact";
import { formatNumber } from "../../base/numbers";
import { DashSample } from "../../cards/charts/dash_sample";
import { RunName } from "../../cards/run_name";
import type { Curve } from "../../state/pr_curves";
import { colorOf, dashOf, drawnRuns, emphasisedRun, shownName, tick, tickAll, tickOnly } from "../../state/runs";
import type { TagSteps } from "../../state/steps";
import * as prCurvesWords from "../../state/texts/pr_curves";
import { changeView, member, spoken } from "../../state/view";
import { areaOf, type Mode, placeOf } from "./curve_shapes";
import "./curve_table.css";
import { firstWall, stepLabel } from "./run_choice";

const mode = member("prCurvesMode");
const threshold = member("prCurvesThreshold");

const ROW_PX = 24;
const HEAD_PX = 24;
const PAD_PX = 6;
// more rows would take too much height from the chart; the rest scrolls
const MOST_ROWS = 6;
// with more rows users filter instead of reading
const MOST_LISTED = 200;
const NONE = "–";

/** Height of the table for this many runs. */
export function tableHeightPx(runs: number, full = false, roomPx = 0): number {
  const whole = HEAD_PX + runs * ROW_PX + PAD_PX;
  return full
    ? Math.min(whole, Math.max(HEAD_PX + 4 * ROW_PX, roomPx / 3))
    : Math.min(whole, HEAD_PX + MOST_ROWS * ROW_PX);
}

type Column = {
  readonly key: string;
  readonly title: string;
  readonly cell: (curve: Curve, at: number) => number | null;
};

/** Columns of values at the marked threshold. */
function columnsOf(kind: Mode): readonly Column[] {
  const words = spoken(prCurvesWords);
  const columns: Readonly<Record<Mode, readonly Column[]>> = {
    pr: [
      {
        key: "precision",
        title: words.precision,
        cell: (curve, at) => (at < curve.defined ? (curve.precision[at] ?? null) : null),
      },
      { key: "recall", title: words.recall, cell: (curve, at) => curve.recall[at] ?? null },
    ],
    roc: [
      { key: "tpr", title: words.truePositiveRate, cell: (curve, at) => curve.truePositiveRate[at] ?? null },
      { key: "fpr", title: words.falsePositiveRate, cell: (curve, at) => curve.falsePositiveRate[at] ?? null },
    ],
    f1: [{ key: "f1", title: words.f1, cell: (curve, at) => curve.f1[at] ?? null }],
  };
  return columns[kind];
}

type Properties = { readonly curves: readonly Curve[]; readonly all: TagSteps; readonly heightPx: number };

export function CurveTable({ curves, all, heightPx }: Properties): JSX.Element {
  const words = spoken(prCurvesWords);
  const kind = mode.value;
  const marked = threshold.value;
  const columns = marked === null ? [] : columnsOf(kind);
  return (
    <div class="curve-table" style={{ height: `${heightPx}px` }} data-testid="curve-table">
      <table>
        <thead>
          <tr>
            <th>{words.run}</th>
            <th class="curve-table__number">{words.step}</th>
            <th class="curve-table__number" title={words.areaHints[kind]}>
              {words.areas[kind]}
            </th>
            {columns.map(({ key, title }) => (
              <th key={key} class="curve-table__number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {curves.slice(0, MOST_LISTED).map((curve) => (
            <Row key={curve.place.run} curve={curve} all={all} kind={kind} columns={columns} marked={marked} />
          ))}
        </tbody>
      </table>
      {curves.length > MOST_LISTED && <p class="curve-table__more">{words.more(curves.length - MOST_LISTED)}</p>}
    </div>
  );
}

type RowProps = {
  readonly curve: Curve;
  readonly all: TagSteps;
  readonly kind: Mode;
  readonly columns: readonly Column[];
  readonly marked: number | null;
};

function Row({ curve, all, kind, columns, marked }: RowProps): JSX.Element {
  const words = spoken(prCurvesWords);
  const { run, step, wall } = curve.place;
  return (
    <tr
      data-run={run}
      onPointerEnter={() => {
        emphasisedRun.value = run;
      }}
      onPointerLeave={() => {
        emphasisedRun.value = null;
      }}
    >
      <td class="curve-table__run">
        <button
          type="button"
          title={`${shownName(run)}\n${words.onlyThis}`}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey) tick([run], false);
            else if (drawnRuns.peek().length === 1) tickAll();
            else tickOnly([run]);
          }}
        >
          <DashSample color={colorOf.value(run)} dash={dashOf.value(run)} />
          <RunName run={run} />
        </button>
      </td>
      <td class="curve-table__number">
        <button type="button" title={words.runStepsHint} onClick={() => changeView({ prCurvesRuns: true })}>
          {stepLabel(step, wall, firstWall(all.get(run)))}
        </button>
      </td>
      {curve.problem !== "" ? (
        <td class="curve-table__problem" colSpan={1 + columns.length} title={curve.problem}>
          {words.unreadable(curve.problem)}
        </td>
      ) : (
        <Numbers curve={curve} kind={kind} columns={columns} marked={marked} />
      )}
    </tr>
  );
}

/** The area, and the values of the curve at the marked threshold. */
function Numbers({ curve, kind, columns, marked }: Omit<RowProps, "all">): JSX.Element {
  const words = spoken(prCurvesWords);
  const area = areaOf(curve, kind);
  const at = marked === null ? -1 : placeOf(curve, marked);
  return (
    <>
      <td class="curve-table__number" data-area={area ?? ""}>
        {area === null ? NONE : area.toFixed(4)}
        {kind === "f1" && curve.bestThreshold !== null && (
          <span class="curve-table__at"> {words.bestAt(formatNumber(curve.bestThreshold))}</span>
        )}
      </td>
      {columns.map(({ key, cell }) => {
        const value = at < 0 ? null : cell(curve, at);
        const known = value !== null && Number.isFinite(value);
        return (
          <td key={key} class="curve-table__number" title={known ? String(value) : words.undefinedHere}>
            {known ? value.toFixed(4) : NONE}
          </td>
        );
      })}
    </>
  );
}
