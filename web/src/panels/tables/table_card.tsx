// Content of a table card: the table of a step. The server sorts and filters; the page holds only the visible rows.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { CardProblem } from "../../cards/card_frame";
import type { KindCardProps } from "../../cards/kind_page";
import { SampleChoice } from "../../cards/sample_choice";
import { shownOf } from "../../cards/shown_value";
import { CardStep } from "../../cards/step_slider";
import { reasonOf } from "../../state/explained";
import { keyOfBlob, type TableQuestion, type TableRows, tableFile, tableRows } from "../../state/table_pages";
import * as tablesWords from "../../state/texts/tables";
import { tell } from "../../state/toasts";
import { changeView, grouped, member, spoken, view } from "../../state/view";
import { Button } from "../../widgets/button";
import { fileName, saveAddress, saveFile } from "../../widgets/files";
import type { MenuItem } from "../../widgets/menu";
import { DataTable } from "./data_table";
import "./table_card.css";

const sorts = member("tablesSort");
const filters = member("tablesFilter");

const NO_FILTER: Readonly<Record<string, string>> = {};

function questionOf(cardKey: string, url: string): TableQuestion {
  return {
    key: keyOfBlob(url),
    sort: sorts.value[cardKey] ?? "",
    filter: filters.value[cardKey] ?? NO_FILTER,
  };
}

type Shown = { readonly rows: TableRows; readonly step: string };

export function TableCard(props: KindCardProps): JSX.Element {
  const { card, series, full } = props;
  const { choice, count, sample, url, step } = shownOf(props);
  const { key, sort, filter } = questionOf(card.key, url);
  const rows = useMemo(() => tableRows({ key, sort, filter }), [key, sort, filter]);
  // the previous table stays on display until the next response
  const last = useRef<Shown | null>(null);
  void rows.version.value;
  if (rows.facts.value !== null) last.current = { rows, step };
  const shown = last.current;
  const filtering = useSignal(full || Object.keys(filter).length > 0);
  const busy = rows.facts.value === null && rows.problem.value === null;
  if (rows.facts.value === null) rows.want(0, 0);
  const facts = shown?.rows.facts.value ?? null;
  const chosen = sort !== "" || Object.keys(filter).length > 0;
  return (
    <>
      <div class="table-card__place" data-drawn={facts?.passing ?? 0} data-step={shown?.step ?? ""}>
        {count === 0 ? (
          <div class="card__message">{spoken(tablesWords).noRows}</div>
        ) : (
          <Inside props={props} rows={rows} shown={shown} sort={sort} filter={filter} filtering={filtering.value} />
        )}
        {busy && count > 0 && <div class="card__busy" />}
      </div>
      <CardStep card={card} series={series} choice={choice} busy={busy}>
        <>
          {facts !== null && <Facts facts={facts} />}
          <Buttons cardKey={card.key} chosen={chosen} filtering={filtering} />
          <SampleChoice card={card} at={sample} count={count} />
        </>
      </CardStep>
    </>
  );
}

type InsideProps = {
  readonly props: KindCardProps;
  /** The requested rows. */
  readonly rows: TableRows;
  /** The rows on display. */
  readonly shown: Shown | null;
  readonly sort: string;
  readonly filter: Readonly<Record<string, string>>;
  readonly filtering: boolean;
};

function Inside({ props, rows, shown, sort, filter, filtering }: InsideProps): JSX.Element {
  const { card } = props;
  const problem = rows.problem.value;
  const chosen = sort !== "" || Object.keys(filter).length > 0;
  // a wrong filter is reported at its field, and the table stays
  const wrongFilter = problem !== null && !problem.noTable && problem.kind === "other" && chosen && shown !== null;
  if (problem !== null && !wrongFilter) return <Problem props={props} rows={rows} problem={problem} />;
  if (shown === null || shown.rows.facts.value === null) return <div class="kind-card__skeleton" />;
  return (
    <DataTable
      label={card.tag}
      rows={shown.rows}
      sort={sort}
      filter={filter}
      problem={wrongFilter ? `${problem.message}${problem.hint === "" ? "" : ` – ${problem.hint}`}` : null}
      filtering={filtering}
      onSort={(next) => changeView({ tablesSort: withMember(view.value.tablesSort, card.key, next) })}
      onFilter={(column, text) => setFilter(card.key, column, text)}
    />
  );
}

