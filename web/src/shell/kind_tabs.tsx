// The tabs of the top bar: kinds of data with their counts, and the runs table. Tabs that do not fit are in a menu;
// tabs without data are gray and say why.

import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { allRuns } from "../state/runs";
import { texts, view } from "../state/view";
import { Menu } from "../widgets/menu";
import { go } from "./actions";
import { type KindTab, kindTabs } from "./kinds";
import "./kind_tabs.css";

// width of the menu button
const MENU_PX = 32;
const RUN_PAGES = new Set(["runs", "run", "compare"]);

function formatCount(count: number): string {
  return count < 10_000 ? String(count) : `${Math.round(count / 1000)}k`;
}

/** Tabs of all kinds; the runs table is second, because every board has it. */
function allTabs(): readonly KindTab[] {
  const runsTab: KindTab = {
    kind: "runs",
    page: "runs",
    label: texts.value.shell.pages.runs,
    count: allRuns.value.length,
    reason: null,
  };
  const [first, ...rest] = kindTabs.value;
  return first === undefined ? [runsTab] : [first, runsTab, ...rest];
}

/** Returns how many tabs fit. The list wraps in a container one row high; tabs below the first row do not fit. */
function useFitting(list: RefObject<HTMLDivElement | null>, tabs: readonly KindTab[]): ReadonlySignal<number> {
  const fitting = useSignal(99);
  const shape = tabs.map((tab) => `${tab.label} ${formatCount(tab.count)}`).join();
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const measure = (): void => {
      const items = [...element.children].filter((item) => item instanceof HTMLElement);
      const top = items[0]?.offsetTop ?? 0;
      const below = items.findIndex((item) => item.offsetTop > top + 4);
      // measures the space that list and menu share: the list's own width depends on the result
      const roomPx = (element.parentElement?.clientWidth ?? 0) - MENU_PX;
      const tooWide = (items[0]?.offsetWidth ?? 0) > roomPx;
      fitting.value = tooWide ? 0 : below < 0 ? items.length : below;
    };
    // also called once after the first layout: measuring earlier would force a second layout
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [shape, fitting]);
  return fitting;
}

export function KindTabs(): JSX.Element {
  const words = texts.value.shell;
  const list = useRef<HTMLDivElement>(null);
  const tabs = allTabs();
  const fitting = useFitting(list, tabs);
  const more = tabs.slice(fitting.value);
  // the menu button shows the name of the current page if its tab does not fit
  const current = fitting.value === 0 ? tabs.find(isCurrent) : more.find(isCurrent);
  const named = fitting.value === 0 || current !== undefined;
  return (
    <nav
      class={`kind-tabs${fitting.value === 0 ? " kind-tabs--none" : named ? " kind-tabs--named" : ""}`}
      aria-label={words.bar.pages}
    >
      <div class="kind-tabs__list" ref={list}>
        {tabs.map((tab, at) => (
          <TabButton key={tab.kind} tab={tab} fits={at < fitting.value} />
        ))}
      </div>
      {more.length > 0 && (
        <Menu
          label={named ? (current?.label ?? words.bar.pages) : words.bar.more}
          icon={named ? undefined : "chevron"}
          showLabel={named}
          testId="more-kinds"
          items={more.map((tab) => ({
            label: tab.count > 0 ? `${tab.label}  ${formatCount(tab.count)}` : tab.label,
            disabled: tab.reason !== null,
            title: tab.reason ?? undefined,
            checked: isCurrent(tab),
            onSelect: () => go(tab.page),
          }))}
        />
      )}
    </nav>
  );
}

function isCurrent(tab: KindTab): boolean {
  const { page } = view.value;
  return tab.page === page || (tab.page === "runs" && RUN_PAGES.has(page));
}

function TabButton({ tab, fits }: { readonly tab: KindTab; readonly fits: boolean }): JSX.Element {
  const words = texts.value.shell;
  const current = isCurrent(tab);
  const counted = tab.kind === "runs" ? words.inRuns(tab.count) : words.kindCount(tab.count);
  const title = tab.reason ?? (tab.count > 0 ? counted : tab.label);
  return (
    <button
      type="button"
      class="kind-tabs__tab"
      data-kind={tab.kind}
      aria-current={current ? "page" : undefined}
      aria-disabled={tab.reason !== null}
      aria-hidden={!fits}
      tabIndex={fits ? 0 : -1}
      title={title}
      onClick={() => {
        if (tab.reason === null) go(tab.page);
      }}
    >
      {tab.label}
      {tab.count > 0 && <span class="kind-tabs__count">{formatCount(tab.count)}</span>}
    </button>
  );
}
