// The job list: toolbar with search and filters, the virtual table (cards in narrow windows), commands for many jobs.

import { effect } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../../widgets/button";
import { LimitDialog } from "../boards/limit_dialog";
import { pageActions } from "../keys";
import { SelectionBar } from "../parts/bulk";
import { CommandLine } from "../parts/command_line";
import { ColumnsButton, Filters, Live, MoreFailed, NoMatch, SearchBox } from "../parts/list_bar";
import { ListTable } from "../parts/list_table";
import { Failure, Notice } from "../parts/notice";
import { grouped, spoken } from "../preferences";
import { address } from "../router";
import { me } from "../session";
import * as area from "../texts/jobs";
import { COLUMNS, type ColumnId } from "./columns";
import { canRemove, canStop, question } from "./commands";
import { JobList, queryOf } from "./job_list";
import { jobLook, LabelFilter } from "./job_row";
import { Questions } from "./questions";

const FILTERS = ["q", "state", "workspace", "mine", "label"] as const;

export function Page(): JSX.Element {
  const words = spoken(area);
  const list = useMemo(() => new JobList(), []);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => list.follow(), [list]);
  useLayoutEffect(() => followAddress(list), [list]);
  useEffect(() => {
    pageActions.search.value = () => search.current?.focus();
    return () => {
      pageActions.search.value = null;
      question.value = null;
    };
  }, []);
  useEffect(() => {
    document.title = `${words.title} · ${me.peek()?.hub.name || "Lightboard"}`;
  }, [words.title]);
  const total = list.total.value;
  const error = list.error.value;
  const filtered = FILTERS.some((name) => (address.value.query[name] ?? "") !== "");
  if (error !== null && total === null) return <Failure error={error} onRetry={() => list.retry()} />;
  return (
    <main class="list-page">
      <h1 class="aside-text">{words.title}</h1>
      {(total !== 0 || filtered) && <Toolbar list={list} search={search} />}
      {list.selectedRows.value.length > 0 && <Selection list={list} />}
      {total === 0 && list.rows.value.length === 0 ? (
        filtered ? (
          <NoMatch text={words.noMatch} />
        ) : (
          <NoJobs />
        )
      ) : (
        <ListTable list={list} look={jobLook((job) => list.apply(job))} onDelete={() => ask(list, "remove")} />
      )}
      {error !== null && <MoreFailed onRetry={() => list.retry()} />}
      <Questions onDone={() => list.clearSelection()} />
      <LimitDialog />
    </main>
  );
}

function ask(list: JobList, kind: "stop" | "remove" | "board"): void {
  question.value = { kind, jobs: list.selectedRows.peek() };
}

/** Loads the jobs of the filters in the address, now and at every change. */
function followAddress(list: JobList): () => void {
  let shown = "";
  return effect(() => {
    const query = queryOf(address.value.query, me.value?.user.name ?? "");
    if (address.value.path[0] !== "jobs") return;
    const text = JSON.stringify(query);
    if (text === shown) return;
    shown = text;
    list.show(query);
  });
}

type ToolbarProperties = { readonly list: JobList; readonly search: RefObject<HTMLInputElement | null> };

const STATES = ["Succeeded", "Failed", "Stopped", "Lost", "Registered"] as const;

function Toolbar({ list, search }: ToolbarProperties): JSX.Element {
  const words = spoken(area);
  const total = list.total.value;
  return (
    <div class="list-bar">
      <SearchBox input={search} label={words.search} />
      <Filters
        states={[
          { value: "active", label: words.active },
          { value: "ended", label: words.ended },
          ...STATES.map((state) => ({ value: state, label: words.state[state] })),
        ]}
      />
      <LabelFilter label={address.value.query.label ?? ""} />
      <div class="list-bar__space" />
      <span class="list-bar__total" role="status">
        {total === null ? "" : words.total(grouped(total), total !== 1)}
      </span>
      <Live />
      <ColumnsButton columns={COLUMNS} wordOf={(id) => words.column[id as ColumnId]} />
    </div>
  );
}

function Selection({ list }: { readonly list: JobList }): JSX.Element {
  const words = spoken(area);
  const jobs = list.selectedRows.value;
  const stoppable = jobs.some(canStop);
  const removable = jobs.some(canRemove);
  const together =
    new Set(jobs.map(({ workspace }) => workspace)).size === 1 && jobs.every(({ may }) => may.includes("command"));
  return (
    <SelectionBar list={list}>
      <Button
        icon="table"
        label={words.boardOver}
        title={together ? words.boardOver : words.boardOverOne}
        disabled={!together}
        testId="bulk-board"
        onClick={() => ask(list, "board")}
      />
      <Button
        icon="stop"
        label={words.stopNow}
        title={stoppable ? words.stopNow : words.stopNone}
        disabled={!stoppable}
        testId="bulk-stop"
        onClick={() => ask(list, "stop")}
      />
      <Button
        icon="trash"
        label={words.removeNow}
        title={removable ? words.removeNow : words.removeNone}
        kind="danger"
        disabled={!removable}
        testId="bulk-remove"
        onClick={() => ask(list, "remove")}
      />
    </SelectionBar>
  );
}

/** With the two lines that one types to get a first job. */
function NoJobs(): JSX.Element {
  const words = spoken(area);
  const url = me.value?.hub.url || location.origin;
  return (
    <Notice title={words.emptyTitle} icon="play" state="no jobs">
      <p>{words.emptyText}</p>
      <CommandLine label={words.emptyLogin} command={`lightboard login ${url}`} />
      <CommandLine label={words.emptyRun} command="lightboard run -- python train.py" />
    </Notice>
  );
}
