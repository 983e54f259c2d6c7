// Cells of the table: values of a run, or means of a group.

import { computed } from "@preact/signals";
import type { CSSProperties, JSX } from "preact";
import { formatIso } from "../../base/locale";
import { shortNames } from "../../base/short_names";
import { RunName } from "../../cards/run_name";
import { remarksOf, shownName } from "../../state/annotations";
import { type Cell, cellsOf, isNumeric, metricOf } from "../../state/run_columns";
import type { Branch } from "../../state/run_rows";
import { aggregate, extents, tableRows, widthOf } from "../../state/run_table";
import { colorOf, colorOfGroup, isTicked, listedRuns, tick, tickOnly } from "../../state/runs";
import { member, texts } from "../../state/view";
import { EyeBox } from "../../widgets/eye_box";
import { Icon } from "../../widgets/icons";
import { textPx } from "../../widgets/text_width";
import { Cells } from "./columns_in_sight";
import { alignsRight, fitCell, formatCell, isMoment } from "./format";
import { openRun } from "./run_menu";
import { RunMenuButton } from "./run_menu_button";
import { toggleFold } from "./run_row";
import { StatePill } from "./state_mark";
import type { Layout } from "./table_layout";

const baseline = member("baseline");

// of both sides; see .runs-table__cell
const CELL_PADDING_PX = 20;

function placed(column: string, leftPx: number | null): CSSProperties {
  const width = `${widthOf(column)}px`;
  return leftPx === null ? { width } : { width, left: `${leftPx}px` };
}

function classOf(column: string, leftPx: number | null): string {
  const right = alignsRight(column) ? " runs-table__cell--right" : "";
  return `runs-table__cell${right}${leftPx === null ? "" : " runs-table__cell--pinned"}`;
}

type RunProperties = { readonly run: string; readonly inGroup: boolean; readonly layout: Layout };

export function RunCells({ run, inGroup, layout }: RunProperties): JSX.Element {
  return (
    <>
      <NameCell run={run} inGroup={inGroup} leftPx={layout.nameLeftPx} />
      <Cells layout={layout}>
        {(column, left) => <ValueCell key={column} run={run} column={column} leftPx={left} />}
      </Cells>
    </>
  );
}

// eye, dot, menu and paddings beside a name
const NAME_TOOLS_PX = 92;

const tableNames = computed(() =>
  shortNames(listedRuns.value.map(shownName), widthOf("name") - NAME_TOOLS_PX, textPx.value),
);

/** Width of the widest name, with everything beside it. */
export const neededNamePx = computed(
  () => NAME_TOOLS_PX + listedRuns.value.reduce((most, run) => Math.max(most, textPx.value(shownName(run))), 0) + 2,
);

const groupNames = computed(() =>
  shortNames(
    tableRows.value.flatMap((row) => (typeof row === "object" && row.kind === "group" ? [row.label] : [])),
    widthOf("name") - NAME_TOOLS_PX,
    textPx.value,
  ),
);

type NameProperties = { readonly run: string; readonly inGroup: boolean; readonly leftPx: number };

function NameCell({ run, inGroup, leftPx }: NameProperties): JSX.Element {
  const t = texts.value.runs;
  const ticked = isTicked(run);
  const name = shownName(run);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <span
      class="runs-table__cell runs-table__cell--pinned runs-table__cell--name"
      role="rowheader"
      style={{ ...placed("name", leftPx), paddingInlineStart: inGroup ? "20px" : undefined }}
    >
      <EyeBox
        shown={ticked}
        label={t.showInCharts(name)}
        title={t.tickHint}
        onClick={(event) => (event.altKey ? tickOnly([run]) : tick([run], !ticked))}
        onDblClick={() => tickOnly([run])}
      />
      <span class="virtual-table__dot" style={{ background: colorOf.value(run) }} />
      <button type="button" class="runs-table__name" tabIndex={-1} title={run} onClick={() => openRun(run)}>
        <RunName run={run} among={tableNames.value} />
      </button>
      {run === baseline.value && <span class="run-row__baseline">{t.baselineMark}</span>}
      <RunMenuButton run={run} />
    </span>
  );
}

type ValueProperties = { readonly run: string; readonly column: string; readonly leftPx: number | null };

