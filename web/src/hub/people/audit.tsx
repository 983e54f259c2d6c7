// The audit log: who did what, newest first. Filters are in the address.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Button } from "../../widgets/button";
import { type AuditEntry, fetchAudit } from "../api/people";
import { spoken } from "../preferences";
import { address, changeQuery, link } from "../router";
import * as area from "../texts/admin";
import { type Column, DataTable } from "./data_table";
import { Form, Line } from "./form";
import { Badge, Section } from "./frame";
import { Empty, Loaded, useLoaded } from "./loaded";
import { attempt } from "./task";
import { When } from "./times";

const FILTERS = ["actor", "thing", "workspace"] as const;

export function Audit(): JSX.Element {
  const words = spoken(area).audit;
  const { query } = address.value;
  const wanted = Object.fromEntries(FILTERS.map((name) => [name, query[name] ?? ""]));
  const key = JSON.stringify(wanted);
  const load = useLoaded(key, (signal) => fetchAudit(wanted, signal));
  // entries of later pages
  const older = useSignal<{ readonly entries: readonly AuditEntry[]; readonly next: string } | null>(null);
  useEffect(() => {
    older.value = null;
  }, [key]);
  const more = (token: string): void =>
    void attempt(async () => {
      const page = await fetchAudit({ ...wanted, page_token: token });
      older.value = { entries: [...(older.value?.entries ?? []), ...page.items], next: page.next_page_token };
    });
  return (
    <Section title={spoken(area).tabs.audit} text={words.intro} testId="audit">
      <Filters />
      <Loaded load={load}>
        {({ items, next_page_token: first }) => {
          const next = older.value?.next ?? first;
          if (items.length === 0)
            return <Empty title={FILTERS.some((name) => wanted[name] !== "") ? words.noMatch : words.empty} />;
          return (
            <>
              <DataTable
                label={spoken(area).tabs.audit}
                rows={[...items, ...(older.value?.entries ?? [])]}
                keyOf={(row) => String(row.id)}
                columns={columns()}
              />
              {next !== "" && (
                <div class="people-form__actions">
                  <Button label={words.more} title={words.more} onClick={() => more(next)} />
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function Filters(): JSX.Element {
  const words = spoken(area).audit;
  const { query } = address.value;
  const [actor, thing, workspace] = [
    useSignal(query.actor ?? ""),
    useSignal(query.thing ?? ""),
    useSignal(query.workspace ?? ""),
  ];
  const fields = { actor, thing, workspace };
  const apply = (): void => changeQuery(Object.fromEntries(FILTERS.map((name) => [name, fields[name].value.trim()])));
  const active = FILTERS.some((name) => (query[name] ?? "") !== "");
  return (
    <Form label={words.filter} onSubmit={apply}>
      <div class="people-row">
        {FILTERS.map((name) => (
          <Line
            key={name}
            label={words[name]}
            value={fields[name].value}
            testId={`filter-${name}`}
            onInput={(text) => {
              fields[name].value = text;
            }}
          />
        ))}
        <button type="submit" class="button button--plain">
          {words.filter}
        </button>
        {active && (
          <Button
            label={words.clear}
            title={words.clear}
            kind="quiet"
            onClick={() => {
              for (const name of FILTERS) fields[name].value = "";
              apply();
            }}
          />
        )}
      </div>
    </Form>
  );
}

function columns(): readonly Column<AuditEntry>[] {
  const words = spoken(area).audit;
  return [
    {
      key: "name",
      title: words.time,
      cell: (row) => <When time={row.time} style="second" />,
    },
    { key: "actor", title: words.actor, cell: (row) => (row.actor === "nobody" ? words.nobody : row.actor) },
    {
      key: "action",
      title: words.action,
      cell: (row) => <span title={row.action}>{words.actions[row.action] ?? row.action}</span>,
    },
    { key: "detail", title: words.thing, cell: (row) => <Thing entry={row} /> },
    { key: "workspace", title: words.workspace, cell: (row) => row.workspace },
    { key: "outcome", title: words.outcome, cell: (row) => <Outcome entry={row} /> },
    { key: "address", title: words.address, cell: (row) => row.address },
  ];
}

function Thing({ entry }: { readonly entry: AuditEntry }): JSX.Element {
  const detail = Object.entries(entry.detail).map(([name, value]) => `${name}: ${textOf(value)}`);
  return (
    <>
      {entry.thing.startsWith("b-") ? <a href={link(["boards", entry.thing])}>{entry.thing}</a> : entry.thing}
      {detail.length > 0 && <div class="people-name__id">{detail.join("; ")}</div>}
    </>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function Outcome({ entry }: { readonly entry: AuditEntry }): JSX.Element {
  const good = entry.outcome === "ok";
  return <Badge text={good ? spoken(area).audit.ok : entry.outcome} tone={good ? "good" : "bad"} />;
}
