// A short piece of a line as charts draw it: its color and its dashes.

import type { JSX } from "preact";
import { dashOf } from "../../chart/draw_lines";

export function DashSample({ color, dash }: { readonly color: string; readonly dash: number }): JSX.Element {
  return (
    <svg class="dash-sample" viewBox="0 0 18 10" width="18" height="10" aria-hidden="true" focusable="false">
      <line x1="1" y1="5" x2="17" y2="5" stroke={color} stroke-width="3" stroke-dasharray={dashOf(dash).join(" ")} />
    </svg>
  );
}
