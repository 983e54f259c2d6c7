// The side pane: lists that choose hparams and metrics as columns, and filter trials by value and status.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import {
  hparamColumns,
  metricColumns,
  setColumns,
  setFilter,
  shownColumns,
  toggleColumn,
  toggleStatus,
} from "../../state/hparams";
import { trials } from "../../state/trials";
import { STATUSES, splitMetric, type TrialColumn } from "../../state/trials_columns";
import { changeView, member, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Icon } from "../../widgets/icons";
import { Select } from "../../widgets/select";
import { TextField } from "../../widgets/text_field";
import "./columns_pane.css";
import { ValueChooser } from "./value_chooser";
import { columnTitle, words } from "./words";

const filters = member("hparamsFilters");
const leftOut = member("hparamsStatus");

// longer lists have a search field
const MANY_COLUMNS = 12;

export function ColumnsPane(): JSX.Element {
  const t = words();
  const search = useSignal("");
  const many = hparamColumns.value.length + metricColumns.value.length > MANY_COLUMNS;
  const wanted = search.value.trim().toLowerCase();
  const matching = (columns: readonly TrialColumn[]): readonly TrialColumn[] =>
    wanted === "" ? columns : columns.filter((one) => `${one.name} ${one.title}`.toLowerCase().includes(wanted));
  const hparams = matching(hparamColumns.value);
  const metrics = matching(metricColumns.value);
  return (
    <aside class="columns-pane" aria-label={t.pane} data-testid="hparams-pane">
      {many && (
        <TextField
          bare
          label={t.find}
          placeholder={t.find}
          value={search.value}
          testId="find-column"
          onInput={(text) => {
            search.value = text;
          }}
        />
      )}
      <Group title={t.hparams} columns={hparamColumns.value}>
        <Items columns={hparams.filter(({ differs }) => differs)} />
        <Same columns={hparams.filter(({ differs }) => !differs)} open={wanted !== ""} />
      </Group>
      <Group title={t.metrics} columns={metricColumns.value}>
        <Items columns={metrics} />
        <AddMetric />
      </Group>
      {wanted !== "" && hparams.length + metrics.length === 0 && <p class="columns-pane__none">{t.noColumn}</p>}
      <Statuses />
    </aside>
  );
}

type GroupProperties = {
  readonly title: string;
  readonly columns: readonly TrialColumn[];
  readonly children: ComponentChildren;
};

function Group({ title, columns, children }: GroupProperties): JSX.Element {
  const t = words();
  const ids = new Set(columns.map(({ id }) => id));
  const shown = shownColumns.value.map(({ id }) => id);
  const others = shown.filter((id) => !ids.has(id));
  const some = shown.length - others.length;
  const whole = some > 0 && some === ids.size;
  const hparam = columns[0]?.role === "hparam";
  return (
    <section class="columns-pane__group" aria-label={title}>
      <header class="columns-pane__head">
        <Checkbox
          label={title}
          checked={whole}
          indeterminate={some > 0 && !whole}
          title={whole ? t.showNone : t.showAll}
          onChange={() => {
            const all = whole ? [] : columns.map(({ id }) => id);
            setColumns(hparam ? [...all, ...others] : [...others, ...all]);
          }}
        />
        <span class="columns-pane__count">
          {some} / {ids.size}
        </span>
      </header>
      {children}
    </section>
  );
}

function Items({ columns }: { readonly columns: readonly TrialColumn[] }): JSX.Element {
  const more = columns.length - MOST_ITEMS;
  return (
    <ul class="columns-pane__items">
      {columns.slice(0, MOST_ITEMS).map((column) => (
        <Item key={column.id} column={column} />
      ))}
      {more > 0 && <li class="columns-pane__none">{words().moreColumns(more)}</li>}
    </ul>
  );
}

// more items are found only by searching
const MOST_ITEMS = 300;

