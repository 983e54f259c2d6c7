// The table below a chart: values at the marked step, or statistics over the marked range.

import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { updatedAt } from "../../state/board";
import { readStep, readStretch } from "../../state/step_values";
import { changeView, member, texts } from "../../state/view";
import { Checkbox } from "../../widgets/checkbox";
import { Icon } from "../../widgets/icons";
import { Popover } from "../../widgets/popover";
import type { CardModel } from "./card_model";
import "./step_table.css";
import { expandable, expanded, tableHeightPx } from "./step_table_size";
import {
  type ColumnKey,
  columnsShown,
  RANGE_COLUMNS,
  rangeRows,
  SINGLE_COLUMNS,
  singleRows,
  type TableRow,
} from "./table_rows";
import { ValuesTable } from "./values_table";

const steps = member("steps");
const stepTable = member("stepTable");
const stepColumns = member("stepColumns");

// debounce: values are requested when a dragged handle pauses
const DELAY_MS = 80;

export function StepTable({ model }: { readonly model: CardModel }): JSX.Element | null {
  const words = texts.value.timeseries;
  const rows = useRows(model);
  const chosen = steps.value;
  if (!stepTable.value || chosen === null) return null;
  const range = chosen.hi !== null;
  const columns = columnsShown(range, stepColumns.value, model.question.value.smoothing !== "");
  return (
    <div class="step-table" style={{ height: `${tableHeightPx.value}px` }} data-testid="step-table-rows">
      <ValuesTable
        label={words.stepTable}
        rows={rows.value ?? []}
        columns={columns}
        several={model.card.value.tags.length > 1}
      />
      <div class="step-table__tools">
        {expandable.value && (
          <button
            type="button"
            class="step-table__tool"
            title={expanded.value ? words.collapse : words.expand}
            aria-label={expanded.value ? words.collapse : words.expand}
            aria-expanded={expanded.value}
            onClick={() => {
              expanded.value = !expanded.value;
            }}
          >
            <Icon name={expanded.value ? "up" : "down"} />
          </button>
        )}
        <ColumnChoice range={range} shown={columns} />
      </div>
    </div>
  );
}

/** Returns values at the marked step or over the marked range; null before the first response. */
function useRows(model: CardModel): ReadonlySignal<readonly TableRow[] | null> {
  const rows = useSignal<readonly TableRow[] | null>(null);
  useSignalEffect(() => {
    const at = steps.value;
    const question = model.question.value;
    // request after the lines are loaded, and again when they have new points
    void [model.series.held.value, updatedAt.value];
    if (!stepTable.value || at === null || question.runs.length === 0) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const answer =
        at.hi === null
          ? readStep(question, at.lo, stop.signal).then(singleRows)
          : readStretch(question, at.lo, at.hi, stop.signal).then(rangeRows);
      answer.then(
        (read) => {
          if (!stop.signal.aborted) rows.value = read;
        },
        () => {
          // the old values stay; the top bar shows that the connection is lost
        },
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  });
  return rows;
}

type ChoiceProps = { readonly range: boolean; readonly shown: readonly ColumnKey[] };

function ColumnChoice({ range, shown }: ChoiceProps): JSX.Element {
  const words = texts.value.timeseries;
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        class="step-table__tool"
        title={words.columns}
        aria-label={words.columns}
        onClick={() => {
          open.value = !open.value;
        }}
      >
        <Icon name="columns" />
      </button>
      {open.value && button.current !== null && (
        <Popover
          anchor={button.current}
          label={words.columns}
          onClose={() => {
            open.value = false;
          }}
        >
          <ColumnBoxes range={range} shown={shown} />
        </Popover>
      )}
    </>
  );
}

function ColumnBoxes({ range, shown }: ChoiceProps): JSX.Element {
  const words = texts.value.timeseries;
  const possible: readonly ColumnKey[] = range ? RANGE_COLUMNS : SINGLE_COLUMNS;
  const set = (column: ColumnKey, on: boolean): void => {
    const others = stepColumns.value.filter((one) => !possible.includes(one as ColumnKey));
    const own = possible.filter((one) => one !== "run" && (one === column ? on : shown.includes(one)));
    changeView({ stepColumns: [...others, ...own] });
  };
  return (
    <div class="step-table__choice">
      {possible
        .filter((column) => column !== "run")
        .map((column) => (
          <Checkbox
            key={column}
            label={words.columnNames[column]}
            checked={shown.includes(column)}
            onChange={(on) => set(column, on)}
          />
        ))}
    </div>
  );
}
