// Fields that the create dialog and the settings of a board share: visibility with its second question, and times.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { Checkbox } from "../../widgets/checkbox";
import { Icon } from "../../widgets/icons";
import { Select } from "../../widgets/select";
import { fetchWorkspace } from "../api/people";
import type { Times, Visibility } from "../api/types";
import { spanText, spoken } from "../preferences";
import { isAdmin, me } from "../session";
import * as boardsArea from "../texts/boards";
import * as area from "../texts/create";
import "./board_fields.css";
import { TIME_MEMBERS, timeChoices } from "./drafts";

const VISIBILITIES: readonly Visibility[] = ["private", "workspace", "link", "public"];

type VisibilityProperties = {
  readonly value: Visibility;
  readonly onChange: (value: Visibility) => void;
  /** Null: no second question, since the board is public already. */
  readonly confirmed: boolean | null;
  readonly onConfirm: (confirmed: boolean) => void;
};

export function VisibilityField({ value, onChange, confirmed, onConfirm }: VisibilityProperties): JSX.Element {
  const words = spoken(area);
  const { visibility, visibilityHint } = spoken(boardsArea);
  return (
    <div class="visibility">
      <Select
        label={words.visibility}
        value={value}
        options={VISIBILITIES.map((one) => ({ value: one, label: visibility[one] }))}
        testId="visibility"
        onChange={onChange}
      />
      <p class="field__hint">{visibilityHint[value]}</p>
      {value === "public" && confirmed !== null && (
        <div class="visibility__question" role="alert">
          <strong>
            <Icon name="warning" /> {words.publicTitle}
          </strong>
          <p>{words.publicText}</p>
          <Checkbox label={words.publicConfirm} checked={confirmed} testId="confirm-public" onChange={onConfirm} />
        </div>
      )}
    </div>
  );
}

/** What counts where a board chooses nothing: the workspace's times, else the hub's. */
function useInheritedTimes(workspace: string): Times {
  const own = useSignal<Partial<Times>>({});
  useEffect(() => {
    const asked = new AbortController();
    own.value = {};
    // who may not see the workspace sees the hub's times
    fetchWorkspace(workspace, asked.signal).then(
      ({ idle_after, reclaim_after, max_runtime }) => {
        own.value = { idle_after, reclaim_after, max_runtime };
      },
      () => {},
    );
    return () => asked.abort();
  }, [workspace]);
  const hub = me.value?.hub.policy;
  const of = (member: keyof Times): number => own.value[member] ?? hub?.[member] ?? 0;
  return { idle_after: of("idle_after"), reclaim_after: of("reclaim_after"), max_runtime: of("max_runtime") };
}

type TimesProperties = {
  /** What the user chose; null: inherited. */
  readonly value: Times;
  readonly workspace: string;
  readonly onChange: (value: Times) => void;
};

const INHERITED = "inherited";

export function TimesFields({ value, workspace, onChange }: TimesProperties): JSX.Element {
  const words = spoken(area);
  const inherited = useInheritedTimes(workspace);
  const bounds = isAdmin.value ? null : (me.value?.hub.bounds ?? null);
  const span = (seconds: number | null): string =>
    seconds === null || seconds === 0 ? words.never : spanText(seconds);
  return (
    <div class="times">
      {TIME_MEMBERS.map((member) => (
        <Select
          key={member}
          label={words[member]}
          value={value[member] === null ? INHERITED : String(value[member])}
          options={[
            { value: INHERITED, label: words.inherited(span(inherited[member])) },
            ...timeChoices(member, bounds, value[member]).map((seconds) => ({
              value: String(seconds),
              label: span(seconds),
            })),
          ]}
          testId={member}
          onChange={(text) => onChange({ ...value, [member]: text === INHERITED ? null : Number(text) })}
        />
      ))}
    </div>
  );
}
