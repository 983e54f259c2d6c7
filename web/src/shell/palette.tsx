// The search palette: type, select with the arrow keys, Enter. The focus never leaves the field.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { keyLabel } from "../base/keys";
import { kinds } from "../state/board";
import { sheet } from "../state/layout";
import { allRuns } from "../state/runs";
import { loadViews, savedViews } from "../state/saved_views";
import { texts } from "../state/view";
import { Icon } from "../widgets/icons";
import { activeAfterKey } from "../widgets/list_keys";
import "./palette.css";
import { charts, followCharts } from "./palette_charts";
import { type Entry, find, keyOf } from "./palette_entries";
import { rememberChoice } from "./palette_memory";

function close(): void {
  sheet.value = null;
}

function choose(entry: Entry | undefined, other: boolean): void {
  if (entry === undefined) return;
  rememberChoice(keyOf(entry));
  close();
  // after the closed dialog has restored the focus, or it would take the focus from the entry's target
  setTimeout(other ? entry.runOther : entry.run);
}

export function Palette(): JSX.Element {
  const words = texts.value.shell.palette;
  const box = useShownDialog();
  const list = useRef<HTMLDivElement>(null);
  const query = useSignal("");
  const active = useSignal(0);
  const entries = useMemo(
    () => find(query.value),
    [query.value, savedViews.value, kinds.value, allRuns.value, charts.value, texts.value],
  );
  const current = entries[active.value];
  const keys = current?.group === "runs" ? words.runKeys : current?.group === "tags" ? words.tagKeys : words.keys;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Esc does the same
    <dialog
      ref={box}
      class="palette"
      aria-label={words.label}
      data-testid="palette"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === box.current) close();
      }}
    >
      <div class="palette__frame">
        <Field entries={entries} query={query} active={active} list={list} />
        <div class="palette__list" id="palette-list" role="listbox" aria-label={words.label} ref={list}>
          <Entries entries={entries} active={active} />
          {entries.length === 0 && <p class="palette__nothing">{words.nothing(query.value)}</p>}
        </div>
        <footer class="palette__keys">{keys}</footer>
      </div>
    </dialog>
  );
}

/** The dialog is open while its component is mounted; the data to search are loaded meanwhile. */
function useShownDialog(): RefObject<HTMLDialogElement | null> {
  const box = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = box.current;
    if (savedViews.peek() === null) void loadViews();
    const stopCharts = followCharts();
    dialog?.showModal();
    return () => {
      stopCharts();
      dialog?.close();
    };
  }, []);
  return box;
}

type FieldProperties = {
  readonly entries: readonly Entry[];
  readonly query: Signal<string>;
  readonly active: Signal<number>;
  readonly list: RefObject<HTMLDivElement | null>;
};

function Field({ entries, query, active, list }: FieldProperties): JSX.Element {
  const words = texts.value.shell.palette;
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const { key } = event;
    const withControl = event.ctrlKey || event.metaKey;
    const moved = activeAfterKey(key, active.value, entries.length);
    if (moved !== null) {
      active.value = moved;
      list.current?.querySelector(`[data-at="${moved}"]`)?.scrollIntoView({ block: "nearest" });
    } else if (key === "Enter") choose(entries[active.value], withControl);
    else if (key === "k" && withControl) close();
    else return;
    event.preventDefault();
  };
  return (
    <div class="palette__field">
      <Icon name="search" />
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is a combobox, which has them */}
      <input
        class="palette__input"
        type="text"
        {...COMBOBOX}
        aria-label={words.placeholder}
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries[active.value] === undefined ? undefined : `palette-${active.value}`}
        placeholder={words.placeholder}
        autocomplete="off"
        spellcheck={false}
        // biome-ignore lint/a11y/noAutofocus: the dialog around it is opened to type
        autoFocus
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          active.value = 0;
          if (list.current !== null) list.current.scrollTop = 0;
        }}
        onKeyDown={onKey}
      />
    </div>
  );
}

function sectionOf(entry: Entry | undefined): Entry["group"] | "recent" | undefined {
  return entry?.recent === true ? "recent" : entry?.group;
}

type EntriesProperties = { readonly entries: readonly Entry[]; readonly active: Signal<number> };

function Entries({ entries, active }: EntriesProperties): JSX.Element {
  const words = texts.value.shell.palette;
  return (
    <>
      {entries.map((entry, at) => (
        <Row
          key={`${entry.group} ${entry.label} ${entry.detail}`}
          entry={entry}
          at={at}
          active={at === active.value}
          heading={sectionOf(entries[at - 1]) === sectionOf(entry) ? null : words.groups[sectionOf(entry) ?? "actions"]}
          onPoint={() => {
            active.value = at;
          }}
          onChoose={(other) => choose(entry, other)}
        />
      ))}
    </>
  );
}

// a combobox with its own list, not a <datalist>: types and linter only know the latter
const COMBOBOX = { role: "combobox", list: undefined } as const;

type RowProperties = {
  readonly entry: Entry;
  readonly at: number;
  readonly active: boolean;
  readonly heading: string | null;
  readonly onPoint: () => void;
  readonly onChoose: (other: boolean) => void;
};

function Row({ entry, at, active, heading, onPoint, onChoose }: RowProperties): JSX.Element {
  return (
    <>
      {heading !== null && <div class="palette__heading">{heading}</div>}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys are pressed in the field, which keeps the focus */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: the field names the active option */}
      <div
        id={`palette-${at}`}
        data-at={at}
        class={active ? "palette__row palette__row--active" : "palette__row"}
        role="option"
        aria-selected={active}
        onMouseMove={onPoint}
        onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
      >
        <Icon name={entry.icon} />
        <span class="palette__label">{entry.label}</span>
        <span class="palette__detail">{entry.detail}</span>
        {entry.shortcut !== undefined && <kbd>{keyLabel(entry.shortcut)}</kbd>}
      </div>
    </>
  );
}
