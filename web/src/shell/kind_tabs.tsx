// The tabs of the top bar: the pages that are used most in a row, the current page after them, and a menu with the
// others. All of them are links, so that a page can be opened in a new tab.

import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { allRuns } from "../state/runs";
import { grouped, member, texts } from "../state/view";
import { Menu, type MenuAction, type MenuItem } from "../widgets/menu";
import { isPlainClick } from "../widgets/plain_click";
import { go, linkTo } from "./actions";
import { type KindTab, kindTabs } from "./kinds";
import { fittingTabs } from "./tab_fit";
import { unshownItems } from "./unshown";
import "./kind_tabs.css";

const RUN_PAGES = new Set(["runs", "run", "compare"]);
const page = member("page");

/** Tabs of all kinds; the runs table is second, because every board has it. */
function allTabs(): readonly KindTab[] {
  const runsTab: KindTab = {
    kind: "runs",
    page: "runs",
    place: "row",
    label: texts.value.shell.pages.runs,
    count: allRuns.value.length,
    reason: null,
  };
  const [first, ...rest] = kindTabs.value;
  return first === undefined ? [runsTab] : [first, runsTab, ...rest];
}

function isCurrent(tab: KindTab): boolean {
  return tab.page === page.value || (tab.page === "runs" && RUN_PAGES.has(page.value));
}

function widthOf(element: Element): number {
  return element.getBoundingClientRect().width;
}

/** Returns how many tabs of the row fit. The ruler has the labels of all tabs: first those of the row, last the menu. */
function useFitting(
  nav: RefObject<HTMLElement | null>,
  ruler: RefObject<HTMLDivElement | null>,
  inRow: number,
): ReadonlySignal<number> {
  const fitting = useSignal(inRow);
  useLayoutEffect(() => {
    const [outer, labels] = [nav.current, ruler.current];
    if (outer === null || labels === null) return;
    const measure = (): void => {
      const widths = [...labels.children].map(widthOf);
      const tabs = widths.slice(0, -1);
      const widestPx = Math.max(0, ...tabs);
      const menuPx = widths.at(-1) ?? 0;
      fitting.value = fittingTabs({ tabsPx: tabs.slice(0, inRow), menuPx, widestPx, roomPx: outer.clientWidth });
    };
    // also called once after the first layout: measuring earlier would force a second layout
    const observer = new ResizeObserver(measure);
    observer.observe(outer);
    observer.observe(labels);
    return () => observer.disconnect();
  }, [nav, ruler, inRow, fitting]);
  return fitting;
}

export function KindTabs(): JSX.Element {
  const words = texts.value.shell.bar;
  const nav = useRef<HTMLElement>(null);
  const ruler = useRef<HTMLDivElement>(null);
  const tabs = allTabs();
  const row = tabs.filter(({ place, reason }) => place === "row" && reason === null);
  const others = tabs.filter((tab) => !row.includes(tab));
  const fitting = useFitting(nav, ruler, row.length);
  const shown = row.slice(0, fitting.value);
  const current = tabs.find(isCurrent);
  const extra = shown.length > 0 && current !== undefined && !shown.includes(current) ? [current] : [];
  const rest = [...row.slice(fitting.value), ...others];
  const ready = rest.filter(({ reason }) => reason === null).length;
  const more = ready > 0 ? words.moreCount(ready) : words.more;
  const named = shown.length === 0;
  return (
    <nav ref={nav} class={named ? "kind-tabs kind-tabs--named" : "kind-tabs"} aria-label={words.pages}>
      <div class="kind-tabs__ruler" ref={ruler} aria-hidden="true">
        {[...row, ...others].map(({ kind, label }) => (
          <span key={kind} class="kind-tabs__tab">
            {label}
          </span>
        ))}
        <span class="kind-tabs__tab kind-tabs__tab--menu">{more}</span>
      </div>
      {[...shown, ...extra].map((tab) => (
        <TabLink key={tab.kind} tab={tab} />
      ))}
      <Menu
        label={named ? (current?.label ?? words.pages) : more}
        showLabel
        testId="more-kinds"
        items={menuItems(named ? tabs : rest)}
      />
    </nav>
  );
}

function TabLink({ tab }: { readonly tab: KindTab }): JSX.Element {
  const words = texts.value.shell;
  const counted = tab.kind === "runs" ? words.inRuns(tab.count) : words.kindCount(tab.count);
  return (
    <a
      class="kind-tabs__tab"
      data-kind={tab.kind}
      href={linkTo(tab.page)}
      aria-current={isCurrent(tab) ? "page" : undefined}
      title={tab.reason?.replaceAll("`", "") ?? (tab.count > 0 ? counted : undefined)}
      onPointerDown={freshen}
      onFocus={freshen}
      onClick={(event) => {
        if (!isPlainClick(event)) return;
        event.preventDefault();
        go(tab.page);
      }}
    >
      {tab.label}
    </a>
  );

  /** A tab is not rendered again when a filter changes, but its link has the filter. */
  function freshen(event: { readonly currentTarget: HTMLAnchorElement }): void {
    event.currentTarget.href = linkTo(tab.page);
  }
}

function menuItems(tabs: readonly KindTab[]): readonly MenuItem[] {
  const words = texts.value.shell.bar;
  const ready = tabs.filter(({ reason }) => reason === null);
  const media = ready.filter(({ place }) => place === "media");
  const absent = tabs.filter(({ reason }) => reason !== null);
  return [
    ...ready.filter(({ place }) => place !== "media").map(tabItem),
    ...(media.length === 0 ? [] : [{ heading: words.media }, ...media.map(tabItem)]),
    ...(absent.length === 0 ? [] : [{ heading: words.absent }, ...absent.map(tabItem)]),
    ...unshownItems(),
  ];
}

function tabItem(tab: KindTab): MenuAction {
  return {
    label: tab.label,
    detail: tab.count > 0 ? grouped(tab.count) : undefined,
    quiet: tab.reason !== null,
    title: tab.reason?.replaceAll("`", ""),
    checked: isCurrent(tab),
    href: () => linkTo(tab.page),
    onSelect: () => go(tab.page),
  };
}
