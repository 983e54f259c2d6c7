// A date in the format of the page; the tooltip has the exact time with its zone.

import type { JSX } from "preact";
import { formatIso } from "../../base/locale";
import { dateText } from "../../state/view";
import { formatAge } from "./format";

type Properties = {
  /** Since 1970; null and invalid dates are shown as nothing. */
  readonly seconds: number | null;
  /** Shows "3 minutes ago" instead of the date. */
  readonly age?: boolean;
};

export function Moment({ seconds, age = false }: Properties): JSX.Element | null {
  const text = seconds === null ? null : dateText(seconds, "minute");
  if (seconds === null || text === null) return null;
  const iso = formatIso(seconds) ?? undefined;
  return (
    <time dateTime={iso} title={iso}>
      {age ? formatAge(seconds) : text}
    </time>
  );
}
