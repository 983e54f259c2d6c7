// The table of trials. An open row shows the charts of its metrics. Arrows move between rows, Enter opens one, Space
// shows or hides its runs on the board.

import { computed } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { shortNames } from "../../base/short_names";
import {
  anyBrush,
  clearBrushes,
  clearFilters,
  drawnMask,
  hideOnBoard,
  keep,
  keptTrial,
  listed,
  openTrials,
  point,
  pointed,
  rows,
  shownColumns,
  showOnBoard,
  toggleOpen,
  widthOf,
} from "../../state/hparams";
import { trials } from "../../state/trials";
import { member } from "../../state/view";
import { Button } from "../../widgets/button";
import { useHeldColumns } from "../../widgets/held_columns";
import { type RowLayout, type RowRange, rowLayout, rowsInSight } from "../../widgets/table_rows";
import { textPx } from "../../widgets/text_width";
import { useRowKeys, useTableFrame, VirtualTable } from "../../widgets/virtual_table";
import { TrialCells } from "./trial_cells";
import { DETAILS_PX, TrialDetails } from "./trial_details";
import { TrialHeader } from "./trial_header";
import "./trials_table.css";
import { longestName, titles, words } from "./words";

const ROW_PX = 30;
const MARGIN_ROWS = 6;
const MOST_NAME_PX = 340;
const NAME_TOOLS_PX = 110;
// the same without slack
const CELL_TOOLS_PX = 98;
const LETTER_PX = 7.5;
const LEAST_LETTERS = 6;
const GUESS = { topPx: 0, leftPx: 0, widthPx: 1000, heightPx: 700 };

const widths = member("hparamsWidths");

/** `beside`: the table is next to a picture; rows do not open, a click selects the trial for the details. */
export function TrialsTable({ beside = false }: { readonly beside?: boolean }): JSX.Element {
  const table = useTableFrame(GUESS);
  useHeldColumns(table.frame);
  const list = rows.value;
  const open = beside ? NONE : openTrials.value;
  const openRows = rowsOf(open);
  const layout = rowLayout(list.length, ROW_PX, openRows, DETAILS_PX);
  const { active, onKeyDown } = useRowKeys(table, layout, (event, row) => {
    const trial = list[row];
    if (trial === undefined) return false;
    if (event.key === "Enter") openRow(trial, beside);
    else if (event.key === " ") toggleShown(trial);
    else return false;
    return true;
  });
  const { topPx, heightPx, widthPx: frameWidthPx } = table.shown.value;
  const range = rowsInSight(layout, topPx, heightPx, MARGIN_ROWS);
  const { namePx, widthPx } = columnWidths(frameWidthPx);
  const all = titles.value;
  const names = useMemo(() => shortNames(all, namePx - CELL_TOOLS_PX, textPx.value), [all, namePx]);
  return (
    <VirtualTable
      frame={table.frame}
      label={words().table}
      role="treegrid"
      className="trials-table"
      rowCount={list.length + 1}
      columnCount={shownColumns.value.length + 1}
      widthPx={widthPx}
      heightPx={layout.totalPx}
      head={<Head namePx={namePx} widthPx={widthPx} />}
      empty={list.length === 0 && <NoRows />}
      testId="trials-table"
      onKeyDown={onKeyDown}
      onPointerLeave={() => point(-1)}
    >
      {Array.from(list.subarray(range.first, range.end), (trial, offset) => {
        const row = range.first + offset;
        return (
          // keyed by position: updating row elements is faster than replacing them, and the focus stays
          <Row
            key={offset}
            trial={trial}
            row={row}
            topPx={layout.topOf(row)}
            widthPx={widthPx}
            namePx={namePx}
            names={names}
            open={open.has(nameOf(trial))}
            beside={beside}
            active={active.value === row}
            onFocus={() => {
              active.value = row;
            }}
            onOpen={() => openRow(trial, beside)}
          />
        );
      })}
      <OpenRows openRows={openRows} range={range} layout={layout} widthPx={frameWidthPx} />
    </VirtualTable>
  );
}

function nameOf(trial: number): string {
  return trials.value?.names[trial] ?? "";
}

/** Returns the row indices of open trials. */
function rowsOf(open: ReadonlySet<string>): readonly number[] {
  const openRows: number[] = [];
  if (open.size > 0) for (const [row, trial] of rows.value.entries()) if (open.has(nameOf(trial))) openRows.push(row);
  return openRows;
}

