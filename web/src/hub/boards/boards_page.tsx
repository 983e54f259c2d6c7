// The board list: toolbar with search and filters, quota, the virtual table (cards in narrow windows), bulk commands.

import { effect, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../../widgets/button";
import { lazy } from "../../widgets/lazy";
import { creators } from "../creators";
import { pageActions } from "../keys";
import { MoreFailed, NoMatch } from "../parts/list_bar";
import { ListTable } from "../parts/list_table";
import { Failure, Notice } from "../parts/notice";
import { spoken } from "../preferences";
import { address, changeQuery } from "../router";
import { me } from "../session";
import * as area from "../texts/boards";
import { BoardList, queryOf } from "./board_list";
import { boardLook } from "./board_row";
import { BulkBar, type BulkCommand, BulkDialog } from "./bulk";
import { deletion } from "./commands";
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
    <main class="list-page boards">
      <h1 class="aside-text">{words.title}</h1>
      <Toolbar list={list} search={search} onCreate={creators.value.length > 0 ? openCreate : null} />
      {list.selectedRows.value.length > 0 && (
        <BulkBar
          list={list}
          onCommand={(command) => {
            bulk.value = command;
          }}
        />
      )}
      {total === 0 && list.rows.value.length === 0 ? (
        filtered ? (
          <NoMatch text={words.noMatch} />
        ) : (
          <NoBoards />
        )
      ) : (
        <ListTable
          list={list}
          look={boardLook((board) => list.apply(board))}
          onDelete={() => {
            bulk.value = "delete";
          }}
        />
      )}
      {error !== null && <MoreFailed onRetry={() => list.retry()} />}
      {bulk.value !== null && (
        <BulkDialog
          command={bulk.value}
          boards={list.selectedRows.value}
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
