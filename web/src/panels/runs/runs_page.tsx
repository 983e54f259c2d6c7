// The page with the table of all runs: toolbar, filters, actions on the selected runs, and the table.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { annotations } from "../../state/annotations";
import { pageColumns, wantHparams } from "../../state/run_columns";
import { exportPoints } from "../../state/run_export";
import { allColumns, csvOf, jsonOf, setColumns, tableColumns, tableOf } from "../../state/run_table";
import { listedRuns, tickOnly } from "../../state/runs";
import { changeView, member, texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { Menu, type MenuItem } from "../../widgets/menu";
import { ColumnChooser } from "./column_chooser";
import { FilterChips } from "./column_filter";
import { saveFile } from "./files";
import { openDialog } from "./open_dialogs";
import { RunDialogs } from "./run_dialogs";
import { archive, MOST_COMPARED, openCompare } from "./run_menu";
import { RunFilter } from "./run_sidebar";
import { RunsTable } from "./runs_table";
import { AllBox, DrawnCount, ListMenus } from "./sidebar_tools";
import "./runs_page.css";

const onlyDiffering = member("onlyDiffering");
const shadeCells = member("shadeCells");

export function RunsPage(): JSX.Element {
  const selected = useSignal<ReadonlySet<string>>(new Set());
  const choosing = useSignal(false);
  useEffect(wantHparams, []);
  const columns = tableColumns.value;
  useEffect(() => {
    pageColumns.value = allColumns.value;
    return () => {
      pageColumns.value = [];
    };
  }, [columns]);
  const runs = listedRuns.value;
  const chosen = selected.value.size === 0 ? runs : runs.filter((run) => selected.value.has(run));
  return (
    <main class="runs-page">
      <TopBar chosen={chosen} onColumns={() => (choosing.value = true)} />
      <FilterChips />
      {selected.value.size > 0 && <SelectionBar runs={chosen} onClear={() => (selected.value = new Set())} />}
      <RunsTable selected={selected} onColumns={() => (choosing.value = true)} />
      {choosing.value && (
        <Dialog
          title={texts.value.runs.addColumn}
          onClose={() => (choosing.value = false)}
          testId="table-columns-dialog"
          wide
        >
          <ColumnChooser chosen={allColumns.value} onChange={setColumns} />
        </Dialog>
      )}
      <RunDialogs />
    </main>
  );
}

type BarProperties = { readonly chosen: readonly string[]; readonly onColumns: () => void };

function TopBar({ chosen, onColumns }: BarProperties): JSX.Element {
  const t = texts.value.runs;
  return (
    <div class="runs-page__bar">
      <h1 class="runs-page__title">{t.runs}</h1>
      <div class="runs-page__shown">
        <AllBox />
        <DrawnCount />
      </div>
      <div class="runs-page__filter">
        <RunFilter testId="table-filter" />
      </div>
      <Button label={t.addColumn} icon="columns" title={t.insertColumn} testId="table-columns" onClick={onColumns} />
      <Button
        label={t.groupBy}
        icon="group"
        title={t.groupTitle}
        onClick={() => {
          openDialog.value = { kind: "group" };
        }}
      />
      <Button
        label={t.onlyDiffering}
        icon="filter"
        title={t.onlyDiffering}
        pressed={onlyDiffering.value}
        testId="only-differing"
        onClick={() => changeView({ onlyDiffering: !onlyDiffering.value })}
      />
      <Button
        label={t.shadeCells}
        icon="contrast"
        title={t.shadeCells}
        pressed={shadeCells.value}
        testId="shade-cells"
        onClick={() => changeView({ shadeCells: !shadeCells.value })}
      />
      <Menu
        label={t.exportTable}
        icon="download"
        kind="plain"
        showLabel
        items={exportItems(chosen)}
        testId="export-runs"
      />
      <ListMenus />
    </div>
  );
}

function exportItems(runs: readonly string[]): readonly MenuItem[] {
  const t = texts.value.runs;
  const table = () => tableOf(runs, tableColumns.value);
  return [
    { heading: t.count(runs.length) },
    { label: t.exportCsv, icon: "table", onSelect: () => saveFile("runs.csv", csvOf(table()), "text/csv") },
    { label: t.exportJson, icon: "table", onSelect: () => saveFile("runs.json", jsonOf(table())) },
    "separator",
    { label: t.exportPoints, icon: "download", onSelect: () => void points(runs, "csv") },
    { label: t.exportParquet, icon: "download", onSelect: () => void points(runs, "parquet") },
  ];
}

async function points(runs: readonly string[], format: "csv" | "parquet"): Promise<void> {
  const file = await exportPoints(runs, format);
  if (file !== null) saveFile(`points.${format}`, file);
}

type SelectionProperties = { readonly runs: readonly string[]; readonly onClear: () => void };

function SelectionBar({ runs, onClear }: SelectionProperties): JSX.Element {
  const t = texts.value.runs;
  const comparable = runs.length >= 2 && runs.length <= MOST_COMPARED;
  const writable = annotations.value.writable;
  return (
    <div class="runs-page__selection" role="toolbar" aria-label={t.selected(runs.length)}>
      <strong data-testid="selected-count">{t.selected(runs.length)}</strong>
      <Button
        label={t.compareSelected}
        icon="compare"
        title={comparable ? t.compareSelected : t.compareLimits}
        disabled={!comparable}
        testId="compare-selected"
        onClick={() => openCompare(runs)}
      />
      <Button label={t.showSelected} icon="eye" title={t.showSelected} onClick={() => tickOnly(runs)} />
      <Button
        label={t.labels}
        icon="tag"
        title={writable ? t.labels : t.notWritable}
        disabled={!writable}
        onClick={() => {
          openDialog.value = { kind: "labels", runs };
        }}
      />
      <Button
        label={t.archive}
        icon="archive"
        title={writable ? t.archive : t.notWritable}
        disabled={!writable}
        testId="archive-selected"
        onClick={() => {
          onClear();
          void archive(runs, true);
        }}
      />
      <Button label={t.clearSelection} icon="close" kind="quiet" title={t.clearSelection} onClick={onClear} />
    </div>
  );
}
