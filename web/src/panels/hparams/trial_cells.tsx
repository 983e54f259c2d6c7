// Cells of one row: the trial with its buttons, then a value per column.

import type { CSSProperties, JSX } from "preact";
import { formatNumber } from "../../base/numbers";
import { RunName } from "../../cards/run_name";
import {
  axisFor,
  colorOfTrial,
  dimsHidden,
  drawnMask,
  hideOnBoard,
  shownColumns,
  showOnBoard,
  trialOfRun,
  widthOf,
} from "../../state/hparams";
import { colorOf } from "../../state/runs";
import { trials } from "../../state/trials";
import { STATUSES, type TrialColumn } from "../../state/trials_columns";
import { changeView, member } from "../../state/view";
import { Icon } from "../../widgets/icons";
import { alignsRight, formatCell, formatDelta, shortName, titleOf, whyAbsent, words } from "./words";

type Properties = {
  readonly trial: number;
  readonly namePx: number;
  /** Short names that fit into the column. */
  readonly names: ReadonlyMap<string, string>;
  readonly open: boolean;
  readonly beside: boolean;
  readonly onOpen: () => void;
};

export function TrialCells({ trial, namePx, names, open, beside, onOpen }: Properties): JSX.Element {
  return (
    <>
      <NameCell trial={trial} namePx={namePx} names={names} open={open} beside={beside} onOpen={onOpen} />
      {shownColumns.value.map((column) => (
        <ValueCell key={column.id} column={column} trial={trial} />
      ))}
    </>
  );
}

const baseline = member("baseline");
const shadeCells = member("shadeCells");

export function openRun(run: string): void {
  changeView({ page: "run", of: [run] }, { entry: true });
}

function NameCell({ trial, namePx, names, open, beside, onOpen }: Properties): JSX.Element {
  const t = words();
  const title = titleOf(trial);
  const runs = trials.value?.runs[trial] ?? [];
  const [run = ""] = runs;
  const drawn = drawnMask.value[trial] === 1;
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <span
      class={
        drawn || !dimsHidden.value
          ? "trials-table__cell trials-table__name"
          : "trials-table__cell trials-table__name is-hidden"
      }
      role="rowheader"
      style={{ width: `${namePx}px` }}
    >
      {!beside && (
        <button
          type="button"
          class={open ? "trials-table__open is-open" : "trials-table__open"}
          tabIndex={-1}
          aria-expanded={open}
          title={open ? t.collapse(title) : t.expand(title)}
          aria-label={open ? t.collapse(title) : t.expand(title)}
          onClick={onOpen}
        >
          <Icon name="chevron" />
        </button>
      )}
      <button
        type="button"
        class="trials-table__eye"
        tabIndex={-1}
        aria-pressed={drawn}
        title={drawn ? t.hideRun : t.showRun}
        aria-label={`${drawn ? t.hideRun : t.showRun}: ${title}`}
        onClick={() => (drawn ? hideOnBoard([trial]) : showOnBoard([trial], false))}
      >
        <Icon name={drawn ? "eye" : "eye-off"} />
      </button>
      <span
        class="virtual-table__dot"
        style={{ background: beside ? colorOfTrial.value(trial) : colorOf.value(run) }}
      />
      <button
        type="button"
        class="trials-table__link"
        tabIndex={-1}
        title={`${runs.slice(0, 20).join("\n")}\n${runs.length === 1 ? t.openRun : t.repeated(runs.length)}`}
        onClick={() => (runs.length === 1 ? openRun(run) : onOpen())}
      >
        {runs.length === 1 ? (
          <RunName run={run} label={shortName(run)} among={names} />
        ) : (
          <bdi class="virtual-table__title">{names.get(title) ?? title}</bdi>
        )}
      </button>
      {runs.length > 1 && <span class="trials-table__repeats">×{runs.length}</span>}
      {baseline.value !== "" && trialOfRun.value(baseline.value) === trial && (
        <span class="trials-table__baseline">{t.baselineMark}</span>
      )}
    </span>
  );
}

function ValueCell({ column, trial }: { readonly column: TrialColumn; readonly trial: number }): JSX.Element {
  const number = column.numbers[trial] ?? Number.NaN;
  const absent = Number.isNaN(number);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <span
      class={alignsRight(column) ? "trials-table__cell trials-table__cell--right" : "trials-table__cell"}
      role="gridcell"
      title={absent ? whyAbsent(column, trial) : cellTitle(column, trial, number)}
      style={{ width: `${widthOf(column.id)}px`, ...shade(column, trial) }}
    >
      {absent ? (
        <span class="trials-table__absent">{shortReason(column, trial)}</span>
      ) : column.id === "status" ? (
        <Status status={STATUSES[number] ?? "unknown"} />
      ) : (
        <bdi>{formatCell(column, trial)}</bdi>
      )}
      <Aside column={column} trial={trial} number={number} />
    </span>
  );
}

/** Returns "NaN" or "≠" (values vary) for logged values, and a dash if nothing was logged; the title says why. */
function shortReason(column: TrialColumn, trial: number): string {
  const code = trials.value?.reasonOf(column, trial) ?? "";
  return code === "nan" ? "NaN" : code === "varies" ? "≠" : "–";
}

function cellTitle(column: TrialColumn, trial: number, number: number): string {
  const text = column.kind === "number" ? String(number) : formatCell(column, trial);
  const step = column.steps?.[trial] ?? -1;
  return step >= 0 ? `${text}\n${words().atStep(String(step))}` : text;
}

/** Shows the difference from the baseline, or the spread of the repeats. */
function Aside({
  column,
  trial,
  number,
}: {
  readonly column: TrialColumn;
  readonly trial: number;
  readonly number: number;
}): JSX.Element | null {
  if (column.role !== "metric") return null;
  const base = baseline.value === "" ? -1 : trialOfRun.value(baseline.value);
  if (base >= 0) {
    const delta = base === trial ? "" : formatDelta(number, column.numbers[base] ?? Number.NaN);
    return delta === "" ? null : <span class="trials-table__aside">{delta}</span>;
  }
  const deviation = trials.value?.deviationOf(column, trial) ?? Number.NaN;
  return Number.isFinite(deviation) ? <span class="trials-table__aside">±{formatNumber(deviation, 2)}</span> : null;
}

export function Status({ status }: { readonly status: (typeof STATUSES)[number] }): JSX.Element {
  return <span class={`trial-status trial-status--${status}`}>{words().statuses[status]}</span>;
}

function shade(column: TrialColumn, trial: number): CSSProperties {
  if (!shadeCells.value || column.kind !== "number" || column.role === "fact") return {};
  const place = axisFor(column).places[trial] ?? Number.NaN;
  if (Number.isNaN(place)) return {};
  return { background: `color-mix(in srgb, var(--accent) ${Math.round(4 + place * 36)}%, transparent)` };
}
