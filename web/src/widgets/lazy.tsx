// Components that are loaded when first shown, so that the initial bundle stays small.

import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";

export type LazyPart = ComponentType & {
  /** Loads it now, because it will be shown soon. */
  readonly fetchAhead: () => void;
};

/** Throws if the component cannot be loaded; the error boundary around it shows the error. */
export function lazy(load: () => Promise<ComponentType>): LazyPart {
  const loaded = signal<ComponentType | Error | null>(null);
  let asked = false;
  const ask = (): void => {
    if (asked) return;
    asked = true;
    load().then(
      (part) => {
        loaded.value = part;
      },
      (error: unknown) => {
        // the next attempt to show it retries
        asked = false;
        loaded.value = error instanceof Error ? error : new Error(String(error));
      },
    );
  };
  function Lazy(): JSX.Element | null {
    const part = loaded.value;
    if (part instanceof Error) {
      loaded.value = null;
      throw part;
    }
    ask();
    if (part === null) return null;
    const Part = part;
    return <Part />;
  }
  return Object.assign(Lazy, { fetchAhead: ask });
}
