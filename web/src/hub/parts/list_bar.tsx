// Parts of the bar above a list: search, filters that all lists have, the connection, columns, and what is shown in
// place of rows. Filters are in the address.

import { useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../widgets/button";
import { Checkbox } from "../../widgets/checkbox";
import { Choice } from "../../widgets/choice";
import { Icon } from "../../widgets/icons";
import { Popover } from "../../widgets/popover";
import { Select } from "../../widgets/select";
import { words as widgetWords } from "../../widgets/words";
import { live } from "../live";
import { spoken } from "../preferences";
import { address, changeQuery, go } from "../router";
import { me } from "../session";
import * as area from "../texts/lists";
import * as shellArea from "../texts/shell";
import "./list_bar.css";
import type { ListColumns } from "./list_columns";

const TYPING_MS = 200;

type SearchProperties = { readonly input: RefObject<HTMLInputElement | null>; readonly label: string };

/** The address follows after a pause in typing: each letter would be a request. */
export function SearchBox({ input, label }: SearchProperties): JSX.Element {
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
    <div class="list-search">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        class="list-search__input"
        placeholder={label}
        aria-label={label}
        title={`${label} (/)`}
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
          class="list-search__clear"
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
  const row = document.querySelector<HTMLElement>('.list-table .virtual-table__row[tabindex="0"]');
  if (row !== null) row.focus();
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

type FilterProperties = {
  /** A member of the address, and its values with what they are called. */
  readonly member?: string;
  readonly label?: string;
  readonly any?: string;
  readonly states: readonly { readonly value: string; readonly label: string }[];
};

/** By owner, by state or another member, and by workspace. */
export function Filters(properties: FilterProperties): JSX.Element {
  const words = spoken(area);
  const { member = "state", label = words.states, any = words.anyState, states } = properties;
  const { workspace = "", mine = "" } = address.value.query;
  const workspaces = me.value?.workspaces ?? [];
  const known = workspace === "" || workspaces.some(({ id }) => id === workspace);
  return (
    <div class="list-bar__filters">
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
        label={label}
        bare
        value={address.value.query[member] ?? ""}
        options={[{ value: "", label: any }, ...states]}
        testId={`filter-${member}`}
        onChange={(value) => changeQuery({ [member]: value })}
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

export function Live(): JSX.Element {
  const words = spoken(area);
  const now = live.value;
  return (
    <span
      class={now ? "list-live" : "list-live list-live--still"}
      title={now ? words.liveHint : words.notLiveHint}
      role="status"
      data-testid="live"
    >
      <span class="list-live__dot" />
      <span class={now ? "aside-text" : ""}>{now ? words.live : words.notLive}</span>
    </span>
  );
}

type ColumnsProperties = { readonly columns: ListColumns; readonly wordOf: (id: string) => string };

export function ColumnsButton({ columns, wordOf }: ColumnsProperties): JSX.Element {
  const words = spoken(area);
  const open = useSignal(false);
  const box = useRef<HTMLSpanElement>(null);
  const close = (): void => {
    open.value = false;
  };
  return (
    <span ref={box} class="list-bar__columns">
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
          {columns.all
            .filter(({ fixed = false }) => !fixed)
            .map((column) => (
              <Checkbox
                key={column.id}
                label={wordOf(column.id)}
                checked={columns.isShown(column)}
                testId={`column-${column.id}`}
                onChange={(show) => columns.show(column, show)}
              />
            ))}
          <Button label={words.resetColumns} title={words.resetColumns} kind="quiet" onClick={() => columns.reset()} />
        </Popover>
      )}
    </span>
  );
}

/** In place of rows if filters match nothing. */
export function NoMatch({ text }: { readonly text: string }): JSX.Element {
  const words = spoken(area);
  const { path, query } = address.value;
  return (
    <div class="list-page__no-match" role="status">
      <strong>{text}</strong>
      <Button
        label={words.clearFilters}
        title={words.clearFilters}
        testId="clear-filters"
        onClick={() => go(path, { sort: query.sort ?? "" }, true)}
      />
    </div>
  );
}

export function MoreFailed({ onRetry }: { readonly onRetry: () => void }): JSX.Element {
  const { retry } = spoken(shellArea);
  return (
    <div class="list-page__more-failed" role="alert">
      <span>{spoken(area).moreFailed}</span>
      <Button label={retry} title={retry} onClick={onRetry} />
    </div>
  );
}
