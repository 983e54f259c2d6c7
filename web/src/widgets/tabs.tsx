// A row of tabs; arrow keys move between them.

import type { JSX } from "preact";
import "./tabs.css";

export type Tab<K extends string = string> = {
  readonly key: K;
  readonly label: string;
  readonly count?: number | undefined;
  readonly disabled?: boolean | undefined;
  readonly title?: string | undefined;
};

type Properties<K extends string> = {
  readonly label: string;
  readonly tabs: readonly Tab<K>[];
  readonly selected: K;
  readonly onSelect: (key: K) => void;
};

export function Tabs<K extends string>({ label, tabs, selected, onSelect }: Properties<K>): JSX.Element {
  const move = (event: KeyboardEvent): void => {
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const possible = tabs.filter((tab) => tab.disabled !== true);
    const at = possible.findIndex((tab) => tab.key === selected);
    const next = possible[(at + by + possible.length) % possible.length];
    if (by === 0 || next === undefined) return;
    event.preventDefault();
    onSelect(next.key);
    const list = event.currentTarget;
    if (list instanceof HTMLElement) list.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.key)}"]`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} tabIndex={-1} onKeyDown={move}>
      {tabs.map((tab) => (
        <button
          key={tab.key}
          type="button"
          role="tab"
          class="tabs__tab"
          data-tab={tab.key}
          aria-selected={tab.key === selected}
          aria-disabled={tab.disabled}
          tabIndex={tab.key === selected ? 0 : -1}
          title={tab.title}
          onClick={() => {
            if (tab.disabled !== true) onSelect(tab.key);
          }}
        >
          {tab.label}
          {tab.count !== undefined && <span class="tabs__count">{tab.count}</span>}
        </button>
      ))}
    </div>
  );
}
