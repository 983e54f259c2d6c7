// When tokens and access keys expire: the choice while one is created, and the time in lists.

import type { Signal } from "@preact/signals";
import type { JSX } from "preact";
import { Select } from "../../widgets/select";
import { now, secondsOf, spoken } from "../preferences";
import * as area from "../texts/account";
import * as shared from "../texts/people";
import { Badge } from "./frame";
import { When } from "./times";

const EXPIRIES = ["7d", "30d", "90d", "365d", "never"] as const;

export function ExpiryChoice({ value }: { readonly value: Signal<string> }): JSX.Element {
  const words = spoken(area).tokens;
  return (
    <Select
      label={words.expiry}
      value={value.value}
      testId="expiry"
      options={EXPIRIES.map((one) => ({ value: one, label: words.expiries[one] ?? one }))}
      onChange={(chosen) => {
        value.value = chosen;
      }}
    />
  );
}

export function ExpiryTime({ expires }: { readonly expires: string | null }): JSX.Element {
  const ends = secondsOf(expires);
  if (ends !== null && ends <= now.value) return <Badge text={spoken(area).tokens.expired} tone="warn" />;
  return <When time={expires} none={spoken(shared).never} />;
}
