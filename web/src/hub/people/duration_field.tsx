// Chooses a duration: the default, common ones, never, or any other as text ("1h30m"). Seconds; 0 is never, null the
// default.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { Select } from "../../widgets/select";
import { spanText, spoken } from "../preferences";
import * as area from "../texts/people";
import { isWithin, type Limits, parseDuration, writeDuration } from "./durations";
import { Line } from "./form";

type Properties = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: number | null;
  /** NaN while the text is not a duration, or not an allowed one. */
  readonly onChange: (value: number | null) => void;
  /** What counts if nothing is chosen; undefined: a choice is required. */
  readonly inherited?: number | null | undefined;
  /** The text of the choice "nothing", in place of the inherited value. */
  readonly nothing?: string | undefined;
  /** What this user may choose; null: everything. */
  readonly limits?: Limits | null;
  readonly common: readonly number[];
  readonly disabled?: boolean;
  readonly testId?: string;
};

const OTHER = "other";

export function durationText(seconds: number): string {
  return seconds === 0 ? spoken(area).duration.never : spanText(seconds);
}

export function DurationField(properties: Properties): JSX.Element {
  const { label, hint, onChange, inherited, nothing, limits = null, common, disabled = false } = properties;
  const value = Number.isNaN(properties.value) ? null : properties.value;
  const words = spoken(area).duration;
  // the text of "Other…"; null: one of the list
  const typed = useSignal<string | null>(null);
  const allowed = (seconds: number): boolean => limits === null || isWithin(seconds, limits);
  const listed = [...new Set([...common, ...(value === null ? [] : [value])])].filter(allowed);
  const known = [...listed.filter((one) => one > 0).sort((a, b) => a - b), ...listed.filter((one) => one === 0)];
  const first =
    nothing ?? (inherited === undefined || inherited === null ? undefined : words.inherit(durationText(inherited)));
  const choose = (key: string): void => {
    typed.value = key === OTHER ? writeDuration(value ?? inherited ?? 3600) : null;
    if (key !== OTHER) onChange(key === "" ? null : Number(key));
  };
  return (
    <div class="people-duration" data-testid={properties.testId}>
      <Select
        label={label}
        disabled={disabled}
        value={typed.value !== null ? OTHER : value === null ? "" : String(value)}
        options={[
          ...(first === undefined ? [] : [{ value: "", label: first }]),
          ...known.map((one) => ({ value: String(one), label: durationText(one) })),
          // a value that this user may not choose, but somebody else did
          ...(value !== null && !known.includes(value) ? [{ value: String(value), label: durationText(value) }] : []),
          { value: OTHER, label: words.other },
        ]}
        onChange={choose}
      />
      {typed.value !== null && <Typed typed={typed.value} limits={limits} onInput={take} />}
      {hint !== undefined && <p class="field__hint">{hint}</p>}
    </div>
  );

  function take(text: string): void {
    typed.value = text;
    const seconds = parseDuration(text);
    onChange(seconds !== null && allowed(seconds) ? seconds : Number.NaN);
  }
}

type TypedProperties = {
  readonly typed: string;
  readonly limits: Limits | null;
  readonly onInput: (text: string) => void;
};

function Typed({ typed, limits, onInput }: TypedProperties): JSX.Element {
  const words = spoken(area).duration;
  const seconds = parseDuration(typed);
  const fault =
    seconds === null ? words.form : limits !== null && !isWithin(seconds, limits) ? limitsText(limits) : undefined;
  return (
    <Line
      label={words.custom}
      value={typed}
      fault={fault}
      hint={seconds === null || fault !== undefined ? undefined : durationText(seconds)}
      onInput={onInput}
    />
  );
}

/** "Between 1 min and 24 h"; an empty text without bounds. */
export function limitsText({ least, most }: Limits): string {
  const words = spoken(area).duration;
  const [low, high] = [least === null || least === 0 ? null : least, most === null || most === 0 ? null : most];
  if (low !== null && high !== null) return words.between(durationText(low), durationText(high));
  if (low !== null) return words.atLeast(durationText(low));
  return high === null ? "" : words.atMost(durationText(high));
}
