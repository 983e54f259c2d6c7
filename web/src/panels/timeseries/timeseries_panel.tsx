// The time series page: sections of chart cards.

import type { JSX } from "preact";
import { kinds } from "../../state/board";

export function TimeseriesPanel(): JSX.Element {
  return (
    <main class="timeseries">
      {(kinds.value.scalars?.tag ?? []).slice(0, 100).map((tag) => (
        <p key={tag}>{tag}</p>
      ))}
    </main>
  );
}