type ProblemProps = {
  readonly props: KindCardProps;
  readonly rows: TableRows;
  readonly problem: NonNullable<TableRows["problem"]["value"]>;
};

/** A value that is not a table can be downloaded as it is; other failures can be retried. */
function Problem({ props, rows, problem }: ProblemProps): JSX.Element {
  const words = spoken(tablesWords);
  const { url, step } = shownOf(props);
  if (!problem.noTable) return <CardProblem title={words.failed} message={problem.message} onRetry={rows.retry} />;
  return (
    <div class="card__message" role="alert" data-step={step}>
      <strong>{words.broken}</strong>
      <span>{problem.message}</span>
      <Button
        label={words.download}
        icon="download"
        title={words.download}
        onClick={() => saveAddress(url, `${nameOf(props)}.json`)}
      />
    </div>
  );
}

function Facts({ facts }: { readonly facts: NonNullable<TableRows["facts"]["value"]> }): JSX.Element {
  const words = spoken(tablesWords);
  return (
    <span class="table-card__facts" data-testid="table-rows">
      {facts.passing === facts.rows
        ? words.rows(grouped(facts.rows))
        : words.passing(grouped(facts.passing), grouped(facts.rows))}
      {facts.ragged > 0 && ` · ${words.ragged(grouped(facts.ragged))}`}
      {facts.left_out > 0 && ` · ${words.leftOut(grouped(facts.left_out))}`}
    </span>
  );
}

type ButtonsProps = {
  readonly cardKey: string;
  readonly chosen: boolean;
  readonly filtering: Signal<boolean>;
};

function Buttons({ cardKey, chosen, filtering }: ButtonsProps): JSX.Element {
  const words = spoken(tablesWords);
  const clear = (): void =>
    changeView({
      tablesSort: withMember(view.value.tablesSort, cardKey, ""),
      tablesFilter: withMember(view.value.tablesFilter, cardKey, NO_FILTER),
    });
  return (
    <span class="table-card__buttons">
      {chosen && <Button kind="quiet" icon="reset" title={words.clear} testId="table-clear" onClick={clear} />}
      <Button
        kind="quiet"
        icon="filter"
        title={words.filters}
        pressed={filtering.value}
        testId="table-filters"
        onClick={() => {
          filtering.value = !filtering.value;
        }}
      />
    </span>
  );
}

/** Returns the record with this member, or without it if its value is empty. */
function withMember<T extends string | object>(
  all: Readonly<Record<string, T>>,
  name: string,
  value: T,
): Readonly<Record<string, T>> {
  const { [name]: _, ...others } = all;
  const says = typeof value === "string" ? value !== "" : Object.keys(value).length > 0;
  return says ? { ...others, [name]: value } : others;
}

function setFilter(cardKey: string, column: string, text: string): void {
  const all = view.value.tablesFilter;
  const own = withMember(all[cardKey] ?? NO_FILTER, column, text);
  changeView({ tablesFilter: withMember(all, cardKey, own) });
}

function nameOf(props: Pick<KindCardProps, "card" | "series">): string {
  return [props.card.tag, props.card.run, shownOf(props).step].join("_");
}

export function tableMenu(props: KindCardProps): readonly MenuItem[] {
  const words = spoken(tablesWords);
  const { count, url } = shownOf(props);
  const disabled = count === 0;
  const save = (format: "csv" | "json"): void => {
    tableFile(questionOf(props.card.key, url), format).then(
      (file) => saveFile(fileName(nameOf(props), format), file),
      (error: unknown) => {
        const message = reasonOf(error);
        tell(`${words.downloadFailed}: ${message}`, { kind: "error" });
      },
    );
  };
  return [
    { label: words.csv, icon: "download", disabled, onSelect: () => save("csv") },
    { label: words.json, icon: "download", disabled, onSelect: () => save("json") },
    { label: words.download, icon: "download", disabled, onSelect: () => saveAddress(url, `${nameOf(props)}.json`) },
  ];
}
