// The limit of active boards: the default, no limit, or a number. And the times that are offered in lists.

import type { JSX } from "preact";
import { Select } from "../../widgets/select";
import type { Times } from "../api/types";
import { spoken } from "../preferences";
import * as shared from "../texts/people";
import { Line } from "./form";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export const COMMON_TIMES: Readonly<Record<keyof Times, readonly number[]>> = {
  idle_after: [15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 8 * HOUR, DAY, 0],
  reclaim_after: [HOUR, 8 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY, 0],
  max_runtime: [8 * HOUR, DAY, 7 * DAY, 30 * DAY, 0],
};

/** Null: no limit. NaN: not a number yet. */
export type Limit = number | "default" | null;

type Properties = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: Limit;
  readonly onChange: (value: Limit) => void;
  readonly testId?: string;
};

export function LimitField({ label, hint, value, onChange, testId }: Properties): JSX.Element {
  const words = spoken(shared);
  const mode = value === "default" ? "default" : value === null ? "none" : "number";
  return (
    <div class="people-duration" data-testid={testId}>
      <div class="people-row">
        <Select
          label={label}
          value={mode}
          options={[
            { value: "default", label: words.limit.default },
            { value: "number", label: words.limit.number },
            { value: "none", label: words.unlimited },
          ]}
          onChange={(now) => onChange(now === "default" ? "default" : now === "none" ? null : 5)}
        />
        {typeof value === "number" && (
          <Line
            label={words.limit.number}
            value={Number.isNaN(value) ? "" : String(value)}
            fault={Number.isNaN(value) ? words.limit.whole : undefined}
            onInput={(text) => onChange(/^\d{1,6}$/.test(text.trim()) ? Number(text.trim()) : Number.NaN)}
          />
        )}
      </div>
      {hint !== undefined && <p class="field__hint">{hint}</p>}
    </div>
  );
}