function Item({ column }: { readonly column: TrialColumn }): JSX.Element {
  const t = words();
  const open = useSignal(false);
  const shown = shownColumns.value.includes(column);
  const filter = filters.value[column.id];
  const title = columnTitle(column);
  return (
    <li class="columns-pane__item" data-pane-column={column.id}>
      <div class="columns-pane__line">
        <Checkbox
          label={title}
          title={column.description === "" ? column.name : `${column.name}\n${column.description}`}
          checked={shown}
          onChange={(on) => toggleColumn(column.id, on)}
        />
        <button
          type="button"
          class={filter === undefined ? "columns-pane__filter" : "columns-pane__filter columns-pane__filter--on"}
          aria-expanded={open.value}
          aria-label={filter === undefined ? t.filter(title) : `${t.filter(title)}. ${t.filtered}`}
          title={t.filter(title)}
          onClick={() => {
            open.value = !open.value;
          }}
        >
          <Icon name="filter" />
        </button>
      </div>
      {open.value && (
        <div class="columns-pane__editor">
          <ValueChooser column={column} filter={filter ?? {}} onChange={(next) => setFilter(column.id, next)} />
          {filter !== undefined && (
            <Button
              kind="quiet"
              icon="reset"
              label={t.removeFilter}
              title={t.removeFilter}
              onClick={() => setFilter(column.id, null)}
            />
          )}
        </div>
      )}
    </li>
  );
}

/** Hparams with the same value in all trials, collapsed into one line because they are rarely needed. */
function Same({
  columns,
  open,
}: {
  readonly columns: readonly TrialColumn[];
  readonly open: boolean;
}): JSX.Element | null {
  const t = words();
  if (columns.length === 0) return null;
  const alone = hparamColumns.value.every(({ differs }) => !differs);
  if (alone) return <Items columns={columns} />;
  return (
    <details class="columns-pane__same" open={open || undefined}>
      <summary>{t.same(columns.length)}</summary>
      <Items columns={columns} />
    </details>
  );
}

function AddMetric(): JSX.Element | null {
  const t = words();
  const others = trials.value?.otherMetrics ?? [];
  if (others.length === 0) return null;
  const options = others.slice(0, 1000).map((id) => {
    const { tag, group } = splitMetric(id);
    return { value: id, label: group === "" ? tag : `${group}/${tag}` };
  });
  return (
    <Select
      bare
      label={t.addMetric}
      value=""
      testId="add-metric"
      options={[{ value: "", label: `${t.addMetric}…` }, ...options]}
      onChange={(id) => {
        if (id === "") return;
        const now = metricColumns.value.map((column) => column.id);
        const shown = shownColumns.value.map((column) => column.id);
        changeView({ hparamsMetrics: [...now, id], hparamsColumns: [...shown, id] });
      }}
    />
  );
}

function Statuses(): JSX.Element {
  const t = words();
  const present = new Set(trials.value?.byId.get("status")?.numbers);
  const out = new Set(leftOut.value);
  return (
    <section class="columns-pane__group" aria-label={t.status}>
      <header class="columns-pane__head">
        <h3>{t.status}</h3>
      </header>
      <ul class="columns-pane__items">
        {STATUSES.map((status, at) =>
          present.has(at) || out.has(status) ? (
            <li key={status} class="columns-pane__item">
              <Checkbox
                label={t.statuses[status]}
                checked={!out.has(status)}
                testId={`status-${status}`}
                onChange={(on) => toggleStatus(status, on)}
              />
            </li>
          ) : null,
        )}
      </ul>
      <Checkbox
        label={t.asColumn}
        checked={shownColumns.value.some(({ id }) => id === "status")}
        testId="status-column"
        onChange={(on) => toggleColumn("status", on)}
      />
      <Select
        label={t.hidden}
        value={view.value.hparamsHidden}
        testId="hparams-hidden"
        options={(["auto", "same", "dim", "out"] as const).map((one) => ({ value: one, label: t.hiddenAs[one] }))}
        onChange={(hparamsHidden) => changeView({ hparamsHidden })}
      />
    </section>
  );
}
