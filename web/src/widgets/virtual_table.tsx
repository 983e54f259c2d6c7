// A virtual table: only visible rows are rendered, so that 100,000 rows cost as much as a screenful. The caller renders
// head and rows; this module has the scrolling frame, its visible range, and the keys that move between rows. A table
// element would need all rows, so ARIA roles are used instead.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type RowLayout, rowAfterKey, scrollToShow } from "./table_rows";
import "./virtual_table.css";

export const HEAD_PX = 34;

/** The visible part of a table. */
export type TableWindow = {
  readonly topPx: number;
  readonly leftPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
};

type TableFrame = {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly shown: Signal<TableWindow>;
};

const UNMEASURED: TableWindow = { topPx: 0, leftPx: 0, widthPx: 0, heightPx: 0 };

/** Observes scrolling and resizing. `guess` is used until the frame has been measured. */
export function useTableFrame(guess: TableWindow = UNMEASURED): TableFrame {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useSignal(guess);
  const followed = useRef<{ readonly element: HTMLDivElement | null; readonly stop: () => void } | null>(null);
  // the caller may add and remove the frame: compare after each render
  useLayoutEffect(() => {
    const element = frame.current;
    if (followed.current?.element === element) return;
    followed.current?.stop();
    const stop = element === null ? () => {} : follow(element, (now) => (shown.value = now));
    followed.current = { element, stop };
  });
  useLayoutEffect(() => () => followed.current?.stop(), []);
  return { frame, shown };
}

function follow(element: HTMLElement, tell: (now: TableWindow) => void): () => void {
  const measure = (): void => {
    const { scrollTop: topPx, scrollLeft: leftPx, clientWidth: widthPx, clientHeight: heightPx } = element;
    tell({ topPx, leftPx, widthPx, heightPx });
  };
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  element.addEventListener("scroll", measure, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener("scroll", measure);
  };
}

type RowKeys = {
  /** The row that is reachable with Tab. */
  readonly active: Signal<number>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
};

/**
 * Arrow keys, page keys, Home and End move between rows; `onOther` returns whether it handled any other key in a row.
 */
export function useRowKeys(
  { frame, shown }: TableFrame,
  layout: RowLayout,
  onOther: (event: KeyboardEvent, row: number) => boolean,
): RowKeys {
  const active = useSignal(0);
  const go = (row: number): void => {
    active.value = row;
    const element = frame.current;
    if (element === null) return;
    const { scrollTop: topPx, clientHeight: heightPx } = element;
    const next = scrollToShow(layout, row, { topPx, heightPx, headPx: HEAD_PX });
    if (next !== topPx) element.scrollTop = next;
    requestAnimationFrame(() => element.querySelector<HTMLElement>('.virtual-table__row[tabindex="0"]')?.focus());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const inRow = event.target instanceof HTMLElement && event.target.classList.contains("virtual-table__row");
    if (!inRow || active.value >= layout.count) return;
    const target = rowAfterKey(event.key, active.value, layout.count, shown.value.heightPx, layout.rowPx);
    if (target !== null) go(target);
    else if (!onOther(event, active.value)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { active, onKeyDown };
}

type Properties = {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly label: string;
  readonly role: "grid" | "treegrid" | "table" | "region";
  readonly className: string;
  /** Total numbers of rows and columns, rendered or not. */
  readonly rowCount?: number | undefined;
  readonly columnCount?: number | undefined;
  /** Total size of all rows and columns; the table is at least as wide as its frame. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly head?: ComponentChildren;
  /** Shown below the head if there are no rows. */
  readonly empty?: ComponentChildren;
  /** Rows, each positioned by a transform. */
  readonly children: ComponentChildren;
  readonly testId?: string | undefined;
  readonly onKeyDown?: ((event: KeyboardEvent) => void) | undefined;
  readonly onPointerLeave?: (() => void) | undefined;
};

export function VirtualTable(properties: Properties): JSX.Element {
  const { frame, label, role, className, rowCount, columnCount, widthPx, heightPx, head, empty } = properties;
  const ofRows = role === "grid" || role === "treegrid";
  const aria = { role, "aria-label": label, "aria-rowcount": rowCount, "aria-colcount": columnCount };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its role is one of its attributes
    <div
      class={`virtual-table ${className}`}
      ref={frame}
      // if rows are not focusable the frame is, so that keys can scroll it
      tabIndex={ofRows ? -1 : 0}
      {...aria}
      data-arrows={role === "region" ? "" : undefined}
      data-testid={properties.testId}
      onKeyDown={properties.onKeyDown}
      onPointerLeave={properties.onPointerLeave}
    >
      {head}
      {heightPx > 0 && (
        <div
          class="virtual-table__body"
          {...(role === "table" ? { role: "rowgroup" } : {})}
          style={{ height: `${heightPx}px`, width: `${widthPx}px` }}
        >
          {properties.children}
        </div>
      )}
      {empty}
    </div>
  );
}
