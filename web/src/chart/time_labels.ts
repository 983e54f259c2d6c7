// Labels of calendar ticks on two lines: above the part that changes from tick to tick, below the day or year.

import { formatDateParts, type Language } from "../base/locale";

export type TimeLabel = { readonly label: string; readonly context: string };

type Shape = { readonly label: Intl.DateTimeFormatOptions; readonly context: Intl.DateTimeFormatOptions | null };

const CLOCK: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const DAY: Intl.DateTimeFormatOptions = { month: "short", day: "numeric" };
const YEAR: Intl.DateTimeFormatOptions = { year: "numeric" };

function shapeOf(stepMillis: number): Shape {
  if (stepMillis < 1000) {
    return { label: { second: "2-digit", fractionalSecondDigits: 3 }, context: { ...DAY, ...CLOCK } };
  }
  if (stepMillis < 60_000) return { label: { ...CLOCK, second: "2-digit" }, context: DAY };
  if (stepMillis < 86_400_000 * 0.9) return { label: CLOCK, context: DAY };
  if (stepMillis < 86_400_000 * 27) return { label: DAY, context: YEAR };
  if (stepMillis < 86_400_000 * 360) return { label: { month: "short" }, context: YEAR };
  return { label: YEAR, context: null };
}

export function timeLabels(dates: readonly Date[], locale: Language): readonly TimeLabel[] {
  const gaps = dates.slice(1).map((date, i) => date.getTime() - (dates[i]?.getTime() ?? 0));
  const shape = shapeOf(gaps.length > 0 ? Math.min(...gaps) : 60_000);
  let last = "";
  return dates.map((date) => {
    const context = shape.context === null ? "" : formatDateParts(date, shape.context, locale);
    const changed = context !== last;
    last = context;
    return { label: formatDateParts(date, shape.label, locale), context: changed ? context : "" };
  });
}
