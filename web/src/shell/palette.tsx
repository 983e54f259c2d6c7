// The search over everything: type, choose with the arrows, Enter. The cursor never leaves the field.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { kinds } from "../state/board";
import { sheet } from "../state/layout";
import { allRuns } from "../state/runs";
import { loadViews, savedViews } from "../state/saved_views";
import { texts } from "../state/view";
import { Icon } from "../widgets/icons";
import "./palette.css";
import { charts, followCharts } from "./palette_charts";
import { type Entry, find } from "./palette_entries";
import { keyLabel } from "./shortcuts";

export function Palette(): JSX.Element {
  const words = texts.value.shell.palette;
  const box = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const query = useSignal("");
  const active = useSignal(0);
  const entries = useMemo(
    () => find(query.value),
    [query.value, savedViews.value, kinds.value, allRuns.value, charts.value, texts.value],
  );
  const close = (): void => {
    sheet.value = null;
  };

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

  const choose = (entry: Entry | undefined, other: boolean): void => {
    if (entry === undefined) return;
    close();
    // after the dialog has given the focus back, or what the entry focuses would lose it again
    setTimeout(other ? entry.runOther : entry.run);
  };
  const move = (to: number): void => {
    active.value = entries.length === 0 ? 0 : (to + entries.length) % entries.length;
    list.current?.querySelector(`[data-at="${active.value}"]`)?.scrollIntoView({ block: "nearest" });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const by = steps[event.key];
    if (by !== undefined) {
      event.preventDefault();
      const to = active.value + by;
      move(Math.abs(by) === 1 ? to : Math.max(0, Math.min(entries.length - 1, to)));
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(entries[active.value], event.ctrlKey || event.metaKey);
    } else if (event.key === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      close();
    }
  };
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
            aria-activedescendant={current === undefined ? undefined : `palette-${active.value}`}
            placeholder={words.placeholder}
            autocomplete="off"
            spellcheck={false}
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
        <div class="palette__list" id="palette-list" role="listbox" aria-label={words.label} ref={list}>
          {entries.map((entry, at) => (
            <Row
              key={`${entry.group} ${entry.label} ${entry.detail}`}
              entry={entry}
              at={at}
              active={at === active.value}
              heading={entries[at - 1]?.group === entry.group ? null : words.groups[entry.group]}
              onPoint={() => {
                active.value = at;
              }}
              onChoose={(other) => choose(entry, other)}
            />
          ))}
          {entries.length === 0 && <p class="palette__nothing">{words.nothing(query.value)}</p>}
        </div>
        <footer class="palette__keys">{keys}</footer>
      </div>
    </dialog>
  );
}

// a field with a list of our own, not the browser's: types and linter only know the latter
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
