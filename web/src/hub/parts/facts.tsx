// Facts about a thing: names and values, as on the page of a board, a job or an upload.

import type { ComponentChildren, JSX } from "preact";
import { agoText, dateText, isoText } from "../preferences";
import "./facts.css";

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A time, and how long ago it was. */
export function Time({ time }: { readonly time: string | null }): JSX.Element {
  return (
    <span title={isoText(time)}>
      {dateText(time)} <span class="panel__quiet">({agoText(time)})</span>
    </span>
  );
}
