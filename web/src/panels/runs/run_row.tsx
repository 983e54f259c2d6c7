// One row of the run list: eye, color, state, name, marks, columns, menu.

import type { JSX } from "preact";
import { formatIso } from "../../base/locale";
import { RunName } from "../../cards/run_name";
import { remarksOf, shownName } from "../../state/annotations";
import { type Cell, cellsOf, metricOf } from "../../state/run_columns";
import { factsOf } from "../../state/run_facts";
import { type Branch, PINNED } from "../../state/run_rows";
import { colorOf, colorOfGroup, dashOf, emphasisedRun, isTicked, tick, tickOnly } from "../../state/runs";
import { changeView, member, texts, view } from "../../state/view";
import { EyeBox } from "../../widgets/eye_box";
import { Icon } from "../../widgets/icons";
import { alignsRight, fitCell, isMoment } from "./format";
import { openDialog } from "./open_dialogs";
import { openRun } from "./run_menu";
import { RunMenuButton } from "./run_menu_button";
import { StateMark, stateTitle } from "./state_mark";

const baseline = member("baseline");
const runColumns = member("runColumns");

type RunProperties = {
  readonly run: string;
  readonly label?: string | undefined;
  readonly depth: number;
  /** Short names of all rows. */
  readonly names: ReadonlyMap<string, string>;
  /** The row has the keyboard focus. */
  readonly active: boolean;
  readonly onTick: (event: MouseEvent) => void;
};

export function RunRow({ run, label, depth, names, active, onTick }: RunProperties): JSX.Element {
  const t = texts.value.runs;
  const name = shownName(run);
  const emphasised = emphasisedRun.value === run;
  const shown = isTicked(run);
  const classes = [
    "run-row",
    emphasised ? "run-row--emphasised" : "",
    remarksOf(run).archived ? "run-row--archived" : "",
    shown ? "" : "run-row--hidden",
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would not be a row
    <div
      class={classes.filter((one) => one !== "").join(" ")}
      data-run={run}
      data-row=""
      role="group"
      aria-label={name}
      tabIndex={active ? 0 : -1}
      style={{ paddingInlineStart: `${8 + Math.max(0, depth) * 14}px` }}
      onContextMenu={(event) => {
        event.preventDefault();
        openDialog.value = { kind: "menu", run, anchor: { xPx: event.clientX, yPx: event.clientY } };
      }}
    >
      <EyeBox shown={shown} label={name} title={t.tickHint} onClick={onTick} onDblClick={() => tickOnly([run])} />
      <Swatch run={run} />
      {depth === PINNED && <Icon name="pin" />}
      <button
        type="button"
        class="run-row__name"
        tabIndex={-1}
        title={titleOf(run)}
        aria-pressed={emphasised}
        onClick={(event) => {
          if (event.altKey) tickOnly([run]);
          else emphasisedRun.value = emphasised ? null : run;
        }}
        onDblClick={() => openRun(run)}
      >
        <RunName run={run} label={label} among={names} />
        <Marks run={run} />
      </button>
      <Cells run={run} />
      <OpenButton run={run} />
      <RunMenuButton run={run} />
    </div>
  );
}

/** Opens the page of the run; a click on the name only highlights its curves. */
function OpenButton({ run }: { readonly run: string }): JSX.Element {
  const label = texts.value.runs.openOf(shownName(run));
  return (
    <button
      type="button"
      class="run-row__open"
      tabIndex={-1}
      title={label}
      aria-label={label}
      onClick={() => openRun(run)}
    >
      <Icon name="right" />
    </button>
  );
}

/** Marks beside the name of a run: state unless finished, baseline, labels, note, faults. */
function Marks({ run }: { readonly run: string }): JSX.Element {
  const t = texts.value.runs;
  const said = remarksOf(run);
  return (
    <>
      {factsOf(run).state !== "finished" && <StateMark run={run} />}
      {run === baseline.value && (
        <span class="run-row__baseline" title={t.isBaseline}>
          {t.baselineMark}
        </span>
      )}
      {said.tags?.map((tag) => (
        <span key={tag} class="label-chip">
          {tag}
        </span>
      ))}
      {said.note !== undefined && (
        <span class="run-row__note" title={said.note.slice(0, 500)}>
          <Icon name="note" />
        </span>
      )}
      {factsOf(run).faults > 0 && (
        <span class="run-row__faults" title={t.faultsIn(factsOf(run).faults)}>
          <Icon name="warning" />
        </span>
      )}
    </>
  );
}

