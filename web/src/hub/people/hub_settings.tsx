// Settings of the hub: times of unused boards, what others may choose, limits of active boards. Only what was changed is
// sent.

import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { tell } from "../../state/toasts";
import { Button } from "../../widgets/button";
import { changeSettings, fetchSettings, type HubSettings } from "../api/people";
import type { Times } from "../api/types";
import { spoken } from "../preferences";
import { loadSession } from "../session";
import * as area from "../texts/admin";
import * as shared from "../texts/people";
import { DurationField } from "./duration_field";
import { Form, Line, Refusal, Submit } from "./form";
import { Section } from "./frame";
import { COMMON_TIMES } from "./limit_field";
import { Loaded, useLoaded } from "./loaded";
import { useTask } from "./task";

export function HubSettingsTab(): JSX.Element {
  const load = useLoaded("settings", fetchSettings);
  return (
    <Loaded load={load}>
      {(settings) => <SettingsForm key={JSON.stringify(settings)} settings={settings} onSaved={load.set} />}
    </Loaded>
  );
}

const TIMES = ["idle_after", "reclaim_after", "max_runtime"] as const;
const LIMITS = ["per_account", "per_workspace", "per_hub"] as const;
const ENDS = ["shortest", "longest"] as const;

type FormProperties = { readonly settings: HubSettings; readonly onSaved: (settings: HubSettings) => void };

function SettingsForm({ settings, onSaved }: FormProperties): JSX.Element {
  const words = spoken(area).settings;
  const edited = useSignal<HubSettings>(settings);
  const task = useTask();
  const change = changesOf(settings, edited.value);
  const changed = Object.keys(change).length > 0;
  const valid = isValid(edited.value);
  const save = (): void => {
    if (!changed || !valid) return;
    void task.run(async () => {
      onSaved(await changeSettings(change));
      tell(words.saved);
      // defaults and bounds of other pages
      void loadSession();
    });
  };
  return (
    <Form label={spoken(area).tabs.settings} onSubmit={save} testId="hub-settings">
      <TimesSection edited={edited} />
      <LimitsSection edited={edited} />
      <BoundsSection edited={edited} />
      <Refusal sentence={task.failure.value} />
      <div class="people-form__actions people-form__actions--bar">
        {changed && <span class="people-quiet">{words.unsaved}</span>}
        {changed && (
          <Button
            label={words.discard}
            title={words.discard}
            onClick={() => {
              edited.value = settings;
            }}
          />
        )}
        <Submit
          label={spoken(shared).save}
          busy={task.busy.value}
          disabled={!changed || !valid}
          testId="save-settings"
        />
      </div>
    </Form>
  );
}

type PartProperties = { readonly edited: Signal<HubSettings> };

function TimesSection({ edited }: PartProperties): JSX.Element {
  const words = spoken(area).settings;
  const texts = {
    idle_after: [words.idleAfter, words.idleHint],
    reclaim_after: [words.reclaimAfter, words.reclaimHint],
    max_runtime: [words.maxRuntime, words.maxHint],
  } as const;
  return (
    <Section title={words.times} text={words.timesText}>
      <div class="people-settings">
        {TIMES.map((key) => (
          <DurationField
            key={key}
            label={texts[key][0]}
            hint={texts[key][1]}
            value={edited.value[key]}
            common={COMMON_TIMES[key]}
            testId={key}
            onChange={(value) => {
              edited.value = { ...edited.value, [key]: value };
            }}
          />
        ))}
      </div>
    </Section>
  );
}

function LimitsSection({ edited }: PartProperties): JSX.Element {
  const words = spoken(area).settings;
  const texts = {
    per_account: [words.perAccount, words.perAccountHint],
    per_workspace: [words.perWorkspace, words.perWorkspaceHint],
    per_hub: [words.perHub, words.perHubHint],
  } as const;
  return (
    <Section title={words.quotas} text={words.quotasText}>
      <div class="people-settings">
        {LIMITS.map((key) => (
          <Count
            key={key}
            label={texts[key][0]}
            hint={texts[key][1]}
            value={edited.value[key]}
            testId={key}
            onChange={(value) => {
              edited.value = { ...edited.value, [key]: value };
            }}
          />
        ))}
      </div>
    </Section>
  );
}

type CountProperties = {
  readonly label: string;
  readonly hint: string;
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly testId: string;
};

/** A number of boards; empty: no limit. */
function Count({ label, hint, value, onChange, testId }: CountProperties): JSX.Element {
  const words = spoken(area).settings;
  const text = useSignal<string | null>(null);
  const wrong = value !== null && Number.isNaN(value);
  return (
    <Line
      label={label}
      value={wrong && text.value !== null ? text.value : value === null ? "" : String(value)}
      hint={hint}
      fault={wrong ? words.whole : undefined}
      placeholder={spoken(shared).unlimited}
      testId={testId}
      onInput={(now) => {
        text.value = now;
        const digits = now.trim();
        onChange(digits === "" ? null : /^\d{1,6}$/.test(digits) ? Number(digits) : Number.NaN);
      }}
    />
  );
}

function BoundsSection({ edited }: PartProperties): JSX.Element {
  const words = spoken(area).settings;
  const names = { idle_after: words.idleAfter, reclaim_after: words.reclaimAfter, max_runtime: words.maxRuntime };
  return (
    <Section title={words.bounds} text={words.boundsText}>
      <div class="people-bounds">
        {TIMES.map((key) => (
          <fieldset key={key} class="people-fieldset">
            <legend>{names[key]}</legend>
            <div class="people-row">
              {ENDS.map((end) => (
                <DurationField
                  key={end}
                  label={words[end]}
                  value={edited.value.bounds[end][key] ?? null}
                  nothing={words.noBound}
                  common={[60, ...COMMON_TIMES[key].filter((one) => one > 0)]}
                  testId={`${end}-${key}`}
                  onChange={(value) => {
                    edited.value = { ...edited.value, bounds: withBound(edited.value.bounds, end, key, value) };
                  }}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </Section>
  );
}

function withBound(
  bounds: HubSettings["bounds"],
  end: "shortest" | "longest",
  key: keyof Times,
  value: number | null,
): HubSettings["bounds"] {
  return { ...bounds, [end]: { ...bounds[end], [key]: value } };
}

function isValid(settings: HubSettings): boolean {
  const numbers = [
    ...TIMES.map((key) => settings[key]),
    ...LIMITS.map((key) => settings[key]),
    ...ENDS.flatMap((end) => TIMES.map((key) => settings.bounds[end][key])),
  ];
  return numbers.every((value) => !Number.isNaN(value));
}

function changesOf(before: HubSettings, after: HubSettings): Partial<HubSettings> {
  const plain = [...TIMES, ...LIMITS].filter((key) => !Object.is(before[key], after[key]));
  const bounds = JSON.stringify(before.bounds) === JSON.stringify(after.bounds) ? {} : { bounds: after.bounds };
  return { ...Object.fromEntries(plain.map((key) => [key, after[key]])), ...bounds };
}
