// Above the board list: search, filters, quota, connection, columns, and the button that creates a board.

import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { coalesced } from "../../base/newest";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Choice } from "../../widgets/choice";
import { Icon } from "../../widgets/icons";
import { Popover } from "../../widgets/popover";
import { Select } from "../../widgets/select";
import { words as widgetWords } from "../../widgets/words";
import { fetchQuota } from "../api/boards";
import type { Used } from "../api/types";
import { grouped, spoken } from "../preferences";
import { address, changeQuery } from "../router";
import { me } from "../session";
import * as area from "../texts/boards";
import type { BoardList } from "./board_list";
import { COLUMNS, isShown, resetColumns, showColumn } from "./columns";
import { listen, live } from "./live";
import "./toolbar.css";

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
    <div class="boards-bar">
      <SearchBox input={search} />
      <Filters />
      <div class="boards-bar__space" />
      <span class="boards-bar__total" role="status">
        {total === null ? "" : words.total(grouped(total), total !== 1)}
      </span>
      <QuotaMeter />
      <Live />
      <ColumnsButton />
      {onCreate !== null && (
        <span class="boards-bar__create">
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

const TYPING_MS = 200;

/** The address follows after a pause in typing: each letter would be a request. */
function SearchBox({ input }: { readonly input: RefObject<HTMLInputElement | null> }): JSX.Element {
  const words = spoken(area);
  const applied = address.value.query.q ?? "";
  const typed = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const apply = (text: string): void => {
    clearTimeout(timer.current);
    changeQuery({ q: text });
    typed.value = null;
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <div class="boards-search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        class="boards-search__input"
        placeholder={words.search}
        aria-label={words.search}
        title={`${words.search} (/)`}
        spellcheck={false}
        autocomplete="off"
        data-testid="search"
        value={typed.value ?? applied}
        onInput={(event) => {
          const text = event.currentTarget.value;
          typed.value = text;
          clearTimeout(timer.current);
          timer.current = setTimeout(() => apply(text), TYPING_MS);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.isComposing) apply(event.currentTarget.value);
          if (event.key === "ArrowDown" || (event.key === "Escape" && event.currentTarget.value === "")) {
            event.preventDefault();
            focusFirstRow();
          } else if (event.key === "Escape") {
            event.preventDefault();
            apply("");
          }
        }}
      />
      {(typed.value ?? applied) !== "" && (
        <button
          type="button"
          class="boards-search__clear"
          title={widgetWords.value.clear}
          aria-label={widgetWords.value.clear}
          onClick={() => {
            apply("");
            input.current?.focus();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  );
}

/** From the search to the list; without rows the search only loses the focus. */
function focusFirstRow(): void {
  const row = document.querySelector<HTMLElement>('.board-table .virtual-table__row[tabindex="0"]');
  if (row !== null) row.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

const STATES = ["active", "Running", "Idle", "Stopped", "Failed"] as const;

function Filters(): JSX.Element {
  const words = spoken(area);
  const { state = "", workspace = "", mine = "" } = address.value.query;
  const workspaces = me.value?.workspaces ?? [];
  const known = workspace === "" || workspaces.some(({ id }) => id === workspace);
  return (
    <div class="boards-bar__filters">
      <Choice
        label={words.whose}
        value={mine === "" ? "all" : "mine"}
        options={[
          { value: "all", label: words.all },
          { value: "mine", label: words.mine },
        ]}
        testId="whose"
        onChoose={(value) => changeQuery({ mine: value === "mine" ? "1" : "" })}
      />
      <Select
        label={words.states}
        bare
        value={state}
        options={[
          { value: "", label: words.anyState },
          ...STATES.map((one) => ({ value: one, label: one === "active" ? words.active : words.state[one] })),
        ]}
        testId="filter-state"
        onChange={(value) => changeQuery({ state: value })}
      />
      <Select
        label={words.workspace}
        bare
        value={workspace}
        options={[
          { value: "", label: words.anyWorkspace },
          ...workspaces.map(({ id, name }) => ({ value: id, label: name || id })),
          // an admin may follow a link to a workspace of others
          ...(known ? [] : [{ value: workspace, label: workspace }]),
        ]}
        testId="filter-workspace"
        onChange={(value) => changeQuery({ workspace: value })}
      />
    </div>
  );
}

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
    const stop = listen({ onBoard: soon, onRemoved: soon, onResync: soon });
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

function Live(): JSX.Element {
  const words = spoken(area);
  const now = live.value;
  return (
    <span
      class={now ? "boards-live" : "boards-live boards-live--still"}
      title={now ? words.liveHint : words.notLiveHint}
      role="status"
      data-testid="live"
    >
      <span class="boards-live__dot" />
      <span class={now ? "aside-text" : ""}>{now ? words.live : words.notLive}</span>
    </span>
  );
}

function ColumnsButton(): JSX.Element {
  const words = spoken(area);
  const open = useSignal(false);
  const box = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    open.value = false;
  };
  return (
    <span ref={box} class="boards-bar__columns">
      <Button
        icon="columns"
        kind="quiet"
        title={words.columns}
        pressed={open.value}
        testId="columns"
        onClick={() => {
          open.value = !open.value;
        }}
      />
      {open.value && box.current !== null && (
        <Popover anchor={box.current} label={words.columns} className="columns-choice" onClose={close}>
          {COLUMNS.filter(({ fixed = false }) => !fixed).map((column) => (
            <Checkbox
              key={column.id}
              label={words.column[column.id]}
              checked={isShown(column)}
              testId={`column-${column.id}`}
              onChange={(show) => showColumn(column, show)}
            />
          ))}
          <Button label={words.resetColumns} title={words.resetColumns} kind="quiet" onClick={resetColumns} />
        </Popover>
      )}
    </span>
  );
}
