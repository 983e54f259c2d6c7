// The head of the run list: the checkbox for all runs, and menus for ticking, colors, order and columns.

import { useComputed } from "@preact/signals";
import type { JSX } from "preact";
import { formatCount } from "../../base/numbers";
import { annotations, exportAnnotations } from "../../state/annotations";
import { PALETTES } from "../../state/members/runs";
import { cycleSort, sortOf } from "../../state/run_order";
import { allRuns, drawnRuns, invertTicks, listedRuns, tick, tickAll, tickOnly } from "../../state/runs";
import { changeView, member, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { EyeBox } from "../../widgets/eye_box";
import { Icon } from "../../widgets/icons";
import { Menu, type MenuItem } from "../../widgets/menu";
import { importAnnotations, saveFile } from "./files";
import { alignsRight, columnTitle } from "./format";
import { openDialog } from "./open_dialogs";
import { cellWidthPx } from "./run_row";

export function SidebarTools(): JSX.Element {
  const t = texts.value.runs;
  return (
    <div class="run-sidebar__tools">
      <AllBox />
      <h2 class="run-sidebar__title">{t.runs}</h2>
      <DrawnCount />
      <span class="run-sidebar__space" />
      <TreeButton />
      <ListMenus />
      <Button
        icon="table"
        kind="quiet"
        title={t.openTable}
        testId="open-runs-table"
        onClick={() => changeView({ page: "runs" }, { entry: true })}
      />
    </div>
  );
}

/** The number of runs that are shown in charts. */
export function DrawnCount(): JSX.Element {
  const t = texts.value.runs;
  const [drawn, listed] = [drawnRuns.value.length, listedRuns.value.length];
  return (
    <span class="run-sidebar__count" data-testid="run-count" title={t.drawnOf(String(drawn), String(listed))}>
      {t.drawnOf(short(drawn), short(listed))}
    </span>
  );
}

/** Menus of the run list and the table: colors; showing, arranging and annotating runs. */
export function ListMenus(): JSX.Element {
  const t = texts.value.runs;
  return (
    <>
      <Menu label={t.colors} icon="palette" items={colorItems()} testId="run-colors" />
      <Menu label={t.more} icon="menu" items={moreItems()} testId="run-more" />
    </>
  );
}

/** Exact up to 9,999, rounded above: there is little space. */
function short(count: number): string {
  return count < 10_000 ? String(count) : formatCount(count, 3);
}

/** Shows or hides all listed runs. */
export function AllBox(): JSX.Element {
  const t = texts.value.runs;
  const [drawn, listed] = [drawnRuns.value.length, listedRuns.value.length];
  return (
    <EyeBox
      shown={listed > 0 && drawn === listed}
      some={drawn > 0}
      title={t.allListed}
      label={t.allListed}
      focusable
      testId="all-runs"
      onClick={() => tickListed(drawn < listed)}
    />
  );
}

/** Ticks all or none of the listed runs; without a filter the address stays short. */
function tickListed(on: boolean): void {
  const listed = listedRuns.value;
  if (listed.length < allRuns.value.length) tick(listed, on);
  else if (on) tickAll();
  else tickOnly([]);
}

const runTree = member("runTree");

function TreeButton(): JSX.Element {
  const t = texts.value.runs;
  const paths = useComputed(() => allRuns.value.some((run) => run.includes("/"))).value;
  return (
    <Button
      icon="tree"
      kind="quiet"
      title={paths ? t.tree : t.noTree}
      disabled={!paths && !runTree.value}
      pressed={runTree.value}
      testId="run-tree"
      onClick={() => changeView({ runTree: !runTree.value })}
    />
  );
}

function colorItems(): readonly MenuItem[] {
  const t = texts.value.runs;
  const { colorBy, palette, dashes } = view.value;
  const kind = colorBy.split(":")[0];
  const edit = (): void => {
    openDialog.value = { kind: "colorBy" };
  };
  return [
    { heading: t.colorBy },
    { label: t.byRun, checked: kind === "run", onSelect: () => changeView({ colorBy: "run" }) },
    { label: t.byRegex, checked: kind === "regex", onSelect: edit },
    { label: t.byHparam, checked: kind === "hparam", onSelect: edit },
    { heading: t.palette },
    ...PALETTES.map(
      (one): MenuItem => ({
        label: t.palettes[one],
        checked: palette === one,
        onSelect: () => changeView({ palette: one }),
      }),
    ),
    "separator",
    {
      label: t.dashes,
      checked: dashes && palette === "safe",
      disabled: palette !== "safe",
      onSelect: () => changeView({ dashes: !dashes }),
    },
    {
      label: t.resetColors,
      icon: "reset",
      disabled: Object.keys(view.value.colors).length === 0,
      onSelect: () => changeView({ colors: {} }),
    },
  ];
}

// more would push the list out of the viewport
const MOST_PINNED = 50;

function moreItems(): readonly MenuItem[] {
  const t = texts.value.runs;
  const { group, archived } = view.value;
  const listed = listedRuns.value;
  return [
    { heading: t.ticking },
    { label: t.tickAll, onSelect: () => tickListed(true) },
    { label: t.tickNone, onSelect: () => tickListed(false) },
    { label: t.invert, onSelect: () => invertTicks(listed) },
    { label: t.topN, icon: "filter", onSelect: () => show("top") },
    {
      label: t.pinShown,
      icon: "pin",
      disabled: drawnRuns.value.length > MOST_PINNED,
      onSelect: () => changeView({ pinnedRuns: drawnRuns.value }),
    },
    { heading: t.arrange },
    { label: group === "" ? t.groupBy : t.groupedBy, icon: "group", onSelect: () => show("group") },
    { label: t.columns, icon: "columns", onSelect: () => show("columns") },
    { label: t.showArchived, checked: archived, onSelect: () => changeView({ archived: !archived }) },
    ...sortItems(),
    { heading: t.remarks },
    { label: t.exportRemarks, icon: "download", onSelect: () => saveFile("annotations.json", exportAnnotations()) },
    {
      label: t.importRemarks,
      icon: "upload",
      disabled: !annotations.value.writable,
      title: annotations.value.writable ? undefined : t.notWritable,
      onSelect: () => void importAnnotations(),
    },
  ];
}

function show(kind: "top" | "group" | "columns"): void {
  openDialog.value = { kind };
}

function sortItems(): readonly MenuItem[] {
  const t = texts.value.runs;
  const sorts = ["name", "start", "duration", "state"] as const;
  const now = view.value.runSort[0] ?? "name";
  return [
    { heading: t.sortBy },
    ...sorts.map(
      (one): MenuItem => ({
        label: columnTitle(one),
        checked: now === one || now === `-${one}`,
        shortcut: now === one ? "↑" : now === `-${one}` ? "↓" : undefined,
        onSelect: () => changeView({ runSort: now === one ? [`-${one}`] : one === "name" ? [] : [one] }),
      }),
    ),
  ];
}

const runColumns = member("runColumns");
const runSort = member("runSort");

/** Heads of the optional columns; a click sorts. */
export function ColumnHeads(): JSX.Element | null {
  const columns = runColumns.value;
  void runSort.value;
  if (columns.length === 0) return null;
  return (
    <div class="run-heads">
      <ColumnHead column="name" />
      <span class="run-row__cells">
        {columns.map((column) => (
          <ColumnHead key={column} column={column} />
        ))}
      </span>
    </div>
  );
}

function ColumnHead({ column }: { readonly column: string }): JSX.Element {
  const sort = sortOf(column);
  const right = alignsRight(column);
  return (
    <button
      type="button"
      class={right ? "run-heads__head run-heads__head--right" : "run-heads__head"}
      title={texts.value.runs.sortHint(columnTitle(column))}
      aria-label={columnTitle(column)}
      aria-pressed={sort !== null}
      style={column === "name" ? {} : { width: `${cellWidthPx(column)}px` }}
      onClick={(event) => cycleSort(column, event.shiftKey)}
    >
      <span class="run-heads__text">{columnTitle(column)}</span>
      {sort !== null && <Icon name={sort.down ? "down" : "up"} />}
    </button>
  );
}
