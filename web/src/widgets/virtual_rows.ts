// The only module that uses @tanstack/virtual-core: computes the visible rows of a list with rows of any height, and
// scrolls to a row. Tables with rows of equal height use table_rows.ts.

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
  /** Row heights are measured; `estimateSize` is used until they are rendered. */
  readonly measured?: boolean;
};

/** Renders the component again whenever the visible range changes. */
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
