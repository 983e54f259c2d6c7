// Above the board list: search, filters, quota, connection, columns, and the button that creates a board.

import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect } from "preact/hooks";
import { coalesced } from "../../base/newest";
import { Button } from "../../widgets/button";
import { fetchQuota } from "../api/boards";
import type { Used } from "../api/types";
import { listenTo } from "../live";
import { ColumnsButton, Filters, Live, SearchBox } from "../parts/list_bar";
import { grouped, spoken } from "../preferences";
import { address } from "../router";
import { me } from "../session";
import * as area from "../texts/boards";
import type { BoardList } from "./board_list";
import { COLUMNS, type ColumnId } from "./columns";

type Properties = {
  readonly list: BoardList;
  readonly search: RefObject<HTMLInputElement | null>;
  /** Null: the user may not create boards. */
  readonly onCreate: (() => void) | null;
};

export function Toolbar({ list, search, onCreate }: Properties): JSX.Element {
  const words = spoken(area);
  const total = list.total.value;
  return (
    <div class="list-bar">
      <SearchBox input={search} label={words.search} />
      <Filters
        states={STATES.map((one) => ({ value: one, label: one === "active" ? words.active : words.state[one] }))}
      />
      <div class="list-bar__space" />
      <span class="list-bar__total" role="status">
        {total === null ? "" : words.total(grouped(total), total !== 1)}
      </span>
      <QuotaMeter />
      <Live />
      <ColumnsButton columns={COLUMNS} wordOf={(id) => words.column[id as ColumnId]} />
      {onCreate !== null && (
        <span class="list-bar__create">
          <Button
            label={words.create}
            icon="plus"
            title={`${words.create} (C)`}
            kind="primary"
            testId="create"
            onClick={onCreate}
          />
        </span>
      )}
    </div>
  );
}

const STATES = ["active", "Running", "Idle", "Stopped", "Failed"] as const;

const QUOTA_GAP_MS = 1000;

/** The user's active boards; with a filter by workspace, those of the workspace if it has a limit. */
function QuotaMeter(): JSX.Element | null {
  const words = spoken(area);
  const { workspace = "" } = address.value.query;
  const shown = useSignal<Used | null>(me.value?.quota ?? null);
  useEffect(() => {
    let over = false;
    const load = (): void => {
      fetchQuota(workspace).then(
        (quota) => {
          if (over) return;
          const ofWorkspace = workspace !== "" && quota.workspace.limit !== null;
          shown.value = ofWorkspace ? quota.workspace : quota.account;
        },
        () => {},
      );
    };
    const soon = coalesced(() => {
      if (!over) load();
    }, QUOTA_GAP_MS);
    load();
    const stop = listenTo("board", { onChanged: soon, onRemoved: soon, onResync: soon });
    return () => {
      over = true;
      stop();
    };
  }, [workspace]);
  if (shown.value === null) return null;
  const { limit, used } = shown.value;
  if (limit === null)
    return (
      <span class="quota" title={words.quotaHint} data-testid="quota">
        {words.quotaNoLimit(grouped(used))}
      </span>
    );
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    <span class="quota" data-full={used >= limit ? "" : undefined} title={words.quotaHint} data-testid="quota">
      <span class="quota__meter" aria-hidden="true">
        <span style={{ width: `${100 * share}%` }} />
      </span>
      {words.quota(grouped(used), grouped(limit))}
    </span>
  );
}
