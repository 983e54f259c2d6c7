// The table below a chart: values at the marked step, or what happened over the marked range.

import { useSignal, useSignalEffect } from "@preact/signals";
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

// a fob being dragged asks when it pauses
const DELAY_MS = 80;

export function StepTable({ model }: { readonly model: CardModel }): JSX.Element | null {
  const words = texts.value.timeseries;
  const rows = useSignal<readonly TableRow[] | null>(null);
  const chosen = steps.value;
  const shown = stepTable.value && chosen !== null;

  useSignalEffect(() => {
    const at = steps.value;
    const question = model.question.value;
    // once the lines are there, and again when they have grown
    void [model.series.held.value, updatedAt.value];
    if (!stepTable.value || at === null || question.runs.length === 0) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      const asked =
        at.hi === null
          ? readStep(question, at.lo, stop.signal).then(singleRows)
          : readStretch(question, at.lo, at.hi, stop.signal).then(rangeRows);
      asked.then(
        (found) => {
          if (!stop.signal.aborted) rows.value = found;
        },
        () => {
          // what was read before stays; the connection's trouble is told elsewhere
        },
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  });

  if (!shown) return null;
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

function ColumnChoice({
  range,
  shown,
}: {
  readonly range: boolean;
  readonly shown: readonly ColumnKey[];
}): JSX.Element {
  const words = texts.value.timeseries;
  const open = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const possible: readonly ColumnKey[] = range ? RANGE_COLUMNS : SINGLE_COLUMNS;
  const set = (column: ColumnKey, on: boolean): void => {
    const others = stepColumns.value.filter((one) => !possible.includes(one as ColumnKey));
    const own = possible.filter((one) => one !== "run" && (one === column ? on : shown.includes(one)));
    changeView({ stepColumns: [...others, ...own] });
  };
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
        </Popover>
      )}
    </>
  );
}