function titleOf(run: string): string {
  const own = shownName(run);
  return [...new Set([own, run]), stateTitle(run)].join("\n");
}

const DASH_PATTERNS = ["", "5 3", "2 2", "7 2 2 2"];

function Swatch({ run }: { readonly run: string }): JSX.Element {
  const t = texts.value.runs;
  const dash = DASH_PATTERNS[dashOf.value(run)] ?? "";
  return (
    <button
      type="button"
      class="run-row__swatch"
      tabIndex={-1}
      title={t.colorOf(shownName(run))}
      aria-label={t.colorOf(shownName(run))}
      style={{ color: colorOf.value(run) }}
      onClick={(event) => {
        openDialog.value = { kind: "color", run, anchor: event.currentTarget };
      }}
    >
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        {dash === "" ? (
          <circle cx="6" cy="6" r="5.5" fill="currentColor" />
        ) : (
          <path d="M0 6h12" stroke="currentColor" stroke-width="4" stroke-dasharray={dash} />
        )}
      </svg>
    </button>
  );
}

function Cells({ run }: { readonly run: string }): JSX.Element | null {
  const columns = runColumns.value;
  if (columns.length === 0) return null;
  return (
    <span class="run-row__cells">
      {columns.map((column) => (
        <CellText key={column} column={column} run={run} />
      ))}
    </span>
  );
}

/** Width of a column in the list; metrics also show the difference from the baseline. */
export function cellWidthPx(column: string): number {
  if (metricOf(column) !== null) return baseline.value === "" ? 80 : 136;
  if (isMoment(column)) return 108;
  return column === "duration" ? 96 : column === "state" ? 72 : 80;
}

function CellText({ column, run }: { readonly column: string; readonly run: string }): JSX.Element {
  const read = cellsOf(column);
  const value: Cell = read(run);
  const against =
    baseline.value !== "" && baseline.value !== run && metricOf(column) !== null ? read(baseline.value) : null;
  const { text, delta } = fitCell(column, value, against, cellWidthPx(column));
  const exact = isMoment(column) && typeof value === "number" ? formatIso(value) : value;
  return (
    <span
      class={alignsRight(column) ? "run-row__cell run-row__cell--right" : "run-row__cell"}
      style={{ width: `${cellWidthPx(column)}px` }}
      title={exact === null ? undefined : String(exact)}
    >
      {text}
      {delta !== "" && <span class="run-row__delta">{delta}</span>}
    </span>
  );
}

type BranchProperties = { readonly branch: Branch; readonly shown: string; readonly active: boolean };

export function toggleFold(key: string): void {
  const { folded } = view.value;
  changeView({ folded: folded.includes(key) ? folded.filter((one) => one !== key) : [...folded, key] });
}

/** A folder or a group: can be folded, and its checkbox ticks all runs in it. */
export function BranchRow({ branch, shown, active }: BranchProperties): JSX.Element {
  const { key, label, depth, runs, open, kind } = branch;
  const some = runs.reduce((n, run) => n + (isTicked(run) ? 1 : 0), 0);
  const t = texts.value.runs;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would not be a row
    <div
      class="run-row run-row--branch"
      data-branch={key}
      data-row=""
      role="group"
      aria-label={label}
      tabIndex={active ? 0 : -1}
      style={{ paddingInlineStart: `${8 + depth * 14}px` }}
    >
      <EyeBox
        shown={some === runs.length}
        some={some > 0}
        label={label}
        title={t.tickHint}
        onClick={() => tick(runs, some < runs.length)}
        onDblClick={() => tickOnly(runs)}
      />
      {kind === "group" && <span class="run-row__group" style={{ background: colorOfGroup.value(label) }} />}
      <button
        type="button"
        class="run-row__name"
        tabIndex={-1}
        aria-expanded={open}
        title={open ? t.fold(label) : t.unfold(label)}
        onClick={(event) => {
          if (event.altKey) tickOnly(runs);
          else toggleFold(key);
        }}
      >
        <span class={open ? "run-row__chevron" : "run-row__chevron run-row__chevron--closed"}>
          <Icon name="chevron" />
        </span>
        <bdi class="run-row__branch">{label === "" ? t.noGroupText : shown}</bdi>
        <span class="run-row__count">{runs.length}</span>
      </button>
    </div>
  );
}
