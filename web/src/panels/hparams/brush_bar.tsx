// The active filters and brushes, each with a remove button, and actions on the trials that pass them.

import type { JSX } from "preact";
import {
  anyBrush,
  brushesNow,
  clearBrushes,
  hideOnBoard,
  picked,
  setBrush,
  setFilter,
  showOnBoard,
  toggleStatus,
} from "../../state/hparams";
import { trials } from "../../state/trials";
import { numberOf, STATUSES, type TrialColumn } from "../../state/trials_columns";
import { asFilter, hasBrush, type TrialBrush, type TrialFilter } from "../../state/trials_filter";
import { changeView, member, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icons";
import { columnTitle, formatNumberOf, words } from "./words";

const filters = member("hparamsFilters");
const leftOut = member("hparamsStatus");
const shownView = member("hparamsView");

type Filtered = { readonly column: TrialColumn; readonly filter: TrialFilter };
type Brushed = { readonly column: TrialColumn; readonly brush: TrialBrush };

export function BrushBar(): JSX.Element | null {
  const known = trials.value?.byId;
  const filtered = Object.entries(filters.value).flatMap(([id, filter]): readonly Filtered[] => {
    const column = known?.get(id);
    return column === undefined ? [] : [{ column, filter }];
  });
  const brushed = Object.entries(brushesNow.value).flatMap(([id, brush]): readonly Brushed[] => {
    const column = known?.get(id);
    return column === undefined || !hasBrush(brush) ? [] : [{ column, brush }];
  });
  const out = STATUSES.filter((status) => leftOut.value.includes(status));
  if (filtered.length === 0 && brushed.length === 0 && out.length === 0) return <Hint />;
  return (
    <div class="hparams-brush" data-testid="brush-bar">
      <Chips filtered={filtered} out={out} brushed={brushed} />
      {anyBrush.value && (
        <strong class="hparams-brush__count" data-testid="brushed-count">
          {words().picked(picked.value.length)}
        </strong>
      )}
      <BoardButtons />
      <BrushButtons brushed={brushed} />
    </div>
  );
}

type ChipsProperties = {
  readonly filtered: readonly Filtered[];
  readonly out: readonly (typeof STATUSES)[number][];
  readonly brushed: readonly Brushed[];
};

function Chips({ filtered, out, brushed }: ChipsProperties): JSX.Element {
  const t = words();
  return (
    <>
      {filtered.map(({ column, filter }) => (
        <Chip
          key={column.id}
          filter
          text={filterText(column, filter)}
          label={`${t.removeFilter}: ${columnTitle(column)}`}
          onRemove={() => setFilter(column.id, null)}
        />
      ))}
      {out.map((status) => (
        <Chip
          key={status}
          filter
          text={`${t.status} ≠ ${t.statuses[status]}`}
          label={t.removeFilter}
          onRemove={() => toggleStatus(status, true)}
        />
      ))}
      {brushed.map(({ column, brush }) => (
        <Chip
          key={column.id}
          text={brushText(column, brush)}
          label={`${t.unbrush}: ${columnTitle(column)}`}
          onRemove={() => setBrush(column.id, null)}
        />
      ))}
    </>
  );
}

/** Buttons that show only the remaining trials on the board, or hide them. */
function BoardButtons(): JSX.Element {
  const t = words();
  const disabled = picked.value.length === 0;
  return (
    <>
      <Button
        icon="eye"
        label={t.showOnly}
        title={t.showOnlyHint}
        testId="show-only"
        disabled={disabled}
        onClick={() => showOnBoard(picked.value, true)}
      />
      <Button
        kind="quiet"
        icon="eye-off"
        label={t.hideThese}
        title={t.hideTheseHint}
        testId="hide-these"
        disabled={disabled}
        onClick={() => hideOnBoard(picked.value)}
      />
    </>
  );
}

function BrushButtons({ brushed }: { readonly brushed: readonly Brushed[] }): JSX.Element {
  const t = words();
  const canFilter = brushed.length > 0 && brushed.every(({ brush }) => asFilter(brush) !== null);
  return (
    <>
      {canFilter && (
        <Button
          kind="quiet"
          icon="filter"
          label={t.asFilter}
          title={t.asFilterHint}
          testId="brush-as-filter"
          onClick={() => filterAsBrushed(brushed)}
        />
      )}
      {anyBrush.value && (
        <Button
          kind="quiet"
          icon="close"
          label={t.clearBrush}
          title={t.clearBrush}
          testId="clear-brush"
          onClick={clearBrushes}
        />
      )}
    </>
  );
}

function filterAsBrushed(brushed: readonly Brushed[]): void {
  const more = brushed.map(({ column, brush }) => [column.id, asFilter(brush) ?? {}] as const);
  changeView({
    hparamsFilters: { ...view.value.hparamsFilters, ...Object.fromEntries(more) },
    hparamsBrushes: {},
  });
}

/** Fills the bar before the first brush: if the bar appeared later, the picture would move while the user draws. */
function Hint(): JSX.Element | null {
  const t = words();
  const pictured = shownView.value === "parallel" ? t.brushHint : shownView.value === "scatter" ? t.scatterHint : "";
  return pictured === "" ? null : <p class="hparams-brush hparams-brush--hint">{pictured}</p>;
}

type ChipProperties = {
  readonly text: string;
  readonly label: string;
  readonly filter?: boolean | undefined;
  readonly onRemove: () => void;
};

function Chip({ text, label, filter = false, onRemove }: ChipProperties): JSX.Element {
  return (
    <span class={filter ? "hparams-chip hparams-chip--filter" : "hparams-chip"}>
      <bdi class="hparams-chip__text" title={text}>
        {text}
      </bdi>
      <button type="button" class="hparams-chip__remove" title={label} aria-label={label} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </span>
  );
}

function filterText(column: TrialColumn, { values, lo, hi, pattern, absent }: TrialFilter): string {
  const title = columnTitle(column);
  const parts: string[] = [];
  if (values !== undefined) parts.push(`${title}: ${valuesText(column, values) || "∅"}`);
  if (lo !== undefined || hi !== undefined) parts.push(rangeText(column, lo, hi));
  if (pattern !== undefined) parts.push(`${title} ~ ${pattern}`);
  if (parts.length === 0 && absent === false) parts.push(`${title} ≠ ∅`);
  return parts.join(", ");
}

function brushText(column: TrialColumn, { ranges = [], values = [] }: TrialBrush): string {
  if (values.length > 0) return `${columnTitle(column)}: ${valuesText(column, values)}`;
  return ranges.map(([lo, hi]) => rangeText(column, lo, hi)).join(" ∪ ");
}

function valuesText(column: TrialColumn, values: readonly (string | number | boolean)[]): string {
  return values.map((value) => formatNumberOf(column, numberOf(column, value)) || String(value)).join(", ");
}

function rangeText(column: TrialColumn, lo: number | undefined, hi: number | undefined): string {
  const title = columnTitle(column);
  const [from, to] = [lo, hi].map((edge) => (edge === undefined ? "" : formatNumberOf(column, edge)));
  if (lo === undefined) return `${title} ≤ ${to}`;
  return hi === undefined ? `${title} ≥ ${from}` : `${from} ≤ ${title} ≤ ${to}`;
}
