// The board list: toolbar with search and filters, quota, the virtual table (cards in narrow windows), bulk commands.

import { effect, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../../widgets/button";
import { lazy } from "../../widgets/lazy";
import { pageActions } from "../keys";
import { Failure, Notice } from "../parts/notice";
import { spoken } from "../preferences";
import { address, changeQuery, go } from "../router";
import { me } from "../session";
import * as area from "../texts/boards";
import * as shellArea from "../texts/shell";
import { BoardList, queryOf } from "./board_list";
import { BoardTable } from "./board_table";
import "./boards_page.css";
import { BulkBar, type BulkCommand, BulkDialog } from "./bulk";
import { deletion } from "./commands";
import { creators } from "./creators";
import { LimitDialog } from "./limit_dialog";
import { Toolbar } from "./toolbar";

const CreateDialog = lazy(() => import("./create_dialog").then((module) => module.CreateDialog));

const FILTERS = ["q", "state", "workspace", "mine"] as const;

export function Page(): JSX.Element {
  const words = spoken(area);
  const list = useMemo(() => new BoardList(), []);
  const bulk = useSignal<BulkCommand | null>(null);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => list.follow(), [list]);
  // before the first paint: the rows may be here already
  useLayoutEffect(() => followAddress(list), [list]);
  useEffect(() => {
    pageActions.search.value = () => search.current?.focus();
    pageActions.create.value = openCreate;
    return () => {
      pageActions.search.value = null;
      pageActions.create.value = null;
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
    <main class="boards">
      <h1 class="aside-text">{words.title}</h1>
      <Toolbar list={list} search={search} onCreate={creators.value.length > 0 ? openCreate : null} />
      {list.selectedBoards.value.length > 0 && (
        <BulkBar
          list={list}
          onCommand={(command) => {
            bulk.value = command;
          }}
        />
      )}
      {total === 0 && list.rows.value.length === 0 ? (
        filtered ? (
          <NoMatch />
        ) : (
          <NoBoards />
        )
      ) : (
        <BoardTable
          list={list}
          onDelete={() => {
            bulk.value = "delete";
          }}
        />
      )}
      {error !== null && <MoreFailed list={list} />}
      {bulk.value !== null && (
        <BulkDialog
          command={bulk.value}
          boards={list.selectedBoards.value}
          onDone={() => list.clearSelection()}
          onClose={() => {
            bulk.value = null;
          }}
        />
      )}
      <Deletion />
      <LimitDialog />
      {(address.value.query.create ?? "") !== "" && creators.value.length > 0 && <CreateDialog />}
    </main>
  );
}

/** Asks before the boards of a menu are deleted; also on the page of a board. */
export function Deletion({ onDone }: { readonly onDone?: () => void }): JSX.Element | null {
  const boards = deletion.value;
  if (boards === null) return null;
  return (
    <BulkDialog
      command="delete"
      boards={boards}
      {...(onDone === undefined ? {} : { onDone })}
      onClose={() => {
        deletion.value = null;
      }}
    />
  );
}

function openCreate(): void {
  changeQuery({ create: "1" });
}

/** Loads the boards of the filters in the address, now and at every change. */
function followAddress(list: BoardList): () => void {
  let shown = "";
  return effect(() => {
    const query = queryOf(address.value.query, me.value?.user.name ?? "");
    if (address.value.path[0] !== "boards") return;
    const text = JSON.stringify(query);
    if (text === shown) return;
    shown = text;
    list.show(query);
  });
}

function NoBoards(): JSX.Element {
  const words = spoken(area);
  const may = creators.value.length > 0;
  return (
    <Notice title={words.emptyTitle} icon="table" state="no boards">
      <p>{may ? words.emptyText : words.emptyCannot}</p>
      {may && (
        <div class="hub-notice__actions">
          <Button label={words.create} icon="plus" title={words.create} kind="primary" onClick={openCreate} />
        </div>
      )}
    </Notice>
  );
}

function NoMatch(): JSX.Element {
  const words = spoken(area);
  const { sort = "" } = address.value.query;
  return (
    <div class="boards__no-match" role="status">
      <strong>{words.noMatch}</strong>
      <Button
        label={words.clearFilters}
        title={words.clearFilters}
        testId="clear-filters"
        onClick={() => go(["boards"], { sort }, true)}
      />
    </div>
  );
}

function MoreFailed({ list }: { readonly list: BoardList }): JSX.Element {
  const words = spoken(area);
  return (
    <div class="boards__more-failed" role="alert">
      <span>{words.moreFailed}</span>
      <Button label={spoken(shellArea).retry} title={spoken(shellArea).retry} onClick={() => list.retry()} />
    </div>
  );
}
