// Column filters: a list of values or an interval, edited in a popover below the column head, shown as chips above the
// table.

import { useSignal } from "@preact/signals";
import type { JSX, TargetedInputEvent } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { compilePattern } from "../../base/pattern";
import type { ColumnFilter } from "../../state/members/shared";
import { columnExpression } from "../../state/run_filter";
import { asExpression, extentOf, setColumnFilter, valuesOf } from "../../state/run_table";
import { allRuns, listedRuns } from "../../state/runs";
import { changeView, member, texts, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Icon } from "../../widgets/icons";
import { NumberField } from "../../widgets/number_field";
import { type Anchor, Popover } from "../../widgets/popover";
import { TextField } from "../../widgets/text_field";
import { columnTitle, formatCell } from "./format";

type Properties = { readonly column: string; readonly anchor: Anchor; readonly onClose: () => void };

export function ColumnFilterPopover({ column, anchor, onClose }: Properties): JSX.Element {
  const t = texts.value.runs;
  const filter = view.value.columnFilters[column] ?? null;
  const values = useMemo(() => valuesOf(column), [column]);
  return (
    <Popover anchor={anchor} label={t.filterTitle(columnTitle(column))} onClose={onClose}>
      <div class="column-filter" data-testid="column-filter">
        <strong>{t.filterTitle(columnTitle(column))}</strong>
        {values === null ? (
          <Interval column={column} filter={filter ?? {}} />
        ) : (
          <ValueList column={column} filter={filter ?? {}} values={values} />
        )}
        {column !== "state" && column !== "start" && column !== "duration" && (
          <Checkbox
            label={t.includeAbsent}
            checked={filter === null || filter.absent === true}
            onChange={(absent) => setColumnFilter(column, { ...filter, absent })}
          />
        )}
        <Button
          label={t.removeFilter}
          icon="reset"
          title={t.removeFilter}
          disabled={filter === null}
          onClick={() => setColumnFilter(column, null)}
        />
      </div>
    </Popover>
  );
}

type Editing = { readonly column: string; readonly filter: ColumnFilter };

const SLIDER_STEPS = 1000;

type Edge = "lo" | "hi";

/** Returns the filter with another bound, or without it; null if it filters nothing any more. */
function withEdge(filter: ColumnFilter, edge: Edge, value: number | null): ColumnFilter | null {
  const { [edge]: _, ...rest } = { absent: true, ...filter };
  const next: ColumnFilter = value === null ? rest : { ...rest, [edge]: value };
  const open = next.lo === undefined && next.hi === undefined && next.absent !== false;
  return open ? null : next;
}

/** Value at the position of a slider thumb, rounded to the precision of the thumb. */
function numberAt(share: number, lo: number, hi: number): number {
  const span = hi - lo || 1;
  const digits = 4 + Math.max(0, Math.ceil(Math.log10(Math.max(Math.abs(lo), Math.abs(hi)) / span)));
  return Number((lo + share * span).toPrecision(Math.min(15, digits)));
}

/** Two slider thumbs and two number fields; for times only thumbs. */
function Interval({ column, filter }: Editing): JSX.Element {
  const extent = useMemo(() => extentOf(column, allRuns.value), [column]);
  const [lo, hi] = extent ?? [0, 1];
  const change = (edge: Edge, value: number | null): void => setColumnFilter(column, withEdge(filter, edge, value));
  const slide = (edge: Edge) => (event: TargetedInputEvent<HTMLInputElement>) => {
    const share = Number(event.currentTarget.value) / SLIDER_STEPS;
    change(edge, share === (edge === "lo" ? 0 : 1) ? null : numberAt(share, lo, hi));
  };
  const share = (value: number): number => Math.round(((value - lo) / (hi - lo || 1)) * SLIDER_STEPS);
  const t = texts.value.runs;
  const range = { type: "range", min: 0, max: SLIDER_STEPS } as const;
  return (
    <>
      <div class="column-filter__range">
        <input {...range} value={share(filter.lo ?? lo)} aria-label={t.from} onInput={slide("lo")} />
        <input {...range} value={share(filter.hi ?? hi)} aria-label={t.to} onInput={slide("hi")} />
      </div>
      {column === "start" ? (
        // no fields for times: users do not type seconds since 1970
        <div class="column-filter__all">
          <span>{formatCell(column, filter.lo ?? lo)}</span>–<span>{formatCell(column, filter.hi ?? hi)}</span>
        </div>
      ) : (
        <div class="column-filter__fields">
          <NumberField
            label={t.from}
            value={filter.lo ?? null}
            optional
            placeholder={formatCell(column, lo)}
            testId="filter-from"
            onChange={(value) => change("lo", value)}
          />
          <NumberField
            label={t.to}
            value={filter.hi ?? null}
            optional
            placeholder={formatCell(column, hi)}
            testId="filter-to"
            onChange={(value) => change("hi", value)}
          />
        </div>
      )}
    </>
  );
}

