// A time of the server as people read it: relative with the exact time as its tooltip, or as a date.

import type { JSX } from "preact";
import type { DateStyle } from "../../base/locale";
import { agoText, dateText, isoText } from "../preferences";

type Properties = { readonly time: string | null; readonly none?: string };

export function Ago({ time, none = "" }: Properties): JSX.Element {
  if (time === null) return <span class="people-quiet">{none}</span>;
  return (
    <time dateTime={time} title={isoText(time)}>
      {agoText(time)}
    </time>
  );
}

export function When({ time, none = "", style = "minute" }: Properties & { readonly style?: DateStyle }): JSX.Element {
  if (time === null) return <span class="people-quiet">{none}</span>;
  return (
    <time dateTime={time} title={isoText(time)}>
      {dateText(time, style)}
    </time>
  );
}
