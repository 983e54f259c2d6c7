// Parts of the page that are fetched when they are first shown, so that the first load stays small.

import { signal } from "@preact/signals";
import type { ComponentType, JSX } from "preact";

export type LazyPart = ComponentType & {
  /** Fetch it now: it is about to be shown. */
  readonly fetchAhead: () => void;
};

/** A part that cannot be fetched throws, for the boundary around it to say so. */
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
        // asked again by the next attempt to show it
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
