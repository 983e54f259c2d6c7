// The one place that uses @tanstack/virtual-core: which rows of a long list are in sight, with rows of any height and
// scrolling to a row. Tables with thousands of equal rows do without it: table_rows.ts.

import { useSignal } from "@preact/signals";
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

export type VirtualRows = Virtualizer<HTMLDivElement, HTMLElement>;

type TheirOptions = VirtualizerOptions<HTMLDivElement, HTMLElement>;

type Options = Pick<TheirOptions, "count" | "estimateSize" | "overscan"> & {
  readonly getItemKey?: (index: number) => string;
  /** Rows are as high as what is in them; `estimateSize` is used until they are drawn. */
  readonly measured?: boolean;
};

/** The component is drawn again whenever other rows come into sight. */
export function useVirtualRows(
  frame: RefObject<HTMLDivElement | null>,
  { measured = false, ...options }: Options,
): VirtualRows {
  const changes = useSignal(0);
  const all = {
    ...options,
    ...(measured ? { measureElement } : {}),
    getScrollElement: () => frame.current,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => {
      changes.value += 1;
    },
  };
  const kept = useRef<VirtualRows | null>(null);
  kept.current ??= new Virtualizer<HTMLDivElement, HTMLElement>(all);
  const virtualizer = kept.current;
  virtualizer.setOptions(all);
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  void changes.value;
  return virtualizer;
}
