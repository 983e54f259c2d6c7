// Measures an element whenever its size changes.

import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Calls `measure` now and whenever the size of the element changes. Returns a stop function. */
export function observeSize<E extends Element>(element: E, measure: (element: E) => void): () => void {
  measure(element);
  const observer = new ResizeObserver(() => measure(element));
  observer.observe(element);
  return () => observer.disconnect();
}

/** Measures before the first paint. `active`: false stops observing. */
export function useObservedSize<E extends Element>(
  ref: RefObject<E | null>,
  measure: (element: E) => void,
  active = true,
): void {
  useLayoutEffect(() => {
    const element = ref.current;
    return element === null || !active ? undefined : observeSize(element, measure);
  }, [active]);
}
