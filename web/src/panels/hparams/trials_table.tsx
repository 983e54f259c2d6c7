// The table of trials. Only rows in sight are in the page, so ten thousand cost as much as a screenful. A row opens to
// the charts of its metrics. Arrows move between rows, Enter opens one, Space shows or hides its runs on the board.

import { computed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
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
import { rowLayout } from "./row_layout";
import { TrialCells } from "./trial_cells";
import { DETAILS_PX, TrialDetails } from "./trial_details";
import { TrialHeader } from "./trial_header";
import "./trials_table.css";
import { longestName, words } from "./words";

const ROW_PX = 30;
const HEAD_PX = 34;
const MARGIN_ROWS = 6;
const MOST_NAME_PX = 340;
const NAME_TOOLS_PX = 110;
const LETTER_PX = 7.5;
const LEAST_LETTERS = 6;

const widths = member("hparamsWidths");

type Window = { readonly topPx: number; readonly widthPx: number; readonly heightPx: number };

/** Beside a picture rows do not open; a click there keeps the trial for the box of details. */
export function TrialsTable({ beside = false }: { readonly beside?: boolean }): JSX.Element {
  const t = words();
  const frame = useRef<HTMLDivElement>(null);
  useHeldColumns(frame);
  const shown = useSignal<Window>({ topPx: 0, widthPx: 1000, heightPx: 700 });
  const active = useSignal(0);
  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const measure = (): void => {
      shown.value = { topPx: element.scrollTop, widthPx: element.clientWidth, heightPx: element.clientHeight };
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", measure);
    };
  }, [shown]);

  const list = rows.value;
  const names = trials.value?.names ?? [];
  const open = beside ? NONE : openTrials.value;
  const openRows: number[] = [];
  if (open.size > 0) for (const [row, trial] of list.entries()) if (open.has(names[trial] ?? "")) openRows.push(row);
  const layout = rowLayout(list.length, openRows, ROW_PX, DETAILS_PX);
  const { topPx, heightPx } = shown.value;
  const first = Math.max(0, layout.rowAt(topPx) - MARGIN_ROWS);
  const end = Math.min(list.length, layout.rowAt(topPx + heightPx) + 1 + MARGIN_ROWS);
  const columns = shownColumns.value;
  const othersPx = columns.reduce((sum, { id }) => sum + widthOf(id), 0);
  // what the columns leave free is the names'
  const ownPx = Math.min(widthOf("name"), NAME_TOOLS_PX + LETTER_PX * Math.max(LEAST_LETTERS, longestName.value));
  const namePx = widths.value.name ?? Math.max(ownPx, Math.min(MOST_NAME_PX, shown.value.widthPx - othersPx));
  const widthPx = othersPx + namePx;

  const go = (to: number): void => {
    active.value = Math.min(list.length - 1, Math.max(0, to));
    const element = frame.current;
    if (element === null) return;
    const place = layout.topOf(active.value);
    if (place < element.scrollTop) element.scrollTop = place;
    else if (place + ROW_PX + HEAD_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = place + ROW_PX + HEAD_PX - element.clientHeight;
    requestAnimationFrame(() => element.querySelector<HTMLElement>('.trials-table__row[tabindex="0"]')?.focus());
  };
  const onKey = (event: KeyboardEvent): void => {
    const trial = list[active.value];
    const inRow = event.target instanceof HTMLElement && event.target.classList.contains("trials-table__row");
    if (!inRow || trial === undefined) return;
    const page = Math.max(1, Math.floor(heightPx / ROW_PX) - 2);
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const step = steps[event.key];
    if (step !== undefined) go(active.value + step);
    else if (event.key === "Home") go(0);
    else if (event.key === "End") go(list.length - 1);
    else if (event.key === "Enter") openRow(trial);
    else if (event.key === " ") toggleShown(trial);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const openRow = (trial: number): void => {
    if (beside) keep(keptTrial.peek() === trial ? -1 : trial);
    else toggleOpen(names[trial] ?? "");
  };
  return (
    <div
      class="trials-table"
      ref={frame}
      role="treegrid"
      aria-label={t.table}
      aria-rowcount={list.length + 1}
      aria-colcount={columns.length + 1}
      tabIndex={-1}
      data-testid="trials-table"
      onKeyDown={onKey}
      onPointerLeave={() => point(-1)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: its buttons take the focus */}
      <div class="trials-table__head" role="row" style={{ width: `${widthPx}px` }}>
        <TrialHeader column={null} widthPx={namePx} />
        {columns.map((column) => (
          <TrialHeader key={column.id} column={column} widthPx={widthOf(column.id)} />
        ))}
      </div>
      <div class="trials-table__body" style={{ height: `${layout.totalPx}px`, width: `${widthPx}px` }}>
        {Array.from(list.subarray(first, end), (trial, offset) => {
          const row = first + offset;
          return (
            // by position: rows are drawn anew in place, which is quicker than other rows, and the focus stays
            <Row
              key={offset}
              trial={trial}
              row={row}
              topPx={layout.topOf(row)}
              widthPx={widthPx}
              namePx={namePx}
              open={open.has(names[trial] ?? "")}
              beside={beside}
              active={active.value === row}
              onFocus={() => {
                active.value = row;
              }}
              onOpen={() => openRow(trial)}
            />
          );
        })}
        {openRows
          .filter((row) => row >= first && row < end)
          .map((row) => (
            <OpenRow
              key={list[row]}
              trial={list[row] ?? 0}
              topPx={layout.topOf(row) + ROW_PX}
              widthPx={shown.value.widthPx}
            />
          ))}
      </div>
      {list.length === 0 && <NoRows />}
    </div>
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
    <div class="trials-table__empty" role="status">
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

type RowProperties = {
  readonly trial: number;
  readonly row: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly namePx: number;
  readonly open: boolean;
  readonly beside: boolean;
  readonly active: boolean;
  readonly onFocus: () => void;
  readonly onOpen: () => void;
};

function Row(properties: RowProperties): JSX.Element {
  const { trial, row, topPx, widthPx, namePx, open, beside, active, onFocus, onOpen } = properties;
  // of its own: a row that is not pointed at rests while others are
  const marked = useMemo(
    () => computed(() => pointed.value === trial || (beside && keptTrial.value === trial)),
    [trial, beside],
  ).value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: see above
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter does the same, see above
    <div
      class={marked ? "trials-table__row trials-table__row--marked" : "trials-table__row"}
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
      <TrialCells trial={trial} namePx={namePx} open={open} beside={beside} onOpen={onOpen} />
    </div>
  );
}