/** The name column takes the width that the other columns leave free. */
function columnWidths(frameWidthPx: number): { readonly namePx: number; readonly widthPx: number } {
  const othersPx = shownColumns.value.reduce((sum, { id }) => sum + widthOf(id), 0);
  const ownPx = Math.min(widthOf("name"), NAME_TOOLS_PX + LETTER_PX * Math.max(LEAST_LETTERS, longestName.value));
  const namePx = widths.value.name ?? Math.max(ownPx, Math.min(MOST_NAME_PX, frameWidthPx - othersPx));
  return { namePx, widthPx: othersPx + namePx };
}

function openRow(trial: number, beside: boolean): void {
  if (beside) keep(keptTrial.peek() === trial ? -1 : trial);
  else toggleOpen(nameOf(trial));
}

function Head({ namePx, widthPx }: { readonly namePx: number; readonly widthPx: number }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: not in a table element
    // biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus
    <div class="virtual-table__head virtual-table__headers" role="row" style={{ width: `${widthPx}px` }}>
      <TrialHeader column={null} widthPx={namePx} />
      {shownColumns.value.map((column) => (
        <TrialHeader key={column.id} column={column} widthPx={widthOf(column.id)} />
      ))}
    </div>
  );
}

type OpenRowsProperties = {
  readonly openRows: readonly number[];
  readonly range: RowRange;
  readonly layout: RowLayout;
  readonly widthPx: number;
};

function OpenRows({ openRows, range, layout, widthPx }: OpenRowsProperties): JSX.Element {
  const list = rows.value;
  return (
    <>
      {openRows
        .filter((row) => row >= range.first && row < range.end)
        .map((row) => (
          <OpenRow key={list[row]} trial={list[row] ?? 0} topPx={layout.topOf(row) + ROW_PX} widthPx={widthPx} />
        ))}
    </>
  );
}

const NONE: ReadonlySet<string> = new Set();

function toggleShown(trial: number): void {
  if (drawnMask.peek()[trial] === 1) hideOnBoard([trial]);
  else showOnBoard([trial], false);
}

function NoRows(): JSX.Element {
  const t = words();
  const brushedOut = rows.value.length === 0 && anyBrush.value && listed.value.length > 0;
  return (
    <div class="virtual-table__empty trials-table__empty" role="status">
      <p>{brushedOut ? t.noneBrushed : t.noneListed}</p>
      {brushedOut ? (
        <Button label={t.clearBrush} title={t.clearBrush} onClick={clearBrushes} />
      ) : (
        <Button label={t.clearFilters} title={t.clearFilters} onClick={clearFilters} />
      )}
    </div>
  );
}

type OpenProperties = { readonly trial: number; readonly topPx: number; readonly widthPx: number };

function OpenRow({ trial, topPx, widthPx }: OpenProperties): JSX.Element {
  const style = { transform: `translateY(${topPx}px)`, height: `${DETAILS_PX}px`, width: `${widthPx}px` };
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useFocusableInteractive: what is inside takes the focus
    <div class="trials-table__details" role="row" style={style}>
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      <div role="gridcell" class="trials-table__inside">
        <TrialDetails trial={trial} />
      </div>
    </div>
  );
}

const ROW_CLASS = "virtual-table__row virtual-table__cells trials-table__row";

type RowProperties = {
  readonly trial: number;
  readonly row: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly namePx: number;
  readonly names: ReadonlyMap<string, string>;
  readonly open: boolean;
  readonly beside: boolean;
  readonly active: boolean;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
};

function Row(properties: RowProperties): JSX.Element {
  const { trial, row, topPx, widthPx, namePx, names, open, beside, active, onFocus, onOpen } = properties;
  // a signal per row: only rows whose mark changes are rendered again
  const marked = useMemo(
    () => computed(() => pointed.value === trial || (beside && keptTrial.value === trial)),
    [trial, beside],
  ).value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter does the same, see above
    <div
      class={marked ? `${ROW_CLASS} trials-table__row--marked` : ROW_CLASS}
      role="row"
      aria-rowindex={row + 2}
      aria-expanded={beside ? undefined : open}
      aria-selected={beside && keptTrial.value === trial}
      data-trial={trials.value?.names[trial]}
      tabIndex={active ? 0 : -1}
      style={{ transform: `translateY(${topPx}px)`, width: `${widthPx}px` }}
      onFocus={onFocus}
      onPointerEnter={() => point(trial)}
      onClick={(event) => {
        if (beside && !(event.target instanceof Element && event.target.closest("button, a") !== null)) onOpen();
      }}
    >
      <TrialCells trial={trial} namePx={namePx} names={names} open={open} beside={beside} onOpen={onOpen} />
    </div>
  );
}