function ValueCell({ run, column, leftPx }: ValueProperties): JSX.Element {
  const read = cellsOf(column);
  const value = read(run);
  const against =
    baseline.value !== "" && baseline.value !== run && metricOf(column) !== null ? read(baseline.value) : null;
  const { text, delta } = fitCell(column, value, against, widthOf(column) - CELL_PADDING_PX);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <span
      class={classOf(column, leftPx)}
      role="gridcell"
      title={cellTitle(column, value)}
      style={{ ...placed(column, leftPx), ...shade(column, value) }}
    >
      <CellContent run={run} column={column} text={text} />
      {delta !== "" && <span class="run-row__delta">{delta}</span>}
    </span>
  );
}

type ContentProperties = { readonly run: string; readonly column: string; readonly text: string };

function CellContent({ run, column, text }: ContentProperties): JSX.Element {
  if (column === "state") return <StatePill run={run} />;
  if (column === "labels") {
    return (
      <>
        {remarksOf(run).tags?.map((tag) => (
          <span key={tag} class="label-chip">
            {tag}
          </span>
        ))}
      </>
    );
  }
  return <span class="runs-table__text">{text}</span>;
}

function cellTitle(column: string, value: Cell): string | undefined {
  if (value === null) return undefined;
  if (isMoment(column) && typeof value === "number") return formatIso(value) ?? undefined;
  return String(value);
}

/** Tints the background by value: faintest for the lowest of a column; text stays readable. */
function shade(column: string, value: Cell): CSSProperties {
  const extent = extents.value.get(column);
  if (extent === undefined || typeof value !== "number" || !Number.isFinite(value)) return {};
  const [lo, hi] = extent;
  const share = hi === lo ? 0.5 : (value - lo) / (hi - lo);
  return { backgroundImage: `linear-gradient(${tint(share)}, ${tint(share)})` };
}

function tint(share: number): string {
  return `color-mix(in srgb, var(--accent) ${Math.round(4 + share * 36)}%, transparent)`;
}

type GroupProperties = { readonly branch: Branch; readonly layout: Layout };

export function GroupCells({ branch, layout }: GroupProperties): JSX.Element {
  const t = texts.value.runs;
  const { label, runs, open, key } = branch;
  const some = runs.reduce((n, run) => n + (isTicked(run) ? 1 : 0), 0);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: not in a table element */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the row has the focus */}
      <span
        class="runs-table__cell runs-table__cell--pinned runs-table__cell--name"
        role="rowheader"
        style={placed("name", layout.nameLeftPx)}
      >
        <EyeBox
          shown={some === runs.length}
          some={some > 0}
          label={t.showInCharts(label)}
          title={t.tickHint}
          onClick={() => tick(runs, some < runs.length)}
          onDblClick={() => tickOnly(runs)}
        />
        <button
          type="button"
          class="runs-table__fold"
          tabIndex={-1}
          aria-expanded={open}
          title={open ? t.fold(label) : t.unfold(label)}
          onClick={() => toggleFold(key)}
        >
          <span class={open ? "run-row__chevron" : "run-row__chevron run-row__chevron--closed"}>
            <Icon name="chevron" />
          </span>
          <span class="run-row__group" style={{ background: colorOfGroup.value(label) }} />
          <bdi class="run-row__branch">{label === "" ? t.noGroupText : groupNames.value.get(label)}</bdi>
          <span class="run-row__count">{t.groupOf(runs.length)}</span>
        </button>
      </span>
      <Cells layout={layout}>
        {(column, left) => <GroupCell key={column} column={column} runs={runs} leftPx={left} />}
      </Cells>
    </>
  );
}

type GroupCellProperties = {
  readonly column: string;
  readonly runs: readonly string[];
  readonly leftPx: number | null;
};

function GroupCell({ column, runs, leftPx }: GroupCellProperties): JSX.Element {
  const { text, title } = groupText(column, runs);
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: the row has the focus
    <span class={classOf(column, leftPx)} role="gridcell" style={placed(column, leftPx)} title={title}>
      <span class="runs-table__text">{text}</span>
    </span>
  );
}

function groupText(column: string, runs: readonly string[]): { readonly text: string; readonly title?: string } {
  if (isNumeric(column)) {
    const found = aggregate(column, runs);
    if (found === null) return { text: "" };
    return {
      text: fitCell(column, found.mean, null, widthOf(column) - CELL_PADDING_PX).text,
      title: `${formatCell(column, found.lo)} … ${formatCell(column, found.hi)}`,
    };
  }
  // show a value that all runs of the group share
  const read = cellsOf(column);
  const values = new Set(runs.map((run) => formatCell(column, read(run))));
  const [only] = values;
  return { text: values.size === 1 && only !== undefined ? only : "" };
}
