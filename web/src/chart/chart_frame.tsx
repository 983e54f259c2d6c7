// Shared by chart components: the element that holds the canvas, the zoom box of a drag, the hint about the wheel.

import type { JSX, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Boxed } from "./gestures";
import { ZoomBox } from "./sizes";

const HINT_MILLIS = 3000;

type Properties = {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** For screen readers: what is shown, and that arrow keys move it. */
  readonly label: string;
  readonly box: Boxed | null;
  /** Null: not shown. */
  readonly hint: string | null;
};

/** Opening the chart inserts the canvas before the children. */
export function ChartFrame({ frame, label, box, hint }: Properties): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the chart is moved with the arrow keys
    <div class="line-chart" ref={frame} role="application" aria-label={label} tabIndex={0}>
      {box !== null && <ZoomBox boxed={box} />}
      {hint !== null && <div class="wheel-hint">{hint}</div>}
    </div>
  );
}

/** A hint that is visible for a moment after the last call of `show`. */
export function useHint(): { readonly visible: boolean; readonly show: () => void } {
  const [calls, setCalls] = useState(0);
  useEffect(() => {
    if (calls === 0) return;
    const timer = setTimeout(() => setCalls(0), HINT_MILLIS);
    return () => clearTimeout(timer);
  }, [calls]);
  return { visible: calls > 0, show: () => setCalls((count) => count + 1) };
}
