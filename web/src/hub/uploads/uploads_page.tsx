// The upload list: search and filters, the virtual table (cards in narrow windows), deletion of many uploads.

import { effect } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatBytes } from "../../base/sizes";
import { Button } from "../../widgets/button";
import { pageActions } from "../keys";
import { SelectionBar } from "../parts/bulk";
import { CommandLine } from "../parts/command_line";
import { ColumnsButton, Filters, Live, MoreFailed, NoMatch, SearchBox } from "../parts/list_bar";
import { ListTable } from "../parts/list_table";
import { Failure, Notice } from "../parts/notice";
import { grouped, spoken } from "../preferences";
import { address } from "../router";
import { me } from "../session";
import * as boardsArea from "../texts/boards";
import * as area from "../texts/uploads";
import { COLUMNS, type ColumnId } from "./columns";
import { canChange, deletion } from "./commands";
import { DeleteDialog } from "./delete_dialog";
import { queryOf, UploadList } from "./upload_list";
import { uploadLook } from "./upload_row";

const FILTERS = ["q", "visibility", "workspace", "mine"] as const;

export function Page(): JSX.Element {
  const words = spoken(area);
  const list = useMemo(() => new UploadList(), []);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => list.follow(), [list]);
  useLayoutEffect(() => followAddress(list), [list]);
  useEffect(() => {
    pageActions.search.value = () => search.current?.focus();
    return () => {
      pageActions.search.value = null;
      deletion.value = null;
    };
  }, []);
  useEffect(() => {
    document.title = `${words.title} · ${me.peek()?.hub.name || "Lightboard"}`;
  }, [words.title]);
  const total = list.total.value;
  const error = list.error.value;
  const filtered = FILTERS.some((name) => (address.value.query[name] ?? "") !== "");
  if (error !== null && total === null) return <Failure error={error} onRetry={() => list.retry()} />;
  const ask = (): void => {
    deletion.value = list.selectedRows.peek();
  };
  return (
    <main class="list-page">
      <h1 class="aside-text">{words.title}</h1>
      {(total !== 0 || filtered) && <Toolbar list={list} search={search} />}
      {list.selectedRows.value.length > 0 && <Selection list={list} onDelete={ask} />}
      {total === 0 && list.rows.value.length === 0 ? (
        filtered ? (
          <NoMatch text={words.noMatch} />
        ) : (
          <NoUploads />
        )
      ) : (
        <ListTable list={list} look={uploadLook()} onDelete={ask} />
      )}
      {error !== null && <MoreFailed onRetry={() => list.retry()} />}
      <DeleteDialog
        onDone={() => {
          list.clearSelection();
          list.refresh();
        }}
      />
    </main>
  );
}

/** Loads the uploads of the filters in the address, now and at every change. */
function followAddress(list: UploadList): () => void {
  let shown = "";
  return effect(() => {
    const query = queryOf(address.value.query, me.value?.user.name ?? "");
    if (address.value.path[0] !== "uploads") return;
    const text = JSON.stringify(query);
    if (text === shown) return;
    shown = text;
    list.show(query);
  });
}

type ToolbarProperties = { readonly list: UploadList; readonly search: RefObject<HTMLInputElement | null> };

const AUDIENCES = ["private", "workspace", "link", "public"] as const;

function Toolbar({ list, search }: ToolbarProperties): JSX.Element {
  const words = spoken(area);
  const { visibility } = spoken(boardsArea);
  const total = list.total.value;
  const bytes = list.rows.value.reduce((sum, upload) => sum + upload.bytes, 0);
  const complete = list.rows.value.length === total;
  return (
    <div class="list-bar">
      <SearchBox input={search} label={words.search} />
      <Filters
        member="visibility"
        label={words.visibility}
        any={words.anyVisibility}
        states={AUDIENCES.map((one) => ({ value: one, label: visibility[one] }))}
      />
      <div class="list-bar__space" />
      <span class="list-bar__total" role="status">
        {total === null ? "" : words.total(grouped(total), total !== 1)}
        {complete && bytes > 0 ? ` · ${words.size(formatBytes(bytes))}` : ""}
      </span>
      <Live />
      <ColumnsButton columns={COLUMNS} wordOf={(id) => words.column[id as ColumnId]} />
    </div>
  );
}

function Selection({ list, onDelete }: { readonly list: UploadList; readonly onDelete: () => void }): JSX.Element {
  const words = spoken(area);
  const possible = list.selectedRows.value.some(canChange);
  return (
    <SelectionBar list={list}>
      <Button
        icon="trash"
        label={words.deleteNow}
        title={possible ? words.deleteNow : words.deleteNone}
        kind="danger"
        disabled={!possible}
        testId="bulk-delete"
        onClick={onDelete}
      />
    </SelectionBar>
  );
}

function NoUploads(): JSX.Element {
  const words = spoken(area);
  const url = me.value?.hub.url || location.origin;
  return (
    <Notice title={words.emptyTitle} icon="upload" state="no uploads">
      <p>{words.emptyText}</p>
      <CommandLine label={words.emptyLogin} command={`lightboard login ${url}`} />
      <CommandLine label={words.emptyUpload} command="lightboard dev upload --logdir runs" />
    </Notice>
  );
}