type Value = string | number | boolean;

function ValueList({ column, filter, values }: Editing & { readonly values: readonly Value[] }): JSX.Element {
  const t = texts.value.runs;
  const search = useSignal("");
  const pattern = compilePattern(search.value);
  const shown = values.filter((value) => {
    const text = formatCell(column, value);
    return typeof pattern === "string"
      ? text.includes(search.value)
      : pattern.test(text) || pattern.test(String(value));
  });
  const chosen = filter.values ?? values;
  const put = (next: readonly Value[]): void => {
    // all values and runs without a value: remove the filter
    const open = next.length === values.length && filter.absent !== false;
    setColumnFilter(column, open ? null : { absent: true, ...filter, values: next });
  };
  return (
    <>
      {values.length > 8 && (
        <TextField label={t.findValue} value={search.value} onInput={(text) => (search.value = text)} />
      )}
      <div class="column-filter__all">
        <Button
          label={t.allValues}
          kind="quiet"
          title={t.allValues}
          onClick={() => put(values.filter((one) => chosen.includes(one) || shown.includes(one)))}
        />
        <Button
          label={t.noValues}
          kind="quiet"
          title={t.noValues}
          onClick={() => put(chosen.filter((one) => !shown.includes(one)))}
        />
      </div>
      <div class="column-filter__values">
        {shown.map((value) => (
          <Checkbox
            key={String(value)}
            label={formatCell(column, value)}
            checked={chosen.includes(value)}
            onChange={(on) =>
              put(
                on
                  ? values.filter((one) => one === value || chosen.includes(one))
                  : chosen.filter((one) => one !== value),
              )
            }
          />
        ))}
      </div>
    </>
  );
}

const columnFilters = member("columnFilters");

/** The active filters; a click edits one. */
export function FilterChips(): JSX.Element | null {
  const t = texts.value.runs;
  const filters = Object.entries(columnFilters.value);
  if (filters.length === 0) return null;
  return (
    <div class="filter-chips">
      {filters.map(([column, filter]) => (
        <Chip key={column} column={column} filter={filter} />
      ))}
      <Button
        label={t.asExpression}
        icon="link"
        kind="quiet"
        title={asExpression()}
        onClick={() => changeView({ runFilter: asExpression(), columnFilters: {} })}
      />
      <span class="filter-chips__count">{t.someOf(listedRuns.value.length, allRuns.value.length)}</span>
    </div>
  );
}

function chipText(column: string, { values, lo, hi }: ColumnFilter): string {
  const name = columnTitle(column);
  if (values !== undefined) return `${name}: ${values.map((value) => formatCell(column, value)).join(", ") || "∅"}`;
  if (lo !== undefined && hi !== undefined) return `${formatCell(column, lo)} ≤ ${name} ≤ ${formatCell(column, hi)}`;
  if (lo !== undefined) return `${name} ≥ ${formatCell(column, lo)}`;
  return hi !== undefined ? `${name} ≤ ${formatCell(column, hi)}` : name;
}

function Chip({ column, filter }: Editing): JSX.Element {
  const t = texts.value.runs;
  const open = useSignal(false);
  const chip = useRef<HTMLSpanElement>(null);
  return (
    <span class="filter-chip" ref={chip} data-chip={column}>
      <button
        type="button"
        class="filter-chip__text"
        title={columnExpression(column, filter) ?? undefined}
        onClick={() => (open.value = !open.value)}
      >
        {chipText(column, filter)}
      </button>
      <button
        type="button"
        class="filter-chip__remove"
        title={t.removeFilter}
        aria-label={`${t.removeFilter}: ${columnTitle(column)}`}
        onClick={() => setColumnFilter(column, null)}
      >
        <Icon name="close" />
      </button>
      {open.value && chip.current !== null && (
        <ColumnFilterPopover column={column} anchor={chip.current} onClose={() => (open.value = false)} />
      )}
    </span>
  );
}
