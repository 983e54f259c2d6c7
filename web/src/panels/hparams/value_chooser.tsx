// Chooses values of a column: a list of checkboxes, an interval, or a pattern that texts must match. It edits both
// filters and brushes.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { compilePattern } from "../../base/pattern";
import { distinct, extentOf, isDiscrete, numberOf, type TrialColumn, textOf } from "../../state/trials_columns";
import type { TrialFilter } from "../../state/trials_filter";
import { texts } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { NumberField } from "../../widgets/number_field";
import { TextField } from "../../widgets/text_field";
import { formatNumberOf, words } from "./words";

type Properties = {
  readonly column: TrialColumn;
  readonly filter: TrialFilter;
  /** Null: everything passes. */
  readonly onChange: (filter: TrialFilter | null) => void;
  /** Hides the pattern and the choice of trials without a value. */
  readonly plain?: boolean | undefined;
};

export function ValueChooser({ column, filter, onChange, plain = false }: Properties): JSX.Element {
  const t = words();
  const put = (next: TrialFilter): void => onChange(isOpen(next) ? null : next);
  return (
    <div class="value-chooser" data-testid="value-chooser">
      {!plain && column.kind === "text" && <Pattern filter={filter} onChange={put} />}
      {isDiscrete(column) ? (
        <Values column={column} filter={filter} onChange={put} />
      ) : (
        <Interval column={column} filter={filter} onChange={put} />
      )}
      {!plain && (
        <Checkbox
          label={t.withAbsent}
          checked={filter.absent !== false}
          onChange={(absent) => put({ ...filter, absent })}
        />
      )}
    </div>
  );
}

function isOpen({ values, lo, hi, pattern = "", absent }: TrialFilter): boolean {
  return values === undefined && lo === undefined && hi === undefined && pattern === "" && absent !== false;
}

type Part = {
  readonly column: TrialColumn;
  readonly filter: TrialFilter;
  readonly onChange: (filter: TrialFilter) => void;
};

function Pattern({ filter, onChange }: Omit<Part, "column">): JSX.Element {
  const t = words();
  const { pattern = "" } = filter;
  const compiled = compilePattern(pattern);
  return (
    <TextField
      label={t.matches}
      value={pattern}
      invalid={typeof compiled === "string"}
      hint={typeof compiled === "string" ? texts.value.patterns.troubles[compiled] : undefined}
      testId="filter-pattern"
      onInput={(text) => {
        const { pattern: _, ...rest } = filter;
        onChange(text === "" ? rest : { ...rest, pattern: text });
      }}
    />
  );
}

function Interval({ column, filter, onChange }: Part): JSX.Element {
  const t = words();
  const extent = extentOf(column.numbers);
  const change = (edge: "lo" | "hi", value: number | null): void => {
    const { [edge]: _, ...rest } = filter;
    onChange(value === null ? rest : { ...rest, [edge]: value });
  };
  const field = (edge: "lo" | "hi", label: string, end: number | undefined): JSX.Element => (
    <NumberField
      label={label}
      value={filter[edge] ?? null}
      optional
      placeholder={end === undefined ? "" : formatNumberOf(column, end)}
      testId={`filter-${edge}`}
      onChange={(value) => change(edge, value)}
    />
  );
  return (
    <div class="value-chooser__interval">
      {field("lo", t.from, extent?.[0])}
      {field("hi", t.to, extent?.[1])}
    </div>
  );
}

// users search longer lists instead of reading them
const MOST_BOXES = 100;
const MANY_BOXES = 8;

function Values({ column, filter, onChange }: Part): JSX.Element {
  const t = words();
  const search = useSignal("");
  const all = valuesOf(column);
  const chosen = filter.values === undefined ? null : new Set(filter.values.map((value) => numberOf(column, value)));
  const wanted = search.value.toLowerCase();
  const found = wanted === "" ? all : all.filter((one) => formatNumberOf(column, one).toLowerCase().includes(wanted));
  const put = (next: readonly number[]): void => {
    const { values: _, ...rest } = filter;
    onChange(next.length === all.length ? rest : { ...rest, values: next.map((one) => valueAs(column, one)) });
  };
  const isOn = (one: number): boolean => chosen === null || chosen.has(one);
  return (
    <>
      {all.length > MANY_BOXES && (
        <TextField
          bare
          label={t.findValue}
          placeholder={t.findValue}
          value={search.value}
          onInput={(text) => (search.value = text)}
        />
      )}
      <div class="value-chooser__values">
        {found.slice(0, MOST_BOXES).map((one) => (
          <Checkbox
            key={one}
            label={formatNumberOf(column, one) || "“”"}
            checked={isOn(one)}
            onChange={(on) => put(all.filter((other) => (other === one ? on : isOn(other))))}
          />
        ))}
        {found.length > MOST_BOXES && (
          <span class="value-chooser__more">{t.moreValues(found.length - MOST_BOXES)}</span>
        )}
      </div>
      {all.length > 2 && (
        <div class="value-chooser__all">
          <Button kind="quiet" label={t.allValues} title={t.allValues} onClick={() => put(all)} />
          <Button kind="quiet" label={t.noValues} title={t.noValues} onClick={() => put([])} />
        </div>
      )}
    </>
  );
}

/** Returns the values of the trials, and declared values that no trial has yet. */
function valuesOf(column: TrialColumn): readonly number[] {
  if (column.kind === "text") return column.texts.map((_, at) => at);
  if (column.kind === "bool") return [1, 0];
  return distinct(column.numbers, Number.POSITIVE_INFINITY) ?? [];
}

function valueAs(column: TrialColumn, number: number): string | number | boolean {
  if (column.kind === "number") return number;
  return column.kind === "bool" ? number === 1 : textOf(column, number);
}
